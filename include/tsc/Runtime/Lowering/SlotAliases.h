//===- SlotAliases.h - Which slots may share memory -------------*- C++ -*-===//
#ifndef TSC_RUNTIME_LOWERING_SLOTALIASES_H
#define TSC_RUNTIME_LOWERING_SLOTALIASES_H

#include "tsc/Runtime/Lowering/Routine.h"

namespace tsc {

/// The pieces of memory that the values in each slot may refer to, found out for the whole routine when it is made
/// (AliasAnalysis). What a container holds does not count as its memory. The routine's graph is needed no longer than
/// that.
class SlotAliases {
public:
  explicit SlotAliases(const Routine &routine);

  /// Returns numbers of pieces of memory, in increasing order; none for a slot whose values have no memory that can be
  /// written. Numbers are small, and mean nothing but that equal ones are the same memory.
  llvm::ArrayRef<uint32_t> memoryOf(uint32_t slot) const { return memory[slot]; }
  /// Whether a write through one slot may change what the other refers to.
  bool mayAlias(uint32_t a, uint32_t b) const;

private:
  std::vector<llvm::SmallVector<uint32_t, 2>> memory;
};

} // namespace tsc

#endif
