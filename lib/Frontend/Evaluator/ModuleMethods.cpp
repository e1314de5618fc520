//===- ModuleMethods.cpp - What every torch.nn.Module has, while loading --===//
#include "../SugaredValues/LibraryTable.h"
#include "Evaluator.h"
#include "NativeTable.h"
#include "tsc/Frontend/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

using namespace tsc;
using namespace tsc::python;

namespace {
/// The modules below one, in PyTorch's order, each once.
class ModuleWalk {
public:
  /// With second names, a module that several hold is there once for each.
  explicit ModuleWalk(InstanceObject &root, bool withSecondNames = false) : withSecondNames(withSecondNames) {
    visit(root, "");
  }
  std::vector<std::pair<std::string, InstanceObject *>> modules;

private:
  static constexpr size_t maxPath = 2000;
  const bool withSecondNames;
  void visit(InstanceObject &module, const std::string &path) {
    // One that holds itself has no end: state_dict() recurses for ever in PyTorch as well.
    if (!withSecondNames ? llvm::any_of(modules, [&](auto &known) { return known.second == &module; })
                         : path.size() > maxPath)
      return;
    modules.emplace_back(path, &module);
    for (auto &[name, slot] : module.slots)
      if (auto *child = slot.kind == SlotKind::Module ? slot.value.as<InstanceObject>() : nullptr)
        visit(*child, path.empty() ? name : path + "." + name);
  }
};
} // namespace

/// Parameters and buffers become tensors of a device, each once however many modules share it.
Result Evaluator::moveTensors(InstanceObject &self, const AnyValue &device, SourceRange range) {
  const bool isIndex = !device.object && device.data.isInt(); // .cuda(1)
  if (isIndex && (device.data.toInt() < 0 || device.data.toInt() > std::numeric_limits<int8_t>::max()))
    return raise(range, "RuntimeError", "no device has the number " + std::to_string(device.data.toInt()));
  std::optional<Device> to = device.isString() ? Device::parse(device.data.toString())
                             : isIndex         ? Device{DeviceKind::CUDA, static_cast<int16_t>(device.data.toInt())}
                             : device.object || !device.data.isDevice() ? std::nullopt
                                                                        : std::optional(device.data.toDevice());
  if (!to)
    return raise(range, "RuntimeError", "a module is moved to a device, not to '" + typeName(device) + "'");
  if (to->kind != DeviceKind::CPU && !host.hasDevice(*to))
    return AnyValue(&self);
  llvm::DenseMap<const RefCounted *, AnyValue> moved;
  for (auto &[path, module] : ModuleWalk(self).modules)
    for (auto &[name, slot] : module->slots) {
      if (slot.kind == SlotKind::Module || slot.kind == SlotKind::Regular || !slot.value.isTensor() ||
          slot.value.data.toTensor().device() == *to)
        continue;
      auto [known, isNew] = moved.try_emplace(slot.value.data.counted());
      if (isNew) {
        Arguments target, grad;
        target.positional = {IValue(*to)};
        Result needsGrad = tensorAttribute(slot.value, "requires_grad", range);
        Result detached = needsGrad ? callTensorMethod(slot.value, "detach", {}, range) : std::nullopt;
        Result there = detached ? callTensorMethod(*detached, "to", target, range) : std::nullopt;
        if (there)
          grad.positional = {*needsGrad};
        if (!there || !callTensorMethod(*there, "requires_grad_", grad, range))
          return std::nullopt;
        there->isParameter = slot.value.isParameter;
        known->second = *there;
      }
      if (!setAttribute(module, name, AnyValue(known->second), range))
        return std::nullopt;
    }
  return AnyValue(&self);
}

/// The methods and attributes that every torch.nn.Module has. Their arguments come by position or by PyTorch's names.
struct Evaluator::ModuleMethods {
  static InstanceObject &module(const NativeCall &call) { return call.object<InstanceObject>(); }
  /// Returns an argument as a flag, or `otherwise` where there is none.
  static bool flag(Evaluator &e, const NativeCall &call, size_t position, StringRef keyword, bool otherwise) {
    const AnyValue *value = call.argument(position, keyword);
    return value ? e.truth(*value, call.range).value_or(otherwise) : otherwise;
  }
  /// Returns an argument as text, which is empty where there is none.
  static std::string text(const NativeCall &call, size_t position, StringRef keyword) {
    const AnyValue *value = call.argument(position, keyword);
    return value && value->isString() ? value->data.toString() : std::string();
  }
  /// Returns a generator over the values, as most of PyTorch's are.
  static AnyValue generator(Evaluator &e, std::vector<AnyValue> values) {
    auto *generator = e.make<IteratorObject>();
    generator->name = "generator";
    generator->elements = std::move(values);
    return AnyValue(generator);
  }
  static AnyValue pair(Evaluator &e, const std::string &name, const AnyValue &value) {
    auto *pair = e.make<TupleObject>();
    pair->elements = {IValue(name), value};
    return AnyValue(pair);
  }

