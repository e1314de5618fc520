//===- ErrorsTest.cpp - What a host does wrong ----------------------------===//
#include "../Serialization/TestArchive.h"
#include "Hosts.h"
#include <cstring>

using namespace host;

TEST_CASE("a failed call tells its code, its class, its stack and its summary") {
  Program program =
      load("def inner(x: int) -> int:\n    if x > 2:\n        raise ValueError('too large')\n    return x\n"
           "def outer(x: int) -> int:\n    return inner(x + 1)\n",
           "raises.py");
  Entry outer = find(program, "outer");
  Call call = context(program);
  Value two(tsc_value_new_int(2)), one(tsc_value_new_int(1));
  tsc_value *args[] = {two.get()}, *result = nullptr;
  for (int i = 0; i != 4; ++i) {
    Error error(tsc_entry_run(outer.get(), call.get(), args, 1, &result));
    REQUIRE(error);
    CHECK(tsc_error_code(error.get()) == TSC_ABORTED);
    CHECK(std::string(tsc_error_exception(error.get())) == "builtins.ValueError");
    CHECK_THAT(tsc_error_message(error.get()), Catch::Contains("raises.py") && Catch::Contains("line 6, in outer") &&
                                                   Catch::Contains("line 3, in inner"));
    CHECK_THAT(tsc_error_summary(error.get()), Catch::Contains("ValueError: too large") && !Catch::Contains("line 3"));
    ok(tsc_program_finish_compiling(program.get()));
  }
  args[0] = one.get();
  ok(tsc_entry_run(outer.get(), call.get(), args, 1, &result));
  CHECK(print(Value(result)) == "2");
}

TEST_CASE("what an operator refuses has the class that it has in Python") {
  Program program = load("def at(x: int) -> int:\n    return [1, 2][x]\n"
                         "def number(x: int) -> int:\n    return int('a' * x)\n"
                         "def entry(x: int) -> int:\n    return {'a': 1}['b' * x]\n"
                         "def product(x: int):\n    return torch.ones(2, x).mm(torch.ones(3, 3))\n",
                         "refuses.py");
  Call call = context(program);
  Value four(tsc_value_new_int(4));
  struct {
    const char *entry, *exception, *summary;
  } expected[] = {{"at", "builtins.IndexError", "IndexError: list index out of range"},
                  {"number", "builtins.ValueError", "ValueError: invalid literal for int() with base 10: 'aaaa'"},
                  {"entry", "builtins.KeyError", "KeyError: bbbb"},
                  {"product", "", "RuntimeError: "}};
  for (const auto &[name, exception, summary] : expected) {
    Entry entry = find(program, name);
    tsc_value *args[] = {four.get()}, *result = nullptr;
    Error error(tsc_entry_run(entry.get(), call.get(), args, 1, &result));
    REQUIRE(error);
    CHECK(std::string(tsc_error_exception(error.get())) == exception);
    CHECK_THAT(tsc_error_summary(error.get()), Catch::StartsWith(summary));
  }
}

TEST_CASE("files that are not there, or not what they should be, are errors") {
  tsc_program *program = nullptr;
  CHECK_THAT(failure(tsc_program_load("/nowhere/model.pt", nullptr, &program), TSC_NOT_FOUND),
             Catch::Contains("/nowhere/model.pt"));
  (void)failure(tsc_program_load("/", nullptr, &program), TSC_INVALID_ARGUMENT);
  (void)failure(tsc_program_load_bytes(nullptr, 0, "empty.pt", nullptr, nullptr, nullptr, &program), TSC_DATA_LOSS);
  CHECK_THAT(failure(tsc_program_load_bytes("def f(x)\n", 9, "bad.py", nullptr, nullptr, nullptr, &program),
                     TSC_INVALID_ARGUMENT),
             Catch::Contains("bad.py:1:9") && Catch::Contains("^"));
  (void)failure(tsc_program_load_bytes("graph(", 6, "bad.ir", nullptr, nullptr, nullptr, &program),
                TSC_INVALID_ARGUMENT);
  CHECK(program == nullptr);
}

