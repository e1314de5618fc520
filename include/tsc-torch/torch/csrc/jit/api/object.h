//===- object.h - torch::jit::Object ----------------------------*- C++ -*-===//
#ifndef TSC_TORCH_JIT_OBJECT_H
#define TSC_TORCH_JIT_OBJECT_H
#include <torch/csrc/jit/api/method.h>

namespace tsc_torch_detail {
/// Makes an empty module: of the program of `within`, or, where that is null, of one of its own with the process's
/// threads.
inline torch::jit::ObjectPtr newModule(const tsc_value *within, const std::string &className) {
  const std::unique_ptr<tsc_options, void (*)(tsc_options *)> options(tsc_options_new(), tsc_options_free);
  if (!options)
    throw std::bad_alloc();
  check(tsc_options_set_threads(options.get(), 0));
  Value made;
  check(tsc_module_new(within, className.c_str(), options.get(), made.out()));
  return c10::make_intrusive<c10::ivalue::Object>(std::move(made));
}
} // namespace tsc_torch_detail

namespace torch {
namespace jit {
inline namespace tsc_torch {

/// What an object throws that lacks an attribute.
class ObjectAttributeError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// An instance of a class of a program, shared by its copies.
struct Object {
  Object() = default;
  Object(ObjectPtr object) : object(std::move(object)) {}

  const ObjectPtr &_ivalue() const {
    TORCH_CHECK(object, "the module is empty: nothing was loaded into it");
    return object;
  }
  c10::ClassTypePtr type() const { return _ivalue()->type(); }
  void setattr(const std::string &name, const c10::IValue &value) { _ivalue()->setAttr(name, value); }
  /// ObjectAttributeError where there is none.
  c10::IValue attr(const std::string &name) const {
    tsc_torch_detail::Value found = find(name);
    if (!found)
      throw ObjectAttributeError(_ivalue()->name() + " does not have a field with name '" + name + "'");
    return c10::IValue::fromHandle(found.release());
  }
  c10::IValue attr(const std::string &name, c10::IValue or_else) const {
    tsc_torch_detail::Value found = find(name);
    return found ? c10::IValue::fromHandle(found.release()) : or_else;
  }
  bool hasattr(const std::string &name) const { return static_cast<bool>(find(name)); }
  /// Returns a method, which is compiled when it is first asked for. c10::Error where there is none, or it does not
  /// compile.
  Method get_method(const std::string &name) const {
    c10::optional<Method> method = find_method(name);
    TORCH_CHECK(method, "Method '", name, "' is not defined.");
    return *method;
  }
  /// Returns a method like get_method(), or nothing where there is none.
  c10::optional<Method> find_method(const std::string &name) const {
    std::shared_ptr<c10::ivalue::Entry> entry = _ivalue()->method(name);
    if (!entry)
      return c10::nullopt;
    return Method(object, name, std::move(entry));
  }
  std::vector<Method> get_methods() const {
    std::vector<Method> methods;
    size_t count = 0;
    tsc_torch_detail::check(tsc_module_num_methods(handle(), &count));
    for (size_t i = 0; i != count; ++i) {
      const char *name = nullptr;
      tsc_torch_detail::check(tsc_module_method_name(handle(), i, &name));
      methods.push_back(get_method(name));
    }
    return methods;
  }
  template <typename... Args> c10::IValue run_method(const std::string &name, Args &&...args) {
    return call(name, std::vector<c10::IValue>{c10::IValue(std::forward<Args>(args))...}, Kwargs());
  }
  /// Compiles methods and adds them to the class.
  void define(const std::string &source) {
    tsc_torch_detail::check(tsc_module_define(handle(), source.c_str()));
    object->forgetMethods();
  }
  size_t num_slots() const {
    tsc_attributes *list = nullptr;
    tsc_torch_detail::check(tsc_module_list(handle(), TSC_LIST_ATTRIBUTES, 0, &list));
    size_t count = 0;
    tsc_error *error = tsc_attributes_size(list, &count);
    tsc_attributes_free(list);
    tsc_torch_detail::check(error);
    return count;
  }
  /// A deep copy.
  Object deepcopy() const {
    tsc_torch_detail::Value made;
    tsc_torch_detail::check(tsc_module_copy(handle(), made.out()));
    return Object(c10::make_intrusive<c10::ivalue::Object>(std::move(made)));
  }
  tsc_value *handle() const { return _ivalue()->value.get(); }

protected:
  c10::IValue call(const std::string &name, const std::vector<c10::IValue> &inputs, const Kwargs &kwargs) const {
    const std::shared_ptr<c10::ivalue::Entry> entry = _ivalue()->method(name);
    TORCH_CHECK(entry, "Method '", name, "' is not defined.");
    return tsc_torch_detail::runEntry(entry->entry, inputs, kwargs);
  }

private:
  tsc_torch_detail::Value find(const std::string &name) const {
    tsc_torch_detail::Value found;
    tsc_error *error = name.find('.') == std::string::npos ? tsc_module_attribute(handle(), name.c_str(), found.out())
                                                           : nullptr; // a path is no name
    if (error && tsc_error_code(error) == TSC_NOT_FOUND) {
      tsc_error_free(error);
      return tsc_torch_detail::Value();
    }
    tsc_torch_detail::check(error);
    return found;
  }

  ObjectPtr object;
};
namespace script {
using tsc_torch::Object;
} // namespace script

} // namespace tsc_torch
} // namespace jit
} // namespace torch

#endif
