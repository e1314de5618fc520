//===- Text.h - A text that an editor changes -------------------*- C++ -*-===//
#ifndef TSC_LANGUAGESERVER_TEXT_H
#define TSC_LANGUAGESERVER_TEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tsc::lsp {

/// A place as the protocol counts it: a line, and UTF-16 code units within the line, both from 0.
struct Position {
  unsigned line = 0, character = 0;
  bool operator==(const Position &) const = default;
};

/// A half-open range of bytes.
struct Span {
  size_t begin = 0, end = 0;
  bool operator==(const Span &) const = default;
};

/// A text in UTF-8 that knows where its lines begin. A line ends at `\n`, `\r\n` or `\r`. A byte that is not UTF-8
/// counts as one code unit.
class Text {
public:
  explicit Text(std::string text = "");
  llvm::StringRef str() const { return text; }
  /// Returns the position of a byte. A byte inside of a character is taken for the character's first, and one behind
  /// the end of the text for its end.
  Position position(size_t offset) const;
  /// Returns the byte at a position. A position behind the end of a line is taken for the end, and one within a
  /// character for the character's first byte.
  size_t offset(Position at) const;
  /// Replaces the bytes of a span, which is cut off at the end of the text.
  void replace(Span span, llvm::StringRef with);
  unsigned numLines() const { return static_cast<unsigned>(lineStarts.size()); }

private:
  void findLines();
  /// Returns a line without its end.
  llvm::StringRef line(unsigned number) const;
  std::string text;
  std::vector<size_t> lineStarts;
};

/// Maps places between an earlier text and the text as it is now, taking all that lies between their common start and
/// their common end for changed.
class EditMap {
public:
  EditMap(llvm::StringRef earlier, llvm::StringRef now);
  /// Sets `earlier` to the place that `now` was at in the earlier text. Returns false where that was changed since.
  bool toEarlier(size_t now, size_t &earlier) const;
  /// Sets `now` to the place that `earlier` is at in the text as it is now. Returns false where that was changed since.
  bool toNow(size_t earlier, size_t &now) const;

private:
  size_t prefix = 0, suffix = 0; ///< How many bytes the texts have in common at their start and at their end.
  size_t earlierSize, nowSize;
};

/// Returns how many UTF-16 code units a text in UTF-8 has.
unsigned utf16Length(llvm::StringRef text);

} // namespace tsc::lsp

#endif