TEST_CASE("a damaged archive is an error wherever it is cut or changed") {
  const std::string sound = tsc::TestArchive().bytes();
  Value three(tsc_value_new_int(3));
  auto tryBytes = [&](const std::string &bytes) {
    tsc_program *loaded = nullptr;
    Error error(tsc_program_load_bytes(bytes.data(), bytes.size(), "m.pt", nullptr, nullptr, nullptr, &loaded));
    Program program(loaded);
    CHECK(!error == (loaded != nullptr));
    if (error) {
      CHECK(std::strlen(tsc_error_message(error.get())) > 0);
      return;
    }
    tsc_entry *forward = nullptr; // where it loads, it runs or says why not
    error.reset(tsc_program_find(loaded, nullptr, &forward));
    Entry entry(forward);
    if (error)
      return;
    tsc_value *args[] = {three.get()}, *result = nullptr;
    error.reset(tsc_entry_run(forward, context(program).get(), args, 1, &result));
    tsc_value_free(result);
  };
  for (size_t length = 0; length < sound.size(); length += 7)
    tryBytes(sound.substr(0, length));
  for (size_t i = 0; i < sound.size(); i += 3) {
    std::string changed = sound;
    changed[i] = static_cast<char>(changed[i] ^ 0x15);
    tryBytes(changed);
  }
}

