//===- SpecialFunctionsTest.cpp - Against PyTorch's values ----------------===//
//
// Expected numbers are what PyTorch 1.13 gave in double; some of its series end at nine digits.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include <cmath>
#include <limits>
#include <vector>

using namespace tsc;
using namespace tsc::test;
using K = PointwiseKind;

static void expect(K kind, std::vector<PointwiseArg> args, const std::vector<double> &wanted) {
  StatusOr<Tensor> result = pointwise(kind, args);
  INFO(result.status().message());
  REQUIRE(result.ok());
  for (size_t i = 0; i != wanted.size(); ++i) {
    double got = result->at(i).toDouble();
    INFO("element " << i << ": " << got << ", expected " << wanted[i]);
    CHECK((got == wanted[i] || (std::isnan(got) && std::isnan(wanted[i])) ||
           std::fabs(got - wanted[i]) <= 1e-8 * std::fabs(wanted[i]) + 1e-12));
  }
}

TEST_CASE("special functions of one argument") {
  Tensor x = doubles({-2.5, -0.3, 0.2, 1, 3.7, 12});
  expect(K::Aten_special_entr, {x}, {-INFINITY, -INFINITY, 0.321887582487, -0, -4.84083143271, -29.8188797975});
  expect(K::Aten_special_erfcx, {x},
         {1035.81484297, 1.45374923284, 0.809019519902, 0.427583576156, 0.147434997537, 0.0468542210149});
  expect(K::Aten_special_ndtr, {x},
         {0.00620966532578, 0.382088577811, 0.579259709439, 0.841344746069, 0.999892200267, 1});
  expect(K::Aten_special_log_ndtr, {x},
         {-5.08164827728, -0.962102818169, -0.546004353723, -0.172753779023, -0.000107805544286, -1.77648211208e-33});
  expect(K::Aten_special_ndtri, {x}, {NAN, NAN, -0.841621233573, INFINITY, NAN, NAN});
  expect(K::Aten_i0, {x}, {3.28983914405, 1.02262687935, 1.0100250278, 1.26606587775, 8.73861752417, 18948.9253493});
  expect(K::Aten_special_i0e, {x},
         {0.270046441612, 0.757580625183, 0.826938551634, 0.465759607594, 0.216049441673, 0.116426221213});
  expect(K::Aten_special_i1, {x},
         {-2.51671624529, -0.151693840004, 0.100500834028, 0.565159103992, 7.43574579654, 18141.3487816});
  expect(K::Aten_special_i1e, {x},
         {-0.206584649531, -0.11237756064, 0.0822831235288, 0.20791041535, 0.183837858027, 0.11146429929});
  expect(K::Aten_special_bessel_j0, {x},
         {-0.0483837764683, 0.977626246538, 0.99002497224, 0.765197686558, -0.399230203594, 0.0476893107833});
  expect(K::Aten_special_bessel_j1, {x},
         {-0.497094102464, -0.148318816273, 0.0995008326392, 0.440050585745, 0.0538339877554, -0.223447104484});
  expect(K::Aten_special_bessel_y0, {x}, {NAN, NAN, -1.08110532237, 0.0882569642157, 0.106074315267, -0.225237312637});
  expect(K::Aten_special_bessel_y1, {x}, {NAN, NAN, -3.32382498811, -0.7812128213, 0.416674372825, -0.0570992182906});
  expect(K::Aten_special_modified_bessel_k0, {x},
         {NAN, NAN, 1.75270385553, 0.421024438241, 0.0156306599216, 2.20082539731e-06});
  expect(K::Aten_special_modified_bessel_k1, {x},
         {NAN, NAN, 4.77597254322, 0.601907230197, 0.0176280351022, 2.29075746477e-06});
  expect(K::Aten_special_scaled_modified_bessel_k0, {x},
         {NAN, NAN, 2.14075732338, 1.14446307981, 0.632218059199, 0.358194878489});
  expect(K::Aten_special_scaled_modified_bessel_k1, {x},
         {NAN, NAN, 5.83338603719, 1.63615348626, 0.71300650105, 0.37283175337});
  expect(K::Aten_special_spherical_bessel_j0, {x},
         {0.239388857642, 0.985067355538, 0.993346653975, 0.841470984808, -0.143198957002, -0.0447144098334});
  // Ai(-2.5) as tables have it; PyTorch 1.13 is 2e-7 off there.
  expect(K::Aten_special_airy_ai, {x},
         {-0.112325067693, 0.430903095286, 0.303703154286, 0.135292416313, 0.00174557200061, 1.39318468888e-13});
}

