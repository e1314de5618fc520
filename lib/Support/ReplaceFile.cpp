//===- ReplaceFile.cpp - Writing a file as a whole ------------------------===//
//
// The file beside `NAME` is `NAME.tsc-N.tmp`, with the first number N that no other
// writer has. So those that killed writers left are found without listing the folder.
//
//===----------------------------------------------------------------------===//
#include "tsc/Support/ReplaceFile.h"
#include "tsc/Support/TemporaryFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sys/stat.h>

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

static std::string temporaryName(llvm::StringRef name, unsigned number) {
  const std::string ending = ".tsc-" + std::to_string(number) + ".tmp";
  return name.take_front(NAME_MAX - ending.size()).str() + ending;
}

static constexpr unsigned mostWriters = 1024; // of one file at once

/// Removes what killed writers of `name` left, with numbers up to some beyond the last that there is: of writers beside
/// each other, the first may have finished.
static void sweep(int folder, llvm::StringRef name) {
  constexpr unsigned gap = 16;
  struct stat status;
  for (unsigned number = 0, end = gap; number != end; ++number) {
    const std::string temporary = temporaryName(name, number);
    if (::fstatat(folder, temporary.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    removeIfAbandoned(folder, temporary);
    end = std::min(number + 1 + gap, mostWriters);
  }
}

static std::error_code writeAndReplace(const std::string &path, llvm::StringRef bytes) {
  const std::string parent = llvm::sys::path::parent_path(path).str(), name = llvm::sys::path::filename(path).str();
  // A folder that may be written to may be one that cannot be read.
  const Descriptor folder(::open(parent.empty() ? "." : parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder)
    return {errno, std::generic_category()};
  sweep(folder.get(), name);
  std::error_code error;
  for (unsigned number = 0; number != mostWriters; ++number) {
    auto file = TemporaryFile::create(folder.get(), temporaryName(name, number), S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
    error = file.getError();
    if (error == std::errc::file_exists)
      continue;
    if (!error)
      error = file->write(bytes);
    if (!error)
      error = file->replace(name);
    break;
  }
  return error;
}

Status tsc::replaceFile(const std::string &path, llvm::StringRef bytes) {
  bool isSpecial = llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path);
  std::error_code error = isSpecial ? writeInto(path, bytes) : writeAndReplace(path, bytes);
  return error ? invalidArgument("cannot write '" + llvm::Twine(path) + "': " + error.message()) : okStatus();
}
