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
class Compiler;
class Context;
class FunctionSchema;
class Generator;
struct PythonCode;
struct SaveOptions;
struct StateGuard;
struct StateWrites;
struct TracedGraph;
struct TraceCheckOptions;
struct TraceCheckReport;
struct TraceOptions;

/// A TorchScript program that can be called, with the compiler and the code caches that it needs. It is loaded from
/// source (`.py`), graphs (`.ir`) or an archive (a file of any other name).
///
/// Ownership: owns its Context, and with it every type and graph; shares its fusers. Only tensors and numbers that it
///            returns may be used after it is gone, and what shares it: forks, and what findModule(), createModule(),
///            object() and keep() return.
/// Threads:   `find`, `run`, `writes`, `readState`, `tryReadState`, `writeState`, `fork`, `module`, `findModule`,
/// `object`, `keep` and
///            `finishCompiling` may be called from many threads at once, each with a CallContext of its own. A call
///            that writes the program's state runs alone (see writes()). Calls that are made through a Module are not
///            counted, so they are for programs that write no state. While any other function runs, no other thread may
///            use the program.
/// Forks:     the child of a fork(2) can go on calling the program: code compiled before the fork stays, and more is
///            compiled when it is needed. See `status` for the exception.
/// Errors:    NotFound (no such file, function, method or module), InvalidArgument (text that does not compile),
///            DataLoss, Unimplemented and PermissionDenied (see Archive.h). A failed run returns the status of the
///            operator or statement that failed, with the TorchScript call stack in its message (Exceptions.h). A call
///            that would run beside one that writes what it uses is FailedPrecondition before anything runs.
class Program {
public:
  /// Loads the file at `path`.
  static StatusOr<Program> load(const std::string &path, EngineOptions options = {});
  /// Loads a file from memory (Bytes are of Serialization/Zip.h). `name` stands for its path: the ending says what the
  /// file holds, and messages name it. Weights of an archive borrow the bytes where those have a keeper; without one,
  /// the bytes outlive the program and weights are copied.
  static StatusOr<Program> load(Bytes file, llvm::StringRef name, EngineOptions options = {});
  /// Loads a file that may be wrong and compiles as much of it as it can, for tools that show programs and do not call
  /// them. Only `onDiagnostic` hears what is wrong. Types and graphs that observers heard of live as long as the
  /// Program does.
  static Program inspect(Bytes file, llvm::StringRef name, EngineOptions options);
  /// Returns a program that shares this one's code and the parameters of its module, and has copies of its buffers and
  /// other attributes, so that calls of the two may run at the same time. Parameters that the code may write are copied
  /// too. Constants of the code are shared: where the code writes some, one call of all the forks runs at a time. The
  /// fork of a program without a module shares everything with it. FailedPrecondition where a call that writes is under
  /// way. Unimplemented for a source file that made modules when it was run; a module of it that was saved as an
  /// archive can be forked.
  StatusOr<Program> fork() const;
  /// Returns a fork whose module is a deep copy of `module`, which is one of this program's. It has the errors of
  /// fork().
  StatusOr<Program> forkCopy(const Module &module) const;
  /// Returns a fork whose module is what Module::freeze() makes of `module`, which is one of this program's and stays
  /// as it is. Its code is optimized like the program's, without the steps that round otherwise. No call may be under
  /// way. It has the errors of fork() and of Module::freeze(), and InvalidArgument for a frozen module.
  StatusOr<Program> forkFrozen(const Module &module, llvm::ArrayRef<std::string> methods,
                               std::vector<std::string> keep) const;
  Program(Program &&);
  Program &operator=(Program &&);
  /// No call may be under way. Where no fork is left, waits for the plan that is being made and drops those not begun.
  ~Program();

  Context &context() const;
  const EngineOptions &options() const;
  /// Returns the random generator with which a source file made its modules, or null where no file was run. Calls that
  /// use it (CallContext::setGenerator) draw the numbers that they would draw in Python.
  Generator *generator() const;

  //===-- What there is to call ---------------------------------------------===//

  class GuardedEntry;
  /// A function, method or main block of a program that run() can call. Valid as long as the program.
  class Entry {
  public:
    /// Returns the name of the function or method, without its module: "forward".
    llvm::StringRef name() const { return entryName; }
    /// Returns the declared signature. A method's first argument is `self`, which run() supplies.
    const FunctionSchema &schema() const;
    /// Whether it is the main block of a source file, which has no result.
    bool isMainBlock() const { return isScript && entryName == "__main__"; }

