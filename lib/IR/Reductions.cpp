//===- Reductions.cpp - Making textual IR small ---------------------------===//
//
// Each candidate is parsed from the text anew, edited and verified: an edit that
// leaves no valid graph is no candidate. A value whose definition goes is
// replaced by an operand of its type, else by an input of the graph.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Reductions.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

namespace {

using Graphs = std::vector<std::unique_ptr<Graph>>;

/// Common to all: parsing and printing. A part is a thing an edit can be made to, numbered in the order of the walk.
class GraphReduction : public Reduction {
public:
  size_t takeApart(StringRef input) final {
    text = input.str();
    Context context;
    DiagnosticEngine diags;
    SourceBuffer buffer("input", text);
    size_t parts = 0;
    if (auto graphs = parse(context, buffer, diags))
      for (auto &graph : *graphs)
        parts += collect(*graph);
    return parts;
  }

  std::optional<std::string> without(const llvm::BitVector &removed) final {
    Context context;
    DiagnosticEngine diags;
    SourceBuffer buffer("input", text);
    auto graphs = parse(context, buffer, diags);
    if (!graphs)
      return std::nullopt;
    std::string result = header();
    llvm::raw_string_ostream os(result);
    size_t first = 0, printed = 0;
    for (auto &graph : *graphs) {
      size_t parts = collect(*graph);
      bool stays = edit(*graph, [&](size_t part) { return removed.test(first + part); });
      first += parts;
      if (!stays)
        continue;
      if (failed(verify(*graph, diags)))
        return std::nullopt;
      graph->print(os, /*withRanges=*/false);
      ++printed;
    }
    return printed ? std::optional(result) : std::nullopt;
  }

protected:
  using IsRemoved = llvm::function_ref<bool(size_t part)>;

private:
  static std::optional<Graphs> parse(Context &context, const SourceBuffer &buffer, DiagnosticEngine &diags) {
    auto graphs = parseGraphs(context, buffer, diags);
    if (failed(graphs))
      return std::nullopt;
    return std::move(*graphs);
  }
  /// The comments before the first graph: the line of a reproducer is one.
  std::string header() const {
    size_t end = 0;
    while (end < text.size() && (text[end] == '#' || text[end] == '\n'))
      end = std::min(text.find('\n', end), text.size() - 1) + 1;
    return text.substr(0, end);
  }
  /// Finds the parts of a graph; how many there are.
  virtual size_t collect(Graph &graph) = 0;
  /// Takes parts away that collect() found; false when the whole graph goes.
  virtual bool edit(Graph &graph, IsRemoved isRemoved) = 0;

