// A filter of frames: the device from a text, memory with a deleter, and the executor's switches.
#include <iostream>
#include <torch/script.h>
#include <torch/torch.h>

static int freed = 0;

int main(int, const char *argv[]) {
  torch::NoGradGuard no_grad;
  torch::jit::setGraphExecutorOptimize(false);
  c10::Device device = c10::Device(std::string("cpu"));
  if (!device.is_cpu())
    return 1;
  torch::jit::Module model = torch::jit::load(argv[1], device);
  model.to(device);
  for (int frame = 0; frame < 2; ++frame) {
    float *pixels = new float[16];
    for (int i = 0; i < 16; ++i)
      pixels[i] = static_cast<float>(i + frame) / 16;
    torch::Tensor input = torch::from_blob(
        pixels, {4, 4},
        [](void *memory) {
          delete[] static_cast<float *>(memory);
          ++freed;
        },
        torch::TensorOptions().dtype(torch::kFloat32));
    torch::Tensor output = model.forward({input.unsqueeze(0)}).toTensor();
    std::cout << output.sizes() << " " << output.mean().item<float>() << "\n";
    torch::Tensor columns = torch::from_blob(pixels, {2, 2}, {1, 4}, torch::kFloat32);
    std::cout << columns << " " << columns.is_contiguous() << " " << columns.strides() << "\n";
  }
  std::cout << "freed " << freed << "\n";
  try {
    c10::Device unknown("toaster:1");
    std::cout << unknown << "\n";
  } catch (const c10::Error &) {
    std::cout << "there is no such device\n";
  }
  if (!torch::cuda::is_available())
    std::cout << static_cast<int>(torch::cuda::device_count()) << " devices of CUDA\n";
  return 0;
}
