//===- Prims.h - Conversions, queries and modes -----------------*- C++ -*-===//
//
// Kernels of Prims.td.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_OPS_PRIMS_H
#define TSC_RUNTIME_OPS_PRIMS_H

#include "tsc/Tensor/Tensor.h"
#include <optional>
#include <string>
#include <vector>

namespace tsc {
class CallContext;
class IValue;
} // namespace tsc

namespace tsc::ops {

StatusOr<bool> tensorToBool(const Tensor &a);
StatusOr<int64_t> tensorToInt(const Tensor &a);
StatusOr<double> tensorToFloat(const Tensor &a);
StatusOr<std::complex<double>> tensorsToComplex(const Tensor &a, const Tensor &b);
/// As the explicit casts; refuse a tensor that requires gradient, or that has dimensions.
StatusOr<int64_t> implicitInt(const Tensor &a);
StatusOr<double> implicitFloat(const Tensor &a);
StatusOr<std::complex<double>> implicitComplex(const Tensor &a);
StatusOr<Scalar> implicitScalar(const Tensor &a);
StatusOr<Tensor> numberToTensor(const Scalar &a);
StatusOr<Tensor> asTensor(const Tensor &data, std::optional<DType> dtype, std::optional<Device> device);
StatusOr<std::vector<int64_t>> tensorToList(const Tensor &self);

int64_t dtypeOf(const Tensor &a);
Device deviceOf(const Tensor &a);
int64_t layoutOf(const Tensor &a);
std::vector<int64_t> shapeOf(const Tensor &a);
bool requiresGradOf(const Tensor &a);
bool isOnCpu(const Tensor &a);
bool isOnCuda(const Tensor &a);
bool isOnMeta(const Tensor &a);
bool isNever(const Tensor &a);
bool isSparse(const Tensor &a);
bool isInRows(const Tensor &a);
bool isNested(const Tensor &a);
bool isOfIntegers(const Tensor &a);
std::optional<std::string> noName(const Tensor &a);
Tensor gradOf(const Tensor &a);
StatusOr<Tensor> dataOf(const Tensor &a);
bool isLeaf(const Tensor &a);
bool retainsGradient(const Tensor &a);
StatusOr<int64_t> tensorLength(const Tensor &t);
std::string deviceType(Device device);
std::optional<int64_t> deviceIndex(Device device);
StatusOr<Device> parseDevice(llvm::StringRef text);
StatusOr<Device> deviceWithIndex(llvm::StringRef type, int64_t index);

/// The equation of einsum's operands and their lists of dimensions in turn, which the list of the result may follow.
StatusOr<std::string> einsumEquation(llvm::ArrayRef<const IValue *> args, std::vector<Tensor> &operands);

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
/// tensor, chunks, dim, how many results somebody needs: prim::ConstantChunk.
TSC_BOXED(constantChunk)
#undef TSC_BOXED

} // namespace tsc::ops

#endif
