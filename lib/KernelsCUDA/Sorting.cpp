//===- Sorting.cpp - Order along a dimension, on a GPU --------------------===//
//
// Elements become keys, unsigned numbers of the same order, beside their positions. A
// block orders a tile of 2048 neighbours, or several short rows: by CUB's radix sort
// where the toolkit's headers are there, else, and for short rows, by a bitonic network.
// Runs are then merged, two at a time: what a block writes of two merged runs is found
// by bisection. Of the first few in order no more than these is ever merged.
//
//===----------------------------------------------------------------------===//
#include "Sorting.h"
#include "tsc/Kernels/Copy.h"
#include "llvm/Support/MathExtras.h"

using namespace tsc;
using namespace tsc::fuser;

static constexpr int64_t tileElements = 2048;

// Of kernels that order tiles the operands are elements, keys and places; the numbers: rows, length, inner, span,
// tilesOfRow, isDescending, width, bits. A tile has tileElements / span rows, or is one of tilesOfRow of a row.
#define TSC_ORDER_TEXT                                                                                                 \
  R"(
TSC_DEVICE @KEY@ tsc_order(@ITEM@ bits, bool isDescending) {
  const @KEY@ all = (@ITEM@)~(@ITEM@)0, sign = (@KEY@)1 << (8 * sizeof(@ITEM@) - 1);
  @KEY@ key = bits;
  if (@IS_SIGNED@)
    key ^= sign;
  if (@IS_REAL@) {
    const @KEY@ size = key & (all ^ sign);
    key = size > (@KEY@)@INFINITE@ ? all : (key & sign) != 0 && size != 0 ? all ^ key : key | sign;
  }
  return isDescending ? all ^ key : key;
}
template <class P> TSC_DEVICE @KEY@ tsc_key_of(const P &p, unsigned row, unsigned at) {
  const unsigned rows = (unsigned)p.number[0], length = (unsigned)p.number[1], inner = (unsigned)p.number[2];
  if (row >= rows || at >= length)
    return (@ITEM@)~(@ITEM@)0;
  const unsigned outer = row / inner;
  return tsc_order(((const @ITEM@ *)p.at[0])[((long long)outer * length + at) * inner + (row - outer * inner)],
                   p.number[5] != 0);
}
template <class P> TSC_DEVICE void tsc_put(const P &p, unsigned row, unsigned at, unsigned rank, @KEY@ key, unsigned place) {
  const unsigned rows = (unsigned)p.number[0], length = (unsigned)p.number[1];
  if (row < rows && at < length && rank < (unsigned)p.number[6]) {
    ((@KEY@ *)p.at[1])[(long long)row * length + at] = key;
    ((unsigned *)p.at[2])[(long long)row * length + at] = place;
  }
}
)"

/// Of equal keys the place decides, so that the network keeps their order. What fills a row up is behind its elements.
static constexpr char networkText[] = TSC_ORDER_TEXT R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  __shared__ @KEY@ keys[2048];
  __shared__ unsigned places[2048];
  const unsigned span = (unsigned)p.number[3], tilesOfRow = (unsigned)p.number[4], rowsOfTile = 2048 / span;
  for (unsigned tile = blockIdx.x; tile < (unsigned)p.count; tile += gridDim.x) {
    const unsigned line = tile / tilesOfRow, firstRow = line * rowsOfTile, firstAt = (tile - line * tilesOfRow) * span;
    for (unsigned i = threadIdx.x; i < 2048; i += 256) {
      places[i] = firstAt + (i & (span - 1));
      keys[i] = tsc_key_of(p, firstRow + i / span, places[i]);
    }
    __syncthreads();
#pragma unroll 1
    for (unsigned size = 2; size <= span; size *= 2)
#pragma unroll 1
      for (unsigned step = size / 2; step != 0; step /= 2) {
        for (unsigned t = threadIdx.x; t < 1024; t += 256) {
          const unsigned low = 2 * t - (t & (step - 1)), high = low + step;
          const bool isUp = (low & (span - 1) & size) == 0;
          const @KEY@ a = keys[low], b = keys[high];
          const unsigned x = places[low], y = places[high];
          if ((a > b || (a == b && x > y)) == isUp) {
            keys[low] = b, keys[high] = a;
            places[low] = y, places[high] = x;
          }
        }
        __syncthreads();
      }
    for (unsigned i = threadIdx.x; i < 2048; i += 256)
      tsc_put(p, firstRow + i / span, firstAt + (i & (span - 1)), i & (span - 1), keys[i], places[i]);
    __syncthreads();
  }
}
)";

