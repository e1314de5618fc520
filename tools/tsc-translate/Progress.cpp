//===- Progress.cpp - How far a long translation is -----------------------===//
#include "Progress.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace tsc::translate;

Progress::Progress(bool isAsked) : isAsked(isAsked), isTerminal(isatty(STDERR_FILENO)) {}

Progress::~Progress() {
  if (hasLine)
    llvm::errs() << "\r\x1b[K";
}

/// On a terminal, after the first second and then ten times in one; elsewhere once a second, and at the end.
bool Progress::isDue(bool isLast) {
  const auto now = std::chrono::steady_clock::now();
  const auto pause = isTerminal ? std::chrono::milliseconds(100) : std::chrono::milliseconds(1000);
  const bool isSlow = now - start > std::chrono::seconds(1) && now - last > pause;
  if (!(isTerminal && !isAsked ? isSlow : isAsked && (isSlow || isLast)))
    return false;
  last = now;
  return true;
}

void Progress::step(const char *what) {
  if (!isDue(/*isLast=*/true))
    return;
  llvm::errs() << (isTerminal ? "\r\x1b[K" : "") << "tsc-translate: " << what << (isTerminal ? "" : "\n");
  hasLine = isTerminal;
}

void Progress::written(uint64_t done, uint64_t total) {
  if (!isDue(done == total))
    return;
  llvm::errs() << (isTerminal ? "\r\x1b[K" : "") << "tsc-translate: "
               << llvm::format("tensors: %.1f of %.1f MB (%u %%)", double(done) / 1e6, double(total) / 1e6,
                               total ? unsigned(100 * (double(done) / double(total))) : 100)
               << (isTerminal ? "" : "\n");
  hasLine = isTerminal;
}
