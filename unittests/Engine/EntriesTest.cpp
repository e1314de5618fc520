//===- EntriesTest.cpp - What of a program can be called ------------------===//
#include "Programs.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/FunctionSchema.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using Catch::Contains;

static std::string nameFound(const Program &program, llvm::StringRef name = "") {
  StatusOr<Program::Entry> entry = program.find(name);
  return entry.ok() ? entry->name().str() : "error: " + messageOf(entry.status()).str();
}

TEST_CASE("a name names a function, none the one that is meant") {
  CHECK(nameFound(load("def main():\n    return 1\ndef forward():\n    return 2\n", "a.py")) == "forward");
  CHECK(nameFound(load("def other():\n    return 1\ndef main():\n    return 2\n", "a.py")) == "main");
  CHECK(nameFound(load("def only():\n    return 1\n", "a.py")) == "only");
  CHECK(nameFound(load("x = 1\n", "none.py")) == "error: 'none.py' defines no function");
  Program two = load("def first():\n    return 1\ndef second(x: int):\n    return x\n", "two.py");
  CHECK(nameFound(two) == "error: which function is meant? 'two.py' defines: first, second");
  CHECK(nameFound(two, "third") == "error: there is no function 'third'; 'two.py' defines: first, second");
  CHECK(two.find("third").status().code() == StatusCode::NotFound);
  CHECK(nameFound(two, "second") == "second");
  CHECK(nameFound(two, "__torch__.second") == "second");
  CHECK(two.find("second")->schema().arguments().size() == 1);
  CHECK(two.functions().size() == 2);
  CHECK_FALSE(two.module());
  CHECK(two.findModule("").status().code() == StatusCode::NotFound);
}

TEST_CASE("a wrong function is refused when it is looked for, and the others run") {
  Program program = load("def good() -> int:\n    return 1\n\ndef bad() -> int:\n    return y\n\n"
                         "def calls_bad() -> int:\n    return bad()\n",
                         "half.py");
  for (int i = 0; i != 2; ++i)
    for (const char *name : {"bad", "calls_bad"}) {
      Status status = program.find(name).status();
      CHECK(status.code() == StatusCode::InvalidArgument);
      CHECK(wasDiagnosed(status));
      CHECK_THAT(messageOf(status).str(), Contains("half.py:5:12: error: undefined value y"));
    }
  CHECK(run(program, "good", {}).toInt() == 1);
  CHECK(wasDiagnosed(program.compileAll()));
  CHECK(load("def f():\n    return 1\n", "good.py").compileAll().ok());
}

TEST_CASE("gradients of a module's method that a file made, and of what is run as Python") {
  Program program = load("import torch\n"
                         "from torch import nn, Tensor\n"
                         "class Net(nn.Module):\n"
                         "    def __init__(self):\n"
                         "        super().__init__()\n"
                         "        self.scale = 3.0\n"
                         "    def forward(self, x: Tensor) -> Tensor:\n"
                         "        return x * x * self.scale\n"
                         "model = Net()\n"
                         "if __name__ == '__main__':\n"
                         "    print(model(torch.ones(1)))\n",
                         "net.py");
  StatusOr<Program::Entry> method = program.find("model");
  REQUIRE(method.ok());
  StatusOr<Program::Entry> gradients = program.differentiate(*method, {0});
  REQUIRE(gradients.ok());
  const IValue two(*Tensor::full({2}, 2.0, DType::Float));
  CallContext call(program.context());
  StatusOr<IValue> found = program.run(call, *gradients, {two});
  REQUIRE(found.ok());
  CHECK(found->listElement(0).asTensor().at(1).toDouble() == 12);
  CHECK(program.differentiate(*gradients, {1}).status().code() == StatusCode::InvalidArgument);
  StatusOr<Program::Entry> main = program.find("");
  REQUIRE(main.ok());
  CHECK(program.differentiate(*main, {}).status().code() == StatusCode::Unimplemented);
}

