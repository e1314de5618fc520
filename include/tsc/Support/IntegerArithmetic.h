//===- IntegerArithmetic.h - What TorchScript's ints compute ----*- C++ -*-===//
//
// The one definition, for the interpreter, for folding and for what is known of
// shapes: 64 bits that wrap; // and % round towards minus infinity, as in Python.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_INTEGERARITHMETIC_H
#define TSC_SUPPORT_INTEGERARITHMETIC_H

#include <cstdint>

namespace tsc::arithmetic {

constexpr int64_t add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
constexpr int64_t subtract(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
constexpr int64_t multiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
constexpr int64_t negate(int64_t a) { return subtract(0, a); }
constexpr int64_t absolute(int64_t a) { return a < 0 ? negate(a) : a; }

// Divisors are not 0. The quotient by -1 is the one that overflows.
constexpr int64_t truncatedQuotient(int64_t a, int64_t b) { return b == -1 ? negate(a) : a / b; }
constexpr int64_t floorQuotient(int64_t a, int64_t b) {
  if (b == -1)
    return negate(a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
constexpr int64_t floorRemainder(int64_t a, int64_t b) {
  if (((a | b) >> 32) == 0) // Short division is several times faster.
    return static_cast<uint32_t>(a) % static_cast<uint32_t>(b);
  if (b == -1)
    return 0;
  int64_t r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

// Bits shifted by a number that is not negative; by 64 and more, all are.
constexpr int64_t shiftLeft(int64_t a, int64_t count) {
  return count >= 64 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(a) << count);
}
constexpr int64_t shiftRight(int64_t a, int64_t count) { return a >> (count > 63 ? 63 : count); }

/// Returns len(range(low, high, step)); `step` must not be 0. The length is less than 2^64, and wraps beyond INT64_MAX.
constexpr int64_t rangeLength(int64_t low, int64_t high, int64_t step) {
  if (step > 0 ? low >= high : low <= high)
    return 0;
  uint64_t distance = step > 0 ? static_cast<uint64_t>(high) - static_cast<uint64_t>(low)
                               : static_cast<uint64_t>(low) - static_cast<uint64_t>(high);
  uint64_t magnitude = step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  return static_cast<int64_t>((distance - 1) / magnitude + 1);
}
/// Returns range(start, …, step)[index], without a look at the end.
constexpr int64_t rangeElement(int64_t index, int64_t start, int64_t step) { return add(start, multiply(index, step)); }

} // namespace tsc::arithmetic

#endif
