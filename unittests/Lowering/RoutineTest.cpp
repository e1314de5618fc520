//===- RoutineTest.cpp - What holds of routines ---------------------------===//
#include "../Analysis/ParsedGraph.h"
#include "tsc/Runtime/Lowering/FailureEdges.h"
#include "tsc/Runtime/Lowering/Lowering.h"
#include "tsc/Runtime/Lowering/SlotAliases.h"

using namespace tsc;

static const char *const program = R"(graph(%x : Tensor, %y : Tensor, %c : bool):
  %one : int = prim::Constant[value=1]()
  %view : Tensor = aten::t(%x)
  %r : Tensor = prim::If(%c)
    block0():
      %a : Tensor = aten::add(%view, %y, %one)
      -> (%a)
    block1():
      %b : Tensor = aten::relu(%view)
      -> (%b)
  return (%r)
)";

static Routine lowered(const Graph &graph) {
  StatusOr<Routine> routine = lower(graph);
  REQUIRE(routine.ok());
  return std::move(*routine);
}

static uint32_t slotOf(const Routine &routine, const Value *value) {
  REQUIRE(value->id() < routine.slotOfValue.size());
  return routine.slotOfValue[value->id()];
}

static Step &stepOf(Routine &routine, StepKind kind) {
  auto found = llvm::find_if(routine.steps, [&](const Step &step) { return step.kind == kind; });
  REQUIRE(found != routine.steps.end());
  return *found;
}

TEST_CASE("values have slots, and those that are joined have one") {
  ParsedGraph graph(program);
  const Routine routine = lowered(*graph);
  CHECK(findMistake(routine).empty());
  CHECK(slotOf(routine, graph.value("a")) == slotOf(routine, graph.value("r")));
  CHECK(slotOf(routine, graph.value("b")) == slotOf(routine, graph.value("r")));
  CHECK(slotOf(routine, graph.value("one")) == Routine::noSlot);
  CHECK(slotOf(routine, graph.value("x")) != slotOf(routine, graph.value("y")));
  CHECK(routine.steps.size() == routine.ranges.size());
  CHECK(routine.steps.back().kind == StepKind::Return);
  CHECK(routine.numOutputs == 1);
}

TEST_CASE("slots that may share memory") {
  ParsedGraph graph(program);
  const Routine routine = lowered(*graph);
  const SlotAliases aliases(routine);
  const uint32_t x = slotOf(routine, graph.value("x")), y = slotOf(routine, graph.value("y")),
                 view = slotOf(routine, graph.value("view")), result = slotOf(routine, graph.value("r"));
  CHECK(aliases.mayAlias(x, view));
  CHECK(aliases.mayAlias(x, y)); // both come from outside
  CHECK_FALSE(aliases.mayAlias(view, result));
  CHECK(aliases.memoryOf(slotOf(routine, graph.value("c"))).empty());
}

TEST_CASE("mistakes in routines are found") {
  ParsedGraph graph(program);
  Routine routine = lowered(*graph);
  SECTION("a value that is left behind") {
    Step &drop = stepOf(routine, StepKind::Drop);
    drop.a = drop.a.kept();
    CHECK_THAT(findMistake(routine),
               Catch::Contains("leaves s") || Catch::Contains(", where s") || Catch::Contains("depends on the way"));
  }
  SECTION("a value that is read twice after it was used last") {
    Step &returns = routine.steps.back();
    routine.operands.push_back(Operand::slot(slotOf(routine, graph.value("x"))));
    returns.list = {static_cast<uint32_t>(routine.operands.size() - 1), 1};
    CHECK_THAT(findMistake(routine), Catch::Contains("which is empty"));
  }
  SECTION("a target that is no step") {
    stepOf(routine, StepKind::Jump).target = 1000;
    CHECK_THAT(findMistake(routine), Catch::Contains("a target that is no step"));
  }
  SECTION("a target on the wrong side") {
    stepOf(routine, StepKind::Jump).target = 0;
    CHECK_THAT(findMistake(routine), Catch::Contains("a target on the wrong side"));
  }
}

TEST_CASE("failures release what is there, with the operands of the step") {
  ParsedGraph graph(program);
  const Routine routine = lowered(*graph);
  const uint32_t y = slotOf(routine, graph.value("y")), view = slotOf(routine, graph.value("view"));
  unsigned numAdds = 0;
  walkFailureEdges(routine, [&](uint32_t number, const FailureEdge &edge) {
    const Step &step = routine.steps[number];
    if (step.node == graph.node("a") && step.kind == StepKind::CallOperator) {
      ++numAdds;
      CHECK(routine.mayFail(step));
      CHECK(edge.released.vec() == std::vector<uint32_t>{std::min(y, view), std::max(y, view)});
      CHECK(edge.exited.empty());
    }
    return true;
  });
  CHECK(numAdds == 1);
}

TEST_CASE("blocks that are no control flow are refused") {
  ParsedGraph graph(program);
  graph.node("view")->addBlock();
  const StatusOr<Routine> routine = lower(*graph);
  REQUIRE_FALSE(routine.ok());
  CHECK(routine.status().code() == StatusCode::InvalidArgument);
}

TEST_CASE("each computation of scalars has a row") {
  CHECK(signatureOf(ScalarOp::AddI).name == "AddI");
  CHECK(signatureOf(ScalarOp::AddI).numOperands == 2);
  CHECK(signatureOf(ScalarOp::AddI).result == SlotClass::Int);
  CHECK(signatureOf(ScalarOp::LtF).isComparison);
  CHECK(signatureOf(ScalarOp::LtF).result == SlotClass::Bool);
  CHECK(signatureOf(ScalarOp::RemI).failure == ScalarFailure::ModuloByZero);
  CHECK(signatureOf(ScalarOp::LetterAt).operands[1] == SlotClass::Int);
  CHECK(signatureOf(ScalarOp::LetterAt).name == "LetterAt"); // the last one
}
