//===- LimitsTest.cpp - Quotas, cancellation, operators of the host's -----===//
#include "Programs.h"
#include "tsc/IR/Context.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <thread>

using namespace tsc;

namespace {
const char endless[] = R"(
def scalars() -> int:
    n = 0
    while True:
        n = (n * 3 + 1) % 1000003
    return n

def tensors(x: Tensor) -> Tensor:
    while bool(x.sum() < 1e30):
        x = torch.tanh(x * 0.5 + 1.0) - 1.0
    return x

def matrices(x: Tensor) -> Tensor:
    while True:
        x = torch.mm(x, x)
    return x

def fib(n: int) -> int:
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)

def calls() -> int:
    return fib(90)

def appends() -> int:
    xs = [0]
    while True:
        xs.append(1)
        xs.pop()
    return len(xs)

def gammas() -> Tensor:
    return torch.mvlgamma(torch.rand([4]), 100000000)

def polynomials() -> Tensor:
    return torch.special.hermite_polynomial_h(torch.full([10000000], 0.001), 99999)

def folded() -> Tensor:
    return torch.ones([1]).expand([1 << 50]).sum()

def compared() -> bool:
    return [[[[1] * 1000] * 1000] * 1000] * 1000 == [[[[1] * 1000] * 1000] * 1000] * 1000

def keep(n: int) -> List[Tensor]:
    xs: List[Tensor] = []
    for i in range(n):
        xs.append(torch.ones([100000]))
    return xs
)";

Tensor ones(std::vector<int64_t> sizes) {
  auto made = Tensor::full(sizes, Scalar(1.0), DType::Float);
  REQUIRE(made.ok());
  return *made;
}
} // namespace

TEST_CASE("a call is cancelled from another thread, in every tier") {
  for (unsigned level : {0u, 2u, 3u}) {
    EngineOptions options;
    options.optimization = level;
    options.plans = level < 2 ? CompileMode::Off : CompileMode::Eager;
    if (level >= 2)
      options.fusers = cpuFusers();
    Program program = load(endless, "endless.py", std::move(options));
    for (const char *name :
         {"scalars", "tensors", "matrices", "calls", "appends", "gammas", "polynomials", "folded", "compared"}) {
      INFO(name << " at level " << level);
      CallContext call(program.context());
      std::vector<IValue> args;
      if (name == llvm::StringRef("tensors"))
        args.push_back(IValue(ones({16})));
      if (name == llvm::StringRef("matrices"))
        args.push_back(IValue(ones({64, 64})));
      std::atomic<int64_t> cancelledAt{0};
      auto now = [] { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::microseconds(1); };
      std::thread watchdog([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        cancelledAt = now();
        call.cancel();
      });
      StatusOr<IValue> result = program.run(call, name, args);
      int64_t end = now();
      watchdog.join();
      REQUIRE(!result.ok());
      CHECK(result.status().code() == StatusCode::Cancelled);
      // Code may be made just then; a loaded machine may take its time to wake the thread.
      CHECK(end - cancelledAt < 2'000'000);

      // It stays so until the host says otherwise.
      CHECK(program.run(call, "keep", {IValue(1)}).status().code() == StatusCode::Cancelled);
      call.resume();
      CHECK(program.run(call, "keep", {IValue(1)}).ok());
    }
  }
}

TEST_CASE("a cancel that meets the beginning of a call is not lost") {
  Context context;
  CallContext call(context);
  constexpr int numRounds = 2000;
  std::atomic<int> begun{0}, cancelledIn{0};
  auto waitFor = [](const std::atomic<int> &counter, int round) {
    while (counter < round)
      std::this_thread::yield();
  };
  std::thread canceller([&] {
    for (int round = 1; round <= numRounds; ++round) {
      waitFor(begun, round);
      call.cancel();
      cancelledIn = round;
    }
  });
  int numLost = 0, numUnseen = 0;
  for (int round = 1; round <= numRounds; ++round) {
    const bool resumes = round % 2;
    begun = round;
    if (resumes)
      call.resume();
    else
      call.beginCall();
    waitFor(cancelledIn, round);
    const bool isCancelled = !call.checkLimits().ok();
    numLost += !resumes && !isCancelled; // resume() may have come last
    numUnseen += isCancelled && !call.hasAlarm();
    call.resume();
  }
  canceller.join();
  CHECK(numLost == 0);
  CHECK(numUnseen == 0);
  CHECK_FALSE(call.hasAlarm());
}

