//===- Sorting.cpp - Order along a dimension ------------------------------===//
//
// The dimension is moved last and copied row-major; rows are ordered one by one, by
// keys beside their positions. NaN counts as larger than every
// number.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Sorting.h"
#include "Indexing/IndexingSupport.h"
#include "KeySort.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/ThreadPool.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

using namespace tsc;
using namespace tsc::cpu;

namespace {
/// One dimension of a tensor as contiguous rows, and results with `width` elements a row to be filled.
struct Rows {
  Tensor input, values, indices;
  int64_t count = 0, length = 0, width = 0;
};
} // namespace

static StatusOr<Rows> makeRows(const Tensor &self, int64_t dim, int64_t width) {
  Rows rows;
  rows.input = self;
  if (self.dim() > 0) {
    TSC_ASSIGN_OR_RETURN(rows.input, movedim(self, dim, -1));
  }
  TSC_ASSIGN_OR_RETURN(rows.input, contiguous(rows.input));
  Dims sizes(rows.input.sizes().begin(), rows.input.sizes().end());
  rows.length = extentOf(self, dim);
  rows.width = width;
  rows.count = rows.length == 0 ? 0 : self.numel() / rows.length;
  if (!sizes.empty())
    sizes.back() = width;
  TSC_ASSIGN_OR_RETURN(rows.values, Tensor::empty(sizes, self.dtype()));
  TSC_ASSIGN_OR_RETURN(rows.indices, Tensor::empty(sizes, DType::Int64));
  return rows;
}

/// The results with the dimension where it was, row-major; without it when `drop`.
static StatusOr<TensorPair> finishRows(const Rows &rows, int64_t dim, bool drop) {
  Tensor values = rows.values, indices = rows.indices;
  if (values.dim() == 0)
    return TensorPair(values, indices);
  for (Tensor *t : {&values, &indices}) {
    TSC_ASSIGN_OR_RETURN(*t, movedim(*t, -1, dim));
    if (drop) {
      TSC_ASSIGN_OR_RETURN(*t, squeezeDim(*t, dim));
    }
    TSC_ASSIGN_OR_RETURN(*t, contiguous(*t));
  }
  return TensorPair(values, indices);
}

/// A number that is as large as the element is in the ascending order, of 32 bits where they hold the type.
template <typename T> static auto orderKey(T value) {
  if constexpr (std::is_integral_v<T>) {
    using Key = std::conditional_t<(sizeof(T) > 4), uint64_t, uint32_t>;
    const Key offset = std::is_signed_v<T> ? Key(1) << (8 * sizeof(Key) - 1) : 0;
    return static_cast<Key>(static_cast<std::make_signed_t<Key>>(value)) ^ offset;
  } else {
    // By the bits alone, which vectors take many of at once.
    using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
    using Key = std::conditional_t<(sizeof(T) > 4), uint64_t, uint32_t>;
    constexpr Bits sign = static_cast<Bits>(Bits(1) << (8 * sizeof(T) - 1));
    constexpr Bits infinite = std::is_same_v<T, Half>       ? Bits(0x7c00)
                              : std::is_same_v<T, BFloat16> ? Bits(0x7f80)
                              : sizeof(T) == 4              ? static_cast<Bits>(0x7f800000)
                                                            : static_cast<Bits>(0x7ff0000000000000);
    const Bits bits = llvm::bit_cast<Bits>(value), size = static_cast<Bits>(bits & ~sign);
    const Bits ordered = static_cast<Bits>(bits & sign && size != 0 ? ~bits : bits | sign);
    return static_cast<Key>(size > infinite ? static_cast<Bits>(~Bits(0)) : ordered);
  }
}

/// The key of NaN, of which there is one; none for integers.
template <typename T> static auto missingKey() {
  using Key = decltype(orderKey(T()));
  if constexpr (isFloatingType<T>)
    return std::optional<Key>(orderKey(T(std::numeric_limits<float>::quiet_NaN())));
  else
    return std::optional<Key>();
}

namespace {
/// An element by its key, beside its position, so that algorithms which exchange elements read memory in its order. Of
/// equal elements the key does not tell which is which.
template <typename Key> class Placed {
public:
  Placed() = default;
  Placed(Key key, int64_t position) : key(key), place(static_cast<Key>(position)) {}
  int64_t position() const { return static_cast<int64_t>(place); }
  bool operator<(const Placed &other) const { return key < other.key; }
  Key key = 0;

private:
  Key place = 0;
};

/// A row, which may be reordered, and the key of what is no number.
template <typename Key> struct PlacedRow {
  std::vector<Placed<Key>> elements;
  std::optional<Key> missing;
};
/// Writes the positions of the elements that are the row's results.
template <typename Key> using ChoosePositions = llvm::function_ref<void(PlacedRow<Key> &, int64_t *)>;
} // namespace

