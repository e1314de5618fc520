//===- LineDiffTest.cpp - What changed between two texts ------------------===//
#include "tsc/Support/LineDiff.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include <catch2/catch.hpp>
#include <random>
using namespace tsc;

TEST_CASE("Equal texts have no diff") {
  CHECK(unifiedDiff("", "") == "");
  CHECK(unifiedDiff("a\nb\n", "a\nb\n") == "");
}

TEST_CASE("A changed line stands in its context") {
  CHECK(unifiedDiff("a\nb\nc\nd\ne\n", "a\nb\nC\nd\ne\n", 1) == "@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n");
  CHECK(unifiedDiff("", "a\nb\n") == "@@ -0,0 +1,2 @@\n+a\n+b\n");
  CHECK(unifiedDiff("a\nb\n", "") == "@@ -1,2 +0,0 @@\n-a\n-b\n");
}

TEST_CASE("Changes far apart get hunks of their own, near ones share one") {
  std::string before, after;
  for (int i = 0; i != 20; ++i) {
    before += std::to_string(i) + "\n";
    after += i == 3 || i == 15 ? "x\n" : std::to_string(i) + "\n";
  }
  auto hunks = [&](unsigned context) { return llvm::StringRef(unifiedDiff(before, after, context)).count("@@ -"); };
  CHECK(hunks(0) == 2);
  CHECK(hunks(3) == 2);
  CHECK(hunks(8) == 1);
}

/// Applies a diff without context to the text it was made from.
static std::string patched(llvm::StringRef before, llvm::StringRef diff) {
  llvm::SmallVector<llvm::StringRef> lines, edits;
  before.split(lines, '\n', -1, false);
  diff.split(edits, '\n', -1, false);
  std::string result;
  size_t next = 0;
  for (llvm::StringRef edit : edits) {
    size_t first;
    if (edit.consume_front("@@ -")) {
      bool isInsertion = edit.split(',').second.starts_with("0 "); // then it names the line before
      REQUIRE_FALSE(edit.consumeInteger(10, first));
      for (; next + 1 < first + isInsertion && next != lines.size(); ++next)
        result += lines[next].str() + "\n";
    } else if (edit.starts_with("-")) {
      CHECK(lines[next++] == edit.drop_front());
    } else {
      result += edit.drop_front().str() + "\n";
    }
  }
  for (; next != lines.size(); ++next)
    result += lines[next].str() + "\n";
  return result;
}

TEST_CASE("A diff turns one text into the other") {
  std::mt19937 random(1);
  for (int round = 0; round != 200; ++round) {
    std::string before, after;
    for (unsigned i = 0, n = random() % 30; i != n; ++i)
      before += std::to_string(random() % 5) + "\n";
    for (unsigned i = 0, n = random() % 30; i != n; ++i)
      after += std::to_string(random() % 5) + "\n";
    CHECK(patched(before, unifiedDiff(before, after, 0)) == after);
  }
}

TEST_CASE("Texts with more changes than are worth a search are replaced as a whole") {
  std::string before, after;
  for (int i = 0; i != 5000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  CHECK(llvm::StringRef(unifiedDiff(before, after)).starts_with("@@ -1,5000 +1,5000 @@\n-a0\n-a1\n"));
}
