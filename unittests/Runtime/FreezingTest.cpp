//===- FreezingTest.cpp - Modules whose attributes became constants -------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Runtime/KernelEvaluator.h"
#include "tsc/Runtime/Module.h"
#include "tsc/Tensor/LongLivedTensors.h"
#include "tsc/Transforms/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include <catch2/catch.hpp>

using namespace tsc;

namespace {

/// Classes of a source text; `make` gives an object of one of them with its `__init__` run.
class Source {
public:
  explicit Source(const char *text) : unit(context), compiler(unit, diags, prelude()) {
    bool compiles = succeeded(compiler.addSource(context.sources().add("test.py", text)));
    INFO(diags.str());
    REQUIRE(compiles);
  }
  Module make(llvm::StringRef name) {
    for (ClassType *type : compiler.sourceClasses()) {
      if (!llvm::StringRef(type->name()).ends_with(name))
        continue;
      Function *init = type->findMethod("__init__");
      REQUIRE(succeeded(init->ensureDefined()));
      auto object = makeRef<ObjectValue>(type, type->numAttributes());
      CallContext call(context);
      StatusOr<IValue> done = callFunction(executor, *init, call, {IValue(object)});
      INFO(done.status().message());
      REQUIRE(done.ok());
      return Module(object, executor);
    }
    FAIL("no class " << name.str());
    std::abort();
  }
  IValue run(const Module &module, llvm::StringRef method, std::vector<IValue> args = {}) {
    CallContext call(context);
    StatusOr<IValue> result = module.run(call, method, std::move(args));
    INFO(result.status().message());
    REQUIRE(result.ok());
    return *result;
  }
  Module freeze(const Module &module, std::vector<std::string> methods, std::vector<std::string> keep = {}) {
    StatusOr<Module> frozen = module.freeze(methods, std::move(keep), &fates);
    INFO(frozen.status().message());
    REQUIRE(frozen.ok());
    return *frozen;
  }
  /// Why an attribute was kept; "" when it was frozen, "unread" when no method reads it.
  std::string fate(llvm::StringRef path) const {
    for (const AttributeFate &fate : fates)
      if (fate.path == path)
        return fate.keptBecause;
    return "unread";
  }

  Context context;
  DiagnosticEngine diags;
  CompilationUnit unit;
  Compiler compiler;
  GraphExecutor executor;
  std::vector<AttributeFate> fates;
};

std::vector<double> numbers(const IValue &value) {
  std::vector<double> result;
  for (int64_t i = 0; i != value.asTensor().numel(); ++i)
    result.push_back(value.asTensor().at(i).toDouble());
  return result;
}

Tensor ones(llvm::ArrayRef<int64_t> sizes) { return *Tensor::full(sizes, Scalar(1.0), DType::Float); }

} // namespace

TEST_CASE("what no method writes is frozen, and runs as before") {
  Source source(R"(
class Inner:
    def __init__(self):
        self.weight = torch.tensor([2., 3.])
        self.scale = 2.0
        self.name = "inner"
    def apply(self, x):
        return x * self.weight * self.scale
class Net:
    def __init__(self):
        self.inner = Inner()
        self.shift = torch.tensor([1., 1.])
        self.unused = torch.zeros([100])
    def forward(self, x):
        return self.inner.apply(x) + self.shift
)");
  Module net = source.make("Net");
  Module frozen = source.freeze(net, {"forward"});
  CHECK(source.fate("inner.weight").empty());
  CHECK(source.fate("inner.scale").empty());
  CHECK(source.fate("shift").empty());
  CHECK(source.fate("unused") == "unread");
  CHECK(numbers(source.run(frozen, "forward", {ones({2})})) == numbers(source.run(net, "forward", {ones({2})})));
  CHECK(frozen.attribute("unused")->isNone()); // pruned
  CHECK(net.attribute("unused")->isTensor());
}

