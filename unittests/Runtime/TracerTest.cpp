//===- TracerTest.cpp - Graphs of what a host's function ran --------------===//
#include "tsc/Runtime/Tracer/Tracer.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Executor/GraphExecutor.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Runtime/Module.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Support/Diagnostics.h"
#include <catch2/catch.hpp>

using namespace tsc;

namespace {

Tensor full(std::vector<int64_t> sizes, double value) { return *Tensor::full(sizes, value, DType::Float); }

/// Calls an operator that has one result.
StatusOr<IValue> one(CallContext &call, llvm::StringRef name, std::vector<IValue> args) {
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> results, callOperator(call, name, std::move(args)));
  return results.front();
}

TracedGraph trace(CallContext &call, Tracer::TracedFunction function, std::vector<IValue> inputs,
                  TraceOptions options = {}) {
  StatusOr<TracedGraph> traced = Tracer::trace(call, function, std::move(inputs), std::move(options));
  INFO(traced.status().message());
  REQUIRE(traced.ok());
  CHECK(call.observer == nullptr);
  return *std::move(traced);
}

IValue run(CallContext &call, const Graph &graph, std::vector<IValue> args) {
  CodeCache codes;
  auto code = codes.get(graph, "trace");
  INFO(code.status().message());
  REQUIRE(code.ok());
  auto results = (*code)->run(call, std::move(args));
  INFO(results.status().message());
  REQUIRE(results.ok());
  return results->front();
}

/// The names of the nodes, but for constants.
std::string kinds(Graph &graph) {
  std::string text;
  for (Node &node : graph.nodes())
    if (node.kind() != prim::Constant)
      text += (text.empty() ? "" : " ") + node.kindName().str();
  return text;
}

struct Fixture {
  Fixture() { installOperatorServices(context); }
  Context context;
  CallContext call{context};
};

} // namespace

TEST_CASE_METHOD(Fixture, "Tracer: operators become nodes in order, with their overloads") {
  auto function = [](CallContext &call, llvm::ArrayRef<IValue> x) -> StatusOr<IValue> {
    TSC_ASSIGN_OR_RETURN(IValue doubled, one(call, "aten::mul", {x[0], 2}));
    return one(call, "aten::add", {doubled, x[1]});
  };
  TracedGraph traced = trace(call, function, {full({2}, 1), full({2}, 3)});
  CHECK(kinds(*traced.graph) == "aten::mul aten::add");
  CHECK(traced.remarks.empty());
  CHECK(traced.result.asTensor().at(0).toDouble() == 5);
  Node *first = nullptr;
  for (Node &node : traced.graph->nodes())
    if (!first && node.kind() == aten::mul)
      first = &node;
  REQUIRE(first);
  REQUIRE(first->schema());
  CHECK(first->schema()->overloadName() == "Scalar");
  CHECK(run(call, *traced.graph, {full({3}, 2), full({3}, 1)}).asTensor().at(2).toDouble() == 5);
}

TEST_CASE_METHOD(Fixture, "Tracer: what a composite operator calls leaves no nodes") {
  auto function = [](CallContext &call, llvm::ArrayRef<IValue> x) { return one(call, "aten::_cast_Double", {x[0]}); };
  CHECK(kinds(*trace(call, function, {full({2}, 1)}).graph) == "aten::_cast_Double");
}

TEST_CASE_METHOD(Fixture, "Tracer: containers are taken apart and put together") {
  auto function = [](CallContext &call, llvm::ArrayRef<IValue> x) -> StatusOr<IValue> {
    const std::vector<IValue> pair = x[0].toTuple().elements;
    TSC_ASSIGN_OR_RETURN(IValue sum, one(call, "aten::add", {pair[0], pair[1]}));
    TSC_ASSIGN_OR_RETURN(IValue all, one(call, "aten::cat", {std::vector<Tensor>{sum.toTensor(), sum.toTensor()}, 0}));
    return makeTuple({sum, all});
  };
  TracedGraph traced = trace(call, function, {makeTuple({full({2}, 1), full({2}, 3)})});
  CHECK(kinds(*traced.graph) == "prim::TupleUnpack aten::add prim::ListConstruct aten::cat prim::TupleConstruct");
  IValue again = run(call, *traced.graph, {makeTuple({full({3}, 1), full({3}, 2)})});
  CHECK(again.toTuple().elements[1].asTensor().numel() == 6);
}

