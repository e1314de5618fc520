//===- CudaCompiler.cpp - Kernels on a device -----------------------------===//
#include "CudaCompiler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;
using namespace tsc::fuser;

CudaCompiler::~CudaCompiler() {
  for (CuModule module : modules)
    (void)context.unload(module); // what fails here has no reader
}

/// From sm_100 on full effort takes longer over point-wise kernels: the least leaves the wide accesses as they are
/// written. Folds need the full effort, which alone reads several elements at
/// a time.
Nvrtc::Effort fuser::effortFor(llvm::StringRef architecture, llvm::ArrayRef<const LoopNest *> nests) {
  unsigned number = 0;
  const bool isLater = !architecture.drop_front(3).getAsInteger(10, number) && number >= 100;
  const bool foldsAny = llvm::any_of(nests, [](const LoopNest *nest) {
    return llvm::any_of(nest->steps, [](const NestStep &step) { return step.kind == NestStep::Fold; });
  });
  return isLater && !foldsAny ? Nvrtc::Effort::Least : Nvrtc::Effort::Full;
}

Status CudaCompiler::generate(llvm::ArrayRef<Kernel *> kernels) {
  std::vector<const LoopNest *> nests;
  std::vector<std::string> names;
  for (Kernel *kernel : kernels) {
    nests.push_back(&kernel->nest);
    names.push_back(kernel->name);
  }
  EmittedProgram program = emitProgram(nests, names);
  Status missing = okStatus(); // the groups of these always run as plain nodes
  if (!program.missing.empty())
    missing = unimplemented("there is no CUDA code for " + llvm::join(program.missing, ", "));
  if (llvm::none_of(program.hasCode, [](bool has) { return has; }))
    return missing;
  TSC_ASSIGN_OR_RETURN(std::string image, nvrtc.compile(program.text, context.architecture(), Nvrtc::Output::Cubin,
                                                        effortFor(context.architecture(), nests)));
  StoredKernels made;
  std::vector<Kernel *> there;
  for (size_t i = 0; i != kernels.size(); ++i)
    if (program.hasCode[i]) {
      there.push_back(kernels[i]);
      made.nests.push_back(nests[i]->text());
      made.object.symbols.push_back(names[i]);
    }
  TSC_RETURN_IF_ERROR(give(image, there, made.object.symbols));
  made.object.bytes = std::move(image);
  disk.store(made);
  return missing;
}

Status CudaCompiler::give(const std::string &image, llvm::ArrayRef<Kernel *> kernels,
                          llvm::ArrayRef<std::string> symbols) {
  TSC_ASSIGN_OR_RETURN(CuModule module, context.load(image));
  std::lock_guard<std::mutex> guard(lock);
  modules.push_back(module);
  for (auto [kernel, symbol] : llvm::zip(kernels, symbols)) {
    auto code = std::make_unique<Code>();
    TSC_ASSIGN_OR_RETURN(code->entries[0], context.find(module, symbol));
    if (kernel->nest.foldMode != FoldMode::Rows) {
      TSC_ASSIGN_OR_RETURN(code->entries[1], context.find(module, symbol + "_combine"));
    }
    kernel->code.store(code.get(), std::memory_order_release);
    codes.push_back(std::move(code));
  }
  return okStatus();
}

std::vector<Kernel *> CudaCompiler::load(llvm::ArrayRef<Kernel *> wanted) {
  std::vector<Kernel *> missing;
  for (Kernel *kernel : wanted) {
    if (kernel->isReady()) // came along with another
      continue;
    const std::optional<StoredKernels> stored = disk.load(kernel->nest.text());
    std::vector<Kernel *> there;
    std::vector<std::string> symbols;
    if (stored)
      for (auto [nest, symbol] : llvm::zip(stored->nests, stored->object.symbols)) {
        auto found = llvm::find_if(wanted, [&nest](Kernel *k) { return !k->isReady() && k->nest.text() == nest; });
        if (found != wanted.end())
          there.push_back(*found), symbols.push_back(symbol);
      }
    if (!stored || !give(stored->object.bytes, there, symbols).ok())
      missing.push_back(kernel);
    else
      counters.diskHits += there.size();
  }
  return missing;
}

DriverContext::Configuration CudaCompiler::configuration(const Kernel &kernel, Entry entry, unsigned units,
                                                         unsigned threads, ArrayRef<uint64_t> params) const {
  constexpr unsigned threadsOfMultiprocessor = 2048;
  const unsigned most =
      static_cast<unsigned>(context.multiprocessors()) * std::max(1u, threadsOfMultiprocessor / threads);
  const auto *code = static_cast<const Code *>(kernel.code.load(std::memory_order_acquire));
  return {code->entries[static_cast<size_t>(entry)], std::clamp(units, 1u, most), threads, params};
}

Status CudaCompiler::launch(const Kernel &kernel, Entry entry, unsigned units, unsigned threads,
                            ArrayRef<uint64_t> params) const {
  return context.launch(configuration(kernel, entry, units, threads, params));
}
