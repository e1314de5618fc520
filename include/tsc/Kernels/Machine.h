//===- Machine.h - What kernels find on this machine ------------*- C++ -*-===//
//
// For reports to people: nothing is decided by it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_MACHINE_H
#define TSC_KERNELS_MACHINE_H

#include <string>

namespace tsc::cpu {

/// The bits of the vectors that kernels use here, and of the widest for which there are kernels that the processor has.
struct VectorSupport {
  int used, offered;
};
VectorSupport vectorSupport();

/// Returns the version of the Highway that kernels were compiled with, as in "1.0.3".
std::string highwayVersion();

/// oneDNN as it was opened: its version and its file. Both are empty where it is not there.
struct OneDnnFacts {
  std::string version, file;
};
OneDnnFacts oneDnnFacts();

} // namespace tsc::cpu

#endif
