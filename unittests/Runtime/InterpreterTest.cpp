//===- InterpreterTest.cpp - Code and the interpreter ---------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Dispatch/CallByName.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Support/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>
#include <thread>

using namespace tsc;

namespace {
class Program {
public:
  explicit Program(const char *text) {
    DiagnosticEngine diags;
    auto parsed = parseGraphs(context, context.sources().add("test.ir", text), diags);
    INFO(diags.str());
    REQUIRE(succeeded(parsed));
    graph = std::move(parsed->front());
    auto compiled = Code::compile(*graph, "test", cache);
    INFO(compiled.status().message());
    REQUIRE(compiled.ok());
    code = std::move(*compiled);
  }
  StatusOr<std::vector<IValue>> tryRun(std::vector<IValue> args, Quotas quotas = {}) const {
    CallContext call(const_cast<Context &>(context));
    call.quotas = quotas;
    return code->run(call, std::move(args));
  }
  IValue run(std::vector<IValue> args) const {
    auto results = tryRun(std::move(args));
    INFO(results.status().message());
    REQUIRE(results.ok());
    REQUIRE(results->size() == 1);
    return results->front();
  }
  std::string listing() const {
    std::string text;
    llvm::raw_string_ostream os(text);
    code->print(os);
    return text;
  }
  Context context;
  CodeCache cache;
  std::unique_ptr<Graph> graph;
  std::unique_ptr<Code> code;
};

const char *const BranchySum = R"(
graph(%n : int):
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %two : int = prim::Constant[value=2]()
  %three : int = prim::Constant[value=3]()
  %true : bool = prim::Constant[value=1]()
  %s : int = prim::Loop(%n, %true, %zero)
    block0(%i : int, %s.1 : int):
      %r : int = aten::remainder(%i, %three)
      %c : bool = aten::eq(%r, %zero)
      %s.2 : int = prim::If(%c)
        block0():
          %d : int = aten::mul(%i, %two)
          %a : int = aten::add(%s.1, %d)
          -> (%a)
        block1():
          %b : int = aten::sub(%s.1, %one)
          -> (%b)
      -> (%true, %s.2)
  return (%s)
)";
} // namespace

TEST_CASE("a loop with a branch") {
  Program program(BranchySum);
  CHECK(program.run({IValue(10)}).toInt() == 0 + 6 + 12 + 18 - 6);
  CHECK(program.run({IValue(0)}).toInt() == 0);
  CHECK(program.run({IValue(-3)}).toInt() == 0);
}

TEST_CASE("joined values share a register: no moves in the loop") {
  std::string text = Program(BranchySum).listing();
  INFO(text);
  size_t start = text.find("ForEnter");
  REQUIRE(start != std::string::npos);
  CHECK(text.find("MoveS", start) == std::string::npos);
  CHECK(text.find("JumpNeI", start) != std::string::npos); // the comparison is a part of the branch
}

TEST_CASE("values that swap places in a loop") {
  Program program(R"(
graph(%n : int, %x : str, %y : str):
  %true : bool = prim::Constant[value=1]()
  %a : str, %b : str = prim::Loop(%n, %true, %x, %y)
    block0(%i : int, %p : str, %q : str):
      -> (%true, %q, %p)
  %t : (str, str) = prim::TupleConstruct(%a, %b)
  return (%t)
)");
  for (int n : {0, 1, 2, 7}) {
    IValue t = program.run({IValue(n), IValue("x"), IValue("y")});
    CHECK(t.toTuple().elements[0].toString() == (n % 2 ? "y" : "x"));
    CHECK(t.toTuple().elements[1].toString() == (n % 2 ? "x" : "y"));
  }
}

