//===- Indexing.cpp - Elements by indices, on a GPU -----------------------===//
//
// Elements of a row-major tensor are (outer, place along the dimension, inner). A thread
// takes an element of the result, all threads apart, and copies what its index names.
// Several indices are first made one, of the dimensions together.
//
//===----------------------------------------------------------------------===//
#include "Indexing.h"
#include "tsc/Kernels/Views.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using namespace tsc::fuser;

/// Operands: the result, the tensor, the index, the flag. Numbers: inner, along, size, isPerElement, mayBeNegative.
static constexpr char selectText[] = R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  const unsigned inner = (unsigned)p.number[0], along = (unsigned)p.number[1], count = (unsigned)p.count;
  const long long size = (long long)p.number[2];
  const bool isPerElement = p.number[3] != 0, mayBeNegative = p.number[4] != 0;
  for (unsigned i = 256 * blockIdx.x + threadIdx.x; i < count; i += 256 * gridDim.x) {
    const unsigned rest = i / inner, outer = rest / along;
    long long place = ((const @INDEX@ *)p.at[2])[isPerElement ? i : rest - outer * along];
    place += mayBeNegative && place < 0 ? size : 0;
    if (place < 0 || place >= size)
      *(int *)p.at[3] = 1;
    else
      ((@ITEM@ *)p.at[0])[i] = ((const @ITEM@ *)p.at[1])[(outer * size + place) * inner + (i - rest * inner)];
  }
}
)";

/// What a further index makes of the places of those before it. Operands: the index, the places, the flag. Numbers: the
/// rank, sizes, strides of the index, those with which the first one begins (all innermost first), the size of the
/// dimension, the step from one index to the next, whether it is the first, mayBeNegative.
static constexpr char placesText[] = R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  const int rank = (int)p.number[0];
  const long long size = (long long)p.number[25];
  const unsigned step = (unsigned)p.number[26];
  const bool isFirst = p.number[27] != 0, mayBeNegative = p.number[28] != 0;
  unsigned *places = (unsigned *)p.at[1];
  for (unsigned i = 256 * blockIdx.x + threadIdx.x; i < (unsigned)p.count; i += 256 * gridDim.x) {
    unsigned rest = i, begin = isFirst ? 0 : places[i] * (unsigned)size;
    long long at = 0;
#pragma unroll 1
    for (int d = 0; d < rank; ++d) {
      const unsigned all = (unsigned)p.number[1 + d], next = rest / all, digit = rest - next * all;
      at += (long long)digit * (long long)p.number[9 + d];
      begin += digit * (unsigned)p.number[17 + d];
      rest = next;
    }
    long long place = ((const @INDEX@ *)p.at[0])[at];
    place += mayBeNegative && place < 0 ? size : 0;
    if (place < 0 || place >= size) {
      *(int *)p.at[2] = 1;
      place = 0;
    }
    places[i] = begin + (unsigned)place * step;
  }
}
)";

std::optional<Indices> fuser::indicesAlong(const Tensor &self, int64_t dim, const Tensor &index) {
  Indices made;
  made.dim = dim + (dim < 0 ? self.dim() : 0);
  if (made.dim < 0 || made.dim >= self.dim() || !index.defined())
    return std::nullopt;
  made.indices.push_back(index);
  return made;
}

Tensor fuser::viewFor(const Tensor &self, const Indices &indices) {
  if (indices.order.empty())
    return self;
  Dims sizes, strides;
  for (int64_t d : indices.order)
    sizes.push_back(self.size(d)), strides.push_back(self.stride(d));
  return self.alias(sizes, strides, self.storageOffset());
}

std::optional<Indices> fuser::indicesOf(const Tensor &self, ArrayRef<Tensor> all) {
  if (static_cast<int64_t>(all.size()) > self.dim())
    return std::nullopt;
  Indices made;
  made.mayBeNegative = true;
  llvm::SmallVector<int64_t, 8> named, others;
  Dims common;
  for (int64_t d = 0; d != self.dim(); ++d) {
    if (d >= static_cast<int64_t>(all.size()) || !all[static_cast<size_t>(d)].defined()) {
      others.push_back(d);
      continue;
    }
    const Tensor &index = all[static_cast<size_t>(d)];
    if ((index.dtype() != DType::Int64 && index.dtype() != DType::Int32) || index.numel() == 0)
      return std::nullopt;
    StatusOr<Dims> both = named.empty() ? StatusOr<Dims>(Dims(index.sizes())) : broadcastShapes(common, index.sizes());
    if (!both.ok())
      return std::nullopt;
    common = std::move(*both);
    named.push_back(d);
    made.indices.push_back(index);
  }
  if (named.empty())
    return std::nullopt;
  for (Tensor &index : made.indices) {
    StatusOr<Tensor> wide = cpu::expand(index, common);
    if (!wide.ok())
      return std::nullopt;
    index = std::move(*wide);
  }
  const auto count = static_cast<int64_t>(named.size());
  if (named.back() - named.front() == count - 1) {
    made.dim = named.front();
    return made;
  }
  for (const auto *dims : {&named, &others}) // what is named comes first
    made.order.append(dims->begin(), dims->end());
  return made;
}

