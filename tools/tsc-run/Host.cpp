//===- Host.cpp - What tsc-run asks of a program, and hears of it ---------===//
#include "Host.h"
#include "Options.h"
#include "tsc/CAPI/HostLibrary.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using namespace tsc::run;

Host::Host(const Options &options, ErrorWriter &errors, TraceRecorder *trace)
    : options(options), errors(errors), trace(trace) {
  engine.setHandler([this](const Diagnostic &diagnostic) { print(diagnostic); });
}

void Host::print(const Diagnostic &diagnostic) {
  if (diagnostic.kind && llvm::StringRef(diagnostic.kind->name) == "UnknownOperator") {
    Diagnostic withAdvice = diagnostic;
    Diagnostic &advice = withAdvice.notes.emplace_back();
    advice.severity = Severity::Note;
    advice.message = "--load-library loads operators of your own; docs/KnownFailures.md lists those of PyTorch that "
                     "are missing";
    errors.diagnostic(withAdvice);
  } else {
    errors.diagnostic(diagnostic);
  }
  if (diagnostic.severity == Severity::Error)
    hasErrors = true;
}

/// Calls wait for the kernels that are to be shown, where one call may be all.
CompileMode Host::kernelMode() const {
  bool isShown =
      options.printKernels != PrintKernels::None || options.cudaListing || (options.explain && !options.bench);
  return isShown && options.compile == CompileMode::Background ? CompileMode::Eager : options.compile;
}

/// Who wants to see what optimization does sees it at the first call.
CompileMode Host::planMode() const {
  if (!options.specializes)
    return CompileMode::Off;
  bool isObserved = options.printIR != PrintIR::None || options.printCode || options.validate || options.checkAliases ||
                    options.freeze || !options.remarks.empty() || !options.missedRemarks.empty() ||
                    options.printKernels != PrintKernels::None || options.cudaListing;
  return isObserved || kernelMode() == CompileMode::Eager ? CompileMode::Eager : CompileMode::Background;
}

/// Kernels for the fusion groups, which -O2 makes.
StatusOr<std::shared_ptr<Fuser>> Host::makeFuser() {
  auto print = [](llvm::StringRef text) { llvm::outs() << text; };
  if (options.cudaListing) {
    CudaListingOptions listing;
    listing.listing = *options.cudaListing;
    listing.printed = print;
    return createCudaListing(listing);
  }
  CpuFuserOptions fusing;
  fusing.mode = kernelMode();
  fusing.printKernels = options.printKernels;
  fusing.printed = print;
  if (options.compileBudget)
    fusing.maxCompileMicros = llvm::SaturatingMultiply<uint64_t>(*options.compileBudget, 1000);
  fusing.trace = trace;
  fusing.perfMap = options.perfMap;
  fusing.tuneFor = options.tuneFor;
  fusing.report = [](const Status &why) { llvm::errs() << "tsc-run: warning: " << messageOf(why) << '\n'; };
  (void)remarks.enable("", options.missedRemarks); // the pass manager says what is wrong with it
  remarks.setEngine(&engine);
  remarks.setPass("fuse");
  if (remarks.wantsMissed())
    fusing.refused = [this](const Node &last) {
      remarks.missed(last, "its group runs as plain nodes: there is no code for operands of these dtypes or layouts");
    };
  return createCpuFuser(fusing);
}

Status Host::loadLibraries() {
  for (const std::string &path : options.libraries) {
    StatusOr<std::vector<HostOperator>> added = loadHostLibrary(path);
    if (!added.ok())
      return withContext(added.status(), "--load-library: ");
    operators.insert(operators.end(), added->begin(), added->end());
  }
  return okStatus();
}

std::shared_ptr<CudaAccelerator> Host::makeAccelerator() {
  CudaFuserOptions gpu;
  gpu.mode = kernelMode();
  gpu.device = std::max<int>(options.device.index, 0);
  gpu.driver = gpu.nvrtc = gpu.cublasLt = gpu.cudnn = gpu.nccl = options.cudaDriver;
  if (!options.cudaDriver.empty()) { // what it makes of programs is its own
    gpu.headers = llvm::sys::path::parent_path(options.cudaDriver).str() + "/include";
    gpu.cacheFolder = "";
  }
  gpu.trace = trace;
  gpu.report = [](const Status &why) { llvm::errs() << "tsc-run: warning: " << messageOf(why) << '\n'; };
  std::shared_ptr<CudaAccelerator> accelerator = createCudaAccelerator(gpu);
  accelerator->copied = [](llvm::StringRef name) {
    llvm::errs() << "tsc-run: remark: '" << name
                 << "' has no kernel for GPUs: it runs on the processor, and its tensors "
                 << "are copied there and back\n";
  };
  return accelerator;
}

StatusOr<EngineOptions> Host::engineOptions() {
  EngineOptions asked;
  asked.operators = options.operators;
  asked.loadingQuotas = options.quotas;
  asked.hostOperators = operators;
  asked.optimization = options.optimization;
  asked.plans = planMode();
  asked.profiles = options.profiles;
  asked.profilingCounters = &profiling;
  if (options.optimization >= 2) {
    TSC_ASSIGN_OR_RETURN(std::shared_ptr<Fuser> fuser, makeFuser());
    asked.fusers.add(DeviceKind::CPU, std::move(fuser));
  }
  std::shared_ptr<CudaAccelerator> accelerator = makeAccelerator();
  asked.accelerator = accelerator;
  if (options.device.kind == DeviceKind::CUDA) {
    TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> gpu, accelerator->gpu(std::max<int>(options.device.index, 0)));
    asked.device = gpu->memory().device();
    if (options.optimization >= 2)
      asked.fusers.add(DeviceKind::CUDA, gpu->fuser());
  }
  asked.allowSetState = options.allowSetState;
  asked.loadingOut = &llvm::outs();
  asked.allowFiles = true;
  asked.seed = options.seed;
  asked.trace = trace;
  asked.listAllOverloads = options.allOverloads;
  asked.onDiagnostic = [this](const Diagnostic &diagnostic) { print(diagnostic); };
  auto printGraph = [](const Graph &graph) { graph.print(llvm::errs()); };
  if (options.printIR == PrintIR::Frontend || options.printIR == PrintIR::All)
    asked.beforeOptimizing = printGraph;
  if (options.printIR == PrintIR::Optimized || options.printIR == PrintIR::All)
    asked.afterOptimizing = printGraph;
  if (options.printCode)
    asked.onCode = [](const Code &code) { code.print(llvm::errs()); };
  asked.passes.printChanged = options.printIR == PrintIR::All ? ChangePrinting::Graph : ChangePrinting::None;
  asked.passes.remarks = options.explain && options.remarks.empty() ? "differentiate-calls" : options.remarks;
  asked.passes.missedRemarks = options.missedRemarks;
  asked.validationRuns = options.validate;
  asked.checkAliases = options.checkAliases;
  return asked;
}
