/* Runs a program from memory, through the C interface. */
#include <stdio.h>
#include <string.h>
#include <tsc-c/tsc.h>

static const char *const source = "def grow(x: Tensor) -> Tensor:\n    return (x * 2 + x).abs() - 1\n";

static tsc_error *grow(double *number) {
  const int64_t sizes[1] = {1};
  tsc_tensor memory = {sizeof(tsc_tensor), NULL, NULL, NULL, 1, TSC_FLOAT64, 0};
  tsc_program *program = NULL;
  tsc_entry *entry = NULL;
  tsc_context *context = NULL;
  tsc_value *argument = NULL, *result = NULL;
  tsc_error *error = tsc_program_load_bytes(source, strlen(source), "grow.py", NULL, NULL, NULL, &program);
  memory.data = number;
  memory.sizes = sizes;
  if (!error)
    error = tsc_program_find(program, "grow", &entry);
  if (!error)
    error = tsc_context_new(program, &context);
  if (!error)
    error = tsc_value_new_tensor(&memory, NULL, NULL, &argument);
  if (!error)
    error = tsc_entry_run(entry, context, &argument, 1, &result);
  if (!error)
    error = tsc_tensor_copy_to(result, &memory);
  tsc_value_free(result);
  tsc_value_free(argument);
  tsc_context_free(context);
  tsc_entry_free(entry);
  tsc_program_free(program);
  return error;
}

int main(void) {
  double number = 3;
  tsc_error *error = grow(&number);
  if (error)
    fprintf(stderr, "%s\n", tsc_error_message(error));
  tsc_error_free(error);
  return error || number != 8;
}