/// Positions take 32 bits.
static Status checkLength(int64_t length, const char *name) {
  return length <= UINT32_MAX ? okStatus()
                              : resourceExhausted(llvm::Twine(name) + ": a row of more than 2^32 elements");
}

/// Calls the one of the two functions for the dtype's keys for each row, in parallel.
static Status chooseInRows(Rows &rows, const char *name, ChoosePositions<uint32_t> ofNarrow,
                           ChoosePositions<uint64_t> ofWide) {
  TSC_RETURN_IF_ERROR(checkLength(rows.length, name));
  return dispatchReal(
      rows.input.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        using Key = decltype(orderKey(T()));
        const T *input = rows.input.data<T>();
        T *values = rows.values.mutableData<T>();
        int64_t *indices = rows.indices.mutableData<int64_t>();
        constexpr int64_t leastElements = 1 << 13; // for which another thread is worth it
        parallelFor(0, rows.count, std::max<int64_t>(1, leastElements / std::max<int64_t>(rows.length, 1)),
                    [&](int64_t begin, int64_t end) {
                      PlacedRow<Key> placed = {std::vector<Placed<Key>>(rows.length), missingKey<T>()};
                      for (int64_t r = begin; r != end; ++r) {
                        const T *row = input + r * rows.length;
                        for (int64_t i = 0; i != rows.length; ++i)
                          placed.elements[i] = Placed<Key>(orderKey(row[i]), i);
                        int64_t *positions = indices + r * rows.width;
                        if constexpr (sizeof(Key) == sizeof(uint32_t))
                          ofNarrow(placed, positions);
                        else
                          ofWide(placed, positions);
                        for (int64_t i = 0; i != rows.width; ++i)
                          values[r * rows.width + i] = row[positions[i]];
                      }
                    });
      },
      name);
}
/// The same with a function of either.
template <typename Fn> static Status chooseInRows(Rows &rows, const char *name, Fn fn) {
  return chooseInRows(rows, name, ChoosePositions<uint32_t>(fn), ChoosePositions<uint64_t>(fn));
}

//===- The first few of each row ------------------------------------------===//

/// Writes the keys of some elements, with `flipped` bits, and says whether one of them is larger than `bound`.
template <typename T, typename Key>
LLVM_ATTRIBUTE_ALWAYS_INLINE static bool findKeys(const T *elements, int64_t count, Key *keys, Key flipped, Key bound) {
  Key found = 0;
  for (int64_t i = 0; i < count; ++i) {
    keys[i] = orderKey(elements[i]) ^ flipped;
    found |= keys[i] > bound ? 1 : 0;
  }
  return found != 0;
}

/// Puts an element in the place of a heap's first one, as std::partial_sort does with each element that comes before
/// it: the gap goes down to a leaf by way of the children that come last, and the element comes up from there.
template <typename Key, typename Before>
static void replaceFirst(std::vector<Placed<Key>> &heap, const Placed<Key> &element, Before before) {
  const size_t size = heap.size();
  size_t gap = 0;
  for (size_t child = 1; child < size; child = 2 * gap + 1) {
    if (child + 1 < size && !before(heap[child + 1], heap[child]))
      ++child;
    heap[gap] = heap[child];
    gap = child;
  }
  for (; gap > 0 && before(heap[(gap - 1) / 2], element); gap = (gap - 1) / 2)
    heap[gap] = heap[(gap - 1) / 2];
  heap[gap] = element;
}

