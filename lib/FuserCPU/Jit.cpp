//===- Jit.cpp - Machine code in memory -----------------------------------===//
//
// The IR is vector code already, in few and large blocks: beyond common
// subexpressions nothing is gained by passes over it.
//
//===----------------------------------------------------------------------===//
#include "Jit.h"
#include "CodeGeneration.h"
#include "ObjectMemory.h"
#include "PerfMap.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "llvm/ExecutionEngine/JITEventListener.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Pass.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Scalar.h"
#include <mutex>
#include <optional>

using namespace tsc;
using namespace tsc::fuser;

static Status fromError(llvm::Error error) { return absl::InternalError(llvm::toString(std::move(error))); }

namespace {
/// Objects that have been linked. Kernels name nothing outside of themselves: no symbols of the process, no platform.
class LinkedObjects {
public:
  LinkedObjects()
      : session(std::make_unique<llvm::orc::UnsupportedExecutorProcessControl>(nullptr, nullptr,
                                                                               llvm::sys::getProcessTriple())),
        layer(session, [] { return std::make_unique<ObjectMemory>(); }) {
    // gdb knows kernels by their names.
    layer.registerJITEventListener(*llvm::JITEventListener::createGDBRegistrationListener());
  }
  LinkedObjects(const LinkedObjects &) = delete;
  LinkedObjects &operator=(const LinkedObjects &) = delete;
  ~LinkedObjects() {
    if (llvm::Error error = session.endSession())
      session.reportError(std::move(error));
  }

  /// A library of its own for each object: two objects may hold kernels of one name.
  llvm::Expected<llvm::orc::JITDylib *> add(std::unique_ptr<llvm::MemoryBuffer> object) {
    llvm::orc::JITDylib &library = session.createBareJITDylib("kernels" + std::to_string(numObjects++));
    if (llvm::Error error = layer.add(library, std::move(object)))
      return std::move(error);
    return &library;
  }
  llvm::Expected<llvm::orc::ExecutorSymbolDef> find(llvm::orc::JITDylib &library, llvm::StringRef symbol) {
    return session.lookup({&library}, session.intern(symbol));
  }

private:
  llvm::orc::ExecutionSession session;
  llvm::orc::RTDyldObjectLinkingLayer layer;
  unsigned numObjects = 0;
};
} // namespace

struct Jit::Impl {
  std::mutex lock;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::optional<LinkedObjects> linked; ///< From the first object on.
  VectorTarget target;
  std::string identity, processor;
  std::unique_ptr<PerfMap> perfMap; ///< Null unless asked for.

  std::unique_ptr<llvm::Module> makeModule(llvm::LLVMContext &context, llvm::ArrayRef<const LoopNest *> nests,
                                           std::vector<std::string> &symbols);
  StatusOr<llvm::SmallVector<char, 0>> generate(llvm::Module &module, llvm::CodeGenFileType type);
};

