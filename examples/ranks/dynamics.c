/* Molecular dynamics with a communicator of its own. The host has the atoms and moves them; the model, a program or an
 * archive of it, gives forces and exchanges atoms between the ranks of the communicator.
 *
 *   mpicc dynamics.c $(pkg-config --cflags --libs tsc) -o dynamics
 *   mpirun -n 4 ./dynamics dynamics.py
 *   tsc-run --entry save --args '"potential.pt"' dynamics.py && mpirun -n 4 ./dynamics potential.pt
 *
 * The last line tells how much of an archive's weights each process has in memory, and what its part of it is: ranks of
 * one machine share the file, so that their parts add up to one copy. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsc-c/tsc.h>

enum { COLUMNS = 7 }; /* of an atom: number, coordinates, velocities */

typedef struct {
  double *rows;
  int64_t count;
} atoms_t;

typedef struct {
  tsc_program *program;
  tsc_context *context;
  tsc_entry *lattice, *migrate, *forces;
} model_t;

static void check(tsc_error *error) {
  if (!error)
    return;
  fprintf(stderr, "%s\n", tsc_error_message(error));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Calls an entry, and copies the rows of its result, which become the caller's. */
static double *call(const model_t *model, tsc_entry *entry, tsc_value *argument, int64_t columns, int64_t *count) {
  tsc_tensor found = {sizeof found, NULL, NULL, NULL, 0, 0, 0};
  tsc_value *result;
  double *rows;
  check(tsc_entry_run(entry, model->context, &argument, 1, &result));
  tsc_value_free(argument);
  check(tsc_tensor_get(result, &found));
  if (found.rank != 2 || found.sizes[1] != columns || found.dtype != TSC_FLOAT64) {
    fprintf(stderr, "the model gives other rows\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  *count = found.sizes[0];
  rows = malloc(sizeof(double) * (size_t)(found.sizes[0] * columns) + 1);
  {
    const int64_t sizes[] = {found.sizes[0], columns};
    const tsc_tensor to = {sizeof to, rows, sizes, NULL, 2, TSC_FLOAT64, TSC_ROW_MAJOR};
    check(tsc_tensor_copy_to(result, &to));
  }
  tsc_value_free(result);
  return rows;
}

static tsc_value *value_of(const atoms_t *atoms) {
  const int64_t sizes[] = {atoms->count, COLUMNS};
  const tsc_tensor tensor = {sizeof tensor, atoms->rows, sizes, NULL, 2, TSC_FLOAT64, TSC_ROW_MAJOR};
  tsc_value *value;
  check(tsc_value_new_tensor(&tensor, NULL, NULL, &value));
  return value;
}

static double *forces_on(const model_t *model, const atoms_t *atoms) {
  int64_t count;
  return call(model, model->forces, value_of(atoms), 4, &count);
}

static void give_away(const model_t *model, atoms_t *atoms) {
  double *before = atoms->rows;
  atoms->rows = call(model, model->migrate, value_of(atoms), COLUMNS, &atoms->count);
  free(before);
}

static void kick(const atoms_t *atoms, const double *forces, double dt) {
  for (int64_t i = 0; i != atoms->count; ++i)
    for (int k = 0; k != 3; ++k)
      atoms->rows[i * COLUMNS + 4 + k] += dt * forces[i * 4 + k];
}

static void drift(const atoms_t *atoms, double dt) {
  for (int64_t i = 0; i != atoms->count; ++i)
    for (int k = 0; k != 3; ++k)
      atoms->rows[i * COLUMNS + 1 + k] += dt * atoms->rows[i * COLUMNS + 4 + k];
}

static void report(MPI_Comm comm, int step, const atoms_t *atoms, const double *forces) {
  double own[2] = {0, 0}, all[2];
  int rank;
  for (int64_t i = 0; i != atoms->count; ++i) {
    own[0] += forces[i * 4 + 3];
    for (int k = 0; k != 3; ++k)
      own[1] += 0.5 * atoms->rows[i * COLUMNS + 4 + k] * atoms->rows[i * COLUMNS + 4 + k];
  }
  MPI_Reduce(own, all, 2, MPI_DOUBLE, MPI_SUM, 0, comm);
  MPI_Comm_rank(comm, &rank);
  if (rank == 0)
    printf("step %3d potential %.10f kinetic %.10f total %.10f\n", step, all[0], all[1], all[0] + all[1]);
}

static void simulate(const model_t *model, MPI_Comm comm) {
  const double dt = 0.005;
  atoms_t atoms;
  double *forces;
  atoms.rows = call(model, model->lattice, tsc_value_new_int(8), COLUMNS, &atoms.count);
  forces = forces_on(model, &atoms);
  for (int step = 0; step <= 100; ++step) {
    if (step % 10 == 0)
      report(comm, step, &atoms, forces);
    kick(&atoms, forces, 0.5 * dt);
    drift(&atoms, dt);
    if (step % 10 == 9)
      give_away(model, &atoms);
    free(forces);
    forces = forces_on(model, &atoms);
    kick(&atoms, forces, 0.5 * dt);
  }
  free(forces);
  free(atoms.rows);
}

/* Prints how many KiB of the mapped file this machine's processes hold each, and as their part. */
static void report_memory(MPI_Comm comm, const char *path) {
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  long own[2] = {0, 0}, all[2], number;
  char line[4096];
  int rank, isFile = 0;
  FILE *maps = fopen("/proc/self/smaps", "r");
  MPI_Barrier(comm); /* all have read what they need */
  while (maps && fgets(line, sizeof line, maps)) {
    if (strstr(line, "VmFlags"))
      isFile = 0;
    else if (strchr(line, '-') && strstr(line, name))
      isFile = 1;
    else if (isFile && sscanf(line, "Rss: %ld", &number) == 1)
      own[0] += number;
    else if (isFile && sscanf(line, "Pss: %ld", &number) == 1)
      own[1] += number;
  }
  if (maps)
    fclose(maps);
  MPI_Reduce(own, all, 2, MPI_LONG, MPI_SUM, 0, comm);
  MPI_Barrier(comm);
  MPI_Comm_rank(comm, &rank);
  if (rank == 0)
    printf("%s: %ld KiB in all processes, %ld KiB together\n", name, all[0], all[1]);
}

int main(int argc, char **argv) {
  model_t model = {NULL, NULL, NULL, NULL, NULL};
  MPI_Comm comm;
  int rank;
  if (argc != 2) {
    fprintf(stderr, "usage: dynamics MODEL\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm); /* the host's own: all processes, in another order */
  check(tsc_program_load(argv[1], NULL, &model.program));
  check(tsc_program_find(model.program, "lattice", &model.lattice));
  check(tsc_program_find(model.program, "migrate", &model.migrate));
  check(tsc_program_find(model.program, "forces", &model.forces));
  check(tsc_context_new(model.program, &model.context));
  check(tsc_context_set_communicator(model.context, &comm, 60));
  simulate(&model, comm);
  report_memory(comm, argv[1]);
  check(tsc_context_set_communicator(model.context, NULL, 0)); /* before MPI_Finalize */
  tsc_entry_free(model.lattice);
  tsc_entry_free(model.migrate);
  tsc_entry_free(model.forces);
  tsc_context_free(model.context);
  tsc_program_free(model.program);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
