//===- FillRow.cpp - One number all along a row ---------------------------===//
#include "tsc/Tensor/FillRow.h"
#include "tsc/Support/FunctionClones.h"
#include <algorithm>

TSC_CLONES void tsc::fillRow(uint8_t *to, uint8_t value, int64_t count) { std::fill_n(to, count, value); }
TSC_CLONES void tsc::fillRow(uint16_t *to, uint16_t value, int64_t count) { std::fill_n(to, count, value); }
TSC_CLONES void tsc::fillRow(uint32_t *to, uint32_t value, int64_t count) { std::fill_n(to, count, value); }
TSC_CLONES void tsc::fillRow(uint64_t *to, uint64_t value, int64_t count) { std::fill_n(to, count, value); }

TSC_CLONES static void fillPairs(double *to, double first, double second, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[2 * i] = first, to[2 * i + 1] = second;
}
void tsc::fillRow(std::complex<double> *to, std::complex<double> value, int64_t count) {
  fillPairs(reinterpret_cast<double *>(to), value.real(), value.imag(), count);
}
