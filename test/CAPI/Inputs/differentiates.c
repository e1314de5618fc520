/* differentiates.c - Computes gradients over its own arithmetic and two programs, which go before: differentiates */
#include "tsc-c/tsc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(tsc_error *error) {
  if (!error)
    return;
  fprintf(stderr, "%s\n", tsc_error_message(error));
  exit(1);
}
static void expect(tsc_error *error) {
  if (!error)
    exit(1);
  printf("%s\n", tsc_error_summary(error));
  tsc_error_free(error);
}

static tsc_entry *load(const char *source) {
  tsc_program *program;
  tsc_entry *entry;
  check(tsc_program_load_bytes(source, strlen(source), "f.py", NULL, NULL, NULL, &program));
  check(tsc_program_find(program, NULL, &entry));
  tsc_program_free(program);
  return entry;
}

/* What a function of a program gives for one value, which is freed. */
static tsc_value *apply(const char *source, tsc_value *x) {
  tsc_entry *entry = load(source);
  tsc_value *y;
  check(tsc_entry_call(entry, &x, 1, NULL, NULL, 0, &y));
  tsc_value_free(x);
  tsc_entry_free(entry);
  return y;
}

static void show(const char *name, tsc_value *value) {
  tsc_value *text;
  const char *characters;
  check(tsc_value_print(value, &text));
  check(tsc_value_get_string(text, &characters, NULL));
  printf("%s: %s\n", name, characters);
  tsc_value_free(text);
}

int main(void) {
  static float positions[] = {1, 2, 3};
  static const int64_t sizes[] = {3};
  tsc_tensor memory = {sizeof memory, positions, sizes, NULL, 1, TSC_FLOAT32, 0};
  const tsc_op *mul, *sum;
  tsc_value *x, *y, *energy, *args[2], *force;
  check(tsc_value_new_tensor(&memory, NULL, NULL, &x));
  check(tsc_tensor_set_requires_grad(x, 1));
  check(tsc_op_find("aten::mul", "Tensor", &mul));
  check(tsc_op_find("aten::sum", "", &sum));
  args[0] = args[1] = x;
  check(tsc_op_run(mul, args, 2, &y, 1));
  y = apply("def f(x: Tensor) -> Tensor:\n  return torch.sin(x)\n", y);
  y = apply("def f(x: Tensor) -> Tensor:\n  return x * 2\n", y);
  check(tsc_op_run(sum, &y, 1, &energy, 1));
  tsc_value_free(y);
  check(tsc_backward(&energy, 1, NULL, NULL, 0, 0));
  check(tsc_tensor_grad(x, &force)); /* 4 x cos(x^2) */
  show("gradient", force);
  tsc_value_free(force);
  expect(tsc_backward(&energy, 1, NULL, NULL, 0, 0));
  expect(tsc_op_run(mul, args, 1, &y, 1));
  expect(tsc_op_find("aten::mull", "", &mul));
  tsc_value_free(energy);
  tsc_value_free(x);
  return 0;
}
