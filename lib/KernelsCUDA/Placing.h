//===- Placing.h - Elements to where indices name, on a GPU -----*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_PLACING_H
#define TSC_LIB_KERNELSCUDA_PLACING_H

#include "Indexing.h"
#include "Sorting.h"
#include <variant>

namespace tsc::fuser {

/// What is put to, or combined with, the elements of a tensor that indices name.
struct Placement {
  /// How an element is combined with what is put to its place.
  enum How : uint8_t { Assign, Add, Multiply, Max, Min };
  Tensor self;
  bool isInPlace = false, mustBeDisjoint = false;
  bool keepsStrides = false; ///< A result that is not written in place has strides as the tensor has, or is row-major.
  Indices indices;
  Tensor mask;   ///< Stands in the place of indices: its elements choose from dimension `indices.dim` on.
  Tensor source; ///< Has one element that goes everywhere, or an element for each that is named.
  How how = Assign;
  bool isMean = false; ///< Whether what was added is divided by how many were.
  bool includesSelf = true;
  std::optional<Scalar> factor; ///< What the source is multiplied by.
};
/// What an operator is given to place: a tensor, or a number that goes everywhere.
using PlacedValue = std::variant<Tensor, Scalar>;

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

namespace tsc::cuda {

// Each returns what the operator of its name places, or nothing where it has an error to tell. `reduce` is the
// operator's own name for how elements are combined.
std::optional<fuser::Placement> scatter(const Tensor &self, int64_t dim, const Tensor &index,
                                        const fuser::PlacedValue &source, bool isInPlace);
/// Returns what scatter with `reduce` places, which is "add" or "multiply".
std::optional<fuser::Placement> scatterWith(const Tensor &self, int64_t dim, const Tensor &index,
                                            const fuser::PlacedValue &source, llvm::StringRef reduce, bool isInPlace);
std::optional<fuser::Placement> scatterAdd(const Tensor &self, int64_t dim, const Tensor &index,
                                           const fuser::PlacedValue &source, bool isInPlace);
std::optional<fuser::Placement> scatterReduce(const Tensor &self, int64_t dim, const Tensor &index,
                                              const fuser::PlacedValue &source, llvm::StringRef reduce,
                                              bool includeSelf, bool isInPlace);
std::optional<fuser::Placement> indexAdd(const Tensor &self, int64_t dim, const Tensor &index,
                                         const fuser::PlacedValue &source, const Scalar &alpha, bool isInPlace);
std::optional<fuser::Placement> indexCopy(const Tensor &self, int64_t dim, const Tensor &index,
                                          const fuser::PlacedValue &source, bool isInPlace);
std::optional<fuser::Placement> indexFill(const Tensor &self, int64_t dim, const Tensor &index,
                                          const fuser::PlacedValue &value, bool isInPlace);
std::optional<fuser::Placement> indexReduce(const Tensor &self, int64_t dim, const Tensor &index,
                                            const fuser::PlacedValue &source, llvm::StringRef reduce, bool includeSelf,
                                            bool isInPlace);
std::optional<fuser::Placement> indexPut(const Tensor &self, ArrayRef<Tensor> indices, const Tensor &values,
                                         bool accumulate, bool isInPlace);

} // namespace tsc::cuda

#endif
