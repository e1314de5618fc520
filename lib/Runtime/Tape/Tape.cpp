//===- Tape.cpp - Taking down operators that run --------------------------===//
#include "tsc/Runtime/Tape/Tape.h"
#include "TapeImpl.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/Operator.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Runtime/Dispatch/CallOperator.h"
#include "tsc/Runtime/Dispatch/Ops/Prims.h"
#include "tsc/Tensor/Quantizer.h"
#include "tsc/Transforms/Definitions.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

Tape::Tape(Context &context) : impl(std::make_unique<Impl>(context)) {}
Tape::~Tape() = default;

Tape::Impl::Impl(Context &context)
    : context(context), derivatives(context.extension<Derivatives>()), definitions(context.extension<Definitions>()) {
  installOperatorServices(context);
  installGradientServices(context);
}

//===----------------------------------------------------------------------===//
// Histories
//===----------------------------------------------------------------------===//

bool tsc::isDifferentiable(const Tensor &tensor) {
  return tensor.defined() && (isFloating(tensor.dtype()) || isComplex(tensor.dtype()));
}

static Ref<History> makeLeaf(const Tensor &tensor) {
  auto leaf = makeRef<GradientNode>();
  leaf->results.push_back({Dims(tensor.sizes()), tensor.dtype()});
  leaf->gradient = std::make_unique<GradientSlot>();
  if (!tensor.isContiguous() && cpu::isNonOverlappingAndDense(tensor.sizes(), tensor.strides()))
    leaf->leafStrides = std::make_unique<Dims>(tensor.strides());
  auto history = makeRef<History>();
  history->made = {std::move(leaf), 0};
  history->isOfLeaf = true;
  return history;
}

/// The history of a tensor that requires a gradient; a leaf gets its own now, the same for all threads.
static History &ensureHistory(const Tensor &tensor) {
  History *known = historyOf(tensor);
  if (!known) {
    Ref<History> made = makeLeaf(tensor);
    RefCounted *none = nullptr;
    if (sharedHistory(tensor).compare_exchange_strong(none, made.get(), std::memory_order_acq_rel))
      return *made.take(); // the tensor has the reference
  } else if (!known->made.node && !known->base.defined()) {
    tensor.get()->history = Ref<RefCounted>(makeLeaf(tensor));
  }
  return *historyOf(tensor);
}

/// Makes a leaf of a tensor, which keeps its gradient.
static void startAnew(const Tensor &tensor) {
  const Tensor gradient = Tape::gradient(tensor);
  tensor.get()->history = nullptr;
  if (gradient.defined())
    Tape::setGradient(tensor, gradient);
}

GradientSlot *tsc::slotOfLeaf(const Tensor &tensor) {
  const GradientEdge &made = ensureHistory(tensor).made;
  return made.node ? made.node->gradient.get() : nullptr;
}

GradientEdge Tape::Impl::edgeOf(CallContext &call, const Tensor &tensor) {
  if (!isDifferentiable(tensor) || !tensor.requiresGrad())
    return {};
  History &history = ensureHistory(tensor);
  const History *base = history.base.defined() ? historyOf(history.base) : nullptr;
  if (base && history.base.requiresGrad() && (base->rewrites != history.rewrites || !history.made.node))
    recordView(call, tensor);
  if (!historyOf(tensor)->made.node) { // a view that was made to require a gradient by itself
    startAnew(tensor);
    return ensureHistory(tensor).made;
  }
  return historyOf(tensor)->made;
}

