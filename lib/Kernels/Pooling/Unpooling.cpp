//===- Unpooling.cpp - Maxima back to where they were ---------------------===//
#include "Indexing/IndexingSupport.h"
#include "Support/Compute.h"
#include "Support/MemoryFormats.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Pooling.h"

using namespace tsc;
using namespace tsc::cpu;

static StatusOr<Tensor> unpool(int64_t spatial, const Tensor &self, const Tensor &indices,
                               ArrayRef<int64_t> outputSize) {
  if (indices.dtype() != DType::Int64)
    return invalidArgument("elements in indices should be type int64 but got: " + dtypeText(indices.dtype()));
  if (outputSize.size() != static_cast<size_t>(spatial))
    return invalidArgument("There should be exactly " + std::string(spatial == 2 ? "two" : "three") + " elements (" +
                           (spatial == 2 ? "height, width" : "depth, height, width") + ") in output_size, but got " +
                           llvm::Twine(outputSize.size()) + " elements.");
  if (self.dim() != spatial + 1 && self.dim() != spatial + 2)
    return invalidArgument("Input to max_unpooling" + llvm::Twine(spatial) + "d should be a " +
                           llvm::Twine(spatial + 1) + "d or " + llvm::Twine(spatial + 2) +
                           "d Tensor, but got a tensor with dim " + llvm::Twine(self.dim()));
  if (self.sizes() != indices.sizes())
    return invalidArgument("Expected shape of indices to be: " + shapeString(self.sizes()) +
                           " but got: " + shapeString(indices.sizes()));
  Dims shape(self.sizes().drop_back(spatial));
  shape.append(outputSize.begin(), outputSize.end());
  TSC_ASSIGN_OR_RETURN(int64_t plane, elementCount(outputSize));
  TSC_ASSIGN_OR_RETURN(Tensor out, zeros(shape, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor values, contiguous(self));
  TSC_ASSIGN_OR_RETURN(Tensor where, contiguous(indices));
  int64_t perPlane = 1;
  for (int64_t s : self.sizes().take_back(spatial))
    perPlane *= s;
  auto scatter = [&](auto item) -> Status {
    using Item = decltype(item);
    auto *to = static_cast<Item *>(out.mutableData());
    const auto *from = static_cast<const Item *>(values.data());
    const int64_t *at = where.data<int64_t>();
    for (int64_t begin = 0; begin != values.numel(); begin += perPlane, to += plane)
      for (int64_t i = begin; i != begin + perPlane; ++i) {
        if (static_cast<uint64_t>(at[i]) >= static_cast<uint64_t>(plane))
          return invalidArgument("Found an invalid max index: " + llvm::Twine(at[i]) + " (output volumes are of size " +
                                 llvm::Twine(outputSize[spatial - 2]) + "x" + llvm::Twine(outputSize[spatial - 1]));
        to[at[i]] = from[i];
      }
    return okStatus();
  };
  if (values.numel() == 0)
    return out;
  TSC_RETURN_IF_ERROR(withWord(itemSize(self.dtype()), scatter));
  return self.dim() == 4 && spatial == 2 && suggestsChannelsLast(self) ? inChannelsLast(out) : StatusOr<Tensor>(out);
}

StatusOr<Tensor> tsc::cpu::maxUnpool2d(const Tensor &self, const Tensor &indices, ArrayRef<int64_t> outputSize) {
  return unpool(2, self, indices, outputSize);
}
StatusOr<Tensor> tsc::cpu::maxUnpool3d(const Tensor &self, const Tensor &indices, ArrayRef<int64_t> outputSize,
                                       ArrayRef<int64_t> stride, ArrayRef<int64_t> padding) {
  if (stride.size() != 3 || padding.size() != 3)
    return invalidArgument("There should be exactly three elements (depth, height, width) in stride and padding");
  if (llvm::any_of(stride, [](int64_t s) { return s <= 0; }))
    return invalidArgument("strides should be greater than zero, but got stride: " + shapeString(stride));
  return unpool(3, self, indices, outputSize);
}
