//===- ZipReader.cpp - Reading zip files ----------------------------------===//
//
// The directory at the end of the file is believed, after every number in it
// was checked against the file's size; of a local header only the lengths that
// tell where the data starts are read.
//
//===----------------------------------------------------------------------===//
#include "Checksum.h"
#include "tsc/Serialization/Zip.h"
#include "llvm/Support/Endian.h"
#include <zlib.h>

using namespace tsc;
using llvm::StringRef;
using llvm::Twine;
namespace endian = llvm::support::endian;

static constexpr uint32_t localMagic = 0x04034b50, centralMagic = 0x02014b50, endMagic = 0x06054b50,
                          End64Magic = 0x06064b50, Locator64Magic = 0x07064b50;
static constexpr size_t localSize = 30, centralSize = 46, endSize = 22, end64Size = 56, locator64Size = 20;
/// Deflate cannot do better than about 1032 to 1.
static constexpr uint64_t maxRatio = 1040;

namespace {
struct OwnedBytes final : RefCounted {
  std::unique_ptr<char[]> data;
};

/// Little-endian fields at fixed offsets of a record that was checked to be long enough.
struct Fields {
  const char *at;
  uint16_t u16(size_t offset) const { return endian::read16le(at + offset); }
  uint32_t u32(size_t offset) const { return endian::read32le(at + offset); }
  uint64_t u64(size_t offset) const { return endian::read64le(at + offset); }
};

struct Directory {
  uint64_t offset, size, count;
};
} // namespace

static Status corrupt(const Twine &what) { return dataLoss("not a valid zip file: " + what); }

bool ZipReader::looksLikeZip(StringRef bytes) { return bytes.starts_with("PK\3\4") || bytes.starts_with("PK\5\6"); }

/// Where the end record starts: the last place with its magic whose comment reaches exactly to the end of the file.
static std::optional<size_t> findEndRecord(StringRef file) {
  if (file.size() < endSize)
    return std::nullopt;
  size_t lowest = file.size() - std::min<size_t>(file.size(), endSize + 0xFFFF);
  for (size_t at = file.size() - endSize + 1; at-- > lowest;)
    if (endian::read32le(file.data() + at) == endMagic &&
        at + endSize + endian::read16le(file.data() + at + 20) == file.size())
      return at;
  return std::nullopt;
}

static StatusOr<Directory> findDirectory(StringRef file) {
  std::optional<size_t> end = findEndRecord(file);
  if (!end)
    return corrupt("failed finding central directory");
  Fields record{file.data() + *end};
  Directory directory{record.u32(16), record.u32(12), record.u16(10)};
  if (*end >= locator64Size && Fields{file.data() + *end - locator64Size}.u32(0) == Locator64Magic) {
    uint64_t at = Fields{file.data() + *end - locator64Size}.u64(8);
    if (at > file.size() || file.size() - at < end64Size || Fields{file.data() + at}.u32(0) != End64Magic)
      return corrupt("bad zip64 record");
    Fields record64{file.data() + at};
    directory = {record64.u64(48), record64.u64(40), record64.u64(32)};
  }
  if (directory.offset > file.size() || directory.size > file.size() - directory.offset)
    return corrupt("the central directory lies outside of the file");
  if (directory.count > directory.size / centralSize)
    return corrupt("the central directory is too short for its entries");
  return directory;
}

Status ZipReader::readDirectory() {
  TSC_ASSIGN_OR_RETURN(Directory directory, findDirectory(file.data));
  StringRef rest = file.data.substr(directory.offset, directory.size);
  for (uint64_t i = 0; i != directory.count; ++i) {
    if (rest.size() < centralSize || Fields{rest.data()}.u32(0) != centralMagic)
      return corrupt("bad entry in the central directory");
    Fields record{rest.data()};
    size_t nameLength = record.u16(28), extraLength = record.u16(30),
           total = centralSize + nameLength + extraLength + record.u16(32);
    if (rest.size() < total)
      return corrupt("bad entry in the central directory");
    Entry entry{record.u32(42), record.u32(20), record.u32(24), record.u32(16), record.u16(10), record.u16(8)};
    StringRef name = rest.substr(centralSize, nameLength), extra = rest.substr(centralSize + nameLength, extraLength);
    // A zip64 field holds, in this order, those numbers that are all ones in the record.
    while (extra.size() >= 4) {
      Fields field{extra.data()};
      size_t length = std::min<size_t>(field.u16(2), extra.size() - 4);
      StringRef body = extra.substr(4, length);
      if (field.u16(0) == 1)
        for (uint64_t *number : {&entry.size, &entry.compressedSize, &entry.headerOffset})
          if (*number == 0xFFFFFFFF && body.size() >= 8) {
            *number = endian::read64le(body.data());
            body = body.drop_front(8);
          }
      extra = extra.drop_front(4 + length);
    }
    auto [first, isNew] = entries.try_emplace(name, entry);
    if (isNew)
      order.push_back(name.str());
    else if (first->second.crc != entry.crc || first->second.size != entry.size)
      return corrupt("two entries are named '" + name + "'"); // who reads the other one sees another program
    rest = rest.drop_front(total);
  }
  return okStatus();
}

