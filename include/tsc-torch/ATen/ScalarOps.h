//===- ScalarOps.h - Forwards to where it stands -------------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_SCALAROPS_H
#define TSC_TORCH_ATEN_SCALAROPS_H
#include <ATen/Functions.h>

#endif
