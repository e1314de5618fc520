//===- EngineOptions.h - How a program is compiled and run ------*- C++ -*-===//
#ifndef TSC_ENGINE_ENGINEOPTIONS_H
#define TSC_ENGINE_ENGINEOPTIONS_H

#include "tsc/Engine/OperatorPolicy.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/CallContext.h"
#include "tsc/Runtime/Fuser.h"
#include "tsc/Tensor/Scalar.h"
#include "tsc/Transforms/PassManager.h"
#include <functional>
#include <optional>

namespace tsc {

class Accelerator;
class Code;
class CompileObserver;
struct Diagnostic;

/// An operator that a host brings along. Programs call it as `torch.ops.<namespace>.<name>(…)`.
struct HostOperator {
  std::string schema;  ///< "mine::scale(Tensor x, float by=1.0) -> Tensor"; says what it writes to and shares.
  CustomKernel kernel; ///< Results are checked against the schema. Called from any thread that calls the program.
};

/// What a host decides about a program before it loads it. As it stands it is what tsc-run does without options, save
/// that it has no fuser.
///
/// Threads: a program calls each function below for one event at a time, from the thread that compiles: one that calls
///          the program, or the one that makes plans beside the calls. None of them may call the program.
struct EngineOptions {
  //===-- Speed -------------------------------------------------------------===//
  /// 0 to 3: the pipeline O0 … O3 of Transforms/Pipelines.def. Below 2 there are neither plans nor fusion groups.
  unsigned optimization = 2;
  /// When plans are made: code for the dtypes and ranks of the arguments that calls have. `Background`: calls run plain
  /// code until a thread of the program's has made them. `Eager`: the first call waits for its plan. `Off`: there are
  /// none; each function is optimized once, before its first call.
  CompileMode plans = CompileMode::Background;
  /// Who compiles fusion groups. Without one they run as their plain nodes, with the same bits, and the host links no
  /// code generator. Programs may share a fuser; equal groups of theirs then share their kernels.
  FuserRegistry fusers;

  //===-- Trust -------------------------------------------------------------===//
  /// Lets an archive run its `__setstate__` methods while it is loaded. Without this, those run that only move values,
  /// in few steps and without loops, as PyTorch's quantized modules do; an archive that needs others is
  /// PermissionDenied.
  bool allowSetState = false;
  /// Loads an object whose `__setstate__` may not run without its state, for those who look and run nothing.
  bool skipSetState = false;
  /// Where these methods, and the code of a source file that makes modules, print; null: where a CallContext prints
  /// that was not told. Outlives the program.
  llvm::raw_ostream *loadingOut = nullptr;
  /// Lets a source program read and write files: torch.save, torch.load, pathlib.Path. An archive never may.
  bool allowFiles = false;
  /// Which operators the program may use. One that uses another is refused, with all the places where it does: an
  /// archive and graphs when they are loaded, a source program when what uses it is found.
  OperatorPolicy operators;
  /// What may be used while the program is loaded: of memory, and of steps and output by `__setstate__` methods and by
  /// what a source file runs to make its modules. Calls have the quotas of their CallContext.
  Quotas loadingQuotas;
  /// The folder whose .py files a source file may import. Empty: that of the file, where a program is loaded by its
  /// path; none, where it is loaded from memory.
  std::string sourceFolder;
  /// Operators of the host's, registered before the program is read.
  std::vector<HostOperator> hostOperators;

  //===-- Diagnostics -------------------------------------------------------===//
  /// A call that fits no overload is reported with all of them, and why each does not take it.
  bool listAllOverloads = false;

  //===-- Devices -----------------------------------------------------------===//
  /// Whose devices the program may put tensors on: `x.to("cuda")`. Null: none, and such code fails as in PyTorch
  /// without CUDA. Outlives what the program gives.
  std::shared_ptr<Accelerator> accelerator;
  /// One of these on which the whole program runs: the tensors of its modules and its constants are there, and what it
  /// makes without naming a device is made there. Arguments are the host's to place (placeTensors).
  std::optional<Device> device;

  //===-- Archives of other devices -----------------------------------------===//
  /// What stands in an archive for every device but the CPU: its tensors are there, and what its code puts on another
  /// one is put there. onDiagnostic hears a remark of it. Without it the archive keeps its devices, for one that is
  /// only to be written again.
  std::optional<Device> archiveDevice = Device();

  //===-- What runs while a source file is loaded ---------------------------===//
  /// What random numbers begin with when a file makes modules (torch.manual_seed); without one, with the default seed.
  std::optional<uint64_t> seed;

  //===-- What the host hears -----------------------------------------------===//
  /// Errors and warnings of texts that do not compile, when that is found out, and the remarks that `passes` asks for.
  /// The Status that errors lead to holds their text too: see wasDiagnosed().
  std::function<void(const Diagnostic &)> onDiagnostic;
  /// Each graph before and after its pipeline.
  std::function<void(const Graph &)> beforeOptimizing, afterOptimizing;
  /// The code of each function, when it is made.
  std::function<void(const Code &)> onCode;
  /// Receives spans for plans and passes; outlives the program. What runs tells the recorder of the CallContext.
  TraceRecorder *trace = nullptr;

  /// Hears what the frontend finds names and expressions to mean; outlives the program.
  CompileObserver *compileObserver = nullptr;

  //===-- For those who look for mistakes -----------------------------------===//
  /// What is checked, counted and printed around passes. They print to stderr.
  PassInstrumentation passes;
  /// Runs each graph on so many random inputs before and after each pass, and compares (TranslationValidator).
  unsigned validationRuns = 0;
  /// Fails when alias analysis is wrong about what happens (AliasChecker). Slow, and for calls of one thread.
  bool checkAliases = false;
};

} // namespace tsc

#endif
