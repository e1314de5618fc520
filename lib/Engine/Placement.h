//===- Placement.h - Programs that run on a device --------------*- C++ -*-===//
#ifndef TSC_LIB_ENGINE_PLACEMENT_H
#define TSC_LIB_ENGINE_PLACEMENT_H

#include "tsc/Support/Status.h"
#include "tsc/Tensor/Scalar.h"

namespace tsc {

class DeviceMemory;
class Graph;

/// Makes a body one that runs on a device: what it makes of sizes and numbers without naming a device is made there, as
/// after torch.set_default_device, and its constant tensors are there. With `namesCpu`, so is what it puts on the
/// processor by a constant: an archive that was traced names the device of the machine where it was made.
Status placeBody(Graph &graph, Device device, const DeviceMemory &memory, bool namesCpu);

} // namespace tsc

#endif
