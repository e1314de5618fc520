//===- ProgramImpl.h - What a program is made of ----------------*- C++ -*-===//
#ifndef TSC_LIB_ENGINE_PROGRAMIMPL_H
#define TSC_LIB_ENGINE_PROGRAMIMPL_H

#include "DiagnosticSink.h"
#include "HostFiles.h"
#include "Optimizer.h"
#include "SourceHost.h"
#include "TapedCalls.h"
#include "tsc/Engine/Program.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/IR/Context.h"
#include "tsc/Runtime/AliasChecker.h"
#include "tsc/Serialization/Zip.h"
#include "tsc/Support/ForkSafety.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tsc {

class StateUse;
struct SaveOptions;
enum class StateAccess : uint8_t;
class StateTurn;
struct StateWrites;

/// Members stand in the order in which they need each other: what goes last was made first. The executor, whose threads
/// use all above it, goes before they do.
///
/// A `const` Program has a pointer to one that is not: what calls learn (code, plans, what entries write) is for calls
/// to come, and changes nothing that they can tell.
struct Program::Impl final : ObjectUnit {
  /// A new one, for a program and its forks. In the child of a fork(2) that has lost it, it is never destroyed: its
  /// locks may be held for ever.
  static std::shared_ptr<Impl> make(llvm::StringRef name, EngineOptions options);
  Impl(llvm::StringRef name, EngineOptions options);

  CompilationUnit &compilationUnit() override { return unit; }
  Function *declareMethod(const ClassType &type, llvm::StringRef name) override;
  Status define(ClassType &type, llvm::StringRef source) override;
  StatusOr<std::string> saveObject(const IValue &object) override;
  /// Returns this as the unit of objects that must not keep it alive, because it has them.
  std::shared_ptr<ObjectUnit> borrowed() { return std::shared_ptr<ObjectUnit>(std::shared_ptr<void>(), this); }
  /// Returns the bytes of an archive of a module of this program (Program::save).
  StatusOr<std::string> save(const IValue &module, SaveOptions options);

  /// Reads a file of the kind that its name tells: source (.py), graphs (.ir), or else an archive.
  Status load(Bytes file);
  /// Compiles Python source, and runs what stands outside of functions. Fails after diagnostics.
  Status loadSource(const SourceBuffer &text);
  /// Finds the file of an imported module, `a.b` as a/b.py or a/b/__init__.py, in the folder that the options name.
  Compiler::FoundFile findImported(llvm::StringRef module);
  /// Lets code import files of the folder that the options name.
  void findFiles();
  /// Parses graphs, each of which becomes a function. Fails after diagnostics.
  Status loadGraphs(const SourceBuffer &text);
  /// Reads an archive as torch.jit.save writes it, and makes its module.
  Status loadArchive(Bytes file);

  /// Finds a method of the archive's module, or of a fork's; "" is forward with its hooks. NotFound names those that
  /// there are.
  StatusOr<Entry> findMethod(const Module &owner, llvm::StringRef method) const;
  /// Finds an entry of a file that was run: a function, a module, a method, or its main block.
  StatusOr<Entry> findInSource(llvm::StringRef name);
  /// Finds a method of an object that a file made; "" is forward with its hooks.
  StatusOr<Entry> methodOf(const Ref<ObjectValue> &object, llvm::StringRef method);
  /// Finds a function by its name or qualified name. NotFound names those that there are.
  StatusOr<Entry> findFunction(llvm::StringRef function) const;
  /// Makes a module that offers the program's functions as methods, for saving a program without a module. Where `main`
  /// is not null, the module offers that function alone, as forward, and is the same one each time.
  StatusOr<IValue> makePlaceholder(Function *main);
  /// Compiles what the entry needs, once.
  Status compile(const Entry &entry);
  /// Compiles a function and what it calls, or returns what came of it before.
  Status compileOnce(Function &function);
  /// Returns what TapedCalls asks for code that a file runs outside of functions: it compiles a function, and tells
  /// whether compiled code may ask for gradients.
  TapedCalls::MayAsk whoMayAsk();
  /// The module that an entry is called on: a fork's own, or the archive's; null where there is none.
  const Module *ownerOf(const Entry &entry) const { return entry.fork ? &*entry.fork : module ? &*module : nullptr; }
  /// Finds the graph of an entry that can be traced, and puts the arguments in the order of its inputs.
  StatusOr<const Graph *> bindToTrace(CallContext &context, const Entry &entry, std::vector<IValue> &args,
                                      const KeywordArguments &kwargs) const;
  /// Calls a compiled entry, with its hooks, through the executor or one of its parts.
  StatusOr<IValue> call(const GraphExecutor &through, CallContext &context, const Entry &entry,
                        std::vector<IValue> &&args, const KeywordArguments &kwargs) const;
  /// Lets the evaluator run an entry, as Python would.
  StatusOr<IValue> evaluate(CallContext &context, const Entry &entry, std::vector<IValue> args,
                            KeywordArguments kwargs);
  /// Why something does not compile: the errors that were heard after the first `skipped`, or else all errors, or else
  /// `otherwise`.
  Status refusal(size_t skipped, const llvm::Twine &otherwise) const;

  /// Unimplemented where a fork(2) has left the program in an unknown state.
  Status checkWhole() const { return forkDomain.isLost() ? lostInFork() : okStatus(); }

