//===- Generator.h - Forwards to where it stands -------------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_CORE_GENERATOR_H
#define TSC_TORCH_ATEN_CORE_GENERATOR_H
#include <ATen/core/Tensor.h>

#endif