TEST_CASE_METHOD(Fixture, "Tracer: a list that an operator gives is taken apart") {
  auto function = [](CallContext &call, llvm::ArrayRef<IValue> x) -> StatusOr<IValue> {
    TSC_ASSIGN_OR_RETURN(IValue parts, one(call, "aten::split", {x[0], 1}));
    return one(call, "aten::mul", {parts.listElement(0), parts.listElement(1)});
  };
  TracedGraph traced = trace(call, function, {full({2}, 3)});
  CHECK(kinds(*traced.graph) == "aten::split prim::ListUnpack aten::mul");
  CHECK(run(call, *traced.graph, {full({2}, 4)}).asTensor().at(0).toDouble() == 16);
}

TEST_CASE_METHOD(Fixture, "Tracer: writes and views happen as they did") {
  auto function = [](CallContext &call, llvm::ArrayRef<IValue> x) -> StatusOr<IValue> {
    TSC_ASSIGN_OR_RETURN(IValue row, one(call, "aten::select", {x[0], 0, 0}));
    TSC_RETURN_IF_ERROR(one(call, "aten::add_", {row, 1}).status());
    return one(call, "aten::mul", {x[0], row});
  };
  TracedGraph traced = trace(call, function, {full({2, 2}, 1)});
  CHECK(kinds(*traced.graph) == "aten::select aten::add_ aten::mul");
  Tensor x = full({1, 2}, 2);
  CHECK(run(call, *traced.graph, {x}).asTensor().at(0).toDouble() == 9);
  CHECK(x.at(0).toDouble() == 3);
}

TEST_CASE_METHOD(Fixture, "Tracer: another tensor over the same view is the same value") {
  auto function = [](CallContext &call, llvm::ArrayRef<IValue> x) -> StatusOr<IValue> {
    const Tensor &tensor = x[0].asTensor();
    return one(call, "aten::neg", {tensor.alias(tensor.sizes(), tensor.strides(), tensor.storageOffset())});
  };
  TracedGraph traced = trace(call, function, {full({2}, 1)});
  CHECK(run(call, *traced.graph, {full({2}, 4)}).asTensor().at(0).toDouble() == -4);
}

TEST_CASE_METHOD(Fixture, "Tracer: sizes that are asked of the tracer are computed by the trace") {
  auto function = [](CallContext &call, llvm::ArrayRef<IValue> x) -> StatusOr<IValue> {
    TSC_ASSIGN_OR_RETURN(TracedInt rows, Tracer::size(call, x[0].asTensor(), 0));
    TSC_ASSIGN_OR_RETURN(TracedInt twice, Tracer::compute(call, "aten::mul", {rows, 2}));
    TSC_ASSIGN_OR_RETURN(auto shaped, Tracer::call(call, "aten::reshape", {x[0], std::vector<TracedInt>{twice, -1}}));
    TSC_ASSIGN_OR_RETURN(auto scaled, Tracer::call(call, "aten::mul", {shaped[0], rows}));
    return scaled[0];
  };
  TracedGraph traced = trace(call, function, {full({2, 4}, 1)});
  CHECK(kinds(*traced.graph) == "aten::size aten::mul prim::ListConstruct aten::reshape aten::mul");
  for (Node &node : traced.graph->nodes())
    CHECK(llvm::any_of(node.outputs(), [](const Value *value) { return value->hasUses(); }));
  IValue other = run(call, *traced.graph, {full({3, 4}, 1)});
  CHECK(other.asTensor().size(0) == 6);
  CHECK(other.asTensor().at(0).toDouble() == 3);
  // The function runs without a trace, too.
  auto plain = function(call, {full({5, 4}, 1)});
  REQUIRE(plain.ok());
  CHECK(plain->asTensor().size(0) == 10);
}

