//===- Shim.h - CUDA's words in plain C++ -----------------------*- C++ -*-===//
//
// With this before it, the host's compiler builds the source of generated kernels, and
// runs them: blocks one after the other, the threads of a block in turn. Those of a
// kernel with barriers are fibers, each of which runs to the next barrier or shuffle.
//
// TSC_SHIM_ENTRY(NAME) makes a function NAME_on_host that launches NAME.
//
//===----------------------------------------------------------------------===//
#define TSC_SHIM 1
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <math.h>
#include <numbers>
#include <ucontext.h>
#include <utility>
#include <vector>

#define __global__ __attribute__((visibility("default")))
#define __device__
#define __constant__
#define __forceinline__ inline
#define __shared__ static
#define __grid_constant__
#define __launch_bounds__(N)
#define __align__(N) alignas(N)

namespace tsc_shim {
struct Index {
  unsigned x, y, z;
};
constexpr unsigned mostThreads = 512, warpSize = 32;
constexpr size_t stackBytes = 256 << 10;

/// Where a thread or the scheduler goes on.
struct Place {
  ucontext_t context;
#if defined(__x86_64__)
  void *registers[5];
#endif
};
struct Fiber {
  Place place;
  bool isBegun = false, isDone = false;
};
struct Block {
  Place scheduler;
  Fiber fibers[mostThreads];
  unsigned threads = 0, current = 0;
  void (*body)(void *) = nullptr;
  void *data = nullptr;
  unsigned long long exchanged[mostThreads]; ///< What a thread gives to a shuffle.
};
static Block block;
/// Of the fibers. Pages come into being when they are written, of which most threads need one or two.
alignas(64) static char stacks[mostThreads][stackBytes];
} // namespace tsc_shim

static tsc_shim::Index threadIdx, blockIdx, gridDim, blockDim;

namespace tsc_shim {
// A kernel switches thousands of times, and swapcontext() asks the system for the signal mask each time.
#if defined(__x86_64__)
[[gnu::noinline, noreturn]] static void goOn(Place &at) { __builtin_longjmp(at.registers, 1); }
[[gnu::noinline]] static void change(Place &from, Place &to) {
  if (__builtin_setjmp(from.registers) == 0)
    goOn(to);
}
[[gnu::noinline]] static void begin(Place &from, Place &to) {
  if (__builtin_setjmp(from.registers) == 0) {
    setcontext(&to.context);
    abort(); // there is no such context; and no tail call, which would leave this frame
  }
}
#else
static void change(Place &from, Place &to) { swapcontext(&from.context, &to.context); }
static void begin(Place &from, Place &to) { change(from, to); }
#endif

/// Lets the other threads of the block come as far.
static void yield() { change(block.fibers[block.current].place, block.scheduler); }
/// What a fiber does: a thread of one block after the other.
static void enter() {
  for (;;) {
    block.body(block.data);
    block.fibers[block.current].isDone = true;
    yield();
  }
}
/// Runs a fiber to its next barrier, or to the end of its thread.
static void resume(Fiber &fiber) {
  if (std::exchange(fiber.isBegun, true))
    return change(block.scheduler, fiber.place);
  ucontext_t &context = fiber.place.context;
  getcontext(&context);
  context.uc_stack.ss_sp = stacks[&fiber - block.fibers];
  context.uc_stack.ss_size = stackBytes;
  context.uc_link = nullptr;
  makecontext(&context, enter, 0);
  begin(block.scheduler, fiber.place);
}
static void runFibers(unsigned threads, void (*body)(void *), void *data) {
  block.threads = threads, block.body = body, block.data = data;
  for (unsigned t = 0; t != threads; ++t)
    block.fibers[t].isDone = false;
  for (unsigned done = 0; done != threads;) {
    unsigned waiting = 0;
    done = 0;
    for (unsigned t = 0; t != threads; ++t) {
      if (block.fibers[t].isDone) {
        ++done;
        continue;
      }
      block.current = t;
      threadIdx.x = t;
      resume(block.fibers[t]);
      block.fibers[t].isDone ? ++done : ++waiting;
    }
    // On a device this would hang, or read what is not there yet.
    if (waiting != 0 && done != 0)
      fprintf(stderr, "tsc shim: %u threads of %u left a barrier out\n", done, threads), abort();
  }
}
template <class P>
void launch(void (*kernel)(P), unsigned grid, unsigned threads, bool hasBarriers, const void *params) {
  struct Call {
    void (*kernel)(P);
    const P *params;
  } call{kernel, static_cast<const P *>(params)};
  auto body = [](void *data) {
    auto *call = static_cast<Call *>(data);
    call->kernel(*call->params);
  };
  gridDim = {grid, 1, 1}, blockDim = {threads, 1, 1}, threadIdx = {0, 0, 0};
  for (unsigned b = 0; b != grid; ++b) {
    blockIdx = {b, 0, 0};
    if (hasBarriers) {
      runFibers(threads, +body, &call);
      continue;
    }
    for (unsigned t = 0; t != threads; ++t) {
      threadIdx.x = t;
      body(&call);
    }
  }
}
template <class P> size_t bytesOf(void (*)(P)) { return sizeof(P); }
template <template <int, int, int> class P, int K, int C, int U> unsigned operandsOf(void (*)(P<K, C, U>)) { return K; }
} // namespace tsc_shim

