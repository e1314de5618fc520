//===- Open.cpp - Finds what makes ranks ----------------------------------===//
#include "tsc/Collectives/Open.h"
#include "Entry.h"
#include <dlfcn.h>
#include <string>

using namespace tsc;

/// Opens libtsc_mpi.so, of which there is one in a process. It stays: it may have a thread.
static void *openLibrary(std::string &places) {
  static constexpr const char *name = "libtsc_mpi.so";
  Dl_info self{};
  std::string folder;
  if (dladdr(reinterpret_cast<const void *>(&openLibrary), &self) && self.dli_fname)
    folder = self.dli_fname;
  const size_t slash = folder.rfind('/');
  folder = slash == std::string::npos ? "./" : folder.substr(0, slash + 1);
  for (const char *within : {"", "tsc/", "../lib/tsc/"}) {
    const std::string path = folder + within + name;
    if (void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
    places += (places.empty() ? "'" : ", '") + path + "'";
  }
  return nullptr;
}

static StatusOr<std::shared_ptr<Collectives>> request(const void *communicator, const CollectivesOptions &options) {
  std::string places;
  void *library = openLibrary(places);
  if (!library)
    return unimplemented("init_process_group: tsc's part for MPI, libtsc_mpi.so, is not installed (looked for " +
                         places + ")");
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
