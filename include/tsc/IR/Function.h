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

/// A compiled function or method: schema and graph. A method's first argument is `self`.
/// The body may be compiled on first use; `ensureDefined` does it.
class Function {
public:
  /// A compilation unit makes functions.
  Function(std::string qualifiedName, CompilationUnit &unit);
  ~Function();
  StringRef qualifiedName() const { return qualified; } ///< "__torch__.Foo.forward"
  StringRef name() const { return StringRef(qualified).drop_front(qualified.rfind('.') + 1); } ///< "forward"

  /// Valid once the signature is known (before the body is compiled when all types are annotated).
  const FunctionSchema &schema() const { return signature; }
  bool hasSchema() const { return schemaKnown; }
  void setSchema(FunctionSchema s) {
    signature = std::move(s);
    schemaKnown = true;
  }

  /// Null until the body is compiled.
  Graph *graph() const { return body.get(); }
  void setGraph(std::unique_ptr<Graph> g);
  /// Compiles the body when that has not happened yet. A failure was reported to the engine the creator holds.
  /// Threads may ask at once: bodies of one unit are compiled one after another, those of two units side by side.
  using Creator = std::function<llvm::LogicalResult(Function &)>;
  void setCreator(Creator c) { creator = std::move(c); }
  llvm::LogicalResult ensureDefined() { return isWhole.load(std::memory_order_acquire) ? llvm::success() : define(); }
  bool isBeingDefined() const { return defining; }

private:
  llvm::LogicalResult define();

  std::string qualified;
  FunctionSchema signature;
  bool schemaKnown = false, defining = false, failed = false;
  std::atomic<bool> isWhole{false}; ///< The body is there for all threads.
  std::unique_ptr<Graph> body;
  Creator creator;
  CompilationUnit &unit;
};

/// Owns functions (free functions and methods alike), by qualified name.
class CompilationUnit {
public:
  explicit CompilationUnit(Context &context) : ctx(context) {}
  ~CompilationUnit();
  Context &context() { return ctx; }
  Function *create(StringRef qualifiedName); ///< The name must be new.
  Function *find(StringRef qualifiedName) const;
  ArrayRef<Function *> functions() const { return order; } ///< In order of creation.
  /// Sees each body that is compiled from now on before anybody else does, and may refuse it: the function is then one
  /// that does not compile. It reports why.
  using Admission = std::function<llvm::LogicalResult(Function &)>;
  void setAdmission(Admission a) { admission = std::move(a); }

private:
  friend class Function;
  Admission admission; ///< May be empty.
  Context &ctx;
  /// Held while a body is compiled. A body may ask for others of its unit, in a frontend that threads must not share,
  /// while a thread that makes plans asks, too.
  std::recursive_mutex definitionLock;
  llvm::StringMap<std::unique_ptr<Function>> table;
  std::vector<Function *> order;
};

} // namespace tsc

#endif
