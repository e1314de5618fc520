//===- KeyedHash.h - Who wrote these bytes ----------------------*- C++ -*-===//
#ifndef TSC_SUPPORT_KEYEDHASH_H
#define TSC_SUPPORT_KEYEDHASH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>

namespace tsc {

/// A secret under which messages are authenticated.
using HashKey = std::array<uint8_t, 32>;
/// What authenticates a message under a HashKey.
using MessageTag = std::array<uint8_t, 32>;

/// Returns the tag of the parts, one after the other: BLAKE3's keyed mode, which is a message authentication code. The
/// caller must make unmistakable where parts end.
MessageTag keyedHash(const HashKey &key, llvm::ArrayRef<llvm::StringRef> parts);
/// Whether two tags are equal, in a time that does not tell where they differ.
bool isSameTag(const MessageTag &a, const MessageTag &b);
/// Returns a key of random bytes from the system, or none where the system has no random bytes yet.
std::optional<HashKey> makeHashKey();

} // namespace tsc

#endif
