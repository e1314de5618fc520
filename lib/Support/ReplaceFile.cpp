//===- ReplaceFile.cpp - Writing a file as a whole ------------------------===//
#include "tsc/Support/ReplaceFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;

/// Straight into what stands there: a device or a pipe is not to be replaced by a file.
static std::error_code writeInto(const std::string &path, llvm::StringRef bytes) {
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

static std::error_code writeAndReplace(const std::string &path, llvm::StringRef bytes) {
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

Status tsc::replaceFile(const std::string &path, llvm::StringRef bytes) {
  bool isSpecial = llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path);
  std::error_code error = isSpecial ? writeInto(path, bytes) : writeAndReplace(path, bytes);
  return error ? invalidArgument("cannot write '" + llvm::Twine(path) + "': " + error.message()) : okStatus();
}
