//===- ArchiveWriter.cpp - Writing TorchScript archives -------------------===//
#include "tsc/Serialization/ArchiveWriter.h"
#include "DebugRecords.h"
#include "Pickler.h"
#include "tsc/IR/ClassType.h"
#include "tsc/Serialization/PythonPrinter.h"
#include "tsc/Serialization/Zip.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;
using llvm::StringRef;

namespace {
class ArchiveWriter {
public:
  explicit ArchiveWriter(const SaveOptions &options) : options(options) {}
  StatusOr<std::string> write(const IValue &module);

private:
  /// `<name>.pkl` and its storages `<name>/N`.
  Status addPickle(StringRef name, const IValue &value);
  /// Adds a file, or notes in `problem` that its name is too long.
  void add(const llvm::Twine &name, StringRef contents);

  const SaveOptions &options;
  Status problem;
  ZipWriter zip;
};
} // namespace

void ArchiveWriter::add(const llvm::Twine &name, StringRef contents) {
  const std::string path = (options.folder + "/" + name).str();
  if (path.size() <= ZipWriter::longestName)
    return zip.add(path, contents);
  problem = invalidArgument("a file of the archive, '" + StringRef(path).take_front(60) + "...', has a name of " +
                            llvm::Twine(path.size()) + " bytes, and a zip file can hold " +
                            llvm::Twine(ZipWriter::longestName) + ": give the folder, the extra file or the class a " +
                            "shorter name");
}

Status ArchiveWriter::addPickle(StringRef name, const IValue &value) {
  Pickler pickler(PickleObjects::Program, options.getState);
  pickler.setLocations(options.device ? options.device->str() : "cpu", options.locations);
  TSC_RETURN_IF_ERROR(pickler.write(value));
  add(name + ".pkl", pickler.finish());
  uint64_t done = 0, total = 0;
  for (const Ref<Storage> &storage : pickler.storages())
    total += storage->size();
  zip.reserve(total + 200 * pickler.storages().size());
  for (const auto &[i, storage] : llvm::enumerate(pickler.storages())) {
    TSC_ASSIGN_OR_RETURN(Ref<Storage> bytes, onHost(storage));
    add(name + "/" + llvm::Twine(i), StringRef(static_cast<const char *>(bytes->data()), bytes->size()));
    done += storage->size();
    if (options.progress)
      options.progress(done, total);
  }
  return okStatus();
}

/// Classes that occur in values alone: an element of a list of Any is of a class that no text names.
static void addTypesOf(const IValue &value, PythonPrinter &printer, llvm::DenseSet<const RefCounted *> &seen) {
  if (value.isCounted() && !value.isTensor() && !seen.insert(value.counted()).second)
    return;
  auto addAll = [&](const std::vector<IValue> &values) {
    for (const IValue &element : values)
      addTypesOf(element, printer, seen);
  };
  switch (value.getTag()) {
  case IValue::Tag::Object: printer.add(value.toObject().type); return addAll(value.toObject().slots);
  case IValue::Tag::Tuple:
    if (value.toTuple().type)
      printer.add(value.toTuple().type);
    return addAll(value.toTuple().elements);
  case IValue::Tag::GenericList: return addAll(value.toGenericList().elements);
  case IValue::Tag::Dict:
    return value.toDict().forEach([&](const IValue &key, const IValue &item) {
      addTypesOf(key, printer, seen);
      addTypesOf(item, printer, seen);
    });
  case IValue::Tag::Enum: return printer.add(value.toEnum().type);
  default: return;
  }
}

StatusOr<std::string> ArchiveWriter::write(const IValue &module) {
  if (!module.isObject())
    return invalidArgument("an archive holds a module, not a value of another kind");
  PythonPrinter printer;
  llvm::DenseSet<const RefCounted *> seen;
  addTypesOf(module, printer, seen);
  TSC_ASSIGN_OR_RETURN(PythonCode code, printer.finish());
  if (llvm::any_of(code.constants, [](const IValue &value) { return value.isObject(); })) {
    for (const IValue &constant : code.constants)
      addTypesOf(constant, printer, seen);
    TSC_ASSIGN_OR_RETURN(code, printer.finish());
  }

  TSC_RETURN_IF_ERROR(addPickle("data", module));
  for (const auto &[name, text] : code.modules) {
    std::string path = name;
    std::replace(path.begin(), path.end(), '.', '/');
    add("code/" + path + ".py", text);
    TSC_ASSIGN_OR_RETURN(std::string records, writeDebugRecords(code.origins[name]));
    if (options.debugRecords && !records.empty())
      add("code/" + path + ".py.debug_pkl", records);
  }
  TSC_RETURN_IF_ERROR(addPickle("constants", IValue(makeRef<TupleValue>(std::move(code.constants)))));
  if (!code.pythonModules.empty())
    add(".data/python", llvm::join(code.pythonModules, "\n") + "\n");
  for (const auto &[name, contents] : options.extraFiles)
    add("extra/" + name, contents);
  add("byteorder", "little");
  add("version", std::to_string(code.version) + "\n");
  TSC_RETURN_IF_ERROR(problem);
  return zip.finish();
}

StatusOr<std::string> tsc::saveArchive(const IValue &module, const SaveOptions &options) {
  return ArchiveWriter(options).write(module);
}
