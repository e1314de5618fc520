//===- WidenedStorages.h - Numbers of formats that no operator takes -*- C++ -*-===//
#ifndef TSC_LIB_SERIALIZATION_WIDENEDSTORAGES_H
#define TSC_LIB_SERIALIZATION_WIDENEDSTORAGES_H

#include "tsc/Support/Status.h"
#include "tsc/Tensor/Tensor.h"
#include <optional>

namespace tsc {

/// A format of floats of 8 bits, or of unsigned integers, and the dtype that holds its numbers.
struct NarrowFormat {
  const char *storage; ///< "Float8_e4m3fn", as in the name of PyTorch's class of storages
  const char *name;    ///< "float8_e4m3fn"
  DType stored;        ///< A dtype as wide as the numbers in the file.
  DType read;
  uint8_t mantissa = 0; ///< Bits of it; of floats alone.
  int8_t bias = 0;
  bool isUnsignedZero = false; ///< The code of minus zero is NaN, which is the only one, and there is no infinity.
};

/// Returns the format of a dtype, "torch.float8_e4m3fn"; nothing where it is a dtype of ours, or unknown.
std::optional<NarrowFormat> narrowFormat(llvm::StringRef dtype);
/// Returns the format of a class of storages; nothing as for narrowFormat().
std::optional<NarrowFormat> narrowFormatOfStorage(llvm::StringRef storage);

/// The storage's numbers in the format's `read`. Unimplemented: one is too large for that.
StatusOr<Ref<Storage>> widen(const NarrowFormat &format, const Storage &storage);

} // namespace tsc

#endif
