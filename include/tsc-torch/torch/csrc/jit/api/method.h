//===- method.h - torch::jit::Method ----------------------------*- C++ -*-===//
#ifndef TSC_TORCH_JIT_METHOD_H
#define TSC_TORCH_JIT_METHOD_H
#include <torch/csrc/jit/api/function_impl.h>

namespace torch {
namespace jit {
inline namespace tsc_torch {

/// A method of an object, which it keeps alive.
struct Method {
  Method(ObjectPtr object, const std::string &name, std::shared_ptr<c10::ivalue::Entry> code)
      : object(std::move(object)), entry(std::move(code)) {
    std::lock_guard<std::mutex> lock(entry->mutex);
    if (!entry->function)
      entry->function = std::make_shared<Function>(*this->object, name, entry->entry);
  }
  c10::IValue operator()(std::vector<c10::IValue> stack, const Kwargs &kwargs = Kwargs()) const {
    return tsc_torch_detail::runEntry(entry->entry, stack, kwargs);
  }
  /// Replaces the arguments by the result.
  void run(Stack &stack) const { stack = Stack{tsc_torch_detail::runEntry(entry->entry, stack, Kwargs())}; }
  void run(Stack &&stack) const { run(stack); }
  const std::string &name() const { return function().name(); }
  size_t num_inputs() const { return function().num_inputs(); }
  std::shared_ptr<Graph> graph() const { return std::make_shared<Graph>(entry); }
  Function &function() const { return *static_cast<Function *>(entry->function.get()); }
  const ObjectPtr &raw_owner() const { return object; }
  c10::IValue owner() const { return c10::IValue(object); }

private:
  ObjectPtr object;
  std::shared_ptr<c10::ivalue::Entry> entry;
};
namespace script {
using tsc_torch::Method;
} // namespace script

} // namespace tsc_torch
} // namespace jit
} // namespace torch

#endif