void Tape::retainGradient(CallContext &call, const Tensor &tensor) {
  GradientEdge edge = impl->edgeOf(call, tensor);
  if (!edge.node || edge.node->kind == GradientNode::Kind::Leaf || historyOf(tensor)->retained)
    return;
  History &history = *historyOf(tensor);
  history.retained = makeRef<RetainedGradient>();
  history.retained->gradient.set(std::exchange(history.assigned, Tensor()));
  edge.node->retained.emplace_back(edge.result, history.retained);
}
Tensor Tape::gradient(const Tensor &tensor) {
  const History *history = historyOf(tensor);
  return history ? history->gradient() : Tensor();
}
void Tape::setGradient(const Tensor &tensor, const Tensor &gradient) { ensureHistory(tensor).setGradient(gradient); }
bool Tape::isLeaf(const Tensor &tensor) {
  const History *history = historyOf(tensor);
  return !history || history->isLeaf(tensor);
}
Tensor Tape::detached(const Tensor &tensor) {
  Tensor copy = tensor.alias(tensor.sizes(), tensor.strides(), tensor.storageOffset());
  copy.get()->requiresGrad = false;
  return copy;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// The tensors of a value, in their order.
static llvm::SmallVector<Tensor, 4> tensorsOf(const IValue &value) {
  llvm::SmallVector<Tensor, 4> all;
  if (value.isTensor()) {
    all.push_back(value.asTensor());
  } else if (value.isTensorList()) {
    llvm::append_range(all, value.toTensorList().elements);
  } else if (value.isGenericList()) { // of optional tensors
    for (size_t i = 0; i != value.listSize(); ++i) {
      IValue element = value.listElement(i);
      all.push_back(element.isTensor() ? element.asTensor() : Tensor());
    }
  }
  return all;
}

void Tape::refresh(llvm::ArrayRef<const IValue *> operands) {
  for (const IValue *operand : operands)
    for (const Tensor &tensor : tensorsOf(*operand)) {
      const History *history = tensor.defined() ? historyOf(tensor) : nullptr;
      const History *base = history && history->base.defined() ? historyOf(history->base) : nullptr;
      if (base && base->rewrites != history->rewrites && history->base.requiresGrad())
        tensor.get()->requiresGrad = true;
    }
}

/// The tensor among the operands whose memory the result shares, or that one's base; undefined when there is none.
static Tensor baseOf(const Tensor &result, llvm::ArrayRef<const IValue *> operands) {
  for (const IValue *operand : operands)
    if (operand->isTensor() && operand->asTensor().defined() && operand->asTensor().sharesStorageWith(result)) {
      const History *of = historyOf(operand->asTensor());
      return of && of->base.defined() ? of->base : operand->asTensor();
    }
  return {};
}

void Tape::noteViews(llvm::ArrayRef<const IValue *> operands, llvm::ArrayRef<IValue> results) {
  for (const IValue &result : results)
    for (const Tensor &tensor : tensorsOf(result)) {
      if (!isDifferentiable(tensor) || historyOf(tensor) || tensor.requiresGrad())
        continue;
      Tensor base = baseOf(tensor, operands);
      if (!base.defined() || base.isSameAs(tensor))
        continue;
      auto history = makeRef<History>();
      history->rewrites = historyOf(base) ? historyOf(base)->rewrites : 0;
      history->base = std::move(base);
      tensor.get()->history = Ref<RefCounted>(std::move(history));
    }
}

void Tape::refuse(llvm::MutableArrayRef<IValue> results, llvm::StringRef name) {
  for (const IValue &result : results)
    for (const Tensor &tensor : tensorsOf(result)) {
      if (!isDifferentiable(tensor) || historyOf(tensor) || tensor.requiresGrad()) // it is known where that came from
        continue;
      auto node = makeRef<GradientNode>();
      node->kind = GradientNode::Kind::Unknown;
      node->name = name.str();
      node->results.push_back({Dims(tensor.sizes()), tensor.dtype()});
      node->listLengths.push_back(-1);
      auto history = makeRef<History>();
      history->made = {std::move(node), 0};
      tensor.get()->history = Ref<RefCounted>(std::move(history));
      tensor.get()->requiresGrad = true;
    }
}

uint32_t Tape::Impl::wantedOperands(const TapedCall &operation) {
  uint32_t wanted = 0;
  for (auto [i, operand] : llvm::enumerate(operation.operands))
    if (llvm::any_of(tensorsOf(*operand), [](const Tensor &t) { return isDifferentiable(t) && t.requiresGrad(); }))
      wanted |= uint32_t(1) << i;
  wanted &= gradientOperands(opRecord(operation.op), operation.schema);
  return wanted ? wanted & ~derivatives.inertOperands(operation.op) : 0;
}

/// What formulas may ask of a tensor of which they read no element, so that its memory need not be kept.
Tensor Tape::Impl::geometryOf(const Tensor &tensor) {
  Tensor geometry = Tape::detached(tensor);
  const bool isPlain = tensor.dtype() != DType::Opaque && !isQuantized(tensor.dtype()) && tensor.get()->storage &&
                       tensor.device().kind == DeviceKind::CPU;
  if (!isPlain)
    return geometry;
  if (!noMemory)
    if (StatusOr<Tensor> empty = Tensor::empty({0}); empty.ok())
      noMemory = empty->get()->storage;
  if (noMemory) {
    geometry.get()->storage = noMemory;
    geometry.get()->conjugate = geometry.get()->negative = false; // nobody is to look for elements to change
  }
  return geometry;
}

GradientNode::Captured Tape::Impl::capture(CallContext &call, GradientNode &node, const IValue &value,
                                           const Derivative::Capture &how) {
  const bool isResult = how.kind == Derivative::Capture::Result;
  if (!holdsTensors(value))
    return {value};
  GradientNode::Captured captured;
  captured.isList = !value.isTensor();
  captured.first = static_cast<int>(node.tensors.size());
  for (const Tensor &tensor : tensorsOf(value)) {
    CapturedTensor one;
    if (tensor.defined()) {
      one.tensor = how.isOnlyMeasured ? geometryOf(tensor) : Tape::detached(tensor);
      one.version = tensor.get()->storage->version.load(std::memory_order_relaxed);
      one.requiresGrad = tensor.requiresGrad();
      one.isOwnResult = isResult;
      one.isOnlyMeasured = how.isOnlyMeasured;
      if (!isResult)
        one.history = edgeOf(call, tensor);
    }
    node.tensors.push_back(std::move(one));
    ++captured.count;
  }
  return captured;
}

Ref<GradientNode> Tape::Impl::makeNode(CallContext &call, const TapedCall &operation, uint32_t wanted) {
  auto node = makeRef<GradientNode>();
  node->op = operation.op;
  uint32_t known = derivatives.operands(operation.op);
  node->derivative = derivatives.find(operation.op, wanted & known);
  node->kind = node->derivative && !(wanted & ~known) ? GradientNode::Kind::Operator : GradientNode::Kind::Unknown;
  uint64_t order = 0;
  for (unsigned i = 0; i != operation.operands.size(); ++i) {
    if (!(wanted >> i & 1))
      continue;
    GradientNode::Operand operand;
    operand.isList = !operation.operands[i]->isTensor();
    for (const Tensor &tensor : tensorsOf(*operation.operands[i])) {
      operand.edges.push_back(edgeOf(call, tensor));
      if (operand.edges.back().node)
        order = std::max(order, operand.edges.back().node->order + 1);
      operand.shapes.push_back(tensor.defined() ? GradientShape::of(tensor) : GradientShape());
    }
    node->operands.push_back(std::move(operand));
  }
  node->order = lastOrder = std::max(order, lastOrder + 1);
  return node;
}

void Tape::Impl::takeResults(CallContext &call, const TapedCall &operation, const Ref<GradientNode> &node) {
  for (unsigned i = 0; i != operation.schema.returns().size(); ++i) {
    const IValue &result = operation.results[i];
    const bool isList = !result.isTensor();
    llvm::SmallVector<Tensor, 4> tensors = tensorsOf(result);
    node->listLengths.push_back(isList ? static_cast<int>(tensors.size()) : -1);
    if (!isList && tensors.empty())
      tensors.emplace_back();
    for (const Tensor &tensor : tensors) {
      unsigned number = node->results.size();
      node->results.push_back(tensor.defined() ? GradientShape::of(tensor) : GradientShape());
      if (!isDifferentiable(tensor))
        continue;
      auto history = makeRef<History>();
      history->made = {node, number};
      history->base = baseOf(tensor, operation.operands);
      if (const History *base = history->base.defined() ? historyOf(history->base) : nullptr)
        history->rewrites = base->rewrites;
      tensor.get()->history = Ref<RefCounted>(std::move(history));
      tensor.get()->requiresGrad = true;
    }
  }
}

void Tape::Impl::record(CallContext &call, const TapedCall &operation, uint32_t wanted) {
  // An operand that is handed on as it is keeps its history.
  for (unsigned i = 0; i != operation.schema.returns().size(); ++i)
    if (operation.results[i].isTensor())
      for (const IValue *operand : operation.operands)
        if (operand->isTensor() && operand->asTensor().isSameAs(operation.results[i].asTensor()))
          return;
  if (operation.op == OpKind::Aten_sorted_Tensor)
    return;
  Ref<GradientNode> node = makeNode(call, operation, wanted);
  if (node->derivative)
    for (const Derivative::Capture &capture : node->derivative->captures) {
      if (capture.kind == Derivative::Capture::Gradient)
        continue;
      const bool isResult = capture.kind == Derivative::Capture::Result;
      node->captured.push_back(this->capture(
          call, *node, isResult ? operation.results[capture.index] : *operation.operands[capture.index], capture));
    }
  takeResults(call, operation, node);
}

//===----------------------------------------------------------------------===//
// Running operators
//===----------------------------------------------------------------------===//

StatusOr<std::vector<IValue>> Tape::Impl::runGraph(CallContext &call, const Graph &graph, llvm::StringRef name,
                                                   std::vector<IValue> inputs) {
  TSC_ASSIGN_OR_RETURN(const Code *code, codes.get(graph, name));
  return code->run(call, std::move(inputs));
}

StatusOr<Tensor> Tape::Impl::runOperator(CallContext &call, OpKind op, std::vector<IValue> operands) {
  const OperatorCall &known = operatorCallOf(context, op);
  std::vector<const IValue *> pointers;
  for (const IValue &operand : operands)
    pointers.push_back(&operand);
  IValue result;
  call.site = &known.site;
  // The tape itself decides whether it records the call, so that no observer is asked.
  auto kernel = [&](IValue *results) { return callUnobserved(call, known, pointers, results); };
  TapedCall operation{op, *known.schema, pointers, &result};
  const bool isTaped = call.gradMode && wantedOperands(operation) != 0;
  Status status = isTaped ? run(call, operation, kernel) : kernel(&result);
  call.site = nullptr;
  TSC_RETURN_IF_ERROR(status);
  return result.asTensor();
}

StatusOr<Tensor> Tape::Impl::toDType(CallContext &call, const Tensor &value, DType dtype) {
  if (value.dtype() == dtype)
    return value;
  return runOperator(call, OpKind::Aten_to_dtype,
                     {IValue(value), IValue(static_cast<int64_t>(dtype)), IValue(false), IValue(false), IValue()});
}

/// The operator that gives what this one writes to its first operand, with the same operands.
static const OpRecord *functionalOf(const OpRecord &record) {
  if (const OpRecord *form = functionalFormOf(record))
    return form;
  llvm::StringRef name = record.qualified;
  return name.consume_back("_") ? findOpRecord(name, record.overload) : nullptr;
}

/// Lets the texts of what a definition has made since the node of order `before` name the operator that it defines.
static void nameResults(llvm::ArrayRef<IValue> results, OpKind op, uint64_t before) {
  for (const IValue &result : results)
    for (const Tensor &tensor : tensorsOf(result))
      if (History *history = tensor.defined() ? historyOf(tensor) : nullptr;
          history && history->made.node && history->made.node->order > before)
        history->madeBy = op;
}

/// Lets the text of what was written to, or of what it is a part of, say so.
static void nameWrite(const Tensor &self, OpKind op) {
  const bool isView = historyOf(self) && historyOf(self)->base.defined();
  if (History *history = historyOf(isView ? historyOf(self)->base : self)) {
    history->madeBy = op;
    history->write = isView ? History::Write::Part : History::Write::Whole;
  }
}

/// Whether the operator takes the same operands in the same order. (polygamma does not: the order comes first.)
bool Tape::Impl::hasOperandsOf(const OpRecord &functional, const TapedCall &operation) {
  llvm::ArrayRef<Argument> theirs =
      context.operators().find(functional.qualified, functional.overload)->schema().arguments();
  llvm::ArrayRef<Argument> ours = operation.schema.arguments();
  return theirs.size() == ours.size() && llvm::all_of(llvm::zip(theirs, ours), [](const auto &pair) {
           return std::get<0>(pair).name == std::get<1>(pair).name;
         });
}

/// Returns the view that an operand turns into by an operator which changes its geometry, or null where it turns into
/// none.
const OpRecord *Tape::Impl::viewOf(const TapedCall &operation) {
  const OpRecord &record = opRecord(operation.op);
  auto isView = [&](const OpRecord *other) {
    return other && other->has(Trait::View) && hasOperandsOf(*other, operation);
  };
  if (const OpRecord *functional = functionalOf(record); isView(functional))
    return functional;
  llvm::StringRef name = record.qualified;
  if (name.consume_back("_"))
    for (const OpRecord &other : opRecordsNamed(name)) // of another overload name, as transpose.int is
      if (isView(&other))
        return &other;
  return nullptr;
}

static Status checkNoHostsView(const Tensor &self) {
  const History *history = historyOf(self);
  const History *base = history && history->base.defined() ? historyOf(history->base) : nullptr;
  if (!(history && history->isOfHostsView) && !(base && base->isOfHostsView))
    return okStatus();
  return invalidArgument("Output 0 of " + history->nodeName(self).value_or("a function") +
                         " is a view and is being modified inplace. This view was created inside a custom Function (or "
                         "because an input was returned as-is) and the autograd logic to handle view+inplace would "
                         "override the custom backward associated with the custom Function, leading to incorrect "
                         "gradients. This behavior is forbidden. You can fix this by cloning the output of the custom "
                         "Function.");
}

static Status checkNoLeaf(const Tensor &self) {
  const bool isView = historyOf(self) && historyOf(self)->base.defined();
  if (!self.requiresGrad() || !Tape::isLeaf(isView ? historyOf(self)->base : self))
    return okStatus();
  return leafIsWritten(isView);
}

/// A view of `self` that has its history, and keeps it and the geometry when self changes.
Tensor Tape::Impl::sameAs(CallContext &call, const Tensor &self) {
  Tensor alias = Tape::detached(self);
  GradientEdge edge = edgeOf(call, self);
  alias.get()->requiresGrad = self.requiresGrad();
  auto history = makeRef<History>();
  if (const History *of = historyOf(self))
    history->base = of->base, history->rewrites = of->rewrites;
  history->made = std::move(edge);
  alias.get()->history = Ref<RefCounted>(std::move(history));
  return alias;
}

/// What changes the geometry of operand 0, whose history becomes that of the view it turns into.
Status Tape::Impl::changeGeometry(CallContext &call, const TapedCall &operation,
                                  llvm::function_ref<Status(IValue *results)> kernel) {
  const Tensor self = operation.operands[0]->asTensor();
  const OpRecord &record = opRecord(operation.op);
  if (record.has(Trait::Resizes))
    return invalidArgument("cannot resize variables that require grad");
  switch (operation.op) {
  case OpKind::Aten_requires_grad_:
    if (!operation.operands[1]->toBool() && !Tape::isLeaf(self))
      return invalidArgument("you can only change requires_grad flags of leaf variables. If you want to use a computed "
                             "variable in a subgraph that doesn't require differentiation use var_no_grad = "
                             "var.detach().");
    break;
  case OpKind::Aten_detach_:
    if (historyOf(self) && historyOf(self)->base.defined())
      return invalidArgument("Can't detach views in-place. Use detach() instead.");
    TSC_RETURN_IF_ERROR(kernel(operation.results));
    self.get()->requiresGrad = false;
    startAnew(self);
    return okStatus();
  default: break;
  }
  const OpRecord *functional = viewOf(operation);
  if (!functional)
    return kernel(operation.results); // of requires_grad, or the storage
  TSC_RETURN_IF_ERROR(checkNoLeaf(self));
  std::vector<IValue> operands;
  for (const IValue *operand : operation.operands)
    operands.push_back(*operand);
  operands[0] = IValue(sameAs(call, self));
  TSC_ASSIGN_OR_RETURN(Tensor view, runOperator(call, functional->kind, std::move(operands)));
  TSC_RETURN_IF_ERROR(kernel(operation.results));
  if (historyOf(view)) {
    historyOf(self)->setMade(historyOf(view)->made);
    historyOf(self)->madeBy = functional->kind;
    historyOf(self)->write = History::Write::Whole;
  }
  return okStatus();
}

/// What fill_diagonal_ writes, which has no functional form.
StatusOr<Tensor> Tape::Impl::withDiagonal(CallContext &call, const Tensor &self, const IValue &number,
                                          const IValue &wraps) {
  TSC_ASSIGN_OR_RETURN(Tensor mask, Tensor::full(self.sizes(), Scalar(false), DType::Bool));
  TSC_ASSIGN_OR_RETURN(mask, runOperator(call, OpKind::Aten_fill_diagonal_, {IValue(mask), IValue(true), wraps}));
  return runOperator(call, OpKind::Aten_masked_fill_Scalar, {IValue(self), IValue(mask), number});
}

/// What writes to operand 0 as a call of its functional form, whose result is written there.
Status Tape::Impl::runInPlace(CallContext &call, const TapedCall &operation,
                              llvm::function_ref<Status(IValue *results)> kernel) {
  const Tensor self = operation.operands[0]->isTensor() ? operation.operands[0]->asTensor() : Tensor();
  const OpRecord &record = opRecord(operation.op);
  if (!self.defined() || !isDifferentiable(self) || record.has(Trait::KeepsHistory))
    return kernel(operation.results);
  TSC_RETURN_IF_ERROR(checkNoHostsView(self));
  if (record.has(Trait::Geometry))
    return self.requiresGrad() ? changeGeometry(call, operation, kernel) : kernel(operation.results);
  TSC_RETURN_IF_ERROR(checkNoLeaf(self));
  // The value to be written, with its history.
  Tensor value;
  std::vector<IValue> operands;
  for (const IValue *operand : operation.operands)
    operands.push_back(*operand);
  if (operation.op == OpKind::Aten_fill_diagonal_) {
    TSC_ASSIGN_OR_RETURN(value, withDiagonal(call, self, operands[1], operands[2]));
  } else if (operation.op == OpKind::Aten_copy_) {
    TSC_ASSIGN_OR_RETURN(
        value, runOperator(call, OpKind::Aten_expand, {operands[1], IValue(self.sizes().vec()), IValue(false)}));
  } else if (const OpRecord *functional = functionalOf(record); functional && hasOperandsOf(*functional, operation)) {
    // The formula may read what is about to be written over.
    TSC_ASSIGN_OR_RETURN(Tensor original, cpu::clone(self, std::nullopt));
    original.get()->requiresGrad = self.requiresGrad();
    if (GradientEdge edge = edgeOf(call, self); edge.node) {
      auto history = makeRef<History>();
      history->made = edge;
      original.get()->history = Ref<RefCounted>(std::move(history));
    }
    operands[0] = IValue(original);
    TSC_ASSIGN_OR_RETURN(value, runOperator(call, functional->kind, std::move(operands)));
  } else {
    TSC_RETURN_IF_ERROR(kernel(operation.results));
    forget(self, operation);
    return okStatus();
  }
  TSC_ASSIGN_OR_RETURN(value, toDType(call, value, self.dtype()));
  if (value.sizes() != self.sizes())
    return kernel(operation.results); // which refuses
  TSC_RETURN_IF_ERROR(rebase(call, self, value));
  const OpRecord *named = functionalOf(record);
  nameWrite(self, named ? named->kind : record.kind);
  operation.results[0] = IValue(self);
  return okStatus();
}

Status Tape::Impl::run(CallContext &call, const TapedCall &operation,
                       llvm::function_ref<Status(IValue *results)> kernel) {
  const OpRecord &record = opRecord(operation.op);
  uint32_t wanted = wantedOperands(operation);
  if (record.has(Trait::OutForm))
    return invalidArgument(
        llvm::StringRef(record.qualified).split("::").second +
        "(): functions with out=... arguments don't support automatic differentiation, but one of the "
        "arguments requires grad.");
  if (operation.op == OpKind::Aten_einsum_sublist) {
    std::vector<Tensor> tensors;
    TSC_ASSIGN_OR_RETURN(std::string equation, ops::einsumEquation(operation.operands, tensors));
    IValue list = makeList(Type::tensorType());
    for (const Tensor &tensor : tensors)
      appendToList(list, IValue(tensor));
    TSC_ASSIGN_OR_RETURN(Tensor result, runOperator(call, OpKind::Aten_einsum,
                                                    {IValue(std::move(equation)), std::move(list), IValue()}));
    operation.results[0] = IValue(std::move(result));
    return okStatus();
  }
  if (writesToFirst(operation.schema))
    return runInPlace(call, operation, kernel);
  // Other operands that are written to are statistics, which take no part in differentiation.
  llvm::SmallVector<std::pair<unsigned, IValue>, 2> statistics;
  for (auto [i, argument] : llvm::enumerate(operation.schema.arguments()))
    if (argument.alias && argument.alias->isWrite && i < 32) {
      wanted &= ~(uint32_t(1) << i);
      if (const IValue &value = *operation.operands[i]; value.isTensor() && value.asTensor().defined())
        statistics.emplace_back(i, IValue(Tape::detached(value.asTensor())));
    }
  if (wanted & ~derivatives.operands(operation.op))
    if (const Graph *definition = definitions.find(operation.op)) {
      std::vector<IValue> inputs;
      for (const IValue *operand : operation.operands)
        inputs.push_back(*operand);
      for (auto &[i, statistic] : statistics)
        inputs[i] = statistic;
      const uint64_t before = lastOrder;
      TSC_ASSIGN_OR_RETURN(std::vector<IValue> results,
                           runGraph(call, *definition, record.qualified, std::move(inputs)));
      if (operation.schema.returns().size() == 1)
        operation.results[0] = std::move(results[0]);
      else
        for (auto [i, element] : llvm::enumerate(results[0].toTuple().elements))
          operation.results[i] = element;
      nameResults(llvm::ArrayRef(operation.results, operation.schema.returns().size()), operation.op, before);
      return okStatus();
    }
  TSC_RETURN_IF_ERROR(kernel(operation.results));
  if (wanted)
    this->record(call, operation, wanted);
  return okStatus();
}

Status Tape::run(CallContext &context, const OperatorCall &call, Operands operands, Results results, Kernel kernel) {
  refresh(operands);
  const bool changesGeometry = call.schema && !operands.empty() && opRecord(call.op).has(Trait::Geometry);
  const bool isTaped = context.gradMode && (anyRequiresGrad(call.gradientOperands, operands.data()) ||
                                            (changesGeometry && requiresGrad(*operands[0])));
  if (!isTaped || !call.schema) {
    Status status = kernel(operands, results.data());
    if (isTaped && status.ok())
      refuse(results, call.name);
    const bool isDetached = call.schema && opRecord(call.op).has(Trait::Detached);
    if (!isTaped && !isDetached && status.ok())
      noteViews(operands, results);
    return status;
  }
  // The list of operands is used by what the tape runs.
  llvm::SmallVector<const IValue *, 8> kept(operands.begin(), operands.end());
  return impl->run(context, {call.op, *call.schema, kept, results.data()},
                   [&](IValue *into) { return kernel(kept, into); });
}
