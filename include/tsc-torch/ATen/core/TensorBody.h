//===- TensorBody.h - Forwards to where it stands ------------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_CORE_TENSORBODY_H
#define TSC_TORCH_ATEN_CORE_TENSORBODY_H
#include <ATen/core/Tensor.h>

#endif
