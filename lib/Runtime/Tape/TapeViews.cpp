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
/// Where a view lies among the elements of its base: a complex number among real ones is two of them.
struct Place {
  Place(const Tensor &base, const Tensor &view)
      : sizes(view.sizes().vec()), strides(view.strides().vec()), offset(view.storageOffset()),
        isPairs(isComplex(view.dtype()) && !isComplex(base.dtype())),
        isParts(!isComplex(view.dtype()) && isComplex(base.dtype())) {
    if (!isPairs)
      return;
    for (int64_t &stride : strides)
      stride *= 2;
    sizes.push_back(2);
    strides.push_back(1);
    offset *= 2;
  }
  std::vector<int64_t> sizes, strides;
  int64_t offset;
  bool isPairs; ///< A view of real numbers as complex ones,
  bool isParts; ///< or of complex numbers as real ones.
};
} // namespace

/// `view` as operators make it of its base, whose numbers it has in another form.
StatusOr<Tensor> Tape::Impl::takeView(CallContext &call, const Tensor &base, const Tensor &view) {
  llvm::SaveAndRestore<bool> recorded(call.gradMode, true);
  const Place place(base, view);
  Tensor part = base;
  if (place.isParts) {
    TSC_ASSIGN_OR_RETURN(part, runOperator(call, OpKind::Aten_view_as_real, {IValue(part)}));
  }
  TSC_ASSIGN_OR_RETURN(part,
                       runOperator(call, OpKind::Aten_as_strided,
                                   {IValue(part), IValue(place.sizes), IValue(place.strides), IValue(place.offset)}));
  if (place.isPairs) {
    TSC_ASSIGN_OR_RETURN(part, runOperator(call, OpKind::Aten_view_as_complex, {IValue(part)}));
  }
  if (view.get()->conjugate) {
    TSC_ASSIGN_OR_RETURN(part, runOperator(call, OpKind::Aten__conj, {IValue(part)}));
  }
  if (view.get()->negative) {
    TSC_ASSIGN_OR_RETURN(part, runOperator(call, OpKind::Aten_neg, {IValue(part)}));
  }
  return part;
}

/// What is to stand in the base's memory so that `view` has this value.
StatusOr<Tensor> Tape::Impl::asInBase(CallContext &call, const Tensor &base, const Tensor &view, Tensor value) {
  if (view.get()->negative) {
    TSC_ASSIGN_OR_RETURN(value, runOperator(call, OpKind::Aten_neg, {IValue(value)}));
  }
  if (view.get()->conjugate) {
    TSC_ASSIGN_OR_RETURN(value, runOperator(call, OpKind::Aten_conj_physical, {IValue(value)}));
  }
  if (Place(base, view).isPairs) {
    TSC_ASSIGN_OR_RETURN(value, runOperator(call, OpKind::Aten_resolve_conj, {IValue(value)}));
    TSC_ASSIGN_OR_RETURN(value, runOperator(call, OpKind::Aten_view_as_real, {IValue(value)}));
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
    Tensor base = history->base, rows = base;
    const Place place(base, self);
    TSC_ASSIGN_OR_RETURN(const Tensor part, asInBase(call, base, self, value));
    if (place.isParts) {
      TSC_ASSIGN_OR_RETURN(rows, runOperator(call, OpKind::Aten_view_as_real, {IValue(rows)}));
    }
    TSC_ASSIGN_OR_RETURN(Tensor whole, runOperator(call, OpKind::Aten_as_strided_scatter,
                                                   {IValue(rows), IValue(part), IValue(place.sizes),
                                                    IValue(place.strides), IValue(place.offset)}));
    if (place.isParts) {
      TSC_ASSIGN_OR_RETURN(whole, runOperator(call, OpKind::Aten_view_as_complex, {IValue(whole)}));
    }
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
