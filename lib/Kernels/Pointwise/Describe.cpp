//===- Describe.cpp - What a point-wise call would compute ----------------===//
#include "Call.h"
#include "tsc/Kernels/PointwiseCall.h"

using namespace tsc;
using namespace tsc::pw;

/// Whether the operator's check looks at elements of a tensor among the arguments.
static bool readsElements(const Op &op, ArrayRef<PointwiseArg> args, DType compute) {
  return (op.check == checks::integerDivisor || op.check == checks::roundingMode) && isIntegral(compute, true) &&
         args[1].isTensor();
}

/// Whether another value of a number may be refused, or be computed by another body.
static bool checksNumbers(const Op &op, DType compute) {
  if (!op.numbers.empty())
    return true;
  if (op.check == checks::integerDivisor || op.check == checks::roundingMode || op.check == checks::addAlpha ||
      op.check == checks::subtraction)
    return isIntegral(compute, true);
  if (op.check == checks::numbers || op.check == checks::condition)
    return isIntegral(compute) && compute != DType::Int64;
  if (isClamp(op))
    return compute != DType::Double && compute != DType::Int64;
  if (op.check == checks::integerPower || op.check == checks::mask)
    return compute != DType::Double;
  return op.check == checks::polygammaOrder || op.check == checks::gammaDimensions;
}

/// Whether the result depends on which numbers the half type has, which compiled code does not know: it computes
/// floats.
static bool needsHalfKernel(PointwiseKind kind, DType compute) {
  const bool asksForNeighbours = kind == PointwiseKind::Aten_nan_to_num || kind == PointwiseKind::Aten_nextafter;
  return asksForNeighbours && (compute == DType::Half || compute == DType::BFloat16);
}

static PointwiseCall::Uniform describeNumber(const PointwiseArg &arg, unsigned number, NumberConversion conversion) {
  return {arg.isScalar() ? conversion(arg.scalar()) : Scalar(0), number, false, conversion};
}

StatusOr<PointwiseCall> tsc::describeCall(PointwiseKind kind, ArrayRef<PointwiseArg> args) {
  const Op &op = opOf(kind);
  auto [compute, result] = findDTypes(op, args);
  if (isComplex(compute) || isComplex(result) || readsElements(op, args, compute) || needsHalfKernel(kind, compute))
    return unimplemented(op.name);
  Call call;
  TSC_RETURN_IF_ERROR(prepare(call, op, args, compute));
  TSC_ASSIGN_OR_RETURN(Geometry geometry, resultGeometry(call));
  // Compiled code has the classes of wide rows alone.
  const DType buffer = bufferDType(computeClassOf(compute));
  PointwiseCall described;
  described.body = call.body;
  described.compute = compute == DType::Bool ? DType::Bool : buffer;
  described.promoted = compute;
  described.result = result;
  described.strides = geometry.isRowMajor ? contiguousStrides(geometry.sizes) : std::move(geometry.strides);
  described.sizes = std::move(geometry.sizes);
  described.checksNumbers = checksNumbers(op, compute);
  for (unsigned i = 0; i != args.size(); ++i) {
    const PointwiseParam &param = op.params[i];
    if (param.kind == PointwiseParam::Text)
      continue;
    if (param.kind == PointwiseParam::Tensor)
      described.tensors.push_back(args[i].isTensor() ? static_cast<int>(i) : -1);
    else
      described.uniforms.push_back(describeNumber(args[i], i, conversionOf(op, param.promotes ? compute : buffer)));
    if (param.optional)
      described.uniforms.push_back({Scalar(int64_t{!args[i].isNone()}), i, true, {buffer}});
  }
  return described;
}

PointwiseKernel tsc::eagerKernel(DType compute, unsigned body) { return kernelFor(computeClassOf(compute), body); }
