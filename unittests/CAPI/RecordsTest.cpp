//===- RecordsTest.cpp - What a host computes with its own derivative -----===//
#include "Hosts.h"
#include <cstring>

using namespace host;

using Floats = std::vector<float>;

static Value call(const char *name, const std::vector<Value> &args) {
  tsc_value *result = nullptr;
  ok(tsc_call(name, pointers(args).data(), args.size(), nullptr, nullptr, 0, &result));
  return Value(result);
}
static Value again(const Value &value) { return Value(tsc_value_new_reference(value.get())); }
static Value leaf(float *data, const std::vector<int64_t> &sizes) {
  Value made = tensor(data, sizes);
  ok(tsc_tensor_set_requires_grad(made.get(), 1));
  return made;
}
static tsc_error *gradientBy(const Value &output, const Value &input, uint32_t flags, Value &found) {
  tsc_value *outputs[] = {output.get()}, *inputs[] = {input.get()}, *gradient = nullptr;
  tsc_error *error = tsc_gradients(outputs, 1, nullptr, inputs, 1, flags, &gradient);
  found = Value(gradient);
  return error;
}

namespace {
/// The square of a tensor, whose derivative is the host's.
struct Square {
  int calls = 0, releases = 0, wanted = -1;
  bool fails = false;
  size_t numSaved = 0;
  tsc_grad_mode mode = TSC_GRAD_INVALID;

  static void release(void *user) { ++static_cast<Square *>(user)->releases; }
  static tsc_error *derive(void *user, const tsc_arrived *arrived) {
    Square &self = *static_cast<Square *>(user);
    ++self.calls;
    self.mode = tsc_get_grad_mode();
    self.wanted = arrived->wanted[0];
    self.numSaved = arrived->num_saved;
    if (self.fails)
      return tsc_error_new(TSC_ABORTED, "no derivative today");
    if (tsc_value_kind(arrived->gradients[0]) != TSC_KIND_TENSOR)
      return nullptr;
    const std::vector<Value> parts =
        list(Value(tsc_value_new_reference(arrived->gradients[0])), Value(tsc_value_new_reference(arrived->saved[0])));
    Value product = call("aten::mul", parts);
    arrived->results[0] = call("aten::mul", list(std::move(product), Value(tsc_value_new_int(2)))).release();
    return nullptr;
  }
  tsc_recording recording() {
    tsc_recording made{};
    made.struct_size = sizeof made;
    made.name = "SquareBackward";
    made.derivative = derive;
    made.release = release;
    made.user = this;
    return made;
  }
  /// Computes the square with grad mode off, and records it.
  Value of(const Value &x) {
    const tsc_grad_mode before = tsc_set_grad_mode(TSC_GRAD_OFF);
    Value y = call("aten::mul", list(again(x), again(x)));
    tsc_set_grad_mode(before);
    tsc_recording made = recording();
    tsc_value *operands[] = {x.get()}, *results[] = {y.get()};
    made.operands = made.saved = operands;
    made.num_operands = made.num_saved = made.num_results = 1;
    made.results = results;
    ok(tsc_record(&made));
    return y;
  }
};
} // namespace

TEST_CASE("gradients go through a derivative of the host's") {
  float data[] = {1, 2};
  Square square;
  {
    Value x = leaf(data, {2}), y = square.of(x), gradient;
    tsc_value *name = nullptr;
    ok(tsc_tensor_grad_fn(y.get(), &name));
    CHECK(print(Value(name)) == "'SquareBackward'");
    Value loss = call("aten::sum", list(call("aten::mul", list(again(y), again(y)))));
    ok(gradientBy(loss, x, TSC_RETAIN_GRAPH, gradient));
    CHECK(elements<float>(gradient) == Floats{4, 32});
    CHECK((square.mode == TSC_GRAD_OFF && square.wanted == 1 && square.numSaved == 1));
    ok(gradientBy(loss, x, TSC_CREATE_GRAPH, gradient));
    CHECK(square.mode == TSC_GRAD_ON);
    Value second, sum = call("aten::sum", list(std::move(gradient)));
    ok(gradientBy(sum, x, TSC_RETAIN_GRAPH, second));
    CHECK(elements<float>(second) == Floats{12, 48});
    CHECK(tsc_get_grad_mode() == TSC_GRAD_ON);
    ok(gradientBy(loss, x, 0, gradient)); // and what was saved is gone
    const int before = square.calls;
    CHECK(failure(gradientBy(loss, x, 0, gradient), TSC_INVALID_ARGUMENT).find("second time") != std::string::npos);
    CHECK((square.calls == before && square.releases == 0));
  }
  CHECK(square.releases == 1);
}

