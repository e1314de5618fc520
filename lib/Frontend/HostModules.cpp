//===- HostModules.cpp - Modules that a host has made ---------------------===//
#include "tsc/Frontend/HostModules.h"
#include "Emitter/CodeEvaluator.h"
#include "Emitter/CompilerImpl.h"
#include "tsc/Frontend/Compiler.h"
#include <map>

using namespace tsc;

/// The class as the emitter knows classes of modules. Each method is parsed once.
class HostModuleClass::Adapter final : public ModuleClass {
public:
  Adapter(HostModuleClass &host, std::string className, bool library) : host(host) {
    name = std::move(className);
    isLibrary = library;
  }

  bool derivesFrom(StringRef library) const override { return host.derivesFrom(library); }
  bool derivesFromUsers(StringRef className) const override { return host.derivesFromUsers(className); }

  std::optional<ModuleMethod> findMethod(StringRef methodName, const ModuleClass *after) const override {
    assert(compiler && "a class of modules is asked when one of it was declared");
    const std::pair key(methodName.str(), after);
    if (auto known = parsed.find(key); known != parsed.end())
      return known->second;
    std::optional<ModuleMethod> method = parse(methodName, after);
    return parsed.try_emplace(key, method).first->second;
  }

  void forEachAttribute(llvm::function_ref<void(StringRef, const ModuleMethod &)> visit) const override {
    for (const std::string &attribute : host.attributeNames())
      visit(attribute, ModuleMethod());
  }

  Compiler::Impl *compiler = nullptr; ///< That of the program, which the first declaration sets.

private:
  std::optional<ModuleMethod> parse(StringRef methodName, const ModuleClass *after) const {
    const HostModuleClass *behind = after ? &static_cast<const Adapter *>(after)->host : nullptr;
    std::optional<HostMethod> found = host.findMethod(methodName, behind);
    const SyntaxTree *tree = found ? compiler->parse(*found->text) : nullptr;
    if (!tree || tree->statements().empty())
      return std::nullopt;
    ModuleMethod method;
    method.tree = llvm::dyn_cast<Def>(tree->statements().front());
    method.owner = found->owner->adapter.get();
    method.resolver = found->names;
    using Binding = ModuleMethod::Binding;
    method.binding = found->binding == HostMethod::Binding::Static     ? Binding::Static
                     : found->binding == HostMethod::Binding::Property ? Binding::Property
                                                                       : Binding::Method;
    return method.tree ? std::optional(method) : std::nullopt;
  }

  HostModuleClass &host;
  mutable std::map<std::pair<std::string, const ModuleClass *>, std::optional<ModuleMethod>> parsed;
};

HostModuleClass::HostModuleClass(std::string name, bool isLibrary)
    : adapter(std::make_unique<Adapter>(*this, std::move(name), isLibrary)) {}
HostModuleClass::~HostModuleClass() = default;
StringRef HostModuleClass::name() const { return adapter->name; }

ClassType *tsc::declareModule(Compiler &compiler, StringRef qualifiedName, HostModuleType made) {
  Compiler::Impl &impl = compiler.implementation();
  assert(!impl.context.findNamed(qualifiedName) && "the name is new");
  assert((!made.type->adapter->compiler || made.type->adapter->compiler == &impl) && "of one program");
  made.type->adapter->compiler = &impl;
  ClassType *type = impl.context.classType(qualifiedName);
  type->setIsModule(true);
  type->setDefined();
  for (const HostModuleType::Attribute &attribute : made.attributes)
    type->addAttribute(attribute.name, attribute.type, attribute.kind);
  ClassInfo &info = impl.classes[type];
  for (auto &[name, value] : made.constants)
    info.constants.insert_or_assign(name, std::move(value));
  info.module = std::make_unique<ModuleInfo>();
  ModuleInfo &module = *info.module;
  module.type = made.type->adapter.get();
  module.children = std::move(made.children);
  module.isList = made.isList;
  module.isDict = made.isDict;
  for (auto &[name, value] : made.values)
    module.sugared.insert_or_assign(name, value);
  for (auto &[name, holds] : made.untyped) {
    module.untyped.insert_or_assign(name, holds);
    type->addUnresolvedAttribute(name);
  }
  impl.noteOnType(*type, nullptr);
  return type;
}

void tsc::setOverloads(Compiler &compiler, const ClassType &type, StringRef name, std::vector<Function *> overloads) {
  assert(!overloads.empty() && "a method has at least one overload");
  compiler.implementation().classes[&type].overloads.insert_or_assign(name, std::move(overloads));
}
