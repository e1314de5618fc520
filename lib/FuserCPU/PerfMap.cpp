//===- PerfMap.cpp - Names of kernels for Linux perf ----------------------===//
#include "PerfMap.h"
#include "tsc/Support/Descriptor.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Object/SymbolSize.h"
#include "llvm/Support/Format.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tsc;
using namespace tsc::fuser;

/// The file of that name, new, or one that the user has there: of another fuser of this process, mostly. Anybody may
/// put something else there.
static Descriptor openOwn(const std::string &path) {
  constexpr int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  Descriptor file(::open(path.c_str(), flags | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR));
  if (file || errno != EEXIST)
    return file;
  file = Descriptor(::open(path.c_str(), flags));
  struct stat status;
  const bool isOwn = file && fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                     status.st_nlink == 1 && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  return isOwn ? std::move(file) : Descriptor();
}

PerfMap::PerfMap() {
  Descriptor file = openOwn("/tmp/perf-" + std::to_string(getpid()) + ".map");
  if (file)
    os = std::make_unique<llvm::raw_fd_ostream>(file.release(), /*shouldClose=*/true);
}

static uint64_t sizeOf(const llvm::object::ObjectFile &object, llvm::StringRef symbol) {
  for (auto [candidate, size] : llvm::object::computeSymbolSizes(object)) {
    llvm::Expected<llvm::StringRef> name = candidate.getName();
    if (name && *name == symbol)
      return size;
    llvm::consumeError(name.takeError());
  }
  return 0;
}

void PerfMap::add(llvm::StringRef bytes, llvm::ArrayRef<std::string> symbols,
                  llvm::ArrayRef<KernelFunction> functions) {
  auto object = llvm::object::ObjectFile::createObjectFile({bytes, "kernels"});
  if (!object || !os)
    return llvm::consumeError(object.takeError());
  for (auto [symbol, function] : llvm::zip(symbols, functions))
    if (function)
      *os << llvm::format("%llx %llx ", reinterpret_cast<unsigned long long>(function),
                          static_cast<unsigned long long>(sizeOf(**object, symbol)))
          << symbol << '\n';
  os->flush();
  os->clear_error(); // a full disk costs the names
}
