//===- Outline.cpp - The names of a text that may not parse ---------------===//
#include "tsc/LanguageServer/Outline.h"
#include "LogicalLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc::lsp;
using llvm::StringRef;
using Kind = OutlineSymbol::Kind;

namespace tsc::lsp {
class OutlineBuilder {
public:
  OutlineBuilder(Outline &outline, StringRef text) : found(outline.found), text(text) {}

  void build() {
    for (const LogicalLine &line : logicalLines(text)) {
      while (!open.empty() && line.indent <= found[open.back()].indent)
        close(line.span.begin);
      statement(line);
      lastEnd = line.span.end;
    }
    while (!open.empty())
      close(text.size() + 1);
  }

private:
  void close(size_t next) {
    found[open.back()].whole.end = lastEnd;
    found[open.back()].reach = next;
    open.pop_back();
    expectsDocumentation = false;
  }

  int scope() const { return open.empty() ? -1 : open.back(); }
  StringRef textOf(Span span) const { return text.slice(span.begin, span.end); }
  StringRef textOf(const Word &word) const { return textOf(word.span); }

  OutlineSymbol &add(Kind kind, Span at, Span whole) {
    OutlineSymbol &symbol = found.emplace_back();
    symbol.kind = kind;
    symbol.name = textOf(at).str();
    symbol.at = at;
    symbol.whole = whole;
    symbol.parent = scope();
    symbol.head = textOf(whole).split('\n').first.rtrim().str();
    return symbol;
  }

  void statement(const LogicalLine &line) {
    std::vector<Word> words = wordsOf(text, line.span);
    if (words.empty())
      return;
    if (expectsDocumentation && words[0].kind == WordKind::String)
      found[open.back()].documentation = documentationOf(textOf(words[0]));
    expectsDocumentation = false;
    llvm::ArrayRef<Word> rest = words;
    StringRef first = textOf(rest[0]);
    if (first == "async" && rest.size() > 1)
      first = textOf((rest = rest.drop_front())[0]);
    if (first == "def" && rest.size() > 1)
      return define(line, rest);
    if (first == "class" && rest.size() > 1)
      return defineClass(line, rest);
    simpleStatements(line, rest);
  }

  /// Index of the word behind which a bracket that `words[at]` opens is closed; the size where it is not.
  static size_t closing(llvm::ArrayRef<Word> words, size_t at, StringRef text) {
    int depth = 0;
    for (size_t i = at; i != words.size(); ++i) {
      StringRef word = text.slice(words[i].span.begin, words[i].span.end);
      depth += word == "(" || word == "[" || word == "{";
      depth -= word == ")" || word == "]" || word == "}";
      if (depth == 0)
        return i;
    }
    return words.size();
  }

  void define(const LogicalLine &line, llvm::ArrayRef<Word> words) {
    const size_t index = found.size();
    OutlineSymbol &symbol = add(Kind::Function, words[1].span, line.span);
    symbol.indent = line.indent;
    size_t end = words.size() > 2 && textOf(words[2]) == "(" ? closing(words, 2, text) : 2;
    size_t colon = end;
    while (colon < words.size() && textOf(words[colon]) != ":")
      ++colon;
    const size_t headEnd = colon < words.size() ? words[colon].span.begin : words.back().span.end;
    symbol.head = textOf({words[0].span.begin, headEnd}).rtrim().str();
    open.push_back(static_cast<int>(index));
    if (end > 3)
      parameters(words.slice(3, std::min(end, words.size()) - 3));
    expectsDocumentation = true;
    if (colon + 1 < words.size())
      simpleStatements(line, words.drop_front(colon + 1));
  }

  void parameters(llvm::ArrayRef<Word> words) {
    while (!words.empty()) {
      size_t end = 0;
      while (end < words.size() && textOf(words[end]) != ",")
        end = isOpening(textOf(words[end])) ? std::min(closing(words, end, text) + 1, words.size()) : end + 1;
      llvm::ArrayRef<Word> one = words.take_front(end);
      words = words.drop_front(std::min(end + 1, words.size()));
      while (!one.empty() && one[0].kind != WordKind::Name)
        one = one.drop_front();
      if (one.empty())
        continue;
      OutlineSymbol &symbol = add(Kind::Parameter, one[0].span, {one[0].span.begin, one.back().span.end});
      size_t equals = 1;
      while (equals < one.size() && textOf(one[equals]) != "=")
        ++equals;
      if (one.size() > 2 && textOf(one[1]) == ":")
        symbol.detail = textOf({one[2].span.begin, one[equals - 1].span.end}).str();
      if (equals + 1 < one.size())
        symbol.value = textOf({one[equals + 1].span.begin, one.back().span.end}).str();
    }
  }

