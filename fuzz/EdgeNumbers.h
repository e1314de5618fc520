//===- EdgeNumbers.h - Numbers that code forgets ----------------*- C++ -*-===//
#ifndef TSC_FUZZ_EDGENUMBERS_H
#define TSC_FUZZ_EDGENUMBERS_H

#include <cstdint>
#include <limits>

namespace tsc::fuzz {

/// Integers around the largest of each width, and some that products of sizes overflow with.
inline constexpr int64_t limits[] = {std::numeric_limits<int64_t>::max(),
                                     std::numeric_limits<int64_t>::min(),
                                     int64_t{1} << 62,
                                     -(int64_t{1} << 62),
                                     std::numeric_limits<int32_t>::max(),
                                     std::numeric_limits<int32_t>::min(),
                                     int64_t{1} << 32,
                                     int64_t{1} << 31,
                                     int64_t{1} << 53,
                                     int64_t{1} << 40,
                                     1000000,
                                     65536,
                                     32768,
                                     -100,
                                     (int64_t{1} << 61) + 1,
                                     255};
/// Numbers that are not finite, the smallest and largest ones, and some that no integer holds.
inline constexpr double specials[] = {std::numeric_limits<double>::quiet_NaN(),
                                      std::numeric_limits<double>::infinity(),
                                      -std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::denorm_min(),
                                      std::numeric_limits<double>::max(),
                                      -std::numeric_limits<double>::max(),
                                      std::numeric_limits<float>::denorm_min(),
                                      std::numeric_limits<float>::max(),
                                      -0.0,
                                      1e-30,
                                      9.3e18,
                                      2147483648.0};

} // namespace tsc::fuzz

#endif // TSC_FUZZ_EDGENUMBERS_H
