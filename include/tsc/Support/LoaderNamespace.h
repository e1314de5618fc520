//===- LoaderNamespace.h - Where the loader has put us ----------*- C++ -*-===//
//
// A host may open libtsc.so with dlmopen, in a namespace of the loader's with a C library of its own.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_LOADERNAMESPACE_H
#define TSC_SUPPORT_LOADERNAMESPACE_H

namespace tsc {

/// Whether this code is in the namespace of the main program, as it is unless a host used dlmopen.
bool isInMainNamespace();

} // namespace tsc

#endif
