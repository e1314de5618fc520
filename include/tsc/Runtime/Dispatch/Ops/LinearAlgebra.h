//===- LinearAlgebra.h - Many matrix products at once -----------*- C++ -*-===//
//
// Kernels of what the passes batch-mm and accumulate-products insert. They decide by
// the shapes they get whether one product will do.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_OPS_LINEARALGEBRA_H
#define TSC_RUNTIME_DISPATCH_OPS_LINEARALGEBRA_H

#include "tsc/Support/Status.h"

namespace tsc {
class CallContext;
class IValue;
} // namespace tsc

namespace tsc::ops {

/// Runs prim::MMTreeReduce: returns a @ b + c @ d + … for the arguments (a, c, …, b, d, …).
Status mmTreeReduce(CallContext &, const IValue *const *args, IValue *results);
/// Runs prim::MMBatchSide: for the arguments (b, d, …, common, side) returns common @ b, common @ d, … where `side` is
/// 0, and b @ common, d @ common, … where it is 1.
Status mmBatchSide(CallContext &, const IValue *const *args, IValue *results);

/// Takes (sum, pending, a, b) and appends the factors `a` and `b` to the list `pending`. When 32 products wait there,
/// it adds them to `sum`, in place, and clears the list.
Status addProductLater(CallContext &, const IValue *const *args, IValue *results);
/// Takes (sum, pending), adds the products that wait in the list `pending` to `sum`, in place, and clears the list.
Status addPendingProducts(CallContext &, const IValue *const *args, IValue *results);

} // namespace tsc::ops

#endif
