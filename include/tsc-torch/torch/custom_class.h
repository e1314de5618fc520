//===- custom_class.h - Forwards to where it stands -----------*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_CUSTOM_CLASS_H
#define TSC_TORCH_TORCH_CUSTOM_CLASS_H
#include <ATen/core/ivalue.h>

#endif
