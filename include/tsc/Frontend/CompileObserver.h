//===- CompileObserver.h - What the compiler finds names to mean -*- C++ -*-===//
#ifndef TSC_FRONTEND_COMPILEOBSERVER_H
#define TSC_FRONTEND_COMPILEOBSERVER_H

#include "tsc/Support/Source.h"
#include "llvm/ADT/StringRef.h"

namespace tsc {

class Function;
class Type;
struct OpRecord;

/// What an expression was found to denote.
struct ExpressionFacts {
  /// What kind of thing the expression denotes.
  enum class Meaning : uint8_t { Value, Operator, Function, Class, Module, Form, Other };
  Meaning meaning = Meaning::Other;
  /// The type of a Value, or the class that a Class names; null where there is none.
  const Type *type = nullptr;
  /// The name of an Operator (`aten::relu`), a Module (`torch.nn`) or a Form; empty for others.
  std::string name;
  /// The Function, which may be a method; null for others.
  const Function *function = nullptr;
  /// The overload that was chosen for a Value that one operator gives; null for others.
  const OpRecord *overload = nullptr;
  /// The range of what a call calls; invalid for other expressions.
  SourceRange callee;
};

/// Is told what a compiler finds out about the text that it compiles, for tools that show programs to people. A body
/// that is compiled several times, for different types of arguments, is told of each time, and so are bodies of the
/// library.
///
/// Threads: called by the thread that compiles.
class CompileObserver {
public:
  virtual ~CompileObserver() = default;
  /// Called when an expression of a body was compiled.
  virtual void expression(SourceRange range, const ExpressionFacts &facts) = 0;
  /// Called when an expression was evaluated while a file was run. `type` is the name of its value's type in Python.
  virtual void evaluated(SourceRange range, llvm::StringRef type) = 0;
  /// Called when a body was compiled. `name` is the range of the name in its `def`.
  virtual void compiled(SourceRange name, Function &function) = 0;
};

} // namespace tsc

#endif
