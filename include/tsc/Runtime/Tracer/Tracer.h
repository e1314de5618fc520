//===- Tracer.h - Graphs of operators as they ran ---------------*- C++ -*-===//
//
//   auto block = [](CallContext &call, llvm::ArrayRef<IValue> x) -> StatusOr<IValue> {
//     TSC_ASSIGN_OR_RETURN(auto scaled, callOperator(call, "aten::mul", {x[0], 2}));
//     TSC_ASSIGN_OR_RETURN(auto result, callOperator(call, "aten::relu", scaled));
//     return result[0];
//   };
//   StatusOr<TracedGraph> traced = Tracer::trace(call, block, {example});
//
// While a host's function is traced, the tracer is the observer of its CallContext. Each
// operator that is called leaves a node, with its overload; what an operator calls in
// turn leaves none. (A function of a program is traced by traceGraph() of GraphTracer.h.)
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_TRACER_TRACER_H
#define TSC_RUNTIME_TRACER_TRACER_H

#include "tsc/Runtime/Dispatch/CallByName.h"
#include "tsc/Runtime/Dispatch/OperatorObserver.h"
#include "tsc/Runtime/Tracer/TracingState.h"

namespace tsc {

/// How a function is traced.
struct TraceOptions {
  /// Whether what a trace cannot hold, such as a branch on the value of a tensor, is a warning, and the trace does what
  /// the traced call did. By default it is an error.
  bool warnsOnly = false;
  /// Tells the place in the host's source that is running, for nodes and errors. Empty: they have none.
  TracingState::SourceCallback source;
};

/// A trace: the graph of what ran, and what its user should know.
struct TracedGraph {
  /// The operators in the order in which they ran. It has the inputs and the result of the traced function.
  std::unique_ptr<Graph> graph;
  IValue result; ///< What the traced call returned.
  std::vector<TraceRemark> remarks;
};

/// A number in a traced function, with the value of the graph that computes it.
struct TracedInt {
  TracedInt(int64_t value, Value *traced = nullptr) : value(value), traced(traced) {}
  int64_t value;
  Value *traced; ///< Null for a constant, and where nothing is traced.
};

/// An argument of Tracer::call(): any value, a traced number, or a list of numbers of which some are traced.
class TracedArgument {
public:
  template <typename T>
    requires(std::is_constructible_v<IValue, T> && !std::is_same_v<std::decay_t<T>, TracedInt>)
  TracedArgument(T value) : value(std::move(value)) {}
  TracedArgument(TracedInt number) : value(number.value), numbers{number} {}
  TracedArgument(std::vector<TracedInt> list);

private:
  friend class Tracer;
  IValue value;
  std::vector<TracedInt> numbers; ///< The number, or the elements of the list; empty for other values.
};

/// Records operators as they run.
///
/// Ownership: borrows the Context and the observer that it stands before.
/// Threads:   used by one thread, as the CallContext that it observes.
/// Errors:    InvalidArgument, with the place in the source, for what a trace cannot hold (TraceOptions::warnsOnly).
class Tracer final : public OperatorObserver {
public:
  /// A function of a host that calls operators in the context that it is given.
  using TracedFunction = llvm::function_ref<StatusOr<IValue>(CallContext &, llvm::ArrayRef<IValue> inputs)>;

  /// Calls `function` with `inputs` and returns the trace. Inputs are tensors, lists, tuples and dicts of such, and
  /// other values, which become constants with a warning. The graph has one input for each; containers are taken apart
  /// at its head and constructed again for its result. Writes to inputs happen, as in any call. Where the function
  /// fails, its error is returned, and the context is as before.
  static StatusOr<TracedGraph> trace(CallContext &context, TracedFunction function, std::vector<IValue> inputs,
                                     TraceOptions options = {});
  /// Returns the tracer that observes the context, or null.
  static Tracer *of(const CallContext &context) { return context.observer ? context.observer->tracer() : nullptr; }

  //===-- For traced functions, which may be called without a trace, too ----===//

  /// Returns the size of a dimension. In a trace it is asked for each time that the trace runs; `Tensor::size` gives a
  /// number that the trace would hold as a constant. Negative dimensions count from the back.
  static StatusOr<TracedInt> size(CallContext &context, const Tensor &tensor, int64_t dim);
  /// Calls an operator of ints, such as "aten::mul", "aten::floordiv" or "aten::neg".
  static StatusOr<TracedInt> compute(CallContext &context, llvm::StringRef op, llvm::ArrayRef<TracedInt> operands);
  /// Calls an operator by its name, as callOperator() does, with arguments of which some are traced numbers. A traced
  /// number stands for the operator's argument at its position.
  static StatusOr<std::vector<IValue>> call(CallContext &context, llvm::StringRef name,
                                            std::vector<TracedArgument> args, const KeywordArguments &kwargs = {});

  TracingState &state() { return tracing; }

  /// Runs an operator and records it. What it calls is not recorded.
  Status run(CallContext &context, const OperatorCall &call, Operands operands, Results results,
             Kernel kernel) override;
  /// Runs a function of a program and records the call as prim::CallFunction, so that its control flow stays.
  /// Unimplemented for a method, whose object would be a constant of the trace.
  Status runCall(CallContext &context, Function &function, llvm::MutableArrayRef<IValue> args,
                 std::vector<IValue> &results, llvm::function_ref<Status(CallContext &)> run) override;
  bool takesCalls() const override { return true; }
  GradientRecorder *recorder() override { return next ? next->recorder() : nullptr; }
  Tracer *tracer() override { return this; }

private:
  Tracer(CallContext &context, TraceOptions options);
  Status addInputs(llvm::ArrayRef<IValue> inputs);
  StatusOr<llvm::SmallVector<Value *, 8>> inputsOf(const OperatorCall &call, const FunctionSchema &schema,
                                                   Operands operands);
  StatusOr<Value *> valueOf(TracedInt number);
  StatusOr<Value *> stashed(size_t index, const IValue &operand, const Type *type);
  Status addNode(const OperatorCall &call, const Operator &op, llvm::ArrayRef<Value *> inputs, Results results,
                 bool isTraced);
  Status checkWrites(const FunctionSchema &schema, Operands operands, llvm::ArrayRef<Value *> inputs);
  Status refuse(const llvm::Twine &message);

  const TraceOptions options;
  TracingState tracing;
  OperatorObserver *next; ///< The observer that the context had before, such as a tape; may be null.
  /// The numbers of the call that Tracer::call() is making, by the position of the argument.
  std::vector<std::vector<TracedInt>> stash;
};

} // namespace tsc

#endif
