//===- serialize.h - Saving and loading modules --------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_SERIALIZE_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_SERIALIZE_H
#include <torch/csrc/jit/serialization/export.h>
#include <torch/csrc/jit/serialization/import.h>

#endif