/// Brings the largest elements of a row into `first`, or with all bits `flipped` the smallest, in the order in which
/// std::partial_sort of all elements would leave them there. That takes equal ones as they come by; here, most elements
/// are looked at in vectors alone.
template <typename T, typename Key>
static void takeFirst(const T *row, int64_t length, Key flipped, std::vector<Placed<Key>> &first) {
  const int64_t count = static_cast<int64_t>(first.size());
  assert(count > 0 && count <= length && "some of the elements");
  const auto before = [](const Placed<Key> &a, const Placed<Key> &b) { return b < a; };
  for (int64_t i = 0; i != count; ++i)
    first[i] = Placed<Key>(orderKey(row[i]) ^ flipped, i);
  std::make_heap(first.begin(), first.end(), before);
  constexpr int64_t atOnce = 64;
  Key keys[atOnce];
  for (int64_t begin = count; begin < length; begin += atOnce) {
    const int64_t some = std::min(atOnce, length - begin);
    if (!atSimdLevel<findKeys<T, Key>, Overlap::None>(row + begin, some, keys, flipped, first.front().key))
      continue;
    for (int64_t i = 0; i != some; ++i)
      if (const Placed<Key> element(keys[i], begin + i); before(element, first.front()))
        replaceFirst(first, element, before);
  }
  std::sort_heap(first.begin(), first.end(), before);
}

/// Fills each row of results with the elements that come first.
static Status takeFirstOfRows(const Rows &rows, bool largest) {
  TSC_RETURN_IF_ERROR(checkLength(rows.length, "topk"));
  return dispatchReal(
      rows.input.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        using Key = decltype(orderKey(T()));
        const T *input = rows.input.data<T>();
        T *values = rows.values.mutableData<T>();
        int64_t *indices = rows.indices.mutableData<int64_t>();
        constexpr int64_t leastElements = 1 << 14; // for which another thread is worth it
        parallelFor(0, rows.count, std::max<int64_t>(1, leastElements / rows.length), [&](int64_t begin, int64_t end) {
          std::vector<Placed<Key>> first(rows.width);
          for (int64_t r = begin; r != end; ++r) {
            const T *row = input + r * rows.length;
            takeFirst<T, Key>(row, rows.length, largest ? Key(0) : static_cast<Key>(~Key(0)), first);
            for (int64_t i = 0; i != rows.width; ++i) {
              const int64_t position = first[i].position();
              indices[r * rows.width + i] = position;
              values[r * rows.width + i] = row[position];
            }
          }
        });
      },
      "topk");
}

//===- sort ---------------------------------------------------------------===//

/// Orders a row whose keys are of 64 bits by their distances from the smallest, where these need no more than 32.
/// False: they need more.
template <typename T>
static bool sortNarrowRow(const T *row, int64_t length, bool descending, std::vector<uint64_t> &buffer, T *values,
                          int64_t *indices) {
  uint64_t least = UINT64_MAX, most = 0;
  for (int64_t i = 0; i != length; ++i) {
    const uint64_t key = orderKey(row[i]);
    least = std::min(least, key), most = std::max(most, key);
  }
  if (length == 0 || most - least > UINT32_MAX || length > UINT32_MAX)
    return false;
  buffer.resize(length);
  for (int64_t i = 0; i != length; ++i) {
    const uint64_t key = orderKey(row[i]);
    buffer[i] = (descending ? most - key : key - least) << 32 | static_cast<uint64_t>(i);
  }
  sortKeys(buffer.data(), buffer.size());
  for (int64_t i = 0; i != length; ++i) {
    indices[i] = static_cast<int64_t>(buffer[i] & UINT32_MAX);
    values[i] = row[indices[i]];
  }
  return true;
}

/// Orders a row of integers that are close together by counting how many there are of each. False: they are not.
template <typename T>
static bool sortByCounts(const T *row, int64_t length, bool descending, T *values, int64_t *indices) {
  if constexpr (std::is_same_v<T, bool>) // as bytes: each has a place, whatever it is
    return sortByCounts(reinterpret_cast<const uint8_t *>(row), length, descending, reinterpret_cast<uint8_t *>(values),
                        indices);
  constexpr int64_t leastLength = 512;
  if (length < leastLength)
    return false;
  uint64_t least = orderKey(std::numeric_limits<T>::min()), most = orderKey(std::numeric_limits<T>::max());
  if constexpr (sizeof(T) > 1) {
    const auto [smallest, largest] = std::minmax_element(row, row + length);
    least = orderKey(*smallest), most = orderKey(*largest);
  }
  const uint64_t range = most - least;
  if (range > static_cast<uint64_t>(length))
    return false;
  std::vector<int64_t> places(range + 2);
  auto bucketOf = [&](T value) { return descending ? most - orderKey(value) : orderKey(value) - least; };
  for (int64_t i = 0; i != length; ++i)
    ++places[bucketOf(row[i]) + 1];
  for (size_t k = 1; k != places.size(); ++k)
    places[k] += places[k - 1];
  for (int64_t i = 0; i != length; ++i) {
    const int64_t at = places[bucketOf(row[i])]++;
    values[at] = row[i];
    indices[at] = i;
  }
  return true;
}

