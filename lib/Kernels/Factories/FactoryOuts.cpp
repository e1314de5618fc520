//===- FactoryOuts.cpp - Factories with an out tensor ---------------------===//
//
// The out= forms of factories have no dtype of their own: the out tensor's is used.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Random.h"

using namespace tsc;
using namespace tsc::cpu;

/// out, resized to what was made and filled with it.
static StatusOr<Tensor> writeTo(const Tensor &out, const StatusOr<Tensor> &made) {
  if (!made.ok())
    return made.status();
  TSC_RETURN_IF_ERROR(resizeOutput(out, made->sizes()));
  TSC_RETURN_IF_ERROR(copyInto(out, *made));
  return out;
}

static StatusOr<Tensor> fillResized(const Tensor &out, ArrayRef<int64_t> size, const Scalar &value) {
  TSC_RETURN_IF_ERROR(resizeOutput(out, size));
  return fillInPlaceScalar(out, value);
}

static constexpr std::nullopt_t none = std::nullopt;

StatusOr<Tensor> cpu::emptyOut(ArrayRef<int64_t> size, OptFormat, const Tensor &out) {
  TSC_RETURN_IF_ERROR(resizeOutput(out, size));
  if (out.dtype() == DType::Bool) // kernels rely on bytes of 0 and 1
    return fillInPlaceScalar(out, Scalar(false));
  return out;
}
StatusOr<Tensor> cpu::zerosOut(ArrayRef<int64_t> size, const Tensor &out) { return fillResized(out, size, Scalar(0)); }
StatusOr<Tensor> cpu::onesOut(ArrayRef<int64_t> size, const Tensor &out) { return fillResized(out, size, Scalar(1)); }
StatusOr<Tensor> cpu::fullOut(ArrayRef<int64_t> size, const Scalar &value, const Tensor &out) {
  return fillResized(out, size, value);
}
StatusOr<Tensor> cpu::noGradFill(const Tensor &self, double value) { return fillInPlaceScalar(self, Scalar(value)); }

StatusOr<Tensor> cpu::arangeEndOut(const Scalar &end, const Tensor &out) {
  return arangeOut(Scalar(0), end, Scalar(1), out);
}
StatusOr<Tensor> cpu::arangeOut(const Scalar &start, const Scalar &end, const Scalar &step, const Tensor &out) {
  return writeTo(out, arange(start, end, step, out.dtype(), none, none, none));
}
StatusOr<Tensor> cpu::rangeOut(const Scalar &start, const Scalar &end, const Scalar &step, const Tensor &out) {
  return writeTo(out, range(start, end, step, out.dtype(), none, none, none));
}
StatusOr<Tensor> cpu::linspaceOut(const Scalar &start, const Scalar &end, int64_t steps, const Tensor &out) {
  return writeTo(out, linspace(start, end, steps, out.dtype(), none, none, none));
}
StatusOr<Tensor> cpu::logspaceOut(const Scalar &start, const Scalar &end, int64_t steps, double base,
                                  const Tensor &out) {
  return writeTo(out, logspace(start, end, steps, base, out.dtype(), none, none, none));
}
StatusOr<Tensor> cpu::eyeOut(int64_t n, const Tensor &out) { return eyeMOut(n, n, out); }
StatusOr<Tensor> cpu::eyeMOut(int64_t n, int64_t m, const Tensor &out) {
  return writeTo(out, eyeM(n, m, out.dtype(), none, none, none));
}

StatusOr<Tensor> cpu::randOut(Generator &generator, ArrayRef<int64_t> size, const Tensor &out) {
  TSC_RETURN_IF_ERROR(resizeOutput(out, size));
  return uniformInPlace(generator, out, 0, 1);
}
StatusOr<Tensor> cpu::randnOut(Generator &generator, ArrayRef<int64_t> size, const Tensor &out) {
  TSC_RETURN_IF_ERROR(resizeOutput(out, size));
  return normalInPlace(generator, out, 0, 1);
}
StatusOr<Tensor> cpu::randintLowOut(Generator &generator, int64_t low, int64_t high, ArrayRef<int64_t> size,
                                    const Tensor &out) {
  TSC_RETURN_IF_ERROR(resizeOutput(out, size));
  return randomFromInPlace(generator, out, low, high);
}
StatusOr<Tensor> cpu::randintOut(Generator &generator, int64_t high, ArrayRef<int64_t> size, const Tensor &out) {
  return randintLowOut(generator, 0, high, size, out);
}
StatusOr<Tensor> cpu::randpermOut(Generator &generator, int64_t n, const Tensor &out) {
  return writeTo(out, randperm(generator, n, out.dtype(), none, none, none));
}
