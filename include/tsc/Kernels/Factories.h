//===- Factories.h - Making tensors -----------------------------*- C++ -*-===//
//
// Unless its comment says otherwise, a function is the kernel of an operator whose
// record in include/tsc/IR/Ops names it, and computes what PyTorch computes for that
// operator, or fails with its message. Arguments are those of the schema, in its
// order; an undefined tensor stands for None. Names that end in InPlace write into
// `self` and return it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_FACTORIES_H
#define TSC_KERNELS_FACTORIES_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::cpu {

// Optional arguments of schemas. The names of parameters are left out where these types say what they are.
/// The dtype of a new tensor; nothing for the operator's default.
using OptDType = std::optional<DType>;
/// The layout of a new tensor; nothing for strided.
using OptLayout = std::optional<Layout>;
/// The device of a new tensor; nothing for the processor.
using OptDevice = std::optional<Device>;
/// The argument `pin_memory`.
using OptBool = std::optional<bool>;
/// The order of a new tensor's dimensions in memory; nothing for the operator's default.
using OptFormat = std::optional<MemoryFormat>;

// These are no operators.
/// Returns a row-major tensor of these sizes, filled with zeros.
StatusOr<Tensor> zeros(ArrayRef<int64_t> sizes, DType dtype = DType::Float);
/// Returns a row-major tensor of these sizes, filled with ones.
StatusOr<Tensor> ones(ArrayRef<int64_t> sizes, DType dtype = DType::Float);
/// Returns a row-major tensor of these sizes, filled with `value`, converted to the dtype.
StatusOr<Tensor> full(ArrayRef<int64_t> sizes, const Scalar &value, DType dtype = DType::Float);
/// Returns Unimplemented for a device or a layout that this build does not have.
Status checkPlacement(OptLayout layout, OptDevice device);

// Kernels of operators.
StatusOr<Tensor> emptyOp(ArrayRef<int64_t> size, OptDType, OptLayout, OptDevice, OptBool, OptFormat);
StatusOr<Tensor> emptyStridedOp(ArrayRef<int64_t> size, ArrayRef<int64_t> stride, OptDType, OptLayout, OptDevice,
                                OptBool);
