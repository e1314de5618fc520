//===- Construction.h - What code that runs at loading needs ----*- C++ -*-===//
#ifndef TSC_FRONTEND_EVALUATOR_CONSTRUCTION_H
#define TSC_FRONTEND_EVALUATOR_CONSTRUCTION_H

#include "tsc/IR/IValue.h"
#include "tsc/Support/Status.h"

namespace tsc {

class Compiler;
class Function;

/// Runs compiled functions for the code that makes the modules of a source file: the frontend evaluates that code as
/// Python, but tensors are computed by functions that it compiles. The engine implements this with the interpreter.
///
/// Threads: called by the thread that loads a program, or that calls an entry which runs such code.
class ConstructionHost {
public:
  virtual ~ConstructionHost() = default;
  /// Calls a function with these arguments. Returns None where it has no result.
  virtual StatusOr<IValue> run(Function &function, std::vector<IValue> args,
                               std::vector<std::pair<std::string, IValue>> kwargs) = 0;
  /// Sets torch.is_grad_enabled() for what runs from here on, and returns what it was before.
  virtual bool setGradMode(bool enabled) = 0;
  /// Writes a module to a file as torch.jit.save does.
  virtual Status saveModule(const IValue &module, const std::string &path) = 0;
  /// Whether tensors can be on a device. Where they cannot, a tensor that is asked for there at loading is on the
  /// processor.
  virtual bool hasDevice(const Device &) { return false; }
  /// Writes what the code prints.
  virtual void print(llvm::StringRef text) = 0;
};

/// Lets a compiler run the code of files with modules, constructors and what stands at the top level, as Python would;
/// without it, a file that defines modules is refused. What computes on tensors is compiled and given to the host,
/// which outlives the compiler. Called before Compiler::addSource().
void setConstructionHost(Compiler &compiler, ConstructionHost &host);

} // namespace tsc

#endif