  static Result init(Evaluator &, const NativeCall &) { return AnyValue(); }
  static Result itself(Evaluator &, const NativeCall &call) { return call.self; }
  static Result className(Evaluator &, const NativeCall &call) { return AnyValue(IValue(module(call).type->name)); }
  static Result registerHook(Evaluator &e, const NativeCall &call);
  static Result registerMember(Evaluator &e, const NativeCall &call, SlotKind kind, StringRef keyword);
  static Result registerBuffer(Evaluator &e, const NativeCall &call) {
    return registerMember(e, call, SlotKind::Buffer, "tensor");
  }
  static Result registerParameter(Evaluator &e, const NativeCall &call) {
    return registerMember(e, call, SlotKind::Parameter, "param");
  }
  static Result registerModule(Evaluator &e, const NativeCall &call) {
    return registerMember(e, call, SlotKind::Module, "module");
  }
  static Result tensors(Evaluator &e, const NativeCall &call);
  static DictObject *slotsOf(Evaluator &e, InstanceObject &self, SlotKind wanted);
  static Result children(Evaluator &e, const NativeCall &call);
  static Result slots(Evaluator &e, const NativeCall &call);
  static Result entries(Evaluator &e, const NativeCall &call);
  static Result modules(Evaluator &e, const NativeCall &call);
  static Result apply(Evaluator &e, const NativeCall &call);
  static Result save(Evaluator &e, const NativeCall &call);
  static Result setTraining(Evaluator &e, const NativeCall &call);
  static Result requireGradients(Evaluator &e, const NativeCall &call);
  static Result zeroGradients(Evaluator &e, const NativeCall &call);
  static Result moveTo(Evaluator &e, const NativeCall &call);
  static bool convertTensor(Evaluator &e, const NativeCall &call, InstanceObject &holder, StringRef slotName,
                            const Arguments &how);
  static Result convertTensors(Evaluator &e, const NativeCall &call, const Arguments &conversion);
  static Result convert(Evaluator &e, const NativeCall &call) { return convertTensors(e, call, {}); }
  static Result type(Evaluator &e, const NativeCall &call) { return convertTensors(e, call, call.arguments); }
  static Result to(Evaluator &e, const NativeCall &call);
  static Result member(Evaluator &e, const NativeCall &call);
  static Result stateDict(Evaluator &e, const NativeCall &call);
  static bool loadTensor(Evaluator &e, const NativeCall &call, InstanceObject &holder, StringRef slotName,
                         const std::string &full, const AnyValue &value);
  static Result loadStateDict(Evaluator &e, const NativeCall &call);

  static llvm::ArrayRef<NativeFunction> table();
};

/// register_forward_pre_hook, register_forward_hook
Result Evaluator::ModuleMethods::registerHook(Evaluator &e, const NativeCall &call) {
  const AnyValue *given = call.argument(0, "hook");
  auto *hook = given ? given->as<FunctionObject>() : nullptr;
  if (!hook || hook->owner || !llvm::isa<Def>(hook->tree) || hook->closure)
    return e.raise(call.range, "TypeError", call.name + "() takes a function of a file");
  hook = e.make<FunctionObject>(*hook); // a registration is an object, which its handle takes away
  ++e.changes;
  InstanceObject &self = module(call);
  (call.name == "register_forward_hook" ? self.hooks : self.preHooks).push_back(hook);
  // What is registered, for remove().
  auto *registered = e.make<TupleObject>();
  registered->elements = {AnyValue(&self), AnyValue(hook)};
  auto *remove = e.make<NativeObject>();
  remove->name = "hook.remove";
  remove->self = AnyValue(registered);
  auto *handle = e.make<InstanceObject>();
  handle->type = e.recordClass("RemovableHandle", {});
  handle->slots["remove"].value = AnyValue(remove);
  return AnyValue(handle);
}

