//===- ArchiveStorages.cpp - Storages kept in a zip file ------------------===//
#include "ArchiveStorages.h"
#include "tsc/Tensor/Bools.h"

using namespace tsc;
using llvm::StringRef;

StatusOr<std::string> tsc::archivePrefix(const ZipReader &zip) {
  for (const std::string &name : zip.names()) {
    size_t slash = name.find('/');
    if (slash == std::string::npos)
      break;
    std::string prefix = name.substr(0, slash + 1);
    if (zip.contains(prefix + "data.pkl") || zip.contains(prefix + "model.json"))
      return prefix;
  }
  return dataLoss("not a file of torch.save or torch.jit.save: it has no data.pkl");
}

StatusOr<bool> tsc::isBigEndian(ZipReader &zip, StringRef prefix) {
  assert(prefix.ends_with("/") && "the name of an entry follows its folder's");
  std::string name = (prefix + "byteorder").str();
  if (!zip.contains(name))
    return false;
  TSC_ASSIGN_OR_RETURN(Bytes order, zip.read(name));
  if (order.data.trim() == "little")
    return false;
  if (order.data.trim() == "big")
    return true;
  return dataLoss("unknown byte order '" + order.data.trim() + "'");
}

/// Few bytes of a file must not ask for all of memory.
static constexpr uint64_t maxMetaBytes = uint64_t(1) << 29;

/// A copy with the bytes of every number turned round.
static StatusOr<Ref<Storage>> copySwapped(StringRef data, DType dtype) {
  size_t size = isComplex(dtype) ? itemSize(dtype) / 2 : itemSize(dtype);
  TSC_ASSIGN_OR_RETURN(Ref<Storage> storage, Storage::allocate(data.size()));
  char *out = static_cast<char *>(storage->mutableData());
  std::memcpy(out, data.data(), data.size());
  for (size_t at = 0; at + size <= data.size(); at += size)
    std::reverse(out + at, out + at + size);
  return storage;
}

void tsc::tidyBools(void *bytes, size_t count) {
  auto *each = static_cast<uint8_t *>(bytes);
  for (size_t i = 0; i != count; ++i)
    each[i] = each[i] != 0;
}

StatusOr<Ref<Storage>> ArchiveStorages::get(StringRef key, DType dtype, uint64_t byteCount, StringRef location) {
  if (Ref<Storage> known = storagesOf(dtype).lookup(key))
    return known;
  if (location == "meta") {
    metaBytes += std::min(byteCount, maxMetaBytes + 1);
    if (metaBytes > maxMetaBytes)
      return resourceExhausted("storage '" + key + "' of the meta device, which is read as zeros, has " +
                               llvm::Twine(byteCount) + " bytes, and storages of that device more than " +
                               llvm::Twine(maxMetaBytes) + " together");
    TSC_ASSIGN_OR_RETURN(Ref<Storage> zeros, Storage::allocate(byteCount));
    std::memset(zeros->mutableData(), 0, byteCount);
    return storagesOf(dtype)[key] = std::move(zeros);
  }
  TSC_ASSIGN_OR_RETURN(Bytes bytes, zip.read(folder + key.str()));
  if (bytes.data.size() < byteCount)
    return dataLoss("storage '" + key + "' has " + llvm::Twine(bytes.data.size()) + " bytes, but its pickle says " +
                    llvm::Twine(byteCount));
  return make(key, dtype, bytes, byteCount);
}

StatusOr<Ref<Storage>> ArchiveStorages::get(StringRef key, DType dtype) {
  if (Ref<Storage> known = storagesOf(dtype).lookup(key))
    return known;
  TSC_ASSIGN_OR_RETURN(Bytes bytes, zip.read(folder + key.str()));
  return make(key, dtype, bytes, bytes.data.size());
}

/// The first bytes of an entry as the storage of that name.
StatusOr<Ref<Storage>> ArchiveStorages::make(StringRef key, DType dtype, const Bytes &bytes, uint64_t byteCount) {
  StringRef data = bytes.data.take_front(byteCount);
  bool aligned = reinterpret_cast<uintptr_t>(data.data()) % itemSize(dtype) == 0;
  Ref<Storage> storage;
  if (bigEndian) {
    TSC_ASSIGN_OR_RETURN(storage, copySwapped(data, dtype));
  } else if (aligned && bytes.keeper && (dtype != DType::Bool || areBools(data.data(), data.size()))) {
    storage = Storage::borrow(data.data(), data.size(), bytes.keeper);
  } else {
    TSC_ASSIGN_OR_RETURN(storage, Storage::allocate(data.size()));
    std::memcpy(storage->mutableData(), data.data(), data.size());
  }
  if (dtype == DType::Bool && !areBools(storage->data(), storage->size()))
    tidyBools(storage->mutableData(), storage->size());
  storagesOf(dtype)[key] = storage;
  return storage;
}
