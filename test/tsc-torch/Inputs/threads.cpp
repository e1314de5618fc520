// Threads of a host's that share modules, tensors, values and functions of LibTorch's, each in the way in which that
// may be shared. It prints what is wrong, and then "done".
#include <atomic>
#include <iostream>
#include <sstream>
#include <thread>
#include <torch/script.h>
#include <torch/torch.h>

static std::atomic<int> wrong{0};
#define CHECK(...)                                                                                                     \
  do {                                                                                                                 \
    if (!(__VA_ARGS__) && ++wrong == 1)                                                                                \
      std::cout << "line " << __LINE__ << ": " #__VA_ARGS__ "\n";                                                      \
  } while (false)

struct Twice : torch::autograd::Function<Twice> {
  static torch::Tensor forward(torch::autograd::AutogradContext *ctx, torch::Tensor x) {
    ctx->saved_data["calls"] = 0;
    ctx->save_for_backward({x});
    return x * 2;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *ctx,
                                                 torch::autograd::variable_list grads) {
    ctx->saved_data["calls"] = ctx->saved_data["calls"].toInt() + 1;
    CHECK(ctx->get_saved_variables().size() == 1);
    return {grads[0] * 2};
  }
};

int main(int, const char *argv[]) {
  torch::jit::Module module = torch::jit::load(argv[1]);
  module.eval();
  const torch::Tensor x = torch::linspace(-1, 1, 20).reshape({5, 4});
  const torch::Tensor expected = module.forward({x}).toTensor();
  torch::Tensor shared = torch::ones({4}).requires_grad_();
  const torch::Tensor common = Twice::apply(shared);
  const c10::IValue list(std::vector<torch::Tensor>{x, expected}), tuple(std::make_tuple(x, 2.5, std::string("text")));
  std::vector<std::thread> threads;
  for (int thread = 0; thread != 4; ++thread)
    threads.emplace_back([&, thread] {
      for (int round = 0; round != 25; ++round) {
        torch::jit::Module copy = module; // the same module
        CHECK(torch::equal(copy.forward({x}).toTensor(), expected));
        CHECK(torch::equal(copy.get_method("readout")({x}).toTensor(), (x * x).sum()));
        const torch::Tensor same = x, part = x[thread];
        CHECK(part.sizes() == c10::IntArrayRef({4}) && same.const_data_ptr<float>() == x.const_data_ptr<float>());
        CHECK(list.toTensorVector().size() == 2 && tuple.toTupleRef().elements()[2].toStringRef() == "text");
        (Twice::apply(shared) * 3).sum().backward(); // both add to the gradient of one leaf
        common.sum().backward({}, /*retain_graph=*/true);
        CHECK(torch::autograd::grad({(common * shared).sum()}, {shared}, {}, true)[0][0].item<float>() == 4);
        std::stringstream file;
        torch::save(std::vector<torch::Tensor>{x, part}, file);
        std::vector<torch::Tensor> read;
        torch::load(read, file);
        CHECK(read.size() == 2 && torch::equal(read[1], part));
        torch::NoGradGuard no_grad;
        CHECK(!Twice::apply(shared).requires_grad());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(shared.grad()[0].item<float>() == 4 * 25 * (6 + 2));
  std::cout << (wrong ? "wrong\n" : "done\n");
  return wrong != 0;
}
