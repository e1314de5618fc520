//===- GraphTracer.cpp - Straight-line graphs of programs -----------------===//
//
// Each node runs as code of its own, a graph that holds nothing else: so it does what it
// does in a call, whatever it is. Code is made once for each node of the function.
//
//===----------------------------------------------------------------------===//
#include "tsc/Runtime/Tracer/GraphTracer.h"
#include "Dependence.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Support/Stack.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/UnusedOperators.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

namespace {

/// The longest trace: who unrolls more has a loop that does not end.
constexpr size_t maxNodes = 1000000;

/// The code of one node, and the values that it reads.
struct NodeCode {
  const Code *code = nullptr;
  llvm::SmallVector<const Value *, 4> operands;
};

/// A function's body as it is traced, any number of times.
struct TracedBody {
  explicit TracedBody(const Graph &graph);
  std::unique_ptr<Graph> graph; ///< A copy of the function's graph.
  llvm::DenseMap<const Node *, NodeCode> codes;
  /// For each node, the values of its block that nobody needs after it.
  llvm::DenseMap<const Node *, llvm::SmallVector<const Value *, 2>> lastUses;
  /// Why calls of it stay calls of what is written, once one could not be traced.
  std::optional<TraceRemark> refusal;

private:
  void noteLastUses(Block &block);
  void noteLastUse(Block &block, const Value *value);
};

/// What the traces of a function, and of the methods that it calls, have in common.
struct TraceSession {
  TraceSession(CallContext &context, const Graph &graph, llvm::ArrayRef<IValue> args, TraceOptions options)
      : context(context), options(std::move(options)), body(graph),
        dependences(findAttributeWrites(*body.graph, args)) {
    if (recorderOf(context))
      codes.makeForTape(nullptr);
  }
  /// Returns the method of a module that a node calls, or null where that is not known, or it is under way already.
  Function *methodCalledBy(const Node &node) const;
  /// Returns the body of a method as it is traced, or null where the method does not compile.
  TracedBody *bodyOf(Function &method);

  CallContext &context;
  const TraceOptions options;
  TracedBody body; ///< That of the function itself.
  Dependences dependences;
  CodeCache codes;
  llvm::DenseMap<const Function *, std::unique_ptr<TracedBody>> methods;
  llvm::SmallVector<const Function *, 4> active; ///< The methods that are being traced, outermost first.
  size_t numNodes = 0;
};

/// Traces one call of a function.
class GraphTracer {
public:
  GraphTracer(TraceSession &session, TracedBody &body, llvm::StringRef name, std::string scope, bool isCallee)
      : session(session), context(session.context), body(body), name(name.str()), scope(std::move(scope)),
        isCallee(isCallee), tracing(context.context()), nodesBefore(session.numNodes) {}

  StatusOr<TracedGraph> trace(std::vector<IValue> args);

private:
  Status walk(Block &block);
  Status visit(Node &node);
  Status visitConstant(Node &node);
  Status visitIf(Node &node);
  Status visitLoop(Node &node);
  Status visitPlain(Node &node);
  Status visitCall(Node &node, Function &callee, TracedBody &called);
  Status callTraced(llvm::ArrayRef<const Datum *> operands, std::vector<IValue> &results);
  Status decide(const Node &node, const Datum &datum, llvm::StringRef what);
  Status takeStep();
  void keepWritten(SourceRange range, const llvm::Twine &why);
  std::string scopeOf(const Value *module) const;
  StatusOr<Value *> valueOf(const Value *value);
  Datum &datumOf(const Value *value) { return data.find(value)->second; }
  llvm::SmallVector<const Datum *, 8> operandsOf(const Node &node);
  StatusOr<const NodeCode *> codeOf(Node &node);
  StatusOr<std::vector<IValue>> run(const NodeCode &code);
  StatusOr<NodeCode> compile(Node &node);
  StatusOr<NodeCode> compileExit(Node &enter);
  void addParameter(Value *input, Datum datum);
  Status record(Node &node, std::vector<Datum> results);
  Status recordCall(Node &node, std::vector<Datum> results, std::shared_ptr<Graph> made);
  StatusOr<llvm::DenseMap<Value *, Value *>> countAndFindInputs(Node &node);
  void place(Node &node, Node *copy, std::vector<Datum> results);
  std::unique_ptr<Graph> takeGraph();
  void leaveBlocks();