TEST_CASE("an error of a derivative, and what it reads that was written to") {
  float data[] = {1, 2};
  Square square;
  Value x = leaf(data, {2}), z = call("aten::mul", list(again(x), Value(tsc_value_new_int(3)))), gradient;
  Value y = call("aten::sum", list(square.of(z)));
  square.fails = true;
  CHECK(failure(gradientBy(y, x, TSC_RETAIN_GRAPH, gradient), TSC_ABORTED).find("no derivative today") !=
        std::string::npos);
  CHECK(tsc_get_grad_mode() == TSC_GRAD_ON);
  square.fails = false;
  call("aten::add_", list(again(z), Value(tsc_value_new_int(1))));
  CHECK(failure(gradientBy(y, x, 0, gradient), TSC_INVALID_ARGUMENT).find("modified by an inplace operation") !=
        std::string::npos);
}

TEST_CASE("nothing is recorded where nothing requires a gradient, or grad mode is off") {
  float data[] = {1, 2};
  Square square;
  Value plain = tensor(data, {2}), y = square.of(plain);
  tsc_tensor_info info{};
  info.struct_size = sizeof info;
  ok(tsc_tensor_inspect(y.get(), &info));
  CHECK((!(info.flags & TSC_REQUIRES_GRAD) && square.releases == 1));
  Value x = leaf(data, {2});
  const tsc_grad_mode before = tsc_set_grad_mode(TSC_GRAD_OFF);
  Value unrecorded = square.of(x);
  tsc_set_grad_mode(before);
  ok(tsc_tensor_inspect(unrecorded.get(), &info));
  CHECK((!(info.flags & TSC_REQUIRES_GRAD) && square.releases == 2));
}

TEST_CASE("what is written to is an operand and a result") {
  float data[] = {1, 2};
  Square square;
  Value x = leaf(data, {2}), z = call("aten::mul", list(again(x), Value(tsc_value_new_int(1)))), view, gradient;
  tsc_recording made = square.recording();
  auto record = [&](const Value &written) {
    tsc_value *both[] = {written.get()};
    made.operands = made.results = both;
    made.num_operands = made.num_results = 1;
    return tsc_record(&made);
  };
  CHECK(failure(record(x), TSC_INVALID_ARGUMENT).find("leaf") != std::string::npos);
  view = call("aten::select", list(again(z), Value(tsc_value_new_int(0)), Value(tsc_value_new_int(0))));
  failure(record(view), TSC_UNIMPLEMENTED);
  CHECK(square.releases == 2);
  tsc_value *saved[] = {z.get()}; // a result, which the node must not keep alive with itself
  made.saved = saved;
  made.num_saved = 1;
  ok(record(z));
  Value loss = call("aten::sum", list(std::move(z)));
  ok(gradientBy(loss, x, 0, gradient));
  CHECK(elements<float>(gradient) == Floats{2, 4});
  loss = Value();
  view = Value(); // which holds its base
  CHECK(square.releases == 3);
}

