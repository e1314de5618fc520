//===- TargetTraits.h - What emission asks about a processor ----*- C++ -*-===//
#ifndef TSC_CODEGEN_TARGETTRAITS_H
#define TSC_CODEGEN_TARGETTRAITS_H

#include "tsc/CodeGen/CodeTarget.h"

namespace tsc::codegen {

/// What emission of code asks about a processor, in place of the names of instruction sets. Intrinsics of one processor
/// have a trait each, and where it is false the emission has a way that every processor can go, with the same bits.
struct TargetTraits {
  unsigned vectorBytes = 16;       ///< The size of a vector register.
  unsigned vectorRegisters = 16;   ///< Their number.
  bool hasMasks = false;           ///< Whether masks have registers, and loads, stores and arithmetic take them.
  bool hasGather = false;          ///< Whether it gathers with a mask, and quickly.
  bool hasFma = false;             ///< Whether kernels fuse a product with a sum, which decides on bits.
  bool convertsHalves = false;     ///< Whether half and float are converted as vectors.
  bool convertsBFloat16 = false;   ///< Whether floats are rounded to bfloat16 as vectors.
  bool hasStreamingStores = false; ///< Whether stores go around the caches until a fence (x86-64).
  bool hasScalef = false;          ///< Whether y · 2^n of 16 floats is one instruction (AVX-512).
  unsigned permutedFloats = 0; ///< So many floats one instruction permutes by a vector of indices (x86-64); 0: none.
  bool stopsAtPages = true;    ///< Whether its own prefetching of what is read in order ends with each page.

  /// Finds them out. `target` lists all of its features, also those that others imply.
  static TargetTraits of(const CodeTarget &target);
};

} // namespace tsc::codegen

#endif
