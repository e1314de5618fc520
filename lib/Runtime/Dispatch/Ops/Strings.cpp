//===- Strings.cpp - What PyTorch's str has of its own --------------------===//
#include "tsc/Runtime/Dispatch/Ops/Strings.h"
using namespace tsc;
using namespace tsc::ops;

void TextStream::write_impl(const char *bytes, size_t size) {
  position += size;
  const size_t wanted = text.size() + size;
  if (length.ok() && wanted > text.capacity())
    length = checkLength(static_cast<int64_t>(wanted));
  if (length.ok())
    text.append(bytes, size);
  else
    position = UINT64_MAX / 2; // values may share what is in them, so that the rest could take hours
}

StatusOr<int64_t> ops::str_ord(StringRef s) {
  if (s.size() != 1)
    return invalidArgument("String for ord() must be 1 character, found " + llvm::Twine(s.size()));
  return static_cast<int64_t>(static_cast<unsigned char>(s[0]));
}
StatusOr<std::string> ops::str_chr(int64_t code) {
  if (code < 0 || code > 255)
    return invalidArgument("chr() arg not in range(256), found " + llvm::Twine(code));
  return std::string(1, static_cast<char>(code));
}
