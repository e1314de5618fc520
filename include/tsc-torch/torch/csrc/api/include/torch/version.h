//===- version.h - Forwards to where it stands ---------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_VERSION_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_VERSION_H
#include <torch/version.h>

#endif
