//===- qualified_name.h - Forwards to where it stands --------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_CORE_QUALIFIED_NAME_H
#define TSC_TORCH_ATEN_CORE_QUALIFIED_NAME_H
#include <ATen/core/jit_type.h>

#endif
