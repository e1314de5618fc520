//===- Prelude.cpp - What every generated program begins with -------------===//
//
// Everything a kernel needs beside its own steps, as text. Kept small: it is compiled
// with each program. Where the host builds the same source (the shim of the unit
// tests), TSC_SHIM is defined and the shim has what is written in PTX here.
//
//===----------------------------------------------------------------------===//
#include "tsc/KernelsCUDA/Prelude.h"

using namespace tsc;

static constexpr char text[] = R"(
#define TSC_DEVICE static __device__ __forceinline__
typedef unsigned short tsc_half, tsc_bfloat16;
typedef unsigned long long tsc_word;

// Divides what is below 2^31: by a product, and a shift to the right.
struct tsc_divisor {
  unsigned factor, shift;
};
TSC_DEVICE unsigned tsc_divide(unsigned n, tsc_divisor by) {
  return (unsigned)((tsc_word)n * by.factor >> by.shift);
}

// Elements of a row before `inPieces` lie in vectors that can be read at once, and before `together` several vectors of
// a thread begin that all are whole: none where an operand is not aligned.
// Operands of one stride class move alike: their offset, in elements, is one number. Dimensions are innermost first:
// `dims` that are walked, then `runDims` that are folded, all but those that a run, a row or the columns are. The
// strides of the last of either are there again: to look for them at each unit costs several instructions.
template <int K, int C, int U> struct tsc_params {
  char *at[K];
  long long inner[C], along[C], lastDim[C], lastRun[C], stride[8][C], size[8];
  tsc_divisor bySize[8], byStrips, byRun, byChunks;
  tsc_word number[U];
  char *scratch;
  long long count, run, folded, folds, rows, units, strips, shift, dims, runDims, blocks, perRun;
  long long chunks, chunkShift, stripElements, rowsAtOnce, inPieces, together, means;
};

// Moves offsets to an index of the dimensions [from, to), of which there is one at least; the last has the strides
// `last`.
template <class P, class I, int C>
TSC_DEVICE void tsc_move(const P &p, unsigned index, int from, int to, const long long (&last)[C], I (&at)[C]) {
#pragma unroll 1
  for (int d = from; d < to - 1; ++d) {
    const unsigned next = tsc_divide(index, p.bySize[d]);
    const I digit = index - next * (unsigned)p.size[d];
    index = next;
#pragma unroll
    for (int c = 0; c != C; ++c)
      at[c] += digit * (I)p.stride[d][c];
  }
#pragma unroll
  for (int c = 0; c != C; ++c)
    at[c] += (I)index * (I)last[c];
}
template <class P, class I, int C> TSC_DEVICE void tsc_move_to_row(const P &p, unsigned row, I (&at)[C]) {
  tsc_move(p, row, 0, (int)p.dims, p.lastDim, at);
}
template <class P, class I, int C> TSC_DEVICE void tsc_move_to_run(const P &p, unsigned run, I (&at)[C]) {
  tsc_move(p, run, (int)p.dims, (int)(p.dims + p.runDims), p.lastRun, at);
}

// Where a thread begins: in a row, of which some are taken at once, or in a strip of a long one.
template <class I> struct tsc_start {
  unsigned row;
  I first;
};
template <class I, class P> TSC_DEVICE tsc_start<I> tsc_start_of(const P &p, unsigned unit, unsigned ownRow, I ownFirst) {
  const unsigned group = tsc_divide(unit, p.byStrips), strip = unit - group * (unsigned)p.strips;
  return {group * (unsigned)p.rowsAtOnce + ownRow, (I)strip * (I)p.stripElements + ownFirst};
}

template <class T, int N> struct __align__(sizeof(T) * N < 16 ? sizeof(T) * N : 16) tsc_vector { T at[N]; };

#ifndef TSC_SHIM
TSC_DEVICE float tsc_from_half(tsc_half h) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  return f;
}
TSC_DEVICE tsc_half tsc_to_half(float f) {
  tsc_half h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
  return h;
}
TSC_DEVICE tsc_bfloat16 tsc_to_bfloat16(float f) {
  tsc_bfloat16 h;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(f));
  return h;
}
#endif
TSC_DEVICE float tsc_from_bfloat16(tsc_bfloat16 h) { return __int_as_float((int)((unsigned)h << 16)); }
TSC_DEVICE int tsc_bits(float v) { return __float_as_int(v); }
TSC_DEVICE long long tsc_bits(double v) { return __double_as_longlong(v); }
TSC_DEVICE float tsc_from_bits(int v) { return __int_as_float(v); }
TSC_DEVICE double tsc_from_bits(long long v) { return __longlong_as_double(v); }
TSC_DEVICE float tsc_number_float(tsc_word v) { return __int_as_float((int)(unsigned)v); }
TSC_DEVICE double tsc_number_double(tsc_word v) { return __longlong_as_double((long long)v); }

