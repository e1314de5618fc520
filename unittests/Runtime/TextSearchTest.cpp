//===- TextSearchTest.cpp - Searching in texts ----------------------------===//
#include "tsc/Runtime/Ops/Strings.h"
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
    CHECK(ops::findText(text, part) == text.find(part));
    CHECK(ops::findLastText(text, part) == text.rfind(part));
  }
}

TEST_CASE("texts that are made to be searched for long are not") {
  const std::string text(1 << 22, 'a'), half(1 << 21, 'a');
  CHECK(ops::findText(text, half + "b") == StringRef::npos);
  CHECK(ops::findLastText(text, "b" + half) == StringRef::npos);
  CHECK(ops::findLastText(text, half + "b") == StringRef::npos);
  CHECK(ops::findLastText("b" + half + "c" + text, "b" + half) == 0);
  CHECK(ops::findText(text + "b" + half, "b" + half) == text.size());
  CHECK(ops::findLastText(text, half) == text.size() - half.size());
}
