/* Hands a Fortran host's communicator over. What C calls an MPI_Comm is known to MPI's header alone. */
#include <mpi.h>
#include <tsc-c/tsc.h>

tsc_error *set_communicator(tsc_context *context, MPI_Fint communicator, double timeout);

tsc_error *set_communicator(tsc_context *context, MPI_Fint communicator, double timeout) {
  MPI_Comm comm = MPI_Comm_f2c(communicator);
  return tsc_context_set_communicator(context, &comm, timeout);
}
