//===- Convert.cpp - Rows of one dtype into another -----------------------===//
#include "Support/HalfRows.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/FillRow.h"
#include <cstring>

using namespace tsc;

template <typename To, typename From>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void castRow(To *__restrict to, const From *__restrict from, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = convertTo<To>(from[i]);
}

/// Whether programs convert between the types, so that there is a loop on vectors for them.
template <typename To, typename From> static constexpr bool isOftenCast = false;
#define TSC_CONVERT(TO, FROM) template <> constexpr bool isOftenCast<TO, FROM> = true;
TSC_CONVERT(double, float)
TSC_CONVERT(float, double)
TSC_CONVERT(float, int8_t)
TSC_CONVERT(float, uint8_t)
TSC_CONVERT(float, int16_t)
TSC_CONVERT(float, int32_t)
TSC_CONVERT(float, int64_t)
TSC_CONVERT(double, int8_t)
TSC_CONVERT(double, uint8_t)
TSC_CONVERT(double, int16_t)
TSC_CONVERT(double, int32_t)
TSC_CONVERT(double, int64_t)
TSC_CONVERT(int64_t, int32_t)
TSC_CONVERT(int32_t, int64_t)
TSC_CONVERT(int64_t, uint8_t)
TSC_CONVERT(int64_t, int8_t)
TSC_CONVERT(int64_t, int16_t)
TSC_CONVERT(int32_t, uint8_t)
TSC_CONVERT(int32_t, int8_t)
TSC_CONVERT(int32_t, int16_t)
TSC_CONVERT(int32_t, double)
TSC_CONVERT(uint8_t, int32_t)
TSC_CONVERT(uint8_t, int64_t)
TSC_CONVERT(int16_t, int32_t)
TSC_CONVERT(int16_t, int64_t)
TSC_CONVERT(uint8_t, float)
TSC_CONVERT(int32_t, float)
TSC_CONVERT(int64_t, float)
TSC_CONVERT(int64_t, double)
TSC_CONVERT(bool, uint8_t)
TSC_CONVERT(bool, int32_t)
TSC_CONVERT(bool, int64_t)
TSC_CONVERT(bool, float)
TSC_CONVERT(bool, double)
TSC_CONVERT(int16_t, BFloat16)
TSC_CONVERT(int32_t, BFloat16)
TSC_CONVERT(int64_t, BFloat16)
TSC_CONVERT(bool, BFloat16)
#undef TSC_CONVERT

/// Every so many-th element of a row: a distance that the compiler knows becomes loads of whole vectors.
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void moveEverySecond(T *__restrict to, const T *__restrict from, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = from[2 * i];
}

template <typename To, typename From> static bool convertOnVectors(To *to, const From *from, int64_t count);
/// From a half type or to one, which is by way of a float (convertTo).
template <typename To, typename From> static bool convertByFloats(To *to, const From *from, int64_t count) {
  constexpr int64_t block = 256;
  float floats[block];
  for (int64_t i = 0; i < count; i += block) {
    const int64_t n = std::min(block, count - i);
    if (!convertOnVectors(floats, from + i, n) || !convertOnVectors(to + i, floats, n)) {
      for (int64_t k = i; k != i + n; ++k)
        to[k] = convertTo<To>(from[k]);
    }
  }
  return true;
}

/// Of dense rows those that have kernels of their own. False: of other types.
template <typename To, typename From> static bool convertOnVectors(To *to, const From *from, int64_t count) {
  const cpu::halves::Kernels &kernels = cpu::halves::kernels();
  if constexpr (std::is_same_v<To, float> && std::is_same_v<From, Half>)
    kernels.widenHalf(to, from, count);
  else if constexpr (std::is_same_v<To, float> && std::is_same_v<From, BFloat16>)
    kernels.widenBFloat16(to, from, count);
  else if constexpr (std::is_same_v<To, Half> && std::is_same_v<From, float>)
    kernels.roundToHalf(to, from, count);
  else if constexpr (std::is_same_v<To, BFloat16> && std::is_same_v<From, float>)
    kernels.roundToBFloat16(to, from, count);
  else if constexpr (std::is_same_v<From, bool> && !std::is_same_v<To, bool>) // a byte that is 0 or 1
    return convertOnVectors(to, reinterpret_cast<const uint8_t *>(from), count);
  else if constexpr (std::is_same_v<To, int8_t> && (std::is_same_v<From, int32_t> || std::is_same_v<From, int64_t>))
    atSimdLevel<castRow<uint8_t, From>, Overlap::None>(reinterpret_cast<uint8_t *>(to), from, count);
  else if constexpr (std::is_same_v<From, std::complex<float>> && std::is_same_v<To, float>) // the real parts
    atSimdLevel<moveEverySecond<uint32_t>, Overlap::None>(reinterpret_cast<uint32_t *>(to),
                                                          reinterpret_cast<const uint32_t *>(from), count);
  else if constexpr (std::is_same_v<From, std::complex<double>> && std::is_same_v<To, double>)
    atSimdLevel<moveEverySecond<uint64_t>, Overlap::None>(reinterpret_cast<uint64_t *>(to),
                                                          reinterpret_cast<const uint64_t *>(from), count);
  else if constexpr (std::is_same_v<From, BFloat16> && isOftenCast<To, From>)
    atSimdLevel<castRow<To, From>, Overlap::None>(to, from, count);
  else if constexpr (isHalfType<To> != isHalfType<From> && !isComplexType<To> && !isComplexType<From>)
    return convertByFloats(to, from, count);
  else if constexpr (isOftenCast<To, From>)
    atSimdLevel<castRow<To, From>, Overlap::None>(to, from, count);
  else
    return false;
  return true;
}

