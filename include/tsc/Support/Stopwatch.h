//===- Stopwatch.h - Processor time of a piece of work ----------*- C++ -*-===//
#ifndef TSC_SUPPORT_STOPWATCH_H
#define TSC_SUPPORT_STOPWATCH_H

#include <ctime>

namespace tsc {

/// Adds the processor time of this thread, from its making to its end, to a total in seconds. What other programs do on
/// the same machine matters less to it than to a clock on the wall.
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
