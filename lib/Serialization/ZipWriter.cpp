//===- ZipWriter.cpp - Writing zip files ----------------------------------===//
#include "Checksum.h"
#include "tsc/Serialization/Zip.h"
#include "llvm/Support/Endian.h"
#include <cassert>

using namespace tsc;
using llvm::StringRef;

static constexpr uint64_t recordAlignment = 64, limit32 = 0xFFFFFFFF;
/// 1980-01-01, the earliest date there is.
static constexpr uint16_t fixedDate = 0x21;

template <typename T> static void put(std::string &out, T value) {
  char bytes[sizeof(T)];
  llvm::support::endian::write<T, llvm::endianness::little>(bytes, value);
  out.append(bytes, sizeof(T));
}

static uint32_t clamp32(uint64_t value) { return std::min(value, limit32); }

/// What local header and directory share, from "version needed" to the sizes.
static void putCommon(std::string &out, bool big, uint32_t crc, uint64_t size) {
  put<uint16_t>(out, big ? 45 : 20);
  put<uint16_t>(out, 0x0800); // names are UTF-8
  put<uint16_t>(out, 0);      // stored
  put<uint16_t>(out, 0);
  put<uint16_t>(out, fixedDate);
  put<uint32_t>(out, crc);
  put<uint32_t>(out, big ? limit32 : size);
  put<uint32_t>(out, big ? limit32 : size);
}

void ZipWriter::add(StringRef name, StringRef data) {
  assert(name.size() <= longestName && "the format has 16 bits for its length");
  uint32_t crc = checksum(data);
  bool big = data.size() >= limit32;
  Written entry{name.str(), out.size(), data.size(), crc};
  put<uint32_t>(out, 0x04034b50);
  putCommon(out, big, crc, data.size());
  put<uint16_t>(out, name.size());
  // The data is moved to its alignment by an extra field that readers skip.
  uint64_t begin = out.size() + 2 + name.size() + (big ? 20 : 0);
  uint64_t padding = (recordAlignment - (begin + 4) % recordAlignment) % recordAlignment;
  put<uint16_t>(out, (big ? 20 : 0) + 4 + padding);
  out += name;
  if (big) {
    put<uint16_t>(out, 1);
    put<uint16_t>(out, 16);
    put<uint64_t>(out, data.size());
    put<uint64_t>(out, data.size());
  }
  put<uint16_t>(out, 0x4246); // "FB", as PyTorch marks its padding
  put<uint16_t>(out, padding);
  out.append(padding, 'Z');
  out += data;
  written.push_back(std::move(entry));
}

void ZipWriter::reserve(uint64_t bytes) { out.reserve(out.size() + bytes); }

std::string ZipWriter::finish() {
  uint64_t directory = out.size();
  for (const Written &entry : written) {
    bool big = entry.size >= limit32 || entry.offset >= limit32;
    put<uint32_t>(out, 0x02014b50);
    put<uint16_t>(out, 45);
    putCommon(out, big, entry.crc, entry.size);
    put<uint16_t>(out, entry.name.size());
    put<uint16_t>(out, big ? 28 : 0);
    put<uint16_t>(out, 0); // comment
    put<uint16_t>(out, 0); // disk
    put<uint16_t>(out, 0);
    put<uint32_t>(out, 0);
    put<uint32_t>(out, big ? limit32 : entry.offset);
    out += entry.name;
    if (big) {
      put<uint16_t>(out, 1);
      put<uint16_t>(out, 24);
      put<uint64_t>(out, entry.size);
      put<uint64_t>(out, entry.size);
      put<uint64_t>(out, entry.offset);
    }
  }
  uint64_t end = out.size(), count = written.size();
  if (directory >= limit32 || count >= 0xFFFF) {
    put<uint32_t>(out, 0x06064b50);
    put<uint64_t>(out, 44);
    put<uint16_t>(out, 45);
    put<uint16_t>(out, 45);
    put<uint64_t>(out, 0); // this disk and the directory's
    put<uint64_t>(out, count);
    put<uint64_t>(out, count);
    put<uint64_t>(out, end - directory);
    put<uint64_t>(out, directory);
    put<uint32_t>(out, 0x07064b50);
    put<uint32_t>(out, 0);
    put<uint64_t>(out, end);
    put<uint32_t>(out, 1);
  }
  put<uint32_t>(out, 0x06054b50);
  put<uint32_t>(out, 0);
  put<uint16_t>(out, std::min<uint64_t>(count, 0xFFFF));
  put<uint16_t>(out, std::min<uint64_t>(count, 0xFFFF));
  put<uint32_t>(out, clamp32(end - directory));
  put<uint32_t>(out, clamp32(directory));
  put<uint16_t>(out, 0);
  written.clear();
  return std::move(out);
}
