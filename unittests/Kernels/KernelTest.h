//===- KernelTest.h - Comparing kernels with recorded results ---*- C++ -*-===//
//
// Inputs are ramps that Python can make exactly alike; expected numbers are what
// PyTorch 1.13 gave for them (utils/record_kernel_tests.py writes the tests).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_UNITTESTS_KERNELS_KERNELTEST_H
#define TSC_UNITTESTS_KERNELS_KERNELTEST_H

#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Tensor/Tensor.h"
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace tsc::test {

template <typename T> Tensor make(const std::vector<T> &values, ArrayRef<int64_t> sizes) {
  return *Tensor::fromSpan<T>(values, sizes);
}
/// The larger of two errors. One that is NaN is larger than any bound, where std::max would lose it.
template <typename T> T worse(T worst, T error) {
  return std::isnan(error) ? std::numeric_limits<T>::infinity() : std::max(worst, error);
}
inline std::vector<double> numbers(const Tensor &t) {
  std::vector<double> out;
  for (int64_t i = 0; i != t.numel(); ++i)
    out.push_back(t.at(i).toDouble());
  return out;
}

inline Tensor doubles(const std::vector<double> &values) {
  return make<double>(values, {static_cast<int64_t>(values.size())});
}

/// Normally distributed, complex numbers in both parts.
inline Tensor randomTensor(ArrayRef<int64_t> sizes, DType dtype, std::mt19937 &engine, double mean = 0,
                           double deviation = 1) {
  std::normal_distribution<double> normal(mean, deviation);
  Tensor t = *Tensor::empty(sizes, dtype);
  for (int64_t i = 0; i != t.numel(); ++i) {
    const double real = normal(engine);
    t.set(i, isComplex(dtype) ? Scalar(std::complex<double>(real, normal(engine))) : Scalar(real));
  }
  return t;
}
inline Tensor randomTensor(ArrayRef<int64_t> sizes, DType dtype = DType::Float, uint32_t seed = 1, double mean = 0,
                           double deviation = 1) {
  std::mt19937 engine(seed);
  return randomTensor(sizes, dtype, engine, mean, deviation);
}

/// Element by element, by Tensor::at and Tensor::set.
inline Tensor slowCopy(const Tensor &t) {
  Tensor out = *Tensor::empty(t.sizes(), t.dtype());
  for (int64_t i = 0; i != t.numel(); ++i)
    out.set(i, t.at(i));
  return out;
}

/// Whether two tensors have the same sizes, dtype and bits, whatever their strides.
inline bool sameBits(const Tensor &a, const Tensor &b) {
  if (a.sizes() != b.sizes() || a.dtype() != b.dtype())
    return false;
  const Tensor x = *cpu::contiguous(a), y = *cpu::contiguous(b);
  return a.numel() == 0 || std::memcmp(x.data(), y.data(), static_cast<size_t>(a.numel()) * itemSize(a.dtype())) == 0;
}
/// The largest absolute value.
inline double largest(const Tensor &t) {
  double most = 0;
  for (int64_t i = 0; i != t.numel(); ++i)
    most = std::max(most, std::abs(t.at(i).toComplex()));
  return most;
}
/// The largest difference of two tensors; NaN where one has it.
inline double apart(const Tensor &a, const Tensor &b) {
  REQUIRE(a.numel() == b.numel());
  double most = 0;
  for (int64_t i = 0; i != a.numel(); ++i) {
    const double difference = std::abs(a.at(i).toComplex() - b.at(i).toComplex());
    most = difference > most || std::isnan(difference) ? difference : most;
  }
  return most;
}

/// Element i is ((i * 37 + seed * 11) % 23) / 8 - 1.25, exact in every floating dtype.
inline Tensor ramp(ArrayRef<int64_t> sizes, int64_t seed = 0, DType dtype = DType::Float) {
  Tensor t = *Tensor::empty(sizes, dtype);
  for (int64_t i = 0; i < t.numel(); ++i) {
    double value = static_cast<double>((i * 37 + seed * 11) % 23) / 8 - 1.25;
    if (isComplex(dtype))
      t.set(i, Scalar(std::complex<double>(value, static_cast<double>((i * 17 + seed) % 7) / 4)));
    else
      t.set(i, Scalar(value));
  }
  return t;
}
/// As ramp, but quadratic in i: matrices of it are regular.
inline Tensor bumps(ArrayRef<int64_t> sizes, int64_t seed = 0, DType dtype = DType::Float) {
  Tensor t = ramp(sizes, seed, dtype);
  for (int64_t i = 0; i < t.numel(); ++i) {
    double value = static_cast<double>((i * i * 5 + i * 37 + seed * 11) % 29) / 8 - 1.5;
    t.set(i, isComplex(dtype) ? Scalar(std::complex<double>(value, t.at(i).toComplex().imag())) : Scalar(value));
  }
  return t;
}
/// Element i is (i * 7 + seed) % limit, as Long.
inline Tensor indices(ArrayRef<int64_t> sizes, int64_t limit, int64_t seed = 0) {
  Tensor t = *Tensor::empty(sizes, DType::Int64);
  for (int64_t i = 0; i < t.numel(); ++i)
    t.set(i, Scalar((i * 7 + seed) % limit));
  return t;
}
inline Tensor longs(std::initializer_list<int64_t> values) {
  Tensor t = *Tensor::empty({static_cast<int64_t>(values.size())}, DType::Int64);
  int64_t i = 0;
  for (int64_t v : values)
    t.set(i++, Scalar(v));
  return t;
}

/// The same elements, channels inside.
inline Tensor inside(const Tensor &t) { return *cpu::contiguous(t, MemoryFormat::ChannelsLast); }
/// indices({21}, 41, seed) * 2 - 41 in a dtype: odd numbers.
inline Tensor narrowed(DType dtype, int64_t seed = 0) {
  Tensor t = indices({21}, 41, seed);
  for (int64_t i = 0; i != t.numel(); ++i)
    t.set(i, Scalar(t.at(i).toInt() * 2 - 41));
  return *cpu::toDType(t, dtype);
}
inline StatusOr<Tensor> unary(PointwiseKind kind, const Tensor &a) { return pointwise(kind, {PointwiseArg(a)}); }
inline StatusOr<Tensor> binary(PointwiseKind kind, const Tensor &a, const Tensor &b) {
  return pointwise(kind, {PointwiseArg(a), PointwiseArg(b)});
}
inline StatusOr<Tensor> add(const Tensor &a, const Tensor &b) {
  return pointwise(PointwiseKind::Aten_add_Tensor, {PointwiseArg(a), PointwiseArg(b), PointwiseArg(Scalar(1))});
}

inline Tensor only(const StatusOr<Tensor> &result) {
  INFO(result.status().message());
  REQUIRE(result.ok());
  return *result;
}
template <size_t I, typename... T> Tensor part(const StatusOr<std::tuple<T...>> &result) {
  INFO(result.status().message());
  REQUIRE(result.ok());
  return std::get<I>(*result);
}

inline void expectTensor(const Tensor &actual, ArrayRef<int64_t> sizes, ArrayRef<double> values,
                         double tolerance = 1e-5) {
  REQUIRE(actual.defined());
  CHECK(actual.sizes() == sizes);
  if (actual.sizes() != sizes)
    return;
  bool complex = isComplex(actual.dtype());
  for (int64_t i = 0; i < actual.numel(); ++i) {
    std::complex<double> got = actual.at(i).toComplex();
    std::complex<double> want = complex ? std::complex<double>(values[2 * i], values[2 * i + 1]) : values[i];
    if (std::isnan(want.real()) && std::isnan(got.real()))
      continue;
    INFO("element " << i << ": " << got << ", expected " << want);
    CHECK((got == want || std::abs(got - want) <= tolerance * (1 + std::abs(want))));
  }
}

inline void expectError(const Status &status, llvm::StringRef message) {
  CHECK(!status.ok());
  CHECK(messageOf(status).str() == message.str());
}

} // namespace tsc::test

#endif
