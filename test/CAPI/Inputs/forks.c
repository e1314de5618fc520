/* forks.c - Forks at every stage of a program, and does in the child what a host may do: forks SECONDS_FOR_A_CHILD */
#define _DEFAULT_SOURCE
#include "tsc-c/tsc.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const source = "def f(x: Tensor) -> Tensor:\n"
                                  "    for i in range(3):\n"
                                  "        x = torch.tanh(x * 2 + i) * torch.sigmoid(x) + x.exp().sum(1, True)\n"
                                  "    return x\n"
                                  "\n"
                                  "def endless(x: Tensor) -> int:\n"
                                  "    n = 0\n"
                                  "    while n >= 0:\n"
                                  "        n = (n + 1) % 1000\n"
                                  "    return n\n"
                                  "\n"
                                  "def waits(x: Tensor) -> int:\n"
                                  "    return torch.ops.host.wait(1)\n";

/* One whose calls write the state of a module. */
static const char *const counter = "import torch\n"
                                   "from torch import nn, Tensor\n"
                                   "class Counter(nn.Module):\n"
                                   "    def __init__(self):\n"
                                   "        super().__init__()\n"
                                   "        self.n = 0\n"
                                   "    def forward(self, x: Tensor) -> Tensor:\n"
                                   "        while self.n >= 0:\n"
                                   "            self.n = (self.n + 1) % 1000\n"
                                   "        return x\n"
                                   "    def step(self, x: Tensor) -> Tensor:\n"
                                   "        self.n = 1\n"
                                   "        return x * self.n\n"
                                   "model = Counter()\n";

static unsigned seconds = 30;
static int failures;
static float data[600];

typedef struct {
  tsc_options *options;
  tsc_program *program;
  tsc_entry *entry;
  tsc_context *context;
  tsc_value *argument;
} host;

static void check(tsc_error *error) {
  if (!error)
    return;
  fprintf(stderr, "%s\n", tsc_error_message(error));
  _exit(1);
}

static tsc_value *new_argument(void) {
  const int64_t sizes[2] = {1, 600};
  tsc_tensor memory = {sizeof memory, data, NULL, NULL, 2, TSC_FLOAT32, 0};
  tsc_value *argument;
  memory.sizes = sizes;
  check(tsc_value_new_tensor(&memory, NULL, NULL, &argument));
  return argument;
}

/* An operator that takes its time. */
static volatile int waits, goes_on;
static tsc_error *wait_for_host(void *user, tsc_value *const *args, size_t num_args, tsc_value **results,
                                size_t num_results) {
  (void)user;
  (void)args;
  (void)num_args;
  (void)num_results;
  waits = 1;
  while (!goes_on)
    usleep(1000);
  results[0] = tsc_value_new_int(1);
  return NULL;
}

static host open_text(const char *text, const char *entry, tsc_compile_mode mode, int threads) {
  host h;
  h.options = tsc_options_new();
  check(tsc_options_add_operator(h.options, "host::wait(int n) -> int", wait_for_host, NULL, NULL));
  check(tsc_options_set_compile_mode(h.options, mode));
  check(tsc_options_set_threads(h.options, threads));
  if (tsc_has_cpu_fuser())
    check(tsc_options_set_cache_folder(h.options, "")); /* so that there is something to compile each time */
  check(tsc_program_load_bytes(text, strlen(text), "f.py", h.options, NULL, NULL, &h.program));
  check(tsc_program_find(h.program, entry, &h.entry));
  check(tsc_context_new(h.program, &h.context));
  h.argument = new_argument();
  return h;
}

static host open_host(tsc_compile_mode mode, int threads) { return open_text(source, "f", mode, threads); }

static void close_host(host *h) {
  tsc_value_free(h->argument);
  tsc_context_free(h->context);
  tsc_entry_free(h->entry);
  tsc_program_free(h->program);
  tsc_options_free(h->options);
}

/* What a call gives; an error's message goes to `said`. */
static int call(tsc_entry *entry, tsc_context *context, tsc_value *argument, float *first, char *said) {
  tsc_value *result = NULL;
  tsc_error *error = tsc_entry_run(entry, context, &argument, 1, &result);
  tsc_tensor found;
  memset(&found, 0, sizeof found);
  found.struct_size = sizeof found;
  if (!error)
    error = tsc_tensor_get(result, &found);
  if (error && said)
    strncpy(said, tsc_error_message(error), 999);
  if (!error)
    *first = *(const float *)found.data;
  tsc_value_free(result);
  if (!error)
    return 1;
  tsc_error_free(error);
  return 0;
}

static void require(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "%s\n", what);
  _exit(1);
}

