//===- Frexp.cpp - Mantissas and exponents --------------------------------===//
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Special.h"
#include "tsc/Tensor/Dispatch.h"
#include <cmath>

using namespace tsc;

StatusOr<std::tuple<Tensor, Tensor>> cpu::frexp(const Tensor &self) {
  if (!isFloating(self.dtype()))
    return invalidArgument("torch.frexp() only supports floating-point dtypes");
  TSC_ASSIGN_OR_RETURN(Tensor input, contiguous(self));
  TSC_ASSIGN_OR_RETURN(Tensor mantissa, Tensor::empty(self.sizes(), self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor exponent, Tensor::empty(self.sizes(), DType::Int32));
  TSC_RETURN_IF_ERROR(dispatchFloating(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const T *from = input.data<T>();
        T *to = mantissa.mutableData<T>();
        int32_t *power = exponent.mutableData<int32_t>();
        for (int64_t i = 0; i != input.numel(); ++i) {
          auto value = static_cast<ComputeType<T>>(from[i]);
          int exponentOf = 0;
          to[i] = T(std::frexp(value, &exponentOf));
          power[i] = std::isfinite(value) ? exponentOf : 0;
        }
      },
      "frexp"));
  return std::tuple(mantissa, exponent);
}
