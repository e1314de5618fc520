//===- FuserTest.cpp - When code is made, kept and used -------------------===//
#include "../Support/ThreadsOfTests.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Support/Diagnostics.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/RegAllocRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>
#include <limits>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tsc;
namespace fs = llvm::sys::fs;

namespace {
const char *const scaledTanh = R"(
graph(%x : Tensor, %y : Tensor, %n : float):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::mul(%x, %n)
  %b : Tensor = aten::add(%a, %y, %1)
  %c : Tensor = aten::tanh(%b)
  return (%c)
)";

struct Parsed {
  explicit Parsed(std::string text) : buffer("test.ir", std::move(text)) {
    auto graphs = parseGraphs(context, buffer, diags);
    INFO(diags.str());
    REQUIRE(succeeded(graphs));
    graph = std::move(graphs->front());
  }
  Context context;
  SourceBuffer buffer;
  DiagnosticEngine diags;
  std::unique_ptr<Graph> graph;
};

/// A folder that goes with the test.
class Folder {
public:
  Folder() {
    REQUIRE(!fs::createUniqueDirectory("tsc-kernels", path));
    REQUIRE(!fs::setPermissions(path, fs::owner_all)); // whatever the umask
  }
  ~Folder() { (void)fs::remove_directories(path); }
  std::string str() const { return std::string(path); }
  /// The kernels in it: all but the cache's key.
  std::vector<std::string> files() const {
    std::vector<std::string> found;
    std::error_code error;
    for (fs::directory_iterator file(path, error), end; file != end && !error; file.increment(error))
      if (llvm::sys::path::filename(file->path()) != "key")
        found.push_back(file->path());
    return found;
  }

private:
  llvm::SmallString<128> path;
};
} // namespace

static std::shared_ptr<Fuser> makeFuser(CompileMode mode, const std::string &folder = "") {
  CpuFuserOptions options;
  options.mode = mode;
  options.cacheFolder = folder;
  return createCpuFuser(options);
}

static Tensor ramp(ArrayRef<int64_t> sizes, double start) {
  Tensor t = *Tensor::empty(sizes, DType::Float);
  for (int64_t i = 0; i != t.numel(); ++i)
    t.set(i, Scalar(start + 0.25 * static_cast<double>(i % 32)));
  return t;
}

/// tanh(x * n + y), fused; an undefined tensor when it was not.
static Tensor run(FusedGroup &group, Context &context, Tensor x, Tensor y, double n) {
  CallContext call(context);
  IValue inputs[] = {IValue(x), IValue(y), IValue(n)};
  const IValue *pointers[] = {&inputs[0], &inputs[1], &inputs[2]};
  IValue result;
  auto ran = group.run(call, pointers, &result);
  REQUIRE(ran.ok());
  return *ran ? result.toTensor() : Tensor();
}

static void checkTanh(const Tensor &result, double first) {
  REQUIRE(result.defined());
  CHECK(result.at(0).toDouble() == Approx(std::tanh(first)).epsilon(1e-6));
}

TEST_CASE("FuserCPU: 50 batch sizes are one compilation") {
  Parsed parsed(scaledTanh);
  auto fuser = makeFuser(CompileMode::Eager);
  auto group = fuser->get(*parsed.graph);
  REQUIRE(group);
  for (int64_t batch = 2; batch != 52; ++batch)
    checkTanh(run(*group, parsed.context, ramp({batch, 5}, -1), ramp({5}, 0.5), 2), -1.5);
  CHECK(fuser->counters().compilations == 1);
  CHECK(fuser->counters().fallbacks == 0);
  checkTanh(run(*group, parsed.context, ramp({4, 4}, 1), ramp({4, 1}, 0), 3), 3); // one number a row: another class
  CHECK(fuser->counters().compilations == 2);
}

/// An allocator that the host of the process chose for its own use of LLVM.
static llvm::FunctionPass *createHostsAllocator() { return llvm::createGreedyRegisterAllocator(); }

TEST_CASE("FuserCPU: LLVM's register allocator is the host's before, during and after compilation") {
  auto before = llvm::RegisterRegAlloc::getDefault();
  llvm::RegisterRegAlloc::setDefault(createHostsAllocator);
  std::atomic<bool> done = false;
  bool isHosts = true;
  std::thread watcher([&] {
    while (!done)
      isHosts &= llvm::RegisterRegAlloc::getDefault() == createHostsAllocator;
  });
  Parsed parsed(scaledTanh);
  auto fuser = makeFuser(CompileMode::Eager);
  checkTanh(run(*fuser->get(*parsed.graph), parsed.context, ramp({2, 5}, -1), ramp({5}, 0.5), 2), -1.5);
  CHECK(fuser->counters().compilations == 1);
  done = true;
  watcher.join();
  CHECK(isHosts);
  if (before) // LLVM has no choice before its first use, and cannot do without one afterwards
    llvm::RegisterRegAlloc::setDefault(before);
}

