//===- Reduction.cpp - Making a failing input small -----------------------===//
//
// Delta debugging by halving: pieces of half the parts, then of a quarter, down
// to single parts, each tried once. Tests: about twice the parts that stay, and
// the logarithm of those that go.
//
//===----------------------------------------------------------------------===//
#include "tsc/Support/Reduction.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

namespace {
/// Takes away parts of one kind.
class Reducer {
public:
  Reducer(std::string &input, Reduction &reduction, ReductionTest test)
      : input(input), reduction(reduction), test(test) {}

  /// Whether anything could go.
  bool run() {
    count = reduction.takeApart(input);
    removed.resize(count);
    for (size_t piece = count; piece != 0; piece = piece == 1 ? 0 : (piece + 1) / 2)
      removePieces(piece);
    return removed.any();
  }
  size_t numParts() const { return count; }
  size_t numRemoved() const { return removed.count(); }
  size_t numTests() const { return tests; }

private:
  /// Goes through the parts that are left, `piece` of them at a time, the last first.
  void removePieces(size_t piece) {
    std::vector<unsigned> left;
    for (unsigned part = 0; part != count; ++part)
      if (!removed.test(part))
        left.push_back(part);
    for (size_t end = left.size(); end != 0;) {
      size_t begin = end - std::min(piece, end);
      tryWithout(llvm::ArrayRef(left).slice(begin, end - begin));
      end = begin;
    }
  }
  void tryWithout(llvm::ArrayRef<unsigned> parts) {
    llvm::BitVector candidate = removed;
    for (unsigned part : parts)
      candidate.set(part);
    std::optional<std::string> smaller = reduction.without(candidate);
    if (!smaller || *smaller == input)
      return;
    ++tests;
    if (!test(*smaller))
      return;
    removed = std::move(candidate);
    input = std::move(*smaller);
  }

  std::string &input;
  Reduction &reduction;
  ReductionTest test;
  llvm::BitVector removed;
  size_t count = 0, tests = 0;
};
} // namespace

std::string tsc::reduce(std::string input, Reductions &reductions, ReductionTest test, llvm::raw_ostream &progress) {
  static constexpr unsigned maxRounds = 20; // a reduction that trades parts for others must not go on for ever
  bool changed = true;
  for (unsigned round = 0; changed && round != maxRounds; ++round) {
    changed = false;
    for (auto &reduction : reductions) {
      Reducer reducer(input, *reduction, test);
      if (!reducer.run())
        continue;
      changed = true;
      progress << reduction->name() << ": " << reducer.numRemoved() << " of " << reducer.numParts() << " gone, "
               << reducer.numTests() << " tests, " << input.size() << " bytes left\n";
    }
  }
  return input;
}
