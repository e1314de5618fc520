//===- OptionalArrayRef.h - Forwards to where it stands ------- -*- C++ -*-===//
#ifndef TSC_TORCH_C10_UTIL_OPTIONALARRAYREF_H
#define TSC_TORCH_C10_UTIL_OPTIONALARRAYREF_H
#include <c10/util/ArrayRef.h>

#endif
