//===- Export.h - Forwards to where it stands ----------------- -*- C++ -*-===//
#ifndef TSC_TORCH_C10_MACROS_EXPORT_H
#define TSC_TORCH_C10_MACROS_EXPORT_H
#include <c10/macros/Macros.h>

#endif
