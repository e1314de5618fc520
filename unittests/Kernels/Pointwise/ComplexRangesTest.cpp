//===- ComplexRangesTest.cpp - Complex functions of numbers of any size -----===//
//
// Lengths, quotients and roots whose squares overflow, or are too small to have all
// their bits, against a wider type; beside them in a vector are moderate numbers.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include <limits>

using namespace tsc;
using namespace tsc::test;
using K = PointwiseKind;
using Wide = std::complex<long double>;

template <typename T> static Tensor tensorOf(const std::vector<std::complex<T>> &values) {
  return make<std::complex<T>>(values, {static_cast<int64_t>(values.size())});
}

/// Numbers whose parts have magnitudes from the smallest to the largest of T, in pairs of which each meets each.
template <typename T> static std::vector<std::complex<T>> samples() {
  using Limits = std::numeric_limits<T>;
  const int most = Limits::max_exponent, least = Limits::min_exponent;
  std::vector<T> parts{T(0), -T(0), Limits::denorm_min(), Limits::min(), Limits::max() / 4};
  for (int exponent : {least + 1, least + 20, least / 2 - 12, least / 2, least / 2 + 9, -20, -3, 0, 1, 12, most / 2 - 9,
                       most / 2, most - 30, most - 3})
    parts.push_back(std::ldexp(T(1.3), exponent)), parts.push_back(std::ldexp(T(-1.7), exponent));
  std::vector<std::complex<T>> all;
  for (T re : parts)
    for (T im : parts)
      all.push_back({re, im});
  return all;
}

/// How far a result is from the exact one, in units of the exact one's last place; a result that T cannot hold well
/// counts for nothing.
template <typename T> static long double distance(std::complex<T> got, Wide exact) {
  const long double size = std::hypot(exact.real(), exact.imag());
  if (size > std::numeric_limits<T>::max() / 4 || size < 4 * std::numeric_limits<T>::min())
    return 0;
  const Wide error = Wide(got) - exact;
  return std::hypot(error.real(), error.imag()) / (size * std::numeric_limits<T>::epsilon());
}
static Wide quotient(Wide a, Wide b) {
  const long double n = b.real() * b.real() + b.imag() * b.imag();
  return {(a.real() * b.real() + a.imag() * b.imag()) / n, (a.imag() * b.real() - a.real() * b.imag()) / n};
}

template <typename T> static void checkUnary() {
  const std::vector<std::complex<T>> x = samples<T>();
  const Tensor input = tensorOf(x), lengths = only(unary(K::Aten_abs, input)), signs = only(unary(K::Aten_sgn, input)),
               roots = only(unary(K::Aten_sqrt, input));
  long double worstLength = 0, worstSign = 0, worstRoot = 0;
  for (size_t i = 0; i != x.size(); ++i) {
    const Wide wide(x[i]);
    const long double length = std::hypot(wide.real(), wide.imag());
    worstLength = worse(worstLength, distance<T>({lengths.data<T>()[i], 0}, length));
    if (length > 4 * std::numeric_limits<T>::min())
      worstSign = worse(worstSign, distance<T>(signs.data<std::complex<T>>()[i], wide / length));
    const auto root = roots.data<std::complex<T>>()[i];
    worstRoot = worse(worstRoot, distance<T>(root, std::sqrt(wide)));
    CHECK(!std::signbit(root.real()));
    CHECK(std::signbit(root.imag()) == std::signbit(x[i].imag()));
  }
  CHECK(worstLength <= 1);
  CHECK(worstSign <= 3);
  CHECK(worstRoot <= 3);
}
TEST_CASE("lengths, signs and roots of complex numbers of any size") {
  checkUnary<float>();
  checkUnary<double>();
}

template <typename T> static void checkQuotients() {
  const std::vector<std::complex<T>> all = samples<T>();
  std::vector<std::complex<T>> a, b;
  for (size_t i = 0; i < all.size(); i += 7)
    for (size_t j = 0; j < all.size(); j += 5)
      a.push_back(all[i]), b.push_back(all[j]);
  const Tensor quotients = only(binary(K::Aten_div_Tensor, tensorOf(a), tensorOf(b)));
  long double worst = 0;
  for (size_t i = 0; i != a.size(); ++i) {
    if (std::abs(Wide(b[i])) < 4 * std::numeric_limits<T>::min() || std::abs(Wide(b[i])) == 0)
      continue;
    const Wide exact = quotient(Wide(a[i]), Wide(b[i]));
    const long double error = distance<T>(quotients.data<std::complex<T>>()[i], exact);
    INFO(a[i] << " / " << b[i]);
    if (error > 8)
      CHECK(error == 0);
    worst = worse(worst, error);
  }
  CHECK(worst <= 8);
}
TEST_CASE("quotients of complex numbers of any size") {
  checkQuotients<float>();
  checkQuotients<double>();
}

/// Part by part, where one of them is much smaller than the other.
TEST_CASE("quotients keep the bits of their smaller part") {
  const std::vector<std::complex<float>> a = {{1e-10F, 1e-34F}, {1e-34F, 1e-10F}, {1e-10F, 1e-40F}, {1, 0}, {0, 1}},
                                         b = {{1e-10F, 0}, {1e-10F, 0}, {1e-10F, 0}, {1e-10F, 0}, {2, 0}};
  std::vector<std::complex<float>> left, right;
  for (int i = 0; i != 40; ++i)
    left.push_back(a[i % 5]), right.push_back(b[i % 5]);
  const Tensor quotients = only(binary(K::Aten_div_Tensor, tensorOf(left), tensorOf(right)));
  for (size_t i = 0; i != left.size(); ++i) {
    const std::complex<float> got = quotients.data<std::complex<float>>()[i];
    const float re = left[i].real() / right[i].real(), im = left[i].imag() / right[i].real();
    INFO(left[i] << " / " << right[i] << " = " << got);
    CHECK(std::fabs(got.real() - re) <= 4e-7F * std::fabs(re));
    CHECK(std::fabs(got.imag() - im) <= 4e-7F * std::fabs(im));
  }
}

TEST_CASE("complex functions of infinities and NaN, beside moderate numbers") {
  const float inf = INFINITY, nan = NAN;
  std::vector<std::complex<float>> x(40, {3, -4});
  x[3] = {inf, 1}, x[9] = {nan, 1}, x[17] = {1, -inf}, x[21] = {nan, inf}, x[33] = {0, 0};
  const Tensor input = tensorOf(x), lengths = only(unary(K::Aten_abs, input)), roots = only(unary(K::Aten_sqrt, input));
  for (size_t i : {size_t{3}, size_t{17}, size_t{21}})
    CHECK(lengths.data<float>()[i] == inf);
  CHECK(std::isnan(lengths.data<float>()[9]));
  CHECK(lengths.data<float>()[33] == 0);
  CHECK(lengths.data<float>()[34] == 5);
  CHECK(roots.data<std::complex<float>>()[34] == std::complex<float>(2, -1));
  CHECK(roots.data<std::complex<float>>()[3].real() == inf);
  CHECK(roots.data<std::complex<float>>()[17].imag() == -inf);
  CHECK(roots.data<std::complex<float>>()[33] == std::complex<float>(0, 0));
}