static void run_calls(host *h, int calls, float expected) {
  int i;
  for (i = 0; i != calls; ++i) {
    float first = 0;
    char said[1000] = "";
    require(call(h->entry, h->context, h->argument, &first, said), said);
    require(first == expected, "another result");
  }
}

typedef void (*act)(host *h, float expected);

static void act_run(host *h, float expected) { run_calls(h, 20, expected); }
static void act_finish(host *h, float expected) {
  check(tsc_program_finish_compiling(h->program));
  run_calls(h, 3, expected);
  check(tsc_program_finish_compiling(h->program));
  run_calls(h, 3, expected);
}
static void act_free(host *h, float expected) {
  (void)expected;
  close_host(h);
}
static void act_load(host *h, float expected) {
  host other = open_host(TSC_COMPILE_BACKGROUND, 2);
  run_calls(&other, 5, expected);
  check(tsc_program_finish_compiling(other.program));
  run_calls(&other, 5, expected);
  run_calls(h, 5, expected);
  close_host(&other);
  close_host(h);
}
static void act_context(host *h, float expected) {
  tsc_context *own;
  tsc_entry *entry;
  float first = 0;
  check(tsc_program_find(h->program, "f", &entry));
  check(tsc_context_new(h->program, &own));
  require(call(entry, own, h->argument, &first, NULL) && first == expected, "another context");
  tsc_context_free(own);
  tsc_entry_free(entry);
}
static void act_exit(host *h, float expected) {
  run_calls(h, 2, expected);
  exit(0); /* with all that is there */
}
static void act_exec(host *h, float expected) {
  (void)h;
  (void)expected;
  execl("/bin/true", "true", (char *)NULL);
}
static int in_child(act what, host *h, float expected);
static void act_fork(host *h, float expected) {
  require(in_child(act_run, h, expected) == 0, "child of a child");
  act_finish(h, expected);
  require(in_child(act_load, h, expected) == 0, "child of a child");
}

static int in_child(act what, host *h, float expected) {
  int status = 0;
  pid_t child;
  fflush(NULL);
  child = fork();
  if (child == 0) {
    alarm(seconds);
    what(h, expected);
    _exit(0);
  }
  waitpid(child, &status, 0);
  return status;
}

static const struct {
  const char *name;
  act what;
} acts[] = {{"run", act_run},   {"finish", act_finish}, {"free", act_free}, {"load", act_load}, {"context", act_context},
            {"exit", act_exit}, {"exec", act_exec},     {"fork", act_fork}};

