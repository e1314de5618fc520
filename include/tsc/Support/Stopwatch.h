//===- Stopwatch.h - Processor time of a piece of work ----------*- C++ -*-===//
#ifndef TSC_SUPPORT_STOPWATCH_H
#define TSC_SUPPORT_STOPWATCH_H

#include <ctime>

namespace tsc {

/// Adds the processor time that the calling thread uses while this object lives to a total in seconds. What other
/// programs do on the same machine disturbs it less than a clock on the wall.
class Stopwatch {
public:
  explicit Stopwatch(double &total) : total(total), start(now()) {}
  Stopwatch(const Stopwatch &) = delete;
  ~Stopwatch() { total += now() - start; }

private:
  static double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  double &total;
  double start;
};

} // namespace tsc

#endif
