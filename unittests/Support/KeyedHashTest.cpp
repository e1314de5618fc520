//===- KeyedHashTest.cpp - Tags of messages -------------------------------===//
#include "tsc/Support/KeyedHash.h"
#include "llvm/ADT/StringExtras.h"
#include <catch2/catch.hpp>
#include <cstring>
using namespace tsc;

/// BLAKE3's published vectors of its keyed mode: bytes that count up to 250, again and again.
TEST_CASE("keyedHash: the published vectors, in one part and in several") {
  HashKey key;
  std::memcpy(key.data(), "whats the Elvish word for friend", key.size());
  auto tagOf = [&](size_t length, size_t first) {
    std::string input;
    for (size_t i = 0; i != length; ++i)
      input.push_back(static_cast<char>(i % 251));
    const llvm::StringRef text(input);
    return llvm::toHex(keyedHash(key, {text.take_front(first), text.drop_front(first)}), /*LowerCase=*/true);
  };
  CHECK(tagOf(0, 0) == "92b2b75604ed3c761f9d6f62392c8a9227ad0ea3f09573e783f1498a4ed60d26");
  CHECK(tagOf(1, 0) == "6d7878dfff2f485635d39013278ae14f1454b8c0a3a2d34bc1ab38228a80c95b");
  for (size_t first : {0, 1, 63, 64, 1000, 1024})
    CHECK(tagOf(1024, first) == "75c46f6f3d9eb4f55ecaaee480db732e6c2105546f1e675003687c31719c7ba4");
}

TEST_CASE("keyedHash: tags are equal for the same key and message alone") {
  const HashKey key{1}, other{2};
  const MessageTag tag = keyedHash(key, {"kernel"});
  CHECK(isSameTag(tag, keyedHash(key, {"ker", "nel"})));
  CHECK_FALSE(isSameTag(tag, keyedHash(other, {"kernel"})));
  CHECK_FALSE(isSameTag(tag, keyedHash(key, {"kernem"})));
  for (size_t i = 0; i != tag.size(); ++i) {
    MessageTag changed = tag;
    changed[i] ^= 0x10;
    CHECK_FALSE(isSameTag(tag, changed));
  }
  const auto one = makeHashKey(), two = makeHashKey();
  REQUIRE((one && two));
  CHECK(*one != *two);
}
