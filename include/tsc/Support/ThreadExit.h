//===- ThreadExit.h - What goes when a thread ends --------------*- C++ -*-===//
//
// A thread_local object with a destructor costs memory when it is first used, to
// note the destructor, and where there is none the C library ends the process.
// Objects of threads are therefore noted here, which may fail.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_THREADEXIT_H
#define TSC_SUPPORT_THREADEXIT_H

#include <memory>
#include <new>

namespace tsc {

/// Makes the calling thread call `run(object)` when it ends, after the destructors of its thread_local objects, and
/// what was noted last first. Returns false where that cannot be noted, for want of memory or of a key. (The thread of
/// `main` ends without it.)
bool atThreadExit(void (*run)(void *object), void *object);

/// Returns the calling thread's object of type T, made when it is first asked for and destroyed when the thread ends.
/// Throws std::bad_alloc where there is no memory.
template <typename T> T &threadObject() {
  static constinit thread_local T *mine = nullptr;
  if (!mine) [[unlikely]] {
    auto made = std::make_unique<T>();
    auto destroy = [](void *object) {
      mine = nullptr;
      delete static_cast<T *>(object);
    };
    if (!atThreadExit(destroy, made.get()))
      throw std::bad_alloc();
    mine = made.release();
  }
  return *mine;
}

} // namespace tsc

#endif
