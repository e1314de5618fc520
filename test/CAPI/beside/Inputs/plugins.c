/* A host with plug-ins that were built against LibTorch or tsc, which are used in turn and in threads of OpenMP's.
 *
 *   plugins ARCHIVE PLUGIN...
 *
 * Each PLUGIN is opened in this order: "+FILE" for all to see, "%FILE" in a namespace of its own. All compute the same.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { most = 128, most_plugins = 4, threads = 3 };
typedef int (*run_function)(const char *archive, double seed, double *found, int most);

static const char *names[most_plugins];
static run_function runs[most_plugins];

static int open_plugin(const char *argument, int number) {
  const int is_global = *argument == '+', is_apart = *argument == '%';
  const char *const file = argument + (is_global || is_apart);
  void *const opened = is_apart ? dlmopen(LM_ID_NEWLM, file, RTLD_NOW | RTLD_LOCAL)
                                : dlopen(file, RTLD_NOW | (is_global ? RTLD_GLOBAL : RTLD_LOCAL));
  if (!opened) {
    printf("%s\n", dlerror());
    return 0;
  }
  runs[number] = (run_function)dlsym(opened, "plugin_run");
  names[number] = ((const char *(*)(void))dlsym(opened, "plugin_library"))();
  for (int i = 0; i != number; ++i)
    if (runs[i] == runs[number]) {
      printf("plug-ins %d and %d are one\n", i, number);
      return 0;
    }
  return 1;
}

/* Whether a plug-in computes what the first one does. */
static int agrees(const char *archive, int number, double seed) {
  double expected[most], found[most];
  const int count = runs[0](archive, seed, expected, most), others = runs[number](archive, seed, found, most);
  int is_right = count > 0 && others == count;
  for (int i = 0; is_right && i != count; ++i)
    is_right = fabs(found[i] - expected[i]) <= 1e-5 * (1 + fabs(expected[i]));
  if (!is_right)
    printf("plug-in %d, of %s, computes something else than that of %s\n", number, names[number], names[0]);
  return is_right;
}

int main(int argc, char **argv) {
  int is_right = argc > 2;
  const int count = argc - 2;
  omp_set_num_threads(threads);
  for (int i = 0; is_right && i < count && i < most_plugins; ++i)
    is_right = open_plugin(argv[i + 2], i);
  for (int round = 0; is_right && round != 2; ++round) {
    for (int i = 0; i != count; ++i)
      is_right &= agrees(argv[1], i, 1 + 0.25 * round);
    int wrong = 0, seen = 0;
#pragma omp parallel reduction(+ : wrong, seen)
    {
      seen += omp_get_num_threads() == threads;
      for (int i = 0; i != count; ++i)
        wrong += !agrees(argv[1], i, 1.5 + 0.25 * omp_get_thread_num());
    }
    if (seen != threads || omp_get_max_threads() != threads) {
      printf("a region of %d threads had %d\n", threads, seen);
      is_right = 0;
    }
    is_right &= wrong == 0;
  }
  printf("%s\n", is_right ? "all as expected" : "wrong");
  return !is_right;
}