TEST_CASE("what some method writes stays an attribute") {
  Source source(R"(
class Net:
    def __init__(self):
        self.count = 0
        self.buffer = torch.zeros([2])
        self.view = self.buffer[0:1]
        self.log = [1]
        self.fixed = torch.tensor([5., 5.])
    def forward(self, x):
        self.buffer.add_(1)
        self.log.append(2)
        return x + self.buffer + self.view + self.fixed + self.count + len(self.log)
    def reset(self):
        self.count = 100
)");
  Module net = source.make("Net"); // and another to freeze: the two would share the buffer
  Module frozen = source.freeze(source.make("Net"), {"forward", "reset"});
  CHECK(source.fate("count") == "'reset' assigns it");
  CHECK(source.fate("buffer") == "'forward' writes it in place");
  CHECK(source.fate("view") == "it shares memory with 'buffer', which stays");
  CHECK(source.fate("log") == "'forward' writes it in place");
  CHECK(source.fate("fixed").empty());
  for (int i = 0; i != 3; ++i) {
    if (i == 2) {
      source.run(net, "reset");
      source.run(frozen, "reset");
    }
    CHECK(numbers(source.run(frozen, "forward", {ones({2})})) == numbers(source.run(net, "forward", {ones({2})})));
  }
}

TEST_CASE("what the caller or a later call may hold stays an attribute") {
  Source source(R"(
class Net:
    def __init__(self):
        self.given = torch.zeros([2])
        self.start = torch.zeros([2])
        self.state = torch.zeros([2])
    def forward(self, x):
        self.state.add_(x)
        return self.given[0]
    def reset(self):
        self.state = self.start
)");
  source.freeze(source.make("Net"), {"forward", "reset"});
  CHECK(source.fate("given") == "what 'forward' gives or stores may refer to it");
  CHECK(source.fate("start") == "what 'reset' gives or stores may refer to it");
  CHECK(source.fate("state") == "'reset' assigns it"); // written in place too: one reason is enough
}

TEST_CASE("an object that is assigned is not followed") {
  Source source(R"(
class State:
    def __init__(self, n: int):
        self.n = n
class Net:
    def __init__(self):
        self.state = State(1)
    def forward(self, x):
        y = x * self.state.n
        self.state = State(7)
        return y
)");
  Module net = source.make("Net");
  Module frozen = source.freeze(net, {"forward"});
  for (int i = 0; i != 2; ++i)
    CHECK(numbers(source.run(frozen, "forward", {ones({1})})) == numbers(source.run(net, "forward", {ones({1})})));
}

TEST_CASE("attributes are kept on request, and only methods that were named run") {
  Source source(R"(
class Inner:
    def __init__(self):
        self.weight = torch.tensor([2., 3.])
class Net:
    def __init__(self):
        self.inner = Inner()
        self.shift = 1.5
    def forward(self, x):
        return x * self.inner.weight + self.shift
    def other(self):
        return self.shift
)");
  Module net = source.make("Net");
  Module frozen = source.freeze(net, {"forward"}, {"inner"});
  CHECK(source.fate("inner.weight") == "kept on request");
  CHECK(source.fate("shift").empty());
  CHECK(numbers(source.run(frozen, "forward", {ones({2})})) == std::vector<double>{3.5, 4.5});
  CallContext call(source.context);
  CHECK(frozen.run(call, "other", {}).status().code() == StatusCode::NotFound);
  std::vector<std::string> methods{"forward"};
  CHECK(net.freeze(methods, {"inner.bias"}).status().message() == "Unknown name: inner.bias");
}

