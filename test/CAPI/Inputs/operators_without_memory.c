/* operators_without_memory.c - Counts what warm calls without a context ask the system for: operators_without_memory */
#include "tsc-c/tsc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* glibc's own names of what is counted. */
void *__libc_malloc(size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static long allocations;

void *malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}

static void check(tsc_error *error) {
  if (!error)
    return;
  fprintf(stderr, "%s\n", tsc_error_message(error));
  exit(1);
}

int main(void) {
  static const char source[] = "def f(x: Tensor, y: Tensor) -> Tensor:\n  return torch.relu(x * 2 + y)\n";
  static float data[4] = {1, 2, 3, 4};
  static const int64_t sizes[] = {4};
  tsc_tensor memory = {sizeof memory, data, sizes, NULL, 1, TSC_FLOAT32, 0};
  tsc_program *program;
  tsc_entry *entry;
  tsc_value *args[3], *result;
  const tsc_op *add;
  long before = 0, of_operators = 0, of_calls = 0;
  int i;
  check(tsc_program_load_bytes(source, strlen(source), "f.py", NULL, NULL, NULL, &program));
  check(tsc_program_find(program, NULL, &entry));
  check(tsc_value_new_tensor(&memory, NULL, NULL, &args[0]));
  args[1] = args[0];
  args[2] = NULL;
  check(tsc_op_find("aten::add", "Tensor", &add));
  for (i = 0; i != 200; ++i) {
    if (i < 5)
      check(tsc_program_finish_compiling(program));
    before = allocations;
    check(tsc_op_run(add, args, 3, &result, 1));
    tsc_value_free(result);
    of_operators += i < 100 ? 0 : allocations - before;
    before = allocations;
    check(tsc_entry_call(entry, args, 2, NULL, NULL, 0, &result));
    tsc_value_free(result);
    of_calls += i < 100 ? 0 : allocations - before;
  }
  printf("%ld allocations in 100 operators, %ld in 100 calls\n", of_operators, of_calls);
  return 0;
}
