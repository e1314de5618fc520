//===- TracedCall.h - Spans of operators in a trace -------------*- C++ -*-===//
#ifndef TSC_RUNTIME_DISPATCH_TRACEDCALL_H
#define TSC_RUNTIME_DISPATCH_TRACEDCALL_H

#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Support/Status.h"
#include "tsc/Support/Trace.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>

namespace tsc {

/// What a trace says of operands.
struct OperandSummary {
  std::string text;   ///< The dtypes and shapes of the tensors among them.
  uint64_t bytes = 0; ///< The bytes of their elements.
};
/// Summarizes the tensors among some values.
OperandSummary summarizeOperands(llvm::ArrayRef<const IValue *> operands);

inline bool hasRun(const Status &) { return true; }
/// Whether a group has run: it may leave the call to the plain nodes, which are recorded themselves.
inline bool hasRun(const StatusOr<bool> &done) { return !done.ok() || *done; }

/// Runs `run()` and records in the context's trace how long it took, what it was given, and how many bytes went in and
/// out. `bytesRead()` says afterwards how many of the operands' bytes were read, if not all of them.
template <typename F, typename G>
[[gnu::noinline]] auto traced(CallContext &context, const char *category, llvm::StringRef name,
                              llvm::ArrayRef<const IValue *> operands, llvm::ArrayRef<IValue> results, F &&run,
                              G &&bytesRead) {
  auto [text, bytes] = summarizeOperands(operands); // before they may be written
  auto start = TraceRecorder::Clock::now();
  auto outcome = run();
  auto end = TraceRecorder::Clock::now();
  if (!hasRun(outcome))
    return outcome;
  bytes = bytesRead().value_or(bytes);
  for (const IValue &result : results) {
    const IValue *one = &result;
    bytes += summarizeOperands(llvm::ArrayRef<const IValue *>(one)).bytes;
  }
  context.trace->add(category, name.str(), std::move(text), bytes, start, end);
  return outcome;
}

} // namespace tsc

#endif