TEST_CASE("methods and modules of an archive") {
  TestArchive archive;
  archive.files["code/__torch__.py"] = "class M(Module):\n"
                                       "  __parameters__ = []\n"
                                       "  __buffers__ = []\n"
                                       "  n : int\n"
                                       "  sub : __torch__.N\n"
                                       "  def forward(self: __torch__.M, x: int) -> int:\n"
                                       "    return (self.sub).times(torch.add(x, self.n), )\n"
                                       "class N(Module):\n"
                                       "  __parameters__ = []\n"
                                       "  __buffers__ = []\n"
                                       "  k : int\n"
                                       "  def times(self: __torch__.N, x: int) -> int:\n"
                                       "    return torch.mul(x, self.k)\n";
  archive.files["data.pkl"] = TestArchive::module("X\x03\0\0\0subc__torch__\nN\n)\x81}(X\x01\0\0\0kK\x07ub");
  const std::string bytes = archive.bytes();
  Program program = load(bytes, "m.pt");
  CHECK(run(program, "", {IValue(1)}).toInt() == 42);
  CHECK(run(program, "forward", {IValue(1)}).toInt() == 42);
  CHECK(nameFound(program, "backward") == "error: 'm.pt' has no method 'backward'; it has: forward");
  CHECK(program.functions().empty());

  CallContext call(program.context());
  REQUIRE(program.module());
  CHECK(program.module()->run(call, "forward", {IValue(0)})->toInt() == 35);
  StatusOr<Module> sub = program.findModule("sub");
  REQUIRE(sub.ok());
  CHECK(sub->type().name() == "__torch__.N");
  CHECK(sub->attribute("k")->toInt() == 7);
  CHECK(sub->run(call, "times", {IValue(2)})->toInt() == 14);
  CHECK(messageOf(program.findModule("n").status()) == "'n' of 'n' is no module");
  CHECK(messageOf(program.findModule("sub.other").status()) == "'__torch__.N' has no attribute 'other'");

  std::vector<AttributeFate> fates;
  REQUIRE(program.freeze({"forward"}, {}, &fates).ok());
  CHECK(llvm::any_of(fates, [](const AttributeFate &fate) { return fate.path == "n" && fate.keptBecause.empty(); }));
  CHECK(run(program, "", {IValue(1)}).toInt() == 42);
  CHECK(program.freeze({"backward"}).code() == StatusCode::NotFound);
  CHECK(load("def f():\n    return 1\n", "a.py").freeze({"f"}).code() == StatusCode::InvalidArgument);
}

TEST_CASE("a module that is called runs its hooks, and a method that is named does not") {
  TestArchive archive;
  archive.files["code/__torch__.py"] = "class M(Module):\n"
                                       "  __parameters__ = []\n"
                                       "  __buffers__ = []\n"
                                       "  __forward_pre_hooks__ = [\"twice\", ]\n"
                                       "  n : int\n"
                                       "  def forward(self: __torch__.M, x: int) -> int:\n"
                                       "    return torch.add(x, self.n)\n"
                                       "  def twice(self: __torch__.M, input: Tuple[int]) -> Tuple[int]:\n"
                                       "    return (torch.mul((input)[0], 2),)\n";
  archive.files["data.pkl"] = TestArchive::module("");
  const std::string bytes = archive.bytes();
  Program program = load(bytes, "hooked.pt");
  CHECK(run(program, "", {IValue(3)}).toInt() == 11);
  CHECK(run(program, "forward", {IValue(3)}).toInt() == 8);
}

TEST_CASE("who does not listen reads why code of an archive does not compile") {
  TestArchive archive;
  archive.files["code/__torch__.py"] = "class M(Module):\n"
                                       "  __parameters__ = []\n"
                                       "  __buffers__ = []\n"
                                       "  n : int\n"
                                       "  def forward(self: __torch__.M, x: int) -> int:\n"
                                       "    return __torch__.helper(x, )\n"
                                       "def helper(x: int) -> int:\n"
                                       "  return nothing\n";
  archive.files["data.pkl"] = TestArchive::module("");
  const std::string bytes = archive.bytes();
  Program program = load(bytes, "m.pt");
  CallContext call(program.context());
  REQUIRE(program.find("forward").ok());
  Status status = program.run(call, "forward", {IValue(1)}).status();
  CHECK_THAT(messageOf(status).str(), Contains("undefined value nothing") && Contains("could not be compiled"));
}

TEST_CASE("expressions are evaluated with the program's names") {
  Program program = load("def twice(x: int) -> int:\n    return x * 2\n", "a.py");
  CallContext call(program.context());
  StatusOr<std::vector<IValue>> values = program.evaluate(call, "twice(3), [1.5], 'a'", "text");
  REQUIRE(values.ok());
  REQUIRE(values->size() == 3);
  CHECK((*values)[0].toInt() == 6);
  CHECK((*values)[1].isDoubleList());
  CHECK((*values)[2].toString() == "a");
  CHECK(program.evaluate(call, "  ", "text")->empty());
  CHECK(program.evaluate(call, "1", "text")->size() == 1);
  Status wrong = program.evaluate(call, "1 +", "text").status();
  CHECK(wasDiagnosed(wrong));
  CHECK_THAT(messageOf(wrong).str(), Contains("text:1:4: error: "));
}
