//===- TileWalk.h - Elements that stand apart, tile by tile -----*- C++ -*-===//
#ifndef TSC_LIB_FUSERCPU_TILEWALK_H
#define TSC_LIB_FUSERCPU_TILEWALK_H

#include "Launch.h"

namespace tsc::fuser {

/// Runs a launch that has tiled operands. `pointers`: the first element of each operand. `streaming`: outputs that are
/// not tiled are written around the caches.
Status runTiles(const CpuLaunch &launch, ArrayRef<char *> pointers, ArrayRef<uint64_t> numbers, bool streaming);

} // namespace tsc::fuser

#endif
