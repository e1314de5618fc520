//===- EngineOptions.h - How a program is compiled and run ------*- C++ -*-===//
#ifndef TSC_ENGINE_ENGINEOPTIONS_H
#define TSC_ENGINE_ENGINEOPTIONS_H

#include "tsc/Engine/OperatorPolicy.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/Fuser.h"
#include "tsc/Tensor/Scalar.h"
#include "tsc/Transforms/PassManager.h"
#include <functional>
#include <optional>

namespace tsc {

class Accelerator;
class Code;
class CompileObserver;
struct Diagnostic;
struct ProfilingCounters;

/// An operator that a host brings along. Programs call it as `torch.ops.<namespace>.<name>(…)`.
struct HostOperator {
  /// The operator's schema, such as "mine::scale(Tensor x, float by=1.0) -> Tensor". Its alias annotations say which
  /// arguments the operator writes to and which its results share memory with.
  std::string schema;
  /// The function that runs the operator. Its results are checked against the schema. It may be called by any thread
  /// that calls the program, and by several at once.
  CustomKernel kernel;
  /// Stands in the place of `kernel`: it makes the function for each node that calls the operator, which reads the
  /// node's attributes (OperatorTable::registerNodeOperator).
  CustomKernelMaker kernelMaker = nullptr;
};

/// Which calls a program counts.
enum class CountedCalls : uint8_t {
  OfWriters, ///< Those of a program of which some call may write state.
  All,       ///< All, so that Program::writeState() waits for each.
  None,      ///< The host sees to it that no call writes what another one uses: unrelated modules of one program would
             ///< keep each other's calls away.
};

/// A host's choices about a program, made before it is loaded. The defaults are those of tsc-run, save that there is no
/// fuser.
///
/// Threads: a program calls each function below for one event at a time, from a thread that compiles: one that calls
///          the program, or the program's own that makes plans. None of the functions may call the program.
struct EngineOptions {
  //===-- Speed -------------------------------------------------------------===//
  /// The optimization level, 0 to 3, which selects a pipeline O0 … O3 of Transforms/Pipelines.def. Below 2 there are
  /// neither plans nor fusion groups.
  unsigned optimization = 2;
  /// When plans are made. A plan is code of a function for the dtypes and ranks of the arguments that its calls have.
  /// `Background`: calls run plain code until a thread of the program has made their plan. `Eager`: the first call
  /// waits for its plan. `Off`: there are no plans; each function is optimized once, before its first call.
  CompileMode plans = CompileMode::Background;
  /// Whether calls run code that is made of profiles, in the place of plans, from level 2 on. The first call of a
  /// function is observed; the code of later ones relies on the types and sizes that all its tensors had, and guards
  /// them (docs/ProfilingExecutor.md). Calls that compute gradients run as without this.
  bool profiles = false;
  /// Counts what comes of `profiles`; outlives the program. Null: nothing is counted.
  ProfilingCounters *profilingCounters = nullptr;
  /// The fusers that compile fusion groups. Without one, groups run as their plain nodes, with the same bits, and the
  /// host links no code generator. Programs may share a fuser; their equal groups then share kernels.
  FuserRegistry fusers;

  //===-- Trust -------------------------------------------------------------===//
  /// Whether an archive may run its `__setstate__` methods while it is loaded, and its `__getstate__` methods while it
  /// is saved. Where false, only methods run that just move values, in few steps and without loops, as those of
  /// PyTorch's quantized modules do; an archive that needs others is PermissionDenied.
  bool allowSetState = false;
  /// Whether an object whose `__setstate__` may not run is loaded without its state, instead of failing. For hosts that
  /// inspect a program and do not run it.
  bool skipSetState = false;
  /// The stream to which `__setstate__` methods, and the code of a source file that makes modules, print while the
  /// program is loaded. Null: their output is dropped. Outlives the program.
  llvm::raw_ostream *loadingOut = nullptr;
  /// Whether a source program may read and write files: torch.save, torch.load, pathlib.Path. An archive never may.
  bool allowFiles = false;
  /// The operators that the program may use. A program that uses another one is refused, with all the places where it
  /// does: archives and graphs when they are loaded, a source program when the function that uses it is found.
  OperatorPolicy operators;
  /// Limits on loading: on its memory, and on the steps and output of `__setstate__` methods and of the code that a
  /// source file runs to make its modules. Calls have the quotas of their CallContext.
  Quotas loadingQuotas;
  /// The folder whose .py files a source file may import. Where it is empty, that is the folder of the source file, or,
  /// for a program that is loaded from memory, none.
  std::string sourceFolder;
  /// Which calls are counted, so that one that writes state runs alone.
  CountedCalls counted = CountedCalls::OfWriters;
  /// Operators of the host, which are registered before the program is read.
  std::vector<HostOperator> hostOperators;

  //===-- Diagnostics -------------------------------------------------------===//
  /// Whether the error about a call that fits no overload lists all overloads, with the reason why each does not fit.
  bool listAllOverloads = false;

  //===-- Devices -----------------------------------------------------------===//
  /// The accelerator on whose devices the program may put tensors, as `x.to("cuda")` does. Without one, such code fails
  /// as in PyTorch without such devices. Outlives the tensors that the program returns.
  std::shared_ptr<Accelerator> accelerator;
  /// A device of the accelerator on which the whole program runs: the tensors of its modules and its constants are put
  /// there, and so is every tensor that it makes without naming a device. The host places the arguments of calls
  /// (placeTensors).
  std::optional<Device> device;

  //===-- Archives of other devices -----------------------------------------===//
  /// The device that replaces every device but the CPU and the meta device in an archive, of its tensors and in its
  /// code; onDiagnostic gets a remark. Where it is empty, the archive keeps its devices, which serves to write it
  /// again. `device`, where given, takes its place.
  std::optional<Device> archiveDevice = Device();

  //===-- What runs while a source file is loaded ---------------------------===//
  /// The seed of the random numbers with which a source file makes its modules (torch.manual_seed). Empty: PyTorch's
  /// default seed.
  std::optional<uint64_t> seed;

  //===-- What the host hears -----------------------------------------------===//
  /// Is called with each error and warning about the program's text, at loading or when a function is compiled later,
  /// and with the remarks that `passes` asks for. The Status of what failed repeats the errors: see wasDiagnosed().
  std::function<void(const Diagnostic &)> onDiagnostic;
  /// Are called with each graph before and after its pipeline runs.
  std::function<void(const Graph &)> beforeOptimizing, afterOptimizing;
  /// Is called with the code of each function when it is made.
  std::function<void(const Code &)> onCode;
  /// Receives a span for each plan and pass; outlives the program. Operators that run are recorded by
  /// CallContext::trace instead.
  TraceRecorder *trace = nullptr;

  /// Hears what the frontend takes names and expressions for; outlives the program.
  CompileObserver *compileObserver = nullptr;

  //===-- For those who look for mistakes -----------------------------------===//
  /// What is checked, counted and printed around passes. It prints to stderr.
  PassInstrumentation passes;
  /// On how many random inputs each graph is run before and after each pass, to compare them (TranslationValidator). 0:
  /// no pass is validated.
  unsigned validationRuns = 0;
  /// Whether a call fails with Internal when it shows that alias analysis was wrong (AliasChecker). Slow, and for
  /// programs that one thread calls.
  bool checkAliases = false;
};

} // namespace tsc

#endif
