/* count_allocations.c - Counts what warm calls ask the system for: count_allocations PROGRAM ROWS COLUMNS */
#include "tsc-c/tsc.h"
#include <stdio.h>
#include <stdlib.h>

/* glibc's own names of what is counted. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static long allocations;
static __thread int counts; /* In the thread that makes the calls. */

void *malloc(size_t size) {
  allocations += counts;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  allocations += counts;
  return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
  allocations += counts;
  return __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  allocations += counts;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **made, size_t alignment, size_t size) {
  allocations += counts;
  *made = __libc_memalign(alignment, size);
  return *made ? 0 : 12;
}

static void check(tsc_error *error) {
  if (!error)
    return;
  fprintf(stderr, "%s\n", tsc_error_message(error));
  exit(1);
}

int main(int argc, char **argv) {
  static float data[65536], output[65536];
  int64_t sizes[2], *output_sizes;
  tsc_tensor input = {sizeof input, data, sizes, NULL, 2, TSC_FLOAT32, 0}, result;
  tsc_program *program;
  tsc_entry *entry;
  tsc_context *context;
  int i;
  if (argc != 4)
    return 2;
  sizes[0] = atoi(argv[2]);
  sizes[1] = atoi(argv[3]);
  check(tsc_program_load(argv[1], NULL, &program));
  check(tsc_program_find(program, NULL, &entry));
  check(tsc_context_new(program, &context));
  for (i = 0; i != 300; ++i) {
    tsc_value *argument, *value;
    counts = i >= 200;
    check(tsc_value_new_tensor(&input, NULL, NULL, &argument));
    check(tsc_entry_run(entry, context, &argument, 1, &value));
    result.struct_size = sizeof result;
    check(tsc_tensor_get(value, &result));
    output_sizes = (int64_t *)result.sizes;
    {
      tsc_tensor destination = {sizeof destination, output, output_sizes, NULL, result.rank, TSC_FLOAT32, 0};
      check(tsc_tensor_copy_to(value, &destination));
      destination.flags = TSC_COLUMN_MAJOR;
      check(tsc_tensor_copy_to(value, &destination));
    }
    tsc_value_free(value);
    tsc_value_free(argument);
    counts = 0;
    check(tsc_program_finish_compiling(program));
  }
  printf("%ld allocations in 100 calls\n", allocations);
  tsc_context_free(context);
  tsc_entry_free(entry);
  tsc_program_free(program);
  return 0;
}