  private:
    friend class Program;
    Function *function = nullptr; ///< Freezing makes new graphs for functions, and no new functions.
    std::string entryName;
    bool isMethod = false;
    bool withHooks = false;     ///< Whether calls run the module's hooks before and after `forward`.
    bool isScript = false;      ///< Whether the evaluator runs it, as Python would.
    Ref<ObjectValue> target;    ///< The module that a method is called on, where it is not the program's own.
    std::optional<Module> fork; ///< The module of the fork that a method was found in.
    bool withSelf = false;      ///< Whether it is a function whose first argument is the module.
    /// What is known of the entry's writes, shared by its copies; null where the evaluator runs it
    /// and where calls are not counted.
    std::shared_ptr<GuardedEntry> guarded;
  };
  /// Finds a function of a file, or a method of an archive's module, by name: `f`, `__torch__.f`. An empty name stands
  /// for the archive's module itself, so that its hooks run; in a file of functions for `forward`, else `main`, else
  /// the only function.
  ///
  /// A source file that defines modules was run by load(), as Python runs it. There `name` may also be a module that
  /// the file's code made, or a class of modules that needs no arguments (one is made then), alone or followed by a
  /// method: `model`, `Net.encode`. There an empty name stands for the block `if __name__ == "__main__":`, else a
  /// function `forward` or `main`, else the last module that the file made, else a new one of its last class.
  ///
  /// Compiles the function and all that it can be seen to call, so that whether a program is refused does not depend on
  /// what runs first. Of an archive it compiles the method alone. NotFound: there is no such function; InvalidArgument:
  /// it does not compile.
  StatusOr<Entry> find(llvm::StringRef name = "") const;
  /// Finds what to run where nobody names a function or has arguments for one. A source file that prints at its top
  /// level or calls its functions there is run from top to bottom, as its main block, unless it has a `forward` or a
  /// `main`, or its only function needs no arguments. Everything else is as in find().
  StatusOr<Entry> findWithoutArguments() const;
  /// Returns an entry that takes the arguments of `entry`, runs it without hooks, and returns a list with the gradient
  /// of the sum of all its results by each of `arguments` (numbers of arguments; 0 is the first one behind `self`).
  /// InvalidArgument: one of them is no tensor, does not exist or is named twice, or `entry` returns no tensor;
  /// Unimplemented: a result holds tensors in lists or dicts, or `entry` is run as Python.
  StatusOr<Entry> differentiate(const Entry &entry, llvm::ArrayRef<unsigned> arguments);
  /// Returns the functions that a file defines, in its order. An archive has none.
  llvm::ArrayRef<Function *> functions() const;
  /// Returns the archive's module, or its frozen form after freeze(), or null where the program is no archive. It runs
  /// its methods through the program's code. Copies of it do not keep the program alive.
  const Module *module() const;
  /// Returns a module within module() by its path, such as `encoder.layers.0`, or NotFound. The empty path is that of
  /// module() itself. What is returned keeps the program's code alive, like all that it returns in turn.
  StatusOr<Module> findModule(llvm::StringRef path) const;
  /// Returns an object that a call returned, with its attributes and methods, in the same way. InvalidArgument for
  /// another value.
  StatusOr<Object> object(const IValue &value) const;
  /// Returns a value of the program that may be used when the Program is gone, of whatever type it is.
  StrongValue keep(IValue value) const;
  /// Makes a class of modules and a module of it, as Module::create() does.
  StatusOr<Module> createModule(llvm::StringRef className, bool mangle = false);
  /// Makes a module of a class of the program, whose attributes are all None: they are to be set before a call.
  /// InvalidArgument for a class of other objects.
  StatusOr<Module> createModule(const ClassType &type);
  /// Compiles every function and method of the program.
  Status compileAll();

  //===-- Definitions of a host ---------------------------------------------===//

