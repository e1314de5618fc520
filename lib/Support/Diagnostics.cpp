//===- Diagnostics.cpp - Printing and collecting diagnostics --------------===//
#include "tsc/Support/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
using namespace tsc;

static llvm::StringRef severityName(Severity severity) {
  switch (severity) {
  case Severity::Error: return "error";
  case Severity::Warning: return "warning";
  case Severity::Remark: return "remark";
  case Severity::Note: return "note";
  }
  return "error";
}

/// White space as wide as `text`: tabs stay tabs, and a UTF-8 sequence counts once.
static std::string blanksLike(llvm::StringRef text) {
  std::string blanks;
  for (unsigned char c : text)
    if ((c & 0xC0) != 0x80)
      blanks += c == '\t' ? '\t' : ' ';
  return blanks;
}

/// The line of `range`, a caret with tildes below it, and the fix-it below that.
static void printSnippet(llvm::raw_ostream &os, SourceRange range, llvm::StringRef fixIt) {
  if (!range.isValid() || !range.buffer()->hasText())
    return;
  LineColumn at = range.lineColumn();
  llvm::StringRef line = range.buffer()->line(at.line);
  size_t column = std::min<size_t>(at.column, line.size());
  size_t length = range.end() > range.begin() ? range.end() - range.begin() : 1;
  std::string before = blanksLike(line.take_front(column));
  size_t width = blanksLike(line.substr(column, length)).size();
  os << line << '\n' << before << '^' << std::string(width ? width - 1 : 0, '~') << '\n';
  if (!fixIt.empty())
    os << before << fixIt << '\n';
}

void Diagnostic::print(llvm::raw_ostream &os) const {
  if (range.isValid()) {
    LineColumn at = range.lineColumn();
    os << range.buffer()->name() << ':' << at.line << ':' << at.column + 1 << ": ";
  }
  os << severityName(severity) << ": " << message << '\n';
  printSnippet(os, range, fixIt);
  for (const Diagnostic &note : notes)
    note.print(os);
}

std::string Diagnostic::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

InFlightDiagnostic::~InFlightDiagnostic() {
  if (engine)
    engine->emit(std::move(diagnostic));
}

void DiagnosticEngine::emit(Diagnostic diagnostic) {
  errors += diagnostic.severity == Severity::Error;
  diagnostics.push_back(std::move(diagnostic));
  if (handler)
    handler(diagnostics.back());
}

std::string DiagnosticEngine::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Diagnostic &diagnostic : diagnostics)
    diagnostic.print(os);
  return text;
}
