//===- PrivateFolder.cpp - A folder that nobody else can change -----------===//
#include "tsc/Support/PrivateFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <climits>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>

using namespace tsc;

static constexpr mode_t writableByOthers = S_IWGRP | S_IWOTH;

static Status unavailable(llvm::StringRef path) {
  return notFound("'" + path + "' cannot be used: " + std::strerror(errno));
}
static Status unsafe(llvm::StringRef path, llvm::StringRef why) {
  return permissionDenied(("'" + path + "' " + why).str());
}

namespace {
/// Follows a path as the system does, and looks at all that it goes through.
class Walk {
public:
  StatusOr<Descriptor> to(llvm::StringRef path) {
    TSC_RETURN_IF_ERROR(enterRoot());
    push(path);
    while (!pending.empty()) {
      const std::string name = pending.pop_back_val();
      if (!name.empty() && name != ".")
        TSC_RETURN_IF_ERROR(step(name));
    }
    return std::move(at);
  }

  const std::string &path() const { return reached; }

private:
  static constexpr int opening = O_PATH | O_NOFOLLOW | O_CLOEXEC;

  void push(llvm::StringRef path) {
    llvm::SmallVector<llvm::StringRef, 16> names;
    path.split(names, '/');
    for (llvm::StringRef name : llvm::reverse(names))
      pending.push_back(name.str());
  }

  Status enterRoot() {
    Descriptor root(::open("/", opening | O_DIRECTORY));
    reached = "/";
    return root ? enter(std::move(root)) : unavailable(reached);
  }

  /// The folder is the next one: who else could put another entry in the place of one in it?
  Status enter(Descriptor next) {
    struct stat status;
    if (fstat(next.get(), &status) != 0)
      return unavailable(reached);
    TSC_RETURN_IF_ERROR(checkOwner(status));
    if ((status.st_mode & writableByOthers) != 0 && (status.st_mode & S_ISVTX) == 0)
      return unsafe(reached, "can be written to by other users");
    at = std::move(next);
    return okStatus();
  }

  Status checkOwner(const struct stat &status) const {
    const bool isTrusted = status.st_uid == 0 || status.st_uid == geteuid();
    return isTrusted ? okStatus() : unsafe(reached, "belongs to another user");
  }

  Status step(const std::string &name) {
    const std::string before = reached;
    if (reached != "/")
      reached += '/';
    reached += name;
    Descriptor next(::openat(at.get(), name.c_str(), opening));
    if (!next && errno == ENOENT) {
      if (::mkdirat(at.get(), name.c_str(), S_IRWXU) != 0 && errno != EEXIST) // another process may be as far
        return unavailable(reached);
      next = Descriptor(::openat(at.get(), name.c_str(), opening));
    }
    struct stat status;
    if (!next || fstat(next.get(), &status) != 0)
      return unavailable(reached);
    if (S_ISDIR(status.st_mode))
      return enter(std::move(next));
    if (!S_ISLNK(status.st_mode)) {
      errno = ENOTDIR;
      return unavailable(reached);
    }
    TSC_RETURN_IF_ERROR(checkOwner(status));
    constexpr unsigned mostLinks = 40; // as the system follows
    char target[PATH_MAX];
    const ssize_t length = ::readlinkat(next.get(), "", target, sizeof target);
    if (length < 0 || length == sizeof target || ++numLinks > mostLinks) {
      errno = length < 0 ? errno : ELOOP;
      return unavailable(reached);
    }
    reached = before;
    const llvm::StringRef text(target, static_cast<size_t>(length));
    if (text.starts_with("/"))
      TSC_RETURN_IF_ERROR(enterRoot());
    push(text);
    return okStatus();
  }

  llvm::SmallVector<std::string, 16> pending; ///< Names that are to come, the next one last.
  Descriptor at;
  std::string reached; ///< The path of `at`, or of what is being looked at, for messages.
  unsigned numLinks = 0;
};
} // namespace

StatusOr<PrivateFolder> PrivateFolder::open(llvm::StringRef path) {
  llvm::SmallString<128> absolute(path);
  if (path.empty() || path.contains('\0') || llvm::sys::fs::make_absolute(absolute)) {
    errno = ENOENT;
    return unavailable(path);
  }
  Walk walk;
  TSC_ASSIGN_OR_RETURN(const Descriptor found, walk.to(absolute));
  // What a walk holds can only be passed through; this one can be read.
  Descriptor folder(::openat(found.get(), ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status;
  if (!folder || fstat(folder.get(), &status) != 0)
    return unavailable(walk.path());
  if (status.st_uid != geteuid())
    return unsafe(walk.path(), "belongs to another user");
  if ((status.st_mode & writableByOthers) != 0)
    return unsafe(walk.path(), "can be written to by other users");
  return PrivateFolder(std::move(folder));
}

StatusOr<std::string> PrivateFolder::read(const std::string &name, mode_t forbidden, uint64_t maxBytes) const {
  const Descriptor file(
      ::openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file) // a link, a socket, or closed to the user; else there is none, or the system has no descriptor left
    return errno == ELOOP || errno == ENXIO || errno == EACCES ? unsafe(name, "is no file") : unavailable(name);
  struct stat status;
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return unsafe(name, "is no file");
  if (status.st_uid != geteuid() || status.st_nlink != 1 || (status.st_mode & forbidden) != 0)
    return unsafe(name, "is not the caller's alone");
  if (static_cast<uint64_t>(status.st_size) > maxBytes)
    return resourceExhausted("'" + name + "' is too long");
  // Read, not mapped: a file that another process cuts short must not hurt.
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  size_t length = 0;
  while (length != bytes.size()) {
    const ssize_t count = ::read(file.get(), bytes.data() + length, bytes.size() - length);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    length += static_cast<size_t>(count);
  }
  bytes.resize(length);
  (void)::futimens(file.get(), nullptr);
  return bytes;
}

void PrivateFolder::remove(const std::string &name) const { (void)::unlinkat(folder.get(), name.c_str(), 0); }

void PrivateFolder::forEachFile(
    llvm::function_ref<void(const std::string &name, const struct stat &status)> visit) const {
  // A descriptor of its own: where it stands in the list is nobody else's affair.
  Descriptor list(::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  const std::unique_ptr<DIR, int (*)(DIR *)> stream(list ? ::fdopendir(list.get()) : nullptr, ::closedir);
  if (!stream)
    return;
  (void)list.release(); // the stream's
  struct stat status;
  while (const dirent *entry = ::readdir(stream.get()))
    if (::fstatat(folder.get(), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode))
      visit(entry->d_name, status);
}
