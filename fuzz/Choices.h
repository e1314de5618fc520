//===- Choices.h - Decisions that bytes make --------------------*- C++ -*-===//
//
// A target that makes values reads its decisions from the input, so that a change of
// one byte changes one of them. When the bytes are used up, numbers follow that the
// bytes have seeded: a short input still makes something of its own.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUZZ_CHOICES_H
#define TSC_FUZZ_CHOICES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"
#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace tsc::fuzz {

/// A copy makes the same decisions again.
class Choices {
public:
  explicit Choices(llvm::ArrayRef<uint8_t> bytes) : left(bytes), state(llvm::xxh3_64bits(bytes)) {}

  uint64_t bits() {
    uint64_t value = 0;
    for (int i = 0; i != 8; ++i)
      value = value << 8 | byte();
    return value;
  }
  /// In [0, count).
  uint64_t below(uint64_t count) { return (count <= 256 ? byte() : bits()) % count; }
  /// In [low, high], which may be further apart than an int64_t counts, but are not its two ends.
  int64_t between(int64_t low, int64_t high) {
    const uint64_t first = static_cast<uint64_t>(low), last = static_cast<uint64_t>(high);
    return static_cast<int64_t>(first + below(last - first + 1));
  }
  bool percent(unsigned chance) { return below(100) < chance; }
  template <typename T> T pick(std::initializer_list<T> from) { return from.begin()[below(from.size())]; }
  template <typename List> auto &pickOf(List &&from) { return from[below(std::size(from))]; }

private:
  uint8_t byte() {
    if (left.empty())
      return static_cast<uint8_t>(random());
    const uint8_t first = left.front();
    left = left.drop_front();
    return first;
  }
  /// splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
  uint64_t random() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  llvm::ArrayRef<uint8_t> left;
  uint64_t state;
};

} // namespace tsc::fuzz

#endif // TSC_FUZZ_CHOICES_H
