//===- typeid.h - Forwards to where it stands ----------------- -*- C++ -*-===//
#ifndef TSC_TORCH_C10_UTIL_TYPEID_H
#define TSC_TORCH_C10_UTIL_TYPEID_H
#include <c10/core/ScalarType.h>

#endif
