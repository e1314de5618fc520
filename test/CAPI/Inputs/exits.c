/* exits.c - Ends after some calls, without releasing anything: exits CALLS MILLISECONDS_BEFORE_THE_LAST */
#define _POSIX_C_SOURCE 200809L
#include "tsc-c/tsc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const source = "def f(x: Tensor) -> Tensor:\n"
                                  "    for i in range(3):\n"
                                  "        x = torch.tanh(x * 2 + i) * torch.sigmoid(x) + x.exp().sum(1, True)\n"
                                  "    return x\n";

static void check(tsc_error *error) {
  if (!error)
    return;
  fprintf(stderr, "%s\n", tsc_error_message(error));
  exit(1);
}

int main(int argc, char **argv) {
  static float data[600];
  const int64_t sizes[2] = {1, 600};
  tsc_tensor memory = {sizeof memory, data, sizes, NULL, 2, TSC_FLOAT32, 0};
  tsc_options *options = tsc_options_new();
  tsc_program *program;
  tsc_entry *entry;
  tsc_context *context;
  tsc_value *argument, *result;
  int calls = argc == 3 ? atoi(argv[1]) : 0, i;
  struct timespec pause = {0, 0};
  pause.tv_nsec = argc == 3 ? atol(argv[2]) * 1000000 : 0;
  if (tsc_has_cpu_fuser())
    check(tsc_options_set_cache_folder(options, "")); /* so that there is something to compile each time */
  check(tsc_program_load_bytes(source, strlen(source), "f.py", options, NULL, NULL, &program));
  check(tsc_program_find(program, NULL, &entry));
  check(tsc_context_new(program, &context));
  check(tsc_value_new_tensor(&memory, NULL, NULL, &argument));
  for (i = 0; i != calls; ++i) {
    if (i + 1 == calls)
      nanosleep(&pause, NULL);
    check(tsc_entry_run(entry, context, &argument, 1, &result));
  }
  return 0;
}
