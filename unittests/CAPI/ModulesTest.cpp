//===- ModulesTest.cpp - Methods and archives of a host, from C -----------===//
#include "../Support/FilesOfTests.h"
#include "Hosts.h"

using namespace host;

static const char source[] = "import torch\n"
                             "from torch import nn, Tensor\n"
                             "class Inner(nn.Module):\n"
                             "    def __init__(self):\n"
                             "        super().__init__()\n"
                             "        self.w = nn.Parameter(torch.full((2,), 3.0))\n"
                             "    def forward(self, x: Tensor) -> Tensor:\n"
                             "        return x * self.w\n"
                             "class Net(nn.Module):\n"
                             "    def __init__(self):\n"
                             "        super().__init__()\n"
                             "        self.inner = Inner()\n"
                             "    def forward(self, x: Tensor) -> Tensor:\n"
                             "        return self.inner(x) + 1.0\n"
                             "model = Net()\n";

/// The first element of what a method gives for two ones.
static float firstOf(const Program &program, const char *method) {
  float ones[] = {1, 1};
  return elements<float>(run(program, method, list(tensor(ones, {2}))))[0];
}

TEST_CASE("a host adds methods to an archive's module and saves it") {
  Program program = load(savedModel(source), "net.pt");
  CHECK(firstOf(program, "forward") == 4.0f);
  ok(tsc_program_define(program.get(), nullptr, "def twice(self, x):\n  return self.forward(self.forward(x))\n"));
  CHECK(firstOf(program, "twice") == 13.0f);
  ok(tsc_program_define(program.get(), "inner", "def half(self, x):\n  return self.forward(x) / 2.0\n"));
  ok(tsc_program_define(program.get(), "", "def halved(self, x):\n  return self.inner.half(x)\n"));
  CHECK(firstOf(program, "halved") == 1.5f);

  tsc::test::ScratchFolder folder;
  const std::string file = folder / "saved.pt";
  ok(tsc_program_save(program.get(), file.c_str()));
  tsc_program *read = nullptr;
  ok(tsc_program_load(file.c_str(), options().get(), &read));
  Program saved(read);
  CHECK(firstOf(saved, "twice") == 13.0f);
  CHECK(firstOf(saved, "halved") == 1.5f);
}

TEST_CASE("methods that are refused, and programs without a module") {
  Program program = load(savedModel(source), "net.pt");
  const std::string message =
      failure(tsc_program_define(program.get(), "", "def f(self, x):\n  return nothing\n"), TSC_INVALID_ARGUMENT);
  CHECK(message.find("undefined value nothing") != std::string::npos);
  failure(tsc_program_define(program.get(), "", "def forward(self, x):\n  return x\n"), TSC_INVALID_ARGUMENT);
  failure(tsc_program_define(program.get(), "none", "def f(self, x):\n  return x\n"), TSC_NOT_FOUND);
  failure(tsc_program_define(program.get(), "", nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_program_define(nullptr, "", "def f(self, x):\n  return x\n"), TSC_INVALID_ARGUMENT);
  failure(tsc_program_save(program.get(), nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_program_save(program.get(), "/nonexistent/folder/saved.pt"), TSC_INVALID_ARGUMENT);
  ok(tsc_program_define(program.get(), "", "def f(self, x):\n  return x + 1.0\n"));
  CHECK(firstOf(program, "f") == 2.0f);

  Program functions = load("def f(x: int) -> int:\n    return x\n", "f.py");
  failure(tsc_program_define(functions.get(), "", "def g(self, x):\n  return x\n"), TSC_NOT_FOUND);
  failure(tsc_program_save(functions.get(), "saved.pt"), TSC_NOT_FOUND);
}
