//===- Indexing.h - Elements by indices, on a GPU ---------------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_INDEXING_H
#define TSC_LIB_FUSERCUDA_INDEXING_H

#include "Programs.h"
#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Tensor/Tensor.h"

namespace tsc::fuser {

/// A tensor whose elements along one dimension are those that indices name: for all elements the same ones, or, of
/// gather, an index for each element.
struct Selection {
  Tensor self, index;
  int64_t dim;
  Dims sizes; ///< Of the result.
  bool isPerElement, mayBeNegative;
};
/// What index_select, gather, embedding and indexing by one tensor ask for; nullopt: the operator is none of these, or
/// sizes do not fit.
std::optional<Selection> selectionOf(OpKind op, llvm::ArrayRef<const IValue *> args);

/// Threads: everything may be called from many threads.
class Indexing {
public:
  Indexing(DriverContext &context, const Nvrtc &nvrtc, const DeviceMemory &memory)
      : context(context), memory(memory), programs(context, nvrtc) {}
  /// Waits for the device, which says whether all indices are within the tensor. False: some are not, so that the
  /// operator has an error to tell, or tensors are not row-major.
  StatusOr<bool> select(const Selection &selection, IValue &result);

private:
  bool isTaken(const Tensor &tensor) const;

  DriverContext &context;
  const DeviceMemory &memory;
  Programs programs;
};

} // namespace tsc::fuser

#endif
