//===- FilesOfTests.h - Folders and files that tests make -------*- C++ -*-===//
#ifndef TSC_UNITTESTS_SUPPORT_FILESOFTESTS_H
#define TSC_UNITTESTS_SUPPORT_FILESOFTESTS_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace tsc::test {

/// A folder that goes with the test, for its user alone.
class ScratchFolder {
public:
  ScratchFolder() {
    REQUIRE(!llvm::sys::fs::createUniqueDirectory("tsc-test", folder));
    REQUIRE(!llvm::sys::fs::setPermissions(folder, llvm::sys::fs::owner_all)); // whatever the umask
  }
  ~ScratchFolder() { (void)llvm::sys::fs::remove_directories(folder); }
  ScratchFolder(const ScratchFolder &) = delete;
  std::string str() const { return std::string(folder); }
  std::string operator/(llvm::StringRef name) const { return str() + "/" + name.str(); }
  /// The names of what is in it, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator file(folder, error, false), end; file != end && !error;
         file.increment(error))
      found.push_back(llvm::sys::path::filename(file->path()).str());
    std::sort(found.begin(), found.end());
    return found;
  }

private:
  llvm::SmallString<128> folder;
};

inline void writeFile(const std::string &path, llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << text;
  REQUIRE(!error);
}
inline std::string readFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : "";
}

} // namespace tsc::test

#endif