// What does not fit is the smallest integer.
template <class R> TSC_DEVICE int tsc_to_int32(R v) {
  return v >= (R)-2147483648.0 && v < (R)2147483648.0 ? (int)v : -2147483647 - 1;
}
template <class R> TSC_DEVICE long long tsc_to_int64(R v) {
  return v >= (R)-9223372036854775808.0 && v < (R)9223372036854775808.0 ? (long long)v : -9223372036854775807LL - 1;
}

// Integers wrap; what is divided by zero is 0.
TSC_DEVICE long long tsc_add(long long a, long long b) { return (long long)((tsc_word)a + (tsc_word)b); }
TSC_DEVICE long long tsc_sub(long long a, long long b) { return (long long)((tsc_word)a - (tsc_word)b); }
TSC_DEVICE long long tsc_mul(long long a, long long b) { return (long long)((tsc_word)a * (tsc_word)b); }
TSC_DEVICE long long tsc_div(long long a, long long b) { return b == 0 ? 0 : b == -1 ? tsc_sub(0, a) : a / b; }
TSC_DEVICE long long tsc_fmod(long long a, long long b) { return b == 0 || b == -1 ? 0 : a % b; }
TSC_DEVICE long long tsc_remainder(long long a, long long b) {
  const long long m = tsc_fmod(a, b);
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}
TSC_DEVICE long long tsc_floordiv(long long a, long long b) {
  const long long q = tsc_div(a, b);
  return tsc_fmod(a, b) != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
TSC_DEVICE long long tsc_shift_left(long long a, long long b) {
  return (tsc_word)b > 63 ? 0 : (long long)((tsc_word)a << b);
}
TSC_DEVICE long long tsc_shift_right(long long a, long long b) { return a >> ((tsc_word)b > 63 ? 63 : b); }
TSC_DEVICE long long tsc_gcd(long long a, long long b) {
  tsc_word x = a < 0 ? 0 - (tsc_word)a : (tsc_word)a, y = b < 0 ? 0 - (tsc_word)b : (tsc_word)b;
  while (y) {
    const tsc_word rest = x % y;
    x = y, y = rest;
  }
  return (long long)x;
}
TSC_DEVICE long long tsc_pow(long long base, long long exponent) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  long long result = 1;
  for (; exponent; exponent >>= 1, base = tsc_mul(base, base))
    if (exponent & 1)
      result = tsc_mul(result, base);
  return result;
}

// Python's % and // on reals.
TSC_DEVICE float tsc_fmod(float a, float b) { return fmodf(a, b); }
TSC_DEVICE double tsc_fmod(double a, double b) { return fmod(a, b); }
template <class R> TSC_DEVICE R tsc_remainder(R a, R b) {
  const R m = tsc_fmod(a, b);
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}
template <class R> TSC_DEVICE R tsc_floordiv(R a, R b) {
  if (b == 0)
    return a / b;
  const R m = tsc_fmod(a, b);
  R q = (a - m) / b;
  if (m != 0 && (b < 0) != (m < 0))
    q -= 1;
  if (q == 0)
    return copysign((R)0, a / b);
  const R down = floor(q);
  return q - down > (R)0.5 ? down + 1 : down;
}