  /// Calls `declare` with the program's compiler, which may declare functions and classes that are handed in one by one
  /// (tsc/Frontend/HostDefinitions.h), and compile them. No body is compiled by others meanwhile.
  /// InvalidArgument, with the errors, where `declare` returns false or there were any. `declare` must not use the
  /// program.
  Status define(llvm::function_ref<bool(Compiler &compiler)> declare);
  /// Returns an entry that runs a function which was declared by define(), compiled with all that it can be seen to
  /// call. InvalidArgument: it does not compile.
  StatusOr<Entry> entryOf(Function &function) const;
  /// Returns the entry for a method of an object of the program that define() or a call made; the empty name stands for
  /// `forward` with its hooks. NotFound: it has no such method; InvalidArgument as above.
  StatusOr<Entry> entryOf(const Ref<ObjectValue> &object, llvm::StringRef method) const;
  /// Returns the module object to write to an archive: one without attributes, whose `forward` is a function of the
  /// program's.
  StatusOr<IValue> moduleToSave(Function &function);

  //===-- What an archive says of itself ------------------------------------===//

  /// Returns the version of the archive's format, or 0 for source and graphs.
  int64_t formatVersion() const;
  /// Returns the names of the files in the archive's folder `extra/`.
  llvm::ArrayRef<std::string> extraFileNames() const;
  /// Returns the contents of the file with this number among extraFileNames(). They live as long as the program.
  llvm::StringRef extraFile(size_t index) const;
  /// Returns the `__setstate__` methods of the archive's objects, each with the number of objects that it was called
  /// for, or would have been where it may not run.
  llvm::ArrayRef<std::pair<Function *, unsigned>> stateMethods() const;

  //===-- Calls -------------------------------------------------------------===//

  /// Calls an entry and returns its result, or None where it has none. Arguments are converted as PyTorch converts
  /// those of Python (bindArguments).
  StatusOr<IValue> run(CallContext &call, const Entry &entry, std::vector<IValue> args,
                       KeywordArguments kwargs = {}) const;
  /// What calls of a program may write: for state and for arguments, the first place in any function that can be called
  /// that writes some, such as "'self.n = x' (code/m.py:3)", or "" where none does. Code that cannot be followed counts
  /// as writing.
  struct Writes {
    /// Where a call writes attributes, what they hold, or constants of the code. Such a call runs alone: one that comes
    /// meanwhile is FailedPrecondition, so that each thread needs a fork() of its own. What it returns may be a part of
    /// the state.
    std::string state;
    /// Where a call writes to an argument. Then no value may be given to two calls at the same time.
    std::string arguments;
  };
  /// Returns what calls of the program may write. The program is analyzed when this is first asked, or two calls first
  /// run at the same time, and again after a host has changed the module. Where it was not analyzed yet and a call is
  /// under way, waits for the end of that call.
  Writes writes() const;
  /// Calls `read`, which may read attributes of the module and must not call the program, while no call writes them.
  /// FailedPrecondition where a call that writes them is under way.
  Status readState(llvm::function_ref<void()> read) const;
  /// Reads in the same way if that needs no waiting, and returns whether it did.
  bool tryReadState(llvm::function_ref<void()> read) const;
  /// Calls `write`, which may set attributes of the module, or of objects in it, and must not call the program, between
  /// calls: it waits for the end of those that are counted (EngineOptions::counted), and new ones wait for it. While it
  /// waits it calls `isInterrupted` now and then, and ends with what that returns if it is no success.
  /// FailedPrecondition in the midst of a call of the same thread beside which others may run.
  Status writeState(llvm::function_ref<void()> write, llvm::function_ref<Status()> isInterrupted = nullptr) const;
  /// Writes in the same way if that needs no waiting, and returns whether it did.
  bool tryWriteState(llvm::function_ref<void()> write) const;

  /// Finds the entry called `name` and calls it. Calls that are repeated save time with one find().
  StatusOr<IValue> run(CallContext &call, llvm::StringRef name, std::vector<IValue> args,
                       KeywordArguments kwargs = {}) const;
  /// Returns the values of TorchScript expressions that commas separate. They may name the functions of a source file.
  /// They are not optimized, and observers do not hear of them. `origin` names the text in messages.
  StatusOr<std::vector<IValue>> evaluate(CallContext &call, std::string expressions, llvm::StringRef origin);
  /// Replaces the archive's module by one frozen for `methods` (Module::freeze). From then on functions are optimized
  /// by the pipeline for frozen ones. Forks that exist stay as they were. InvalidArgument for a fork, and for a program
  /// without a module.
  Status freeze(llvm::ArrayRef<std::string> methods, std::vector<std::string> keep = {},
                std::vector<AttributeFate> *fates = nullptr);

  //===-- Writing -----------------------------------------------------------===//

