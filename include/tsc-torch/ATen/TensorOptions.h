//===- TensorOptions.h - Forwards to where it stands ---------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_TENSOROPTIONS_H
#define TSC_TORCH_ATEN_TENSOROPTIONS_H
#include <c10/core/TensorOptions.h>

#endif
