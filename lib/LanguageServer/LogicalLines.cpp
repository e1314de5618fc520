//===- LogicalLines.cpp - Lines and words of a text -----------------------===//
#include "LogicalLines.h"
#include "tsc/Frontend/Lexer.h"
#include "tsc/LanguageServer/Outline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;
using namespace tsc::lsp;
using llvm::StringRef;

size_t tsc::lsp::endOfString(StringRef text, size_t at) {
  size_t quote = at;
  while (quote < text.size() && quote - at < 3 && StringRef("rRbBfFuU").contains(text[quote]))
    ++quote;
  if (quote >= text.size() || (text[quote] != '"' && text[quote] != '\''))
    return at;
  const char mark = text[quote];
  const bool isLong = text.substr(quote, 3) == std::string(3, mark);
  size_t i = quote + (isLong ? 3 : 1);
  for (; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
      continue;
    }
    if (!isLong && text[i] == '\n')
      return i;
    if (text[i] != mark)
      continue;
    if (!isLong)
      return i + 1;
    if (text.substr(i, 3) == std::string(3, mark))
      return i + 3;
  }
  return text.size();
}

/// Whether a line begins as an expression's continuation never does.
static bool beginsStatement(StringRef line) {
  static constexpr StringRef words[] = {"def", "class", "import", "from", "return", "while", "with", "try", "@"};
  StringRef trimmed = line.ltrim(" \t");
  return llvm::any_of(words, [&](StringRef word) {
    return trimmed.starts_with(word) &&
           (word == "@" || trimmed.size() == word.size() || !isIdentPart(trimmed[word.size()]));
  });
}

static int indentOf(StringRef line) {
  int column = 0;
  for (char c : line) {
    if (c == '\t')
      column = (column / 8 + 1) * 8;
    else if (c == ' ')
      ++column;
    else
      break;
  }
  return column;
}

std::vector<LogicalLine> tsc::lsp::logicalLines(StringRef text) {
  std::vector<LogicalLine> lines;
  size_t at = 0;
  while (at < text.size()) {
    const size_t lineBegin = at;
    size_t begin = at;
    while (begin < text.size() && (text[begin] == ' ' || text[begin] == '\t' || text[begin] == '\f'))
      ++begin;
    size_t last = begin; // behind what is no space and no comment
    int depth = 0;
    size_t i = begin;
    for (; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\n' || c == '\r') {
        if (depth == 0 || beginsStatement(text.substr(i + 1, 200)))
          break;
        continue;
      }
      if (c == '#') {
        while (i + 1 < text.size() && text[i + 1] != '\n')
          ++i;
        continue;
      }
      if (c == '\\' && i + 1 < text.size() && (text[i + 1] == '\n' || text[i + 1] == '\r')) {
        i += text.substr(i + 1, 2) == "\r\n" ? 2 : 1;
        continue;
      }
      const bool mayBeString =
          c == '"' || c == '\'' || (StringRef("rRbBfFuU").contains(c) && (i == begin || !isIdentPart(text[i - 1])));
      if (size_t end = mayBeString ? endOfString(text, i) : i; end != i) {
        i = end - 1;
        last = end;
        continue;
      }
      depth += c == '(' || c == '[' || c == '{';
      depth -= depth > 0 && (c == ')' || c == ']' || c == '}');
      if (c != ' ' && c != '\t')
        last = i + 1;
    }
    if (last != begin)
      lines.push_back({{begin, last}, indentOf(text.substr(lineBegin, begin - lineBegin))});
    at = i + 1;
  }
  return lines;
}

