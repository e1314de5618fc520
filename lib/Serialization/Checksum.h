//===- Checksum.h - CRC-32, as zip files have it ----------------*- C++ -*-===//
#ifndef TSC_LIB_SERIALIZATION_CHECKSUM_H
#define TSC_LIB_SERIALIZATION_CHECKSUM_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tsc {

/// Returns the CRC-32 of the bytes, as zip files have it. It is as fast as memory where the processor multiplies
/// without carries: weights are most of an archive, and loading does nothing else with them.
uint32_t checksum(llvm::StringRef data);

} // namespace tsc

#endif
