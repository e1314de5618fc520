// Molecular dynamics: forces are the gradient of the archive's energy, and parameters have derivatives.
#include <iostream>
#include <torch/script.h>
#include <torch/torch.h>

int main(int, const char *argv[]) {
  torch::jit::Module loaded = torch::jit::load(argv[1]);
  torch::jit::Module module = loaded.clone();
  module.eval();
  module = torch::jit::freeze(module, std::vector<std::string>{"energy"});
  std::vector<double> positions = {0, 0, 0, 1.5, 0, 0, 1.5, 1.25, 0, 1.5, 1.25, 0.5}, velocities(12, 0.0);
  for (int step = 0; step < 3; ++step) {
    torch::Tensor x = torch::from_blob(positions.data(), {4, 3}, torch::TensorOptions().dtype(torch::kFloat64));
    x.set_requires_grad(true);
    torch::Tensor k = torch::tensor(2.5, torch::TensorOptions().requires_grad(true));
    torch::Tensor energy = module.get_method("energy")({x, k}).toTensor();
    energy.backward();
    torch::Tensor gradient = x.grad();
    if (!(gradient.dtype() == torch::kFloat64))
      gradient = gradient.to(torch::kFloat64);
    const double *force = gradient.data_ptr<double>();
    for (size_t i = 0; i < positions.size(); ++i) {
      velocities[i] -= 0.01 * force[i];
      positions[i] += 0.01 * velocities[i];
    }
    std::cout << energy.item<double>() << " " << k.grad().item<double>() << " " << gradient << "\n";
  }
  torch::Tensor x = torch::ones({4, 3}, torch::kFloat64).requires_grad_();
  x.mutable_grad() = torch::full({4, 3}, 2.0, torch::kFloat64); // gradients are added to it
  (x * x).sum().backward();
  std::cout << x.grad()[0][0].item<double>() << "\n";
  x.mutable_grad().zero_();
  std::cout << x.grad().sum().item<double>() << "\n";
  x.mutable_grad() = torch::Tensor();
  std::cout << x.grad().defined() << "\n";
  return 0;
}
