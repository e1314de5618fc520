//===- StridedLoop.cpp - Rows of strided operands -------------------------===//
//
// One walk for all kernels, whatever their operands' types and number: a kernel's
// code is what it does with a row.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/StridedLoop.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/WrappingProduct.h"

using namespace tsc;
using namespace tsc::cpu;
using llvm::MutableArrayRef;
using strided::RowFunction;

void cpu::strided::setOperandStrides(Dims &strides, ArrayRef<int64_t> sizes, ArrayRef<int64_t> opSizes,
                                     ArrayRef<int64_t> opStrides, size_t bytes) {
  assert(strides.size() == sizes.size() && "one stride for each dimension of the loop");
  assert(opSizes.size() == opStrides.size() && opSizes.size() <= sizes.size() &&
         "an operand broadcasts to the loop's sizes");
  const size_t lead = sizes.size() - opSizes.size();
  for (size_t d = 0; d != opSizes.size(); ++d)
    strides[lead + d] =
        opSizes[d] == 1 && sizes[lead + d] != 1 ? 0 : wrappingProduct(opStrides[d], static_cast<int64_t>(bytes));
}

static uint64_t magnitude(int64_t stride) { return stride < 0 ? 0 - static_cast<uint64_t>(stride) : stride; }

/// Whether dimension `a` should be inside dimension `b`.
static bool isInner(ArrayRef<Dims> strides, size_t a, size_t b) {
  for (const Dims &s : strides) {
    const uint64_t x = magnitude(s[a]), y = magnitude(s[b]);
    if (x == 0 || y == 0 || x == y)
      continue;
    return x < y;
  }
  return false;
}

/// Insertion sort: the largest stride of operand 0 (then of the others) outermost; stable for broadcast dimensions.
static void sortDims(Dims &sizes, MutableArrayRef<Dims> strides) {
  for (size_t d = 1; d < sizes.size(); ++d)
    for (size_t e = d; e != 0 && isInner(strides, e - 1, e); --e) {
      std::swap(sizes[e - 1], sizes[e]);
      for (Dims &s : strides)
        std::swap(s[e - 1], s[e]);
    }
}

static bool canMerge(const Dims &sizes, ArrayRef<Dims> strides, size_t outer, size_t inner) {
  for (const Dims &s : strides)
    if (s[outer] != wrappingProduct(s[inner], sizes[inner]))
      return false;
  return true;
}

static void mergeDims(Dims &sizes, MutableArrayRef<Dims> strides) {
  size_t kept = 0;
  for (size_t d = 0; d != sizes.size(); ++d) {
    if (sizes[d] == 1)
      continue;
    const bool merges = kept != 0 && canMerge(sizes, strides, kept - 1, d);
    if (merges)
      sizes[kept - 1] *= sizes[d];
    else
      sizes[kept] = sizes[d];
    for (Dims &s : strides)
      s[merges ? kept - 1 : kept] = s[d];
    kept += !merges;
  }
  sizes.resize(kept);
  for (Dims &s : strides)
    s.resize(kept);
}

/// Whether operands show few elements again and again, as expanded ones do.
static bool claimsMoreThanMemory(ArrayRef<int64_t> sizes) {
  constexpr double mostElements = 0x1p34;
  double count = 1;
  for (int64_t size : sizes)
    count *= static_cast<double>(size);
  return count > mostElements;
}

/// Calls `row` for one piece of a long row after the other, and looks between them whether the call is to end. Returns
/// whether it goes on.
static bool goAlong(ArrayRef<char *> pointers, ArrayRef<int64_t> rowStrides, int64_t count, RowFunction row) {
  constexpr int64_t piece = int64_t{1} << 20;
  work::LongLoop turns(std::min(piece, count));
  llvm::SmallVector<char *, 8> at(pointers);
  for (int64_t begin = 0; begin < count && turns.goOn(); begin += piece) {
    row(at.data(), rowStrides.data(), std::min(piece, count - begin));
    for (size_t i = 0; i != at.size(); ++i)
      at[i] += piece * rowStrides[i];
  }
  return !work::wasStopped();
}

void cpu::strided::walkRows(Dims &sizes, MutableArrayRef<Dims> strides, MutableArrayRef<char *> pointers, bool reorder,
                            RowFunction row) {
  assert(strides.size() == pointers.size() && "strides and memory of each operand");
  if (llvm::is_contained(sizes, 0))
    return;
  if (reorder)
    sortDims(sizes, strides);
  mergeDims(sizes, strides);
  const size_t operands = pointers.size(), rank = sizes.size();
  llvm::SmallVector<int64_t, 8> rowStrides(operands, 0);
  if (rank != 0)
    for (size_t i = 0; i != operands; ++i)
      rowStrides[i] = strides[i][rank - 1];
  const bool isEndless = claimsMoreThanMemory(sizes);
  if (rank <= 1 && !isEndless)
    return row(pointers.data(), rowStrides.data(), rank ? sizes[0] : 1);
  Dims index(rank - 1, 0);
  while (true) {
    if (!isEndless)
      row(pointers.data(), rowStrides.data(), sizes[rank - 1]);
    else if (!goAlong(pointers, rowStrides, sizes[rank - 1], row))
      return;
    size_t d = rank - 1;
    do {
      if (d == 0)
        return;
      --d;
      for (size_t i = 0; i != operands; ++i)
        pointers[i] += strides[i][d];
      if (++index[d] != sizes[d])
        break;
      for (size_t i = 0; i != operands; ++i)
        pointers[i] -= strides[i][d] * sizes[d];
      index[d] = 0;
    } while (true);
  }
}
