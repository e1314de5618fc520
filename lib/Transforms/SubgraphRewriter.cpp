//===- SubgraphRewriter.cpp - Replace what looks like a pattern -----------===//
//
// Purpose: replaces parts of a graph by rules that are given as text. The file has
//          graphs in pairs: a pattern, and what to put in its place, with the same
//          inputs and outputs. fuse-linear and its like are such rules built in.
// Options: file=PATH: the rules.
// Better:  a rule never changes what a program computes by the order of its writes:
//          nodes of a match that touch memory which somebody writes must be close
//          to each other, with nothing in between that matters to them.
// Cost:    linear in nodes, times the size of the patterns that end in their kind.
// Limits:  patterns without blocks, whose nodes all lead to the last one.
//
// Before (rewrite<file=test/Transforms/Inputs/rules.ir>):
//   graph(%x : Tensor):
//     %1 : int = prim::Constant[value=1]()
//     %2 : Tensor = aten::add(%x, %x, %1)
//     return (%2)
// After:
//   graph(%x : Tensor):
//     %1 : int = prim::Constant[value=1]()
//     %3 : int = prim::Constant[value=2]()
//     %4 : Tensor = aten::mul(%x, %3)
//     return (%4)
//
//===----------------------------------------------------------------------===//
#include "tsc/Transforms/SubgraphRewriter.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Kernels.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MemoryBuffer.h"
#define DEBUG_TYPE "rewrite"
using namespace tsc;

TSC_STATISTIC(NumRewritten, "Matches of a pattern replaced");

/// Nodes between the first and the last of a match that are looked at, where memory is written.
static constexpr unsigned maxDistance = 64;

static StatusOr<std::vector<std::unique_ptr<Graph>>> parseAll(Context &context, StringRef name, StringRef text) {
  DiagnosticEngine diags;
  auto graphs = parseGraphs(context, context.sources().add(name.str(), text.str()), diags);
  if (failed(graphs))
    return invalidArgument(diags.str());
  return std::move(*graphs);
}

Status SubgraphRewriter::addPattern(StringRef pattern, StringRef replacement, Filter filter) {
  TSC_ASSIGN_OR_RETURN(auto patterns, parseAll(context, "<pattern>", pattern));
  TSC_ASSIGN_OR_RETURN(auto replacements, parseAll(context, "<replacement>", replacement));
  if (patterns.size() != 1 || replacements.size() != 1)
    return invalidArgument("expected one graph as pattern and one as replacement");
  return addPattern(std::move(patterns[0]), std::move(replacements[0]), std::move(filter));
}

Status SubgraphRewriter::addPattern(std::unique_ptr<Graph> pattern, std::unique_ptr<Graph> replacement, Filter filter) {
  assert(pattern && replacement && "a rule has two sides");
  assert(&pattern->context() == &context && &replacement->context() == &context &&
         "both sides are of the rewriter's context");
  TSC_RETURN_IF_ERROR(SubgraphMatcher::check(*pattern));
  if (pattern->inputs().size() != replacement->inputs().size())
    return invalidArgument("the pattern has " + llvm::Twine(pattern->inputs().size()) +
                           " inputs, but its replacement has " + llvm::Twine(replacement->inputs().size()));
  if (pattern->block().numOutputs() != replacement->block().numOutputs())
    return invalidArgument("the pattern has " + llvm::Twine(pattern->block().numOutputs()) +
                           " outputs, but its replacement has " + llvm::Twine(replacement->block().numOutputs()));
  if (hasBailOuts(*replacement))
    return invalidArgument("the replacement has a prim::BailOut, which would end the graph that it comes into");
  SubgraphMatcher matcher(*pattern);
  rulesByAnchor[matcher.anchorKind()].push_back(rules.size());
  rules.push_back({std::move(pattern), std::move(replacement), matcher, std::move(filter)});
  return okStatus();
}

/// Whether all nodes of the match may as well run where the last one does.
static bool mayRunAtAnchor(const Match &match, const AliasAnalysis &aliases) {
  auto touchesWrittenMemory = [&](Node *node) { return aliases.mayWrite(*node) || aliases.hasWriters(*node); };
  if (llvm::none_of(match.nodes(), touchesWrittenMemory))
    return true;
  size_t missing = match.nodes().size() - 1;
  llvm::SmallVector<Node *, 8> between;
  unsigned distance = 0;
  for (Node *node = match.anchor().previous(); missing; node = node->previous()) {
    if (!node || ++distance > maxDistance)
      return false;
    if (!llvm::is_contained(match.nodes(), node)) {
      between.push_back(node);
      continue;
    }
    --missing;
    if (llvm::any_of(between, [&](Node *other) { return aliases.mustPrecede(*node, *other); }))
      return false;
  }
  return true;
}