// Folds: blocks of 1024 elements in 16 lanes, which are combined by halving; the results of blocks are combined like
// the digits of a binary counter, whose digits are `levels`.
TSC_DEVICE float tsc_infinity(float) { return __int_as_float(0x7f800000); }
TSC_DEVICE double tsc_infinity(double) { return __longlong_as_double(0x7ff0000000000000LL); }
TSC_DEVICE float tsc_add(float a, float b) { return a + b; }
TSC_DEVICE double tsc_add(double a, double b) { return a + b; }
TSC_DEVICE float tsc_mul(float a, float b) { return a * b; }
TSC_DEVICE double tsc_mul(double a, double b) { return a * b; }
TSC_DEVICE float tsc_least(float v) { return -tsc_infinity(v); }
TSC_DEVICE double tsc_least(double v) { return -tsc_infinity(v); }
TSC_DEVICE long long tsc_least(long long) { return -9223372036854775807LL - 1; }
TSC_DEVICE float tsc_most(float v) { return tsc_infinity(v); }
TSC_DEVICE double tsc_most(double v) { return tsc_infinity(v); }
TSC_DEVICE long long tsc_most(long long) { return 9223372036854775807LL; }
template <class T> struct tsc_sum {
  static __device__ __forceinline__ T first() { return (T)0; }
  static __device__ __forceinline__ T combine(T a, T b) { return tsc_add(a, b); }
};
template <class T> struct tsc_product {
  static __device__ __forceinline__ T first() { return (T)1; }
  static __device__ __forceinline__ T combine(T a, T b) { return tsc_mul(a, b); }
};
template <class T> struct tsc_max {
  static __device__ __forceinline__ T first() { return tsc_least((T)0); }
  static __device__ __forceinline__ T combine(T a, T b) { return b != b || b > a ? b : a; }
};
template <class T> struct tsc_min {
  static __device__ __forceinline__ T first() { return tsc_most((T)0); }
  static __device__ __forceinline__ T combine(T a, T b) { return b != b || b < a ? b : a; }
};
template <class F, class T> TSC_DEVICE T tsc_fold_lanes(T a) {
#pragma unroll
  for (int width = 8; width; width /= 2)
    a = F::combine(a, __shfl_down_sync(0xffffffffu, a, width, 16));
  return a;
}
// The same of a block of which a thread has four neighbouring lanes.
template <class F, class T> TSC_DEVICE T tsc_fold_lanes(T (&a)[4]) {
#pragma unroll
  for (int width = 2; width; width /= 2)
#pragma unroll
    for (int k = 0; k != 4; ++k)
      a[k] = F::combine(a[k], __shfl_down_sync(0xffffffffu, a[k], width, 4));
  return F::combine(F::combine(a[0], a[2]), F::combine(a[1], a[3]));
}
// The same of one column, whose lanes are 32 elements apart.
template <class F, class T> TSC_DEVICE T tsc_fold_column(const T *lanes) {
  T a[16];
#pragma unroll
  for (int k = 0; k != 16; ++k)
    a[k] = lanes[k * 32];
#pragma unroll
  for (int width = 8; width; width /= 2)
    for (int k = 0; k != width; ++k)
      a[k] = F::combine(a[k], a[k + width]);
  return a[0];
}
template <class F, class T> TSC_DEVICE void tsc_push(T *levels, unsigned number, T value) {
  int level = 0;
#pragma unroll 1
  for (; number & 1; number >>= 1, ++level)
    value = F::combine(levels[level], value);
  levels[level] = value;
}
template <class F, class T> TSC_DEVICE T tsc_counted(const T *levels, unsigned count) {
  int level = 0;
#pragma unroll 1
  for (; !(count >> level & 1); ++level) {
  }
  T result = levels[level];
#pragma unroll 1
  for (++level; level < 32 && count >> level; ++level)
    if (count >> level & 1)
      result = F::combine(levels[level], result);
  return result;
}
// What the counter makes of N results, a power of two, all of which are read before the first is needed.
template <class F, int N, class T> TSC_DEVICE T tsc_fold_pairs(const T *from) {
  T a[N];
#pragma unroll
  for (int k = 0; k != N; ++k)
    a[k] = from[k];
#pragma unroll
  for (int width = 1; width != N; width *= 2)
#pragma unroll
    for (int k = 0; k != N; k += 2 * width)
      a[k] = F::combine(a[k], a[k + width]);
  return a[0];
}
// `chunks` results of 2^chunkShift blocks each, the last of perhaps fewer.
template <class F, class T> TSC_DEVICE T tsc_fold_chunks(const T *from, unsigned chunks, bool isLastWhole) {
  T levels[32];
  const unsigned whole = isLastWhole ? chunks : chunks - 1;
  unsigned c = 0;
#pragma unroll 1
  for (; c + 32 <= whole; c += 32)
    tsc_push<F, T>(levels + 5, c >> 5, tsc_fold_pairs<F, 32>(from + c));
#pragma unroll 1
  for (; c + 8 <= whole; c += 8)
    tsc_push<F, T>(levels + 3, c >> 3, tsc_fold_pairs<F, 8>(from + c));
#pragma unroll 1
  for (; c != whole; ++c)
    tsc_push<F, T>(levels, c, from[c]);
  if (isLastWhole)
    return tsc_counted<F, T>(levels, whole);
  T result = from[whole];
#pragma unroll 1
  for (int level = 0; level < 32 && whole >> level; ++level)
    if (whole >> level & 1)
      result = F::combine(levels[level], result);
  return result;
}
)";

llvm::StringRef fuser::cudaPrelude() { return llvm::StringRef(text).ltrim(); }

llvm::StringRef fuser::storedType(DType dtype) {
  switch (dtype) {
  case DType::Bool:
  case DType::UInt8: return "unsigned char";
  case DType::Int8: return "signed char";
  case DType::Int16: return "short";
  case DType::Int32: return "int";
  case DType::Half: return "tsc_half";
  case DType::BFloat16: return "tsc_bfloat16";
  case DType::Float: return "float";
  case DType::Double: return "double";
  default: return "long long";
  }
}
