//===- Device.h - Forwards to where it stands ----------------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_DEVICE_H
#define TSC_TORCH_ATEN_DEVICE_H
#include <c10/core/Device.h>

#endif