  ForkDomain forkDomain; ///< What calls lock: all of this.
  Context context;
  const EngineOptions options; ///< A fuser in it goes before the Context.
  const std::string name;
  DiagnosticSink sink;
  DiagnosticEngine errors;  ///< The compiler's, which bodies are compiled with one at a time.
  DiagnosticEngine remarks; ///< The optimizer's, which runs in another thread than the compiler may.
  CompilationUnit unit;
  Compiler compiler;
  Optimizer optimizer;
  std::optional<AliasChecker> aliasChecker;
  std::vector<Function *> functions; ///< What a file of functions offers, in its order.
  std::optional<Module> module;      ///< What an archive holds.
  /// The devices that had an archive's storages, where they are kept.
  std::vector<std::pair<Ref<Storage>, std::string>> locations;
  int64_t formatVersion = 0;
  std::vector<std::string> extraFileNames;
  std::vector<Bytes> extraFiles; ///< Their contents, in the same order.
  std::vector<std::pair<Function *, unsigned>> stateMethods;
  bool isSource = false; ///< A text of the user's, which may have files where the host says so.
  /// Typed behind the program, whose author knows where it runs.
  llvm::DenseSet<const SourceBuffer *> typedTexts;
  mutable HostFiles files;
  /// Returns the files that calls are lent, or null where the program may touch none.
  FileAccess *lentFiles() const { return isSource && options.allowFiles ? &files : nullptr; }
  SourceHost sourceHost; ///< Serves a file that makes modules: what its code asks of the host.
  /// Held while the evaluator runs an entry or a constructor: its objects are the program's. Locked before `finding`.
  mutable std::recursive_mutex evaluation;
  /// Locks `evaluation` where the program's code made modules, so that looking for an entry may run some of it.
  std::unique_lock<std::recursive_mutex> lockEvaluation() {
    using Lock = std::unique_lock<std::recursive_mutex>;
    return compiler.wasRun() ? Lock(evaluation) : Lock();
  }
  std::mutex offering;                             ///< Guards `placeholders`, and is held while one is made.
  llvm::DenseMap<Function *, IValue> placeholders; ///< Modules that offer one function alone.
  std::mutex mutex;                                ///< Guards `compiled`; not held while something is compiled.
  /// Held while an entry is looked for: the compiler makes modules and declares methods when they are first asked for.
  std::recursive_mutex finding;
  llvm::DenseMap<const Function *, Status> compiled;

  GraphExecutor executor; ///< Runs all functions, of forks too.

  //===-- Calls that write (StateGuard.h) -----------------------------------===//

  std::shared_ptr<StateGuard> guard; ///< Guards the archive's module or the file's functions; forks have their own.
  /// Counts what hosts change of modules, which what is known of writes depends on.
  mutable std::atomic<uint32_t> moduleVersion{1};
  std::vector<Function *> gradientFunctions; ///< Made by differentiate().

  /// Returns what is known of an entry's writes, which is kept with the guard. The guard lives as long as the result.
  std::shared_ptr<GuardedEntry> guardedEntry(const Entry &entry, const std::shared_ptr<StateGuard> &guard) const;
  /// Waits until it is known whether the call may run beside those under way. FailedPrecondition: it may not.
  Status enter(StateUse &use, const Entry &entry, CallContext &call) const;
  /// Waits until the call, which may do anything, runs alone. FailedPrecondition as with enter().
  Status enterAlone(StateUse &use, CallContext &call) const;
  /// Finds out what the entry writes. The caller keeps calls away that may write.
  StateAccess judge(const Entry &entry) const;
  /// Judges what one look tells, and, where calls may wait for each other, all else before there are any.
  void judgeEarly(const Entry &entry) const;
  /// An operator of the host's may wait for another call, which must not wait in turn until it is known what this one
  /// writes.
  bool mayCallsMeet() const { return !options.hostOperators.empty(); }
  /// Returns the functions that a call of the entry runs: its own, and those of forward's hooks.
  llvm::SmallVector<Function *, 2> functionsOf(const Entry &entry) const;
  /// The guard's lock is held.
  const StateWrites &factsOf(StateGuard &guard, const Module *owner) const;
  /// Makes the guard of a module; one of a fork that shares what it writes takes turns with others.
  std::shared_ptr<StateGuard> makeGuard(std::shared_ptr<StateTurn> turn = nullptr) const;
  /// Returns the FailedPrecondition for a call that meets one which writes, and names what is written.
  Status isBusy(StateGuard &state) const;
  void noteModuleChange() const { moduleVersion.fetch_add(1, std::memory_order_relaxed); }

  /// Whether a body was typed behind the program.
  bool isTyped(const Graph &body) const;
  /// What the options say about operators, for a body that came to be.
  llvm::LogicalResult admit(Function &function);
  /// Registers the operators that the host brings along. Fails for a schema that does not parse or is there already.
  Status registerHostOperators();
  /// Opens the device that the options name, if they name one, and sets `placement`.
  Status openDevice();
  const DeviceMemory *placement = nullptr; ///< Memory of the device that the program runs on; null: the processor's.

private:
  Status lostInFork() const;
  Status optimize(Graph &graph);
  GraphExecutorOptions executorOptions();
};

/// Whether a `__setstate__` or `__getstate__` only moves values, as those of PyTorch's quantized modules do: in few
/// steps, without loops, making none but PyTorch's own packed ones. It ends then, soon, and takes no memory.
bool isPlain(Function &stateMethod);

/// Marks a failure as one that says no more than diagnostics did (wasDiagnosed), and returns it.
Status asDiagnosed(Status status);

} // namespace tsc

#endif
