// A host's class that is a module, and reads results by accessors.
#include <iostream>
#include <torch/script.h>

class Law : public torch::jit::Module {
public:
  explicit Law(const std::string &path) : torch::jit::Module(torch::jit::load(path)), file(path) { eval(); }
  std::vector<double> evaluate(const std::vector<double> &strains) {
    torch::NoGradGuard no_grad;
    const auto count = static_cast<int64_t>(strains.size()) / 4;
    torch::Tensor input = torch::zeros({count, 4}, torch::TensorOptions().dtype(torch::kFloat64).device(torch::kCPU));
    auto in = input.accessor<double, 2>();
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j < 4; ++j)
        in[i][j] = strains[static_cast<size_t>(4 * i + j)];
    to(torch::kFloat64);
    torch::Tensor output = forward({input}).toTensor();
    const auto out = output.accessor<double, 2>();
    std::vector<double> stresses;
    for (int64_t i = 0; i < out.size(0); ++i)
      for (int64_t j = 0; j < out.size(1); ++j)
        stresses.push_back(out[i][j]);
    return stresses;
  }

private:
  std::string file;
};

int main(int, const char *argv[]) {
  Law law(argv[1]);
  for (double stress : law.evaluate({0.1, 0.2, 0.3, 0.4, -0.1, -0.2, -0.3, -0.4}))
    std::cout << stress << "\n";
  Law same = law; // the same module, as for all copies
  std::cout << (same == law) << (law.clone() == law) << law.is_training() << "\n";
  try {
    torch::zeros({2, 3}).matmul(torch::zeros({2, 3}));
  } catch (const c10::Error &error) {
    std::cout << (error.msg().find("shapes cannot be multiplied (2x3 and 2x3)") != std::string::npos) << "\n";
  }
  try {
    auto wrong = torch::zeros({2}).to(torch::kFloat64);
    wrong.data_ptr<float>();
  } catch (const torch::Error &error) {
    std::cout << error.what_without_backtrace() << "\n";
  }
  return 0;
}
