//===- ConvertTracedAttrs.cpp - Attributes read where calls use them ------===//
//
// Purpose: gives each traced call of a module that module as an input, which its block gets as `self`, and reads
//   attributes with prim::GetAttr. An attribute that lies under the module of the call is read in the call's block. Any
//   other is read in the next block around it whose module holds it, and used from there. In one block, each module
//   on the way to attributes is read once. A trace without a module, which is that of a function, stays as it is.
//
// Cost:   linear in nodes, uses and the lengths of paths.
// Limits: attributes are read at the start of a call. Where a compiled method that the trace calls sets an attribute
//   that the trace reads afterwards, the trace has the old value, as it has in PyTorch.
//
// Before:
//   graph(%self : __torch__.Net, %x : Tensor):
//     %2 : __torch__.Layer = prim::TracedAttr[scope="__module.layer"]()
//     %3 : Tensor = prim::TracedAttr[scope="__module.layer.weight"]()
//      = prim::TracedModuleForward[scope="__module.layer"]()
//       block0():
//         %4 : Tensor = aten::matmul(%x, %3)
//         -> ()
//     return (%4)
// After:
//   graph(%self : __torch__.Net,
//         %x : Tensor):
//     %layer : __torch__.Layer = prim::GetAttr[name="layer"](%self)
//      = prim::TracedModuleForward[scope="__module.layer"](%layer)
//       block0(%self.1 : __torch__.Layer):
//         %weight : Tensor = prim::GetAttr[name="weight"](%self.1)
//         %4 : Tensor = aten::matmul(%x, %weight)
//         -> ()
//     return (%4)
//
//===----------------------------------------------------------------------===//
#include "Traces.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/TracedModules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#define DEBUG_TYPE "convert-traced-attrs"
using namespace tsc;

TSC_STATISTIC(NumReads, "Attributes read by traced calls");

static constexpr llvm::StringLiteral rootPath = "__module";

static StringRef scopeOf(const Node &node) { return node.get<std::string>(attr::scope); }
static StringRef parentOf(StringRef path) { return path.rsplit('.').first; }
static StringRef lastOf(StringRef path) { return path.drop_front(path.rfind('.') + 1); }

/// Whether a path leads to something in the module at `scope`.
static bool isUnder(StringRef path, StringRef scope) { return path.consume_front(scope) && path.starts_with("."); }

namespace {

/// A block whose nodes ran in one call of one module: the graph's, or that of a traced call.
struct CallBlock {
  CallBlock *outer; ///< The one around it; null for the graph's.
  StringRef path;   ///< Of the module.
  Block &block;
  Value *self;
  llvm::StringMap<Value *> reads; ///< What is read at the block's start, by path.
};

class AttrConverter {
public:
  explicit AttrConverter(Graph &graph)
      : graph(graph), hasModule(!graph.inputs().empty() && isa<ClassType>(graph.inputs()[0]->type())) {
    graph.walk([&](Node &node) {
      if (node.kind() == prim::TracedAttr) {
        attributes.push_back(&node);
        tracedTypes.try_emplace(scopeOf(node), node.output()->type());
      } else if (hasModule && hasTracedBlock(node) && isTracedCall(node) && node.numInputs() == 0) {
        callsWithoutModule.push_back(&node);
      }
    });
  }
  bool hasWork() const { return !attributes.empty() || !callsWithoutModule.empty(); }

  Status check() const {
    if (!hasWork())
      return okStatus();
    if (!hasModule)
      return invalidArgument("a trace that reads a module has it as its first input");
    for (const Node *node : attributes)
      if (node->output()->hasUses())
        TSC_RETURN_IF_ERROR(checkModules(parentOf(scopeOf(*node)), *node));
    for (const Node *node : callsWithoutModule)
      TSC_RETURN_IF_ERROR(checkModules(scopeOf(*node), *node));
    return okStatus();
  }

  void run() {
    CallBlock root{nullptr, rootPath, graph.block(), graph.inputs()[0], {}};
    visit(graph.block(), root);
    for (Node *node : attributes)
      node->erase();
  }

private:
  /// Returns the type of what is at a path, or null where neither the trace nor a class tells it.
  const Type *typeOf(StringRef path) const {
    if (path == rootPath)
      return graph.inputs()[0]->type();
    const Type *traced = tracedTypes.lookup(path);
    if (traced && isa<ClassType>(traced))
      return traced;
    const Type *holder = isUnder(path, rootPath) ? typeOf(parentOf(path)) : nullptr;
    if (const auto *type = holder ? dyn_cast<ClassType>(holder) : nullptr; type && type->isDefined())
      if (std::optional<unsigned> slot = type->findAttribute(lastOf(path)))
        return type->attribute(*slot).type;
    return traced ? graph.context().unshaped(traced) : nullptr;
  }

