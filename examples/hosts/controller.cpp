// A loop of control: observation, policy, action, with threads set before each step.
#include <algorithm>
#include <iostream>
#include <torch/script.h>
#include <torch/torch.h>

int main(int, const char *argv[]) {
  torch::jit::Module policy = torch::jit::load(argv[1], torch::kCPU);
  policy.eval();
  torch::set_num_interop_threads(1);
  std::vector<float> state = {1.0f, 0.0f, 0.5f, -0.5f};
  for (int step = 0; step < 5; ++step) {
    torch::autograd::GradMode::set_enabled(false);
    at::set_num_threads(1);
    torch::Tensor observation = torch::tensor(state).reshape({1, 4});
    torch::Tensor clipped = torch::clamp(observation, -2, 2);
    torch::Tensor action = policy.forward({clipped}).toTensor().squeeze(0);
    for (int i = 0; i < 3; ++i)
      state[static_cast<size_t>(i)] += 0.1f * action[i].item<float>();
    std::rotate(state.begin(), state.begin() + 1, state.end());
    std::cout << step << ": " << action << "\n";
  }
  std::cout << at::get_num_threads() << " " << torch::autograd::GradMode::is_enabled() << "\n";
  return 0;
}
