/* own_allocator.c - Lends the library memory: own_allocator PROGRAM ROWS COLUMNS */
#include "tsc-c/tsc.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long calls, bytes;

/* Blocks between two words of their own, so that a foreign one is known. */
static void *take(void *user, size_t size, size_t alignment) {
  char *base = malloc(size + 2 * alignment), *block;
  if (!base)
    return NULL;
  block = base + alignment - (uintptr_t)base % alignment;
  if ((size_t)(block - base) < 2 * sizeof(void *))
    block += alignment;
  ((void **)block)[-1] = base;
  ((size_t *)block)[-2] = size;
  ++*(long *)user;
  bytes += (long)size;
  return block;
}
static void give(void *user, void *block, size_t size) {
  (void)user;
  if (((size_t *)block)[-2] != size)
    abort();
  bytes -= (long)size;
  free(((void **)block)[-1]);
}

static void check(tsc_error *error) {
  if (!error)
    return;
  fprintf(stderr, "%s\n", tsc_error_message(error));
  exit(1);
}
static void expect(tsc_error *error) {
  if (!error)
    exit(1);
  printf("%s\n", tsc_error_message(error));
  tsc_error_free(error);
}

int main(int argc, char **argv) {
  static float data[65536];
  int64_t sizes[2];
  tsc_allocator allocator = {sizeof allocator, take, give, &calls}, broken = {sizeof broken, take, NULL, NULL};
  tsc_tensor input = {sizeof input, data, sizes, NULL, 2, TSC_FLOAT32, 0};
  tsc_program *program;
  tsc_entry *entry;
  tsc_context *context;
  tsc_value *copies[64];
  long warm = 0;
  int i;
  if (argc != 4)
    return 2;
  sizes[0] = atoi(argv[2]);
  sizes[1] = atoi(argv[3]);
  expect(tsc_set_allocator(NULL));
  expect(tsc_set_allocator(&broken));
  check(tsc_set_allocator(&allocator));
  check(tsc_program_load(argv[1], NULL, &program));
  check(tsc_program_find(program, NULL, &entry));
  check(tsc_context_new(program, &context));
  for (i = 0; i != 300; ++i) {
    tsc_value *argument, *value;
    if (i == 200)
      warm = calls;
    check(tsc_value_new_tensor(&input, NULL, NULL, &argument));
    check(tsc_entry_run(entry, context, &argument, 1, &value));
    tsc_value_free(value);
    tsc_value_free(argument);
    check(tsc_program_finish_compiling(program));
  }
  printf("some: %d, in warm calls: %ld\n", calls > 0, calls - warm);

  /* What is kept goes back. */
  sizes[0] = 64, sizes[1] = 512;
  for (i = 0; i != 64; ++i)
    check(tsc_value_new_tensor_copy(&input, &copies[i]));
  for (i = 0; i != 64; ++i)
    tsc_value_free(copies[i]);
  warm = bytes;
  tsc_release_free_memory();
  printf("released: %d\n", warm - bytes >= 64 * 64 * 512 * 4);
  expect(tsc_set_allocator(&allocator));
  tsc_context_free(context);
  tsc_entry_free(entry);
  tsc_program_free(program);
  return 0;
}
