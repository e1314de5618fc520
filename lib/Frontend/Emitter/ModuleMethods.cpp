//===- ModuleMethods.cpp - Methods of modules, declared when wanted -------===//
#include "CodeEvaluator.h"
#include "CompilerImpl.h"
#include "TypeExpressions.h"
#include "tsc/IR/ClassType.h"
#include "llvm/ADT/DenseSet.h"

using namespace tsc;

/// Declares the setter of a property, which classes of a host have under "name.setter". Null where there is none.
static Function *declareSetter(Compiler::Impl &compiler, const ClassType *type, const ModuleInfo &module,
                               StringRef property) {
  std::optional<ModuleMethod> method = module.type->findMethod((property + ".setter").str(), nullptr);
  if (!method)
    return nullptr;
  Function *declared = compiler.declareFunction(*method->tree, (type->name() + "." + property + "_setter").str(), type,
                                                *method->resolver);
  if (!declared)
    return nullptr;
  compiler.owners[declared] = method->owner;
  const_cast<ClassType *>(type)->addMethod(declared);
  return declared;
}

Function *Compiler::Impl::moduleMethod(const ClassType *type, StringRef name, const ModuleClass *after) {
  auto lock = unit.lockDefinitions(); // an entry that runs as Python asks for methods, too
  auto found = classes.find(type);
  ModuleInfo *module = found == classes.end() ? nullptr : found->second.module.get();
  if (!module)
    return nullptr;
  if (!after)
    if (Function *known = type->findMethod(name))
      return known;
  std::optional<ModuleMethod> method = module->type->findMethod(name, after);
  if (!method)
    return nullptr;
  const std::string stem = (after ? method->owner->name + "_" : "") + name.str();
  std::string full = (type->name() + "." + stem).str();
  const bool isProperty = method->binding == ModuleMethod::Binding::Property;
  if (isProperty)
    full += "_getter";
  const bool isStatic = method->binding == ModuleMethod::Binding::Static;
  if (isStatic) // a function beside the class: archives hold no others in classes than methods
    full = (type->name() + "__" + stem).str();
  if (Function *known = unit.find(full))
    return known;
  Function *declared = declareFunction(*method->tree, full, isStatic ? nullptr : type, *method->resolver);
  if (!declared)
    return nullptr;
  owners[declared] = method->owner;
  auto *mutableType = const_cast<ClassType *>(type);
  if (!isStatic)
    mutableType->addMethod(declared); // getters are called by name too
  else if (!after && !type->findStaticMethod(name))
    mutableType->addStaticMethod(name, declared);
  if (isProperty && !after)
    mutableType->addProperty({name.str(), declared, declareSetter(*this, type, *module, name)});
  return declared;
}

/// A module and those below it, each once and behind its own.
static void collectModules(const ObjectValue &module, llvm::DenseSet<const ObjectValue *> &seen,
                           std::vector<const ObjectValue *> &found) {
  if (!seen.insert(&module).second)
    return;
  for (const IValue &slot : module.slots)
    if (isModuleObject(slot))
      collectModules(slot.toObject(), seen, found);
  found.push_back(&module);
}

void Compiler::Impl::declareExported(const ObjectValue &module) {
  llvm::DenseSet<const ObjectValue *> seen;
  std::vector<const ObjectValue *> modules;
  collectModules(module, seen, modules);
  for (const ObjectValue *each : modules) {
    ModuleInfo *info = moduleInfo(each->type);
    if (!info)
      continue;
    info->type->forEachAttribute([&](StringRef name, const ModuleMethod &method) {
      if (method.tree && llvm::any_of(method.tree->decorators(), [&](const Tree *decorator) {
            return method.resolver->canonicalName(dottedName(decorator)) == "torch.jit.export";
          }))
        (void)moduleMethod(each->type, name);
    });
  }
}
