//===- PointwiseTests.cpp - The point-wise engine against PyTorch's values -===//
//
// Expected numbers are what PyTorch 1.13 printed, or <cmath> in double.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Views.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

using namespace tsc;
using test::make;
using test::numbers;
using K = PointwiseKind;

static Tensor run(K kind, std::vector<PointwiseArg> args) {
  StatusOr<Tensor> result = pointwise(kind, args);
  INFO(result.status().message());
  REQUIRE(result.ok());
  return *result;
}
static std::string failure(K kind, std::vector<PointwiseArg> args) {
  return std::string(pointwise(kind, args).status().message());
}

TEST_CASE("operands are promoted and broadcast") {
  Tensor i = make<int64_t>({1, 2, 3}, {3}), f = make<float>({0.5f, 1.5f}, {2, 1});
  Tensor sum = run(K::Aten_add_Tensor, {i, f, Scalar(1)});
  CHECK(sum.dtype() == DType::Float);
  CHECK(numbers(sum) == std::vector<double>{1.5, 2.5, 3.5, 2.5, 3.5, 4.5});
  CHECK(run(K::Aten_add_Scalar, {i, Scalar(2.5), Scalar(1)}).dtype() == DType::Float);
  CHECK(run(K::Aten_add_Scalar, {i, Scalar(2), Scalar(1)}).dtype() == DType::Int64);
  CHECK(run(K::Aten_div_Tensor, {i, i}).dtype() == DType::Float);
  CHECK(run(K::Aten_lt_Scalar, {i, Scalar(2)}).dtype() == DType::Bool);
  CHECK(run(K::Aten_sin, {i}).dtype() == DType::Float);
  Tensor zeroDim = *Tensor::scalar(Scalar(2.0), DType::Double);
  Tensor product = run(K::Aten_mul_Tensor, {f, zeroDim});
  CHECK(product.dtype() == DType::Float);
  CHECK(numbers(product) == std::vector<double>{1, 3});
}

