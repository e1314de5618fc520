//===- Search.cpp - Finding values ----------------------------------------===//
//
// searchsorted and bucketize (binary search in sorted rows), isin, one_hot.
//
//===----------------------------------------------------------------------===//
#include "Indexing/IndexingSupport.h"
#include "SearchRows.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Promotion.h"
#include <algorithm>

using namespace tsc;
using namespace tsc::cpu;

/// The dtype in which numbers are compared that `dtype` holds, all of them in the same order.
static DType comparedAs(DType dtype) {
  switch (dtype) {
  case DType::Half:
  case DType::BFloat16: return DType::Float;
  case DType::Bool:
  case DType::UInt8:
  case DType::Int8:
  case DType::Int16: return DType::Int32;
  default: return dtype;
  }
}
/// Calls fn for the type that elements of `dtype` are compared in.
template <typename Fn> static void dispatchCompared(DType dtype, Fn fn) {
  switch (comparedAs(dtype)) {
  case DType::Float: return fn(TypeTag<float>());
  case DType::Double: return fn(TypeTag<double>());
  case DType::Int32: return fn(TypeTag<int32_t>());
  default: return fn(TypeTag<int64_t>());
  }
}
static StatusOr<DType> checkCompared(const Tensor &a, const Tensor &b, const char *name) {
  const DType common = resultType(a, b);
  TSC_RETURN_IF_ERROR(dispatchReal(common, [](auto) {}, name));
  return common;
}
/// The elements, rounded to the common dtype, in the one that its elements are compared in.
static StatusOr<Tensor> asCompared(const Tensor &t, DType common) {
  TSC_ASSIGN_OR_RETURN(Tensor x, toDType(t, common));
  TSC_ASSIGN_OR_RETURN(x, toDType(x, comparedAs(common)));
  return contiguous(x);
}

//===- searchsorted -------------------------------------------------------===//

static Status checkSearch(const Tensor &sorted, const Tensor &values, const Tensor &sorter) {
  if (sorted.dim() == 0)
    return invalidArgument(
        "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got "
        "boundaries tensor dim(0) and input value's dim(" +
        llvm::Twine(values.dim()) + ") numel(" + llvm::Twine(values.numel()) + ")");
  bool matches =
      sorted.dim() == 1 || (sorted.dim() == values.dim() && sorted.sizes().drop_back() == values.sizes().drop_back());
  if (!matches)
    return invalidArgument("torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions "
                           "of boundaries tensor and "
                           "input value tensor must match, but we got boundaries tensor " +
                           shapeString(sorted.sizes()) + " and input value tensor " + shapeString(values.sizes()));
  if (!sorter.defined())
    return okStatus();
  if (sorter.sizes() != sorted.sizes())
    return invalidArgument(
        "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor " +
        shapeString(sorted.sizes()) + "and got sorter tensor " + shapeString(sorter.sizes()));
  if (sorter.dtype() != DType::Int64)
    return invalidArgument("torch.searchsorted(): sorter must be a tensor of long dtype but got dtype " +
                           irName(sorter.dtype()).lower());
  return okStatus();
}

/// How many of `width` sorted bounds come before each value; those that equal it do where `upper`. A search has no
/// branches, and several go on side by side: a step waits for the bound that it reads.
template <typename T, class At>
static void findPlaces(const T *bounds, int64_t width, const T *values, int64_t count, bool upper, At at,
                       int64_t *places) {
  constexpr int64_t together = 8;
  auto search = [&](auto isBefore) {
    for (int64_t i = 0; i < count; i += together) {
      const int64_t some = std::min(together, count - i);
      T value[together];
      int64_t low[together] = {};
      for (int64_t k = 0; k != together; ++k)
        value[k] = values[i + std::min(k, some - 1)];
      for (int64_t left = width; left > 0;) { // the place is in [low, low + left]
        const int64_t half = (left + 1) / 2;
        for (int64_t k = 0; k != together; ++k)
          low[k] += isBefore(bounds[at(low[k] + half - 1)], value[k]) ? half : 0;
        left -= half;
      }
      std::copy_n(low, some, places + i);
    }
  };
  if (upper)
    search([](T bound, T value) { return !(bound > value); });
  else
    search([](T bound, T value) { return !(bound >= value); });
}

