//===- Function.h - Functions and compilation units -------------*- C++ -*-===//
#ifndef TSC_IR_FUNCTION_H
#define TSC_IR_FUNCTION_H

#include "tsc/IR/FunctionSchema.h"
#include "llvm/ADT/StringMap.h"
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace tsc {

class CompilationUnit;
class Graph;
class DiagnosticEngine;

/// A function or method: its schema, and a graph as its body. A method's first argument is `self`. The body may be
/// compiled on first use, by ensureDefined().
class Function {
public:
  /// Called by CompilationUnit::create(), which makes and owns functions.
  Function(std::string qualifiedName, CompilationUnit &unit);
  ~Function();
  StringRef qualifiedName() const { return qualified; } ///< Returns "__torch__.Foo.forward".
  /// Returns the unit that made it and owns it.
  CompilationUnit &compilationUnit() const { return unit; }
  StringRef name() const { return StringRef(qualified).drop_front(qualified.rfind('.') + 1); } ///< Returns "forward".

  /// Returns the schema, which is empty unless hasSchema(). A function has one before its body is compiled where all
  /// types are annotated, and gets another where the type of its result follows from the body. Any thread may ask while
  /// that happens; what it got stays valid.
  const FunctionSchema &schema() const {
    const FunctionSchema *known = signature.load(std::memory_order_acquire);
    return known ? *known : noSchema();
  }
  bool hasSchema() const { return signature.load(std::memory_order_acquire) != nullptr; }
  /// Sets the schema; one thread at a time.
  void setSchema(FunctionSchema s);

  /// Returns the body, or null until it is compiled. The function owns it.
  Graph *graph() const { return body.get(); }
  /// Sets the body. One that it replaces lives on as long as the function, since code that was made of it refers to its
  /// subgraphs and is found by their addresses. Nobody else may read the function meanwhile.
  void setGraph(std::unique_ptr<Graph> g);
  /// Compiles the body of a function: it calls setGraph() and, where needed, setSchema(), or reports why it cannot.
  using Creator = std::function<llvm::LogicalResult(Function &)>;
  /// Sets what compiles the body. It is called at most once, unless memory runs out.
  void setCreator(Creator c) { creator = std::move(c); }
  /// Compiles the body unless that has happened. Fails where it does not compile, which the creator reported the first
  /// time, or there is no creator. Succeeds at once, without a body, for a function that is being compiled by this
  /// thread. Many threads may ask: bodies of one unit are compiled one after another, those of two units side by side.
  llvm::LogicalResult ensureDefined() { return isWhole.load(std::memory_order_acquire) ? llvm::success() : define(); }
  /// Whether the body is complete, so that any thread may read it.
  bool isDefined() const { return isWhole.load(std::memory_order_acquire); }
  /// Whether the body is being compiled, as the function that calls itself sees it.
  bool isBeingDefined() const { return defining; }

private:
  llvm::LogicalResult define();
  static const FunctionSchema &noSchema();

  std::string qualified;
  std::atomic<const FunctionSchema *> signature{nullptr}; ///< The last of `schemas`, when it is complete.
  std::vector<std::unique_ptr<const FunctionSchema>> schemas;
  bool defining = false, failed = false;
  std::atomic<bool> isWhole{false}; ///< Whether the body is complete, and every thread may read it.
  std::unique_ptr<Graph> body;
  std::vector<std::unique_ptr<Graph>> replacedBodies; ///< The bodies that the function had before, oldest first.
  Creator creator;
  CompilationUnit &unit;
};

/// Owns functions and methods, and finds them by qualified name.
///
/// Threads:  ensureDefined() of its functions may be called from many threads. So may create(), find() and
///           unsafeRemove(); functions() may, while nobody creates or removes a function.
class CompilationUnit {
public:
  explicit CompilationUnit(Context &context) : ctx(context) {}
  ~CompilationUnit();
  Context &context() { return ctx; }
  Function *create(StringRef qualifiedName);               ///< Makes a function without a body. The name must be new.
  Function *find(StringRef qualifiedName) const;           ///< Returns the function of that name, or null.
  ArrayRef<Function *> functions() const { return order; } ///< Returns all functions in order of creation.
  /// Takes its name away from a function, so that another may have it: find() and functions() do not give it any more.
  /// The unit goes on owning it, since code may call it.
  void unsafeRemove(Function &function);
  /// A check that sees each compiled body before anybody else does. Where it fails, the function counts as one that
  /// does not compile, and the check has reported why.
  using Admission = std::function<llvm::LogicalResult(Function &)>;
  /// Sets the check for bodies that are compiled from now on.
  void setAdmission(Admission a) { admission = std::move(a); }
  /// Keeps other threads from compiling bodies of this unit while the lock is held. For those that use the unit's
  /// frontend in another way, such as to declare a method.
  [[nodiscard]] std::unique_lock<std::recursive_mutex> lockDefinitions() {
    return std::unique_lock<std::recursive_mutex>(definitionLock);
  }

private:
  friend class Function;
  Admission admission; ///< May be empty.
  Context &ctx;
  /// Held while a body is compiled. Recursive, since compiling a body may ask for others of the unit; and one for the
  /// whole unit, since threads must not share its frontend.
  std::recursive_mutex definitionLock;
  mutable std::mutex tableLock; ///< Guards what follows.
  llvm::StringMap<std::unique_ptr<Function>> table;
  std::vector<Function *> order;
  std::vector<std::unique_ptr<Function>> removed; ///< Functions that unsafeRemove() was called for.
};

} // namespace tsc

#endif
