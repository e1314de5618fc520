//===- ReplaceFile.h - Writing a file as a whole ----------------*- C++ -*-===//
#ifndef TSC_SUPPORT_REPLACEFILE_H
#define TSC_SUPPORT_REPLACEFILE_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tsc {

/// Writes the bytes into a file beside `path` that takes its place when all is written: nobody reads half of it, and
/// who has mapped the old one keeps it. What is no regular file (a device, a pipe) is written into. A writer that is
/// killed leaves `path.tsc-N.tmp` behind, which the next one for that path removes.
///
/// Errors: InvalidArgument, which names the path; the old file is there as it was.
Status replaceFile(const std::string &path, llvm::StringRef bytes);

} // namespace tsc

#endif
