//===- DeviceGuard.h - Forwards to where it stands ------------ -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_DEVICEGUARD_H
#define TSC_TORCH_ATEN_DEVICEGUARD_H
#include <c10/core/DeviceGuard.h>

#endif
