//===- SaveValue.cpp - Writing files that torch.load reads ----------------===//
//
// One pickle and a zip entry for each storage.
//
//===----------------------------------------------------------------------===//
#include "Pickler.h"
#include "tsc/Serialization/ValueFile.h"
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
    zip.add("archive/data/" + std::to_string(i),
            StringRef(static_cast<const char *>(storage->data()), storage->size()));
  zip.add("archive/version", "3\n");
  return zip.finish();
}

/// Through a file beside it: the target may be mapped by somebody who reads it.
static Status cannotWrite(const std::string &path, std::error_code error) {
  return error ? invalidArgument("cannot write '" + path + "': " + error.message()) : okStatus();
}

/// Straight into what stands there: a device or a pipe is not to be replaced by a file.
static std::error_code writeInto(const std::string &path, StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error)
    return error;
  os << bytes;
  os.close();
  error = os.error();
  os.clear_error();
  return error;
}

/// Into a file beside it that takes its place when all is written, so that nobody reads half of it.
static std::error_code writeAndReplace(const std::string &path, StringRef bytes) {
  int descriptor;
  llvm::SmallString<128> temporary;
  std::error_code error =
      llvm::sys::fs::createUniqueFile(path + ".%%%%%%.tmp", descriptor, temporary, llvm::sys::fs::OF_None,
                                      llvm::sys::fs::all_read | llvm::sys::fs::owner_write);
  if (error)
    return error;
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << bytes;
  os.close();
  error = os.error();
  os.clear_error();
  if (!error)
    error = llvm::sys::fs::rename(temporary, path);
  if (error)
    llvm::sys::fs::remove(temporary);
  return error;
}

Status tsc::saveValue(const IValue &value, const std::string &path) {
  TSC_ASSIGN_OR_RETURN(std::string bytes, saveValue(value));
  bool isSpecial = llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path);
  return cannotWrite(path, isSpecial ? writeInto(path, bytes) : writeAndReplace(path, bytes));
}
