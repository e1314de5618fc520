//===- ScalarTypeToTypeMeta.h - Forwards to where it stands --- -*- C++ -*-===//
#ifndef TSC_TORCH_C10_CORE_SCALARTYPETOTYPEMETA_H
#define TSC_TORCH_C10_CORE_SCALARTYPETOTYPEMETA_H
#include <c10/core/ScalarType.h>

#endif
