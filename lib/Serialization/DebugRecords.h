//===- DebugRecords.h - Where an archive's code came from -------*- C++ -*-===//
//
// Beside code/x.py stands code/x.py.debug_pkl: records that say of each stretch of
// the text what source the author wrote for it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_SERIALIZATION_DEBUGRECORDS_H
#define TSC_LIB_SERIALIZATION_DEBUGRECORDS_H

#include "tsc/Serialization/PythonPrinter.h"
#include "tsc/Serialization/Zip.h"
#include "tsc/Support/SourceOrigins.h"

namespace tsc {

class Context;

/// Returns the records in the entry `name` of an archive, which is read when somebody first asks. Without such an
/// entry, or with a wrong one, nothing is known: records serve those who read errors, and no program needs them.
std::unique_ptr<SourceOrigins> readDebugRecords(Context &context, std::shared_ptr<ZipReader> zip, std::string name);

/// Returns the bytes of the entry for a text that is to be written; "" where nothing is known of it.
StatusOr<std::string> writeDebugRecords(llvm::ArrayRef<CodeOrigin> origins);

} // namespace tsc

#endif
