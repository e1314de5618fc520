//===- SchemaTest.cpp - Signatures of operators ---------------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/Support/Diagnostics.h"
#include <catch2/catch.hpp>

using namespace tsc;

static std::optional<FunctionSchema> parse(Context &context, const std::string &text, std::string *report = nullptr) {
  DiagnosticEngine diags;
  SourceBuffer buffer("schema", text);
  auto schema = parseSchema(context, buffer, diags);
  if (report)
    *report = diags.str();
  return succeeded(schema) ? std::optional(*schema) : std::nullopt;
}

TEST_CASE("a schema prints as it was written", "[schema]") {
  Context context;
  for (const char *text : {
           "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
           "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
           "aten::split.Tensor(Tensor(a -> *) self, int split_size, int dim=0) -> Tensor(a)[]",
           "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
           "aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] padding=0) -> Tensor",
           "aten::norm.names(Tensor self, Scalar? p, float eps=1e-05, str mode=\"mean\") -> Tensor",
           "prim::Print(...) -> ()",
           "prim::unpack(Any x) -> ...",
           "aten::__getitem__.Dict_str(Dict(str, t) self, str key) -> t(*)",
           "aten::items.str(Dict(str, t) self) -> ((str, t)[])",
           "my::f(int[] sizes=[1, 2], int[2]? pair=None, Future(Tensor) later) -> ()",
       }) {
    INFO(text);
    auto schema = parse(context, text);
    REQUIRE(schema);
    auto again = parse(context, schema->str());
    REQUIRE(again);
    CHECK(again->str() == schema->str());
  }
}

TEST_CASE("what a schema says of its arguments", "[schema]") {
  Context context;
  auto schema = parse(context, "aten::f.out(Tensor self, int[2] size, *, float p=0.5, Tensor(a!) out) -> Tensor(a!)");
  REQUIRE(schema);
  CHECK(schema->name() == "aten::f");
  CHECK(schema->overloadName() == "out");
  CHECK(schema->isMutating());
  CHECK(schema->argumentIndex("p") == 2u);
  CHECK_FALSE(schema->argumentIndex("q"));
  llvm::ArrayRef<Argument> arguments = schema->arguments();
  CHECK(arguments[1].fixedLength == 2);
  CHECK_FALSE(arguments[1].keywordOnly);
  CHECK(arguments[2].keywordOnly);
  CHECK(arguments[2].defaultValue->toDouble() == 0.5);
  CHECK(arguments[3].alias->isWrite);
  CHECK(schema->returns()[0].alias == arguments[3].alias);
}

TEST_CASE("what is wrong in a schema is said, with its place", "[schema]") {
  Context context;
  // InvalidSchema: each of the reasons.
  const std::pair<const char *, const char *> cases[] = {
      {"", "expected the operator's name"},
      {"aten::f(", "expected a type"},
      {"aten::f(int) -> int", "expected the argument's name"},
      {"aten::f(int a", "expected"},
      {"aten::f(int a)", "expected '->' here"},
      {"aten::f(int a) -> ", "expected a type"},
      {"aten::f(int a) -> int b c", "unexpected text after the schema"},
      {"aten::f(int a=) -> int", "expected"},
      {"aten::f(bool[3] a=1) -> int", "a default of another type"},
      {"aten::f(int[2] a=0.5) -> int", "a default of another type"},
      {"aten::f(float? a=float) -> int", "a default of another type"},
      {"aten::f(None? a=\"\") -> int", "a default of another type"},
      {"aten::f(int a=True) -> int", "a default of another type"},
      {"aten::f(int[] a=\"x\") -> int", "a default of another type"},
      {"aten::f(int[] a=5) -> int", "a default of another type"},
      {"aten::f(Scalar a=\"x\") -> int", "a default of another type"},
      {"aten::f(Device a=5) -> int", "a default of another type"},
      {"aten::f(..., int a) -> int", "'...' must be last"},
      {"aten::f(*, int a, *, int b) -> int", "a second '*'"},
      {"aten::f(int[x] a) -> int", "expected the length of the list"},
      {"aten::f(Dict(str) a) -> int", "wrong number of parameters of Dict"},
      {"aten::f(Dict a) -> int", "expected the parameters of Dict"},
      {"aten::f(Tensor(!) a) -> int", "expected the name of an alias set"},
  };
  for (auto [text, reason] : cases) {
    INFO(text);
    std::string report;
    CHECK_FALSE(parse(context, text, &report));
    CHECK_THAT(report, Catch::Contains(reason));
    CHECK_THAT(report, Catch::Contains("schema:1:"));
  }
  std::string report;
  CHECK_FALSE(parse(context, "aten::f(" + std::string(5000, '(') + "int", &report));
  CHECK_THAT(report, Catch::Contains("nested too deeply"));
}

TEST_CASE("one number stands for a list only where it gives that list", "[schema]") {
  Context context;
  auto pair = parse(context, "aten::f(int[2] a=[1, 1], int[2] b=[1], int[0] c=[1], int[] d=[1, 1]) -> ()");
  REQUIRE(pair);
  CHECK(pair->str() == "aten::f(int[2] a=1, int[2] b=[1], int[0] c=[1], int[] d=[1, 1]) -> ()");
  CHECK_FALSE(parse(context, "aten::f(int[1000000000] a=1) -> ()"));
  CHECK_FALSE(parse(context, "aten::f(int[-1] a=1) -> ()"));
}
