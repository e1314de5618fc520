//===- KeyedHash.h - Who wrote these bytes ----------------------*- C++ -*-===//
#ifndef TSC_SUPPORT_KEYEDHASH_H
#define TSC_SUPPORT_KEYEDHASH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>

namespace tsc {

/// A secret, and what authenticates a message under it.
using HashKey = std::array<uint8_t, 32>;
using MessageTag = std::array<uint8_t, 32>;

/// The tag of the parts, one after the other: BLAKE3's keyed mode, which is a message authentication code. Where parts
/// end is up to the caller to make unmistakable.
MessageTag keyedHash(const HashKey &key, llvm::ArrayRef<llvm::StringRef> parts);
/// Whether two tags are equal, in a time that does not tell where they differ.
bool isSameTag(const MessageTag &a, const MessageTag &b);
/// A key that nobody can guess, from the system; none where it has no random bytes yet.
std::optional<HashKey> makeHashKey();

} // namespace tsc

#endif