template <typename To, typename From>
static void convertTyped(void *dst, int64_t dstStride, const void *src, int64_t srcStride, int64_t count) {
  if (dstStride == sizeof(To) && srcStride == sizeof(From)) {
    To *to = static_cast<To *>(dst);
    const From *from = static_cast<const From *>(src);
    if (convertOnVectors(to, from, count))
      return;
    for (int64_t i = 0; i != count; ++i)
      to[i] = convertTo<To>(from[i]);
    return;
  }
  char *to = static_cast<char *>(dst);
  const char *from = static_cast<const char *>(src);
  for (int64_t i = 0; i != count; ++i, to += dstStride, from += srcStride)
    *reinterpret_cast<To *>(to) = convertTo<To>(*reinterpret_cast<const From *>(from));
}

template <int64_t step, typename T> static void moveEvery(T *to, const T *from, int64_t count) {
  if constexpr (step == 2 && sizeof(T) <= 8)
    return atSimdLevel<moveEverySecond<T>, Overlap::None>(to, from, count);
  else
    for (int64_t i = 0; i != count; ++i)
      to[i] = from[i * step];
}

/// Bits of one width moved as they are.
template <typename T>
static void moveTyped(char *dst, int64_t dstStride, const char *src, int64_t srcStride, int64_t count) {
  if (srcStride == 0 && dstStride == sizeof(T)) {
    fillRow(reinterpret_cast<T *>(dst), *reinterpret_cast<const T *>(src), count);
    return;
  }
  constexpr int64_t item = sizeof(T);
  if (dstStride == item) {
    T *to = reinterpret_cast<T *>(dst);
    const T *from = reinterpret_cast<const T *>(src);
    switch (srcStride) {
    case 2 * item: return moveEvery<2>(to, from, count);
    case 3 * item: return moveEvery<3>(to, from, count);
    case 4 * item: return moveEvery<4>(to, from, count);
    default: break;
    }
  }
  for (int64_t i = 0; i != count; ++i, dst += dstStride, src += srcStride)
    *reinterpret_cast<T *>(dst) = *reinterpret_cast<const T *>(src);
}

void cpu::copyBytes(void *to, const void *from, size_t bytes) {
  constexpr size_t page = 4096, chunk = 512; // a chunk is loaded whole before any of it is stored
  const size_t distance = (reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from)) % page;
  if (bytes <= chunk || distance == 0 || distance > chunk) {
    std::memcpy(to, from, bytes);
    return;
  }
  size_t rest = bytes; // from the end on, so that no load follows a store to where it seems to read
  for (; rest > chunk; rest -= chunk)
    std::memcpy(static_cast<char *>(to) + rest - chunk, static_cast<const char *>(from) + rest - chunk, chunk);
  std::memcpy(to, from, rest);
}

static void moveRow(char *dst, int64_t dstStride, const char *src, int64_t srcStride, int64_t count, size_t size) {
  if (dstStride == static_cast<int64_t>(size) && srcStride == dstStride) {
    cpu::copyBytes(dst, src, static_cast<size_t>(count) * size);
    return;
  }
  switch (size) {
  case 1: return moveTyped<uint8_t>(dst, dstStride, src, srcStride, count);
  case 2: return moveTyped<uint16_t>(dst, dstStride, src, srcStride, count);
  case 4: return moveTyped<uint32_t>(dst, dstStride, src, srcStride, count);
  case 8: return moveTyped<uint64_t>(dst, dstStride, src, srcStride, count);
  default: return moveTyped<std::complex<double>>(dst, dstStride, src, srcStride, count);
  }
}

void cpu::convertRow(void *dst, DType dstType, int64_t dstStride, const void *src, DType srcType, int64_t srcStride,
                     int64_t count) {
  if (dstType == srcType)
    return moveRow(static_cast<char *>(dst), dstStride, static_cast<const char *>(src), srcStride, count,
                   itemSize(dstType));
  (void)dispatchAll(dstType, [&](auto to) {
    (void)dispatchAll(srcType, [&](auto from) {
      convertTyped<typename decltype(to)::Type, typename decltype(from)::Type>(dst, dstStride, src, srcStride, count);
    }).ok();
  }).ok();
}
