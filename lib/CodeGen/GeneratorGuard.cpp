//===- GeneratorGuard.cpp - Turns at LLVM's code generator ----------------===//
#include "tsc/CodeGen/GeneratorGuard.h"
#include <atomic>

using namespace tsc;
using namespace tsc::codegen;

static std::atomic<bool> wasLeft{false}, isWarm{false};

Status codegen::cutOff() {
  return unimplemented("the process was forked while another thread compiled kernels: this child compiles no more");
}
Status codegen::abandoned() {
  return resourceExhausted("LLVM's code generator ran out of memory: this process generates no more code");
}

bool codegen::isAbandoned() { return wasLeft.load(std::memory_order_acquire); }
void codegen::abandon() { wasLeft.store(true, std::memory_order_release); }
void codegen::noteLinked() { isWarm.store(true, std::memory_order_release); }

Turn::Turn(Of what) : guard(mutex(), std::defer_lock) {
  if (what == Of::Linking || !isWarm.load(std::memory_order_acquire))
    guard.lock();
}

LosableMutex &Turn::mutex() {
  static LosableMutex &made = *new LosableMutex; // threads may outlive main
  return made;
}
