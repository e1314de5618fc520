//===- LimitsTest.cpp - Quotas, cancellation, modules and operators -------===//
#include "../Serialization/TestArchive.h"
#include "Hosts.h"
#include <cmath>
#include <thread>

using namespace host;

static const char endless[] = "def spin() -> int:\n    n = 0\n    while True:\n        n += 1\n    return n\n"
                              "def fill(n: int) -> Tensor:\n    return torch.ones([n])\n"
                              "def say(n: int) -> None:\n    for i in range(n):\n        print('line')\n"
                              "def down(n: int) -> int:\n    return 0 if n == 0 else down(n - 1)\n";

static tsc_error *call(const Program &program, const Call &context, const char *name, int64_t number) {
  Entry entry = find(program, name);
  Value argument(tsc_value_new_int(number));
  tsc_value *args[] = {argument.get()}, *result = nullptr;
  tsc_error *error = tsc_entry_run(entry.get(), context.get(), args, number < 0 ? 0 : 1, &result);
  tsc_value_free(result);
  return error;
}

TEST_CASE("each quota ends a call, and no other call") {
  Program program = load(endless, "endless.py");
  Call context = host::context(program);
  ok(tsc_context_set_quota(context.get(), TSC_QUOTA_STEPS, 10000));
  CHECK_THAT(failure(call(program, context, "spin", -1), TSC_RESOURCE_EXHAUSTED), Catch::Contains("limit of steps"));
  ok(tsc_context_set_quota(context.get(), TSC_QUOTA_STEPS, 0));

  ok(tsc_context_set_quota(context.get(), TSC_QUOTA_MEMORY, 1 << 20));
  CHECK_THAT(failure(call(program, context, "fill", 1 << 20), TSC_RESOURCE_EXHAUSTED),
             Catch::Contains("limit of memory"));
  for (int i = 0; i != 100; ++i)
    ok(call(program, context, "fill", 10000));
  ok(tsc_context_set_quota(context.get(), TSC_QUOTA_MEMORY, 0));
  ok(call(program, context, "fill", 1 << 20));

  std::string text;
  ok(tsc_context_set_print(
      context.get(),
      [](void *user, const char *said, size_t length) { static_cast<std::string *>(user)->append(said, length); },
      &text));
  ok(tsc_context_set_quota(context.get(), TSC_QUOTA_OUTPUT, 12));
  CHECK_THAT(failure(call(program, context, "say", 10), TSC_RESOURCE_EXHAUSTED), Catch::Contains("limit of output"));
  CHECK(text == "line\nline\nli");
  ok(call(program, context, "say", 2));

  ok(tsc_context_set_quota(context.get(), TSC_QUOTA_DEPTH, 10));
  CHECK_THAT(failure(call(program, context, "down", 20), TSC_RESOURCE_EXHAUSTED), Catch::Contains("recursion depth"));
  ok(tsc_context_set_quota(context.get(), TSC_QUOTA_DEPTH, 0));
  ok(call(program, context, "down", 20));
  failure(tsc_context_set_quota(context.get(), static_cast<tsc_quota>(9), 1), TSC_INVALID_ARGUMENT);
}

TEST_CASE("a context is cancelled until it is resumed") {
  Program program = load(endless, "endless.py");
  Call context = host::context(program);
  std::thread watchdog([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    tsc_context_cancel(context.get());
  });
  tsc_error *error = call(program, context, "spin", -1);
  watchdog.join();
  failure(error, TSC_CANCELLED);
  failure(call(program, context, "fill", 1), TSC_CANCELLED);
  tsc_context_resume(context.get());
  ok(call(program, context, "fill", 1));
  tsc_context_cancel(nullptr);
}

