//===- Snapshot.h - What the compiler says of one text ----------*- C++ -*-===//
#ifndef TSC_LANGUAGESERVER_SNAPSHOT_H
#define TSC_LANGUAGESERVER_SNAPSHOT_H

#include "tsc/Frontend/CompileObserver.h"
#include "tsc/LanguageServer/Text.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/Status.h"
#include <memory>
#include <optional>

namespace tsc::lsp {

/// A diagnostic with its place in the text, or with the name of another file.
struct PlacedDiagnostic {
  Severity severity = Severity::Error;
  std::string kind, message, fixIt;
  std::string file; ///< Empty when it is about the text itself.
  Span span;
  std::vector<PlacedDiagnostic> notes;
};

/// What the compiler found out about one expression of the text.
struct ExpressionRecord {
  Span span;
  ExpressionFacts facts;
  std::string evaluated; ///< Python's name of its type, where it was run and not compiled.
  /// The overload that was chosen for the call whose callee this is; null for other expressions.
  const OpRecord *calledOverload = nullptr;
};

/// A text as it was compiled, with all that the compiler found out. Types and functions live as long as it does. A file
/// that makes modules was run while it was compiled: within limits, without output, and without files but those that it
/// imports.
///
/// Threads: one makes it; then many may ask at once, but showGraph() one at a time.
class Snapshot {
public:
  /// Compiles a text. `path` names it in messages, and imports are looked for beside it. A wrong text has diagnostics.
  static std::shared_ptr<Snapshot> make(std::string path, std::string text, int64_t version);
  ~Snapshot();

  llvm::StringRef text() const;
  int64_t version() const;
  llvm::ArrayRef<PlacedDiagnostic> diagnostics() const;
  /// Whether anything is known of the text's expressions, which asks for a text that parses.
  bool hasRecords() const;
  /// Returns, of the expressions that end at `end`, the smallest that begins at `notAfter` or before; null when there
  /// is none.
  const ExpressionRecord *endingAt(size_t end, size_t notAfter) const;
  /// Returns the largest expression that ends at `end`, or null.
  const ExpressionRecord *largestEndingAt(size_t end) const;
  /// Returns a value whose text is `name` within a span: the first at or behind `near`, else the last before it; null
  /// when there is none.
  const ExpressionRecord *valueNamed(llvm::StringRef name, size_t near, Span within) const;
  /// Returns the compiled function whose name begins at `begin` in its `def`, or null.
  const Function *functionNamedAt(size_t begin) const;
  /// Returns the graph of a function or method as text, by its name: `f`, `Net.forward`. NotFound when none of the name
  /// was compiled.
  StatusOr<std::string> showGraph(llvm::StringRef name) const;

private:
  struct Impl;
  explicit Snapshot(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

/// Returns a type as people write it, without the prefixes of qualified names; empty for null.
std::string typeText(const Type *type);
/// Returns the last part of a class's qualified name, as it stands in the source; empty for a type without a name.
llvm::StringRef classNameOf(const Type *type);

} // namespace tsc::lsp

#endif
