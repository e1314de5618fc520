//===- inline_container.h - The files within an archive ---------*- C++ -*-===//
#ifndef TSC_TORCH_CAFFE2_INLINE_CONTAINER_H
#define TSC_TORCH_CAFFE2_INLINE_CONTAINER_H
#include <c10/core/Allocator.h>
#include <caffe2/serialize/read_adapter_interface.h>
#include <cstdlib>
#include <cstring>
#include <istream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <tsc-torch/Handles.h>
#include <tuple>
#include <vector>

namespace caffe2 {
namespace serialize {
inline namespace tsc_torch {

/// Reads the files of an archive, and runs nothing.
class PyTorchStreamReader final {
public:
  explicit PyTorchStreamReader(const std::string &file_name) {
    tsc_torch_detail::check(tsc_archive_open(file_name.c_str(), &archive));
  }
  explicit PyTorchStreamReader(std::istream *in)
      : PyTorchStreamReader(std::string{std::istreambuf_iterator<char>(*in), std::istreambuf_iterator<char>()}, 0) {}
  explicit PyTorchStreamReader(const std::shared_ptr<ReadAdapterInterface> &in)
      : PyTorchStreamReader(bytesOf(*in), 0) {}
  PyTorchStreamReader(const PyTorchStreamReader &) = delete;
  PyTorchStreamReader &operator=(const PyTorchStreamReader &) = delete;
  ~PyTorchStreamReader() { tsc_archive_free(archive); }

  /// A copy of the contents, and their size. c10::Error where there is no such file.
  std::tuple<c10::DataPtr, size_t> getRecord(const std::string &name) {
    std::lock_guard<std::mutex> lock(mutex);
    const void *data = nullptr;
    size_t size = 0;
    tsc_torch_detail::check(tsc_archive_record(archive, name.c_str(), &data, &size));
    char *copy = new char[size ? size : 1];
    if (size)
      std::memcpy(copy, data, size);
    return std::make_tuple(
        c10::DataPtr(std::shared_ptr<void>(copy, [](void *memory) { delete[] static_cast<char *>(memory); })), size);
  }
  /// Whether the archive has a file of that name, with or without the folder that all are in.
  bool hasRecord(const std::string &name) {
    std::lock_guard<std::mutex> lock(mutex);
    for (const std::string &known : names())
      if (known == name || withoutFolder(known) == name)
        return true;
    return false;
  }
  /// Their names, without the folder that all are in.
  std::vector<std::string> getAllRecords() {
    std::lock_guard<std::mutex> lock(mutex);
    std::vector<std::string> all;
    for (const std::string &known : names())
      all.push_back(withoutFolder(known));
    return all;
  }
  /// The version of the format; 3 where the archive names none.
  uint64_t version() {
    for (const char *name : {".data/version", "version"})
      if (hasRecord(name)) {
        auto record = getRecord(name);
        const std::string text(static_cast<const char *>(std::get<0>(record).get()), std::get<1>(record));
        return std::strtoull(text.c_str(), nullptr, 10);
      }
    return 3;
  }

private:
  PyTorchStreamReader(const std::string &bytes, int) {
    tsc_torch_detail::check(tsc_archive_open_bytes(bytes.data(), bytes.size(), nullptr, nullptr, &archive));
  }
  static std::string bytesOf(ReadAdapterInterface &in) {
    std::string bytes(in.size(), '\0');
    if (!bytes.empty())
      bytes.resize(in.read(0, &bytes[0], bytes.size(), "archive"));
    return bytes;
  }
  static std::string withoutFolder(const std::string &name) { return name.substr(name.find('/') + 1); }
  std::vector<std::string> names() const {
    size_t count = 0;
    tsc_torch_detail::check(tsc_archive_num_records(archive, &count));
    std::vector<std::string> all;
    for (size_t i = 0; i != count; ++i) {
      const char *name = nullptr;
      tsc_torch_detail::check(tsc_archive_record_name(archive, i, &name));
      all.push_back(name);
    }
    return all;
  }

  std::mutex mutex;
  tsc_archive *archive = nullptr;
};

} // namespace tsc_torch
} // namespace serialize
} // namespace caffe2

#endif
