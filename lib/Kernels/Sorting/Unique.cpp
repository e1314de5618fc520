//===- Unique.cpp - Distinct elements, and counting them ------------------===//
#include "Indexing/IndexingSupport.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/Sorting.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/WorkMeter.h"
#include <algorithm>
#include <numeric>

using namespace tsc;
using namespace tsc::cpu;

namespace {
/// Groups of equal rows: which row begins each, the group of each row, and the sizes.
struct Groups {
  std::vector<int64_t> first, inverse, counts;
};
} // namespace

/// Sorts as std::stable_sort does, which cannot stop. False: the call is to end, and `order` isn't sorted. `cost`: how
/// many elementary operations a comparison is worth.
template <typename Less> static bool sortInSteps(std::vector<int64_t> &order, int64_t cost, Less less) {
  constexpr int64_t mostAtOnce = 16, costAtOnce = 4096; // of a run that is sorted by insertion, without a question
  const auto count = static_cast<int64_t>(order.size());
  const int64_t shortest = std::clamp<int64_t>(costAtOnce / cost, 1, mostAtOnce);
  work::LongLoop runs(cost * shortest);
  for (int64_t begin = 0; begin < count; begin += shortest) {
    if (!runs.goOn())
      return false;
    const auto first = order.begin() + begin, last = order.begin() + std::min(begin + shortest, count);
    for (auto next = first; next != last; ++next)
      std::rotate(std::upper_bound(first, next, *next, less), next, next + 1);
  }
  std::vector<int64_t> merged(order.size());
  work::LongLoop turns(cost);
  for (int64_t run = shortest; run < count; run *= 2) {
    for (int64_t begin = 0; begin < count; begin += 2 * run) {
      const int64_t middle = std::min(begin + run, count), end = std::min(begin + 2 * run, count);
      for (int64_t left = begin, right = middle, at = begin; at != end; ++at) {
        if (!turns.goOn())
          return false;
        const bool takesRight = left == middle || (right != end && less(order[right], order[left]));
        merged[at] = order[takesRight ? right++ : left++];
      }
    }
    std::swap(order, merged);
  }
  return true;
}

template <typename T>
static StatusOr<Groups> groupRowsOf(const T *data, int64_t count, int64_t width, bool consecutive) {
  constexpr int64_t leastCost = 8;
  const int64_t costOfRow = leastCost + width;
  Groups groups;
  groups.inverse.resize(count);
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  auto less = [](T a, T b) { return (isNaN(b) && !isNaN(a)) || a < b; };
  auto rowIsLess = [&](int64_t a, int64_t b) {
    return std::lexicographical_compare(data + a * width, data + (a + 1) * width, data + b * width,
                                        data + (b + 1) * width, less);
  };
  if (!consecutive && !sortInSteps(order, costOfRow, rowIsLess))
    return work::stopped();
  work::LongLoop turns(costOfRow);
  for (int64_t i = 0; i != count; ++i) {
    if (!turns.goOn())
      return work::stopped();
    const T *row = data + order[i] * width;
    if (i == 0 || !std::equal(row, row + width, data + order[i - 1] * width)) {
      groups.first.push_back(order[i]);
      groups.counts.push_back(0);
    }
    ++groups.counts.back();
    groups.inverse[order[i]] = static_cast<int64_t>(groups.first.size()) - 1;
  }
  return groups;
}

/// Groups `count` rows of `width` elements: equal neighbours after ordering (or as they stand, if `consecutive`).
static StatusOr<Groups> groupRows(const Tensor &rows, int64_t count, int64_t width, bool consecutive) {
  TSC_RETURN_IF_ERROR(dispatchReal(rows.dtype(), [](auto) {}, "unique"));
  const bool areIntegers = isIntegral(rows.dtype(), true);
  TSC_ASSIGN_OR_RETURN(const Tensor wide, toDType(rows, areIntegers ? DType::Int64 : DType::Double));
  return areIntegers ? groupRowsOf(wide.data<int64_t>(), count, width, consecutive)
                     : groupRowsOf(wide.data<double>(), count, width, consecutive);
}

static StatusOr<Tensor> vectorOf(const std::vector<int64_t> &values) {
  return Tensor::fromSpan<int64_t>(values, {static_cast<int64_t>(values.size())});
}

namespace {
/// Distinct elements, the place of each element among them where it is asked for, and how many there are of each.
struct Distinct {
  Tensor values, inverse, counts;
};
} // namespace

