//===- RowLoopsTest.cpp - Kernels that take many elements at a time -------===//
//
// What goes by vectors, several rows side by side or short rows at once gives what the
// definition gives for each element, whatever the sizes and strides.
//
//===----------------------------------------------------------------------===//
#include "KernelTest.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Kernels/NeuralNet.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/Upsample.h"
#include <random>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::test;
using K = PointwiseKind;
static constexpr double infinite = INFINITY, notANumber = NAN;

static Tensor counted(ArrayRef<int64_t> sizes, DType dtype) {
  Tensor t = *Tensor::empty(sizes, dtype);
  for (int64_t i = 0; i != t.numel(); ++i)
    t.set(i, isComplex(dtype)
                 ? Scalar(std::complex<double>(static_cast<double>(i % 251), static_cast<double>(i % 13) - 6))
                 : Scalar(static_cast<double>(i % 251)));
  return t;
}
static int64_t differing(const Tensor &a, const Tensor &b) {
  REQUIRE(a.sizes() == b.sizes());
  int64_t count = 0;
  for (int64_t i = 0; i != a.numel(); ++i)
    count += a.at(i).toComplex() != b.at(i).toComplex();
  return count;
}
TEST_CASE("rows of any length are copied out of tensors and into them") {
  for (DType dtype : {DType::UInt8, DType::Half, DType::Float, DType::Double, DType::ComplexDouble})
    for (int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 130, 255, 257}) {
      INFO(n << " elements of " << irName(dtype).str());
      const Tensor whole = counted({3, 5, n + 3}, dtype);
      const Tensor inside = only(narrow(whole, 2, 1, n));
      CHECK(differing(only(contiguous(inside)), slowCopy(inside)) == 0);
      const Tensor windows = only(unfold(whole, 2, n, 1)); // rows that overlap
      CHECK(differing(only(contiguous(windows)), slowCopy(windows)) == 0);
      const Tensor turned = only(permute(inside, {1, 0, 2}));
      CHECK(differing(only(contiguous(turned)), slowCopy(turned)) == 0);
      const Tensor target = counted({5, 3, n + 3}, dtype), before = slowCopy(target);
      REQUIRE(copyInto(only(narrow(target, 2, 2, n)), turned).ok());
      CHECK(differing(only(narrow(target, 2, 2, n)), turned) == 0);
      CHECK(differing(only(narrow(target, 2, 0, 2)), only(narrow(before, 2, 0, 2))) == 0);
      CHECK(differing(only(narrow(target, 2, n + 2, 1)), only(narrow(before, 2, n + 2, 1))) == 0);
    }
}

TEST_CASE("borders are put around rows of any length") {
  for (DType dtype : {DType::UInt8, DType::Half, DType::Float, DType::Double, DType::ComplexDouble})
    for (int64_t n : {3, 4, 7, 8, 15, 16, 17, 33, 64, 65, 130, 257})
      for (const char *mode : {"reflect", "replicate", "circular"}) {
        INFO(n << " elements of " << irName(dtype).str() << ", " << mode);
        const Tensor x = counted({2, 2, 4, n}, dtype);
        const Tensor padded = only(pad(x, {2, 1, 1, 3}, mode, std::nullopt));
        REQUIRE(padded.sizes() == ArrayRef<int64_t>({2, 2, 8, n + 3}));
        auto place = [&](int64_t at, int64_t size) {
          if (*mode == 'c')
            return (at + size) % size;
          if (mode[2] == 'p')
            return std::clamp<int64_t>(at, 0, size - 1);
          return at < 0 ? -at : at >= size ? 2 * size - 2 - at : at;
        };
        int64_t wrong = 0;
        for (int64_t i = 0; i != padded.numel(); ++i) {
          const int64_t column = i % (n + 3), row = i / (n + 3) % 8, plane = i / (n + 3) / 8;
          wrong +=
              padded.at(i).toComplex() != x.at((plane * 4 + place(row - 1, 4)) * n + place(column - 2, n)).toComplex();
        }
        CHECK(wrong == 0);
      }
}

TEST_CASE("lazy conjugation is resolved in rows") {
  for (DType dtype : {DType::ComplexFloat, DType::ComplexDouble})
    for (int64_t n : {1, 2, 5, 16, 33}) {
      const Tensor x = counted({3, n}, dtype);
      for (const Tensor &lazy : {only(conjView(x)), only(transpose(only(conjView(x)), 0, 1))}) {
        const Tensor copy = only(contiguous(lazy));
        for (int64_t i = 0; i != copy.numel(); ++i)
          CHECK(copy.at(i).toComplex() == lazy.at(i).toComplex());
      }
      CHECK(only(contiguous(only(conjView(x)))).at(0).toComplex() == std::conj(x.at(0).toComplex()));
    }
}

