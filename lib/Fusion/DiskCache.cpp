//===- DiskCache.cpp - Kernels that outlive the process -------------------===//
//
//   magic, hash of the rest
//   number of kernels; for each: length and text of its nest, length and symbol
//   length and bytes of the object
//
// Lengths are 64 bits, in the machine's byte order. A file that holds several
// kernels has one name (a hard link) for each.
//
//===----------------------------------------------------------------------===//
#include "tsc/Fusion/DiskCache.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cstring>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tsc;
using namespace tsc::fuser;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static constexpr StringRef magic = "tsc kernel cache 1\n";
static constexpr StringRef temporaryPrefix = "new-", temporaryDigits = "%%%%%%%%%%%%"; // as createUniqueFile has them
static constexpr uint64_t maxFileBytes = uint64_t{64} << 20;

std::string fuser::defaultCacheFolder() {
  llvm::SmallString<128> path;
  // The XDG Base Directory Specification ignores what is not absolute.
  if (!llvm::sys::path::cache_directory(path) || !llvm::sys::path::is_absolute(path)) {
    if (!llvm::sys::path::home_directory(path) || !llvm::sys::path::is_absolute(path))
      return "";
    llvm::sys::path::append(path, ".cache");
  }
  llvm::sys::path::append(path, "tsc", "kernels");
  return std::string(path);
}

/// The build ID (the note of type NT_GNU_BUILD_ID, made by the linker) of an object that is loaded; empty without one.
static StringRef buildIdOf(const dl_phdr_info &object) {
  for (const ElfW(Phdr) & header : llvm::ArrayRef(object.dlpi_phdr, object.dlpi_phnum)) {
    if (header.p_type != PT_NOTE)
      continue;
    StringRef notes(reinterpret_cast<const char *>(object.dlpi_addr + header.p_vaddr), header.p_memsz);
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) note;
      std::memcpy(&note, notes.data(), sizeof note);
      size_t name = sizeof note, value = name + llvm::alignTo(note.n_namesz, 4);
      if (note.n_type == NT_GNU_BUILD_ID && notes.substr(name, note.n_namesz) == StringRef("GNU", 4))
        return notes.substr(value, note.n_descsz);
      notes = notes.drop_front(std::min(notes.size(), value + llvm::alignTo(note.n_descsz, 4)));
    }
  }
  return "";
}

/// What tells the program or library that this code is in from others. Empty: nothing does.
static std::string identityOfCode() {
  struct Search {
    uintptr_t code;
    std::string found;
  } search{reinterpret_cast<uintptr_t>(&identityOfCode), ""};
  dl_iterate_phdr(
      [](dl_phdr_info *object, size_t, void *data) {
        auto &search = *static_cast<Search *>(data);
        bool isHere = llvm::any_of(llvm::ArrayRef(object->dlpi_phdr, object->dlpi_phnum), [&](const auto &header) {
          return header.p_type == PT_LOAD && search.code - (object->dlpi_addr + header.p_vaddr) < header.p_memsz;
        });
        if (isHere)
          search.found = llvm::toHex(buildIdOf(*object));
        return static_cast<int>(isHere);
      },
      &search);
  return search.found;
}

/// Makes the folder where it is missing; whether it is the user's alone.
static bool isPrivateFolder(const std::string &folder) {
  if (folder.empty() || fs::create_directories(folder, true, fs::owner_all))
    return false;
  struct stat status;
  return stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

DiskCache::DiskCache(std::string wanted, const std::string &processor, uint64_t maxBytes) : maxBytes(maxBytes) {
  // Kernels call routines of this build by their places in a table.
  std::string code = identityOfCode();
  identity = processor + "\n" + code + "\n";
  if (!code.empty() && isPrivateFolder(wanted))
    folder = std::move(wanted);
}

std::string DiskCache::pathOf(StringRef nest) const {
  std::string key = identity + nest.str();
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(key));
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, llvm::utohexstr(hash.high64, true, 16) + llvm::utohexstr(hash.low64, true, 16));
  return std::string(path);
}