Result Evaluator::ModuleMethods::registerMember(Evaluator &e, const NativeCall &call, SlotKind kind,
                                                StringRef keyword) {
  const AnyValue *key = call.argument(0, "name"), *value = call.argument(1, keyword);
  if (!key || !key->isString() || !value)
    return e.raise(call.range, "TypeError", call.name + "() takes a name and a value");
  std::string slotName = key->data.toString();
  if (slotName.empty() || slotName.find('.') != std::string::npos)
    return e.raise(call.range, "KeyError", call.name + "() takes a name without dots, and not '" + slotName + "'");
  ++e.changes;
  Slot &slot = module(call).slots[slotName];
  slot.value = *value;
  slot.kind = kind;
  slot.isPersistent = kind != SlotKind::Buffer || flag(e, call, 2, "persistent", true);
  if (kind == SlotKind::Parameter && !value->isNone() && !value->isParameter)
    return e.raise(call.range, "TypeError",
                   "cannot register '" + e.typeName(*value) + "' as parameter '" + slotName +
                       "': torch.nn.Parameter or None is expected");
  return AnyValue();
}

/// parameters, named_parameters, buffers, named_buffers
Result Evaluator::ModuleMethods::tensors(Evaluator &e, const NativeCall &call) {
  InstanceObject &self = module(call);
  const bool isNamed = call.name.starts_with("named_");
  const SlotKind wanted = call.name.ends_with("parameters") ? SlotKind::Parameter : SlotKind::Buffer;
  const std::string prefix = isNamed ? text(call, 0, "prefix") : "";
  const bool recurse = flag(e, call, isNamed ? 1 : 0, "recurse", true);
  std::vector<AnyValue> found;
  llvm::SmallPtrSet<void *, 16> seen;
  for (auto &[path, module] : ModuleWalk(self).modules) {
    if (!recurse && module != &self)
      break;
    for (auto &[slotName, slot] : module->slots) {
      if (slot.kind != wanted || !slot.value.isTensor() || !seen.insert(slot.value.data.counted()).second)
        continue;
      std::string full = prefix;
      for (const std::string &part : {path, slotName})
        full += (full.empty() || part.empty() ? "" : ".") + part;
      Result value = e.instanceAttribute(*module, slotName, call.range);
      if (!value)
        return std::nullopt;
      found.push_back(isNamed ? pair(e, full, *value) : *value);
    }
  }
  return generator(e, std::move(found));
}

/// The slots of a kind, as a dict.
DictObject *Evaluator::ModuleMethods::slotsOf(Evaluator &e, InstanceObject &self, SlotKind wanted) {
  auto *dict = e.make<DictObject>();
  for (auto &[slotName, slot] : self.slots)
    if (slot.kind == wanted)
      dict->entries.emplace_back(IValue(slotName), slot.value);
  return dict;
}

/// What `_modules`, and of containers `items` and its kin, are about.
static SlotKind heldKind(const InstanceObject &self) {
  return self.type->derivesFrom("ParameterDict") ? SlotKind::Parameter : SlotKind::Module;
}

/// children, named_children
Result Evaluator::ModuleMethods::children(Evaluator &e, const NativeCall &call) {
  std::vector<AnyValue> found;
  for (auto &[name, value] : slotsOf(e, module(call), heldKind(module(call)))->entries)
    found.push_back(call.name == "named_children" ? pair(e, name.data.toString(), value) : value);
  return generator(e, std::move(found));
}

/// `_modules`, `_parameters`, `_buffers`
Result Evaluator::ModuleMethods::slots(Evaluator &e, const NativeCall &call) {
  SlotKind kind = call.name == "_parameters" ? SlotKind::Parameter : heldKind(module(call));
  if (call.name == "_buffers" && kind == SlotKind::Module)
    kind = SlotKind::Buffer;
  return AnyValue(slotsOf(e, module(call), kind));
}

/// items, keys and values of a container of modules.
Result Evaluator::ModuleMethods::entries(Evaluator &e, const NativeCall &call) {
  auto *view = e.make<ViewObject>();
  view->dict = slotsOf(e, module(call), heldKind(module(call)));
  view->part = call.name == "keys"    ? ViewObject::Part::Keys
               : call.name == "items" ? ViewObject::Part::Items
                                      : ViewObject::Part::Values;
  return AnyValue(view);
}