TEST_CASE_METHOD(Fixture, "Tracer: what a trace cannot hold is an error, and leaves nothing behind") {
  auto refusal = [&](Tracer::TracedFunction function) {
    auto traced = Tracer::trace(call, function, {full({2}, 1)});
    REQUIRE_FALSE(traced.ok());
    CHECK(call.observer == nullptr);
    CHECK(call.gradMode);
    return messageOf(traced.status()).str();
  };
  using Inputs = llvm::ArrayRef<IValue>;
  CHECK_THAT(refusal([](CallContext &call, Inputs x) -> StatusOr<IValue> {
               TSC_ASSIGN_OR_RETURN(IValue sum, one(call, "aten::sum", {x[0]}));
               return one(call, "aten::item", {sum});
             }),
             Catch::Contains("'aten::item'"));
  CHECK_THAT(refusal([](CallContext &call, Inputs x) -> StatusOr<IValue> {
               TSC_ASSIGN_OR_RETURN(IValue sum, one(call, "aten::sum", {x[0]}));
               return one(call, "aten::Bool", {sum});
             }),
             Catch::Contains("gives a number that depends on a tensor"));
  CHECK_THAT(refusal([](CallContext &call, Inputs x) { return one(call, "aten::size", {x[0], 0}); }),
             Catch::Contains("Tracer::size() gives one that it computes"));
  CHECK_THAT(refusal([](CallContext &call, Inputs x) {
               return one(call, "aten::append", {std::vector<Tensor>{x[0].toTensor()}, x[0]});
             }),
             Catch::Contains("cannot hold a write to a list"));
  CHECK_THAT(refusal([](CallContext &, Inputs) -> StatusOr<IValue> { return IValue(3); }),
             Catch::Contains("returns a number"));
  CHECK_THAT(refusal([](CallContext &call, Inputs x) -> StatusOr<IValue> {
               call.gradMode = false;
               return one(call, "aten::view", {x[0], std::vector<int64_t>{5}});
             }),
             Catch::Contains("shape '[5]' is invalid"));
  CHECK_THAT(refusal([](CallContext &call, Inputs x) -> StatusOr<IValue> {
               auto inner = [](CallContext &, llvm::ArrayRef<IValue> y) -> StatusOr<IValue> { return y[0]; };
               TSC_RETURN_IF_ERROR(Tracer::trace(call, inner, {x[0]}).status());
               return x[0];
             }),
             Catch::Contains("it cannot trace another one"));
}

TEST_CASE_METHOD(Fixture, "Tracer: a lost number is a warning on request, at its place in the source") {
  const SourceBuffer &text = context.sources().add("host.cpp", "a();\n  b();\n");
  TraceOptions options;
  options.warnsOnly = true;
  options.source = [&] { return SourceRange(text, 7, 10); };
  auto function = [](CallContext &call, llvm::ArrayRef<IValue> x) -> StatusOr<IValue> {
    TSC_ASSIGN_OR_RETURN(IValue size, one(call, "aten::size", {x[0], 0}));
    return one(call, "aten::mul", {x[0], size});
  };
  TracedGraph traced = trace(call, function, {full({2}, 1)}, options);
  REQUIRE(traced.remarks.size() == 1);
  CHECK(traced.remarks[0].kind == TraceRemark::Kind::Warning);
  CHECK_THAT(traced.remarks[0].str(), Catch::StartsWith("host.cpp:2:"));
  CHECK(run(call, *traced.graph, {full({3}, 1)}).asTensor().at(0).toDouble() == 2); // as it was traced
  for (Node &node : traced.graph->nodes())
    if (node.kind() == aten::mul)
      CHECK(node.range().lineColumn().line == 2);
}

