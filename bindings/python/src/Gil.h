//===- Gil.h - Giving up Python's lock, and taking it back ------*- C++ -*-===//
//
// What several threads of Python's share is theirs by the GIL. An interpreter without one
// has nanobind's locks in its place, which are nothing elsewhere.
//
// Python's threads that are daemons are still running when the interpreter ends. Up to
// Python 3.13, such a thread is unwound from where it asks for the GIL, through frames
// that let nothing through, and the process dies of that. One that asks here stays where
// it is until the process has ended, as in Python 3.14. One that asks in a function of
// Python's, which compiled code calls, is not kept.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_BINDINGS_PYTHON_GIL_H
#define TSC_BINDINGS_PYTHON_GIL_H

#include "Python.h"
#include <deque>

namespace tsc::bindings {

/// Takes the GIL for a thread that gave it up, whose state this is.
void takeGil(PyThreadState *state) noexcept;
/// Takes the GIL in any thread, which may have it already.
PyGILState_STATE ensureGil() noexcept;

/// Releases the GIL until it goes.
class WithoutGil {
public:
  WithoutGil() : state(PyEval_SaveThread()) {}
  ~WithoutGil() { takeGil(state); }
  WithoutGil(const WithoutGil &) = delete;

private:
  PyThreadState *state;
};

/// Holds the GIL until it goes, in any thread.
class WithGil {
public:
  WithGil() : state(ensureGil()) {}
  ~WithGil() { PyGILState_Release(state); }
  WithGil(const WithGil &) = delete;

private:
  PyGILState_STATE state;
};

/// Returns what `keep` finds under the lock, or else what `make` makes outside of it. `keep` is given what was made,
/// and no object the first time, and returns what is there: of two threads that make something, the first one's stays.
template <typename Keep, typename Make> nb::object keptOrMade(nb::ft_mutex &mutex, Keep &&keep, Make &&make) {
  auto underLock = [&](nb::object made) {
    nb::ft_lock_guard lock(mutex);
    return keep(std::move(made));
  };
  nb::object found = underLock({});
  return found.is_valid() ? found : underLock(make());
}

/// Objects at places that stay, to which any thread of Python's may add. Where there is a GIL, that is the lock.
template <typename T> class KeptObjects {
public:
  template <typename... Args> T &add(Args &&...args) {
    nb::ft_lock_guard lock(mutex);
    return objects.emplace_back(std::forward<Args>(args)...);
  }

private:
  nb::ft_mutex mutex;
  std::deque<T> objects;
};

} // namespace tsc::bindings

#endif
