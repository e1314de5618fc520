//===- ScalarType.h - Forwards to where it stands ------------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_CORE_SCALARTYPE_H
#define TSC_TORCH_ATEN_CORE_SCALARTYPE_H
#include <c10/core/ScalarType.h>

#endif