TEST_CASE("a null pointer is an error everywhere, and never a crash") {
  Program program = load("def f(x: int) -> int:\n    return x\n", "f.py");
  Entry entry = find(program);
  Call call = context(program);
  Value number(tsc_value_new_int(1));
  const tsc_code wrong = TSC_INVALID_ARGUMENT;
  tsc_program *p = nullptr;
  tsc_entry *e = nullptr;
  tsc_context *c = nullptr;
  tsc_value *v = nullptr;
  tsc_attributes *a = nullptr;
  size_t n = 0;
  const char *s = nullptr;
  int i = 0;
  int64_t l = 0;
  double d = 0;
  void *w = nullptr;
  const int64_t *ls = nullptr;
  const double *ds = nullptr;
  tsc_tensor t{};
  tsc_value *none[] = {nullptr};
  const char *noNames[] = {nullptr};
  CHECK(failure(tsc_program_load(nullptr, nullptr, &p), wrong) == "'path' is NULL");
  CHECK(failure(tsc_program_load("x", nullptr, nullptr), wrong) == "'program' is NULL");
  failure(tsc_program_load_bytes(nullptr, 4, "x.pt", nullptr, nullptr, nullptr, &p), wrong);
  failure(tsc_options_set_optimization(nullptr, 1), wrong);
  failure(tsc_options_set_compile_mode(nullptr, TSC_COMPILE_OFF), wrong);
  failure(tsc_options_set_threads(nullptr, 1), wrong);
  failure(tsc_options_set_parallel(nullptr, 1, nullptr, nullptr), wrong);
  failure(tsc_options_set_parallel(options().get(), 1, nullptr, nullptr), wrong);
  failure(tsc_options_set_cpu_fuser(nullptr, 0), wrong);
  failure(tsc_options_set_cache_folder(nullptr, ""), wrong);
  failure(tsc_options_set_allow_set_state(nullptr, 1), wrong);
  failure(tsc_options_set_allow_files(nullptr, 1), wrong);
  failure(tsc_program_num_functions(nullptr, &n), wrong);
  failure(tsc_program_num_functions(program.get(), nullptr), wrong);
  failure(tsc_program_function_name(nullptr, 0, &s), wrong);
  failure(tsc_program_function_name(program.get(), 1, &s), wrong);
  failure(tsc_program_find(nullptr, nullptr, &e), wrong);
  failure(tsc_program_find(program.get(), nullptr, nullptr), wrong);
  failure(tsc_program_compile_all(nullptr), wrong);
  failure(tsc_program_differentiate(program.get(), nullptr, nullptr, 0, &e), wrong);
  failure(tsc_program_differentiate(program.get(), entry.get(), nullptr, 1, &e), wrong);
  failure(tsc_program_freeze(nullptr, nullptr, 0), wrong);
  failure(tsc_program_freeze(program.get(), noNames, 1), wrong);
  failure(tsc_program_finish_compiling(nullptr), wrong);
  failure(tsc_program_attribute(program.get(), nullptr, &v), wrong);
  failure(tsc_program_attributes(nullptr, &a), wrong);
  failure(tsc_attributes_size(nullptr, &n), wrong);
  failure(tsc_attributes_get(nullptr, 0, &s, nullptr, &v), wrong);
  failure(tsc_context_new(nullptr, &c), wrong);
  failure(tsc_context_set_seed(nullptr, 1), wrong);
  failure(tsc_context_set_print(nullptr, nullptr, nullptr), wrong);
  failure(tsc_context_set_warn(nullptr, nullptr, nullptr), wrong);
  failure(tsc_context_set_quotas(nullptr, 1, 1), wrong);
  failure(tsc_entry_run(nullptr, call.get(), nullptr, 0, &v), wrong);
  failure(tsc_entry_run(entry.get(), nullptr, nullptr, 0, &v), wrong);
  failure(tsc_entry_run(entry.get(), call.get(), nullptr, 1, &v), wrong);
  failure(tsc_entry_run(entry.get(), call.get(), none, 1, &v), wrong);
  failure(tsc_entry_run(entry.get(), call.get(), none, 0, nullptr), wrong);
  tsc_value *numbers[] = {number.get()};
  failure(tsc_entry_run_named(entry.get(), call.get(), none, 0, noNames, numbers, 1, &v), wrong);
  failure(tsc_entry_run_named(entry.get(), call.get(), none, 0, nullptr, numbers, 1, &v), wrong);
  failure(tsc_value_new_tensor(nullptr, nullptr, nullptr, &v), wrong);
  failure(tsc_value_new_tensor(&t, nullptr, nullptr, nullptr), wrong);
  failure(tsc_value_new_tensor_copy(nullptr, &v), wrong);
  failure(tsc_value_new_int_list(nullptr, 1, &v), wrong);
  failure(tsc_value_new_float_list(nullptr, 1, &v), wrong);
  failure(tsc_value_new_bool_list(nullptr, 1, &v), wrong);
  failure(tsc_value_new_tensor_list(none, 1, &v), wrong);
  failure(tsc_value_new_tensor_list(numbers, 1, &v), wrong);
  failure(tsc_value_new_list(none, 1, &v), wrong);
  failure(tsc_value_new_tuple(nullptr, 1, &v), wrong);
  failure(tsc_value_new_dict(numbers, none, 1, &v), wrong);
  failure(tsc_value_get_bool(nullptr, &i), wrong);
  failure(tsc_value_get_int(nullptr, &l), wrong);
  failure(tsc_value_get_int(number.get(), nullptr), wrong);
  failure(tsc_value_get_float(nullptr, &d), wrong);
  failure(tsc_value_get_complex(nullptr, &d, &d), wrong);
  failure(tsc_value_get_string(nullptr, &s, nullptr), wrong);
  failure(tsc_value_size(number.get(), &n), wrong);
  failure(tsc_value_size(nullptr, &n), wrong);
  failure(tsc_value_element(number.get(), 0, &v), wrong);
  failure(tsc_value_element(nullptr, 0, &v), wrong);
  failure(tsc_value_items(nullptr, &v), wrong);
  failure(tsc_value_lookup(nullptr, number.get(), &v), wrong);
  failure(tsc_value_attribute(nullptr, "x", &v), wrong);
  failure(tsc_value_attribute(number.get(), "x", &v), wrong);
  failure(tsc_value_get_int_list(nullptr, &ls, &n), wrong);
  failure(tsc_value_get_float_list(nullptr, &ds, &n), wrong);
  failure(tsc_value_print(nullptr, &v), wrong);
  failure(tsc_tensor_get(nullptr, &t), wrong);
  failure(tsc_tensor_get(number.get(), nullptr), wrong);
  t.struct_size = sizeof t;
  failure(tsc_tensor_get(number.get(), &t), wrong);
  failure(tsc_tensor_mutable_data(nullptr, &w), wrong);
  failure(tsc_tensor_copy_to(nullptr, &t), wrong);
  failure(tsc_tensor_copy_to(number.get(), nullptr), wrong);
  failure(tsc_tensor_copy_from(number.get(), nullptr), wrong);
  CHECK(tsc_value_kind(nullptr) == TSC_KIND_INVALID);
  CHECK(tsc_value_new_reference(nullptr) == nullptr);
  CHECK(tsc_value_new_string(nullptr, 1) == nullptr);
  CHECK(std::string(tsc_entry_schema(nullptr)) == "");
  CHECK(tsc_error_code(nullptr) == TSC_OK);
  tsc_error_free(nullptr);
  tsc_value_free(nullptr);
  tsc_program_free(nullptr);
  tsc_entry_free(nullptr);
  tsc_context_free(nullptr);
  tsc_options_free(nullptr);
  tsc_attributes_free(nullptr);
}

