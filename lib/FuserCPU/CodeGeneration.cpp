//===- CodeGeneration.cpp - LLVM's code generator, cut down ---------------===//
//
// Of the passes that LLVM's code generator comes with, most find little in kernels.
// See the figures in docs/FuserCPU.md.
//
//===----------------------------------------------------------------------===//
#include "CodeGeneration.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/RegAllocRegistry.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetLoweringObjectFile.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>
#include <optional>

using namespace tsc;

/// Passes of CodeGenOptLevel::Less that find nothing in kernels, or nothing worth their time: no calls, no branches
/// inside of loops, and what is computed once is there once. Constants stay in memory, which instructions read as fast.
static const llvm::AnalysisID needlessPasses[] = {
    &llvm::MachineSchedulerID,   &llvm::MachineCSEID,
    &llvm::MachineSinkingID,     &llvm::EarlyIfConverterID,
    &llvm::MachineCombinerID,    &llvm::TailDuplicateID,
    &llvm::EarlyTailDuplicateID, &llvm::BranchFolderPassID,
    &llvm::OptimizePHIsID,       &llvm::MachineBlockPlacementID,
    &llvm::StackColoringID,      &llvm::LocalStackSlotAllocationID,
    &llvm::ShrinkWrapID,         &llvm::MachineCopyPropagationID,
    &llvm::StackSlotColoringID,  &llvm::PostRAMachineSinkingID,
    &llvm::MachineLICMID,        &llvm::EarlyMachineLICMID,
};

namespace {
/// Makes LLVM's basic register allocator the one that is chosen: the default one takes three times as long for code
/// that is no faster, measured with 32 registers. LLVM has one choice for a process: threads take turns.
class BasicAllocatorScope {
public:
  BasicAllocatorScope() { Registry::setDefault(llvm::createBasicRegisterAllocator); }
  BasicAllocatorScope(const BasicAllocatorScope &) = delete;
  BasicAllocatorScope &operator=(const BasicAllocatorScope &) = delete;
  ~BasicAllocatorScope() { Registry::setDefault(before); }

private:
  using Registry = llvm::RegisterRegAlloc;
  /// LLVM has no choice before its first use, but cannot do without one afterwards.
  static Registry::FunctionPassCtor chosenBefore() {
    Registry::FunctionPassCtor chosen = Registry::getDefault();
    for (auto *known = Registry::getList(); known && !chosen; known = known->getNext())
      if (known->getName() == "default")
        chosen = known->getCtor();
    return chosen;
  }
  static std::mutex &lock() {
    static std::mutex theOne;
    return theOne;
  }
  const std::lock_guard<std::mutex> guard{lock()};
  const Registry::FunctionPassCtor before = chosenBefore();
};
} // namespace

bool fuser::addCodeGeneration(llvm::LLVMTargetMachine &machine, llvm::legacy::PassManager &passes,
                              llvm::raw_pwrite_stream &os, llvm::CodeGenFileType type) {
  auto *information = new llvm::MachineModuleInfoWrapperPass(&machine); // the pass manager owns its passes
  llvm::MCContext &context = information->getMMI().getContext();
  machine.getObjFileLowering()->Initialize(context, machine);
  llvm::TargetPassConfig *config = machine.createPassConfig(passes);
  config->setDisableVerify(true);
  for (llvm::AnalysisID pass : needlessPasses)
    config->disablePass(pass);
  passes.add(config);
  passes.add(information);
  machine.setOptLevel(llvm::CodeGenOptLevel::None);
  machine.setO0WantsFastISel(false);
  machine.setFastISel(false); // it knows few vectors
  bool failed = config->addISelPasses();
  machine.setOptLevel(llvm::CodeGenOptLevel::Less);
  if (failed)
    return false;
  {
    std::optional<BasicAllocatorScope> scope;
    if (config->usingDefaultRegAlloc()) // not when the program's user chose one
      scope.emplace();
    config->addMachinePasses();
  }
  config->setInitialized();
  if (machine.addAsmPrinter(passes, os, nullptr, type, context))
    return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  return true;
}