static void try_act(unsigned number, host *h, float expected, const char *when) {
  int status = in_child(acts[number].what, h, expected);
  if (status == 0)
    return;
  ++failures;
  printf("%s, %s: the child %s %d\n", when, acts[number].name, WIFSIGNALED(status) ? "was ended by signal" : "failed with",
         WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* Another thread. */
typedef struct {
  host *h;
  const char *name;
  tsc_context *context;
  volatile int stop;
} caller;

static void *keep_calling(void *given) {
  caller *c = given;
  tsc_entry *entry;
  tsc_value *argument = new_argument();
  check(tsc_program_find(c->h->program, c->name, &entry));
  while (!c->stop) {
    tsc_value *result = NULL;
    tsc_error_free(tsc_entry_run(entry, c->context, &argument, 1, &result));
    tsc_value_free(result);
  }
  tsc_value_free(argument);
  tsc_entry_free(entry);
  return NULL;
}

/* In the child of a process in which another thread was in a long call of the program. */
static void act_lost(host *h, float expected) {
  static const char sentence[] =
      "'f.py' cannot be used in this process: another thread was in a call of it when the process was forked; load it "
      "again, or fork between calls";
  char said[1000] = "";
  float first = 0;
  int writes = 0;
  tsc_entry *entry = NULL;
  tsc_value *value = NULL;
  tsc_error *error;
  host other;
  require(!call(h->entry, h->context, h->argument, &first, said) && !strcmp(said, sentence), said);
  error = tsc_program_find(h->program, "f", &entry);
  require(error && !strcmp(tsc_error_message(error), sentence), "find");
  tsc_error_free(error);
  error = tsc_program_finish_compiling(h->program);
  require(error && !strcmp(tsc_error_message(error), sentence), "finish_compiling");
  tsc_error_free(error);
  error = tsc_program_attribute(h->program, "n", &value);
  require(error && !strcmp(tsc_error_message(error), sentence), "attribute");
  tsc_error_free(error);
  check(tsc_program_writes_state(h->program, &writes, NULL));
  require(writes, "what is not known may write");
  other = open_host(TSC_COMPILE_BACKGROUND, 2);
  run_calls(&other, 4, expected);
  check(tsc_program_finish_compiling(other.program));
  run_calls(&other, 4, expected);
  close_host(&other);
  close_host(h);
}

/* The turn of the parent's other thread is over in the child. */
static void act_state(host *h, float expected) {
  int writes = 0;
  run_calls(h, 3, expected);
  check(tsc_program_writes_state(h->program, &writes, NULL));
  require(writes, "it writes");
}

int main(int argc, char **argv) {
  int mode, threads, calls, finishes;
  unsigned i;
  float expected = 0;
  host h, stateful;
  caller other;
  pthread_t thread;
  if (argc == 2)
    seconds = (unsigned)atoi(argv[1]);
  require(in_child(act_exec, NULL, 0) == 0, "a host that has called nothing");
  h = open_host(TSC_COMPILE_OFF, 1);
  require(call(h.entry, h.context, h.argument, &expected, NULL), "a call");
  close_host(&h);
  for (mode = TSC_COMPILE_OFF; mode <= TSC_COMPILE_EAGER; ++mode)
    for (threads = 1; threads <= 3; threads += 2)
      for (calls = 0; calls <= 4; ++calls)
        for (finishes = 0; finishes != 2; ++finishes) {
          char when[100];
          sprintf(when, "mode %d, %d threads, after %d calls%s", mode, threads, calls, finishes ? ", all compiled" : "");
          h = open_host((tsc_compile_mode)mode, threads);
          run_calls(&h, calls, expected);
          if (finishes)
            check(tsc_program_finish_compiling(h.program));
          for (i = (unsigned)(calls + finishes) % 2; i < sizeof acts / sizeof *acts; i += 2)
            try_act(i, &h, expected, when);
          run_calls(&h, 2, expected); /* the parent goes on */
          close_host(&h);
        }

  h = open_host(TSC_COMPILE_BACKGROUND, 2);
  other.h = &h;
  other.name = "f";
  other.stop = 0;
  check(tsc_context_new(h.program, &other.context));
  pthread_create(&thread, NULL, keep_calling, &other);
  for (calls = 0; calls != 5; ++calls)
    for (i = 0; i < sizeof acts / sizeof *acts; ++i)
      if (acts[i].what != act_free && acts[i].what != act_load) /* the other thread's program is in use */
        try_act(i, &h, expected, "beside short calls");
  other.stop = 1;
  pthread_join(thread, NULL);
  tsc_context_free(other.context);

  other.name = "endless"; /* which stops where it can */
  other.stop = 0;
  check(tsc_context_new(h.program, &other.context));
  pthread_create(&thread, NULL, keep_calling, &other);
  for (calls = 0; calls != 200; ++calls)
    run_calls(&h, 1, expected); /* by then it is in its call */
  for (i = 0; i < sizeof acts / sizeof *acts; ++i)
    if (acts[i].what != act_free && acts[i].what != act_load)
      try_act(i, &h, expected, "beside a long call");
  other.stop = 1;
  tsc_context_cancel(other.context);
  pthread_join(thread, NULL);
  tsc_context_free(other.context);

  /* A call that has the module's state for itself. */
  stateful = open_text(counter, "model.step", TSC_COMPILE_BACKGROUND, 2);
  other.h = &stateful;
  other.name = "model";
  other.stop = 0;
  check(tsc_context_new(stateful.program, &other.context));
  run_calls(&stateful, 1, data[0]);
  pthread_create(&thread, NULL, keep_calling, &other);
  usleep(300000);
  if (in_child(act_state, &stateful, data[0]) != 0) {
    ++failures;
    printf("beside a call that writes state: the child failed\n");
  }
  other.stop = 1;
  tsc_context_cancel(other.context);
  pthread_join(thread, NULL);
  tsc_context_free(other.context);
  close_host(&stateful);
  other.h = &h;

  other.name = "waits"; /* in an operator */
  other.stop = 0;
  check(tsc_context_new(h.program, &other.context));
  pthread_create(&thread, NULL, keep_calling, &other);
  while (!waits)
    usleep(1000);
  if (in_child(act_lost, &h, expected) != 0) {
    ++failures;
    printf("beside a long operator: the child failed\n");
  }
  run_calls(&h, 2, expected);
  other.stop = 1;
  goes_on = 1;
  pthread_join(thread, NULL);
  tsc_context_free(other.context);
  if (in_child(act_fork, &h, expected) != 0) {
    ++failures;
    printf("after the long operator: the child failed\n");
  }
  close_host(&h);
  printf("%d failures\n", failures);
  return failures != 0;
}
