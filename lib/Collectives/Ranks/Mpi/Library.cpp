//===- Library.cpp - libtsc_mpi.so ----------------------------------------===//
#include "../RankEngine.h"
#include "tsc/Runtime/Dispatch/RanksEntry.h"
#include <cstring>

using namespace tsc;

static StatusOr<std::shared_ptr<Collectives>> open(const RanksRequest &request) {
  const CollectivesOptions &options = request.options;
  if (std::strcmp(request.version, TSC_VERSION) != 0)
    return failedPrecondition("libtsc_mpi.so is of version " TSC_VERSION ", and the rest of tsc of " +
                              llvm::Twine(request.version));
  ranks::Backends backends; // a host's ranks get what there is
  if (!request.communicator) {
    TSC_ASSIGN_OR_RETURN(backends, ranks::backendsOf(options.backend));
  }
  if (backends.onDevice == ranks::Backends::OnDevice::Required) {
    TSC_ASSIGN_OR_RETURN(auto device, options.openDevice());
    if (!device)
      return unimplemented("this host has no GPU for the backend '" + llvm::Twine(options.backend) + "'");
  }
  llvm::StringRef path = options.method;
  if (!path.empty() && path != "env://" && !path.consume_front("file://"))
    return invalidArgument("init_method '" + llvm::Twine(options.method) +
                           "' is none here: ranks find each other by MPI's launcher, and \"file:///…/libmpi.so\" names "
                           "its library");
  if (path == "env://")
    path = "";
  if (!(options.timeout > 0))
    return invalidArgument("a time-out is a positive number of seconds");
  TSC_ASSIGN_OR_RETURN(auto transport,
                       request.communicator ? ranks::adoptMpi(request.communicator) : ranks::openMpi(path.str()));
  return std::shared_ptr<Collectives>(
      std::make_shared<ranks::RankEngine>(std::move(transport), options.timeout, options.isChecked, backends));
}

extern "C" __attribute__((visibility("default"))) void tscOpenRanks(RanksRequest &request) {
  request.result = open(request);
  if (!request.result.ok())
    request.result = withContext(request.result.status(), "init_process_group: ");
}
