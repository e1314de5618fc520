// An audio plug-in: methods and attributes by name, buffers in and out, nothing recorded.
#include <cstring>
#include <iostream>
#include <torch/script.h>
#include <torch/torch.h>

int main(int, const char *argv[]) {
  c10::InferenceMode guard;
  torch::jit::Module model = torch::jit::load(argv[1]);
  model.eval();
  for (const auto &method : model.get_methods())
    if (model.hasattr(method.name() + "_params")) {
      torch::Tensor parameters = model.attr(method.name() + "_params").toTensor();
      for (int i = 0; i < 4; ++i)
        std::cout << method.name() << " " << parameters[i].item().to<int>() << "\n";
    }
  for (const auto &buffer : model.named_buffers())
    std::cout << buffer.name << " " << buffer.value << "\n";
  for (const auto &attribute : model.named_attributes(/*recurse=*/false))
    std::cout << attribute.name << "\n";

  std::vector<c10::IValue> none;
  auto gain = model.get_method("get_gain")(none).toList().vec();
  std::cout << gain[0].toInt() << "\n";
  std::vector<c10::IValue> setter = {c10::IValue(3)};
  if (model.get_method("set_gain")(setter).toInt() != 0)
    return 1;
  std::vector<float> left = {0.1f, 0.2f, 0.3f, 0.4f}, right = {1, 2, 3, 4};
  std::vector<at::Tensor> channels = {torch::from_blob(left.data(), {1, 1, 4}),
                                      torch::from_blob(right.data(), {1, 1, 4})};
  at::Tensor both = torch::cat(channels, 1).reshape({1, 2, -1, 2}).select(-1, -1);
  at::Tensor out =
      model.get_method("amplify")({both}).toTensor().repeat_interleave(2).reshape({1, 2, -1}).permute({0, 2, 1});
  std::cout << out << "\n";
  std::memcpy(left.data(), out.contiguous().data_ptr<float>(), 4 * sizeof(float));
  std::cout << out.index({"...", torch::indexing::Slice(0, 1)}) << "\n"
            << out.index({0, torch::indexing::Slice(torch::indexing::None, torch::indexing::None, 2)}) << "\n";
  try {
    model.get_method("get_tempo");
  } catch (const std::exception &) {
    std::cout << "there is no such method\n";
  }
  return 0;
}
