//===- Checks.cpp - What point-wise operators refuse ----------------------===//
#include "Engine.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/Promotion.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using namespace tsc::pw;

static Tensor tensorOf(const PointwiseArg &arg) {
  return Tensor(Ref<TensorImpl>::share(const_cast<TensorImpl *>(arg.tensor())));
}

/// Whether an operand of integers has an element for which `test` holds.
template <typename Test> static bool anyElement(const PointwiseArg &arg, Test test) {
  if (arg.isScalar())
    return test(arg.scalar().toInt());
  if (!arg.isTensor())
    return false;
  Tensor t = tensorOf(arg);
  if (t.isContiguous() && t.dtype() == DType::Int64)
    return std::any_of(t.data<int64_t>(), t.data<int64_t>() + t.numel(), test);
  for (int64_t i = 0; i != t.numel(); ++i)
    if (test(t.at(i).toInt()))
      return true;
  return false;
}

/// Whether an element is 0, found some thousand at a time.
template <typename T> LLVM_ATTRIBUTE_ALWAYS_INLINE static bool hasZeroElement(const T *values, int64_t n) {
  constexpr int64_t block = 4096;
  for (int64_t begin = 0; begin < n; begin += block) {
    T found = 0;
    for (int64_t i = begin, end = std::min(n, begin + block); i < end; ++i)
      found |= values[i] == 0;
    if (found)
      return true;
  }
  return false;
}

static bool hasZero(const PointwiseArg &arg) {
  if (arg.isTensor())
    if (Tensor t = tensorOf(arg); t.isContiguous() && isIntegral(t.dtype())) {
      bool found = false;
      (void)dispatchIntegralAndBool(t.dtype(), [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if constexpr (!std::is_same_v<T, bool>)
          found = atSimdLevel<hasZeroElement<T>>(t.data<T>(), t.numel());
      });
      return found;
    }
  return anyElement(arg, [](int64_t v) { return v == 0; });
}

/// Whether there is no element to compute, and so none to refuse.
static bool isEmptyCall(ArrayRef<PointwiseArg> args) {
  return llvm::any_of(args, [](const PointwiseArg &arg) { return arg.isTensor() && arg.tensor()->count == 0; });
}

Status checks::integerDivisor(ArrayRef<PointwiseArg> args, DType compute) {
  if (isIntegral(compute, true) && !isEmptyCall(args) && hasZero(args[1]))
    return invalidArgument("ZeroDivisionError");
  return okStatus();
}

Status checks::integerPower(ArrayRef<PointwiseArg> args, DType compute) {
  if (isIntegral(compute, true) && args[1].isScalar() && args[1].scalar().toInt() < 0)
    return invalidArgument("Integers to negative integer powers are not allowed.");
  return args[1].isScalar() ? checkConversion(args[1].scalar(), compute) : okStatus();
}

static Status checkAlpha(const Scalar &alpha, DType compute) {
  if (alpha.isBool() && compute != DType::Bool)
    return invalidArgument("Boolean alpha only supported for Boolean results.");
  if (alpha.isFloating() && isIntegral(compute, true))
    return invalidArgument("For integral input tensors, argument alpha must not be a floating point number.");
  if (alpha.isComplex() && !isComplex(compute))
    return invalidArgument("For non-complex input tensors, argument alpha must not be a complex number.");
  return checkConversion(alpha, compute);
}

Status checks::addAlpha(ArrayRef<PointwiseArg> args, DType compute) { return checkAlpha(args[2].scalar(), compute); }

static bool isBoolOperand(const PointwiseArg &arg) {
  return arg.isTensor() ? arg.tensor()->dtype == DType::Bool : arg.isScalar() && arg.scalar().isBool();
}

