//===- Formatting.h - Forwards to where it stands ------------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_FORMATTING_H
#define TSC_TORCH_ATEN_FORMATTING_H
#include <ATen/core/Formatting.h>

#endif
