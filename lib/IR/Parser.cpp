//===- Parser.cpp - Textual IR --------------------------------------------===//
//
// What PyTorch prints: graphs with typed values, attributes in brackets, nested
// blocks, scopes, `# file:line:col` comments, and `with prim::X_0 = graph(…)`
// after the graph that uses it. Beyond that: nodes without results, classes
// nobody defined, and `graph @name(…)`. One pass over the text, linear in it.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Parser.h"
#include "AttributeParser.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Diagnostics.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/PythonMeaning.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

using namespace tsc;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::success;

namespace {

constexpr unsigned maxDepth = 1200;
/// How many nodes more than are written a graph may have if each subgraph counts as often as nodes name it. Whoever
/// copies or prints the graph has that many.
constexpr size_t maxRepeatedNodes = 1 << 20;

/// A use of a subgraph that is defined further down, by `with`.
struct PendingSubgraph {
  Node *node;
  std::string name; ///< "prim::FusionGroup_0"
  SourceRange range;
  size_t graph; ///< The number of the graph that has the node, as the graphs stand in the text.
};

/// A subgraph that was defined by `with`.
struct DefinedSubgraph {
  std::shared_ptr<Graph> graph; ///< Shared: several nodes may name one subgraph.
  size_t number = 0;            ///< As that of a PendingSubgraph. Nodes of graphs before it may name it.
};

class GraphParser {
public:
  GraphParser(Context &context, const SourceBuffer &text, DiagnosticEngine &diags)
      : context(context), text(context, text, diags), diags(diags) {}

  llvm::FailureOr<std::vector<std::unique_ptr<Graph>>> parseFile() {
    std::vector<std::unique_ptr<Graph>> graphs;
    for (text.skipSpaceAndComments(); !text.atEnd(); text.skipSpaceAndComments()) {
      auto graph = parseGraphWithSubgraphs();
      if (failed(graph) || failed(verify(**graph, diags)))
        return failure();
      graphs.push_back(std::move(*graph));
    }
    return graphs;
  }

private:
  llvm::FailureOr<std::unique_ptr<Graph>> parseGraphWithSubgraphs() {
    assert(pending.empty() && "the graph before has all of its subgraphs");
    const uint32_t begin = text.position();
    defined.clear();
    auto graph = parseGraph();
    if (failed(graph))
      return failure();
    std::vector<std::shared_ptr<Graph>> subgraphs;
    for (text.skipSpaceAndComments(); text.takeWord("with"); text.skipSpaceAndComments()) {
      auto subgraph = parseSubgraph();
      if (failed(subgraph))
        return failure();
      subgraphs.push_back(std::move(*subgraph));
    }
    for (const PendingSubgraph &use : pending) {
      const DefinedSubgraph known = defined.lookup(use.name);
      if (known.number <= use.graph) { // none, or one that would be its own
        (void)LogicalResult(diags.report(use.range, diag::MissingSubgraph, use.name));
        return failure();
      }
      use.node->setAttribute(attr::Subgraph, known.graph);
    }
    pending.clear();
    if (countRepeatedNodes(**graph, subgraphs) > maxRepeatedNodes)
      return text.fail(begin, diag::IRTooLarge, maxRepeatedNodes);
    return graph;
  }

  /// Parses what stands behind `with`. The name is that of nodes of the last graph before it that still wait for a
  /// subgraph of this name: printed text has the subgraphs of a subgraph right behind that, with numbers of their own.
  /// Nodes of other graphs that wait for one take the last of the name that comes.
  llvm::FailureOr<std::shared_ptr<Graph>> parseSubgraph() {
    const uint32_t begin = text.position();
    text.skipSpace();
    const std::string name = text.takeSymbol().str();
    text.skipSpace();
    if (failed(text.expect('=')))
      return failure();
    text.skipSpace();
    const PendingSubgraph *last = nullptr;
    for (const PendingSubgraph &use : pending)
      if (use.name == name && (!last || use.graph >= last->graph))
        last = &use;
    if (!last)
      return text.fail(begin, diag::UnusedSubgraph, name);
    const size_t user = last->graph;
    std::vector<Node *> nodes;
    llvm::erase_if(pending, [&](const PendingSubgraph &use) {
      const bool isHere = use.name == name && use.graph == user;
      if (isHere)
        nodes.push_back(use.node);
      return isHere;
    });
    auto subgraph = parseGraph();
    if (failed(subgraph) || failed(verify(**subgraph, diags)))
      return failure();
    std::shared_ptr<Graph> shared(std::move(*subgraph));
    for (Node *node : nodes)
      node->setAttribute(attr::Subgraph, shared);
    defined[name] = {shared, numGraphs};
    return shared;
  }

