//===- ModuleMethods.cpp - What every torch.nn.Module has, while loading --===//
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
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

Result Evaluator::callModuleNative(StringRef name, InstanceObject &self, const Arguments &arguments,
                                   SourceRange range) {
  // Arguments by position or by one of their names.
  auto argument = [&](size_t position, StringRef keyword) -> const AnyValue * {
    if (position < arguments.positional.size())
      return &arguments.positional[position];
    for (const KeywordValue &k : arguments.keywords)
      if (k.name == keyword)
        return &k.value;
    return nullptr;
  };
  auto flag = [&](size_t position, StringRef keyword, bool otherwise) {
    const AnyValue *value = argument(position, keyword);
    return value ? truth(*value, range).value_or(otherwise) : otherwise;
  };
  auto text = [&](const AnyValue *value) {
    return value && value->isString() ? value->data.toString() : std::string();
  };
  auto *list = make<ListObject>();
  auto add = [&](bool named, const std::string &key, const AnyValue &value) {
    auto *pair = make<TupleObject>();
    pair->elements = {IValue(key), value};
    list->elements.push_back(named ? AnyValue(pair) : value);
  };

  auto iterator = [&] { // PyTorch's are generators
    auto *generator = make<IteratorObject>();
    generator->name = "generator";
    generator->elements = list->elements;
    return AnyValue(generator);
  };

  if (name == "__init__")
    return AnyValue();
  if (name == "register_forward_pre_hook" || name == "register_forward_hook") {
    const AnyValue *given = argument(0, "hook");
    auto *hook = given ? given->as<FunctionObject>() : nullptr;
    if (!hook || hook->owner || !llvm::isa<Def>(hook->tree) || hook->closure)
      return raise(range, "TypeError", name + "() takes a function of a file");
    hook = make<FunctionObject>(*hook); // a registration is an object, which its handle takes away
    ++changes;
    (name == "register_forward_hook" ? self.hooks : self.preHooks).push_back(hook);
    // What is registered, for remove().
    auto *registered = make<TupleObject>();
    registered->elements = {AnyValue(&self), AnyValue(hook)};
    auto *remove = make<NativeObject>();
    remove->name = "hook.remove";
    remove->self = AnyValue(registered);
    auto *handle = make<InstanceObject>();
    handle->type = recordClass("RemovableHandle", {});
    handle->slots["remove"].value = AnyValue(remove);
    return AnyValue(handle);
  }
  if (name == "_get_name")
    return AnyValue(IValue(self.type->name));
  if (name == "register_buffer" || name == "register_parameter" || name == "add_module" || name == "register_module") {
    const AnyValue *key = argument(0, "name");
    const AnyValue *value = argument(1, name == "register_buffer"      ? "tensor"
                                        : name == "register_parameter" ? "param"
                                                                       : "module");
    if (!key || !key->isString() || !value)
      return raise(range, "TypeError", name + "() takes a name and a value");
    std::string slotName = key->data.toString();
    if (slotName.empty() || slotName.find('.') != std::string::npos)
      return raise(range, "KeyError", name + "() takes a name without dots, and not '" + slotName + "'");
    ++changes;
    Slot &slot = self.slots[slotName];
    slot.value = *value;
    slot.kind = name == "register_buffer"      ? SlotKind::Buffer
                : name == "register_parameter" ? SlotKind::Parameter
                                               : SlotKind::Module;
    slot.isPersistent = name != "register_buffer" || flag(2, "persistent", true);
    if (name == "register_parameter" && !value->isNone() && !value->isParameter)
      return raise(range, "TypeError",
                   "cannot register '" + typeName(*value) + "' as parameter '" + slotName +
                       "': torch.nn.Parameter or None is expected");
    return AnyValue();
  }
  ModuleWalk walk(self);
  if (name == "parameters" || name == "named_parameters" || name == "buffers" || name == "named_buffers") {
    bool named = name.starts_with("named_");
    SlotKind wanted = name.ends_with("parameters") ? SlotKind::Parameter : SlotKind::Buffer;
    std::string prefix = named ? text(argument(0, "prefix")) : "";
    bool recurse = flag(named ? 1 : 0, "recurse", true);
    llvm::SmallPtrSet<void *, 16> seen;
    for (auto &[path, module] : walk.modules) {
      if (!recurse && module != &self)
        break;
      for (auto &[slotName, slot] : module->slots)
        if (slot.kind == wanted && slot.value.isTensor() && seen.insert(slot.value.data.counted()).second) {
          std::string full = prefix;
          for (const std::string &part : {path, slotName})
            full += (full.empty() || part.empty() ? "" : ".") + part;
          Result value = instanceAttribute(*module, slotName, range);
          if (!value)
            return std::nullopt;
          add(named, full, *value);
        }
    }
    return iterator();
  }
  if (name == "children" || name == "named_children" || name == "_modules" || name == "_parameters" ||
      name == "_buffers" || name == "items" || name == "keys" || name == "values") {
    bool isView = name.starts_with("_");
    SlotKind wanted = name == "_parameters" || self.type->derivesFrom("ParameterDict") ? SlotKind::Parameter
                      : name == "_buffers"                                             ? SlotKind::Buffer
                                                                                       : SlotKind::Module;
    auto *dict = make<DictObject>();
    for (auto &[slotName, slot] : self.slots) {
      if (slot.kind != wanted)
        continue;
      dict->entries.emplace_back(IValue(slotName), slot.value);
      add(name == "named_children", slotName, slot.value);
    }
    if (isView)
      return AnyValue(dict);
    if (name == "children" || name == "named_children")
      return iterator();
    auto *view = make<ViewObject>();
    view->dict = dict;
    view->part = name == "keys"    ? ViewObject::Part::Keys
                 : name == "items" ? ViewObject::Part::Items
                                   : ViewObject::Part::Values;
    return AnyValue(view);
  }
  if (name == "modules" || name == "named_modules") {
    for (auto &[path, module] : walk.modules)
      add(name == "named_modules", path, module);
    return iterator();
  }
  if (name == "apply") {
    const AnyValue *function = argument(0, "fn");
    if (!function)
      return raise(range, "TypeError", "apply() takes a function");
    for (auto &[slotName, slot] : self.slots)
      if (auto *child = slot.kind == SlotKind::Module ? slot.value.as<InstanceObject>() : nullptr) {
        Result applied = attribute(child, "apply", range);
        if (!applied || !call(*applied, arguments, range))
          return std::nullopt;
      }
    Arguments one;
    one.positional = {AnyValue(&self)};
    return call(*function, one, range) ? Result(&self) : std::nullopt;
  }
  if (name == "save") {
    const AnyValue *path = argument(0, "f");
    return path ? saveModule(self, *path, range) : raise(range, "TypeError", "save() takes a path");
  }
  if (name == "train" || name == "eval") {
    bool mode = name == "train" && flag(0, "mode", true);
    for (auto &[path, module] : walk.modules)
      if (!setAttribute(module, "training", IValue(mode), range))
        return std::nullopt;
    return AnyValue(&self);
  }
  if (name == "requires_grad_" || name == "zero_grad") {
    for (auto &[path, module] : walk.modules)
      for (auto &[slotName, slot] : module->slots)
        if (name == "requires_grad_" && slot.kind == SlotKind::Parameter && slot.value.isTensor()) {
          Arguments one;
          one.positional = {IValue(flag(0, "requires_grad", true))};
          if (!callTensorMethod(slot.value, "requires_grad_", one, range))
            return std::nullopt;
        } else if (name == "zero_grad" && slot.kind == SlotKind::Parameter && slot.value.isTensor()) {
          if (!flag(0, "set_to_none", true))
            return refuse(range, "calls of 'zero_grad' that keep the gradients");
          Result parameter = instanceAttribute(*module, slotName, range);
          LibraryObject setGradient;
          setGradient.path = "torch.ops.tsc.set_gradient";
          Arguments one;
          if (parameter)
            one.positional = {*parameter, AnyValue()};
          if (!parameter || !callLibrary(setGradient, one, range))
            return std::nullopt;
        }
    return name == "zero_grad" ? AnyValue() : AnyValue(&self);
  }
  if (name == "cuda" || name == "cpu") {
    const AnyValue *to = argument(0, "device");
    return moveTensors(self, to && !to->isNone() ? *to : AnyValue(IValue(name.str())), range);
  }
  if (name == "to" || name == "float" || name == "double" || name == "half" || name == "bfloat16" || name == "type") {
    Arguments conversion = arguments;
    if (name != "to" && name != "type")
      conversion = {};
    const AnyValue *to = name == "to" ? argument(0, "device") : nullptr;
    if (to && (to->isNone() || to->isString() || (!to->object && to->data.isDevice()))) {
      if (!to->isNone() && !moveTensors(self, *to, range))
        return std::nullopt;
      const AnyValue *dtype = argument(1, "dtype"); // how the tensors are copied makes no difference
      if (!dtype || dtype->isNone())
        return AnyValue(&self);
      conversion = {};
      conversion.positional = {*dtype};
    }
    Arguments ofOthers = conversion; // only images have a memory format
    llvm::erase_if(ofOthers.keywords, [](const auto &keyword) { return keyword.name == "memory_format"; });
    for (auto &[path, module] : walk.modules)
      for (auto &[slotName, slot] : module->slots) {
        if (slot.kind == SlotKind::Module || slot.kind == SlotKind::Regular || !slot.value.isTensor() ||
            !isFloating(slot.value.data.toTensor().dtype()))
          continue;
        const bool isOfImages = llvm::is_contained({4, 5}, slot.value.data.toTensor().dim());
        const Arguments &applied = isOfImages ? conversion : ofOthers;
        if (applied.positional.empty() && applied.keywords.empty() && name == "to")
          continue;
        // The parameter stays the same one, a leaf that an optimizer may hold already, and its gradient goes along.
        Result gradient = slot.value.isParameter ? tensorAttribute(slot.value, "grad", range) : Result(AnyValue());
        if (!gradient)
          return std::nullopt;
        for (const AnyValue &tensor : {slot.value, *gradient}) {
          Result plain = tensor.isTensor() ? callTensorMethod(tensor, "detach", {}, range) : Result(AnyValue());
          Result converted = plain && plain->isTensor() ? callTensorMethod(*plain, name, applied, range) : plain;
          if (!converted)
            return std::nullopt;
          if (!converted->isTensor())
            continue;
          const Tensor &from = converted->data.asTensor();
          if (!isFloating(from.dtype()) && !isComplex(from.dtype()))
            return raise(range, "TypeError",
                         "nn.Module.to only accepts floating point or complex dtypes, but got " +
                             ("desired dtype=torch." + pythonName(from.dtype())));
          takeElements(tensor.data.asTensor(), from);
        }
      }
    return AnyValue(&self);
  }
  if (name == "get_submodule" || name == "get_parameter") {
    std::string path = text(argument(0, "target"));
    llvm::SmallVector<StringRef> parts;
    StringRef(path).split(parts, '.', -1, false);
    Result at = AnyValue(&self);
    for (StringRef part : parts)
      at = at ? attribute(*at, part, range) : std::nullopt;
    return at;
  }
  if (name == "state_dict") {
    if (!arguments.positional.empty() || !arguments.keywords.empty())
      return refuse(range, "calls of 'state_dict' with arguments");
    auto *dict = make<DictObject>();
    for (auto &[path, module] : ModuleWalk(self, /*withSecondNames=*/true).modules)
      for (SlotKind kind : {SlotKind::Parameter, SlotKind::Buffer})
        for (auto &[slotName, slot] : module->slots)
          if (slot.kind == kind && slot.isPersistent && slot.value.isTensor()) {
            Result value = instanceAttribute(*module, slotName, range);
            if (value)
              value = callTensorMethod(*value, "detach", {}, range);
            if (!value)
              return std::nullopt;
            dict->entries.emplace_back(IValue(path.empty() ? slotName : path + "." + slotName), *value);
          }
    return AnyValue(dict);
  }
  if (name == "load_state_dict") {
    const AnyValue *given = argument(0, "state_dict");
    auto *dict = given ? given->as<DictObject>() : nullptr;
    if (!dict)
      return raise(range, "TypeError", "load_state_dict() takes a dict of tensors");
    bool strict = flag(1, "strict", true);
    llvm::StringMap<const AnyValue *> entries;
    for (auto &[key, value] : dict->entries)
      if (key.isString())
        entries[key.data.toString()] = &value;
    std::string missing, unexpected;
    auto *missingKeys = make<ListObject>(), *unexpectedKeys = make<ListObject>();
    for (auto &[path, module] : ModuleWalk(self, /*withSecondNames=*/true).modules)
      for (auto &[slotName, slot] : module->slots) {
        if ((slot.kind != SlotKind::Parameter && slot.kind != SlotKind::Buffer) || !slot.isPersistent ||
            !slot.value.isTensor())
          continue;
        std::string full = path.empty() ? slotName : path + "." + slotName;
        auto found = entries.find(full);
        if (found == entries.end()) {
          missing += (missing.empty() ? "\"" : ", \"") + full + "\"";
          missingKeys->elements.push_back(AnyValue(IValue(full)));
          continue;
        }
        Arguments one;
        one.positional = {*found->second};
        entries.erase(found);
        Result own = instanceAttribute(*module, slotName, range);
        if (!own || !one.positional[0].isTensor())
          return std::nullopt;
        if (own->data.toTensor().sizes() != one.positional[0].data.toTensor().sizes())
          return raise(range, "RuntimeError", "size mismatch for " + full + ": the file's tensor has another shape");
        own->isParameter = false;
        Result detached = callTensorMethod(*own, "detach", {}, range);
        if (!detached || !callTensorMethod(*detached, "copy_", one, range))
          return std::nullopt;
      }
    for (auto &[key, value] : dict->entries) // in the order of the file
      if (key.isString() && entries.contains(key.data.toString())) {
        unexpected += (unexpected.empty() ? "\"" : ", \"") + key.data.toString() + "\"";
        unexpectedKeys->elements.push_back(key);
      }
    if (strict && (!missing.empty() || !unexpected.empty()))
      return raise(range, "RuntimeError",
                   "Error(s) in loading state_dict for " + self.type->name + ":" +
                       (missing.empty() ? "" : "\n\tMissing key(s) in state_dict: " + missing + ". ") +
                       (unexpected.empty() ? "" : "\n\tUnexpected key(s) in state_dict: " + unexpected + ". "));
    auto *result = make<TupleObject>();
    result->type = recordClass("_IncompatibleKeys", {"missing_keys", "unexpected_keys"});
    result->elements = {AnyValue(missingKeys), AnyValue(unexpectedKeys)};
    return AnyValue(result);
  }
  if (name == "share_memory")
    return AnyValue(&self);
  return refuse(range, "calls of '" + name + "' of modules");
}
