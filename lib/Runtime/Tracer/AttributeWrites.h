//===- AttributeWrites.h - What a traced function's code writes -*- C++ -*-===//
//
// An attribute that the code assigns, or whose list it writes to, may be another one in
// the next call, so that it can decide nothing in a trace.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_RUNTIME_TRACER_ATTRIBUTEWRITES_H
#define TSC_LIB_RUNTIME_TRACER_ATTRIBUTEWRITES_H

#include "tsc/IR/Graph.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace tsc {

class Function;

/// Returns the name of the method that a node calls on its operand 0, or an empty name.
llvm::StringRef methodNameOf(const Node &node);
/// Whether a node gives its operand 0, and only its type is another.
bool passesOperand(const Node &node);

/// The attributes that the code of a function writes, and the code of all that it calls. They are known by name: one of
/// another object counts, too.
struct AttributeWrites {
  /// The types of lists and dicts, and the names of attributes that hold such.
  struct Containers {
    llvm::StringSet<> names;
    /// These are the types of containers that were written where it is unknown which attribute holds them, if any
    /// does: an argument, an element of a list, the result of a call.
    llvm::DenseSet<const Type *> types;
    /// Whether the value of an attribute may be one of them.
    bool mayHold(llvm::StringRef name, const Type *type) const;
    /// Whether one of them may be within the value of an attribute of this type.
    bool mayHoldWithin(const Type *type) const;
  };
  llvm::StringSet<> assigned; ///< The names of attributes that the code assigns.
  Containers resized;         ///< What it makes longer or shorter.
  Containers rewritten;       ///< The lists that it writes to, without that.
  bool isAnything = false;    ///< Whether it calls a function that nobody knows, which may write anything.
};

/// Looks at a graph, at the functions and methods that it calls, and at those that these call. A call through an
/// interface may be one of the method of that name in any class of which there is an object: among `args`, which the
/// graph is called with, or made by the code.
AttributeWrites findAttributeWrites(Graph &graph, llvm::ArrayRef<IValue> args);

} // namespace tsc

#endif
