//===- CudnnTypes.h - cuDNN's numbers for kinds of elements -----*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_CUDNNTYPES_H
#define TSC_LIB_KERNELSCUDA_CUDNNTYPES_H

#include "Cudnn.h"

namespace tsc::fuser::dnn {

/// Kinds of elements: some of cudnnDataType_t.
enum DataType : int { Real32 = 0, Real64 = 1, Real16 = 2, RealBf16 = 9 };
/// How products are computed: some of cudnnMathType_t.
enum Math : int { TensorCores = 1, FusedMultiplyAdd = 3 };

/// Whether the library has no way to do what it was asked for.
inline bool isNotSupported(int result) {
  return result == 9 || (result >= 3000 && result < 4000); // before version 9, and since
}
/// Returns the library's number for a dtype of isLibraryDType().
inline DataType typeOf(DType dtype) {
  switch (dtype) {
  case DType::Double: return Real64;
  case DType::Half: return Real16;
  case DType::BFloat16: return RealBf16;
  default: return Real32;
  }
}

} // namespace tsc::fuser::dnn

#define TSC_CUDNN_CALL(LIBRARY, FUNCTION, ...)                                                                         \
  TSC_RETURN_IF_ERROR((LIBRARY).check((LIBRARY).FUNCTION(__VA_ARGS__), #FUNCTION))

#endif
