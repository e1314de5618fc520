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

struct Fiber {
  ucontext_t context;
  bool isDone = false;
  std::vector<char> stack;
};
struct Block {
  ucontext_t scheduler;
  Fiber fibers[mostThreads];
  unsigned threads = 0, current = 0;
  void (*body)(void *) = nullptr;
  void *data = nullptr;
  unsigned long long exchanged[mostThreads]; ///< What a thread gives to a shuffle.
};
static Block block;
} // namespace tsc_shim

static tsc_shim::Index threadIdx, blockIdx, gridDim, blockDim;

namespace tsc_shim {
/// Lets the other threads of the block come as far.
static void yield() {
  Fiber &self = block.fibers[block.current];
  swapcontext(&self.context, &block.scheduler);
}
static void enter() {
  block.body(block.data);
  Fiber &self = block.fibers[block.current];
  self.isDone = true;
  swapcontext(&self.context, &block.scheduler);
}
static void runFibers(unsigned threads, void (*body)(void *), void *data) {
  block.threads = threads, block.body = body, block.data = data;
  for (unsigned t = 0; t != threads; ++t) {
    Fiber &fiber = block.fibers[t];
    fiber.isDone = false;
    fiber.stack.resize(stackBytes);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, enter, 0);
  }
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
      swapcontext(&block.scheduler, &block.fibers[t].context);
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