TEST_CASE("a while loop whose condition is an and") {
  Program program(R"(
graph(%limit : int, %bound : float):
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %half : float = prim::Constant[value=0.5]()
  %max : int = prim::Constant[value=9223372036854775807]()
  %false : bool = prim::Constant[value=0]()
  %start : bool = aten::lt(%zero, %limit)
  %k : int, %z : float = prim::Loop(%max, %start, %zero, %half)
    block0(%i : int, %k.1 : int, %z.1 : float):
      %z.2 : float = aten::add(%z.1, %half)
      %k.2 : int = aten::add(%k.1, %one)
      %c : bool = aten::lt(%k.2, %limit)
      %and : bool = prim::If(%c)
        block0():
          %d : bool = aten::lt(%z.2, %bound)
          -> (%d)
        block1():
          -> (%false)
      -> (%and, %k.2, %z.2)
  %t : (int, float) = prim::TupleConstruct(%k, %z)
  return (%t)
)");
  auto results = [&](int limit, double bound) {
    IValue t = program.run({IValue(limit), IValue(bound)});
    return std::pair(t.toTuple().elements[0].toInt(), t.toTuple().elements[1].toDouble());
  };
  CHECK(results(0, 10) == std::pair<int64_t, double>(0, 0.5));
  CHECK(results(4, 100) == std::pair<int64_t, double>(4, 2.5));
  CHECK(results(100, 2) == std::pair<int64_t, double>(3, 2.0));
}

TEST_CASE("values die at their last use, on every path") {
  Program program(R"(
graph(%c : bool, %l : int[]):
  %one : int = prim::Constant[value=1]()
  %k : int[] = prim::ListConstruct(%one, %one)
  %r : int = prim::If(%c)
    block0():
      %a : int = aten::len(%l)
      -> (%a)
    block1():
      %b : int = aten::len(%k)
      -> (%b)
  return (%r)
)");
  IValue list(std::vector<int64_t>{1, 2, 3});
  CHECK(program.run({IValue(true), list}).toInt() == 3);
  CHECK(program.run({IValue(false), list}).toInt() == 2);
  CHECK(list.toIntList().useCount() == 1);
}

TEST_CASE("a failure carries the call stack and the exception's class") {
  Program program(R"(
graph(%x : int[], %i : int):
  %c : bool = prim::Constant[value=1]()
  %r : int = aten::__getitem__(%x, %i)
  return (%r)
)");
  auto failed = program.tryRun({IValue(std::vector<int64_t>{1}), IValue(4)});
  REQUIRE(!failed.ok());
  CHECK(messageOf(failed.status()).contains("The following operation failed in the TorchScript interpreter."));
  CHECK(messageOf(failed.status()).ends_with("IndexError: list index out of range\n"));
  CHECK(errorOf(failed.status()) == "IndexError: list index out of range");

  Program raises(R"(
graph():
  %m : str = prim::Constant[value="too bad"]()
  %c : str = prim::Constant[value="builtins.ValueError"]()
   = prim::RaiseException(%m, %c)
  %n : NoneType = prim::Constant()
  return (%n)
)");
  auto raised = raises.tryRun({});
  REQUIRE(!raised.ok());
  CHECK(messageOf(raised.status()).contains("builtins.ValueError: too bad"));
  CHECK(exceptionClass(raised.status()) == std::optional<std::string>("builtins.ValueError"));
}

TEST_CASE("division by zero fails; the one quotient that overflows wraps") {
  Program program(R"(
graph(%a : int, %b : int):
  %q : int = aten::floordiv(%a, %b)
  %r : int = aten::remainder(%a, %b)
  %t : (int, int) = prim::TupleConstruct(%q, %r)
  return (%t)
)");
  auto divmod = [&](int64_t a, int64_t b) {
    IValue t = program.run({IValue(a), IValue(b)});
    return std::pair(t.toTuple().elements[0].toInt(), t.toTuple().elements[1].toInt());
  };
  using Pair = std::pair<int64_t, int64_t>;
  CHECK(divmod(7, 2) == Pair(3, 1));
  CHECK(divmod(-7, 2) == Pair(-4, 1));
  CHECK(divmod(7, -2) == Pair(-4, -1));
  CHECK(divmod(-7, -2) == Pair(3, -1));
  CHECK(divmod(INT64_MIN, -1) == Pair(INT64_MIN, 0));
  CHECK(!program.tryRun({IValue(1), IValue(0)}).ok());
}

TEST_CASE("a quota of steps ends an endless loop") {
  Program program(R"(
graph():
  %max : int = prim::Constant[value=9223372036854775807]()
  %true : bool = prim::Constant[value=1]()
   = prim::Loop(%max, %true)
    block0(%i : int):
      -> (%true)
  %n : NoneType = prim::Constant()
  return (%n)
)");
  Quotas quotas;
  quotas.steps = 100000;
  auto failed = program.tryRun({}, quotas);
  REQUIRE(!failed.ok());
  CHECK(failed.status().code() == StatusCode::ResourceExhausted);
}