TEST_CASE("what operators do at length counts as steps, call by call") {
  Program program = load(endless, "endless.py");
  CallContext call(program.context());
  call.quotas.steps = 100;
  ThreadPool pool(2);
  for (bool isParallel : {false, true}) {
    ExecutorScope threads(isParallel ? &pool : nullptr);
    for (const char *name : {"gammas", "polynomials", "folded", "compared"}) {
      INFO(name);
      call.beginCall();
      StatusOr<IValue> result = program.run(call, name, {});
      REQUIRE(!result.ok());
      CHECK(exceededQuota(result.status()) == QuotaKind::Steps);
      CHECK(call.stepsUsed >= 100);
      CHECK(call.stepsUsed < 1000);
    }
  }
  call.beginCall();
  CHECK(program.run(call, "keep", {IValue(10)}).ok()); // small tensors take no steps beside their loop's
  CHECK(call.stepsUsed < 100);
}

TEST_CASE("memory is counted call by call") {
  Program program = load(endless, "endless.py");
  CallContext call(program.context());
  call.quotas.memory = 8 << 20;
  for (int i = 0; i != 20; ++i) { // 4 MB each, which go again
    call.beginCall();
    REQUIRE(program.run(call, "keep", {IValue(10)}).ok());
  }
  call.beginCall();
  StatusOr<IValue> result = program.run(call, "keep", {IValue(30)});
  REQUIRE(!result.ok());
  CHECK(exceededQuota(result.status()) == QuotaKind::Memory);
  CHECK(call.account().bytesUsed() < (1 << 20)); // all of it went
  call.beginCall();
  CHECK(program.run(call, "keep", {IValue(10)}).ok());

  call.quotas = Quotas();
  CHECK(program.run(call, "keep", {IValue(30)}).ok());
}

TEST_CASE("loading has quotas of its own") {
  TestArchive files;
  files.files["code/__torch__.py"] = "class M(Module):\n"
                                     "  __parameters__ = []\n"
                                     "  __buffers__ = []\n"
                                     "  n : int\n"
                                     "  def forward(self: __torch__.M) -> int:\n"
                                     "    return self.n\n"
                                     "  def __setstate__(self: __torch__.M, state: int) -> NoneType:\n"
                                     "    self.n = 0\n"
                                     "    for i in range(state):\n"
                                     "      print(i)\n"
                                     "      self.n = torch.add(self.n, i)\n"
                                     "    return None\n";
  files.files["data.pkl"] = std::string("\x80\x02"
                                        "c__torch__\nM\n)\x81M\x10\x27"
                                        "b."); // 10000
  std::string archive = files.bytes();
  EngineOptions options;
  options.allowSetState = true;
  CHECK(tryLoad(archive, "m.pt", options).ok());
  options.loadingQuotas.steps = 1000;
  CHECK_THAT(messageOf(tryLoad(archive, "m.pt", options).status()).str(), Catch::Contains("limit of steps"));
  options.loadingQuotas = Quotas();
  options.loadingQuotas.output = 100;
  std::string text;
  llvm::raw_string_ostream os(text);
  options.loadingOut = &os;
  CHECK_THAT(messageOf(tryLoad(archive, "m.pt", options).status()).str(), Catch::Contains("limit of output"));
  CHECK(text.size() == 100);
  options = EngineOptions();
  options.loadingQuotas.memory = 1 << 20;
  auto big = tryLoad("import torch\nimport torch.nn as nn\n"
                     "class N(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
                     "        self.w = nn.Parameter(torch.ones(1000000))\n"
                     "    def forward(self, x):\n        return x + self.w\n"
                     "model = N()\n",
                     "m.py", options);
  CHECK_FALSE(big.ok());
}

TEST_CASE("operators are allowed and denied by name") {
  OperatorPolicy policy;
  CHECK(policy.allows("aten::add", "Tensor"));
  policy.denied = {"aten::add.Tensor", "mine::*"};
  CHECK_FALSE(policy.allows("aten::add", "Tensor"));
  CHECK(policy.allows("aten::add", "int"));
  CHECK_FALSE(policy.allows("mine::f", ""));
  policy = {};
  policy.allowed = {"aten::add", "aten::_*", "aten::relu."};
  CHECK(policy.allows("aten::add", "Tensor"));
  CHECK(policy.allows("aten::_softmax", ""));
  CHECK(policy.allows("aten::relu", ""));
  CHECK_FALSE(policy.allows("aten::relu", "out"));
  CHECK_FALSE(policy.allows("aten::addmm", ""));
  CHECK(policy.allows("prim::ListConstruct", ""));
  CHECK(parseOperatorPatterns("aten::a, aten::b.Tensor # rest\naten::*\n")->size() == 3);
  CHECK_FALSE(parseOperatorPatterns("aten::a; rm").ok());
  CHECK_FALSE(parseOperatorPatterns("add").ok());
}

