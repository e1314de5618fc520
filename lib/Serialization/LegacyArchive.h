//===- LegacyArchive.h - Archives of PyTorch 1.0 and 1.1 --------*- C++ -*-===//
#ifndef TSC_LIB_SERIALIZATION_LEGACYARCHIVE_H
#define TSC_LIB_SERIALIZATION_LEGACYARCHIVE_H

#include "tsc/Serialization/Archive.h"

namespace tsc {

/// Loads an archive whose modules stand in a model.json. `prefix` ends with a slash.
StatusOr<ArchiveContents> loadLegacyArchive(Compiler &compiler, std::shared_ptr<ZipReader> zip, std::string prefix,
                                            const LoadOptions &options);

} // namespace tsc

#endif
