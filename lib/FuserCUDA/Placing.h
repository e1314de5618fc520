//===- Placing.h - Elements to where indices name, on a GPU -----*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_PLACING_H
#define TSC_LIB_FUSERCUDA_PLACING_H

#include "Indexing.h"
#include "Sorting.h"

namespace tsc::fuser {

/// What is put to, or combined with, the elements of a tensor that indices name.
struct Placement {
  enum How : uint8_t { Assign, Add, Multiply, Max, Min };
  Tensor self;
  bool isInPlace = false, mustBeDisjoint = false;
  bool keepsStrides = false; ///< A result that is not written in place has strides as the tensor has, or is row-major.
  Indices indices;
  Tensor mask;   ///< In the place of indices: of what its elements choose, from dimension `indices.dim` on.
  Tensor source; ///< Of one element that goes everywhere, or an element for each that is named.
  How how = Assign;
  bool isMean = false; ///< Of what was added.
  bool includesSelf = true;
  std::optional<Scalar> factor; ///< By which the source is multiplied.
};
/// What the scatter operators, index_add, index_copy, index_fill, index_reduce and index_put ask for; nullopt: the
/// operator is none of these, or has an error to tell.
std::optional<Placement> placementOf(OpKind op, llvm::ArrayRef<const IValue *> args);

/// Threads: everything may be called from many threads.
class Placing {
public:
  Placing(HandKernels &kernels, Indexing &indexing, Sorter &sorter)
      : kernels(kernels), indexing(indexing), sorter(sorter) {}
  /// The bits are the processor's: those of one element after the other. Waits for the device, which says whether all
  /// indices are within the tensor. False: some are not, or there is no kernel for such tensors.
  StatusOr<bool> place(const Placement &placement, IValue &result);

private:
  /// What is written: the tensor itself, or a copy.
  StatusOr<Tensor> writtenOf(const Placement &placement);
  StatusOr<bool> fillChosen(const Placement &placement, IValue &result);
  Status combine(const Placement &placement, const Sorter::Order &order, const Tensor &source, const Tensor &target);

  HandKernels &kernels;
  Indexing &indexing;
  Sorter &sorter;
};

} // namespace tsc::fuser

#endif