TEST_CASE("searches find the place that counting finds") {
  std::mt19937 engine(3);
  for (DType dtype : {DType::Int32, DType::Float, DType::Double})
    for (int64_t width : {0, 1, 2, 3, 7, 8, 31, 32, 33})
      for (bool right : {false, true}) {
        std::vector<double> bounds(2 * width);
        for (double &x : bounds)
          x = static_cast<double>(engine() % 12);
        std::sort(bounds.begin(), bounds.begin() + width);
        std::sort(bounds.begin() + width, bounds.end());
        const Tensor sorted = only(toDType(make<double>(bounds, {2, width}), dtype));
        std::vector<double> values(2 * 19);
        for (double &x : values)
          x = static_cast<double>(engine() % 14) - 1;
        const Tensor sought = only(toDType(make<double>(values, {2, 19}), dtype));
        const Tensor places = only(searchsortedTensor(sorted, sought, false, right, std::nullopt, Tensor()));
        for (int64_t i = 0; i != 38; ++i) {
          int64_t before = 0;
          for (int64_t k = 0; k != width; ++k) {
            const double bound = bounds[i / 19 * width + k];
            before += right ? bound <= values[i] : bound < values[i];
          }
          CHECK(places.data<int64_t>()[i] == before);
        }
      }
}

TEST_CASE("running sums and maxima of lanes, in rows and in columns") {
  for (int64_t lanes : {1, 3, 4, 9, 65, 130}) {
    Tensor x = counted({lanes, 20}, DType::Double);
    if (lanes > 2)
      x.set(2 * 20 + 7, Scalar(NAN));
    const Tensor columns = only(contiguous(only(transpose(x, 0, 1))));
    const Tensor sums = only(cumsum(x, 1, std::nullopt)), down = only(cumsum(columns, 0, std::nullopt));
    auto most = cummax(x, 1), mostDown = cummax(columns, 0);
    for (int64_t lane = 0; lane != lanes; ++lane) {
      double sum = 0, best = -INFINITY;
      int64_t at = 0;
      for (int64_t k = 0; k != 20; ++k) {
        const double v = x.at(lane * 20 + k).toDouble();
        sum += v;
        if (!std::isnan(best) && (v >= best || std::isnan(v)))
          best = v, at = k;
        auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
        CHECK(same(sums.at(lane * 20 + k).toDouble(), sum));
        CHECK(same(down.at(k * lanes + lane).toDouble(), sum));
        CHECK(same(part<0>(most).at(lane * 20 + k).toDouble(), best));
        CHECK(part<1>(most).at(lane * 20 + k).toInt() == at);
        CHECK(part<1>(mostDown).at(k * lanes + lane).toInt() == at);
      }
    }
  }
}

TEST_CASE("prelu with one slope and with one for each channel") {
  for (DType dtype : {DType::Float, DType::Double, DType::Half, DType::BFloat16})
    for (const Dims &sizes : {Dims{7}, Dims{3, 5}, Dims{2, 5, 3, 3}, Dims{2, 5, 1, 17}, Dims{2, 3, 5, 15}}) {
      const Tensor x = ramp(sizes, 3, dtype);
      for (int64_t channels : {int64_t{1}, sizes.size() > 1 ? sizes[1] : int64_t{1}}) {
        const Tensor slopes = ramp({channels}, 1, dtype), y = only(prelu(x, slopes));
        int64_t inner = 1;
        for (size_t d = 2; d < sizes.size(); ++d)
          inner *= sizes[d];
        for (int64_t i = 0; i != x.numel(); ++i) {
          const double v = x.at(i).toDouble(), slope = slopes.at(channels == 1 ? 0 : i / inner % channels).toDouble();
          CHECK(y.at(i).toDouble() == Approx(v > 0 ? v : slope * v).epsilon(5e-3).margin(1e-3));
        }
      }
    }
}

TEST_CASE("areas under points of any number") {
  for (int64_t n : {1, 2, 3, 63, 64, 65, 66, 129, 300}) {
    const Tensor y = ramp({3, n}, 5);
    const Tensor areas = only(trapezoidDx(y, Scalar(0.5), -1));
    for (int64_t r = 0; r != 3; ++r) {
      double area = 0;
      for (int64_t i = 0; i + 1 < n; ++i)
        area += 0.25 * (y.at(r * n + i).toDouble() + y.at(r * n + i + 1).toDouble());
      CHECK(areas.at(r).toDouble() == Approx(area).margin(1e-5));
    }
  }
}

// Powers of doubles: against long double, at the ends of the range and where C11 has a rule.
TEST_CASE("powers of doubles are exact to the last bit but one") {
  std::mt19937_64 engine(9);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<double> x, y;
  for (int i = 0; i != 4000; ++i) {
    x.push_back(std::exp((unit(engine) - 0.5) * (i % 4 == 0 ? 1400 : i % 4 == 1 ? 1e-6 : 4)));
    y.push_back((unit(engine) - 0.5) * (i % 3 == 0 ? 2 : i % 3 == 1 ? 600 : 20));
  }
  for (double base : {0.0, -0.0, 1.0, -1.0, 2.0, -2.5, 5e-324, 1e308, infinite, -infinite, notANumber})
    for (double exponent : {0.0, 1.0, -1.0, 2.0, 3.0, 0.5, -2.0, 1e300, infinite, -infinite, notANumber, 1023.5})
      x.push_back(base), y.push_back(exponent);
  const auto n = static_cast<int64_t>(x.size());
  const Tensor z = only(pointwise(K::Aten_pow_Tensor_Tensor, {make<double>(x, {n}), make<double>(y, {n})}));
  for (int64_t i = 0; i != n; ++i) {
    const long double want = powl(x[i], y[i]);
    const double got = z.data<double>()[i], rounded = static_cast<double>(want);
    INFO(x[i] << " ^ " << y[i] << " = " << got << ", expected " << rounded);
    const bool isSame = got == rounded || (std::isnan(got) && std::isnan(rounded));
    CHECK((isSame || std::fabs(got - rounded) <= std::fabs(std::nextafter(rounded, 0) - rounded) * 1.01));
  }
}

