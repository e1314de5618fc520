#include "tsc/Runtime/TranslationValidator.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include <catch2/catch.hpp>
using namespace tsc;

using Verdict = ValidationResult::Verdict;

namespace {
struct Sample {
  std::unique_ptr<Graph> parse(const char *text) {
    const SourceBuffer &source = context.sources().add("sample.ir", text);
    auto graphs = parseGraphs(context, source, diags);
    REQUIRE(succeeded(graphs));
    return std::move(graphs->front());
  }
  /// What the validator says of a pass that made `after` of `before`.
  ValidationResult compare(const char *before, const char *after, bool errors) {
    TranslationValidator validator(context, 20);
    if (errors)
      validator.compareErrors();
    std::unique_ptr<Graph> first = parse(before), second = parse(after);
    REQUIRE(validator.begin(*first).verdict == Verdict::Same);
    return validator.compare(*second);
  }
  Context context;
  DiagnosticEngine diags;
};
} // namespace

TEST_CASE("An operator that raises for some sizes is missed where errors are compared") {
  Sample sample;
  const char *asking = R"(graph(%x : Tensor):
  %d : int = prim::Constant[value=3]()
  %i : int = prim::Constant[value=0]()
  %y : Tensor = aten::select(%x, %i, %d)
  %n : int = aten::dim(%y)
  %m : int = aten::dim(%x)
  return (%m, %n)
)";
  const char *answering = R"(graph(%x : Tensor):
  %i : int = prim::Constant[value=1]()
  %m : int = aten::dim(%x)
  %n : int = aten::sub(%m, %i)
  return (%m, %n)
)";
  CHECK(sample.compare(asking, answering, false).verdict == Verdict::Same);
  ValidationResult found = sample.compare(asking, answering, true);
  CHECK(found.verdict == Verdict::Different);
  CHECK(found.text.find("it ran to its end, where it failed before") == 0);
}

TEST_CASE("An error after an effect is compared by its words, and one before it is not") {
  Sample sample;
  const char *both = R"(graph(%x : Tensor):
  %i : int = prim::Constant[value=0]()
  %a : int = prim::Constant[value=30]()
  %b : int = prim::Constant[value=40]()
   = prim::Print(%i)
  %y : Tensor = aten::select(%x, %i, %a)
  %z : Tensor = aten::select(%x, %i, %b)
  return (%y, %z)
)";
  const char *exchanged = R"(graph(%x : Tensor):
  %i : int = prim::Constant[value=0]()
  %a : int = prim::Constant[value=30]()
  %b : int = prim::Constant[value=40]()
   = prim::Print(%i)
  %z : Tensor = aten::select(%x, %i, %b)
  %y : Tensor = aten::select(%x, %i, %a)
  return (%y, %z)
)";
  ValidationResult found = sample.compare(both, exchanged, true);
  CHECK(found.verdict == Verdict::Different);
  CHECK(found.text.find("in place of") != std::string::npos);
  std::string quiet = both, quietExchanged = exchanged;
  quiet.erase(quiet.find("   = prim::Print(%i)\n"), 21);
  quietExchanged.erase(quietExchanged.find("   = prim::Print(%i)\n"), 21);
  CHECK(sample.compare(quiet.c_str(), quietExchanged.c_str(), true).verdict == Verdict::Same);
}
