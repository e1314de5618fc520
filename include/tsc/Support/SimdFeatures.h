//===- SimdFeatures.h - What makes a level of vector instructions -*- C++ -*-===//
//
// The one place that names the features of x86-64 that make the levels v3 and v4:
// of what the processor at hand has, of loops that are compiled for a level, of the
// options that a file is compiled with, and of code that LLVM makes.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_SIMDFEATURES_H
#define TSC_SUPPORT_SIMDFEATURES_H

/// Expand to USE(NAME) for each feature that a processor needs for x86-64-v3 and x86-64-v4: all of them, or code uses
/// none. NAME is a string literal, by which GCC, clang and LLVM know the feature. These are the features that our code
/// needs or that change its results; others of the ABI's levels, such as movbe, came with the same processors.
#define TSC_V3_FEATURES(USE) USE("avx2") USE("fma") USE("f16c") USE("bmi") USE("bmi2") USE("lzcnt")
#define TSC_V4_FEATURES(USE)                                                                                           \
  TSC_V3_FEATURES(USE)                                                                                                 \
  USE("avx512f") USE("avx512vl") USE("avx512dq") USE("avx512bw") USE("avx512cd")

/// Defined where the options of this file let the compiler use all features of the level anywhere in it (-march).
#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__) && defined(__BMI__) && defined(__BMI2__) &&             \
    defined(__LZCNT__)
#define TSC_COMPILED_FOR_V3
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__) && defined(__AVX512BW__) &&                 \
    defined(__AVX512CD__)
#define TSC_COMPILED_FOR_V4
#endif
#endif

#endif
