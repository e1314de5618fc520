//===- Text.cpp - A text that an editor changes ---------------------------===//
#include "tsc/LanguageServer/Text.h"
#include <algorithm>

using namespace tsc::lsp;
using llvm::StringRef;

/// How many bytes the character that begins `text` has: 1 for what is no UTF-8.
static size_t characterSize(StringRef text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const size_t size = lead >= 0xF0 && lead < 0xF8 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
  if (lead >= 0xF8 || size > text.size())
    return 1;
  for (size_t i = 1; i != size; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80)
      return 1;
  return size;
}

unsigned tsc::lsp::utf16Length(StringRef text) {
  unsigned units = 0;
  while (!text.empty()) {
    const size_t size = characterSize(text);
    units += size == 4 ? 2 : 1;
    text = text.drop_front(size);
  }
  return units;
}

Text::Text(std::string content) : text(std::move(content)) { findLines(); }

void Text::findLines() {
  lineStarts.assign(1, 0);
  for (size_t i = 0; i != text.size(); ++i)
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')))
      lineStarts.push_back(i + 1);
}

StringRef Text::line(unsigned number) const {
  const size_t begin = lineStarts[number];
  StringRef rest = StringRef(text).drop_front(begin);
  return rest.take_front(rest.find_first_of("\r\n"));
}

Position Text::position(size_t offset) const {
  offset = std::min(offset, text.size());
  auto after = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  const auto number = static_cast<unsigned>(after - lineStarts.begin() - 1);
  StringRef before = line(number).take_front(offset - lineStarts[number]);
  // A character that was cut counts for nothing.
  unsigned units = 0;
  for (StringRef rest = line(number); !rest.empty() && rest.data() < before.end();) {
    const size_t size = characterSize(rest);
    if (rest.data() + size > before.end())
      break;
    units += size == 4 ? 2 : 1;
    rest = rest.drop_front(size);
  }
  return {number, units};
}

size_t Text::offset(Position at) const {
  if (at.line >= lineStarts.size())
    return text.size();
  StringRef rest = line(at.line);
  size_t offset = lineStarts[at.line];
  unsigned units = 0;
  while (!rest.empty()) {
    const size_t size = characterSize(rest);
    units += size == 4 ? 2 : 1;
    if (units > at.character)
      break;
    offset += size;
    rest = rest.drop_front(size);
  }
  return offset;
}

void Text::replace(Span span, StringRef with) {
  span.end = std::min(span.end, text.size());
  span.begin = std::min(span.begin, span.end);
  text.replace(span.begin, span.end - span.begin, with.str());
  findLines();
}

EditMap::EditMap(StringRef earlier, StringRef now) : earlierSize(earlier.size()), nowSize(now.size()) {
  const size_t shorter = std::min(earlierSize, nowSize);
  prefix = std::mismatch(earlier.begin(), earlier.begin() + shorter, now.begin()).first - earlier.begin();
  while (suffix != shorter - prefix && earlier[earlierSize - 1 - suffix] == now[nowSize - 1 - suffix])
    ++suffix;
}

bool EditMap::toEarlier(size_t now, size_t &earlier) const {
  if (now > nowSize)
    return false;
  if (now <= prefix)
    return earlier = now, true;
  if (nowSize - now <= suffix)
    return earlier = earlierSize - (nowSize - now), true;
  return false;
}

bool EditMap::toNow(size_t earlier, size_t &now) const {
  if (earlier > earlierSize)
    return false;
  if (earlier <= prefix)
    return now = earlier, true;
  if (earlierSize - earlier <= suffix)
    return now = nowSize - (earlierSize - earlier), true;
  return false;
}
