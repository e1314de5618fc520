//===- Diagnostics.cpp - Printing and collecting diagnostics --------------===//
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/SourceOrigins.h"
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

namespace {
/// The part of a line around what a caret points at; a line of a machine-made file may be megabytes long.
struct Excerpt {
  llvm::StringRef text;
  size_t begin;
  bool cutLeft, cutRight;
};
} // namespace

static Excerpt excerptAround(llvm::StringRef line, size_t column) {
  constexpr size_t maxLength = 240;
  if (line.size() <= maxLength)
    return {line, 0, false, false};
  auto isInsideCharacter = [&](size_t at) { return at < line.size() && (line[at] & 0xC0) == 0x80; };
  size_t begin = column > maxLength / 2 ? column - maxLength / 2 : 0;
  while (begin && isInsideCharacter(begin))
    --begin;
  size_t end = std::min(begin + maxLength, line.size());
  while (isInsideCharacter(end) && end > column)
    --end;
  return {line.slice(begin, end), begin, begin != 0, end != line.size()};
}

/// The line of `range`, a caret with tildes below it, and the fix-it below that.
static void printSnippet(llvm::raw_ostream &os, SourceRange range, llvm::StringRef fixIt) {
  if (!range.isValid() || !range.buffer()->hasText())
    return;
  LineColumn at = range.lineColumn();
  llvm::StringRef line = range.buffer()->line(at.line);
  size_t column = std::min<size_t>(at.column, line.size());
  Excerpt shown = excerptAround(line, column);
  size_t length = range.end() > range.begin() ? range.end() - range.begin() : 1;
  std::string before = (shown.cutLeft ? "   " : "") + blanksLike(shown.text.take_front(column - shown.begin));
  size_t width = blanksLike(shown.text.substr(column - shown.begin, length)).size();
  os << (shown.cutLeft ? "..." : "") << shown.text << (shown.cutRight ? "..." : "") << '\n';
  os << before << '^' << std::string(width ? width - 1 : 0, '~') << '\n';
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
  try {
    if (engine)
      engine->emit(std::move(diagnostic));
  } catch (const std::bad_alloc &) {
    // A destructor cannot fail: what is refused is refused without this text.
  }
}

void DiagnosticEngine::emit(Diagnostic diagnostic) {
  if (SourceRange origin = originOf(diagnostic.range); origin.isValid())
    diagnostic.notes.push_back({nullptr, Severity::Note, origin, "the author's line", {}, {}});
  if (diagnostic.severity == Severity::Error && context.range.isValid())
    diagnostic.notes.push_back(context);
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
