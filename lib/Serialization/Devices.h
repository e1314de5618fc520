//===- Devices.h - Archives of other devices --------------------*- C++ -*-===//
#ifndef TSC_LIB_SERIALIZATION_DEVICES_H
#define TSC_LIB_SERIALIZATION_DEVICES_H

#include "tsc/IR/Graph.h"

namespace tsc {

/// Whether PyTorch has devices of that name ("cuda:0", "mps"): an archive may name them.
bool isPyTorchDevice(llvm::StringRef text);

/// Puts `target` in the place of every device of a graph that computes, whatever it is called, and of `x.cuda()`. What
/// names the CPU stays where the target is another device: programs put there what is to be there. The meta device
/// computes nothing and stays, too.
void retargetDevices(Graph &graph, Device target);

} // namespace tsc

#endif
