//===- Unboxing.cpp - Lists, in-place and out= forms of boxed kernels -----===//
#include "tsc/Runtime/Dispatch/Unboxing.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Tensor/Promotion.h"

using namespace tsc;
using namespace tsc::unboxing;

TensorListReader::TensorListReader(const IValue &v) {
  if (v.isTensorList()) {
    view = v.toTensorList().elements;
    return;
  }
  size_t count = v.listSize();
  copies.reserve(count);
  for (size_t i = 0; i != count; ++i)
    copies.push_back(v.listElement(i).toTensor());
  view = copies;
}

Generator &tsc::unboxing::generatorOf(CallContext &context, const IValue &given) {
  return given.isGenerator() ? given.toGenerator().generator : context.generator();
}

Status tsc::unboxing::checkDType(const IValue &v) {
  return v.isNone() || isValidDType(v.toInt()) ? okStatus()
                                               : invalidArgument("invalid scalar type " + llvm::Twine(v.toInt()));
}
Status tsc::unboxing::checkLayout(const IValue &v) {
  bool isKnown = v.isNone() || (v.toInt() >= 0 && v.toInt() <= static_cast<int64_t>(Layout::Mkldnn));
  return isKnown ? okStatus() : invalidArgument("Unknown layout");
}
Status tsc::unboxing::checkMemoryFormat(const IValue &v) {
  bool isKnown = v.isNone() || (v.toInt() >= 0 && v.toInt() <= static_cast<int64_t>(MemoryFormat::ChannelsLast3d));
  return isKnown ? okStatus()
                 : invalidArgument("Unsupported memory format. Supports only ChannelsLast, ChannelsLast3d, Contiguous");
}

Status tsc::unboxing::checkDisjoint(const IValue &written, const IValue &read) {
  if (read.isTensor())
    return read.asTensor().defined() ? cpu::checkNoOverlap(written.asTensor(), read.asTensor()) : okStatus();
  if (read.isNone())
    return okStatus();
  TensorListReader operands(read);
  for (const Tensor &t : ArrayRef<Tensor>(operands))
    if (t.defined())
      TSC_RETURN_IF_ERROR(cpu::checkNoOverlap(written.asTensor(), t));
  return okStatus();
}

Status tsc::unboxing::writeInPlace(const Tensor &value, const IValue *const *args, IValue *r) {
  const Tensor &self = args[0]->asTensor();
  TSC_RETURN_IF_ERROR(cpu::checkWritten(value.sizes(), value.dtype(), self));
  TSC_RETURN_IF_ERROR(cpu::copyInto(self, value));
  r[0] = *args[0];
  return okStatus();
}

Status tsc::unboxing::inPlaceOf(FunctionalForm form, CallContext &context, const IValue *const *args, IValue *r) {
  IValue value;
  TSC_RETURN_IF_ERROR(form(context, args, &value));
  return writeInPlace(value.asTensor(), args, r);
}

Status tsc::unboxing::outOf(FunctionalForm form, CallContext &context, const IValue *const *args, unsigned arguments,
                            unsigned outs, IValue *r) {
  llvm::SmallVector<IValue, 4> values(outs);
  TSC_RETURN_IF_ERROR(form(context, args, values.data()));
  for (unsigned i = 0; i != outs; ++i) {
    const IValue &to = *args[arguments + i];
    if (!values[i].isTensor()) // attention gives weights only where they are asked for
      return invalidArgument("result " + llvm::Twine(i) + " is None with these arguments, and no tensor can hold it");
    const Tensor &value = values[i].asTensor(), &out = to.asTensor();
    TSC_RETURN_IF_ERROR(checkCast(value.dtype(), out.dtype()));
    TSC_RETURN_IF_ERROR(cpu::resizeOutput(out, value.sizes()));
    TSC_RETURN_IF_ERROR(cpu::copyInto(out, value));
    r[i] = to;
  }
  return okStatus();
}

/// Boxed arguments as the engine takes them.
static llvm::SmallVector<PointwiseArg, 4> pointwiseArgs(PointwiseKind kind, const IValue *const *args) {
  llvm::SmallVector<PointwiseArg, 4> out;
  for (const PointwiseParam &param : pointwiseParams(kind)) {
    const IValue &v = **args++;
    if (v.isNone())
      out.emplace_back();
    else if (param.kind == PointwiseParam::Tensor)
      out.emplace_back(v.asTensor());
    else if (param.kind == PointwiseParam::Text)
      out.emplace_back(llvm::StringRef(v.toString()));
    else
      out.emplace_back(v.toScalar());
  }
  return out;
}

Status tsc::unboxing::pointwise(PointwiseKind kind, const IValue *const *args, IValue *r) {
  return finish(tsc::pointwise(kind, pointwiseArgs(kind, args)), r);
}

Status tsc::unboxing::pointwiseInPlace(PointwiseKind kind, const IValue *const *args, IValue *r) {
  TSC_RETURN_IF_ERROR(tsc::pointwiseInPlace(kind, args[0]->asTensor(), pointwiseArgs(kind, args)));
  r[0] = *args[0];
  return okStatus();
}

Status tsc::unboxing::pointwiseOut(PointwiseKind kind, const IValue *const *args, IValue *r) {
  const IValue &out = *args[pointwiseParams(kind).size()];
  TSC_RETURN_IF_ERROR(tsc::pointwiseOut(kind, out.asTensor(), pointwiseArgs(kind, args)));
  r[0] = out;
  return okStatus();
}