TEST_CASE("operators are allowed and denied") {
  Handle<tsc_options> chosen = options();
  ok(tsc_options_deny_operators(chosen.get(), "aten::ones"));
  Program program = load(endless, "endless.py", chosen.get());
  tsc_entry *entry = nullptr;
  CHECK_THAT(failure(tsc_program_find(program.get(), "fill", &entry), TSC_INVALID_ARGUMENT),
             Catch::Contains("operator 'aten::ones' is not allowed"));
  ok(tsc_program_find(program.get(), "spin", &entry));
  tsc_entry_free(entry);
  failure(tsc_options_allow_operators(chosen.get(), "no such thing"), TSC_INVALID_ARGUMENT);
  failure(tsc_options_allow_operators(chosen.get(), nullptr), TSC_INVALID_ARGUMENT);

  std::string bytes = tsc::TestArchive().bytes();
  Handle<tsc_options> strict = options();
  ok(tsc_options_allow_operators(strict.get(), "aten::mul"));
  tsc_program *made = nullptr;
  CHECK_THAT(failure(tsc_program_load_bytes(bytes.data(), bytes.size(), "m.pt", strict.get(), nullptr, nullptr, &made),
                     TSC_INVALID_ARGUMENT),
             Catch::Contains("operator 'aten::add.int' is not allowed"));
  ok(tsc_options_set_loading_quota(strict.get(), TSC_QUOTA_MEMORY, 1 << 20));
}

TEST_CASE("attributes of a module are set, and it is told") {
  std::string bytes = tsc::TestArchive().bytes();
  Program program = load(bytes, "m.pt");
  Value seven(tsc_value_new_int(7)), text(tsc_value_new_string("x", 1));
  ok(tsc_program_set_attribute(program.get(), "n", seven.get()));
  CHECK(print(run(program, "forward", list(Value(tsc_value_new_int(1))))) == "8");
  CHECK_THAT(failure(tsc_program_set_attribute(program.get(), "n", text.get()), TSC_INVALID_ARGUMENT),
             Catch::Contains("Expected a value of type 'int' for field 'n', but found 'str'"));
  failure(tsc_program_set_attribute(program.get(), "none", seven.get()), TSC_NOT_FOUND);
  failure(tsc_program_set_attribute(program.get(), "", seven.get()), TSC_INVALID_ARGUMENT);
  tsc_value *numbers[] = {seven.get()}, *made = nullptr;
  Value half(tsc_value_new_float(0.5));
  numbers[0] = half.get();
  ok(tsc_value_new_list(numbers, 1, &made)); // of any values: it becomes one of floats
  Value several(made);
  ok(tsc_program_set_attribute(program.get(), "xs", several.get()));
  ok(tsc_program_attribute(program.get(), "xs", &made));
  CHECK(print(Value(made)) == "[0.5]");

  ok(tsc_program_dump(program.get(), TSC_DUMP_NO_METHODS, &made));
  Value dumped(made);
  const char *characters = nullptr;
  ok(tsc_value_get_string(made, &characters, nullptr));
  CHECK_THAT(std::string(characters),
             Catch::StartsWith("module __torch__.M {\n  parameters {\n  }\n  attributes {\n    n = 7\n"));
  failure(tsc_program_dump(program.get(), 64, &made), TSC_INVALID_ARGUMENT);
  ok(tsc_program_set_training(program.get(), 0));
  ok(tsc_program_convert(program.get(), TSC_FLOAT64));
  failure(tsc_program_convert(program.get(), TSC_INT64), TSC_INVALID_ARGUMENT);
  Program functions = load("def f() -> int:\n    return 1\n", "f.py");
  failure(tsc_program_convert(functions.get(), TSC_FLOAT64), TSC_NOT_FOUND);
}

namespace {
int numReleased = 0;
/// Adds a number to each element, in place.
tsc_error *shift(void *user, tsc_value *const *args, size_t numArgs, tsc_value **results, size_t numResults) {
  if (numArgs != 2 || numResults != 1)
    return tsc_error_new(TSC_INTERNAL, "wrong counts");
  tsc_tensor found{};
  found.struct_size = sizeof found;
  double by = 0;
  void *data = nullptr;
  tsc_error *error = tsc_tensor_get(args[0], &found);
  if (!error)
    error = tsc_value_get_float(args[1], &by);
  if (!error && std::isnan(by))
    error = tsc_error_new(TSC_OUT_OF_RANGE, "by what?");
  if (!error)
    error = tsc_tensor_mutable_data(args[0], &data);
  if (!error) {
    for (int64_t i = 0; i != found.sizes[0]; ++i)
      static_cast<float *>(data)[i * found.strides[0]] += static_cast<float>(by);
    ++*static_cast<int *>(user);
    results[0] = tsc_value_new_reference(args[0]);
  }
  return error;
}
tsc_error *nothing(void *, tsc_value *const *, size_t, tsc_value **, size_t) { return nullptr; }
} // namespace

