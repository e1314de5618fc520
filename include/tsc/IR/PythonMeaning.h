//===- PythonMeaning.h - Operators that mean what Python means --*- C++ -*-===//
//
// PyTorch and Python give some operators on numbers, strings and dicts different
// meanings (docs/Python.md). Each meaning is an operator of its own. Archives were
// made and tested with PyTorch, and their code calls aten::div; source is read as
// Python, and calls python::div where the two differ. The namespace is tsc's own:
// the text of the IR spells that operator aten::div[python=1], and archives and
// messages name it aten::div. Ops/Python.td has the records.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_PYTHONMEANING_H
#define TSC_IR_PYTHONMEANING_H

#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Symbol.h"
#include <optional>

namespace tsc {

class Node;

/// What operands have to show for an operator with Python's meaning to give what PyTorch's operator gives. Python.td
/// describes each.
enum class PythonAgreement : uint8_t {
  Never,
  NonZeroDivisor,
  AsciiText,
  SameText,
  PlainFields,
  PlainConversions,
  Chosen
};

/// The operator that has Python's meaning of one of PyTorch's, and when both give the same.
struct PythonMeaning {
  OpKind op;
  PythonAgreement agrees;
};
/// Returns the operator that has Python's meaning of `plain`, which has PyTorch's; nothing where there is one meaning.
std::optional<PythonMeaning> pythonMeaningOf(OpKind plain);

/// Whether a kind of nodes means what Python means, where PyTorch means something else. Kinds that hosts register in
/// the same namespace do not.
bool hasPythonMeaning(Symbol kind);
/// Returns the name of a kind as the text of the IR, archives and messages have it: "aten::div" for python::div, and
/// the qualified name of every other kind. It ends in a zero, and is valid as long as the symbol.
llvm::StringRef spellingOf(Symbol kind);

/// Whether the node means what Python means, where PyTorch means something else.
bool meansPython(const Node &node);
/// Whether Python has another meaning for what the node does.
bool mayMeanPython(const Node &node);
/// Makes the node one of the kind that has Python's meaning; mayMeanPython() holds.
void setMeansPython(Node &node);

} // namespace tsc

#endif
