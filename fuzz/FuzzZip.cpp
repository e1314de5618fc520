//===- FuzzZip.cpp - Zip files whose parts contradict each other ----------===//
//
// A file of random bytes is no zip file. The input says here how one is put
// together: entries with names, contents, compression and numbers, each of which
// may be wrong, may overlap another entry, and may stand in the directory twice.
// Then every entry is read, and the file is loaded as an archive.
//
//===----------------------------------------------------------------------===//
#include "Archives.h"
#include <zlib.h>
using namespace tsc;

namespace {
/// Draws decisions from the input; zeros when it is used up.
class Decisions {
public:
  explicit Decisions(llvm::StringRef bytes) : rest(bytes) {}
  uint8_t byte() {
    const uint8_t first = rest.empty() ? 0 : static_cast<uint8_t>(rest.front());
    rest = rest.drop_front(!rest.empty());
    return first;
  }
  uint64_t number(unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i != bytes; ++i)
      value |= uint64_t{byte()} << 8 * i;
    return value;
  }
  /// One in `n` times.
  bool seldom(unsigned n) { return byte() % n == n - 1; }
  std::string text(size_t most) {
    const size_t length = std::min<size_t>({byte(), most, rest.size()});
    std::string taken = rest.take_front(length).str();
    rest = rest.drop_front(length);
    return taken;
  }

private:
  llvm::StringRef rest;
};

/// Writes little-endian numbers.
void put(std::string &out, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i != bytes; ++i)
    out += static_cast<char>(value >> 8 * i);
}

std::string deflated(const std::string &content) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return content;
  std::string out(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

class ZipMaker {
public:
  explicit ZipMaker(Decisions &in) : in(in) {}
  std::string make() {
    const unsigned entries = in.byte() % 9;
    for (unsigned i = 0; i != entries; ++i)
      addEntry();
    finish();
    return std::move(file);
  }

private:
  /// The number that is right, or sometimes one that is not.
  uint64_t maybe(uint64_t right) {
    switch (in.byte()) {
    case 255: return in.number(8);
    case 1: return right + 1;
    case 2: return right - 1;
    case 3: return 0xFFFFFFFF;
    case 4: return in.number(4) % (file.size() + 1);
    default: return right;
    }
  }
  std::string name() {
    static const char *const names[] = {"f/data.pkl",
                                        "f/version",
                                        "f/constants.pkl",
                                        "f/code/__torch__.py",
                                        "f/data/0",
                                        "f/byteorder",
                                        "f/.data/version",
                                        "g/data.pkl",
                                        "../data.pkl",
                                        "/etc/passwd",
                                        "f/../../x",
                                        "f/code/__torch__/../../y.py",
                                        "f/code/__torch__/a.py",
                                        "",
                                        "f/",
                                        "data.pkl",
                                        "f/code/__torch__.py.debug_pkl",
                                        "f/extra/x",
                                        "f\\data.pkl"};
    return in.seldom(16) ? in.text(40) : names[in.byte() % std::size(names)];
  }
  std::string content() {
    switch (in.byte() % 8) {
    case 0: return "3\n";
    case 1: return "\x80\x02).";
    case 2:
      return std::string("\x80\x02"
                         "c__torch__\nM\n)\x81}b.");
    case 3: return "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n";
    case 4: return std::string(in.number(3) % (1 << 20), '\0');
    default: return in.text(200);
    }
  }
  void addEntry() {
    const std::string entryName = name(), text = content();
    const bool compressed = in.byte() % 2 == 1;
    const std::string stored = compressed ? deflated(text) : text;
    const uint64_t at = maybe(file.size()),
                   crc = maybe(crc32_z(0, reinterpret_cast<const Bytef *>(text.data()), text.size()));
    put(file, 0x04034b50, 4);
    put(file, 20, 2);
    put(file, 0, 2);
    put(file, compressed ? 8 : 0, 2);
    put(file, 0, 4);
    put(file, crc, 4);
    put(file, stored.size(), 4);
    put(file, text.size(), 4);
    put(file, maybe(entryName.size()), 2);
    put(file, maybe(0), 2);
    file += entryName + stored;
    const unsigned listed = in.seldom(16) ? 2 : 1;
    for (unsigned i = 0; i != listed; ++i) {
      const bool zip64 = in.seldom(16);
      std::string extra;
      if (zip64) {
        put(extra, 1, 2);
        put(extra, maybe(24), 2);
        put(extra, maybe(text.size()), 8);
        put(extra, maybe(stored.size()), 8);
        put(extra, maybe(at), 8);
      }
      put(directory, 0x02014b50, 4);
      put(directory, 20, 2);
      put(directory, 20, 2);
      put(directory, in.seldom(64), 2);
      put(directory, compressed ? 8 : 0, 2);
      put(directory, 0, 4);
      put(directory, crc, 4);
      put(directory, zip64 ? 0xFFFFFFFF : maybe(stored.size()), 4);
      put(directory, zip64 ? 0xFFFFFFFF : maybe(text.size()), 4);
      put(directory, maybe(entryName.size()), 2);
      put(directory, maybe(extra.size()), 2);
      put(directory, 0, 2);
      put(directory, 0, 2);
      put(directory, 0, 2);
      put(directory, 0, 4);
      put(directory, zip64 ? 0xFFFFFFFF : at, 4);
      directory += entryName + extra;
      ++count;
    }
  }
  void finish() {
    const uint64_t at = file.size();
    file += directory;
    if (in.seldom(8)) {
      const uint64_t end64 = file.size();
      put(file, 0x06064b50, 4);
      put(file, 44, 8);
      put(file, 45, 2);
      put(file, 45, 2);
      put(file, 0, 8);
      put(file, maybe(count), 8);
      put(file, maybe(count), 8);
      put(file, maybe(directory.size()), 8);
      put(file, maybe(at), 8);
      put(file, 0x07064b50, 4);
      put(file, 0, 4);
      put(file, maybe(end64), 8);
      put(file, 1, 4);
    }
    put(file, 0x06054b50, 4);
    put(file, 0, 4);
    put(file, maybe(count), 2);
    put(file, maybe(count), 2);
    put(file, maybe(directory.size()), 4);
    put(file, maybe(at), 4);
    put(file, maybe(0), 2);
    file += in.text(10);
  }

  Decisions &in;
  std::string file, directory;
  uint64_t count = 0;
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Decisions in(llvm::StringRef(reinterpret_cast<const char *>(data), size));
  const std::string file = ZipMaker(in).make();
  if (auto zip = ZipReader::open(Bytes{file, nullptr}); zip.ok()) {
    for (const std::string &name : zip->names())
      if (auto content = zip->read(name); !content.ok() && messageOf(content.status()).empty())
        std::abort(); // a failure without a word
  } else if (messageOf(zip.status()).empty()) {
    std::abort();
  }
  fuzz::loadAndSave(file);
  fuzz::loadAndCompile(file);
  return 0;
}
