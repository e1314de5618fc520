//===- Tracer.cpp - Graphs of a host's function as it ran -----------------===//
#include "tsc/Runtime/Tracer/Tracer.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/SchemaMatching.h"
#include "tsc/Runtime/Dispatch/CallOperator.h"
#include "tsc/Transforms/UnusedOperators.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cmath>

using namespace tsc;

Tracer::Tracer(CallContext &context, TraceOptions chosen)
    : options(std::move(chosen)), tracing(context.context()), next(context.observer) {
  tracing.setSourceCallback(options.source);
}

/// Returns InvalidArgument for what the trace cannot hold, or leaves a warning where these are asked for.
Status Tracer::refuse(const llvm::Twine &message) {
  const SourceRange range = tracing.location();
  if (!options.warnsOnly)
    return invalidArgument(placeOf(range) + message);
  tracing.remark(TraceRemark::Kind::Warning, range, message);
  return okStatus();
}

//===----------------------------------------------------------------------===//
// A whole trace
//===----------------------------------------------------------------------===//

/// Whether a value holds numbers or texts, which become constants, beside tensors.
static bool holdsConstants(const IValue &value) {
  if (value.isTuple())
    return llvm::any_of(value.toTuple().elements, holdsConstants);
  if (value.isGenericList())
    return llvm::any_of(value.toGenericList().elements, holdsConstants);
  if (value.isDict()) {
    bool found = false;
    value.toDict().forEach([&](const IValue &, const IValue &item) { found = found || holdsConstants(item); });
    return found;
  }
  return !value.isTensor() && !value.isTensorList() && !value.isNone();
}

Status Tracer::addInputs(llvm::ArrayRef<IValue> inputs) {
  for (auto [i, input] : llvm::enumerate(inputs)) {
    const Type *type = input.dynamicType(tracing.graph().context());
    if (!type || input.isObject())
      return invalidArgument("input " + llvm::Twine(i) +
                             " of a traced function is no tensor, and no list, tuple or "
                             "dict of tensors");
    if (tracing.isTraced(input))
      tracing.remark(TraceRemark::Kind::Warning, {},
                     "input " + llvm::Twine(i) +
                         " is or holds a tensor that an earlier input is or holds, too: the trace reads it from the "
                         "later one; trace with inputs that are different tensors");
    Value *traced = tracing.graph().addInput("input", type);
    if (holdsConstants(input))
      tracing.remark(TraceRemark::Kind::Warning, {},
                     "input " + llvm::Twine(i) + " is or holds a number or a text, which becomes a constant");
    tracing.setPartTraces(input, traced, [](Value *) {});
  }
  return okStatus();
}

StatusOr<TracedGraph> Tracer::trace(CallContext &context, TracedFunction function, std::vector<IValue> inputs,
                                    TraceOptions options) {
  if (of(context))
    return failedPrecondition("a function is being traced in this context; it cannot trace another one");
  Tracer tracer(context, std::move(options));
  TSC_RETURN_IF_ERROR(tracer.addInputs(inputs));
  TracedGraph traced;
  auto restored = llvm::make_scope_exit([&, gradMode = context.gradMode] { context.gradMode = gradMode; });
  {
    llvm::SaveAndRestore<OperatorObserver *> observing(context.observer, &tracer);
    TSC_ASSIGN_OR_RETURN(traced.result, function(context, inputs));
  }
  if (holdsConstants(traced.result))
    TSC_RETURN_IF_ERROR(
        tracer.refuse("the traced function returns a number or a text, which would be a constant; return a tensor"));
  TSC_ASSIGN_OR_RETURN(Value * output, tracer.tracing.getValueTrace(traced.result));
  tracer.tracing.graph().addOutput(output);
  traced.remarks = tracer.tracing.takeRemarks();
  traced.graph = tracer.tracing.takeGraph();
  eraseUnusedOperators(*traced.graph);
  restored.release();
  return traced;
}

//===----------------------------------------------------------------------===//
// An operator
//===----------------------------------------------------------------------===//

static const Operator *operatorOf(Context &context, const OperatorCall &call) {
  auto [qualified, overload] = llvm::StringRef(call.name).split('.');
  return context.operators().find(qualified, overload);
}

