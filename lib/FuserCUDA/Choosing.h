//===- Choosing.h - Elements that masks choose, on a GPU --------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_CHOOSING_H
#define TSC_LIB_FUSERCUDA_CHOOSING_H

#include "Indexing.h"
#include "Scans.h"

namespace tsc::fuser {

/// What is not zero in a mask, or what of a tensor stands where it is not.
struct Choice {
  enum Kind : uint8_t {
    Places,  ///< A row of indices for each.
    Columns, ///< The same, a tensor for each dimension.
    Chosen,  ///< Elements of `self`, which has the mask's sizes.
    Slices,  ///< Of `self`, whose dimensions from `dim` on are the mask's.
    Replaced ///< `self`, which has the mask's sizes, with the first elements of `source` in the place of these.
  } kind;
  Tensor mask, self, source;
  bool isInPlace = false; ///< Of Replaced.
  int64_t dim = 0;
};
/// What nonzero, argwhere, where(condition), masked_select, masked_scatter and indexing by one mask ask for; nullopt:
/// the operator is none of these, or has an error to tell.
std::optional<Choice> choiceOf(OpKind op, llvm::ArrayRef<const IValue *> args);

/// Threads: everything may be called from many threads.
class Choosing {
public:
  Choosing(HandKernels &kernels, Scanner &scanner, Indexing &indexing)
      : kernels(kernels), scanner(scanner), indexing(indexing) {}
  /// Waits for the device, which says how many there are. False: nothing was done, as there is no kernel for such
  /// tensors.
  StatusOr<bool> choose(const Choice &choice, IValue &result);

private:
  StatusOr<bool> replace(const Choice &choice, const Tensor &counts, int count, IValue &result);
  StatusOr<bool> takeSlices(const Choice &choice, const Tensor &places, IValue &result);

  HandKernels &kernels;
  Scanner &scanner;
  Indexing &indexing;
};

} // namespace tsc::fuser

#endif
