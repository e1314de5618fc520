//===- Shown.h - What tests of kernels compare -----------------*- C++ -*-===//
//
// The kernel tests compare what a kernel gives, as Python would print it, with
// what PyTorch 1.13 printed for the same call ("error: …" for a failure).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_UNITTESTS_KERNELS_SHOWN_H
#define TSC_UNITTESTS_KERNELS_SHOWN_H

#include "../Tensor/MadeTensors.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Kernels/Sorting.h"

using namespace tsc::cpu;
using std::nullopt;

/// dst after dst.copy_(src).
inline StatusOr<Tensor> copied(const Tensor &dst, const Tensor &src) { return copyInPlace(dst, src); }
/// x[1:] = x[:-1] on five elements.
inline StatusOr<Tensor> overlapping() {
  Tensor x = ramp({5});
  TSC_RETURN_IF_ERROR(copyInto(*narrow(x, 0, 1, 4), *narrow(x, 0, 0, 4)));
  return x;
}

#endif
