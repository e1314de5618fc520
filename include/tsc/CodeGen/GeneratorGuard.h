//===- GeneratorGuard.h - Turns at LLVM's code generator --------*- C++ -*-===//
//
// LLVM's code generator cannot fail for want of memory. Where its containers throw
// std::bad_alloc (MemoryErrors.h), the exception leaves it with what it was making
// half made, and with locks of its own taken. So nothing of it is touched from then
// on: what was in use is leaked, and this process generates no more code. Code that
// is linked already stays good. No lock that others may want is held just then: all
// use of the code generator takes turns until the first object is linked, by when
// LLVM has made its global tables; later on only linking does, which tells debuggers.
//
// A fork(2) does not wait for a compilation either. Where another thread was within
// one, the child has a code generator that is half way through something, and does
// without in the same way: all of them where it had a turn, else the one it used.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_CODEGEN_GENERATORGUARD_H
#define TSC_CODEGEN_GENERATORGUARD_H

#include "tsc/Support/LosableMutex.h"
#include "tsc/Support/Status.h"
#include <exception>
#include <mutex>
#include <new>
#include <utility>

namespace tsc::codegen {

/// Returns why a child of a fork(2) generates no code: another thread of its parent was within the code generator.
Status cutOff();
/// Returns why a process whose code generator ran out of memory generates no more code.
Status abandoned();

/// Whether an exception has left the code generator. It holds for all users of LLVM in this copy of tsc.
bool isAbandoned();
/// Notes that an exception has left the code generator.
void abandon();
/// Notes that an object was linked, by when LLVM has made its global tables.
void noteLinked();

/// A turn at what LLVM has one of.
class Turn {
public:
  /// What the turn is for. Generating needs one until an object was linked.
  enum class Of { Generating, Linking };
  explicit Turn(Of what);
  /// Returns the lock that turns hold.
  static LosableMutex &mutex();

private:
  std::unique_lock<LosableMutex> guard;
};

/// Runs a part of the code generator, and returns what `run` returns, a Status or a StatusOr, or why the generator is
/// not used. What `run` works on must outlive it where an exception leaves it (Abandonable).
template <typename Run> auto generating(Turn::Of what, Run run) -> decltype(run()) {
  if (Turn::mutex().isLost())
    return cutOff();
  Turn turn(what);
  if (isAbandoned())
    return abandoned();
  try {
    return run();
  } catch (const std::bad_alloc &) {
    abandon();
    return abandoned();
  }
}

/// Holds what a part of the code generator works on. Where that was left by an exception, it is not destroyed.
template <typename T> class Abandonable {
public:
  template <typename... Args> explicit Abandonable(Args &&...args) : held(new T(std::forward<Args>(args)...)) {}
  Abandonable(const Abandonable &) = delete;
  Abandonable &operator=(const Abandonable &) = delete;
  ~Abandonable() {
    if (!isAbandoned() && std::uncaught_exceptions() == exceptions)
      delete held;
  }
  T *operator->() const { return held; }
  T &operator*() const { return *held; }

private:
  T *held;
  const int exceptions = std::uncaught_exceptions();
};

} // namespace tsc::codegen

#endif
