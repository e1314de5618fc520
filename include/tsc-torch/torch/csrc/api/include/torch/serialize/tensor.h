//===- tensor.h - Archives of one tensor ---------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_SERIALIZE_TENSOR_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_SERIALIZE_TENSOR_H
#include <torch/csrc/api/include/torch/serialize/archive.h>

// Hosts write their own for classes of theirs; these are found by the archive's namespace.
namespace torch {
namespace serialize {
inline namespace tsc_torch {

inline OutputArchive &operator<<(OutputArchive &archive, const at::Tensor &tensor) {
  archive.write("0", tensor);
  return archive;
}
inline InputArchive &operator>>(InputArchive &archive, at::Tensor &tensor) {
  archive.read("0", tensor);
  return archive;
}

} // namespace tsc_torch
} // namespace serialize
} // namespace torch

#endif
