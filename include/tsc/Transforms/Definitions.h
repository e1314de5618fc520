//===- Definitions.h - What composite operators are made of -----*- C++ -*-===//
#ifndef TSC_TRANSFORMS_DEFINITIONS_H
#define TSC_TRANSFORMS_DEFINITIONS_H

#include "tsc/Frontend/Compiler.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

namespace tsc {

/// The definitions of composite operators (the records' column `decomposition`) as graphs, each compiled when it is
/// first asked for. `context.extension<Definitions>()` returns those of a context.
///
/// Threads: every function may be called from many threads at once.
class Definitions final : public ContextExtension {
public:
  explicit Definitions(Context &context);

  /// Whether the operator has a definition.
  static bool has(OpKind kind);
  /// Returns the operator's definition, with its calls inlined, or null when it has none. Nobody may change the graph,
  /// which lives as long as the context.
  const Graph *find(OpKind kind);

  /// Returns the answer of `ask()`, remembered for later calls with the same key. The key describes the operator and
  /// the operands that the question is about.
  bool answer(llvm::StringRef key, llvm::function_ref<bool()> ask);

private:
  const Graph *compile(llvm::StringRef source);

  std::mutex lock;
  Context &context;
  CompilationUnit unit;
  DiagnosticEngine diags;
  Compiler compiler;
  llvm::DenseMap<unsigned, const Graph *> graphs;
  std::mutex answersLock;
  llvm::StringMap<bool> answers;
};

} // namespace tsc

#endif