/// One row a tile.
static constexpr char radixText[] = R"(
#include <cub/block/block_radix_sort.cuh>
)" TSC_ORDER_TEXT R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  typedef cub::BlockRadixSort<@KEY@, 256, 8, unsigned> tsc_sort;
  __shared__ typename tsc_sort::TempStorage storage;
  const unsigned tilesOfRow = (unsigned)p.number[4];
  for (unsigned tile = blockIdx.x; tile < (unsigned)p.count; tile += gridDim.x) {
    const unsigned row = tile / tilesOfRow, first = (tile - row * tilesOfRow) * 2048;
    @KEY@ keys[8];
    unsigned places[8];
#pragma unroll
    for (unsigned k = 0; k != 8; ++k) {
      places[k] = first + 8 * threadIdx.x + k;
      keys[k] = tsc_key_of(p, row, places[k]);
    }
    tsc_sort(storage).SortBlockedToStriped(keys, places, 0, (int)p.number[7]);
#pragma unroll
    for (unsigned k = 0; k != 8; ++k)
      tsc_put(p, row, first + 256 * k + threadIdx.x, 256 * k + threadIdx.x, keys[k], places[k]);
    __syncthreads();
  }
}
)";

/// Operands: keys and places of runs, and of what becomes of them. Numbers: length, run, width, pairsOfRow,
/// piecesOfPair. A block merges 2048 neighbours of what a pair becomes.
static constexpr char mergeText[] = R"(
// How many of the first `count` that two runs give are of the first.
TSC_DEVICE unsigned tsc_share(const @KEY@ *a, unsigned numA, const @KEY@ *b, unsigned numB, unsigned count) {
  unsigned low = count > numB ? count - numB : 0, high = count < numA ? count : numA;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (a[middle] <= b[count - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  __shared__ @KEY@ keys[2048];
  __shared__ unsigned places[2048], shares[2];
  const unsigned length = (unsigned)p.number[0], run = (unsigned)p.number[1], width = (unsigned)p.number[2];
  const unsigned pairsOfRow = (unsigned)p.number[3], piecesOfPair = (unsigned)p.number[4];
  for (unsigned piece = blockIdx.x; piece < (unsigned)p.count; piece += gridDim.x) {
    const unsigned pair = piece / piecesOfPair, row = pair / pairsOfRow, begin = (pair - row * pairsOfRow) * 2 * run;
    const unsigned rest = length - begin, restB = rest > run ? rest - run : 0;
    const unsigned wholeA = rest < run ? rest : run, wholeB = restB < run ? restB : run;
    const unsigned numA = wholeA < width ? wholeA : width, numB = wholeB < width ? wholeB : width;
    const unsigned total = numA + numB < width ? numA + numB : width;
    const unsigned first = (piece - pair * piecesOfPair) * 2048;
    if (first >= total)
      continue; // the whole block does
    const unsigned last = first + 2048 < total ? first + 2048 : total;
    const long long offset = (long long)row * length + begin;
    const @KEY@ *a = (const @KEY@ *)p.at[0] + offset, *b = a + run;
    const unsigned *placesA = (const unsigned *)p.at[1] + offset, *placesB = placesA + run;
    if (threadIdx.x < 2)
      shares[threadIdx.x] = tsc_share(a, numA, b, numB, threadIdx.x ? last : first);
    __syncthreads();
    const unsigned firstA = shares[0], countA = shares[1] - firstA, firstB = first - firstA,
                   countB = last - shares[1] - firstB, count = last - first;
    for (unsigned i = threadIdx.x; i < count; i += 256) {
      keys[i] = i < countA ? a[firstA + i] : b[firstB + i - countA];
      places[i] = i < countA ? placesA[firstA + i] : placesB[firstB + i - countA];
    }
    __syncthreads();
    @KEY@ own[8];
    unsigned ownPlaces[8];
    const unsigned start = 8 * threadIdx.x;
    if (start < count) {
      unsigned x = tsc_share(keys, countA, keys + countA, countB, start), y = start - x;
#pragma unroll
      for (unsigned k = 0; k != 8; ++k)
        if (start + k < count) {
          const bool takesA = x < countA && (y >= countB || keys[x] <= keys[countA + y]);
          const unsigned at = takesA ? x++ : countA + y++;
          own[k] = keys[at], ownPlaces[k] = places[at];
        }
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k != 8; ++k)
      if (start + k < count)
        keys[start + k] = own[k], places[start + k] = ownPlaces[k];
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += 256) {
      ((@KEY@ *)p.at[2])[offset + first + i] = keys[i];
      ((unsigned *)p.at[3])[offset + first + i] = places[i];
    }
    __syncthreads();
  }
}
)";