  TraceSession &session;
  CallContext &context;
  TracedBody &body;
  std::string name;
  std::string scope;   ///< The path of the module that the function is a method of, from that of the traced one.
  const bool isCallee; ///< Whether a call is traced, which may as well stay what it is.
  /// Where a call turned out to be one that no trace can hold: it runs to its end, and nothing is recorded any more.
  std::optional<TraceRemark> refusal;
  TracingState tracing;
  llvm::DenseMap<const Value *, Datum> data;
  llvm::SmallVector<Node *, 2> entered; ///< The prim::Enter nodes of the `with` statements that are open.
  const size_t nodesBefore;             ///< The number of nodes that the whole trace had when this one began.
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

StatusOr<NodeCode> GraphTracer::compile(Node &node) {
  NodeCode result;
  std::unique_ptr<Graph> alone = isolate(node, result.operands, [&](Graph &graph, Node &copy) {
    if (node.kind() == prim::Enter || node.kind() == prim::Exit)
      makeMethodCall(graph, copy, node.kind() == prim::Enter);
  });
  TSC_ASSIGN_OR_RETURN(result.code, session.codes.add(std::move(alone), name));
  return result;
}

/// Makes the code that leaves the block of a `with` statement early.
StatusOr<NodeCode> GraphTracer::compileExit(Node &enter) {
  NodeCode result;
  std::unique_ptr<Graph> alone = isolate(enter, result.operands, [&](Graph &graph, Node &copy) {
    makeMethodCall(graph, copy, /*enters=*/false);
    for (Value *output : copy.outputs())
      output->setType(Type::anyType());
  });
  TSC_ASSIGN_OR_RETURN(result.code, session.codes.add(std::move(alone), name));
  return result;
}

StatusOr<const NodeCode *> GraphTracer::codeOf(Node &node) {
  if (auto known = body.codes.find(&node); known != body.codes.end())
    return &known->second;
  TSC_ASSIGN_OR_RETURN(NodeCode code, compile(node));
  return &body.codes.try_emplace(&node, std::move(code)).first->second;
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
  if (refusal)
    return okStatus();
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
  if (isCallee) {
    keepWritten(node.range(), message);
    return okStatus();
  }
  if (session.options.warnsOnly) {
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
  Block &turn = node.block(0);
  for (int64_t trip = 0; trip < bound.value.toInt(); ++trip) {
    TSC_RETURN_IF_ERROR(decide(node, condition, "loop"));
    if (!condition.value.toBool())
      break;
    TSC_RETURN_IF_ERROR(takeStep());
    Datum number;
    number.value = IValue(trip);
    data[turn.inputs()[0]] = std::move(number);
    for (auto [parameter, datum] : llvm::zip(turn.inputs().drop_front(), carried))
      data[parameter] = datum;
    TSC_RETURN_IF_ERROR(walk(turn));
    condition = datumOf(turn.returnNode().input(0));
    for (auto [datum, output] : llvm::zip(carried, llvm::drop_begin(turn.outputs())))
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

/// Returns the values of the trace for a node's inputs. One more node is in the trace then.
StatusOr<llvm::DenseMap<Value *, Value *>> GraphTracer::countAndFindInputs(Node &node) {
  ++session.numNodes;
  llvm::DenseMap<Value *, Value *> inputs;
  for (Value *input : node.inputs()) {
    TSC_ASSIGN_OR_RETURN(inputs[input], valueOf(input));
  }
  return inputs;
}

/// Places what stands for a node in the trace.
void GraphTracer::place(Node &node, Node *copy, std::vector<Datum> results) {
  tracing.graph().insertNodeHere(copy);
  for (auto [output, traced, result] : llvm::zip(node.outputs(), copy->outputs(), results)) {
    result.traced = traced;
    if (result.value.isTensor() || result.value.isFuture())
      tracing.setValueTrace(result.value, traced);
    data[output] = std::move(result);
  }
}

Status GraphTracer::record(Node &node, std::vector<Datum> results) {
  if (!refusal && session.numNodes >= maxNodes) {
    const std::string message = "the trace has more than " + llvm::utostr(maxNodes) + " nodes";
    if (!isCallee)
      return resourceExhausted(placeOf(node.range()) + message);
    keepWritten(node.range(), message);
  }
  if (refusal) {
    for (auto [output, result] : llvm::zip(node.outputs(), results))
      data[output] = std::move(result);
    return okStatus();
  }
  TSC_ASSIGN_OR_RETURN(auto inputs, countAndFindInputs(node));
  Node *copy = tracing.graph().copyNode(node, [&](Value *value) { return inputs.lookup(value); });
  if (const Operator *op = node.op())
    copy->setOp(op);
  place(node, copy, std::move(results));
  return okStatus();
}

/// Whether a node only computes constants of which the trace needs the values alone.
static bool isFolded(const Node &node, llvm::ArrayRef<Datum> results) {
  return node.hasTrait(Trait::Pure) && !results.empty() && llvm::all_of(results, [](const Datum &result) {
           return result.on == Dependence::Constant && showsItsType(result.value);
         });
}

llvm::SmallVector<const Datum *, 8> GraphTracer::operandsOf(const Node &node) {
  llvm::SmallVector<const Datum *, 8> operands;
  for (Value *input : node.inputs())
    operands.push_back(&datumOf(input));
  return operands;
}

Status GraphTracer::visitPlain(Node &node) {
  if (Function *callee = refusal ? nullptr : session.methodCalledBy(node))
    if (TracedBody *called = session.bodyOf(*callee); called && called->graph->inputs().size() == node.numInputs()) {
      if (!called->refusal)
        return visitCall(node, *callee, *called);
      tracing.remark(called->refusal->kind, called->refusal->range, called->refusal->message);
    }
  TSC_ASSIGN_OR_RETURN(const NodeCode *code, codeOf(node));
  if (node.kind() == prim::Exit && !entered.empty())
    entered.pop_back(); // before it runs: where it fails, it is not called again
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> values, run(*code));
  if (node.kind() == prim::Enter)
    entered.push_back(&node);
  std::vector<Datum> results = session.dependences.results(node, operandsOf(node), values);
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
void TracedBody::noteLastUse(Block &block, const Value *value) {
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

void TracedBody::noteLastUses(Block &block) {
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

TracedBody::TracedBody(const Graph &written) : graph(written.clone()) {
  eraseUnusedOperators(*graph); // no tier runs them
  noteLastUses(graph->block());
}

Status GraphTracer::walk(Block &block) {
  for (Node &node : block.nodes()) {
    TSC_RETURN_IF_ERROR(visit(node));
    auto dead = body.lastUses.find(&node);
    if (dead == body.lastUses.end())
      continue;
    for (const Value *value : dead->second)
      if (Datum &datum = datumOf(value); datum.traced || refusal) // a constant's value may be needed to make it
        datum.value = IValue();
  }
  return okStatus();
}

//===----------------------------------------------------------------------===//
// Calls of methods of modules
//===----------------------------------------------------------------------===//

static TraceRemark staysWritten(llvm::StringRef method, SourceRange range, const llvm::Twine &why) {
  method.consume_front("__torch__.");
  return {TraceRemark::Kind::Written, range, ("'" + method + "' stays as it is written: " + why).str()};
}

Function *TraceSession::methodCalledBy(const Node &node) const {
  const auto *type = node.kind() == prim::CallMethod ? llvm::dyn_cast<ClassType>(node.input(0)->type()) : nullptr;
  Function *callee = type && type->isModule() ? calleeOf(node) : nullptr;
  return callee && !llvm::is_contained(active, callee) && mayRecurse() ? callee : nullptr;
}

TracedBody *TraceSession::bodyOf(Function &method) {
  std::unique_ptr<TracedBody> &known = methods[&method];
  if (known)
    return known.get();
  if (failed(method.ensureDefined()) || !method.graph())
    return nullptr;
  known = std::make_unique<TracedBody>(*method.graph());
  known->graph->walk([&](Node &node) {
    if (!known->refusal && node.numBlocks() && node.kind() != prim::If && node.kind() != prim::Loop)
      known->refusal = staysWritten(method.qualifiedName(), node.range(),
                                    "no trace can hold '" + node.kindName() + "', which has code of its own");
  });
  return known.get();
}

Status GraphTracer::takeStep() {
  if (context.hasAlarm())
    TSC_RETURN_IF_ERROR(context.checkLimits());
  if (context.stepsUsed >= context.quotas.steps)
    return quotaExceeded(QuotaKind::Steps);
  ++context.stepsUsed;
  return okStatus();
}

/// Gives up the trace of a call, which goes on without it.
void GraphTracer::keepWritten(SourceRange range, const llvm::Twine &why) {
  assert(isCallee && !refusal && "a call that is being traced");
  refusal = staysWritten(name, range, why);
  session.numNodes = nodesBefore;
}

/// Returns the path of a module within the traced one; where nobody can tell, that of the module whose method runs.
std::string GraphTracer::scopeOf(const Value *module) const {
  std::string path;
  for (; module->node()->kind() == prim::GetAttr; module = module->node()->input(0))
    path = "." + module->node()->get<std::string>(attr::name) + path;
  return module == body.graph->inputs()[0] ? scope + path : scope;
}

/// Runs the body with the operands of a call. Where a refusal comes of it, there is a result, and no trace.
Status GraphTracer::callTraced(llvm::ArrayRef<const Datum *> operands, std::vector<IValue> &results) {
  for (auto [input, operand] : llvm::zip_equal(body.graph->inputs(), operands))
    addParameter(input, session.dependences.parameter(*operand));
  if (Status status = walk(body.graph->block()); !status.ok()) {
    leaveBlocks();
    return status;
  }
  for (Value *output : body.graph->outputs()) {
    results.push_back(datumOf(output).value);
    if (refusal)
      continue;
    TSC_ASSIGN_OR_RETURN(Value * result, valueOf(output));
    tracing.graph().addOutput(result);
  }
  return okStatus();
}

/// Traces a call of a method by itself. Where that cannot be done, the call stays one of the method as it is written,
/// and so do those to come.
Status GraphTracer::visitCall(Node &node, Function &callee, TracedBody &called) {
  TSC_RETURN_IF_ERROR(takeStep());
  session.active.push_back(&callee);
  auto left = llvm::make_scope_exit([&] { session.active.pop_back(); });
  GraphTracer inner(session, called, callee.qualifiedName(), scopeOf(node.input(0)), /*isCallee=*/true);
  std::vector<IValue> values;
  if (Status status = inner.callTraced(operandsOf(node), values); !status.ok())
    return withCallerFrame(status, node.range(), name);
  std::vector<Datum> results = session.dependences.results(node, operandsOf(node), values);
  if (inner.refusal) {
    tracing.remark(inner.refusal->kind, inner.refusal->range, inner.refusal->message);
    called.refusal = std::move(inner.refusal);
    return record(node, std::move(results));
  }
  for (const TraceRemark &remark : inner.tracing.takeRemarks())
    tracing.remark(remark.kind, remark.range, remark.message);
  return recordCall(node, std::move(results), inner.takeGraph());
}

/// Records a call whose nodes are a graph.
Status GraphTracer::recordCall(Node &node, std::vector<Datum> results, std::shared_ptr<Graph> made) {
  TSC_ASSIGN_OR_RETURN(auto inputs, countAndFindInputs(node));
  llvm::SmallVector<Value *, 4> operands;
  for (Value *input : node.inputs())
    operands.push_back(inputs.lookup(input));
  Node *call = tracing.graph().create(prim::TracedModuleForward, operands, node.numOutputs());
  call->setAttribute(attr::scope, scopeOf(node.input(0)));
  call->setAttribute(attr::name, node.get<std::string>(attr::name));
  call->setAttribute(attr::Subgraph, std::move(made));
  call->setRange(node.range());
  for (auto [from, to] : llvm::zip_equal(node.outputs(), call->outputs())) {
    to->setType(from->type());
    if (from->hasName())
      to->setName(from->name());
  }
  place(node, call, std::move(results));
  return okStatus();
}

//===----------------------------------------------------------------------===//
// The whole graph
//===----------------------------------------------------------------------===//

void GraphTracer::addParameter(Value *input, Datum datum) {
  datum.traced = tracing.graph().addInput(input->name(), input->type());
  if (datum.value.isTensor() || datum.value.isFuture())
    tracing.setValueTrace(datum.value, datum.traced);
  data[input] = std::move(datum);
}

std::unique_ptr<Graph> GraphTracer::takeGraph() {
  std::unique_ptr<Graph> graph = tracing.takeGraph();
  eraseUnusedOperators(*graph);
  return graph;
}

StatusOr<TracedGraph> GraphTracer::trace(std::vector<IValue> args) {
  assert(args.size() == body.graph->inputs().size() && "one argument for each input");
  CallContext::MemoryScope counting(context);
  llvm::SaveAndRestore<const CallSite *> outerSite(context.site);
  for (auto [input, arg] : llvm::zip(body.graph->inputs(), args))
    addParameter(input, session.dependences.argument(arg));
  auto restored = llvm::make_scope_exit([&, gradMode = context.gradMode] { context.gradMode = gradMode; });
  if (Status status = walk(body.graph->block()); !status.ok()) {
    leaveBlocks();
    return status;
  }
  TracedGraph traced;
  std::vector<IValue> results;
  for (Value *output : body.graph->outputs()) {
    TSC_ASSIGN_OR_RETURN(Value * result, valueOf(output));
    tracing.graph().addOutput(result);
    results.push_back(datumOf(output).value);
  }
  restored.release();
  traced.result = results.empty() ? IValue() : results.size() == 1 ? results.front() : makeTuple(std::move(results));
  traced.remarks = tracing.takeRemarks();
  traced.graph = takeGraph();
  return traced;
}

StatusOr<TracedGraph> tsc::traceGraph(CallContext &context, const Graph &graph, llvm::StringRef name,
                                      std::vector<IValue> args, TraceOptions options) {
  if (Tracer::of(context))
    return failedPrecondition("a function is being traced in this context; it cannot trace another one");
  installOperatorServices(context.context());
  TraceSession session(context, graph, args, std::move(options));
  return GraphTracer(session, session.body, name, "__module", /*isCallee=*/false).trace(std::move(args));
}
