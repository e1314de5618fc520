//===- type_factory.h - Forwards to where it stands ----------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_CORE_TYPE_FACTORY_H
#define TSC_TORCH_ATEN_CORE_TYPE_FACTORY_H
#include <ATen/core/jit_type.h>

#endif
