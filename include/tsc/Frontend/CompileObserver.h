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
  enum class Meaning : uint8_t { Value, Operator, Function, Class, Module, Form, Other };
  Meaning meaning = Meaning::Other;
  /// Of a value, or the class that is named; null where there is none.
  const Type *type = nullptr;
  /// `aten::relu` of an operator, `torch.nn` of a module; empty for others.
  std::string name;
  /// Of a function or a method.
  const Function *function = nullptr;
  /// Of a value that one operator gives: the overload that was chosen; null for others.
  const OpRecord *overload = nullptr;
  /// Of a call: what is called.
  SourceRange callee;
};

/// Hears what a compiler finds out about the text that it compiles, for tools that show programs to people. Bodies
/// that are compiled for several types of arguments are told of as often, and so are those of the library.
///
/// Threads: called by the thread that compiles.
class CompileObserver {
public:
  virtual ~CompileObserver() = default;
  /// An expression of a body was compiled.
  virtual void expression(SourceRange range, const ExpressionFacts &facts) = 0;
  /// An expression was evaluated while a file was run; `type` as Python would call it.
  virtual void evaluated(SourceRange range, llvm::StringRef type) = 0;
  /// A body was compiled. `name` is where its `def` says what it is called.
  virtual void compiled(SourceRange name, Function &function) = 0;
};

} // namespace tsc

#endif
