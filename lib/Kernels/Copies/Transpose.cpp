//===- Transpose.cpp - Matrices, rows to columns --------------------------===//
//
// Blocks that fill 128-bit vectors are transposed in registers, by interleaving halves
// as often as the logarithm of their width; tiles of blocks read and write whole lines
// of memory.
//
//===----------------------------------------------------------------------===//
#include "Interleave.h"
#include "tsc/Kernels/Copy.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <cstring>
#include <utility>

using namespace tsc;

namespace {
template <typename T> struct Vector {
  static constexpr int lanes = 16 / sizeof(T);
  using Type [[gnu::vector_size(16)]] = T;

  /// Elements of the first (high: last) halves of both in turn.
  static Type interleave(Type a, Type b, bool high) {
    return [&]<int... i>(std::integer_sequence<int, i...>) -> Type {
      if (high)
        return __builtin_shufflevector(a, b, (lanes / 2 + i / 2 + i % 2 * lanes)...);
      return __builtin_shufflevector(a, b, (i / 2 + i % 2 * lanes)...);
    }(std::make_integer_sequence<int, lanes>());
  }
};
} // namespace

template <typename T> static void transposeBlock(char *to, int64_t toRow, const char *from, int64_t fromColumn) {
  using V = Vector<T>;
  typename V::Type rows[V::lanes], mixed[V::lanes];
  for (int k = 0; k != V::lanes; ++k)
    std::memcpy(&rows[k], from + k * fromColumn, 16);
  for (int width = V::lanes; width != 1; width /= 2) {
    for (int k = 0; k != V::lanes / 2; ++k) {
      mixed[2 * k] = V::interleave(rows[k], rows[k + V::lanes / 2], false);
      mixed[2 * k + 1] = V::interleave(rows[k], rows[k + V::lanes / 2], true);
    }
    std::copy(mixed, mixed + V::lanes, rows);
  }
  for (int k = 0; k != V::lanes; ++k)
    std::memcpy(to + k * toRow, &rows[k], 16);
}

template <typename T>
static void transposeTile(char *to, int64_t toRow, const char *from, int64_t fromColumn, int64_t rows,
                          int64_t columns) {
  constexpr int64_t lanes = Vector<T>::lanes, item = sizeof(T);
  int64_t wholeRows = rows - rows % lanes, wholeColumns = columns - columns % lanes;
  for (int64_t c = 0; c != wholeColumns; c += lanes)
    for (int64_t r = 0; r != wholeRows; r += lanes)
      transposeBlock<T>(to + r * toRow + c * item, toRow, from + c * fromColumn + r * item, fromColumn);
  for (int64_t r = 0; r != rows; ++r)
    for (int64_t c = r < wholeRows ? wholeColumns : 0; c != columns; ++c)
      std::memcpy(to + r * toRow + c * item, from + c * fromColumn + r * item, item);
}

/// A few rows from or to columns without gaps between them, as the channels of a picture.
template <typename T>
static bool transposeFew(char *to, int64_t toRow, const char *from, int64_t fromColumn, int64_t rows, int64_t columns) {
  constexpr int64_t item = sizeof(T), few = 4;
  if (rows > 1 && rows <= few && fromColumn == rows * item) {
    cpu::interleaved::kernels<T>().separate(to, toRow, reinterpret_cast<const T *>(from), rows, columns);
    return true;
  }
  if (columns > 1 && columns <= few && toRow == columns * item) {
    cpu::interleaved::kernels<T>().mix(reinterpret_cast<T *>(to), from, fromColumn, columns, rows);
    return true;
  }
  return false;
}

template <typename T>
static void transposeMatrix(char *to, int64_t toRow, const char *from, int64_t fromColumn, int64_t rows,
                            int64_t columns) {
  constexpr int64_t item = sizeof(T), tile = 64 / item;
  if (transposeFew<T>(to, toRow, from, fromColumn, rows, columns))
    return;
  for (int64_t r = 0; r < rows; r += tile)
    for (int64_t c = 0; c < columns; c += tile)
      transposeTile<T>(to + r * toRow + c * item, toRow, from + c * fromColumn + r * item, fromColumn,
                       std::min(tile, rows - r), std::min(tile, columns - c));
}

void cpu::transposeElements(char *to, int64_t toRow, const char *from, int64_t fromColumn, int64_t rows,
                            int64_t columns, size_t item) {
  assert(rows >= 0 && columns >= 0 && "sizes of a matrix");
  switch (item) {
  case 1: return transposeMatrix<uint8_t>(to, toRow, from, fromColumn, rows, columns);
  case 2: return transposeMatrix<uint16_t>(to, toRow, from, fromColumn, rows, columns);
  case 4: return transposeMatrix<uint32_t>(to, toRow, from, fromColumn, rows, columns);
  case 8: return transposeMatrix<uint64_t>(to, toRow, from, fromColumn, rows, columns);
  default: llvm_unreachable("no element that is transposed has this size");
  }
}
