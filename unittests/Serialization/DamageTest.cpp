//===- DamageTest.cpp - Archives cut and damaged at every byte ------------===//
//
// What a damaged archive loads to, compiles or is refused with a reason. Checksums
// guard a zip file's entries; so its pickles and code are damaged inside of sound
// files too. (utils/damage_archives.py does the same to published archives.)
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/Context.h"
#include "tsc/Serialization/Archive.h"
#include "tsc/Serialization/ValueFile.h"
#include <catch2/catch.hpp>

using namespace tsc;
using llvm::StringRef;

static const char code[] = "class M(Module):\n"
                           "  __parameters__ = [\"w\", ]\n"
                           "  __buffers__ = []\n"
                           "  w : Tensor\n"
                           "  sizes : List[int]\n"
                           "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                           "    w = self.w\n"
                           "    return torch.add(torch.mul(x, w), CONSTANTS.c0)\n";

/// A literal with all of its zero bytes.
template <size_t N> static StringRef bytesOf(const char (&literal)[N]) { return StringRef(literal, N - 1); }

/// An M with a tensor of 4 floats and a list.
static std::string modulePickle() {
  const StringRef parts[] = {
      bytesOf("\x80\x02"
              "c__torch__\nM\n)\x81}(X\x01\0\0\0w"),
      "ctorch._utils\n_rebuild_tensor_v2\n((X",
      bytesOf("\x07\0\0\0storage"
              "ctorch\nFloatStorage\nX\x01\0\0\0"
              "0X\x03\0\0\0cpuK\x04tQK\0K\x04\x85K\x01\x85\x89}tR"),
      bytesOf("X\x05\0\0\0sizesctorch.jit._pickle\nbuild_intlist\n](K\x01M\0\x01"
              "e\x85Rub."),
  };
  std::string pickle;
  for (StringRef part : parts)
    pickle += part;
  return pickle;
}

static std::string archiveOf(StringRef pickle, StringRef source) {
  ZipWriter writer;
  writer.add("m/data.pkl", pickle);
  writer.add("m/data/0", std::string(16, '\0'));
  writer.add("m/constants.pkl", bytesOf("\x80\x02K\x01\x85."));
  writer.add("m/code/__torch__.py", source);
  writer.add("m/version", "3\n");
  return writer.finish();
}

/// Empty when it loads and compiles, else the reason; "?" when there is none.
static std::string load(StringRef bytes) {
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags, prelude());
  auto loaded = loadArchive(compiler, Bytes{bytes, nullptr});
  if (!loaded.ok())
    return messageOf(loaded.status()).empty() ? "?" : messageOf(loaded.status()).str();
  if (failed(compiler.defineAll()))
    return diags.hasErrors() ? diags.str() : "?";
  return "";
}

/// The text with one byte changed, one after the other.
template <typename F> static void forEachDamage(const std::string &whole, F &&visit) {
  for (size_t at = 0; at != whole.size(); ++at)
    for (uint8_t mask : {uint8_t(1 << at % 8), uint8_t(0xFF)}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ mask);
      visit(damaged);
    }
}

TEST_CASE("the sound archive loads", "[damage]") { CHECK(load(archiveOf(modulePickle(), code)) == ""); }

TEST_CASE("an archive cut at each byte is refused", "[damage]") {
  std::string whole = archiveOf(modulePickle(), code);
  for (size_t length = 0; length != whole.size(); ++length) {
    std::string reason = load(StringRef(whole).take_front(length));
    CHECK_FALSE(reason.empty());
    CHECK(reason != "?");
  }
}

TEST_CASE("an archive with one wrong byte", "[damage]") {
  forEachDamage(archiveOf(modulePickle(), code), [](const std::string &damaged) { CHECK(load(damaged) != "?"); });
}

TEST_CASE("a pickle with one wrong byte, and cut", "[damage]") {
  std::string whole = modulePickle();
  forEachDamage(whole, [](const std::string &damaged) { CHECK(load(archiveOf(damaged, code)) != "?"); });
  for (size_t length = 0; length != whole.size(); ++length) {
    std::string reason = load(archiveOf(StringRef(whole).take_front(length), code));
    CHECK_FALSE(reason.empty());
    CHECK(reason != "?");
  }
}

TEST_CASE("code with one wrong byte, and cut", "[damage]") {
  std::string whole = code;
  forEachDamage(whole, [](const std::string &damaged) { CHECK(load(archiveOf(modulePickle(), damaged)) != "?"); });
  for (size_t length = 0; length != whole.size(); ++length)
    CHECK(load(archiveOf(modulePickle(), StringRef(whole).take_front(length))) != "?");
}

TEST_CASE("sizes that are not there are not believed", "[damage]") {
  // A string of 2^62 bytes, one of 2^31, and a number of 2^31 digits.
  for (StringRef pickle : {bytesOf("\x80\x02\x8d\0\0\0\0\0\0\0\x40"), bytesOf("\x80\x02X\xff\xff\xff\x7f"),
                           bytesOf("\x80\x02\x8b\xff\xff\xff\x7f")}) {
    ZipWriter writer;
    writer.add("m/data.pkl", pickle);
    writer.add("m/version", "3\n");
    Context context;
    std::string file = writer.finish();
    CHECK_FALSE(loadValue(context, Bytes{file, nullptr}).ok());
  }
}
