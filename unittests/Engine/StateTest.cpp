//===- StateTest.cpp - Programs that write their state, and threads -------===//
//
// Modules that write what outlives a call in all the ways there are, each as an
// archive: what Program::writes says, calls from many threads on one program, and
// on forks of it. Most of the worth of the threads is under their sanitizer.
//
//===----------------------------------------------------------------------===//
#include "Programs.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Support/ThreadPool.h"
#include <atomic>
#include <thread>

using namespace tsc;

namespace {

const std::string head = "import torch\n"
                         "from torch import nn, Tensor\n"
                         "from typing import Dict, List, Optional, Tuple\n";

/// The archive that Python would save of `model` in this file.
std::string archiveOf(const std::string &source) {
  Program program = load(head + source, "made.py");
  auto module = program.moduleToSave();
  INFO(module.status().message());
  REQUIRE(module.ok());
  auto bytes = program.save(*module, {});
  INFO(bytes.status().message());
  REQUIRE(bytes.ok());
  return *std::move(bytes);
}

/// A module with these attributes, helpers before it, and the body of a forward(self, x: Tensor) -> Tensor.
std::string moduleOf(const std::string &attributes, const std::string &body, const std::string &helpers = "") {
  return helpers + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n" + attributes +
         "    def forward(self, x: Tensor) -> Tensor:\n" + body + "model = Net()\n";
}

IValue ones() { return IValue(*Tensor::full({4}, 1.0, DType::Float)); }

struct Case {
  std::string name, source;
};

const std::string counter = "class Inner(nn.Module):\n"
                            "    def __init__(self):\n"
                            "        super().__init__()\n"
                            "        self.h = torch.zeros(4)\n"
                            "    def forward(self, x: Tensor) -> Tensor:\n"
                            "        self.h = self.h + x\n"
                            "        return self.h * 1\n";

const Case writing[] = {
    {"an attribute",
     moduleOf("        self.h = torch.zeros(4)\n", "        self.h = self.h + x\n        return self.h * 1\n")},
    {"a string",
     moduleOf(
         "        self.text = 'a'\n",
         "        self.text = self.text[-20:] + 'bcdefghijklmnopqrstuvwxyz'\n        return x * len(self.text)\n")},
    {"a list", moduleOf("        self.seen: List[Tensor] = []\n",
                        "        self.seen.append(x)\n        if len(self.seen) > 9:\n            self.seen.clear()\n"
                        "        return x * len(self.seen)\n")},
    {"a dict", moduleOf("        self.seen: Dict[int, Tensor] = {}\n",
                        "        self.seen[len(self.seen) % 7] = x\n        return x * len(self.seen)\n")},
    {"a list in a dict", moduleOf("        self.seen: Dict[str, List[int]] = {'a': [1]}\n",
                                  "        for key in self.seen.keys():\n            self.seen[key].append(1)\n"
                                  "        return x * len(self.seen['a'])\n")},
    {"a buffer in place", moduleOf("        self.register_buffer('h', torch.zeros(4))\n",
                                   "        self.h.add_(x)\n        return self.h * 1\n")},
    {"a view of a buffer",
     moduleOf("        self.register_buffer('h', torch.zeros(2, 4))\n",
              "        row = self.h[1].view(4)\n        row += x\n        return self.h[1] * 1\n")},
    {"the size of a buffer",
     moduleOf("        self.register_buffer('h', torch.zeros(4))\n",
              "        self.h.resize_(4 + self.h.numel() % 3)\n        return x + self.h.numel()\n")},
    {"a submodule's attribute", moduleOf("        self.inner = Inner()\n", "        return self.inner(x)\n", counter)},
    {"a submodule in a list",
     moduleOf("        self.inner = nn.ModuleList([Inner(), Inner()])\n",
              "        for inner in self.inner:\n            x = inner(x)\n        return x\n", counter)},
    {"an object's attribute",
     moduleOf("        self.state = State(1)\n", "        self.state.step()\n        return x * self.state.n\n",
              "@torch.jit.script\nclass State:\n    def __init__(self, n: int):\n        self.n = n\n"
              "    def step(self) -> None:\n        self.n += 1\n")},
    {"an attribute, in a fork",
     moduleOf("        self.inner = Inner()\n",
              "        a = torch.jit.fork(self.inner, x)\n        b = torch.jit.fork(self.inner, x)\n"
              "        return torch.jit.wait(a) + torch.jit.wait(b)\n",
              counter)},
    {"running statistics",
     moduleOf("        self.norm = nn.BatchNorm1d(4)\n", "        return self.norm(torch.stack([x, x + 1]))[0]\n")},
    {"a generator",
     moduleOf("        self.random: Optional[torch.Generator] = None\n",
              "        random = self.random\n        if random is None:\n            random = torch.Generator()\n"
              "            self.random = random\n        return torch.rand(4, generator=random)\n")},
    {"what it gave away", moduleOf("        self.weight = nn.Parameter(torch.ones(4))\n",
                                   "        x.add_(1)\n        return self.weight.detach()\n")},
};

const Case reading[] = {
    {"layers", moduleOf("        self.layer = nn.Linear(4, 4)\n", "        return torch.relu(self.layer(x))\n")},
    {"normalization that does not train", moduleOf("        self.norm = nn.BatchNorm1d(4)\n        self.eval()\n",
                                                   "        return self.norm(torch.stack([x, x + 1]))[0]\n")},
    {"memory of its own",
     moduleOf("        self.scale = 2.0\n", "        y = x.clone()\n        y.mul_(self.scale)\n        parts = [y]\n"
                                            "        parts.append(y)\n        return torch.cat(parts).relu_()\n")},
    {"objects of its own",
     moduleOf("        self.scale = 2.0\n",
              "        made = Made(self.scale)\n        made.n = made.n + 1\n        return x * made.n\n",
              "@torch.jit.script\nclass Made:\n    def __init__(self, n: float):\n        self.n = n\n")},
    {"grad mode and random numbers",
     moduleOf("        self.scale = 2.0\n",
              "        with torch.no_grad():\n            y = x * self.scale\n        return y + torch.rand(4)\n")},
    {"forks", moduleOf("        self.layer = nn.Linear(4, 4)\n",
                       "        a = torch.jit.fork(self.layer, x)\n        b = torch.jit.fork(self.layer, x * 2)\n"
                       "        return torch.jit.wait(a) + torch.jit.wait(b)\n")},
};

/// Calls from four threads, each of the program that it is given. Gives how many failed, each as busy.
int callFromThreads(const std::vector<const Program *> &programs, int calls) {
  std::atomic<int> busy{0}, wrong{0};
  std::vector<std::thread> threads;
  for (const Program *program : programs)
    threads.emplace_back([&, program] {
      CallContext call(program->context());
      StatusOr<Program::Entry> entry = program->find("forward");
      for (int i = 0; i != calls; ++i) {
        StatusOr<IValue> result = entry.ok() ? program->run(call, *entry, {ones()}) : StatusOr<IValue>(entry.status());
        busy += result.status().code() == StatusCode::FailedPrecondition;
        wrong += !result.ok() && result.status().code() != StatusCode::FailedPrecondition;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
  return busy;
}

EngineOptions plainOptions() {
  EngineOptions options;
  options.plans = CompileMode::Off;
  return options;
}

/// Of a program whose operator mine::meet(x) does what the test wants, once.
struct Meeting {
  std::function<void()> meet;
  EngineOptions options() {
    EngineOptions options;
    options.hostOperators.push_back(
        {"mine::meet(Tensor(a) x) -> Tensor(a)", [this](CallContext &, const IValue *const *args, IValue *results) {
           if (auto now = std::exchange(meet, nullptr))
             now();
           results[0] = *args[0];
           return okStatus();
         }});
    return options;
  }
};

} // namespace

TEST_CASE("a file's code runs in one thread at a time, constructors that are looked for included") {
  Meeting meeting;
  Program program = load("import torch\nfrom torch import nn\n"
                         "class Net(nn.Module):\n"
                         "    def __init__(self):\n"
                         "        super().__init__()\n"
                         "        self.size = 0\n"
                         "        try:\n"
                         "            self.weight = nn.Parameter(torch.ops.mine.meet(torch.ones(2)))\n"
                         "        except ValueError:\n"
                         "            self.size = 2\n"
                         "    def forward(self, n: int) -> int:\n"
                         "        return n + self.size\n"
                         "def script(n: int) -> int:\n"
                         "    if n > 1:\n"
                         "        raise ValueError('too many')\n"
                         "    return Net()(n)\n",
                         "net.py", meeting.options());
  StatusOr<Program::Entry> script = program.find("script");
  REQUIRE(script.ok());
  // The script fails while the constructor is within its `try`, whose handler is not the script's.
  std::thread other;
  std::atomic<bool> hasRun{false};
  std::string told;
  meeting.meet = [&] {
    other = std::thread([&] {
      CallContext call(program.context());
      told = messageOf(program.run(call, *script, {IValue(2)}).status()).str();
      hasRun = true;
    });
    for (int i = 0; i != 50 && !hasRun; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  StatusOr<Program::Entry> net = program.find("Net");
  REQUIRE(other.joinable());
  other.join();
  INFO(messageOf(net.status()).str());
  REQUIRE(net.ok());
  CHECK_THAT(told, Catch::Contains("ValueError: too many"));
  CallContext call(program.context());
  CHECK(program.run(call, *net, {IValue(1)})->toInt() == 1);
}

TEST_CASE("a program says whether it writes its state, and where") {
  for (const Case &one : writing) {
    INFO(one.name);
    Program program = load(archiveOf(one.source), "net.pt");
    CHECK(program.writes().state.find("code/__torch__") != std::string::npos);
  }
  for (const Case &one : reading) {
    INFO(one.name);
    Program program = load(archiveOf(one.source), "net.pt");
    CHECK(program.writes().state == "");
    CHECK(program.writes().arguments == "");
  }
}

TEST_CASE("writes to arguments are told apart, and count where state comes back as one") {
  Program dict = load(archiveOf("class Net(nn.Module):\n"
                                "    def __init__(self):\n"
                                "        super().__init__()\n"
                                "        self.weight = nn.Parameter(torch.ones(4))\n"
                                "        self.names = {'x': 1}\n"
                                "    def forward(self, x: Dict[str, Tensor]) -> Dict[str, Tensor]:\n"
                                "        x['y'] = x['x'] * self.weight * self.names['x']\n"
                                "        return x\n"
                                "model = Net()\n"),
                      "net.pt");
  CHECK(dict.writes().state == "");
  CHECK(dict.writes().arguments != "");
  Program flag =
      load(archiveOf(moduleOf("        self.scale = 2.0\n",
                              "        x.requires_grad_(True)\n        y = (x * x * self.scale).sum()\n"
                              "        grad = torch.autograd.grad([y], [x])[0]\n        assert grad is not None\n"
                              "        return grad\n")),
           "net.pt");
  CHECK(flag.writes().state == "");
}

TEST_CASE("what a host changes is looked at again") {
  Program program = load(archiveOf(reading[1].source), "net.pt");
  REQUIRE(program.module());
  CHECK(program.writes().state == "");
  program.module()->train();
  CHECK(program.writes().state != "");
  program.module()->eval();
  CHECK(program.writes().state == "");
}

TEST_CASE("threads that call one program with state are refused or alone, whatever it writes") {
  for (const Case &one : writing)
    for (const bool isAsked : {false, true}) {
      INFO(one.name);
      Program program = load(archiveOf(one.source), "net.pt", isAsked ? plainOptions() : EngineOptions());
      if (isAsked)
        (void)program.writes();
      callFromThreads({&program, &program, &program, &program}, 50);
      run(program, "forward", {ones()}); // nobody is left who runs
    }
}

TEST_CASE("threads that call one program without state are not refused") {
  for (const Case &one : reading) {
    INFO(one.name);
    Program program = load(archiveOf(one.source), "net.pt");
    CHECK(callFromThreads({&program, &program, &program, &program}, 50) == 0);
  }
}

TEST_CASE("threads with forks do not meet") {
  for (const Case &one : writing) {
    INFO(one.name);
    Program program = load(archiveOf(one.source), "net.pt");
    std::vector<Program> forks;
    for (int i = 0; i != 3; ++i) {
      StatusOr<Program> made = program.fork();
      REQUIRE(made.ok());
      forks.push_back(*std::move(made));
    }
    const int busy = callFromThreads({&program, &forks[0], &forks[1], &forks[2]}, 50);
    if (one.name != "a generator") // which forks share
      CHECK(busy == 0);
  }
}

TEST_CASE("a fork has parameters that its program writes for itself, and shares the others") {
  const std::string source = "class Net(nn.Module):\n"
                             "    def __init__(self):\n"
                             "        super().__init__()\n"
                             "        self.read = nn.Parameter(torch.ones(4))\n"
                             "        self.written = nn.Parameter(torch.ones(4))\n"
                             "        self.alias = self.written\n"
                             "    def forward(self, x: Tensor) -> Tensor:\n"
                             "        with torch.no_grad():\n"
                             "            self.written.add_(x)\n"
                             "        return self.written * self.read\n"
                             "model = Net()\n";
  Program program = load(archiveOf(source), "net.pt");
  StatusOr<Program> fork = program.fork();
  REQUIRE(fork.ok());
  auto memory = [](const Program &of, const char *name) { return of.module()->attribute(name)->asTensor().data(); };
  CHECK(memory(program, "read") == memory(*fork, "read"));
  CHECK(memory(program, "written") != memory(*fork, "written"));
  CHECK(memory(program, "alias") != memory(*fork, "alias"));
  run(program, "forward", {ones()});
  CHECK(run(*fork, "forward", {ones()}).asTensor().at(0).toDouble() == 2);
}

TEST_CASE("a fork of a fork has parameters that its program writes for itself") {
  Program program = load(archiveOf("class Net(nn.Module):\n"
                                   "    def __init__(self):\n"
                                   "        super().__init__()\n"
                                   "        self.random: Optional[torch.Generator] = None\n"
                                   "        self.written = nn.Parameter(torch.ones(4))\n"
                                   "    def forward(self, x: Tensor) -> Tensor:\n"
                                   "        random = self.random\n"
                                   "        if random is None:\n"
                                   "            random = torch.Generator()\n"
                                   "            self.random = random\n"
                                   "        with torch.no_grad():\n"
                                   "            self.written.add_(torch.rand(4, generator=random))\n"
                                   "        return self.written * x\n"
                                   "model = Net()\n"),
                         "net.pt");
  StatusOr<Program> first = program.fork();
  REQUIRE(first.ok());
  StatusOr<Program> second = first->fork();
  REQUIRE(second.ok());
  auto memory = [](const Program &of) { return of.module()->attribute("written")->asTensor().data(); };
  CHECK(memory(program) != memory(*first));
  CHECK(memory(*first) != memory(*second));
  CHECK(second->writes().state != "");
}

TEST_CASE("what is known of a fork stays when its origin is frozen") {
  const std::string source = "class Net(nn.Module):\n"
                             "    def __init__(self):\n"
                             "        super().__init__()\n"
                             "        self.random: Optional[torch.Generator] = None\n"
                             "    def forward(self, x: Tensor) -> Tensor:\n"
                             "        return x * 2\n"
                             "    @torch.jit.export\n"
                             "    def step(self, x: Tensor) -> Tensor:\n"
                             "        random = self.random\n"
                             "        if random is None:\n"
                             "            random = torch.Generator()\n"
                             "            self.random = random\n"
                             "        return x + torch.rand(4, generator=random)\n"
                             "model = Net()\n";
  Program program = load(archiveOf(source), "net.pt");
  StatusOr<Program> fork = program.fork();
  REQUIRE(fork.ok());
  REQUIRE(program.freeze({"forward"}).ok());
  CHECK(program.writes().state == "");
  CHECK(fork->writes().state != "");
}

TEST_CASE("calls that draw from a generator of the caller's are not taken for calls that write nothing") {
  Program program = load("def draw(g: torch.Generator, n: int):\n    return torch.rand(n, generator=g)\n", "draw.py");
  CHECK(program.find("draw").ok());
  CHECK(program.writes().state != "");
  Meeting meeting;
  Program meets = load("def draw(x: Tensor, g: torch.Generator):\n"
                       "    return torch.rand(4, generator=g) + torch.ops.mine.meet(x)\n",
                       "draw.py", meeting.options());
  Status second;
  const IValue generator(makeRef<GeneratorValue>());
  meeting.meet = [&] {
    std::thread other([&] {
      CallContext call(meets.context());
      second = meets.run(call, "draw", {ones(), generator}).status();
    });
    other.join();
  };
  run(meets, "draw", {ones(), generator});
  CHECK(second.code() == StatusCode::FailedPrecondition);
}

TEST_CASE("a call beside one that writes is an error that says what to do") {
  Meeting meeting;
  Program program = load("import torch\n"
                         "from torch import nn, Tensor\n"
                         "class Net(nn.Module):\n"
                         "    def __init__(self):\n"
                         "        super().__init__()\n"
                         "        self.n = 0\n"
                         "    def forward(self, x: Tensor) -> Tensor:\n"
                         "        self.n += 1\n"
                         "        return torch.ops.mine.meet(x) * self.n\n"
                         "    def look(self, x: Tensor) -> Tensor:\n"
                         "        return torch.ops.mine.meet(x) * self.n\n"
                         "model = Net()\n",
                         "net.py", meeting.options());
  auto callFrom = [&](const char *name) {
    Status status;
    std::thread other([&] {
      CallContext call(program.context());
      status = program.run(call, name, {ones()}).status();
    });
    other.join();
    return status;
  };
  Status first, second, reader;
  meeting.meet = [&] {
    first = callFrom("model");
    reader = callFrom("model.look");
  };
  run(program, "model", {ones()});
  CHECK(first.code() == StatusCode::FailedPrecondition);
  CHECK(std::string(first.message()).find("fork it for each thread") != std::string::npos);
  CHECK(reader.code() == StatusCode::FailedPrecondition);
  CHECK(callFrom("model").ok());
  // Calls that only read run beside each other.
  meeting.meet = [&] {
    reader = callFrom("model.look");
    second = callFrom("model");
  };
  run(program, "model.look", {ones()});
  CHECK(reader.ok());
  CHECK(second.code() == StatusCode::FailedPrecondition);
  // A call within a call is none beside it.
  Status within;
  meeting.meet = [&] {
    CallContext call(program.context());
    within = program.run(call, "model", {ones()}).status();
  };
  run(program, "model", {ones()});
  CHECK(within.ok());
  // Nor is what the host sets in it, unless others may be reading that just now.
  meeting.meet = [&] { within = program.writeState([] {}); };
  run(program, "model", {ones()});
  CHECK(within.ok());
  meeting.meet = [&] {
    reader = callFrom("model.look");
    meeting.meet = [&] { within = program.writeState([] {}); };
    CallContext call(program.context());
    CHECK(program.run(call, "model.look", {ones()}).ok());
  };
  run(program, "model.look", {ones()});
  CHECK(within.code() == StatusCode::FailedPrecondition);
}

TEST_CASE("attributes are read between calls that write them") {
  Program program = load(archiveOf(writing[0].source), "net.pt");
  std::atomic<bool> isDone{false}, isWrong{false};
  std::thread reader([&] {
    while (!isDone)
      (void)program.readState([&] {
        if (!program.module()->attribute("h")->isTensor())
          isWrong = true;
      });
  });
  CallContext call(program.context());
  StatusOr<Program::Entry> entry = program.find();
  REQUIRE(entry.ok());
  for (int i = 0; i != 200; ++i)
    (void)program.run(call, *entry, {ones()});
  isDone = true;
  reader.join();
  CHECK(!isWrong);
}

TEST_CASE("a host sets attributes between calls, which wait for it") {
  const std::string source = "class Inner(nn.Module):\n"
                             "    def __init__(self):\n"
                             "        super().__init__()\n"
                             "        self.register_buffer('scale', torch.ones(4))\n"
                             "    def forward(self, x: Tensor) -> Tensor:\n"
                             "        first = self.scale\n"
                             "        for i in range(20):\n"
                             "            assert torch.equal(self.scale, first)\n"
                             "        return x * first\n" +
                             moduleOf("        self.inner = Inner()\n", "        return self.inner(x)\n");
  EngineOptions options;
  options.counted = CountedCalls::All;
  Program program = load(archiveOf(source), "net.pt", options);
  CHECK(program.writes().state == "");
  StatusOr<Module> inner = program.findModule("inner");
  REQUIRE(inner.ok());
  StatusOr<Program::Entry> own = program.entryOf(inner->object(), "");
  REQUIRE(own.ok());
  std::atomic<int> numSet{0}, numWrong{0};
  std::vector<std::thread> threads;
  for (const bool isWhole : {true, false})
    threads.emplace_back([&, isWhole] {
      StatusOr<Program::Entry> entry = isWhole ? program.find() : *own;
      CallContext call(program.context());
      do {
        StatusOr<IValue> result = program.run(call, *entry, {ones()});
        const double scale = result.ok() ? result->asTensor().at(0).toDouble() : 0;
        numWrong += scale != 1 && scale != 4;
      } while (numSet < 50);
    });
  threads.emplace_back([&] {
    while (numSet < 50)
      numWrong += !program.readState([] {}).ok();
  });
  for (const double scale : {1.0, 4.0})
    threads.emplace_back([&, scale] {
      for (int i = 0; i != 25; ++i, ++numSet) {
        Status set;
        const Status begun = program.writeState([&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(i == 7 ? 30 : 0)); // calls wait as long as it takes
          set = inner->setAttribute("scale", IValue(*Tensor::full({4}, scale, DType::Float)));
        });
        numWrong += !begun.ok() || !set.ok();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(numWrong == 0);
}

TEST_CASE("forks within a call that write run in order, however many threads there are") {
  const std::string sorting = "@torch.jit.script\n"
                              "class Item:\n"
                              "    def __init__(self, n: int):\n"
                              "        self.n = n\n"
                              "        self.asked: List[int] = []\n"
                              "    def __lt__(self, other: 'Item') -> bool:\n"
                              "        self.asked.append(other.n)\n"
                              "        return self.n < other.n\n"
                              "def least(items: List[Item]) -> int:\n"
                              "    return sorted(items)[0].n\n";
  for (const std::string &source :
       {writing[11].source,
        moduleOf("        self.scale = 1\n",
                 "        items = [Item(5), Item(3), Item(4), Item(1)]\n"
                 "        tasks: List[torch.jit.Future[int]] = []\n"
                 "        for i in range(8):\n            tasks.append(torch.jit.fork(least, items))\n"
                 "        sum = 0\n"
                 "        for task in tasks:\n            sum += torch.jit.wait(task)\n"
                 "        for item in items:\n            sum += len(item.asked)\n"
                 "        return x * sum\n",
                 sorting)}) {
    const std::string bytes = archiveOf(source);
    Program serial = load(bytes, "net.pt"), parallel = load(bytes, "net.pt");
    ThreadPool pool(4);
    for (int i = 0; i != 30; ++i) {
      const double expected = run(serial, "forward", {ones()}).asTensor().at(0).toDouble();
      ExecutorScope scope(&pool);
      CHECK(run(parallel, "forward", {ones()}).asTensor().at(0).toDouble() == expected);
    }
  }
}

/// Items whose order counts who asked for it, and a module that holds two.
static const std::string countingItems = "@torch.jit.script\n"
                                         "class Item:\n"
                                         "    def __init__(self, n: int):\n"
                                         "        self.n = n\n"
                                         "        self.asked = 0\n"
                                         "    def number(self) -> int:\n"
                                         "        return self.n\n"
                                         "    def __lt__(self, other: 'Item') -> bool:\n"
                                         "        self.asked += 1\n"
                                         "        return self.n < other.n\n"
                                         "class Net(nn.Module):\n"
                                         "    def __init__(self):\n"
                                         "        super().__init__()\n"
                                         "        self.one = Item(2)\n"
                                         "        self.other = Item(1)\n";

TEST_CASE("sorting runs methods of what is sorted") {
  Program program = load(archiveOf(countingItems + "    def forward(self, x: Tensor) -> Tensor:\n"
                                                   "        return x * sorted([self.one, self.other])[0].n\n"
                                                   "model = Net()\n"),
                         "net.pt");
  CHECK(program.writes().state != "");
}

TEST_CASE("sorting runs methods of what is behind an interface") {
  Program program = load(archiveOf(std::string("@torch.jit.interface\n"
                                               "class Numbered:\n"
                                               "    def number(self) -> int:\n"
                                               "        pass\n") +
                                   countingItems +
                                   "    def forward(self, x: Tensor) -> Tensor:\n"
                                   "        items: List[Numbered] = [self.one, self.other]\n"
                                   "        items.sort()\n"
                                   "        return x * len(items)\n"
                                   "model = Net()\n"),
                         "net.pt");
  CHECK(program.writes().state != "");
}
