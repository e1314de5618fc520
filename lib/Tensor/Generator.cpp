//===- Generator.cpp - The Mersenne twister -------------------------------===//
//
// mt19937 (Matsumoto and Nishimura, 1998): 624 words of state, refilled at once.
//
//===----------------------------------------------------------------------===//
#include "tsc/Tensor/Generator.h"
#include "tsc/Support/AtSimdLevel.h"
#include <cmath>

using namespace tsc;

void Generator::setSeed(uint64_t seed) {
  initialSeed = seed;
  words[0] = static_cast<uint32_t>(seed);
  for (uint32_t i = 1; i != stateSize; ++i)
    words[i] = 1812433253u * (words[i - 1] ^ (words[i - 1] >> 30)) + i;
  next = stateSize;
  keptNormal.reset();
}

static constexpr uint32_t middle = 397;

/// Three loops, whose steps do not need each other's results within a vector.
LLVM_ATTRIBUTE_ALWAYS_INLINE static void nextState(uint32_t *state) {
  constexpr uint32_t size = 624;
  auto mixed = [](uint32_t word, uint32_t following) {
    const uint32_t both = (word & 0x80000000u) | (following & 0x7fffffffu);
    return (both >> 1) ^ (-(following & 1u) & 0x9908b0dfu);
  };
  for (uint32_t i = 0; i != size - middle; ++i)
    state[i] = state[i + middle] ^ mixed(state[i], state[i + 1]);
  for (uint32_t i = size - middle; i != size - 1; ++i)
    state[i] = state[i + middle - size] ^ mixed(state[i], state[i + 1]);
  state[size - 1] = state[middle - 1] ^ mixed(state[size - 1], state[0]);
}

void Generator::refill() {
  atSimdLevel<nextState>(words.data());
  next = 0;
}

double Generator::normalDouble() {
  if (keptNormal) {
    double kept = *keptNormal;
    keptNormal.reset();
    return kept;
  }
  constexpr double twoPi = 2.0 * 3.14159265358979323846;
  double angle = uniformDouble();
  double length = uniformDouble();
  double radius = std::sqrt(-2.0 * std::log1p(-length));
  keptNormal = radius * std::sin(twoPi * angle);
  return radius * std::cos(twoPi * angle);
}
