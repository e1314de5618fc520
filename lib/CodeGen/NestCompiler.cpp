//===- NestCompiler.cpp - Object files of loop nests ----------------------===//
//
// The IR is vector code already, in few and large blocks: beyond common
// subexpressions nothing is gained by passes over it.
//
//===----------------------------------------------------------------------===//
#include "tsc/CodeGen/NestCompiler.h"
#include "CodeGeneration.h"
#include "EmitNest.h"
#include "tsc/CodeGen/GeneratorGuard.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Pass.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/Scalar.h"
#include <mutex>
#include <optional>

using namespace tsc;
using namespace tsc::fuser;
using codegen::Abandonable;
using codegen::Turn;

namespace {
/// What one module is generated with.
struct Generation {
  llvm::LLVMContext context;
  llvm::Module module{"kernels", context};
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os{bytes};
  std::optional<llvm::legacy::FunctionPassManager> simplification;
  std::optional<llvm::legacy::PassManager> passes;
};
} // namespace

struct NestCompiler::Impl {
  Impl() = default;
  Impl(const Impl &) = delete;
  Impl &operator=(const Impl &) = delete;
  ~Impl() {
    if (codegen::isAbandoned() || lock.isLost())
      (void)machine.release();
  }

  LosableMutex lock;
  std::unique_ptr<llvm::TargetMachine> machine;
  VectorTarget target;
  std::string identity, processor;

  static StatusOr<std::unique_ptr<Impl>> create(const NestCompilerOptions &options);
  void makeModule(Generation &made, llvm::ArrayRef<const LoopNest *> nests, std::vector<std::string> &symbols);
  Status generate(Generation &made, llvm::CodeGenFileType type);
};

NestCompiler::NestCompiler(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
NestCompiler::~NestCompiler() = default;
const std::string &NestCompiler::identity() const { return impl->identity; }

/// Makes LLVM's machine for kernels: the features say what may be used, and no processor is named.
static StatusOr<std::unique_ptr<llvm::TargetMachine>> makeMachine(const std::string &triple,
                                                                  const std::string &features) {
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return internalError(error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  // The small code model: constants lie near their code.
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(triple, "", features, options,
                                                                           llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                                                           llvm::CodeGenOptLevel::Less, /*JIT=*/true));
  if (!machine)
    return internalError("LLVM has no machine for " + triple);
  return machine;
}

StatusOr<std::unique_ptr<NestCompiler::Impl>> NestCompiler::Impl::create(const NestCompilerOptions &options) {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (options.maxVectorBytes < 64)
    for (llvm::StringMapEntry<bool> &feature : features)
      if (feature.getKey().starts_with("avx512") || feature.getKey().starts_with("avx10") ||
          feature.getKey().starts_with("evex"))
        feature.second = false;
  auto has = [&](std::initializer_list<const char *> names) {
    return llvm::all_of(names, [&](const char *name) { return features.lookup(name); });
  };
  if (!has({"avx2", "fma", "f16c"}))
    return unimplemented("the processor has no AVX2");
  auto impl = std::make_unique<Impl>();
  if (has({"avx512f", "avx512bw", "avx512dq", "avx512vl"}))
    impl->target = {.bytes = 64, .registers = 32, .hasGather = true, .hasAvx512 = true};
  // Features say what may be used. The processor is named for tuning alone (makeModule): with its name come features
  // that this host may lack, and naming those that are missing costs LLVM more than a millisecond.
  impl->processor = options.tuneFor.empty() ? llvm::sys::getHostCPUName().str() : options.tuneFor;
  // Where the processor's own prefetching goes on beyond a page, reading ahead of it costs time (docs/measurements.md).
  impl->target.stopsAtPages = !llvm::StringRef(impl->processor).starts_with("znver");
  llvm::SubtargetFeatures used;
  for (const llvm::StringMapEntry<bool> &feature : features)
    if (feature.getValue())
      used.AddFeature(feature.getKey());
  TSC_ASSIGN_OR_RETURN(impl->machine, makeMachine(llvm::sys::getProcessTriple(), used.getString()));
  if (!options.tuneFor.empty() && !impl->machine->getMCSubtargetInfo()->isCPUStringValid(options.tuneFor))
    return invalidArgument("LLVM knows no processor '" + options.tuneFor + "' to tune kernels for; groups run unfused");
  impl->identity = (llvm::Twine("llvm " LLVM_VERSION_STRING " ") + impl->processor + " " + used.getString()).str();
  return impl;
}

StatusOr<std::unique_ptr<NestCompiler>> NestCompiler::create(const NestCompilerOptions &options) {
  TSC_ASSIGN_OR_RETURN(auto impl, codegen::generating(Turn::Of::Generating, [&] { return Impl::create(options); }));
  return std::unique_ptr<NestCompiler>(new NestCompiler(std::move(impl)));
}

void NestCompiler::Impl::makeModule(Generation &made, llvm::ArrayRef<const LoopNest *> nests,
                                    std::vector<std::string> &symbols) {
  llvm::Module &module = made.module;
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(machine->getTargetTriple().str());
  for (const LoopNest *nest : nests) {
    std::string name = nest->symbolName();
    llvm::Function *function = emitNest(*nest, module, name, target);
    if (function)
      function->addFnAttr("tune-cpu", processor);
    symbols.push_back(function ? name : "");
  }
  assert(!llvm::verifyModule(module, &llvm::errs()));
  llvm::legacy::FunctionPassManager &passes = made.simplification.emplace(&module);
  passes.add(llvm::createEarlyCSEPass());
  passes.doInitialization();
  for (llvm::Function &function : module)
    passes.run(function);
  passes.doFinalization();
}

Status NestCompiler::Impl::generate(Generation &made, llvm::CodeGenFileType type) {
  llvm::legacy::PassManager &passes = made.passes.emplace();
  // Every target of LLVM's own code generator is an LLVMTargetMachine.
  if (!addCodeGeneration(static_cast<llvm::LLVMTargetMachine &>(*machine), passes, made.os, type))
    return internalError("LLVM generates no code for this processor");
  passes.run(made.module);
  return okStatus();
}

StatusOr<KernelObject> NestCompiler::compile(llvm::ArrayRef<const LoopNest *> nests) {
  if (impl->lock.isLost())
    return codegen::cutOff();
  std::lock_guard<LosableMutex> guard(impl->lock);
  return codegen::generating(Turn::Of::Generating, [&]() -> StatusOr<KernelObject> {
    Abandonable<Generation> made;
    KernelObject object;
    impl->makeModule(*made, nests, object.symbols);
    TSC_RETURN_IF_ERROR(impl->generate(*made, llvm::CodeGenFileType::ObjectFile));
    object.bytes.assign(made->bytes.begin(), made->bytes.end());
    return object;
  });
}

StatusOr<std::string> NestCompiler::printed(const LoopNest &nest, bool assembly) {
  if (impl->lock.isLost())
    return codegen::cutOff();
  std::lock_guard<LosableMutex> guard(impl->lock);
  return codegen::generating(Turn::Of::Generating, [&]() -> StatusOr<std::string> {
    Abandonable<Generation> made;
    std::vector<std::string> symbols;
    impl->makeModule(*made, {&nest}, symbols);
    if (!assembly) {
      std::string text;
      llvm::raw_string_ostream os(text);
      made->module.print(os, nullptr);
      return text;
    }
    TSC_RETURN_IF_ERROR(impl->generate(*made, llvm::CodeGenFileType::AssemblyFile));
    return std::string(made->bytes.begin(), made->bytes.end());
  });
}