TEST_CASE("FuserCPU: a group that was first run on a small stack is compiled by the next call on a large one") {
  Parsed parsed(scaledTanh);
  CpuFuserOptions options;
  options.mode = CompileMode::Eager;
  options.cacheFolder = "";
  std::vector<std::string> reports;
  options.report = [&](const Status &why) { reports.push_back(messageOf(why).str()); };
  std::shared_ptr<Fuser> fuser = createCpuFuser(options);
  std::shared_ptr<FusedGroup> group = fuser->get(*parsed.graph);
  REQUIRE(group);
  CallContext call(parsed.context);
  IValue inputs[] = {IValue(ramp({2, 5}, -1)), IValue(ramp({5}, 0.5)), IValue(2.0)};
  auto callOn = [&](size_t stackBytes) {
    struct Task {
      FusedGroup &group;
      CallContext &call;
      const IValue *pointers[3];
      IValue result;
      StatusOr<bool> ran;
    } task{*group, call, {&inputs[0], &inputs[1], &inputs[2]}, IValue(), false};
    pthread_attr_t attributes;
    pthread_t thread;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, stackBytes) == 0);
    REQUIRE(pthread_create(
                &thread, &attributes,
                [](void *data) -> void * {
                  auto &task = *static_cast<Task *>(data);
                  task.ran = task.group.run(task.call, task.pointers, &task.result);
                  return nullptr;
                },
                &task) == 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    REQUIRE(task.ran.ok());
    return *task.ran;
  };
  CHECK(!callOn(128 << 10));
  CHECK(!callOn(160 << 10));
  CHECK(reports.size() == 1);
  CHECK(callOn(8 << 20));
  CHECK(callOn(128 << 10)); // the code is there
  CHECK(fuser->counters().compilations == 1);
}

#if !TSC_HAS_THREAD_SANITIZER
TEST_CASE("FuserCPU: the child of a fork beside a long compilation does not wait for it") {
  // In a process of its own, where nothing was compiled yet, a compilation holds the code generator from its beginning.
  std::string body;
  std::string last = "%x";
  for (int i = 0; i != 600; ++i) {
    const std::string next = "%t" + std::to_string(i);
    body += "  " + next + " : Tensor = aten::" + (i % 2 ? "tanh" : "exp") + "(" + last + ")\n";
    last = next;
  }
  Parsed large("graph(%x : Tensor, %y : Tensor, %n : float):\n" + body + "  return (" + last + ")\n"),
      small(scaledTanh);
  auto compiling = makeFuser(CompileMode::Eager), other = makeFuser(CompileMode::Eager);
  std::shared_ptr<FusedGroup> group = compiling->get(*large.graph), childs = other->get(*small.graph),
                              beside = compiling->get(*small.graph);
  REQUIRE(group);
  REQUIRE(childs);
  REQUIRE(beside);
  std::atomic<bool> isDone{false};
  std::thread thread([&] {
    run(*group, large.context, ramp({4}, 0), ramp({4}, 0), 1);
    isDone = true;
  });
  std::vector<pid_t> children;
  for (int i = 0; i != 10 && !isDone; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const pid_t child = fork();
    if (child == 0) {
      alarm(30);
      // Fused or not: it ends.
      for (FusedGroup *each : {childs.get(), beside.get()})
        run(*each, small.context, ramp({2, 5}, -1), ramp({5}, 0.5), 2);
      _exit(0);
    }
    children.push_back(child);
  }
  thread.join();
  for (pid_t child : children) {
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  }
  checkTanh(run(*childs, small.context, ramp({2, 5}, -1), ramp({5}, 0.5), 2), -1.5); // the parent compiles as before
}
#endif

