//===- Logging.h - What passes say about their work -------------*- C++ -*-===//
//
//   #define DEBUG_TYPE "dce"
//   TSC_GRAPH_UPDATE("erasing " << node);   // [UPDATE DeadCodeElimination.cpp:31] erasing …
//
// Off unless asked for, file by file, as in PyTorch: a colon-separated list of
// file or pass names, `dead_code_elimination:>cse`, in PYTORCH_JIT_LOG_LEVEL or
// given to setLogSpec. A plain name shows DUMP and UPDATE; `>` adds DEBUG. A name
// matches a file without its directory and extension, whatever its case and
// underscores, or the DEBUG_TYPE of the code.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_LOGGING_H
#define TSC_SUPPORT_LOGGING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <string>

namespace tsc {

/// How detailed a log message is.
enum class LogLevel : uint8_t {
  Dump,   ///< whole graphs after a pass
  Update, ///< each change to a graph
  Debug,  ///< the inner workings of a pass or analysis
};

/// Replaces the setting of PYTORCH_JIT_LOG_LEVEL. Call it before passes run.
void setLogSpec(llvm::StringRef spec);
/// Sets where log lines go; null stands for the standard error stream, as at first. The stream must outlive its use.
void setLogStream(llvm::raw_ostream *os);
/// Whether messages of a level are shown for code in `file`, or for the DEBUG_TYPE `pass`. The macros below give files
/// without their folders, so that what is built does not depend on where its source stands.
bool isLogEnabled(LogLevel level, llvm::StringRef file, llvm::StringRef pass);
/// Writes `text` with `[LEVEL file:line] ` before each of its lines.
void writeLog(LogLevel level, llvm::StringRef file, unsigned line, llvm::StringRef text);

/// Returns how much of a type the graph printer shows (PYTORCH_JIT_TYPE_VERBOSITY, or what was set): 0 no types, 1
/// types and shapes, 2 strides too, 3 device and requires_grad too (the default).
int typeVerbosity();
/// Sets how much of a type the graph printer shows in this process, 0 to 3 as for typeVerbosity().
void setTypeVerbosity(int verbosity);

/// Counts one optimization of the pass that `file` implements (or that is called `pass`) against its limit from
/// PYTORCH_JIT_OPT_LIMIT or setOptimizationLimits. Returns false when the limit is reached.
bool isOptimizationAllowed(llvm::StringRef file, llvm::StringRef pass);
/// Replaces the limits of optimizations, by file or pass: `constant_propagation=3:cse=10`. Others have none.
void setOptimizationLimits(llvm::StringRef spec);

namespace detail {
/// False once it is known that nobody asked for a log, so that a disabled message costs one load.
extern std::atomic<bool> anyLogEnabled;
} // namespace detail

} // namespace tsc

/// Logs MESSAGE, which may be a chain of `<<` and is not evaluated unless LEVEL is shown here.
#define TSC_LOG(LEVEL, MESSAGE)                                                                                        \
  do {                                                                                                                 \
    if (::tsc::detail::anyLogEnabled.load(std::memory_order_relaxed) &&                                                \
        ::tsc::isLogEnabled(LEVEL, __FILE_NAME__, DEBUG_TYPE)) {                                                       \
      std::string tscText;                                                                                             \
      llvm::raw_string_ostream(tscText) << MESSAGE;                                                                    \
      ::tsc::writeLog(LEVEL, __FILE_NAME__, __LINE__, tscText);                                                        \
    }                                                                                                                  \
  } while (false)

#define TSC_GRAPH_UPDATE(MESSAGE) TSC_LOG(::tsc::LogLevel::Update, MESSAGE)
#define TSC_GRAPH_DEBUG(MESSAGE) TSC_LOG(::tsc::LogLevel::Debug, MESSAGE)
/// Whether the pass around it may make one more optimization, which is counted against its limit.
#define TSC_OPT_ALLOWED ::tsc::isOptimizationAllowed(__FILE_NAME__, DEBUG_TYPE)

#endif
