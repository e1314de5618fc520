//===- Choosing.h - Elements that masks choose, on a GPU --------*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_CHOOSING_H
#define TSC_LIB_KERNELSCUDA_CHOOSING_H

#include "Indexing.h"
#include "Scans.h"
#include <variant>

namespace tsc::fuser {

/// What is not zero in a mask, or what of a tensor stands where it is not.
struct Choice {
  /// What the result has of the places that are not zero.
  enum Kind : uint8_t {
    Places,  ///< A row of indices for each.
    Columns, ///< The same, a tensor for each dimension.
    Chosen,  ///< Elements of `self`, which has the mask's sizes.
    Slices,  ///< Slices of `self`, whose dimensions from `dim` on are the mask's.
    Replaced ///< `self`, which has the mask's sizes, with the first elements of `source` in the place of these.
  } kind;
  Tensor mask, self, source;
  bool isInPlace = false; ///< Whether Replaced writes `self`.
  int64_t dim = 0;
};

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

namespace tsc::cuda {

// Each returns what the operator of its name chooses, or nothing where it has an error to tell.
std::optional<fuser::Choice> nonzero(const Tensor &self);
std::optional<fuser::Choice> maskedSelect(const Tensor &self, const Tensor &mask);
std::optional<fuser::Choice> maskedScatter(const Tensor &self, const Tensor &mask, const Tensor &source,
                                           bool isInPlace);
/// Returns what nonzero_numpy and where(condition) choose: a tensor of indices for each dimension.
std::optional<fuser::Choice> nonzeroColumns(const Tensor &self);
/// Returns what self[indices] asks for, by indices or by one mask; nothing where it has an error to tell.
std::optional<std::variant<fuser::Selection, fuser::Choice>> index(const Tensor &self, ArrayRef<Tensor> indices);

} // namespace tsc::cuda

#endif