/// Operands: elements, places, values, indices. Numbers: length, inner, width, wantsValues, wantsIndices.
static constexpr char emitText[] = R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  const unsigned length = (unsigned)p.number[0], inner = (unsigned)p.number[1], width = (unsigned)p.number[2];
  for (unsigned i = 256 * blockIdx.x + threadIdx.x; i < (unsigned)p.count; i += 256 * gridDim.x) {
    const unsigned line = i / inner, column = i - line * inner, outer = line / width, rank = line - outer * width;
    const unsigned place = ((const unsigned *)p.at[1])[((long long)outer * inner + column) * length + rank];
    if (p.number[3] != 0)
      ((@ITEM@ *)p.at[2])[i] = ((const @ITEM@ *)p.at[0])[((long long)outer * length + place) * inner + column];
    if (p.number[4] != 0)
      ((long long *)p.at[3])[i] = place;
  }
}
)";

/// The order of all elements along a dimension.
static std::optional<Ordering> orderingOf(const Tensor &self, int64_t dim, bool isDescending) {
  if (!self.defined() || self.dim() == 0)
    return std::nullopt;
  Ordering made;
  made.self = self, made.isDescending = isDescending;
  made.dim = dim + (dim < 0 ? self.dim() : 0);
  if (made.dim < 0 || made.dim >= self.dim() || self.size(made.dim) < 1)
    return std::nullopt;
  made.width = self.size(made.dim);
  return made;
}

std::optional<Ordering> cuda::sort(const Tensor &self, int64_t dim, bool descending) {
  return orderingOf(self, dim, descending);
}
std::optional<Ordering> cuda::argsort(const Tensor &self, int64_t dim, bool descending) {
  auto made = orderingOf(self, dim, descending);
  if (made)
    made->wantsValues = false;
  return made;
}
std::optional<Ordering> cuda::msort(const Tensor &self) {
  auto made = orderingOf(self, 0, /*isDescending=*/false);
  if (made)
    made->wantsIndices = false;
  return made;
}
std::optional<Ordering> cuda::topk(const Tensor &self, int64_t k, int64_t dim, bool largest) {
  auto made = orderingOf(self, dim, largest);
  if (!made || k < 1 || k > made->width)
    return std::nullopt;
  made->width = k, made->keepsStrides = false;
  return made;
}

