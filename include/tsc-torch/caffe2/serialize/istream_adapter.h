//===- istream_adapter.h - Archives in streams ---------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CAFFE2_SERIALIZE_ISTREAM_ADAPTER_H
#define TSC_TORCH_CAFFE2_SERIALIZE_ISTREAM_ADAPTER_H
#include <c10/util/Exception.h>
#include <caffe2/serialize/read_adapter_interface.h>
#include <istream>

namespace caffe2 {
namespace serialize {
inline namespace tsc_torch {

/// Reads a stream of the host's, which it borrows. One thread at a time may read. c10::Error where the size of the
/// stream is not to be found.
class IStreamAdapter final : public ReadAdapterInterface {
public:
  explicit IStreamAdapter(std::istream *stream) : in(stream) {
    in->seekg(0, std::ios::end);
    bytes = static_cast<size_t>(in->tellg());
    TORCH_CHECK(*in, "istream reader failed: getting the size");
  }
  size_t size() const override { return bytes; }
  size_t read(uint64_t pos, void *buf, size_t n, const char * = "") const override {
    in->clear();
    in->seekg(static_cast<std::streamoff>(pos));
    in->read(static_cast<char *>(buf), static_cast<std::streamsize>(n));
    return static_cast<size_t>(in->gcount());
  }

private:
  std::istream *in;
  size_t bytes = 0;
};

} // namespace tsc_torch
} // namespace serialize
} // namespace caffe2

#endif
