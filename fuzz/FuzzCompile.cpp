//===- FuzzCompile.cpp - The whole frontend on any bytes ------------------===//
//
// What compiles must verify; what does not must say why.
//
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include <cstdlib>
using namespace tsc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags, prelude());
  SourceBuffer buffer("fuzz.py", std::string(reinterpret_cast<const char *>(data), size));
  bool compiles = succeeded(compiler.addSource(buffer)) && succeeded(compiler.defineAll());
  if (compiles == diags.hasErrors())
    std::abort(); // a failure without a word, or a report without a failure
  (void)diags.str();
  for (Function *function : unit.functions()) {
    DiagnosticEngine broken;
    if (function->graph() && failed(verify(*function->graph(), broken)))
      std::abort();
  }
  return 0;
}

TSC_MUTATE_WITH(mutateText)
