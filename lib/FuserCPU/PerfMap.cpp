//===- PerfMap.cpp - Names of kernels for Linux perf ----------------------===//
#include "PerfMap.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Object/SymbolSize.h"
#include "llvm/Support/Format.h"
#include <fcntl.h>
#include <unistd.h>

using namespace tsc;
using namespace tsc::fuser;

PerfMap::PerfMap() {
  std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file >= 0)
    os = std::make_unique<llvm::raw_fd_ostream>(file, /*shouldClose=*/true);
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
