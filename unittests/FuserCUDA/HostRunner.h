//===- HostRunner.h - Generated kernels, built and run by the host -*- C++ -*-===//
//
// A fuser of CUDA kernels without a GPU. Groups are seen twice: first their nests are
// collected; then one call of the host's compiler builds all of their sources, behind
// the shim, as a shared object, and groups run. What kernels call of CUDA's library is what
// the operators call, so that a group has the operators' bits whatever is in it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_UNITTESTS_FUSERCUDA_HOSTRUNNER_H
#define TSC_UNITTESTS_FUSERCUDA_HOSTRUNNER_H

#include "../../lib/FuserCUDA/CudaDevice.h"
#include "LibraryFunctions.h"
#include "tsc/Fusion/GroupFuser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>
#include <cstdlib>
#include <dlfcn.h>

namespace tsc::fuser {

/// Runs source that was built with the shim, on as many blocks as it is told.
class HostRunner final : public Fuser, KernelRunner, KernelCompiler {
public:
  HostRunner() : device(DeviceMemory::cpu(), *this, /*multiprocessors=*/1), groups(device, *this, options(), counts) {}
  ~HostRunner() override {
    for (void *library : libraries)
      dlclose(library);
  }

  std::shared_ptr<FusedGroup> get(const Graph &graph) override { return groups.get(graph); }
  const FuserCounters &counters() const override { return counts; }

  /// Builds what was collected since.
  void build() {
    std::vector<const LoopNest *> nests;
    std::vector<std::string> names;
    for (Kernel *kernel : collected) {
      nests.push_back(&kernel->nest);
      names.push_back(kernel->name);
    }
    EmittedProgram program = emitProgram(nests, names);
    std::string source = withOperatorsFunctions(program.text);
    auto entriesOf = [&](size_t i) {
      std::vector<std::string> entries{names[i]};
      if (nests[i]->foldMode != FoldMode::Rows)
        entries.push_back(names[i] + "_combine");
      return entries;
    };
    for (size_t i = 0; i != names.size(); ++i)
      for (const std::string &entry : program.hasCode[i] ? entriesOf(i) : std::vector<std::string>())
        source += "TSC_SHIM_ENTRY(" + entry + ")\n";
    void *library = compile(source);
    *reinterpret_cast<LibraryFunction *>(dlsym(library, "tsc_shim_library")) = callOperator;
    for (size_t i = 0; i != names.size(); ++i) {
      if (!program.hasCode[i])
        continue;
      auto &built = kernels.emplace_back(std::make_unique<HostKernel>());
      auto symbol = [&](const std::string &name) {
        void *found = dlsym(library, name.c_str());
        REQUIRE(found);
        return found;
      };
      std::vector<std::string> entries = entriesOf(i);
      for (size_t e = 0; e != entries.size(); ++e)
        built->entries[e] = reinterpret_cast<Launcher>(symbol(entries[e] + "_on_host"));
      built->paramBytes = reinterpret_cast<size_t (*)()>(symbol(entries[0] + "_bytes"))();
      built->hasBarriers = walkKind(*nests[i]) != WalkKind::Pointwise;
      built->callsLibrary = program.callsLibrary[i];
      collected[i]->code = built.get();
    }
    numBuilt += names.size();
    numWithoutCode += llvm::count(program.hasCode, false);
    collected.clear();
  }

  unsigned grid = 1;
  unsigned maxUnits = 0;      ///< Of all launches.
  bool calledLibrary = false; ///< Some kernel that ran since this was set to false.
  bool combined = false;      ///< Some launch combined chunks since.
  size_t numBuilt = 0, numWithoutCode = 0;

  /// A shared object of a text behind the shim; closed with the runner.
  void *compile(const std::string &source) {
    llvm::SmallString<128> folder;
    REQUIRE(!llvm::sys::fs::createUniqueDirectory("tsc-shim", folder));
    std::string from = (folder + "/kernels.cpp").str(), to = (folder + "/kernels.so").str();
    std::string log = (folder + "/log.txt").str();
    std::error_code error;
    {
      llvm::raw_fd_ostream os(from, error);
      os << source;
    }
    const std::string command = TSC_SHIM_COMMAND " " + from + " -o " + to + " > " + log + " 2>&1";
    INFO("see " << log);
    REQUIRE(std::system(command.c_str()) == 0);
    void *library = dlopen(to.c_str(), RTLD_NOW | RTLD_LOCAL);
    INFO(dlerror());
    REQUIRE(library);
    libraries.push_back(library);
    (void)llvm::sys::fs::remove_directories(folder);
    return library;
  }

private:
  using Launcher = void (*)(unsigned grid, unsigned threads, bool hasBarriers, const void *params);
  struct HostKernel {
    Launcher entries[2] = {};
    size_t paramBytes = 0;
    bool hasBarriers = false, callsLibrary = false;
  };

  static KernelCacheOptions options() {
    return {CompileMode::Eager, UINT64_MAX, nullptr, [](const Status &status) { FAIL(status.message()); }};
  }

  Status launch(const Kernel &kernel, Entry entry, unsigned units, unsigned threads,
                ArrayRef<uint64_t> params) const override {
    auto *self = const_cast<HostRunner *>(this);
    const auto *built = static_cast<const HostKernel *>(kernel.code.load());
    REQUIRE(params.size() * 8 == built->paramBytes);
    self->maxUnits = std::max(maxUnits, units);
    self->calledLibrary |= built->callsLibrary;
    self->combined |= entry == Entry::Combine;
    built->entries[static_cast<size_t>(entry)](std::min(grid, units), threads,
                                               built->hasBarriers && entry == Entry::Kernel, params.data());
    return okStatus();
  }

  Status prepare() override { return okStatus(); }
  std::vector<Kernel *> load(llvm::ArrayRef<Kernel *> wanted) override { return wanted.vec(); }
  Status generate(llvm::ArrayRef<Kernel *> wanted) override {
    collected.insert(collected.end(), wanted.begin(), wanted.end());
    return okStatus();
  }

  FuserCounters counts;
  CudaDevice device;
  std::vector<Kernel *> collected;
  std::vector<std::unique_ptr<HostKernel>> kernels;
  std::vector<void *> libraries;
  GroupFuser groups; ///< Last: it uses all of the above.
};

} // namespace tsc::fuser

#endif
