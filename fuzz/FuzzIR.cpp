//===- FuzzIR.cpp - The IR parser, verifier and printer on any bytes ------===//
//
// What parses and verifies must print to text that parses, and prints the same.
//
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include <cstdlib>
using namespace tsc;

static std::string printAll(const std::vector<std::unique_ptr<Graph>> &graphs) {
  std::string text;
  for (const auto &graph : graphs)
    text += graph->str();
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Context context;
  DiagnosticEngine diags;
  SourceBuffer first("fuzz.ir", std::string(reinterpret_cast<const char *>(data), size));
  auto graphs = parseGraphs(context, first, diags);
  if (failed(graphs)) {
    if (!diags.hasErrors())
      std::abort(); // a failure without a word
    (void)diags.str();
    return 0;
  }
  std::string printed = printAll(*graphs);
  SourceBuffer second("printed.ir", printed);
  auto again = parseGraphs(context, second, diags);
  if (failed(again) || printAll(*again) != printed)
    std::abort();
  return 0;
}

TSC_MUTATE_WITH(mutateText)
