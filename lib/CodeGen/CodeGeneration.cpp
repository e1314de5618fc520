//===- CodeGeneration.cpp - LLVM's code generator, cut down ---------------===//
//
// Of the passes that LLVM's code generator comes with, most find little in kernels.
// See the figures in docs/FuserCPU.md.
//
//===----------------------------------------------------------------------===//
#include "CodeGeneration.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetLoweringObjectFile.h"
#include "llvm/Target/TargetMachine.h"
#include <utility>

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
/// What a target's configuration adds its passes to. It hands them on to a pass manager, with LLVM's basic register
/// allocator in the place of the greedy one, which takes three times as long for code that is no faster. (LLVM's own
/// way to choose an allocator, RegisterRegAlloc, holds for every user of LLVM in the process.)
class KernelPasses : public llvm::legacy::PassManagerBase {
public:
  explicit KernelPasses(llvm::legacy::PassManager &passes) : passes(passes) {}
  /// From here on a greedy allocator is what the program's user asked for.
  void keepGreedyAllocator() { keepsGreedy = true; }

  void add(llvm::Pass *pass) override {
    bool isGreedy = !keepsGreedy && pass->getPassID() == &llvm::RAGreedyID;
    if (!isGreedy) {
      passes.add(pass);
      return;
    }
    delete pass;
    if (!std::exchange(allocates, true)) // x86 allocates twice, the registers of matrix tiles first
      passes.add(llvm::createBasicRegisterAllocator());
  }

private:
  llvm::legacy::PassManager &passes;
  bool keepsGreedy = false, allocates = false;
};
} // namespace

bool fuser::addCodeGeneration(llvm::LLVMTargetMachine &machine, llvm::legacy::PassManager &passes,
                              llvm::raw_pwrite_stream &os, llvm::CodeGenFileType type) {
  auto *information = new llvm::MachineModuleInfoWrapperPass(&machine); // the pass manager owns its passes
  llvm::MCContext &context = information->getMMI().getContext();
  machine.getObjFileLowering()->Initialize(context, machine);
  KernelPasses kernelPasses(passes);
  llvm::TargetPassConfig *config = machine.createPassConfig(kernelPasses);
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
  if (!config->usingDefaultRegAlloc())
    kernelPasses.keepGreedyAllocator();
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(passes, os, nullptr, type, context))
    return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  return true;
}
