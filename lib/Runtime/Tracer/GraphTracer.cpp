//===- GraphTracer.cpp - Straight-line graphs of programs -----------------===//
//
// Each node runs as code of its own, a graph that holds nothing else: so it does what it
// does in a call, whatever it is. Code is made once for each node of the function.
//
//===----------------------------------------------------------------------===//
#include "tsc/Runtime/Tracer/GraphTracer.h"
#include "Dependence.h"
#include "tsc/IR/Context.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Transforms/UnusedOperators.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

namespace {

/// The longest trace: who unrolls more has a loop that does not end.
constexpr size_t maxNodes = 1000000;

class GraphTracer {
public:
  GraphTracer(CallContext &context, const Graph &graph, llvm::StringRef name, TraceOptions options)
      : context(context), source(graph.clone()), name(name.str()), options(std::move(options)),
        tracing(context.context()) {
    if (recorderOf(context))
      codes.makeForTape(nullptr);
    eraseUnusedOperators(*source); // no tier runs them
    dependences.noteAssignments(*source);
    noteLastUses(source->block());
  }

  StatusOr<TracedGraph> trace(std::vector<IValue> args);

private:
  /// The code of one node, and the values that it reads.
  struct NodeCode {
    const Code *code = nullptr;
    llvm::SmallVector<const Value *, 4> operands;
  };

  void noteLastUses(Block &block);
  void noteLastUse(Block &block, const Value *value);
  Status walk(Block &block);
  Status visit(Node &node);
  Status visitConstant(Node &node);
  Status visitIf(Node &node);
  Status visitLoop(Node &node);
  Status visitPlain(Node &node);
  Status decide(const Node &node, const Datum &datum, llvm::StringRef what);
  StatusOr<Value *> valueOf(const Value *value);
  Datum &datumOf(const Value *value) { return data.find(value)->second; }
  StatusOr<const NodeCode *> codeOf(Node &node);
  StatusOr<std::vector<IValue>> run(const NodeCode &code);
  StatusOr<NodeCode> compile(Node &node);
  StatusOr<NodeCode> compileExit(Node &enter);
  Status record(Node &node, std::vector<Datum> results);
  void leaveBlocks();

