//===- Routine.h - A graph, lowered to steps over slots ---------*- C++ -*-===//
//
// What the interpreter assembles instructions from, and what a compiler to native
// code starts from. Control flow is jumps among steps; values live in slots, whose
// types are known; where a value dies is a last use or a step of its own; and for
// each step that may fail it is known what is to be released and where control
// goes then (FailureEdges.h).
//
//   routine @scale(s1, s0):
//     slots:
//       s0 : int in scalar 0
//       s1 : Tensor in value 0, memory 0 1
//     steps:
//       0: branch to 2 unless LtI(s0, 3)
//       1: s1 = aten::mul.Scalar(s1!, s0) # fails: release s1
//       2: return (s1!)
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_LOWERING_ROUTINE_H
#define TSC_RUNTIME_LOWERING_ROUTINE_H

#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Lowering/Representation.h"
#include "tsc/Runtime/Lowering/ScalarOps.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tsc {

class Function;

/// A variable of a routine: a value of the graph, or several that control flow joins and that are never there at once
/// (a branch's result and the If's; a loop's initial value, parameter, next value and result).
///
/// A slot of class Value is empty except between a definition and the last use, so that writing it releases nothing.
/// Slots that are never occupied at once may share a place in the frame. Steps that move values from slot to slot have
/// been put in an order that is right for these places.
struct Slot {
  SlotClass kind;   ///< How the slot holds its value.
  bool isScratch;   ///< Whether it is none of the graph's values: steps need it to convert and to exchange values.
  uint32_t place;   ///< Its place: among those of scalars, or among those of class Value.
  const Type *type; ///< A type of all values that it holds: of tensors, with the facts that all agree on.
};

/// What a step reads or writes: a slot, a constant of the routine, or nothing.
class Operand {
public:
  Operand() : bits(Absent) {}
  static Operand slot(unsigned number, bool isLastUse = false) {
    return Operand(number << 2 | (isLastUse ? Dying : Live));
  }
  static Operand constant(unsigned number) { return Operand(number << 2 | Constant); }

  bool isAbsent() const { return (bits & 3) == Absent; }
  bool isSlot() const { return (bits & 3) <= Dying; }
  bool isConstant() const { return (bits & 3) == Constant; }
  /// Whether it is the last use of what a slot of class Value holds: the step takes the value out.
  bool isLastUse() const { return (bits & 3) == Dying; }
  /// Returns the number of the slot or constant.
  unsigned number() const {
    assert(!isAbsent() && "a slot or a constant");
    return bits >> 2;
  }
  /// Returns the same slot or constant, which lives on.
  Operand kept() const { return isLastUse() ? slot(number()) : *this; }
  bool operator==(const Operand &) const = default;

private:
  enum Kind : uint32_t { Live, Dying, Constant, Absent };
  explicit Operand(uint32_t bits) : bits(bits) {}
  uint32_t bits;
};

/// A range of Routine::operands.
struct OperandList {
  uint32_t begin = 0, count = 0;
};

/// A constant that steps read.
struct RoutineConstant {
  IValue value;
  /// How steps read it: as a number, from a place that holds it from the start, or as an IValue.
  SlotClass kind = SlotClass::Value;
  bool isUsed = false; ///< Whether a step reads it.
};

/// A class, a type or a name that a step refers to.
struct TypeEntry {
  const Type *type = nullptr;
  std::string name;                  ///< An attribute's name, or a message.
  std::vector<const Type *> choices; ///< The types that isinstance asks for.
};

/// The code that a step calls.
struct Callee {
  Function *function = nullptr;    ///< A function or method, or null.
  const Graph *subgraph = nullptr; ///< The graph in the node, or null.
  std::string methodName;          ///< The method that is looked up in the object's class; else empty.
  /// Whether it is a fork and nothing in the routine can tell when it runs, as far as the routine shows. What the fork
  /// does, and what these do that the routine calls, is for who runs it to ask (hasSeenEffects).
  bool mayRunLater = false;
  std::vector<const Graph *> otherGraphs;
  std::vector<Function *> otherFunctions;
};

/// How a list holds its elements.
enum class ElementKind : uint8_t { Int, Float, Bool, Tensor, Value };

