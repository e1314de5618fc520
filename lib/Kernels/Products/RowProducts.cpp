//===- RowProducts.cpp - Products of rows, in double ----------------------===//
#include "RowProducts.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/WorkMeter.h"

using namespace tsc;

LLVM_ATTRIBUTE_ALWAYS_INLINE static double rowProduct(const float *a, const float *b, int64_t n) {
  constexpr int64_t lanes = 32;
  double sums[lanes] = {}, sum = 0;
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int64_t k = 0; k < lanes; ++k)
      sums[k] += static_cast<double>(a[i + k]) * static_cast<double>(b[i + k]);
  for (; i < n; ++i)
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  for (int64_t half = lanes / 2; half; half /= 2)
    for (int64_t k = 0; k < half; ++k)
      sums[k] += sums[k + half];
  return sum + sums[0];
}
StatusOr<Tensor> cpu::rowProducts(const Tensor &a, const Tensor &b) {
  assert(a.dtype() == DType::Float && b.dtype() == DType::Float && "rows of floats");
  assert(a.sizes() == b.sizes() && a.dim() >= 1 && "two tensors of one shape");
  TSC_ASSIGN_OR_RETURN(Tensor x, contiguous(a));
  TSC_ASSIGN_OR_RETURN(Tensor y, contiguous(b));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(a.sizes().drop_back(), DType::Double));
  const int64_t n = a.sizes().back();
  double *to = out.mutableData<double>();
  for (int64_t i = 0, rows = out.numel(); i != rows && !work::wasStopped(); ++i)
    to[i] = atSimdLevel<rowProduct>(x.data<float>() + i * n, y.data<float>() + i * n, n);
  return out;
}
