//===- CrashReproducer.h - A file that repeats a failure --------*- C++ -*-===//
//
// When a pass crashes or breaks a graph, the input and the pipeline are written
// to one file, `repro.ir`; its first line says how it was run:
//   # tsc-opt -passes='inline,dce' -verify-each
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TRANSFORMS_CRASHREPRODUCER_H
#define TSC_TRANSFORMS_CRASHREPRODUCER_H

#include "tsc/Support/Status.h"
#include <optional>
#include <string>

namespace tsc {

/// What the first line of a reproducer says.
struct ReproducerOptions {
  std::string passes;
  bool verifyEach = false;
  unsigned validationRuns = 0;

  std::string firstLine() const; ///< Without a newline.
  /// None when the text does not begin with such a line.
  static std::optional<ReproducerOptions> read(llvm::StringRef text);
};

/// Writes a reproducer when the process crashes while this object lives, or when it is told to.
///
/// Threads: signals are a matter of the process, so one may live at a time.
class CrashReproducer {
public:
  CrashReproducer(std::string path, const ReproducerOptions &options, llvm::StringRef input);
  ~CrashReproducer();
  CrashReproducer(const CrashReproducer &) = delete;
  /// The pass that runs now; the string must live as long as it does.
  void setPass(const char *name) { pass = name; }
  const std::string &path() const { return file; }
  /// Writes the file; only async-signal-safe calls are made. False when it cannot be written.
  bool write() const;
  /// What the signal handler does: writes the file and says so.
  void reportCrash() const;

private:
  std::string file, text;
  const char *pass = nullptr;
};

} // namespace tsc

#endif