  /// Returns how many nodes more than are written the graph has if each subgraph counts as often as nodes name it.
  /// `subgraphs` are in the order of the text, so that they name only those behind them.
  static size_t countRepeatedNodes(Graph &graph, ArrayRef<std::shared_ptr<Graph>> subgraphs) {
    constexpr size_t most = std::numeric_limits<size_t>::max() / 4; // two of them have a sum
    llvm::DenseMap<const Graph *, size_t> counts;
    size_t written = 0;
    auto count = [&](Graph &of) {
      size_t sum = 0;
      of.walk([&](Node &node) {
        const AttributeValue *attribute = node.attribute(attr::Subgraph);
        const auto *inner = attribute ? std::get_if<std::shared_ptr<Graph>>(attribute) : nullptr;
        sum = std::min(sum + 1 + (inner ? counts.lookup(inner->get()) : 0), most);
        ++written;
      });
      return sum;
    };
    for (const std::shared_ptr<Graph> &subgraph : llvm::reverse(subgraphs))
      counts[subgraph.get()] = count(*subgraph);
    const size_t all = subgraphs.empty() ? 0 : count(graph);
    return all > written ? all - written : 0;
  }

  llvm::FailureOr<std::unique_ptr<Graph>> parseGraph() {
    if (!text.takeWord("graph"))
      return text.fail(diag::ExpectedGraph);
    auto made = std::make_unique<Graph>(context);
    graph = made.get();
    ++numGraphs;
    llvm::StringMap<Value *> outerNames;
    std::swap(outerNames, names);
    definitions.clear();
    text.skipSpace();
    if (text.take('@'))
      made->setName(text.takeSymbol());
    LogicalResult result = parseGraphBody();
    std::swap(outerNames, names);
    graph = nullptr;
    if (failed(result))
      return failure();
    return made;
  }

  LogicalResult parseGraphBody() {
    if (failed(parseParameters(graph->block())) || failed(text.expect(':')))
      return failure();
    if (failed(parseNodes(graph->block(), 0)))
      return failure();
    if (!text.takeWord("return"))
      return text.fail(diag::ExpectedNodeOrReturn);
    return parseReturned(graph->block());
  }

  /// `(a, b)`, where an element is what `parseElement` takes.
  LogicalResult parseList(llvm::function_ref<LogicalResult()> parseElement) {
    if (failed(text.expect('(')))
      return failure();
    text.skipSpaceAndComments();
    if (text.take(')'))
      return success();
    do {
      text.skipSpaceAndComments();
      if (failed(parseElement()))
        return failure();
      text.skipSpaceAndComments();
    } while (text.take(','));
    return text.expect(')');
  }

  /// `(%a : T, %b : U)`
  LogicalResult parseParameters(Block &block) {
    text.skipSpaceAndComments();
    return parseList([&]() -> LogicalResult {
      TypedName parameter;
      if (failed(parseTypedName(parameter)))
        return failure();
      defineParameter(parameter, block.addInput("", parameter.type ? parameter.type : Type::tensorType()));
      return success();
    });
  }

  struct TypedName {
    llvm::StringRef name;
    const Type *type = nullptr;
    uint32_t begin = 0;
  };
  /// `%x.1 : Tensor`, `%4 : int`, or `%x` alone, whose type stays null.
  LogicalResult parseTypedName(TypedName &result) {
    result.begin = text.position();
    if (failed(text.expect('%')))
      return failure();
    result.name = text.takeValueName();
    if (result.name.empty())
      return text.fail(diag::ExpectedValueName);
    text.skipSpace();
    if (!text.take(':'))
      return success();
    text.skipSpace();
    result.type = text.takeType();
    return success(result.type);
  }

  void define(llvm::StringRef name, Value *value) {
    Value *&known = names[name];
    definitions.emplace_back(name, known);
    known = value;
  }

  /// Forgets what was defined since there were `count` definitions: a block's names end with it.
  void leaveScope(size_t count) {
    for (; definitions.size() > count; definitions.pop_back()) {
      auto [name, outer] = definitions.back();
      if (outer)
        names[name] = outer;
      else
        names.erase(name);
    }
  }

