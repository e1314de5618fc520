//===- SaveValue.cpp - Writing files that torch.load reads ----------------===//
//
// One pickle and a zip entry for each storage.
//
//===----------------------------------------------------------------------===//
#include "Pickler.h"
#include "tsc/Serialization/ValueFile.h"
#include "tsc/Support/ReplaceFile.h"
#include "tsc/Tensor/DeviceCopy.h"

using namespace tsc;
using llvm::StringRef;

StatusOr<std::string> tsc::saveValue(const IValue &value) {
  Pickler pickler;
  TSC_RETURN_IF_ERROR(pickler.write(value));
  ZipWriter zip;
  zip.add("archive/data.pkl", pickler.finish());
  zip.add("archive/byteorder", "little");
  for (const auto &[i, storage] : llvm::enumerate(pickler.storages())) {
    TSC_ASSIGN_OR_RETURN(Ref<Storage> bytes, onHost(storage));
    zip.add("archive/data/" + std::to_string(i), StringRef(static_cast<const char *>(bytes->data()), bytes->size()));
  }
  zip.add("archive/version", "3\n");
  return zip.finish();
}

Status tsc::saveValue(const IValue &value, const std::string &path) {
  TSC_ASSIGN_OR_RETURN(std::string bytes, saveValue(value));
  return replaceFile(path, bytes);
}
