//===- TracingTest.cpp - Programs to traces -------------------------------===//
#include "Programs.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/TraceCheck.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Transforms/TracedModules.h"

using namespace tsc;

namespace {

Tensor full(std::vector<int64_t> sizes, double value) { return *Tensor::full(sizes, value, DType::Float); }

StatusOr<TracedGraph> trace(Program &program, CallContext &call, llvm::StringRef name, std::vector<IValue> args,
                            TraceOptions options = {}) {
  auto entry = program.find(name);
  INFO(entry.status().message());
  REQUIRE(entry.ok());
  return program.trace(call, *entry, std::move(args), {}, options);
}

const char *const source = R"(
import torch
from torch import Tensor

def steps(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = x * 2
    return x

def held(x: Tensor) -> Tensor:
    for i in range(2):
        x = x + i
    return steps(x, 3) * x.size(0)

def quiet(x: Tensor) -> Tensor:
    with torch.no_grad():
        if x.sum() > 0:
            x = x + 1
    return x

def rows(x: Tensor) -> Tensor:
    if x.size(0) > 2:
        return x * 2
    return x + 1

def forever(x: Tensor) -> Tensor:
    while True:
        x = x + 1
    return x

class Scaler:
    def __init__(self):
        self.by = 2

    def twice(self, x: Tensor) -> Tensor:
        return x * self.by

    def thrice(self, x: Tensor) -> Tensor:
        return x * (self.by + 1)

def scaled(x: Tensor) -> Tensor:
    scaler = Scaler()
    if x.size(0) > 2:
        return scaler.twice(x)
    return scaler.thrice(x)
)";

const char *const modules = R"(
import torch
import torch.nn as nn
from torch import Tensor

def twice(x: Tensor) -> Tensor:
    return x * 2

class Child(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        later = torch.jit.fork(twice, x)
        for i in range(2):
            x = x + i
        return x + torch.jit.wait(later)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.child = Child()

    def forward(self, x: Tensor) -> Tensor:
        later = torch.jit.fork(twice, x)
        return self.child(x) + torch.jit.wait(later)
)";

unsigned countNodes(Graph &graph, Symbol kind) {
  unsigned count = 0;
  graph.walk([&](Node &node) { count += node.kind() == kind; });
  return count;
}

} // namespace

TEST_CASE("Program::trace: a trace is saved, and serves other sizes") {
  Program program = load(source, "held.py");
  CallContext call(program.context());
  auto entry = program.find("held");
  REQUIRE(entry.ok());
  auto traced = program.trace(call, *entry, {full({2}, 1)}, {}, {});
  INFO(traced.status().message());
  REQUIRE(traced.ok());
  CHECK(traced->remarks.empty());
  CHECK(traced->result.asTensor().at(0).toDouble() == 32); // (1 + 0 + 1) * 8 * 2
  unsigned numAdds = 0, numCalls = 0, numLoops = 0;
  traced->graph->walk([&](Node &node) {
    numAdds += node.kind() == aten::add;
    numCalls += node.kind() == prim::CallFunction;
    numLoops += node.kind() == prim::Loop;
  });
  CHECK(numAdds == 2);
  CHECK(numCalls == 1);
  CHECK(numLoops == 0);
  CHECK(program.tracedModule(*program.find("steps"), TracedGraph{traced->graph->clone(), {}, {}}).status().code() ==
        StatusCode::InvalidArgument);
  auto module = program.tracedModule(*entry, *std::move(traced));
  INFO(module.status().message());
  REQUIRE(module.ok());
  auto bytes = program.save(*module, SaveOptions());
  INFO(bytes.status().message());
  REQUIRE(bytes.ok());
  Program again = load(*bytes, "held.pt");
  CHECK(run(again, "forward", {full({3}, 2)}).asTensor().at(0).toDouble() == 72); // (2 + 1) * 8 * 3
}

TEST_CASE("Program::trace: what fails leaves nothing behind") {
  Program program = load(source, "quiet.py");
  CallContext call(program.context());
  auto refused = trace(program, call, "quiet", {full({2}, 1)});
  REQUIRE_FALSE(refused.ok());
  CHECK_THAT(messageOf(refused.status()).str(), Catch::Contains("quiet.py:17:"));
  CHECK(call.gradMode);
  CHECK(call.observer == nullptr);
  CHECK(call.site == nullptr);
  TraceOptions anyway;
  anyway.warnsOnly = true;
  auto traced = trace(program, call, "quiet", {full({2}, 1)}, anyway);
  REQUIRE(traced.ok());
  CHECK(traced->remarks.size() == 1);
  CHECK(call.gradMode);
}

