/* How many keys of pthread_key_create a host has left after libtsc.so has run a program in several threads. The host
 * takes the function's address, and is linked as a program of a fixed place, whose address for it differs from the C
 * library's.
 *
 *   keys LIBTSC CACHE_FOLDER */
#include "library.h"
#include <pthread.h>

static int (*volatile const create)(pthread_key_t *, void (*)(void *)) = pthread_key_create;

int main(int count_of_arguments, char **arguments) {
  library tsc;
  pthread_key_t key;
  int left = 0;
  if (count_of_arguments != 3 || !find_functions(&tsc, dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL)) ||
      !runs_rightly(&tsc, 2, arguments[2], 1))
    return 1;
  while (create(&key, NULL) == 0)
    ++left;
  printf("%s\n", left > 900 ? "keys are left" : "too few keys are left");
  return 0;
}
