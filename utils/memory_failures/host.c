/* host.c - A host that loads a program and calls it, with each request for memory failing in turn.
 *
 * usage: host FIRST LAST STEP EVERY SECONDS MODE PROGRAM [ARGUMENT...]
 *
 * For each N from FIRST to LAST in steps of STEP a process of its own loads and calls while the N-th request fails, and,
 * where EVERY is not 0, each EVERY-th behind it. Then memory is there again: what failed is done once more, and has to
 * give what it gives where nothing fails. MODE is off, background or eager. An argument is a tensor of floats, 2x48, or
 * an int, 5. Each process is one line: N, how it ended, and a text.
 */
#include "tsc-c/tsc.h"
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void fail_allocations(long first, long every);
long count_allocations(void);

/* How a process ends. Others are crashes. */
enum { RIGHT = 0, REFUSED = 10, OTHER_ERROR = 11, WRONG = 12, STAYS_BROKEN = 13, NOT_REACHED = 14 };

static char expected[65536], told[65536];
static char **arguments;
static int num_arguments;
static const char *path;
static tsc_compile_mode mode;

/* Keeps the error's text without asking for memory; whether there was one. */
static int failed(tsc_error *error, int *kind) {
  const size_t used = strlen(told);
  if (!error)
    return 0;
  snprintf(told + used, sizeof told - used, "%s%d %s", used ? "; " : "", (int)tsc_error_code(error),
           tsc_error_message(error));
  if (*kind != OTHER_ERROR)
    *kind = tsc_error_code(error) == TSC_RESOURCE_EXHAUSTED && *tsc_error_message(error) ? REFUSED : OTHER_ERROR;
  tsc_error_free(error);
  return 1;
}

/* NULL is an error as well. */
static int is_null(const void *made, int *kind) {
  if (made)
    return 0;
  if (*kind == RIGHT)
    *kind = REFUSED;
  return 1;
}

static int load(tsc_program **program, int *kind) {
  tsc_options *options = tsc_options_new();
  int bad = is_null(options, kind) || failed(tsc_options_set_compile_mode(options, mode), kind) ||
            failed(tsc_options_set_cache_folder(options, ""), kind) ||
            failed(tsc_options_set_threads(options, 2), kind) || failed(tsc_program_load(path, options, program), kind);
  tsc_options_free(options);
  return !bad;
}

static tsc_value *argument(const char *text, int *kind) {
  static float data[65536];
  int64_t sizes[8];
  char *end;
  tsc_value *value = NULL;
  tsc_tensor tensor = {sizeof tensor, data, sizes, NULL, 0, TSC_FLOAT32, 0};
  size_t i;
  for (i = 0; i != sizeof data / sizeof *data; ++i)
    data[i] = (float)(i % 97) / 32 - 1;
  if (!strchr(text, 'x')) {
    value = tsc_value_new_int(atoi(text));
    (void)is_null(value, kind);
    return value;
  }
  for (;; text = end + 1) {
    sizes[tensor.rank++] = strtol(text, &end, 10);
    if (*end != 'x' || tensor.rank == 8)
      break;
  }
  (void)failed(tsc_value_new_tensor_copy(&tensor, &value), kind);
  return value;
}

/* Whether the program was called and gave what it should, in as many calls as tiers may take. */
static int call(tsc_program *program, int *kind, char *result, size_t size) {
  tsc_entry *entry = NULL;
  tsc_context *context = NULL;
  tsc_value *args[8] = {NULL}, *value = NULL, *text = NULL;
  int good = 1, i, turn;
  const char *chars;
  size_t length;
  for (i = 0; i != num_arguments; ++i)
    good &= (args[i] = argument(arguments[i], kind)) != NULL;
  good = good && !failed(tsc_program_find(program, NULL, &entry), kind) &&
         !failed(tsc_context_new(program, &context), kind);
  for (turn = 0; good && turn != 3; ++turn) {
    good = !failed(tsc_entry_run(entry, context, args, (size_t)num_arguments, &value), kind) &&
           !failed(tsc_program_finish_compiling(program), kind);
    if (good && turn == 2)
      good = !failed(tsc_value_print(value, &text), kind) && !failed(tsc_value_get_string(text, &chars, &length), kind);
    if (good && turn == 2)
      snprintf(result, size, "%s", chars);
    tsc_value_free(value);
    tsc_value_free(text);
    value = text = NULL;
  }
  for (i = 0; i != num_arguments; ++i)
    tsc_value_free(args[i]);
  tsc_context_free(context);
  tsc_entry_free(entry);
  return good;
}

