//===- stack.h - Forwards to where it stands ------------------ -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_CORE_STACK_H
#define TSC_TORCH_ATEN_CORE_STACK_H
#include <ATen/core/ivalue.h>

#endif
