//===- LateRelease.h - Python's objects that tsc lets go --------*- C++ -*-===//
//
// Tensors over arrays of NumPy keep these arrays. The last one may go in any thread, in
// the midst of a call, where nobody may touch an object of Python's. So what it kept is
// put on a list, which the next thread that comes back to Python clears.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_BINDINGS_PYTHON_LATERELEASE_H
#define TSC_BINDINGS_PYTHON_LATERELEASE_H

namespace tsc::bindings {

/// Something of Python's, which is to be destroyed by a thread that has the GIL.
class Kept {
public:
  virtual ~Kept();

private:
  friend void releaseLater(Kept *kept) noexcept;
  friend void clearReleased() noexcept;
  Kept *next = nullptr;
};

/// Takes over something that a thread without the GIL gives up. It is destroyed soon, by some thread of Python's.
void releaseLater(Kept *kept) noexcept;
/// Destroys all that was given up. The thread has the GIL.
void clearReleased() noexcept;

/// While one lives, its thread will call clearReleased() itself before it goes on in Python, so that nobody else need
/// be told.
class ClearsReleased {
public:
  ClearsReleased();
  ~ClearsReleased();
  ClearsReleased(const ClearsReleased &) = delete;
};

} // namespace tsc::bindings

#endif
