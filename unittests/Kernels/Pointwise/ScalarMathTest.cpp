//===- ScalarMathTest.cpp - Elementary functions against double precision -===//
#include "tsc/Kernels/PointwiseOps.h"
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
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

/// Where `exact` is NaN, results may be anything if `skipsNaN`.
static void checkErrors(PointwiseKind kind, const char *name, double bound, double (*exact)(double),
                        bool skipsNaN = false) {
  const Tensor &x = samples();
  StatusOr<Tensor> y = pointwise(kind, {PointwiseArg(x)});
  REQUIRE(y.ok());
  double worst = 0, at = 0;
  for (int64_t i = 0; i != x.numel(); ++i) {
    double argument = x.data<float>()[i], expected = exact(argument), error = ulps(y->data<float>()[i], expected);
    if (error > worst && !(skipsNaN && std::isnan(expected)))
      worst = error, at = argument;
  }
  INFO(name << " is " << worst << " ULP off at " << at);
  CHECK(worst <= bound);
}

/// S. Winitzki's approximation (2008), and Newton steps.
static double erfinv(double x) {
  const double a = std::fabs(x);
  if (!(a < 1))
    return a == 1 ? std::copysign(HUGE_VAL, x) : NAN;
  const double log = std::log1p(-a * a), k = 4.33 + log / 2;
  double y = std::sqrt(std::sqrt(k * k - log / 0.147) - k);
  for (int i = 0; i != 5; ++i) {
    const double error = a < 0.5 ? std::erf(y) - a : (1 - a) - std::erfc(y);
    y -= error / (1.12837916709551257390 * std::exp(-y * y));
  }
  return std::copysign(y, x);
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
  checkErrors(K::Aten_tan, "tan", 4, std::tan);
  checkErrors(K::Aten_asin, "asin", 3, std::asin);
  checkErrors(K::Aten_acos, "acos", 3, std::acos);
  checkErrors(K::Aten_atan, "atan", 3, std::atan);
  checkErrors(K::Aten_sinh, "sinh", 4, std::sinh);
  checkErrors(K::Aten_cosh, "cosh", 4, std::cosh);
  checkErrors(K::Aten_asinh, "asinh", 4, std::asinh);
  checkErrors(K::Aten_acosh, "acosh", 4, std::acosh);
  checkErrors(K::Aten_atanh, "atanh", 4, std::atanh);
  checkErrors(K::Aten_erfc, "erfc", 1, std::erfc);
  checkErrors(K::Aten_erfinv, "erfinv", 1, erfinv);
  checkErrors(
      K::Aten_special_ndtri, "ndtri", 1,
      [](double p) { return p > 1e-8 && p < 1 ? std::numbers::sqrt2 * erfinv(2 * p - 1) : NAN; }, true);
  // Near its zeros below 0 as exact as a double's argument lets it be.
  checkErrors(K::Aten_lgamma, "lgamma", 1, [](double x) { return x < -0.5 ? NAN : std::lgamma(x); }, true);
  // Where e^-x overflows, PyTorch too gives 0 for what would be subnormal.
  checkErrors(K::Aten_sigmoid, "sigmoid", 4, [](double x) { return x < -88.722839 ? 0 : 1 / (1 + std::exp(-x)); });
}

TEST_CASE("ScalarMath: rsqrt is within its stated error everywhere") {
  checkErrors(PointwiseKind::Aten_rsqrt, "rsqrt", 2, [](double x) { return 1 / std::sqrt(x); });
}

/// Raises each base to each exponent; none may be further off than `bound`, and zeros have their signs.
static void checkPowers(const std::vector<float> &manyBases, const std::vector<float> &manyExponents, double bound) {
  std::vector<float> bases, exponents;
  for (float base : manyBases)
    for (float exponent : manyExponents)
      bases.push_back(base), exponents.push_back(exponent);
  auto tensorOf = [](const std::vector<float> &values) {
    Tensor t = *Tensor::empty({static_cast<int64_t>(values.size())}, DType::Float);
    std::copy(values.begin(), values.end(), t.mutableData<float>());
    return t;
  };
  Tensor x = tensorOf(bases), y = tensorOf(exponents);
  StatusOr<Tensor> power = pointwise(PointwiseKind::Aten_pow_Tensor_Tensor, {PointwiseArg(x), PointwiseArg(y)});
  REQUIRE(power.ok());
  for (size_t i = 0; i != bases.size(); ++i) {
    double exact = std::pow(static_cast<double>(bases[i]), exponents[i]), error = ulps(power->data<float>()[i], exact);
    bool hasSign = std::isnan(exact) || std::signbit(exact) == std::signbit(power->data<float>()[i]);
    if (error > bound || !hasSign)
      FAIL_CHECK(bases[i] << " ** " << exponents[i] << " is " << power->data<float>()[i] << ", " << error
                          << " ULP off");
  }
}

