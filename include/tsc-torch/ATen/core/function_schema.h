//===- function_schema.h - Signatures ---------------------------*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_FUNCTION_SCHEMA_H
#define TSC_TORCH_ATEN_FUNCTION_SCHEMA_H
#include <ATen/core/ivalue.h>

namespace c10 {
inline namespace tsc_torch {

/// An argument or a result of a function.
class Argument {
public:
  Argument(std::string name, TypePtr type, optional<IValue> default_value = nullopt)
      : text(std::move(name)), of(std::move(type)), initial(std::move(default_value)) {}
  const std::string &name() const { return text; }
  const TypePtr &type() const { return of; }
  const TypePtr &real_type() const { return of; }
  const optional<IValue> &default_value() const { return initial; }

private:
  std::string text;
  TypePtr of;
  optional<IValue> initial;
};

/// What a function takes and returns.
class FunctionSchema {
public:
  FunctionSchema(std::string name, std::vector<Argument> arguments, std::vector<Argument> returns, std::string text)
      : named(std::move(name)), taken(std::move(arguments)), given(std::move(returns)), text(std::move(text)) {}
  const std::string &name() const { return named; }
  const std::vector<Argument> &arguments() const { return taken; }
  const std::vector<Argument> &returns() const { return given; }
  friend std::ostream &operator<<(std::ostream &out, const FunctionSchema &schema) { return out << schema.text; }

private:
  std::string named;
  std::vector<Argument> taken, given;
  std::string text;
};

} // namespace tsc_torch
} // namespace c10

namespace torch {
namespace jit {
inline namespace tsc_torch {
using c10::Argument;
using c10::FunctionSchema;
} // namespace tsc_torch
} // namespace jit
} // namespace torch

#endif