/// Groups equal neighbours of the elements in `order` (null: as they stand). No branch hangs on the elements.
template <typename T>
static StatusOr<Distinct> distinctNeighbours(const Tensor &flat, const int64_t *order, bool wantsInverse) {
  using C = ComputeType<T>;
  const int64_t n = flat.numel();
  const T *data = flat.data<T>();
  Distinct result;
  TSC_ASSIGN_OR_RETURN(Tensor begins, Tensor::empty({n + 1}, DType::Int64));
  int64_t *begin = begins.mutableData<int64_t>(), *inverse = nullptr, groups = 0;
  if (wantsInverse) {
    TSC_ASSIGN_OR_RETURN(result.inverse, Tensor::empty({n}, DType::Int64));
    inverse = result.inverse.mutableData<int64_t>();
  }
  auto number = [&](auto placeOf, auto note) {
    for (int64_t i = 0; i != n; ++i) {
      const int64_t at = placeOf(i);
      const bool isNew = i == 0 || !(static_cast<C>(data[at]) == static_cast<C>(data[placeOf(i - 1)]));
      begin[groups] = i; // overwritten by the next element, unless this one begins a group
      groups += isNew;
      note(at);
    }
  };
  auto noteInverse = [&](int64_t at) { inverse[at] = groups - 1; };
  auto inOrder = [order](int64_t i) { return order[i]; };
  auto asTheyStand = [](int64_t i) { return i; };
  auto noteNothing = [](int64_t) {};
  if (order && inverse)
    number(inOrder, noteInverse);
  else if (order)
    number(inOrder, noteNothing);
  else if (inverse)
    number(asTheyStand, noteInverse);
  else
    number(asTheyStand, noteNothing);
  begin[groups] = n;
  TSC_ASSIGN_OR_RETURN(result.values, Tensor::empty({groups}, flat.dtype()));
  TSC_ASSIGN_OR_RETURN(result.counts, Tensor::empty({groups}, DType::Int64));
  T *values = result.values.mutableData<T>();
  int64_t *counts = result.counts.mutableData<int64_t>();
  for (int64_t group = 0; group != groups; ++group) {
    values[group] = data[order ? order[begin[group]] : begin[group]];
    counts[group] = begin[group + 1] - begin[group];
  }
  return result;
}

/// Integers that lie close together, by a table of how often each occurs. Undefined values: of others.
template <typename T> static StatusOr<Distinct> distinctByTable(const Tensor &flat) {
  const int64_t n = flat.numel();
  Distinct result;
  if (n == 0)
    return result;
  const T *data = flat.data<T>();
  T least = data[0], most = data[0];
  for (int64_t i = 0; i != n; ++i)
    least = std::min(least, data[i]), most = std::max(most, data[i]);
  const uint64_t range = static_cast<uint64_t>(most) - static_cast<uint64_t>(least);
  if (range > static_cast<uint64_t>(2 * n + 1024))
    return result;
  TSC_ASSIGN_OR_RETURN(Tensor table, zeros({static_cast<int64_t>(range) + 1}, DType::Int64));
  int64_t *places = table.mutableData<int64_t>(), groups = 0;
  for (int64_t i = 0; i != n; ++i)
    ++places[data[i] - least];
  for (uint64_t i = 0; i <= range; ++i)
    groups += places[i] != 0;
  TSC_ASSIGN_OR_RETURN(result.values, Tensor::empty({groups}, flat.dtype()));
  TSC_ASSIGN_OR_RETURN(result.counts, Tensor::empty({groups}, DType::Int64));
  TSC_ASSIGN_OR_RETURN(result.inverse, Tensor::empty({n}, DType::Int64));
  T *values = result.values.mutableData<T>();
  int64_t *counts = result.counts.mutableData<int64_t>(), *inverse = result.inverse.mutableData<int64_t>();
  int64_t group = 0;
  for (uint64_t i = 0; i <= range; ++i)
    if (places[i] != 0) {
      values[group] = static_cast<T>(static_cast<uint64_t>(least) + i);
      counts[group] = places[i];
      places[i] = group++;
    }
  for (int64_t i = 0; i != n; ++i)
    inverse[i] = places[data[i] - least];
  return result;
}

static StatusOr<Distinct> distinctElements(const Tensor &flat, bool consecutive, bool wantsInverse) {
  StatusOr<Distinct> result = Distinct();
  if (!consecutive && isIntegral(flat.dtype(), true)) {
    TSC_RETURN_IF_ERROR(dispatchIntegralAndBool(
        flat.dtype(), [&](auto tag) { result = distinctByTable<typename decltype(tag)::Type>(flat); }));
    if (!result.ok() || result->values.defined())
      return result;
  }
  Tensor order;
  if (!consecutive) {
    TSC_ASSIGN_OR_RETURN(TensorPair sorted, sort(flat, 0, false));
    order = std::get<1>(std::move(sorted));
  }
  TSC_RETURN_IF_ERROR(dispatchReal(
      flat.dtype(),
      [&](auto tag) {
        result = distinctNeighbours<typename decltype(tag)::Type>(
            flat, order.defined() ? order.data<int64_t>() : nullptr, wantsInverse);
      },
      "unique"));
  return result;
}