/// Orders one row; `buffer` is for as many keys.
template <typename T, class Keyed>
static void sortRow(const T *row, int64_t length, bool descending, std::vector<Keyed> &buffer, T *values,
                    int64_t *indices) {
  using Key = decltype(orderKey(T()));
  const Key flip = descending ? ~Key(0) : Key(0);
  for (int64_t i = 0; i != length; ++i) {
    const Key key = orderKey(row[i]) ^ flip;
    if constexpr (std::is_same_v<Keyed, WideKey>)
      buffer[i] = {static_cast<uint64_t>(i), key};
    else
      buffer[i] = static_cast<uint64_t>(key) << 32 | static_cast<uint64_t>(i);
  }
  sortKeys(buffer.data(), buffer.size());
  for (int64_t i = 0; i != length; ++i) {
    if constexpr (std::is_same_v<Keyed, WideKey>)
      indices[i] = static_cast<int64_t>(buffer[i].position);
    else
      indices[i] = static_cast<int64_t>(buffer[i] & UINT32_MAX);
    values[i] = row[indices[i]];
  }
}

template <typename T, class Keyed> static void sortRows(Rows &rows, bool descending) {
  const T *input = rows.input.data<T>();
  T *values = rows.values.mutableData<T>();
  int64_t *indices = rows.indices.mutableData<int64_t>();
  constexpr int64_t leastElements = 1 << 14; // for which another thread is worth it
  const int64_t length = rows.length;
  parallelFor(0, rows.count, std::max<int64_t>(1, leastElements / std::max<int64_t>(length, 1)),
              [&](int64_t begin, int64_t end) {
                std::vector<Keyed> buffer;
                std::vector<uint64_t> narrow;
                for (int64_t r = begin; r != end; ++r) {
                  const T *row = input + r * length;
                  T *to = values + r * length;
                  int64_t *at = indices + r * length;
                  if constexpr (std::is_integral_v<T>)
                    if (sortByCounts(row, length, descending, to, at))
                      continue;
                  if constexpr (sizeof(orderKey(T())) > 4)
                    if (sortNarrowRow(row, length, descending, narrow, to, at))
                      continue;
                  buffer.resize(length);
                  sortRow(row, length, descending, buffer, to, at);
                }
              });
}

StatusOr<TensorPair> cpu::sortStable(const Tensor &self, std::optional<bool>, int64_t dim, bool descending) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  TSC_ASSIGN_OR_RETURN(Rows rows, makeRows(self, d, extentOf(self, d)));
  if (itemSize(self.dtype()) <= 4)
    TSC_RETURN_IF_ERROR(checkLength(rows.length, "sort"));
  TSC_RETURN_IF_ERROR(dispatchReal(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if constexpr (sizeof(orderKey(T())) > 4)
          sortRows<T, WideKey>(rows, descending);
        else
          sortRows<T, uint64_t>(rows, descending);
      },
      "sort_stable"));
  TSC_ASSIGN_OR_RETURN(TensorPair sorted, finishRows(rows, d, false));
  if (isContiguous(self.sizes(), self.strides()))
    return sorted;
  TSC_ASSIGN_OR_RETURN(Tensor values, emptyLikeWith(self, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor indices, emptyLikeWith(self, DType::Int64));
  TSC_RETURN_IF_ERROR(copyInto(values, std::get<0>(sorted)));
  TSC_RETURN_IF_ERROR(copyInto(indices, std::get<1>(sorted)));
  return TensorPair(values, indices);
}

StatusOr<TensorPair> cpu::sort(const Tensor &self, int64_t dim, bool descending) {
  return sortStable(self, true, dim, descending);
}

StatusOr<Tensor> cpu::argsort(const Tensor &self, int64_t dim, bool descending) {
  TSC_ASSIGN_OR_RETURN(TensorPair sorted, sort(self, dim, descending));
  return std::get<1>(sorted);
}

StatusOr<Tensor> cpu::argsortStable(const Tensor &self, bool, int64_t dim, bool descending) {
  return argsort(self, dim, descending);
}

StatusOr<Tensor> cpu::msort(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(TensorPair sorted, sort(self, 0, false));
  return std::get<0>(sorted);
}

