//===- Tensor.h - Forwards to where it stands ----------------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_TENSOR_H
#define TSC_TORCH_ATEN_TENSOR_H
#include <ATen/core/Tensor.h>

#endif
