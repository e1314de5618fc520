//===- GradientsTest.cpp - Gradients of what a host computes, from C ------===//
#include "Hosts.h"
#include <atomic>
#include <thread>

using namespace host;

static const char network[] = "import torch\n"
                              "from torch import nn, Tensor\n"
                              "class Net(nn.Module):\n"
                              "    def __init__(self):\n"
                              "        super().__init__()\n"
                              "        self.w = nn.Parameter(torch.tensor([2.0, 3.0]))\n"
                              "    def forward(self, x: Tensor) -> Tensor:\n"
                              "        return x * x * self.w\n"
                              "model = Net()\n";
static const char square[] = "import torch\n"
                             "from torch import nn, Tensor\n"
                             "class Net(nn.Module):\n"
                             "    def forward(self, x: Tensor) -> Tensor:\n"
                             "        return x * x\n"
                             "model = Net()\n";

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
static Value callEntry(const Entry &entry, const std::vector<Value> &args) {
  tsc_value *result = nullptr;
  ok(tsc_entry_call(entry.get(), pointers(args).data(), args.size(), nullptr, nullptr, 0, &result));
  return Value(result);
}
static void backward(const Value &output, uint32_t flags = 0) {
  tsc_value *outputs[] = {output.get()};
  ok(tsc_backward(outputs, 1, nullptr, nullptr, 0, flags));
}
static Value gradientOf(const Value &output, const Value &input, uint32_t flags = 0) {
  tsc_value *outputs[] = {output.get()}, *inputs[] = {input.get()}, *gradient = nullptr;
  ok(tsc_gradients(outputs, 1, nullptr, inputs, 1, flags, &gradient));
  return Value(gradient);
}
static Value grad(const Value &value) {
  tsc_value *found = nullptr;
  ok(tsc_tensor_grad(value.get(), &found));
  return Value(found);
}
static uint32_t flagsOf(const Value &value) {
  tsc_tensor_info info{};
  info.struct_size = sizeof info;
  ok(tsc_tensor_inspect(value.get(), &info));
  return info.flags & ~uint32_t(TSC_IS_CONTIGUOUS);
}
static std::string gradFn(const Value &value) {
  tsc_value *name = nullptr;
  ok(tsc_tensor_grad_fn(value.get(), &name));
  return print(Value(name));
}
using Floats = std::vector<float>;

TEST_CASE("gradients of a host's arithmetic") {
  float data[] = {1, 2};
  Value x = leaf(data, {2});
  CHECK(flagsOf(x) == (TSC_REQUIRES_GRAD | TSC_IS_LEAF));
  CHECK(gradFn(x) == "None");
  Value y = call("aten::mul", list(again(x), again(x)));
  CHECK(flagsOf(y) == (TSC_REQUIRES_GRAD | TSC_HAS_GRAD_FN));
  CHECK(gradFn(y) == "'MulBackward0'");
  Value loss = call("aten::sum", list(again(y)));
  CHECK(tsc_value_kind(grad(x).get()) == TSC_KIND_NONE);
  backward(loss, TSC_RETAIN_GRAPH);
  CHECK(elements<float>(grad(x)) == Floats{2, 4});
  backward(loss);
  CHECK(elements<float>(grad(x)) == Floats{4, 8});
  CHECK((flagsOf(x) & TSC_HAS_GRAD));
  tsc_value *outputs[] = {loss.get()};
  CHECK(failure(tsc_backward(outputs, 1, nullptr, nullptr, 0, 0), TSC_INVALID_ARGUMENT).find("second time") !=
        std::string::npos);
  ok(tsc_tensor_set_grad(x.get(), nullptr));
  CHECK(tsc_value_kind(grad(x).get()) == TSC_KIND_NONE);
  float one[] = {7, 7};
  ok(tsc_tensor_set_grad(x.get(), tensor(one, {2}).get()));
  CHECK(elements<float>(grad(x)) == Floats{7, 7});
  failure(tsc_tensor_set_grad(x.get(), tensor(one, {1}).get()), TSC_INVALID_ARGUMENT);
  failure(tsc_tensor_set_grad(x.get(), x.get()), TSC_INVALID_ARGUMENT);
  failure(tsc_tensor_set_requires_grad(y.get(), 0), TSC_INVALID_ARGUMENT);
  tsc_value *detached = nullptr;
  ok(tsc_tensor_detach(y.get(), &detached));
  CHECK(flagsOf(Value(detached)) == TSC_IS_LEAF);
}