std::optional<std::pair<Tensor, int64_t>> fuser::maskOf(const Tensor &self, ArrayRef<Tensor> indices) {
  std::optional<std::pair<Tensor, int64_t>> found;
  int64_t number = 0;
  bool isAlone = true;
  for (const Tensor &index : indices) {
    if (index.defined()) {
      isAlone &= !found && (index.dtype() == DType::Bool || index.dtype() == DType::UInt8);
      found.emplace(index, number);
    }
    ++number;
  }
  if (!found || !isAlone)
    return std::nullopt;
  const auto &[mask, dim] = *found;
  if (mask.dim() == 0 || dim + mask.dim() > self.dim() ||
      mask.sizes() != self.sizes().slice(static_cast<size_t>(dim), static_cast<size_t>(mask.dim())))
    return std::nullopt;
  return found;
}

/// Slices of `self`, or elements of it where each has an index: those that `indices` name, of a result that has the
/// index's sizes in their place.
static std::optional<Selection> sliceSelection(const Tensor &self, std::optional<Indices> indices) {
  if (!indices)
    return std::nullopt;
  Selection made{viewFor(self, *indices), std::move(*indices), {}};
  ArrayRef<int64_t> sizes = made.self.sizes(), places = made.indices.indices[0].sizes();
  made.sizes.assign(sizes.begin(), sizes.begin() + made.indices.dim);
  made.sizes.append(places.begin(), places.end());
  made.sizes.append(sizes.begin() + made.indices.dim + static_cast<int64_t>(made.indices.indices.size()), sizes.end());
  return made;
}

/// An index for each element of the result. `isWhole`: it has as many elements as `self` in the other dimensions.
static std::optional<Selection> elementSelection(const Tensor &self, int64_t dim, const Tensor &index, bool isWhole) {
  std::optional<Indices> indices = self.defined() && index.defined() ? indicesAlong(self, dim, index) : std::nullopt;
  if (!indices)
    return std::nullopt;
  Selection made{viewFor(self, *indices), std::move(*indices), {}};
  made.indices.isPerElement = true;
  const int64_t rank = made.self.dim();
  made.sizes.assign(index.sizes().begin(), index.sizes().end());
  if (index.dim() != rank || index.dtype() != DType::Int64)
    return std::nullopt;
  Dims read(made.sizes);
  const auto along = static_cast<size_t>(made.indices.dim);
  read[along] = made.self.size(made.indices.dim);
  for (int64_t d = 0; d != rank; ++d)
    if (read[static_cast<size_t>(d)] > made.self.size(d) ||
        (isWhole && read[static_cast<size_t>(d)] != made.self.size(d)))
      return std::nullopt;
  if (read != Dims(made.self.sizes()))
    made.self = made.self.alias(read, made.self.strides(), made.self.storageOffset());
  return made;
}

std::optional<Selection> cuda::indexSelect(const Tensor &self, int64_t dim, const Tensor &index) {
  if (!self.defined() || !index.defined() || index.dim() > 1)
    return std::nullopt;
  auto made = sliceSelection(self, indicesAlong(self, dim, index));
  if (made && index.dim() == 0) // a single index keeps its dimension
    made->sizes.insert(made->sizes.begin() + made->indices.dim, 1);
  return made;
}
std::optional<Selection> cuda::gather(const Tensor &self, int64_t dim, const Tensor &index) {
  return elementSelection(self, dim, index, /*isWhole=*/false);
}
std::optional<Selection> cuda::takeAlongDim(const Tensor &self, const Tensor &indices, std::optional<int64_t> dim) {
  return dim ? elementSelection(self, *dim, indices, /*isWhole=*/true) : std::nullopt;
}
std::optional<Selection> cuda::embedding(const Tensor &weight, const Tensor &indices) {
  if (!weight.defined() || !indices.defined() || weight.dim() != 2)
    return std::nullopt;
  return sliceSelection(weight, indicesAlong(weight, 0, indices));
}

std::optional<Selection> fuser::selectionOf(const Tensor &self, ArrayRef<Tensor> indices) {
  return self.defined() ? sliceSelection(self, indicesOf(self, indices)) : std::nullopt;
}

