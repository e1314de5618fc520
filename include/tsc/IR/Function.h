//===- Function.h - Functions and compilation units -------------*- C++ -*-===//
#ifndef TSC_IR_FUNCTION_H
#define TSC_IR_FUNCTION_H

#include "tsc/IR/FunctionSchema.h"
#include "llvm/ADT/StringMap.h"
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

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

  /// Returns the schema. Valid once hasSchema(), which is before the body is compiled where all types are annotated.
  const FunctionSchema &schema() const { return signature; }
  bool hasSchema() const { return schemaKnown; }
  void setSchema(FunctionSchema s) {
    signature = std::move(s);
    schemaKnown = true;
  }

  /// Returns the body, or null until it is compiled. The function owns it.
  Graph *graph() const { return body.get(); }
  void setGraph(std::unique_ptr<Graph> g);
  /// Compiles the body of a function: it calls setGraph() and, where needed, setSchema(), or reports why it cannot.
  using Creator = std::function<llvm::LogicalResult(Function &)>;
  /// Sets what compiles the body. It is called at most once, unless memory runs out.
  void setCreator(Creator c) { creator = std::move(c); }
  /// Compiles the body unless that has happened. Fails where it does not compile, which the creator reported the first
  /// time, or there is no creator. Succeeds at once, without a body, for a function that is being compiled by this
  /// thread. Many threads may ask: bodies of one unit are compiled one after another, those of two units side by side.
  llvm::LogicalResult ensureDefined() { return isWhole.load(std::memory_order_acquire) ? llvm::success() : define(); }
  /// Whether the body is being compiled, as the function that calls itself sees it.
  bool isBeingDefined() const { return defining; }

private:
  llvm::LogicalResult define();

  std::string qualified;
  FunctionSchema signature;
  bool schemaKnown = false, defining = false, failed = false;
  std::atomic<bool> isWhole{false}; ///< Whether the body is complete, and every thread may read it.
  std::unique_ptr<Graph> body;
  Creator creator;
  CompilationUnit &unit;
};

/// Owns functions and methods, and finds them by qualified name.
///
/// Threads:  ensureDefined() of its functions may be called from many threads. So may find() and functions(), while
///           nobody creates a function.
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

private:
  friend class Function;
  Admission admission; ///< May be empty.
  Context &ctx;
  /// Held while a body is compiled. Recursive, since compiling a body may ask for others of the unit; and one for the
  /// whole unit, since threads must not share its frontend.
  std::recursive_mutex definitionLock;
  llvm::StringMap<std::unique_ptr<Function>> table;
  std::vector<Function *> order;
  std::vector<std::unique_ptr<Function>> removed; ///< Functions that unsafeRemove() was called for.
};

} // namespace tsc

#endif