std::vector<Word> tsc::lsp::wordsOf(StringRef text, Span span) {
  std::vector<Word> words;
  StringRef within = text.take_front(span.end);
  for (size_t i = span.begin; i < within.size();) {
    const char c = within[i];
    if (llvm::isSpace(c) || c == '\\') {
      ++i;
      continue;
    }
    if (c == '#') {
      i = std::min(within.find('\n', i), within.size());
      continue;
    }
    if (size_t end = endOfString(within, i); end != i) {
      words.push_back({WordKind::String, {i, end}});
      i = end;
      continue;
    }
    size_t end = i;
    while (end < within.size() && isIdentPart(within[end]))
      ++end;
    if (end != i) {
      words.push_back({llvm::isDigit(c) ? WordKind::Number : WordKind::Name, {i, end}});
      i = end;
      continue;
    }
    static constexpr StringRef doubled[] = {":=", "->", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=",
                                            "%=", "&=", "|=", "^=", "@=", "**", "//", "<<", ">>"};
    end = i + (llvm::is_contained(doubled, within.substr(i, 2)) ? 2 : 1);
    words.push_back({WordKind::Punctuation, {i, end}});
    i = end;
  }
  return words;
}

std::string tsc::lsp::documentationOf(StringRef literal) {
  literal = literal.ltrim("rRbBfFuU");
  for (StringRef quotes : {"\"\"\"", "'''", "\"", "'"})
    if (literal.consume_front(quotes)) {
      literal.consume_back(quotes);
      break;
    }
  llvm::SmallVector<StringRef> lines;
  literal.split(lines, '\n');
  size_t common = StringRef::npos;
  for (StringRef line : llvm::drop_begin(lines))
    if (!line.trim().empty())
      common = std::min(common, line.size() - line.ltrim(" \t").size());
  std::string text = lines[0].trim().str();
  for (StringRef line : llvm::drop_begin(lines))
    text += "\n" + line.drop_front(std::min(common, line.size())).rtrim().str();
  return StringRef(text).trim().str();
}

//===-- Dotted names -------------------------------------------------------===//

bool tsc::lsp::isInStringOrComment(StringRef text, size_t offset) {
  for (size_t i = 0; i < offset && i < text.size(); ++i) {
    if (text[i] == '#') {
      size_t end = std::min(text.find('\n', i), text.size());
      if (offset <= end)
        return true;
      i = end;
    } else if (text[i] == '"' || text[i] == '\'') {
      size_t end = endOfString(text, i);
      if (offset < end)
        return true;
      i = end - 1;
    }
  }
  return false;
}

/// Adds what stands before the name that begins at `begin`, dots and names, to the front of the chain.
static void extendBack(StringRef text, size_t begin, Chain &chain) {
  while (true) {
    size_t dot = begin;
    while (dot > 0 && (text[dot - 1] == ' ' || text[dot - 1] == '\t'))
      --dot;
    if (dot == 0 || text[dot - 1] != '.')
      return;
    --dot;
    size_t end = dot;
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t'))
      --end;
    size_t nameBegin = end;
    while (nameBegin > 0 && isIdentPart(text[nameBegin - 1]))
      --nameBegin;
    if (nameBegin == end || llvm::isDigit(text[nameBegin])) {
      chain.hasReceiver = true;
      chain.receiverEnd = end;
      return;
    }
    chain.parts.insert(chain.parts.begin(), {text.slice(nameBegin, end).str(), {nameBegin, end}});
    begin = nameBegin;
  }
}

std::optional<Chain> tsc::lsp::chainAt(StringRef text, size_t offset) {
  size_t begin = std::min(offset, text.size()), end = begin;
  while (begin > 0 && isIdentPart(text[begin - 1]))
    --begin;
  while (end < text.size() && isIdentPart(text[end]))
    ++end;
  if (begin == end || llvm::isDigit(text[begin]) || isInStringOrComment(text, begin))
    return std::nullopt;
  Chain chain;
  chain.parts.push_back({text.slice(begin, end).str(), {begin, end}});
  extendBack(text, begin, chain);
  return chain;
}

std::optional<Chain> tsc::lsp::chainBefore(StringRef text, size_t offset) {
  size_t begin = std::min(offset, text.size());
  const size_t end = begin;
  while (begin > 0 && isIdentPart(text[begin - 1]))
    --begin;
  Chain chain;
  chain.parts.push_back({text.slice(begin, end).str(), {begin, end}});
  extendBack(text, begin, chain);
  if (chain.parts.size() == 1 && !chain.hasReceiver)
    return std::nullopt;
  return chain;
}
