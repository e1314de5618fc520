//===- TapeViews.cpp - Views and writes on a tape -------------------------===//
//
// A view of a tensor has the history of what it was taken from. A write to it gives
// its base a new one, by which other views of the base get theirs when they are used
// next.
//
//===----------------------------------------------------------------------===//
#include "TapeImpl.h"
#include "tsc/IR/Operator.h"
#include "tsc/Kernels/Copy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <numeric>
using namespace tsc;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

namespace {
/// A part of the way from a tensor to its view: an operator, and the one that leads back. `part` is what the operator
/// gives of `whole`, and `whole` what the other gives of `part`.
struct ViewStep {
  OpKind part, whole;
  std::vector<IValue> further =
      {}; ///< Operands of both. With some, `whole` puts what is to be there in a copy of the whole.
};
} // namespace

/// Returns the operators that make `view` of its base, the first one first. A complex number among real ones is two of
/// them.
static llvm::SmallVector<ViewStep, 4> stepsTo(const Tensor &view, const Tensor &base) {
  const bool isOfPairs = isComplex(view.dtype()) && !isComplex(base.dtype());
  std::vector<int64_t> sizes = view.sizes().vec(), strides = view.strides().vec();
  int64_t offset = view.storageOffset();
  llvm::SmallVector<ViewStep, 4> steps;
  if (isComplex(base.dtype()) && !isComplex(view.dtype()))
    steps.push_back({OpKind::Aten_view_as_real, OpKind::Aten_view_as_complex});
  if (isOfPairs) {
    for (int64_t &stride : strides)
      stride *= 2;
    sizes.push_back(2);
    strides.push_back(1);
    offset *= 2;
  }
  steps.push_back(
      {OpKind::Aten_as_strided, OpKind::Aten_as_strided_scatter, {IValue(sizes), IValue(strides), IValue(offset)}});
  if (isOfPairs)
    steps.push_back({OpKind::Aten_view_as_complex, OpKind::Aten_view_as_real});
  if (view.get()->conjugate)
    steps.push_back({OpKind::Aten__conj, OpKind::Aten_conj_physical});
  if (view.get()->negative)
    steps.push_back({OpKind::Aten_neg, OpKind::Aten_neg});
  return steps;
}

/// Returns what the steps make of a tensor.
static StatusOr<Tensor> follow(Tape::Impl &tape, CallContext &call, llvm::ArrayRef<ViewStep> steps, Tensor tensor) {
  for (const ViewStep &step : steps) {
    std::vector<IValue> operands{IValue(tensor)};
    operands.insert(operands.end(), step.further.begin(), step.further.end());
    TSC_ASSIGN_OR_RETURN(tensor, tape.runOperator(call, step.part, std::move(operands)));
  }
  return tensor;
}

/// Returns `view` as operators make it of its base, whose numbers it has in another form.
StatusOr<Tensor> Tape::Impl::takeView(CallContext &call, const Tensor &base, const Tensor &view) {
  llvm::SaveAndRestore<bool> recorded(call.gradMode, true);
  return follow(*this, call, stepsTo(view, base), base);
}

/// Returns what `base` becomes where `value` is written to its view.
StatusOr<Tensor> Tape::Impl::withPart(CallContext &call, const Tensor &base, const Tensor &view, Tensor value) {
  const llvm::SmallVector<ViewStep, 4> steps = stepsTo(view, base);
  for (size_t i = steps.size(); i--;) {
    const ViewStep &step = steps[i];
    if (step.whole == OpKind::Aten_view_as_real) { // which numbers that are conjugated lazily do not have
      TSC_ASSIGN_OR_RETURN(value, runOperator(call, OpKind::Aten_resolve_conj, {IValue(value)}));
    }
    std::vector<IValue> operands;
    if (!step.further.empty()) {
      TSC_ASSIGN_OR_RETURN(Tensor whole, follow(*this, call, llvm::ArrayRef(steps).take_front(i), base));
      operands.push_back(IValue(whole));
    }
    operands.push_back(IValue(value));
    operands.insert(operands.end(), step.further.begin(), step.further.end());
    TSC_ASSIGN_OR_RETURN(value, runOperator(call, step.whole, std::move(operands)));
  }
  return value;
}

