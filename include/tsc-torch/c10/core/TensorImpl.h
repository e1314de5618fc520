//===- TensorImpl.h - Forwards to where it stands ------------- -*- C++ -*-===//
#ifndef TSC_TORCH_C10_CORE_TENSORIMPL_H
#define TSC_TORCH_C10_CORE_TENSORIMPL_H
#include <ATen/core/Tensor.h>

#endif