  /// Checks that all on a path are modules.
  Status checkModules(StringRef path, const Node &user) const {
    for (; isUnder(path, rootPath); path = parentOf(path)) {
      const Type *type = typeOf(path);
      if (!type)
        return invalidArgument(llvm::Twine("the trace does not say of which class '") + path + "' is, which '" +
                               scopeOf(user) + "' needs");
      if (!isa<ClassType>(type))
        return invalidArgument(llvm::Twine("'") + path + "' is of type " + type->str() + " and no module, but '" +
                               scopeOf(user) + "' takes it for one");
    }
    return okStatus();
  }

  /// Converts what the nodes of a block use, which is the block of a call or one in it.
  void visit(Block &block, CallBlock &call) {
    for (Node &node : block.nodes()) {
      if (node.kind() == prim::TracedAttr)
        continue;
      convertInputs(node, call);
      if (isTracedCall(node) && hasTracedBlock(node))
        visitCall(node, call);
      else
        for (Block &inner : node.blocks())
          visit(inner, call);
    }
    convertInputs(block.returnNode(), call);
  }

  void visitCall(Node &node, CallBlock &caller) {
    Block &body = node.block(0);
    if (node.numInputs() == 0) {
      Value *module = node.addInput(read(scopeOf(node), caller));
      body.addInput("self", module->type());
    }
    CallBlock call{&caller, scopeOf(node), body, body.inputs()[0], {}};
    visit(body, call);
  }

  void convertInputs(Node &node, CallBlock &call) {
    for (unsigned i = 0; i != node.numInputs(); ++i)
      if (const Node *maker = node.input(i)->node(); maker->kind() == prim::TracedAttr)
        node.setInput(i, read(scopeOf(*maker), call));
  }

  /// Returns the value at a path, read at the start of the innermost call whose module holds it.
  Value *read(StringRef path, CallBlock &call) {
    if (path == call.path)
      return call.self;
    if (!isUnder(path, call.path)) {
      assert(call.outer && "every path leads into the module that is traced");
      return read(path, *call.outer);
    }
    llvm::SmallVector<StringRef, 4> missing; // innermost first
    StringRef known = path;
    for (; known != call.path && !call.reads.contains(known); known = parentOf(known))
      missing.push_back(known);
    Value *value = known == call.path ? call.self : call.reads.lookup(known);
    Node *after = known == call.path ? &call.block.paramNode() : value->node();
    for (StringRef next : llvm::reverse(missing)) {
      Node *get = graph.create(prim::GetAttr, {value})->insertAfter(after);
      get->setScope(nullptr);
      get->setAttribute(attr::name, lastOf(next).str());
      value = get->output()->setType(typeOf(next))->setName(valueName(lastOf(next)));
      call.reads[next] = value;
      after = get;
      ++NumReads;
    }
    return value;
  }

  /// Numbers are the names of values that have none.
  static std::string valueName(StringRef attribute) {
    return (llvm::all_of(attribute, llvm::isDigit) ? "_" : "") + attribute.str();
  }

  Graph &graph;
  const bool hasModule; ///< Whether it is the trace of a module, which is its first input, or of a function.
  llvm::SmallVector<Node *> attributes, callsWithoutModule;
  llvm::StringMap<const Type *> tracedTypes; ///< By path, of what the trace reads.
};

} // namespace

Status tsc::checkTracedAttrs(Graph &graph) { return AttrConverter(graph).check(); }

bool tsc::convertTracedAttrs(Graph &graph) {
  AttrConverter converter(graph);
  assert(converter.check().ok() && "what the trace reads was checked");
  if (!converter.hasWork())
    return false;
  TSC_GRAPH_UPDATE("reading attributes where traced calls use them");
  converter.run();
  return true;
}

PreservedAnalyses ConvertTracedAttrs::run(Graph &graph, AnalysisManager &) {
  if (Status status = checkTracedAttrs(graph); !status.ok())
    return PreservedAnalyses::failure(status);
  if (!isTrace(graph) || !TSC_OPT_ALLOWED)
    return PreservedAnalyses::all();
  return PreservedAnalyses::allUnless(convertTracedAttrs(graph));
}
