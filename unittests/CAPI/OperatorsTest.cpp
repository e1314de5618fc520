//===- OperatorsTest.cpp - Operators on values, from C --------------------===//
#include "Hosts.h"
#include <cstring>
#include <thread>

using namespace host;

static Value number(int64_t value) { return Value(tsc_value_new_int(value)); }
static Value real(double value) { return Value(tsc_value_new_float(value)); }
static Value text(const char *value) { return Value(tsc_value_new_string(value, std::strlen(value))); }

static Value call(const char *name, const std::vector<Value> &args, const std::vector<const char *> &names = {},
                  const std::vector<Value> &named = {}) {
  tsc_value *result = nullptr;
  ok(tsc_call(name, pointers(args).data(), args.size(), names.data(), pointers(named).data(), names.size(), &result));
  return Value(result);
}
static std::string refused(const char *name, const std::vector<Value> &args, tsc_code code) {
  tsc_value *result = nullptr;
  std::string message = failure(tsc_call(name, pointers(args).data(), args.size(), nullptr, nullptr, 0, &result), code);
  CHECK(!result);
  return message;
}
static const tsc_op *find(const char *name, const char *overload) {
  const tsc_op *op = nullptr;
  ok(tsc_op_find(name, overload, &op));
  return op;
}

TEST_CASE("a host calls operators by name") {
  float a[] = {1, 2, 3}, b[] = {10, 20, 30};
  CHECK(elements<float>(call("aten::add", list(tensor(a, {3}), tensor(b, {3})), {"alpha"}, list(number(2)))) ==
        std::vector<float>{21, 42, 63});
  CHECK(elements<float>(call("aten::mul", list(tensor(a, {3}), number(2)))) == std::vector<float>{2, 4, 6});
  CHECK(elements<float>(call("aten::sum", list(tensor(a, {3}), number(0)))) == std::vector<float>{6});
  Value extremes = call("aten::max", list(tensor(b, {3}), number(0)));
  CHECK(tsc_value_kind(extremes.get()) == TSC_KIND_TUPLE);
  CHECK(elements<float>(element(extremes, 0)) == std::vector<float>{30});
  CHECK(elements<int64_t>(element(extremes, 1)) == std::vector<int64_t>{2});
  // A dtype by its number, a device by its name.
  Value made = call("aten::zeros", list(number(2)), {"dtype", "device"}, list(number(TSC_FLOAT64), text("cpu")));
  CHECK(elements<double>(made) == std::vector<double>{0, 0});
  // In place: the host's memory.
  Value same = call("aten::add_.Scalar", list(tensor(a, {3}), number(1)));
  CHECK(a[2] == 4.0f);
}

