//===- LineDiff.cpp - What changed between two texts ----------------------===//
//
// Myers' greedy algorithm on the lines between the common beginning and end.
// Time and memory grow with the lines times the changes, hence the bound.
//
//===----------------------------------------------------------------------===//
#include "tsc/Support/LineDiff.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>
using namespace tsc;

namespace {

using Lines = llvm::ArrayRef<llvm::StringRef>;

struct Edit {
  char kind; ///< ' ', '-' or '+'
  llvm::StringRef line;
};

/// How far each diagonal reaches (in lines of `before`) after one more edit.
class Frontier {
public:
  explicit Frontier(int edits) : reached(2 * edits + 3, 0), middle(edits + 1) {}
  int &operator[](int diagonal) { return reached[middle + diagonal]; }
  int operator[](int diagonal) const { return reached[middle + diagonal]; }

private:
  std::vector<int> reached;
  int middle;
};

class Differ {
public:
  Differ(Lines before, Lines after) : before(before), after(after) {}

  std::vector<Edit> run() {
    std::vector<Frontier> history;
    if (!search(history))
      return replaceAll();
    return trace(history);
  }

private:
  static constexpr int maxEdits = 2000;

  /// Whether the path to this diagonal comes from the one above (an insertion) rather than from the one below.
  static bool comesFromAbove(const Frontier &frontier, int diagonal, int edits) {
    return diagonal == -edits || (diagonal != edits && frontier[diagonal - 1] < frontier[diagonal + 1]);
  }

  bool search(std::vector<Frontier> &history) {
    int n = before.size(), m = after.size();
    Frontier frontier(std::min(n + m, maxEdits) + 1);
    for (int edits = 0; edits <= std::min(n + m, maxEdits); ++edits) {
      Frontier kept(edits + 1); // only the part that can matter
      for (int diagonal = -edits - 1; diagonal <= edits + 1; ++diagonal)
        kept[diagonal] = frontier[diagonal];
      history.push_back(std::move(kept));
      for (int diagonal = -edits; diagonal <= edits; diagonal += 2) {
        int x = comesFromAbove(frontier, diagonal, edits) ? frontier[diagonal + 1] : frontier[diagonal - 1] + 1;
        while (x < n && x - diagonal < m && before[x] == after[x - diagonal])
          ++x;
        frontier[diagonal] = x;
        if (x >= n && x - diagonal >= m)
          return true;
      }
    }
    return false;
  }

  /// Walks the found path from its end.
  std::vector<Edit> trace(const std::vector<Frontier> &history) const {
    std::vector<Edit> edits;
    int x = before.size(), y = after.size();
    for (int step = static_cast<int>(history.size()) - 1; step >= 0; --step) {
      const Frontier &frontier = history[step];
      int diagonal = x - y;
      bool above = comesFromAbove(frontier, diagonal, step);
      int previousDiagonal = above ? diagonal + 1 : diagonal - 1;
      int previousX = step ? frontier[previousDiagonal] : 0, previousY = step ? previousX - previousDiagonal : 0;
      while (x > previousX && y > previousY) {
        edits.push_back({' ', before[--x]});
        --y;
      }
      if (step == 0)
        break;
      if (above)
        edits.push_back({'+', after[--y]});
      else
        edits.push_back({'-', before[--x]});
    }
    std::reverse(edits.begin(), edits.end());
    return edits;
  }

  std::vector<Edit> replaceAll() const {
    std::vector<Edit> edits;
    for (llvm::StringRef line : before)
      edits.push_back({'-', line});
    for (llvm::StringRef line : after)
      edits.push_back({'+', line});
    return edits;
  }

  Lines before, after;
};

/// Prints the edits in hunks.
class HunkPrinter {
public:
  HunkPrinter(llvm::raw_ostream &os, llvm::ArrayRef<Edit> edits, size_t context)
      : os(os), edits(edits), context(context) {}

  void print() {
    for (size_t i = 0; i != edits.size();) {
      if (edits[i].kind == ' ') {
        advance(edits[i++]);
        continue;
      }
      size_t begin = i - std::min({i, context, equalBefore}), end = endOfHunk(i);
      printHunk(begin, i, end);
      for (; i != end; ++i)
        advance(edits[i]);
      equalBefore = 0;
    }
  }

private:
  void advance(const Edit &edit) {
    beforeLine += edit.kind != '+';
    afterLine += edit.kind != '-';
    equalBefore = edit.kind == ' ' ? equalBefore + 1 : 0;
  }
  /// Changes with at most two contexts of equal lines between them are shown together.
  size_t endOfHunk(size_t first) const {
    size_t lastChange = first;
    for (size_t i = first; i != edits.size() && i - lastChange <= 2 * context + 1; ++i)
      if (edits[i].kind != ' ')
        lastChange = i;
    return std::min(edits.size(), lastChange + context + 1);
  }
  void printHunk(size_t begin, size_t firstChange, size_t end) {
    size_t lead = firstChange - begin, beforeCount = 0, afterCount = 0;
    for (const Edit &edit : edits.slice(begin, end - begin)) {
      beforeCount += edit.kind != '+';
      afterCount += edit.kind != '-';
    }
    // A side without lines names the line before.
    os << "@@ -" << beforeLine - lead - !beforeCount << ',' << beforeCount << " +" << afterLine - lead - !afterCount
       << ',' << afterCount << " @@\n";
    for (const Edit &edit : edits.slice(begin, end - begin))
      os << edit.kind << edit.line << '\n';
  }

  llvm::raw_ostream &os;
  llvm::ArrayRef<Edit> edits;
  size_t context, equalBefore = 0;
  size_t beforeLine = 1, afterLine = 1; ///< Of the next edit.
};

} // namespace

static llvm::SmallVector<llvm::StringRef> splitLines(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  if (!lines.empty() && lines.back().empty())
    lines.pop_back();
  return lines;
}

std::string tsc::unifiedDiff(llvm::StringRef before, llvm::StringRef after, unsigned context) {
  if (before == after)
    return "";
  auto old = splitLines(before), now = splitLines(after);
  size_t shorter = std::min(old.size(), now.size()), head = 0, tail = 0;
  while (head < shorter && old[head] == now[head])
    ++head;
  while (tail < shorter - head && old[old.size() - 1 - tail] == now[now.size() - 1 - tail])
    ++tail;
  std::vector<Edit> edits;
  for (size_t i = 0; i != head; ++i)
    edits.push_back({' ', old[i]});
  llvm::append_range(
      edits,
      Differ(Lines(old).slice(head, old.size() - head - tail), Lines(now).slice(head, now.size() - head - tail)).run());
  for (size_t i = old.size() - tail; i != old.size(); ++i)
    edits.push_back({' ', old[i]});
  std::string text;
  llvm::raw_string_ostream os(text);
  HunkPrinter(os, edits, context).print();
  return text;
}
