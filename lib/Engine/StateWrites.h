//===- StateWrites.h - What calls write that outlives them ------*- C++ -*-===//
//
// Whether two calls of a program may run at the same time: attributes, lists and
// tensors that a call writes belong to one thread while it runs.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_ENGINE_STATEWRITES_H
#define TSC_LIB_ENGINE_STATEWRITES_H

#include "tsc/Runtime/Module.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace tsc {

class Graph;
class Storage;

/// Where a function first writes memory that was there before the call: "'self.state = x' (code/m.py:3)". Empty:
/// nowhere.
struct FunctionWrites {
  std::string state;     ///< Attributes, what they hold, and constants of the code.
  std::string arguments; ///< What a caller gave, and what that holds.
};

/// What the functions of a program may write, of which each may be called at any time.
struct StateWrites {
  llvm::MapVector<const Function *, FunctionWrites> functions;
  bool exposesState =
      false; ///< A result may be, or hold, an attribute's value or a constant, and come back as argument.
  bool writesTensors = false; ///< Some tensor is written in place, in state or among arguments.
  bool writesShared = false;  ///< Something that forks of the module share beside its parameters.
  /// The memory of tensors that attributes hold and that functions write, give away or hand to code that is not known.
  llvm::DenseSet<const Storage *> exposed;

  /// Whether the function is one of those that were looked at.
  bool knows(const Function &function) const { return functions.contains(&function); }
  /// Where calls of the function first write what other calls may use; empty: nowhere.
  llvm::StringRef firstWrite(const Function &function) const;
  /// Returns where calls of any function first write what other calls may use; empty: nowhere.
  llvm::StringRef firstWrite() const;
  /// Where a function first writes an argument; empty: nowhere.
  llvm::StringRef firstArgumentWrite() const;
};

/// Looks at all that the functions can be seen to run. What cannot be followed counts as writing. With a module, each
/// is a method of it or takes it as first argument. Functions that do not compile are left out: they do not run either.
///
/// Numbers in attributes that no function assigns are taken for constants, as `training` is, so that branches that they
/// close do not count: the answer holds until somebody else assigns one.
///
/// Cost: that of freezing the module for these functions. Nothing may write to the module meanwhile.
StateWrites findStateWrites(const Module *module, llvm::ArrayRef<Function *> functions);

/// Whether a graph surely uses nothing but its operands: it reads no attribute, calls nothing and writes nothing. Looks
/// at each node once.
bool usesOperandsAlone(Graph &graph);

} // namespace tsc

#endif
