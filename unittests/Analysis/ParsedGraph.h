//===- ParsedGraph.h - A graph from text, with its values by name -*- C++ -*-===//
#ifndef TSC_UNITTESTS_ANALYSIS_PARSEDGRAPH_H
#define TSC_UNITTESTS_ANALYSIS_PARSEDGRAPH_H

#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include <catch2/catch.hpp>

namespace tsc {

/// Values keep the names of the text: every `%name :` in it is a definition, in the order of the graph.
class ParsedGraph {
public:
  explicit ParsedGraph(const std::string &text) : buffer("test.ir", text) {
    auto parsed = parseGraphs(context, buffer, diags);
    INFO(diags.str());
    REQUIRE(succeeded(parsed));
    graph = std::move(parsed->front());
    for (size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
      size_t end = text.find_first_of(" ,)\n", at);
      if (llvm::StringRef(text).substr(end).starts_with(" :"))
        names.push_back(text.substr(at + 1, end - at - 1));
    }
    collect(graph->block());
    REQUIRE(nextName == names.size());
  }
  Value *value(llvm::StringRef name) const {
    INFO(name.str());
    REQUIRE(values.count(name));
    return values.lookup(name);
  }
  Node *node(llvm::StringRef output) const { return value(output)->node(); }
  Graph &operator*() const { return *graph; }
  Graph *operator->() const { return graph.get(); }

private:
  void collect(Block &block) {
    for (Value *input : block.inputs())
      values[names[nextName++]] = input;
    for (Node &node : block.nodes()) {
      for (Value *output : node.outputs())
        values[names[nextName++]] = output;
      for (Block &inner : node.blocks())
        collect(inner);
    }
  }
  Context context;
  SourceBuffer buffer;
  DiagnosticEngine diags;
  std::unique_ptr<Graph> graph;
  std::vector<std::string> names;
  size_t nextName = 0;
  llvm::StringMap<Value *> values;
};

} // namespace tsc

#endif
