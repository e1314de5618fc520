//===- CallsTest.cpp - Programs loaded and called through C ---------------===//
#include "../Serialization/TestArchive.h"
#include "Hosts.h"
#include <atomic>
#include <fstream>
#include <thread>

using namespace host;

static constexpr const char *functions = "def scale(x: Tensor, by: float = 2.0, *, shift: int = 0) -> Tensor:\n"
                                         "    return x * by + shift\n"
                                         "def square(x: Tensor) -> Tensor:\n    return x * x\n";

TEST_CASE("functions of a file, and methods of an archive, are listed and found") {
  Program program = load(functions, "functions.py");
  size_t count = 0;
  const char *name = nullptr;
  ok(tsc_program_num_functions(program.get(), &count));
  CHECK(count == 2);
  ok(tsc_program_function_name(program.get(), 1, &name));
  CHECK(std::string(name) == "square");
  Entry scale = find(program, "scale");
  CHECK(std::string(tsc_entry_name(scale.get())) == "scale");
  CHECK(std::string(tsc_entry_schema(scale.get())) == "scale(Tensor x, float by=2., *, int shift=0) -> Tensor");

  Program module = load(tsc::TestArchive().bytes(), "m.pt");
  ok(tsc_program_num_functions(module.get(), &count));
  REQUIRE(count == 1);
  ok(tsc_program_function_name(module.get(), 0, &name));
  CHECK(std::string(name) == "forward");
  CHECK(print(run(module, "forward", list(Value(tsc_value_new_int(3))))) == "8");
  CHECK(print(run(module, nullptr, list(Value(tsc_value_new_int(4))))) == "9");
}

TEST_CASE("arguments go by position and by name") {
  Program program = load(functions, "functions.py");
  Entry scale = find(program, "scale");
  Call call = context(program);
  float data[] = {1, 2};
  Value x = tensor(data, {2}), by(tsc_value_new_int(3)), shift(tsc_value_new_int(1));
  tsc_value *args[] = {x.get(), by.get()}, *named[] = {shift.get(), by.get()}, *result = nullptr;
  const char *names[] = {"shift", "by"};
  ok(tsc_entry_run_named(scale.get(), call.get(), args, 2, names, named, 1, &result));
  CHECK(elements<float>(Value(result)) == std::vector<float>{4, 7});
  ok(tsc_entry_run_named(scale.get(), call.get(), args, 1, names, named, 2, &result));
  CHECK(elements<float>(Value(result)) == std::vector<float>{4, 7});
  CHECK_THAT(
      failure(tsc_entry_run_named(scale.get(), call.get(), args, 2, names, named, 2, &result), TSC_INVALID_ARGUMENT),
      Catch::Contains("specified both as positional and keyword argument"));
  const char *unknown[] = {"offset"};
  CHECK_THAT(
      failure(tsc_entry_run_named(scale.get(), call.get(), args, 1, unknown, named, 1, &result), TSC_INVALID_ARGUMENT),
      Catch::Contains("Unknown keyword argument 'offset'"));
  CHECK_THAT(failure(tsc_entry_run(scale.get(), call.get(), nullptr, 0, &result), TSC_INVALID_ARGUMENT),
             Catch::Contains("missing value for argument 'x'"));
  CHECK(result == nullptr);
}

TEST_CASE("every level and mode gives the same result") {
  float data[] = {1, 2};
  std::vector<Value> args = list(tensor(data, {2}));
  for (int level = 0; level != 4; ++level)
    for (tsc_compile_mode mode : {TSC_COMPILE_OFF, TSC_COMPILE_BACKGROUND, TSC_COMPILE_EAGER})
      for (int fuser : {0, tsc_has_cpu_fuser()}) {
        Handle<tsc_options> chosen = options();
        ok(tsc_options_set_optimization(chosen.get(), level));
        ok(tsc_options_set_compile_mode(chosen.get(), mode));
        ok(tsc_options_set_cpu_fuser(chosen.get(), fuser));
        Program program = load(functions, "functions.py", chosen.get());
        for (int i = 0; i != 4; ++i) {
          CHECK(elements<float>(run(program, "scale", args)) == std::vector<float>{2, 4});
          ok(tsc_program_finish_compiling(program.get()));
        }
      }
}

TEST_CASE("gradients are an entry of their own") {
  Program program = load(functions, "functions.py");
  Entry square = find(program, "square"), gradients;
  const uint32_t arguments[] = {0};
  tsc_entry *made = nullptr;
  ok(tsc_program_differentiate(program.get(), square.get(), arguments, 1, &made));
  gradients.reset(made);
  float data[] = {1, -3};
  Value x = tensor(data, {2});
  tsc_value *args[] = {x.get()}, *result = nullptr;
  ok(tsc_entry_run(gradients.get(), context(program).get(), args, 1, &result));
  Value list(result);
  CHECK(tsc_value_kind(result) == TSC_KIND_LIST);
  CHECK(elements<float>(element(list, 0)) == std::vector<float>{2, -6});
  const uint32_t wrong[] = {7};
  (void)failure(tsc_program_differentiate(program.get(), square.get(), wrong, 1, &made), TSC_INVALID_ARGUMENT);
}