#define TSC_SHIM_ENTRY(NAME)                                                                                           \
  extern "C" __attribute__((visibility("default"))) void NAME##_on_host(unsigned grid, unsigned threads,               \
                                                                        bool hasBarriers, const void *params) {        \
    tsc_shim::launch(NAME, grid, threads, hasBarriers, params);                                                        \
  }                                                                                                                    \
  extern "C" __attribute__((visibility("default"))) size_t NAME##_bytes() { return tsc_shim::bytesOf(NAME); }          \
  extern "C" __attribute__((visibility("default"))) unsigned NAME##_operands() { return tsc_shim::operandsOf(NAME); }

inline void __syncthreads() { tsc_shim::yield(); }
/// All threads of the block take part, as generated kernels have it: the others have given theirs when a thread goes
/// on, and take what they need before anybody gives anew.
template <class T> T __shfl_down_sync(unsigned, T value, unsigned by, int width) {
  using namespace tsc_shim;
  const unsigned self = block.current;
  memcpy(&block.exchanged[self], &value, sizeof(T));
  yield();
  const unsigned lane = self % (unsigned)width;
  T result;
  memcpy(&result, &block.exchanged[lane + by < (unsigned)width ? self + by : self], sizeof(T));
  yield();
  return result;
}

/// What stands for functions of CUDA's library where a test replaces their calls: by name, of one operand or two.
extern "C" {
__attribute__((visibility("default"))) double (*tsc_shim_library)(const char *name, bool isDouble, double a, double b);
}
template <class T> T tsc_shim_called(const char *name, T a, T b = 0) {
  return (T)tsc_shim_library(name, sizeof(T) == sizeof(double), a, b);
}
template <class T> T tsc_shim_special(const char *name, double a, double b = 0) {
  return (T)tsc_shim_library(name, sizeof(T) == sizeof(double), a, b);
}

template <class To, class From> To tsc_bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
inline float __int_as_float(int v) { return tsc_bit_cast<float>(v); }
inline int __float_as_int(float v) { return tsc_bit_cast<int>(v); }
inline double __longlong_as_double(long long v) { return tsc_bit_cast<double>(v); }
inline long long __double_as_longlong(double v) { return tsc_bit_cast<long long>(v); }

inline void __sincosf(float v, float *sine, float *cosine) { *sine = sinf(v), *cosine = cosf(v); }
inline void sincospi(double v, double *sine, double *cosine) {
  *sine = sin(v * std::numbers::pi), *cosine = cos(v * std::numbers::pi);
}

inline float tsc_from_half(unsigned short h) { return static_cast<float>(tsc_bit_cast<_Float16>(h)); }
inline unsigned short tsc_to_half(float f) { return tsc_bit_cast<unsigned short>(static_cast<_Float16>(f)); }
inline unsigned short tsc_to_bfloat16(float f) {
  const unsigned word = tsc_bit_cast<unsigned>(f);
  return static_cast<unsigned short>(f != f ? 0x7fc0 : (word + 0x7fff + (word >> 16 & 1)) >> 16);
}
