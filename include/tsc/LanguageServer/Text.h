//===- Text.h - A text that an editor changes -------------------*- C++ -*-===//
#ifndef TSC_LANGUAGESERVER_TEXT_H
#define TSC_LANGUAGESERVER_TEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tsc::lsp {

/// As the protocol counts: lines and UTF-16 code units, both from 0.
struct Position {
  unsigned line = 0, character = 0;
  bool operator==(const Position &) const = default;
};

/// Half-open, in bytes.
struct Span {
  size_t begin = 0, end = 0;
  bool operator==(const Span &) const = default;
};

/// UTF-8 with the places of its lines, which end at `\n`, `\r\n` or `\r`. Bytes that are no UTF-8 count one unit each.
class Text {
public:
  explicit Text(std::string text = "");
  llvm::StringRef str() const { return text; }
  /// Of a byte; one inside of a character is taken for its first.
  Position position(size_t offset) const;
  /// The byte at a position. What lies behind the end of a line is its end, and what lies within a character its first
  /// byte.
  size_t offset(Position at) const;
  void replace(Span span, llvm::StringRef with);
  unsigned numLines() const { return static_cast<unsigned>(lineStarts.size()); }

private:
  void findLines();
  /// From the start of a line up to where it breaks.
  llvm::StringRef line(unsigned number) const;
  std::string text;
  std::vector<size_t> lineStarts;
};

/// Finds places of one text in an earlier one that differs from it in one region.
class EditMap {
public:
  EditMap(llvm::StringRef earlier, llvm::StringRef now);
  /// False for what was changed since.
  bool toEarlier(size_t now, size_t &earlier) const;
  bool toNow(size_t earlier, size_t &now) const;

private:
  size_t prefix = 0, suffix = 0; ///< Bytes that both texts have at their start and at their end.
  size_t earlierSize, nowSize;
};

/// UTF-16 code units of UTF-8.
unsigned utf16Length(llvm::StringRef text);

} // namespace tsc::lsp

#endif
