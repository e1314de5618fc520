//===- Export.h - Forwards to where it stands ----------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_EXPORT_H
#define TSC_TORCH_CSRC_EXPORT_H
#include <c10/macros/Macros.h>

#endif
