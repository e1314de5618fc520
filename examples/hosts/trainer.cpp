// Training in the host: parameters, a loss, steps, and an archive of the result.
#include <iostream>
#include <sstream>
#include <torch/script.h>
#include <torch/torch.h>

int main(int, const char *argv[]) {
  torch::jit::Module model = torch::jit::load(argv[1]);
  model.train();
  std::vector<at::Tensor> parameters;
  for (const auto &parameter : model.named_parameters()) {
    std::cout << parameter.name << " " << parameter.value.sizes() << " " << parameter.value.requires_grad() << "\n";
    parameters.push_back(parameter.value);
  }
  torch::Tensor x = torch::linspace(-1, 1, 20).reshape({5, 4}), wanted = x.slice(1, 0, 3) * 0.25;
  for (int step = 0; step < 20; ++step) {
    torch::Tensor loss = torch::mse_loss(model.forward({x}).toTensor(), wanted);
    for (at::Tensor &parameter : parameters)
      if (parameter.grad().defined())
        parameter.mutable_grad().zero_();
    loss.backward();
    torch::NoGradGuard no_grad;
    for (at::Tensor &parameter : parameters)
      parameter.sub_(parameter.grad() * 0.5);
    if (step % 5 == 0)
      std::cout << loss.item<float>() << "\n";
  }
  model.eval();
  std::stringstream archive;
  model.save(archive);
  torch::jit::Module copy = torch::jit::load(archive);
  torch::NoGradGuard no_grad;
  std::cout << torch::equal(copy.forward({x}).toTensor(), model.forward({x}).toTensor()) << "\n";
  torch::Tensor y = 2 * x + 1 - x / 4;
  y += 1;
  y *= x.abs();
  std::cout << (-y).max().item<float>() << " " << (y > 1).sum().item<int64_t>() << " " << y.norm().item<float>()
            << "\n";
  return 0;
}