  /// Forgets what was defined since there were `count` definitions, `numParameters` parameters first, except the values
  /// of nodes whose names had no meaning before: these are visible behind a traced call of a module, whose block says
  /// only where they come from.
  void leaveTracedScope(size_t count, size_t numParameters) {
    assert(count + numParameters <= definitions.size() && "the parameters were defined since then");
    auto ofNodes = llvm::ArrayRef(definitions).drop_front(count + numParameters);
    auto isNew = [](const std::pair<llvm::StringRef, Value *> &definition) { return !definition.second; };
    if (numParameters == 0 && llvm::all_of(ofNodes, isNew))
      return; // calls nest, and most leave nothing to forget
    std::vector<std::pair<llvm::StringRef, Value *>> visible;
    for (const auto &definition : llvm::make_filter_range(ofNodes, isNew))
      visible.emplace_back(definition.first, names[definition.first]);
    leaveScope(count);
    for (auto [name, value] : visible)
      define(name, value);
  }

  /// Only parameters keep their names, and numbers are not names: any other value gets the next number, as PyTorch's
  /// canonical text has it.
  void defineParameter(const TypedName &definition, Value *value) {
    define(definition.name, value);
    unsigned number;
    if (definition.name.getAsInteger(10, number))
      value->setName(definition.name);
  }

  Value *parseUse() {
    uint32_t begin = text.position();
    if (failed(text.expect('%')))
      return nullptr;
    llvm::StringRef name = text.takeValueName();
    auto found = names.find(name);
    if (found == names.end()) {
      (void)text.fail(begin, diag::UndefinedIRValue, name);
      return nullptr;
    }
    return found->second;
  }

  /// `(%a, %b)`, one by one.
  LogicalResult parseUses(llvm::function_ref<void(Value *)> add) {
    return parseList([&]() -> LogicalResult {
      Value *value = parseUse();
      if (value)
        add(value);
      return success(value);
    });
  }

  /// What a block or graph hands back.
  LogicalResult parseReturned(Block &block) {
    text.skipSpace();
    uint32_t begin = text.position();
    LogicalResult parsed = parseUses([&](Value *value) { block.addOutput(value); });
    if (!block.outputs().empty())
      block.returnNode().setRange(text.range(begin));
    return parsed;
  }

  LogicalResult parseNodes(Block &block, unsigned depth) {
    if (depth > maxDepth || !mayRecurse())
      return text.fail(diag::IRTooDeep);
    for (;;) {
      text.skipSpaceAndComments();
      if (text.atEnd())
        return text.fail(diag::ExpectedNodeOrReturn);
      char c = text.peek();
      if (c != '%' && c != '=' && c != '^' && (text.atWord("return") || text.startsWith("->")))
        return success();
      if (failed(parseNode(block, depth)))
        return failure();
    }
  }

  LogicalResult parseNode(Block &block, unsigned depth) {
    uint32_t begin = text.position();
    llvm::SmallVector<TypedName, 2> results;
    if (text.peek() == '%') {
      do {
        text.skipSpaceAndComments();
        if (failed(parseTypedName(results.emplace_back())))
          return failure();
        text.skipSpaceAndComments();
      } while (text.take(','));
      if (failed(text.expect('=')))
        return failure();
    } else {
      text.take('=');
    }
    text.skipSpaceAndComments();
    uint32_t kindBegin = text.position();
    Node *node = nullptr;
    if (text.peek() == '^') {
      // A Python function that was not compiled: ^name(scalar arguments)(%inputs).
      node = graph->create(prim::PythonOp, results.size());
      if (failed(parsePythonName(*node)))
        return failure();
    } else {
      llvm::StringRef kind = text.takeSymbol();
      if (kind.empty() || !kind.contains("::"))
        return text.fail(kindBegin, diag::ExpectedOperator);
      node = createNode(kind, results.size(), text.range(kindBegin));
    }
    block.append(node);
    node->setRange(text.range(begin));
    if (text.peek() == '[' && failed(parseAttributes(*node, results.empty() ? nullptr : results.front().type)))
      return failure();
    if (failed(parseInputs(*node)))
      return failure();
    applyPythonMark(*node);
    for (auto [index, result] : llvm::enumerate(results)) {
      node->output(index)->setType(result.type ? result.type : resultType(*node, index));
      define(result.name, node->output(index));
    }
    if (failed(parseTrailer(*node, begin)))
      return failure();
    return parseBlocks(*node, depth);
  }

  /// Makes `aten::div[python=1]` the operator that has Python's meaning. Other nodes keep an attribute of this name.
  static void applyPythonMark(Node &node) {
    if (node.attributes().empty() || !node.hasAttribute(attr::python) || !mayMeanPython(node))
      return;
    node.removeAttribute(attr::python);
    setMeansPython(node);
  }

  /// The type of a result that the text gives none: what the overload returns, else Tensor.
  static const Type *resultType(const Node &node, unsigned index) {
    const FunctionSchema *schema = node.schema();
    if (!schema || index >= schema->returns().size() || schema->returns()[index].type->hasFreeVariables())
      return Type::tensorType();
    return schema->returns()[index].type;
  }