TEST_CASE("operators of the host's") {
  int calls = 0;
  Handle<tsc_options> chosen = options();
  ok(tsc_options_add_operator(chosen.get(), "mine::shift_(Tensor(a!) x, float by=1.) -> Tensor(a!)", shift, &calls,
                              [](void *) { ++numReleased; }));
  ok(tsc_options_add_operator(chosen.get(), "mine::nothing(Tensor x) -> Tensor", nothing, nullptr, nullptr));
  Program program = load("def f(x: Tensor) -> Tensor:\n"
                         "    y = x * 2.0\n    torch.ops.mine.shift_(y)\n    torch.ops.mine.shift_(y, 10.0)\n"
                         "    return y + x\n"
                         "def g(x: Tensor) -> Tensor:\n    return torch.ops.mine.shift_(x, float('nan'))\n"
                         "def h(x: Tensor) -> Tensor:\n    return torch.ops.mine.nothing(x)\n",
                         "f.py", chosen.get());
  float numbers[] = {1, 2, 3};
  for (int i = 0; i != 4; ++i) { // plans come to be on the way
    Value y = run(program, "f", list(tensor(numbers, {3})));
    CHECK(elements<float>(y) == std::vector<float>{14, 17, 20});
    ok(tsc_program_finish_compiling(program.get()));
  }
  CHECK(calls == 8);
  Call context = host::context(program);
  auto fails = [&](const char *name, tsc_code code) {
    Entry entry = find(program, name);
    Value x = tensor(numbers, {3});
    tsc_value *args[] = {x.get()}, *result = nullptr;
    return failure(tsc_entry_run(entry.get(), context.get(), args, 1, &result), code);
  };
  CHECK_THAT(fails("g", TSC_OUT_OF_RANGE), Catch::Contains("by what?"));
  CHECK_THAT(fails("h", TSC_INVALID_ARGUMENT), Catch::Contains("gave no result 0"));
  context.reset();
  program.reset();
  CHECK(numReleased == 0);
  chosen.reset();
  CHECK(numReleased == 1);

  Handle<tsc_options> wrong = options();
  CHECK_THAT(failure(tsc_options_add_operator(wrong.get(), "mine::f(Tensr x) -> Tensor", shift, nullptr, nullptr),
                     TSC_INVALID_ARGUMENT),
             Catch::Contains("Tensr"));
  failure(tsc_options_add_operator(wrong.get(), "mine::f(Tensor x) -> Tensor", nullptr, nullptr, nullptr),
          TSC_INVALID_ARGUMENT);
  failure(tsc_options_load_library(wrong.get(), "/no/such/library.so"), TSC_NOT_FOUND);
  failure(tsc_options_load_library(wrong.get(), "/etc/passwd"), TSC_DATA_LOSS);
}

TEST_CASE("empty tensors are written where they are") {
  std::vector<int64_t> sizes{2, 2};
  float unused = 0;
  tsc_tensor described = describe(&unused, sizes);
  tsc_value *made = nullptr;
  ok(tsc_value_new_empty_tensor(&described, &made));
  Value value(made);
  void *data = nullptr;
  ok(tsc_tensor_mutable_data(made, &data));
  for (int i = 0; i != 4; ++i)
    static_cast<float *>(data)[i] = static_cast<float>(i);
  CHECK(elements<float>(value) == std::vector<float>{0, 1, 2, 3});
  sizes[0] = int64_t{1} << 60;
  failure(tsc_value_new_empty_tensor(&described, &made), TSC_RESOURCE_EXHAUSTED);
}
