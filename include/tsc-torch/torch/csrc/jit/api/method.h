//===- method.h - torch::jit::Method ----------------------------*- C++ -*-===//
#ifndef TSC_TORCH_JIT_METHOD_H
#define TSC_TORCH_JIT_METHOD_H
#include <torch/csrc/jit/api/function_impl.h>

namespace torch {
namespace jit {
inline namespace tsc_torch {

/// A method of an object, which it keeps alive.
struct Method {
  explicit Method(std::shared_ptr<Function> function) : of(std::move(function)) {}
  c10::IValue operator()(std::vector<c10::IValue> stack, const Kwargs &kwargs = Kwargs()) const {
    return (*of)(stack, kwargs);
  }
  /// Replaces the arguments by the result.
  void run(Stack &stack) const { stack = Stack{(*of)(stack)}; }
  void run(Stack &&stack) const { run(stack); }
  const std::string &name() const { return of->name(); }
  size_t num_inputs() const { return of->num_inputs(); }
  std::shared_ptr<Graph> graph() const { return of->graph(); }
  Function &function() const { return *of; }
  const ObjectPtr &raw_owner() const { return of->owner(); }
  c10::IValue owner() const { return c10::IValue(of->owner()); }

private:
  std::shared_ptr<Function> of;
};
namespace script {
using tsc_torch::Method;
} // namespace script

} // namespace tsc_torch
} // namespace jit
} // namespace torch

#endif
