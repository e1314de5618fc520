//===- Code.h - A graph compiled for the interpreter ------------*- C++ -*-===//
//
// Code is a graph with its control flow flattened to jumps and its values placed
// in the registers of a frame. It is immutable: any number of threads run it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_CODE_H
#define TSC_RUNTIME_CODE_H

#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Dispatch/Fuser.h"
#include "tsc/Support/Status.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <memory>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tsc {

class CallContext;
class CodeCache;
class Context;
class Function;
class Graph;
class Specializer;
struct CodeImpl;

/// Lets operators of the context call code and set gradients (Dispatch/OperatorServices.h). Who compiles code, makes a
/// Tape or folds constants by kernels need not: these do it. A host that calls operators by itself, by callOperator(),
/// does it once, so that operators that are defined by other operators run.
void installOperatorServices(Context &context);

/// The instructions and constants of one function or graph, which the interpreter runs.
///
/// Ownership:  owns its instructions and constants; borrows the graph's Context, the functions it calls and the
///             cache that they are compiled through. The graph itself may go.
/// Threads:    immutable: `run` may be called from many threads at once, each with a CallContext of its own.
/// Errors:     `compile` refuses IR that no program can run. A run fails with the status of the operator that failed,
///             with the TorchScript call stack in its message. It has no outputs then, but the writes that it made
///             stay.
class Code {
public:
  /// Compiles a graph. Functions that it calls are compiled on their first call, through `cache`, which must outlive
  /// the code (as must the graph's Context and the functions). Fails for IR that no program can run (unknown control
  /// flow); an unknown operator fails only when a run reaches it.
  static StatusOr<std::unique_ptr<Code>> compile(const Graph &graph, llvm::StringRef name, CodeCache &cache);
  ~Code();

  llvm::StringRef name() const;
  unsigned numInputs() const;
  unsigned numOutputs() const;
  /// Runs the code with one argument for each input and returns one value for each output. The caller has checked the
  /// arguments' types (bindArguments).
  StatusOr<std::vector<IValue>> run(CallContext &context, std::vector<IValue> args) const;
  /// Prints one line for each instruction: its number, name and operands. `r` marks a register, `c` a constant, and `!`
  /// a register's last use.
  void print(llvm::raw_ostream &os) const;

  const CodeImpl &get() const { return *impl; }

private:
  friend class CodeCache;
  explicit Code(std::unique_ptr<CodeImpl> impl);
  std::unique_ptr<CodeImpl> impl;
};

/// Makes and keeps the Code of functions and graphs, each compiled once.
///
/// Ownership: owns its Codes; borrows the functions, the graphs that it is asked for, and the other caches it is given.
/// Threads:   safe, once it is set up. One thread at a time compiles; others wait only for code that is not there yet.
class CodeCache {
public:
  CodeCache();
  ~CodeCache();
  CodeCache(const CodeCache &) = delete;

  /// Transforms a graph before it is compiled, which is the place for optimization. The cache calls it on a copy of the
  /// graph, one at a time. It has to begin with eraseUnusedOperators(), as every optimization level does; a cache
  /// without a preparation does that itself.
  using Preparation = std::function<Status(Graph &)>;
  void setPreparation(Preparation p) { prepare = std::move(p); }
  /// Is called with each function's Code when it is made.
  using Observer = std::function<void(const Code &)>;
  void setObserver(Observer o) { observer = std::move(o); }
  /// Calls the observer, if there is one.
  void observe(const Code &code) const {
    if (observer)
      observer(code);
  }

  /// Sets the fusers that compile the fusion groups of code made from now on. Without one, groups run as their plain
  /// nodes.
  void setFusers(FuserRegistry registry) { fusers = std::move(registry); }
  const FuserRegistry &fuserRegistry() const { return fusers; }

