//===- DiskCache.cpp - Kernels that outlive the process -------------------===//
//
//   magic, tag of the identity and the rest under the folder's key
//   number of kernels; for each: length and text of its nest, length and symbol
//   length and bytes of the object
//
// Lengths are 64 bits, in the machine's byte order. A file that holds several
// kernels has the name of the first; under the names of the others are files
// without kernels, whose object is that name.
//
//===----------------------------------------------------------------------===//
#include "tsc/Support/DiskCache.h"
#include "tsc/Support/ForkSafety.h"
#include "tsc/Support/KeyedHash.h"
#include "tsc/Support/PrivateFolder.h"
#include "tsc/Support/TemporaryFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <cstring>
#include <link.h>
#include <mutex>
#include <sys/auxv.h>
#include <sys/random.h>

using namespace tsc;
using llvm::StringRef;

static constexpr StringRef magic = "tsc kernel cache 2\n";
static constexpr StringRef temporaryPrefix = "new-";
static constexpr size_t temporaryBytes = 6, nameDigits = 32;
static constexpr uint64_t maxFileBytes = uint64_t{64} << 20;

std::string tsc::defaultCacheFolder() {
  if (getauxval(AT_SECURE))
    return "";
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

//===----------------------------------------------------------------------===//
// The folder and its key
//===----------------------------------------------------------------------===//

struct DiskCache::Folder {
  PrivateFolder files;
  HashKey key;
};

/// A name that no other writer has; none where the system has no random bytes yet.
static std::optional<std::string> temporaryName() {
  uint8_t bytes[temporaryBytes];
  if (getrandom(bytes, sizeof bytes, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof bytes))
    return std::nullopt;
  return (temporaryPrefix + llvm::toHex(bytes, /*LowerCase=*/true)).str();
}

/// Writes a file that is the user's alone and gives it its name by `rename`. Whether that went well.
static bool writeFile(const PrivateFolder &folder, StringRef bytes,
                      llvm::function_ref<std::error_code(TemporaryFile &)> rename) {
  for (unsigned attempt = 0; attempt != 8; ++attempt) { // another process may take a file for one that was left
    const std::optional<std::string> name = temporaryName();
    if (!name)
      return false;
    auto file = TemporaryFile::create(folder.descriptor(), *name, S_IRUSR | S_IWUSR);
    if (file.getError() != std::errc::file_exists)
      return file && !file->write(bytes) && !rename(*file);
  }
  return false;
}

/// The key of the folder, made where there is none. One that others may have read, or that is damaged, is replaced: the
/// files that were written under it are worth nothing then.
static std::optional<HashKey> keyOf(const PrivateFolder &folder) {
  const std::string name = "key";
  for (unsigned attempt = 0; attempt != 3; ++attempt) { // another process may be making it
    HashKey key;
    StatusOr<std::string> bytes = folder.read(name, /*forbidden=*/S_IRWXG | S_IRWXO, key.size());
    if (bytes.ok() && bytes->size() == key.size()) {
      std::memcpy(key.data(), bytes->data(), key.size());
      return key;
    }
    const bool isMissing = bytes.status().code() == StatusCode::NotFound;
    const std::optional<HashKey> made = makeHashKey();
    if (!made)
      return std::nullopt;
    writeFile(folder, StringRef(reinterpret_cast<const char *>(made->data()), made->size()),
              [&](TemporaryFile &file) { return isMissing ? file.renameToNew(name) : file.replace(name); });
  }
  return std::nullopt;
}

/// The folder, which all caches of the process share: each would hold a descriptor. Files are opened without the lock,
/// for which forks wait: a file system may take any time.
StatusOr<std::shared_ptr<const DiskCache::Folder>> DiskCache::open(const std::string &path) {
  static std::mutex &lock = makeForkSafeMutex();
  static auto &opened = *new llvm::StringMap<std::weak_ptr<const Folder>>; // threads may outlive main
  auto find = [&] {
    std::lock_guard<std::mutex> guard(lock);
    return opened.lookup(path).lock();
  };
  auto isThere = [](const std::shared_ptr<const Folder> &folder) { // nobody has removed it
    struct stat status;
    return folder && fstat(folder->files.descriptor(), &status) == 0 && status.st_nlink != 0;
  };
  const std::shared_ptr<const Folder> known = find();
  if (isThere(known))
    return known;
  TSC_ASSIGN_OR_RETURN(PrivateFolder files, PrivateFolder::open(path));
  const std::optional<HashKey> key = keyOf(files);
  if (!key)
    return notFound("there is no key in '" + path + "'");
  auto made = std::make_shared<const Folder>(Folder{std::move(files), *key});
  std::lock_guard<std::mutex> guard(lock);
  std::weak_ptr<const Folder> &place = opened[path];
  if (auto other = place.lock(); other && other != known) // another thread was faster
    return other;
  place = made;
  return made;
}

DiskCache::DiskCache(const std::string &wanted, const std::string &processor, uint64_t maxBytes) : maxBytes(maxBytes) {
  // Kernels call routines of this build by their places in a table.
  std::string code = identityOfCode();
  identity = processor + "\n" + code + "\n";
  if (code.empty() || wanted.empty())
    return;
  StatusOr<std::shared_ptr<const Folder>> found = open(wanted);
  if (found.ok())
    folder = *std::move(found);
  else if (found.status().code() == StatusCode::PermissionDenied)
    refused = withContext(found.status(), "kernels are not kept in '" + wanted + "', where others could put code: ");
}

DiskCache::~DiskCache() = default;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::string DiskCache::nameOf(StringRef nest) const {
  std::string key = identity + nest.str();
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(key));
  return llvm::utohexstr(hash.high64, true, nameDigits / 2) + llvm::utohexstr(hash.low64, true, nameDigits / 2);
}