TEST_CASE_METHOD(Fixture, "Tracer: tensors that are no inputs are constants") {
  Tensor weight = full({2}, 3);
  auto product = [&](CallContext &call, llvm::ArrayRef<IValue> x) { return one(call, "aten::mul", {x[0], weight}); };
  TracedGraph traced = trace(call, product, {full({2}, 1)});
  CHECK(run(call, *traced.graph, {full({2}, 2)}).asTensor().at(0).toDouble() == 6);

  auto write = [&](CallContext &call, llvm::ArrayRef<IValue> x) { return one(call, "aten::add_", {weight, x[0]}); };
  TracedGraph writing = trace(call, write, {full({2}, 1)});
  REQUIRE(writing.remarks.size() == 1);
  CHECK_THAT(writing.remarks[0].message, Catch::Contains("which each run of the trace changes"));

  auto writePart = [&](CallContext &call, llvm::ArrayRef<IValue> x) -> StatusOr<IValue> {
    TSC_ASSIGN_OR_RETURN(IValue part, one(call, "aten::narrow", {weight, 0, 0, 1}));
    return one(call, "aten::add_", {part, x[0]});
  };
  TracedGraph writingPart = trace(call, writePart, {full({1}, 1)});
  REQUIRE(writingPart.remarks.size() == 1);
  CHECK_THAT(writingPart.remarks[0].message, Catch::Contains("which each run of the trace changes"));

  weight.get()->requiresGrad = true;
  auto refused = Tracer::trace(call, product, {full({2}, 1)});
  REQUIRE_FALSE(refused.ok());
  CHECK_THAT(messageOf(refused.status()).str(), Catch::Contains("requires a gradient"));
}

TEST_CASE_METHOD(Fixture, "Tracer: one tensor as two inputs leaves a warning") {
  auto sum = [](CallContext &call, llvm::ArrayRef<IValue> x) { return one(call, "aten::add", {x[0], x[1]}); };
  Tensor x = full({2}, 1);
  TracedGraph traced = trace(call, sum, {x, x});
  REQUIRE(traced.remarks.size() == 1);
  CHECK_THAT(traced.remarks[0].str(), Catch::StartsWith("input 1 is or holds a tensor that an earlier input is"));
  CHECK(trace(call, sum, {x, full({2}, 1)}).remarks.empty());
}

TEST_CASE_METHOD(Fixture, "Tracer: a tape behind it goes on recording") {
  Tape tape(context);
  call.observer = &tape;
  Tensor x = full({2}, 3);
  x.get()->requiresGrad = true;
  auto square = [](CallContext &call, llvm::ArrayRef<IValue> x) { return one(call, "aten::mul", {x[0], x[0]}); };
  auto traced = Tracer::trace(call, square, {x});
  REQUIRE(traced.ok());
  CHECK(call.observer == &tape);
  CHECK(traced->result.asTensor().requiresGrad());
  CHECK(kinds(*traced->graph) == "aten::mul");
}

TEST_CASE_METHOD(Fixture, "Tracer: a call of a compiled function stays a call, with its loop") {
  DiagnosticEngine diags;
  auto parsed = parseGraphs(context, context.sources().add("steps.ir", R"(
graph(%x : Tensor, %n : int):
  %true : bool = prim::Constant[value=1]()
  %two : int = prim::Constant[value=2]()
  %y : Tensor = prim::Loop(%n, %true, %x)
    block0(%i : int, %a : Tensor):
      %b : Tensor = aten::mul(%a, %two)
      -> (%true, %b)
  return (%y)
)"),
                            diags);
  INFO(diags.str());
  REQUIRE(succeeded(parsed));
  CompilationUnit unit(context);
  Function &steps = *unit.create("__torch__.steps");
  steps.setGraph(std::move(parsed->front()));
  Argument x, n, result;
  x.name = "x", x.type = Type::tensorType();
  n.name = "n", n.type = Type::intType();
  result.type = Type::tensorType();
  steps.setSchema(FunctionSchema("steps", "", {x, n}, {result}));
  GraphExecutor executor;
  auto function = [&](CallContext &call, llvm::ArrayRef<IValue> x) -> StatusOr<IValue> {
    TSC_ASSIGN_OR_RETURN(IValue stepped, callFunction(executor, steps, call, {x[0], 3}));
    return one(call, "aten::neg", {stepped});
  };
  TracedGraph traced = trace(call, function, {full({2}, 1)});
  CHECK(kinds(*traced.graph) == "prim::CallFunction aten::neg");
  CHECK(run(call, *traced.graph, {full({3}, 2)}).asTensor().at(2).toDouble() == -16);
}

