//===- Generator.cpp - The Mersenne twister -------------------------------===//
//
// mt19937 (Matsumoto and Nishimura, 1998): 624 words of state, refilled at once.
//
//===----------------------------------------------------------------------===//
#include "tsc/Tensor/Generator.h"
#include <cmath>

using namespace tsc;

void Generator::setSeed(uint64_t seed) {
  initialSeed = seed;
  state[0] = static_cast<uint32_t>(seed);
  for (uint32_t i = 1; i != stateSize; ++i)
    state[i] = 1812433253u * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
  next = stateSize;
  keptNormal.reset();
}

void Generator::refill() {
  constexpr uint32_t middle = 397;
  for (uint32_t i = 0; i != stateSize; ++i) {
    uint32_t following = state[(i + 1) % stateSize];
    uint32_t mixed = (state[i] & 0x80000000u) | (following & 0x7fffffffu);
    state[i] = state[(i + middle) % stateSize] ^ (mixed >> 1) ^ ((following & 1u) ? 0x9908b0dfu : 0u);
  }
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