TEST_CASE("a record that is not as it has to be") {
  float data[] = {1, 2};
  Square square;
  Value x = leaf(data, {2}), word(tsc_value_new_int(1));
  failure(tsc_record(nullptr), TSC_INVALID_ARGUMENT);
  tsc_recording made = square.recording();
  tsc_value *operands[] = {x.get(), nullptr}, *numbers[] = {word.get()};
  made.struct_size = 8;
  failure(tsc_record(&made), TSC_INVALID_ARGUMENT);
  CHECK(square.releases == 0); // for nothing is known of it
  made.struct_size = sizeof made;
  made.operands = operands;
  made.num_operands = 2;
  made.results = numbers;
  made.num_results = 1;
  CHECK(failure(tsc_record(&made), TSC_INVALID_ARGUMENT).find("'int'") != std::string::npos);
  made.num_results = 0;
  made.derivative = nullptr;
  failure(tsc_record(&made), TSC_INVALID_ARGUMENT);
  made.derivative = Square::derive;
  made.name = nullptr;
  failure(tsc_record(&made), TSC_INVALID_ARGUMENT);
  CHECK(square.releases == 3);
}

static void append(void *user, const char *text, size_t length) {
  static_cast<std::string *>(user)->append(text, length);
}

TEST_CASE("a module that a host makes") {
  tsc_value *made = nullptr, *inner = nullptr, *read = nullptr;
  ok(tsc_module_new(nullptr, "Mine", nullptr, &made));
  Value module(made);
  ok(tsc_module_new(module.get(), "Mine", nullptr, &inner));
  Value within(inner);
  float data[] = {1, 2};
  ok(tsc_module_register(within.get(), "0", TSC_PARAMETER, leaf(data, {2}).get()));
  ok(tsc_module_register(module.get(), "part", TSC_ATTRIBUTE, within.get()));
  ok(tsc_module_define(module.get(), "def forward(self, x):\n  return x + 1\n"));
  tsc_entry *forward = nullptr;
  ok(tsc_module_find(module.get(), "forward", &forward));
  float one[] = {1};
  tsc_value *args[] = {nullptr}, *result = nullptr;
  Value argument = tensor(one, {1});
  args[0] = argument.get();
  ok(tsc_entry_call(forward, args, 1, nullptr, nullptr, 0, &result));
  CHECK(elements<float>(Value(result)) == Floats{2});
  tsc_entry_free(forward);
  std::string bytes;
  ok(tsc_module_save(module.get(), nullptr, 0, append, &bytes));
  tsc_program *program = nullptr;
  ok(tsc_program_load_bytes(bytes.data(), bytes.size(), "mine.pt", nullptr, nullptr, nullptr, &program));
  ok(tsc_program_attribute(program, "part.0", &read));
  CHECK(elements<float>(Value(read)) == Floats{1, 2});
  tsc_program_free(program);
  failure(tsc_module_new(nullptr, nullptr, nullptr, &made), TSC_INVALID_ARGUMENT);
  failure(tsc_module_new(nullptr, "Mine", nullptr, nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_module_new(leaf(data, {2}).get(), "Mine", nullptr, &made), TSC_INVALID_ARGUMENT);
}

TEST_CASE("values in files of torch.save") {
  float data[] = {1, 2};
  std::string bytes;
  Value tensors = tensor(data, {2});
  ok(tsc_value_save(tensors.get(), append, &bytes));
  tsc_value *read = nullptr;
  ok(tsc_value_load(bytes.data(), bytes.size(), nullptr, nullptr, &read));
  CHECK(elements<float>(Value(read)) == Floats{1, 2});
  failure(tsc_value_load(bytes.data(), bytes.size() / 2, nullptr, nullptr, &read), TSC_DATA_LOSS);
  CHECK(!read);
  failure(tsc_value_load(bytes.data(), bytes.size(), nullptr, nullptr, nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_value_save(nullptr, append, &bytes), TSC_INVALID_ARGUMENT);
  failure(tsc_value_save(tensors.get(), nullptr, nullptr), TSC_INVALID_ARGUMENT);
  tsc_value *module = nullptr;
  ok(tsc_module_new(nullptr, "Mine", nullptr, &module));
  failure(tsc_value_save(Value(module).get(), append, &bytes), TSC_UNIMPLEMENTED);
}
