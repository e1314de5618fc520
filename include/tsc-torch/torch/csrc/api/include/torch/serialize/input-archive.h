//===- input-archive.h - Archives of tensors, read ------------ -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_SERIALIZE_INPUT_ARCHIVE_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_SERIALIZE_INPUT_ARCHIVE_H
#include <torch/csrc/jit/serialization/import.h>

namespace torch {
namespace serialize {
inline namespace tsc_torch {

/// Reads tensors and other values by their names, from what an OutputArchive has written: a module whose attributes
/// they are. Archives of torch.jit.save are read like that, too. Nothing refers to files and streams after load_from().
class InputArchive final {
public:
  InputArchive() = default;
  InputArchive(InputArchive &&) = default;
  InputArchive &operator=(InputArchive &&) = default;
  InputArchive(InputArchive &) = delete;
  InputArchive &operator=(InputArchive &) = delete;

  /// Reads a value of any type. torch::jit::ObjectAttributeError where there is none of that name.
  void read(const std::string &key, c10::IValue &ivalue) { ivalue = module.attr(key); }
  /// The same, which returns false where there is none.
  bool try_read(const std::string &key, c10::IValue &ivalue) {
    if (!module.hasattr(key))
      return false;
    ivalue = module.attr(key);
    return true;
  }
  /// Reads a tensor. One that is defined shares the elements of what was read from then on, so that its copies see
  /// them, and keeps its gradient; c10::Error where it has another dtype, or there is no such tensor.
  void read(const std::string &key, at::Tensor &tensor, bool is_buffer = false) {
    TORCH_CHECK(try_read(key, tensor, is_buffer), "No such serialized tensor '", prefix, key, "'");
  }
  /// The same, which returns false where there is no such tensor.
  bool try_read(const std::string &key, at::Tensor &tensor, bool is_buffer = false) {
    (void)is_buffer;
    c10::IValue value;
    if (!try_read(key, value) || !value.isTensor())
      return false;
    const at::Tensor found = value.toTensor();
    if (!tensor.defined()) {
      tensor = found;
      return true;
    }
    TORCH_CHECK(tensor.scalar_type() == found.scalar_type(), "Could not set tensor of type ", found.dtype(),
                " to a tensor of type ", tensor.dtype());
    tensor.set_data(found);
    return true;
  }
  /// Reads an archive within this one. c10::Error where there is none of that name.
  void read(const std::string &key, InputArchive &archive) {
    TORCH_CHECK(try_read(key, archive), "No such serialized submodule: '", prefix, key, "'");
  }
  /// The same, which returns false where there is none.
  bool try_read(const std::string &key, InputArchive &archive) {
    c10::IValue value;
    if (!try_read(key, value) || !value.isModule())
      return false;
    archive.module = value.toModule();
    archive.prefix = prefix + key + ".";
    return true;
  }

  /// Reads a file into memory. c10::Error where there is none, or it is no archive.
  void load_from(const std::string &filename, c10::optional<c10::Device> device = c10::nullopt) {
    std::ifstream file(filename, std::ios::binary);
    TORCH_CHECK(file, "open file failed because of errno on fopen: file path: ", filename);
    load_from(file, device);
  }
  void load_from(std::istream &stream, c10::optional<c10::Device> device = c10::nullopt) {
    module = tsc_torch_detail::loadBytes(tsc_torch_detail::readAll(stream), device, nullptr);
  }
  void load_from(const char *data, size_t size, c10::optional<c10::Device> device = c10::nullopt) {
    module = tsc_torch_detail::loadBytes(std::string(data, size), device, nullptr);
  }
  /// The same from functions that read from a position, and tell the size.
  void load_from(const std::function<size_t(uint64_t pos, void *buf, size_t nbytes)> &read_func,
                 const std::function<size_t(void)> &size_func, c10::optional<c10::Device> device = c10::nullopt) {
    Functions reader(read_func, size_func);
    module = tsc_torch_detail::loadReader(reader, device, nullptr);
  }
  /// Returns the names of all that there is to read, in the order in which it was written.
  std::vector<std::string> keys() const {
    std::vector<std::string> all;
    for (const jit::NameValue &value : module.named_attributes(/*recurse=*/false))
      all.push_back(value.name);
    return all;
  }
  template <typename... Args> void operator()(Args &&...args) { read(std::forward<Args>(args)...); }

private:
  struct Functions final : caffe2::serialize::ReadAdapterInterface {
    Functions(const std::function<size_t(uint64_t, void *, size_t)> &reads, const std::function<size_t(void)> &measures)
        : reads(reads), measures(measures) {}
    size_t size() const override { return measures(); }
    size_t read(uint64_t pos, void *buf, size_t n, const char * = "") const override { return reads(pos, buf, n); }
    const std::function<size_t(uint64_t, void *, size_t)> &reads;
    const std::function<size_t(void)> &measures;
  };

  jit::Module module;
  std::string prefix; ///< The names of the archives that this one is within, each with a dot.
};

} // namespace tsc_torch
} // namespace serialize
} // namespace torch

#endif