static void expectClose(K kind, std::vector<PointwiseArg> ofDoubles, std::vector<PointwiseArg> ofFloats,
                        double tolerance) {
  const Tensor want = only(pointwise(kind, ofDoubles)), got = only(pointwise(kind, ofFloats));
  for (int64_t i = 0; i != want.numel(); ++i) {
    const auto w = static_cast<double>(static_cast<float>(want.at(i).toDouble())), g = got.at(i).toDouble();
    INFO("kind " << static_cast<int>(kind) << ", element " << i << ": " << g << ", expected " << w);
    CHECK((g == w || (std::isnan(g) && std::isnan(w)) || std::fabs(g - w) <= tolerance * std::fabs(w)));
  }
}

// Those of doubles are tested in SpecialVectorsTest.cpp.
TEST_CASE("gamma and Bessel functions of floats are those of doubles") {
  std::vector<float> x;
  for (int i = 0; i != 400; ++i)
    x.push_back(static_cast<float>(i - 120) * 0.171f + 0.013f);
  for (float special : {0.0f, -0.0f, 1.0f, 1.5f, 14.999f, 15.0f, 80.0f, -80.0f, 1e-10f, 1e6f, INFINITY, -INFINITY, NAN})
    x.push_back(special);
  const Tensor floats = make<float>(x, {static_cast<int64_t>(x.size())}),
               doubles = only(toDType(floats, DType::Double));
  for (K kind : {K::Aten_digamma, K::Aten_i0, K::Aten_special_i0e, K::Aten_special_i1, K::Aten_special_i1e})
    expectClose(kind, {doubles}, {floats}, 3e-7);
  for (int64_t order : {1, 2, 3})
    expectClose(K::Aten_polygamma, {Scalar(order), doubles}, {Scalar(order), floats}, 1e-6);
}

TEST_CASE("complex functions on vectors are those of the library") {
  using Complex = std::complex<double>;
  std::vector<Complex> a, b;
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  for (int i = 0; i != 300; ++i)
    a.push_back({normal(engine) * 2, normal(engine) * 2}), b.push_back({normal(engine), normal(engine)});
  for (double x : {0.0, -0.0, 1.0, 1e-20, 1e20, 100.0, -100.0, infinite, -infinite, notANumber})
    for (double y : {0.0, -0.0, 1.0, 1e-20, 3e5, infinite, notANumber})
      a.push_back({x, y}), b.push_back({y, x});
  for (DType dtype : {DType::ComplexFloat, DType::ComplexDouble}) {
    const auto n = static_cast<int64_t>(a.size());
    const Tensor x = only(toDType(make<Complex>(a, {n}), dtype)), y = only(toDType(make<Complex>(b, {n}), dtype));
    auto check = [&](K kind, std::vector<PointwiseArg> args, auto want) {
      const Tensor got = only(pointwise(kind, args));
      for (int64_t i = 0; i != n; ++i) {
        const Complex g = got.at(i).toComplex(), w = want(x.at(i).toComplex(), y.at(i).toComplex());
        const bool isFloat = dtype == DType::ComplexFloat;
        const double size = std::abs(w), limit = isFloat ? 3e38 : 1e308, least = isFloat ? 1e-37 : 1e-300;
        if (!(size < limit && size > least)) // whose parts the library is free to choose, or floats cannot hold
          continue;
        INFO(static_cast<int>(kind) << ", element " << i << " of " << x.at(i).toComplex() << ": " << g << ", expected "
                                    << w);
        CHECK(std::abs(g - w) <= (isFloat ? 3e-6 : 1e-13) * size);
      }
    };
    check(K::Aten_div_Tensor, {x, y}, [](Complex p, Complex q) { return p / q; });
    check(K::Aten_exp, {x}, [](Complex p, Complex) { return std::exp(p); });
    check(K::Aten_log, {x}, [](Complex p, Complex) { return std::log(p); });
    check(K::Aten_sin, {x}, [](Complex p, Complex) { return std::sin(p); });
    check(K::Aten_cos, {x}, [](Complex p, Complex) { return std::cos(p); });
    check(K::Aten_sinh, {x}, [](Complex p, Complex) { return std::sinh(p); });
    check(K::Aten_cosh, {x}, [](Complex p, Complex) { return std::cosh(p); });
    check(K::Aten_tanh, {x}, [](Complex p, Complex) { return std::tanh(p); });
    check(K::Aten_tan, {x}, [](Complex p, Complex) { return std::tan(p); });
  }
}
