//===- MemoryErrors.cpp - Memory that is not to be had --------------------===//
#include "tsc/Support/MemoryErrors.h"
#include "LlvmMemory.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <execinfo.h>

using namespace tsc;

static Status exhausted(llvm::StringRef text) noexcept {
  try {
    return resourceExhausted(text);
  } catch (const std::bad_alloc &) {
    return Status(StatusCode::ResourceExhausted, ""); // needs no memory
  }
}

Status tsc::outOfMemory() noexcept { return exhausted("MemoryError: out of memory"); }
Status tsc::tooLarge() noexcept { return exhausted("MemoryError: a list or str would grow too long"); }

Status tsc::tooDeepForStack() noexcept {
  return exhausted("RecursionError: nested too deeply for the stack of this thread");
}

/// Lets the C library open what it unwinds with. It does so when an exception first passes through it, through
/// std::call_once for one, and ends the process where there is no memory for that.
static void prepareUnwinding() {
  void *frame = nullptr;
  (void)backtrace(&frame, 1);
}

/// LLVM calls it before it has changed anything: its containers ask for memory first.
[[noreturn]] static void throwBadAlloc(void *, const char *, bool) { throw std::bad_alloc(); }

void tsc::throwWhereLlvmLacksMemory() {
  static std::atomic<bool> isDone{false};
  if (isDone.exchange(true))
    return;
  llvm::install_bad_alloc_error_handler(throwBadAlloc);
  prepareLlvmMemory();
  prepareUnwinding();
}

int tsc::runTool(llvm::StringRef name, int failed, llvm::function_ref<int()> run) {
  throwWhereLlvmLacksMemory();
  try {
    return run();
  } catch (const std::bad_alloc &) {
    llvm::errs() << name << ": error: MemoryError: out of memory\n";
    return failed;
  }
}
