//===- ForksTest.cpp - Programs that share weights ------------------------===//
#include "Hosts.h"
#include "tsc/Engine/Program.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Serialization/Zip.h"
#include <thread>

using namespace host;

namespace {

/// A module that keeps state in all the ways there are: a buffer written in place, numbers and lists.
constexpr const char *source = R"(
import torch
from torch import nn, Tensor
from typing import List, Tuple

class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0

    def forward(self, x: Tensor) -> Tensor:
        self.steps += 1
        return x * self.steps

class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.full([4], 2.0))
        self.register_buffer("sum", torch.zeros(4))
        self.seen: List[int] = []
        self.inner = Inner()

    def forward(self, x: Tensor) -> Tensor:
        self.sum.add_(x)
        self.seen.append(len(self.seen))
        return self.inner(x * self.weight) + self.sum + len(self.seen)

    def slope(self, x: Tensor) -> Tensor:
        return x * x * self.sum * self.weight

model = Counter()
)";

std::string archive() { return savedModel(source, {"model.slope"}); }

Program fork(const Program &program) {
  tsc_program *made = nullptr;
  ok(tsc_program_fork(program.get(), &made));
  return Program(made);
}

std::vector<float> call(const Program &program, float number) {
  std::vector<float> data(4, number);
  return elements<float>(run(program, "forward", list(tensor(data.data(), {4}))));
}

Value attribute(const Program &program, const char *path) {
  tsc_value *value = nullptr;
  ok(tsc_program_attribute(program.get(), path, &value));
  return Value(value);
}

const void *memoryOf(const Value &value) {
  tsc_tensor found{};
  found.struct_size = sizeof found;
  ok(tsc_tensor_get(value.get(), &found));
  return found.data;
}

std::vector<float> all(float number) { return std::vector<float>(4, number); }

} // namespace

TEST_CASE("a fork has the parameters of its program, and state of its own") {
  Program program = load(archive(), "counter.pt");
  CHECK(call(program, 1) == all(1 * 2 * 1 + 1 + 1));
  Program other = fork(program);
  CHECK(memoryOf(attribute(program, "weight")) == memoryOf(attribute(other, "weight")));
  CHECK(memoryOf(attribute(program, "sum")) != memoryOf(attribute(other, "sum")));
  // Both go on from where the program was, also when their code is there.
  for (int i = 2; i != 12; ++i) {
    const float n = static_cast<float>(i);
    CHECK(call(program, 1) == all(1 * 2 * n + n + n));
    CHECK(call(other, 3) == all(3 * 2 * n + (1 + 3 * (n - 1)) + n));
    ok(tsc_program_finish_compiling(program.get()));
  }
  CHECK(elements<float>(attribute(program, "sum")) == all(11));
  CHECK(elements<float>(attribute(other, "sum")) == all(1 + 3 * 10));
  CHECK(print(attribute(other, "inner.steps")) == "11");
}

TEST_CASE("attributes of a fork are set without its program's, and weights that are written are everybody's") {
  Program program = load(archive(), "counter.pt"), other = fork(program), third = fork(other);
  std::vector<float> tens(4, 10), ones(4, 1);
  ok(tsc_program_set_attribute(other.get(), "sum", tensor(tens.data(), {4}).get()));
  CHECK(call(other, 1) == all(2 + 11 + 1));
  CHECK(call(program, 1) == all(2 + 1 + 1));
  const std::vector<int64_t> sizes{4};
  tsc_tensor described = describe(ones.data(), sizes);
  ok(tsc_tensor_copy_from(attribute(third, "weight").get(), &described));
  CHECK(call(program, 1) == all(1 * 2 + 2 + 2));
}

TEST_CASE("contexts and objects of a program go with its forks, and outlive it") {
  Program program = load(archive(), "counter.pt"), other = fork(program);
  Call context = host::context(program);
  Entry entry = find(other);
  Value module = attribute(program, "");
  program.reset();
  other.reset();
  std::vector<float> data(4, 1);
  std::vector<Value> args = list(tensor(data.data(), {4}));
  tsc_value *result = nullptr;
  ok(tsc_entry_run(entry.get(), context.get(), pointers(args).data(), 1, &result));
  CHECK(elements<float>(Value(result)) == all(4));
}