  /// Returns the module object to write to an archive. Without `entry` that is the archive's module (or its frozen
  /// form) or, of a file that was run, the last module that it made. `entry` may name another module of that file, or a
  /// function, which becomes the `forward` of a new module without attributes. Where `entry` is empty and a file of
  /// several functions has neither `forward` nor `main`, all its functions become methods of one such module.
  StatusOr<IValue> moduleToSave(llvm::StringRef entry = "");
  /// Calls an entry as run() does and returns the trace: a graph without loops and branches, in which calls of
  /// functions stay, and calls of methods of modules are traced (GraphTracer.h). It has the inputs of the entry's
  /// function, `self` among them.
  ///
  /// Errors: those of the call and of traceGraph(); Unimplemented for an entry that is run as Python, for one that runs
  ///         hooks, and for a frozen module.
  StatusOr<TracedGraph> trace(CallContext &call, const Entry &entry, std::vector<IValue> args, KeywordArguments kwargs,
                              const TraceOptions &options) const;
  /// Runs a trace and the entry that it is of on copies of the arguments and of the module, and compares them
  /// (TraceCheck.h). Errors: those of trace().
  StatusOr<TraceCheckReport> checkTrace(CallContext &call, const Entry &entry, const TracedGraph &trace,
                                        std::vector<IValue> args, KeywordArguments kwargs,
                                        const TraceCheckOptions &options) const;
  /// Returns the module object to write to an archive whose entry is the trace, which is moved away. Of a method that
  /// is the program's module, whose method has the trace as its body from now on, and so have the methods of modules
  /// that the trace calls (makeTracedMethods()), also where other modules of the program call them; calls that were
  /// made before may have left code that does the same. A function becomes the `forward` of a new module, as in
  /// moduleToSave(). No call may be under way.
  /// InvalidArgument for a fork, and for the trace of an entry with other parameters.
  StatusOr<IValue> tracedModule(const Entry &entry, TracedGraph &&trace);
  /// Returns the archive's module frozen, to be written to an archive. It has `forward`, its hooks and the methods that
  /// `keep` names, the attributes that `keep` names, and those that these methods use.
  StatusOr<IValue> freezeToSave(llvm::ArrayRef<std::string> keep = {});
  /// Simplifies, in place, the methods of a module and of all modules in it. Level 1 folds constants and drops unused
  /// code. Level 2 inlines calls first, and does what optimization level 2 does as far as TorchScript source can
  /// express it. Other levels are InvalidArgument.
  Status optimizeToSave(const IValue &module, unsigned level);
  /// Converts, in place, the floating-point tensors that a module and the objects in it hold as attributes to `dtype`.
  Status convertWeights(const IValue &module, DType dtype);
  /// Returns the bytes of an archive of a module of this program (ArchiveWriter.h). `__getstate__` methods run where
  /// EngineOptions::allowSetState permits it, or where they only move values.
  StatusOr<std::string> save(const IValue &module, SaveOptions options);
  /// Returns the code of a module of this program as TorchScript source (PythonPrinter.h).
  StatusOr<PythonCode> source(const IValue &module);

  /// Returns whether the program can be used: Unimplemented in the child of a fork(2) that happened while another
  /// thread was in a call of this program or of a fork of it, and OK otherwise. In such a child all functions that can
  /// fail return that error.
  Status status() const;
  /// Waits for the plans and kernels that calls have asked for so far. A plan asks for its kernels when it first runs.
  void finishCompiling() const;

private:
  friend class Prompt;
  struct Impl;
  explicit Program(std::shared_ptr<Impl> impl);
  Status readWithinLimits(Bytes file, bool inspects);
  const std::shared_ptr<StateGuard> &guard() const;
  /// Returns the entry that `look` finds, compiled; one thread looks at a time.
  StatusOr<Entry> entryFrom(llvm::function_ref<StatusOr<Entry>()> look) const;
  const StateWrites &stateWrites() const;
  Program forkAround(Module module) const;
  std::shared_ptr<Impl> impl;           ///< Shared by a program and its forks.
  std::optional<Module> own;            ///< The module of a fork; empty for other programs.
  std::shared_ptr<StateGuard> ownGuard; ///< The guard of a fork, shared with its entries; null for other programs.
};

/// Whether a failure only repeats errors that EngineOptions::onDiagnostic was called with.
bool wasDiagnosed(const Status &status);

} // namespace tsc

#endif
