//===- LinearAlgebra.h - Many matrix products at once -----------*- C++ -*-===//
//
// Kernels of what the passes batch-mm and accumulate-products insert. They decide by
// the shapes they get whether one product will do.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_OPS_LINEARALGEBRA_H
#define TSC_RUNTIME_OPS_LINEARALGEBRA_H

#include "tsc/Support/Status.h"

namespace tsc {
class CallContext;
class IValue;
} // namespace tsc

namespace tsc::ops {

/// a, c, …, b, d, …: a @ b + c @ d + ….
Status mmTreeReduce(CallContext &, const IValue *const *args, IValue *results);
/// b, d, …, common, side: common @ b, common @ d, … for side 0, b @ common, d @ common, … for side 1.
Status mmBatchSide(CallContext &, const IValue *const *args, IValue *results);

/// sum, pending, a, b: puts the factors into the list, or, when there are some, adds all their products to the sum.
Status addProductLater(CallContext &, const IValue *const *args, IValue *results);
/// sum, pending: the products that are left.
Status addPendingProducts(CallContext &, const IValue *const *args, IValue *results);

} // namespace tsc::ops

#endif