  /// Sets the specializer that makes plans for call(). Without one, every call runs the code of get().
  void setSpecializer(std::unique_ptr<Specializer> s);
  /// Lets code made from now on set CallContext::isObserved before it has an effect that can be seen from outside.
  void trackEffects() { tracksEffects = true; }
  bool areEffectsTracked() const { return tracksEffects; }
  /// Sets the cache that has the same functions as they are written, for a cache whose preparation optimizes. call()
  /// repeats failed calls with its code. Needs trackEffects().
  void setAsWritten(CodeCache &codes) { asWritten = &codes; }

  /// How prim::DifferentiableGraphs are compiled, so that a tape records each as one operator.
  struct SubgraphCode {
    /// The cache that compiles them. Null: their operators run and are recorded one by one.
    CodeCache *codes = nullptr;
    /// How many calls of each run its operators one by one before it is compiled.
    unsigned callsBefore = 0;
  };
  /// Sets how the prim::DifferentiableGraphs of code made from now on are compiled.
  void setSubgraphCode(SubgraphCode code) { subgraphs = code; }
  const SubgraphCode &subgraphCode() const { return subgraphs; }
  /// Sets the cache that has the same functions with prim::DifferentiableGraphs, for calls that have a tape. Where it
  /// has no code of a function, the code of this cache runs.
  void setTaped(CodeCache &codes) {
    taped = &codes;
    codes.runsOnTape = true;
  }
  /// Whether it is the cache that another one was given with setTaped().
  bool isForTape() const { return runsOnTape; }

  /// Makes a host's call. The arguments have been bound to the signature (bindArguments). Where optimized code fails
  /// before it had an effect that can be seen from outside, the call is repeated with the code as it is written, so
  /// that the error and its call stack depend neither on the optimization level nor on earlier calls.
  StatusOr<std::vector<IValue>> call(Function &function, CallContext &context, std::vector<IValue> args);
  /// Calls a graph in the same way. `name` stands for it in messages.
  StatusOr<std::vector<IValue>> call(const Graph &graph, llvm::StringRef name, CallContext &context,
                                     std::vector<IValue> args);
  /// Returns the code of a function, which is compiled when it is first asked for. InvalidArgument where its body does
  /// not compile.
  StatusOr<const Code *> get(Function &function);
  /// Returns the code of a graph, such as a subgraph of a node. The cache knows the graph by its address.
  StatusOr<const Code *> get(const Graph &graph, llvm::StringRef name);
  /// Returns the code of a fusion group's plain nodes. They were prepared with the graph that holds them, and are not
  /// prepared again.
  StatusOr<const Code *> getPlain(const Graph &group, llvm::StringRef name);
  /// Takes a graph over, prepares and compiles it, with the plain nodes of its fusion groups. Only the caller knows the
  /// code: get() does not find it.
  StatusOr<const Code *> add(std::unique_ptr<Graph> graph, llvm::StringRef name);
  /// Sets a function that is called when a host changes the contents of a module whose methods run through this cache.
  void setModuleObserver(std::function<void()> o);
  /// Calls that function, if there is one.
  void noteModuleChange() const;
  /// Keeps an object alive as long as the cache, such as the owner of graphs that get() is asked for, whose addresses
  /// must not be used again.
  void keepAlive(std::shared_ptr<const void> owner);

private:
  StatusOr<std::unique_ptr<Code>> compilePrepared(const Graph &graph, llvm::StringRef name);
  /// Implements both forms of call(). `key` is the address of the function or graph, and `compile` returns the code
  /// that a cache has for it.
  StatusOr<std::vector<IValue>> call(const void *key, const Graph &graph, llvm::StringRef name, CallContext &context,
                                     std::vector<IValue> args,
                                     llvm::function_ref<StatusOr<const Code *>(CodeCache &)> compile);
  const Code *keep(const void *key, std::unique_ptr<Code> code);
  struct Impl;
  std::unique_ptr<Impl> impl;
  Preparation prepare;
  Observer observer;
  FuserRegistry fusers;
  std::unique_ptr<Specializer> specializer;
  CodeCache *asWritten = nullptr, *taped = nullptr;
  SubgraphCode subgraphs;
  bool tracksEffects = false;
  bool runsOnTape = false; ///< See isForTape().
};

} // namespace tsc

#endif
