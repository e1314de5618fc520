//===- StacksTest.cpp - Threads of hosts whose stacks are small -----------===//
#include "../Support/ThreadsOfTests.h"
#include "Hosts.h"

using namespace host;
using tsc::inThread;

namespace {
std::string repeated(const std::string &text, int count) {
  std::string all;
  for (int i = 0; i != count; ++i)
    all += text;
  return all;
}

/// Programs that nest `depth` levels of something.
struct Deep {
  const char *what, *file;
  std::string (*make)(int depth);
};
const Deep deepPrograms[] = {
    {"parentheses", "p.py",
     [](int n) { return "def f(x: int):\n    return " + repeated("(", n) + "x" + repeated(")", n) + "\n"; }},
    {"sums", "p.py", [](int n) { return "def f(x: int):\n    return x" + repeated(" + 1", n) + "\n"; }},
    {"negations", "p.py", [](int n) { return "def f(x: int):\n    return " + repeated("-", n) + "x\n"; }},
    {"lists", "p.py",
     [](int n) { return "def f(x: int):\n    return " + repeated("[", n) + "x" + repeated("]", n) + "\n"; }},
    {"calls", "p.py",
     [](int n) { return "def f(x: int):\n    return " + repeated("abs(", n) + "x" + repeated(")", n) + "\n"; }},
    {"blocks", "p.py",
     [](int n) {
       std::string text = "def f(x: int):\n";
       for (int i = 0; i != n; ++i)
         text += std::string(static_cast<size_t>(i) + 1, ' ') + "if x > " + std::to_string(i) + ":\n";
       return text + std::string(static_cast<size_t>(n) + 1, ' ') + "x = x + 1\n return x\n";
     }},
    {"types", "p.py",
     [](int n) { return "def f(x: " + repeated("List[", n) + "int" + repeated("]", n) + "):\n    return 1\n"; }},
    {"graphs", "p.ir",
     [](int n) {
       std::string text = "graph(%c : bool):\n";
       for (int i = 0; i != n; ++i)
         text += "prim::If(%c)\nblock0():\n";
       for (int i = 0; i != n; ++i)
         text += "-> ()\nblock1():\n-> ()\n";
       return text + "return (%c)\n";
     }},
    {"attributes", "p.ir",
     [](int n) {
       return "graph():\n  %1 : int = prim::Constant[value=" + repeated("[", n) + repeated("]", n) +
              "]()\n  return (%1)\n";
     }},
};

/// Loads, compiles and calls it. Whether it was taken, or refused with a sentence.
bool takesOrRefuses(const std::string &text, const char *file) {
  Handle<tsc_options> chosen = options();
  tsc_program *program = nullptr;
  Error error(tsc_program_load_bytes(text.data(), text.size(), file, chosen.get(), nullptr, nullptr, &program));
  Program loaded(program);
  if (!error)
    error.reset(tsc_program_compile_all(program));
  tsc_entry *entry = nullptr;
  if (program && !Error(tsc_program_find(program, nullptr, &entry))) {
    Entry found(entry);
    tsc_context *context = nullptr;
    tsc_value *result = nullptr;
    if (!Error(tsc_context_new(program, &context))) {
      Call call(context);
      Value one(tsc_value_new_int(1));
      tsc_value *const args[] = {one.get()};
      Error failed(tsc_entry_run(entry, context, args, 1, &result));
      Value given(result);
    }
  }
  return !error || *tsc_error_message(error.get());
}
} // namespace

TEST_CASE("nested programs are taken or refused in threads of any stack, and never leave it") {
  for (const Deep &deep : deepPrograms)
    for (size_t kilobytes : {64, 128, 256, 512, 1024, 8192})
      for (int depth : {1, 20, 100, 500, 1100, 5000}) {
        if (kilobytes << 10 < tsc::smallestStack())
          continue;
        const std::string text = deep.make(depth);
        INFO(deep.what << " " << depth << " deep in " << kilobytes << " kB");
        inThread(kilobytes << 10, [&] { CHECK(takesOrRefuses(text, deep.file)); });
      }
}

// The thread sanitizer's own data and frames leave too little of such a stack to the test itself.
#if !TSC_HAS_THREAD_SANITIZER
TEST_CASE("a stack that is too small is named, with what it takes") {
  const std::string text = "def f(x: int):\n    return x + 1\n";
  if (tsc::smallestStack() > 64 << 10)
    return; // where the smallest stack is large enough
  inThread(tsc::smallestStack(), [&] {
    tsc_program *program = nullptr;
    const std::string why =
        failure(tsc_program_load_bytes(text.data(), text.size(), "p.py", nullptr, nullptr, nullptr, &program),
                TSC_RESOURCE_EXHAUSTED);
    CHECK(why.find("loading a program needs at least ") == 0);
    CHECK(why.find(" kB of stack, and this thread has ") != std::string::npos);
  });
}
#endif

TEST_CASE("a thread with a small stack runs what another one has loaded and called") {
  Program program = load("def f(x: Tensor):\n    return torch.tanh(x * 2 + 1).sum()\n", "p.py");
  Entry entry = find(program);
  auto run = [&] {
    tsc_context *context = nullptr;
    ok(tsc_context_new(program.get(), &context));
    Call call(context);
    float data[6] = {1, 2, 3, 4, 5, 6};
    int64_t sizes[2] = {2, 3};
    const tsc_tensor tensor = {sizeof tensor, data, sizes, nullptr, 2, TSC_FLOAT32, 0};
    tsc_value *argument = nullptr, *result = nullptr;
    ok(tsc_value_new_tensor_copy(&tensor, &argument));
    Value given(argument);
    ok(tsc_entry_run(entry.get(), context, &argument, 1, &result));
    Value held(result);
    ok(tsc_program_finish_compiling(program.get()));
  };
  for (int i = 0; i != 3; ++i)
    run();
  inThread(128 << 10, run);
}

TEST_CASE("values that nest deeply are printed, compared and released with little stack") {
  // A list within a list within a list, made by the host.
  Value deep(tsc_value_new_int(1));
  for (int i = 0; i != 100000; ++i) {
    tsc_value *inner = deep.get(), *outer = nullptr;
    ok(tsc_value_new_tuple(&inner, 1, &outer));
    deep.reset(outer);
  }
  Program program = load("def f(x: int):\n    return x\n", "p.py");
  Entry entry = find(program);
  for (size_t kilobytes : {64, 128, 256}) {
    if (kilobytes << 10 < tsc::smallestStack())
      continue;
    tsc_value *shared = tsc_value_new_reference(deep.get());
    REQUIRE(shared);
    inThread(kilobytes << 10, [&] {
      Value held(shared);
      tsc_value *text = nullptr;
      Error printed(tsc_value_print(held.get(), &text));
      Value shown(text);
      tsc_context *context = nullptr;
      if (Error(tsc_context_new(program.get(), &context)))
        return;
      Call call(context);
      tsc_value *result = nullptr;
      CHECK(Error(tsc_entry_run(entry.get(), context, &shared, 1, &result))); // it is no int
    });
  }
  inThread(tsc::smallestStack(), [&] { deep.reset(); });
}
