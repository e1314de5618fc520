//===- Registers.h - Placing values in the slots of a frame ---------------===//
//
// Values joined by control flow (a branch's result and the If's, a loop's initial
// value, parameter, next value and result) share a slot where their live ranges
// allow it, so that most joins need no move. Each group then gets a slot by
// linear scan over the hull of its ranges.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_COMPILER_REGISTERS_H
#define TSC_RUNTIME_COMPILER_REGISTERS_H

#include "../Interpreter/Instruction.h"
#include "LiveRanges.h"

namespace tsc {

/// Whether a prim::unchecked_cast or the like must look at its value at run time.
bool needsCastCheck(const Node &node);

class Registers {
public:
  /// `needsRegister` is false for constants and for values that exist only as a jump.
  Registers(const Graph &graph, const LiveRanges &liveness, llvm::function_ref<bool(const Value *)> needsRegister);

  /// The slot's number within its class's area: scalars are numbered together, values apart.
  unsigned slot(const Value *value) const { return slots[value->id()]; }
  unsigned numScalars() const { return scalarClasses.size(); }
  SlotClass scalarClass(unsigned slot) const { return scalarClasses[slot]; }
  unsigned numValues() const { return valueSlots; }
  /// A further slot that is used for nothing else.
  unsigned addScalar(SlotClass kind) {
    scalarClasses.push_back(kind);
    return scalarClasses.size() - 1;
  }
  unsigned addValue() { return valueSlots++; }

private:
  struct Group;
  void collect(const Block &block);
  void joinControlFlow(const Block &block);
  void tryJoin(const Value *a, const Value *b);
  unsigned find(unsigned id);
  void assign();

  const LiveRanges &liveness;
  llvm::function_ref<bool(const Value *)> needsRegister;
  std::vector<unsigned> parent; ///< Union-find over value ids; NoGroup for ids without a register.
  std::vector<SlotClass> classes;
  std::vector<std::vector<LiveRange>> groupRanges; ///< Sorted, disjoint; of a group's root.
  std::vector<unsigned> slots;
  std::vector<SlotClass> scalarClasses;
  unsigned valueSlots = 0;
};

} // namespace tsc

#endif
