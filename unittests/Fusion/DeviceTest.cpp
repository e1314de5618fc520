//===- DeviceTest.cpp - Groups run where their operands are ---------------===//
#include "../Tensor/MadeTensors.h"
#include "NestInterpreter.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Support/Diagnostics.h"

using namespace tsc;
using namespace tsc::fuser;

namespace {

/// A program of one group, with a fuser for the processor and one for another device.
class TwoDevices {
public:
  TwoDevices() {
    FuserRegistry registry;
    registry.add(DeviceKind::CPU, processor);
    registry.add(DeviceKind::CUDA, other);
    cache.setFusers(registry);
    diags.setHandler([](const Diagnostic &) {});
    auto graphs = parseGraphs(context, context.sources().add("test.ir", R"(
graph(%x : Tensor, %y : Tensor):
  %2 : Tensor = prim::FusionGroup_0(%x, %y)
  return (%2)
with prim::FusionGroup_0 = graph(%x : Tensor, %y : Tensor):
  %2 : Tensor = aten::mul(%x, %y)
  %3 : Tensor = aten::neg(%2)
  return (%3)
)"),
                              diags);
    REQUIRE(succeeded(graphs));
    graph = std::move(graphs->front());
  }

  StatusOr<Tensor> run(const Tensor &x, const Tensor &y) {
    auto code = cache.get(*graph, "test");
    REQUIRE(code.ok());
    CallContext call(context);
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> results, (*code)->run(call, {IValue(x), IValue(y)}));
    return results.front().asTensor();
  }

  Context context;
  DiagnosticEngine diags;
  CountingMemory memory{Device{DeviceKind::CUDA, 0}};
  std::shared_ptr<NestInterpreter> processor = std::make_shared<NestInterpreter>();
  std::shared_ptr<NestInterpreter> other = std::make_shared<NestInterpreter>(memory);
  CodeCache cache;
  std::unique_ptr<Graph> graph;
};

Tensor filled(const DeviceMemory &memory, ArrayRef<int64_t> sizes, double value, DType dtype = DType::Float) {
  Tensor t = *Tensor::empty(sizes, dtype, memory);
  for (int64_t i = 0; i != t.numel(); ++i)
    t.set(i, Scalar(value));
  return t;
}

} // namespace

TEST_CASE("Fusion: a group runs by the fuser of its operands' device, and gives tensors there") {
  TwoDevices test;
  {
    StatusOr<Tensor> result = test.run(filled(test.memory, {3}, 2), filled(test.memory, {3}, 5));
    REQUIRE(result.ok());
    CHECK(result->device() == Device{DeviceKind::CUDA, 0});
    CHECK(result->at(1).toDouble() == -10);
    CHECK(test.memory.blocks == 3);
    CHECK(test.other->counters().kernelsRun == 1);
    CHECK(test.processor->counters().kernelsRun == 0);
  }
  CHECK(test.memory.live == 0);
  StatusOr<Tensor> result = test.run(filled(DeviceMemory::cpu(), {3}, 2), filled(DeviceMemory::cpu(), {3}, 4));
  REQUIRE(result.ok());
  CHECK(result->device() == Device());
  CHECK(result->at(2).toDouble() == -8);
  CHECK(test.processor->counters().kernelsRun == 1);
}

TEST_CASE("Fusion: operands on two devices are refused") {
  TwoDevices test;
  Tensor here = filled(DeviceMemory::cpu(), {3}, 2), there = filled(test.memory, {3}, 2);
  CHECK_THAT(
      failure(test.run(there, here).status()),
      Catch::Contains("Expected all tensors to be on the same device, but found at least two devices, cuda:0 and "
                      "cpu!"));
  CHECK_THAT(failure(test.run(here, there).status()), Catch::Contains("at least two devices, cpu and cuda:0!"));
  CountingMemory second{Device{DeviceKind::CUDA, 1}};
  CHECK_THAT(failure(test.run(there, filled(second, {3}, 2)).status()),
             Catch::Contains("at least two devices, cuda:0 and cuda:1!"));
}

TEST_CASE("Fusion: operands that their device's fuser does not take are no business of the processor") {
  TwoDevices test;
  Tensor there = filled(test.memory, {3}, 2);
  CHECK_THAT(failure(test.run(there, filled(test.memory, {2}, 2)).status()), Catch::Contains("no fuser of cuda:0"));
}
