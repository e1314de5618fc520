//===- Program.h - A loaded program, whatever it came from ------*- C++ -*-===//
//
//   EngineOptions options;
//   options.fusers.add(DeviceKind::CPU, createCpuFuser()); // links tsc::FuserCPU; may be left out
//   TSC_ASSIGN_OR_RETURN(Program program, Program::load("model.pt", std::move(options)));
//   TSC_ASSIGN_OR_RETURN(Program::Entry forward, program.find());
//   CallContext call(program.context());
//   TSC_ASSIGN_OR_RETURN(IValue y, program.run(call, forward, {x}));
//
//===----------------------------------------------------------------------===//
#ifndef TSC_ENGINE_PROGRAM_H
#define TSC_ENGINE_PROGRAM_H

#include "tsc/Engine/EngineOptions.h"
#include "tsc/Runtime/Module.h"

namespace tsc {

struct Bytes;
class Context;
class FunctionSchema;
class Generator;
struct PythonCode;
struct SaveOptions;
struct StateGuard;
struct StateWrites;

/// TorchScript that can be called: source (`.py`), graphs (`.ir`) or an archive (a file of any other name), with the
/// compiler and the code caches that it needs.
///
/// Ownership: owns its Context, and with it every type and graph; shares its fusers. Nothing that it gives, results
///            with types of its own included, may be used after it is gone, save tensors and numbers.
/// Threads:   `find`, `run`, `writes`, `readState`, `fork`, `module`, `findModule` and `finishCompiling` may be called
///            from many threads at once, each with a CallContext of its own. A call that writes the program's state
///            runs alone (see writes()). Calls that are made through a Module are not counted: they are for programs
///            that write none. The others want the program for themselves.
/// Forks:     the child of a fork(2) goes on with the program, with what was compiled before and compiles later. See
///            `status`.
/// Errors:    NotFound (no such file, function, method or module), InvalidArgument (text that does not compile),
///            DataLoss, Unimplemented and PermissionDenied (see Archive.h). A failed run has the status of what failed,
///            with the TorchScript call stack in its message (Exceptions.h); FailedPrecondition, before anything ran:
///            it would have run beside a call that writes what it uses.
class Program {
public:
  static StatusOr<Program> load(const std::string &path, EngineOptions options = {});
  /// Bytes are of Serialization/Zip.h. `name` stands for the path: its ending tells what the bytes are, and messages
  /// name it. Weights of an archive borrow the bytes where a keeper is given; without one, the bytes outlive the
  /// program and weights are copied.
  static StatusOr<Program> load(Bytes file, llvm::StringRef name, EngineOptions options = {});
  /// A text that may be wrong, compiled as far as it can be, for tools that show programs and run nothing of them but
  /// what loading runs: what is wrong is told to `onDiagnostic` alone. Types and graphs that observers heard of live as
  /// long as the Program does.
  static Program inspect(Bytes file, llvm::StringRef name, EngineOptions options);
  /// A program that shares this one's code, as far as it is compiled now or later, and the parameters of its module,
  /// and has buffers and other attributes of its own, which are now as this one's are: calls of the one do not meet
  /// those of the other. Parameters that its code may write are its own too; a program that writes constants of its
  /// code, which forks share, runs one call of all its forks at a time. Of a program without a module, the same one
  /// again. FailedPrecondition: a call that writes is under way. Unimplemented for a file whose modules were made by
  /// running it: its objects would be shared. (What is saved of it can be forked.)
  StatusOr<Program> fork() const;
  Program(Program &&);
  Program &operator=(Program &&);
  /// The last of a program and its forks waits for a plan that is being made; others are dropped. No call may be under
  /// way.
  ~Program();

  Context &context() const;
  const EngineOptions &options() const;
  /// The random numbers with which a source file made its modules: calls that go on with them draw what they would draw
  /// in Python. Null for a program that made none.
  Generator *generator() const;

  //===-- What there is to call ---------------------------------------------===//

  class GuardedEntry;
  /// What can be called.
  class Entry {
  public:
    /// Of a method, without `self`.
    llvm::StringRef name() const { return entryName; }
    /// As it was declared: a method's first argument is `self`, which run() supplies.
    const FunctionSchema &schema() const;
    /// Whether it is the main block of a source file, which has no result.
    bool isMainBlock() const { return isScript && entryName == "__main__"; }

  private:
    friend class Program;
    Function *function = nullptr; ///< As the program was loaded: freezing makes other graphs, and no other functions.
    std::string entryName;
    bool isMethod = false;
    bool withHooks = false;     ///< The module itself: `forward` with its hooks.
    bool isScript = false;      ///< Run by the evaluator.
    Ref<ObjectValue> target;    ///< Of a method: the module, where it is not the program's own.
    std::optional<Module> fork; ///< Of a fork's method: its module.
    bool withSelf = false;      ///< A function whose first argument is the module.
    /// What is known of its writes, shared by the copies of this; null for what the evaluator runs.
    std::shared_ptr<GuardedEntry> guarded;
  };
  /// The function of a file, or the method of an archive's module, by name: `f`, `__torch__.f`. Without a name, what
  /// the program is: a module itself, so that its hooks run, else `forward`, else `main`, else the only function.
  ///
  /// A file that defines modules was run by load(), as Python runs it. There a name may also be that of a module that
  /// its code made, or of a class of modules that needs no arguments (one is made then), alone or with a method's:
  /// `model`, `Net.encode`. Without a name it is its `if __name__ == "__main__":`, else the last module that it made,
  /// else one of its last class.
  ///
  /// Compiles it with all that it can be seen to call, so that whether a program is refused does not depend on what
  /// runs first; of an archive, which was compiled once, the method alone. An Entry stays valid as long as the program.
  StatusOr<Entry> find(llvm::StringRef name = "") const;
  /// What there is to run where nobody names a function or has arguments for one: the top level of a source file that
  /// prints there or calls its functions, and has no `forward` and no `main`, as its main block. Else as find().
  StatusOr<Entry> findWithoutArguments() const;
  /// A call of `entry`, without hooks, that gives the gradients of the sum of all its results by these arguments
  /// (0: the first one, `self` not counted), a list in their order. InvalidArgument: one of them is no tensor;
  /// Unimplemented: a result holds tensors in lists or dicts, or the entry is run as Python.
  StatusOr<Entry> differentiate(const Entry &entry, llvm::ArrayRef<unsigned> arguments);
  /// What a file offers, in its order; none of an archive.
  llvm::ArrayRef<Function *> functions() const;
  /// The archive's module, frozen if it has been; null for a file of functions. It runs its methods through the
  /// program's code.
  const Module *module() const;
  /// A module within that one: `encoder.layers.0`.
  StatusOr<Module> findModule(llvm::StringRef path) const;
  /// Compiles every function and method there is.
  Status compileAll();

