//===- MappedFile.cpp - A file as a span of memory ------------------------===//
#include "tsc/Support/MappedFile.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
using namespace tsc;

static Status systemError(int error, const std::string &path, const char *action) {
  std::string message = std::string("cannot ") + action + " '" + path + "': " + std::strerror(error);
  return error == ENOENT ? notFound(message) : invalidArgument(message);
}

StatusOr<Ref<MappedFile>> MappedFile::open(const std::string &path, MapAccess access) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return systemError(errno, path, "open");
  struct stat info;
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(fd);
    return invalidArgument("'" + path + "' is not a regular file");
  }
  bool writable = access == MapAccess::CopyOnWrite;
  size_t length = size_t(info.st_size);
  void *address = nullptr;
  if (length != 0) // an empty mapping is an error to mmap
    address = ::mmap(nullptr, length, PROT_READ | (writable ? PROT_WRITE : 0), MAP_PRIVATE, fd, 0);
  int error = errno;
  ::close(fd);
  if (address == MAP_FAILED)
    return systemError(error, path, "map");
  return Ref<MappedFile>::adopt(new MappedFile(address, length, writable));
}

MappedFile::~MappedFile() {
  if (length != 0)
    ::munmap(address, length);
}
