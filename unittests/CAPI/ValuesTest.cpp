//===- ValuesTest.cpp - Values made and read through C --------------------===//
#include "Hosts.h"
#include <cmath>

using namespace host;

static constexpr const char *echo = "def echo(x: Any) -> Any:\n    return x\n";

TEST_CASE("scalars and strings go in and come out as they are") {
  Program program = load(echo, "echo.py");
  auto echoed = [&](tsc_value *value) { return run(program, "echo", list(Value(value))); };
  CHECK(tsc_value_kind(echoed(tsc_value_new_none()).get()) == TSC_KIND_NONE);
  int truth = 0;
  ok(tsc_value_get_bool(echoed(tsc_value_new_bool(7)).get(), &truth));
  CHECK(truth == 1);
  int64_t integer = 0;
  ok(tsc_value_get_int(echoed(tsc_value_new_int(INT64_MIN)).get(), &integer));
  CHECK(integer == INT64_MIN);
  double real = 0, imaginary = 0;
  ok(tsc_value_get_float(echoed(tsc_value_new_float(-0.0)).get(), &real));
  CHECK((real == 0 && std::signbit(real)));
  ok(tsc_value_get_complex(echoed(tsc_value_new_complex(1.5, -2)).get(), &real, &imaginary));
  CHECK((real == 1.5 && imaginary == -2));
  Value string = echoed(tsc_value_new_string("a\0b", 3));
  const char *text = nullptr;
  size_t length = 0;
  ok(tsc_value_get_string(string.get(), &text, &length));
  CHECK(std::string(text, length) == std::string("a\0b", 3));
  CHECK(text[length] == 0);
}

TEST_CASE("an int is read as a float, any number as a complex one, and nothing else") {
  Value three(tsc_value_new_int(3)), text(tsc_value_new_string("3", 1)), truth(tsc_value_new_bool(1));
  double real = 0, imaginary = 0;
  ok(tsc_value_get_float(three.get(), &real));
  CHECK(real == 3);
  ok(tsc_value_get_complex(truth.get(), &real, &imaginary));
  CHECK((real == 1 && imaginary == 0));
  CHECK(failure(tsc_value_get_float(text.get(), &real), TSC_INVALID_ARGUMENT) ==
        "expected a float, but the value is a 'str'");
  CHECK(real == 0);
  int64_t integer = 0;
  failure(tsc_value_get_int(truth.get(), &integer), TSC_INVALID_ARGUMENT);
}

TEST_CASE("lists, tuples and dicts hold any values, in order") {
  Program program = load(echo, "echo.py");
  std::vector<Value> parts = list(Value(tsc_value_new_int(1)), Value(tsc_value_new_string("two", 3)));
  tsc_value *made = nullptr;
  ok(tsc_value_new_tuple(pointers(parts).data(), 2, &made));
  Value tuple = run(program, "echo", list(Value(made)));
  CHECK(tsc_value_kind(tuple.get()) == TSC_KIND_TUPLE);
  CHECK(print(tuple) == "(1, 'two')");
  size_t size = 0;
  ok(tsc_value_size(tuple.get(), &size));
  CHECK(size == 2);

  std::vector<Value> keys = list(Value(tsc_value_new_string("b", 1)), Value(tsc_value_new_string("a", 1)));
  ok(tsc_value_new_dict(pointers(keys).data(), pointers(parts).data(), 2, &made));
  Value dict(made);
  CHECK(print(dict) == "{'b': 1, 'a': 'two'}");
  CHECK(print(element(dict, 1)) == "('a', 'two')");
  ok(tsc_value_items(dict.get(), &made));
  CHECK(print(Value(made)) == "(('b', 1), ('a', 'two'))");
  ok(tsc_value_lookup(dict.get(), keys[1].get(), &made));
  CHECK(print(Value(made)) == "'two'");
  CHECK(failure(tsc_value_lookup(dict.get(), parts[0].get(), &made), TSC_NOT_FOUND) == "the dict has no key 1");
  CHECK(made == nullptr);
  ok(tsc_value_new_list(pointers(parts).data(), 2, &made));
  CHECK(print(Value(made)) == "[1, 'two']");
}

