//===- SpecialKernels.h - Kernels in place of those lane by lane -*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_POINTWISE_SPECIALKERNELS_H
#define TSC_LIB_KERNELS_POINTWISE_SPECIALKERNELS_H

#include "KernelTable.h"

namespace tsc::pw {

/// Replaces kernels of powers, gamma and Bessel functions where the processor has vectors with a fused multiply-add. To
/// be called after all others have filled the table.
void fillSpecialKernels(KernelTable &table);

} // namespace tsc::pw

#endif
