//===- LogicalLines.h - Lines and words of a text ---------------*- C++ -*-===//
#ifndef TSC_LIB_LANGUAGESERVER_LOGICALLINES_H
#define TSC_LIB_LANGUAGESERVER_LOGICALLINES_H

#include "tsc/LanguageServer/Text.h"

namespace tsc::lsp {

/// A statement's line, with those that brackets, backslashes and long strings join to it, and without comments at its
/// end.
struct LogicalLine {
  Span span;
  int indent = 0; ///< A tab goes to the next multiple of 8.
};
/// Brackets that nobody closes end where a line begins as only a statement does.
std::vector<LogicalLine> logicalLines(llvm::StringRef text);

/// What a word of a line is.
enum class WordKind : uint8_t { Name, Number, String, Punctuation };
/// A word of a line, and where it is.
struct Word {
  WordKind kind;
  Span span;
};
/// Strings are one word each, `:=`, `->`, `==` and their like too.
std::vector<Word> wordsOf(llvm::StringRef text, Span span);

/// Returns the end of the string that begins at `at` with its prefix; `at` where none begins there. One that is not
/// closed ends with its line, or with the text if it has three quotes.
size_t endOfString(llvm::StringRef text, size_t at);

inline bool isOpening(llvm::StringRef word) { return word == "(" || word == "[" || word == "{"; }

/// What a docstring says, its lines without their common indentation.
std::string documentationOf(llvm::StringRef literal);

} // namespace tsc::lsp

#endif
