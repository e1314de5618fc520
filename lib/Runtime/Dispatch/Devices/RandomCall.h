//===- RandomCall.h - Operators that draw, on a device ----------*- C++ -*-===//
#ifndef TSC_LIB_RUNTIME_DEVICES_RANDOMCALL_H
#define TSC_LIB_RUNTIME_DEVICES_RANDOMCALL_H

#include "tsc/Runtime/Dispatch/DeviceCall.h"

namespace tsc {

/// Runs an operator that draws random numbers by the device's own way, where its result is wanted in `memory`. False:
/// nothing was done, as the device does not draw such, or as the operator has an error to tell.
StatusOr<bool> runRandom(Accelerator &accelerator, const DeviceCall &call, const DeviceMemory &memory);

} // namespace tsc

#endif