TEST_CASE("gamma functions") {
  Tensor a = doubles({0.5, 2, 10, 30, 0}), b = doubles({0.7, 1, 14, 25, 1});
  expect(K::Aten_igamma, {a, b}, {0.763276429362, 0.264241117657, 0.890600630357, 0.182103915757, 1});
  expect(K::Aten_igammac, {a, b}, {0.236723570638, 0.735758882343, 0.109399369643, 0.817896084243, 0});
  expect(K::Aten_special_zeta, {doubles({1.5, 2, 3, 1, 0.5}), doubles({0.7, 1, -2.5, 2, 2})},
         {3.49872774121, 1.64493406685, 0.0541020258209, INFINITY, NAN});
  // Far below zero; values of a sum in 30 digits.
  expect(K::Aten_special_zeta, {doubles({2, 3, 2}), doubles({-1500.5, -2000.25, -0.25})},
         {9.86893817859568, -62.0125532356933, 18.5418796476716});
  expect(K::Aten_polygamma, {Scalar(0), b},
         {-1.2200235537, -0.577215664902, 2.60291809023, 3.19874251285, -0.577215664902});
  expect(K::Aten_polygamma, {Scalar(2), b},
         {-6.43499287419, -2.40411380632, -0.00547946569031, -0.00166527931842, -2.40411380632});
  expect(K::Aten_polygamma, {Scalar(3), b},
         {25.8791496784, 6.49393940227, 0.000810664701232, 0.000135884636508, 6.49393940227});
  expect(K::Aten_mvlgamma, {doubles({1.5, 4}), Scalar(3)}, {2.16867753406, 5.40297508091});
  CHECK(pointwise(K::Aten_polygamma, std::vector<PointwiseArg>{Scalar(-1), b}).status().message() ==
        "polygamma(n, x) does not support negative n.");
  CHECK(pointwise(K::Aten_mvlgamma, std::vector<PointwiseArg>{b, Scalar(0)}).status().message() ==
        "p has to be greater than or equal to 1");
}

TEST_CASE("orthogonal polynomials") {
  Tensor x = doubles({-1, -0.4, 0.3, 1, 1.5, 0.9}), n = doubles({3, 4, 9, 10, 5, -1});
  expect(K::Aten_special_chebyshev_polynomial_t, {x, n}, {-1, -0.0752, 0.388827648, 1, 61.5, 0});
  expect(K::Aten_special_chebyshev_polynomial_u, {x, n}, {-4, -0.5104, 0.099088896, 11, 144, 0});
  expect(K::Aten_special_chebyshev_polynomial_v, {x, n}, {-7, -1.5984, 1.064884736, 1, 89, 0});
  expect(K::Aten_special_chebyshev_polynomial_w, {x, n}, {-1, 0.5776, -0.866706944, 21, 199, 0});
  expect(K::Aten_special_shifted_chebyshev_polynomial_t, {x, n}, {-99, 59.0608, 0.532929536, 1, 362, 0});
  expect(K::Aten_special_hermite_polynomial_h, {x, n}, {4, 4.7296, 7010.2876585, 8224, -117, 0});
  expect(K::Aten_special_hermite_polynomial_he, {x, n}, {2, 2.0656, 250.390686483, 1216, -3.65625, 0});
  expect(K::Aten_special_laguerre_polynomial_l, {x, n},
         {5.66666666667, 3.12373333333, -0.417942997552, 0.41894593254, 0.11640625, 0});
  expect(K::Aten_special_legendre_polynomial_p, {x, n}, {-1, -0.113, 0.0637003817578, 1, 33.08203125, 0});
  expect(K::Aten_special_legendre_polynomial_p, {doubles({0.25}), doubles({50000})}, {0.00080636223063074});
  expect(K::Aten_special_hermite_polynomial_h_n_scalar, {x, Scalar(2)}, {2, -1.36, -1.64, 2, 7, 1.24});
}

template <typename T> static void expectNeighbours() {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> values{0,
                              T(-0.0),
                              1,
                              -1,
                              T(1.5),
                              -3,
                              Limits::min(),
                              -Limits::min(),
                              Limits::denorm_min(),
                              -Limits::denorm_min(),
                              Limits::max(),
                              -Limits::max(),
                              Limits::infinity(),
                              -Limits::infinity(),
                              Limits::quiet_NaN()};
  std::vector<T> from, to;
  for (T a : values)
    for (T b : values) {
      from.push_back(a);
      to.push_back(b);
    }
  const auto count = static_cast<int64_t>(from.size());
  const Tensor found = *pointwise(K::Aten_nextafter, {PointwiseArg(*Tensor::fromSpan<T>(from, {count})),
                                                      PointwiseArg(*Tensor::fromSpan<T>(to, {count}))});
  for (size_t i = 0; i != from.size(); ++i) {
    const T expected = std::nextafter(from[i], to[i]), got = found.data<T>()[i];
    INFO(from[i] << " towards " << to[i]);
    CHECK(((std::isnan(got) && std::isnan(expected)) ||
           (got == expected && std::signbit(got) == std::signbit(expected))));
  }
}
TEST_CASE("neighbours of numbers") {
  expectNeighbours<float>();
  expectNeighbours<double>();
}
