//===- DevicesTest.cpp - Code on devices that a host brings ---------------===//
#include "../Dispatch/QueuedDevice.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Executor/GraphExecutor.h"
#include "tsc/Support/Diagnostics.h"
#include <catch2/catch.hpp>

using namespace tsc;
using queued::Devices;
using Names = std::vector<std::string>;

namespace {
/// A product of matrices, a group, and an operator that is in no group.
constexpr const char *layers = R"(
graph(%x : Tensor, %w : Tensor):
  %1 : Tensor = aten::mm(%x, %w)
  %2 : Tensor = prim::FusionGroup_0(%1, %x)
  %3 : Tensor = aten::neg(%2)
  return (%3)
with prim::FusionGroup_0 = graph(%y : Tensor, %x : Tensor):
  %1 : Tensor = aten::relu(%y)
  %2 : Tensor = aten::mul(%1, %x)
  return (%2)
)";

/// The code of a graph, and the devices that it may use.
class Scenario {
public:
  /// `fuses`: whether the devices' fuser makes the kernels of groups.
  explicit Scenario(bool fuses) {
    setAccelerator(context, devices);
    devices->copied = [this](llvm::StringRef name) { copied.push_back(name.str()); };
    diags.setHandler([](const Diagnostic &) {});
    auto graphs = parseGraphs(context, context.sources().add("test.ir", layers), diags);
    REQUIRE(succeeded(graphs));
    graph = std::move(graphs->front());
    GraphExecutorOptions options;
    if (fuses)
      options.fusers.add(DeviceKind::PrivateUse1, devices->fuser());
    executor.emplace(std::move(options));
  }

  /// Calls the code with matrices on two devices.
  StatusOr<Tensor> run(int deviceOfX, int deviceOfW) {
    CallContext call(context);
    TSC_ASSIGN_OR_RETURN(Tensor x, matrix({1, -2, 3, 4}, deviceOfX));
    TSC_ASSIGN_OR_RETURN(Tensor w, matrix({0, 1, 1, 0}, deviceOfW));
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> results, executor->call(*graph, "test", call, {IValue(x), IValue(w)}));
    return results.front().asTensor();
  }
  StatusOr<Tensor> matrix(std::vector<float> numbers, int device) {
    TSC_ASSIGN_OR_RETURN(const DeviceMemory *memory, devices->memory(devices->device(device)));
    TSC_ASSIGN_OR_RETURN(Tensor here, Tensor::fromSpan<float>(numbers, {2, 2}));
    return copyTensor(here, *memory);
  }

  std::shared_ptr<Devices> devices = std::make_shared<Devices>();
  Names copied;
  Context context;
  DiagnosticEngine diags;
  std::unique_ptr<Graph> graph;
  std::optional<GraphExecutor> executor;
};
} // namespace

TEST_CASE("devices: code runs a device's kernels and groups, and nothing waits before a copy does") {
  for (bool fuses : {false, true}) {
    Scenario test(fuses);
    for (int device : {0, 1, 0}) {
      queued::Unit &unit = test.devices->unit(device);
      unit.ran.clear();
      StatusOr<Tensor> result = test.run(device, device);
      REQUIRE(result.ok());
      CHECK(result->device() == test.devices->device(device));
      CHECK(unit.ran.empty());
      StatusOr<Tensor> here = onHost(*result);
      REQUIRE(here.ok());
      // The product is [[-2, 1], [4, 3]].
      CHECK(here->at(0).toDouble() == 0);
      CHECK(here->at(1).toDouble() == 2);
      CHECK(here->at(2).toDouble() == -12);
      CHECK(here->at(3).toDouble() == -12);
      // As plain nodes, relu has a kernel of its own, and of mul and neg the fuser makes one each.
      CHECK(unit.ran ==
            (fuses ? Names{"aten::mm", "group", "group"} : Names{"aten::mm", "aten::relu", "group", "group"}));
    }
    CHECK(test.copied.empty());
  }
}

TEST_CASE("devices: code with operands on two of them fails") {
  Scenario test(true);
  StatusOr<Tensor> result = test.run(0, 1);
  REQUIRE_FALSE(result.ok());
  CHECK_THAT(std::string(messageOf(result.status())),
             Catch::Contains("at least two devices, privateuseone:0 and privateuseone:1!"));
}
