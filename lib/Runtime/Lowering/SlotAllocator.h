//===- SlotAllocator.h - Placing values in slots ----------------*- C++ -*-===//
//
// Values joined by control flow (a branch's result and the If's, a loop's initial
// value, parameter, next value and result) share a slot where their live ranges
// allow it, so that most joins need no move. Each slot then gets a place by linear
// scan over the hull of its ranges.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_RUNTIME_LOWERING_SLOTALLOCATOR_H
#define TSC_LIB_RUNTIME_LOWERING_SLOTALLOCATOR_H

#include "LiveRanges.h"
#include "tsc/Runtime/Lowering/Routine.h"
#include <optional>

namespace tsc {

/// Whether a prim::unchecked_cast or the like, which has one input and one output, must look at its value at run time.
/// So does a guard whose type says something of tensors, and a prim::profile with a number.
bool needsCastCheck(const Node &node);
/// Returns the number under which a prim::profile tells of the tensors that pass it; nullopt for one that does not, and
/// for other nodes that have one output.
std::optional<int64_t> numberOfObserver(const Node &node);

/// Fills in the slots of a routine when it is made: one for each value that needs one, joined where that is possible.
class SlotAllocator {
public:
  /// `needsSlot` is false for constants and for values that exist only as a jump.
  SlotAllocator(Routine &routine, const LiveRanges &liveness, llvm::function_ref<bool(const Value *)> needsSlot);

private:
  void collect(const Block &block);
  void joinControlFlow(const Block &block);
  void tryJoin(const Value *a, const Value *b);
  unsigned find(unsigned id);
  void assign();
  const Type *commonType(const Type *a, const Type *b) const;

  Routine &routine;
  const LiveRanges &liveness;
  llvm::function_ref<bool(const Value *)> needsSlot;
  std::vector<unsigned> parent;                    ///< Union-find over value ids; NoGroup for ids without a slot.
  std::vector<const Type *> types;                 ///< The type of each value, by its id.
  std::vector<std::vector<LiveRange>> groupRanges; ///< Sorted, disjoint; of a group's root.
};

} // namespace tsc

#endif