namespace {
/// Takes a file apart; after the first thing that does not fit, everything is empty.
class Reader {
public:
  explicit Reader(StringRef bytes) : rest(bytes) {}
  uint64_t number() {
    uint64_t value = 0;
    StringRef bytes = take(sizeof value);
    if (bytes.size() == sizeof value)
      std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  StringRef text() { return take(number()); }
  bool isAtEnd() const { return !failed && rest.empty(); }
  bool hasFailed() const { return failed; }
  StringRef take(uint64_t count) {
    failed |= count > rest.size();
    StringRef taken = failed ? StringRef() : rest.take_front(count);
    rest = rest.drop_front(taken.size());
    return taken;
  }
  StringRef remaining() const { return rest; }

private:
  StringRef rest;
  bool failed = false;
};
} // namespace

static std::optional<StoredKernels> parse(StringRef file) {
  Reader reader(file);
  if (reader.take(magic.size()) != magic || reader.number() != llvm::xxh3_64bits(reader.remaining()))
    return std::nullopt;
  StoredKernels kernels;
  for (uint64_t count = reader.number(); count != 0 && !reader.hasFailed(); --count) {
    kernels.nests.push_back(reader.text().str());
    kernels.object.symbols.push_back(reader.text().str());
  }
  kernels.object.bytes = reader.text().str();
  return reader.isAtEnd() ? std::optional(std::move(kernels)) : std::nullopt;
}

std::optional<StoredKernels> DiskCache::load(StringRef nest) {
  if (folder.empty())
    return std::nullopt;
  std::string path = pathOf(nest);
  int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0)
    return std::nullopt;
  auto closer = llvm::make_scope_exit([&] { ::close(descriptor); });
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<uint64_t>(status.st_size) > maxFileBytes)
    return std::nullopt; // what is no file may have no end
  // Read, not mapped: a file that another process cuts short must not hurt.
  auto file = llvm::MemoryBuffer::getOpenFile(descriptor, path, static_cast<uint64_t>(status.st_size), false,
                                              /*IsVolatile=*/true);
  if (!file)
    return std::nullopt;
  auto kernels = parse((*file)->getBuffer());
  if (!kernels || !llvm::is_contained(kernels->nests, nest)) {
    fs::remove(path);
    return std::nullopt;
  }
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0); // used now
  return kernels;
}

static std::string serialized(const StoredKernels &kernels) {
  std::string body;
  auto number = [&](uint64_t value) { body.append(reinterpret_cast<const char *>(&value), sizeof value); };
  auto text = [&](StringRef value) {
    number(value.size());
    body += value;
  };
  number(kernels.nests.size());
  for (size_t i = 0; i != kernels.nests.size(); ++i) {
    text(kernels.nests[i]);
    text(kernels.object.symbols[i]);
  }
  text(kernels.object.bytes);
  uint64_t hash = llvm::xxh3_64bits(body);
  return magic.str() + std::string(reinterpret_cast<const char *>(&hash), sizeof hash) + body;
}

void DiskCache::store(const StoredKernels &kernels) {
  if (folder.empty())
    return;
  std::string bytes = serialized(kernels);
  if (bytes.size() > maxFileBytes)
    return;
  int descriptor;
  llvm::SmallString<128> temporary;
  if (fs::createUniqueFile(folder + "/" + temporaryPrefix + temporaryDigits, descriptor, temporary, fs::OF_None,
                           fs::owner_read | fs::owner_write))
    return;
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << bytes;
  os.close();
  if (os.has_error()) {
    os.clear_error();
    fs::remove(temporary);
    return;
  }
  for (StringRef nest : llvm::ArrayRef(kernels.nests).drop_front())
    (void)::link(temporary.c_str(), pathOf(nest).c_str()); // one that is there is as good
  if (fs::rename(temporary, pathOf(kernels.nests.front())))
    fs::remove(temporary);
  bytesSinceScan += bytes.size();
  if (!scanned || bytesSinceScan > maxBytes / 16)
    removeOldest();
}

/// Whether a file of this name is the cache's.
static bool isOwnName(StringRef name) {
  size_t digits = name.consume_front(temporaryPrefix) ? temporaryDigits.size() : 32;
  return name.size() == digits && llvm::all_of(name, llvm::isHexDigit);
}

void DiskCache::removeOldest() {
  scanned = true;
  bytesSinceScan = 0;
  struct Entry {
    llvm::sys::TimePoint<> used;
    uint64_t bytes;
    std::string path;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  for (fs::directory_iterator file(folder, error, /*follow_symlinks=*/false), end; file != end && !error;
       file.increment(error))
    if (auto status = file->status(); status && isOwnName(llvm::sys::path::filename(file->path()))) {
      entries.push_back({status->getLastModificationTime(), status->getSize(), file->path()});
      total += status->getSize();
    }
  if (total <= maxBytes)
    return;
  llvm::sort(entries, [](const Entry &a, const Entry &b) { return a.used < b.used; });
  for (const Entry &entry : entries) {
    if (total <= maxBytes / 4 * 3)
      return;
    fs::remove(entry.path);
    total -= entry.bytes;
  }
}
