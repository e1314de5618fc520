//===- HostLibrary.h - Operators from shared libraries ----------*- C++ -*-===//
#ifndef TSC_CAPI_HOSTLIBRARY_H
#define TSC_CAPI_HOSTLIBRARY_H

#include "tsc/Engine/EngineOptions.h"

namespace tsc {

/// Loads a shared library that was written with TSC_LIBRARY of tsc-c/tsc.h, and returns its operators. The library
/// stays loaded for as long as the process lives. It calls functions of that header, which the process has to export,
/// as libtsc.so and tsc-run do.
///
/// Errors: NotFound (there is no such file), DataLoss (it is no library, lacks an entry point, or is of another ABI),
///         InvalidArgument (an operator's schema does not parse or names no namespace).
StatusOr<std::vector<HostOperator>> loadHostLibrary(const std::string &path);

} // namespace tsc

#endif
