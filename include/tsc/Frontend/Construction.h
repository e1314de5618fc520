//===- Construction.h - What code that runs at loading needs ----*- C++ -*-===//
#ifndef TSC_FRONTEND_CONSTRUCTION_H
#define TSC_FRONTEND_CONSTRUCTION_H

#include "tsc/IR/IValue.h"
#include "tsc/Support/Status.h"

namespace tsc {

class Function;

/// Who runs compiled functions while modules of a source file are made (their __init__ is Python, which the frontend
/// evaluates; tensors are computed by functions that it compiles). The engine implements it over the interpreter.
///
/// Threads: called by the thread that loads, or that calls an entry which runs such code.
class ConstructionHost {
public:
  virtual ~ConstructionHost() = default;
  /// Calls a function with these arguments; the result is None where it has none.
  virtual StatusOr<IValue> run(Function &function, std::vector<IValue> args,
                               std::vector<std::pair<std::string, IValue>> kwargs) = 0;
  /// torch.is_grad_enabled() of what runs from here on; what it was before.
  virtual bool setGradMode(bool enabled) = 0;
  /// Writes a module as torch.jit.save does.
  virtual Status saveModule(const IValue &module, const std::string &path) = 0;
  /// Whether tensors can be on a device: where they cannot, what asks for one at loading gets the processor.
  virtual bool hasDevice(const Device &) { return false; }
  /// What print() writes.
  virtual void print(llvm::StringRef text) = 0;
};

} // namespace tsc

#endif
