//===- DefaultDType.cpp - The dtype where nothing says another ------------===//
#include "tsc/Tensor/DefaultDType.h"

using namespace tsc;

constinit thread_local DType detail::threadDefaultDType = DType::Float;

DType tsc::dtypeOfNumber(Scalar::Kind kind) {
  switch (kind) {
  case Scalar::Kind::Double: return defaultDType();
  case Scalar::Kind::Complex: return defaultComplexDType();
  default: return Scalar::category(kind);
  }
}