TEST_CASE("weights, inputs, unused inputs, and gradients of gradients") {
  float a[] = {1, 2}, b[] = {5}, w[] = {10, 100};
  Value x = leaf(a, {2}), unused = leaf(b, {1}), weight = tensor(w, {2});
  Value y = call("aten::pow", list(again(x), Value(tsc_value_new_int(3))));
  tsc_value *outputs[] = {y.get()}, *weights[] = {weight.get()}, *inputs[] = {x.get(), unused.get()};
  tsc_value *found[2] = {};
  CHECK(failure(tsc_gradients(outputs, 1, weights, inputs, 2, TSC_RETAIN_GRAPH, found), TSC_INVALID_ARGUMENT)
            .find("not have been used") != std::string::npos);
  CHECK(!found[0]);
  ok(tsc_gradients(outputs, 1, weights, inputs, 2, TSC_RETAIN_GRAPH | TSC_ALLOW_UNUSED, found));
  CHECK(elements<float>(Value(found[0])) == Floats{30, 1200});
  CHECK(tsc_value_kind(Value(found[1]).get()) == TSC_KIND_NONE);
  CHECK(tsc_value_kind(grad(x).get()) == TSC_KIND_NONE);
  failure(tsc_gradients(outputs, 1, nullptr, inputs, 1, 0, found), TSC_INVALID_ARGUMENT); // not a scalar
  tsc_value *noWeight[] = {nullptr};
  failure(tsc_gradients(outputs, 1, noWeight, inputs, 1, 0, found), TSC_INVALID_ARGUMENT);

  Value sum = call("aten::sum", list(again(y)));
  Value first = gradientOf(sum, x, TSC_CREATE_GRAPH); // 3 x^2
  Value second = gradientOf(call("aten::sum", list(again(first))), x);
  CHECK(elements<float>(second) == Floats{6, 12});

  Value twice = call("aten::sum", list(call("aten::mul", list(again(x), again(unused)))));
  tsc_value *of[] = {twice.get()};
  ok(tsc_backward(of, 1, nullptr, inputs, 1, 0));
  CHECK(elements<float>(grad(x)) == Floats{5, 5});
  CHECK(tsc_value_kind(grad(unused).get()) == TSC_KIND_NONE);

  failure(tsc_gradients(outputs, 1, weights, inputs, 0, 0, found), TSC_INVALID_ARGUMENT);
  failure(tsc_gradients(outputs, 1, weights, inputs, 1, 64, found), TSC_INVALID_ARGUMENT);
  failure(tsc_gradients(nullptr, 1, weights, inputs, 1, 0, found), TSC_INVALID_ARGUMENT);
  failure(tsc_gradients(outputs, 1, weights, inputs, 1, 0, nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_backward(weights, 1, nullptr, nullptr, 0, 0), TSC_INVALID_ARGUMENT); // requires none
  failure(tsc_backward(nullptr, 1, nullptr, nullptr, 0, 0), TSC_INVALID_ARGUMENT);
}

TEST_CASE("a history reaches over calls of two programs, and outlives them") {
  float data[] = {1, 2};
  Value x = leaf(data, {2}), loss;
  for (bool freezes : {false, true}) {
    Program first = load(savedModel(network), "first.pt"), second = load(savedModel(square), "second.pt");
    if (freezes) {
      const char *methods[] = {"forward"};
      ok(tsc_program_freeze(first.get(), methods, 1));
      ok(tsc_program_freeze(second.get(), methods, 1));
    }
    Entry f = find(first), g = find(second);
    for (int i = 0; i != 4; ++i) {                                                         // plans are made meanwhile
      Value hidden = callEntry(f, list(again(x)));                                         // w x^2
      Value scaled = call("aten::mul", list(again(hidden), Value(tsc_value_new_int(10)))); // 10 w x^2
      loss = call("aten::sum", list(callEntry(g, list(again(scaled)))));                   // 100 w^2 x^4
      ok(tsc_program_finish_compiling(first.get()));
      ok(tsc_program_finish_compiling(second.get()));
      CHECK(elements<float>(gradientOf(loss, x, TSC_RETAIN_GRAPH)) == Floats{1600, 28800});
    }
    f.reset();
    g.reset();
    first.reset();
    second.reset();
    backward(loss);
    CHECK(elements<float>(grad(x)) == Floats{1600, 28800});
    ok(tsc_tensor_set_grad(x.get(), nullptr));
  }
}

TEST_CASE("parameters are leaves that get gradients, and training changes them") {
  Program program = load(savedModel(network), "net.pt");
  Entry forward = find(program);
  float data[] = {1, 2};
  Value x = tensor(data, {2});
  tsc_value *found = nullptr;
  ok(tsc_program_attribute(program.get(), "w", &found));
  Value w(found);
  CHECK((flagsOf(w) & TSC_IS_LEAF));
  backward(call("aten::sum", list(callEntry(forward, list(again(x))))));
  CHECK(elements<float>(grad(w)) == Floats{1, 4});
  tsc_grad_mode before = tsc_set_grad_mode(TSC_GRAD_OFF);
  CHECK(before == TSC_GRAD_ON);
  call("aten::sub_", list(again(w), grad(w)));
  CHECK(flagsOf(callEntry(forward, list(again(x)))) == TSC_IS_LEAF);
  tsc_set_grad_mode(before);
  CHECK(elements<float>(callEntry(forward, list(again(x)))) == Floats{1, -4});
  // Without the parameter's gradient, nothing is recorded.
  ok(tsc_tensor_set_requires_grad(w.get(), 0));
  CHECK(flagsOf(callEntry(forward, list(again(x)))) == TSC_IS_LEAF);
}

TEST_CASE("grad mode is the thread's") {
  CHECK(tsc_get_grad_mode() == TSC_GRAD_ON);
  CHECK(tsc_set_grad_mode(TSC_GRAD_INFERENCE) == TSC_GRAD_ON);
  std::thread([] { CHECK(tsc_get_grad_mode() == TSC_GRAD_ON); }).join();
  float data[] = {1};
  Value x = leaf(data, {1});
  CHECK(flagsOf(call("aten::exp", list(again(x)))) == TSC_IS_LEAF);
  CHECK(tsc_set_grad_mode(static_cast<tsc_grad_mode>(9)) == TSC_GRAD_INVALID);
  CHECK(tsc_set_grad_mode(TSC_GRAD_ON) == TSC_GRAD_INFERENCE);
}

TEST_CASE("a context records calls where it is told so, and what is not recorded refuses gradients") {
  Program program = load(savedModel(network), "net.pt");
  Entry forward = find(program);
  Call context = host::context(program);
  float data[] = {1, 2};
  std::vector<Value> args = list(leaf(data, {2}));
  tsc_value *result = nullptr;
  ok(tsc_entry_run(forward.get(), context.get(), pointers(args).data(), 1, &result));
  Value plain(result);
  CHECK(flagsOf(plain) == (TSC_REQUIRES_GRAD | TSC_HAS_GRAD_FN));
  CHECK(gradFn(plain) == "''");
  Value loss = call("aten::sum", list(again(plain)));
  tsc_value *outputs[] = {loss.get()};
  CHECK(failure(tsc_backward(outputs, 1, nullptr, nullptr, 0, 0), TSC_UNIMPLEMENTED).find("not recorded") !=
        std::string::npos);
  outputs[0] = plain.get();
  failure(tsc_backward(outputs, 1, nullptr, nullptr, 0, 0), TSC_INVALID_ARGUMENT);

  // What the host marks as a leaf is one, wherever it comes from.
  tsc_set_grad_mode(TSC_GRAD_OFF);
  Value made = callEntry(forward, list(tensor(data, {2})));
  tsc_set_grad_mode(TSC_GRAD_ON);
  call("aten::requires_grad_", list(again(made)));
  CHECK(flagsOf(made) == (TSC_REQUIRES_GRAD | TSC_IS_LEAF));
  backward(call("aten::sum", list(again(made))));
  CHECK(elements<float>(grad(made)) == Floats{1, 1});

  ok(tsc_context_set_recording(context.get(), 1));
  ok(tsc_entry_run(forward.get(), context.get(), pointers(args).data(), 1, &result));
  Value recorded(result);
  backward(call("aten::sum", list(again(recorded))));
  CHECK(elements<float>(grad(args[0])) == Floats{4, 12});
  failure(tsc_context_set_recording(nullptr, 1), TSC_INVALID_ARGUMENT);
}

TEST_CASE("a program that differentiates itself, in calls that are recorded and not") {
  Program program = load(savedModel("import torch\n"
                                    "from typing import List, Optional, Tuple\n"
                                    "from torch import nn, Tensor\n"
                                    "class Net(nn.Module):\n"
                                    "    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:\n"
                                    "        x = x.detach().requires_grad_(True)\n"
                                    "        energy = (x * x * x).sum()\n"
                                    "        out: List[Optional[Tensor]] = [torch.ones_like(energy)]\n"
                                    "        force = torch.autograd.grad([energy], [x], out)[0]\n"
                                    "        assert force is not None\n"
                                    "        return energy, -force\n"
                                    "model = Net()\n"),
                         "forces.pt");
  float data[] = {1, 2};
  Value kept;
  Entry forward = find(program);
  for (int i = 0; i != 5; ++i) {
    Value both = callEntry(forward, list(tensor(data, {2})));
    CHECK(elements<float>(element(both, 1)) == Floats{-3, -12});
    kept = element(both, 0);
    CHECK(elements<float>(kept) == Floats{9});
    ok(tsc_program_finish_compiling(program.get()));
    Value x = leaf(data, {2});
    both = callEntry(forward, list(again(x)));
    CHECK(elements<float>(element(both, 1)) == Floats{-3, -12});
  }
  forward.reset();
  program.reset();
  // Its own gradients were no host's business.
  Value more = call("aten::mul", list(again(kept), again(kept)));
  CHECK(elements<float>(more) == Floats{81});
  tsc_value *outputs[] = {more.get()};
  failure(tsc_backward(outputs, 1, nullptr, nullptr, 0, 0), TSC_UNIMPLEMENTED);
}

TEST_CASE("gradients of tensors that are no leaves") {
  float data[] = {3};
  Value x = leaf(data, {1});
  Value y = call("aten::mul", list(again(x), Value(tsc_value_new_int(2))));
  ok(tsc_tensor_retain_grad(y.get()));
  CHECK((flagsOf(y) & TSC_RETAINS_GRAD));
  backward(call("aten::sum", list(call("aten::mul", list(again(y), again(y))))));
  CHECK(elements<float>(grad(y)) == Floats{12});
  CHECK(elements<float>(grad(x)) == Floats{24});
  failure(tsc_tensor_retain_grad(tensor(data, {1}).get()), TSC_INVALID_ARGUMENT);
  int64_t whole[] = {1};
  failure(tsc_tensor_set_requires_grad(tensor(whole, {1}).get(), 1), TSC_INVALID_ARGUMENT);
  failure(tsc_tensor_set_requires_grad(nullptr, 1), TSC_INVALID_ARGUMENT);
  tsc_value *out = nullptr;
  failure(tsc_tensor_grad(nullptr, &out), TSC_INVALID_ARGUMENT);
  failure(tsc_tensor_grad(x.get(), nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_tensor_detach(Value(tsc_value_new_int(1)).get(), &out), TSC_INVALID_ARGUMENT);
  failure(tsc_tensor_set_grad(nullptr, nullptr), TSC_INVALID_ARGUMENT);
}

TEST_CASE("methods of modules within a module are recorded") {
  Program program = load(savedModel(std::string(network) + "class Outer(nn.Module):\n"
                                                           "    def __init__(self):\n"
                                                           "        super().__init__()\n"
                                                           "        self.net = Net()\n"
                                                           "    def forward(self, x: Tensor) -> Tensor:\n"
                                                           "        return self.net(x)\n"
                                                           "model = Outer()\n"),
                         "outer.pt");
  tsc_value *found = nullptr;
  tsc_entry *entry = nullptr;
  ok(tsc_program_attribute(program.get(), "net", &found));
  Value net(found);
  ok(tsc_module_find(net.get(), nullptr, &entry));
  Entry forward(entry);
  float data[] = {1, 2};
  std::vector<Value> args = list(leaf(data, {2}));
  Value y = callEntry(forward, args);
  CHECK(elements<float>(gradientOf(call("aten::sum", list(again(y))), args[0])) == Floats{4, 12});
}

TEST_CASE("many threads add gradients to the same leaves") {
  Program program = load(savedModel(network), "net.pt");
  tsc_value *found = nullptr;
  ok(tsc_program_attribute(program.get(), "w", &found));
  Value w(found);
  Entry forward = find(program);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i)
    threads.emplace_back([&] {
      float data[] = {1, 2};
      const int64_t sizes[] = {2};
      tsc_tensor described{sizeof(tsc_tensor), data, sizes, nullptr, 1, TSC_FLOAT32, 0};
      tsc_value *x = nullptr;
      failures += tsc_value_new_tensor(&described, nullptr, nullptr, &x) != nullptr;
      for (int j = 0; j != 20; ++j) {
        tsc_value *y = nullptr, *loss = nullptr;
        failures += tsc_entry_call(forward.get(), &x, 1, nullptr, nullptr, 0, &y) != nullptr;
        failures += tsc_call("aten::sum", &y, 1, nullptr, nullptr, 0, &loss) != nullptr;
        failures += tsc_backward(&loss, 1, nullptr, nullptr, 0, 0) != nullptr;
        tsc_value_free(y);
        tsc_value_free(loss);
      }
      tsc_value_free(x);
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(failures == 0);
  CHECK(elements<float>(grad(w)) == Floats{80, 320});
}
