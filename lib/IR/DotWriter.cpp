//===- DotWriter.cpp - Graphs in the language of Graphviz -----------------===//
#include "GraphView.h"
#include "tsc/IR/GraphView.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

static std::string quoted(llvm::StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + '"';
}

namespace {
class DotWriter {
public:
  explicit DotWriter(llvm::raw_ostream &os) : os(os) {}

  void write(llvm::ArrayRef<std::unique_ptr<Graph>> graphs) {
    os << "digraph tsc {\n  compound=true;\n  node [shape=box, fontname=\"monospace\"];\n  edge "
          "[fontname=\"monospace\", fontsize=10];\n";
    for (auto &graph : graphs)
      writeGraph(*graph, graph->name().empty() ? "graph" : "graph @" + graph->name().str());
    os << edges << "}\n";
  }

private:
  void writeGraph(const Graph &graph, const std::string &label) {
    openCluster(label, "solid");
    writeBlock(graph.block(), "return");
    close();
  }

  void writeBlock(const Block &block, const std::string &returnLabel) {
    for (const Value *input : block.inputs())
      places[input] = box("%" + input->displayName(), "shape=ellipse");
    for (const Node &node : block.nodes())
      if (!view::isInlined(node))
        writeNode(node);
    if (block.numOutputs())
      connect(block.returnNode(), box(returnLabel, "shape=ellipse"));
  }

  void writeNode(const Node &node) {
    auto subgraphs = view::subgraphsOf(node);
    bool framed = node.numBlocks() || !subgraphs.empty();
    if (framed)
      openCluster(node.kind().qualified().str(), "rounded");
    unsigned place = box(view::labelOf(node), "");
    connect(node, place);
    for (const Value *output : node.outputs())
      places[output] = place;
    for (unsigned i = 0; i != node.numBlocks(); ++i) {
      openCluster("block" + std::to_string(i), "dashed");
      writeBlock(node.block(i), "->");
      close();
    }
    for (const auto &subgraph : subgraphs)
      writeGraph(*subgraph, "subgraph");
    if (framed)
      close();
  }

  /// Edges from what a node reads; they stand at the end, outside of all frames.
  void connect(const Node &node, unsigned place) {
    llvm::raw_string_ostream edge(edges);
    for (const Value *input : node.inputs())
      if (auto from = places.find(input); from != places.end())
        edge << "  n" << from->second << " -> n" << place
             << " [label=" << quoted("%" + input->displayName() + " : " + input->type()->str()) << "];\n";
  }

  void openCluster(const std::string &label, llvm::StringRef style) {
    indent() << "subgraph cluster" << count++ << " {\n";
    ++depth;
    indent() << "label=" << quoted(label) << "; style=" << style << ";\n";
  }
  void close() {
    --depth;
    indent() << "}\n";
  }
  unsigned box(const std::string &label, llvm::StringRef attributes) {
    indent() << "n" << count << " [label=" << quoted(label) << (attributes.empty() ? "" : ", ") << attributes << "];\n";
    return count++;
  }
  llvm::raw_ostream &indent() { return os.indent(2 * depth); }

  llvm::raw_ostream &os;
  std::string edges;
  llvm::DenseMap<const Value *, unsigned> places; ///< The box that shows a value.
  unsigned count = 0, depth = 1;
};
} // namespace

void tsc::writeDot(llvm::raw_ostream &os, llvm::ArrayRef<std::unique_ptr<Graph>> graphs) {
  DotWriter(os).write(graphs);
}
