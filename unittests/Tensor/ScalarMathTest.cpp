//===- ScalarMathTest.cpp - Elementary functions against double precision -===//
#include "tsc/Tensor/PointwiseOps.h"
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
using namespace tsc;

/// Distance of `got` from the exact value, in units of the last place of the exact value rounded to float. Any NaN
/// equals any other; what overflows in float is infinite.
static double ulps(float got, double exact) {
  float rounded = static_cast<float>(exact);
  if (std::isnan(exact))
    return std::isnan(got) ? 0 : HUGE_VAL;
  if (std::isinf(rounded) || std::isinf(got))
    return got == rounded ? 0 : HUGE_VAL;
  int exponent = std::max(std::ilogb(rounded == 0 ? 1e-45f : rounded), -126);
  return std::fabs(got - exact) / std::ldexp(1.0, exponent - 23);
}

/// Every 769th bit pattern of float, and every 3rd of the numbers between 1/4 and 4, where argument reductions meet.
static const Tensor &samples() {
  static const Tensor values = [] {
    std::vector<float> all;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 769)
      all.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    for (uint32_t bits = std::bit_cast<uint32_t>(0.25f); bits < std::bit_cast<uint32_t>(4.0f); bits += 30) {
      all.push_back(std::bit_cast<float>(bits));
      all.push_back(-std::bit_cast<float>(bits));
    }
    for (float special : {0.0f,   -0.0f,         1.0f,    -1.0f,   HUGE_VALF, -HUGE_VALF, NAN,     88.722839f, -103.97f,
                          1e-45f, 3.4028235e38f, 9.1f,    9.02f,   4.0f,      3.92f,      -104.0f, -18.0f,     88.73f,
                          89.0f,  -88.73f,       -149.0f, -150.0f, -151.0f,   127.99f,    128.0f})
      all.push_back(special);
    Tensor t = *Tensor::empty({static_cast<int64_t>(all.size())}, DType::Float);
    std::copy(all.begin(), all.end(), t.mutableData<float>());
    return t;
  }();
  return values;
}

static void checkErrors(PointwiseKind kind, const char *name, double bound, double (*exact)(double)) {
  const Tensor &x = samples();
  StatusOr<Tensor> y = pointwise(kind, {PointwiseArg(x)});
  REQUIRE(y.ok());
  double worst = 0, at = 0;
  for (int64_t i = 0; i != x.numel(); ++i) {
    double argument = x.data<float>()[i], error = ulps(y->data<float>()[i], exact(argument));
    if (error > worst)
      worst = error, at = argument;
  }
  INFO(name << " is " << worst << " ULP off at " << at);
  CHECK(worst <= bound);
}

TEST_CASE("ScalarMath: float functions are within their stated error everywhere") {
  using K = PointwiseKind;
  checkErrors(K::Aten_exp, "exp", 2, std::exp);
  checkErrors(K::Aten_exp2, "exp2", 2, std::exp2);
  checkErrors(K::Aten_expm1, "expm1", 2, std::expm1);
  checkErrors(K::Aten_log, "log", 2, std::log);
  checkErrors(K::Aten_log2, "log2", 2, std::log2);
  checkErrors(K::Aten_log10, "log10", 2, std::log10);
  checkErrors(K::Aten_log1p, "log1p", 3, std::log1p);
  checkErrors(K::Aten_tanh, "tanh", 3, std::tanh);
  checkErrors(K::Aten_erf, "erf", 2, std::erf);
  checkErrors(K::Aten_sin, "sin", 2, std::sin);
  checkErrors(K::Aten_cos, "cos", 2, std::cos);
  // Where e^-x overflows, PyTorch too gives 0 for what would be subnormal.
  checkErrors(K::Aten_sigmoid, "sigmoid", 4, [](double x) { return x < -88.722839 ? 0 : 1 / (1 + std::exp(-x)); });
}

TEST_CASE("ScalarMath: rsqrt and pow are within 4 units of the last place") {
  checkErrors(PointwiseKind::Aten_rsqrt, "rsqrt", 4, [](double x) { return 1 / std::sqrt(x); });
  // Bases of all magnitudes and exponents of both signs, whole and not, by which results overflow and vanish, too.
  std::vector<float> bases, exponents;
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 15485863)
    for (float exponent : {-40.0f, -3.0f, -2.5f, -1.0f, -0.3f, 0.0f, 1e-3f, 0.5f, 1.0f, 1.7f, 3.0f, 3.5f, 20.0f, 20.5f})
      bases.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits))), exponents.push_back(exponent);
  auto tensorOf = [](const std::vector<float> &values) {
    Tensor t = *Tensor::empty({static_cast<int64_t>(values.size())}, DType::Float);
    std::copy(values.begin(), values.end(), t.mutableData<float>());
    return t;
  };
  Tensor x = tensorOf(bases), y = tensorOf(exponents);
  StatusOr<Tensor> power = pointwise(PointwiseKind::Aten_pow_Tensor_Tensor, {PointwiseArg(x), PointwiseArg(y)});
  REQUIRE(power.ok());
  for (size_t i = 0; i != bases.size(); ++i)
    if (double error = ulps(power->data<float>()[i], std::pow(static_cast<double>(bases[i]), exponents[i])); error > 4)
      FAIL_CHECK(bases[i] << " ** " << exponents[i] << " is " << error << " ULP off");
}

TEST_CASE("ScalarMath: odd functions keep the sign of zero, and tanh and erf stay within 1") {
  const Tensor &x = samples();
  for (PointwiseKind kind : {PointwiseKind::Aten_tanh, PointwiseKind::Aten_erf, PointwiseKind::Aten_expm1}) {
    StatusOr<Tensor> y = pointwise(kind, {PointwiseArg(x)});
    REQUIRE(y.ok());
    int64_t wrongSigns = 0, beyond = 0, below = 0;
    for (int64_t i = 0; i != x.numel(); ++i) {
      float argument = x.data<float>()[i], value = y->data<float>()[i];
      if (std::isnan(argument))
        continue;
      wrongSigns += std::signbit(argument) != std::signbit(value);
      beyond += kind != PointwiseKind::Aten_expm1 && std::fabs(value) > 1;
      below += kind != PointwiseKind::Aten_expm1 && std::fabs(argument) > 9.1f && std::fabs(value) != 1;
    }
    CHECK(wrongSigns == 0);
    CHECK(beyond == 0);
    CHECK(below == 0);
  }
}
