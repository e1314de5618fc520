// Loads an archive, and runs it on numbers of the host's.
#include <iostream>
#include <memory>
#include <torch/script.h>

int main(int argc, const char *argv[]) {
  if (argc != 2) {
    std::cerr << "usage: predict model.pt\n";
    return 1;
  }
  torch::jit::script::Module module;
  try {
    module = torch::jit::load(argv[1]);
  } catch (const c10::Error &error) {
    std::cerr << "cannot load " << argv[1] << ": " << error.what_without_backtrace() << "\n";
    return 2;
  }
  module.eval();

  float features[8];
  for (int i = 0; i < 8; ++i)
    features[i] = 0.25f * static_cast<float>(i) - 1;
  at::Tensor input = torch::from_blob(features, {2, 4}, torch::kFloat32).clone();
  features[0] = 100; // the clone does not see it
  std::vector<torch::jit::IValue> inputs;
  inputs.push_back(input);

  torch::NoGradGuard no_grad;
  at::Tensor output = module.forward(inputs).toTensor().contiguous();
  std::cout << output << "\n" << output.sizes() << " " << output.dtype() << " " << output.device() << "\n";
  const float *values = output.data_ptr<float>();
  for (int64_t i = 0; i < output.numel(); ++i)
    std::cout << (i ? ", " : "") << values[i];
  std::cout << "\n" << output.slice(/*dim=*/1, /*start=*/0, /*end=*/2) << "\n";

  try {
    torch::jit::load("no-such-archive.pt");
  } catch (const c10::Error &) {
    std::cout << "there is no such archive\n";
  }
  return 0;
}
