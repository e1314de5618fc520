//===- ModuleTree.cpp - What modules hold, and changing it ----------------===//
//
// An archive may hold anything: a module may stand in several places, or within
// itself. Each walk visits a module once, and does not recurse in C++.
//
//===----------------------------------------------------------------------===//
#include "ObjectErrors.h"
#include "tsc/IR/Copies.h"
#include "tsc/IR/Function.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Runtime/Module.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

/// Calls f(path, attribute, value) for each attribute; with `recurse`, behind a submodule come those in it.
template <typename F> void Module::visitAttributes(const std::string &prefix, bool recurse, F &&f) const {
  struct Place {
    ObjectValue *object;
    std::string prefix;
    size_t next = 0;
  };
  llvm::SmallPtrSet<const ObjectValue *, 16> seen{self.get()};
  std::vector<Place> places{{self.get(), prefix}};
  while (!places.empty()) {
    Place &at = places.back();
    if (at.next >= std::min<size_t>(at.object->type->numAttributes(), at.object->slots.size())) {
      places.pop_back();
      continue;
    }
    const ClassAttribute &attribute = at.object->type->attribute(at.next);
    IValue &value = at.object->slots[at.next++];
    std::string path = at.prefix + attribute.name;
    f(path, attribute, value);
    if (recurse && isModuleObject(value) && seen.insert(&value.toObject()).second)
      places.push_back({&value.toObject(), path + "."});
  }
}

std::vector<ModuleAttribute> Module::namedAttributes(bool recurse) const {
  std::vector<ModuleAttribute> found;
  visitAttributes("", recurse, [&](const std::string &path, const ClassAttribute &, const IValue &value) {
    found.push_back({path, value});
  });
  return found;
}

/// Whether an attribute of a kind holds a tensor; one that is None is no parameter.
static bool isTensorOf(AttributeKind kind, const ClassAttribute &attribute, const IValue &value) {
  return attribute.kind == kind && value.isTensor();
}

std::vector<ModuleAttribute> Module::namedParameters(bool recurse) const {
  std::vector<ModuleAttribute> found;
  visitAttributes("", recurse, [&](const std::string &path, const ClassAttribute &attribute, const IValue &value) {
    if (isTensorOf(AttributeKind::Parameter, attribute, value))
      found.push_back({path, value});
  });
  return found;
}

std::vector<ModuleAttribute> Module::namedBuffers(bool recurse) const {
  std::vector<ModuleAttribute> found;
  visitAttributes("", recurse, [&](const std::string &path, const ClassAttribute &attribute, const IValue &value) {
    if (isTensorOf(AttributeKind::Buffer, attribute, value))
      found.push_back({path, value});
  });
  return found;
}

static std::vector<Tensor> tensorsOf(const std::vector<ModuleAttribute> &values) {
  std::vector<Tensor> tensors;
  for (const ModuleAttribute &named : values)
    tensors.push_back(named.value.toTensor());
  return tensors;
}
std::vector<Tensor> Module::parameters(bool recurse) const { return tensorsOf(namedParameters(recurse)); }
std::vector<Tensor> Module::buffers(bool recurse) const { return tensorsOf(namedBuffers(recurse)); }

std::vector<NamedModule> Module::namedModules() const {
  std::vector<NamedModule> found{{"", *this}};
  llvm::SmallPtrSet<const ObjectValue *, 16> seen{self.get()};
  visitAttributes("", /*recurse=*/true, [&](const std::string &path, const ClassAttribute &, const IValue &value) {
    if (isModuleObject(value) && seen.insert(&value.toObject()).second)
      found.push_back({path, within(value.toObject())});
  });
  return found;
}

std::vector<NamedModule> Module::namedChildren() const {
  std::vector<NamedModule> found;
  llvm::SmallPtrSet<const ObjectValue *, 16> seen;
  visitAttributes("", /*recurse=*/false, [&](const std::string &path, const ClassAttribute &, const IValue &value) {
    if (isModuleObject(value) && seen.insert(&value.toObject()).second)
      found.push_back({path, within(value.toObject())});
  });
  return found;
}

static std::vector<Module> modulesOf(std::vector<NamedModule> named) {
  std::vector<Module> modules;
  for (NamedModule &one : named)
    modules.push_back(std::move(one.module));
  return modules;
}
std::vector<Module> Module::children() const { return modulesOf(namedChildren()); }
std::vector<Module> Module::modules() const { return modulesOf(namedModules()); }