/// What a step does: see Steps.def.
enum class StepKind : uint8_t {
#define STEP(NAME, FAILS, DOC) NAME,
#include "tsc/Runtime/Lowering/Steps.def"
};

/// One step: what Steps.def says of its kind.
struct Step {
  StepKind kind;
  bool sense = false; ///< The outcome for which a branch goes to its target; the answer of IsNone for None.
  union {
    ScalarOp scalarOp;    ///< What Scalar and BranchCompare compute.
    ElementKind elements; ///< How the list of a step on lists holds its elements.
    uint8_t none = 0;
  };
  Operand result, a, b, c;
  OperandList list, results;
  union {
    int32_t target = -1; ///< The number of the step that a jump goes to.
    int32_t callee;      ///< An index of Routine::callees.
    int32_t index;       ///< The position of a tuple's element or of an attribute.
  };
  union {
    int32_t type = -1; ///< An index of Routine::types; -1 for none.
    int32_t end;       ///< The position behind the last element that TupleRange takes.
  };
  const Node *node = nullptr; ///< The node that it is made of; null at the start of the routine.
};

/// What a step does besides writing its results.
struct StepEffects {
  bool writes = false;         ///< It may write what an operand refers to.
  bool draws = false;          ///< It draws random numbers, or seeds their generator.
  bool runsCode = false;       ///< It runs code, whose effects are its own.
  bool hasSideEffects = false; ///< It does something else that cannot be left out, such as to print.
};

/// A graph, lowered.
///
/// Ownership: borrows the graph, whose nodes its steps refer to, and all that the graph borrows. Who has assembled it
///            needs neither any more.
/// Threads:   immutable once lower() has made it, but for those who take its parts.
struct Routine {
  const Graph *graph = nullptr;
  std::vector<Slot> slots;
  std::vector<uint32_t> slotOfValue; ///< The slot of each value by its id; `noSlot` where it has none.
  std::vector<uint32_t> inputs;      ///< The slots of the graph's inputs.
  unsigned numOutputs = 0;
  unsigned numScalarPlaces = 0, numValuePlaces = 0;
  std::vector<RoutineConstant> constants;
  std::vector<Operand> operands; ///< What OperandLists are ranges of.
  std::vector<TypeEntry> types;
  std::vector<Callee> callees;
  std::vector<Step> steps;
  std::vector<SourceRange> ranges; ///< Where each step comes from in the source.
  // Effects of the whole.
  bool mayDraw = false;          ///< May draw random numbers, or calls code that may.
  bool asksForGradients = false; ///< Needs a tape, or calls code that may.

  static constexpr uint32_t noSlot = ~uint32_t{0};

  llvm::ArrayRef<Operand> listOf(OperandList list) const {
    return llvm::ArrayRef(operands).slice(list.begin, list.count);
  }
  /// Returns what a step writes, without what is absent.
  llvm::SmallVector<Operand, 4> writtenBy(const Step &step) const;
  /// Returns what a step reads, without what is absent.
  llvm::SmallVector<Operand, 8> readBy(const Step &step) const;
  /// Returns how an operand is held, and the class of the value in a slot.
  SlotClass classOf(Operand operand) const {
    return operand.isConstant() ? constants[operand.number()].kind : slots[operand.number()].kind;
  }
  /// Whether the step may fail.
  bool mayFail(const Step &step) const;
  /// Returns what a step does besides writing its results.
  StepEffects effectsOf(const Step &step) const;

  /// Prints the routine as text (docs/Routines.md), with which slots may share memory. `withRanges` adds source
  /// locations.
  void print(llvm::raw_ostream &os, bool withRanges = false) const;
};

/// Returns the name of a step's kind, "CallOperator".
llvm::StringRef nameOf(StepKind kind);
/// Whether control may go from the step to its target.
bool isJump(StepKind kind);
/// Whether control never goes from the step to the one behind it.
bool isTerminator(StepKind kind);
/// Returns what is wrong with a routine: a slot that is read while it is empty, or written or left while it is not, a
/// target out of range, or a state that depends on the way to a step. Empty where all is well.
std::string findMistake(const Routine &routine);

} // namespace tsc

#endif
