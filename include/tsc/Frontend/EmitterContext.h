//===- EmitterContext.h - The function that is being compiled ---*- C++ -*-===//
//
// What a resolver's values do when they are read, called or set: they insert nodes
// into the graph of the function whose body is being compiled, read and set its
// variables, call other functions, and report what is wrong. The emitter hands an
// EmitterContext to each function of a SugaredValue.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FRONTEND_EMITTERCONTEXT_H
#define TSC_FRONTEND_EMITTERCONTEXT_H

#include "tsc/Frontend/SugaredValue.h"
#include "tsc/Support/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"

namespace tsc {

class Context;
class Function;
class Graph;
class Node;

/// The function that is being compiled, as a SugaredValue sees it. Nodes are inserted where the emitter is: behind
/// those of the expressions that were compiled before.
///
/// Ownership: borrows all that it returns, but for what make() makes. It lives while a function is compiled, and is
///            not kept.
/// Threads:   one at a time, as its Compiler.
/// Errors:    reported to diagnostics(); results are then null or false.
class EmitterContext {
public:
  EmitterContext(const EmitterContext &) = delete;
  EmitterContext &operator=(const EmitterContext &) = delete;
  Context &context() const { return ofTypes; }
  Graph &graph() const { return ofBody; }
  DiagnosticEngine &diagnostics() const { return reports; }

  /// What a function that has reported an error returns: null, or false.
  struct Failed {
    template <typename T> operator T *() const { return nullptr; }
    operator bool() const { return false; }
  };
  /// Reports an error about a place of the source, in the words of `kind` with `args`.
  template <typename... Args> Failed error(SourceRange range, const DiagnosticKind &kind, Args &&...args) {
    (void)reports.report(calledFrom.isValid() ? calledFrom : range, kind, std::forward<Args>(args)...);
    return {};
  }
  /// Makes a sugared value that lives until the function is compiled.
  template <typename T, typename... Args> T *make(Args &&...args) { return arena.make<T>(std::forward<Args>(args)...); }

  //===-- The graph ---------------------------------------------------------===//
  /// Returns what stands for a value of the graph.
  SugaredValue *sugaredValue(Value *value);
  /// Inserts a prim::Constant and returns its output.
  Value *insertConstant(const IValue &value, SourceRange range);
  /// Inserts a node with outputs that have no types yet.
  Node *insert(Symbol kind, llvm::ArrayRef<Value *> inputs, unsigned outputs, SourceRange range);

  //===-- Calls -------------------------------------------------------------===//
  /// Calls an operator ("aten::add") by the overload that takes the arguments, and returns what it gives: a tuple of
  /// several results, None of no result.
  Value *callOperator(SourceRange range, llvm::StringRef name, llvm::ArrayRef<NamedValue> args,
                      llvm::ArrayRef<NamedValue> kwargs = {});
  /// Calls a function of the unit, whose signature is worked out first where it has no annotations.
  Value *callFunction(SourceRange range, Function &function, llvm::ArrayRef<NamedValue> args,
                      llvm::ArrayRef<NamedValue> kwargs = {});
  /// Calls a method of an object.
  Value *callMethod(SourceRange range, Value *self, Function &method, llvm::ArrayRef<NamedValue> args,
                    llvm::ArrayRef<NamedValue> kwargs = {});

  //===-- The scope ---------------------------------------------------------===//
  /// Returns what a name denotes at this place of the function, or null, without a report, where it is unknown.
  SugaredValue *lookUpName(llvm::StringRef name, SourceRange range);
  /// Sets a variable of the function, as `name = value` does. False after a report.
  bool assignName(llvm::StringRef name, SugaredValue *value, SourceRange range);

protected:
  EmitterContext(Context &context, DiagnosticEngine &diagnostics, Graph &graph)
      : ofTypes(context), reports(diagnostics), ofBody(graph) {}
  ~EmitterContext() = default;
  SourceRange calledFrom; ///< The user's call, which errors are about, while a template of the prelude is compiled.

private:
  Context &ofTypes;
  DiagnosticEngine &reports;
  Graph &ofBody;
  SugaredArena arena;
};

} // namespace tsc

#endif
