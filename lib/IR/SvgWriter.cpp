//===- SvgWriter.cpp - Graphs as pictures of our own layout ---------------===//
//
// Nodes stand in their order, one below the other: the order is what the text
// shows too, and no edge can cross a box. A use is a curve on the left from
// the row of the definition to the row of the user, the farther out the longer
// it is; the type stands in the box at its upper end, and beside the pointer of
// whoever points at the curve.
//
//===----------------------------------------------------------------------===//
#include "GraphView.h"
#include "tsc/IR/GraphView.h"
#include "tsc/Python/Text.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

static constexpr int rowHeight = 30, boxHeight = 22, charWidth = 8, indent = 24, padding = 8;

static std::string escaped(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    switch (c) {
    case '<': result += "&lt;"; break;
    case '>': result += "&gt;"; break;
    case '&': result += "&amp;"; break;
    case '"': result += "&quot;"; break;
    default: result += c;
    }
  }
  return result;
}

/// Width in the picture: a UTF-8 sequence is one character.
static int widthOf(llvm::StringRef text) { return charWidth * python::countLetters(text); }

namespace {
class SvgWriter {
public:
  explicit SvgWriter(llvm::raw_ostream &os) : os(os) {}

  void write(llvm::ArrayRef<std::unique_ptr<Graph>> graphs) {
    for (auto &graph : graphs) {
      placeGraph(*graph, graph->name().empty() ? "graph" : "graph @" + graph->name().str(), 0);
      nextRow += rowHeight / 2;
    }
    int margin = 0; // room for the curves on the left
    for (const Edge &edge : edges)
      margin = std::max(margin, reachOf(edge));
    os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << margin + right + padding << "\" height=\""
       << nextRow + padding << "\" font-family=\"monospace\" font-size=\"13\">\n"
       << "<defs><marker id=\"arrow\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"6\" markerHeight=\"6\" "
          "orient=\"auto\">"
       << "<path d=\"M0,0 L6,3 L0,6 z\" fill=\"#666\"/></marker></defs>\n"
       << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<g transform=\"translate(" << margin << ",0)\">\n";
    for (const Frame &frame : llvm::reverse(frames)) // outer ones were finished last and are drawn first
      drawFrame(frame);
    for (const Edge &edge : edges)
      drawEdge(edge);
    os << boxes << "</g>\n</svg>\n";
  }

private:
  struct Place {
    int left, middle; ///< Of a box: its left side, and the height of its middle.
  };
  struct Edge {
    Place from, to;
    std::string label;
  };
  struct Frame {
    int left, top, right, bottom;
    std::string label;
    bool dashed;
  };

  // Layout: the frame around nested things is known when they are placed.
  template <typename F> void placeFramed(const std::string &label, int left, bool dashed, F &&placeInside) {
    int top = nextRow, outerRight = std::exchange(right, left + widthOf(label) + 2 * padding);
    nextRow += boxHeight;
    placeInside(left + padding);
    frames.push_back({left, top, right + padding, nextRow, label, dashed});
    nextRow += padding;
    right = std::max(outerRight, right + 2 * padding);
  }

  void placeGraph(const Graph &graph, const std::string &label, int left) {
    placeFramed(label, left, false, [&](int inner) { placeBlock(graph.block(), "return", inner); });
  }

  void placeBlock(const Block &block, const std::string &returnLabel, int left) {
    for (const Value *input : block.inputs())
      places[input] = placeBox("%" + input->displayName() + " : " + input->type()->str(), left, "#eef");
    for (const Node &node : block.nodes())
      if (!view::isInlined(node))
        placeNode(node, left);
    if (block.numOutputs())
      connect(block.returnNode(), placeBox(returnLabel, left, "#eef"));
  }

  void placeNode(const Node &node, int left) {
    std::string label = view::labelOf(node);
    if (node.numOutputs())
      label += "  →";
    for (const Value *output : node.outputs())
      label += " %" + output->displayName() + " : " + output->type()->str();
    Place place = placeBox(label, left, node.numBlocks() ? "#ffd" : "#fff");
    connect(node, place);
    for (unsigned i = 0; i != node.numBlocks(); ++i)
      placeFramed("block" + std::to_string(i), left + indent, true,
                  [&](int inner) { placeBlock(node.block(i), "->", inner); });
    for (const auto &subgraph : view::subgraphsOf(node))
      placeGraph(*subgraph, node.kind().qualified().str(), left + indent);
    for (const Value *output : node.outputs())
      places[output] = place;
  }

  Place placeBox(const std::string &label, int left, llvm::StringRef colour) {
    int width = widthOf(label) + 2 * padding;
    llvm::raw_string_ostream box(boxes);
    box << "<rect x=\"" << left << "\" y=\"" << nextRow << "\" width=\"" << width << "\" height=\"" << boxHeight
        << "\" rx=\"4\" fill=\"" << colour << "\" stroke=\"#444\"/><text x=\"" << left + padding << "\" y=\""
        << nextRow + boxHeight - 7 << "\">" << escaped(label) << "</text>\n";
    Place place{left, nextRow + boxHeight / 2};
    nextRow += rowHeight;
    right = std::max(right, left + width);
    return place;
  }

  void connect(const Node &node, Place to) {
    for (const Value *input : node.inputs())
      if (auto from = places.find(input); from != places.end())
        edges.push_back({from->second, to, "%" + input->displayName() + " : " + input->type()->str()});
  }

  /// How far a curve goes to the left.
  static int reachOf(const Edge &edge) { return 12 + std::min(160, std::abs(edge.to.middle - edge.from.middle) / 4); }
  void drawEdge(const Edge &edge) {
    int x = std::min(edge.from.left, edge.to.left) - reachOf(edge);
    os << "<path d=\"M" << edge.from.left << ',' << edge.from.middle << " C" << x << ',' << edge.from.middle << ' ' << x
       << ',' << edge.to.middle << ' ' << edge.to.left << ',' << edge.to.middle
       << "\" fill=\"none\" stroke=\"#888\" marker-end=\"url(#arrow)\"><title>" << escaped(edge.label)
       << "</title></path>\n";
  }
  void drawFrame(const Frame &frame) {
    os << "<rect x=\"" << frame.left << "\" y=\"" << frame.top << "\" width=\"" << frame.right - frame.left
       << "\" height=\"" << frame.bottom - frame.top << "\" rx=\"6\" fill=\"none\" stroke=\"#aaa\""
       << (frame.dashed ? " stroke-dasharray=\"4\"" : "") << "/><text x=\"" << frame.left + padding << "\" y=\""
       << frame.top + 15 << "\" fill=\"#777\">" << escaped(frame.label) << "</text>\n";
  }

  llvm::raw_ostream &os;
  std::string boxes;
  std::vector<Edge> edges;
  std::vector<Frame> frames;
  llvm::DenseMap<const Value *, Place> places; ///< The box that shows a value.
  int nextRow = padding, right = 0;
};
} // namespace

void tsc::writeSvg(llvm::raw_ostream &os, llvm::ArrayRef<std::unique_ptr<Graph>> graphs) {
  SvgWriter(os).write(graphs);
}
