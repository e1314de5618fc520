//===- Machine.h - What kernels find on this machine ------------*- C++ -*-===//
//
// For reports to people. What kernels use is decided by SimdLevel.h.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_MACHINE_H
#define TSC_KERNELS_MACHINE_H

#include "tsc/Support/SimdLevel.h"
#include <string>

namespace tsc::cpu {

/// The bits of the vectors that kernels use here, and of those of the level at which they may be (simdLevel()).
struct VectorSupport {
  int used, offered;
};
/// Returns what this build uses on the processor at hand.
VectorSupport vectorSupport();

/// Returns the version of the Highway that kernels were compiled with, as in "1.0.3".
std::string highwayVersion();

/// oneDNN as it was opened: its version and its file. Both are empty where it is not there.
struct OneDnnFacts {
  std::string version, file;
};
/// Returns what is known of oneDNN, which is opened for it if it was not yet.
OneDnnFacts oneDnnFacts();

} // namespace tsc::cpu

#endif
