//===- ModuleTest.cpp - What modules hold, and changing it ----------------===//
//
// The names, their order and the text of dump() are what PyTorch 1.13 gives for the
// same archive.
//
//===----------------------------------------------------------------------===//
#include "Programs.h"
#include "tsc/IR/Context.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;

namespace {
const char source[] = R"(import torch
import torch.nn as nn
from typing import List

class Scale(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n))
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight

class Net(nn.Module):
    names: List[str]

    def __init__(self):
        super().__init__()
        self.first = Scale(2)
        self.second = self.first
        self.layers = nn.Sequential(Scale(3), Scale(4))
        self.names = ["a", "b"]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.training:
            x = x + 1.0
        return self.second(self.first(x))

    def twice(self, x: torch.Tensor) -> torch.Tensor:
        return 2.0 * self.first(x) + len(self.names)

model = Net()
)";

/// The archive of the source's module.
std::string archive() {
  Program program = load(source, "net.py");
  StatusOr<IValue> module = program.moduleToSave("model");
  REQUIRE(module.ok());
  StatusOr<std::string> bytes = program.save(*module, {});
  INFO(bytes.status().message());
  REQUIRE(bytes.ok());
  return *bytes;
}

template <typename List> std::vector<std::string> paths(const List &list) {
  std::vector<std::string> found;
  for (const auto &one : list)
    found.push_back(one.path);
  return found;
}
using Names = std::vector<std::string>;

Tensor filled(std::vector<int64_t> sizes, double value, DType dtype = DType::Float) {
  auto made = Tensor::full(sizes, Scalar(value), dtype);
  REQUIRE(made.ok());
  return *made;
}
double first(const Tensor &tensor) { return tensor.at(0).toDouble(); }
} // namespace

TEST_CASE("modules know what they hold") {
  std::string bytes = archive();
  Program program = load(bytes, "net.pt");
  const Module &net = *program.module();

  CHECK(paths(net.namedParameters()) == Names{"first.weight", "layers.0.weight", "layers.1.weight"});
  CHECK(paths(net.namedBuffers()) == Names{"first.count", "layers.0.count", "layers.1.count"});
  CHECK(net.namedParameters(/*recurse=*/false).empty());
  CHECK(paths(net.namedChildren()) == Names{"first", "layers"});
  CHECK(paths(net.namedModules()) == Names{"", "first", "layers", "layers.0", "layers.1"});
  CHECK(net.parameters().size() == 3);
  CHECK(net.buffers().size() == 3);
  CHECK(net.children().size() == 2);
  Names direct = paths(net.namedAttributes(/*recurse=*/false));
  CHECK(llvm::is_contained(direct, "second"));
  CHECK(llvm::is_contained(direct, "names"));
  CHECK(net.hasAttribute("names"));
  CHECK_FALSE(net.hasAttribute("weight"));

  StatusOr<Module> scale = net.findModule("layers.1");
  REQUIRE(scale.ok());
  CHECK(scale->parameters().front().sizes() == ArrayRef<int64_t>{4});
  CHECK(net.findModule("layers.2").status().code() == StatusCode::NotFound);
  CHECK(net.findModule("names").status().code() == StatusCode::NotFound);

  int visited = 0;
  net.apply([&](Module &) { ++visited; });
  CHECK(visited == 5);
}

TEST_CASE("attributes are set with their types checked") {
  std::string bytes = archive();
  Program program = load(bytes, "net.pt");
  const Module &net = *program.module();
  Module first = *net.findModule("first");
  REQUIRE(first.setAttribute("weight", IValue(filled({2}, 3.0))).ok());
  IValue y = run(program, "forward", {IValue(filled({2}, 1.0))});
  CHECK(::first(y.toTensor()) == 18.0); // (1 + 1) · 3 · 3: `second` is the same module

  Status wrong = first.setAttribute("weight", IValue(1.5));
  CHECK(wrong.code() == StatusCode::InvalidArgument);
  CHECK(messageOf(wrong) == "Expected a value of type 'Tensor' for field 'weight', but found 'float'");
  CHECK(first.setAttribute("bias", IValue(filled({2}, 0.0))).code() == StatusCode::NotFound);
  CHECK(net.setAttribute("first", IValue(1)).code() == StatusCode::InvalidArgument);

  REQUIRE(first.registerBuffer("extra", filled({1}, 7.0)).ok());
  CHECK(llvm::is_contained(paths(net.namedBuffers()), "first.extra"));
  CHECK(first.registerParameter("extra", filled({1}, 7.0)).code() == StatusCode::InvalidArgument);
  CHECK(first.registerBuffer("a.b", filled({1}, 7.0)).code() == StatusCode::InvalidArgument);
  // Another module of the class has a place for it now, and nothing there until it is set.
  Module other = *net.findModule("layers.0");
  CHECK_FALSE(other.hasAttribute("extra"));
  REQUIRE(other.setAttribute("extra", IValue(filled({1}, 8.0))).ok());
  CHECK(other.hasAttribute("extra"));
}

