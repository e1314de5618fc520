//===- TextSearchTest.cpp - Searching in texts ----------------------------===//
#include "tsc/Python/Text.h"
#include <catch2/catch.hpp>
#include <random>

using namespace tsc;
using llvm::StringRef;

TEST_CASE("the first and the last place of a text are those of a plain search") {
  std::mt19937 random(1);
  for (int i = 0; i != 3000; ++i) {
    std::string text, part;
    for (unsigned n = random() % 40; n != 0; --n)
      text += "ab"[random() % 2];
    for (unsigned n = random() % 5; n != 0; --n)
      part += "ab"[random() % 2];
    INFO("'" << part << "' in '" << text << "'");
    CHECK(python::findText(text, part) == text.find(part));
    CHECK(python::findLastText(text, part) == text.rfind(part));
  }
}

TEST_CASE("texts that are made to be searched for long are not") {
  const std::string text(1 << 22, 'a'), half(1 << 21, 'a');
  CHECK(python::findText(text, half + "b") == StringRef::npos);
  CHECK(python::findLastText(text, "b" + half) == StringRef::npos);
  CHECK(python::findLastText(text, half + "b") == StringRef::npos);
  CHECK(python::findLastText("b" + half + "c" + text, "b" + half) == 0);
  CHECK(python::findText(text + "b" + half, "b" + half) == text.size());
  CHECK(python::findLastText(text, half) == text.size() - half.size());
}
