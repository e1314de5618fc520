#include "tsc/Support/PackedTexts.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include <catch2/catch.hpp>

using namespace tsc;

static llvm::SmallVector<uint8_t> deflated(llvm::StringRef text) {
  llvm::SmallVector<uint8_t> out;
  llvm::compression::zlib::compress(llvm::arrayRefFromStringRef(text), out);
  return out;
}

TEST_CASE("texts come out of their packs", "[packed-texts]") {
  const auto first = deflated("onetwo"), second = deflated("three");
  const PackedTexts::Pack packs[] = {{llvm::toStringRef(first), 6}, {llvm::toStringRef(second), 5}};
  const PackedTexts::Entry entries[] = {{1, 0, 0, 3}, {2, 0, 3, 3}, {30000, 1, 0, 5}};
  PackedTexts texts(packs, entries);
  const llvm::StringRef two = texts.find(2);
  CHECK(two == "two");
  CHECK(texts.find(30000) == "three");
  CHECK(texts.find(1) == "one");
  CHECK(texts.find(2).data() == two.data()); // it stays
  CHECK(texts.has(1));
  for (unsigned number : {0u, 3u, 0xFFFFu}) {
    CHECK(!texts.has(number));
    CHECK(texts.find(number).empty());
  }
}
