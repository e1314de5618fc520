//===- variable_factories.h - Forwards to where it stands ----- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_AUTOGRAD_GENERATED_VARIABLE_FACTORIES_H
#define TSC_TORCH_CSRC_AUTOGRAD_GENERATED_VARIABLE_FACTORIES_H
#include <ATen/Functions.h>

#endif
