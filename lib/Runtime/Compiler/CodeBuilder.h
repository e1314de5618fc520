//===- CodeBuilder.h - From a graph to instructions -----------------------===//
#ifndef TSC_RUNTIME_COMPILER_CODEBUILDER_H
#define TSC_RUNTIME_COMPILER_CODEBUILDER_H

#include "../Interpreter/Instruction.h"
#include "LiveRanges.h"
#include "Registers.h"

namespace tsc {

class AliasAnalysis;

/// A jump target: positions of the jumps that go there until it is bound.
struct Label {
  llvm::SmallVector<int, 4> jumps;
};

/// An instruction for one overload on scalars: what it reads and writes (i int, f float, b bool), and whether the
/// operands are exchanged. An int stands where a float is expected: it is converted first.
struct ScalarPattern {
  Opcode op;
  char result;
  const char *operands;
  bool swap = false;
};
std::optional<ScalarPattern> scalarPattern(OpKind kind);
/// The jump that is taken when the comparison has the given outcome; `swap` exchanges the operands.
struct JumpPattern {
  Opcode op;
  bool swap;
};
std::optional<JumpPattern> jumpPattern(Opcode compare, bool outcome);

class CodeBuilder {
public:
  CodeBuilder(const Graph &graph, llvm::StringRef name, CodeCache &cache);
  ~CodeBuilder();
  StatusOr<std::unique_ptr<CodeImpl>> build();

private:
  // Analysis before emission.
  void findEffects();
  /// Whether nothing in the graph can tell when the fork runs (ForkEffects.cpp).
  bool mayRunLater(const Node &fork, FunctionCall &call);
  static Status checkControlFlow(const Block &block, unsigned depth);
  void findConditions(const Block &block);
  void markCondition(const Node *consumer, const Value *condition);
  bool needsRegister(const Value *value) const;
  void placeConstants(const Block &block);

  // Operands.
  bool isConst(const Value *value) const { return constants.count(value); }
  const IValue &constOf(const Value *value) const { return constantValues[constants.lookup(value)]; }
  SlotClass classOf(const Value *value) const { return classOfType(value->type()); }
  int32_t scalarOffset(unsigned slot) const { return static_cast<int32_t>(slot) * slotSize; }
  int32_t valueOffset(unsigned slot) const { return static_cast<int32_t>(registers->numScalars() + slot) * slotSize; }
  int32_t registerOf(const Value *value) const;
  int32_t constantOperand(IValue value);
  int32_t operand(const Node *user, unsigned index);
  int32_t resultSlot(const Node *node, unsigned index = 0) { return registerOf(node->output(index)); }
  /// NoOperand for a value result that nobody uses.
  int32_t optionalResult(const Node *node, unsigned index = 0);
  int32_t operandList(const Node *node, unsigned first = 0);
  int32_t listOf(llvm::ArrayRef<int32_t> operands);
  int32_t resultList(const Node *node);
  int32_t typeEntry(TypeEntry entry);

  // Emission.
  int emit(Opcode op, int32_t a = 0, int32_t b = 0, int32_t c = 0, int32_t d = 0);
  void emitJump(Opcode op, Label &target, int32_t a = 0, int32_t b = 0);
  void bind(Label &label, int position);
  void bind(Label &label) { bind(label, static_cast<int>(code->instructions.size())); }
  int here() const { return static_cast<int>(code->instructions.size()); }
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
    int32_t from, to;
    SlotClass fromClass, toClass;
  };
  void emitMoves(const Node *user, unsigned first, llvm::ArrayRef<Value *> targets);
  void emitMove(const PendingMove &move);
  int32_t temporary(SlotClass kind) const;

  // Selection.
  std::optional<ScalarPattern> selectPattern(const Node *node) const;
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
  bool emitIsNone(const Node *node, Opcode op);
  void emitWait(const Node *node);
  void emitFunctionCall(const Node *node);
  void emitMethodCall(const Node *node);
  bool emitSubgraph(const Node *node);
  void emitAttribute(const Node *node);
  void emitCall(const Node *node, Opcode op, FunctionCall call, int32_t args, int32_t extra = 0);
  void emitGroup(const Node *node, FunctionCall call, int32_t args);
  void emitWith(const Node *node);
  void emitOperator(const Node *node);
  void emitInserted(const Node *node, BoxedKernel kernel, llvm::ArrayRef<IValue> constants);
  void emitCast(const Node *node);
  void emitFailure(const llvm::Twine &message);
  std::optional<int32_t> scalarOperand(const Node *node, unsigned index, char expected, unsigned temp);
  void finish();

  const Graph &graph;
  std::unique_ptr<CodeImpl> code;
  std::unique_ptr<LiveRanges> liveness;
  std::unique_ptr<Registers> registers;
  llvm::DenseMap<const Value *, unsigned> constants; ///< Into constantValues.
  std::vector<IValue> constantValues;
  std::vector<int32_t> constantPlaces;     ///< Operand of each constant; NoOperand until it is needed.
  std::vector<unsigned> constantSlots;     ///< Scalar slot of each scalar constant.
  llvm::DenseSet<const Node *> conditions; ///< Nodes that exist only as a jump of their consumer.
  llvm::DenseSet<const Value *> discarded; ///< Results that no slot received.
  unsigned temporarySlots[4] = {};
  unsigned secondFloatTemporary = 0;
  std::unique_ptr<AliasAnalysis> forkAliases; ///< Where the graph forks.
  std::unique_ptr<AliasAnalysis> effects;     ///< Null where nothing is noted.
  bool isNoted = false;                       ///< At the current place something was surely observed before.
  SourceRange range;
};

} // namespace tsc

#endif