TEST_CASE("calls that fit no overload, and operators that there are not") {
  float a[] = {1};
  CHECK(refused("aten::ad", {}, TSC_NOT_FOUND).find("did you mean") != std::string::npos);
  refused("add", {}, TSC_INVALID_ARGUMENT);
  refused("aten::add.Nothing", {}, TSC_NOT_FOUND);
  CHECK(refused("aten::relu", list(text("x")), TSC_INVALID_ARGUMENT).find("takes Tensor") != std::string::npos);
  refused("aten::matmul", list(tensor(a, {1}), tensor(a, {1, 1, 1, 1}), number(1)), TSC_INVALID_ARGUMENT);
  tsc_value *result = nullptr;
  tsc_value *missing[] = {nullptr};
  failure(tsc_call("aten::relu", missing, 1, nullptr, nullptr, 0, &result), TSC_INVALID_ARGUMENT);
  failure(tsc_call(nullptr, nullptr, 0, nullptr, nullptr, 0, &result), TSC_INVALID_ARGUMENT);
  failure(tsc_call("aten::relu", nullptr, 1, nullptr, nullptr, 0, &result), TSC_INVALID_ARGUMENT);
  failure(tsc_call("aten::relu", nullptr, 0, nullptr, nullptr, 0, nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_call("aten::relu", nullptr, 0, nullptr, nullptr, 1, &result), TSC_INVALID_ARGUMENT);
}

TEST_CASE("an overload is found once and called often") {
  const tsc_op *add = find("aten::add", "Tensor");
  CHECK(std::string(tsc_op_schema(add)).find("aten::add.Tensor(Tensor self, Tensor other, *") == 0);
  CHECK(tsc_op_num_arguments(add) == 3);
  CHECK(tsc_op_num_results(add) == 1);
  CHECK(find("aten::add", "Tensor") == add);
  float a[] = {1, 2}, b[] = {10, 20};
  Value x = tensor(a, {2}), y = tensor(b, {2}), alpha = real(0.5);
  tsc_value *args[] = {x.get(), y.get(), alpha.get()}, *result = nullptr;
  ok(tsc_op_run(add, args, 3, &result, 1));
  CHECK(elements<float>(Value(result)) == std::vector<float>{6, 12});
  ok(tsc_op_run(add, args, 2, &result, 1)); // alpha has a default
  CHECK(elements<float>(Value(result)) == std::vector<float>{11, 22});
  args[2] = nullptr;
  ok(tsc_op_run(add, args, 3, &result, 1));
  CHECK(elements<float>(Value(result)) == std::vector<float>{11, 22});

  const tsc_op *max = find("aten::max", "dim");
  Value zero = number(0);
  tsc_value *of[] = {x.get(), zero.get()}, *both[2] = {};
  ok(tsc_op_run(max, of, 2, both, 2));
  CHECK(elements<float>(Value(both[0])) == std::vector<float>{2});
  CHECK(elements<int64_t>(Value(both[1])) == std::vector<int64_t>{1});

  // One number for a list of fixed length, a list of any values for one of numbers.
  float image[16] = {};
  image[5] = 7;
  Value pooled, two = number(2), picture = tensor(image, {1, 1, 4, 4});
  tsc_value *pool[] = {picture.get(), two.get()};
  ok(tsc_op_run(find("aten::max_pool2d", ""), pool, 2, &result, 1));
  CHECK(elements<float>(Value(result)) == std::vector<float>{7, 0, 0, 0});

  failure(tsc_op_run(add, args, 1, &result, 1), TSC_INVALID_ARGUMENT);
  failure(tsc_op_run(add, args, 4, &result, 1), TSC_INVALID_ARGUMENT);
  failure(tsc_op_run(add, args, 2, both, 2), TSC_INVALID_ARGUMENT);
  failure(tsc_op_run(add, args, 2, nullptr, 1), TSC_INVALID_ARGUMENT);
  failure(tsc_op_run(nullptr, args, 2, &result, 1), TSC_INVALID_ARGUMENT);
  failure(tsc_op_run(add, of, 2, &result, 1), TSC_INVALID_ARGUMENT); // an int for a tensor
  failure(tsc_op_call(nullptr, args, 2, nullptr, nullptr, 0, &result), TSC_INVALID_ARGUMENT);
  const char *names[] = {"alpha"};
  tsc_value *named[] = {alpha.get()};
  ok(tsc_op_call(add, args, 2, names, named, 1, &result));
  CHECK(elements<float>(Value(result)) == std::vector<float>{6, 12});
  CHECK(std::string(tsc_op_schema(nullptr)) == "");
  CHECK(tsc_op_num_arguments(nullptr) + tsc_op_num_results(nullptr) == 0);
}

TEST_CASE("overloads are listed") {
  const tsc_op *const *ops = nullptr;
  size_t count = 0;
  ok(tsc_op_overloads("aten::add", &ops, &count));
  REQUIRE(count > 2);
  bool hasTensor = false;
  for (size_t i = 0; i != count; ++i)
    hasTensor |= ops[i] == find("aten::add", "Tensor");
  CHECK(hasTensor);
  failure(tsc_op_overloads("aten::nothing", &ops, &count), TSC_NOT_FOUND);
  failure(tsc_op_overloads("::", &ops, &count), TSC_NOT_FOUND);
  failure(tsc_op_overloads(nullptr, &ops, &count), TSC_INVALID_ARGUMENT);
  failure(tsc_op_overloads("aten::add", nullptr, &count), TSC_INVALID_ARGUMENT);
  const tsc_op *op = nullptr;
  CHECK(failure(tsc_op_find("aten::add", "Nothing", &op), TSC_NOT_FOUND).find("'Tensor'") != std::string::npos);
  CHECK(!op);
}

TEST_CASE("random numbers of threads, and their seed") {
  auto draw = [] {
    Value drawn = call("aten::rand", list(number(3)));
    return elements<float>(drawn);
  };
  tsc_set_seed(7);
  const std::vector<float> first = draw();
  CHECK(draw() != first);
  tsc_set_seed(7);
  CHECK(draw() == first);
  std::vector<float> other;
  std::thread([&] { other = draw(); }).join();
  CHECK(other == first); // begins with the seed that was set last
  CHECK(draw() != first);
}

TEST_CASE("the default dtype is a thread's") {
  auto dtypeMade = [] {
    const Value made = call("aten::zeros", list(number(1)));
    tsc_tensor_info facts{};
    facts.struct_size = sizeof facts;
    ok(tsc_tensor_inspect(made.get(), &facts));
    return facts.dtype;
  };
  CHECK(tsc_default_dtype() == 6);
  CHECK(dtypeMade() == 6);
  ok(tsc_set_default_dtype(7));
  CHECK(tsc_default_dtype() == 7);
  CHECK(dtypeMade() == 7);
  int32_t other = -1;
  std::thread([&] { other = tsc_default_dtype(); }).join();
  CHECK(other == 6);
  CHECK(failure(tsc_set_default_dtype(3), TSC_INVALID_ARGUMENT) ==
        "only floating-point types can be the default dtype, and 3 is none");
  failure(tsc_set_default_dtype(-1), TSC_INVALID_ARGUMENT);
  failure(tsc_set_default_dtype(100), TSC_INVALID_ARGUMENT);
  ok(tsc_set_default_dtype(6));
}

TEST_CASE("operators use the threads that the host sets at any time") {
  CHECK(tsc_threads() == 1);
  std::vector<float> data(1 << 18, 2.0f);
  Value x = tensor(data.data(), {1 << 18});
  const std::vector<float> expected = elements<float>(call("aten::exp", list(Value(tsc_value_new_reference(x.get())))));
  for (int threads : {4, 1, 2, 3, 1}) {
    ok(tsc_set_threads(threads));
    CHECK(tsc_threads() == threads);
    CHECK(elements<float>(call("aten::exp", list(Value(tsc_value_new_reference(x.get()))))) == expected);
  }
  failure(tsc_set_threads(0), TSC_INVALID_ARGUMENT);
  failure(tsc_set_threads(1025), TSC_INVALID_ARGUMENT);
  CHECK(tsc_threads() == 1);
}

TEST_CASE("what tensors say of themselves") {
  float data[12] = {};
  const std::vector<int64_t> strides{1, 3};
  Value x = tensor(data, {2, 3}, &strides);
  tsc_tensor_info info{};
  info.struct_size = sizeof info;
  ok(tsc_tensor_inspect(x.get(), &info));
  CHECK(info.rank == 2);
  CHECK((info.sizes[1] == 3 && info.strides[1] == 3 && info.num_elements == 6));
  CHECK((info.dtype == TSC_FLOAT32 && info.layout == TSC_LAYOUT_STRIDED));
  CHECK((info.device_kind == TSC_DEVICE_CPU && info.device_index == -1));
  CHECK(info.flags == TSC_IS_LEAF);
  CHECK(info.storage == data);
  const uint32_t version = info.version;
  void *writable = nullptr;
  ok(tsc_tensor_mutable_data(x.get(), &writable));
  ok(tsc_tensor_inspect(x.get(), &info));
  CHECK(info.version == version + 1);
  void *same = nullptr;
  ok(tsc_tensor_data(x.get(), &same));
  ok(tsc_tensor_inspect(x.get(), &info));
  CHECK((same == writable && info.version == version + 1));

  Value part = call("aten::select", list(Value(tsc_value_new_reference(x.get())), number(1), number(2)));
  tsc_tensor_info of{};
  of.struct_size = sizeof of;
  ok(tsc_tensor_inspect(part.get(), &of));
  CHECK((of.storage == info.storage && of.storage_offset == 6));
  CHECK(!tsc_value_is_same(part.get(), x.get()));
  Value again(tsc_value_new_reference(x.get()));
  CHECK(tsc_value_is_same(again.get(), x.get()));
  CHECK(!tsc_value_is_same(nullptr, x.get()));

  ok(tsc_tensor_set_data(x.get(), part.get()));
  ok(tsc_tensor_inspect(x.get(), &info));
  CHECK((info.rank == 1 && info.storage_offset == 6));
  failure(tsc_tensor_set_data(x.get(), number(1).get()), TSC_INVALID_ARGUMENT);
  failure(tsc_tensor_set_data(nullptr, x.get()), TSC_INVALID_ARGUMENT);
  info.struct_size = 8;
  failure(tsc_tensor_inspect(x.get(), &info), TSC_INVALID_ARGUMENT);
  info.struct_size = sizeof info;
  failure(tsc_tensor_inspect(number(1).get(), &info), TSC_INVALID_ARGUMENT);
  failure(tsc_tensor_inspect(nullptr, &info), TSC_INVALID_ARGUMENT);
  failure(tsc_tensor_inspect(x.get(), nullptr), TSC_INVALID_ARGUMENT);
}