static StatusOr<TensorTriple> uniqueElements(const Tensor &self, bool consecutive, bool returnInverse,
                                             bool returnCounts) {
  TSC_ASSIGN_OR_RETURN(Tensor flat, reshape(self, {-1}));
  TSC_ASSIGN_OR_RETURN(flat, contiguous(flat));
  TSC_ASSIGN_OR_RETURN(Distinct found, distinctElements(flat, consecutive, returnInverse));
  TSC_ASSIGN_OR_RETURN(Tensor none, Tensor::empty({0}, DType::Int64));
  Tensor inverse = none;
  if (returnInverse) {
    TSC_ASSIGN_OR_RETURN(inverse, view(found.inverse, self.sizes()));
  }
  return TensorTriple(found.values, inverse, returnCounts ? found.counts : none);
}

static StatusOr<TensorTriple> uniqueSlices(const Tensor &self, int64_t dim, bool consecutive) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (self.dim() == 0)
    return uniqueElements(self, consecutive, true, true);
  int64_t count = self.size(d);
  if (self.numel() == 0) {
    if (count != 0)
      return invalidArgument("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
    TSC_ASSIGN_OR_RETURN(Tensor values, Tensor::empty(self.sizes(), self.dtype()));
    TSC_ASSIGN_OR_RETURN(Tensor none, Tensor::empty({0}, DType::Int64));
    return TensorTriple(values, none, none);
  }
  TSC_ASSIGN_OR_RETURN(Tensor rows, movedim(self, d, 0));
  TSC_ASSIGN_OR_RETURN(rows, contiguous(rows));
  TSC_ASSIGN_OR_RETURN(Groups groups, groupRows(rows, count, self.numel() / count, consecutive));
  TSC_ASSIGN_OR_RETURN(Tensor first, vectorOf(groups.first));
  TSC_ASSIGN_OR_RETURN(Tensor values, indexSelect(self, d, first));
  TSC_ASSIGN_OR_RETURN(Tensor inverse, vectorOf(groups.inverse));
  TSC_ASSIGN_OR_RETURN(Tensor counts, vectorOf(groups.counts));
  return TensorTriple(values, inverse, counts);
}

StatusOr<TensorTriple> cpu::unique2(const Tensor &self, bool, bool returnInverse, bool returnCounts) {
  return uniqueElements(self, false, returnInverse, returnCounts);
}

StatusOr<TensorPair> cpu::unique(const Tensor &self, bool, bool returnInverse) {
  TSC_ASSIGN_OR_RETURN(TensorTriple all, uniqueElements(self, false, returnInverse, false));
  return TensorPair(std::get<0>(all), std::get<1>(all));
}

StatusOr<TensorTriple> cpu::uniqueDim(const Tensor &self, int64_t dim, bool, bool, bool) {
  return uniqueSlices(self, dim, false);
}
StatusOr<TensorTriple> cpu::uniqueDimConsecutive(const Tensor &self, int64_t dim, bool, bool) {
  return uniqueSlices(self, dim, true);
}

StatusOr<TensorTriple> cpu::uniqueConsecutive(const Tensor &self, bool returnInverse, bool returnCounts,
                                              std::optional<int64_t> dim) {
  if (dim && !(self.dim() == 1 && (*dim == 0 || *dim == -1)))
    return uniqueSlices(self, *dim, true);
  return uniqueElements(self, true, returnInverse, returnCounts);
}

//===- Counting -----------------------------------------------------------===//

/// Widens a range so that it holds the integers.
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void widenRange(const T *values, int64_t n, int64_t &lowest, int64_t &highest) {
  T least = values[0], most = values[0];
  for (int64_t i = 0; i < n; ++i) {
    least = values[i] < least ? values[i] : least;
    most = values[i] > most ? values[i] : most;
  }
  lowest = lowest < least ? lowest : least;
  highest = highest > most ? highest : most;
}

