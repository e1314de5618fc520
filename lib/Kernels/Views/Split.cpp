//===- Split.cpp - One tensor as several views ----------------------------===//
#include "tsc/Kernels/Views.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Dispatch.h"

using namespace tsc;
using namespace tsc::cpu;

/// More pieces than this is a mistake (or an attack), not a program.
static constexpr int64_t mostPieces = int64_t{1} << 26;

/// How many elementary operations (work::LongLoop) it counts to make one piece.
static constexpr int64_t costOfPiece = 64;

static Status checkPieces(int64_t count) {
  if (count > mostPieces)
    return resourceExhausted("splitting a tensor into " + llvm::Twine(count) + " pieces");
  return okStatus();
}

TensorsOr cpu::unbind(const Tensor &self, int64_t dim) {
  if (self.dim() == 0)
    return outOfRange("Dimension specified as " + llvm::Twine(dim) + " but tensor has no dimensions");
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  TSC_RETURN_IF_ERROR(checkPieces(self.size(d)));
  std::vector<Tensor> results;
  results.reserve(self.size(d));
  work::LongLoop turns(costOfPiece);
  for (int64_t i = 0; i != self.size(d); ++i) {
    if (!turns.goOn())
      return work::stopped();
    TSC_ASSIGN_OR_RETURN(Tensor part, select(self, d, i));
    results.push_back(std::move(part));
  }
  return results;
}

TensorsOr cpu::split(const Tensor &self, int64_t size, int64_t dim) {
  if (self.dim() == 0)
    return invalidArgument("split expects at least a 1-dimensional tensor");
  if (size < 0)
    return invalidArgument("split expects split_size be non-negative, but got split_size=" + llvm::Twine(size));
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  int64_t extent = self.size(d);
  if (size == 0 && extent != 0)
    return invalidArgument("split_size can only be 0 if dimension size is 0, but got dimension size of " +
                           llvm::Twine(extent));
  int64_t count = size == 0 || extent == 0 ? 1 : (extent - 1) / size + 1;
  TSC_RETURN_IF_ERROR(checkPieces(count));
  std::vector<Tensor> results;
  results.reserve(count);
  work::LongLoop turns(costOfPiece);
  for (int64_t i = 0; i != count; ++i) {
    if (!turns.goOn())
      return work::stopped();
    TSC_ASSIGN_OR_RETURN(Tensor part, narrow(self, d, i * size, std::min(size, extent - i * size)));
    results.push_back(std::move(part));
  }
  return results;
}

TensorsOr cpu::splitWithSizes(const Tensor &self, ArrayRef<int64_t> sizes, int64_t dim) {
  if (self.dim() == 0)
    return invalidArgument("split expects at least a 1-dimensional tensor");
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  int64_t start = 0, extent = self.size(d);
  std::vector<Tensor> results;
  results.reserve(sizes.size());
  bool fits = true;
  work::LongLoop turns(costOfPiece);
  for (int64_t size : sizes) {
    if (!turns.goOn())
      return work::stopped();
    if (size < 0)
      return invalidArgument(
          "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=" +
          shapeString(sizes));
    fits = fits && size <= extent - start;
    if (!fits)
      continue;
    TSC_ASSIGN_OR_RETURN(Tensor part, narrow(self, d, start, size));
    start += size;
    results.push_back(std::move(part));
  }
  if (!fits || start != extent)
    return invalidArgument("split_with_sizes expects split_sizes to sum exactly to " + llvm::Twine(extent) +
                           " (input tensor's size at dimension " + llvm::Twine(dim) +
                           "), but got split_sizes=" + shapeString(sizes));
  return results;
}

TensorsOr cpu::chunk(const Tensor &self, int64_t chunks, int64_t dim) {
  if (self.dim() == 0)
    return invalidArgument("chunk expects at least a 1-dimensional tensor");
  if (chunks <= 0)
    return invalidArgument("chunk expects `chunks` to be greater than 0, got: " + llvm::Twine(chunks));
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  int64_t extent = self.size(d);
  int64_t size = extent == 0 ? 0 : (extent - 1) / chunks + 1;
  if (size != 0)
    return split(self, size, d);
  // Nothing to share out: as many empty pieces as were asked for.
  TSC_RETURN_IF_ERROR(checkPieces(chunks));
  Dims sizes(chunks, 0);
  return splitWithSizes(self, sizes, d);
}

