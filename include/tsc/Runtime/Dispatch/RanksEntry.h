//===- RanksEntry.h - What libtsc_mpi.so exports ----------------*- C++ -*-===//
//
// Between what opens the library (lib/Collectives) and what is in it (lib/Collectives/Ranks).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_RANKSENTRY_H
#define TSC_RUNTIME_DISPATCH_RANKSENTRY_H

#include "tsc/Runtime/Dispatch/Collectives.h"

namespace tsc {

/// What libtsc_mpi.so is asked for. Both sides are parts of one build, as `version` says, and share their classes.
struct RanksRequest {
  const char *version;                           ///< TSC_VERSION of who asks.
  const CollectivesOptions &options;             ///< What the program asked init_process_group for.
  const void *communicator;                      ///< Points at the host's MPI_Comm; null where there is none.
  StatusOr<std::shared_ptr<Collectives>> result; ///< The ranks, or why there are none.
};

/// Answers a request in its `result`.
using RanksEntry = void (*)(RanksRequest &request);
/// The name under which the library exports it.
inline constexpr const char *ranksEntryName = "tscOpenRanks";

} // namespace tsc

#endif