StatusOr<TensorPair> cpu::topk(const Tensor &self, int64_t k, int64_t dim, bool largest, bool sorted) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (k < 0 || k > extentOf(self, d))
    return invalidArgument("selected index k out of range");
  if (self.dim() == 0 && k == 0)
    return invalidArgument("selected index k out of range");
  constexpr int64_t manyElements = 64; // of which the first of the largest is taken, as below
  if (k == 1 && largest && extentOf(self, d) >= manyElements && (isFloating(self.dtype()) || isIntegral(self.dtype())))
    return maxDim(self, d, true);
  TSC_ASSIGN_OR_RETURN(Rows rows, makeRows(self, d, k));
  // Which of equal elements are taken, and in which order, is PyTorch's: it is that of these algorithms.
  if (k > 0 && k * 64 <= rows.length) {
    TSC_RETURN_IF_ERROR(takeFirstOfRows(rows, largest));
    return finishRows(rows, d, false);
  }
  TSC_RETURN_IF_ERROR(chooseInRows(rows, "topk", [&](auto &row, int64_t *positions) {
    auto &placed = row.elements;
    auto select = [&](auto first) {
      if (k > 0) {
        std::nth_element(placed.begin(), placed.begin() + k - 1, placed.end(), first);
        if (sorted)
          std::sort(placed.begin(), placed.begin() + k - 1, first);
      }
    };
    if (largest)
      select([](const auto &a, const auto &b) { return b < a; });
    else
      select([](const auto &a, const auto &b) { return a < b; });
    for (int64_t i = 0; i != k; ++i)
      positions[i] = placed[i].position();
  }));
  return finishRows(rows, d, false);
}

//===- One element of each row --------------------------------------------===//

// Which of equal elements is chosen is PyTorch's choice, so the algorithms are those it names.

/// The position of the element of rank k: Hoare's selection with the median of the first, middle and last as pivot.
template <typename Key> static int64_t quickSelect(std::vector<Placed<Key>> &placed, int64_t k) {
  auto isAfter = [&](int64_t i, int64_t j) { return placed[j] < placed[i]; };
  auto exchange = [&](int64_t i, int64_t j) { std::swap(placed[i], placed[j]); };
  int64_t left = 0, right = static_cast<int64_t>(placed.size()) - 1;
  while (right > left + 1) {
    exchange(left + (right - left) / 2, left + 1);
    if (isAfter(left + 1, right))
      exchange(left + 1, right);
    if (isAfter(left, right))
      exchange(left, right);
    if (isAfter(left + 1, left))
      exchange(left + 1, left);
    int64_t i = left + 1, j = right; // guards: not after the pivot, not before it
    while (true) {
      do
        ++i;
      while (isAfter(left, i));
      do
        --j;
      while (isAfter(j, left));
      if (j < i)
        break;
      exchange(i, j);
    }
    exchange(left, j);
    if (j <= k)
      left = i;
    if (j >= k)
      right = j - 1;
  }
  if (right == left + 1 && isAfter(left, right))
    exchange(left, right);
  return placed[k].position();
}

StatusOr<TensorPair> cpu::kthvalue(const Tensor &self, int64_t k, int64_t dim, bool keepdim) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (k < 1 || k > extentOf(self, d))
    return invalidArgument("kthvalue(): selected number k out of range for dimension " + llvm::Twine(d));
  TSC_ASSIGN_OR_RETURN(Rows rows, makeRows(self, d, 1));
  TSC_RETURN_IF_ERROR(chooseInRows(
      rows, "kthvalue_cpu", [&](auto &row, int64_t *position) { *position = quickSelect(row.elements, k - 1); }));
  return finishRows(rows, d, !keepdim);
}

/// The lower median of a row; a NaN decides unless they are left out.
template <typename Key> static int64_t medianOf(PlacedRow<Key> &row, bool ignoreNaN) {
  auto &placed = row.elements;
  auto isMissing = [&](const Placed<Key> &element) { return row.missing && element.key == *row.missing; };
  const auto firstNaN = llvm::find_if(placed, isMissing);
  if (firstNaN != placed.end() && !ignoreNaN)
    return firstNaN - placed.begin();
  const int64_t numbers = placed.size() - std::count_if(firstNaN, placed.end(), isMissing);
  auto middle = placed.begin() + std::max<int64_t>(numbers - 1, 0) / 2;
  std::nth_element(placed.begin(), middle, placed.end());
  return middle->position();
}

