//===- ReductionTest.cpp - Making a failing input small -------------------===//
#include "tsc/Support/Reduction.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>
using namespace tsc;

namespace {
/// Each character is a part.
class Characters final : public Reduction {
public:
  llvm::StringRef name() const override { return "characters"; }
  size_t takeApart(llvm::StringRef input) override {
    text = input.str();
    return text.size();
  }
  std::optional<std::string> without(const llvm::BitVector &removed) override {
    std::string left;
    for (size_t i = 0; i != text.size(); ++i)
      if (!removed.test(i))
        left += text[i];
    return left;
  }

private:
  std::string text;
};
} // namespace

static std::pair<std::string, unsigned> reduceCharacters(std::string input,
                                                         llvm::function_ref<bool(llvm::StringRef)> test) {
  Reductions reductions;
  reductions.push_back(std::make_unique<Characters>());
  unsigned tests = 0;
  std::string smallest = reduce(
      std::move(input), reductions, [&](llvm::StringRef candidate) { return ++tests, test(candidate); }, llvm::nulls());
  return {smallest, tests};
}

TEST_CASE("What the failure needs stays, all else goes") {
  auto needsThree = [](llvm::StringRef text) { return text.contains('x') && text.contains('y') && text.contains('z'); };
  std::string input(1000, '.');
  input[10] = 'x', input[500] = 'y', input[999] = 'z';
  auto [smallest, tests] = reduceCharacters(input, needsThree);
  CHECK(smallest == "xyz");
  CHECK(tests < 200); // far fewer than there are parts
}

TEST_CASE("An input that needs all of its parts stays as it is") {
  auto [smallest, tests] = reduceCharacters("abc", [](llvm::StringRef text) { return text == "abc"; });
  CHECK(smallest == "abc");
}

TEST_CASE("A failure that needs nothing leaves nothing") {
  auto [smallest, tests] = reduceCharacters(std::string(100, 'a'), [](llvm::StringRef) { return true; });
  CHECK(smallest.empty());
}