Status checks::subtraction(ArrayRef<PointwiseArg> args, DType compute) {
  if (isBoolOperand(args[0]) && isBoolOperand(args[1]))
    return invalidArgument("Subtraction, the `-` operator, with two bool tensors is not supported. "
                           "Use the `^` or `logical_xor` operator instead.");
  if (isBoolOperand(args[0]) || isBoolOperand(args[1]))
    return invalidArgument("Subtraction, the `-` operator, with a bool tensor is not supported. "
                           "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
  return checkAlpha(args[2].scalar(), compute);
}

Status checks::negation(ArrayRef<PointwiseArg> args, DType compute) {
  if (compute == DType::Bool)
    return invalidArgument("Negation, the `-` operator, on a bool tensor is not supported. "
                           "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
  return okStatus();
}

Status checks::absolute(ArrayRef<PointwiseArg>, DType compute) {
  return compute == DType::Bool ? invalidArgument("\"abs_cpu\" not implemented for 'Bool'") : okStatus();
}

Status checks::polygammaOrder(ArrayRef<PointwiseArg> args, DType) {
  if (args[0].isScalar() && args[0].scalar().toInt() < 0)
    return invalidArgument("polygamma(n, x) does not support negative n.");
  return okStatus();
}

Status checks::gammaDimensions(ArrayRef<PointwiseArg> args, DType) {
  if (args[1].isScalar() && args[1].scalar().toInt() < 1)
    return invalidArgument("p has to be greater than or equal to 1");
  // PyTorch makes a tensor of p numbers for each element, and has no memory for more than these.
  if (args[1].isScalar() && args[1].scalar().toInt() > int64_t(1) << 27)
    return invalidArgument("p is too large: the gamma function of p dimensions is a product of p factors");
  return okStatus();
}

Status checks::clampBounds(ArrayRef<PointwiseArg> args, DType compute) {
  if (args[1].isNone() && args[2].isNone())
    return invalidArgument("torch.clamp: At least one of 'min' or 'max' must not be None");
  for (size_t i : {1, 2})
    if (args[i].isScalar())
      TSC_RETURN_IF_ERROR(checkBound(args[i].scalar(), compute, i == 1 ? Bound::Low : Bound::High));
  return okStatus();
}

Status checks::clampLow(ArrayRef<PointwiseArg> args, DType compute) {
  return checkBound(args[1].scalar(), compute, Bound::Low);
}
Status checks::clampHigh(ArrayRef<PointwiseArg> args, DType compute) {
  return checkBound(args[1].scalar(), compute, Bound::High);
}

Status checks::numbers(ArrayRef<PointwiseArg> args, DType compute) {
  for (const PointwiseArg &arg : args)
    if (arg.isScalar() && isIntegral(compute))
      TSC_RETURN_IF_ERROR(checkConversion(arg.scalar(), compute));
  return okStatus();
}

Status checks::condition(ArrayRef<PointwiseArg> args, DType compute) {
  DType dtype = args[0].tensor()->dtype;
  if (dtype != DType::Bool && dtype != DType::UInt8)
    return invalidArgument("where expected condition to be a boolean tensor, but got a tensor with dtype " +
                           irName(dtype));
  return numbers(args, compute);
}

Status checks::mask(ArrayRef<PointwiseArg> args, DType) {
  DType dtype = args[1].tensor()->dtype;
  if (dtype != DType::Bool && dtype != DType::UInt8)
    return invalidArgument("masked_fill_ only supports boolean masks, but got mask with dtype " + irName(dtype));
  if (args[2].isTensor() && !args[2].tensor()->sizes.empty())
    return invalidArgument("masked_fill_ only supports a 0-dimensional value tensor, but got tensor with " +
                           llvm::Twine(args[2].tensor()->sizes.size()) + " dimension(s).");
  return args[2].isScalar() ? checkConversion(args[2].scalar(), args[0].tensor()->dtype) : okStatus();
}

Status checks::roundingMode(ArrayRef<PointwiseArg> args, DType compute) {
  const PointwiseArg &mode = args[2];
  if (mode.isNone())
    return okStatus();
  if (mode.text() != "trunc" && mode.text() != "floor")
    return invalidArgument("div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '" +
                           mode.text() + "'");
  return integerDivisor(args, compute);
}

Status checks::gelu(ArrayRef<PointwiseArg> args, DType) {
  if (args[1].text() != "none" && args[1].text() != "tanh")
    return invalidArgument("approximate argument must be either none or tanh.");
  return okStatus();
}

Status checks::sameDType(ArrayRef<PointwiseArg> args, DType) {
  const TensorImpl *first = nullptr;
  for (const PointwiseArg &arg : args) {
    if (!arg.isTensor())
      continue;
    if (first && first->dtype != arg.tensor()->dtype)
      return invalidArgument("expected dtype " + irName(first->dtype) + " for `end` but got dtype " +
                             irName(arg.tensor()->dtype));
    first = arg.tensor();
  }
  return okStatus();
}
