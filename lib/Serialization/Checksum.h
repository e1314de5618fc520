//===- Checksum.h - CRC-32, as zip files have it ----------------*- C++ -*-===//
#ifndef TSC_LIB_SERIALIZATION_CHECKSUM_H
#define TSC_LIB_SERIALIZATION_CHECKSUM_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tsc {

/// At the speed of memory, where the processor multiplies without carries: weights are most of an archive, and loading
/// does nothing else with them.
uint32_t checksum(llvm::StringRef data);

} // namespace tsc

#endif