TEST_CASE("Program::trace: a host's limits end a trace") {
  Program program = load(source, "forever.py");
  CallContext call(program.context());
  call.quotas.steps = 1000;
  call.beginCall();
  auto traced = trace(program, call, "forever", {full({2}, 1)});
  REQUIRE_FALSE(traced.ok());
  CHECK(traced.status().code() == StatusCode::ResourceExhausted);
}

/// The one difference that a check finds of a trace of a function which takes other branches for other sizes.
static std::string differenceOf(llvm::StringRef function, const IValue &argument) {
  Program program = load(source, (function + ".py").str());
  CallContext call(program.context());
  auto entry = program.find(function);
  REQUIRE(entry.ok());
  TraceOptions anyway;
  anyway.warnsOnly = true;
  auto traced = program.trace(call, *entry, {argument}, {}, anyway);
  REQUIRE(traced.ok());
  auto report = program.checkTrace(call, *entry, *traced, {argument}, {}, {});
  INFO(report.status().message());
  REQUIRE(report.ok());
  REQUIRE(report->differences.size() == 1);
  return report->differences[0];
}

TEST_CASE("Program::checkTrace: the first node that differs is named") {
  const std::string difference = differenceOf("rows", full({2}, 5));
  CHECK_THAT(difference, Catch::StartsWith("with one row more: "));
  CHECK_THAT(difference, Catch::Contains("'aten::add' differs in a second trace, which has rows.py:23:"));
}

TEST_CASE("Program::checkTrace: calls of two methods differ") {
  CHECK_THAT(differenceOf("scaled", full({2}, 1)),
             Catch::Contains("'prim::CallMethod' differs in a second trace, which has scaled.py:"));
}

TEST_CASE("Program::trace: what is run as Python is refused") {
  Program program = load("import torch\nif __name__ == '__main__':\n    print(torch.ones(2))\n", "script.py");
  CallContext call(program.context());
  auto entry = program.findWithoutArguments();
  REQUIRE(entry.ok());
  auto traced = program.trace(call, *entry, {}, {}, {});
  REQUIRE_FALSE(traced.ok());
  CHECK(traced.status().code() == StatusCode::Unimplemented);
}

TEST_CASE("Program::tracedModule: methods within are traces, and code of the bodies that they replace runs on") {
  Program program = load(modules, "modules.py");
  CallContext call(program.context());
  auto entry = program.find("Net");
  INFO(entry.status().message());
  REQUIRE(entry.ok());
  auto runEntry = [&] {
    StatusOr<IValue> result = program.run(call, *entry, {full({2}, 1)});
    INFO(result.status().message());
    REQUIRE(result.ok());
    return result->asTensor().at(0).toDouble();
  };
  CHECK(runEntry() == 6); // the child's 1 + 0 + 1 + 2, and 2
  auto traced = program.trace(call, *entry, {full({2}, 1)}, {}, {});
  INFO(traced.status().message());
  REQUIRE(traced.ok());
  CHECK(traced->result.asTensor().at(0).toDouble() == 6);
  CHECK(countNodes(*traced->graph, prim::TracedModuleForward) == 1);
  std::unique_ptr<Graph> flat = traced->graph->clone();
  inlineTracedCalls(*flat);
  CHECK(countNodes(*flat, prim::TracedModuleForward) == 0);
  CHECK(countNodes(*flat, aten::add) == 4);

  auto module = program.tracedModule(*entry, *std::move(traced));
  INFO(module.status().message());
  REQUIRE(module.ok());
  const IValue *child = module->toObject().findAttribute("child");
  REQUIRE(child);
  Function *forward = child->toObject().type->findMethod("forward");
  REQUIRE(forward);
  CHECK(countNodes(*forward->graph(), prim::Loop) == 0);
  CHECK(countNodes(*forward->graph(), aten::add) == 3);
  for (int i = 0; i != 4; ++i) {
    CHECK(runEntry() == 6);
    program.finishCompiling();
  }
  auto bytes = program.save(*module, SaveOptions());
  INFO(bytes.status().message());
  REQUIRE(bytes.ok());
  Program again = load(*bytes, "net.pt");
  CHECK(run(again, "forward", {full({3}, 2)}).asTensor().at(0).toDouble() == 11); // 2 + 0 + 1 + 4, and 4
}
