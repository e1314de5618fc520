//===- GroupRunner.h - Runs one fusion group --------------------*- C++ -*-===//
#ifndef TSC_RUNTIME_FUSION_GROUPRUNNER_H
#define TSC_RUNTIME_FUSION_GROUPRUNNER_H

#include "tsc/Kernels/PointwiseProgram.h"
#include "tsc/Runtime/Dispatch/Fuser.h"
#include "llvm/ADT/SmallBitVector.h"

namespace tsc {

/// The tiers above the plain nodes: a fuser's code, then the point-wise engine block by block. All is found out once,
/// when the code that holds the group is made.
///
/// Threads: run() is const and may be called from many threads.
class GroupRunner {
public:
  GroupRunner(const Graph &group, const FuserRegistry &fusers);
  /// Runs the group, and sets its results. Returns false, and has done nothing, where no tier takes these inputs.
  StatusOr<bool> run(CallContext &context, llvm::ArrayRef<const IValue *> inputs, IValue *results) const;
  /// Returns how many bytes of its operands the fused group reads for these inputs, as FusedGroup::bytesRead does;
  /// nullopt where no fuser takes them, or it is not known.
  std::optional<uint64_t> bytesRead(llvm::ArrayRef<const IValue *> inputs) const {
    FusedGroup *group = fusedFor(inputs);
    return group ? group->bytesRead(inputs) : std::nullopt;
  }
  /// Returns the operators of the group and where they stand in the program, as describeOperators has it.
  llvm::StringRef description() const { return text; }

private:
  /// A group of point-wise operators alone, and where the program's operands come from.
  struct Blockwise {
    PointwiseProgram program;
    llvm::SmallVector<unsigned, 4> tensors; ///< The number of the group's input for each tensor of the program.
    llvm::SmallVector<unsigned, 2> numbers; ///< The same for its last numbers; the first ones are constants.
    llvm::SmallVector<Scalar, 4> constants;
  };
  friend class BlockwiseBuilder;
  /// The group on the device of its operands; null where no fuser takes it there. Operands on another device too are
  /// for the plain nodes, which refuse them.
  FusedGroup *fusedFor(llvm::ArrayRef<const IValue *> inputs) const;
  StatusOr<bool> runTiers(CallContext &context, llvm::ArrayRef<const IValue *> inputs, IValue *results) const;
  StatusOr<bool> runBlockwise(llvm::ArrayRef<const IValue *> inputs, IValue *results) const;

  /// The inputs, as bits, from which each output inherits requires_grad; nullopt where that depends on dtypes that are
  /// not known, and then the plain nodes run.
  std::optional<std::vector<llvm::SmallBitVector>> gradientInputs;
  /// The compiled group for each device that has a fuser for it; shared by all equal groups.
  llvm::SmallVector<std::pair<DeviceKind, std::shared_ptr<FusedGroup>>, 1> fused;
  std::string text;
  std::unique_ptr<Blockwise> blockwise;
};

} // namespace tsc

#endif
