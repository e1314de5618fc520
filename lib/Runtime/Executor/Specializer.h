//===- Specializer.h - Code for the arguments that calls have ---*- C++ -*-===//
//
// A plan is the graph of a function with the kind of its arguments (ArgumentSpec)
// written into the types, with all that follows from it optimized and fused, compiled.
// Calls run baseline code until their plan is there, which a thread of the
// specializer's own makes.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_RUNTIME_EXECUTOR_SPECIALIZER_H
#define TSC_LIB_RUNTIME_EXECUTOR_SPECIALIZER_H

#include "ArgumentFacts.h"
#include "tsc/Runtime/Executor/TierPolicy.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Support/BackgroundWorker.h"
#include "tsc/Support/PlanCache.h"
#include <functional>

namespace tsc {

class TraceRecorder;

/// Bytecode, run by the interpreter.
class InterpretedCode final : public Executable {
public:
  /// Borrows the code, which its CodeCache owns.
  explicit InterpretedCode(const Code &code);
  Status run(CallContext &context, llvm::MutableArrayRef<IValue> args, std::vector<IValue> &results) const override {
    return code.run(context, args, results);
  }

private:
  const Code &code;
};

/// The plan of a function for calls whose arguments have one kind.
///
/// Threads: one thread makes it, in two steps: it is added to the function's plans with its key, so that no second one
///          is asked for, and gets its code later. Any number of threads look at it meanwhile. `facts` are written
///          before the release store to `code`, and read only after an acquire load that gave code.
struct FunctionPlan {
  const ArgumentSpec spec;                ///< The key.
  const std::optional<ArgumentSpec> like; ///< The spec without sizes, for a plan that relies on all sizes.
  std::vector<AttributeFact> facts;       ///< What else it relies on.
  std::unique_ptr<const Executable> made;
  std::atomic<const Executable *> code{nullptr}; ///< Null while it is being made, and when it did not compile.
};

/// The plans of one function.
class FunctionPlans {
public:
  explicit FunctionPlans(size_t maxPlans) : plans(maxPlans) {}
  /// Marks the weights of the module that the function is called with as long-lived for kernels: of each module once,
  /// and of a few modules.
  void markWeights(llvm::ArrayRef<IValue> args);

private:
  friend class Specializer;
  PlanCache<FunctionPlan> plans;
  // The plan for any arguments, which is asked for when there are enough of the others. `isGeneral` is stored with
  // release, and loaded with acquire by calls that found none of the others. One that had looked through them before
  // the last was added runs this plan, which is right for it, too.
  std::atomic<bool> isGeneral{false};
  std::unique_ptr<const Executable> generalMade;
  std::atomic<const Executable *> general{nullptr}; ///< The general plan's code; null until it is made.
  /// How many calls found no plan, as long as there is no general one. Guarded by the lock of `plans`.
  uint64_t calls = 0;

  std::mutex marking; ///< Held while weights are marked.
  /// The modules whose weights were marked, in that order, and null behind them. Each is stored with release when its
  /// weights are marked; calls load it with acquire.
  std::array<std::atomic<const void *>, 8> marked{};
  std::atomic<bool> hasLayers{false}; ///< Whether some of these weights may be of image convolutions. A hint: relaxed.
};

/// Finds the plans of functions, and makes them.
///
/// Threads:   all functions may be called from many threads at once. plan() takes no lock where it finds a plan, or
///            where one is being made.
/// Ownership: borrows `plans`, a cache that prepares, compiles and keeps the code of plans and of the functions they
///            call, and the policy.
class Specializer {
public:
  /// What plans may rely on, and who is told of them.
  struct Options {
    bool knowsLayers = false; ///< Whether plans of modules with image convolutions rely on the modules' attributes.
    TraceRecorder *trace = nullptr; ///< Receives a span for each plan; outlives the specializer.
    /// Whether plans rely on sizes, as those that compute gradients do. The first plan relies on all sizes. The plan
    /// for the first call that differs only in sizes relies on which of them are equal. Empty: plans do not.
    std::function<bool()> usesSizes;
  };
  Specializer(CodeCache &plans, const TierPolicy &policy, Options options);
  /// Waits for the plan that is being made. Others that were asked for are dropped.
  ~Specializer();

  /// Returns a function's plan for these arguments, or null where there is none (yet), so that the call has to run
  /// baseline code. Asks for a plan where the policy says so. `of` are the function's plans and `graph` is its graph,
  /// which both live as long as this. Fails only where calls wait for their plans and the plan does not compile.
  StatusOr<const Executable *> plan(FunctionPlans &of, const Graph &graph, llvm::StringRef name,
                                    llvm::ArrayRef<IValue> args, bool gradMode);
  /// Waits until all plans that calls have asked for are made.
  void finish() { worker.drain(); }

private:
  struct Request {
    FunctionPlans *of;
    FunctionPlan *plan = nullptr; ///< Null for the general plan.
    const Graph *graph;
    std::string name;
    std::vector<const Type *> types;   ///< The specialized types of the arguments; empty for the general plan.
    DType defaultDType = DType::Float; ///< The default of the thread that asks, which has the code to itself.
    bool asksForGradients = false;
    // Where the graph asks for gradients, for each argument: the keys of a dict with the types of its tensors, which
    // the plan reads at its head, and the value of a bool. Attributes are known there too, and where images are
    // convolved.
    std::vector<std::vector<std::pair<std::string, const Type *>>> entries;
    std::vector<std::optional<bool>> flags;
    std::shared_ptr<const AttributeSnapshot> attributes;
  };
  const Executable *orWake(const Executable *code);
  std::unique_ptr<FunctionPlan> askForPlan(Request &request, ArgumentSpecs &specs, llvm::ArrayRef<IValue> args,
                                           bool gradMode) const;
  StatusOr<const Executable *> make(const Request &request);
  static std::vector<AttributeFact> tellValues(Graph &graph, const Request &request);

  CodeCache &plans;
  const TierPolicy &policy;
  const Options options;
  BackgroundWorker worker; ///< Declared last, so that its thread ends before what it uses goes.
};

} // namespace tsc

#endif
