//===- serialize.h - Saving and loading ----------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_SERIALIZE_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_SERIALIZE_H
#include <torch/csrc/api/include/torch/serialize/archive.h>
#include <torch/csrc/api/include/torch/serialize/tensor.h>
#include <torch/csrc/jit/serialization/pickle.h>

namespace torch {
inline namespace tsc_torch {

/// Writes a tensor, or what an operator << of the host's writes, to where OutputArchive::save_to() can: a file, a
/// stream, a function.
template <typename Value, typename... SaveToArgs> void save(const Value &value, SaveToArgs &&...args) {
  serialize::OutputArchive archive(std::make_shared<jit::CompilationUnit>());
  archive << value;
  archive.save_to(std::forward<SaveToArgs>(args)...);
}
/// Writes tensors under the names "0", "1", and so on.
template <typename... SaveToArgs> void save(const std::vector<at::Tensor> &tensor_vec, SaveToArgs &&...args) {
  serialize::OutputArchive archive(std::make_shared<jit::CompilationUnit>());
  for (size_t i = 0; i != tensor_vec.size(); ++i)
    archive.write(std::to_string(i), tensor_vec[i]);
  archive.save_to(std::forward<SaveToArgs>(args)...);
}
/// Reads a tensor, or what an operator >> of the host's reads, from where InputArchive::load_from() can: a file, a
/// stream, memory.
template <typename Value, typename... LoadFromArgs> void load(Value &value, LoadFromArgs &&...args) {
  serialize::InputArchive archive;
  archive.load_from(std::forward<LoadFromArgs>(args)...);
  archive >> value;
}
/// Appends the tensors "0", "1", and so on.
template <typename... LoadFromArgs> void load(std::vector<at::Tensor> &tensor_vec, LoadFromArgs &&...args) {
  serialize::InputArchive archive;
  archive.load_from(std::forward<LoadFromArgs>(args)...);
  at::Tensor tensor;
  for (size_t i = 0; archive.try_read(std::to_string(i), tensor); ++i) {
    tensor_vec.push_back(tensor);
    tensor = at::Tensor();
  }
}
using jit::pickle_load;
using jit::pickle_save;

} // namespace tsc_torch
} // namespace torch

#endif
