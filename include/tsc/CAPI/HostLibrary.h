//===- HostLibrary.h - Operators from shared libraries ----------*- C++ -*-===//
#ifndef TSC_CAPI_HOSTLIBRARY_H
#define TSC_CAPI_HOSTLIBRARY_H

#include "tsc/Engine/EngineOptions.h"

namespace tsc {

/// The operators of a shared library that was written with TSC_LIBRARY of tsc-c/tsc.h, which stays loaded for as long
/// as the process lives. It calls functions of that header: the process exports them, as libtsc.so and tsc-run do.
/// NotFound: there is no such file; DataLoss: it is no library, lacks an entry point, or is of another ABI;
/// InvalidArgument: it names an operator in a way that does not parse.
StatusOr<std::vector<HostOperator>> loadHostLibrary(const std::string &path);

} // namespace tsc

#endif
