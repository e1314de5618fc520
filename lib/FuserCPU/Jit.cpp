//===- Jit.cpp - Machine code in memory -----------------------------------===//
//
// The IR is vector code already, in few and large blocks: beyond common
// subexpressions nothing is gained by passes over it.
//
// LLVM's code generator cannot fail for want of memory. Where its containers throw
// std::bad_alloc (MemoryErrors.h), the exception leaves it with what it was making
// half made, and with locks of its own taken. So nothing of it is touched from then
// on: what was in use is leaked, and this process generates no more code. Code that
// is linked already stays good. No lock that others may want is held just then: all
// use of the code generator takes turns until the first object is linked, by when
// LLVM has made its global tables; later on only linking does, which tells debuggers.
//
// A fork(2) does not wait for a compilation either. Where another thread was within
// one, the child has a code generator that is half way through something, and does
// without in the same way: all of them where it had a turn, else the one it used.
//
//===----------------------------------------------------------------------===//
#include "Jit.h"
#include "CodeGeneration.h"
#include "LosableMutex.h"
#include "ObjectMemory.h"
#include "PerfMap.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "tsc/Support/MemoryErrors.h"
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
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

using namespace tsc;
using namespace tsc::fuser;

static Status fromError(llvm::Error error) { return internalError(llvm::toString(std::move(error))); }

//===----------------------------------------------------------------------===//
// Memory that is not to be had, and compilations that a fork cuts off
//===----------------------------------------------------------------------===//

/// Whether an exception left the code generator, and whether an object was linked; for all there are.
static std::atomic<bool> isAbandoned{false}, isWarm{false};

static Status cutOff() {
  return unimplemented("the process was forked while another thread compiled kernels: this child compiles no more");
}
static Status abandoned() {
  return resourceExhausted("LLVM's code generator ran out of memory: this process generates no more code");
}

namespace {
/// A turn at what LLVM has one of.
class Turn {
public:
  enum class Of { Generating, Linking };
  explicit Turn(Of what) : guard(mutex(), std::defer_lock) {
    if (what == Of::Linking || !isWarm.load(std::memory_order_acquire))
      guard.lock();
  }
  static LosableMutex &mutex() {
    static LosableMutex &made = *new LosableMutex; // threads may outlive main
    return made;
  }

private:
  std::unique_lock<LosableMutex> guard;
};
} // namespace

/// Runs a part of the code generator. What it uses must outlive it where an exception leaves it.
template <typename Run> static auto generating(Turn::Of what, Run run) -> decltype(run()) {
  if (Turn::mutex().isLost())
    return cutOff();
  Turn turn(what);
  if (isAbandoned.load(std::memory_order_acquire))
    return abandoned();
  try {
    return run();
  } catch (const std::bad_alloc &) {
    isAbandoned.store(true, std::memory_order_release);
    return abandoned();
  }
}

