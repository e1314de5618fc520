//===- grad_mode.h - Forwards to where it stands -------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_AUTOGRAD_GRAD_MODE_H
#define TSC_TORCH_CSRC_AUTOGRAD_GRAD_MODE_H
#include <c10/core/GradMode.h>

#endif