/// modules, named_modules
Result Evaluator::ModuleMethods::modules(Evaluator &e, const NativeCall &call) {
  std::vector<AnyValue> found;
  for (auto &[path, module] : ModuleWalk(module(call)).modules)
    found.push_back(call.name == "named_modules" ? pair(e, path, module) : AnyValue(module));
  return generator(e, std::move(found));
}

Result Evaluator::ModuleMethods::apply(Evaluator &e, const NativeCall &call) {
  InstanceObject &self = module(call);
  const AnyValue *function = call.argument(0, "fn");
  if (!function)
    return e.raise(call.range, "TypeError", "apply() takes a function");
  for (auto &[slotName, slot] : self.slots)
    if (auto *child = slot.kind == SlotKind::Module ? slot.value.as<InstanceObject>() : nullptr) {
      Result applied = e.attribute(child, "apply", call.range);
      if (!applied || !e.call(*applied, call.arguments, call.range))
        return std::nullopt;
    }
  Arguments one;
  one.positional = {AnyValue(&self)};
  return e.call(*function, one, call.range) ? Result(&self) : std::nullopt;
}

Result Evaluator::ModuleMethods::save(Evaluator &e, const NativeCall &call) {
  const AnyValue *path = call.argument(0, "f");
  return path ? e.saveModule(module(call), *path, call.range) : e.raise(call.range, "TypeError", "save() takes a path");
}

/// train, eval
Result Evaluator::ModuleMethods::setTraining(Evaluator &e, const NativeCall &call) {
  const bool mode = call.name == "train" && flag(e, call, 0, "mode", true);
  for (auto &[path, module] : ModuleWalk(module(call)).modules)
    if (!e.setAttribute(module, "training", IValue(mode), call.range))
      return std::nullopt;
  return call.self;
}

Result Evaluator::ModuleMethods::requireGradients(Evaluator &e, const NativeCall &call) {
  for (auto &[path, module] : ModuleWalk(module(call)).modules)
    for (auto &[slotName, slot] : module->slots)
      if (slot.kind == SlotKind::Parameter && slot.value.isTensor()) {
        Arguments one;
        one.positional = {IValue(flag(e, call, 0, "requires_grad", true))};
        if (!e.callTensorMethod(slot.value, "requires_grad_", one, call.range))
          return std::nullopt;
      }
  return call.self;
}

Result Evaluator::ModuleMethods::zeroGradients(Evaluator &e, const NativeCall &call) {
  for (auto &[path, module] : ModuleWalk(module(call)).modules)
    for (auto &[slotName, slot] : module->slots)
      if (slot.kind == SlotKind::Parameter && slot.value.isTensor()) {
        if (!flag(e, call, 0, "set_to_none", true))
          return e.refuse(call.range, "calls of 'zero_grad' that keep the gradients");
        Result parameter = e.instanceAttribute(*module, slotName, call.range);
        LibraryObject setGradient;
        setGradient.path = "torch.ops.tsc.set_gradient";
        Arguments one;
        if (parameter)
          one.positional = {*parameter, AnyValue()};
        if (!parameter || !e.callLibrary(setGradient, one, call.range))
          return std::nullopt;
      }
  return AnyValue();
}

/// cuda, cpu
Result Evaluator::ModuleMethods::moveTo(Evaluator &e, const NativeCall &call) {
  const AnyValue *to = call.argument(0, "device");
  return e.moveTensors(module(call), to && !to->isNone() ? *to : AnyValue(IValue(call.name.str())), call.range);
}

/// Converts a tensor that a module holds, and its gradient. The parameter stays the same one, a leaf that an optimizer
/// may hold already. False after a report.
bool Evaluator::ModuleMethods::convertTensor(Evaluator &e, const NativeCall &call, InstanceObject &holder,
                                             StringRef slotName, const Arguments &how) {
  const AnyValue value = holder.slots[slotName].value;
  Result gradient = value.isParameter ? e.tensorAttribute(value, "grad", call.range) : Result(AnyValue());
  if (!gradient)
    return false;
  for (const AnyValue &tensor : {value, *gradient}) {
    Result plain = tensor.isTensor() ? e.callTensorMethod(tensor, "detach", {}, call.range) : Result(AnyValue());
    Result converted = plain && plain->isTensor() ? e.callTensorMethod(*plain, call.name, how, call.range) : plain;
    if (!converted)
      return false;
    if (!converted->isTensor())
      continue;
    const Tensor &from = converted->data.asTensor();
    if (!isFloating(from.dtype()) && !isComplex(from.dtype())) {
      e.raise(call.range, "TypeError",
              "nn.Module.to only accepts floating point or complex dtypes, but got " +
                  ("desired dtype=torch." + pythonName(from.dtype())));
      return false;
    }
    e.takeElements(tensor.data.asTensor(), from);
  }
  return true;
}