/// Holds what a part of the code generator works on. Where that was left by an exception, it is not destroyed.
template <typename T> class Abandonable {
public:
  template <typename... Args> explicit Abandonable(Args &&...args) : held(new T(std::forward<Args>(args)...)) {}
  Abandonable(const Abandonable &) = delete;
  Abandonable &operator=(const Abandonable &) = delete;
  ~Abandonable() {
    if (!isAbandoned.load(std::memory_order_acquire) && std::uncaught_exceptions() == exceptions)
      delete held;
  }
  T *operator->() const { return held; }
  T &operator*() const { return *held; }

private:
  T *held;
  const int exceptions = std::uncaught_exceptions();
};

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
  /// Ending a session takes memory.
  ~LinkedObjects() noexcept(false) {
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

struct Jit::Impl {
  Impl() = default;
  Impl(const Impl &) = delete;
  Impl &operator=(const Impl &) = delete;
  ~Impl();

  LosableMutex lock;
  std::unique_ptr<llvm::TargetMachine> machine;
  LinkedObjects *linked = nullptr; ///< From the first object on. Owned.
  VectorTarget target;
  std::string identity, processor;
  std::unique_ptr<PerfMap> perfMap; ///< Null unless asked for.

  static StatusOr<std::unique_ptr<Impl>> create(const CpuFuserOptions &options);
  void makeModule(Generation &made, llvm::ArrayRef<const LoopNest *> nests, std::vector<std::string> &symbols);
  Status generate(Generation &made, llvm::CodeGenFileType type);
  StatusOr<std::vector<KernelFunction>> link(const KernelObject &object);
};

Jit::Impl::~Impl() {
  if (linked && !lock.isLost()) // debuggers are told of what goes
    (void)generating(Turn::Of::Linking, [&] {
      std::destroy_at(linked);
      ::operator delete(linked);
      return okStatus();
    });
  if (isAbandoned.load(std::memory_order_acquire) || lock.isLost())
    (void)machine.release();
}

Jit::Jit(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Jit::~Jit() = default;
const std::string &Jit::identity() const { return impl->identity; }

StatusOr<std::unique_ptr<Jit::Impl>> Jit::Impl::create(const CpuFuserOptions &options) {
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
  return impl;
}

StatusOr<std::unique_ptr<Jit>> Jit::create(const CpuFuserOptions &options) {
  TSC_ASSIGN_OR_RETURN(auto impl, generating(Turn::Of::Generating, [&] { return Impl::create(options); }));
  return std::unique_ptr<Jit>(new Jit(std::move(impl)));
}

void Jit::Impl::makeModule(Generation &made, llvm::ArrayRef<const LoopNest *> nests,
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

Status Jit::Impl::generate(Generation &made, llvm::CodeGenFileType type) {
  llvm::legacy::PassManager &passes = made.passes.emplace();
  // Every target of LLVM's own code generator is an LLVMTargetMachine.
  if (!addCodeGeneration(static_cast<llvm::LLVMTargetMachine &>(*machine), passes, made.os, type))
    return internalError("LLVM generates no code for this processor");
  passes.run(made.module);
  return okStatus();
}

StatusOr<KernelObject> Jit::compile(llvm::ArrayRef<const LoopNest *> nests) {
  if (impl->lock.isLost())
    return cutOff();
  std::lock_guard<LosableMutex> guard(impl->lock);
  return generating(Turn::Of::Generating, [&]() -> StatusOr<KernelObject> {
    Abandonable<Generation> made;
    KernelObject object;
    impl->makeModule(*made, nests, object.symbols);
    TSC_RETURN_IF_ERROR(impl->generate(*made, llvm::CodeGenFileType::ObjectFile));
    object.bytes.assign(made->bytes.begin(), made->bytes.end());
    return object;
  });
}

StatusOr<std::vector<KernelFunction>> Jit::Impl::link(const KernelObject &object) {
  if (!linked)
    linked = new LinkedObjects();
  auto library = linked->add(llvm::MemoryBuffer::getMemBufferCopy(object.bytes, "kernels"));
  if (!library)
    return fromError(library.takeError());
  std::vector<KernelFunction> functions;
  for (const std::string &symbol : object.symbols) {
    if (symbol.empty()) {
      functions.push_back(nullptr);
      continue;
    }
    auto found = linked->find(**library, symbol);
    if (!found)
      return fromError(found.takeError());
    functions.push_back(found->getAddress().toPtr<KernelFunction>());
  }
  if (perfMap)
    perfMap->add(object.bytes, object.symbols, functions);
  isWarm.store(true, std::memory_order_release);
  return functions;
}

StatusOr<std::vector<KernelFunction>> Jit::link(const KernelObject &object) {
  if (impl->lock.isLost())
    return cutOff();
  std::lock_guard<LosableMutex> guard(impl->lock);
  return generating(Turn::Of::Linking, [&] { return impl->link(object); });
}

StatusOr<std::string> Jit::printed(const LoopNest &nest, bool assembly) {
  if (impl->lock.isLost())
    return cutOff();
  std::lock_guard<LosableMutex> guard(impl->lock);
  return generating(Turn::Of::Generating, [&]() -> StatusOr<std::string> {
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
