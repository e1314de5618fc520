//===- Nested.cpp - Batches of sequences of different lengths -------------===//
//
// A nested tensor is a padded batch and which of its rows there are: attention
// then masks the others, and whoever asks for the batch gets it padded anew.
//
//===----------------------------------------------------------------------===//
#include "Support/Compute.h"
#include "tsc/Kernels/Sparse.h"

using namespace tsc;
using namespace tsc::cpu;

/// PyTorch's checks, and the mask as rows of bools.
static StatusOr<Tensor> checkedMask(const Tensor &padded, const Tensor &mask) {
  if (mask.dtype() != DType::Bool)
    return invalidArgument("Expected mask to be of ScalarType Bool, but got " + irName(mask.dtype()) + " instead.");
  if (mask.dim() != 2)
    return invalidArgument("Padding mask should be 2D");
  if (padded.dim() != 3)
    return invalidArgument("Input should be a 3D tensor, N * L * D");
  if (padded.size(0) != mask.size(0) || padded.size(1) != mask.size(1))
    return invalidArgument("Mask size should match input size");
  return contiguous(mask);
}

static bool areLeftAligned(const Tensor &mask) {
  if (mask.numel() == 0)
    return true;
  const bool *row = mask.data<bool>();
  for (int64_t i = 0; i != mask.size(0); ++i, row += mask.size(1))
    if (!std::is_sorted(row, row + mask.size(1), std::greater<>()))
      return false;
  return true;
}

StatusOr<bool> cpu::isLeftAligned(const Tensor &padded, const Tensor &mask) {
  TSC_ASSIGN_OR_RETURN(Tensor rows, checkedMask(padded, mask));
  return areLeftAligned(rows);
}

StatusOr<Tensor> cpu::nestedFromMask(const Tensor &padded, const Tensor &mask, bool maskCheck) {
  TSC_ASSIGN_OR_RETURN(Tensor rows, checkedMask(padded, mask));
  if (maskCheck && !areLeftAligned(rows))
    return invalidArgument("Mask must be left-aligned without gaps");
  TSC_ASSIGN_OR_RETURN(rows, clone(rows));
  int64_t longest = 0;
  for (int64_t i = 0; i != rows.size(0) && rows.numel() != 0;
       ++i) { // a sequence has its first rows, as many as the mask keeps
    auto *row = static_cast<uint8_t *>(rows.mutableData()) + i * rows.size(1); // as bytes: not zero is kept
    const int64_t length = rows.size(1) - std::count(row, row + rows.size(1), 0);
    std::fill(std::fill_n(row, length, 1), row + rows.size(1), 0);
    longest = std::max(longest, length);
  }
  auto parts = makeRef<NestedParts>();
  TSC_ASSIGN_OR_RETURN(Tensor kept, narrow(padded, 1, 0, longest));
  TSC_ASSIGN_OR_RETURN(parts->padded, clone(kept, MemoryFormat::Contiguous));
  TSC_ASSIGN_OR_RETURN(kept, narrow(rows, 1, 0, longest));
  TSC_ASSIGN_OR_RETURN(parts->mask, contiguous(kept));
  const Dims sizes(parts->padded.sizes());
  return makeOpaque(sizes, std::move(parts));
}

StatusOr<Tensor> cpu::nestedToPadded(const Tensor &self, double padding, std::optional<ArrayRef<int64_t>> outputSize) {
  const NestedParts *parts = nestedOf(self);
  if (!parts)
    return invalidArgument("to_padded_tensor expected a nested tensor");
  Dims sizes(parts->padded.sizes());
  if (outputSize) {
    if (outputSize->size() != 3)
      return invalidArgument("output_size has " + llvm::Twine(outputSize->size()) + " dimensions, not 3");
    for (unsigned dim = 0; dim != 3; ++dim)
      if ((*outputSize)[dim] < sizes[dim])
        return invalidArgument("Value in output_size is less than NestedTensor padded size. Truncation is not "
                               "supported.");
    sizes.assign(outputSize->begin(), outputSize->end());
  }
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::full(sizes, Scalar(padding), parts->padded.dtype()));
  const int64_t features = parts->padded.size(2), length = parts->padded.size(1);
  const size_t bytes = itemSize(result.dtype()) * static_cast<size_t>(features);
  for (int64_t i = 0; i != parts->padded.size(0) && parts->mask.numel() != 0; ++i)
    for (int64_t row = 0; row != length; ++row)
      if (parts->mask.data<bool>()[i * length + row])
        std::memcpy(static_cast<char *>(result.mutableData()) +
                        itemSize(result.dtype()) * static_cast<size_t>((i * sizes[1] + row) * sizes[2]),
                    static_cast<const char *>(parts->padded.data()) + bytes * static_cast<size_t>(i * length + row),
                    bytes);
  return result;
}
