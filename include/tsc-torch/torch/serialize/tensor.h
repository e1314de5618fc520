//===- tensor.h - Forwards to where it stands ----------------- -*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_SERIALIZE_TENSOR_H
#define TSC_TORCH_TORCH_SERIALIZE_TENSOR_H
#include <torch/csrc/api/include/torch/serialize/tensor.h>

#endif
