//===- module.h - torch::jit::Module ----------------------------*- C++ -*-===//
#ifndef TSC_TORCH_JIT_MODULE_H
#define TSC_TORCH_JIT_MODULE_H
#include <ATen/Functions.h>
// Hosts rely on what LibTorch's headers include of the standard library.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <thread>
#include <torch/csrc/jit/api/object.h>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace torch {
namespace jit {
inline namespace tsc_torch {

/// Files that an archive holds besides the module: their contents by their names.
using ExtraFilesMap = std::unordered_map<std::string, std::string>;
struct Module;

/// A name with what it stands for.
template <typename T> struct NamedValue {
  std::string name;
  T value;
};
using NameTensor = NamedValue<at::Tensor>; ///< A parameter or buffer with its path.
using NameValue = NamedValue<c10::IValue>; ///< An attribute with its path.
using NameModule = NamedValue<Module>;     ///< A module with its path.

/// The parameters, buffers, attributes or modules of a module, as they were when it was asked.
template <typename T> struct slot_list : std::vector<T> {
  using std::vector<T>::vector;
};
using parameter_list = slot_list<at::Tensor>;       ///< What parameters() returns.
using named_parameter_list = slot_list<NameTensor>; ///< What named_parameters() returns.
using buffer_list = slot_list<at::Tensor>;          ///< What buffers() returns.
using named_buffer_list = slot_list<NameTensor>;    ///< What named_buffers() returns.
using attribute_list = slot_list<c10::IValue>;      ///< What attributes() returns.
using named_attribute_list = slot_list<NameValue>;  ///< What named_attributes() returns.
using module_list = slot_list<Module>;              ///< What children() and modules() return.
using named_module_list = slot_list<NameModule>;    ///< What named_children() and named_modules() return.

/// A module of a program. Copies are the same module; clone() makes another.
struct Module : public Object {
  Module() = default;
  Module(ObjectPtr object) : Object(std::move(object)) {}
  explicit Module(Object object) : Object(std::move(object)) {}
  /// Makes a module without attributes and methods, of a class of its own with that name.
  explicit Module(const std::string &class_name) : Module(tsc_torch_detail::newModule(nullptr, class_name)) {}
  explicit Module(const char *class_name) : Module(std::string(class_name)) {}

  c10::IValue forward(std::vector<c10::IValue> inputs, const Kwargs &kwargs = Kwargs()) {
    return call("forward", inputs, kwargs);
  }
  /// forward with the hooks of the module.
  c10::IValue operator()(std::vector<c10::IValue> inputs) { return call("", inputs, Kwargs()); }

  void register_buffer(const std::string &name, at::Tensor tensor) { add(name, TSC_BUFFER, tensor); }
  void register_parameter(const std::string &name, at::Tensor tensor, bool is_buffer) {
    add(name, is_buffer ? TSC_BUFFER : TSC_PARAMETER, tensor);
  }
  void register_attribute(const std::string &name, const c10::TypePtr &, c10::IValue value, bool is_param = false,
                          bool is_buffer = false) {
    add(name, is_param ? TSC_PARAMETER : is_buffer ? TSC_BUFFER : TSC_ATTRIBUTE, value);
  }
  void register_module(const std::string &name, const Module &module) {
    add(name, TSC_ATTRIBUTE, c10::IValue(module._ivalue()));
  }

  parameter_list parameters(bool recurse = true) const { return tensors(TSC_LIST_PARAMETERS, recurse); }
  named_parameter_list named_parameters(bool recurse = true) const {
    return namedTensors(TSC_LIST_PARAMETERS, recurse);
  }
  buffer_list buffers(bool recurse = true) const { return tensors(TSC_LIST_BUFFERS, recurse); }
  named_buffer_list named_buffers(bool recurse = true) const { return namedTensors(TSC_LIST_BUFFERS, recurse); }
  /// Returns all attributes, with parameters, buffers and modules among them; with `recurse`, those of the modules in
  /// it too.
  attribute_list attributes(bool recurse = true) const {
    attribute_list all;
    for (NameValue &attribute : list(TSC_LIST_ATTRIBUTES, recurse))
      all.push_back(std::move(attribute.value));
    return all;
  }
  named_attribute_list named_attributes(bool recurse = true) const { return list(TSC_LIST_ATTRIBUTES, recurse); }
  module_list children() const;
  named_module_list named_children() const;
  module_list modules() const;
  named_module_list named_modules() const;
  /// Calls the function with each module in this one, inner modules first, and then with this one.
  void apply(const std::function<void(Module &)> &function);

  void train(bool on = true) { tsc_torch_detail::check(tsc_module_set_training(handle(), on)); }
  void eval() { train(false); }
  bool is_training() const {
    int mode = 0;
    tsc_torch_detail::check(tsc_module_is_training(handle(), &mode));
    return mode != 0;
  }
  /// Gives all floating-point parameters and buffers the dtype, and moves all to the device. c10::Error where there is
  /// no such device. `non_blocking` has no effect.
  void to(at::Device device, at::ScalarType dtype, bool non_blocking = false) {
    (void)non_blocking;
    convert(static_cast<int>(dtype), static_cast<int>(device.type()), device.index());
  }
  /// Gives all floating-point parameters and buffers the dtype.
  void to(at::ScalarType dtype, bool non_blocking = false) {
    (void)non_blocking;
    convert(static_cast<int>(dtype), -1, -1);
  }
  /// Moves all parameters and buffers to the device.
  void to(at::Device device, bool non_blocking = false) {
    (void)non_blocking;
    convert(-1, static_cast<int>(device.type()), device.index());
  }

  void save(std::ostream &out, const ExtraFilesMap &extra_files = ExtraFilesMap()) const;
  /// Replaces the file as a whole, for it may be the one that the module was loaded from and whose weights are mapped.
  void save(const std::string &filename, const ExtraFilesMap &extra_files = ExtraFilesMap()) const {
    const std::string written = filename + ".part";
    std::ofstream out(written, std::ios::binary);
    TORCH_CHECK(out, "cannot open ", written, " for writing");
    try {
      save(out, extra_files);
      out.close();
      TORCH_CHECK(out && std::rename(written.c_str(), filename.c_str()) == 0, "cannot write ", filename);
    } catch (...) {
      out.close();
      std::remove(written.c_str());
      throw;
    }
  }
  /// Returns the code and the values of the module, as LibTorch prints them. Methods, attributes and
  /// parameters are left out where their argument is false.
  std::string dump_to_str(bool print_method_bodies, bool print_attr_values, bool print_param_values) const {
    tsc_torch_detail::Value text;
    const uint32_t flags = (print_method_bodies ? 0u : uint32_t{TSC_DUMP_NO_METHODS}) |
                           (print_attr_values ? 0u : uint32_t{TSC_DUMP_NO_ATTRIBUTES}) |
                           (print_param_values ? 0u : uint32_t{TSC_DUMP_NO_PARAMETERS});
    tsc_torch_detail::check(tsc_module_dump(handle(), flags, text.out()));
    return tsc_torch_detail::textOf(text.get());
  }
  void dump(bool print_method_bodies = true, bool print_attr_values = true, bool print_param_values = true) const {
    std::cout << dump_to_str(print_method_bodies, print_attr_values, print_param_values) << std::endl;
  }
  /// A deep copy: a module of its own.
  Module clone(bool inplace = false) const {
    (void)inplace;
    return Module(deepcopy());
  }
  /// Returns a module of its own, which shares nothing that can be written.
  Module deepcopy() const { return Module(Object::deepcopy()); }
  /// Returns the same, moved to the device where one is named.
  Module deepcopy(c10::optional<at::Device> device) const {
    Module made = deepcopy();
    if (device)
      made.to(*device);
    return made;
  }
  Module copy() const { return deepcopy(); }
  bool is_optimized() const { return true; }
  void set_optimized(bool) {}
  bool operator==(const Module &other) const noexcept { return is(other); }
  bool operator!=(const Module &other) const noexcept { return !is(other); }

private:
  bool is(const Module &other) const noexcept {
    try {
      return tsc_value_is_same(handle(), other.handle()) != 0;
    } catch (const c10::Error &) { // one of them is empty
      return false;
    }
  }
  void add(const std::string &name, tsc_attribute_kind kind, const c10::IValue &value) {
    tsc_torch_detail::check(tsc_module_register(handle(), name.c_str(), kind, value.handle().get()));
  }
  void convert(int dtype, int device, int index) {
    tsc_torch_detail::check(tsc_module_convert(handle(), dtype, device, index));
  }
  named_attribute_list list(tsc_listing what, bool recurse) const {
    tsc_attributes *raw = nullptr;
    tsc_torch_detail::check(tsc_module_list(handle(), what, recurse, &raw));
    const std::unique_ptr<tsc_attributes, void (*)(tsc_attributes *)> owner(raw, tsc_attributes_free);
    size_t count = 0;
    tsc_torch_detail::check(tsc_attributes_size(raw, &count));
    named_attribute_list all;
    for (size_t i = 0; i != count; ++i) {
      const char *name = nullptr;
      tsc_value *value = nullptr;
      tsc_torch_detail::check(tsc_attributes_get(raw, i, &name, nullptr, &value));
      all.push_back(NameValue{name, c10::IValue::fromHandle(value)});
    }
    return all;
  }
  parameter_list tensors(tsc_listing what, bool recurse) const {
    parameter_list all;
    for (NameValue &slot : list(what, recurse))
      if (slot.value.isTensor())
        all.push_back(slot.value.toTensor());
    return all;
  }
  named_parameter_list namedTensors(tsc_listing what, bool recurse) const {
    named_parameter_list all;
    for (NameValue &slot : list(what, recurse))
      if (slot.value.isTensor())
        all.push_back(NameTensor{slot.name, slot.value.toTensor()});
    return all;
  }
  named_module_list moduleList(bool recurse) const;
  static void writeTo(void *user, const char *text, size_t length) {
    static_cast<std::ostream *>(user)->write(text, static_cast<std::streamsize>(length));
  }
};

inline named_module_list Module::moduleList(bool recurse) const {
  named_module_list all;
  for (NameValue &slot : list(TSC_LIST_MODULES, recurse))
    all.push_back(NameModule{slot.name, slot.value.toModule()});
  return all;
}
inline named_module_list Module::named_children() const { return moduleList(false); }
inline named_module_list Module::named_modules() const { return moduleList(true); }
inline module_list Module::children() const {
  module_list all;
  for (NameModule &slot : moduleList(false))
    all.push_back(slot.value);
  return all;
}
inline module_list Module::modules() const {
  module_list all;
  for (NameModule &slot : moduleList(true))
    all.push_back(slot.value);
  return all;
}
inline void Module::apply(const std::function<void(Module &)> &function) {
  for (Module &child : children())
    child.apply(function);
  function(*this);
}
inline void Module::save(std::ostream &out, const ExtraFilesMap &extra_files) const {
  std::vector<tsc_file> files;
  for (const auto &file : extra_files)
    files.push_back(tsc_file{file.first.c_str(), file.second.data(), file.second.size()});
  tsc_torch_detail::check(tsc_module_save(handle(), files.data(), files.size(), writeTo, &out));
}

/// A module with these methods and attributes and `forward` alone, which runs faster; the module stays as it is.
inline Module freeze(const Module &module,
                     const c10::optional<std::vector<std::string>> &preserved_attrs = c10::nullopt,
                     bool optimize_numerics = true) {
  (void)optimize_numerics;
  TORCH_CHECK(!module.hasattr("training") || !module.is_training(),
              "Freezing module in training mode is not yet supported");
  std::vector<const char *> methods{"forward"}, attributes;
  if (!module.find_method("forward"))
    methods.clear();
  if (preserved_attrs)
    for (const std::string &name : *preserved_attrs) {
      if (name == "forward")
        continue;
      (module.hasattr(name) ? attributes : methods).push_back(name.c_str());
    }
  tsc_torch_detail::Value frozen;
  tsc_torch_detail::check(tsc_module_freeze(module.handle(), methods.data(), methods.size(), attributes.data(),
                                            attributes.size(), frozen.out()));
  return Module(c10::make_intrusive<c10::ivalue::Object>(std::move(frozen)));
}
/// Freezes a module that is not frozen yet. Results are those of the module as it was.
inline Module optimize_for_inference(Module &module, const std::vector<std::string> &other_methods = {}) {
  if (!module.hasattr("training"))
    return module;
  return freeze(module, other_methods);
}

/// Whether LibTorch fuses code for the sizes that it has seen, or for any sizes.
enum class FusionBehavior { STATIC, DYNAMIC };
/// The behaviours that LibTorch tries in turn, and how often it tries each.
using FusionStrategy = std::vector<std::pair<FusionBehavior, size_t>>;
/// Accepted, and without effect: results do not depend on what is fused.
inline FusionStrategy &tsc_fusion_strategy() {
  static FusionStrategy strategy{{FusionBehavior::STATIC, 2}, {FusionBehavior::DYNAMIC, 10}};
  return strategy;
}
inline FusionStrategy getFusionStrategy() { return tsc_fusion_strategy(); }
/// Keeps a strategy, and returns the one before.
inline FusionStrategy setFusionStrategy(FusionStrategy &strategy) {
  FusionStrategy before = tsc_fusion_strategy();
  tsc_fusion_strategy() = strategy;
  return before;
}

namespace script {
using tsc_torch::ExtraFilesMap;
using tsc_torch::Module;
} // namespace script

} // namespace tsc_torch
} // namespace jit
} // namespace torch

namespace c10 {
inline namespace tsc_torch {
inline torch::jit::Module IValue::toModule() const { return torch::jit::Module(toObject()); }
} // namespace tsc_torch
} // namespace c10

#endif
