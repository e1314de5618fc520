// A part of a host that was written for LibTorch, as a shared library: it is built against LibTorch and against tsc,
// and the two are used in one process. What it holds is destroyed when the process ends.
#include <mutex>
#include <string>
#include <torch/script.h>
#include <torch/torch.h>

namespace {
struct State {
  torch::jit::Module module;
  std::vector<torch::Tensor> kept;
  std::mutex mutex;
};
} // namespace

/// What lives as long as the process, and is destroyed when that ends.
static State &state() {
  static State instance;
  return instance;
}

/// Fills `found` with numbers that both libraries compute alike, and returns how many; -1 where something is not as it
/// should be. Several threads may call it at once.
extern "C" int plugin_run(const char *archive, double seed, double *found, int most) {
  int count = 0;
  auto add = [&](const torch::Tensor &tensor) {
    const torch::Tensor numbers = tensor.detach().to(torch::kDouble).contiguous().flatten();
    for (int64_t i = 0; i < numbers.numel() && count < most; ++i)
      found[count++] = numbers[i].item<double>();
  };
  try {
    torch::jit::Module module = torch::jit::load(archive);
    torch::Tensor x = torch::linspace(-1, 1, 20).reshape({5, 4}) * seed;
    for (int call = 0; call != 4; ++call)
      add(module.forward({x}).toTensor());
    torch::Tensor positions = torch::linspace(0, seed, 12, torch::kDouble).pow(2).reshape({4, 3}).requires_grad_();
    const torch::Tensor energy = module.get_method("energy")({positions, torch::tensor(2.5)}).toTensor();
    add(torch::autograd::grad({energy}, {positions})[0]);
    torch::Tensor weight = torch::full({3}, seed).requires_grad_();
    (weight * weight).sum().backward();
    add(weight.grad());
    std::string heard;
    try {
      module.get_method("checked")({torch::full({2}, -1.0)});
    } catch (const std::exception &error) {
      heard = error.what();
    }
    if (heard.find("negative input") == std::string::npos)
      return -1;
    try {
      torch::ones({2, 3}).matmul(torch::ones({2, 3}));
      return -1;
    } catch (const c10::Error &) {
    }
    std::lock_guard<std::mutex> lock(state().mutex);
    state().module = module;
    state().kept.push_back(energy);
    return count;
  } catch (const std::exception &) {
    return -1;
  }
}

extern "C" const char *plugin_library() {
#ifdef TSC_TORCH
  return "tsc";
#else
  return "LibTorch";
#endif
}
