//===- KernelCache.cpp - Machine code by loop nest ------------------------===//
#include "KernelCache.h"
#include "tsc/Support/Trace.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/resource.h>
#include <time.h>

using namespace tsc;
using namespace tsc::fuser;

KernelCache::KernelCache(const CpuFuserOptions &options, FuserCounters &counters)
    : options(options), counters(counters), worker("kernels", options.trace) {}

Jit *KernelCache::jit() {
  std::call_once(jitMade, [this] {
    auto made = Jit::create(options);
    jitStatus = made.status();
    if (!made.ok())
      return;
    machine = std::move(*made);
    std::string folder = options.cacheFolder.value_or(defaultCacheFolder());
    disk = std::make_unique<DiskCache>(std::move(folder), machine->identity(), options.maxCacheBytes);
  });
  return machine.get();
}

Kernel *KernelCache::find(LoopNest nest) {
  std::string text = nest.text();
  std::lock_guard<std::mutex> guard(lock);
  std::unique_ptr<Kernel> &kernel = kernels[text];
  if (kernel) {
    counters.cacheHits.fetch_add(1, std::memory_order_relaxed);
  } else {
    kernel = std::make_unique<Kernel>();
    kernel->name = nest.symbolName();
    kernel->nest = std::move(nest);
  }
  return kernel.get();
}

void KernelCache::request(llvm::ArrayRef<Kernel *> wanted) {
  if (options.mode == CompileMode::Off)
    return;
  std::vector<Kernel *> missing;
  for (Kernel *kernel : wanted)
    if (!kernel->requested.exchange(true))
      missing.push_back(kernel);
  if (options.mode == CompileMode::Eager) {
    if (!missing.empty())
      compile(missing);
    return;
  }
  if (missing.empty())
    return;
  {
    std::lock_guard<std::mutex> guard(lock);
    waiting.insert(waiting.end(), missing.begin(), missing.end());
  }
  // Without a thread they wait, and their groups run as plain nodes, until a later request finds one.
  (void)worker.post([this] { compileWaiting(); });
}

/// All that wait become one module; the tasks of those that came along find nothing to do.
void KernelCache::compileWaiting() {
  std::vector<Kernel *> batch;
  {
    std::lock_guard<std::mutex> guard(lock);
    batch = std::exchange(waiting, {});
  }
  if (!batch.empty())
    compile(batch);
}

void KernelCache::drain() { worker.drain(); }

void KernelCache::give(Kernel &kernel, KernelFunction function) {
  kernel.function.store(function, std::memory_order_release);
  print(kernel);
}

std::vector<Kernel *> KernelCache::loadFromDisk(llvm::ArrayRef<Kernel *> wanted) {
  std::vector<Kernel *> missing;
  std::lock_guard<std::mutex> guard(diskLock);
  for (Kernel *kernel : wanted) {
    if (kernel->function) // came along with another
      continue;
    std::string text = kernel->nest.text();
    auto stored = disk->load(text);
    auto functions = stored ? machine->link(stored->object) : StatusOr<std::vector<KernelFunction>>(notFound(""));
    if (!functions.ok()) {
      missing.push_back(kernel);
      continue;
    }
    for (auto [nest, function] : llvm::zip(stored->nests, *functions)) {
      auto isNest = [&nest](Kernel *k) { return k->nest.text() == nest; };
      auto found = llvm::find_if(wanted, isNest);
      if (found == wanted.end() || (*found)->function)
        continue;
      give(**found, function);
      ++counters.diskHits;
    }
  }
  return missing;
}

Status KernelCache::generate(llvm::ArrayRef<Kernel *> batch) {
  std::string names;
  for (Kernel *kernel : batch)
    names += (names.empty() ? "" : ", ") + kernel->name;
  TraceScope span(options.trace, "compile", names);
  StoredKernels made;
  std::vector<const LoopNest *> nests;
  for (Kernel *kernel : batch) {
    nests.push_back(&kernel->nest);
    made.nests.push_back(kernel->nest.text());
  }
  TSC_ASSIGN_OR_RETURN(made.object, machine->compile(nests));
  TSC_ASSIGN_OR_RETURN(std::vector<KernelFunction> functions, machine->link(made.object));
  for (auto [kernel, function] : llvm::zip(batch, functions))
    give(*kernel, function); // null for an operator without vector code: its group always runs as plain nodes
  counters.compilations += batch.size();
  std::lock_guard<std::mutex> guard(diskLock);
  disk->store(made);
  return okStatus();
}

/// Of the processor, for this thread.
static uint64_t microsSpent() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000 + static_cast<uint64_t>(now.tv_nsec) / 1000;
}

/// LLVM ends the process where it gets no memory: in the last of a limited address space nothing is compiled.
static bool hasRoomToCompile() {
  constexpr uint64_t room = 32 << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return true;
  uint64_t pages = 0;
  auto file = llvm::MemoryBuffer::getFileAsStream("/proc/self/statm");
  llvm::StringRef text = file ? (*file)->getBuffer() : "";
  if (text.consumeInteger(10, pages))
    return true;
  return pages * llvm::sys::Process::getPageSizeEstimate() + room <= limit.rlim_cur;
}

void KernelCache::compile(llvm::ArrayRef<Kernel *> batch) {
  if (!hasRoomToCompile()) {
    std::call_once(roomReported,
                   [this] { report(resourceExhausted("too little address space is left to compile kernels")); });
    return;
  }
  if (!jit()) {
    std::call_once(jitReported, [this] { report(jitStatus); });
    return;
  }
  std::vector<Kernel *> missing = loadFromDisk(batch);
  if (missing.empty() || counters.compileMicros >= options.maxCompileMicros)
    return;
  uint64_t start = microsSpent();
  if (Status status = generate(missing); !status.ok())
    report(status);
  counters.compileMicros += microsSpent() - start;
}

void KernelCache::report(const Status &why) {
  if (options.report)
    options.report(why);
}

void KernelCache::print(const Kernel &kernel) {
  if (options.printKernels == PrintKernels::None || !options.printed)
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "# " << kernel.name << "\n";
  if (options.printKernels == PrintKernels::Loops) {
    kernel.nest.print(os);
  } else {
    auto code = jit()->printed(kernel.nest, options.printKernels == PrintKernels::Asm);
    os << (code.ok() ? llvm::StringRef(*code) : messageOf(code.status())) << "\n";
  }
  options.printed(text);
}
