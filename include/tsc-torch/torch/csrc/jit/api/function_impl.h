//===- function_impl.h - Functions and methods ------------------*- C++ -*-===//
#ifndef TSC_TORCH_JIT_FUNCTION_IMPL_H
#define TSC_TORCH_JIT_FUNCTION_IMPL_H
#include <ATen/core/function_schema.h>
#include <torch/csrc/jit/runtime/jit_exception.h>

namespace tsc_torch_detail {

/// Arguments as handles: lent where the value has one, else made for the call.
class Arguments {
public:
  /// Appends an argument. The handle of a value that has one is borrowed: the value stays until the call is over.
  void add(const c10::IValue &value) {
    tsc_value *lent = value.lent();
    if (!lent) {
      owned.push_back(value.handle());
      lent = owned.back().get();
    }
    raw.push_back(lent);
  }
  void reserve(size_t count) { raw.reserve(count); }
  tsc_value *const *data() const { return raw.data(); }
  size_t size() const { return raw.size(); }

private:
  std::vector<tsc_value *> raw;
  std::vector<Value> owned;
};

/// Calls a compiled function, and returns its result. What the program raises is thrown as a JITException, other errors
/// as a c10::Error.
inline c10::IValue runEntry(const tsc_entry *entry, const std::vector<c10::IValue> &inputs,
                            const torch::jit::Kwargs &kwargs) {
  Arguments args, named;
  std::vector<const char *> names;
  args.reserve(inputs.size());
  for (const c10::IValue &input : inputs)
    args.add(input);
  for (const auto &input : kwargs) {
    names.push_back(input.first.c_str());
    named.add(input.second);
  }
  tsc_value *result = nullptr;
  tsc_error *error = tsc_entry_call(entry, args.data(), args.size(), names.data(), named.data(), named.size(), &result);
  if (C10_UNLIKELY(error != nullptr))
    raiseFromCall(error);
  return c10::IValue::fromHandle(result);
}

} // namespace tsc_torch_detail

namespace torch {
namespace jit {
inline namespace tsc_torch {

/// An instance of a class of the program's, shared by all who hold it.
using ObjectPtr = c10::intrusive_ptr<c10::ivalue::Object>;

/// The code of a method. It can be handed on and printed, not walked or changed.
struct Graph {
  explicit Graph(std::shared_ptr<c10::ivalue::Entry> entry) : entry(std::move(entry)) {}
  std::string toString(bool = true) const { return tsc_entry_schema(entry->entry); }

private:
  std::shared_ptr<c10::ivalue::Entry> entry;
};

/// A method of an object. It lives as long as the object does.
struct Function {
  Function(c10::ivalue::Object &owner, std::string name, const tsc_entry *entry)
      : object(owner), named(std::move(name)), entry(entry) {}
  const std::string &name() const { return named; }
  c10::QualifiedName qualname() const { return c10::QualifiedName(object.name() + "." + named); }
  /// The schema, whose first argument is `self`.
  const c10::FunctionSchema &getSchema() const {
    std::lock_guard<std::mutex> lock(mutex);
    if (!schema)
      schema.reset(new c10::FunctionSchema(describe()));
    return *schema;
  }
  size_t num_inputs() const { return getSchema().arguments().size(); }
  c10::IValue operator()(const std::vector<c10::IValue> &inputs, const Kwargs &kwargs = Kwargs()) const {
    return tsc_torch_detail::runEntry(entry, inputs, kwargs);
  }

private:
  c10::FunctionSchema describe() const {
    using tsc_torch_detail::check;
    using tsc_torch_detail::Value;
    std::vector<c10::Argument> arguments{c10::Argument("self", object.type())};
    size_t count = 0;
    check(tsc_entry_num_arguments(entry, &count));
    for (size_t i = 0; i != count; ++i) {
      const char *name = nullptr;
      Value type, initial;
      check(tsc_entry_argument(entry, i, &name, type.out(), initial.out()));
      arguments.emplace_back(name, std::make_shared<c10::Type>(tsc_torch_detail::textOf(type.get())),
                             initial ? c10::optional<c10::IValue>(c10::IValue::fromHandle(initial.release()))
                                     : c10::nullopt);
    }
    Value result;
    check(tsc_entry_result_type(entry, result.out()));
    return c10::FunctionSchema(named, std::move(arguments),
                               {c10::Argument("", std::make_shared<c10::Type>(tsc_torch_detail::textOf(result.get())))},
                               tsc_entry_schema(entry));
  }

  c10::ivalue::Object &object;
  std::string named;
  const tsc_entry *entry;
  mutable std::mutex mutex;
  mutable std::unique_ptr<c10::FunctionSchema> schema;
};

} // namespace tsc_torch
} // namespace jit
} // namespace torch

#endif