StatusOr<Value *> Tracer::valueOf(TracedInt number) {
  return number.traced ? number.traced : tracing.constant(number.value);
}

/// Returns the value of the number or list of numbers that Tracer::call() was given for an argument; null where none of
/// them is traced.
StatusOr<Value *> Tracer::stashed(size_t index, const IValue &operand, const Type *type) {
  if (index >= stash.size() || llvm::none_of(stash[index], [](TracedInt number) { return number.traced; }))
    return nullptr;
  Graph &graph = tracing.graph();
  llvm::SmallVector<Value *, 4> values;
  for (TracedInt number : stash[index]) {
    TSC_ASSIGN_OR_RETURN(Value * traced, valueOf(number));
    values.push_back(traced);
  }
  if (operand.isInt())
    return values.front();
  if (operand.isDouble()) {
    Node *converted = graph.create(aten::Float, {values.front()}, 1);
    converted->output()->setType(Type::floatType());
    return tracing.insert(converted)->output();
  }
  if (!operand.isIntList() || operand.listSize() != values.size())
    return unimplemented("a traced number stands for an argument of type " +
                         (type ? type->annotation() : std::string("...")) + ", which takes no int or list of ints");
  Node *list = graph.create(prim::ListConstruct, values, 1);
  list->output()->setType(graph.context().listOf(Type::intType()));
  return tracing.insert(list)->output();
}

StatusOr<llvm::SmallVector<Value *, 8>> Tracer::inputsOf(const OperatorCall &call, const FunctionSchema &schema,
                                                         Operands operands) {
  llvm::SmallVector<Value *, 8> inputs;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    const Type *type = i < schema.arguments().size() ? schema.arguments()[i].type : nullptr;
    TSC_ASSIGN_OR_RETURN(Value * input, stashed(i, *operand, type));
    if (!input) {
      StatusOr<Value *> found = tracing.getValueTrace(*operand, type);
      if (!found.ok())
        return withContext(found.status(), placeOf(tracing.location()) + "an operand of '" + call.name + "': ");
      input = *found;
    }
    inputs.push_back(input);
  }
  stash.clear();
  return inputs;
}

/// Refuses writes to lists and dicts, which the trace would lose, and warns of those to constants, which every later
/// run of the trace would read.
Status Tracer::checkWrites(const FunctionSchema &schema, Operands operands, llvm::ArrayRef<Value *> inputs) {
  for (auto [i, argument] : llvm::enumerate(schema.arguments())) {
    if (i >= operands.size() || !argument.alias || !argument.alias->isWrite)
      continue;
    if (operands[i]->isList() || operands[i]->isDict())
      return invalidArgument(placeOf(tracing.location()) + "the trace of a host's function cannot hold a write to a " +
                             (operands[i]->isList() ? "list" : "dict") + ", which '" + schema.name() + "' makes");
    if (isConstant(inputs[i]) || tracing.sharesConstant(*operands[i]))
      tracing.remark(TraceRemark::Kind::Warning, tracing.location(),
                     "'" + schema.name() +
                         "' writes to a tensor that is no input: the trace has it as a constant, which each run of the "
                         "trace changes");
  }
  return okStatus();
}

Status Tracer::addNode(const OperatorCall &call, const Operator &op, llvm::ArrayRef<Value *> inputs, Results results,
                       bool isTraced) {
  Graph &graph = tracing.graph();
  const FunctionSchema &schema = op.schema();
  Node *node = graph.create(op.symbol(), inputs, results.size());
  node->setOp(&op);
  for (auto [i, result] : llvm::enumerate(results)) {
    const Type *declared = i < schema.returns().size() ? schema.returns()[i].type : nullptr;
    const Type *own = result.dynamicType(graph.context());
    const bool isOpen = !declared || declared->hasFreeVariables() || declared->kind() == TypeKind::Any;
    node->output(i)->setType(isOpen ? (own ? own : Type::tensorType()) : declared);
  }
  tracing.insert(node);
  bool losesNumber = false;
  for (auto [result, output] : llvm::zip(results, node->outputs()))
    if (!result.isNone())
      tracing.setPartTraces(result, output, [&](Value *) { losesNumber = true; });
  if (!losesNumber || !isTraced || (call.op != OpKind::Unknown && asksForTensorKind(call.op)))
    return okStatus();
  const bool asksForSizes = call.op != OpKind::Unknown && tensorQuery(call.op);
  return refuse(
      "'" + llvm::Twine(call.name) +
      (asksForSizes
           ? "' gives a size, which the trace would hold as a constant; Tracer::size() gives one that "
             "it computes"
           : "' gives a number that depends on a tensor, which the trace would hold as a constant; keep it a tensor"));
}