void Module::apply(llvm::function_ref<void(Module &)> f) const {
  for (Module &module : modules())
    f(module);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

StatusOr<Module> Module::findModule(llvm::StringRef path) const {
  Module found = *this;
  for (llvm::StringRef rest = path; !rest.empty();) {
    auto [name, next] = rest.split('.');
    rest = next;
    TSC_ASSIGN_OR_RETURN(IValue value, found.attribute(name));
    if (!isModuleObject(value))
      return notFound("'" + name + "' of '" + path + "' is no module");
    found = found.within(value.toObject());
  }
  return found;
}

Status Module::registerAttribute(llvm::StringRef name, const Type *type, IValue value, AttributeKind kind) const {
  if (name.empty() || name.contains('.'))
    return invalidArgument("'" + name + "' is no name of an attribute");
  if (!isInstanceOf(value, type))
    return wrongTypeOfAttribute({name.str(), type, kind}, value);
  if (self->type->hasAttribute(name) || !self->type->hasConstant(name))
    TSC_RETURN_IF_ERROR(const_cast<ClassType *>(self->type)->addOrCheckAttribute(name, type, kind).status());
  return setAttribute(name, std::move(value));
}

Status Module::registerParameter(llvm::StringRef name, Tensor value) const {
  return registerAttribute(name, Type::tensorType(), IValue(std::move(value)), AttributeKind::Parameter);
}
Status Module::registerBuffer(llvm::StringRef name, Tensor value) const {
  return registerAttribute(name, Type::tensorType(), IValue(std::move(value)), AttributeKind::Buffer);
}

void Module::train(bool mode) const {
  apply([&](Module &module) {
    if (auto held = module.attribute("training"); held.ok() && held->isBool())
      (void)module.setAttribute("training", IValue(mode));
  });
}

bool Module::isTraining() const {
  auto held = attribute("training");
  return held.ok() && held->isBool() && held->toBool();
}

Status Module::to(std::optional<Device> device, std::optional<DType> dtype) const {
  if (dtype && !isFloating(*dtype) && !isComplex(*dtype))
    return invalidArgument("a module's parameters are of a floating-point or complex dtype, not of '" +
                           irName(*dtype).str() + "'");
  llvm::DenseMap<const TensorImpl *, std::pair<Tensor, Tensor>> converted; // with the old one, whose place stays taken
  Status status;
  visitAttributes("", /*recurse=*/true, [&](const std::string &, const ClassAttribute &attribute, IValue &value) {
    if (!status.ok() || attribute.kind == AttributeKind::Regular || !value.isTensor() || !value.asTensor().defined())
      return;
    auto [known, isNew] = converted.try_emplace(value.asTensor().get());
    if (isNew) {
      const Tensor old = value.asTensor();
      // Integers and bools move to the device, and keep their dtype.
      const bool isConverted =
          dtype && (isComplex(*dtype) ? isFloating(old.dtype()) || isComplex(old.dtype()) : isFloating(old.dtype()));
      const DType wanted = isConverted ? *dtype : old.dtype();
      StatusOr<Tensor> moved = device ? ::tsc::cpu::toDevice(old, *device, wanted, false, false, std::nullopt)
                                      : ::tsc::cpu::toDType(old, wanted);
      if (!moved.ok()) {
        status = moved.status();
        return;
      }
      if (moved->get() != old.get()) {
        moved->get()->requiresGrad = old.requiresGrad();
        moved->get()->leafOfFile = old.get()->leafOfFile;
      }
      known->second = {*std::move(moved), old};
    }
    value = IValue(known->second.first);
  });
  executor->noteModuleChange();
  return status;
}

//===----------------------------------------------------------------------===//
// Hooks
//===----------------------------------------------------------------------===//

Status Module::addHook(std::vector<std::string> ForwardHooks::*place, llvm::StringRef name, size_t numInputs) const {
  Function *method = findMethod(name);
  if (!method)
    return notFound("Method '" + name + "' is not defined in '" + self->type->name() + "'");
  if (!method->hasSchema() && failed(method->ensureDefined()))
    return invalidArgument("function '" + method->qualifiedName() + "' could not be compiled");
  if (method->schema().arguments().size() != numInputs)
    return invalidArgument("a hook of '" + self->type->name() + "' takes " + llvm::Twine(numInputs) +
                           " arguments, self among them, and '" + name + "' takes " +
                           llvm::Twine(method->schema().arguments().size()));
  (const_cast<ClassType *>(self->type)->forwardHooks().*place).push_back(name.str());
  executor->noteModuleChange();
  return okStatus();
}
Status Module::addForwardPreHook(llvm::StringRef name) const { return addHook(&ForwardHooks::before, name, 2); }
Status Module::addForwardHook(llvm::StringRef name) const { return addHook(&ForwardHooks::after, name, 3); }

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

Module Module::copy() const {
  Module result = *this;
  result.self = self->copy();
  return result;
}

Module Module::deepcopy() const {
  IValue copied = deepCopy(IValue(self));
  Module result = *this;
  result.self = Ref<ObjectValue>::share(&copied.toObject());
  return result;
}

Module Module::fork(llvm::function_ref<bool(const Tensor &)> mayShare) const {
  llvm::DenseSet<const void *> shared;
  for (const Tensor &parameter : parameters())
    if (!mayShare || mayShare(parameter))
      shared.insert(parameter.get());
  IValue copied = copyUnless(IValue(self), [&](const IValue &value) {
    if (value.isTensor())
      return shared.contains(value.asTensor().get());
    return value.isObject() && value.toObject().type->name().starts_with("__torch__.torch.classes.");
  });
  Module result = *this;
  result.self = Ref<ObjectValue>::share(&copied.toObject());
  return result;
}

Module Module::clone(bool inPlace) const {
  if (!inPlace)
    return deepcopy();
  llvm::DenseMap<const ObjectValue *, Ref<ObjectValue>> clones;
  for (const Module &module : modules())
    clones[module.self.get()] = module.copy().self;
  for (auto &[original, made] : clones)
    for (IValue &slot : made->slots)
      if (isModuleObject(slot))
        slot = IValue(clones.lookup(&slot.toObject()));
  Module result = *this;
  result.self = clones.lookup(self.get());
  return result;
}
