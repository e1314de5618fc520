// A pair style: settings from files within the archive, dicts in and out, accessors on them.
#include <iostream>
#include <torch/script.h>
#include <torch/torch.h>

int main(int, const char *argv[]) {
  std::unordered_map<std::string, std::string> metadata = {{"config.json", ""}, {"types", ""}, {"absent", "as it was"}};
  torch::Device device(torch::kCPU);
  torch::jit::Module model = torch::jit::load(argv[1], device, metadata);
  model.eval();
  std::cout << metadata["config.json"] << " " << metadata["types"] << " " << metadata["absent"] << "\n";
  if (model.hasattr("training"))
    std::cout << "not frozen, cutoff " << model.attr("cutoff").toDouble() << "\n";
  torch::jit::FusionStrategy strategy = {{torch::jit::FusionBehavior::DYNAMIC, 3}};
  torch::jit::setFusionStrategy(strategy);
  at::globalContext().setAllowTF32CuBLAS(false);
  at::globalContext().setAllowTF32CuDNN(false);

  torch::Tensor positions = torch::zeros({3, 3}, torch::TensorOptions().dtype(torch::kFloat64));
  torch::Tensor types = torch::zeros({3}, torch::TensorOptions().dtype(torch::kInt64));
  auto pos = positions.accessor<double, 2>();
  auto type = types.accessor<int64_t, 1>();
  for (int i = 0; i < 3; ++i) {
    type[i] = i % 2;
    for (int j = 0; j < 3; ++j)
      pos[i][j] = 0.5 * i - 0.25 * j;
  }
  positions[2][2] = 4.0;
  positions.requires_grad_();
  c10::Dict<std::string, torch::Tensor> input;
  input.insert("pos", positions.to(device));
  input.insert("types", types.to(device));
  std::vector<torch::IValue> inputs(1, input);
  auto output = model.get_method("atoms")(inputs).toGenericDict();
  torch::Tensor energies = output.at("atomic_energy").toTensor().cpu();
  auto energy = energies.accessor<double, 1>();
  for (int64_t i = 0; i < energies.size(0); ++i)
    std::cout << energy[i] << "\n";
  output.at("total_energy").toTensor().backward();
  std::cout << positions.grad() << "\n" << output.at("total_energy").toTensor().item<double>() << "\n";
  for (const auto &entry : output)
    std::cout << entry.key().toStringRef() << " " << entry.value().toTensor().sizes() << "\n";
  std::cout << output.contains("virial") << output.size() << "\n";
  return 0;
}
