//===- OlderGlibc.c - What programs need of glibc that older ones lack ----===//
//
// Only what is linked for older systems has this file (TSC_OLDEST_GLIBC, cmake/TscStandAlone.cmake). The libraries
// that are linked statically were compiled for this system's glibc and call functions that came into it later
// than 2.31. Each is given here in terms of what glibc 2.31 has, and newer ones still have.
//
//===----------------------------------------------------------------------===//
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

// glibc 2.32: whether the process has one thread. "No" is always right; reference counts are atomic then.
char __libc_single_threaded = 0;

// glibc 2.33: functions that were inline before, and called these with the version of the structure.
enum {
#ifdef __x86_64__
  StatVersion = 1,
#else
  StatVersion = 0,
#endif
  NodeVersion = 0
};
#pragma GCC visibility push(default)
extern int __xstat(int, const char *, struct stat *);
extern int __lxstat(int, const char *, struct stat *);
extern int __fxstat(int, int, struct stat *);
extern int __fxstatat(int, int, const char *, struct stat *, int);
extern int __xmknod(int, const char *, mode_t, dev_t *);
#pragma GCC visibility pop

int stat(const char *path, struct stat *out) { return __xstat(StatVersion, path, out); }
int lstat(const char *path, struct stat *out) { return __lxstat(StatVersion, path, out); }
int fstat(int file, struct stat *out) { return __fxstat(StatVersion, file, out); }
int fstatat(int folder, const char *path, struct stat *out, int flags) {
  return __fxstatat(StatVersion, folder, path, out, flags);
}
int mknod(const char *path, mode_t mode, dev_t device) { return __xmknod(NodeVersion, path, mode, &device); }

// On processors of 64 bits both structures are the same.
_Static_assert(sizeof(off_t) == 8, "struct stat and struct stat64 are to be the same");
int stat64(const char *path, struct stat64 *out) { return __xstat(StatVersion, path, (struct stat *)out); }
int lstat64(const char *path, struct stat64 *out) { return __lxstat(StatVersion, path, (struct stat *)out); }
int fstat64(int file, struct stat64 *out) { return __fxstat(StatVersion, file, (struct stat *)out); }
int fstatat64(int folder, const char *path, struct stat64 *out, int flags) {
  return __fxstatat(StatVersion, folder, path, (struct stat *)out, flags);
}

// glibc 2.33: the counts of mallinfo in full width. LLVM reports memory in use with it, and nothing here asks LLVM.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
struct mallinfo2 mallinfo2(void) {
  struct mallinfo narrow = mallinfo();
  struct mallinfo2 wide = {0};
  wide.arena = (unsigned)narrow.arena;
  wide.ordblks = (unsigned)narrow.ordblks;
  wide.smblks = (unsigned)narrow.smblks;
  wide.hblks = (unsigned)narrow.hblks;
  wide.hblkhd = (unsigned)narrow.hblkhd;
  wide.usmblks = (unsigned)narrow.usmblks;
  wide.fsmblks = (unsigned)narrow.fsmblks;
  wide.uordblks = (unsigned)narrow.uordblks;
  wide.fordblks = (unsigned)narrow.fordblks;
  wide.keepcost = (unsigned)narrow.keepcost;
  return wide;
}

// glibc 2.36: random bits of the system, which cannot fail.
uint32_t arc4random(void) {
  uint32_t bits = 0;
  ssize_t got;
  do
    got = getrandom(&bits, sizeof bits, 0);
  while (got < 0 && errno == EINTR);
  if (got != sizeof bits) { // A system may forbid the call and allow the file.
    FILE *file = fopen("/dev/urandom", "rb");
    if (!file || fread(&bits, sizeof bits, 1, file) != 1)
      abort();
    fclose(file);
  }
  return bits;
}

#ifdef TSC_OLDER_GLIBC_PROGRAM
// Before glibc 2.34, a program brought the function that runs its own constructors, and handed it to this one; what
// starts programs on a newer system hands nothing, and the older library would run none.
typedef void Constructor(int, char **, char **);
extern Constructor *__init_array_start[], *__init_array_end[];
extern void _init(void);

static void runConstructors(int count, char **arguments, char **environment) {
  _init();
  for (Constructor **each = __init_array_start; each != __init_array_end; ++each)
    (*each)(count, arguments, environment);
}

#pragma GCC visibility push(default)
extern int __real___libc_start_main(int (*)(int, char **, char **), int, char **, void (*)(int, char **, char **),
                                    void (*)(void), void (*)(void), void *);
#pragma GCC visibility pop

int __wrap___libc_start_main(int (*main)(int, char **, char **), int count, char **arguments,
                             void (*constructors)(int, char **, char **), void (*destructors)(void),
                             void (*leaveLoader)(void), void *stack) {
  return __real___libc_start_main(main, count, arguments, constructors ? constructors : runConstructors, destructors,
                                  leaveLoader, stack);
}
#endif

#pragma GCC visibility pop
