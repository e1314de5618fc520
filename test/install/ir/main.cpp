// Links tsc::IR alone: parses a graph, looks at it, and prints it.
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

int main() {
  tsc::Context context;
  tsc::DiagnosticEngine diags;
  tsc::SourceBuffer text("example.ir", "graph(%x : Tensor):\n  %1 : Tensor = aten::relu(%x)\n  return (%1)\n");
  auto graphs = tsc::parseGraphs(context, text, diags);
  if (failed(graphs) || graphs->size() != 1)
    return 1;
  tsc::Graph &graph = *graphs->front();
  graph.print(llvm::outs(), /*withRanges=*/false);
  return graph.nodes().front().kind().qualified() == "aten::relu" && graph.str(false) == text.text() ? 0 : 1;
}
