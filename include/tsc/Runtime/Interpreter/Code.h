//===- Code.h - A graph compiled for the interpreter ------------*- C++ -*-===//
//
// Code is a graph with its control flow flattened to jumps and its values placed
// in the registers of a frame. It is immutable: any number of threads run it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_INTERPRETER_CODE_H
#define TSC_RUNTIME_INTERPRETER_CODE_H

#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Dispatch/Fuser.h"
#include "tsc/Support/Source.h"
#include "tsc/Support/Status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <memory>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tsc {

class Accelerator;
class CallContext;
class CodeCache;
class Context;
class Function;
class Graph;
struct CodeImpl;

/// Lets operators of the context call code (Dispatch/OperatorServices.h). Who compiles code, makes a Tape or folds
/// constants by kernels need not: these do it. A host that calls operators by itself, by callOperator(),
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
  /// Whether a run may draw random numbers.
  bool mayDraw() const;
  /// Whether the code asks for gradients by itself, and so needs a tape; what it calls may do so too.
  bool asksForGradients() const;
  /// Whether a run sets CallContext::isObserved before it has an effect that can be seen from outside.
  bool tracksEffects() const;
  /// Whether it has prim::DifferentiableGraphs that a tape records as one operator each.
  bool hasDifferentiableGraphs() const;
  /// Returns the device that the program's tensors may be on, or null where all are the processor's.
  Accelerator *accelerator() const;
  /// Returns the number under which the accelerator knows the code.
  uint64_t number() const;
  /// Runs the code with one argument for each input and returns one value for each output. The caller has checked the
  /// arguments' types (bindArguments).
  StatusOr<std::vector<IValue>> run(CallContext &context, std::vector<IValue> args) const;
  /// Runs the code in the same way, moves the arguments away, and sets `results`, which are none where it fails.
  Status run(CallContext &context, llvm::MutableArrayRef<IValue> args, std::vector<IValue> &results) const;
  /// Prints one line for each instruction: its number, name and operands. `r` marks a register, `c` a constant, and `!`
  /// a register's last use.
  void print(llvm::raw_ostream &os) const;

  /// Returns the instructions and what they refer to, for the interpreter.
  const CodeImpl &get() const { return *impl; }

private:
  friend class CodeCache;
  explicit Code(std::unique_ptr<CodeImpl> impl);
  std::unique_ptr<CodeImpl> impl;
};

/// Returns the names of a graph's operators in order, and where the first stands in the program: "aten::mul, aten::add
/// (model.py:12)".
std::string describeOperators(const Graph &graph);

/// Adds the frame of a call at `call` in a function to the call stack in a failure's message, as the outermost one.
/// Returns a failure without a call stack as it is.
Status withCallerFrame(const Status &failure, SourceRange call, llvm::StringRef function);

/// Runs a subgraph of code as one operator, where it can, in place of the operators one by one.
///
/// Threads: safe.
class SubgraphRunner {
public:
  virtual ~SubgraphRunner();
  /// Runs the subgraph with these operands and sets `results`, one for each of its outputs. Returns false where the
  /// operators are to run one by one; it has done nothing then that anybody can see.
  virtual bool run(CallContext &context, llvm::ArrayRef<const IValue *> operands,
                   llvm::MutableArrayRef<IValue> results) = 0;
};

/// Makes and keeps the Code of functions and graphs, each compiled once. It says how code is made, and not when which
/// code runs: that is the GraphExecutor's.
///
/// Ownership: owns its Codes; borrows the functions and the graphs that it is asked for.
/// Threads:   safe, once it is set up. One thread at a time compiles; code that is there is found without a lock.
///            Graphs that add() takes are prepared side by side.
class CodeCache {
public:
  CodeCache();
  ~CodeCache();
  CodeCache(const CodeCache &) = delete;

  //===-- How code is made --------------------------------------------------===//

  /// Transforms a graph before it is compiled, which is the place for optimization. The cache calls it on a copy of the
  /// graph, or on one that add() has taken over. Several threads may be in add(), and in this. It has to begin with
  /// eraseUnusedOperators(), as every optimization level does; a cache without a preparation does that itself.
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
  /// Lets code made from now on set CallContext::isObserved before it has an effect that can be seen from outside.
  void trackEffects() { tracksEffects = true; }
  bool areEffectsTracked() const { return tracksEffects; }

  /// Returns what runs a prim::DifferentiableGraph in calls that record gradients.
  using SubgraphRunnerMaker = std::function<std::unique_ptr<SubgraphRunner>(const Graph &)>;
  /// Makes code for calls that have a tape: operators that ask for gradients are compiled, and not refused, and each
  /// prim::DifferentiableGraph runs by what `maker` returns for it. Without a maker their operators run one by one.
  void makeForTape(SubgraphRunnerMaker maker) {
    runsOnTape = true;
    subgraphRunners = std::move(maker);
  }
  /// Whether the code is for calls that have a tape.
  bool isForTape() const { return runsOnTape; }
  /// Returns a runner for a prim::DifferentiableGraph, or null where its operators run one by one.
  std::unique_ptr<SubgraphRunner> makeSubgraphRunner(const Graph &subgraph) const {
    return subgraphRunners ? subgraphRunners(subgraph) : nullptr;
  }

  //===-- Code --------------------------------------------------------------===//

  /// Returns the code of a function, which is compiled when it is first asked for. InvalidArgument where its body does
  /// not compile.
  StatusOr<const Code *> get(Function &function);
  /// Returns the code of a graph, such as a subgraph of a node. The cache knows the graph by its address.
  StatusOr<const Code *> get(const Graph &graph, llvm::StringRef name);
  /// Returns the code of a fusion group's plain nodes. They were prepared with the graph that holds them, and are not
  /// prepared again.
  StatusOr<const Code *> getPlain(const Graph &group, llvm::StringRef name);
  /// Returns the code of what a prim::BailOut leaves to do, which is not prepared either. It takes the place of the
  /// code that holds the node, in the call stack as well, with that one's name.
  StatusOr<const Code *> getRest(const Graph &rest, llvm::StringRef name);
  /// Takes a graph over, prepares and compiles it, with the plain nodes of its fusion groups. Only the caller knows the
  /// code: get() does not find it.
  StatusOr<const Code *> add(std::unique_ptr<Graph> graph, llvm::StringRef name);
  /// Keeps an object alive as long as the cache, such as the owner of graphs that get() is asked for, whose addresses
  /// must not be used again.
  void keepAlive(std::shared_ptr<const void> owner);

private:
  StatusOr<const Code *> getUnprepared(const Graph &graph, llvm::StringRef name, bool isGroup);
  StatusOr<std::unique_ptr<Code>> compilePrepared(const Graph &graph, llvm::StringRef name);
  const Code *keep(const void *key, std::unique_ptr<Code> code);
  struct Impl;
  std::unique_ptr<Impl> impl;
  Preparation prepare;
  Observer observer;
  FuserRegistry fusers;
  SubgraphRunnerMaker subgraphRunners;
  bool tracksEffects = false, runsOnTape = false;
};

} // namespace tsc

#endif
