//===- jit_type_base.h - Forwards to where it stands ---------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_CORE_JIT_TYPE_BASE_H
#define TSC_TORCH_ATEN_CORE_JIT_TYPE_BASE_H
#include <ATen/core/jit_type.h>

#endif
