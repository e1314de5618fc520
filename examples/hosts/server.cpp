// A server: archives from memory, signatures of methods, and errors that clients see.
#include <caffe2/serialize/inline_container.h>
#include <caffe2/serialize/read_adapter_interface.h>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <torch/csrc/jit/runtime/jit_exception.h>
#include <torch/script.h>

class Memory : public caffe2::serialize::ReadAdapterInterface {
public:
  explicit Memory(std::string bytes) : bytes(std::move(bytes)) {}
  size_t size() const override { return bytes.size(); }
  size_t read(uint64_t position, void *buffer, size_t count, const char *) const override {
    count = std::min(count, bytes.size() - static_cast<size_t>(position));
    std::memcpy(buffer, bytes.data() + position, count);
    return count;
  }

private:
  std::string bytes;
};

int main(int, const char *argv[]) {
  std::ifstream file(argv[1], std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::unique_ptr<caffe2::serialize::ReadAdapterInterface> reader(new Memory(bytes));
  torch::jit::Module model = torch::jit::load(std::move(reader));
  std::istringstream stream(bytes);
  torch::jit::Module again = torch::jit::load(stream);
  for (const char *name : {"forward", "atoms", "both"}) {
    const auto &schema = model.get_method(name).function().getSchema();
    std::cout << name << ":";
    for (const auto &argument : schema.arguments())
      if (argument.name() != "self")
        std::cout << " " << argument.name() << " " << argument.type()->str();
    std::cout << " -> " << schema.returns()[0].type()->str() << " "
              << (schema.returns()[0].type()->kind() == c10::TypeKind::TupleType) << "\n";
  }
  torch::Tensor good = torch::tensor({1.0f, 4.0f}), bad = -good;
  std::cout << again.get_method("checked")({good}).toTensor() << "\n";
  try {
    again.get_method("checked")({bad});
  } catch (const torch::jit::JITException &error) {
    std::cout << "the program raised " << (std::string(error.what()).find("negative input") != std::string::npos)
              << "\n";
  }
  try {
    model.forward({torch::jit::IValue("text")});
  } catch (const std::exception &) {
    std::cout << "not a tensor\n";
  }
  caffe2::serialize::PyTorchStreamReader archive(argv[1]);
  if (archive.hasRecord("extra/config.json")) {
    at::DataPtr data;
    size_t size;
    std::tie(data, size) = archive.getRecord("extra/config.json");
    std::cout << std::string(static_cast<const char *>(data.get()), size) << "\n";
  }
  std::stringstream damaged(bytes.substr(0, bytes.size() / 2));
  try {
    torch::jit::load(damaged);
  } catch (const std::exception &) {
    std::cout << "damaged\n";
  }
  return 0;
}
