//===- SaveValue.cpp - Writing files that torch.load reads ----------------===//
//
// One pickle and a zip entry for each storage.
//
//===----------------------------------------------------------------------===//
#include "tsc/Serialization/ValueFile.h"
#include "Pickler.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using llvm::StringRef;

StatusOr<std::string> tsc::saveValue(const IValue &value) {
  Pickler pickler;
  TSC_RETURN_IF_ERROR(pickler.write(value));
  ZipWriter zip;
  zip.add("archive/data.pkl", pickler.finish());
  zip.add("archive/byteorder", "little");
  for (const auto &[i, storage] : llvm::enumerate(pickler.storages()))
    zip.add("archive/data/" + std::to_string(i), StringRef(static_cast<const char *>(storage->data()), storage->size()));
  zip.add("archive/version", "3\n");
  return zip.finish();
}

/// Through a file beside it: the target may be mapped by somebody who reads it.
Status tsc::saveValue(const IValue &value, const std::string &path) {
  TSC_ASSIGN_OR_RETURN(std::string bytes, saveValue(value));
  int descriptor;
  llvm::SmallString<128> temporary;
  std::error_code error = llvm::sys::fs::createUniqueFile(path + ".%%%%%%.tmp", descriptor, temporary, llvm::sys::fs::OF_None, llvm::sys::fs::all_read | llvm::sys::fs::owner_write);
  if (error)
    return invalidArgument("cannot write '" + path + "': " + error.message());
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << bytes;
  os.close();
  error = os.error();
  os.clear_error();
  if (!error)
    error = llvm::sys::fs::rename(temporary, path);
  if (!error)
    return okStatus();
  llvm::sys::fs::remove(temporary);
  return invalidArgument("cannot write '" + path + "': " + error.message());
}
