//===- DefaultDType.h - The dtype where nothing says another ----*- C++ -*-===//
//
//   DefaultDTypeScope scope(DType::Double);
//   … torch.zeros, 1.5 * an integer tensor, and their like give float64
//
// PyTorch keeps it for the process (torch.set_default_dtype). Here it is the calling
// thread's, for as long as a scope lives: a host enters one around a call.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_DEFAULTDTYPE_H
#define TSC_TENSOR_DEFAULTDTYPE_H

#include "tsc/Tensor/Scalar.h"

namespace tsc {

namespace detail {
extern constinit thread_local DType threadDefaultDType;
} // namespace detail

/// Returns the dtype that the calling thread gives floating-point numbers where nothing says another: Float outside of
/// all scopes.
inline DType defaultDType() { return detail::threadDefaultDType; }
/// Returns the dtype of complex numbers where nothing says another: ComplexFloat outside of all scopes.
inline DType defaultComplexDType() { return toComplexDType(defaultDType()); }
/// Returns defaultDType() for integers and bools, and other dtypes as they are.
inline DType floatingDType(DType dtype) { return isIntegral(dtype, /*includeBool=*/true) ? defaultDType() : dtype; }
/// Returns the dtype that torch.tensor gives a number: Bool, Int64, defaultDType() or defaultComplexDType().
DType dtypeOfNumber(Scalar::Kind kind);

/// Makes `dtype`, one that isFloating(), the calling thread's default.
inline void setDefaultDType(DType dtype) {
  assert(isFloating(dtype) && "only floating-point types can be the default dtype");
  detail::threadDefaultDType = dtype;
}
/// Makes `dtype`, one that isFloating(), the calling thread's default until the scope ends. Threads that work for this
/// one have none of it, unless they enter a scope of their own.
class DefaultDTypeScope {
public:
  explicit DefaultDTypeScope(DType dtype) : outer(defaultDType()) { setDefaultDType(dtype); }
  ~DefaultDTypeScope() { setDefaultDType(outer); }
  DefaultDTypeScope(const DefaultDTypeScope &) = delete;

private:
  DType outer;
};

} // namespace tsc

#endif
