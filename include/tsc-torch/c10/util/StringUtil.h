//===- StringUtil.h - Forwards to where it stands ------------- -*- C++ -*-===//
#ifndef TSC_TORCH_C10_UTIL_STRINGUTIL_H
#define TSC_TORCH_C10_UTIL_STRINGUTIL_H
#include <c10/util/Exception.h>

#endif
