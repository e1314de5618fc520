//===- Prims.h - Conversions, queries and modes -----------------*- C++ -*-===//
//
// Kernels of Prims.td.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_OPS_PRIMS_H
#define TSC_RUNTIME_DISPATCH_OPS_PRIMS_H

#include "tsc/Tensor/Tensor.h"
#include <optional>
#include <string>
#include <vector>

namespace tsc {
class CallContext;
class IValue;
} // namespace tsc

namespace tsc::ops {

/// Returns bool(a). Fails with PyTorch's error unless the tensor has one element.
StatusOr<bool> tensorToBool(const Tensor &a);
/// Returns int(a). Fails unless the tensor has one element, and its number is real and fits.
StatusOr<int64_t> tensorToInt(const Tensor &a);
/// Returns float(a). Fails unless the tensor has one element, which is real.
StatusOr<double> tensorToFloat(const Tensor &a);
/// Returns complex(a, b) of two tensors of one real element each.
StatusOr<std::complex<double>> tensorsToComplex(const Tensor &a, const Tensor &b);
/// Converts a tensor that is given where an int is expected. As PyTorch does, it refuses a tensor that requires a
/// gradient, has dimensions or is of a floating-point dtype.
StatusOr<int64_t> implicitInt(const Tensor &a);
/// Converts a tensor that is given where a float is expected, and refuses one that requires a gradient or has
/// dimensions. So do the next two.
StatusOr<double> implicitFloat(const Tensor &a);
StatusOr<std::complex<double>> implicitComplex(const Tensor &a);
StatusOr<Scalar> implicitScalar(const Tensor &a);
/// Returns a tensor without dimensions that holds the number, of the dtype double, cdouble, bool or int64.
StatusOr<Tensor> numberToTensor(const Scalar &a);
/// Returns `data`, or a copy where it has another dtype. The caller sees to the device.
StatusOr<Tensor> asTensor(const Tensor &data, std::optional<DType> dtype, std::optional<Device> device);
/// Returns the elements of a tensor of integers.
StatusOr<std::vector<int64_t>> tensorToList(const Tensor &self);

// Answers to questions about a tensor. Dtypes and layouts are PyTorch's numbers, as programs see them.
int64_t dtypeOf(const Tensor &a);
Device deviceOf(const Tensor &a);
int64_t layoutOf(const Tensor &a);
std::vector<int64_t> shapeOf(const Tensor &a);
bool requiresGradOf(const Tensor &a);
/// Whether the tensor is on a device of the kind.
template <DeviceKind kind> bool isOn(const Tensor &a) { return a.device().kind == kind; }
/// Returns false: it answers whether a tensor is of a kind that does not exist here, such as MKL-DNN's.
bool isNever(const Tensor &a);
/// Whether the tensor is sparse in the COO layout.
bool isSparse(const Tensor &a);
/// Whether the tensor is sparse in the CSR layout.
bool isInRows(const Tensor &a);
bool isNested(const Tensor &a);
/// Whether the tensor is quantized.
bool isOfIntegers(const Tensor &a);
/// Returns nothing: tensors have no names here.
std::optional<std::string> noName(const Tensor &a);
/// Returns `a.grad`, or an undefined tensor where there is none.
Tensor gradOf(const Tensor &a);
/// Returns `a.data`, a view of all of the tensor that requires no gradient.
StatusOr<Tensor> dataOf(const Tensor &a);
bool isLeaf(const Tensor &a);
bool retainsGradient(const Tensor &a);
/// Returns len(t), the size of dimension 0, or fails with PyTorch's error where there is none.
StatusOr<int64_t> tensorLength(const Tensor &t);
/// Returns the kind of a device as text, "cuda".
std::string deviceType(Device device);
/// Returns the number of a device, or nothing where it names none, as "cuda" does.
std::optional<int64_t> deviceIndex(Device device);
/// Returns torch.device(text). Unimplemented for devices of PyTorch that this build lacks, InvalidArgument where the
/// text names none.
StatusOr<Device> parseDevice(llvm::StringRef text);
/// Returns torch.device(type, index).
StatusOr<Device> deviceWithIndex(llvm::StringRef type, int64_t index);

/// Returns the equation ("AB,BC->AC") for a call of einsum with operands and lists of their dimensions in turn,
/// followed by the list of the result's dimensions or by nothing. Appends the operands to `operands`.
StatusOr<std::string> einsumEquation(llvm::ArrayRef<const IValue *> args, std::vector<Tensor> &operands);

// Each is a BoxedKernel (CallContext.h) that a record of Prims.td names, which has its schema.
#define TSC_BOXED(NAME) Status NAME(CallContext &context, const IValue *const *args, IValue *results);
// clang-format off
TSC_BOXED(makeTensor) TSC_BOXED(listToTensor) TSC_BOXED(tensorListEquals) TSC_BOXED(tensorListDiffers) TSC_BOXED(isSame)
TSC_BOXED(isNotSame) TSC_BOXED(unwrapOptional) TSC_BOXED(passThrough) TSC_BOXED(chooseValue) TSC_BOXED(hashOf) TSC_BOXED(identityOf)
TSC_BOXED(enumEquals) TSC_BOXED(enumDiffers) TSC_BOXED(enumName) TSC_BOXED(enumValue) TSC_BOXED(warn) TSC_BOXED(manualSeed)
TSC_BOXED(autogradGrad) TSC_BOXED(autogradBackward) TSC_BOXED(autogradBackwardList)
TSC_BOXED(gradientOrNone) TSC_BOXED(setGradient) TSC_BOXED(retainGradient)
TSC_BOXED(setGradEnabled) TSC_BOXED(isGradEnabled) TSC_BOXED(timePoint) TSC_BOXED(ignoreStatistic) TSC_BOXED(alwaysFalse)
TSC_BOXED(alwaysTrue) TSC_BOXED(nestedList) TSC_BOXED(wait) TSC_BOXED(complexFromParts) TSC_BOXED(polygammaInPlace) TSC_BOXED(einsumOfSublists)
// clang-format on
/// Runs prim::ConstantChunk: splits a tensor along a dimension. The arguments are (tensor, number of chunks, dimension,
/// number of results that are needed). Fails where chunk() gives fewer pieces than are needed, or more than there are
/// results.
TSC_BOXED(constantChunk)
#undef TSC_BOXED

} // namespace tsc::ops

#endif
