//===- Jit.cpp - Machine code in memory -----------------------------------===//
#include "Jit.h"
#include "ObjectMemory.h"
#include "PerfMap.h"
#include "tsc/CodeGen/GeneratorGuard.h"
#include "llvm/ExecutionEngine/JITEventListener.h"
#include "llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h"
#include "llvm/TargetParser/Host.h"
#include <memory>
#include <mutex>
#include <utility>

using namespace tsc;
using namespace tsc::fuser;
using codegen::Turn;

static Status fromError(llvm::Error error) { return internalError(llvm::toString(std::move(error))); }

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

struct Jit::Impl {
  Impl() = default;
  Impl(const Impl &) = delete;
  Impl &operator=(const Impl &) = delete;
  ~Impl();

  LosableMutex lock;
  LinkedObjects *linked = nullptr;  ///< From the first object on. Owned.
  std::unique_ptr<PerfMap> perfMap; ///< Null unless asked for.

  StatusOr<std::vector<KernelFunction>> link(const KernelObject &object);
};

Jit::Impl::~Impl() {
  if (linked && !lock.isLost()) // debuggers are told of what goes
    (void)codegen::generating(Turn::Of::Linking, [&] {
      std::destroy_at(linked);
      ::operator delete(linked);
      return okStatus();
    });
}

Jit::Jit(ListInPerfMap perfMap) : impl(std::make_unique<Impl>()) {
  if (perfMap == ListInPerfMap::Yes)
    impl->perfMap = std::make_unique<PerfMap>();
}
Jit::~Jit() = default;

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
  codegen::noteLinked();
  return functions;
}

StatusOr<std::vector<KernelFunction>> Jit::link(const KernelObject &object) {
  if (impl->lock.isLost())
    return codegen::cutOff();
  std::lock_guard<LosableMutex> guard(impl->lock);
  return codegen::generating(Turn::Of::Linking, [&] { return impl->link(object); });
}
