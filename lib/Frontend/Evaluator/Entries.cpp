//===- Entries.cpp - What of a file that was run can be called ------------===//
#include "../Emitter/SourceResolver.h"
#include "../Emitter/TypeExpressions.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"

using namespace tsc;
using namespace tsc::python;

void tsc::setConstructionHost(Compiler &compiler, ConstructionHost &host) {
  compiler.setEvaluator([&host](Compiler &compiler) -> std::unique_ptr<CodeEvaluator> {
    return std::make_unique<Evaluator>(compiler.implementation(), host);
  });
}

SugaredValue *Evaluator::globalForCode(const SourceResolver &file, StringRef name, SourceRange range) {
  FileScope *scope = userFiles.lookup(&file);
  AnyValue *value = scope ? scope->globals.find(name) : nullptr;
  if (!value)
    return nullptr;
  if (const Tree *definition = scope->resolver->definition(name); definition && decorated.contains(definition)) {
    refuse(range, "calls from compiled code of '" + name + "', which a decorator replaced,");
    return nullptr;
  }
  if (auto *library = value->as<LibraryObject>())
    return libraryValue(compiler, compiler.arena, library->path);
  if (value->object && !value->as<ListObject>() && !value->as<TupleObject>() && !value->as<DictObject>())
    return nullptr;
  std::optional<IValue> data = toData(*value, range);
  return data ? compiler.arena.make<ConstantSugar>(*data, data->dynamicType(compiler.context)) : nullptr;
}

static InstanceObject *asModule(const AnyValue &value) {
  auto *instance = value.as<InstanceObject>();
  return instance && instance->type->isModule ? instance : nullptr;
}

static bool isModel(const AnyValue &value, const FileScope &file) {
  auto *type = value.as<ClassObject>();
  return type && type->isModule && type->file == &file && Evaluator::needsNoArguments(*type);
}

InstanceObject *Evaluator::findModule(StringRef name, bool &failed) {
  auto makeModule = [&](ClassObject &type) {
    Result made = construct(type, {}, type.tree->point());
    failed |= !made;
    return made ? made->as<InstanceObject>() : nullptr;
  };
  if (!name.empty()) {
    AnyValue *value = user->globals.find(name);
    if (!value)
      return nullptr;
    if (InstanceObject *module = asModule(*value))
      return module;
    return isModel(*value, *user) ? makeModule(*value->as<ClassObject>()) : nullptr;
  }
  // A module that the file's code made, the last of several; else the last class that says how it is made.
  InstanceObject *last = nullptr;
  ClassObject *lastClass = nullptr;
  for (auto &[known, value] : user->globals) {
    if (InstanceObject *module = asModule(value))
      last = module;
    if (isModel(value, *user))
      lastClass = value.as<ClassObject>();
  }
  return last ? last : lastClass ? makeModule(*lastClass) : nullptr;
}

llvm::FailureOr<Ref<ObjectValue>> Evaluator::makeModule(StringRef name) {
  Walk walking(*this);
  bool isWrong = false;
  InstanceObject *module = findModule(name, isWrong);
  if (!module)
    return isWrong ? llvm::FailureOr<Ref<ObjectValue>>(llvm::failure()) : Ref<ObjectValue>();
  ObjectValue *object = compiledModule(*module, module->type->tree->point());
  if (!object)
    return llvm::failure();
  return Ref<ObjectValue>::share(object);
}

AnyValue *Evaluator::globalOf(const Tree *tree, FileScope &file) {
  if (auto *var = llvm::dyn_cast<Var>(tree))
    return file.globals.find(var->name());
  auto *select = llvm::dyn_cast<Select>(tree);
  AnyValue *object = select ? globalOf(select->value(), file) : nullptr;
  auto *module = object ? object->as<FileObject>() : nullptr;
  return module ? module->file->globals.find(select->name()) : nullptr;
}

AnyValue *Evaluator::globalOf(const Tree *tree, const Resolver &of) {
  for (auto &[file, scope] : userFiles)
    if (file == &of)
      return globalOf(tree, *scope);
  return nullptr;
}

bool Evaluator::usesModules(const Tree *tree, FileScope &file, llvm::DenseSet<const Tree *> &seen) {
  if (AnyValue *value = globalOf(tree, file)) {
    if (auto *type = value->as<ClassObject>())
      return type->isModule;
    auto *function = value->as<FunctionObject>();
    return asModule(*value) || (function && !function->file->isLibrary && seen.insert(function->tree).second &&
                                usesModules(function->tree, *function->file, seen));
  }
  if (auto *apply = llvm::dyn_cast<Apply>(tree))
    if (isLibraryModule(compiler, file.resolver->canonicalName(dottedName(apply->callee()))))
      return true;
  return llvm::any_of(tree->children(), [&](const Tree *part) { return part && usesModules(part, file, seen); });
}

bool Evaluator::usesModules(StringRef name) {
  llvm::DenseSet<const Tree *> seen;
  const Tree *definition = user->resolver->definition(name);
  return llvm::isa_and_nonnull<Def>(definition) && usesModules(definition, *user, seen);
}

std::optional<IValue> Evaluator::callByName(StringRef name, std::vector<IValue> args,
                                            std::vector<std::pair<std::string, IValue>> kwargs) {
  Walk walking(*this);
  AnyValue *function = user->globals.find(name);
  assert(function && "usesModules() has seen it");
  Arguments arguments;
  for (const IValue &arg : args)
    arguments.positional.push_back(fromData(arg));
  for (auto &[keyword, value] : kwargs)
    arguments.keywords.push_back({keyword, fromData(value)});
  SourceRange range = user->resolver->definition(name)->point();
  Result result = call(*function, arguments, range);
  return result ? toData(*result, range) : std::nullopt;
}

std::vector<std::string> Evaluator::moduleNames() {
  std::vector<std::string> names;
  for (auto &[name, value] : user->globals)
    if (asModule(value) || isModel(value, *user))
      names.push_back(name);
  return names;
}