/// Converts the floating-point parameters and buffers of a module and those below it, as the method of tensors of the
/// same name does.
Result Evaluator::ModuleMethods::convertTensors(Evaluator &e, const NativeCall &call, const Arguments &conversion) {
  Arguments ofOthers = conversion; // only images have a memory format
  llvm::erase_if(ofOthers.keywords, [](const auto &keyword) { return keyword.name == "memory_format"; });
  for (auto &[path, module] : ModuleWalk(module(call)).modules)
    for (auto &[slotName, slot] : module->slots) {
      if (slot.kind == SlotKind::Module || slot.kind == SlotKind::Regular || !slot.value.isTensor() ||
          !isFloating(slot.value.data.toTensor().dtype()))
        continue;
      const bool isOfImages = llvm::is_contained({4, 5}, slot.value.data.toTensor().dim());
      const Arguments &applied = isOfImages ? conversion : ofOthers;
      if (applied.positional.empty() && applied.keywords.empty() && call.name == "to")
        continue;
      if (!convertTensor(e, call, *module, slotName, applied))
        return std::nullopt;
    }
  return call.self;
}

Result Evaluator::ModuleMethods::to(Evaluator &e, const NativeCall &call) {
  const AnyValue *to = call.argument(0, "device");
  if (!to || !(to->isNone() || to->isString() || (!to->object && to->data.isDevice())))
    return convertTensors(e, call, call.arguments);
  if (!to->isNone() && !e.moveTensors(module(call), *to, call.range))
    return std::nullopt;
  const AnyValue *dtype = call.argument(1, "dtype"); // how the tensors are copied makes no difference
  if (!dtype || dtype->isNone())
    return call.self;
  Arguments conversion;
  conversion.positional = {*dtype};
  return convertTensors(e, call, conversion);
}

/// get_submodule, get_parameter
Result Evaluator::ModuleMethods::member(Evaluator &e, const NativeCall &call) {
  const std::string path = text(call, 0, "target");
  llvm::SmallVector<StringRef> parts;
  StringRef(path).split(parts, '.', -1, false);
  Result at = call.self;
  for (StringRef part : parts)
    at = at ? e.attribute(*at, part, call.range) : std::nullopt;
  return at;
}

Result Evaluator::ModuleMethods::stateDict(Evaluator &e, const NativeCall &call) {
  if (!call.args.empty() || !call.arguments.keywords.empty())
    return e.refuse(call.range, "calls of 'state_dict' with arguments");
  auto *dict = e.make<DictObject>();
  for (auto &[path, module] : ModuleWalk(module(call), /*withSecondNames=*/true).modules)
    for (SlotKind kind : {SlotKind::Parameter, SlotKind::Buffer})
      for (auto &[slotName, slot] : module->slots)
        if (slot.kind == kind && slot.isPersistent && slot.value.isTensor()) {
          Result value = e.instanceAttribute(*module, slotName, call.range);
          if (value)
            value = e.callTensorMethod(*value, "detach", {}, call.range);
          if (!value)
            return std::nullopt;
          dict->entries.emplace_back(IValue(path.empty() ? slotName : path + "." + slotName), *value);
        }
  return AnyValue(dict);
}

/// Copies an entry of a state_dict into the tensor that a module holds; false after a report, or without one where the
/// entry is no tensor.
bool Evaluator::ModuleMethods::loadTensor(Evaluator &e, const NativeCall &call, InstanceObject &holder,
                                          StringRef slotName, const std::string &full, const AnyValue &value) {
  Arguments one;
  one.positional = {value};
  Result own = e.instanceAttribute(holder, slotName, call.range);
  if (!own || !value.isTensor())
    return false;
  if (own->data.toTensor().sizes() != value.data.toTensor().sizes()) {
    e.raise(call.range, "RuntimeError", "size mismatch for " + full + ": the file's tensor has another shape");
    return false;
  }
  own->isParameter = false;
  Result detached = e.callTensorMethod(*own, "detach", {}, call.range);
  return detached && e.callTensorMethod(*detached, "copy_", one, call.range);
}