  std::string text;
};

/// Gives the uses of a value to another of its type: an operand of its node, an input, or a new input.
void replaceWithAnother(Value *value) {
  if (!value->hasUses())
    return;
  for (Value *operand : value->node()->inputs())
    if (operand->type() == value->type() && operand != value)
      return value->replaceAllUsesWith(operand);
  for (Value *input : value->graph().inputs())
    if (input->type() == value->type() && input != value)
      return value->replaceAllUsesWith(input);
  value->replaceAllUsesWith(value->graph().addInput("", value->type()));
}

class WholeGraphs final : public GraphReduction {
  StringRef name() const override { return "graphs"; }
  size_t collect(Graph &) override { return 1; }
  bool edit(Graph &, IsRemoved isRemoved) override { return !isRemoved(0); }
};

class Nodes final : public GraphReduction {
  StringRef name() const override { return "nodes"; }
  size_t collect(Graph &graph) override {
    nodes.clear();
    graph.walk([&](Node &node) { nodes.push_back(&node); });
    return nodes.size();
  }
  bool edit(Graph &, IsRemoved isRemoved) override {
    for (size_t i = nodes.size(); i-- != 0;) { // from the end: what a block holds goes before the node around it
      if (!isRemoved(i))
        continue;
      for (Value *output : nodes[i]->outputs())
        replaceWithAnother(output);
      nodes[i]->erase();
    }
    return true;
  }
  std::vector<Node *> nodes;
};

/// If becomes one of its branches; Loop becomes its initial values, or one trip of its body.
class Blocks final : public GraphReduction {
  StringRef name() const override { return "blocks"; }
  size_t collect(Graph &graph) override {
    nodes.clear();
    graph.walk([&](Node &node) {
      if ((node.kind() == prim::If && node.numBlocks() == 2) || (node.kind() == prim::Loop && node.numBlocks() == 1))
        nodes.push_back(&node);
    });
    return 2 * nodes.size();
  }
  bool edit(Graph &graph, IsRemoved isRemoved) override {
    for (size_t i = nodes.size(); i-- != 0;) { // innermost first
      if (!isRemoved(2 * i) && !isRemoved(2 * i + 1))
        continue;
      bool second = !isRemoved(2 * i);
      nodes[i]->kind() == prim::If ? takeBranch(*nodes[i], nodes[i]->block(second))
                                   : takeTrips(graph, *nodes[i], second);
    }
    return true;
  }
  static void takeBranch(Node &node, Block &branch) {
    for (Node &inner : llvm::make_early_inc_range(branch.nodes()))
      inner.moveBefore(&node);
    for (unsigned i = 0; i != node.numOutputs(); ++i)
      node.output(i)->replaceAllUsesWith(branch.returnNode().input(i));
    node.erase();
  }
  static void takeTrips(Graph &graph, Node &node, bool one) {
    Block &body = node.block(0);
    if (one) {
      Node *zero = graph.createConstant(IValue(int64_t{0}));
      zero->insertBefore(&node);
      body.inputs()[0]->replaceAllUsesWith(zero->output());
      for (unsigned i = 1; i < body.inputs().size(); ++i)
        body.inputs()[i]->replaceAllUsesWith(node.input(i + 1));
      for (Node &inner : llvm::make_early_inc_range(body.nodes()))
        inner.moveBefore(&node);
    }
    for (unsigned i = 0; i != node.numOutputs(); ++i)
      node.output(i)->replaceAllUsesWith(one ? body.returnNode().input(i + 1) : node.input(i + 2));
    node.erase();
  }
  std::vector<Node *> nodes;
};

class Results final : public GraphReduction {
  StringRef name() const override { return "results"; }
  size_t collect(Graph &graph) override { return graph.block().numOutputs(); }
  bool edit(Graph &graph, IsRemoved isRemoved) override {
    for (size_t i = graph.block().numOutputs(); i-- != 0;)
      if (isRemoved(i))
        graph.block().eraseOutput(i);
    return true;
  }
};

/// An input goes when nobody uses it or another of its type can stand in.
class Inputs final : public GraphReduction {
  StringRef name() const override { return "inputs"; }
  size_t collect(Graph &graph) override { return graph.inputs().size(); }
  bool edit(Graph &graph, IsRemoved isRemoved) override {
    for (size_t i = graph.inputs().size(); i-- != 0;) {
      Value *input = graph.inputs()[i];
      if (!isRemoved(i))
        continue;
      for (Value *other : graph.inputs())
        if (input->hasUses() && other != input && other->type() == input->type())
          input->replaceAllUsesWith(other);
      if (!input->hasUses())
        graph.block().eraseInput(i);
    }
    return true;
  }
};

/// Results of If and Loop that nobody uses, with what the blocks hand back for them.
class BlockResults final : public GraphReduction {
  StringRef name() const override { return "results of blocks"; }
  size_t collect(Graph &graph) override {
    places.clear();
    graph.walk([&](Node &node) {
      if (node.kind() == prim::If || node.kind() == prim::Loop)
        for (unsigned i = 0; i != node.numOutputs(); ++i)
          places.push_back({&node, i});
    });
    return places.size();
  }
  bool edit(Graph &, IsRemoved isRemoved) override {
    for (size_t part = places.size(); part-- != 0;) {
      auto [node, i] = places[part];
      if (!isRemoved(part) || node->output(i)->hasUses())
        continue;
      bool isLoop = node->kind() == prim::Loop;
      for (Block &block : node->blocks()) {
        block.eraseOutput(i + isLoop);
        if (!isLoop)
          continue;
        block.inputs()[i + 1]->replaceAllUsesWith(node->input(i + 2));
        block.eraseInput(i + 1);
      }
      if (isLoop)
        node->eraseInput(i + 2);
      node->eraseOutput(i);
    }
    return true;
  }
  std::vector<std::pair<Node *, unsigned>> places;
};

/// Numbers become 0, texts empty.
class Constants final : public GraphReduction {
  StringRef name() const override { return "constants"; }
  size_t collect(Graph &graph) override {
    nodes.clear();
    graph.walk([&](Node &node) {
      if (node.kind() == prim::Constant && simpler(node))
        nodes.push_back(&node);
    });
    return nodes.size();
  }
  /// None for what is simple already.
  static std::optional<AttributeValue> simpler(const Node &node) {
    const AttributeValue *value = node.attribute(attr::value);
    if (const auto *number = value ? std::get_if<int64_t>(value) : nullptr; number && *number)
      return AttributeValue(int64_t{0});
    if (const auto *number = value ? std::get_if<double>(value) : nullptr; number && *number != 0)
      return AttributeValue(0.0);
    if (const auto *text = value ? std::get_if<std::string>(value) : nullptr;
        text && !text->empty() && node.output()->type() == Type::stringType())
      return AttributeValue(std::string());
    return std::nullopt;
  }
  bool edit(Graph &, IsRemoved isRemoved) override {
    for (size_t i = 0; i != nodes.size(); ++i)
      if (isRemoved(i))
        nodes[i]->setAttribute(attr::value, *simpler(*nodes[i]));
    return true;
  }
  std::vector<Node *> nodes;
};

/// Shapes and dtypes of tensors, and the names of values.
class Annotations final : public GraphReduction {
  StringRef name() const override { return "types and names"; }
  size_t collect(Graph &graph) override {
    values.clear();
    auto add = [&](ArrayRef<Value *> all) {
      for (Value *value : all)
        if (value->hasName() || (value->type()->isTensor() && value->type() != Type::tensorType()))
          values.push_back(value);
    };
    add(graph.inputs());
    graph.walk([&](Node &node) {
      add(node.outputs());
      for (Block &block : node.blocks())
        add(block.inputs());
    });
    return values.size();
  }
  bool edit(Graph &, IsRemoved isRemoved) override {
    for (size_t i = 0; i != values.size(); ++i) {
      if (!isRemoved(i))
        continue;
      if (values[i]->type()->isTensor())
        values[i]->setType(Type::tensorType());
      values[i]->setName("");
    }
    return true;
  }
  std::vector<Value *> values;
};

} // namespace

void tsc::addGraphReductions(Reductions &reductions) {
  reductions.push_back(std::make_unique<WholeGraphs>());
  reductions.push_back(std::make_unique<Results>());
  reductions.push_back(std::make_unique<Nodes>());
  reductions.push_back(std::make_unique<Blocks>());
  reductions.push_back(std::make_unique<BlockResults>());
  reductions.push_back(std::make_unique<Inputs>());
  reductions.push_back(std::make_unique<Constants>());
  reductions.push_back(std::make_unique<Annotations>());
}
