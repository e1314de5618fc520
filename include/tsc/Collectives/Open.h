//===- Open.h - Ranks for programs ------------------------------*- C++ -*-===//
//
//   setCollectivesOpener(context, openCollectives); // programs may ask for ranks
//
//===----------------------------------------------------------------------===//
#ifndef TSC_COLLECTIVES_OPEN_H
#define TSC_COLLECTIVES_OPEN_H

#include "tsc/Runtime/Dispatch/Collectives.h"

namespace tsc {

/// Joins the ranks that a launcher of MPI started (mpirun). What does the work is libtsc_mpi.so, which is found beside
/// the library or program that this function is in, in the folder `tsc` beside it, or in `lib/tsc` next to its folder.
/// It opens the library of MPI in turn. Unimplemented: one of the two is not installed. A process joins once.
StatusOr<std::shared_ptr<Collectives>> openCollectives(const CollectivesOptions &options);
/// Lets programs exchange tensors over a communicator of the host, which has initialized MPI. `communicator` points at
/// an MPI_Comm, of which a duplicate is made: all its processes call this. FailedPrecondition: MPI is not initialized.
StatusOr<std::shared_ptr<Collectives>> adoptCommunicator(const void *communicator, const CollectivesOptions &options);

} // namespace tsc

#endif