TEST_CASE("FuserCPU: the text of kernels goes to the host") {
  Parsed parsed(scaledTanh);
  CpuFuserOptions options;
  options.mode = CompileMode::Eager;
  options.cacheFolder = "";
  std::string text;
  options.printed = [&](llvm::StringRef kernel) { text += kernel; };
  SECTION("as loops") {
    options.printKernels = PrintKernels::Loops;
    run(*createCpuFuser(options)->get(*parsed.graph), parsed.context, ramp({2, 5}, -1), ramp({5}, 0.5), 2);
    CHECK(llvm::StringRef(text).starts_with("# "));
    CHECK(llvm::StringRef(text).contains("tanh"));
  }
  SECTION("as LLVM's IR") {
    options.printKernels = PrintKernels::LLVM;
    run(*createCpuFuser(options)->get(*parsed.graph), parsed.context, ramp({2, 5}, -1), ramp({5}, 0.5), 2);
    CHECK(llvm::StringRef(text).contains("define "));
  }
  SECTION("not unless it is asked for") {
    run(*createCpuFuser(options)->get(*parsed.graph), parsed.context, ramp({2, 5}, -1), ramp({5}, 0.5), 2);
    CHECK(text == "");
  }
}

TEST_CASE("FuserCPU: equal groups share their code, also those of other graphs") {
  Parsed first(scaledTanh), second(R"(
graph(%b : float, %v : Tensor, %w : Tensor):
  %k : int = prim::Constant[value=1]()
  %p : Tensor = aten::mul(%w, %b)
  %q : Tensor = aten::add(%p, %v, %k)
  %r : Tensor = aten::tanh(%q)
  return (%r)
)");
  auto fuser = makeFuser(CompileMode::Eager);
  auto a = fuser->get(*first.graph), b = fuser->get(*second.graph);
  CHECK(a == fuser->get(*first.graph));
  run(*a, first.context, ramp({8}, 0), ramp({8}, 1), 2);
  CallContext call(second.context);
  IValue inputs[] = {IValue(2.0), IValue(ramp({8}, 1)), IValue(ramp({8}, 0))}, result;
  const IValue *pointers[] = {&inputs[0], &inputs[1], &inputs[2]};
  REQUIRE(*b->run(call, pointers, &result));
  checkTanh(result.toTensor(), 1);
  CHECK(fuser->counters().compilations <= 2); // the order of operands may differ
}

TEST_CASE("FuserCPU: in the background no call waits") {
  Parsed parsed(scaledTanh);
  auto fuser = makeFuser(CompileMode::Background);
  auto group = fuser->get(*parsed.graph);
  CHECK_FALSE(run(*group, parsed.context, ramp({8}, 0), ramp({8}, 0.5), 2).defined());
  CHECK(fuser->counters().fallbacks == 1);
  fuser->finishCompiling();
  checkTanh(run(*group, parsed.context, ramp({8}, 0), ramp({8}, 0.5), 2), 0.5);
}

TEST_CASE("FuserCPU: without compilation there is no group") {
  Parsed parsed(scaledTanh);
  CHECK_FALSE(makeFuser(CompileMode::Off)->get(*parsed.graph));
}

