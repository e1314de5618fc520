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

/// How a reproducer is to be run, as its first line says.
struct ReproducerOptions {
  std::string passes;
  bool verifyEach = false;
  unsigned validationRuns = 0;

  /// Returns the first line, without a newline.
  std::string firstLine() const;
  /// Returns what the first line of a text says, or nothing when it is not that of a reproducer.
  static std::optional<ReproducerOptions> read(llvm::StringRef text);
};

/// Writes a reproducer when the process crashes while this object lives, or when write() is called.
///
/// Threads: one may live at a time in a process, since signals are for the whole process.
class CrashReproducer {
public:
  /// `input` is the text that the pipeline runs on; the file is written to `path`.
  CrashReproducer(std::string path, const ReproducerOptions &options, llvm::StringRef input);
  ~CrashReproducer();
  CrashReproducer(const CrashReproducer &) = delete;
  /// Sets the pass that runs now, for the message; null for none. The string must live as long as the setting.
  void setPass(const char *name) { pass = name; }
  const std::string &path() const { return file; }
  /// Writes the file by async-signal-safe calls alone. Returns false when it cannot be written.
  bool write() const;
  /// Writes the file and says on stderr that tsc-opt crashed, in which pass, and how to repeat it. Called by the signal
  /// handler.
  void reportCrash() const;

private:
  std::string file, text;
  const char *pass = nullptr;
};

} // namespace tsc

#endif