Jit::Jit(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Jit::~Jit() = default;
const std::string &Jit::identity() const { return impl->identity; }

StatusOr<std::unique_ptr<Jit>> Jit::create(const CpuFuserOptions &options) {
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
  llvm::orc::JITTargetMachineBuilder builder{llvm::Triple(llvm::sys::getProcessTriple())};
  impl->processor = options.tuneFor.empty() ? llvm::sys::getHostCPUName().str() : options.tuneFor;
  // Where the processor's own prefetching goes on beyond a page, reading ahead of it costs time (docs/measurements.md).
  impl->target.stopsAtPages = !llvm::StringRef(impl->processor).starts_with("znver");
  for (const llvm::StringMapEntry<bool> &feature : features)
    if (feature.getValue())
      builder.getFeatures().AddFeature(feature.getKey());
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  builder.setRelocationModel(llvm::Reloc::PIC_);
  builder.setCodeModel(llvm::CodeModel::Small); // ObjectMemory keeps constants near
  builder.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  auto machine = builder.createTargetMachine();
  if (!machine)
    return fromError(machine.takeError());
  if (!options.tuneFor.empty() && !(*machine)->getMCSubtargetInfo()->isCPUStringValid(options.tuneFor))
    return invalidArgument("LLVM knows no processor '" + options.tuneFor + "' to tune kernels for; groups run unfused");
  impl->machine = std::move(*machine);
  impl->identity =
      (llvm::Twine("llvm " LLVM_VERSION_STRING " ") + impl->processor + " " + builder.getFeatures().getString()).str();
  if (options.perfMap)
    impl->perfMap = std::make_unique<PerfMap>();
  return std::unique_ptr<Jit>(new Jit(std::move(impl)));
}

std::unique_ptr<llvm::Module> Jit::Impl::makeModule(llvm::LLVMContext &context, llvm::ArrayRef<const LoopNest *> nests,
                                                    std::vector<std::string> &symbols) {
  auto module = std::make_unique<llvm::Module>("kernels", context);
  module->setDataLayout(machine->createDataLayout());
  module->setTargetTriple(machine->getTargetTriple().str());
  for (const LoopNest *nest : nests) {
    std::string name = nest->symbolName();
    llvm::Function *function = emitNest(*nest, *module, name, target);
    if (function)
      function->addFnAttr("tune-cpu", processor);
    symbols.push_back(function ? name : "");
  }
  assert(!llvm::verifyModule(*module, &llvm::errs()));
  llvm::legacy::FunctionPassManager passes(module.get());
  passes.add(llvm::createEarlyCSEPass());
  passes.doInitialization();
  for (llvm::Function &function : *module)
    passes.run(function);
  passes.doFinalization();
  return module;
}

StatusOr<llvm::SmallVector<char, 0>> Jit::Impl::generate(llvm::Module &module, llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager passes;
  // Every target of LLVM's own code generator is an LLVMTargetMachine.
  if (!addCodeGeneration(static_cast<llvm::LLVMTargetMachine &>(*machine), passes, os, type))
    return absl::InternalError("LLVM generates no code for this processor");
  passes.run(module);
  return bytes;
}

StatusOr<KernelObject> Jit::compile(llvm::ArrayRef<const LoopNest *> nests) {
  std::lock_guard<std::mutex> guard(impl->lock);
  llvm::LLVMContext context;
  KernelObject object;
  auto module = impl->makeModule(context, nests, object.symbols);
  TSC_ASSIGN_OR_RETURN(auto bytes, impl->generate(*module, llvm::CodeGenFileType::ObjectFile));
  object.bytes.assign(bytes.begin(), bytes.end());
  return object;
}

StatusOr<std::vector<KernelFunction>> Jit::link(const KernelObject &object) {
  std::lock_guard<std::mutex> guard(impl->lock);
  if (!impl->linked)
    impl->linked.emplace();
  auto library = impl->linked->add(llvm::MemoryBuffer::getMemBufferCopy(object.bytes, "kernels"));
  if (!library)
    return fromError(library.takeError());
  std::vector<KernelFunction> functions;
  for (const std::string &symbol : object.symbols) {
    if (symbol.empty()) {
      functions.push_back(nullptr);
      continue;
    }
    auto found = impl->linked->find(**library, symbol);
    if (!found)
      return fromError(found.takeError());
    functions.push_back(found->getAddress().toPtr<KernelFunction>());
  }
  if (impl->perfMap)
    impl->perfMap->add(object.bytes, object.symbols, functions);
  return functions;
}

StatusOr<std::string> Jit::printed(const LoopNest &nest, bool assembly) {
  std::lock_guard<std::mutex> guard(impl->lock);
  llvm::LLVMContext context;
  std::vector<std::string> symbols;
  auto module = impl->makeModule(context, {&nest}, symbols);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!assembly) {
    module->print(os, nullptr);
    return text;
  }
  TSC_ASSIGN_OR_RETURN(auto bytes, impl->generate(*module, llvm::CodeGenFileType::AssemblyFile));
  return std::string(bytes.begin(), bytes.end());
}
