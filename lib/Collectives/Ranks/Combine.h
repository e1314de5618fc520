//===- Combine.h - Elements of two ranks as one -----------------*- C++ -*-===//
#ifndef TSC_LIB_COLLECTIVES_RANKS_COMBINE_H
#define TSC_LIB_COLLECTIVES_RANKS_COMBINE_H

#include "tsc/Support/Status.h"
#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/StringRef.h"

namespace tsc::ranks {

/// How elements of several ranks become one. Average is a sum that is divided at the end.
enum class CombineOp : uint8_t { None, Sum, Average, Product, Min, Max, And, Or, Xor };

/// Returns the size of an element in bytes, or 0 for dtypes that ranks do not exchange.
size_t elementSize(DType dtype);
/// Returns the operation that programs name so, or InvalidArgument where there is none for the dtype.
StatusOr<CombineOp> combineOpOf(llvm::StringRef name, DType dtype);
/// Sets each of `count` elements `a` to what it and the same one of `b` give. Half types compute in float and are
/// rounded each time; NaN is passed on by min and max; sums of bools are `or`, and products `and`.
void combine(CombineOp op, DType dtype, void *a, const void *b, size_t count);
/// Divides elements of a floating or complex dtype by a number of ranks.
void divide(DType dtype, void *a, size_t count, int ranks);

} // namespace tsc::ranks

#endif
