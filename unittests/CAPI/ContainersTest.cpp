//===- ContainersTest.cpp - Types of values, lists and dicts, from C ------===//
#include "Hosts.h"
#include <cstring>

using namespace host;

static Value number(int64_t value) { return Value(tsc_value_new_int(value)); }
static Value real(double value) { return Value(tsc_value_new_float(value)); }
static Value text(const char *value) { return Value(tsc_value_new_string(value, std::strlen(value))); }
static Value container(const char *type) {
  tsc_value *made = nullptr;
  ok(tsc_value_new_container(type, &made));
  return Value(made);
}
static std::string stringOf(tsc_value *value) {
  Value held(value);
  const char *characters = nullptr;
  size_t length = 0;
  ok(tsc_value_get_string(value, &characters, &length));
  return std::string(characters, length);
}
static std::string typeOf(const Value &value) {
  tsc_value *type = nullptr;
  ok(tsc_value_get_type(value.get(), &type));
  return stringOf(type);
}

TEST_CASE("lists and dicts of types that a host names") {
  for (const char *type : {"List[int]", "List[float]", "List[bool]", "List[Tensor]", "List[str]", "Dict[str, Tensor]",
                           "Dict[int, List[str]]", "List[Optional[Tensor]]"})
    CHECK(typeOf(container(type)) == type);
  for (const char *type : {"int", "List[__torch__.M]", "List[", "Dict[List[int], int]", ""}) {
    tsc_value *made = nullptr;
    failure(tsc_value_new_container(type, &made), TSC_INVALID_ARGUMENT);
    CHECK(!made);
  }
  failure(tsc_value_new_container(nullptr, nullptr), TSC_INVALID_ARGUMENT);

  Value numbers = container("List[float]");
  ok(tsc_list_append(numbers.get(), number(1).get()));
  ok(tsc_list_append(numbers.get(), real(2.5).get()));
  ok(tsc_list_set(numbers.get(), 0, real(3).get()));
  CHECK(print(numbers) == "[3.0, 2.5]");
  ok(tsc_list_truncate(numbers.get(), 1));
  CHECK(print(numbers) == "[3.0]");
  failure(tsc_list_set(numbers.get(), 1, real(3).get()), TSC_INVALID_ARGUMENT);
  failure(tsc_list_append(numbers.get(), text("x").get()), TSC_INVALID_ARGUMENT);
  failure(tsc_list_append(numbers.get(), nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_list_append(nullptr, real(1).get()), TSC_INVALID_ARGUMENT);
  failure(tsc_list_append(real(1).get(), real(1).get()), TSC_INVALID_ARGUMENT);
  failure(tsc_list_truncate(numbers.get(), 2), TSC_INVALID_ARGUMENT);

  Value words = container("Dict[str, int]");
  ok(tsc_dict_set(words.get(), text("a").get(), number(1).get()));
  ok(tsc_dict_set(words.get(), text("b").get(), number(2).get()));
  ok(tsc_dict_set(words.get(), text("a").get(), number(3).get()));
  CHECK(print(words) == "{'a': 3, 'b': 2}");
  ok(tsc_dict_remove(words.get(), text("a").get()));
  failure(tsc_dict_remove(words.get(), text("a").get()), TSC_NOT_FOUND);
  failure(tsc_dict_set(words.get(), number(1).get(), number(1).get()), TSC_INVALID_ARGUMENT);
  failure(tsc_dict_set(words.get(), words.get(), number(1).get()), TSC_INVALID_ARGUMENT);
  failure(tsc_dict_set(words.get(), text("c").get(), real(1).get()), TSC_INVALID_ARGUMENT);
  failure(tsc_dict_set(words.get(), nullptr, nullptr), TSC_INVALID_ARGUMENT);
  ok(tsc_dict_clear(words.get()));
  CHECK(print(words) == "{}");
  failure(tsc_dict_clear(numbers.get()), TSC_INVALID_ARGUMENT);
}

TEST_CASE("a program adds to the host's list and dict") {
  Program program = load("from typing import Dict, List\n"
                         "def f(names: List[str], found: Dict[str, int]) -> int:\n"
                         "    names.append('new')\n"
                         "    found['new'] = 1\n"
                         "    return len(names)\n",
                         "f.py");
  std::vector<Value> args = list(container("List[str]"), container("Dict[str, int]"));
  CHECK(print(run(program, "f", args)) == "1");
  CHECK(print(args[0]) == "['new']");
  CHECK(print(args[1]) == "{'new': 1}");
}

TEST_CASE("devices, types, names of fields, and texts") {
  tsc_value *made = nullptr;
  ok(tsc_value_new_device(TSC_DEVICE_CUDA, 1, &made));
  Value device(made);
  int kind = 0, index = 0;
  ok(tsc_value_get_device(device.get(), &kind, &index));
  CHECK((kind == TSC_DEVICE_CUDA && index == 1));
  CHECK(tsc_value_kind(device.get()) == TSC_KIND_DEVICE);
  failure(tsc_value_new_device(77, 0, &made), TSC_INVALID_ARGUMENT);
  failure(tsc_value_new_device(TSC_DEVICE_CPU, -2, &made), TSC_INVALID_ARGUMENT);
  failure(tsc_value_get_device(number(1).get(), &kind, &index), TSC_INVALID_ARGUMENT);
  CHECK(typeOf(number(1)) == "int");

  Program program = load("from typing import NamedTuple\n"
                         "class Pair(NamedTuple):\n"
                         "    first: int\n"
                         "    second: float\n"
                         "def f() -> Pair:\n"
                         "    return Pair(1, 2.0)\n",
                         "pair.py");
  Value pair = run(program, "f", {});
  const char *name = nullptr;
  ok(tsc_value_field_name(pair.get(), 1, &name));
  CHECK(std::string(name) == "second");
  failure(tsc_value_field_name(pair.get(), 2, &name), TSC_INVALID_ARGUMENT);
  CHECK(!name);
  failure(tsc_value_field_name(number(1).get(), 0, &name), TSC_INVALID_ARGUMENT);

  float data[] = {1, 2};
  Value x = tensor(data, {2});
  ok(tsc_value_format(x.get(), TSC_TEXT_CPP, &made));
  CHECK(stringOf(made).find("[ CPUFloatType{2} ]") != std::string::npos);
  ok(tsc_value_format(x.get(), TSC_TEXT_PYTHON, &made));
  CHECK(stringOf(made) == "tensor([1., 2.])");
  failure(tsc_value_format(x.get(), static_cast<tsc_text_style>(9), &made), TSC_INVALID_ARGUMENT);

  ok(tsc_value_copy(x.get(), &made));
  Value copy(made);
  data[0] = 5;
  CHECK(elements<float>(copy) == std::vector<float>{1, 2});
  failure(tsc_value_copy(nullptr, &made), TSC_INVALID_ARGUMENT);
}
