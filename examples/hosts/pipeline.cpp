// An element of a pipeline: outputs of any structure become buffers of bytes.
#include <cstring>
#include <iostream>
#include <torch/script.h>

static void emit(const torch::jit::IValue &value) {
  if (value.isTensor()) {
    torch::Tensor tensor = value.toTensor().to(torch::kCPU).contiguous();
    std::vector<char> bytes(tensor.nbytes());
    std::memcpy(bytes.data(), tensor.data_ptr(), bytes.size());
    std::cout << "buffer of " << bytes.size() << " bytes, " << tensor.scalar_type() << " " << tensor.sizes() << "\n";
  } else if (value.isTuple()) {
    for (const auto &element : value.toTuple()->elements())
      emit(element);
  } else if (value.isTensorList()) {
    for (const torch::Tensor &element : value.toTensorVector())
      emit(element);
  } else if (value.isList()) {
    for (const torch::jit::IValue &element : value.toListRef())
      emit(element);
  } else {
    std::cout << value.tagKind() << "\n";
  }
}

int main(int, const char *argv[]) {
  torch::jit::Module model = torch::jit::load(argv[1]);
  torch::NoGradGuard no_grad;
  torch::Tensor frame = torch::arange(6, torch::kFloat32).view({2, 3});
  emit(model.get_method("both")({frame.slice(1, 0, 2)}));
  emit(model.attr("names"));
  emit(torch::jit::IValue(std::vector<torch::Tensor>{frame, frame.to(torch::kInt64)}));
  try {
    model.run_method("both", frame, 3, 4);
  } catch (const std::exception &) {
    std::cout << "too many arguments\n";
  }
  try {
    model.get_method("embed")({frame, frame});
  } catch (const std::exception &) {
    std::cout << "too many arguments\n";
  }
  try {
    model.forward({frame}); // of 3 columns, and not 4
  } catch (const std::exception &) {
    std::cout << "wrong shape\n";
  }
  return 0;
}
