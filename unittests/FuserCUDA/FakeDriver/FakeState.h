//===- FakeState.h - What the fake libraries share --------------*- C++ -*-===//
#ifndef TSC_UNITTESTS_FUSERCUDA_FAKESTATE_H
#define TSC_UNITTESTS_FUSERCUDA_FAKESTATE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace fake {

std::recursive_mutex &lock();
/// A call of a library: whether it is to work.
bool begin(const char *function, bool needsContext);
void complain(const std::string &what);
/// Returns what was complained of, a line each.
const std::string &complaints();
void checkStream(const char *function, void *stream);
/// Whether so many bytes are in one piece of memory that was allocated and not freed.
bool isAllocated(uint64_t address, size_t bytes = 0);
/// Counts an object that was made, and one that is given back. One that is not, since the call that was to do it
/// failed, stays known: it is the library's, and no leak of who called.
void keep(const void *object);
void giveBack(const void *object);

/// A kernel with its parameters.
struct Launched {
  void *function;
  unsigned blocks, threads;
  std::vector<uint64_t> words;
};
/// A launch as the driver is asked for it; complains of a function, a grid or memory that there is not. False: it can't
/// be.
bool readLaunch(Launched &launch, const unsigned (&grid)[3], const unsigned (&block)[3], void **parameters,
                const char *function);
/// Complains of memory that is gone since.
void runLaunch(const Launched &launch);
/// Where a stream is captured from, adds the launch to its graph.
bool isCaptured(void *stream, const Launched &launch);
bool isCapturing(void *stream);
/// What a library does on a stream: now, or, where the stream is captured from, whenever its graph is launched.
void perform(void *stream, std::function<void()> work);

/// Adds work to a stream that is done when `attempt`, which is called until then, returns true.
void defer(void *stream, std::function<bool()> attempt);
/// Forgets work of defer() that is not done.
void forgetDeferred(void *stream);
/// Tries to do what was deferred. Returns how much of the stream's work was done so far, and how much there was.
std::pair<uint64_t, uint64_t> advance(void *stream);
/// Waits, without the lock, until the stream's deferred work is done. All other work is done when it is asked for, and
/// waits by this for what comes before it.
void settle(void *stream);

/// While one lives, the device's memory can be touched.
class Opened {
public:
  Opened();
  Opened(const Opened &) = delete;
  ~Opened();

private:
  void *opened;
};

} // namespace fake

#endif
