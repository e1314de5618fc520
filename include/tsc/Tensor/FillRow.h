//===- FillRow.h - One number all along a row -------------------*- C++ -*-===//
#ifndef TSC_TENSOR_FILLROW_H
#define TSC_TENSOR_FILLROW_H

#include <complex>
#include <cstdint>

namespace tsc {

/// Write one value, given by its bits, to `count` elements, in stores as wide as the processor has.
void fillRow(uint8_t *to, uint8_t value, int64_t count);
void fillRow(uint16_t *to, uint16_t value, int64_t count);
void fillRow(uint32_t *to, uint32_t value, int64_t count);
void fillRow(uint64_t *to, uint64_t value, int64_t count);
void fillRow(std::complex<double> *to, std::complex<double> value, int64_t count);

} // namespace tsc

#endif
