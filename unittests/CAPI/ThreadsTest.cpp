//===- ThreadsTest.cpp - Eight threads on one module ----------------------===//
//
// Modules of several kinds, each loaded twice: one thread calls the first, eight call
// the second from its first call on, so that they compile, specialize and pack
// weights beside each other. All results must be the same bits. Most of the worth of
// it is under the sanitizer of threads.
//
//===----------------------------------------------------------------------===//
#include "Hosts.h"
#include <atomic>
#include <cstring>
#include <thread>

using namespace host;

namespace {

constexpr int numThreads = 8, numRounds = 3, numShapes = 3;
constexpr int64_t width = 8;

/// Rows that are a thread's own in each round, so that threads meet new shapes at different times.
int64_t rowsOf(int thread, int round) { return 1 + (thread + round) % numShapes; }

/// Calls the module's forward and gives the bytes of its result, or an error's message.
std::string callWith(tsc_program *program, int64_t rows) {
  std::vector<float> data(static_cast<size_t>(rows * width));
  for (size_t i = 0; i != data.size(); ++i)
    data[i] = static_cast<float>(static_cast<int>(i % 13) - 6) * 0.25f;
  const int64_t sizes[] = {rows, width};
  tsc_tensor input = {sizeof input, data.data(), sizes, nullptr, 2, TSC_FLOAT32, 0};
  tsc_entry *entry = nullptr;
  tsc_context *call = nullptr;
  tsc_value *argument = nullptr, *result = nullptr;
  std::string bytes;
  tsc_error *error = tsc_program_find(program, nullptr, &entry);
  if (!error)
    error = tsc_context_new(program, &call);
  if (!error)
    error = tsc_value_new_tensor(&input, nullptr, nullptr, &argument);
  if (!error)
    error = tsc_entry_run(entry, call, &argument, 1, &result);
  tsc_tensor found{};
  found.struct_size = sizeof found;
  if (!error)
    error = tsc_tensor_get(result, &found);
  if (!error) {
    int64_t count = 1;
    for (int i = 0; i != found.rank; ++i)
      count *= found.sizes[i];
    std::vector<float> elements(static_cast<size_t>(count));
    tsc_tensor destination = {sizeof destination, elements.data(), found.sizes, nullptr, found.rank, TSC_FLOAT32, 0};
    error = tsc_tensor_copy_to(result, &destination);
    bytes.assign(reinterpret_cast<const char *>(elements.data()), elements.size() * sizeof(float));
  }
  if (error)
    bytes = tsc_error_message(error);
  tsc_error_free(error);
  tsc_value_free(result);
  tsc_value_free(argument);
  tsc_context_free(call);
  tsc_entry_free(entry);
  return bytes;
}

void checkModule(const std::string &source, int threadsOfCalls) {
  Handle<tsc_options> chosen = options();
  ok(tsc_options_set_threads(chosen.get(), threadsOfCalls));
  const std::string text = "import torch\nfrom torch import nn, Tensor\nfrom typing import Dict, List\n"
                           "torch.manual_seed(0)\n" +
                           source + "model = Net()\n";
  Program alone = load(text, "net.py", chosen.get()), shared = load(text, "net.py", chosen.get());
  std::vector<std::string> expected(numShapes + 1);
  for (int64_t rows = 1; rows <= numShapes; ++rows) {
    expected[rows] = callWith(alone.get(), rows);
    INFO(expected[rows]);
    REQUIRE(expected[rows].size() % sizeof(float) == 0);
    REQUIRE(expected[rows].find("rror") == std::string::npos);
  }
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread != numThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (int round = 0; round != numRounds * numShapes; ++round) {
        const int64_t rows = rowsOf(thread, round);
        wrong += callWith(shared.get(), rows) != expected[rows];
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
  ok(tsc_program_finish_compiling(shared.get()));
  CHECK(callWith(shared.get(), 1) == expected[1]);
}

} // namespace

TEST_CASE("eight threads call one module: recurrent layers") {
  checkModule("class Net(nn.Module):\n"
              "    def __init__(self):\n"
              "        super().__init__()\n"
              "        self.lstm = nn.LSTM(8, 6, 2, batch_first=True)\n"
              "        self.gru = nn.GRU(6, 5, bidirectional=True)\n"
              "    def forward(self, x: Tensor) -> Tensor:\n"
              "        y, state = self.lstm(x.unsqueeze(1))\n"
              "        return self.gru(y)[0]\n",
              1);
}

TEST_CASE("eight threads call one module: convolutions") {
  checkModule("class Net(nn.Module):\n"
              "    def __init__(self):\n"
              "        super().__init__()\n"
              "        self.body = nn.Sequential(nn.Conv1d(1, 16, 3, padding=1), nn.BatchNorm1d(16), nn.ReLU(), "
              "nn.Conv1d(16, 4, 3))\n"
              "        self.head = nn.Linear(24, 3)\n"
              "        self.eval()\n"
              "    def forward(self, x: Tensor) -> Tensor:\n"
              "        return torch.softmax(self.head(self.body(x.unsqueeze(1)).flatten(1)), 1)\n",
              1);
}

// Weights are packed, and products planned, for the first call of each size.
TEST_CASE("eight threads call one module: quantized weights") {
  checkModule("class Net(nn.Module):\n"
              "    def __init__(self):\n"
              "        super().__init__()\n"
              "        q = torch.quantize_per_tensor(torch.randn(8, 8), 0.02, 0, torch.qint8)\n"
              "        self.weight = torch.ops.quantized.linear_prepack(q, torch.randn(8))\n"
              "        self.half = torch.ops.quantized.linear_prepack_fp16(torch.randn(5, 8), None)\n"
              "    def forward(self, x: Tensor) -> Tensor:\n"
              "        y = torch.ops.quantized.linear_dynamic(x, self.weight, True)\n"
              "        q = torch.quantize_per_tensor(y, 0.05, 128, torch.quint8)\n"
              "        z = torch.dequantize(torch.ops.quantized.linear_relu(q, self.weight, 0.1, 3))\n"
              "        return torch.ops.quantized.linear_dynamic_fp16(z, self.half)\n",
              1);
}

static const char *const forks = "def part(x: Tensor, k: int) -> Tensor:\n"
                                 "    for i in range(k):\n"
                                 "        x = torch.tanh(x * 1.5 + i)\n"
                                 "    return x\n"
                                 "class Net(nn.Module):\n"
                                 "    def __init__(self):\n"
                                 "        super().__init__()\n"
                                 "        self.a = nn.Linear(8, 8)\n"
                                 "    def forward(self, x: Tensor) -> Tensor:\n"
                                 "        first = torch.jit.fork(part, self.a(x), 3)\n"
                                 "        second = torch.jit.fork(part, x, 2)\n"
                                 "        return torch.jit.wait(first) + torch.jit.wait(second).sum(0)\n";

TEST_CASE("eight threads call one module: tasks within a call") {
  checkModule(forks, 1);
  checkModule(forks, 2);
}

TEST_CASE("eight threads call one module: gradients, dictionaries and exceptions") {
  checkModule("class Net(nn.Module):\n"
              "    def __init__(self):\n"
              "        super().__init__()\n"
              "        self.a = nn.Linear(8, 4)\n"
              "    def forward(self, x: Tensor) -> Tensor:\n"
              "        y = x.clone().requires_grad_()\n"
              "        found: Dict[str, List[Tensor]] = {}\n"
              "        for i in range(3):\n"
              "            found[str(i)] = [torch.sigmoid(self.a(y)) * i]\n"
              "        total = torch.zeros([1])\n"
              "        for k, v in found.items():\n"
              "            total = total + v[0].pow(2).sum() * len(k)\n"
              "        g = torch.autograd.grad([total.sum()], [y])[0]\n"
              "        assert g is not None\n"
              "        return g\n",
              1);
}
