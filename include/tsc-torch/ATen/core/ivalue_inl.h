//===- ivalue_inl.h - Forwards to where it stands ------------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_CORE_IVALUE_INL_H
#define TSC_TORCH_ATEN_CORE_IVALUE_INL_H
#include <ATen/core/ivalue.h>

#endif
