//===- TensorAccessor.h - Forwards to where it stands --------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_TENSORACCESSOR_H
#define TSC_TORCH_ATEN_TENSORACCESSOR_H
#include <ATen/core/TensorAccessor.h>

#endif
