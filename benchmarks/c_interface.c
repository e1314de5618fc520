/* c_interface.c - Times calls through the C interface; see c_interface.py.
 *
 * c_interface START_NS CALLS MODEL SIZE...    prints one JSON line; START_NS: when the process was asked for
 */
#define _POSIX_C_SOURCE 200809L
#include "tsc-c/tsc.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

static void check(tsc_error *error) {
  if (!error)
    return;
  fprintf(stderr, "%s\n", tsc_error_message(error));
  exit(1);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  double start = atof(argv[1]) * 1e-3, first;
  int calls = atoi(argv[2]), i;
  int64_t sizes[8], count = 1;
  tsc_tensor memory = {sizeof(tsc_tensor), NULL, NULL, NULL, 0, TSC_FLOAT32, 0};
  tsc_program *program;
  tsc_entry *entry;
  tsc_context *context;
  tsc_value *argument, *result;
  double *times = malloc(sizeof(double) * calls);
  for (memory.rank = argc - 4, i = 0; i < memory.rank; ++i)
    count *= sizes[i] = atoll(argv[4 + i]);
  float *data = malloc(sizeof(float) * count);
  for (i = 0; i < count; ++i)
    data[i] = 1;
  memory.sizes = sizes;
  memory.data = data;
  check(tsc_program_load(argv[3], NULL, &program));
  check(tsc_program_find(program, NULL, &entry));
  check(tsc_context_new(program, &context));
  check(tsc_value_new_tensor(&memory, NULL, NULL, &argument));
  check(tsc_entry_run(entry, context, &argument, 1, &result));
  first = microseconds();
  for (i = 0; i < 100; ++i) { /* as tsc-run --bench: until there is nothing left to compile */
    tsc_value_free(result);
    check(tsc_entry_run(entry, context, &argument, 1, &result));
    check(tsc_program_finish_compiling(program));
  }
  for (i = 0; i < calls; ++i) {
    double before = microseconds();
    tsc_value_free(result);
    check(tsc_entry_run(entry, context, &argument, 1, &result));
    times[i] = microseconds() - before;
  }
  qsort(times, calls, sizeof(double), compare);
  printf("{\"start_us\": %.0f, \"median_us\": %.3f, \"min_us\": %.3f}\n", first - start, times[calls / 2], times[0]);
  tsc_value_free(result);
  tsc_value_free(argument);
  tsc_context_free(context);
  tsc_entry_free(entry);
  tsc_program_free(program);
  free(times);
  free(data);
  return 0;
}