TEST_CASE("training, dtypes and devices are set for all modules") {
  std::string bytes = archive();
  Program program = load(bytes, "net.pt");
  const Module &net = *program.module();
  CHECK(net.isTraining());
  net.eval();
  for (const Module &module : net.modules())
    CHECK_FALSE(module.isTraining());
  IValue y = run(program, "forward", {IValue(filled({2}, 1.0))});
  CHECK(first(y.toTensor()) == 1.0);
  net.train();
  CHECK(net.findModule("layers.1")->isTraining());

  // A tensor that stands in two places stays one.
  Module one = *net.findModule("layers.0"), other = *net.findModule("layers.1");
  REQUIRE(other.setAttribute("weight", *one.attribute("weight")).ok());
  REQUIRE(net.to(std::nullopt, DType::Double).ok());
  for (const Tensor &tensor : net.parameters())
    CHECK(tensor.dtype() == DType::Double);
  for (const Tensor &tensor : net.buffers())
    CHECK(tensor.dtype() == DType::Double);
  CHECK(one.attribute("weight")->isSameAs(*other.attribute("weight")));
  CHECK(run(program, "forward", {IValue(filled({2}, 1.0, DType::Double))}).toTensor().dtype() == DType::Double);
  CHECK(net.to(Device(), DType::Float).ok());
  CHECK(net.parameters().front().dtype() == DType::Float);
  CHECK(net.to(std::nullopt, DType::Int64).code() == StatusCode::InvalidArgument);
}

TEST_CASE("copies share what they say they share") {
  std::string bytes = archive();
  Program program = load(bytes, "net.pt");
  const Module &net = *program.module();
  auto weight = [](const Module &module) { return *module.findModule("first")->attribute("weight"); };

  Module shallow = net.copy(), deep = net.deepcopy(), clone = net.clone(), inPlace = net.clone(/*inPlace=*/true);
  CHECK(shallow.attribute("first")->isSameAs(*net.attribute("first")));
  CHECK_FALSE(deep.attribute("first")->isSameAs(*net.attribute("first")));
  CHECK(deep.attribute("first")->isSameAs(*deep.attribute("second")));
  CHECK_FALSE(weight(deep).toTensor().sharesStorageWith(weight(net).toTensor()));
  CHECK_FALSE(weight(clone).toTensor().sharesStorageWith(weight(net).toTensor()));
  CHECK_FALSE(inPlace.attribute("first")->isSameAs(*net.attribute("first")));
  CHECK(inPlace.attribute("first")->isSameAs(*inPlace.attribute("second")));
  CHECK(weight(inPlace).isSameAs(weight(net)));

  REQUIRE(deep.findModule("first")->setAttribute("weight", IValue(filled({2}, 5.0))).ok());
  CallContext call(program.context());
  StatusOr<IValue> y = deep.run(call, "forward", {IValue(filled({2}, 0.0))});
  REQUIRE(y.ok());
  CHECK(first(y->toTensor()) == 25.0);
  CHECK(first(run(program, "forward", {IValue(filled({2}, 0.0))}).toTensor()) == 1.0);
}

TEST_CASE("hooks that a host adds are methods of the class") {
  TestArchive files;
  files.files["code/__torch__.py"] =
      TestArchive::code("", "  def before(self: __torch__.M, inputs: Tuple[int]) -> int:\n"
                            "    x, = inputs\n"
                            "    return torch.mul(x, 10)\n"
                            "  def after(self: __torch__.M, inputs: Tuple[int], y: int) -> int:\n"
                            "    return torch.mul(y, 100)\n");
  std::string bytes = files.bytes();
  Program program = load(bytes, "m.pt");
  const Module &module = *program.module();
  CHECK(run(program, "", {IValue(1)}).toInt() == 6);
  REQUIRE(module.addForwardPreHook("before").ok());
  REQUIRE(module.addForwardHook("after").ok());
  CHECK(run(program, "", {IValue(1)}).toInt() == 1500);
  CHECK(run(program, "forward", {IValue(1)}).toInt() == 6);
  CHECK(module.addForwardHook("none").code() == StatusCode::NotFound);
  CHECK(module.addForwardHook("forward").code() == StatusCode::InvalidArgument);
}

TEST_CASE("a dump has PyTorch's layout") {
  TestArchive files;
  std::string bytes = files.bytes();
  Program program = load(bytes, "m.pt");
  std::string text;
  llvm::raw_string_ostream os(text);
  DumpOptions options;
  options.methods = false;
  program.module()->dump(os, options);
  CHECK(text == "module __torch__.M {\n"
                "  parameters {\n"
                "  }\n"
                "  attributes {\n"
                "    n = 5\n"
                "    xs = [1.5, 2.]\n"
                "  }\n"
                "  methods {\n"
                "    method forward {\n"
                "    }\n"
                "  }\n"
                "  submodules {\n"
                "  }\n"
                "}\n");
}