  void defineClass(const LogicalLine &line, llvm::ArrayRef<Word> words) {
    const size_t index = found.size();
    OutlineSymbol &symbol = add(Kind::Class, words[1].span, line.span);
    symbol.indent = line.indent;
    size_t end = words.size() > 2 && textOf(words[2]) == "(" ? closing(words, 2, text) : 1;
    for (size_t first = 3, last; first < end; first = last + 2) { // behind the comma
      last = first;
      while (last + 1 < end && textOf(words[last + 1]) != ",")
        ++last;
      StringRef base = textOf({words[first].span.begin, words[last].span.end});
      if (!base.contains('='))
        symbol.bases.push_back(base.str());
    }
    const size_t headEnd = end < words.size() ? words[end].span.end : words.back().span.end;
    symbol.head = textOf({words[0].span.begin, headEnd}).str();
    open.push_back(static_cast<int>(index));
    expectsDocumentation = true;
    if (end + 2 < words.size())
      simpleStatements(line, words.drop_front(end + 2));
  }

  /// Statements between semicolons, behind `if …:` and its like.
  void simpleStatements(const LogicalLine &line, llvm::ArrayRef<Word> words) {
    while (!words.empty()) {
      size_t end = 0;
      StringRef first = textOf(words[0]);
      static constexpr StringRef compound[] = {"if",  "elif",   "else",    "while", "for", "with",
                                               "try", "except", "finally", "match", "case"};
      const bool isCompound = words[0].kind == WordKind::Name && llvm::is_contained(compound, first);
      while (end < words.size() && textOf(words[end]) != ";" && !(isCompound && textOf(words[end]) == ":"))
        end = isOpening(textOf(words[end])) ? std::min(closing(words, end, text) + 1, words.size()) : end + 1;
      simple(line, words.take_front(end));
      words = words.drop_front(std::min(end + 1, words.size()));
    }
  }

  void simple(const LogicalLine &line, llvm::ArrayRef<Word> words) {
    if (words.empty())
      return;
    StringRef first = textOf(words[0]);
    boundInside(line, words);
    if (first == "import")
      return import(words.drop_front(), "", words);
    if (first == "from")
      return importFrom(words);
    if (first == "with" || first == "except")
      return;
    if (first == "return" || first == "assert" || first == "raise" || first == "del" || first == "if" ||
        first == "elif" || first == "while" || first == "for" || first == "lambda")
      return;
    assignment(line, words);
  }

  /// Names that stand within a statement: targets of loops and comprehensions, `as x`, `x :=`, parameters of lambdas.
  void boundInside(const LogicalLine &line, llvm::ArrayRef<Word> words) {
    for (size_t i = 0; i != words.size(); ++i) {
      StringRef word = textOf(words[i]);
      if (words[i].kind != WordKind::Name && word != ":=")
        continue;
      if (word == "for" || word == "lambda") {
        const StringRef stop = word == "for" ? "in" : ":";
        for (++i; i < words.size() && textOf(words[i]) != stop; ++i)
          if (words[i].kind == WordKind::Name && (i + 1 == words.size() || textOf(words[i + 1]) != "."))
            variable(line, words[i]);
        if (i == words.size())
          return;
      } else if (word == "as" && i + 1 < words.size() && textOf(words[0]) != "import" && textOf(words[0]) != "from") {
        if (words[i + 1].kind == WordKind::Name)
          variable(line, words[i + 1]);
      } else if (word == ":=" && i > 0) {
        variable(line, words[i - 1]);
      }
    }
  }

  OutlineSymbol &variable(const LogicalLine &line, const Word &word) {
    return add(Kind::Variable, word.span, line.span);
  }

