//===- ReverseMode.h - Gradients as nodes of the graph ----------*- C++ -*-===//
#ifndef TSC_LIB_AUTODIFF_REVERSEMODE_H
#define TSC_LIB_AUTODIFF_REVERSEMODE_H

#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Autodiff/Derivatives.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tsc {

class Definitions;

/// Whether the one block is the other, or around it.
bool encloses(const Block *outer, const Block *inner);
/// Whether `first` has run, in the same trip of a loop that holds both, whenever `second` runs.
bool dominates(const Node &first, const Node &second);

/// What is differentiated, and where the gradients are to be computed.
struct ReverseRequest {
  llvm::SmallVector<Value *, 2> outputs;
  llvm::SmallVector<Value *, 2> weights; ///< One for each output; null: 1, for an output that is one number.
  llvm::SmallVector<Value *, 2> inputs;
  Node *before; ///< Gradients are inserted before this node.
  /// The gradients can be differentiated in turn: nothing that is inserted writes to tensors.
  bool createGraph = false;
  /// The inputs are the graph's, and require gradients; the weights have the sizes and dtypes of their outputs.
  bool isWhole = false;
  /// Weights may be undefined: what is computed of a gradient is guarded by prim::GradOf. Of a whole graph without
  /// branches and loops.
  bool mayBeAbsent = false;
};

/// Reverse accumulation (Griewank and Walther, "Evaluating Derivatives", 2008, chapter 3) over the nodes before a point
/// of a graph: nodes backwards, each by its record's formula, gradients of one value added in that order.
///
/// What a formula reads of a branch is made an output of its If; of the trips of a loop, it is pushed on lists that the
/// loop backwards pops.
class ReverseMode {
public:
  ReverseMode(Graph &graph, const ReverseRequest &request);

  /// The gradient of each input, null where no output depends on it. nullopt: problem() says why it cannot be done;
  /// what was inserted until then nobody uses. `refineTypes` gives the nodes that were inserted types, by those of
  /// their operands.
  std::optional<llvm::SmallVector<Value *, 2>> run(llvm::function_ref<void()> refineTypes);
  llvm::StringRef problem() const { return why; }
  /// The operators of whose gradients something was computed.
  llvm::ArrayRef<Node *> reversed() const { return visited; }
  /// The operators among reversed() whose formulas read elements: they can go backwards once, unless what they read is
  /// kept.
  llvm::ArrayRef<Node *> keepers() const { return reading; }
  /// Values whose elements their formulas read, in the order in which these do.
  llvm::ArrayRef<Value *> read() const { return elementsRead; }
  bool dependsOnInputs(const Value *value) const { return isActive(value); }
  /// Whether a composite was taken apart.
  bool hasExpanded() const { return numExpanded != 0; }

private:
  struct Scope;

  // What depends on the inputs.
  bool checkInput(const Value *input);
  bool requiresGradient(const Value *value) const;
  bool requiresGradient(const Value *value, llvm::SmallPtrSetImpl<const Value *> &seen) const;
  bool findActive(Block &block);
  bool findActiveIn(Node &node);
  bool findActiveInLoop(Node &loop);
  bool expand(Node &node);
  bool isActive(const Value *value) const { return active.contains(value); }
  bool activate(Value *value);
  bool findStart(Node &node);
  bool isWrittenLater(const Node &node, const Value *value) const;
  uint32_t wantedOperands(const Node &node) const;

  // Backwards.
  bool reverseBefore(Scope &scope, Node *end);
  bool reverse(Scope &scope, Node &node);
  bool reverseOperator(Scope &scope, Node &node);
  bool reverseIf(Scope &scope, Node &node);
  bool reverseLoop(Scope &scope, Node &node);
  bool reverseListConstruct(Scope &scope, Node &node);
  bool reverseListUnpack(Scope &scope, Node &node);
  bool reverseElement(Scope &scope, Node &node);
  Value *ofElementsDtype(Scope &scope, const Value &list, Value *element, Value *gradient);
  bool reverseAppend(Scope &scope, Node &node);
  bool reversePop(Scope &scope, Node &node);
  bool isReadInParts(const Value *value, Node &node) const;
  bool reverseIntoBuffer(Scope &scope, Node &node, Value *gradient);
  bool hasGradients(Scope &scope, Node &node);
  bool reverseGuarded(Scope &scope, Node &node, const Derivative &derivative, llvm::ArrayRef<Value *> arguments);
  std::vector<Value *> inlineFormula(const Derivative &derivative, llvm::ArrayRef<Value *> arguments);
  bool handOn(Scope &scope, const Node &node, unsigned operand, Value *gradient);
  Value *conform(Scope &scope, const Node &node, Value *operand, Value *gradient);
  Value *sumTo(Scope &scope, Value *operand, const Type *from, Value *gradient);
  Value *sumToSizesOf(Scope &scope, Value *operand, Value *gradient);
  Value *convert(Value *gradient, DType given, DType wanted);

  // Gradients of values.
  Value *gradientOf(Scope &scope, Value *value);
  Value *ensureGradient(Scope &scope, Value *value);
  void add(Scope &scope, Value *value, Value *gradient);
  bool addList(Scope &scope, Value *list, Value *gradients);
  Value *listGradientOf(Scope &scope, Value *list);
  Value *bufferOf(Scope &scope, Value *value);
  Value *zerosLike(Scope &scope, Value *value);

  // Values of the way forth.
  bool isOutside(const Scope &scope, const Value *value) const;
  Value *visible(Scope &scope, Value *value);
  Value *visibleTensor(Scope &scope, Value *value);
  Value *insertAbsent(const Type *type);
  Value *captureFromBranch(Scope &scope, Value *value);
  Value *captureFromTrip(Scope &scope, Value *value);
  Value *insertAtHead(Scope &scope, Node *node);
  Value *tripNumber(Scope &scope);
  Value *keepOnStack(Scope &scope, Value *value);

  bool fail(const llvm::Twine &message);

  Graph &graph;
  const ReverseRequest &request;
  Derivatives &derivatives;
  Definitions &definitions;
  llvm::DenseSet<const Value *> active;
  std::optional<AliasAnalysis> aliases;   ///< Where something is written.
  llvm::DenseSet<const Node *> inBuffers; ///< Operators whose results' gradients were written into their operand's.
  llvm::SmallVector<Node *> visited, reading;
  llvm::SmallVector<Value *> elementsRead;
  unsigned numExpanded = 0;
  bool writesTensors = false; ///< Such as take no part.
  std::string why;
};

} // namespace tsc

#endif