/* What the process for one N does. */
static int try_one(long n, long every) {
  static char result[65536];
  tsc_program *program = NULL;
  int kind = RIGHT, later = RIGHT, good, loaded;
  long requests;
  fail_allocations(n, every);
  loaded = load(&program, &kind);
  good = loaded && call(program, &kind, result, sizeof result);
  requests = count_allocations();
  if (n > requests)
    return NOT_REACHED;
  if (good && strcmp(result, expected) != 0)
    return snprintf(told, sizeof told, "%s", result), WRONG;
  if (!loaded && !load(&program, &later))
    return STAYS_BROKEN;
  if (!call(program, &later, result, sizeof result) || strcmp(result, expected) != 0)
    return snprintf(told + strlen(told), sizeof told - strlen(told), "; at last: %.200s", result), STAYS_BROKEN;
  tsc_program_free(program);
  return kind;
}

static void say(int to, const char *format, ...) {
  char line[2048];
  va_list list;
  size_t i, length;
  va_start(list, format);
  vsnprintf(line, sizeof line - 1, format, list);
  va_end(list);
  length = strlen(line);
  for (i = 0; i != length; ++i)
    if (line[i] == '\n')
      line[i] = ' ';
  line[length++] = '\n';
  if (write(to, line, length) < 0)
    _exit(70);
}

int main(int argc, char **argv) {
  static const char *const names[] = {"refused", "other error", "wrong result", "stays broken", "not reached"};
  long n, first, last, step, every;
  int status, pipes[2], kind = RIGHT;
  unsigned seconds;
  tsc_program *program = NULL;
  if (argc < 8)
    return 2;
  first = atol(argv[1]), last = atol(argv[2]), step = atol(argv[3]), every = atol(argv[4]);
  seconds = (unsigned)atol(argv[5]);
  mode = argv[6][0] == 'o' ? TSC_COMPILE_OFF : argv[6][0] == 'b' ? TSC_COMPILE_BACKGROUND : TSC_COMPILE_EAGER;
  path = argv[7];
  arguments = argv + 8;
  num_arguments = argc - 8;

  /* What it gives where nothing fails, found in a process of its own: each one begins as new as the first. */
  if (pipe(pipes) != 0)
    return 2;
  if (fork() == 0) {
    if (!load(&program, &kind) || !call(program, &kind, expected, sizeof expected))
      say(2, "without failures: %s", told), _exit(1);
    if (write(pipes[1], expected, sizeof expected) != (ssize_t)sizeof expected)
      _exit(70);
    _exit(0);
  }
  for (status = 0; status != (int)sizeof expected;) {
    const ssize_t got = (close(pipes[1]), read(pipes[0], expected + status, sizeof expected - (size_t)status));
    if (got <= 0)
      break;
    status += (int)got;
  }
  if (wait(&status) < 0 || status != 0)
    return 2;

  for (n = first; n <= last; n += step) {
    const pid_t child = fork();
    if (child == 0) {
      int end;
      alarm(seconds);
      end = try_one(n, every);
      if (end != RIGHT && end != NOT_REACHED)
        say(1, "%ld %s: %s", n, names[end - REFUSED], told);
      _exit(end);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
      return 2;
    if (WIFSIGNALED(status))
      say(1, "%ld %s: signal %d", n, WTERMSIG(status) == SIGALRM ? "no end" : "crash", WTERMSIG(status));
    else if (WEXITSTATUS(status) == RIGHT)
      say(1, "%ld right", n);
    else if (WEXITSTATUS(status) == NOT_REACHED)
      break;
    else if (WEXITSTATUS(status) < REFUSED || WEXITSTATUS(status) > NOT_REACHED)
      say(1, "%ld crash: exit status %d", n, WEXITSTATUS(status));
  }
  return 0;
}
