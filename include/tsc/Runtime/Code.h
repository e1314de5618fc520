//===- Code.h - A graph compiled for the interpreter ------------*- C++ -*-===//
//
// Code is a graph with its control flow flattened to jumps and its values placed
// in the registers of a frame. It is immutable: any number of threads run it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_CODE_H
#define TSC_RUNTIME_CODE_H

#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Fuser.h"
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
class Function;
class Graph;
class Specializer;
struct CodeImpl;

/// What the interpreter runs.
///
/// Ownership:  owns its instructions and constants; borrows the graph's Context, the functions it calls and the
///             cache that they are compiled through. The graph itself may go.
/// Threads:    immutable: `run` may be called from many threads at once, each with a CallContext of its own.
/// Errors:     IR that no program can run is refused by `compile`; what goes wrong in a run is its status:
///             InvalidArgument and its kin from operators, with the TorchScript call stack in the message. Outputs
///             then do not exist, but writes that were made stay.
class Code {
public:
  /// Compiles a graph. Functions it calls are compiled on their first call, through `cache`, which must outlive the
  /// code (as must the graph's Context and the functions). Fails for IR that no program can run (unknown control flow);
  /// an unknown operator fails only when it is reached.
  static StatusOr<std::unique_ptr<Code>> compile(const Graph &graph, llvm::StringRef name, CodeCache &cache);
  ~Code();

  llvm::StringRef name() const;
  unsigned numInputs() const;
  unsigned numOutputs() const;
  /// Runs it. `args` are consumed; their types have been checked by the caller. A failure carries the TorchScript call
  /// stack in its message.
  StatusOr<std::vector<IValue>> run(CallContext &context, std::vector<IValue> args) const;
  /// One instruction a line: number, name, operands. `r` is a register, `c` a constant, `!` a last use.
  void print(llvm::raw_ostream &os) const;

  const CodeImpl &get() const { return *impl; }

private:
  friend class CodeCache;
  explicit Code(std::unique_ptr<CodeImpl> impl);
  std::unique_ptr<CodeImpl> impl;
};

/// Compiles each function once.
///
/// Threads: safe. One thread at a time compiles; others wait only for code that is not there.
class CodeCache {
public:
  CodeCache();
  ~CodeCache();
  CodeCache(const CodeCache &) = delete;

  /// Called on a copy of each graph before it is compiled, one at a time: the place for optimization. It begins with
  /// eraseUnusedOperators(), as every level does; without a preparation the cache does that itself.
  using Preparation = std::function<Status(Graph &)>;
  void setPreparation(Preparation p) { prepare = std::move(p); }
  /// Sees each function's Code when it is made (for --print-code).
  using Observer = std::function<void(const Code &)>;
  void setObserver(Observer o) { observer = std::move(o); }
  void observe(const Code &code) const {
    if (observer)
      observer(code);
  }

  /// Who compiles the fusion groups of code that is made from now on. Without one they run as their plain nodes.
  void setFusers(FuserRegistry registry) { fusers = std::move(registry); }
  const FuserRegistry &fuserRegistry() const { return fusers; }

  /// Makes plans for call(). Without one every call runs get()'s code.
  void setSpecializer(std::unique_ptr<Specializer> s);
  /// Code that is made from now on tells its CallContext before it does what somebody outside can see.
  void trackEffects() { tracksEffects = true; }
  bool areEffectsTracked() const { return tracksEffects; }
  /// For a cache whose preparation optimizes: who has the code of the same functions as they are written, with which
  /// call() repeats what fails. This one has to track effects.
  void setAsWritten(CodeCache &codes) { asWritten = &codes; }

  /// Who compiles the prim::DifferentiableGraphs of code that is made from now on, where a tape takes them down as one
  /// operator each; the first calls of each are left to its operators. Without anybody all are.
  struct SubgraphCode {
    CodeCache *codes = nullptr;
    unsigned callsBefore = 0;
  };
  void setSubgraphCode(SubgraphCode code) { subgraphs = code; }
  const SubgraphCode &subgraphCode() const { return subgraphs; }
  /// Who has the code of the same functions for calls that have a tape, with prim::DifferentiableGraphs. Where that has
  /// none of a function, this cache's runs.
  void setTaped(CodeCache &codes) {
    taped = &codes;
    codes.runsOnTape = true;
  }
  bool isForTape() const { return runsOnTape; }

  /// Makes a host's call with these arguments, which have been bound to the signature. Where optimized code fails
  /// before anybody could see what it did, the call is made again as it is written: what it raises, with its words and
  /// its call stack, does not depend on the level, nor on how many calls there were.
  StatusOr<std::vector<IValue>> call(Function &function, CallContext &context, std::vector<IValue> args);
  StatusOr<std::vector<IValue>> call(const Graph &graph, llvm::StringRef name, CallContext &context,
                                     std::vector<IValue> args);
  StatusOr<const Code *> get(Function &function);
  /// Code of a subgraph attribute (fork, closures, differentiable graphs), kept by the graph's address.
  StatusOr<const Code *> get(const Graph &graph, llvm::StringRef name);
  /// Code of a fusion group's plain nodes: prepared with the graph that holds them, and not again.
  StatusOr<const Code *> getPlain(const Graph &group, llvm::StringRef name);
  /// Prepares and compiles a graph that nobody else will ask for, with the plain nodes of its fusion groups.
  StatusOr<const Code *> add(std::unique_ptr<Graph> graph, llvm::StringRef name);
  /// Hears when a host changes what a module holds whose methods run through this cache.
  void setModuleObserver(std::function<void()> o);
  void noteModuleChange() const;
  /// Keeps the owner of graphs that get() is asked for, whose addresses must not be used again.
  void keepAlive(std::shared_ptr<const void> owner);

private:
  StatusOr<std::unique_ptr<Code>> compilePrepared(const Graph &graph, llvm::StringRef name);
  /// `compile` gives the code that a cache has for what `key` stands for.
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
  bool runsOnTape = false; ///< Its code asks for gradients itself; see setTaped.
};

} // namespace tsc

#endif