TEST_CASE("an option that there is not is refused, and what is another program's too") {
  Handle<tsc_options> chosen = options();
  failure(tsc_options_set_optimization(chosen.get(), 4), TSC_INVALID_ARGUMENT);
  failure(tsc_options_set_optimization(chosen.get(), -1), TSC_INVALID_ARGUMENT);
  failure(tsc_options_set_compile_mode(chosen.get(), static_cast<tsc_compile_mode>(3)), TSC_INVALID_ARGUMENT);
  failure(tsc_options_set_threads(chosen.get(), -1), TSC_INVALID_ARGUMENT);
  failure(tsc_options_set_threads(chosen.get(), 100000), TSC_INVALID_ARGUMENT);
  Program one = load("def f() -> int:\n    return 1\n", "f.py"), two = load("def f() -> int:\n    return 2\n", "f.py");
  tsc_value *result = nullptr;
  tsc_entry *gradients = nullptr;
  CHECK_THAT(failure(tsc_entry_run(find(one).get(), context(two).get(), nullptr, 0, &result), TSC_INVALID_ARGUMENT),
             Catch::Contains("another program"));
  (void)failure(tsc_program_differentiate(one.get(), find(two).get(), nullptr, 0, &gradients), TSC_INVALID_ARGUMENT);
  tsc_entry *missing = nullptr;
  CHECK_THAT(failure(tsc_program_find(one.get(), "g", &missing), TSC_NOT_FOUND), Catch::Contains("f"));
}

TEST_CASE("loading executes nothing without leave") {
  tsc::TestArchive archive;
  archive.files["code/__torch__.py"] = "class M(Module):\n"
                                       "  __parameters__ = []\n"
                                       "  __buffers__ = []\n"
                                       "  n : int\n"
                                       "  def __setstate__(self: __torch__.M, state: int) -> NoneType:\n"
                                       "    self.n = torch.add(state, 1)\n"
                                       "    return None\n"
                                       "  def forward(self: __torch__.M) -> int:\n"
                                       "    return self.n\n";
  archive.files["data.pkl"] = "\x80\x02"
                              "c__torch__\nM\n)\x81K\5b.";
  const std::string bytes = archive.bytes();
  tsc_program *program = nullptr;
  (void)failure(tsc_program_load_bytes(bytes.data(), bytes.size(), "m.pt", nullptr, nullptr, nullptr, &program),
                TSC_PERMISSION_DENIED);
  Handle<tsc_options> chosen = options();
  ok(tsc_options_set_allow_set_state(chosen.get(), 1));
  CHECK(print(run(load(bytes, "m.pt", chosen.get()), "forward", {})) == "6");
}