/// A module with one in it: a weight, a buffer, and a number.
static std::string nested() {
  tsc::TestArchive archive;
  archive.files["code/__torch__.py"] = "class N(Module):\n"
                                       "  __parameters__ = []\n"
                                       "  __buffers__ = []\n"
                                       "  n : int\n"
                                       "  xs : List[float]\n"
                                       "class M(Module):\n"
                                       "  __parameters__ = []\n"
                                       "  __buffers__ = []\n"
                                       "  n : int\n"
                                       "  inner : __torch__.N\n"
                                       "  def forward(self: __torch__.M, x: int) -> int:\n"
                                       "    inner = self.inner\n"
                                       "    return torch.add(x, torch.add(self.n, inner.n))\n";
  const std::string name("X\1\0\0\0n", 6), inner("X\5\0\0\0inner", 10), xs("X\2\0\0\0xs", 7);
  archive.files["data.pkl"] = "\x80\x02"
                              "c__torch__\nM\n)\x81}(" +
                              name + "K\5" + inner + "c__torch__\nN\n)\x81}(" + name + "K\7" + xs + "]ubub.";
  return archive.bytes();
}

TEST_CASE("attributes of modules are listed, found by path, and stay when a module is frozen") {
  Program program = load(nested(), "nested.pt");
  tsc_attributes *made = nullptr;
  ok(tsc_program_attributes(program.get(), &made));
  Handle<tsc_attributes> attributes(made);
  size_t size = 0;
  ok(tsc_attributes_size(made, &size));
  std::string text;
  for (size_t i = 0; i != size; ++i) {
    const char *name = nullptr;
    tsc_attribute_kind kind = TSC_PARAMETER;
    tsc_value *value = nullptr;
    ok(tsc_attributes_get(made, i, &name, &kind, &value));
    text += std::string(name) + "=" + print(Value(value)) + "/" + std::to_string(kind) + " ";
  }
  CHECK(text == "n=5/0 inner.n=7/0 inner.xs=[]/0 ");
  tsc_value *value = nullptr;
  ok(tsc_program_attribute(program.get(), "inner.n", &value));
  CHECK(print(Value(value)) == "7");
  ok(tsc_program_attribute(program.get(), "inner", &value));
  CHECK(std::string(tsc_value_type_name(Value(value).get())) == "__torch__.N");
  for (const char *wrong : {"outer.n", "inner.m", "n.n", ".", "inner..n"})
    (void)failure(tsc_program_attribute(program.get(), wrong, &value), TSC_NOT_FOUND);

  Entry forward = find(program, "forward");
  const char *methods[] = {"forward"};
  ok(tsc_program_freeze(program.get(), methods, 1));
  Value x(tsc_value_new_int(1));
  tsc_value *args[] = {x.get()}, *result = nullptr;
  ok(tsc_entry_run(forward.get(), context(program).get(), args, 1, &result));
  CHECK(print(Value(result)) == "13");
  (void)failure(tsc_program_freeze(load(functions, "f.py").get(), methods, 1), TSC_INVALID_ARGUMENT);
}

TEST_CASE("a context has a seed, a place to print, and quotas for each call") {
  Program program = load("def draw() -> Tensor:\n    return torch.rand([2])\n"
                         "def say(n: int) -> None:\n    for i in range(n):\n        print('trip', i)\n"
                         "def spin() -> int:\n    n = 0\n    while True:\n        n += 1\n    return n\n",
                         "context.py");
  Call one = context(program), two = context(program);
  Entry draw = find(program, "draw"), say = find(program, "say"), spin = find(program, "spin");
  tsc_value *a = nullptr, *b = nullptr;
  ok(tsc_context_set_seed(one.get(), 7));
  ok(tsc_context_set_seed(two.get(), 7));
  ok(tsc_entry_run(draw.get(), one.get(), nullptr, 0, &a));
  ok(tsc_entry_run(draw.get(), two.get(), nullptr, 0, &b));
  CHECK(elements<float>(Value(a)) == elements<float>(Value(b)));

  std::string text;
  tsc_write write = [](void *user, const char *said, size_t length) {
    static_cast<std::string *>(user)->append(said, length);
  };
  ok(tsc_context_set_print(one.get(), write, &text));
  Value trips(tsc_value_new_int(2));
  tsc_value *args[] = {trips.get()};
  ok(tsc_entry_run(say.get(), one.get(), args, 1, &a));
  tsc_value_free(a);
  CHECK(text == "trip 0\ntrip 1\n");
  ok(tsc_context_set_print(one.get(), nullptr, nullptr));
  ok(tsc_entry_run(say.get(), one.get(), args, 1, &a));
  tsc_value_free(a);

  ok(tsc_context_set_quotas(one.get(), 1000, 0));
  CHECK_THAT(failure(tsc_entry_run(spin.get(), one.get(), nullptr, 0, &a), TSC_RESOURCE_EXHAUSTED),
             Catch::Contains("limit of steps"));
  for (int i = 0; i != 600; ++i) { // each call has its own steps
    ok(tsc_entry_run(say.get(), one.get(), args, 1, &a));
    tsc_value_free(a);
  }
}

