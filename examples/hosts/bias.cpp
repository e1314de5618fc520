// Collective variables: each output has a gradient of its own, and the graph is kept for the next.
#include <iostream>
#include <torch/script.h>
#include <torch/torch.h>

static std::vector<float> toVector(const torch::Tensor &x) {
  return std::vector<float>(x.data_ptr<float>(), x.data_ptr<float>() + x.numel());
}

int main(int, const char *argv[]) {
  torch::jit::script::Module model;
  try {
    model = torch::jit::load(argv[1]);
    model.eval();
#if TORCH_VERSION_MAJOR >= 2 || TORCH_VERSION_MINOR >= 11
    model = torch::jit::freeze(model);
    model = torch::jit::optimize_for_inference(model);
#endif
  } catch (const c10::Error &error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  std::vector<float> arguments = {0.5f, -0.25f, 1.0f, 2.0f};
  torch::Tensor input = torch::tensor(arguments).view({1, 4});
  input.set_requires_grad(true);
  torch::Tensor output = model.forward({input}).toTensor();
  for (float value : toVector(output))
    std::cout << value << "\n";
  for (int j = 0; j < 3; ++j) {
    auto weight = torch::ones({1}).expand({1, 1});
    auto gradient = torch::autograd::grad({output.slice(/*dim=*/1, /*start=*/j, /*end=*/j + 1)}, {input},
                                          /*grad_outputs=*/{weight}, /*retain_graph=*/true, /*create_graph=*/false);
    for (float value : toVector(gradient[0].unsqueeze(1)))
      std::cout << value << " ";
    std::cout << "\n";
  }
  torch::Tensor unused = torch::ones({1}).requires_grad_(true);
  auto none = torch::autograd::grad({output.sum()}, {unused}, {}, c10::nullopt, false, /*allow_unused=*/true);
  std::cout << none[0].defined() << "\n";
  return 0;
}
