//===- Checksum.cpp - CRC-32, as zip files have it ------------------------===//
//
// A checksum is the remainder of the data, as a polynomial over the bits, by P. Sixteen
// bytes at a distance of n bits before others can be replaced by what their product with
// x^n leaves, added to those others: two products without carries of 64 bits by 32. Four
// such sums run side by side, 64 bytes apart, and become one; zlib takes it from there.
// AArch64 has instructions for the whole of it.
//
//===----------------------------------------------------------------------===//
#include "Checksum.h"
#include <zlib.h>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_acle.h>
#include <cstring>
#include <sys/auxv.h>
#ifndef HWCAP_CRC32
#define HWCAP_CRC32 (1 << 7)
#endif
#endif

using namespace tsc;

static uint32_t extend(uint32_t crc, llvm::StringRef data) {
  return static_cast<uint32_t>(crc32_z(crc, reinterpret_cast<const Bytef *>(data.data()), data.size()));
}

#if defined(__x86_64__)
/// x^n by P, its bits in the order of the data, as a factor of 33 bits: reversed products are one bit short.
static constexpr int64_t power(unsigned n) {
  uint32_t remainder = uint32_t{1} << 31;
  for (; n; --n)
    remainder = remainder >> 1 ^ (remainder & 1 ? 0xedb88320u : 0u);
  return static_cast<int64_t>(uint64_t{remainder} << 1);
}

/// The halves of a sum move on by `bits`: the first one is 64 bits further away, a factor has 32.
template <unsigned bits>
__attribute__((target("pclmul,sse4.1"), always_inline)) static inline __m128i moved(__m128i sum) {
  constexpr int64_t first = power(bits + 32), second = power(bits - 32);
  const __m128i factors = _mm_set_epi64x(second, first);
  return _mm_xor_si128(_mm_clmulepi64_si128(sum, factors, 0x00), _mm_clmulepi64_si128(sum, factors, 0x11));
}

__attribute__((target("pclmul,sse4.1"))) static uint32_t checksumByProducts(llvm::StringRef data) {
  const char *at = data.data(), *end = at + data.size();
  auto load = [](const char *from) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(from)); };
  __m128i sums[4];
  for (int i = 0; i != 4; ++i)
    sums[i] = load(at + 16 * i);
  sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi32_si128(-1)); // a checksum begins with ones
  for (at += 64; end - at >= 64; at += 64)
    for (int i = 0; i != 4; ++i)
      sums[i] = _mm_xor_si128(moved<512>(sums[i]), load(at + 16 * i));
  __m128i sum = sums[0];
  for (int i = 1; i != 4; ++i)
    sum = _mm_xor_si128(moved<128>(sum), sums[i]);
  char rest[16];
  _mm_storeu_si128(reinterpret_cast<__m128i *>(rest), sum);
  // The sum is data of its own, which begins with zeros.
  return extend(extend(~uint32_t{0}, llvm::StringRef(rest, sizeof rest)), llvm::StringRef(at, end - at));
}
#elif defined(__aarch64__)
/// The instructions of this name compute this very checksum, of eight bytes at a time.
__attribute__((target("crc"))) static uint32_t checksumByInstructions(llvm::StringRef data) {
  const char *at = data.data(), *end = at + data.size();
  uint32_t crc = ~uint32_t{0}; // a checksum begins with ones
  for (; end - at >= 8; at += 8) {
    uint64_t eight;
    std::memcpy(&eight, at, sizeof eight);
    crc = __crc32d(crc, eight);
  }
  for (; at != end; ++at)
    crc = __crc32b(crc, static_cast<uint8_t>(*at));
  return ~crc;
}
#endif

uint32_t tsc::checksum(llvm::StringRef data) {
#if defined(__x86_64__)
  if (data.size() >= 256 && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1"))
    return checksumByProducts(data);
#elif defined(__aarch64__)
  if (getauxval(AT_HWCAP) & HWCAP_CRC32)
    return checksumByInstructions(data);
#endif
  return extend(0, data);
}