Status Tracer::run(CallContext &context, const OperatorCall &call, Operands operands, Results results, Kernel kernel) {
  const Operator *op = operatorOf(context.context(), call);
  if (!op)
    return unimplemented("the trace cannot hold '" + llvm::Twine(call.name) + "', which is no operator of programs");
  TSC_ASSIGN_OR_RETURN(auto inputs, inputsOf(call, op->schema(), operands));
  TSC_RETURN_IF_ERROR(checkWrites(op->schema(), operands, inputs));
  const bool isTraced = llvm::any_of(operands, [&](const IValue *operand) { return tracing.isTraced(*operand); });
  {
    llvm::SaveAndRestore<OperatorObserver *> paused(context.observer, next);
    TSC_RETURN_IF_ERROR(next ? next->run(context, call, operands, results, kernel) : kernel(operands, results.data()));
  }
  return addNode(call, *op, inputs, results, isTraced);
}

namespace {
/// A list or dict that a function is given, with what it held before the call.
struct GivenContainer {
  IValue container;
  std::vector<IValue> parts;
};
} // namespace

/// Returns the elements of a list, or the keys and values of a dict.
static std::vector<IValue> partsOf(const IValue &container) {
  std::vector<IValue> parts;
  if (container.isDict())
    container.toDict().forEach([&](const IValue &key, const IValue &item) { parts.insert(parts.end(), {key, item}); });
  else
    for (size_t i = 0; i != container.listSize(); ++i)
      parts.push_back(container.listElement(i));
  return parts;
}

/// Appends the lists and dicts that a value is or holds.
static void addContainers(const IValue &value, std::vector<GivenContainer> &given) {
  std::vector<IValue> parts;
  if (value.isTuple())
    parts = value.toTuple().elements;
  else if (value.isList() || value.isDict())
    given.push_back({value, parts = partsOf(value)});
  for (const IValue &part : parts)
    addContainers(part, given);
}

/// Whether a list or dict holds other values than before the call.
static bool wasWritten(const GivenContainer &given) {
  return !llvm::equal(given.parts, partsOf(given.container), [](const IValue &before, const IValue &after) {
    const bool areNaN =
        before.isDouble() && after.isDouble() && std::isnan(before.toDouble()) && std::isnan(after.toDouble());
    return areNaN || before.isSameAs(after);
  });
}

Status Tracer::runCall(CallContext &context, Function &function, llvm::MutableArrayRef<IValue> args,
                       std::vector<IValue> &results, llvm::function_ref<Status(CallContext &)> run) {
  Graph &graph = tracing.graph();
  const std::string place = placeOf(tracing.location());
  llvm::SmallVector<Value *, 8> inputs;
  TSC_ASSIGN_OR_RETURN(Value * callee, tracing.constant(IValue(&function)));
  inputs.push_back(callee);
  for (auto [i, arg] : llvm::enumerate(args)) {
    if (arg.isObject())
      return unimplemented(place + "the trace of a host's function cannot hold the object that '" +
                           function.qualifiedName() + "' is called with; trace the program's entry instead");
    StatusOr<Value *> input = tracing.getValueTrace(
        arg, i < function.schema().arguments().size() ? function.schema().arguments()[i].type : nullptr);
    if (!input.ok())
      return withContext(input.status(), place + "an argument of '" + function.qualifiedName() + "': ");
    inputs.push_back(*input);
  }
  std::vector<GivenContainer> given; // `run` moves the arguments away
  for (const IValue &arg : args)
    addContainers(arg, given);
  {
    llvm::SaveAndRestore<OperatorObserver *> paused(context.observer, next);
    TSC_RETURN_IF_ERROR(run(context));
  }
  if (llvm::any_of(given, wasWritten))
    return invalidArgument(place + "the trace of a host's function cannot hold a write to a list or dict, which '" +
                           function.qualifiedName() + "' makes; let it return what it makes instead");
  const auto returns = function.schema().returns();
  Node *node = graph.create(prim::CallFunction, inputs, 1);
  node->output()->setType(returns.empty() ? Type::noneType() : returns.front().type);
  tracing.insert(node);
  bool losesNumber = false;
  if (!results.empty() && !results.front().isNone())
    tracing.setPartTraces(results.front(), node->output(), [&](Value *) { losesNumber = true; });
  return losesNumber ? refuse("'" + llvm::Twine(function.qualifiedName()) +
                              "' returns a number, which the trace would hold as a constant; let it return a tensor")
                     : okStatus();
}

