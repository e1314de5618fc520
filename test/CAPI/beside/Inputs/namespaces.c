/* libtsc.so three times in one process: two copies of the file, and once more in a namespace of the loader's own. Each
 * runs a program with kernels from several threads at once, all are closed, and opened once more. What the host keeps
 * for a thread stays its own, although the namespace has a C library of its own, whose keys may have the same numbers.
 *
 *   namespaces LIBTSC COPY CACHE_FOLDER */
#define _GNU_SOURCE
#include "library.h"
#include <dirent.h>
#include <link.h>
#include <pthread.h>

enum { copies = 3, threads_of_each = 3 };

typedef struct task {
  const library *tsc;
  const char *cache_folder;
  unsigned seed;
  int is_right;
  int ends; /* How often the destructor of a key was called. */
  struct task *self;
} task;

/* What the host keeps for each thread: its task, which the destructor marks. */
enum { keys = 4 };
static pthread_key_t key[keys];

static void end_thread(void *value) {
  task *t = value;
  if (t->self == t)
    ++t->ends;
  else
    printf("the host's destructor was given what is not the host's\n");
}

static void *run(void *argument) {
  task *t = argument;
  for (int i = 0; i != keys; ++i)
    pthread_setspecific(key[i], t);
  t->is_right = runs_rightly(t->tsc, 2, t->cache_folder, t->seed) && runs_rightly(t->tsc, 1, "", t->seed + 1);
  for (int i = 0; i != keys; ++i)
    if (pthread_getspecific(key[i]) != t) {
      printf("what the host keeps for the thread was overwritten\n");
      t->is_right = 0;
    }
  return NULL;
}

/* Opens all copies, runs them side by side, and closes them. */
static int round_of(char **paths, int number) {
  library each[copies];
  task tasks[copies][threads_of_each];
  pthread_t workers[copies][threads_of_each];
  int is_right = find_functions(&each[0], dlopen(paths[1], RTLD_NOW | RTLD_LOCAL)) &&
                 find_functions(&each[1], dlopen(paths[2], RTLD_NOW | RTLD_LOCAL)) &&
                 find_functions(&each[2], dlmopen(LM_ID_NEWLM, paths[1], RTLD_NOW | RTLD_LOCAL));
  if (!is_right)
    return 0;
  for (int i = 0; i != copies; ++i)
    for (int j = 0; j != i; ++j)
      if ((void *)each[i].entry_run == (void *)each[j].entry_run) {
        printf("copies %d and %d are one\n", i, j);
        is_right = 0;
      }
  for (int i = 0; i != copies; ++i)
    for (int j = 0; j != threads_of_each; ++j) {
      tasks[i][j] = (task){&each[i], i == 1 ? paths[3] : "", (unsigned)(number * 100 + i * 10 + j), 0, 0, &tasks[i][j]};
      pthread_create(&workers[i][j], NULL, run, &tasks[i][j]);
    }
  for (int i = 0; i != copies; ++i)
    for (int j = 0; j != threads_of_each; ++j) {
      pthread_join(workers[i][j], NULL);
      tasks[i][j].is_right &= tasks[i][j].ends == keys;
      if (!tasks[i][j].is_right)
        printf("round %d, copy %d, thread %d: wrong\n", number, i, j);
      is_right = is_right && tasks[i][j].is_right;
    }
  for (int i = 0; i != copies; ++i) {
    each[i].release_free_memory();
    if (dlclose(each[i].handle)) {
      printf("dlclose: %s\n", dlerror());
      is_right = 0;
    }
  }
  return is_right;
}

/* How many files a folder holds. */
static int files_in(const char *folder) {
  DIR *opened = opendir(folder);
  int found = 0;
  for (struct dirent *entry; opened && (entry = readdir(opened));)
    found += entry->d_name[0] != '.';
  if (opened)
    closedir(opened);
  return found;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  for (int i = 0; i != keys; ++i)
    pthread_key_create(&key[i], end_thread);
  for (int number = 0; number != 2; ++number)
    if (!round_of(argv, number))
      return 1;
  printf("%s\nall as expected\n", files_in(argv[3]) ? "kernels" : "no kernels");
  return 0;
}