TEST_CASE("a program that uses what it must not is refused when it is found, or loaded") {
  const char text[] = "def f(x: Tensor) -> Tensor:\n    return g(x) + 1\n"
                      "def g(x: Tensor) -> Tensor:\n    return torch.relu(x).cos()\n"
                      "def h(x: Tensor) -> Tensor:\n    return x + 1\n";
  EngineOptions options;
  options.operators.denied = {"aten::relu", "aten::cos"};
  Program program = load(text, "f.py", options);
  Status refused = program.find("f").status();
  CHECK(refused.code() == StatusCode::InvalidArgument);
  CHECK_THAT(messageOf(refused).str(), Catch::Contains("f.py:4:12: error: operator 'aten::relu' is not allowed"));
  CHECK_THAT(messageOf(refused).str(), Catch::Contains("operator 'aten::cos' is not allowed"));
  CHECK(program.find("h").ok());

  std::string archive = TestArchive().bytes();
  options.operators = {};
  options.operators.allowed = {"aten::mul"};
  Status whole = tryLoad(archive, "m.pt", options).status();
  CHECK_THAT(messageOf(whole).str(), Catch::Contains("operator 'aten::add.int' is not allowed"));
  options.operators.allowed = {"aten::add"};
  CHECK(tryLoad(archive, "m.pt", options).ok());

  Status graph =
      tryLoad("graph(%x : Tensor):\n  %y : Tensor = aten::cos(%x)\n  return (%y)\n", "g.ir", options).status();
  CHECK_THAT(messageOf(graph).str(), Catch::Contains("operator 'aten::cos' is not allowed"));
}

TEST_CASE("operators of the host's that give nothing are called for their effect") {
  EngineOptions options;
  int seen = 0;
  options.hostOperators.push_back({"mine::note(int x) -> ()", [&](CallContext &, const IValue *const *args, IValue *) {
                                     seen += static_cast<int>(args[0]->toInt());
                                     return okStatus();
                                   }});
  Program program = load("def f(n: int) -> int:\n    for i in range(n):\n        torch.ops.mine.note(i)\n"
                         "    torch.ops.mine.note(100)\n    return n\n",
                         "f.py", options);
  for (int i = 1; i != 4; ++i) {
    CHECK(run(program, "f", {IValue(int64_t{4})}).toInt() == 4);
    CHECK(seen == i * 106);
  }
}

TEST_CASE("operators of the host's are called as torch.ops") {
  EngineOptions options;
  int calls = 0;
  options.hostOperators.push_back(
      {"mine::twice(Tensor x, int times=2) -> Tensor", [&](CallContext &, const IValue *const *args, IValue *results) {
         ++calls;
         auto made = Tensor::full(
             {1}, Scalar(args[0]->asTensor().at(0).toDouble() * static_cast<double>(args[1]->toInt())), DType::Float);
         if (!made.ok())
           return made.status();
         results[0] = IValue(*made);
         return okStatus();
       }});
  options.hostOperators.push_back(
      {"mine::lies(int x) -> Tensor", [](CallContext &, const IValue *const *, IValue *results) {
         results[0] = IValue(7);
         return okStatus();
       }});
  Program program =
      load("def f(x: Tensor) -> Tensor:\n    return torch.ops.mine.twice(x) + torch.ops.mine.twice(x, 5)\n"
           "def g() -> Tensor:\n    return torch.ops.mine.lies(1)\n",
           "f.py", options);
  CHECK(run(program, "f", {IValue(ones({1}))}).toTensor().at(0).toDouble() == 7.0);
  CHECK(calls == 2);
  CallContext call(program.context());
  CHECK_THAT(messageOf(program.run(call, "g", {}).status()).str(),
             Catch::Contains("operator 'mine::lies' gave a 'int' where its schema says 'Tensor'"));

  auto refused = [](const char *schema) {
    EngineOptions wrong;
    wrong.hostOperators.push_back({schema, nullptr});
    return messageOf(tryLoad("def f() -> int:\n    return 1\n", "f.py", wrong).status()).str();
  };
  CHECK_THAT(refused("aten::relu(Tensor self) -> Tensor"), Catch::Contains("has an overload '' already"));
  CHECK_THAT(refused("mine::f(Tensr x) -> Tensor"), Catch::Contains("Tensr"));
  CHECK_THAT(refused("what is this"), Catch::Contains("error"));
}
