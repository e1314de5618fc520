//===- Histogram.cpp - Points counted in the cells of a grid --------------===//
//
// Edges are given, or equally spaced; the last bin of each dimension includes its
// upper edge. Points outside of the edges do not count.
//
//===----------------------------------------------------------------------===//
#include "Indexing/IndexingSupport.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/Sorting.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Tensor/Rank.h"
#include <algorithm>

using namespace tsc;
using namespace tsc::cpu;

static constexpr int64_t maxCells = int64_t{1} << 32;

/// The bin of a value among ascending edges; negative when it is in none.
template <typename T> static int64_t binOf(T value, const T *edges, int64_t bins) {
  if (!(value >= edges[0] && value <= edges[bins]))
    return -1;
  return std::min<int64_t>(std::upper_bound(edges, edges + bins + 1, value) - edges, bins) - 1;
}

/// The same among edges that are equally spaced, but for rounding: beside where the value ought to be.
template <typename T> static int64_t binNear(T value, const T *edges, int64_t bins) {
  if (!(value >= edges[0] && value <= edges[bins]))
    return -1;
  if (edges[0] == edges[bins]) // of large numbers the edges may round to one, and there is nothing to divide by
    return binOf(value, edges, bins);
  const double place = (static_cast<double>(value) - edges[0]) * static_cast<double>(bins) /
                       (static_cast<double>(edges[bins]) - edges[0]);
  if (!std::isfinite(place)) // the edges are further apart than the largest number
    return binOf(value, edges, bins);
  int64_t bin = std::clamp<int64_t>(static_cast<int64_t>(place), 0, bins - 1);
  while (bin > 0 && value < edges[bin])
    --bin;
  while (bin < bins - 1 && value >= edges[bin + 1])
    ++bin;
  return bin;
}

/// Each count divided by the total and by its cell's volume.
template <typename T> static void toDensity(const Tensor &counts, ArrayRef<Tensor> edges) {
  T *cells = counts.mutableData<T>();
  double total = 0;
  for (int64_t i = 0; i != counts.numel(); ++i)
    total += cells[i];
  for (int64_t i = 0; i != counts.numel(); ++i) {
    double volume = total;
    int64_t rest = i;
    for (size_t d = edges.size(); d-- != 0; rest /= counts.size(d)) {
      const T *edge = edges[d].data<T>() + rest % counts.size(d);
      volume *= edge[1] - edge[0];
    }
    cells[i] = static_cast<T>(cells[i] / volume);
  }
}

/// Counts rows of a matrix of points, one column a dimension.
static StatusOr<HistogramGrid> countPoints(const Tensor &self, std::vector<Tensor> edges, bool areSpaced,
                                           const Tensor &weight, bool density) {
  Dims sizes;
  int64_t cells = 1;
  for (Tensor &edge : edges) {
    TSC_ASSIGN_OR_RETURN(edge, contiguous(edge));
    sizes.push_back(std::max<int64_t>(edge.numel() - 1, 0));
    if (__builtin_mul_overflow(cells, sizes.back(), &cells) || cells > maxCells)
      return resourceExhausted("histogramdd(): too many bins");
  }
  TSC_ASSIGN_OR_RETURN(
      Tensor flat, reshape(self, {self.sizes().empty() ? 1 : self.numel() / std::max<int64_t>(self.sizes().back(), 1),
                                  static_cast<int64_t>(edges.size())}));
  TSC_ASSIGN_OR_RETURN(Tensor points, contiguous(flat));
  Tensor weights;
  if (weight.defined()) {
    TSC_ASSIGN_OR_RETURN(weights, contiguous(weight));
    if (weights.numel() != points.size(0) || weights.dtype() != self.dtype())
      return invalidArgument("torch.histogramdd: if weight tensor is provided it should have the same shape as the "
                             "input tensor excluding its innermost "
                             "dimension, and its dtype");
  }
  TSC_ASSIGN_OR_RETURN(Tensor counts, zeros(sizes, self.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        T *out = counts.mutableData<T>();
        const T *point = points.data<T>();
        for (int64_t i = 0; i != points.size(0); ++i, point += edges.size()) {
          int64_t cell = 0;
          for (size_t d = 0; d != edges.size() && cell >= 0; ++d) {
            const T *edge = edges[d].template data<T>();
            const int64_t bin = sizes[d] == 0 ? -1
                                : areSpaced   ? binNear(point[d], edge, sizes[d])
                                              : binOf(point[d], edge, sizes[d]);
            cell = bin < 0 ? -1 : cell * sizes[d] + bin;
          }
          if (cell >= 0)
            out[cell] += weights.defined() ? weights.data<T>()[i] : T(1);
        }
        if (density)
          toDensity<T>(counts, edges);
      },
      "histogram_cpu"));
  return HistogramGrid(counts, std::move(edges));
}