TEST_CASE("shapes that do not broadcast are PyTorch's error") {
  CHECK(failure(K::Aten_add_Tensor, {make<float>({1, 2, 3}, {3}), make<float>({1, 2, 3, 4}, {4}), Scalar(1)}) ==
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 0");
}

TEST_CASE("an in-place result must fit the dtype and the shape") {
  Tensor i = make<int64_t>({1, 2}, {2}), f = make<float>({1, 2}, {2});
  std::vector<PointwiseArg> args = {i, f, Scalar(1)};
  CHECK(pointwiseInPlace(K::Aten_add_Tensor, i, args).message() ==
        "result type Float can't be cast to the desired output type Long");
  Tensor matrix = make<float>({1, 2, 3, 4}, {2, 2});
  std::vector<PointwiseArg> wide = {f, matrix, Scalar(1)};
  CHECK_FALSE(pointwiseInPlace(K::Aten_add_Tensor, f, wide).ok());
  std::vector<PointwiseArg> fits = {f, i, Scalar(1)};
  CHECK(pointwiseInPlace(K::Aten_add_Tensor, f, fits).ok());
  CHECK(numbers(f) == std::vector<double>{2, 4});
}

TEST_CASE("strided operands of many lengths give what contiguous ones give") {
  for (int64_t rows : {1, 3, 70})
    for (int64_t columns : {1, 5, 64, 600}) {
      std::vector<float> values(rows * columns);
      for (size_t i = 0; i != values.size(); ++i)
        values[i] = std::sin(static_cast<float>(i));
      Tensor a = make<float>(values, {rows, columns});
      Tensor t = *cpu::transpose(a, 0, 1);
      Tensor column = *cpu::narrow(a, 1, 0, 1);
      Tensor sum = run(K::Aten_sub_Tensor, {*cpu::transpose(run(K::Aten_exp, {t}), 0, 1), column, Scalar(2)});
      for (int64_t r = 0; r != rows; ++r)
        for (int64_t c = 0; c != columns; ++c) {
          float v = values[r * columns + c];
          REQUIRE(sum.at(r * columns + c).toDouble() ==
                  Approx(std::exp(double(v)) - 2.0 * values[r * columns]).margin(1e-6));
        }
    }
}

TEST_CASE("a permuted operand gives its layout to the result") {
  Tensor a = *cpu::permute(make<float>(std::vector<float>(24, 1), {2, 3, 4}), {0, 2, 1});
  CHECK(run(K::Aten_neg, {a}).strides() == a.strides());
}

/// Distance in units in the last place of the exact value.
template <typename T> static double ulps(T got, double want) {
  if (std::isnan(want) || std::isinf(want) || static_cast<T>(want) == got)
    return (std::isnan(want) && std::isnan(got)) || static_cast<T>(want) == got ? 0 : 1e9;
  double spacing =
      std::fabs(static_cast<double>(std::nextafter(static_cast<T>(want), std::numeric_limits<T>::infinity())) -
                static_cast<T>(want));
  return std::fabs(static_cast<double>(got) - want) / spacing;
}

template <typename T> static double worst(K kind, double (*exact)(double), double low, double high) {
  std::vector<T> values;
  constexpr int count = 20011;
  for (int i = 0; i <= count; ++i)
    values.push_back(static_cast<T>(low + (high - low) * i / count));
  Tensor result = run(kind, {make<T>(values, {count + 1})});
  double worst = 0;
  for (int i = 0; i <= count; ++i)
    worst = test::worse(worst, ulps(result.data<T>()[i], exact(static_cast<double>(values[i]))));
  return worst;
}

TEST_CASE("functions are accurate to a few ulps") {
  struct Case {
    const char *name;
    K kind;
    double (*exact)(double);
    double low, high;
  };
  auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  for (const Case &c :
       {Case{"exp", K::Aten_exp, std::exp, -87, 88}, Case{"log", K::Aten_log, std::log, 1e-6, 100},
        Case{"tanh", K::Aten_tanh, std::tanh, -10, 10}, Case{"sin", K::Aten_sin, std::sin, -3, 3},
        Case{"cos", K::Aten_cos, std::cos, -1.5, 1.5}, Case{"erf", K::Aten_erf, std::erf, -4, 4},
        Case{"sigmoid", K::Aten_sigmoid, sigmoid, -80, 20}, Case{"expm1", K::Aten_expm1, std::expm1, -5, 5}}) {
    INFO(c.name);
    CHECK(worst<float>(c.kind, c.exact, c.low, c.high) <= 4);
    CHECK(worst<double>(c.kind, c.exact, c.low, c.high) <= 3);
  }
}

TEST_CASE("special values come out as IEEE says") {
  float inf = INFINITY, nan = NAN;
  Tensor x = make<float>({0, -0.0f, inf, -inf, nan, -1}, {6});
  auto check = [&](K kind, double (*exact)(double)) {
    Tensor y = run(kind, {x});
    for (int i = 0; i != 6; ++i) {
      double want = exact(x.data<float>()[i]);
      INFO(i << " want " << want << " got " << y.data<float>()[i]);
      CHECK(ulps(y.data<float>()[i], want) <= 4);
    }
  };
  check(K::Aten_exp, std::exp);
  check(K::Aten_log, std::log);
  check(K::Aten_tanh, std::tanh);
  check(K::Aten_sin, std::sin);
  check(K::Aten_erf, std::erf);
  Tensor m = run(K::Aten_maximum, {x, make<float>({1, 1, 1, 1, 1, nan}, {6})});
  CHECK(m.data<float>()[3] == 1);
  CHECK(std::isnan(m.data<float>()[4]));
  CHECK(std::isnan(m.data<float>()[5]));
}

TEST_CASE("integers divide and take powers as Python's do") {
  Tensor a = make<int64_t>({7, -7, 7, -7}, {4}), b = make<int64_t>({2, 2, -2, -2}, {4});
  CHECK(numbers(run(K::Aten_floor_divide, {a, b})) == std::vector<double>{3, -4, -4, 3});
  CHECK(numbers(run(K::Aten_remainder_Tensor, {a, b})) == std::vector<double>{1, 1, -1, -1});
  CHECK(numbers(run(K::Aten_div_Tensor_mode, {a, b, llvm::StringRef("trunc")})) == std::vector<double>{3, -3, -3, 3});
  CHECK(run(K::Aten_div_Tensor_mode, {a, b, PointwiseArg()}).dtype() == DType::Float);
  CHECK(numbers(run(K::Aten_pow_Tensor_Scalar, {a, Scalar(3)})) == std::vector<double>{343, -343, 343, -343});
  CHECK(failure(K::Aten_pow_Tensor_Scalar, {a, Scalar(-1)}) == "Integers to negative integer powers are not allowed.");
  CHECK(failure(K::Aten_remainder_Scalar, {a, Scalar(0)}) == "ZeroDivisionError");
  Tensor none = make<int64_t>({}, {0}), zero = make<int64_t>({0}, {1});
  CHECK(run(K::Aten_floor_divide, {none, zero}).numel() == 0); // nothing is divided
  CHECK(run(K::Aten_remainder_Scalar, {none, Scalar(0)}).numel() == 0);
}

/// Compares quotients and rests of `a` and `b`, none of which is 0, with those of C++, in 64 bits.
template <typename T> static void expectQuotients(const std::vector<T> &a, const std::vector<T> &b) {
  const auto count = static_cast<int64_t>(a.size());
  const Tensor x = make<T>(a, {count}), y = make<T>(b, {count});
  const Tensor floors = run(K::Aten_floor_divide, {x, y}),
               truncated = run(K::Aten_div_Tensor_mode, {x, y, llvm::StringRef("trunc")}),
               rests = run(K::Aten_fmod_Tensor, {x, y}), modules = run(K::Aten_remainder_Tensor, {x, y}),
               byFirst = run(K::Aten_floor_divide_Scalar, {x, Scalar(static_cast<int64_t>(b[0]))});
  auto floorOf = [](int64_t p, int64_t q) { return p / q - (p % q != 0 && (p % q < 0) != (q < 0)); };
  for (int64_t i = 0; i != count; ++i) {
    const auto n = static_cast<size_t>(i);
    const int64_t p = a[n], q = b[n];
    const bool wraps = p == std::numeric_limits<int64_t>::min() && q == -1; // which C++ leaves undefined
    const int64_t quotient = wraps ? p : p / q, rest = wraps ? 0 : p % q, floored = wraps ? p : floorOf(p, q);
    INFO(p << " and " << q);
    CHECK(truncated.data<T>()[i] == static_cast<T>(quotient));
    CHECK(rests.data<T>()[i] == static_cast<T>(rest));
    CHECK(floors.data<T>()[i] == static_cast<T>(floored));
    CHECK(modules.data<T>()[i] == static_cast<T>(rest != 0 && (rest < 0) != (q < 0) ? rest + q : rest));
    CHECK(byFirst.data<T>()[i] == static_cast<T>(floorOf(p, b[0])));
  }
}
/// Numbers of all sizes up to `bits` bits, with the ends of the dtype among them.
template <typename T>
static void addNumbers(std::vector<T> &numbers, size_t count, unsigned bits, std::mt19937_64 &engine) {
  for (size_t i = 0; i != count; ++i) {
    const auto number = static_cast<T>(static_cast<int64_t>(engine()) >> (64 - 1 - engine() % bits));
    numbers.push_back(number == 0 ? T(3) : number);
  }
  for (int64_t end : {std::numeric_limits<int64_t>::min() >> (64 - bits),
                      std::numeric_limits<int64_t>::max() >> (64 - bits), int64_t(-1), int64_t(1)})
    numbers[numbers.size() - 1 - engine() % count] = static_cast<T>(end);
}

// Parts of a row that fit in 32 bits are divided in these.
TEST_CASE("integers of all sizes divide as C++'s do") {
  std::mt19937_64 engine(3);
  std::vector<int64_t> a{3}, b{7};
  for (unsigned bits : {31, 63, 32, 33, 20, 64, 32}) {
    addNumbers(a, 1000, bits, engine);
    addNumbers(b, 1000, bits == 63 ? 16 : bits, engine);
  }
  for (int64_t p : {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()})
    for (int64_t q : {-1, 1, 2, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()})
      a.push_back(p), b.push_back(q);
  expectQuotients<int64_t>(a, b);
  std::reverse(a.begin(), a.end()), std::reverse(b.begin(), b.end());
  b[0] = int64_t(1) << 40;
  expectQuotients<int64_t>(a, b);
  auto expectNarrow = [&]<typename T>(T, unsigned bits) {
    std::vector<T> p{3}, q{5};
    addNumbers(p, 3000, bits, engine), addNumbers(q, 3000, bits, engine);
    expectQuotients<T>(p, q);
  };
  expectNarrow(int32_t(), 32);
  expectNarrow(int16_t(), 16);
  expectNarrow(int8_t(), 8);
  std::vector<uint8_t> p, q; // every pair
  for (int i = 0; i != 256; ++i)
    for (int j = 1; j != 256; ++j)
      p.push_back(static_cast<uint8_t>(i)), q.push_back(static_cast<uint8_t>(j));
  expectQuotients<uint8_t>(p, q);
}

TEST_CASE("least common multiples are those of the numbers' absolute values") {
  std::mt19937_64 engine(5);
  std::vector<int64_t> a, b;
  addNumbers(a, 2000, 31, engine), addNumbers(b, 2000, 31, engine);
  addNumbers(a, 500, 62, engine), addNumbers(b, 500, 20, engine);
  const auto count = static_cast<int64_t>(a.size());
  const Tensor multiples = run(K::Aten_lcm, {make<int64_t>(a, {count}), make<int64_t>(b, {count})});
  for (int64_t i = 0; i != count; ++i) {
    const auto n = static_cast<size_t>(i);
    const uint64_t x = static_cast<uint64_t>(std::abs(a[n])), y = static_cast<uint64_t>(std::abs(b[n]));
    const auto expected = static_cast<int64_t>(x / std::gcd(x, y) * y); // wraps
    INFO(a[n] << " and " << b[n]);
    CHECK(multiples.data<int64_t>()[i] == (expected < 0 ? -expected : expected));
  }
}

TEST_CASE("optional operands and literals choose the body") {
  Tensor x = make<float>({-2, 0.5, 3}, {3});
  CHECK(numbers(run(K::Aten_clamp, {x, Scalar(0), PointwiseArg()})) == std::vector<double>{0, 0.5, 3});
  CHECK(numbers(run(K::Aten_clamp, {x, Scalar(-1), Scalar(1)})) == std::vector<double>{-1, 0.5, 1});
  Tensor gelu = run(K::Aten_gelu, {x, llvm::StringRef("none")}),
         approximate = run(K::Aten_gelu, {x, llvm::StringRef("tanh")});
  CHECK(gelu.at(1).toDouble() == Approx(0.34573123));
  CHECK(approximate.at(1).toDouble() == Approx(0.34571400));
}

TEST_CASE("half computes in float and rounds once") {
  Tensor h = *cpu::toDType(make<float>({1, 2049}, {2}), DType::Half);
  Tensor sum = run(K::Aten_add_Scalar, {h, Scalar(0.5), Scalar(1)});
  CHECK(sum.dtype() == DType::Half);
  CHECK(numbers(sum) == std::vector<double>{1.5, 2048});
}
