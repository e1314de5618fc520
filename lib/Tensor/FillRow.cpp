//===- FillRow.cpp - One number all along a row ---------------------------===//
#include "tsc/Tensor/FillRow.h"
#include "tsc/Support/AtSimdLevel.h"
#include <algorithm>

using namespace tsc;

template <typename T> LLVM_ATTRIBUTE_ALWAYS_INLINE static void fill(T *to, T value, int64_t count) {
  std::fill_n(to, count, value);
}
void tsc::fillRow(uint8_t *to, uint8_t value, int64_t count) { atSimdLevel<fill<uint8_t>>(to, value, count); }
void tsc::fillRow(uint16_t *to, uint16_t value, int64_t count) { atSimdLevel<fill<uint16_t>>(to, value, count); }
void tsc::fillRow(uint32_t *to, uint32_t value, int64_t count) { atSimdLevel<fill<uint32_t>>(to, value, count); }
void tsc::fillRow(uint64_t *to, uint64_t value, int64_t count) { atSimdLevel<fill<uint64_t>>(to, value, count); }

LLVM_ATTRIBUTE_ALWAYS_INLINE static void fillPairs(double *to, double first, double second, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[2 * i] = first, to[2 * i + 1] = second;
}
void tsc::fillRow(std::complex<double> *to, std::complex<double> value, int64_t count) {
  atSimdLevel<fillPairs>(reinterpret_cast<double *>(to), value.real(), value.imag(), count);
}
