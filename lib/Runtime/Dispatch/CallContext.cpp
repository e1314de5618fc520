//===- CallContext.cpp - What a running program may touch -----------------===//
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Tensor/Generator.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

CallContext::CallContext(Context &context)
    : types(context), random(nullptr), stream(&llvm::nulls()),
      onWarning([](const std::string &message) { llvm::errs() << "UserWarning: " << message << '\n'; }) {
  memoryAccount.setAlarm(&alarm);
}
CallContext::~CallContext() = default;

Generator &CallContext::generator() {
  if (!random) {
    ownRandom = std::make_unique<Generator>();
    random = ownRandom.get();
  }
  return *random;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

void CallContext::beginCall() {
  stepsUsed = outputUsed = 0;
  depthUsed = 0;
  (void)workMeter.take();
  memoryAccount.reset();
  alarm.store(cancelled.load(std::memory_order_relaxed), std::memory_order_relaxed);
  if (cancelled.load(std::memory_order_relaxed)) // by a thread that came between these two lines
    alarm.store(true, std::memory_order_relaxed);
}

CallContext::MemoryScope::MemoryScope(CallContext &context) {
  if (context.quotas.memory == Quotas::unlimited)
    return;
  context.account().setLimit(context.quotas.memory);
  scope.emplace(&context.account());
}

Status CallContext::checkLimits() {
  if (limits != this)
    TSC_RETURN_IF_ERROR(limits->checkLimits());
  if (cancelled.load(std::memory_order_relaxed))
    return tsc::cancelled("the call was cancelled");
  if (interrupted.load(std::memory_order_relaxed) && interrupted.exchange(false, std::memory_order_acquire) &&
      onInterrupt)
    TSC_RETURN_IF_ERROR(onInterrupt());
  if (memoryAccount.wasExceeded())
    return quotaExceeded(QuotaKind::Memory);
  if (exceedsSteps())
    return quotaExceeded(QuotaKind::Steps);
  if (outputUsed > quotas.output)
    return quotaExceeded(QuotaKind::Output);
  return okStatus();
}

namespace {
/// Hands on so many bytes, and drops the others.
class LimitedStream final : public llvm::raw_ostream {
public:
  LimitedStream(llvm::raw_ostream &to, uint64_t limit) : raw_ostream(/*unbuffered=*/true), to(to), limit(limit) {}
  uint64_t written() const { return position; }

private:
  void write_impl(const char *text, size_t size) override {
    to << llvm::StringRef(text, std::min<uint64_t>(size, limit - std::min(limit, position)));
    position += size;
  }
  uint64_t current_pos() const override { return position; }
  llvm::raw_ostream &to;
  const uint64_t limit;
  uint64_t position = 0;
};
} // namespace

Status CallContext::write(llvm::function_ref<void(llvm::raw_ostream &)> write) {
  if (quotas.output == Quotas::unlimited) {
    write(out());
    return okStatus();
  }
  LimitedStream limited(out(), quotas.output - std::min(quotas.output, outputUsed));
  write(limited);
  outputUsed += limited.written();
  return outputUsed > quotas.output ? quotaExceeded(QuotaKind::Output) : okStatus();
}

void CallContext::warn(const std::string &message) {
  if (!onWarning)
    return;
  outputUsed += quotas.output == Quotas::unlimited ? 0 : message.size();
  if (outputUsed > quotas.output)
    alarm.store(true, std::memory_order_relaxed);
  else
    onWarning(message);
}