StatusOr<ZipReader> ZipReader::open(Bytes file) {
  ZipReader reader;
  reader.budget = std::make_unique<std::atomic<uint64_t>>((uint64_t(64) << 20) + 32 * uint64_t(file.data.size()));
  reader.file = std::move(file);
  TSC_RETURN_IF_ERROR(reader.readDirectory());
  return reader;
}

/// Takes `bytes` from the budget.
Status ZipReader::spend(uint64_t bytes) {
  uint64_t left = budget->load();
  do
    if (bytes > left)
      return resourceExhausted("zip file expands to too much data");
  while (!budget->compare_exchange_weak(left, left - bytes));
  return okStatus();
}

StatusOr<Bytes> ZipReader::inflate(StringRef compressed, const Entry &entry) {
  if (entry.size > compressed.size() * maxRatio)
    return corrupt("an entry claims to be larger than it can be");
  TSC_RETURN_IF_ERROR(spend(entry.size));
  auto owned = makeRef<OwnedBytes>();
  owned->data.reset(new char[entry.size + 1]);
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    throw std::bad_alloc(); // not a property of the file, which callers might take for one
  // zlib counts in 32 bits, so both sides are fed in portions.
  constexpr uint64_t portion = 1u << 30;
  uint64_t inUsed = 0, outUsed = 0;
  int result = Z_OK;
  while (result == Z_OK) {
    if (!stream.avail_in) {
      stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(compressed.data() + inUsed));
      stream.avail_in = std::min<uint64_t>(portion, compressed.size() - inUsed);
      inUsed += stream.avail_in;
    }
    if (!stream.avail_out) {
      stream.next_out = reinterpret_cast<Bytef *>(owned->data.get() + outUsed);
      stream.avail_out = std::min<uint64_t>(portion, entry.size + 1 - outUsed);
      outUsed += stream.avail_out;
    }
    result = ::inflate(&stream, Z_NO_FLUSH);
    if (result == Z_OK &&
        ((!stream.avail_in && inUsed == compressed.size()) || (!stream.avail_out && outUsed == entry.size + 1)))
      break; // ended early, or is longer than it says
  }
  uint64_t produced = outUsed - stream.avail_out;
  inflateEnd(&stream);
  if (result == Z_MEM_ERROR)
    throw std::bad_alloc();
  if (result != Z_STREAM_END || produced != entry.size)
    return corrupt("bad compressed data");
  return Bytes{StringRef(owned->data.get(), entry.size), owned};
}

StatusOr<Bytes> ZipReader::read(StringRef name) {
  auto found = entries.find(name);
  if (found == entries.end())
    return notFound("file not found: '" + name + "'");
  const Entry &entry = found->second;
  auto bad = [&](const Twine &what) { return withContext(corrupt(what), name + ": "); };
  if (entry.flags & 1)
    return bad("the entry is encrypted");
  if (entry.headerOffset > file.data.size() || file.data.size() - entry.headerOffset < localSize)
    return bad("the entry lies outside of the file");
  Fields header{file.data.data() + entry.headerOffset};
  if (header.u32(0) != localMagic)
    return bad("bad local header");
  uint64_t begin = entry.headerOffset + localSize + header.u16(26) + header.u16(28);
  if (begin > file.data.size() || entry.compressedSize > file.data.size() - begin)
    return bad("the entry lies outside of the file");
  Bytes result{file.data.substr(begin, entry.compressedSize), file.keeper};
  if (entry.method == 8) {
    auto inflated = inflate(result.data, entry);
    if (!inflated.ok())
      return withContext(inflated.status(), name + ": ");
    result = *std::move(inflated);
  } else if (entry.method != 0) {
    return bad("unknown compression method " + Twine(entry.method));
  } else if (entry.size != entry.compressedSize) {
    return bad("sizes of a stored entry differ");
  } else if (Status paid = spend(entry.size); !paid.ok()) { // of the checksum: entries may share their bytes
    return withContext(paid, name + ": ");
  }
  if (checksum(result.data) != entry.crc)
    return bad("CRC-32 check failed: the file is damaged; fetch or copy it again");
  return result;
}