TEST_CASE("one program, many threads") {
  Program program(BranchySum);
  int64_t expected = program.run({IValue(30000)}).toInt();
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i != 20; ++i) {
        auto results = program.tryRun({IValue(30000)});
        good += results.ok() && results->front().toInt() == expected;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(good == 80);
}

TEST_CASE("an operator registered at run time whose kernel is made for each node") {
  Context context;
  int numMade = 0;
  auto make = [&](const Node &node) -> StatusOr<CustomKernel> {
    ++numMade;
    const AttributeValue *multiplier = node.attribute(node.graph().context().symbol("attr", "multiplier"));
    if (!multiplier || !std::holds_alternative<double>(*multiplier))
      return invalidArgument("a node has no 'multiplier'");
    return CustomKernel(
        [by = std::get<double>(*multiplier)](CallContext &, const IValue *const *args, IValue *results) {
          results[0] = IValue(by * args[0]->toDouble());
          results[1] = IValue(args[0]->toDouble());
          return okStatus();
        });
  };
  REQUIRE(context.operators().registerNodeOperator("mine::magic(float a) -> (float, float)", make).ok());
  CHECK_FALSE(context.operators().registerNodeOperator("mine::magic(float a) -> (float, float)", make).ok());
  DiagnosticEngine diags;
  auto parsed = parseGraphs(context,
                            context.sources().add("test.ir", "graph(%a : float):\n"
                                                             "  %b : float, %c : float = "
                                                             "mine::magic[multiplier=2.](%a)\n"
                                                             "  %d : float, %e : float = "
                                                             "mine::magic[multiplier=3.](%b)\n"
                                                             "  return (%c, %d)\n"
                                                             "graph(%a : float):\n"
                                                             "  %b : float, %c : float = mine::magic(%a)\n"
                                                             "  return (%b)\n"),
                            diags);
  INFO(diags.str());
  REQUIRE(succeeded(parsed));
  REQUIRE(parsed->size() == 2);
  CodeCache cache;
  auto code = Code::compile(*(*parsed)[0], "magic", cache);
  REQUIRE(code.ok());
  CHECK(numMade == 2);
  CallContext call(context);
  for (int i = 0; i != 2; ++i) { // the attributes are read when the code is made, and not again
    auto results = (*code)->run(call, {IValue(7.0)});
    REQUIRE(results.ok());
    CHECK((*results)[0].toDouble() == 7.0);
    CHECK((*results)[1].toDouble() == 42.0);
  }
  CHECK(numMade == 2);
  auto wrong = Code::compile(*(*parsed)[1], "wrong", cache);
  REQUIRE(wrong.ok());
  auto refused = (*wrong)->run(call, {IValue(7.0)});
  REQUIRE_FALSE(refused.ok());
  CHECK(messageOf(refused.status()).contains("operator mine::magic: a node has no 'multiplier'"));
  // By its name it has no node.
  CHECK(callOperator(call, "mine::magic", {IValue(7.0)}).status().code() == StatusCode::Unimplemented);
}

TEST_CASE("an operator registered at run time") {
  Context context;
  auto status = context.operators().registerOperator("mine::twice(int a) -> int",
                                                     [](CallContext &, const IValue *const *args, IValue *results) {
                                                       results[0] = IValue(2 * args[0]->toInt());
                                                       return okStatus();
                                                     });
  REQUIRE(status.ok());
  DiagnosticEngine diags;
  auto parsed = parseGraphs(
      context, context.sources().add("test.ir", "graph(%a : int):\n  %b : int = mine::twice(%a)\n  return (%b)\n"),
      diags);
  REQUIRE(succeeded(parsed));
  CodeCache cache;
  auto code = Code::compile(*parsed->front(), "twice", cache);
  REQUIRE(code.ok());
  CallContext call(context);
  auto results = (*code)->run(call, {IValue(21)});
  REQUIRE(results.ok());
  CHECK(results->front().toInt() == 42);
}
