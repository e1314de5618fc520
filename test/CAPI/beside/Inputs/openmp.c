/* A host with OpenMP threads, and a libtsc.so that may use one thread. oneDNN brings a runtime of OpenMP's with it, and
 * the process may hold more than one: whichever oneDNN was bound to, it starts no threads, and the host's number of
 * threads stays as it was.
 *
 *   openmp LIBTSC [--namespace] [LIBRARY...]
 *
 * Each LIBRARY is opened before libtsc, "+NAME" for all to see. Parallel regions are written as calls of the functions
 * that GCC makes of them, for a compiler need not know libgomp's. */
#define _GNU_SOURCE
#include "library.h"
#include <dirent.h>
#include <pthread.h>

enum { wanted = 4, most_runtimes = 8 };

/* The functions of one runtime. */
typedef struct runtime {
  int (*get_max_threads)(void);
  void (*set_num_threads)(int);
  void (*parallel)(void (*)(void *), void *, unsigned, unsigned);
  int (*get_thread_num)(void);
} runtime;

static runtime runtimes[most_runtimes];
static int num_runtimes;
static library tsc;

static void add_runtime(void *handle) {
  runtime found = {dlsym(handle, "omp_get_max_threads"), dlsym(handle, "omp_set_num_threads"),
                   dlsym(handle, "GOMP_parallel"), dlsym(handle, "omp_get_thread_num")};
  int is_new = found.get_max_threads && found.set_num_threads && found.parallel && found.get_thread_num;
  for (int i = 0; i != num_runtimes; ++i)
    is_new = is_new && runtimes[i].parallel != found.parallel;
  if (is_new && num_runtimes != most_runtimes)
    runtimes[num_runtimes++] = found;
}

typedef struct region {
  const runtime *of;
  int seen[64];
} region;

static void note_thread(void *argument) {
  region *r = argument;
  r->seen[r->of->get_thread_num() & 63] = 1;
}

/* How many threads a parallel region of the host's gets. */
static int threads_in_region(const runtime *of) {
  region r = {of, {0}};
  int found = 0;
  of->parallel(note_thread, &r, 0, 0);
  for (int i = 0; i != 64; ++i)
    found += r.seen[i];
  return found;
}

static int threads_of_process(void) {
  DIR *opened = opendir("/proc/self/task");
  int found = 0;
  for (struct dirent *entry; (entry = readdir(opened));)
    found += entry->d_name[0] != '.';
  closedir(opened);
  return found;
}

/* A thread without threads of its own to lend: those that a runtime starts in it are new ones of the process. */
static void *call_once(void *argument) {
  int *is_right = argument;
  const int before = threads_of_process();
  for (int i = 0; i != num_runtimes; ++i)
    runtimes[i].set_num_threads(wanted);
  *is_right = runs_rightly(&tsc, 1, "", 7);
  const int started = threads_of_process() - before;
  if (started > 0) {
    printf("a library that may use one thread started %d\n", started);
    *is_right = 0;
  }
  for (int i = 0; i != num_runtimes; ++i)
    if (runtimes[i].get_max_threads() != wanted) {
      printf("runtime %d has %d threads in place of %d\n", i, runtimes[i].get_max_threads(), wanted);
      *is_right = 0;
    }
  return NULL;
}

int main(int argc, char **argv) {
  int is_right = 1, is_namespace = 0;
  if (argc < 2)
    return 2;
  void *const program = dlopen(NULL, RTLD_NOW);
  add_runtime(program);
  for (int i = 2; i != argc; ++i) {
    if (!strcmp(argv[i], "--namespace")) {
      is_namespace = 1;
      continue;
    }
    const int is_global = argv[i][0] == '+';
    void *opened = dlopen(argv[i] + is_global, RTLD_NOW | (is_global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!opened) {
      printf("%s\n", dlerror());
      return 1;
    }
    add_runtime(opened);
  }
  if (!find_functions(&tsc,
                      is_namespace ? dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW) : dlopen(argv[1], RTLD_NOW | RTLD_LOCAL)))
    return 1;
  for (int round = 0; round != 2; ++round) {
    for (int i = 0; i != num_runtimes; ++i) {
      runtimes[i].set_num_threads(wanted);
      if (threads_in_region(&runtimes[i]) != wanted) {
        printf("runtime %d: a region of %d threads had %d\n", i, wanted, threads_in_region(&runtimes[i]));
        is_right = 0;
      }
    }
    int call_is_right = 0;
    pthread_t caller;
    pthread_create(&caller, NULL, call_once, &call_is_right);
    pthread_join(caller, NULL);
    is_right = is_right && call_is_right;
  }
  printf("%d runtimes\n%s\n", num_runtimes, is_right ? "all as expected" : "wrong");
  return !is_right;
}
