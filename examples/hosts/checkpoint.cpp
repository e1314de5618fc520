// Checkpoints: tensors in files, streams and archives of the host's own, which either library reads.
#include <fstream>
#include <iostream>
#include <sstream>
#include <torch/script.h>
#include <torch/torch.h>

// A host's own state, which it reads and writes by LibTorch's archives.
struct State {
  torch::Tensor weight, steps;
  std::string name;
};
static void write(torch::serialize::OutputArchive &archive, const State &state) {
  archive.write("weight", state.weight);
  archive.write("steps", state.steps, /*is_buffer=*/true);
  archive.write("name", c10::IValue(state.name));
  torch::serialize::OutputArchive nested;
  nested.write("squared", state.weight.detach() * state.weight.detach());
  nested(std::string("rate"), c10::IValue(0.25));
  archive.write("moments", nested);
}
static void print(torch::serialize::InputArchive &archive) {
  State state;
  c10::IValue name, rate;
  torch::serialize::InputArchive nested;
  torch::Tensor squared, missing;
  archive.read("weight", state.weight);
  archive.read("steps", state.steps, /*is_buffer=*/true);
  archive.read("name", name);
  archive.read("moments", nested);
  nested.read("squared", squared);
  nested.read("rate", rate);
  std::cout << state.weight.requires_grad() << " " << state.weight.sum().item<float>() << " "
            << state.steps.item<int64_t>() << " " << name.toStringRef() << " " << squared.sum().item<float>() << " "
            << rate.toDouble() << " " << nested.try_read("momentum", missing) << "\n";
  try {
    nested.read("momentum", missing);
  } catch (const c10::Error &error) {
    std::cout << error.what_without_backtrace() << "\n";
  }
}

static void print(const std::vector<torch::Tensor> &tensors) {
  std::cout << tensors.size() << "\n";
  for (const torch::Tensor &tensor : tensors)
    std::cout << tensor.dtype() << " " << tensor.sizes() << " " << tensor.strides() << " " << tensor.requires_grad()
              << " " << tensor.to(torch::kDouble).sum().item<double>() << "\n";
}

int main(int, const char *argv[]) {
  const torch::Tensor x = torch::linspace(-1, 1, 6).reshape({2, 3});
  const std::vector<torch::Tensor> tensors{x,
                                           torch::arange(4),
                                           torch::ones({2, 2}).set_requires_grad(true),
                                           x.t(),
                                           torch::zeros({0, 3}),
                                           torch::tensor(2.5, torch::kDouble),
                                           x,
                                           torch::tensor({true, false}),
                                           x.to(torch::kHalf)};
  std::stringstream one, many, own;
  torch::save(x, one);
  torch::Tensor read;
  torch::load(read, one);
  std::cout << torch::equal(read, x) << " " << read.requires_grad() << "\n";
  torch::save(tensors, many);
  std::vector<torch::Tensor> all;
  torch::load(all, many);
  print(all);
  all[0].fill_(7); // the tensors that were one before are one now
  std::cout << all[6].sum().item<float>() << " " << all[3].sum().item<float>() << "\n";

  // What others hold sees what is loaded.
  torch::Tensor target = torch::zeros({2, 3}), same = target;
  one.clear();
  one.seekg(0);
  torch::load(target, one);
  std::cout << torch::equal(same, x) << "\n";

  torch::serialize::OutputArchive archive;
  write(archive, State{torch::full({3}, 0.5).set_requires_grad(true), torch::tensor(int64_t{12}), "run"});
  archive.save_to(own);
  torch::serialize::InputArchive loaded;
  loaded.load_from(own);
  for (const std::string &key : loaded.keys())
    std::cout << key << " ";
  print(loaded);

  // A module's parameters, and a file that was written by LibTorch 1.13.
  torch::jit::Module module = torch::jit::load(argv[1]);
  std::vector<torch::Tensor> parameters;
  for (const auto &parameter : module.named_parameters())
    parameters.push_back(parameter.value);
  std::stringstream state;
  torch::save(parameters, state);
  std::vector<torch::Tensor> restored;
  torch::load(restored, state);
  std::cout << restored.size() << " " << torch::equal(restored[0], parameters[0]) << restored[0].requires_grad()
            << "\n";
  std::string path = argv[1];
  path.replace(path.rfind("model.pt"), std::string::npos, "tensors.pt");
  all.clear();
  torch::load(all, path);
  print(all);

  // A file that either library may have written in this folder.
#ifdef TSC_TORCH
  torch::save(tensors, "tensors-tsc.pt");
#else
  torch::save(tensors, "tensors-libtorch.pt");
#endif
  for (const char *file : {"tensors-tsc.pt", "tensors-libtorch.pt"}) {
    if (!std::ifstream(file))
      continue;
    all.clear();
    torch::load(all, file);
    bool is_right = all.size() == tensors.size();
    for (size_t i = 0; is_right && i < all.size(); ++i)
      is_right = all[i].dtype() == tensors[i].dtype() && torch::equal(all[i], tensors[i]) &&
                 all[i].strides() == tensors[i].strides() && all[i].requires_grad() == tensors[i].requires_grad();
    if (!is_right)
      std::cout << file << " is wrong\n";
  }

  // Values of other types, as torch.save writes them.
  c10::Dict<std::string, torch::Tensor> dict;
  dict.insert("x", x);
  const c10::IValue value = torch::pickle_load(torch::pickle_save(dict));
  std::cout << torch::equal(value.toGenericDict().at("x").toTensor(), x) << "\n";
  for (const char *missing : {"no-such-file.pt", "nonsense"})
    try {
      std::istringstream nonsense("this is no archive");
      if (std::string(missing) == "nonsense")
        torch::load(read, nonsense);
      else
        torch::load(read, missing);
      std::cout << "loaded\n";
    } catch (const c10::Error &) {
      std::cout << "refused\n";
    }
  return 0;
}
