//===- Open.cpp - Finds what makes ranks ----------------------------------===//
#include "tsc/Collectives/Open.h"
#include "tsc/Runtime/Dispatch/RanksEntry.h"
#include "llvm/ADT/SmallString.h"
#include <dlfcn.h>

using namespace tsc;

/// Returns the folder of the library or program that this code is in, with its slash.
static llvm::StringRef ownFolder() {
  Dl_info self{};
  if (!dladdr(reinterpret_cast<const void *>(&ownFolder), &self) || !self.dli_fname)
    return "";
  const llvm::StringRef path = self.dli_fname;
  return path.take_front(path.rfind('/') + 1);
}

static StatusOr<std::shared_ptr<Collectives>> request(const void *communicator, const CollectivesOptions &options) {
  void *library = nullptr; // There is one in a process, and it stays, as it may have a thread.
  for (const char *within : {"./", "tsc/", "../lib/tsc/"}) {
    llvm::SmallString<256> path(ownFolder());
    path += within;
    path += "libtsc_mpi.so";
    library = library ? library : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (!library)
    return unimplemented("init_process_group: tsc's part for MPI, libtsc_mpi.so, is not installed in '" + ownFolder() +
                         "', in 'tsc' there, or in '../lib/tsc'");
  auto entry = reinterpret_cast<RanksEntry>(dlsym(library, ranksEntryName));
  if (!entry)
    return unimplemented("init_process_group: libtsc_mpi.so is not tsc's");
  RanksRequest asked{TSC_VERSION, options, communicator, std::shared_ptr<Collectives>()};
  entry(asked);
  return std::move(asked.result);
}

StatusOr<std::shared_ptr<Collectives>> tsc::openCollectives(const CollectivesOptions &options) {
  return request(nullptr, options);
}

StatusOr<std::shared_ptr<Collectives>> tsc::adoptCommunicator(const void *communicator,
                                                              const CollectivesOptions &options) {
  return request(communicator, options);
}