Result Evaluator::ModuleMethods::loadStateDict(Evaluator &e, const NativeCall &call) {
  InstanceObject &self = module(call);
  const AnyValue *given = call.argument(0, "state_dict");
  auto *dict = given ? given->as<DictObject>() : nullptr;
  if (!dict)
    return e.raise(call.range, "TypeError", "load_state_dict() takes a dict of tensors");
  const bool strict = flag(e, call, 1, "strict", true);
  llvm::StringMap<const AnyValue *> entries;
  for (auto &[key, value] : dict->entries)
    if (key.isString())
      entries[key.data.toString()] = &value;
  std::string missing, unexpected;
  auto *missingKeys = e.make<ListObject>(), *unexpectedKeys = e.make<ListObject>();
  for (auto &[path, module] : ModuleWalk(self, /*withSecondNames=*/true).modules)
    for (auto &[slotName, slot] : module->slots) {
      if ((slot.kind != SlotKind::Parameter && slot.kind != SlotKind::Buffer) || !slot.isPersistent ||
          !slot.value.isTensor())
        continue;
      const std::string full = path.empty() ? slotName : path + "." + slotName;
      auto found = entries.find(full);
      if (found == entries.end()) {
        missing += (missing.empty() ? "\"" : ", \"") + full + "\"";
        missingKeys->elements.push_back(AnyValue(IValue(full)));
        continue;
      }
      const AnyValue &value = *found->second;
      entries.erase(found);
      if (!loadTensor(e, call, *module, slotName, full, value))
        return std::nullopt;
    }
  for (auto &[key, value] : dict->entries) // in the order of the file
    if (key.isString() && entries.contains(key.data.toString())) {
      unexpected += (unexpected.empty() ? "\"" : ", \"") + key.data.toString() + "\"";
      unexpectedKeys->elements.push_back(key);
    }
  if (strict && (!missing.empty() || !unexpected.empty()))
    return e.raise(call.range, "RuntimeError",
                   "Error(s) in loading state_dict for " + self.type->name + ":" +
                       (missing.empty() ? "" : "\n\tMissing key(s) in state_dict: " + missing + ". ") +
                       (unexpected.empty() ? "" : "\n\tUnexpected key(s) in state_dict: " + unexpected + ". "));
  auto *result = e.make<TupleObject>();
  result->type = e.recordClass("_IncompatibleKeys", {"missing_keys", "unexpected_keys"});
  result->elements = {AnyValue(missingKeys), AnyValue(unexpectedKeys)};
  return AnyValue(result);
}

llvm::ArrayRef<NativeFunction> Evaluator::ModuleMethods::table() {
  static constexpr NativeFunction rows[] = {
      {"__init__", init},
      {"_buffers", slots},
      {"_get_name", className},
      {"_modules", slots},
      {"_parameters", slots},
      {"add_module", registerModule},
      {"apply", apply},
      {"bfloat16", convert},
      {"buffers", tensors},
      {"children", children},
      {"cpu", moveTo},
      {"cuda", moveTo},
      {"double", convert},
      {"eval", setTraining},
      {"float", convert},
      {"get_parameter", member},
      {"get_submodule", member},
      {"half", convert},
      {"items", entries},
      {"keys", entries},
      {"load_state_dict", loadStateDict},
      {"modules", modules},
      {"named_buffers", tensors},
      {"named_children", children},
      {"named_modules", modules},
      {"named_parameters", tensors},
      {"parameters", tensors},
      {"register_buffer", registerBuffer},
      {"register_forward_hook", registerHook},
      {"register_forward_pre_hook", registerHook},
      {"register_module", registerModule},
      {"register_parameter", registerParameter},
      {"requires_grad_", requireGradients},
      {"save", save},
      {"share_memory", itself},
      {"state_dict", stateDict},
      {"to", to},
      {"train", setTraining},
      {"type", type},
      {"values", entries},
      {"zero_grad", zeroGradients},
  };
  using namespace library;
  static constexpr WalkedName names[] = {
#define MODULE_MEMBER(name, uses) {#name, ((uses) & Walked) != 0},
#include "../Library.def"
  };
  static_assert(haveRows(names, rows), "Library.def and this table disagree");
  return rows;
}

Result Evaluator::callModuleNative(StringRef name, InstanceObject &self, const Arguments &arguments,
                                   SourceRange range) {
  const NativeFunction *method = findNative(ModuleMethods::table(), name);
  const AnyValue module(&self);
  return method ? method->run(*this, {name, name, module, arguments, range})
                : refuse(range, "calls of '" + name + "' of modules");
}
