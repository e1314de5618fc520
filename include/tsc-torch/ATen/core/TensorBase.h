//===- TensorBase.h - Forwards to where it stands ------------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_CORE_TENSORBASE_H
#define TSC_TORCH_ATEN_CORE_TENSORBASE_H
#include <ATen/core/Tensor.h>

#endif
