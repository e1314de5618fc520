/* A host with a communicator of its own, whose program sums over its ranks. */
#include <mpi.h>
#include <stdio.h>
#include <tsc-c/tsc.h>

static const char source[] = "import torch\n"
                             "from torch import Tensor\n"
                             "def forward(x: Tensor) -> Tensor:\n"
                             "    return torch.ops._c10d_functional.all_reduce(x, 'sum', '0')\n";

static tsc_error *run(int rank, int ranks, MPI_Comm comm) {
  const float own = (float)(rank + 1);
  const int64_t one = 1;
  tsc_program *program = NULL;
  tsc_entry *entry = NULL;
  tsc_context *context = NULL;
  tsc_value *x = NULL, *y = NULL;
  tsc_tensor tensor = {sizeof tensor, (void *)&own, &one, NULL, 1, TSC_FLOAT32, TSC_READ_ONLY}, sum = {sizeof sum};
  tsc_error *error = tsc_program_load_bytes(source, sizeof source - 1, "host.py", NULL, NULL, NULL, &program);
  if (!error)
    error = tsc_program_find(program, "forward", &entry);
  if (!error)
    error = tsc_context_new(program, &context);
  if (!error)
    error = tsc_context_set_communicator(context, &comm, 60);
  if (!error)
    error = tsc_value_new_tensor_copy(&tensor, &x);
  if (!error)
    error = tsc_entry_run(entry, context, &x, 1, &y);
  if (!error)
    error = tsc_tensor_get(y, &sum);
  if (!error && *(const float *)sum.data != (float)(ranks * (ranks + 1) / 2))
    error = tsc_error_new(TSC_INTERNAL, "another sum");
  if (!error)
    error = tsc_context_set_communicator(context, NULL, 0);
  tsc_value_free(x);
  tsc_value_free(y);
  tsc_context_free(context);
  tsc_entry_free(entry);
  tsc_program_free(program);
  return error;
}

int main(int argc, char **argv) {
  int rank, ranks, all;
  tsc_error *error;
  MPI_Comm odd;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &odd); /* two groups at once, each with a communicator of its own */
  MPI_Comm_rank(odd, &rank);
  MPI_Comm_size(odd, &ranks);
  error = run(rank, ranks, odd);
  if (error) {
    fprintf(stderr, "%s\n", tsc_error_message(error));
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  if (rank == 0)
    printf("the sums of the host's ranks agree with %d ranks\n", all);
  return 0;
}
