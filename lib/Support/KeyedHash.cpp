//===- KeyedHash.cpp - Who wrote these bytes ------------------------------===//
#include "tsc/Support/KeyedHash.h"
#include "llvm-c/blake3.h"
#include <sys/random.h>

using namespace tsc;

static_assert(std::tuple_size_v<HashKey> == LLVM_BLAKE3_KEY_LEN &&
              std::tuple_size_v<MessageTag> == LLVM_BLAKE3_OUT_LEN);

MessageTag tsc::keyedHash(const HashKey &key, llvm::ArrayRef<llvm::StringRef> parts) {
  llvm_blake3_hasher hasher;
  llvm_blake3_hasher_init_keyed(&hasher, key.data());
  for (llvm::StringRef part : parts)
    llvm_blake3_hasher_update(&hasher, part.data(), part.size());
  MessageTag tag;
  llvm_blake3_hasher_finalize(&hasher, tag.data(), tag.size());
  return tag;
}

bool tsc::isSameTag(const MessageTag &a, const MessageTag &b) {
  unsigned differences = 0;
  for (size_t i = 0; i != a.size(); ++i)
    differences |= static_cast<unsigned>(a[i] ^ b[i]);
  return differences == 0;
}

std::optional<HashKey> tsc::makeHashKey() {
  HashKey key;
  // Who starts while the system does must not wait for it.
  if (getrandom(key.data(), key.size(), GRND_NONBLOCK) != static_cast<ssize_t>(key.size()))
    return std::nullopt;
  return key;
}