TEST_CASE("lists of numbers are read where they are") {
  Program program = load("def twice(xs: List[int]) -> List[int]:\n    return xs + xs\n"
                         "def halves(xs: List[float]) -> List[float]:\n    return [x / 2 for x in xs]\n"
                         "def count(xs: List[bool]) -> int:\n    n = 0\n    for x in xs:\n        n += int(x)\n"
                         "    return n\n",
                         "lists.py");
  const int64_t ints[] = {1, -2};
  const double floats[] = {1, 3};
  const uint8_t bools[] = {1, 0, 9};
  tsc_value *made = nullptr;
  size_t size = 0;
  ok(tsc_value_new_int_list(ints, 2, &made));
  Value twice = run(program, "twice", list(Value(made)));
  const int64_t *found = nullptr;
  ok(tsc_value_get_int_list(twice.get(), &found, &size));
  CHECK(std::vector<int64_t>(found, found + size) == std::vector<int64_t>{1, -2, 1, -2});
  ok(tsc_value_new_float_list(floats, 2, &made));
  Value halves = run(program, "halves", list(Value(made)));
  const double *numbers = nullptr;
  ok(tsc_value_get_float_list(halves.get(), &numbers, &size));
  CHECK(std::vector<double>(numbers, numbers + size) == std::vector<double>{0.5, 1.5});
  failure(tsc_value_get_int_list(halves.get(), &found, &size), TSC_INVALID_ARGUMENT);
  CHECK((found == nullptr && size == 0));
  ok(tsc_value_new_bool_list(bools, 3, &made));
  CHECK(print(run(program, "count", list(Value(made)))) == "2");
  ok(tsc_value_new_int_list(nullptr, 0, &made));
  CHECK(print(run(program, "twice", list(Value(made)))) == "[]");
}

TEST_CASE("untyped lists and dicts become those that a signature asks for") {
  Program program = load("def total(table: Dict[str, List[float]]) -> float:\n    s = 0.0\n"
                         "    for k, v in table.items():\n        for x in v:\n            s += x\n    return s\n",
                         "total.py");
  std::vector<Value> numbers = list(Value(tsc_value_new_int(1)), Value(tsc_value_new_float(0.5)));
  tsc_value *made = nullptr;
  ok(tsc_value_new_list(pointers(numbers).data(), 2, &made));
  std::vector<Value> lists = list(Value(made)), keys = list(Value(tsc_value_new_string("k", 1)));
  ok(tsc_value_new_dict(pointers(keys).data(), pointers(lists).data(), 1, &made));
  CHECK(print(run(program, "total", list(Value(made)))) == "1.5");
  ok(tsc_value_new_dict(pointers(keys).data(), pointers(numbers).data(), 1, &made));
  Value wrong(made);
  Entry total = find(program);
  Call call = context(program);
  tsc_value *args[] = {wrong.get()}, *result = nullptr;
  CHECK_THAT(failure(tsc_entry_run(total.get(), call.get(), args, 1, &result), TSC_INVALID_ARGUMENT),
             Catch::Contains("Expected a value of type 'Dict[str, List[float]]' for argument 'table'"));
}

TEST_CASE("fields of named tuples and of objects are found by name") {
  Program program = load("class Pair(NamedTuple):\n    first: int\n    second: str\n\n"
                         "def make() -> Pair:\n    return Pair(1, 'b')\n",
                         "pair.py");
  Value pair = run(program, "make", {});
  tsc_value *field = nullptr;
  ok(tsc_value_attribute(pair.get(), "second", &field));
  CHECK(print(Value(field)) == "'b'");
  CHECK_THAT(failure(tsc_value_attribute(pair.get(), "third", &field), TSC_NOT_FOUND), Catch::Contains("'third'"));
}

