//===- Progress.h - How far a long translation is ---------------*- C++ -*-===//
#ifndef TSC_TOOLS_TSCTRANSLATE_PROGRESS_H
#define TSC_TOOLS_TSCTRANSLATE_PROGRESS_H

#include <chrono>
#include <cstdint>

namespace tsc::translate {

/// Writes lines to stderr, or one line again and again on a terminal. Says nothing of what takes less than a second
/// there, and everything where it was asked to.
class Progress {
public:
  explicit Progress(bool isAsked);
  ~Progress();
  /// What is done now: "reading", "compiling".
  void step(const char *what);
  /// How many bytes of the tensors are written.
  void written(uint64_t done, uint64_t total);

private:
  bool isDue(bool isLast);
  const bool isAsked, isTerminal;
  bool hasLine = false; ///< A line of the terminal waits to be written over.
  const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last = start;
};

} // namespace tsc::translate

#endif