/// Whether a file of this name holds kernels.
static bool isEntryName(StringRef name) { return name.size() == nameDigits && llvm::all_of(name, llvm::isHexDigit); }
static bool isTemporaryName(StringRef name) {
  return name.consume_front(temporaryPrefix) && name.size() == 2 * temporaryBytes &&
         llvm::all_of(name, llvm::isHexDigit);
}

static void appendNumber(std::string &to, uint64_t value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof value);
}
static void appendText(std::string &to, StringRef value) {
  appendNumber(to, value.size());
  to += value;
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

static std::optional<StoredKernels> parse(StringRef body) {
  Reader reader(body);
  StoredKernels kernels;
  for (uint64_t count = reader.number(); count != 0 && !reader.hasFailed(); --count) {
    kernels.nests.push_back(reader.text().str());
    kernels.object.symbols.push_back(reader.text().str());
  }
  kernels.object.bytes = reader.text().str();
  return reader.isAtEnd() ? std::optional(std::move(kernels)) : std::nullopt;
}

static std::string serialized(const StoredKernels &kernels) {
  std::string body;
  appendNumber(body, kernels.nests.size());
  for (auto [nest, symbol] : llvm::zip(kernels.nests, kernels.object.symbols)) {
    appendText(body, nest);
    appendText(body, symbol);
  }
  appendText(body, kernels.object.bytes);
  return body;
}

/// Returns the head of a file with this body: the magic, and a tag under the folder's key over the magic, the identity
/// and the body. Other builds have other identities, so that their files' tags do not fit.
std::string DiskCache::sealed(StringRef body) const {
  std::string whose;
  appendText(whose, identity);
  const MessageTag tag = keyedHash(folder->key, {magic, whose, body});
  return magic.str() + std::string(tag.begin(), tag.end());
}

/// What is in a file; one that is damaged, or that the user did not write, is removed.
std::optional<StoredKernels> DiskCache::read(const std::string &name) const {
  StatusOr<std::string> bytes = folder->files.read(name, /*forbidden=*/S_IWGRP | S_IWOTH, maxFileBytes);
  if (bytes.status().code() == StatusCode::NotFound)
    return std::nullopt;
  constexpr size_t headBytes = magic.size() + std::tuple_size_v<MessageTag>;
  if (bytes.ok() && bytes->size() >= headBytes) {
    const StringRef file(*bytes), head = file.take_front(headBytes), body = file.drop_front(headBytes);
    MessageTag tag, expected;
    const std::string seal = sealed(body);
    std::memcpy(tag.data(), head.data() + magic.size(), tag.size());
    std::memcpy(expected.data(), seal.data() + magic.size(), expected.size());
    if (head.starts_with(magic) && isSameTag(tag, expected))
      if (auto kernels = parse(body))
        return kernels;
  }
  folder->files.remove(name);
  return std::nullopt;
}

std::optional<StoredKernels> DiskCache::load(StringRef nest) {
  if (!folder)
    return std::nullopt;
  const std::string name = nameOf(nest);
  auto kernels = read(name);
  if (kernels && kernels->nests.empty() && isEntryName(kernels->object.bytes))
    kernels = read(kernels->object.bytes);
  if (kernels && llvm::is_contained(kernels->nests, nest))
    return kernels;
  if (kernels)
    folder->files.remove(name);
  return std::nullopt;
}

void DiskCache::write(const std::string &name, const StoredKernels &kernels) {
  const std::string body = serialized(kernels), bytes = sealed(body) + body;
  if (bytes.size() <= maxFileBytes &&
      writeFile(folder->files, bytes, [&](TemporaryFile &file) { return file.replace(name); }))
    bytesSinceScan += bytes.size();
}

void DiskCache::store(const StoredKernels &kernels) {
  assert(!kernels.nests.empty() && kernels.nests.size() == kernels.object.symbols.size() &&
         "some kernels, each with its symbol");
  if (!folder)
    return;
  const std::string name = nameOf(kernels.nests.front());
  write(name, kernels);
  for (StringRef nest : llvm::ArrayRef(kernels.nests).drop_front())
    write(nameOf(nest), {{}, {{}, name}});
  if (!scanned || bytesSinceScan > maxBytes / 16)
    removeOldest();
}

/// Also sweeps what killed writers left.
void DiskCache::removeOldest() {
  scanned = true;
  bytesSinceScan = 0;
  struct Entry {
    timespec used;
    uint64_t bytes;
    std::string name;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  folder->files.forEachFile([&](const std::string &name, const struct stat &status) {
    if (isTemporaryName(name))
      removeIfAbandoned(folder->files.descriptor(), name);
    if (!isEntryName(name))
      return;
    entries.push_back({status.st_mtim, static_cast<uint64_t>(status.st_size), name});
    total += entries.back().bytes;
  });
  if (total <= maxBytes)
    return;
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const Entry &entry : entries) {
    if (total <= maxBytes / 4 * 3)
      return;
    folder->files.remove(entry.name);
    total -= entry.bytes;
  }
}