TEST_CASE("gradients of a fork are those of its state") {
  Program program = load(archive(), "counter.pt"), other = fork(program);
  (void)call(other, 5); // sum: 5
  const uint32_t first[] = {0};
  for (const auto &[which, sum] : {std::pair{&program, 0.0f}, std::pair{&other, 5.0f}}) {
    Entry entry = find(*which, "slope");
    tsc_entry *made = nullptr;
    ok(tsc_program_differentiate(which->get(), entry.get(), first, 1, &made));
    Entry gradients(made);
    Call context = host::context(*which);
    std::vector<float> data(4, 3);
    std::vector<Value> args = list(tensor(data.data(), {4}));
    tsc_value *result = nullptr, *gradient = nullptr;
    ok(tsc_entry_run(gradients.get(), context.get(), pointers(args).data(), 1, &result));
    Value results(result);
    ok(tsc_value_element(result, 0, &gradient));
    CHECK(elements<float>(Value(gradient)) == all(2 * 3 * sum * 2));
  }
}

TEST_CASE("a frozen program is forked, and a fork is not frozen") {
  Program program = load(archive(), "counter.pt"), before = fork(program);
  const char *methods[] = {"forward"};
  CHECK_THAT(failure(tsc_program_freeze(before.get(), methods, 1), TSC_INVALID_ARGUMENT), Catch::Contains("fork"));
  ok(tsc_program_freeze(program.get(), methods, 1));
  Program after = fork(program);
  for (int i = 1; i != 8; ++i) {
    const float n = static_cast<float>(i);
    for (const Program *which : {&program, &before, &after})
      CHECK(call(*which, 1) == all(2 * n + n + n));
    ok(tsc_program_finish_compiling(program.get()));
  }
  // What was forked before has its own state and all its methods.
  Entry entry = find(before, "slope");
  const uint32_t first[] = {0};
  tsc_entry *gradients = nullptr;
  ok(tsc_program_differentiate(before.get(), entry.get(), first, 1, &gradients));
  CHECK(Entry(gradients) != nullptr);
}

TEST_CASE("a file that makes its modules is not forked") {
  Program program = load("import torch\nfrom torch import nn\n\nclass Net(nn.Module):\n"
                         "    def forward(self, x: torch.Tensor) -> torch.Tensor:\n        return x\n\nmodel = Net()\n",
                         "net.py");
  tsc_program *made = nullptr;
  CHECK_THAT(failure(tsc_program_fork(program.get(), &made), TSC_UNIMPLEMENTED), Catch::Contains("archive"));
}

TEST_CASE("a program of functions is forked") {
  Program program = load("def f(x: int) -> int:\n    return x + 1\n", "f.py"), other = fork(program);
  program.reset();
  CHECK(print(run(other, "f", list(Value(tsc_value_new_int(2))))) == "3");
  tsc_program *made = nullptr;
  (void)failure(tsc_program_fork(nullptr, &made), TSC_INVALID_ARGUMENT);
  (void)failure(tsc_program_fork(other.get(), nullptr), TSC_INVALID_ARGUMENT);
}

TEST_CASE("eight forks run beside each other") {
  Program program = load(archive(), "counter.pt");
  std::vector<Program> forks;
  for (int i = 0; i != 8; ++i)
    forks.push_back(fork(program));
  std::vector<float> last(8);
  std::vector<std::thread> threads;
  for (size_t t = 0; t != forks.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i != 20; ++i) {
        float data[4] = {1, 1, 1, 1}, output[4] = {};
        const int64_t sizes[] = {4};
        tsc_tensor input = {sizeof input, data, sizes, nullptr, 1, TSC_FLOAT32, 0};
        tsc_tensor destination = {sizeof destination, output, sizes, nullptr, 1, TSC_FLOAT32, 0};
        tsc_entry *entry = nullptr;
        tsc_context *context = nullptr;
        tsc_value *argument = nullptr, *result = nullptr;
        tsc_error *error = tsc_program_find(forks[t].get(), nullptr, &entry);
        if (!error)
          error = tsc_context_new(forks[t].get(), &context);
        if (!error)
          error = tsc_value_new_tensor(&input, nullptr, nullptr, &argument);
        if (!error)
          error = tsc_entry_run(entry, context, &argument, 1, &result);
        if (!error)
          error = tsc_tensor_copy_to(result, &destination);
        last[t] = error ? -1 : output[0];
        tsc_error_free(error);
        tsc_value_free(result);
        tsc_value_free(argument);
        tsc_context_free(context);
        tsc_entry_free(entry);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(last == std::vector<float>(8, 2 * 20 + 20 + 20));
}