TEST_CASE("FuserCPU: eight threads call while code is made and plans are exchanged") {
  Parsed parsed(scaledTanh);
  auto fuser = makeFuser(CompileMode::Background);
  auto group = fuser->get(*parsed.graph);
  std::atomic<unsigned> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t != 8; ++t)
    threads.emplace_back([&, t] {
      CallContext call(parsed.context);
      for (int i = 0; i != 200; ++i) {
        int64_t size = 1 + (i + t) % 40;
        Tensor x = *Tensor::full({size}, Scalar(0.25), DType::Float),
               y = *Tensor::full({size}, Scalar(0.5), DType::Float);
        IValue inputs[] = {IValue(x), IValue(y), IValue(2.0)}, result;
        const IValue *pointers[] = {&inputs[0], &inputs[1], &inputs[2]};
        auto ran = group->run(call, pointers, &result);
        if (!ran.ok() || (*ran && std::abs(result.asTensor().at(size - 1).toDouble() - std::tanh(1.0)) > 1e-6))
          ++wrong;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
  fuser->finishCompiling();
  CHECK(fuser->counters().compilations <= 2);
}

// LLVM's choice of a register allocator is one for the process; the thread sanitizer sees whether they share it.
TEST_CASE("FuserCPU: several fusers compile at once") {
  std::vector<std::unique_ptr<Parsed>> parsed;
  for (int t = 0; t != 4; ++t)
    parsed.push_back(std::make_unique<Parsed>(scaledTanh));
  std::atomic<unsigned> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&, t] {
      auto fuser = makeFuser(CompileMode::Eager);
      auto group = fuser->get(*parsed[t]->graph);
      CallContext call(parsed[t]->context);
      IValue inputs[] = {IValue(ramp({8}, 0.25)), IValue(ramp({8}, 0.5)), IValue(2.0)}, result;
      const IValue *pointers[] = {&inputs[0], &inputs[1], &inputs[2]};
      auto ran = group->run(call, pointers, &result);
      right += ran.ok() && *ran && std::abs(result.asTensor().at(0).toDouble() - std::tanh(1.0)) < 1e-6;
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(right == 4);
}

/// A plan is made for the slice, whichever it is: a loop over a sequence plans once.
TEST_CASE(
    "FuserCPU: what is selected at an index that changes is read there, and outside is the operator's to refuse") {
  Parsed parsed(R"(
graph(%x : Tensor, %k : int):
  %d : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %s : Tensor = aten::select(%x, %d, %k)
  %a : Tensor = aten::add(%s, %s, %1)
  %b : Tensor = aten::neg(%a)
  return (%b)
)");
  auto fuser = makeFuser(CompileMode::Eager);
  auto group = fuser->get(*parsed.graph);
  REQUIRE(group);
  Tensor x = ramp({40, 8}, 0);
  CallContext call(parsed.context);
  for (int64_t k = -40; k != 40; ++k) {
    IValue inputs[] = {IValue(x), IValue(k)}, result;
    const IValue *pointers[] = {&inputs[0], &inputs[1]};
    auto ran = group->run(call, pointers, &result);
    REQUIRE(ran.ok());
    REQUIRE(*ran);
    const int64_t row = k < 0 ? k + 40 : k;
    for (int64_t i = 0; i != 8; ++i)
      CHECK(result.asTensor().at(i).toDouble() == -2 * x.at(8 * row + i).toDouble());
    CHECK(group->bytesRead(pointers) == 32);
  }
  CHECK(fuser->counters().compilations == 1);
  CHECK(fuser->counters().fallbacks == 0);
  for (int64_t outside : {40, -41}) {
    IValue inputs[] = {IValue(x), IValue(outside)}, result;
    const IValue *pointers[] = {&inputs[0], &inputs[1]};
    auto ran = group->run(call, pointers, &result);
    REQUIRE(ran.ok());
    CHECK(!*ran);
  }
}

TEST_CASE("FuserCPU: inputs that are one tensor, or overlap") {
  Parsed parsed(scaledTanh);
  auto fuser = makeFuser(CompileMode::Eager);
  auto group = fuser->get(*parsed.graph);
  Tensor x = ramp({9}, 0);
  checkTanh(run(*group, parsed.context, x, x, 2), 0);
  Tensor shifted = x.alias({8}, {1}, 1);
  checkTanh(run(*group, parsed.context, x.alias({8}, {1}, 0), shifted, 2), 0.25);
}

TEST_CASE("FuserCPU: a second fuser finds kernels on disk") {
  Folder folder;
  Parsed parsed(scaledTanh);
  auto runOnce = [&] {
    auto fuser = makeFuser(CompileMode::Eager, folder.str());
    checkTanh(run(*fuser->get(*parsed.graph), parsed.context, ramp({8}, 0), ramp({8}, 0.5), 2), 0.5);
    return std::pair(fuser->counters().compilations.load(), fuser->counters().diskHits.load());
  };
  CHECK(runOnce() == std::pair<uint64_t, uint64_t>(1, 0));
  CHECK(runOnce() == std::pair<uint64_t, uint64_t>(0, 1));
  std::vector<std::string> files = folder.files();
  REQUIRE(files.size() == 1);

  SECTION("a damaged file is replaced") {
    std::error_code error;
    uint64_t size = 0;
    REQUIRE(!fs::file_size(files[0], size));
    {
      llvm::raw_fd_ostream os(files[0], error, fs::CD_OpenExisting, fs::FA_Write, fs::OF_None);
      os.seek(size / 2);
      os << "damage";
    }
    CHECK(runOnce() == std::pair<uint64_t, uint64_t>(1, 0));
    CHECK(runOnce() == std::pair<uint64_t, uint64_t>(0, 1));
  }
  SECTION("so is one that ends early") {
    int descriptor;
    REQUIRE(!fs::openFileForReadWrite(files[0], descriptor, fs::CD_OpenExisting, fs::OF_None));
    REQUIRE(!fs::resize_file(descriptor, 100));
    REQUIRE(!fs::closeFile(descriptor));
    CHECK(runOnce() == std::pair<uint64_t, uint64_t>(1, 0));
    CHECK(runOnce() == std::pair<uint64_t, uint64_t>(0, 1));
  }
  SECTION("so is one of another kernel under its name") {
    Parsed other(R"(
graph(%x : Tensor):
  %a : Tensor = aten::relu(%x)
  %b : Tensor = aten::neg(%a)
  return (%b)
)");
    {
      auto fuser = makeFuser(CompileMode::Eager, folder.str());
      CallContext call(other.context);
      IValue input(ramp({8}, 0)), result;
      const IValue *pointer = &input;
      REQUIRE(*fuser->get(*other.graph)->run(call, pointer, &result));
    }
    for (const std::string &file : folder.files())
      if (file != files[0])
        REQUIRE(!fs::rename(file, files[0]));
    CHECK(runOnce() == std::pair<uint64_t, uint64_t>(1, 0));
    CHECK(runOnce() == std::pair<uint64_t, uint64_t>(0, 1));
  }
  SECTION("so is one that is no file of ours") {
    std::error_code error;
    llvm::raw_fd_ostream(files[0], error) << "not a kernel";
    CHECK(runOnce() == std::pair<uint64_t, uint64_t>(1, 0));
  }
  SECTION("so is what is no file and has no end") {
    REQUIRE(!fs::remove(files[0]));
    REQUIRE(mkfifo(files[0].c_str(), 0600) == 0);
    CHECK(runOnce() == std::pair<uint64_t, uint64_t>(1, 0));
    CHECK(runOnce() == std::pair<uint64_t, uint64_t>(0, 1));
    REQUIRE(!fs::remove(files[0]));
    REQUIRE(symlink("/dev/zero", files[0].c_str()) == 0);
    CHECK(runOnce() == std::pair<uint64_t, uint64_t>(1, 0));
  }
  SECTION("a folder that others may write to is not trusted") {
    REQUIRE(!fs::setPermissions(folder.str(), fs::all_all));
    CHECK(runOnce() == std::pair<uint64_t, uint64_t>(1, 0));
  }
}

/// relu(x) and `terms` times x.
static std::string manyTerms(unsigned terms) {
  std::string text = "graph(%x : Tensor):\n  %one : int = prim::Constant[value=1]()\n  %v0 : Tensor = aten::relu(%x)\n";
  for (unsigned i = 1; i <= terms; ++i)
    text += "  %v" + std::to_string(i) + " : Tensor = aten::add(%v" + std::to_string(i - 1) + ", %x, %one)\n";
  return text + "  return (%v" + std::to_string(terms) + ")\n";
}

TEST_CASE("FuserCPU: the folder of kernels is bounded, and files that are not the cache's stay") {
  Folder folder;
  std::string foreign[] = {folder.str() + "/notes.txt", folder.str() + "/new-notes",
                           folder.str() + "/0123456789abcdef0123456789abcde"};
  for (const std::string &path : foreign) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << std::string(100000, '.');
    REQUIRE(!error);
  }
  CpuFuserOptions options;
  options.mode = CompileMode::Eager;
  options.cacheFolder = folder.str();
  options.maxCacheBytes = 16384;
  constexpr unsigned numKernels = 16;
  for (unsigned i = 1; i <= numKernels; ++i) {
    Parsed parsed(manyTerms(i));
    auto fuser = createCpuFuser(options);
    CallContext call(parsed.context);
    IValue input(ramp({8}, 1)), result;
    const IValue *pointer = &input;
    REQUIRE(*fuser->get(*parsed.graph)->run(call, pointer, &result));
    CHECK(fuser->counters().compilations == 1);
  }
  uint64_t total = 0;
  std::vector<std::string> files = folder.files();
  for (const std::string &file : files) {
    uint64_t size = 0;
    REQUIRE(!fs::file_size(file, size));
    total += llvm::is_contained(foreign, file) ? 0 : size;
  }
  for (const std::string &path : foreign)
    CHECK(llvm::is_contained(files, path));
  CHECK(total <= options.maxCacheBytes);
  CHECK(files.size() > std::size(foreign) + 1);
  CHECK(files.size() < numKernels);
}

TEST_CASE("FuserCPU: what is on disk costs none of the budget") {
  Folder folder;
  auto compiled = [&](std::initializer_list<unsigned> kernels, uint64_t budget) {
    CpuFuserOptions options;
    options.mode = CompileMode::Eager;
    options.cacheFolder = folder.str();
    options.maxCompileMicros = budget;
    auto fuser = createCpuFuser(options);
    for (unsigned terms : kernels) {
      Parsed parsed(manyTerms(terms));
      CallContext call(parsed.context);
      IValue input(ramp({8}, 1)), result;
      const IValue *pointer = &input;
      REQUIRE(fuser->get(*parsed.graph)->run(call, pointer, &result).ok());
    }
    return fuser->counters().compilations.load();
  };
  CHECK(compiled({1, 2}, std::numeric_limits<uint64_t>::max()) == 2);
  CHECK(compiled({1, 2, 3, 4}, 1) == 1); // the third spends it
}

TEST_CASE("FuserCPU: kernels of one level of vector instructions are not found for another") {
  if (!machineHas(SimdLevel::V4))
    return;
  Folder folder;
  Parsed parsed(scaledTanh);
  auto countHits = [&](SimdLevel level) {
    CpuFuserOptions options;
    options.mode = CompileMode::Eager;
    options.cacheFolder = folder.str();
    options.simd = level;
    auto fuser = createCpuFuser(options);
    checkTanh(run(*fuser->get(*parsed.graph), parsed.context, ramp({2, 5}, -1), ramp({5}, 0.5), 2), -1.5);
    return fuser->counters().diskHits.load();
  };
  CHECK(countHits(SimdLevel::V4) == 0);
  CHECK(countHits(SimdLevel::V3) == 0);
  CHECK(folder.files().size() == 2);
  CHECK(countHits(SimdLevel::V4) == 1);
  CHECK(countHits(SimdLevel::V3) == 1);
}

/// Whether a group of so many terms runs as compiled code, and not as its plain nodes.
static bool runsAsCode(Fuser &fuser, unsigned terms) {
  Parsed parsed(manyTerms(terms));
  CallContext call(parsed.context);
  IValue input(ramp({8}, 1)), result;
  const IValue *pointer = &input;
  auto ran = fuser.get(*parsed.graph)->run(call, pointer, &result);
  REQUIRE(ran.ok());
  return *ran;
}

TEST_CASE(
    "FuserCPU: a level of vector instructions that the machine lacks is reported, and groups run as plain nodes") {
  const SimdLevel missing = machineHas(SimdLevel::Neon) ? SimdLevel::V3 : SimdLevel::Neon;
  CpuFuserOptions options;
  options.mode = CompileMode::Eager;
  options.cacheFolder = "";
  options.simd = missing;
  std::string reported;
  options.report = [&](const Status &why) { reported += messageOf(why); };
  auto fuser = createCpuFuser(options);
  CHECK_FALSE(runsAsCode(*fuser, 2));
  CHECK(llvm::StringRef(reported).starts_with("this machine has no vector instructions of level"));
}

TEST_CASE("FuserCPU: that there is no code for this processor is reported once") {
  std::atomic<int> reports{0};
  CpuFuserOptions options;
  options.mode = CompileMode::Eager;
  options.cacheFolder = "";
  options.tuneFor = "nonesuch";
  options.report = [&](const Status &) { ++reports; };
  auto fuser = createCpuFuser(options);
  for (unsigned terms : {1, 2, 3})
    CHECK_FALSE(runsAsCode(*fuser, terms));
  CHECK(reports == 1);
}

TEST_CASE("FuserCPU: an operator without vector code leaves its group to the plain nodes, without a word") {
  Parsed parsed(R"(
graph(%x : Tensor):
  %n : int = prim::Constant[value=2]()
  %a : Tensor = aten::polygamma(%n, %x)
  %b : Tensor = aten::neg(%a)
  return (%b)
)");
  std::atomic<int> reports{0};
  for (CompileMode mode : {CompileMode::Eager, CompileMode::Background}) {
    reports = 0;
    CpuFuserOptions options;
    options.mode = mode;
    options.cacheFolder = "";
    options.report = [&](const Status &) { ++reports; };
    auto fuser = createCpuFuser(options);
    auto group = fuser->get(*parsed.graph);
    REQUIRE(group);
    CallContext call(parsed.context);
    for (int i = 0; i != 3; ++i) {
      IValue input(ramp({8}, 1)), result;
      const IValue *pointer = &input;
      auto ran = group->run(call, pointer, &result);
      REQUIRE(ran.ok());
      CHECK_FALSE(*ran);
      fuser->finishCompiling();
    }
    CHECK(reports == 0);
    CHECK(fuser->counters().fallbacks == 3);
  }
}
