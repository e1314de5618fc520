//===- FuserCUDA.cpp - Fusion groups as CUDA kernels ----------------------===//
#include "tsc/FuserCUDA/FuserCUDA.h"
#include "CudaGraphs.h"
#include "tsc/DeviceCUDA/ContextMemory.h"
#include "tsc/DeviceCUDA/LaunchSequences.h"
#include "tsc/DeviceCUDA/Nccl.h"
#include "tsc/Fusion/GroupFuser.h"
#include "tsc/KernelsCUDA/CudaKernels.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;
using namespace tsc::fuser;

namespace {
class Implementation final : public CudaGpu, public Fuser, public std::enable_shared_from_this<Implementation> {
public:
  Implementation(const CudaFuserOptions &options, std::unique_ptr<DriverContext> context, std::unique_ptr<Nvrtc> nvrtc)
      : context(std::move(context)), nvrtc(std::move(nvrtc)), contextMemory(*this->context, options.device),
        options(options), disk(options.cacheFolder.value_or(defaultCacheFolder()), identity(), options.maxCacheBytes),
        kernels(*this->context, *this->nvrtc, disk, contextMemory,
                {options.cublasLt, options.cudnn, options.headers, options.mode != CompileMode::Off}),
        compiler(*this->context, *this->nvrtc, disk, counts),
        graphs(std::make_shared<CudaGraphs>(*this->context, compiler, counts)),
        device(contextMemory, compiler, this->context->multiprocessors(), graphs),
        groups(device, compiler, {options.mode, options.maxCompileMicros, options.trace, options.report}, counts,
               options.refused),
        sequences(*this->context, counts) {
    contextMemory.follow(&sequences);
    if (!disk.refusal().ok() && options.report)
      options.report(disk.refusal());
  }

  ~Implementation() override {
    graphs->close();
    sequences.close();
    contextMemory.follow(nullptr);
  }

  const std::string &name() const override { return context->name(); }
  const std::string &architecture() const override { return context->architecture(); }
  const DeviceMemory &memory() const override { return contextMemory; }
  std::shared_ptr<Fuser> fuser() override { return shared_from_this(); }
  Status synchronize() override { return context->synchronize(); }

  StatusOr<bool> runLibrary(const OpRecord &record, llvm::ArrayRef<const IValue *> args,
                            llvm::MutableArrayRef<IValue> results) override {
    return kernels.run(record, args, results);
  }

  DeviceCollectivesOrWhy collectives() override {
    std::lock_guard<std::mutex> guard(ncclLock);
    if (!nccl)
      nccl.emplace(openNccl(options.nccl, *context));
    TSC_RETURN_IF_ERROR(nccl->status());
    // Whoever uses it keeps the GPU, which it is a part of.
    return std::shared_ptr<DeviceCollectives>(shared_from_this(), (*nccl)->get());
  }

  void beginCall(uint64_t code, TraceRecorder *trace) override { sequences.begin(code, trace); }
  Status endCall() override { return sequences.end(); }

  StatusOr<bool> draw(const RandomDraw &what, const DeviceSeed &seed, const Tensor &result, const Tensor *self,
                      const Tensor *mask) override {
    return kernels.draw(what, seed, result, self, mask);
  }

  std::shared_ptr<FusedGroup> get(const Graph &graph) override { return groups.get(graph); }
  const FuserCounters &counters() const override { return counts; }
  void finishCompiling() override { groups.finishCompiling(); }

private:
  std::string identity() const {
    return "cuda\n" + context->architecture() + "\n" + std::to_string(context->driverVersion()) + "\n" +
           nvrtc->version();
  }

  std::unique_ptr<DriverContext> context;
  std::unique_ptr<Nvrtc> nvrtc;
  ContextMemory contextMemory;
  const CudaFuserOptions options;
  ProgramStore disk;
  CudaKernels kernels;
  FuserCounters counts;
  CudaCompiler compiler;
  const std::shared_ptr<CudaGraphs> graphs; // plans keep it for longer
  CudaDevice device;
  GroupFuser groups; ///< It uses all of the above.
  LaunchSequences sequences;
  std::mutex ncclLock; ///< Guards the next.
  std::optional<StatusOr<std::unique_ptr<DeviceCollectives>>> nccl;
};

/// Plans as a GPU would, and prints.
class Listing final : public Fuser, KernelCompiler, KernelRunner {
public:
  explicit Listing(const CudaListingOptions &options)
      : options(options), device(DeviceMemory::cpu(), *this, /*multiprocessors=*/132),
        groups(device, *this, {CompileMode::Eager, UINT64_MAX, nullptr, {}}, counts) {}

  std::shared_ptr<FusedGroup> get(const Graph &graph) override { return groups.get(graph); }
  const FuserCounters &counters() const override { return counts; }

private:
  Status prepare() override { return okStatus(); }
  std::vector<Kernel *> load(llvm::ArrayRef<Kernel *> wanted) override { return wanted.vec(); }
  Status generate(llvm::ArrayRef<Kernel *> wanted) override {
    for (Kernel *kernel : wanted)
      options.printed("// " + kernel->name + "\n" + textOf(*kernel));
    return okStatus();
  }
  Status launch(const Kernel &, Entry, unsigned, unsigned, ArrayRef<uint64_t>) const override { return okStatus(); }

  std::string textOf(const Kernel &kernel) {
    const LoopNest *nest = &kernel.nest;
    EmittedProgram program = emitProgram(nest, kernel.name);
    if (!program.hasCode[0])
      return "// there is no CUDA code for " + llvm::join(program.missing, ", ") + ": the group runs as plain nodes\n";
    if (options.listing == CudaListing::Source)
      return program.kernels;
    if (options.listing == CudaListing::Program) {
      std::string text;
      for (llvm::StringRef architecture : {"sm_80", "sm_90", "sm_100"})
        text += "// " + llvm::join(Nvrtc::optionsFor(architecture, effortFor(architecture, nest)), " ") + "\n";
      return text + program.text;
    }
    if (!nvrtc) {
      auto opened = Nvrtc::open(options.nvrtc);
      if (!opened.ok())
        return "// " + messageOf(opened.status()).str() + "\n";
      nvrtc = std::move(*opened);
    }
    auto made =
        nvrtc->compile(program.text, options.architecture, Nvrtc::Output::Ptx, effortFor(options.architecture, nest));
    return made.ok() ? std::string(made->c_str()) : "// " + messageOf(made.status()).str() + "\n";
  }

  const CudaListingOptions options;
  std::unique_ptr<Nvrtc> nvrtc;
  FuserCounters counts;
  CudaDevice device;
  GroupFuser groups; ///< Last: it uses all of the above.
};
} // namespace

StatusOr<std::shared_ptr<CudaGpu>> CudaGpu::open(const CudaFuserOptions &options) {
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<Driver> driver, Driver::open(options.driver));
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<DriverContext> context, DriverContext::open(std::move(driver), options.device));
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<Nvrtc> nvrtc, Nvrtc::open(options.nvrtc));
  return std::shared_ptr<CudaGpu>(std::make_shared<Implementation>(options, std::move(context), std::move(nvrtc)));
}

StatusOr<std::shared_ptr<Fuser>> tsc::createCudaListing(const CudaListingOptions &options) {
  return std::shared_ptr<Fuser>(std::make_shared<Listing>(options));
}
