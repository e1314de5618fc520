//===- PythonMarks.cpp - Where written text came from ---------------------===//
#include "PythonFunction.h"
#include "tsc/Support/SourceOrigins.h"

using namespace tsc;

std::string PythonFunction::marked(const Node &node, std::string text) {
  const SourceRange range = originOrSelf(node.range());
  if (!range.isValid() || !range.buffer()->hasText() || isPrinted(*range.buffer()))
    return text;
  return beginMark + std::to_string(references.place(range)) + middleMark + text + endMark;
}

size_t tsc::visibleSize(StringRef text) {
  size_t size = 0;
  for (bool isMark = false; char c : text) {
    isMark |= c == beginMark;
    size += !isMark && c != endMark;
    isMark &= c != middleMark;
  }
  return size;
}

std::string tsc::withoutMarks(StringRef text, ArrayRef<SourceRange> places, std::vector<CodeOrigin> *origins) {
  std::string plain;
  plain.reserve(text.size());
  struct Open {
    SourceRange range;
    size_t begin;
  };
  llvm::SmallVector<Open, 8> open{{SourceRange(), ~size_t(0)}};
  auto note = [&] {
    if (!origins)
      return;
    if (!origins->empty() && origins->back().offset == plain.size())
      origins->back().range = open.back().range;
    else if (origins->empty() ? open.back().range.isValid() : origins->back().range != open.back().range)
      origins->push_back({static_cast<uint32_t>(plain.size()), open.back().range});
  };
  while (!text.empty()) {
    if (text.consume_front(StringRef(&beginMark, 1))) {
      unsigned number = 0;
      text.consumeInteger(10, number);
      text = text.drop_front(); // middleMark
      open.push_back({number < places.size() ? places[number] : SourceRange(), plain.size()});
      // What begins at the same place cannot be told apart by it: x.f()[0] begins as x does.
      for (Open &outer : llvm::reverse(open)) {
        if (outer.begin != plain.size())
          break;
        outer.range = open.back().range;
      }
      note();
    } else if (text.consume_front(StringRef(&endMark, 1))) {
      open.pop_back();
      note();
    } else {
      StringRef run = text.take_until([](char c) { return c == beginMark || c == endMark; });
      plain += run;
      text = text.drop_front(run.size());
    }
  }
  return plain;
}
