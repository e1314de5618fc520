//===- FunctionTest.cpp - Bodies that are compiled on first use -----------===//
#include "tsc/IR/Function.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>
#include <vector>

using namespace tsc;

namespace {
/// Waits until `condition` holds; false when it does not within ten seconds.
bool waitFor(const std::function<bool()> &condition) {
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition() && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  return condition();
}
} // namespace

TEST_CASE("bodies of two compilation units are compiled side by side") {
  Context context;
  CompilationUnit first(context), second(context);
  std::atomic<int> begun = 0, met = 0;
  auto meetOther = [&](Function &function) {
    ++begun;
    met += waitFor([&] { return begun == 2; });
    function.setGraph(std::make_unique<Graph>(context));
    return llvm::success();
  };
  first.create("f")->setCreator(meetOther);
  second.create("f")->setCreator(meetOther);
  std::thread other([&] { (void)second.find("f")->ensureDefined(); });
  CHECK(succeeded(first.find("f")->ensureDefined()));
  other.join();
  CHECK(met == 2);
}

TEST_CASE("a schema is read while the body gives the function another") {
  Context context;
  CompilationUnit unit(context);
  Function &function = *unit.create("f");
  CHECK_FALSE(function.hasSchema());
  CHECK(function.schema().arguments().empty());
  auto schemaWith = [](size_t numArguments) {
    return FunctionSchema("f", "", std::vector<Argument>(numArguments), {});
  };
  function.setSchema(schemaWith(1));
  const FunctionSchema &first = function.schema();
  std::atomic<bool> isDone{false};
  std::atomic<int> numWrong{0};
  std::thread reader([&] {
    for (size_t last = 1; !isDone;) {
      const size_t now = function.schema().arguments().size();
      numWrong += now < last;
      last = now;
    }
  });
  for (size_t i = 2; i != 200; ++i)
    function.setSchema(schemaWith(i));
  isDone = true;
  reader.join();
  CHECK(numWrong == 0);
  CHECK(first.arguments().size() == 1);
  CHECK(function.schema().arguments().size() == 199);
}

TEST_CASE("bodies of one compilation unit are compiled one after another, each once") {
  Context context;
  CompilationUnit unit(context);
  std::atomic<int> inside = 0, most = 0, compiled = 0;
  auto create = [&](Function &function) {
    most = std::max<int>(most, ++inside);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    function.setGraph(std::make_unique<Graph>(context));
    ++compiled;
    --inside;
    return llvm::success();
  };
  std::vector<Function *> functions;
  for (int i = 0; i != 8; ++i) {
    functions.push_back(unit.create("f" + std::to_string(i)));
    functions.back()->setCreator(create);
  }
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      for (Function *function : functions)
        (void)function->ensureDefined();
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(most == 1);
  CHECK(compiled == 8);
}

TEST_CASE("a body that asks for another one of its unit gets it") {
  Context context;
  CompilationUnit unit(context);
  Function *callee = unit.create("callee"), *caller = unit.create("caller");
  auto create = [&](Function &function) {
    if (&function == caller && failed(callee->ensureDefined()))
      return llvm::failure();
    function.setGraph(std::make_unique<Graph>(context));
    return llvm::success();
  };
  callee->setCreator(create);
  caller->setCreator(create);
  CHECK(succeeded(caller->ensureDefined()));
  CHECK(callee->graph());
}

TEST_CASE("a body that is replaced lives as long as the function") {
  Context context;
  CompilationUnit unit(context);
  Function &function = *unit.create("f");
  auto bodyWithFork = [&] {
    auto graph = std::make_unique<Graph>(context);
    auto task = std::make_shared<Graph>(context);
    task->addInput("x", Type::tensorType());
    Node *fork = graph->block().append(graph->create(prim::fork));
    fork->setAttribute(attr::Subgraph, std::move(task));
    return graph;
  };
  function.setGraph(bodyWithFork());
  const Graph *old = function.graph();
  const std::weak_ptr<Graph> task =
      old->block().nodes().front().get<std::shared_ptr<Graph>>(attr::Subgraph); // as code refers to it
  for (int i = 0; i != 3; ++i)
    function.setGraph(bodyWithFork());
  CHECK(function.graph() != old);
  REQUIRE_FALSE(task.expired());
  CHECK(old->block().nodes().front().kind() == prim::fork);
  unit.unsafeRemove(function); // the unit goes on owning it
  CHECK_FALSE(task.expired());
}
