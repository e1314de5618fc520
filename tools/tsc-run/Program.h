//===- Program.h - A loaded program, whatever it came from ----------------===//
#ifndef TSC_TOOLS_TSCRUN_PROGRAM_H
#define TSC_TOOLS_TSCRUN_PROGRAM_H

#include "Pipeline.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "tsc/IR/Context.h"
#include "tsc/Runtime/AliasChecker.h"
#include "tsc/Runtime/Module.h"
#include "tsc/Support/Trace.h"
#include "tsc/Transforms/Remarks.h"

namespace tsc {
class Specializer;
}

namespace tsc::run {

/// Arguments of one call, and what it should give.
struct Call {
  std::vector<IValue> args;
  KeywordArguments kwargs;
  std::optional<IValue> expected;
  std::string method; ///< Empty: the entry of the command line.
};

class Program {
public:
  /// `trace` hears of plans, passes and kernels; null for nobody. It outlives the program.
  explicit Program(const Options &options, TraceRecorder *trace = nullptr);
  ~Program();

  /// Fails with a status for what cannot be read; text that does not compile was reported on stderr.
  Status load();
  /// The same for a text: IR if the file's name says so, else source.
  Status load(std::string text);
  /// Compiles every function there is.
  Status compileAll();
  StatusOr<IValue> call(CallContext &context, const Call &call);
  /// The calls that the command line asks for.
  StatusOr<std::vector<Call>> makeCalls(CallContext &context);
  /// Freezes the archive's module for these calls, and says what it did when the command line asks.
  Status freezeFor(llvm::ArrayRef<Call> calls);
  bool reportedErrors() const { return diags.hasErrors(); }
  Context &getContext() { return context; }
  const FuserCounters *fuserCounters() const { return fuser ? &fuser->counters() : nullptr; }
  /// Waits for the plans and kernels that calls have asked for so far.
  void finishCompiling();

private:
  /// A function, or the name of the module's method.
  struct Entry {
    Function *function;
    std::string method;
    bool isCallOfModule = false; ///< No method was named: `forward` with its hooks.
  };
  StatusOr<Entry> findEntry(llvm::StringRef name);
  /// Compiles what will be called, so that a wrong program is found before its arguments are made.
  Status prepare(llvm::StringRef name);
  StatusOr<IValue> readInputs();
  Status loadIR(const SourceBuffer &text);
  Status loadSource(const SourceBuffer &text);
  Status loadArchive();
  void prepareCode(CodeCache &codes);
  Status optimize(Graph &graph);
  void optimizeAhead();
  void specialize();
  CompileMode kernelMode() const;
  void useFuser();
  Function *findFunction(llvm::StringRef name) const;
  StatusOr<std::vector<IValue>> evaluateArgs(CallContext &context);

  const Options &options;
  TraceRecorder *trace;
  Context context;
  DiagnosticEngine diags;
  CompilationUnit unit;
  Compiler compiler;
  Optimizer optimizer;
  Remarks remarks; ///< Of what runs.
  AliasChecker aliasChecker;
  std::shared_ptr<CpuFuser> fuser;
  CodeCache plans;   ///< Of functions that plans call.
  CodeCache written; ///< What failed calls are repeated with, where `cache` holds optimized code.
  CodeCache cache;
  Specializer *specializer = nullptr; ///< The cache's.
  std::vector<Function *> functions;  ///< What a file of functions offers, in its order.
  std::optional<Module> module;       ///< What an archive holds.
};

/// Writes a value as torch.save does.
Status saveResult(const std::string &path, const IValue &value);

} // namespace tsc::run

#endif