// Results overflow and vanish, too.
TEST_CASE("ScalarMath: float powers are rounded once, of bases of all magnitudes") {
  std::vector<float> bases;
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 15485863)
    bases.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  for (float base = 0.5f; base < 2; base += 1.0f / 512)
    bases.push_back(base);
  for (float base : {1.4142135f, 1.41421354f, 1.4142137f, 0.70710677f, 0.7071068f}) // where the series ends latest
    bases.push_back(base);
  checkPowers(bases, {-255.5, -40, -3, -2.5, -1, -0.3f, 1e-3f, 0.5, 1, 1.7f, 3, 3.5, 20, 20.5, 100.25, 255, 12345.6f},
              0.501);
}

TEST_CASE("ScalarMath: powers of zero, one, infinity and NaN are those of C") {
  constexpr float inf = HUGE_VALF, least = 1e-45f, most = 3.4028235e38f;
  checkPowers(
      {0.0f, -0.0f, 1, -1, 2, -2, 0.5, -0.5, inf, -inf, NAN, least, -least, most, -most, 1.0000001f, 0.99999994f},
      {0.0f, -0.0f, 1,    -1,   2,     -2,     3,        -3,    0.5, -0.5, 2.5, -2.5,
       127,  128,   -149, -150, 1e30f, -1e30f, 16777218, least, inf, -inf, NAN},
      0.501);
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

/// As `ulps`, of double.
static double doubleUlps(double got, long double exact) {
  const double rounded = static_cast<double>(exact);
  if (std::isnan(exact))
    return std::isnan(got) ? 0 : HUGE_VAL;
  if (std::isinf(rounded) || std::isinf(got))
    return got == rounded ? 0 : HUGE_VAL;
  if (got == 0 && rounded == 0)
    return std::signbit(got) == std::signbit(rounded) ? 0 : HUGE_VAL;
  const int exponent = std::max(std::ilogb(rounded == 0 ? 5e-324 : rounded), -1022);
  return static_cast<double>(std::fabs(got - exact) / std::ldexp(1.0L, exponent - 52));
}

static void checkDoubles(PointwiseKind kind, const char *name, double bound, long double (*exact)(long double)) {
  static const Tensor x = [] {
    std::vector<double> all;
    for (uint64_t i = 0, bits = 0; i != 100000; ++i, bits += 0x9e3779b97f4a7c15) // of all magnitudes
      all.push_back(std::bit_cast<double>(bits));
    for (double range : {1e-3, 1.0, 4.0, 30.0, 720.0, 40000.0, 1e7})
      for (int i = -20000; i <= 20000; ++i)
        all.push_back(range * i / 20000.0);
    for (double special : {0.0, 1.0, HUGE_VAL, 709.78, 709.79, 710.4, 710.5, 745.1, 745.2, 5e-324, 2.2e-308, 1.7e308})
      all.insert(all.end(), {special, -special});
    all.push_back(NAN);
    Tensor t = *Tensor::empty({static_cast<int64_t>(all.size())}, DType::Double);
    std::copy(all.begin(), all.end(), t.mutableData<double>());
    return t;
  }();
  StatusOr<Tensor> y = pointwise(kind, {PointwiseArg(x)});
  REQUIRE(y.ok());
  double worst = 0, at = 0;
  for (int64_t i = 0; i != x.numel(); ++i) {
    const double argument = x.data<double>()[i], error = doubleUlps(y->data<double>()[i], exact(argument));
    if (error > worst)
      worst = error, at = argument;
  }
  INFO(name << " is " << worst << " ULP off at " << at);
  CHECK(worst <= bound);
}

TEST_CASE("ScalarMath: double functions are within their stated error everywhere") {
  using K = PointwiseKind;
  checkDoubles(K::Aten_exp, "exp", 2, std::exp);
  checkDoubles(K::Aten_expm1, "expm1", 2, std::expm1);
  checkDoubles(K::Aten_log, "log", 2, std::log);
  checkDoubles(K::Aten_log1p, "log1p", 4, std::log1p);
  checkDoubles(K::Aten_log2, "log2", 2, std::log2);
  checkDoubles(K::Aten_erf, "erf", 3, std::erf);
  checkDoubles(K::Aten_tanh, "tanh", 3, std::tanh);
  checkDoubles(K::Aten_sin, "sin", 4, std::sin);
  checkDoubles(K::Aten_cos, "cos", 4, std::cos);
  checkDoubles(K::Aten_tan, "tan", 4, std::tan);
  checkDoubles(K::Aten_asin, "asin", 4, std::asin);
  checkDoubles(K::Aten_acos, "acos", 4, std::acos);
  checkDoubles(K::Aten_atan, "atan", 4, std::atan);
  checkDoubles(K::Aten_sinh, "sinh", 4, std::sinh);
  checkDoubles(K::Aten_cosh, "cosh", 4, std::cosh);
  checkDoubles(K::Aten_asinh, "asinh", 4, std::asinh);
  checkDoubles(K::Aten_acosh, "acosh", 4, std::acosh);
  checkDoubles(K::Aten_atanh, "atanh", 4, std::atanh);
}

TEMPLATE_TEST_CASE("ScalarMath: atan2 and hypot are those of C at zeros, infinities and NaN", "", float, double) {
  const std::vector<double> values{0.0, -0.0, 1, -1, 0.3, -2.5, 1e30, -1e-30, HUGE_VAL, -HUGE_VAL, NAN};
  const auto count = static_cast<int64_t>(values.size());
  constexpr DType dtype = sizeof(TestType) == 4 ? DType::Float : DType::Double;
  Tensor y = *Tensor::empty({count * count}, dtype), x = *Tensor::empty({count * count}, dtype);
  for (int64_t i = 0; i != count * count; ++i) {
    y.mutableData<TestType>()[i] = static_cast<TestType>(values[static_cast<size_t>(i / count)]);
    x.mutableData<TestType>()[i] = static_cast<TestType>(values[static_cast<size_t>(i % count)]);
  }
  Tensor angle = *pointwise(PointwiseKind::Aten_atan2, {PointwiseArg(y), PointwiseArg(x)});
  Tensor length = *pointwise(PointwiseKind::Aten_hypot, {PointwiseArg(y), PointwiseArg(x)});
  for (int64_t i = 0; i != count * count; ++i) {
    const TestType a = y.data<TestType>()[i], b = x.data<TestType>()[i];
    auto checkEqual = [&](TestType got, TestType expected) {
      INFO(a << ", " << b << ": " << got << ", expected " << expected);
      if (std::isnan(expected))
        CHECK(std::isnan(got));
      else
        CHECK((got == expected ||
               std::fabs(got - expected) <= 4 * std::numeric_limits<TestType>::epsilon() * std::fabs(expected)));
      CHECK((std::isnan(expected) || std::signbit(got) == std::signbit(expected)));
    };
    checkEqual(angle.data<TestType>()[i], std::atan2(a, b));
    checkEqual(length.data<TestType>()[i], std::hypot(a, b));
  }
}

TEST_CASE("ScalarMath: the bits of a hypot do not depend on its neighbours") {
  constexpr int64_t count = 67;
  Tensor x = *Tensor::empty({count}, DType::Double), y = *Tensor::empty({count}, DType::Double);
  for (int64_t i = 0; i != count; ++i) {
    x.mutableData<double>()[i] = 0.1 + static_cast<double>(i * 37 % 23) / 7;
    y.mutableData<double>()[i] = 0.3 + static_cast<double>(i * 17 % 29) / 11;
  }
  auto lengths = [&] { return *pointwise(PointwiseKind::Aten_hypot, {PointwiseArg(x), PointwiseArg(y)}); };
  const Tensor before = lengths();
  for (int64_t i = 0; i < count; i += 4)
    x.mutableData<double>()[i] = 1e200;
  const Tensor after = lengths();
  for (int64_t i = 0; i != count; ++i)
    CHECK(after.data<double>()[i] == (i % 4 == 0 ? 1e200 : before.data<double>()[i]));
}
