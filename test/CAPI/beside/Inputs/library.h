/* One copy of libtsc.so among others of the process: its functions, found by dlsym, and a program that it runs. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsc-c/tsc.h>

#define FUNCTIONS(X)                                                                                                   \
  X(context_free)                                                                                                      \
  X(context_new)                                                                                                       \
  X(entry_free)                                                                                                        \
  X(entry_run)                                                                                                         \
  X(error_code)                                                                                                        \
  X(error_exception)                                                                                                   \
  X(error_free)                                                                                                        \
  X(error_message)                                                                                                     \
  X(error_summary)                                                                                                     \
  X(options_free)                                                                                                      \
  X(options_new)                                                                                                       \
  X(options_set_cache_folder)                                                                                          \
  X(options_set_compile_mode)                                                                                          \
  X(options_set_threads)                                                                                               \
  X(program_find)                                                                                                      \
  X(program_finish_compiling)                                                                                          \
  X(program_free)                                                                                                      \
  X(program_load_bytes)                                                                                                \
  X(release_free_memory)                                                                                               \
  X(tensor_copy_to)                                                                                                    \
  X(value_free)                                                                                                        \
  X(value_new_int)                                                                                                     \
  X(value_new_tensor)

typedef struct library {
  void *handle;
#define MEMBER(name) __typeof__(tsc_##name) *name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} library;

/* Finds the functions of a library that was opened; 0, and a line, where something is missing. */
static int find_functions(library *tsc, void *handle) {
  tsc->handle = handle;
  if (!handle) {
    printf("cannot open the library: %s\n", dlerror());
    return 0;
  }
#define FIND(name)                                                                                                     \
  if (!(tsc->name = (__typeof__(tsc_##name) *)dlsym(handle, "tsc_" #name))) {                                          \
    printf("there is no tsc_" #name "\n");                                                                             \
    return 0;                                                                                                          \
  }
  FUNCTIONS(FIND)
#undef FIND
  return 1;
}

/* `fused` becomes a kernel, `product` is large enough for oneDNN where that is installed, and `refuse` raises. */
static const char program_text[] = "def fused(x: Tensor, y: Tensor) -> Tensor:\n"
                                   "    return (x * 2 + y).tanh() * (x - y).exp() + x.sigmoid()\n"
                                   "def product(x: Tensor, y: Tensor) -> Tensor:\n"
                                   "    return torch.mm(x, y)\n"
                                   "def refuse(n: int) -> int:\n"
                                   "    if n > 0:\n"
                                   "        raise ValueError('refused ' + str(n))\n"
                                   "    return n\n";
enum { side = 192, count = side * side };

/* Whether there was no error; prints and releases one. */
static int succeeds(const library *tsc, tsc_error *error) {
  if (error)
    printf("error: %s\n", tsc->error_message(error));
  int is_good = !error;
  tsc->error_free(error);
  return is_good;
}

static double element_of(const float *x, const float *y, int is_fused, int row, int column) {
  double sum = 0, a = x[row * side + column], b = y[row * side + column];
  if (is_fused)
    return tanh(a * 2 + b) * exp(a - b) + 1 / (1 + exp(-a));
  for (int k = 0; k != side; ++k)
    sum += (double)x[row * side + k] * y[k * side + column];
  return sum;
}

/* Calls `name` with two matrices made from `seed`, often enough for its code and kernels to be there, and compares each
 * result with C's own. Returns whether all are right. */
static int calls_rightly(const library *tsc, tsc_program *program, const char *name, unsigned seed) {
  const int is_fused = !strcmp(name, "fused");
  const int64_t sizes[2] = {side, side};
  float *x = malloc(3 * count * sizeof(float)), *y = x + count, *found = y + count;
  tsc_tensor memory = {sizeof(tsc_tensor), x, sizes, NULL, 2, TSC_FLOAT32, TSC_ROW_MAJOR};
  tsc_entry *entry = NULL;
  tsc_context *context = NULL;
  tsc_value *arguments[2] = {NULL, NULL};
  int is_right = 1;
  for (int i = 0; i != 2 * count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = (float)(int32_t)seed / 2147483648.0f;
  }
  is_right = succeeds(tsc, tsc->program_find(program, name, &entry)) &&
             succeeds(tsc, tsc->context_new(program, &context)) &&
             succeeds(tsc, tsc->value_new_tensor(&memory, NULL, NULL, &arguments[0]));
  memory.data = y;
  is_right = is_right && succeeds(tsc, tsc->value_new_tensor(&memory, NULL, NULL, &arguments[1]));
  memory.data = found;
  for (int call = 0; is_right && call != 5; ++call) {
    tsc_value *result = NULL;
    is_right = succeeds(tsc, tsc->entry_run(entry, context, arguments, 2, &result)) &&
               succeeds(tsc, tsc->tensor_copy_to(result, &memory)) &&
               succeeds(tsc, tsc->program_finish_compiling(program));
    tsc->value_free(result);
    for (int i = 0; is_right && i < count; i += 97) {
      const double expected = element_of(x, y, is_fused, i / side, i % side);
      if (!(fabs(found[i] - expected) <= 1e-4 * (1 + fabs(expected)))) {
        printf("%s: element %d is %.9g, and not %.9g\n", name, i, found[i], expected);
        is_right = 0;
      }
    }
  }
  tsc->value_free(arguments[0]);
  tsc->value_free(arguments[1]);
  tsc->context_free(context);
  tsc->entry_free(entry);
  free(x);
  return is_right;
}

/* Whether an exception of the program arrives as an error with its class and text. */
static int raises_rightly(const library *tsc, tsc_program *program) {
  tsc_entry *entry = NULL;
  tsc_context *context = NULL;
  tsc_value *argument = tsc->value_new_int(3), *result = NULL;
  int is_right =
      succeeds(tsc, tsc->program_find(program, "refuse", &entry)) && succeeds(tsc, tsc->context_new(program, &context));
  if (is_right) {
    tsc_error *error = tsc->entry_run(entry, context, &argument, 1, &result);
    is_right = tsc->error_code(error) == TSC_ABORTED && !strcmp(tsc->error_exception(error), "builtins.ValueError") &&
               strstr(tsc->error_summary(error), "refused 3");
    if (!is_right)
      printf("refuse(3) gave '%s'\n", tsc->error_summary(error));
    tsc->error_free(error);
  }
  tsc->value_free(result);
  tsc->value_free(argument);
  tsc->context_free(context);
  tsc->entry_free(entry);
  return is_right;
}

/* Loads the program, which may use `threads`, and calls all of it. Kernels are made in the calls that want them, and
 * are kept in `cache_folder` ("": nowhere). Returns whether all was right. */
static int runs_rightly(const library *tsc, int threads, const char *cache_folder, unsigned seed) {
  tsc_options *options = tsc->options_new();
  tsc_program *program = NULL;
  int is_right = succeeds(tsc, tsc->options_set_threads(options, threads)) &&
                 succeeds(tsc, tsc->options_set_compile_mode(options, TSC_COMPILE_EAGER)) &&
                 succeeds(tsc, tsc->options_set_cache_folder(options, cache_folder)) &&
                 succeeds(tsc, tsc->program_load_bytes(program_text, strlen(program_text), "program.py", options, NULL,
                                                       NULL, &program)) &&
                 calls_rightly(tsc, program, "fused", seed) && calls_rightly(tsc, program, "product", seed) &&
                 raises_rightly(tsc, program);
  tsc->program_free(program);
  tsc->options_free(options);
  return is_right;
}