TEST_CASE("values outlive the handles of their program, and go to others") {
  Program first = load("def table() -> Dict[str, List[List[int]]]:\n    return {'a': [[1], [2, 3]]}\n", "table.py");
  Value made = run(first, "table", {});
  first.reset();
  CHECK(print(made) == "{'a': [[1], [2, 3]]}");
  Program second = load("def depth(t: Dict[str, List[List[int]]]) -> int:\n    return len(t['a'][1])\n"
                        "def any(t: Any) -> Any:\n    return t\n",
                        "depth.py");
  std::vector<Value> args = list(std::move(made));
  CHECK(print(run(second, "depth", args)) == "2");
  Value kept = run(second, "any", args);
  args.clear();
  CHECK(print(kept) == "{'a': [[1], [2, 3]]}");
}

TEST_CASE("an object of one program's class is none of another's") {
  const char *text = "class Point:\n    def __init__(self, x: int):\n        self.x = x\n\n"
                     "def make() -> Point:\n    return Point(4)\n\n"
                     "def get(p: Point) -> int:\n    return p.x\n";
  Program first = load(text, "point.py"), second = load(text, "point.py");
  Value point = run(first, "make", {});
  CHECK(tsc_value_kind(point.get()) == TSC_KIND_OBJECT);
  CHECK(std::string(tsc_value_type_name(point.get())) == "__torch__.Point");
  tsc_value *x = nullptr;
  ok(tsc_value_attribute(point.get(), "x", &x));
  CHECK(print(Value(x)) == "4");
  tsc_value *args[] = {point.get()}, *result = nullptr;
  ok(tsc_entry_run(find(first, "get").get(), context(first).get(), args, 1, &result));
  tsc_value_free(result);
  failure(tsc_entry_run(find(second, "get").get(), context(second).get(), args, 1, &result), TSC_INVALID_ARGUMENT);
}

TEST_CASE("lengths and counts beyond what lists and strings can have are errors, and nothing is read") {
  Program program = load(echo, "echo.py");
  Entry entry = find(program, "echo");
  tsc_context *context = nullptr;
  ok(tsc_context_new(program.get(), &context));
  Call call(context);
  const int64_t integer = 1;
  const double real = 1;
  const uint8_t truth = 1;
  Value one(tsc_value_new_int(1));
  tsc_value *const element = one.get();
  const char *const name = "x";
  const uint32_t number = 0;
  // The last one times the size of an element is 8 again.
  for (size_t size : {SIZE_MAX, SIZE_MAX / 2, size_t{1} << 40, (size_t{1} << 31) + 1, (SIZE_MAX >> 3) + 2}) {
    INFO(size);
    tsc_value *made = element;
    CHECK(!Value(tsc_value_new_string("x", size)));
    failure(tsc_value_new_int_list(&integer, size, &made), TSC_INVALID_ARGUMENT);
    failure(tsc_value_new_float_list(&real, size, &made), TSC_INVALID_ARGUMENT);
    failure(tsc_value_new_bool_list(&truth, size, &made), TSC_INVALID_ARGUMENT);
    failure(tsc_value_new_tensor_list(&element, size, &made), TSC_INVALID_ARGUMENT);
    failure(tsc_value_new_list(&element, size, &made), TSC_INVALID_ARGUMENT);
    failure(tsc_value_new_tuple(&element, size, &made), TSC_INVALID_ARGUMENT);
    CHECK(failure(tsc_value_new_dict(&element, &element, size, &made), TSC_INVALID_ARGUMENT)
              .find("'keys' has " + std::to_string(size) + " elements") == 0);
    failure(tsc_entry_run(entry.get(), context, &element, size, &made), TSC_INVALID_ARGUMENT);
    failure(tsc_entry_run_named(entry.get(), context, nullptr, 0, &name, &element, size, &made), TSC_INVALID_ARGUMENT);
    CHECK(made == nullptr);
    tsc_entry *gradients = nullptr;
    failure(tsc_program_differentiate(program.get(), entry.get(), &number, size, &gradients), TSC_INVALID_ARGUMENT);
    failure(tsc_program_freeze(program.get(), &name, size), TSC_INVALID_ARGUMENT);
  }
}