TEST_CASE("bytes that are lent are released with the program, or when it does not load") {
  int released = 0;
  tsc_release count = [](void *user) { ++*static_cast<int *>(user); };
  std::string bytes = tsc::TestArchive().bytes();
  tsc_program *made = nullptr;
  ok(tsc_program_load_bytes(bytes.data(), bytes.size(), "m.pt", nullptr, count, &released, &made));
  Program program(made);
  CHECK(released == 0);
  Entry forward = find(program, "forward");
  program.reset();
  CHECK(released == 0);
  forward.reset();
  CHECK(released == 1);
  (void)failure(tsc_program_load_bytes("PK", 2, "m.pt", nullptr, count, &released, &made), TSC_DATA_LOSS);
  CHECK((released == 2 && made == nullptr));
  (void)failure(tsc_program_load_bytes(bytes.data(), bytes.size(), nullptr, nullptr, count, &released, &made),
                TSC_INVALID_ARGUMENT);
  CHECK(released == 3);
}

TEST_CASE("many threads run one program") {
  for (bool sharesThreads : {false, true}) {
    Handle<tsc_options> chosen = options();
    ok(tsc_options_set_threads(chosen.get(), sharesThreads ? 2 : 1));
    Program program = load("def f(x: Tensor, n: int) -> Tensor:\n    for i in range(n):\n"
                           "        x = torch.tanh(x) * 2 + x\n    return x.sum(0)\n",
                           "threads.py", chosen.get());
    const size_t size = 50000; // worth splitting
    std::vector<float> expected;
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    std::vector<float> data(size, 0.25f);
    expected =
        elements<float>(run(program, "f", list(tensor(data.data(), {int64_t(size), 1}), Value(tsc_value_new_int(3)))));
    for (int t = 0; t != 8; ++t)
      threads.emplace_back([&] {
        tsc_entry *entry = nullptr;
        tsc_context *call = nullptr;
        tsc_error *error = tsc_program_find(program.get(), "f", &entry);
        if (!error)
          error = tsc_context_new(program.get(), &call);
        const int64_t sizes[] = {int64_t(size), 1};
        tsc_tensor described = {sizeof described, data.data(), sizes, nullptr, 2, TSC_FLOAT32, 0};
        for (int i = 0; i != 20 && !error; ++i) {
          tsc_value *args[] = {nullptr, tsc_value_new_int(3)}, *result = nullptr;
          error = tsc_value_new_tensor(&described, nullptr, nullptr, &args[0]);
          if (!error)
            error = tsc_entry_run(entry, call, args, 2, &result);
          float sum = 0;
          const int64_t one[] = {1};
          tsc_tensor destination = {sizeof destination, &sum, one, nullptr, 1, TSC_FLOAT32, 0};
          if (!error)
            error = tsc_tensor_copy_to(result, &destination);
          wrong += !error && sum != expected[0];
          tsc_value_free(result);
          tsc_value_free(args[0]);
          tsc_value_free(args[1]);
        }
        wrong += error != nullptr;
        tsc_error_free(error);
        tsc_context_free(call);
        tsc_entry_free(entry);
      });
    for (std::thread &thread : threads)
      thread.join();
    CHECK(wrong == 0);
  }
}

TEST_CASE("a host lends its own threads") {
  struct Pool {
    std::atomic<uint32_t> tasks{0};
    static void run(void *user, uint32_t count, void (*task)(void *, uint32_t), void *argument) {
      static_cast<Pool *>(user)->tasks += count;
      std::thread other([&] { // the second half
        for (uint32_t i = count / 2; i != count; ++i)
          task(argument, i);
      });
      for (uint32_t i = 0; i != count / 2; ++i)
        task(argument, i);
      other.join();
    }
  } pool;
  Handle<tsc_options> chosen = options();
  ok(tsc_options_set_parallel(chosen.get(), 2, Pool::run, &pool));
  Program program = load(functions, "functions.py", chosen.get());
  std::vector<float> data(400000, 1.5f);
  Value result = run(program, "scale", list(tensor(data.data(), {400000})));
  CHECK(elements<float>(result) == std::vector<float>(400000, 3.0f));
  CHECK(pool.tasks >= 2);
}
