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

/// Has `run(object)` called when the calling thread ends, what was noted last first, and behind the destructors of its
/// thread_local objects. False where there is no memory to note it. (The thread of `main` ends without it.)
bool atThreadExit(void (*run)(void *object), void *object);

/// The calling thread's object of a type: made when it is first asked for, destroyed when the thread ends. Throws
/// std::bad_alloc where there is no memory.
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
