/* failing_malloc.c - Makes chosen requests for memory fail, as they do where memory is used up.
 *
 * Requests are counted from 1 on, over all threads: those of malloc and its kin, which operator new calls, and
 * anonymous mappings. It is used in two ways: linked into a program that calls fail_allocations(), or preloaded
 * (LD_PRELOAD) into one that knows nothing of it. Then requests count from main on, so that how many the C library's own start makes
 * does not matter, and the environment says which fail:
 *   FAIL_ALLOCATION=N   the N-th; 0 for none
 *   FAIL_EVERY=K        and each K-th behind it; 1 for all that come
 *   FAIL_TRACE=1        each failure writes its stack to standard error, for addr2line, and so does a crash
 *   FAIL_COUNT=FILE     at the end, how many there were
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc's own names of what is replaced. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void fail_allocations(long first, long every);
long count_allocations(void);

static atomic_long requests;
static atomic_int counts;
static long fails_first, fails_every;
static int traces;

/* From here on requests are counted anew, and the first-th fails, and then each every-th; 0 for none. */
void fail_allocations(long first, long every) {
  fails_first = first;
  fails_every = every;
  requests = 0;
  counts = 1;
}
/* Stops that; how many requests there were. */
long count_allocations(void) {
  counts = 0;
  return requests;
}

static void write_stack(void) {
  void *frames[48];
  const int counted = counts;
  counts = 0; /* backtrace() may ask for memory */
  backtrace_symbols_fd(frames, backtrace(frames, 48), 2);
  counts = counted;
}
static void write_crash(int number) {
  static const char said[] = "crash\n";
  if (write(2, said, sizeof said - 1) > 0)
    write_stack();
  signal(number, SIG_DFL);
  raise(number);
}

/* Whether the request that begins now is to fail. */
static int fails(void) {
  long number;
  if (!counts)
    return 0;
  number = atomic_fetch_add(&requests, 1) + 1;
  if (!fails_first || number < fails_first)
    return 0;
  if (number != fails_first && (!fails_every || (number - fails_first) % fails_every != 0))
    return 0;
  if (traces)
    write_stack();
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return size && fails() ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void **made, size_t alignment, size_t size) {
  void *memory = fails() ? NULL : __libc_memalign(alignment, size);
  if (!memory)
    return ENOMEM;
  *made = memory;
  return 0;
}
void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  if ((flags & MAP_ANONYMOUS) && fails())
    return MAP_FAILED;
  return (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}
void *mmap64(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  return mmap(at, size, protection, flags, file, offset);
}

/* The program's main, which begins the count. */
static int (*program)(int, char **, char **);

static long number_in(const char *name) {
  const char *text = getenv(name);
  return text ? atol(text) : 0;
}

static void write_count(void) {
  const long count = count_allocations();
  const int file = open(getenv("FAIL_COUNT"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  char text[32];
  const int length = snprintf(text, sizeof text, "%ld\n", count);
  if (file < 0 || write(file, text, (size_t)length) != length)
    _exit(70);
  close(file);
}

static int counted_main(int argc, char **argv, char **environment) {
  traces = getenv("FAIL_TRACE") != NULL;
  if (traces) {
    void *frame;
    backtrace(&frame, 1); /* loads what it needs */
    signal(SIGSEGV, write_crash);
    signal(SIGABRT, write_crash);
  }
  if (getenv("FAIL_COUNT"))
    atexit(write_count);
  if (getenv("FAIL_ALLOCATION"))
    fail_allocations(number_in("FAIL_ALLOCATION"), number_in("FAIL_EVERY"));
  return program(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
  typedef int Start(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
                    void *);
  Start *start = (Start *)dlsym(RTLD_NEXT, "__libc_start_main");
  program = main;
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
