//===- serialize.h - Forwards to where it stands -------------- -*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_SERIALIZE_H
#define TSC_TORCH_TORCH_SERIALIZE_H
#include <torch/csrc/api/include/torch/serialize.h>

#endif
