//===- RoutineBuilder.h - From a graph to a routine -------------*- C++ -*-===//
#ifndef TSC_LIB_RUNTIME_LOWERING_ROUTINEBUILDER_H
#define TSC_LIB_RUNTIME_LOWERING_ROUTINEBUILDER_H

#include "LiveRanges.h"
#include "SlotAllocator.h"
#include "tsc/Runtime/Lowering/Lowering.h"
#include "llvm/ADT/DenseSet.h"

namespace tsc {

class AliasAnalysis;

/// A jump target: the steps that jump there until it is bound.
struct Label {
  llvm::SmallVector<int, 4> jumps;
};

/// Whether the node gives true where its two operands are the same object, as `is` does, or false there, as `is not`
/// does; nullopt for other nodes.
std::optional<bool> identityTest(const Node &node);

/// Builds one routine.
class RoutineBuilder {
public:
  RoutineBuilder(const Graph &graph, const LoweringOptions &options);
  ~RoutineBuilder();
  /// Lowers the graph; once.
  StatusOr<Routine> build();

private:
  // Analysis before emission.
  void findEffects();
  /// Whether nothing in the graph can tell when the fork runs (ForkEffects.cpp).
  bool mayRunLater(const Node &fork, Callee &callee);
  static Status checkControlFlow(const Block &block, unsigned depth);
  void findConditions(const Block &block);
  void markCondition(const Node *consumer, const Value *condition);
  bool needsSlot(const Value *value) const;
  void placeConstants(const Block &block);

  // Operands.
  bool isConst(const Value *value) const { return constants.count(value); }
  const IValue &constOf(const Value *value) const { return routine.constants[constants.lookup(value)].value; }
  SlotClass classOf(const Value *value) const { return classOfType(value->type()); }
  const Slot &slotOf(Operand operand) const { return routine.slots[operand.number()]; }
  Operand slotOf(const Value *value) const;
  /// Adds a constant that is read as an IValue.
  Operand addConstant(IValue value);
  Operand operand(const Node *user, unsigned index);
  Operand resultSlot(const Node *node, unsigned index = 0) { return slotOf(node->output(index)); }
  /// Absent for a result of class Value that nobody uses.
  Operand optionalResult(const Node *node, unsigned index = 0);
  OperandList operandList(const Node *node, unsigned first = 0);
  OperandList listOf(llvm::ArrayRef<Operand> operands);
  OperandList resultList(const Node *node);
  int32_t typeEntry(TypeEntry entry);

  // Emission.
  Step &emit(StepKind kind, Operand result = {}, Operand a = {}, Operand b = {}, Operand c = {});
  /// Emits a step whose operands and results are lists.
  Step &emitLists(StepKind kind, OperandList list, OperandList results = {});
  Step &emitJump(StepKind kind, Label &target, Operand a = {}, Operand b = {});
  void removeLastStep();
  void bind(Label &label, int position);
  void bind(Label &label) { bind(label, here()); }
  int here() const { return static_cast<int>(routine.steps.size()); }
  void emitBlock(const Block &block);
  void noteEffect(const Node &node);
  void emitDrops(llvm::ArrayRef<Value *> values);
  void emitNode(const Node *node);
  void emitIf(const Node *node);
  void emitLoop(const Node *node);
  /// Jumps to `target` when the condition is `sense`, else goes on. The condition is input `index` of `user`.
  void emitBranch(const Node *user, unsigned index, bool sense, Label &target);
  void emitIfCondition(const Node *node, bool sense, Label &target);
  void emitComparisonJump(const Node *node, bool sense, Label &target);

  // Moves that happen at once: the inputs of `user` from `first` on go to the slots of `targets`.
  struct PendingMove {
    Operand from, to;
  };
  void emitMoves(const Node *user, unsigned first, llvm::ArrayRef<Value *> targets);
  void emitMove(const PendingMove &move) { emit(StepKind::Move, move.to, move.from); }
  /// A number for the place of a slot in the frame; none for what is no slot.
  std::optional<uint32_t> placeOf(Operand operand) const;
  bool isSamePlace(Operand a, Operand b) const {
    std::optional<uint32_t> place = placeOf(a);
    return place && place == placeOf(b);
  }
  /// A slot that steps need for a moment. Of floats there are two.
  Operand scratch(SlotClass kind, unsigned number = 0);

  // Selection.
  bool emitScalar(const Node *node);
  bool emitContainer(const Node *node);
  bool emitPrimitive(const Node *node);
  void emitRaise(const Node *node);
  void emitNewList(const Node *node);
  void emitNewTuple(const Node *node);
  void emitNewDict(const Node *node);
  void emitUnpack(const Node *node);
  bool emitTupleIndex(const Node *node);
  void emitTupleSlice(const Node *node);
  void emitUnwrap(const Node *node);
  bool emitIsNone(const Node *node, bool sense);
  void emitFunctionCall(const Node *node);
  void emitMethodCall(const Node *node);
  bool emitSubgraph(const Node *node);
  void emitBailOut(const Node *node);
  void emitAttribute(const Node *node);
  void emitCall(const Node *node, StepKind kind, Callee callee, OperandList args);
  void emitGroup(const Node *node, Callee callee, OperandList args);
  void emitWith(const Node *node);
  void emitOperator(const Node *node);
  void emitInserted(const Node *node, llvm::ArrayRef<IValue> constants);
  void emitCast(const Node *node);
  void emitFailure(const llvm::Twine &message);
  std::optional<Operand> scalarOperand(const Node *node, unsigned index, SlotClass expected, unsigned scratchNumber);

  const Graph &graph;
  const LoweringOptions options;
  Routine routine;
  std::unique_ptr<LiveRanges> liveness;
  llvm::DenseMap<const Value *, unsigned> constants; ///< The positions of constants among those of the routine.
  llvm::DenseSet<const Node *> conditions;           ///< Nodes that exist only as a jump of their consumer.
  llvm::DenseSet<const Value *> discarded;           ///< Results that no slot received.
  /// Scratch slots that there are, by class; two of floats, for the operands of one step.
  std::optional<unsigned> scratchSlots[4], secondFloatScratch;
  std::unique_ptr<AliasAnalysis> forkAliases; ///< Where the graph forks.
  std::unique_ptr<AliasAnalysis> effects;     ///< Null where nothing is noted.
  bool isNoted = false;                       ///< At the current place something was surely observed before.
  const Node *currentNode = nullptr;
  SourceRange range;
};

} // namespace tsc

#endif