StatusOr<std::optional<Tensor>> Indexing::placesOf(const Tensor &self, const Indices &named) {
  const Tensor &first = named.indices[0];
  TSC_ASSIGN_OR_RETURN(Tensor places, kernels.empty({first.numel()}, DType::Int32));
  TSC_ASSIGN_OR_RETURN(Tensor flag, kernels.makeFlag());
  const Dims dense = contiguousStrides(self.sizes());
  for (auto [k, given] : llvm::enumerate(named.indices)) {
    TSC_ASSIGN_OR_RETURN(Tensor index, kernels.here(given));
    if (!kernels.isTaken(index) || (index.dtype() != DType::Int64 && index.dtype() != DType::Int32))
      return std::optional<Tensor>();
    const int64_t dim = named.dim + static_cast<int64_t>(k), rank = index.dim();
    HandLaunch launch{{index.data(), places.mutableData(), flag.mutableData()}, {}, index.numel(), false};
    launch.numbers.assign(29, 0);
    launch.numbers[0] = static_cast<uint64_t>(rank);
    for (int64_t d = 0; d != rank; ++d) {
      const auto to = static_cast<size_t>(rank - 1 - d);
      launch.numbers[1 + to] = static_cast<uint64_t>(index.size(d));
      launch.numbers[9 + to] = static_cast<uint64_t>(index.stride(d));
      if (named.isPerElement && d != dim)
        launch.numbers[17 + to] = static_cast<uint64_t>(dense[static_cast<size_t>(d)]);
    }
    launch.numbers[25] = static_cast<uint64_t>(self.size(dim));
    launch.numbers[26] = named.isPerElement ? static_cast<uint64_t>(dense[static_cast<size_t>(dim)]) : 1;
    launch.numbers[27] = k == 0, launch.numbers[28] = named.mayBeNegative;
    const bool isWide = index.dtype() == DType::Int64;
    TSC_RETURN_IF_ERROR(kernels.run(isWide ? "tsc_places_wide" : "tsc_places", placesText,
                                    {{"@INDEX@", isWide ? "long long" : "int"}}, launch));
  }
  TSC_ASSIGN_OR_RETURN(bool isOutside, kernels.isSet(flag));
  return isOutside ? std::optional<Tensor>() : std::optional(places);
}

StatusOr<bool> Indexing::select(const Selection &selection, IValue &result) {
  const Indices &named = selection.indices;
  if (!kernels.isTaken(selection.self))
    return false;
  int64_t count = 1;
  for (int64_t size : selection.sizes) {
    if (size < 1 || count > (INT32_MAX >> 1) / size)
      return false;
    count *= size;
  }
  const Tensor &self = selection.self;
  int64_t size = 1, inner = 1;
  for (int64_t d = named.dim; d != self.dim(); ++d)
    (d < named.dim + static_cast<int64_t>(named.indices.size()) ? size : inner) *= self.size(d);
  TSC_ASSIGN_OR_RETURN(Tensor index, kernels.here(named.indices[0]));
  if (!kernels.isTaken(index) || (index.dtype() != DType::Int64 && index.dtype() != DType::Int32))
    return false;
  bool mayBeNegative = named.mayBeNegative;
  if (named.indices.size() > 1) {
    TSC_ASSIGN_OR_RETURN(std::optional<Tensor> places, placesOf(self, named));
    if (!places)
      return false;
    index = std::move(*places), mayBeNegative = false;
  }
  TSC_ASSIGN_OR_RETURN(index, kernels.dense(index));
  TSC_ASSIGN_OR_RETURN(Tensor from, kernels.dense(self));
  TSC_ASSIGN_OR_RETURN(Tensor out, kernels.empty(selection.sizes, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor flag, kernels.makeFlag());
  HandLaunch launch{{out.mutableData(), from.data(), index.data(), flag.mutableData()}, {}, count, false};
  const int64_t along = named.isPerElement ? index.size(named.dim) : index.numel();
  for (int64_t number : {inner, along, size, int64_t{named.isPerElement}, int64_t{mayBeNegative}})
    launch.numbers.push_back(static_cast<uint64_t>(number));
  const bool isWide = index.dtype() == DType::Int64;
  TSC_RETURN_IF_ERROR(
      kernels.run("tsc_select_" + std::to_string(itemSize(self.dtype())) + (isWide ? "_wide" : ""), selectText,
                  {{"@ITEM@", wordType(self.dtype()).str()}, {"@INDEX@", isWide ? "long long" : "int"}}, launch));
  TSC_ASSIGN_OR_RETURN(bool isOutside, kernels.isSet(flag));
  if (isOutside)
    return false;
  result = IValue(std::move(out));
  return true;
}