  //===-- What an archive says of itself ------------------------------------===//

  /// The version of its format; 0 for source and graphs.
  int64_t formatVersion() const;
  /// The names of its files below extra/.
  llvm::ArrayRef<std::string> extraFileNames() const;
  /// The `__setstate__` methods that loading ran, or would have run, and for how many objects each.
  llvm::ArrayRef<std::pair<Function *, unsigned>> stateMethods() const;

  //===-- Calls -------------------------------------------------------------===//

  StatusOr<IValue> run(CallContext &call, const Entry &entry, std::vector<IValue> args,
                       KeywordArguments kwargs = {}) const;
  /// What calls of the program may write, of all methods or functions that can be called: the first line that does, or
  /// "" where none does. What cannot be followed counts as writing.
  struct Writes {
    /// Attributes and what they hold, and constants of the code. Such calls run alone: one that comes meanwhile is
    /// FailedPrecondition, and each thread wants a fork() of its own. What they return may be a part of the state.
    std::string state;
    /// What a call is given. Then no value may be given to two calls at the same time.
    std::string arguments;
  };
  /// Looks at the program when it is first asked, or when two calls first run at the same time; again after a host has
  /// changed the module. Nobody has looked, and a call is under way: waits for its end.
  Writes writes() const;
  /// Calls `read`, which reads attributes of the module and does not call the program, while no call runs that writes
  /// them. FailedPrecondition: one is under way.
  Status readState(llvm::function_ref<void()> read) const;

  /// Finds the entry first: for calls that are repeated, find() once.
  StatusOr<IValue> run(CallContext &call, llvm::StringRef name, std::vector<IValue> args,
                       KeywordArguments kwargs = {}) const;
  /// The values of TorchScript expressions between commas, in which the functions of a source file can be named. They
  /// are no part of the program: they are not optimized and nobody observes them. `origin` names the text in messages.
  StatusOr<std::vector<IValue>> evaluate(CallContext &call, std::string expressions, llvm::StringRef origin);
  /// Puts the module frozen for these methods in the place of the archive's (Module::freeze). From then on functions
  /// are optimized by the pipeline for frozen ones. Forks stay as they were; one cannot be frozen (InvalidArgument).
  Status freeze(llvm::ArrayRef<std::string> methods, std::vector<std::string> keep = {},
                std::vector<AttributeFate> *fates = nullptr);

  //===-- Writing -----------------------------------------------------------===//

  /// The object of an archive of this program: the archive's module (frozen if it has been), the module that `entry`
  /// names in a file that was run, or a module without attributes whose `forward` is the function `entry` (without one
  /// that find() knows, whose methods are all functions of the file).
  StatusOr<IValue> moduleToSave(llvm::StringRef entry = "");
  /// The same frozen: with the attributes that its methods use and no others, these methods being `forward`, its hooks
  /// and those that `keep` names beside attributes.
  StatusOr<IValue> freezeToSave(llvm::ArrayRef<std::string> keep = {});
  /// Simplifies the methods of a module and of those within it: 1 folds constants and drops what nobody uses, 2 inlines
  /// calls first, and does what the level of that number does as far as TorchScript has words for it.
  Status optimizeToSave(const IValue &module, unsigned level);
  /// Gives the floating-point tensors that a module and those within it hold another dtype.
  Status convertWeights(const IValue &module, DType dtype);
  /// A module of this program as an archive (ArchiveWriter.h), and its code alone (PythonPrinter.h). `__getstate__`
  /// methods run where EngineOptions::allowSetState says so.
  StatusOr<std::string> save(const IValue &module, SaveOptions options);
  StatusOr<PythonCode> source(const IValue &module);

  /// OK, save in the child of a fork(2) during which another thread was in a call of this program or of a fork of it:
  /// nothing can be done with it then, and all that can fail says so (Unimplemented).
  Status status() const;
  /// Waits for the plans and kernels that calls have asked for so far. A plan's first call asks for its kernels.
  void finishCompiling() const;

private:
  friend class Prompt;
  struct Impl;
  explicit Program(std::shared_ptr<Impl> impl);
  Status readWithinLimits(Bytes file, bool inspects);
  const std::shared_ptr<StateGuard> &guard() const;
  const StateWrites &stateWrites() const;
  std::shared_ptr<Impl> impl;           ///< A fork's and its origin's.
  std::optional<Module> own;            ///< Of a fork.
  std::shared_ptr<StateGuard> ownGuard; ///< Of a fork, shared with its entries.
};

/// Whether a failure says no more than diagnostics did, which onDiagnostic has heard.
bool wasDiagnosed(const Status &status);

} // namespace tsc

#endif