//===----------------------------------------------------------------------===//
// Numbers of traced functions
//===----------------------------------------------------------------------===//

TracedArgument::TracedArgument(std::vector<TracedInt> list) : numbers(std::move(list)) {
  std::vector<int64_t> plain;
  for (TracedInt number : numbers)
    plain.push_back(number.value);
  value = IValue(std::move(plain));
}

/// Calls an operator on ints, or on a tensor and ints, outside of the trace, and records it by hand.
static StatusOr<TracedInt> callForInt(CallContext &context, llvm::StringRef name, std::vector<IValue> args,
                                      llvm::function_ref<StatusOr<Value *>(Tracer &)> record) {
  Tracer *const tracer = Tracer::of(context);
  llvm::SaveAndRestore<OperatorObserver *> paused(context.observer, tracer ? nullptr : context.observer);
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> results, callOperator(context, name, std::move(args)));
  if (results.size() != 1 || !results.front().isInt())
    return invalidArgument("'" + llvm::Twine(name) + "' gives no int");
  if (!tracer)
    return TracedInt(results.front().toInt());
  TSC_ASSIGN_OR_RETURN(Value * traced, record(*tracer));
  return TracedInt(results.front().toInt(), traced);
}

static Value *insertInt(TracingState &state, Symbol op, llvm::ArrayRef<Value *> operands) {
  Node *node = state.graph().create(op, operands, 1);
  node->output()->setType(Type::intType());
  return state.insert(node)->output();
}

StatusOr<TracedInt> Tracer::size(CallContext &context, const Tensor &tensor, int64_t dim) {
  return callForInt(context, "aten::size.int", {tensor, dim}, [&](Tracer &tracer) -> StatusOr<Value *> {
    TSC_ASSIGN_OR_RETURN(Value * traced, tracer.tracing.getValueTrace(tensor));
    TSC_ASSIGN_OR_RETURN(Value * position, tracer.tracing.constant(dim));
    return insertInt(tracer.tracing, aten::size, {traced, position});
  });
}

StatusOr<TracedInt> Tracer::compute(CallContext &context, llvm::StringRef op, llvm::ArrayRef<TracedInt> operands) {
  std::vector<IValue> args;
  for (TracedInt number : operands)
    args.emplace_back(number.value);
  return callForInt(context, op, std::move(args), [&](Tracer &tracer) -> StatusOr<Value *> {
    llvm::SmallVector<Value *, 2> values;
    for (TracedInt number : operands) {
      TSC_ASSIGN_OR_RETURN(Value * traced, tracer.valueOf(number));
      values.push_back(traced);
    }
    return insertInt(tracer.tracing, context.context().symbol(op.split('.').first), values);
  });
}

StatusOr<std::vector<IValue>> Tracer::call(CallContext &context, llvm::StringRef name, std::vector<TracedArgument> args,
                                           const KeywordArguments &kwargs) {
  std::vector<IValue> values;
  std::vector<std::vector<TracedInt>> numbers;
  for (TracedArgument &arg : args) {
    values.push_back(std::move(arg.value));
    numbers.push_back(std::move(arg.numbers));
  }
  Tracer *const tracer = of(context);
  if (tracer)
    tracer->stash = std::move(numbers);
  StatusOr<std::vector<IValue>> results = callOperator(context, name, std::move(values), kwargs);
  if (tracer)
    tracer->stash.clear();
  return results;
}