  CallContext &context;
  std::unique_ptr<Graph> source; ///< A copy of the function's graph.
  std::string name;
  TraceOptions options;
  TracingState tracing;
  Dependences dependences;
  CodeCache codes;
  llvm::DenseMap<const Value *, Datum> data;
  llvm::DenseMap<const Node *, NodeCode> made;
  /// For each node, the values of its block that nobody needs after it.
  llvm::DenseMap<const Node *, llvm::SmallVector<const Value *, 2>> lastUses;
  llvm::SmallVector<Node *, 2> entered; ///< The prim::Enter nodes of the `with` statements that are open.
  size_t numNodes = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Running a node
//===----------------------------------------------------------------------===//

/// Makes a graph of one node. `finish` may change the copy.
static std::unique_ptr<Graph> isolate(const Node &node, llvm::SmallVectorImpl<const Value *> &operands,
                                      llvm::function_ref<void(Graph &, Node &)> finish) {
  auto alone = std::make_unique<Graph>(node.graph().context());
  llvm::DenseMap<Value *, Value *> copies;
  auto copyOf = [&](Value *value) {
    Value *&copy = copies[value];
    if (copy)
      return copy;
    if (isConstant(value)) {
      Node *constant = alone->copyNode(*value->node(), [](Value *) -> Value * { return nullptr; });
      return copy = alone->block().append(constant)->output();
    }
    operands.push_back(value);
    return copy = alone->addInput("", value->type());
  };
  Node *copy = alone->copyNode(node, copyOf);
  if (const Operator *op = node.op())
    copy->setOp(op);
  finish(*alone, *copy);
  alone->block().append(copy);
  for (Value *output : copy->outputs())
    alone->addOutput(output);
  return alone;
}

/// Enter and Exit are calls of methods, and notes of what is open; a node alone opens nothing that it could close.
static void makeMethodCall(Graph &graph, Node &node, bool enters) {
  node.setKind(prim::CallMethod);
  node.setAttribute(attr::name, std::string(enters ? "__enter__" : "__exit__"));
  if (enters)
    return;
  Node *none = graph.block().append(graph.createConstant(IValue()));
  for (int i = 0; i != 3; ++i) // no exception is under way
    node.addInput(none->output());
}

StatusOr<GraphTracer::NodeCode> GraphTracer::compile(Node &node) {
  NodeCode result;
  std::unique_ptr<Graph> alone = isolate(node, result.operands, [&](Graph &graph, Node &copy) {
    if (node.kind() == prim::Enter || node.kind() == prim::Exit)
      makeMethodCall(graph, copy, node.kind() == prim::Enter);
  });
  TSC_ASSIGN_OR_RETURN(result.code, codes.add(std::move(alone), name));
  return result;
}

/// Makes the code that leaves the block of a `with` statement early.
StatusOr<GraphTracer::NodeCode> GraphTracer::compileExit(Node &enter) {
  NodeCode result;
  std::unique_ptr<Graph> alone = isolate(enter, result.operands, [&](Graph &graph, Node &copy) {
    makeMethodCall(graph, copy, /*enters=*/false);
    for (Value *output : copy.outputs())
      output->setType(Type::anyType());
  });
  TSC_ASSIGN_OR_RETURN(result.code, codes.add(std::move(alone), name));
  return result;
}

StatusOr<const GraphTracer::NodeCode *> GraphTracer::codeOf(Node &node) {
  if (auto known = made.find(&node); known != made.end())
    return &known->second;
  TSC_ASSIGN_OR_RETURN(NodeCode code, compile(node));
  return &made.try_emplace(&node, std::move(code)).first->second;
}

StatusOr<std::vector<IValue>> GraphTracer::run(const NodeCode &code) {
  std::vector<IValue> args;
  for (const Value *operand : code.operands)
    args.push_back(datumOf(operand).value);
  return code.code->run(context, std::move(args));
}

void GraphTracer::leaveBlocks() {
  while (!entered.empty()) {
    StatusOr<NodeCode> exit = compileExit(*entered.pop_back_val());
    if (exit.ok())
      (void)run(*exit); // the call has failed already, and reports why
  }
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// Looks at what a decision depends on. `what` is "branch" or "loop".
Status GraphTracer::decide(const Node &node, const Datum &datum, llvm::StringRef what) {
  switch (datum.on) {
  case Dependence::Constant: return okStatus();
  case Dependence::Kind:
    tracing.remark(TraceRemark::Kind::Assumption, node.range(),
                   "this " + what +
                       " asks for a rank, dtype, device or attribute, or whether an argument is None; the trace is for "
                       "calls in which these are the same");
    return okStatus();
  case Dependence::Sizes:
  case Dependence::Elements: break;
  }
  const std::string message =
      ("this " + what + " depends on " +
       (datum.on == Dependence::Sizes ? "the sizes of tensors" : "values that are known only when the trace runs"))
          .str();
  if (options.warnsOnly) {
    tracing.remark(TraceRemark::Kind::Warning, node.range(), message + "; the trace does what the traced call did");
    return okStatus();
  }
  return invalidArgument(placeOf(node.range()) + message +
                         ", so that no trace can hold it; in a function or method "
                         "that the traced one calls, control flow stays");
}

Status GraphTracer::visitIf(Node &node) {
  const Datum condition = datumOf(node.input());
  TSC_RETURN_IF_ERROR(decide(node, condition, "branch"));
  Block &taken = node.block(condition.value.toBool() ? 0 : 1);
  TSC_RETURN_IF_ERROR(walk(taken));
  for (auto [output, value] : llvm::zip(node.outputs(), taken.outputs())) {
    Datum chosen = datumOf(value); // data may move when it grows
    data[output] = std::move(chosen);
  }
  return okStatus();
}

Status GraphTracer::visitLoop(Node &node) {
  const Datum bound = datumOf(node.input(0));
  Datum condition = datumOf(node.input(1));
  std::vector<Datum> carried;
  for (Value *input : llvm::drop_begin(node.inputs(), 2))
    carried.push_back(datumOf(input));
  TSC_RETURN_IF_ERROR(decide(node, bound, "loop"));
  Block &body = node.block(0);
  for (int64_t trip = 0; trip < bound.value.toInt(); ++trip) {
    TSC_RETURN_IF_ERROR(decide(node, condition, "loop"));
    if (!condition.value.toBool())
      break;
    if (context.hasAlarm())
      TSC_RETURN_IF_ERROR(context.checkLimits());
    if (context.stepsUsed >= context.quotas.steps)
      return quotaExceeded(QuotaKind::Steps);
    ++context.stepsUsed;
    Datum number;
    number.value = IValue(trip);
    data[body.inputs()[0]] = std::move(number);
    for (auto [parameter, datum] : llvm::zip(body.inputs().drop_front(), carried))
      data[parameter] = datum;
    TSC_RETURN_IF_ERROR(walk(body));
    condition = datumOf(body.returnNode().input(0));
    for (auto [datum, output] : llvm::zip(carried, llvm::drop_begin(body.outputs())))
      datum = datumOf(output);
  }
  for (auto [output, datum] : llvm::zip(node.outputs(), carried))
    data[output] = datum;
  return okStatus();
}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

/// Whether a constant's type is the one that its value alone shows.
static bool showsItsType(const IValue &value) {
  return !value.isCounted() ? !value.isFunction() : value.isString() || value.isComplex();
}

Status GraphTracer::visitConstant(Node &node) {
  Datum datum;
  datum.constant = node.output();
  if (std::optional<IValue> value = constantValue(node.output()))
    datum.value = *std::move(value);
  data[node.output()] = std::move(datum);
  return okStatus();
}

/// Returns the value of the trace for one of the function; a constant is made when it is first used.
StatusOr<Value *> GraphTracer::valueOf(const Value *value) {
  Datum &datum = datumOf(value);
  if (datum.traced)
    return datum.traced;
  if (datum.constant && !showsItsType(datum.value)) {
    Datum &original = datumOf(datum.constant);
    if (!original.traced) {
      Node *copy = tracing.graph().copyNode(*datum.constant->node(), [](Value *) -> Value * { return nullptr; });
      original.traced = tracing.graph().block().prepend(copy)->output();
    }
    return datum.traced = original.traced;
  }
  TSC_ASSIGN_OR_RETURN(datum.traced, tracing.constant(datum.value));
  return datum.traced;
}

Status GraphTracer::record(Node &node, std::vector<Datum> results) {
  if (++numNodes > maxNodes)
    return resourceExhausted(placeOf(node.range()) + "the trace has more than " + llvm::Twine(maxNodes) + " nodes");
  llvm::DenseMap<Value *, Value *> inputs;
  for (Value *input : node.inputs()) {
    TSC_ASSIGN_OR_RETURN(inputs[input], valueOf(input));
  }
  Node *copy = tracing.graph().copyNode(node, [&](Value *value) { return inputs.lookup(value); });
  if (const Operator *op = node.op())
    copy->setOp(op);
  tracing.graph().insertNodeHere(copy);
  for (auto [output, traced, result] : llvm::zip(node.outputs(), copy->outputs(), results)) {
    result.traced = traced;
    if (result.value.isTensor() || result.value.isFuture())
      tracing.setValueTrace(result.value, traced);
    data[output] = std::move(result);
  }
  return okStatus();
}

/// Whether a node only computes constants of which the trace needs the values alone.
static bool isFolded(const Node &node, llvm::ArrayRef<Datum> results) {
  return node.hasTrait(Trait::Pure) && !results.empty() && llvm::all_of(results, [](const Datum &result) {
           return result.on == Dependence::Constant && showsItsType(result.value);
         });
}

Status GraphTracer::visitPlain(Node &node) {
  TSC_ASSIGN_OR_RETURN(const NodeCode *code, codeOf(node));
  if (node.kind() == prim::Exit && !entered.empty())
    entered.pop_back(); // before it runs: where it fails, it is not called again
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> values, run(*code));
  if (node.kind() == prim::Enter)
    entered.push_back(&node);
  llvm::SmallVector<const Datum *, 8> operands;
  for (Value *input : node.inputs())
    operands.push_back(&datumOf(input));
  std::vector<Datum> results = dependences.results(node, operands, values);
  if (!isFolded(node, results))
    return record(node, std::move(results));
  for (auto [output, result] : llvm::zip(node.outputs(), results))
    data[output] = std::move(result);
  return okStatus();
}

Status GraphTracer::visit(Node &node) {
  if (node.kind() == prim::Constant)
    return visitConstant(node);
  if (node.kind() == prim::If)
    return visitIf(node);
  if (node.kind() == prim::Loop)
    return visitLoop(node);
  if (node.numBlocks())
    return unimplemented(placeOf(node.range()) + "no trace can hold '" + node.kindName() +
                         "', which has code of its own");
  return visitPlain(node);
}

/// Finds the node of `block` after which the value, one of the block's own, is not read any more.
void GraphTracer::noteLastUse(Block &block, const Value *value) {
  Node *last = nullptr;
  for (Use &use : value->uses()) {
    Node *user = use.user();
    if (user->kind() == prim::Enter) // leaveBlocks() reads it, also where the block has no prim::Exit since it raises
      return;
    while (user && user->block() != &block) // a node with blocks in which the value is read
      user = user->parentNode();
    if (!user || user == &block.returnNode())
      return;
    if (!last || last->isBefore(user))
      last = user;
  }
  if (last)
    lastUses[last].push_back(value);
}

void GraphTracer::noteLastUses(Block &block) {
  for (Value *input : block.inputs())
    noteLastUse(block, input);
  for (Node &node : block.nodes()) {
    if (node.kind() != prim::Constant)
      for (Value *output : node.outputs())
        noteLastUse(block, output);
    for (Block &inner : node.blocks())
      noteLastUses(inner);
  }
}

Status GraphTracer::walk(Block &block) {
  for (Node &node : block.nodes()) {
    TSC_RETURN_IF_ERROR(visit(node));
    auto dead = lastUses.find(&node);
    if (dead == lastUses.end())
      continue;
    for (const Value *value : dead->second)
      if (Datum &datum = datumOf(value); datum.traced) // a constant's value may be needed to make it
        datum.value = IValue();
  }
  return okStatus();
}

//===----------------------------------------------------------------------===//
// The whole graph
//===----------------------------------------------------------------------===//

StatusOr<TracedGraph> GraphTracer::trace(std::vector<IValue> args) {
  assert(args.size() == source->inputs().size() && "one argument for each input");
  CallContext::MemoryScope counting(context);
  llvm::SaveAndRestore<const CallSite *> outerSite(context.site);
  for (auto [input, arg] : llvm::zip(source->inputs(), args)) {
    Datum datum = dependences.argument(arg);
    datum.traced = tracing.graph().addInput(input->name(), input->type());
    if (arg.isTensor() || arg.isFuture())
      tracing.setValueTrace(arg, datum.traced);
    data[input] = std::move(datum);
  }
  auto restored = llvm::make_scope_exit([&, gradMode = context.gradMode] { context.gradMode = gradMode; });
  if (Status status = walk(source->block()); !status.ok()) {
    leaveBlocks();
    return status;
  }
  TracedGraph traced;
  std::vector<IValue> results;
  for (Value *output : source->outputs()) {
    TSC_ASSIGN_OR_RETURN(Value * result, valueOf(output));
    tracing.graph().addOutput(result);
    results.push_back(datumOf(output).value);
  }
  restored.release();
  traced.result = results.empty() ? IValue() : results.size() == 1 ? results.front() : makeTuple(std::move(results));
  traced.remarks = tracing.takeRemarks();
  traced.graph = tracing.takeGraph();
  eraseUnusedOperators(*traced.graph);
  return traced;
}

StatusOr<TracedGraph> tsc::traceGraph(CallContext &context, const Graph &graph, llvm::StringRef name,
                                      std::vector<IValue> args, TraceOptions options) {
  if (Tracer::of(context))
    return failedPrecondition("a function is being traced in this context; it cannot trace another one");
  installOperatorServices(context.context());
  return GraphTracer(context, graph, name, std::move(options)).trace(std::move(args));
}