StatusOr<Tensor> cpu::searchsortedTensor(const Tensor &sorted, const Tensor &self, bool outInt32, bool right,
                                         std::optional<llvm::StringRef> side, const Tensor &sorter) {
  if (side && *side != "left" && *side != "right")
    return invalidArgument("torch.searchsorted(): side can only be 'left' or 'right' but got " + *side);
  if (side && right && *side == "left")
    return invalidArgument(
        "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True");
  TSC_RETURN_IF_ERROR(checkSearch(sorted, self, sorter));
  bool upper = right || (side && *side == "right");
  TSC_ASSIGN_OR_RETURN(const DType common, checkCompared(sorted, self, "searchsorted"));
  TSC_ASSIGN_OR_RETURN(Tensor bounds, asCompared(sorted, common));
  TSC_ASSIGN_OR_RETURN(Tensor values, asCompared(self, common));
  std::vector<int64_t> order;
  if (sorter.defined()) {
    TSC_ASSIGN_OR_RETURN(order, indexValues(sorter));
  }
  int64_t width = bounds.sizes().back();
  for (int64_t place : order)
    if (place < 0 || place >= width)
      return invalidArgument("torch.searchsorted(): sorter index out of range");
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(self.sizes(), DType::Int64));
  int64_t perRow = bounds.dim() == 1 || values.dim() == 0 ? values.numel() : values.sizes().back();
  dispatchCompared(common, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    int64_t *const found = result.mutableData<int64_t>();
    parallelFor(0, values.numel(), 4096, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i != end;) { // values that are sought in the same row
        const int64_t row = i / perRow, count = std::min(end, (row + 1) * perRow) - i;
        const T *const among = bounds.data<T>() + row * width, *const sought = values.data<T>() + i;
        if (order.empty() && width <= search::mostBounds)
          search::findPlaces<T>()(among, width, sought, count, upper, found + i);
        else if (order.empty())
          findPlaces(among, width, sought, count, upper, [](int64_t k) { return k; }, found + i);
        else
          findPlaces(among, width, sought, count, upper, [&](int64_t k) { return order[row * width + k]; }, found + i);
        i += count;
      }
    });
  });
  return toDType(result, outInt32 ? DType::Int32 : DType::Int64);
}

/// A number as a tensor of the dtype that searching among `bounds` asks for.
static StatusOr<Tensor> scalarAmong(const Tensor &bounds, const Scalar &value) {
  return Tensor::scalar(value, resultType(bounds, value));
}

StatusOr<Tensor> cpu::searchsortedScalar(const Tensor &sorted, const Scalar &self, bool outInt32, bool right,
                                         std::optional<llvm::StringRef> side, const Tensor &sorter) {
  TSC_ASSIGN_OR_RETURN(Tensor value, scalarAmong(sorted, self));
  return searchsortedTensor(sorted, value, outInt32, right, side, sorter);
}

StatusOr<Tensor> cpu::bucketizeTensor(const Tensor &self, const Tensor &boundaries, bool outInt32, bool right) {
  if (boundaries.dim() != 1)
    return invalidArgument("boundaries tensor must be 1 dimension, but got dim(" + llvm::Twine(boundaries.dim()) + ")");
  return searchsortedTensor(boundaries, self, outInt32, right, std::nullopt, Tensor());
}

StatusOr<Tensor> cpu::bucketizeScalar(const Scalar &self, const Tensor &boundaries, bool outInt32, bool right) {
  TSC_ASSIGN_OR_RETURN(Tensor value, scalarAmong(boundaries, self));
  return bucketizeTensor(value, boundaries, outInt32, right);
}

//===- isin, one_hot ------------------------------------------------------===//

/// Marks what equals a value; NaN equals none.
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void markEqual(uint8_t *__restrict marks, const T *__restrict values, int64_t n,
                                                   T sought) {
  for (int64_t i = 0; i < n; ++i)
    marks[i] |= values[i] == sought;
}

