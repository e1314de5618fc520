// Two archives, one after the other: the host carries the gradient from the second back to the first.
#include <iostream>
#include <torch/script.h>
#include <torch/torch.h>

int main(int, const char *argv[]) {
  torch::jit::Module first = torch::jit::load(argv[1]), second = torch::jit::load(argv[1]);
  torch::Tensor x = torch::linspace(-1, 1, 6, torch::kFloat64).reshape({3, 2}).requires_grad_();
  // In pieces, with the gradient of what is between them as weights.
  torch::Tensor hidden = first.run_method("embed", x).toTensor();
  torch::Tensor received = hidden.detach().requires_grad_(true);
  torch::Tensor energy = second.run_method("readout", received).toTensor();
  torch::Tensor between = torch::autograd::grad({energy}, {received})[0];
  torch::Tensor forces = -torch::autograd::grad({hidden}, {x}, {between})[0];
  std::cout << energy.item<double>() << "\n" << forces << "\n";
  // And at once, over both calls.
  torch::Tensor whole = second.run_method("readout", first.run_method("embed", x).toTensor() * 1.0).toTensor();
  whole.backward();
  std::cout << torch::allclose(x.grad(), -forces) << "\n";
  torch::Tensor sums = torch::zeros({3}, torch::kFloat64);
  sums.scatter_reduce_(0, torch::tensor({0, 2, 0}), forces.select(1, 0), "sum", true);
  std::cout << sums << "\n";
  return 0;
}
