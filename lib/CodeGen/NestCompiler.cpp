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
#include "tsc/CodeGen/TargetTraits.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Pass.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
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
  codegen::CodeTarget target;
  codegen::TargetTraits traits;

  static StatusOr<std::unique_ptr<Impl>> create(codegen::CodeTarget target);
  void makeModule(Generation &made, llvm::ArrayRef<const LoopNest *> nests, std::vector<std::string> &symbols);
  Status generate(Generation &made, llvm::CodeGenFileType type);
};

NestCompiler::NestCompiler(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
NestCompiler::~NestCompiler() = default;
const codegen::CodeTarget &NestCompiler::target() const { return impl->target; }

/// Makes LLVM's machine for kernels. Features say what may be used. The processor is named for tuning alone
/// (makeModule): with its name come features that the machine may lack, and naming those that are missing costs LLVM
/// more than a millisecond.
static StatusOr<std::unique_ptr<llvm::TargetMachine>> makeMachine(const codegen::CodeTarget &target) {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  std::string error;
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(target.triple, error);
  if (!found)
    return internalError(error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  // The small code model: constants lie near their code.
  std::unique_ptr<llvm::TargetMachine> machine(found->createTargetMachine(target.triple, "", target.features, options,
                                                                          llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                                                          llvm::CodeGenOptLevel::Less, /*JIT=*/true));
  if (!machine)
    return internalError("LLVM has no machine for " + target.triple);
  if (!machine->getMCSubtargetInfo()->isCPUStringValid(target.processor))
    return invalidArgument("LLVM knows no processor '" + target.processor +
                           "' to tune kernels for; groups run unfused");
  return machine;
}

StatusOr<std::unique_ptr<NestCompiler::Impl>> NestCompiler::Impl::create(codegen::CodeTarget target) {
  auto impl = std::make_unique<Impl>();
  impl->traits = codegen::TargetTraits::of(target);
  if (!impl->traits.hasFma || !impl->traits.convertsHalves)
    return unimplemented("kernels for fused operators need fused multiply-add and vectors of halves, and there are "
                         "none on this machine or at this level of vector instructions; groups run unfused");
  TSC_ASSIGN_OR_RETURN(impl->machine, makeMachine(target));
  impl->target = std::move(target);
  return impl;
}

StatusOr<std::unique_ptr<NestCompiler>> NestCompiler::create(codegen::CodeTarget target) {
  TSC_ASSIGN_OR_RETURN(auto impl, codegen::generating(Turn::Of::Generating, [&] { return Impl::create(target); }));
  return std::unique_ptr<NestCompiler>(new NestCompiler(std::move(impl)));
}

void NestCompiler::Impl::makeModule(Generation &made, llvm::ArrayRef<const LoopNest *> nests,
                                    std::vector<std::string> &symbols) {
  llvm::Module &module = made.module;
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(machine->getTargetTriple().str());
  for (const LoopNest *nest : nests) {
    std::string name = nest->symbolName();
    llvm::Function *function = emitNest(*nest, module, name, traits);
    if (function)
      function->addFnAttr("tune-cpu", target.processor);
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
