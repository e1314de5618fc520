/* loading.c - Loads an archive through the C interface; see loading.py.
 *
 * loading MODEL LOADS      prints one JSON line: resident memory when the process started and when it had loaded the
 *                          archive once, in kB; the time of the first load and of the quickest of LOADS
 */
#define _POSIX_C_SOURCE 200809L
#include "tsc-c/tsc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

static long resident(void) {
  char line[256];
  long value = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (!strncmp(line, "VmRSS:", 6))
      value = atol(line + 6);
  if (status)
    fclose(status);
  return value;
}

static double load(const char *path, tsc_program **program) {
  double before = microseconds();
  tsc_options *options = tsc_options_new();
  tsc_error *error = tsc_options_set_allow_set_state(options, 1);
  if (!error)
    error = tsc_program_load(path, options, program);
  if (error) {
    fprintf(stderr, "%s\n", tsc_error_message(error));
    exit(1);
  }
  tsc_options_free(options);
  return microseconds() - before;
}

int main(int argc, char **argv) {
  long at_start = resident(), loaded;
  tsc_program *program, *other;
  double first = load(argv[1], &program), least = first;
  int i;
  loaded = resident();
  for (i = 1; i < atoi(argv[2]); ++i) {
    double took = load(argv[1], &other);
    least = took < least ? took : least;
    tsc_program_free(other);
  }
  tsc_program_free(program);
  printf("{\"start_kb\": %ld, \"loaded_kb\": %ld, \"first_us\": %.1f, \"least_us\": %.1f}\n", at_start, loaded, first, least);
  return argc != 3;
}