/// Of keys of such elements.
static std::vector<std::pair<llvm::StringRef, std::string>> marksFor(DType dtype, bool isSigned, bool isReal) {
  const char *infinite = dtype == DType::Half       ? "0x7c00u"
                         : dtype == DType::BFloat16 ? "0x7f80u"
                         : itemSize(dtype) == 4     ? "0x7f800000u"
                                                    : "0x7ff0000000000000ull";
  return {{"@KEY@", itemSize(dtype) == 8 ? "tsc_word" : "unsigned"},
          {"@ITEM@", wordType(dtype).str()},
          {"@IS_SIGNED@", isSigned ? "true" : "false"},
          {"@IS_REAL@", isReal ? "true" : "false"},
          {"@INFINITE@", isReal ? infinite : "0"}};
}

Status Sorter::orderTiles(const Rows &rows, const Order &order) {
  const bool isLong = rows.length > tileElements;
  const auto span =
      isLong ? tileElements : static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(rows.length)));
  const int64_t tilesOfRow = isLong ? (rows.length + tileElements - 1) / tileElements : 1;
  HandLaunch launch{{rows.data, order.keys.data(), order.places.data()}, {}, rows.rows * tilesOfRow, true};
  for (int64_t number :
       {rows.rows, rows.length, rows.inner, span, tilesOfRow, int64_t{rows.isDescending}, rows.width, rows.bits})
    launch.numbers.push_back(static_cast<uint64_t>(number));
  const auto marks = marksFor(rows.dtype, rows.kind == Rows::Signed, rows.kind == Rows::Real);
  static constexpr const char *kinds[] = {"unsigned", "signed", "real"};
  std::string suffix = std::string(kinds[rows.kind]) + "_" + std::to_string(itemSize(rows.dtype));
  if (rows.dtype == DType::BFloat16)
    suffix += "_bfloat16";
  // Several short rows are a tile; and CUB takes a second to compile.
  constexpr int64_t longerThanNetwork = 256, worthCompiling = 1 << 14;
  if (rows.length > longerThanNetwork && rows.rows * rows.length >= worthCompiling) {
    TSC_ASSIGN_OR_RETURN(bool isDone, kernels.runWithHeaders("tsc_sort_radix_" + suffix, radixText, marks, launch));
    if (isDone)
      return okStatus();
  }
  const int64_t rowsOfTile = tileElements / span;
  if (!isLong)
    launch.work = (rows.rows + rowsOfTile - 1) / rowsOfTile;
  return kernels.run("tsc_sort_network_" + suffix, networkText, marks, launch);
}

Status Sorter::mergeRuns(const Rows &rows, int64_t run, const Order &from, const Order &to) {
  const int64_t pairsOfRow = (rows.length + 2 * run - 1) / (2 * run),
                piecesOfPair = (std::min(2 * run, rows.width) + tileElements - 1) / tileElements;
  HandLaunch launch{{from.keys.data(), from.places.data(), to.keys.data(), to.places.data()},
                    {},
                    rows.rows * pairsOfRow * piecesOfPair,
                    true};
  for (int64_t number : {rows.length, run, rows.width, pairsOfRow, piecesOfPair})
    launch.numbers.push_back(static_cast<uint64_t>(number));
  const bool isWide = itemSize(rows.dtype) == 8;
  return kernels.run(isWide ? "tsc_merge_8" : "tsc_merge_4", mergeText, {{"@KEY@", isWide ? "tsc_word" : "unsigned"}},
                     launch);
}