TensorsOr cpu::tensorSplitSections(const Tensor &self, int64_t sections, int64_t dim) {
  if (self.dim() == 0)
    return invalidArgument("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (sections <= 0)
    return invalidArgument("number of sections must be larger than 0, got " + llvm::Twine(sections));
  TSC_RETURN_IF_ERROR(checkPieces(sections));
  int64_t least = self.size(d) / sections, longer = self.size(d) % sections;
  Dims sizes(sections, least);
  for (int64_t i = 0; i != longer; ++i)
    ++sizes[i];
  return splitWithSizes(self, sizes, d);
}

TensorsOr cpu::tensorSplitIndices(const Tensor &self, ArrayRef<int64_t> indices, int64_t dim) {
  if (self.dim() == 0)
    return invalidArgument("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  std::vector<Tensor> results;
  int64_t start = 0;
  for (int64_t end : indices) {
    TSC_ASSIGN_OR_RETURN(Tensor part, slice(self, d, start, end, 1));
    results.push_back(std::move(part));
    start = end;
  }
  TSC_ASSIGN_OR_RETURN(Tensor rest, slice(self, d, start, std::nullopt, 1));
  results.push_back(std::move(rest));
  return results;
}

TensorsOr cpu::tensorSplitTensor(const Tensor &self, const Tensor &indicesOrSections, int64_t dim) {
  if (self.dim() == 0)
    return invalidArgument("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  if (indicesOrSections.dtype() != DType::Int64)
    return invalidArgument("tensor_split expected tensor_indices_or_sections to have dtype of long, but got " +
                           irName(indicesOrSections.dtype()));
  if (indicesOrSections.dim() > 1)
    return invalidArgument("tensor_split expected tensor_indices_or_sections to be a zero-dimensional or "
                           "one-dimensional tensor, but got a "
                           "tensor with " +
                           llvm::Twine(indicesOrSections.dim()) + " dims");
  if (indicesOrSections.dim() == 0)
    return tensorSplitSections(self, indicesOrSections.at(0).toInt(), dim);
  TSC_RETURN_IF_ERROR(checkPieces(indicesOrSections.numel()));
  Dims indices;
  for (int64_t i = 0; i != indicesOrSections.numel(); ++i)
    indices.push_back(indicesOrSections.at(i).toInt());
  return tensorSplitIndices(self, indices, dim);
}

/// hsplit, vsplit and dsplit divide evenly, and differ in the dimension.
static TensorsOr splitEvenly(const Tensor &self, int64_t sections, int64_t dim, int64_t leastRank,
                             llvm::StringRef name) {
  if (self.dim() < leastRank)
    return invalidArgument("torch." + name + " requires a tensor with at least " + llvm::Twine(leastRank) +
                           " dimension" + (leastRank > 1 ? "s" : "") + ", but got a tensor with " +
                           llvm::Twine(self.dim()) + " dimensions!");
  if (sections <= 0 || self.size(dim) % sections)
    return invalidArgument("torch." + name + " attempted to split along dimension " + llvm::Twine(dim) +
                           ", but the size of the dimension " + llvm::Twine(self.size(dim)) +
                           " is not divisible by the split_size " + llvm::Twine(sections) + "!");
  return tensorSplitSections(self, sections, dim);
}

static TensorsOr splitAt(const Tensor &self, ArrayRef<int64_t> indices, int64_t dim, int64_t leastRank,
                         llvm::StringRef name) {
  if (self.dim() < leastRank)
    return invalidArgument("torch." + name + " requires a tensor with at least " + llvm::Twine(leastRank) +
                           " dimension" + (leastRank > 1 ? "s" : "") + ", but got a tensor with " +
                           llvm::Twine(self.dim()) + " dimensions!");
  return tensorSplitIndices(self, indices, dim);
}

TensorsOr cpu::hsplitInt(const Tensor &self, int64_t sections) {
  return splitEvenly(self, sections, self.dim() == 1 ? 0 : 1, 1, "hsplit");
}
TensorsOr cpu::hsplitArray(const Tensor &self, ArrayRef<int64_t> indices) {
  return splitAt(self, indices, self.dim() == 1 ? 0 : 1, 1, "hsplit");
}
TensorsOr cpu::vsplitInt(const Tensor &self, int64_t sections) { return splitEvenly(self, sections, 0, 2, "vsplit"); }
TensorsOr cpu::vsplitArray(const Tensor &self, ArrayRef<int64_t> indices) {
  return splitAt(self, indices, 0, 2, "vsplit");
}
TensorsOr cpu::dsplitInt(const Tensor &self, int64_t sections) { return splitEvenly(self, sections, 2, 3, "dsplit"); }
TensorsOr cpu::dsplitArray(const Tensor &self, ArrayRef<int64_t> indices) {
  return splitAt(self, indices, 2, 3, "dsplit");
}
