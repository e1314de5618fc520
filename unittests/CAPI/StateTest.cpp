//===- StateTest.cpp - Programs that write their state, from C ------------===//
#include "Hosts.h"
#include "tsc/Engine/Program.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Serialization/Zip.h"
#include <atomic>
#include <thread>

using namespace host;

namespace {

/// An archive whose module has this body of `forward`, and an attribute `h`, a tensor of four zeros.
std::string archiveOf(const std::string &body) {
  const std::string source = "import torch\n"
                             "from torch import nn, Tensor\n"
                             "class Net(nn.Module):\n"
                             "    def __init__(self):\n"
                             "        super().__init__()\n"
                             "        self.h = torch.zeros(4)\n"
                             "    def forward(self, x: Tensor) -> Tensor:\n" +
                             body + "model = Net()\n";
  return savedModel(source);
}

std::string lineOf(tsc_error *(*ask)(const tsc_program *, int *, tsc_value **), const Program &program, int expected) {
  int writes = -1;
  tsc_value *made = nullptr;
  ok(ask(program.get(), &writes, &made));
  Value first(made);
  CHECK(writes == expected);
  const char *text = nullptr;
  ok(tsc_value_get_string(made, &text, nullptr));
  return text;
}

} // namespace

TEST_CASE("a host asks what calls write") {
  Program state = load(archiveOf("        self.h = self.h + x\n        return self.h * 1\n"), "state.pt");
  CHECK(lineOf(tsc_program_writes_state, state, 1).find("(code/__torch__") != std::string::npos);
  CHECK(lineOf(tsc_program_writes_arguments, state, 0) == "");
  Program argument = load(archiveOf("        return x.add_(self.h)\n"), "argument.pt");
  CHECK(lineOf(tsc_program_writes_state, argument, 0) == "");
  CHECK(lineOf(tsc_program_writes_arguments, argument, 1) != "");
  int writes = -1;
  ok(tsc_program_writes_state(argument.get(), &writes, nullptr));
  CHECK(writes == 0);
  failure(tsc_program_writes_state(argument.get(), nullptr, nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_program_writes_arguments(nullptr, &writes, nullptr), TSC_INVALID_ARGUMENT);
}

TEST_CASE("two threads call a program that writes an attribute") {
  for (const char *body : {"        self.h = self.h + x\n        return self.h * 1\n",
                           "        self.h.resize_(4 + self.h.numel() % 5)\n        return x + self.h.numel()\n"}) {
    Program program = load(archiveOf(body), "state.pt");
    std::atomic<int> done{0}, busy{0}, wrong{0};
    std::vector<std::thread> threads;
    for (int i = 0; i != 3; ++i)
      threads.emplace_back([&, i] {
        tsc_entry *entry = nullptr;
        tsc_context *context = nullptr;
        tsc_value *argument = nullptr;
        float data[4] = {1, 1, 1, 1};
        const int64_t size = 4;
        tsc_tensor ones = {sizeof ones, data, &size, nullptr, 1, TSC_FLOAT32, 0};
        tsc_error_free(tsc_program_find(program.get(), nullptr, &entry));
        tsc_error_free(tsc_context_new(program.get(), &context));
        tsc_error_free(tsc_value_new_tensor(&ones, nullptr, nullptr, &argument));
        for (int call = 0; call != 100; ++call) {
          tsc_value *result = nullptr;
          // The third one looks at the attribute.
          tsc_error *error = i == 2 ? tsc_program_attribute(program.get(), "h", &result)
                                    : tsc_entry_run(entry, context, &argument, 1, &result);
          done += !error;
          busy += error && tsc_error_code(error) == TSC_FAILED_PRECONDITION;
          wrong += error && tsc_error_code(error) != TSC_FAILED_PRECONDITION;
          tsc_error_free(error);
          tsc_value_free(result);
        }
        tsc_value_free(argument);
        tsc_context_free(context);
        tsc_entry_free(entry);
      });
    for (std::thread &thread : threads)
      thread.join();
    CHECK(wrong == 0);
    CHECK(done > 0);
    CHECK(done + busy == 300);
  }
}

TEST_CASE("two threads call a method of a module within a module that writes") {
  const std::string source = "import torch\n"
                             "from torch import nn, Tensor\n"
                             "class Sub(nn.Module):\n"
                             "    def __init__(self):\n"
                             "        super().__init__()\n"
                             "        self.h = torch.zeros(4)\n"
                             "    def forward(self, x: Tensor) -> Tensor:\n"
                             "        self.h = self.h + x\n"
                             "        return self.h * 1\n"
                             "class Net(nn.Module):\n"
                             "    def __init__(self):\n"
                             "        super().__init__()\n"
                             "        self.sub = Sub()\n"
                             "    def forward(self, x: Tensor) -> Tensor:\n"
                             "        return x * 2 + self.sub.h.sum() * 0\n"
                             "    def add(self, x: Tensor) -> Tensor:\n"
                             "        return self.sub(x)\n"
                             "model = Net()\n";
  Program program = load(savedModel(source, {"add"}), "net.pt");
  Entry whole = find(program);
  tsc_value *found = nullptr;
  ok(tsc_program_attribute(program.get(), "sub", &found));
  Value sub(found);
  tsc_entry *entry = nullptr;
  ok(tsc_module_find(sub.get(), nullptr, &entry));
  Entry forward(entry);
  std::atomic<int> done{0}, busy{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i != 3; ++i)
    threads.emplace_back([&, i] {
      float ones[] = {1, 1, 1, 1};
      const int64_t sizes[] = {4};
      tsc_tensor described{sizeof(tsc_tensor), ones, sizes, nullptr, 1, TSC_FLOAT32, 0};
      tsc_value *x = nullptr;
      wrong += tsc_value_new_tensor(&described, nullptr, nullptr, &x) != nullptr;
      for (int j = 0; j != 200; ++j) {
        tsc_value *y = nullptr;
        const tsc_entry *called = i == 2 ? whole.get() : forward.get();
        tsc_error *error = tsc_entry_call(called, &x, 1, nullptr, nullptr, 0, &y);
        if (!error)
          done += i != 2;
        else
          (tsc_error_code(error) == TSC_FAILED_PRECONDITION ? busy : wrong) += 1;
        tsc_error_free(error);
        tsc_value_free(y);
      }
      tsc_value_free(x);
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
  CHECK(done > 0);
  ok(tsc_module_attribute(sub.get(), "h", &found));
  CHECK(elements<float>(Value(found))[0] == static_cast<float>(done));
}
