//===- ZipTest.cpp - Zip files, written and read --------------------------===//
#include "tsc/Serialization/Zip.h"
#include "llvm/Support/Endian.h"
#include <catch2/catch.hpp>
#include <zlib.h>

using namespace tsc;

static std::string twoEntries() {
  ZipWriter writer;
  writer.add("a/first", "hello");
  writer.add("a/second", std::string(1000, 'x'));
  return writer.finish();
}

static StatusOr<std::string> readBack(llvm::StringRef file, llvm::StringRef name) {
  TSC_ASSIGN_OR_RETURN(ZipReader zip, ZipReader::open({file, nullptr}));
  TSC_ASSIGN_OR_RETURN(Bytes bytes, zip.read(name));
  return bytes.data.str();
}

TEST_CASE("what is written is read") {
  std::string file = twoEntries();
  CHECK(*readBack(file, "a/first") == "hello");
  CHECK(*readBack(file, "a/second") == std::string(1000, 'x'));
  CHECK(readBack(file, "a/third").status().code() == StatusCode::NotFound);
  CHECK(ZipReader::looksLikeZip(file));
  CHECK(twoEntries() == file);
  CHECK(file.find("hello") % 64 == 0);
}

TEST_CASE("a deflated entry is inflated") {
  // Python: zipfile.ZipFile(f, 'w', zipfile.ZIP_DEFLATED).writestr('t', 'abcabcabcabcabcabc')
  static const unsigned char bytes[] = {
      80, 75,  3,  4,   20, 0,  0,  0,  8,  0,  0, 0,  33, 0, 4, 192, 38, 220, 7, 0, 0,  0, 18, 0, 0,   0,  1,
      0,  0,   0,  116, 75, 76, 74, 78, 68, 69, 0, 80, 75, 1, 2, 20,  3,  20,  0, 0, 0,  8, 0,  0, 0,   33, 0,
      4,  192, 38, 220, 7,  0,  0,  0,  18, 0,  0, 0,  1,  0, 0, 0,   0,  0,   0, 0, 0,  0, 0,  0, 128, 1,  0,
      0,  0,   0,  116, 80, 75, 5,  6,  0,  0,  0, 0,  1,  0, 1, 0,   47, 0,   0, 0, 38, 0, 0,  0, 0,   0};
  std::string file(reinterpret_cast<const char *>(bytes), sizeof bytes);
  auto text = readBack(file, "t");
  INFO(text.status().message());
  REQUIRE(text.ok());
  CHECK(*text == "abcabcabcabcabcabc");
}

TEST_CASE("a file cut or changed anywhere gives a Status") {
  std::string file = twoEntries();
  for (size_t length = 0; length != file.size(); ++length)
    CHECK_FALSE(readBack(llvm::StringRef(file).take_front(length), "a/first").ok());
  unsigned wrong = 0;
  for (size_t at = 0; at != file.size(); ++at) {
    std::string changed = file;
    changed[at] ^= 0x55;
    auto text = readBack(changed, "a/first");
    wrong += text.ok() && *text != "hello";
  }
  CHECK(wrong == 0);
}

TEST_CASE("two entries of one name and different contents are refused") {
  auto ofTwo = [](llvm::StringRef first, llvm::StringRef second) {
    ZipWriter writer;
    writer.add("a/code", first);
    writer.add("a/code", second);
    return readBack(writer.finish(), "a/code");
  };
  CHECK(*ofTwo("same", "same") == "same");
  CHECK(ofTwo("one", "two").status().message() == "not a valid zip file: two entries are named 'a/code'");
}

TEST_CASE("checksums are zlib's, whatever the size") {
  std::string data;
  for (unsigned i = 0; i != 5000; ++i)
    data += static_cast<char>(i * i % 251);
  for (size_t size = 0; size < data.size(); size += size < 700 ? 1 : 97) {
    llvm::StringRef part = llvm::StringRef(data).substr(size % 16, size);
    ZipWriter writer;
    writer.add("x", part);
    std::string bytes = writer.finish();
    const auto *crc = reinterpret_cast<const llvm::support::ulittle32_t *>(bytes.data() + 14);
    INFO(size);
    REQUIRE(*crc == crc32(0, reinterpret_cast<const Bytef *>(part.data()), static_cast<uInt>(part.size())));
    CHECK(*readBack(bytes, "x") == part);
  }
}
