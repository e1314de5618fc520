//===- ATen.h - Tensors and what computes with them ----------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_ATEN_H
#define TSC_TORCH_ATEN_ATEN_H
#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIndexing.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Formatting.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/core/InferenceMode.h>

#endif
