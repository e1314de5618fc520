//===- Scalar.h - Forwards to where it stands ----------------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_CORE_SCALAR_H
#define TSC_TORCH_ATEN_CORE_SCALAR_H
#include <c10/core/Scalar.h>

#endif
