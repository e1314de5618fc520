//===- FusionTest.cpp - Fusion groups in the interpreter ------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Compare.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/PointwiseKinds.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Support/Diagnostics.h"
#include <catch2/catch.hpp>

using namespace tsc;

namespace {

/// A fuser that counts what it is asked, and serves calls when it is told to by giving input 0.
class RecordingFuser final : public Fuser {
public:
  struct Group final : FusedGroup {
    explicit Group(RecordingFuser &owner) : owner(owner) {}
    StatusOr<bool> run(CallContext &, llvm::ArrayRef<const IValue *> inputs, IValue *results) override {
      ++owner.calls;
      if (owner.serves)
        results[0] = *inputs[0];
      return owner.serves;
    }
    std::optional<uint64_t> bytesRead(llvm::ArrayRef<const IValue *>) override { return std::nullopt; }
    RecordingFuser &owner;
  };
  std::shared_ptr<FusedGroup> get(const Graph &) override {
    ++groups;
    return std::make_shared<Group>(*this);
  }
  const FuserCounters &counters() const override { return counts; }

  FuserCounters counts;
  int groups = 0, calls = 0;
  bool serves = false;
};

class Fixture {
public:
  Fixture() {
    diags.setHandler([](const Diagnostic &) {});
  }
  std::unique_ptr<Graph> parse(const char *text) {
    auto graphs = parseGraphs(context, context.sources().add("test.ir", text), diags);
    REQUIRE(succeeded(graphs));
    return std::move(graphs->front());
  }
  StatusOr<std::vector<IValue>> run(const Graph &graph, std::vector<IValue> args) {
    auto code = cache.get(graph, "test");
    REQUIRE(code.ok());
    CallContext call(context);
    return (*code)->run(call, std::move(args));
  }
  Context context;
  DiagnosticEngine diags;
  CodeCache cache;
};

constexpr const char *grouped = R"(
graph(%x : Tensor, %k : float):
  %2 : Tensor = prim::FusionGroup_0(%x, %k)
  return (%2)
with prim::FusionGroup_0 = graph(%x : Tensor, %k : float):
  %2 : Tensor = aten::mul(%x, %k)
  %3 : Tensor = aten::exp(%2)
  return (%3)
)";
constexpr const char *plain = R"(
graph(%x : Tensor, %k : float):
  %2 : Tensor = aten::mul(%x, %k)
  %3 : Tensor = aten::exp(%2)
  return (%3)
)";

IValue filled(int64_t size) { return IValue(*Tensor::full({size}, Scalar(0.25), DType::Float)); }

} // namespace

TEST_CASE("Every point-wise record has the engine's number") {
  CHECK(pointwiseKindOf(OpKind::Aten_add_Tensor) == PointwiseKind::Aten_add_Tensor);
  CHECK(pointwiseKindOf(OpKind::Aten_exp) == PointwiseKind::Aten_exp);
  CHECK(pointwiseKindOf(OpKind::Aten_where_self) == PointwiseKind::Aten_where_self);
  CHECK_FALSE(pointwiseKindOf(OpKind::Aten_mm));
  CHECK_FALSE(pointwiseKindOf(OpKind::Unknown));
}

TEST_CASE("A fusion group runs without a fuser, with the bits of its nodes") {
  Fixture test;
  auto group = test.parse(grouped), nodes = test.parse(plain);
  for (int64_t size : {0, 3, 20000}) { // the plain nodes, and block by block
    auto fused = test.run(*group, {filled(size), IValue(0.5)}),
         expected = test.run(*nodes, {filled(size), IValue(0.5)});
    REQUIRE(fused.ok());
    REQUIRE(expected.ok());
    Tolerance exact;
    exact.relative = exact.absolute = 0;
    CHECK(findMismatch(fused->front(), expected->front(), exact) == std::nullopt);
  }
}

TEST_CASE("A fuser is asked once, and what it does not serve the plain nodes do") {
  Fixture test;
  auto fuser = std::make_shared<RecordingFuser>();
  FuserRegistry registry;
  registry.add(DeviceKind::CPU, fuser);
  test.cache.setFusers(registry);
  auto group = test.parse(grouped);
  auto declined = test.run(*group, {filled(4), IValue(0.5)});
  REQUIRE(declined.ok());
  CHECK(declined->front().asTensor().at(0).toDouble() > 1);
  fuser->serves = true;
  auto served = test.run(*group, {filled(4), IValue(0.5)});
  REQUIRE(served.ok());
  CHECK(served->front().asTensor().at(0).toDouble() == 0.25);
  CHECK(fuser->groups == 1);
  CHECK(fuser->calls == 2);
}

TEST_CASE("An operator that refuses its operands says so from within a group") {
  Fixture test;
  auto graph = test.parse(R"(
graph(%x : Tensor, %y : Tensor):
  %2 : Tensor = prim::FusionGroup_0(%x, %y)
  return (%2)
with prim::FusionGroup_0 = graph(%x : Tensor, %y : Tensor):
  %2 : Tensor = aten::mul(%x, %y)
  %3 : Tensor = aten::exp(%2)
  return (%3)
)");
  for (int64_t size : {3, 20000}) {
    auto result = test.run(*graph, {filled(size), filled(2)});
    REQUIRE_FALSE(result.ok());
    CHECK_THAT(std::string(result.status().message()),
               Catch::Contains("must match the size of tensor b (2) at non-singleton dimension 0"));
  }
}
