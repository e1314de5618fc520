//===- Call.cpp - Dtypes, kernel and numbers of a call --------------------===//
#include "Call.h"
#include "Layout.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Tensor/Promotion.h"
#include "tsc/Tensor/Quantizer.h"
#include <cmath>
#include <complex>
#include <cstring>

using namespace tsc;
using namespace tsc::pw;

static void storeScalar(void *to, DType buffer, const Scalar &value) {
  switch (buffer) {
  case DType::Float: {
    float v = static_cast<float>(value.toDouble());
    std::memcpy(to, &v, sizeof v);
    break;
  }
  case DType::Double: {
    double v = value.toDouble();
    std::memcpy(to, &v, sizeof v);
    break;
  }
  case DType::Int64: {
    int64_t v = value.toInt();
    std::memcpy(to, &v, sizeof v);
    break;
  }
  case DType::ComplexFloat: {
    std::complex<float> v(value.toComplex());
    std::memcpy(to, &v, sizeof v);
    break;
  }
  default: {
    std::complex<double> v = value.toComplex();
    std::memcpy(to, &v, sizeof v);
    break;
  }
  }
}

/// torch.result_type of the operands that take part.
static DType promotedDType(const Op &op, ArrayRef<PointwiseArg> args) {
  ResultType type;
  for (size_t i = 0; i != args.size(); ++i) {
    if (!op.params[i].promotes)
      continue;
    if (args[i].isTensor())
      type.addTensor(args[i].tensor()->dtype, args[i].tensor()->sizes.empty());
    else if (args[i].isScalar())
      type.addNumber(args[i].scalar().kind());
  }
  return type.get();
}

PointwiseDTypes tsc::pw::findDTypes(const Op &op, ArrayRef<PointwiseArg> args) {
  if (op.dtypeRule == DTypeRule::Self) {
    for (const PointwiseArg &arg : args)
      if (arg.isTensor())
        return {arg.tensor()->dtype, arg.tensor()->dtype};
  }
  bool rounds = op.dtypeRule == DTypeRule::Division && std::any_of(args.begin(), args.end(), [](const PointwiseArg &a) {
                  return a.kind() == PointwiseArg::Kind::Text;
                });
  return pointwiseDTypes(op.dtypeRule, promotedDType(op, args), rounds);
}

bool tsc::pw::isRounded(const TensorImpl &operand, const PointwiseParam &param, DType compute) {
  bool isNarrow =
      compute == DType::Half || compute == DType::BFloat16 || (isIntegral(compute) && compute != DType::Int64);
  return isNarrow && param.promotes && operand.dtype != compute && operand.dtype != DType::Bool;
}

Status tsc::pw::roundOperands(Call &call, ArrayRef<PointwiseArg> args) {
  const TensorImpl **operand = call.tensors.begin();
  for (size_t i = 0; i != args.size(); ++i) {
    const PointwiseParam &param = call.op->params[i];
    if (param.kind != PointwiseParam::Tensor)
      continue;
    if (const TensorImpl *t = *operand; t && isRounded(*t, param, call.promoted)) {
      TSC_ASSIGN_OR_RETURN(Tensor rounded,
                           cpu::toDType(Tensor(Ref<TensorImpl>::share(const_cast<TensorImpl *>(t))), call.promoted));
      *operand = rounded.get();
      call.rounded.push_back(std::move(rounded));
    }
    ++operand;
  }
  return okStatus();
}

/// Which of the bodies after the first, from 1 on; 0 for none of them. PyTorch takes no roots of half types.
static unsigned choiceByNumber(const Op &op, ArrayRef<PointwiseArg> args, DType compute) {
  const PointwiseArg *number = llvm::find_if(args, [](const PointwiseArg &arg) { return arg.isScalar(); });
  if (number == args.end() || number->scalar().isComplex())
    return 0;
  double value = number->scalar().toDouble();
  const double *same = llvm::find(op.numbers, value);
  if (same == op.numbers.end() || (compute == DType::Half && value != std::trunc(value)))
    return 0;
  return static_cast<unsigned>(same - op.numbers.begin()) + 1;
}

/// The narrowest kernels compute in 32 bits: numbers beyond are for the others.
static bool fitsUniforms(ComputeClass compute, ArrayRef<PointwiseArg> args) {
  if (compute != ComputeClass::Int16 && compute != ComputeClass::Int8 && compute != ComputeClass::UInt8)
    return true;
  return llvm::all_of(
      args, [](const PointwiseArg &arg) { return !arg.isScalar() || std::fabs(arg.scalar().toDouble()) < 0x1p31; });
}
static ComputeClass wideClassOf(ComputeClass compute) {
  switch (compute) {
  case ComputeClass::Int16:
  case ComputeClass::Int8:
  case ComputeClass::UInt8: return ComputeClass::Int32;
  case ComputeClass::Int32: return ComputeClass::Int;
  case ComputeClass::Half:
  case ComputeClass::BFloat16: return ComputeClass::Float;
  default: return compute;
  }
}