TEST_CASE_METHOD(Fixture, "Tracer: a compiled function that writes to a list that it is given is refused") {
  DiagnosticEngine diags;
  auto parsed = parseGraphs(context, context.sources().add("fill.ir", R"(
graph(%xs : Tensor[], %x : Tensor):
  %y : Tensor[] = aten::append(%xs, %x)
  return (%x)
)"),
                            diags);
  INFO(diags.str());
  REQUIRE(succeeded(parsed));
  CompilationUnit unit(context);
  Function &fill = *unit.create("__torch__.fill");
  fill.setGraph(std::move(parsed->front()));
  Argument xs, x, result;
  xs.name = "xs", xs.type = context.listOf(Type::tensorType());
  x.name = "x", x.type = Type::tensorType();
  result.type = Type::tensorType();
  fill.setSchema(FunctionSchema("fill", "", {xs, x}, {result}));
  GraphExecutor executor;
  auto function = [&](CallContext &call, llvm::ArrayRef<IValue> x) {
    return callFunction(executor, fill, call, {std::vector<Tensor>{x[0].toTensor()}, x[0]});
  };
  auto traced = Tracer::trace(call, function, {full({2}, 1)});
  REQUIRE_FALSE(traced.ok());
  CHECK_THAT(messageOf(traced.status()).str(), Catch::Contains("cannot hold a write to a list or dict"));
}

TEST_CASE_METHOD(Fixture, "TracingState: entries of tensors that nobody holds go") {
  TracingState state(context);
  Value *value = state.graph().addInput("x");
  Tensor kept = full({1}, 1);
  state.setValueTrace(kept, value);
  for (int i = 0; i != 2000; ++i)
    state.setValueTrace(full({1}, i), value);
  CHECK(state.findValueTrace(kept) == value);
  CHECK(state.findValueTrace(full({1}, 1)) == nullptr);
  CHECK(kept.get()->useCount() == 2); // the map's and ours
}

TEST_CASE_METHOD(Fixture, "TracingState: a tensor is found by another one over the same view that nobody holds") {
  TracingState state(context);
  Value *value = state.graph().addInput("x");
  Tensor alias;
  {
    Tensor tensor = full({1}, 1);
    state.setValueTrace(tensor, value);
    alias = tensor.alias(tensor.sizes(), tensor.strides(), tensor.storageOffset());
  }
  for (int i = 0; i != 2000; ++i)
    state.setValueTrace(full({1}, i), value);
  CHECK(state.findValueTrace(alias) == value);
}

TEST_CASE_METHOD(Fixture, "TracingState: equal constants are one, and nodes bear the scope") {
  TracingState state(context);
  CHECK(*state.constant(3) == *state.constant(3));
  CHECK(*state.constant(3) != *state.constant(3.0));
  CHECK(*state.constant(0.0) != *state.constant(-0.0));
  CHECK(*state.constant(std::complex<double>(1, 2)) == *state.constant(std::complex<double>(1, 2)));
  CHECK(*state.constant(std::vector<int64_t>{1, 2}) == *state.constant(std::vector<int64_t>{1, 2}));
  CHECK(*state.constant("a") == *state.constant("a"));
  CHECK(*state.constant("a") != *state.constant("b"));
  state.enterScope("outer");
  state.enterScope("inner");
  Node *node = state.insert(state.graph().create(prim::ListConstruct, {}, 1));
  CHECK(node->scope()->path() == "outer/inner");
  state.leaveScope();
  state.leaveScope();
  CHECK(state.insert(state.graph().create(prim::ListConstruct, {}, 1))->scope() == nullptr);
  Ref<FutureValue> future = makeRef<FutureValue>();
  state.setValueTrace(IValue(future), node->output());
  CHECK(state.findValueTrace(IValue(future)) == node->output());
}