StatusOr<Sorter::Order> Sorter::order(const Rows &rows) {
  const int64_t count = rows.rows * rows.length;
  const DType keyType = itemSize(rows.dtype) == 8 ? DType::Int64 : DType::Int32;
  Order order[2];
  auto allocate = [&](Order &one) -> Status {
    TSC_ASSIGN_OR_RETURN(one.keys, kernels.empty({count}, keyType));
    TSC_ASSIGN_OR_RETURN(one.places, kernels.empty({count}, DType::Int32));
    return okStatus();
  };
  TSC_RETURN_IF_ERROR(allocate(order[0]));
  TSC_RETURN_IF_ERROR(orderTiles(rows, order[0]));
  if (rows.length <= tileElements)
    return order[0];
  TSC_RETURN_IF_ERROR(allocate(order[1]));
  bool second = false;
  for (int64_t run = tileElements; run < rows.length; run *= 2, second = !second)
    TSC_RETURN_IF_ERROR(mergeRuns(rows, run, order[second], order[!second]));
  return order[second];
}

StatusOr<Sorter::Order> Sorter::orderOf(const Tensor &numbers, int64_t most) {
  const int64_t count = numbers.numel(),
                bits = std::max<int64_t>(llvm::Log2_64_Ceil(static_cast<uint64_t>(most) + 1), 1);
  // What fills the last tile up is behind all that are there: these are below 2^31.
  return order({Rows::Unsigned, DType::Int32, numbers.data(), 1, count, 1, count, false, std::min<int64_t>(bits, 31)});
}

StatusOr<bool> Sorter::sort(const Ordering &ordering, llvm::MutableArrayRef<IValue> results) {
  const Tensor &self = ordering.self;
  if (!kernels.isTaken(self))
    return false;
  TSC_ASSIGN_OR_RETURN(Tensor dense, kernels.dense(self));
  const DType dtype = self.dtype();
  const int64_t length = self.size(ordering.dim);
  int64_t inner = 1;
  for (int64_t d = ordering.dim + 1; d != self.dim(); ++d)
    inner *= self.size(d);
  const bool isUnsigned = dtype == DType::Bool || dtype == DType::UInt8;
  const Rows rows{isFloating(dtype) ? Rows::Real
                  : isUnsigned      ? Rows::Unsigned
                                    : Rows::Signed,
                  dtype,
                  dense.data(),
                  self.numel() / length,
                  length,
                  inner,
                  ordering.width,
                  ordering.isDescending,
                  static_cast<int64_t>(8 * itemSize(dtype))};
  TSC_ASSIGN_OR_RETURN(Order order, this->order(rows));
  Dims sizes(self.sizes());
  sizes[static_cast<size_t>(ordering.dim)] = ordering.width;
  Tensor values = dense, indices = order.places; // operands that are not written
  if (ordering.wantsValues) {
    TSC_ASSIGN_OR_RETURN(values, kernels.empty(sizes, dtype));
  }
  if (ordering.wantsIndices) {
    TSC_ASSIGN_OR_RETURN(indices, kernels.empty(sizes, DType::Int64));
  }
  HandLaunch launch{
      {dense.data(), order.places.data(), values.data(), indices.data()}, {}, rows.rows * ordering.width, false};
  for (int64_t number : {length, inner, ordering.width, int64_t{ordering.wantsValues}, int64_t{ordering.wantsIndices}})
    launch.numbers.push_back(static_cast<uint64_t>(number));
  TSC_RETURN_IF_ERROR(kernels.run("tsc_emit_" + std::to_string(itemSize(dtype)), emitText,
                                  {{"@ITEM@", wordType(dtype).str()}}, launch));
  auto finished = [&](const Tensor &tensor) -> StatusOr<Tensor> {
    if (!ordering.keepsStrides || self.isContiguous())
      return tensor;
    TSC_ASSIGN_OR_RETURN(Dims strides, cpu::stridesLike(self));
    return kernels.arranged(tensor, strides);
  };
  size_t next = 0;
  for (auto [wanted, tensor] : {std::pair(ordering.wantsValues, &values), std::pair(ordering.wantsIndices, &indices)})
    if (wanted) {
      TSC_ASSIGN_OR_RETURN(Tensor result, finished(*tensor));
      results[next++] = IValue(std::move(result));
    }
  return true;
}
