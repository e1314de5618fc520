//===- CpuDevice.h - Nests on this processor --------------------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCPU_CPUDEVICE_H
#define TSC_LIB_FUSERCPU_CPUDEVICE_H

#include "tsc/Fusion/Plan.h"

namespace tsc::fuser {

/// Walks in rows, tiles and blocks, by the sizes of caches (NestLayout.cpp).
class CpuDevice final : public NestDevice {
public:
  const DeviceMemory &memory() const override { return DeviceMemory::cpu(); }
  bool foldsApart(int64_t rows, int64_t length) const override;
  bool crossesFolds() const override { return true; }
  LaidOut layOut(FusedNest nest, unsigned firstTemporary) const override;
};

} // namespace tsc::fuser

#endif
