//===- LinearAlgebra.cpp - Many matrix products at once -------------------===//
#include "tsc/Runtime/Dispatch/Ops/LinearAlgebra.h"
#include "tsc/IR/IValue.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

/// Rows of an operand above which one large product is no faster than many, and the copies cost more than they save.
static constexpr int64_t maxBatchedRows = 1024;

using Matrices = llvm::SmallVector<Tensor, 8>;

static Matrices matrices(const IValue *const *args, unsigned count) {
  Matrices list;
  for (unsigned i = 0; i != count; ++i)
    list.push_back(args[i]->asTensor());
  return list;
}

static bool sameShape(llvm::ArrayRef<Tensor> list) {
  return llvm::all_of(list, [&](const Tensor &t) {
    return t.dim() == 2 && t.dtype() == list[0].dtype() && t.sizes() == list[0].sizes();
  });
}

/// A variable that was never set is none.
static Status checkMatrices(const IValue *const *args, unsigned count) {
  return llvm::all_of(llvm::ArrayRef(args, count), [](const IValue *value) { return value->isTensor(); })
             ? okStatus()
             : invalidArgument("a product was given no tensor where it takes one");
}

Status ops::mmTreeReduce(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_RETURN_IF_ERROR(checkMatrices(args, context.site->numArgs));
  unsigned count = context.site->numArgs / 2;
  if (count == 0 || context.site->numArgs % 2)
    return invalidArgument("prim::MMTreeReduce expects as many left factors as right ones, and some");
  Matrices left = matrices(args, count), right = matrices(args + count, count);
  if (sameShape(left) && sameShape(right) && left[0].dtype() == right[0].dtype() &&
      left[0].sizes()[0] <= maxBatchedRows) {
    TSC_ASSIGN_OR_RETURN(Tensor wide, cpu::cat(left, 1));
    TSC_ASSIGN_OR_RETURN(Tensor tall, cpu::cat(right, 0));
    TSC_ASSIGN_OR_RETURN(Tensor product, cpu::mm(wide, tall));
    results[0] = std::move(product);
    return okStatus();
  }
  TSC_ASSIGN_OR_RETURN(Tensor sum, cpu::mm(left[0], right[0]));
  for (unsigned i = 1; i != count; ++i) {
    TSC_ASSIGN_OR_RETURN(Tensor product, cpu::mm(left[i], right[i]));
    TSC_ASSIGN_OR_RETURN(sum, pointwise(PointwiseKind::Aten_add_Tensor, {sum, product, Scalar(int64_t{1})}));
  }
  results[0] = std::move(sum);
  return okStatus();
}

Status ops::mmBatchSide(CallContext &context, const IValue *const *args, IValue *results) {
  unsigned numArgs = context.site->numArgs;
  if (numArgs < 3 || context.site->numResults != numArgs - 2)
    return invalidArgument("prim::MMBatchSide expects as many matrices as it has results, and their common factor");
  unsigned count = numArgs - 2;
  TSC_RETURN_IF_ERROR(checkMatrices(args, count + 1));
  Matrices others = matrices(args, count);
  const Tensor &common = args[count]->asTensor();
  bool commonIsLeft = args[count + 1]->toInt() == 0;
  if (sameShape(others) && common.dim() == 2 && common.dtype() == others[0].dtype() &&
      others[0].sizes()[0] <= maxBatchedRows) {
    int64_t along = commonIsLeft ? 1 : 0, size = others[0].sizes()[along];
    TSC_ASSIGN_OR_RETURN(Tensor all, cpu::cat(others, along));
    TSC_ASSIGN_OR_RETURN(Tensor product, commonIsLeft ? cpu::mm(common, all) : cpu::mm(all, common));
    for (unsigned i = 0; i != count; ++i) {
      TSC_ASSIGN_OR_RETURN(Tensor part, cpu::narrow(product, along, i * size, size));
      TSC_ASSIGN_OR_RETURN(part, cpu::clone(part, MemoryFormat::Contiguous));
      results[i] = std::move(part); // with memory and strides of its own, as a product has
    }
    return okStatus();
  }
  for (unsigned i = 0; i != count; ++i) {
    TSC_ASSIGN_OR_RETURN(Tensor product, commonIsLeft ? cpu::mm(common, others[i]) : cpu::mm(others[i], common));
    results[i] = std::move(product);
  }
  return okStatus();
}

/// Factors that wait at most: they are small beside the sum, which is read and written as often less.
static constexpr size_t mostPending = 2 * 32;

/// The list holds left and right factors in turn.
static Status checkPairs(const IValue &pending) {
  return pending.listSize() % 2 == 0 ? okStatus()
                                     : invalidArgument("products that wait have two factors each, but their list has " +
                                                       llvm::Twine(pending.listSize()) + " tensors");
}

Status ops::addProductLater(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_RETURN_IF_ERROR(checkPairs(*args[1]));
  IValue pending = *args[1];
  appendToList(pending, *args[2]);
  appendToList(pending, *args[3]);
  return pending.listSize() < mostPending ? okStatus() : addPendingProducts(context, args, results);
}

Status ops::addPendingProducts(CallContext &, const IValue *const *args, IValue *) {
  TSC_RETURN_IF_ERROR(checkPairs(*args[1]));
  std::vector<Tensor> &pending = args[1]->toTensorList().elements;
  const Status added = cpu::addProducts(args[0]->asTensor(), pending);
  pending.clear();
  return added;
}
