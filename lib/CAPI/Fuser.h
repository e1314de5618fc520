//===- Fuser.h - The fuser that the library was built with ------*- C++ -*-===//
#ifndef TSC_LIB_CAPI_FUSER_H
#define TSC_LIB_CAPI_FUSER_H

#include "tsc-c/tsc.h"
#include "tsc/Runtime/Dispatch/Fuser.h"

namespace tsc::capi {

/// Returns a fuser for the processor as the options want it; null where the library was built without one.
std::shared_ptr<Fuser> makeCpuFuser(const tsc_options &options);

} // namespace tsc::capi

#endif
