//===- Machine.h - What kernels find on this machine ------------*- C++ -*-===//
//
// For reports to people: nothing is decided by it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_MACHINE_H
#define TSC_KERNELS_MACHINE_H

#include <string>

namespace tsc::cpu {

/// The vectors that kernels use here, and the widest that the processor has, as in "AVX-512"; "128 bits" for the
/// kernels of any processor.
struct VectorSupport {
  std::string used, offered;
};
VectorSupport vectorSupport();

/// oneDNN as it was opened: its version and its file. Both are empty where it is not there.
struct OneDnnFacts {
  std::string version, file;
};
OneDnnFacts oneDnnFacts();

} // namespace tsc::cpu

#endif
