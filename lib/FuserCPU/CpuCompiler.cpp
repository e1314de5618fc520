//===- CpuCompiler.cpp - Machine code of kernels --------------------------===//
#include "CpuCompiler.h"
#include "tsc/Support/Stack.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/resource.h>

using namespace tsc;
using namespace tsc::fuser;

/// Where LLVM's code generator gets no memory, it is not used again: in the last of a limited address space nothing is
/// compiled.
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

Status CpuCompiler::prepare() {
  constexpr size_t stackOfLlvm = 256 << 10;
  TSC_RETURN_IF_ERROR(checkStack(stackOfLlvm, "generating code"));
  if (!hasRoomToCompile())
    return resourceExhausted("too little address space is left to compile kernels");
  std::call_once(made, [this] {
    const SimdLevel level = options.simd.value_or(simdLevel());
    machineStatus = checkMachineHas(level);
    if (!machineStatus.ok())
      return;
    auto compiler = NestCompiler::create(codegen::CodeTarget::host(level, options.tuneFor));
    machineStatus = compiler.status();
    if (!compiler.ok())
      return;
    nestCompiler = std::move(*compiler);
    jit = std::make_unique<Jit>(options.perfMap ? ListInPerfMap::Yes : ListInPerfMap::No);
    const std::string folder = options.cacheFolder ? *options.cacheFolder : defaultCacheFolder();
    disk = std::make_unique<DiskCache>(folder, nestCompiler->target().key(), options.maxCacheBytes);
    if (!disk->refusal().ok() && options.report)
      options.report(disk->refusal());
  });
  return machineStatus;
}

void CpuCompiler::give(Kernel &kernel, KernelFunction function) {
  kernel.code.store(reinterpret_cast<const void *>(function), std::memory_order_release);
  print(kernel);
}

std::vector<Kernel *> CpuCompiler::load(llvm::ArrayRef<Kernel *> wanted) {
  assert(nestCompiler && jit && disk && "prepare() has succeeded");
  if (diskLock.isLost())
    return wanted.vec();
  std::vector<Kernel *> missing;
  std::lock_guard<LosableMutex> guard(diskLock);
  for (Kernel *kernel : wanted) {
    if (kernel->code) // came along with another
      continue;
    std::string text = kernel->nest.text();
    auto stored = disk->load(text);
    auto functions = stored ? jit->link(stored->object) : StatusOr<std::vector<KernelFunction>>(notFound(""));
    if (!functions.ok()) {
      missing.push_back(kernel);
      continue;
    }
    for (auto [nest, function] : llvm::zip(stored->nests, *functions)) {
      auto isNest = [&nest](Kernel *k) { return k->nest.text() == nest; };
      auto found = llvm::find_if(wanted, isNest);
      if (found == wanted.end() || (*found)->code)
        continue;
      give(**found, function);
      ++counters.diskHits;
    }
  }
  return missing;
}

Status CpuCompiler::generate(llvm::ArrayRef<Kernel *> batch) {
  assert(nestCompiler && jit && disk && "prepare() has succeeded");
  assert(!batch.empty() && "there is something to compile");
  StoredKernels made;
  std::vector<const LoopNest *> nests;
  for (Kernel *kernel : batch) {
    nests.push_back(&kernel->nest);
    made.nests.push_back(kernel->nest.text());
  }
  TSC_ASSIGN_OR_RETURN(made.object, nestCompiler->compile(nests));
  TSC_ASSIGN_OR_RETURN(std::vector<KernelFunction> functions, jit->link(made.object));
  for (auto [kernel, function] : llvm::zip(batch, functions))
    give(*kernel, function); // null for an operator without vector code: its group always runs as plain nodes
  if (diskLock.isLost())
    return okStatus();
  std::lock_guard<LosableMutex> guard(diskLock);
  disk->store(made);
  return okStatus();
}

void CpuCompiler::print(const Kernel &kernel) {
  if (options.printKernels == PrintKernels::None || !options.printed)
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "# " << kernel.name << "\n";
  if (options.printKernels == PrintKernels::Loops) {
    kernel.nest.print(os);
  } else {
    auto code = nestCompiler->printed(kernel.nest, options.printKernels == PrintKernels::Asm);
    os << (code.ok() ? llvm::StringRef(*code) : messageOf(code.status())) << "\n";
  }
  options.printed(text);
}
