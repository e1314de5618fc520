//===- LoadValue.cpp - Reading files of torch.save ------------------------===//
#include "ArchiveStorages.h"
#include "FileKinds.h"
#include "tsc/Serialization/Convert.h"
#include "tsc/Serialization/Unpickler.h"
#include "tsc/Serialization/ValueFile.h"
#include "tsc/Support/MappedFile.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"

using namespace tsc;
using llvm::StringRef;

static StatusOr<IValue> loadZip(Context &context, Bytes file) {
  StatusOr<ZipReader> opened = ZipReader::open(file);
  if (!opened.ok())
    return explainBytes(file.data, opened.status(), WantedFile::Values);
  ZipReader zip = *std::move(opened);
  TSC_ASSIGN_OR_RETURN(std::string prefix, archivePrefix(zip));
  if (zip.contains(prefix + "constants.pkl"))
    return invalidArgument("this is an archive of torch.jit.save, not a file of torch.save");
  TSC_ASSIGN_OR_RETURN(bool bigEndian, isBigEndian(zip, prefix));
  ArchiveStorages storages(zip, prefix + "data/", bigEndian);
  UnpicklerHooks hooks;
  hooks.storage = [&](StringRef key, DType dtype, uint64_t bytes, StringRef location) {
    return storages.get(key, dtype, bytes, location);
  };
  TSC_ASSIGN_OR_RETURN(Bytes pickle, zip.read(prefix + "data.pkl"));
  return Unpickler(context, std::move(hooks)).read(pickle.data);
}

namespace {
/// The older format: pickles of protocol version, machine, value and storage keys, then each storage's length and
/// bytes.
class LegacyReader {
public:
  LegacyReader(Context &context, StringRef rest) : context(context), rest(rest), budget(rest.size()) {}
  StatusOr<IValue> run();

private:
  struct Pending {
    Ref<Storage> storage;
    DType dtype;
  };
  StatusOr<IValue> next(const UnpicklerHooks &hooks);
  Status fill(StringRef key);

  Context &context;
  StringRef rest;
  uint64_t budget; ///< All storages together fit in the file.
  llvm::StringMap<Pending> storages;
};
} // namespace

StatusOr<IValue> LegacyReader::next(const UnpicklerHooks &hooks) {
  size_t used = 0;
  TSC_ASSIGN_OR_RETURN(IValue value, Unpickler(context, hooks).read(rest, &used));
  rest = rest.drop_front(used);
  return value;
}

Status LegacyReader::fill(StringRef key) {
  if (rest.size() < 8)
    return dataLoss("the file ends before its storages do");
  uint64_t count = llvm::support::endian::read64le(rest.data());
  rest = rest.drop_front(8);
  auto found = storages.find(key);
  if (found == storages.end())
    return dataLoss("storage '" + key + "' belongs to no tensor");
  const Pending &pending = found->second;
  const size_t item = itemSize(pending.dtype);
  if (count > rest.size() / item || count * item < pending.storage->size())
    return dataLoss("storage '" + key + "' has not the size its pickle says");
  std::memcpy(pending.storage->mutableData(), rest.data(), pending.storage->size());
  if (pending.dtype == DType::Bool)
    tidyBools(pending.storage->mutableData(), pending.storage->size());
  rest = rest.drop_front(count * item);
  return okStatus();
}

StatusOr<IValue> LegacyReader::run() {
  UnpicklerHooks hooks;
  hooks.storage = [&](StringRef key, DType dtype, uint64_t bytes, StringRef) -> StatusOr<Ref<Storage>> {
    auto [entry, isNew] = storages.try_emplace(key);
    if (!isNew) {
      if ((dtype == DType::Bool) != (entry->second.dtype == DType::Bool))
        return unimplemented("storage '" + key + "' is shared by bools and by numbers");
      return entry->second.storage;
    }
    entry->second.dtype = dtype;
    if (bytes > budget)
      return dataLoss("storages larger than the file");
    budget -= bytes;
    TSC_ASSIGN_OR_RETURN(entry->second.storage, Storage::allocate(bytes));
    std::memset(entry->second.storage->mutableData(), 0, bytes);
    return entry->second.storage;
  };
  std::vector<std::function<Status()>> looks;
  hooks.storagesAreFilled = false;
  hooks.whenFilled = [&](std::function<Status()> look) { looks.push_back(std::move(look)); };
  rest = rest.drop_front(legacyMagic.size());
  TSC_RETURN_IF_ERROR(next(hooks).status()); // protocol version
  TSC_ASSIGN_OR_RETURN(IValue machine, next(hooks));
  if (machine.isDict())
    if (const IValue *little = machine.toDict().find(IValue("little_endian"));
        little && little->isBool() && !little->toBool())
      return unimplemented(
          "the file has the format of torch.save before PyTorch 1.6 and was written on a big-endian machine");
  TSC_ASSIGN_OR_RETURN(IValue value, next(hooks));
  TSC_ASSIGN_OR_RETURN(IValue keys, next(hooks));
  if (!keys.isGenericList())
    return dataLoss("expected a list of storages");
  for (const IValue &key : keys.toGenericList().elements) {
    if (!key.isString())
      return dataLoss("expected a list of storages");
    TSC_RETURN_IF_ERROR(fill(key.toString()));
  }
  for (const std::function<Status()> &look : looks)
    TSC_RETURN_IF_ERROR(look());
  return value;
}

StatusOr<IValue> tsc::loadValue(Context &context, Bytes file) {
  StringRef bytes = file.data;
  auto value = bytes.starts_with(legacyMagic) ? LegacyReader(context, bytes).run() : loadZip(context, std::move(file));
  TSC_RETURN_IF_ERROR(value.status());
  return inferTypes(*value, context);
}

StatusOr<IValue> tsc::loadValue(Context &context, const std::string &path) {
  TSC_ASSIGN_OR_RETURN(Ref<MappedFile> file, MappedFile::open(path));
  StringRef bytes = file->bytes();
  auto value = loadValue(context, Bytes{bytes, std::move(file)});
  return value.ok() ? std::move(value) : withContext(value.status(), path + ": ");
}