static StatusOr<TensorPair> medianAlong(const Tensor &self, int64_t dim, bool keepdim, bool ignoreNaN) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (extentOf(self, d) == 0)
    return outOfRange("median(): Expected reduction dim " + llvm::Twine(d) + " to have non-zero size.");
  TSC_ASSIGN_OR_RETURN(Rows rows, makeRows(self, d, 1));
  TSC_RETURN_IF_ERROR(
      chooseInRows(rows, "median_out", [&](auto &row, int64_t *position) { *position = medianOf(row, ignoreNaN); }));
  return finishRows(rows, d, !keepdim);
}

/// An element of the given rank: those that share the highest bits that keys differ in are counted out first.
template <typename T> static T elementOfRank(const T *row, int64_t length, int64_t rank) {
  using Key = decltype(orderKey(T()));
  constexpr unsigned highBits = 12;
  Key least = 0, most = std::numeric_limits<Key>::max();
  if constexpr (std::is_integral_v<T>) { // which seldom fill their range
    const auto [smallest, largest] = std::minmax_element(row, row + length);
    least = orderKey(*smallest), most = orderKey(*largest);
  }
  const unsigned width = static_cast<unsigned>(std::bit_width(static_cast<uint64_t>(most - least)));
  const unsigned shift = width > highBits ? width - highBits : 0;
  auto highOf = [&](T value) { return static_cast<size_t>(static_cast<Key>(orderKey(value) - least) >> shift); };
  std::vector<int64_t> counts(size_t{1} << highBits);
  for (int64_t i = 0; i != length; ++i)
    ++counts[highOf(row[i])];
  size_t high = 0;
  for (; rank >= counts[high]; ++high)
    rank -= counts[high];
  std::vector<Placed<Key>> among;
  among.reserve(counts[high]);
  for (int64_t i = 0; i != length; ++i)
    if (highOf(row[i]) == high) {
      if (shift == 0)
        return row[i];
      among.emplace_back(orderKey(row[i]), i);
    }
  std::nth_element(among.begin(), among.begin() + rank, among.end());
  return row[among[rank].position()];
}

static StatusOr<Tensor> medianOfAll(const Tensor &self, bool ignoreNaN) {
  if (self.numel() == 0)
    return Tensor::scalar(Scalar(std::numeric_limits<double>::quiet_NaN()), self.dtype());
  TSC_ASSIGN_OR_RETURN(Tensor elements, contiguous(self));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({}, self.dtype()));
  const int64_t length = self.numel();
  TSC_RETURN_IF_ERROR(checkLength(length, "median"));
  TSC_RETURN_IF_ERROR(dispatchReal(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const T *row = elements.data<T>();
        const int64_t missing = std::count_if(row, row + length, [](T value) { return isNaN(value); });
        // NaN comes last: where one decides, the last element is one.
        const int64_t numbers = length - missing;
        const int64_t rank = missing != 0 && !ignoreNaN ? length - 1 : std::max<int64_t>(numbers - 1, 0) / 2;
        *result.mutableData<T>() = elementOfRank(row, length, rank);
      },
      "median_cpu"));
  return result;
}

StatusOr<Tensor> cpu::median(const Tensor &self) { return medianOfAll(self, false); }
StatusOr<Tensor> cpu::nanmedian(const Tensor &self) { return medianOfAll(self, true); }
StatusOr<TensorPair> cpu::medianDim(const Tensor &self, int64_t dim, bool keepdim) {
  return medianAlong(self, dim, keepdim, false);
}
StatusOr<TensorPair> cpu::nanmedianDim(const Tensor &self, int64_t dim, bool keepdim) {
  return medianAlong(self, dim, keepdim, true);
}

StatusOr<TensorPair> cpu::mode(const Tensor &self, int64_t dim, bool keepdim) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (extentOf(self, d) == 0)
    return outOfRange("mode(): Expected reduction dim " + llvm::Twine(d) + " to have non-zero size.");
  TSC_ASSIGN_OR_RETURN(Rows rows, makeRows(self, d, 1));
  TSC_RETURN_IF_ERROR(chooseInRows(rows, "mode", [&](auto &row, int64_t *position) {
    auto &placed = row.elements;
    std::sort(placed.begin(), placed.end());
    int64_t best = 0, run = 0;
    for (size_t i = 0; i != placed.size(); ++i) {
      ++run;
      bool ends = i + 1 == placed.size() || placed[i] < placed[i + 1];
      if (ends && run > best) {
        best = run;
        *position = placed[i].position();
      }
      run = ends ? 0 : run;
    }
  }));
  return finishRows(rows, d, !keepdim);
}
