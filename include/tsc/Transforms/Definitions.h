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

/// The records' column `decomposition`, one graph for each, compiled when it is first asked for:
/// `context.extension<Definitions>()`.
///
/// Threads: every function may be called from any thread.
class Definitions final : public ContextExtension {
public:
  explicit Definitions(Context &context) : context(context), unit(context), compiler(unit, diags) {
    compiler.setIsLibrary();
  }

  static bool has(OpKind kind);
  /// Null when the record has none. Nobody changes the graph, which lives as long as the context.
  const Graph *find(OpKind kind);

  /// The answer to a question about operators and operands that `key` describes; `ask` gives it the first time.
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
