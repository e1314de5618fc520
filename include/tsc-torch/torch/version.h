//===- version.h - Which LibTorch these headers are like ------ -*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_VERSION_H
#define TSC_TORCH_TORCH_VERSION_H
#include <c10/macros/Macros.h>

#define TORCH_VERSION_MAJOR 2
#define TORCH_VERSION_MINOR 1
#define TORCH_VERSION_PATCH 0
#define TORCH_VERSION "2.1.0"

#endif
