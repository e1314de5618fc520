//===- SourceHost.h - Runs what source files do at loading ------*- C++ -*-===//
#ifndef TSC_LIB_ENGINE_SOURCEHOST_H
#define TSC_LIB_ENGINE_SOURCEHOST_H

#include "HostFiles.h"
#include "tsc/Engine/EngineOptions.h"
#include "tsc/Frontend/Evaluator/Construction.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Executor/GraphExecutor.h"

namespace tsc {

class TapedCalls;

/// Runs the functions that a source file needs while it makes its modules, one after the other, with one sequence of
/// random numbers, which calls of the program may go on with.
class SourceHost final : public ConstructionHost {
public:
  SourceHost(Context &context, const EngineOptions &options, FileAccess &files);
  StatusOr<IValue> run(Function &function, std::vector<IValue> args,
                       std::vector<std::pair<std::string, IValue>> kwargs) override;
  bool setGradMode(bool enabled) override { return std::exchange(call.gradMode, enabled); }
  Status saveModule(const IValue &module, const std::string &path) override;
  bool hasDevice(const Device &device) override;
  void print(llvm::StringRef text) override;
  Generator &generator() { return call.generator(); }
  CallContext &context() { return call; }

  /// Takes down what is run, while somebody wants that.
  TapedCalls *calls = nullptr;

private:
  const OperatorPolicy &operators;
  const GraphExecutor executor; ///< Runs all as it is written.
  CallContext call;
};

} // namespace tsc

#endif