  void import(llvm::ArrayRef<Word> words, StringRef module, llvm::ArrayRef<Word> all) {
    const Span whole{all.front().span.begin, all.back().span.end};
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i].kind != WordKind::Name)
        continue;
      size_t end = i;
      while (end + 2 < words.size() && textOf(words[end + 1]) == "." && words[end + 2].kind == WordKind::Name)
        end += 2;
      std::string path = textOf({words[i].span.begin, words[end].span.end}).str();
      Span name = words[i].span;
      std::string full = module.empty() ? path : (module + (module.ends_with(".") ? "" : ".") + path).str();
      if (end + 2 < words.size() && textOf(words[end + 1]) == "as") {
        name = words[end + 2].span;
        end += 2;
      } else if (module.empty()) {
        full = StringRef(path).split('.').first.str();
      }
      add(Kind::Import, name, whole).detail = full;
      i = end;
    }
  }

  void importFrom(llvm::ArrayRef<Word> words) {
    size_t at = 1;
    while (at < words.size() && textOf(words[at]) != "import")
      ++at;
    if (at < 2 || at == words.size())
      return;
    import(words.drop_front(at + 1), textOf({words[1].span.begin, words[at - 1].span.end}), words);
  }

  void assignment(const LogicalLine &line, llvm::ArrayRef<Word> words) {
    // Places of `=` and of the annotation's colon, outside of brackets.
    llvm::SmallVector<size_t, 2> equals;
    size_t colon = words.size();
    for (size_t i = 0; i < words.size(); ++i) {
      StringRef word = textOf(words[i]);
      if (isOpening(word)) {
        size_t end = closing(words, i, text);
        if (i == 0 && end + 1 < words.size() && textOf(words[end + 1]) == "=") {
          equals.push_back(end + 1); // (a, b) = …
          i = end + 1;
          continue;
        }
        if (end == words.size())
          break;
        i = end;
      } else if (word == "=") {
        equals.push_back(i);
      } else if (word == ":" && equals.empty() && colon == words.size()) {
        colon = i;
      } else if (word == "lambda") {
        break;
      }
    }
    if (equals.empty() && colon == words.size())
      return;
    const size_t lastEquals = equals.empty() ? words.size() : equals.back();
    std::string value =
        lastEquals + 1 < words.size() ? textOf({words[lastEquals + 1].span.begin, words.back().span.end}).str() : "";
    std::string annotation;
    if (colon < words.size() && colon + 1 < words.size()) {
      const size_t end = equals.empty() ? words.size() : equals.front();
      if (end > colon + 1)
        annotation = textOf({words[colon + 1].span.begin, words[end - 1].span.end}).str();
    }
    const size_t targetsEnd = colon < words.size() ? colon : lastEquals;
    for (size_t i = 0; i < targetsEnd; ++i) {
      if (words[i].kind != WordKind::Name)
        continue;
      const bool hasMember = i + 1 < targetsEnd && textOf(words[i + 1]) == ".";
      if (hasMember) {
        if (i + 2 < targetsEnd && (i + 3 >= targetsEnd || isTargetEnd(textOf(words[i + 3]))))
          attribute(line, words[i], words[i + 2], annotation, value);
        while (i < targetsEnd && !isTargetEnd(textOf(words[i])))
          ++i;
        continue;
      }
      if (i + 1 < targetsEnd && textOf(words[i + 1]) == "[") { // an element
        i = closing(words, i + 1, text);
        continue;
      }
      OutlineSymbol &symbol = variable(line, words[i]);
      symbol.detail = annotation;
      symbol.value = value;
    }
  }

  static bool isTargetEnd(StringRef word) { return word == "," || word == "=" || word == ")" || word == "]"; }

  void attribute(const LogicalLine &line, const Word &object, const Word &name, StringRef annotation, StringRef value) {
    if (open.empty() || found[open.back()].kind != Kind::Function)
      return;
    const int method = open.back(), type = found[method].parent;
    auto isSelf = [&](const OutlineSymbol &s) { return s.kind == Kind::Parameter && s.parent == method; };
    auto self = llvm::find_if(found, isSelf);
    if (type < 0 || found[type].kind != Kind::Class || self == found.end() || self->name != textOf(object))
      return;
    OutlineSymbol &symbol = add(Kind::Attribute, name.span, line.span);
    symbol.parent = type;
    symbol.detail = annotation.str();
    symbol.value = value.str();
  }

  std::vector<OutlineSymbol> &found;
  StringRef text;
  std::vector<int> open; ///< The definitions around the line.
  size_t lastEnd = 0;
  bool expectsDocumentation = false;
};
} // namespace tsc::lsp

Outline::Outline(StringRef text) { OutlineBuilder(*this, text).build(); }

int Outline::scopeAt(size_t offset) const {
  int innermost = -1;
  for (auto [i, symbol] : llvm::enumerate(found))
    if ((symbol.kind == Kind::Function || symbol.kind == Kind::Class) && symbol.whole.begin <= offset &&
        offset < symbol.reach)
      innermost = static_cast<int>(i);
  return innermost;
}

int Outline::find(StringRef name, int scope, size_t before) const {
  while (true) {
    int nearest = -1, any = -1;
    for (auto [i, symbol] : llvm::enumerate(found)) {
      if (symbol.parent != scope || symbol.kind == Kind::Attribute || symbol.name != name)
        continue;
      any = any < 0 ? static_cast<int>(i) : any;
      if (symbol.at.begin <= before || symbol.kind == Kind::Parameter)
        nearest = static_cast<int>(i);
    }
    // The body of another function runs later: there the last binding counts no less than the first.
    if (int known = nearest >= 0 ? nearest : any; known >= 0)
      return known;
    if (scope < 0)
      return -1;
    do
      scope = found[scope].parent;
    while (scope >= 0 && found[scope].kind == Kind::Class);
  }
}

int Outline::findMember(int classSymbol, StringRef name) const {
  for (auto [i, symbol] : llvm::enumerate(found))
    if (symbol.parent == classSymbol && symbol.name == name)
      return static_cast<int>(i);
  return -1;
}

int Outline::findClass(StringRef name) const {
  int last = -1;
  for (auto [i, symbol] : llvm::enumerate(found))
    if (symbol.kind == Kind::Class && symbol.name == name)
      last = static_cast<int>(i);
  return last;
}

int Outline::classAround(int scope, std::string &self) const {
  int method = -1;
  for (; scope >= 0 && found[scope].kind != Kind::Class; scope = found[scope].parent)
    method = scope;
  if (scope < 0 || method < 0)
    return scope;
  for (const OutlineSymbol &symbol : found)
    if (symbol.kind == Kind::Parameter && symbol.parent == method) {
      self = symbol.name;
      break;
    }
  return scope;
}
