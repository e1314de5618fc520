//===- CutTextTest.cpp - Source cut and damaged at every byte -------------===//
//
// A file that ends anywhere, or has one wrong byte anywhere, compiles to graphs
// that verify or to a report, and to nothing else. (fuzz/ looks further.)
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include <catch2/catch.hpp>

using namespace tsc;
using llvm::failed;

static const char program[] = R"(from enum import Enum
from typing import Dict, List, NamedTuple, Optional
import torch

class Color(Enum):
    RED = 1
    BLUE = 2

class Pair(NamedTuple):
    first: int
    second: Optional[str] = None

class Counter:
    def __init__(self, n: int):
        self.n = n
    @property
    def twice(self) -> int:
        return self.n * 2

def control(xs: List[int], limit: Optional[int] = None):
    total, seen = 0, torch.jit.annotate(Dict[int, str], {})
    for i, x in enumerate(xs):
        if limit is not None and x > limit:
            break
        seen[x] = f"{x}:{i}"
        total += x
    while total > 10:
        total //= 2
    assert total >= 0, "negative"
    return [str(k) for k in seen.keys()], total

def values(t, p: Pair, c: Color):
    # type: (Tensor, Pair, Color) -> Tensor
    a, *rest = (t, t + 1, t[0, ..., None])
    return a.relu_() if c == Color.RED else t[1:, ::2] * Counter(p.first).twice
)";

/// Whether the outcome is one of the two that are allowed.
static bool endsWell(std::string text) {
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags, prelude());
  SourceBuffer buffer("program.py", std::move(text));
  bool compiles = succeeded(compiler.addSource(buffer)) && succeeded(compiler.defineAll());
  for (Function *function : unit.functions()) {
    DiagnosticEngine broken;
    if (function->graph() && failed(verify(*function->graph(), broken)))
      return false;
  }
  return compiles != diags.hasErrors() && diags.str().size() < (1u << 20);
}

TEST_CASE("the whole program compiles", "[cut]") {
  DiagnosticEngine diags;
  Context context;
  CompilationUnit unit(context);
  Compiler compiler(unit, diags, prelude());
  SourceBuffer buffer("program.py", program);
  CHECK(succeeded(compiler.addSource(buffer)));
  CHECK(succeeded(compiler.defineAll()));
  INFO(diags.str());
  CHECK_FALSE(diags.hasErrors());
}

TEST_CASE("source cut at each byte", "[cut]") {
  std::string whole = program;
  for (size_t length = 0; length != whole.size(); ++length) {
    INFO(whole.substr(0, length));
    CHECK(endsWell(whole.substr(0, length)));
  }
}

TEST_CASE("source with one wrong byte at each place", "[cut]") {
  const std::string wrong("(\n\0\"%\xff", 6);
  std::string whole = program;
  for (size_t at = 0; at != whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = wrong[at % wrong.size()];
    INFO(damaged);
    CHECK(endsWell(damaged));
  }
}
