//===- AcceleratorTest.cpp - What devices hear of calls -------------------===//
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Executor/GraphExecutor.h"
#include "tsc/Support/Diagnostics.h"
#include <catch2/catch.hpp>

using namespace tsc;

namespace {
/// The numbers of the code that is called.
class Listening final : public Accelerator {
public:
  std::vector<uint64_t> called;

private:
  bool serves(DeviceKind) const override { return true; }
  void beginCall(uint64_t code, TraceRecorder *) override { called.push_back(code); }
  StatusOr<const DeviceMemory *> open(Device) override { return &DeviceMemory::cpu(); }
  Fuser *fuserOf(Device) override { return nullptr; }
};
} // namespace

TEST_CASE("Accelerator: code that has gone leaves its number to no other") {
  auto listening = std::make_shared<Listening>();
  Context context;
  setAccelerator(context, listening);
  REQUIRE(listening->memory({DeviceKind::CUDA, 0}).ok());
  DiagnosticEngine diags;
  auto graphs = parseGraphs(context, context.sources().add("test.ir", "graph @f(%x : int):\n  return (%x)\n"), diags);
  REQUIRE(succeeded(graphs));
  for (int i = 0; i != 20; ++i) { // of which some may be where others were
    const GraphExecutor executor;
    CallContext call(context);
    for (int again = 0; again != 2; ++again)
      REQUIRE(executor.call(*graphs->front(), "f", call, {IValue(int64_t{1})}).ok());
  }
  std::vector<uint64_t> expected;
  for (uint64_t i = 0; i != 20; ++i)
    expected.insert(expected.end(), 2, i);
  CHECK(listening->called == expected);
}
