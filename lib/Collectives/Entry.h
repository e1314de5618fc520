//===- Entry.h - What libtsc_mpi.so exports ---------------------*- C++ -*-===//
#ifndef TSC_LIB_COLLECTIVES_ENTRY_H
#define TSC_LIB_COLLECTIVES_ENTRY_H

#include "tsc/Runtime/Dispatch/Collectives.h"

namespace tsc {

/// What libtsc_mpi.so is asked for. Both sides are parts of one build, as `version` says, and share their classes.
struct RanksRequest {
  const char *version;
  const CollectivesOptions &options;
  const void *communicator; ///< Points at the host's MPI_Comm; null where there is none.
  StatusOr<std::shared_ptr<Collectives>> result;
};

/// Answers a request in its `result`.
using RanksEntry = void (*)(RanksRequest &request);
inline constexpr const char *ranksEntryName = "tscOpenRanks";

} // namespace tsc

#endif
