//===- FunctionClones.h - One function for several processors ---*- C++ -*-===//
#ifndef TSC_SUPPORT_FUNCTIONCLONES_H
#define TSC_SUPPORT_FUNCTIONCLONES_H

/// Compiles a function for plain x86-64, for AVX2 with FMA and, but for TSC_AVX512=OFF, for AVX-512; the loader takes
/// the best that runs here. The sanitizers cannot follow the loader's choice, so that they get one version.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer) &&                      \
    !__has_feature(thread_sanitizer)
#if defined(TSC_WITHOUT_AVX512)
#define TSC_CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define TSC_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#endif
#else
#define TSC_CLONES
#endif

#endif