/// The node of `view`, whose memory has a new history.
void Tape::Impl::recordView(CallContext &call, const Tensor &view) {
  Tensor base = historyOf(view)->base;
  if (cpu::isLazy(view) || isComplex(view.dtype()) != isComplex(base.dtype())) {
    StatusOr<Tensor> part = takeView(call, base, view);
    if (part.ok() && historyOf(*part)) {
      historyOf(view)->setMade(historyOf(*part)->made);
    } else { // who asks for its gradient is told so
      auto unknown = makeRef<GradientNode>();
      unknown->kind = GradientNode::Kind::Unknown;
      unknown->name = "a view that could not be made again";
      unknown->results.push_back({Dims(view.sizes()), view.dtype()});
      unknown->listLengths.push_back(-1);
      unknown->order = ++lastOrder;
      historyOf(view)->setMade({std::move(unknown), 0});
    }
    historyOf(view)->rewrites = historyOf(base)->rewrites;
    return;
  }
  const Operator *op = context.operators().find("aten::as_strided", "");
  IValue operands[] = {IValue(base), IValue(view.sizes().vec()), IValue(view.strides().vec()),
                       IValue(view.storageOffset())};
  const IValue *pointers[] = {&operands[0], &operands[1], &operands[2], &operands[3]};
  IValue result(view);
  TapedCall operation{OpKind::Aten_as_strided, op->schema(), pointers, &result};
  Ref<GradientNode> node = makeNode(call, operation, 1);
  if (node->derivative)
    for (const Derivative::Capture &capture : node->derivative->captures)
      if (capture.kind == Derivative::Capture::Operand)
        node->captured.push_back(this->capture(call, *node, *pointers[capture.index], capture));
  node->listLengths.push_back(-1);
  node->results.push_back({Dims(view.sizes()), view.dtype()});
  History &history = *historyOf(view);
  history.setMade({node, 0});
  history.rewrites = historyOf(base)->rewrites;
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

/// Writes `value` to `self`, whose history becomes the value's; what shares memory with it follows.
Status Tape::Impl::rebase(CallContext &call, const Tensor &self, const Tensor &value) {
  History *history = historyOf(self);
  if (history && history->base.defined()) {
    Tensor base = history->base;
    TSC_ASSIGN_OR_RETURN(const Tensor whole, withPart(call, base, self, value));
    TSC_RETURN_IF_ERROR(cpu::copyInto(self, value));
    adopt(base, whole);
    self.get()->requiresGrad = whole.requiresGrad();
    return okStatus();
  }
  TSC_RETURN_IF_ERROR(cpu::copyInto(self, value));
  adopt(self, value);
  return okStatus();
}

void Tape::Impl::adopt(const Tensor &tensor, const Tensor &value) {
  uint32_t rewrites = historyOf(tensor) ? historyOf(tensor)->rewrites : 0;
  if (!value.requiresGrad() && !tensor.requiresGrad())
    return;
  auto history = makeRef<History>();
  if (value.requiresGrad() && historyOf(value)) {
    history->made = historyOf(value)->made;
  } else { // it depends on nothing any more
    auto constant = makeRef<GradientNode>();
    constant->kind = GradientNode::Kind::Constant;
    constant->results.push_back({Dims(tensor.sizes()), tensor.dtype()});
    history->made = {std::move(constant), 0};
  }
  history->rewrites = rewrites + 1;
  history->takeGradient(historyOf(tensor));
  tensor.get()->history = Ref<RefCounted>(std::move(history));
  tensor.get()->requiresGrad = true;
}

/// The tensor's elements come from an operator without a derivative; from one that reads no tensor they are constants
/// (zero_, fill_ by a number, random numbers).
void Tape::Impl::forget(const Tensor &tensor, const TapedCall &operation) {
  const History *of = historyOf(tensor);
  Tensor whole = of && of->base.defined() ? of->base : tensor;
  auto node = makeRef<GradientNode>();
  const bool readsTensors =
      llvm::any_of(operation.operands.drop_front(), [](const IValue *v) { return holdsTensors(*v); });
  const bool isWhole = whole.isSameAs(tensor);
  node->kind = readsTensors || !isWhole ? GradientNode::Kind::Unknown : GradientNode::Kind::Constant;
  node->op = operation.op;
  node->results.push_back({Dims(whole.sizes()), whole.dtype()});
  node->listLengths.push_back(-1);
  if (of && of->made.node)
    node->order = of->made.node->order + 1;
  auto history = makeRef<History>();
  history->made = {std::move(node), 0};
  history->madeBy = operation.op;
  history->write = isWhole ? History::Write::Whole : History::Write::Part;
  history->rewrites = historyOf(whole) ? historyOf(whole)->rewrites + 1 : 1;
  history->takeGradient(historyOf(whole));
  whole.get()->history = Ref<RefCounted>(std::move(history));
  whole.get()->requiresGrad = tensor.get()->requiresGrad = true;
}
