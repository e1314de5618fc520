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

/// A diagnostic with places in the text, or in another file.
struct PlacedDiagnostic {
  Severity severity = Severity::Error;
  std::string kind, message, fixIt;
  std::string file; ///< Empty: the text itself.
  Span span;
  std::vector<PlacedDiagnostic> notes;
};

/// An expression of the text.
struct ExpressionRecord {
  Span span;
  ExpressionFacts facts;
  std::string evaluated;                    ///< Its type where it was run and not compiled.
  const OpRecord *calledOverload = nullptr; ///< Of the callee of a call: the overload that was chosen.
};

/// A text that was compiled, with all that was found out. Types live as long as it does.
///
/// A file that makes modules was run while it was compiled, within limits, without files and without output.
///
/// Threads: one that makes it, then many at once, showGraph() one at a time.
class Snapshot {
public:
  /// `path` names the text in messages. Never fails: a wrong text has diagnostics.
  static std::shared_ptr<Snapshot> make(std::string path, std::string text, int64_t version);
  ~Snapshot();

  llvm::StringRef text() const;
  int64_t version() const;
  llvm::ArrayRef<PlacedDiagnostic> diagnostics() const;
  /// Whether the text could be read so far that anything is known of its expressions.
  bool hasRecords() const;
  /// The smallest expression that ends at a place and begins no later than another one; null when there is none.
  const ExpressionRecord *endingAt(size_t end, size_t notAfter) const;
  /// The expression that ends at a place and is the largest of those.
  const ExpressionRecord *largestEndingAt(size_t end) const;
  /// A value whose text is `name`, nearest to a place within a span.
  const ExpressionRecord *valueNamed(llvm::StringRef name, size_t near, Span within) const;
  /// The function whose name stands at a place; null where none was compiled.
  const Function *functionNamedAt(size_t begin) const;
  /// The graph of a function or method as text, by name: `f`, `Net.forward`. NotFound where there is none.
  StatusOr<std::string> showGraph(llvm::StringRef name) const;

private:
  struct Impl;
  explicit Snapshot(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

/// A type as people write it: without the prefixes of qualified names.
std::string typeText(const Type *type);
/// The last part of a class's qualified name, as it stands in the source.
llvm::StringRef classNameOf(const Type *type);

} // namespace tsc::lsp

#endif
