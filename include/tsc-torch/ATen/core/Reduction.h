//===- Reduction.h - What losses make of their elements ------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_CORE_REDUCTION_H
#define TSC_TORCH_ATEN_CORE_REDUCTION_H
#include <c10/macros/Macros.h>

namespace at {
inline namespace tsc_torch {
namespace Reduction {
/// By PyTorch's numbers.
enum Reduction { None, Mean, Sum, END };
} // namespace Reduction
} // namespace tsc_torch
} // namespace at

#endif