StatusOr<Tensor> zerosOp(ArrayRef<int64_t> size, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> onesOp(ArrayRef<int64_t> size, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> fullOp(ArrayRef<int64_t> size, const Scalar &value, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> scalarTensor(const Scalar &value, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> emptyLike(const Tensor &self, OptDType, OptLayout, OptDevice, OptBool, OptFormat);
StatusOr<Tensor> zerosLike(const Tensor &self, OptDType, OptLayout, OptDevice, OptBool, OptFormat);
StatusOr<Tensor> onesLike(const Tensor &self, OptDType, OptLayout, OptDevice, OptBool, OptFormat);
StatusOr<Tensor> fullLike(const Tensor &self, const Scalar &value, OptDType, OptLayout, OptDevice, OptBool, OptFormat);
StatusOr<Tensor> newEmpty(const Tensor &self, ArrayRef<int64_t> size, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> newEmptyStrided(const Tensor &self, ArrayRef<int64_t> size, ArrayRef<int64_t> stride, OptDType,
                                 OptLayout, OptDevice, OptBool);
StatusOr<Tensor> newZeros(const Tensor &self, ArrayRef<int64_t> size, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> newOnes(const Tensor &self, ArrayRef<int64_t> size, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> newFull(const Tensor &self, ArrayRef<int64_t> size, const Scalar &value, OptDType, OptLayout,
                         OptDevice, OptBool);
StatusOr<Tensor> arangeEnd(const Scalar &end, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> arangeStart(const Scalar &start, const Scalar &end, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> arange(const Scalar &start, const Scalar &end, const Scalar &step, OptDType, OptLayout, OptDevice,
                        OptBool);
StatusOr<Tensor> rangeStart(const Scalar &start, const Scalar &end, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> range(const Scalar &start, const Scalar &end, const Scalar &step, OptDType, OptLayout, OptDevice,
                       OptBool);
StatusOr<Tensor> linspace(const Scalar &start, const Scalar &end, int64_t steps, OptDType, OptLayout, OptDevice,
                          OptBool);
StatusOr<Tensor> logspace(const Scalar &start, const Scalar &end, int64_t steps, double base, OptDType, OptLayout,
                          OptDevice, OptBool);
StatusOr<Tensor> eye(int64_t n, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> eyeM(int64_t n, int64_t m, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> trilIndices(int64_t rows, int64_t columns, int64_t offset, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> triuIndices(int64_t rows, int64_t columns, int64_t offset, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> hannWindow(int64_t length, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> hannWindowPeriodic(int64_t length, bool periodic, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> hammingWindow(int64_t length, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> hammingWindowPeriodic(int64_t length, bool periodic, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> hammingWindowAlpha(int64_t length, bool periodic, double alpha, OptDType, OptLayout, OptDevice,
                                    OptBool);
StatusOr<Tensor> hammingWindowAlphaBeta(int64_t length, bool periodic, double alpha, double beta, OptDType, OptLayout,
                                        OptDevice, OptBool);
StatusOr<Tensor> blackmanWindow(int64_t length, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> blackmanWindowPeriodic(int64_t length, bool periodic, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> bartlettWindow(int64_t length, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> bartlettWindowPeriodic(int64_t length, bool periodic, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> kaiserWindow(int64_t length, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> kaiserWindowPeriodic(int64_t length, bool periodic, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> kaiserWindowBeta(int64_t length, bool periodic, double beta, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> vander(const Tensor &x, std::optional<int64_t> n, bool increasing);
StatusOr<Tensor> complexFrom(const Tensor &real, const Tensor &imag);
StatusOr<Tensor> polar(const Tensor &abs, const Tensor &angle);
StatusOr<Tensor> zeroInPlace(const Tensor &self);
StatusOr<Tensor> fillInPlaceScalar(const Tensor &self, const Scalar &value);
StatusOr<Tensor> fillInPlaceTensor(const Tensor &self, const Tensor &value);
StatusOr<Tensor> zeroOf(const Tensor &self);
StatusOr<Tensor> fillScalar(const Tensor &self, const Scalar &value);
StatusOr<Tensor> fillTensor(const Tensor &self, const Tensor &value);
StatusOr<Tensor> fillDiagonalInPlace(const Tensor &self, const Scalar &value, bool wrap);

// Kernels of `out` overloads: they write into `out`, which is resized and keeps its dtype, and return it.
StatusOr<Tensor> emptyOut(ArrayRef<int64_t> size, OptFormat format, const Tensor &out);
StatusOr<Tensor> zerosOut(ArrayRef<int64_t> size, const Tensor &out);
StatusOr<Tensor> onesOut(ArrayRef<int64_t> size, const Tensor &out);
StatusOr<Tensor> fullOut(ArrayRef<int64_t> size, const Scalar &value, const Tensor &out);
StatusOr<Tensor> arangeEndOut(const Scalar &end, const Tensor &out);
StatusOr<Tensor> arangeOut(const Scalar &start, const Scalar &end, const Scalar &step, const Tensor &out);
StatusOr<Tensor> rangeOut(const Scalar &start, const Scalar &end, const Scalar &step, const Tensor &out);
StatusOr<Tensor> linspaceOut(const Scalar &start, const Scalar &end, int64_t steps, const Tensor &out);
StatusOr<Tensor> logspaceOut(const Scalar &start, const Scalar &end, int64_t steps, double base, const Tensor &out);
StatusOr<Tensor> eyeOut(int64_t n, const Tensor &out);
StatusOr<Tensor> eyeMOut(int64_t n, int64_t m, const Tensor &out);
StatusOr<Tensor> noGradFill(const Tensor &self, double value);

} // namespace tsc::cpu

#endif