/// Whether nobody uses a result before the match's last node, where it will be computed.
static bool usesFollowAnchor(const Match &match, const Graph &pattern) {
  for (const Value *output : pattern.outputs()) {
    Value *value = match[output];
    if (value->node() == &match.anchor() || !llvm::is_contained(match.nodes(), value->node()))
      continue;
    for (const Use &use : value->uses())
      if (!llvm::is_contained(match.nodes(), use.user()) && use.user()->isBefore(&match.anchor()))
        return false;
  }
  return true;
}

bool SubgraphRewriter::rewrite(const Rule &rule, Node &node, const AliasAnalysis &aliases) const {
  std::optional<Match> match = rule.matcher.match(node);
  if (!match || (rule.filter && !rule.filter(*match)) || !mayRunAtAnchor(*match, aliases) ||
      !usesFollowAnchor(*match, *rule.pattern) || !TSC_OPT_ALLOWED)
    return false;
  TSC_GRAPH_UPDATE("rewriting " << match->nodes().size() << " nodes that end in " << node.kindName());
  Graph &graph = node.graph();
  InsertPointGuard guard(graph);
  graph.setInsertPoint(&node);
  Node *before = node.previous();
  llvm::SmallVector<Value *> arguments;
  for (const Value *input : rule.pattern->inputs())
    arguments.push_back((*match)[input]);
  std::vector<Value *> results = rule.replacement->inlineInto(graph, arguments);
  llvm::SmallPtrSet<const Node *, 8> added;
  for (Node *fresh = before ? before->next() : &node.block()->nodes().front(); fresh != &node; fresh = fresh->next()) {
    added.insert(fresh);
    fresh->setRange(node.range());
    fresh->setScope(node.scope());
    for (Value *output : fresh->outputs()) // names of the pattern's text mean nothing here
      output->setName("");
  }
  for (auto [output, result] : llvm::zip(rule.pattern->outputs(), results)) {
    Value *replaced = (*match)[output];
    if (added.contains(result->node()) && replaced->type()->isSubtypeOf(result->type()))
      result->setType(replaced->type());
    if (result != replaced)
      replaced->replaceAllUsesWith(result);
  }
  llvm::SmallVector<Node *, 8> dead(match->nodes());
  llvm::sort(dead, [](Node *a, Node *b) { return b->isBefore(a); });
  for (Node *old : dead)
    old->erase();
  ++NumRewritten;
  return true;
}

bool SubgraphRewriter::run(Graph &graph, const AliasAnalysis &aliases) const {
  llvm::SmallVector<Node *> candidates;
  graph.walk([&](Node &node) {
    if (rulesByAnchor.contains(node.kind()))
      candidates.push_back(&node);
  });
  bool changed = false;
  for (Node *node : candidates) // a match erases its own candidate and earlier ones, which are done
    for (size_t rule : rulesByAnchor.lookup(node->kind()))
      if (rewrite(rules[rule], *node, aliases)) {
        changed = true;
        break;
      }
  return changed;
}

Status tsc::readRewriteRules(Context &context, StringRef name, StringRef text, SubgraphRewriter &rewriter) {
  TSC_ASSIGN_OR_RETURN(auto graphs, parseAll(context, name, text));
  if (graphs.size() % 2)
    return invalidArgument(name + ": the last pattern has no replacement");
  for (size_t i = 0; i != graphs.size(); i += 2)
    if (Status status = rewriter.addPattern(std::move(graphs[i]), std::move(graphs[i + 1])); !status.ok())
      return withContext(status, name + ": rule " + llvm::Twine(i / 2 + 1) + ": ");
  return okStatus();
}

Status RewriteByFile::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"file"}, options));
  auto at = options.find("file");
  if (at == options.end())
    return invalidArgument("it needs the option 'file', with the patterns and what replaces them");
  file = at->second;
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return notFound("cannot read '" + llvm::StringRef(file) + "': " + buffer.getError().message());
  text = (*buffer)->getBuffer().str();
  Context scratch; // the graphs' own context is not known yet; this one is for the errors
  SubgraphRewriter rules(scratch);
  return readRewriteRules(scratch, file, text, rules);
}

PreservedAnalyses RewriteByFile::run(Graph &graph, AnalysisManager &analyses) {
  SubgraphRewriter rewriter(graph.context());
  if (!readRewriteRules(graph.context(), file, text, rewriter).ok())
    return PreservedAnalyses::all(); // it was read before
  return PreservedAnalyses::allUnless(rewriter.run(graph, analyses.get<AliasAnalysis>(graph)));
}
