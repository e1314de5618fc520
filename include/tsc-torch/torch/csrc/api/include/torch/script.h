//===- script.h - Forwards to where it stands ----------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_SCRIPT_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_SCRIPT_H
#include <torch/script.h>

#endif
