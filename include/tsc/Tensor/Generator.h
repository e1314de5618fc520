//===- Generator.h - Random numbers -----------------------------*- C++ -*-===//
//
// The Mersenne twister (mt19937) drawn from as PyTorch's CPU generator draws, so
// that one seed gives one sequence in both.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_GENERATOR_H
#define TSC_TENSOR_GENERATOR_H

#include <array>
#include <cassert>
#include <cstdint>
#include <optional>

namespace tsc {

/// A source of random numbers. Not synchronised: one thread at a time.
class Generator {
public:
  static constexpr uint64_t defaultSeed = 67280421310721ull;
  explicit Generator(uint64_t seed = defaultSeed) { setSeed(seed); }

  /// Begins the sequence of a seed, as torch.manual_seed does, and drops a normal number that was kept.
  void setSeed(uint64_t seed);
  uint64_t seed() const { return initialSeed; }

  static constexpr uint32_t stateSize = 624;
  /// What a generator will draw.
  struct State {
    std::array<uint32_t, stateSize> words;
    uint32_t next; ///< How many of the words were drawn, at most stateSize.
    uint64_t seed;
    std::optional<double> keptNormal; ///< The second number of a pair of normal ones.
  };
  State state() const { return {words, next, initialSeed, keptNormal}; }
  void setState(const State &state) {
    assert(state.next <= stateSize && "a position within the words");
    words = state.words;
    next = state.next;
    initialSeed = state.seed;
    keptNormal = state.keptNormal;
  }

  /// Returns the next 32 random bits.
  uint32_t random32() {
    if (next == stateSize) [[unlikely]]
      refill();
    uint32_t y = words[next++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
  }
  /// Returns 64 bits of two draws, the first in the high half.
  uint64_t random64() {
    uint64_t high = random32();
    return (high << 32) | random32();
  }
  /// Returns a number in [0, 1), made of 53 bits of two draws.
  double uniformDouble() { return static_cast<double>(random64() & ((1ull << 53) - 1)) * (1.0 / (1ull << 53)); }
  /// Returns a standard normal number. Numbers come in pairs, and the second is kept for the next call.
  double normalDouble();

private:
  void refill();
  std::array<uint32_t, stateSize> words;
  uint32_t next = stateSize;
  uint64_t initialSeed = 0;
  std::optional<double> keptNormal;
};

} // namespace tsc

#endif
