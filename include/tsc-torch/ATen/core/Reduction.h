//===- Reduction.h - What losses make of their elements ------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_CORE_REDUCTION_H
#define TSC_TORCH_ATEN_CORE_REDUCTION_H
#include <c10/macros/Macros.h>

namespace at {
inline namespace tsc_torch {
namespace Reduction {
/// What a loss returns of its elements: all of them, their mean or their sum. The numbers are PyTorch's.
enum Reduction { None, Mean, Sum, END };
} // namespace Reduction
} // namespace tsc_torch
} // namespace at

#endif
