//===- SymIntArrayRef.h - Forwards to where it stands --------- -*- C++ -*-===//
#ifndef TSC_TORCH_C10_CORE_SYMINTARRAYREF_H
#define TSC_TORCH_C10_CORE_SYMINTARRAYREF_H
#include <c10/util/ArrayRef.h>

#endif
