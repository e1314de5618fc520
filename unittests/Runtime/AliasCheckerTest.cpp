//===- AliasCheckerTest.cpp - Operators that do not do what they say ------===//
#include "tsc/Runtime/AliasChecker.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Support/Diagnostics.h"
#include <catch2/catch.hpp>

using namespace tsc;

/// Runs a graph of one tensor under the checker. `test::same` returns its operand and `test::write` writes it, under
/// the schemas given.
static Status runChecked(const std::string &same, const std::string &write, const std::string &text) {
  Context context;
  REQUIRE(context.operators()
              .registerOperator(same,
                                [](CallContext &, const IValue *const *args, IValue *results) {
                                  results[0] = *args[0];
                                  return okStatus();
                                })
              .ok());
  REQUIRE(context.operators()
              .registerOperator(write,
                                [](CallContext &, const IValue *const *args, IValue *) {
                                  args[0]->asTensor().set(0, 7.0);
                                  args[0]->asTensor().bumpVersion();
                                  return okStatus();
                                })
              .ok());
  SourceBuffer buffer("test.ir", text);
  DiagnosticEngine diags;
  auto graphs = parseGraphs(context, buffer, diags);
  INFO(diags.str());
  REQUIRE(succeeded(graphs));
  AliasChecker checker(context);
  CodeCache cache;
  cache.setPreparation([&](Graph &graph) { return checker.instrument(graph); });
  StatusOr<const Code *> code = cache.get(*graphs->front(), "test");
  REQUIRE(code.ok());
  CallContext call(context);
  return (*code)->run(call, {IValue(*Tensor::full({2}, 1.0, DType::Float))}).status();
}

static const char *const honestSame = "test::same(Tensor(a) x) -> Tensor(a)", *const honestWrite =
                                                                                  "test::write(Tensor(a!) x) -> ()";
static const char *const program = R"(graph(%x : Tensor):
  %f : Tensor = aten::neg(%x)
  %g : Tensor = test::same(%f)
   = test::write(%f)
  %l : Tensor[] = prim::ListConstruct(%g)
  %h : Tensor = aten::cat(%l, %0)
  return (%h)
)";

static std::string withConstant(std::string text) {
  return text.insert(text.find("  %f"), "  %0 : int = prim::Constant[value=0]()\n");
}

TEST_CASE("operators that keep their word pass the alias checker") {
  Status status = runChecked(honestSame, honestWrite, withConstant(program));
  INFO(messageOf(status).str());
  CHECK(status.ok());
}

TEST_CASE("an alias that is returned undeclared fails") {
  Status status = runChecked("test::same(Tensor x) -> Tensor", honestWrite, withConstant(program));
  REQUIRE_FALSE(status.ok());
  CHECK(messageOf(status).contains("cannot share memory, but they do"));
  CHECK(messageOf(status).contains("of test::same"));
}

TEST_CASE("a write that is undeclared fails") {
  Status status = runChecked(honestSame, "test::write(Tensor x) -> ()", withConstant(program));
  REQUIRE_FALSE(status.ok());
  CHECK(messageOf(status).contains("a node test::write does not write"));
}