Status tsc::pw::prepare(Call &call, const Op &op, ArrayRef<PointwiseArg> args, DType compute) {
  assert(args.size() == op.params.size() && "an argument for each parameter");
  for (const PointwiseArg &arg : args)
    if (arg.isTensor() && arg.tensor()->dtype == DType::Opaque) [[unlikely]]
      return invalidArgument(llvm::Twine("\"") + op.dispatchName +
                             "\" is not there for sparse and nested tensors: to_dense() gives a strided one");
    else if (arg.isTensor() && isQuantized(arg.tensor()->dtype)) [[unlikely]]
      return invalidArgument(llvm::Twine("\"") + op.dispatchName + "\" not implemented for '" +
                             irName(arg.tensor()->dtype) + "': torch.dequantize gives real numbers");
  call.op = &op;
  unsigned body = op.body;
  if (op.texts)
    for (const PointwiseArg &arg : args)
      if (arg.kind() == PointwiseArg::Kind::Text)
        for (unsigned i = 0; op.texts[i]; ++i)
          if (arg.text() == op.texts[i])
            body = op.body + i + 1;
  if (!op.numbers.empty())
    body += choiceByNumber(op, args, compute);
  ComputeClass computeClass = narrowClassOf(compute);
  call.body = body;
  call.kernel = kernelFor(computeClass, body);
  const bool fits = fitsUniforms(computeClass, args);
  while (!call.kernel || !fits) {
    const ComputeClass wider = wideClassOf(computeClass);
    if (wider == computeClass)
      break;
    computeClass = wider;
    call.kernel = kernelFor(computeClass, body);
  }
  if (!call.kernel)
    return invalidArgument(llvm::Twine("\"") + op.dispatchName + "\" not implemented for '" + irName(compute) + "'");
  if (op.check)
    TSC_RETURN_IF_ERROR(op.check(args, compute));
  call.promoted = compute;
  call.buffer = bufferDType(computeClass);
  call.bytes = itemSize(call.buffer);
  const DType uniformDType = bufferDType(computeClassOf(compute));
  unsigned uniform = 0;
  auto put = [&](const Scalar &value) {
    storeScalar(call.uniforms.bytes + itemSize(uniformDType) * uniform++, uniformDType, value);
  };
  for (size_t i = 0; i != args.size(); ++i) {
    const PointwiseParam &param = op.params[i];
    if (param.kind == PointwiseParam::Text)
      continue;
    if (param.kind == PointwiseParam::Tensor)
      call.tensors.push_back(args[i].isTensor() ? args[i].tensor() : nullptr);
    else
      put(args[i].isScalar() ? conversionOf(op, param.promotes ? compute : uniformDType)(args[i].scalar()) : Scalar(0));
    if (param.optional)
      put(Scalar(int64_t{!args[i].isNone()}));
  }
  return okStatus();
}

template <typename T> static void repeatElement(char *to, const void *element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  std::fill_n(reinterpret_cast<T *>(to), splatBytes / sizeof value, value);
}

void tsc::pw::fillSplat(char *to, DType buffer, const void *element, DType dtype) {
  const unsigned bytes = itemSize(buffer);
  char one[16];
  if (dtype != buffer) {
    cpu::convertRow(one, buffer, 0, element, dtype, 0, 1);
    element = one;
  }
  switch (bytes) { // a known size makes each a few stores
  case 1: return repeatElement<uint8_t>(to, element);
  case 2: return repeatElement<uint16_t>(to, element);
  case 4: return repeatElement<uint32_t>(to, element);
  case 8: return repeatElement<uint64_t>(to, element);
  default: break;
  }
  for (unsigned i = 0; i != splatBytes; i += bytes)
    std::memcpy(to + i, element, bytes);
}

StatusOr<Dims> tsc::pw::broadcastOperands(const Call &call) {
  Dims shape;
  bool first = true;
  for (const TensorImpl *t : call.tensors) {
    if (!t)
      continue;
    if (first || shape == t->sizes) {
      shape = t->sizes;
    } else {
      TSC_ASSIGN_OR_RETURN(shape, broadcastShapes(shape, t->sizes));
    }
    first = false;
  }
  return shape;
}

StatusOr<Geometry> tsc::pw::resultGeometry(const Call &call) {
  // One shape, all contiguous: the usual case, without the search for a layout.
  const TensorImpl *first = nullptr;
  bool plain = true;
  for (const TensorImpl *t : call.tensors)
    if (t && !t->sizes.empty()) {
      plain &= t->contiguous && (!first || first->sizes == t->sizes);
      first = first ? first : t;
    }
  if (plain)
    return Geometry{first ? first->sizes : Dims(), {}, true};
  TSC_ASSIGN_OR_RETURN(Dims shape, broadcastOperands(call));
  if (call.op->isRowMajor)
    return Geometry{std::move(shape), {}, true};
  Dims strides = outputStrides(shape, call.tensors);
  return Geometry{std::move(shape), std::move(strides), false};
}