/// Lowest and highest of a column, or what the caller says; never equal.
static StatusOr<std::pair<double, double>> outerEdges(const Tensor &column, OptionalRange range, size_t dim) {
  double low = 0, high = 1;
  if (range) {
    low = (*range)[2 * dim];
    high = (*range)[2 * dim + 1];
    if (low > high)
      return invalidArgument("torch.histogramdd(): max must be larger than min");
  } else if (column.numel() != 0) {
    TSC_ASSIGN_OR_RETURN(Tensor dense, contiguous(column));
    TSC_ASSIGN_OR_RETURN(TensorPair ends, aminmax(dense, std::nullopt, false));
    low = std::get<0>(ends).at(0).toDouble();
    high = std::get<1>(ends).at(0).toDouble();
  }
  if (!std::isfinite(low) || !std::isfinite(high))
    return invalidArgument("torch.histogramdd(): dimension " + llvm::Twine(dim) + "'s range [" + shortString(low) +
                           ", " + shortString(high) + "] is not finite");
  if (low == high) {
    low -= 0.5;
    high += 0.5;
  }
  return std::pair(low, high);
}

/// The histogram has a dimension for each column of the points.
static bool hasTooManyColumns(const Tensor &self) {
  return self.dim() != 0 && self.sizes().back() > static_cast<int64_t>(mostDims);
}

StatusOr<HistogramGrid> cpu::histogramdd(const Tensor &self, ArrayRef<int64_t> bins, OptionalRange range,
                                         const Tensor &weight, bool density) {
  if (self.dim() < 2)
    return invalidArgument("torch.histogramdd: input tensor should have at least 2 dimensions, but got " +
                           llvm::Twine(self.dim()));
  if (hasTooManyColumns(self))
    return tooManyDims();
  int64_t dims = self.sizes().back();
  if (static_cast<int64_t>(bins.size()) != dims)
    return invalidArgument(
        "torch.histogramdd: The size of bins must be equal to the innermost dimension of the input.");
  if (range && static_cast<int64_t>(range->size()) != 2 * dims)
    return invalidArgument("torch.histogramdd: for a " + llvm::Twine(dims) +
                           "-dimensional histogram range should have " + llvm::Twine(2 * dims) + " elements, but got " +
                           llvm::Twine(range->size()));
  std::vector<Tensor> edges;
  for (int64_t d = 0; d != dims; ++d) {
    if (bins[d] <= 0)
      return invalidArgument("torch.histogramdd(): bins must be > 0, but got " + llvm::Twine(bins[d]) +
                             " for dimension " + llvm::Twine(d));
    if (bins[d] > maxCells)
      return resourceExhausted("histogramdd(): too many bins");
    TSC_ASSIGN_OR_RETURN(Tensor column, select(self, -1, d));
    TSC_ASSIGN_OR_RETURN(auto ends, outerEdges(column, range, d));
    TSC_ASSIGN_OR_RETURN(Tensor edge, linspace(ends.first, ends.second, bins[d] + 1, self.dtype(), std::nullopt,
                                               std::nullopt, std::nullopt));
    edges.push_back(edge);
  }
  return countPoints(self, std::move(edges), true, weight, density);
}

StatusOr<HistogramGrid> cpu::histogramddBins(const Tensor &self, int64_t bins, OptionalRange range,
                                             const Tensor &weight, bool density) {
  if (hasTooManyColumns(self))
    return tooManyDims();
  Dims each(self.dim() ? self.sizes().back() : 1, bins);
  return histogramdd(self, each, range, weight, density);
}

StatusOr<HistogramGrid> cpu::histogramddEdges(const Tensor &self, ArrayRef<Tensor> bins, OptionalRange,
                                              const Tensor &weight, bool density) {
  if (self.dim() < 2 || static_cast<int64_t>(bins.size()) != self.sizes().back())
    return invalidArgument(
        "torch.histogramdd: The size of bins must be equal to the innermost dimension of the input.");
  if (hasTooManyColumns(self))
    return tooManyDims();
  for (const Tensor &edges : bins)
    if (edges.dim() != 1 || edges.dtype() != self.dtype() || edges.numel() == 0)
      return invalidArgument(
          "torch.histogramdd: bins tensor should have one dimension, elements, and the dtype of the input");
  return countPoints(self, std::vector<Tensor>(bins.begin(), bins.end()), false, weight, density);
}

StatusOr<TensorPair> cpu::histogramEdges(const Tensor &self, const Tensor &bins, const Tensor &weight, bool density) {
  TSC_ASSIGN_OR_RETURN(Tensor column, reshape(self, {self.numel(), 1}));
  TSC_ASSIGN_OR_RETURN(HistogramGrid grid, histogramddEdges(column, bins, std::nullopt, weight, density));
  return TensorPair(std::get<0>(grid), std::get<1>(grid)[0]);
}
StatusOr<TensorPair> cpu::histogramBins(const Tensor &self, int64_t bins, OptionalRange range, const Tensor &weight,
                                        bool density) {
  TSC_ASSIGN_OR_RETURN(Tensor column, reshape(self, {self.numel(), 1}));
  TSC_ASSIGN_OR_RETURN(HistogramGrid grid, histogramdd(column, bins, range, weight, density));
  return TensorPair(std::get<0>(grid), std::get<1>(grid)[0]);
}