  /// A kind that ends in `_N` may be a use of the subgraph `with kind_N = graph(…)`.
  Node *createNode(llvm::StringRef kind, unsigned numResults, SourceRange range) {
    auto [base, number] = kind.rsplit('_');
    unsigned index;
    if (!number.empty() && !number.getAsInteger(10, index) && text.definesSubgraph(kind)) {
      Node *node = graph->create(context.symbol(base), numResults);
      pending.push_back({node, kind.str(), range, numGraphs});
      // The verifier sees the node in its own graph before its subgraph is read.
      if (node->kind() == prim::TracedModuleForward)
        node->setAttribute(attr::Subgraph, std::shared_ptr<Graph>());
      return node;
    }
    return graph->create(context.symbol(kind), numResults);
  }

  /// The text from ^ to the parenthesis of the inputs is the name.
  LogicalResult parsePythonName(Node &node) {
    uint32_t begin = text.position();
    text.take('^');
    text.takeUntil("([\n");
    while (text.peek() == '[' || (text.peek() == '(' && text.bracketIsFollowedByAnother()))
      if (failed(text.skipBrackets()))
        return failure();
    node.setAttribute(attr::name, text.range(begin).text().str());
    return success();
  }

  LogicalResult parseAttributes(Node &node, const Type *resultType) {
    (void)text.expect('[');
    do {
      text.skipSpaceAndComments();
      llvm::StringRef name = text.takeName();
      if (name.empty())
        return text.fail(diag::ExpectedAttribute);
      text.skipSpace();
      if (failed(text.expect('=')))
        return failure();
      Symbol symbol = context.symbol("attr", name);
      const Type *hint = node.kind() == prim::Constant ? resultType : nullptr;
      auto value = text.parseAttribute(symbol, hint);
      if (failed(value))
        return failure();
      node.setAttribute(symbol, std::move(*value));
      text.skipSpaceAndComments();
    } while (text.take(','));
    return text.expect(']');
  }

  LogicalResult parseInputs(Node &node) {
    text.skipSpace();
    return parseUses([&](Value *value) { node.addInput(value); });
  }

  /// `, scope: __module.a/__module.a.b # file.py:3:11`
  LogicalResult parseTrailer(Node &node, uint32_t begin) {
    node.setRange(text.range(begin));
    text.skipSpace();
    if (text.take(',')) {
      text.skipSpace();
      if (!text.takeWord("scope"))
        return text.fail(diag::ExpectedScope);
      if (failed(text.expect(':')))
        return failure();
      text.skipSpace();
      const Scope *scope = nullptr;
      for (llvm::StringRef part : llvm::split(text.takeUntil("#\n").rtrim(), '/'))
        scope = graph->scope(scope, part);
      node.setScope(scope);
      text.skipSpace();
    }
    if (text.peek() == '#')
      if (SourceRange range = text.takeRangeComment(); range.isValid())
        node.setRange(range);
    return success();
  }

  LogicalResult parseBlocks(Node &node, unsigned depth) {
    for (;;) {
      text.skipSpaceAndComments();
      if (!text.atBlock())
        return success();
      text.takeName(); // block0
      Block &block = node.addBlock();
      size_t outerDefinitions = definitions.size();
      if (failed(parseParameters(block)))
        return failure();
      size_t numParameters = definitions.size() - outerDefinitions;
      if (failed(text.expect(':')) || failed(parseNodes(block, depth + 1)))
        return failure();
      if (!text.takeArrow())
        return text.fail(diag::ExpectedNodeOrArrow);
      if (failed(parseReturned(block)))
        return failure();
      if (node.kind() == prim::TracedModuleForward)
        leaveTracedScope(outerDefinitions, numParameters);
      else
        leaveScope(outerDefinitions);
    }
  }

  Context &context;
  IRText text;
  DiagnosticEngine &diags;
  Graph *graph = nullptr;
  llvm::StringMap<Value *> names;
  /// Each definition of a name in the scopes that are open, with what the name meant before.
  std::vector<std::pair<llvm::StringRef, Value *>> definitions;
  size_t numGraphs = 0; ///< How many have begun, which is the number of the current one.
  std::vector<PendingSubgraph> pending;
  llvm::StringMap<DefinedSubgraph> defined; ///< The last subgraphs of each name behind the current outermost graph.
};
} // namespace

llvm::FailureOr<std::vector<std::unique_ptr<Graph>>> tsc::parseGraphs(Context &context, const SourceBuffer &text,
                                                                      DiagnosticEngine &diags) {
  return GraphParser(context, text, diags).parseFile();
}