StatusOr<Tensor> cpu::isinTensor(const Tensor &elements, const Tensor &testElements, bool, bool invert) {
  TSC_ASSIGN_OR_RETURN(const DType common, checkCompared(elements, testElements, "isin_default_cpu"));
  TSC_ASSIGN_OR_RETURN(Tensor a, asCompared(elements, common));
  TSC_ASSIGN_OR_RETURN(Tensor b, asCompared(testElements, common));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(elements.sizes(), DType::Bool));
  dispatchCompared(common, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T *from = a.data<T>(), *sought = b.data<T>();
    constexpr int64_t few = 64, block = 512; // one after another, few values are compared sooner than hashed
    if (b.numel() <= few) {
      auto *marks = reinterpret_cast<uint8_t *>(result.mutableData<bool>());
      for (int64_t i = 0; i < a.numel(); i += block) {
        const int64_t n = std::min(block, a.numel() - i);
        std::fill_n(marks + i, n, uint8_t{0});
        for (int64_t k = 0; k != b.numel(); ++k)
          atSimdLevel<markEqual<T>, Overlap::None>(marks + i, from + i, n, sought[k]);
        for (int64_t k = 0; invert && k != n; ++k)
          marks[i + k] ^= 1;
      }
      return;
    }
    std::vector<T> known; // in order: a hash table becomes slow where many values share a place
    std::copy_if(sought, sought + b.numel(), std::back_inserter(known), [](T value) { return value == value; });
    llvm::sort(known);
    for (int64_t i = 0, n = a.numel(); i != n; ++i) {
      const bool isThere = from[i] == from[i] && std::binary_search(known.begin(), known.end(), from[i]); // no NaN is
      result.mutableData<bool>()[i] = isThere != invert;
    }
  });
  return result;
}

StatusOr<Tensor> cpu::isinTensorScalar(const Tensor &elements, const Scalar &testElement, bool assumeUnique,
                                       bool invert) {
  TSC_ASSIGN_OR_RETURN(Tensor test, Tensor::scalar(testElement, resultType(elements, testElement)));
  return isinTensor(elements, test, assumeUnique, invert);
}

StatusOr<Tensor> cpu::isinScalarTensor(const Scalar &element, const Tensor &testElements, bool assumeUnique,
                                       bool invert) {
  TSC_ASSIGN_OR_RETURN(Tensor one, Tensor::scalar(element, resultType(testElements, element)));
  return isinTensor(one, testElements, assumeUnique, invert);
}

StatusOr<Tensor> cpu::oneHot(const Tensor &self, int64_t numClasses) {
  if (self.dtype() != DType::Int64)
    return invalidArgument("one_hot is only applicable to index tensor.");
  Dims sizes(self.sizes().begin(), self.sizes().end());
  if (self.numel() == 0) {
    if (numClasses <= 0)
      return invalidArgument("Can not infer total number of classes from empty tensor.");
    sizes.push_back(numClasses);
    return Tensor::empty(sizes, DType::Int64);
  }
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> classes, indexValues(self));
  int64_t largest = 0;
  for (int64_t c : classes) {
    if (c < 0)
      return invalidArgument("Class values must be non-negative.");
    largest = std::max(largest, c);
  }
  if (numClasses == -1 && largest == std::numeric_limits<int64_t>::max())
    return resourceExhausted("one_hot: there are too many classes");
  if (numClasses == -1)
    numClasses = largest + 1;
  else if (numClasses < 1)
    return invalidArgument("num_classes should be positive");
  else if (largest >= numClasses)
    return invalidArgument("Class values must be smaller than num_classes.");
  sizes.push_back(numClasses);
  TSC_ASSIGN_OR_RETURN(Tensor result, zeros(sizes, DType::Int64));
  int64_t *row = result.mutableData<int64_t>();
  for (int64_t c : classes) {
    row[c] = 1;
    row += numClasses;
  }
  return result;
}