TEST_CASE("folding into frozen weights gives the numbers of the program as it was") {
  const char *layers[] = {
      "torch.conv2d(x, self.w, self.b, [1, 1], [1, 1], [1, 1], 1)",
      "torch.conv2d(x, self.w, None, [2, 2], [0, 0], [1, 1], 1)",
      "torch.conv_transpose2d(x, self.t, self.b, [2, 2], [0, 0], [0, 0], 1, [1, 1])",
  };
  const char *users[] = {
      "torch.batch_norm(y, self.g, self.b, self.m, self.v, False, 0.1, 1e-5, False)",
      "torch.batch_norm(y, None, None, self.m, self.v, False, 0.1, 1e-5, False)",
      "y * self.c",
      "y / self.c",
      "y + self.c",
      "torch.sub(y, self.c, alpha=3)",
      "self.c + y",
      "y * 2.5",
      "torch.add(y, 2, alpha=0.5)",
  };
  PassRegistry registry;
  registerTransformsPasses(registry);
  for (std::string layer : layers)
    for (std::string user : users) {
      std::string text = "class Net:\n"
                         "    def __init__(self):\n"
                         "        self.w = torch.rand([4, 3, 3, 3])\n        self.t = torch.rand([3, 4, 2, 2])\n"
                         "        self.g = torch.rand([4]) + 0.5\n        self.b = torch.rand([4])\n"
                         "        self.m = torch.rand([4])\n        self.v = torch.rand([4]) + 0.5\n        self.c = "
                         "torch.rand([1, 4, 1, 1]) + 0.5\n"
                         "    def forward(self, x):\n        y = " +
                         layer + "\n        return " + user + "\n";
      Source source(text.c_str());
      INFO(text);
      Module net = source.make("Net");
      std::string optimized;
      source.executor.baseline().setPreparation([&](Graph &graph) {
        PassManager passes(registry);
        TSC_RETURN_IF_ERROR(passes.parsePipeline("constprop,optimize-frozen"));
        KernelEvaluator evaluator(graph.context());
        TSC_RETURN_IF_ERROR(passes.run(graph, &evaluator));
        optimized = graph.str();
        return okStatus();
      });
      std::vector<double> expected = numbers(source.run(net, "forward", {ones({2, 3, 7, 7})}));
      std::vector<double> found = numbers(source.run(source.freeze(net, {"forward"}), "forward", {ones({2, 3, 7, 7})}));
      INFO(optimized);
      CHECK(llvm::StringRef(optimized).count("aten::") == 1);
      REQUIRE(found.size() == expected.size());
      for (size_t i = 0; i != found.size(); ++i)
        CHECK(found[i] == Approx(expected[i]).epsilon(1e-5));
    }
}

TEST_CASE("weights of a frozen convolution are kept as they were rearranged until the module's are written to") {
  Source source(R"(
class Net:
    def __init__(self):
        self.weight = torch.ones([64, 64, 3, 3])
    def forward(self, x):
        return torch.conv2d(x, self.weight)
)");
  Module net = source.make("Net"), frozen = source.freeze(net, {"forward"});
  Tensor weight = net.attribute("weight")->asTensor();
  CHECK(!keptFor(weight, Keeper::Blocks));
  auto runBoth = [&] {
    std::vector<double> plain = numbers(source.run(net, "forward", {ones({1, 64, 9, 9})}));
    for (int call = 0; call < 2; ++call)
      CHECK(numbers(source.run(frozen, "forward", {ones({1, 64, 9, 9})})) == plain);
    return plain.front();
  };
  CHECK(runBoth() == 64 * 9);
  REQUIRE(keptFor(weight, Keeper::Blocks));
  CHECK(keptFor(weight, Keeper::Blocks)->object);
  REQUIRE(cpu::copyInto(weight, *Tensor::full({64, 64, 3, 3}, Scalar(2.0), DType::Float)).ok());
  CHECK(runBoth() == 2 * 64 * 9);
}

TEST_CASE("weights of a frozen linear layer are packed once, until the module's are written to") {
  Source source(R"(
class Net:
    def __init__(self):
        self.weight = torch.ones([300, 300])
    def forward(self, x):
        return torch.nn.functional.linear(x, self.weight)
)");
  Module net = source.make("Net"), frozen = source.freeze(net, {"forward"});
  Tensor weight = net.attribute("weight")->asTensor();
  auto runBoth = [&] {
    std::vector<double> plain = numbers(source.run(net, "forward", {ones({65, 300})}));
    for (int call = 0; call < 2; ++call)
      CHECK(numbers(source.run(frozen, "forward", {ones({65, 300})})) == plain);
    return plain.front();
  };
  CHECK(runBoth() == 300);
  REQUIRE(keptFor(weight, Keeper::Product));
  CHECK(keptFor(weight, Keeper::Product)->object);
  REQUIRE(cpu::copyInto(weight, *Tensor::full({300, 300}, Scalar(2.0), DType::Float)).ok());
  CHECK(runBoth() == 600);
}
