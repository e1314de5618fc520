//===- file_adapter.h - Archives in files --------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CAFFE2_SERIALIZE_FILE_ADAPTER_H
#define TSC_TORCH_CAFFE2_SERIALIZE_FILE_ADAPTER_H
#include <c10/util/Exception.h>
#include <caffe2/serialize/read_adapter_interface.h>
#include <fstream>
#include <mutex>
#include <string>

namespace caffe2 {
namespace serialize {
inline namespace tsc_torch {

/// Reads a file. Several threads may read at once. c10::Error where it cannot be opened.
class FileAdapter final : public ReadAdapterInterface {
public:
  explicit FileAdapter(const std::string &file_name) : in(file_name, std::ios::binary | std::ios::ate) {
    TORCH_CHECK(in, "open file failed because of errno on fopen: file path: ", file_name);
    bytes = static_cast<size_t>(in.tellg());
  }
  size_t size() const override { return bytes; }
  size_t read(uint64_t pos, void *buf, size_t n, const char * = "") const override {
    std::lock_guard<std::mutex> lock(mutex);
    in.clear();
    in.seekg(static_cast<std::streamoff>(pos));
    in.read(static_cast<char *>(buf), static_cast<std::streamsize>(n));
    return static_cast<size_t>(in.gcount());
  }

private:
  mutable std::mutex mutex;
  mutable std::ifstream in;
  size_t bytes = 0;
};

} // namespace tsc_torch
} // namespace serialize
} // namespace caffe2

#endif
