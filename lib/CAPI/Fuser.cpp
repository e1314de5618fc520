//===- Fuser.cpp - The fuser that the library was built with --------------===//
#include "Fuser.h"
#include "Handles.h"
#if TSC_C_HAS_CPU_FUSER
#include "tsc/FuserCPU/FuserCPU.h"
#endif

using namespace tsc;

int tsc_has_cpu_fuser(void) { return TSC_C_HAS_CPU_FUSER; }

#if TSC_C_HAS_CPU_FUSER
std::shared_ptr<Fuser> capi::makeCpuFuser(const tsc_options &options) {
  CpuFuserOptions fusing;
  fusing.mode = options.mode;
  fusing.cacheFolder = options.cacheFolder;
  return createCpuFuser(fusing);
}
#else
std::shared_ptr<Fuser> capi::makeCpuFuser(const tsc_options &) { return nullptr; }
#endif
