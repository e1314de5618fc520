//===- TemporaryFile.cpp - A file that is not whole yet -------------------===//
#include "tsc/Support/TemporaryFile.h"
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

using namespace tsc;

static std::error_code lastError() { return {errno, std::generic_category()}; }

/// Whether nobody else has the lock. Where the file system knows no locks, nobody has one, and nobody removes files.
static bool lockAsWriter(int file) {
  while (flock(file, LOCK_EX | LOCK_NB) != 0)
    if (errno != EINTR)
      return errno != EWOULDBLOCK;
  return true;
}

llvm::ErrorOr<TemporaryFile> TemporaryFile::create(int folder, std::string name, mode_t mode) {
  Descriptor file(::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!file)
    return lastError();
  // Before it is locked, another writer may take it for one that was left behind. Then it is that one's to remove: only
  // who has the lock knows that the name is still this file's.
  struct stat status;
  if (!lockAsWriter(file.get()) || fstat(file.get(), &status) != 0 || status.st_nlink == 0)
    return std::make_error_code(std::errc::file_exists);
  return TemporaryFile(folder, std::move(name), std::move(file));
}

TemporaryFile::~TemporaryFile() {
  if (file)
    ::unlinkat(folder, name.c_str(), 0);
}

std::error_code TemporaryFile::write(llvm::StringRef bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR)
      return lastError();
    bytes = bytes.drop_front(written < 0 ? 0 : static_cast<size_t>(written));
  }
  // Closing any descriptor of the file asks a network's file system; this one stays open, with the lock.
  const int copy = ::fcntl(file.get(), F_DUPFD_CLOEXEC, 0);
  return copy < 0 || ::close(copy) != 0 ? lastError() : std::error_code();
}

std::error_code TemporaryFile::replace(const std::string &finalName) {
  if (::renameat(folder, name.c_str(), folder, finalName.c_str()) != 0)
    return lastError();
  file = Descriptor();
  return {};
}

std::error_code TemporaryFile::renameToNew(const std::string &finalName) {
  if (::renameat2(folder, name.c_str(), folder, finalName.c_str(), RENAME_NOREPLACE) != 0)
    return errno == EEXIST ? lastError() : replace(finalName);
  file = Descriptor();
  return {};
}

bool tsc::removeIfAbandoned(int folder, const std::string &name) {
  struct stat named, status;
  auto isOwn = [](const struct stat &s) { return S_ISREG(s.st_mode) && s.st_uid == geteuid() && s.st_nlink == 1; };
  // Nothing is opened but regular files: what opening does to others is up to them.
  if (::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0 || !isOwn(named))
    return false;
  const Descriptor file(::openat(folder, name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file || flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    return false;
  // Its writer may have finished meanwhile: then the file has its final name, or the name is another file's.
  if (fstat(file.get(), &status) != 0 || !isOwn(status) ||
      ::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0 || named.st_dev != status.st_dev ||
      named.st_ino != status.st_ino)
    return false;
  return ::unlinkat(folder, name.c_str(), 0) == 0;
}