/// How often there is each of the numbers below `bins`. Of many numbers in few bins, four tables take turns: an
/// addition to a place waits for the one before to the same place.
template <typename T> static void countValues(const T *values, int64_t n, int64_t *counts, int64_t bins) {
  constexpr int64_t mostBins = 2048, tables = 4;
  int64_t i = 0;
  if (bins <= mostBins && n >= tables * bins) {
    std::vector<int64_t> more((tables - 1) * bins);
    int64_t *second = more.data(), *third = second + bins, *fourth = third + bins;
    for (; i + tables <= n; i += tables) {
      ++counts[values[i]];
      ++second[values[i + 1]];
      ++third[values[i + 2]];
      ++fourth[values[i + 3]];
    }
    for (int64_t bin = 0; bin != bins; ++bin)
      counts[bin] += second[bin] + third[bin] + fourth[bin];
  }
  for (; i < n; ++i)
    ++counts[values[i]];
}

StatusOr<Tensor> cpu::bincount(const Tensor &self, const Tensor &weights, int64_t minlength) {
  if (minlength < 0)
    return invalidArgument("minlength should be >= 0");
  if (self.dim() != 1 || !isIntegral(self.dtype()))
    return invalidArgument("bincount only supports 1-d non-negative integral inputs.");
  if (weights.defined() && (weights.dim() != 1 || weights.numel() != self.numel()))
    return invalidArgument("weights should be 1-d and have the same length as input");
  TSC_ASSIGN_OR_RETURN(const Tensor given, contiguous(self));
  int64_t least = 0, most = minlength - 1;
  auto withValues = [&](auto use) {
    return dispatchIntegralAndBool(given.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (!std::is_same_v<T, bool>)
        if (given.numel() != 0)
          use(given.data<T>());
    });
  };
  TSC_RETURN_IF_ERROR(
      withValues([&]<typename T>(const T *values) { atSimdLevel<widenRange<T>>(values, given.numel(), least, most); }));
  if (least < 0)
    return invalidArgument("bincount only supports 1-d non-negative integral inputs.");
  if (most == INT64_MAX)
    return resourceExhausted("bincount of a number that is too large");
  const int64_t bins = most + 1;
  if (!weights.defined()) {
    TSC_ASSIGN_OR_RETURN(Tensor result, zeros({bins}, DType::Int64));
    int64_t *counts = result.mutableData<int64_t>();
    TSC_RETURN_IF_ERROR(withValues([&](const auto *values) { countValues(values, given.numel(), counts, bins); }));
    return result;
  }
  DType dtype = weights.dtype() == DType::Float ? DType::Float : DType::Double;
  TSC_ASSIGN_OR_RETURN(Tensor added, toDType(weights, dtype));
  TSC_ASSIGN_OR_RETURN(added, contiguous(added));
  TSC_ASSIGN_OR_RETURN(Tensor result, zeros({bins}, dtype));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    T *sums = result.mutableData<T>();
    const T *from = added.data<T>();
    return withValues([&](const auto *values) {
      for (int64_t i = 0; i != given.numel(); ++i)
        sums[values[i]] += from[i];
    });
  }));
  return result;
}

StatusOr<Tensor> cpu::histc(const Tensor &self, int64_t bins, const Scalar &min, const Scalar &max) {
  if (bins <= 0)
    return invalidArgument("torch.histogram(): bins must be > 0, but got " + llvm::Twine(bins) + " for dimension 0");
  TSC_ASSIGN_OR_RETURN(Tensor values, contiguous(self));
  TSC_ASSIGN_OR_RETURN(Tensor result, zeros({bins}, self.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      self.dtype(),
      [&](auto tag) -> Status {
        using T = typename decltype(tag)::Type;
        const T *data = values.data<T>();
        int64_t count = values.numel();
        T low = scalarTo<T>(min), high = scalarTo<T>(max);
        if (low == high && count != 0) {
          TSC_ASSIGN_OR_RETURN(const TensorPair bounds, aminmax(values, std::nullopt, false)); // NaN if there is one
          low = *std::get<0>(bounds).template data<T>();
          high = *std::get<1>(bounds).template data<T>();
        }
        if (low == high) {
          low -= 1;
          high += 1;
        }
        if (!std::isfinite(low) || !std::isfinite(high))
          return invalidArgument("torch.histc: range of [" + shortString(low) + ", " + shortString(high) +
                                 "] is not finite");
        if (!(low < high))
          return invalidArgument("torch.histc: max must be larger than min");
        T *out = result.mutableData<T>();
        for (int64_t i = 0; i != count; ++i) {
          if (!(data[i] >= low && data[i] <= high))
            continue;
          // In this order, as histogram has it. NaN, of a range that no T holds, is the first bin.
          const T place = (data[i] - low) * static_cast<T>(bins) / (high - low);
          const int64_t bin = place < static_cast<T>(bins) ? static_cast<int64_t>(place)
                              : place != place             ? 0
                                                           : bins - 1;
          out[bin] += 1;
        }
        return okStatus();
      },
      "histogram_cpu"));
  return result;
}
