//===- TorchRandom.cpp - The state of torch's random numbers --------------===//
//
// torch's CPU generator is the same Mersenne twister, and hands its state out as bytes: the
// words as 64-bit numbers, how many of them are left, and the second of a pair of normal
// numbers. A float of such a pair, which torch keeps apart, stays as it is in the buffer.
//
//===----------------------------------------------------------------------===//
#include "TorchRandom.h"
#include "Calls.h"
#include <cstddef>
#include <cstring>

using namespace tsc;
using namespace tsc::bindings;

namespace {
/// The bytes, in this processor's order, with C's padding.
struct TorchState {
  uint64_t seed;
  int32_t left; ///< How many words are left before new ones are made, and one more.
  int32_t isSeeded;
  uint64_t next; ///< How many words were drawn.
  uint64_t words[Generator::stateSize];
  double unused, normal, alsoUnused; ///< `normal` is what is kept, where hasNormal says so.
  int32_t hasNormal;
  float floatNormal;
  bool hasFloatNormal;
};
static_assert(offsetof(TorchState, words) == 24 && offsetof(TorchState, hasNormal) == 5040);

/// The bytes of a tensor of torch's, seen as a NumPy array.
class StateBuffer {
public:
  /// The size of torch's structure, whose legacy part is padded before what follows it.
  static constexpr Py_ssize_t size = 5056;
  StateBuffer(nb::handle object, int flags) {
    if (PyObject_GetBuffer(object.ptr(), &view, flags) != 0)
      raiseCurrent();
    if (view.len != size) {
      PyBuffer_Release(&view);
      raise(PyExc_ValueError, "torch's random numbers have a state that is unknown here");
    }
  }
  ~StateBuffer() { PyBuffer_Release(&view); }
  StateBuffer(const StateBuffer &) = delete;
  TorchState read() const {
    TorchState state;
    std::memcpy(&state, view.buf, offsetof(TorchState, floatNormal));
    return state;
  }
  void write(const TorchState &state) { std::memcpy(view.buf, &state, offsetof(TorchState, floatNormal)); }

private:
  Py_buffer view{};
};
} // namespace

void bindings::takeTorchRandom(nb::handle object) {
  const TorchState given = StateBuffer(object, 0).read();
  constexpr int32_t all = Generator::stateSize;
  if (!given.isSeeded || given.left < 1 || given.left > all || given.next > Generator::stateSize)
    raise(PyExc_ValueError, "the state of torch's random numbers is damaged");
  Generator::State state;
  for (size_t i = 0; i != state.words.size(); ++i)
    state.words[i] = static_cast<uint32_t>(given.words[i]);
  // Where one is left, torch makes new words before it draws.
  state.next = given.left == 1 ? Generator::stateSize : static_cast<uint32_t>(given.next);
  state.seed = given.seed;
  if (given.hasNormal)
    state.keptNormal = given.normal;
  ThreadState::get().generator.setState(state);
}

void bindings::giveTorchRandom(nb::handle object) {
  StateBuffer buffer(object, PyBUF_WRITABLE);
  const Generator::State state = ThreadState::get().generator.state();
  TorchState given = buffer.read();
  given.seed = state.seed;
  given.isSeeded = 1;
  given.next = state.next;
  given.left = static_cast<int32_t>(Generator::stateSize + 1 - state.next);
  for (size_t i = 0; i != state.words.size(); ++i)
    given.words[i] = state.words[i];
  given.hasNormal = state.keptNormal.has_value();
  given.normal = state.keptNormal.value_or(0);
  given.unused = given.alsoUnused = 0;
  buffer.write(given);
}
