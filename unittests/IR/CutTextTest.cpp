//===- CutTextTest.cpp - Textual IR cut and damaged at every byte ---------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include <catch2/catch.hpp>

using namespace tsc;
using llvm::failed;

static const char text[] = R"(graph @first(%x.1 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu),
      %c : bool,
      %d : Dict(str, Tensor[])?):
  %1 : int[] = prim::Constant[value=[1, 2]]()
  %2 : str = prim::Constant[value="a\n\"b\"\001"](), scope: M::/L::fc # model.py:3:11
  %3 : complex = prim::Constant[value=1.+2.j]()
  %4 : Tensor = prim::Constant[value={0.5}]()
  %5 : Tensor = prim::If(%c)
    block0():
      %6 : Tensor, %7 : (int, __torch__.a.B) = my::op[f=-1e-05, ss=["a"], i=3](%x.1, %4)
      -> (%6)
    block1():
      -> (%x.1)
  %8 : Tensor = ^Dropout(0.5, (1, 2))(%5)
  %9 : Tensor = prim::FusionGroup_0(%8)
  return (%9)
with prim::FusionGroup_0 = graph(%y : Tensor):
  %1 : Tensor = aten::relu(%y)
  return (%1)
)";

/// Parses and prints to what parses again, or is refused with a report.
static bool endsWell(const std::string &ir) {
  Context context;
  DiagnosticEngine diags;
  SourceBuffer buffer("cut.ir", ir);
  auto graphs = parseGraphs(context, buffer, diags);
  if (failed(graphs))
    return diags.hasErrors() && !diags.str().empty();
  for (const auto &graph : *graphs) {
    SourceBuffer printed("printed.ir", graph->str());
    auto again = parseGraphs(context, printed, diags);
    if (failed(again) || again->size() != 1 || (*again)[0]->str() != graph->str())
      return false;
  }
  return true;
}

TEST_CASE("textual IR cut at each byte", "[cut]") {
  std::string whole = text;
  CHECK(endsWell(whole));
  for (size_t length = 0; length != whole.size(); ++length) {
    INFO(whole.substr(0, length));
    CHECK(endsWell(whole.substr(0, length)));
  }
}

TEST_CASE("textual IR with one wrong byte at each place", "[cut]") {
  const std::string wrong("(\n\0\"%\xff", 6);
  std::string whole = text;
  for (size_t at = 0; at != whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = wrong[at % wrong.size()];
    INFO(damaged);
    CHECK(endsWell(damaged));
  }
}
