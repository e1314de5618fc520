//===- ReductionTests.cpp - Folds and scans against PyTorch's values ------===//
//
// Expected numbers are what PyTorch 1.13 gave, or sums in double precision.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/Views.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace tsc;
using test::make;
using test::numbers;

using Numbers = std::vector<double>;

TEST_CASE("sums of every shape agree with sums in double") {
  for (int64_t a : {1, 3, 40})
    for (int64_t b : {1, 7, 300})
      for (int64_t c : {1, 5, 33}) {
        std::vector<float> values(a * b * c);
        for (size_t i = 0; i != values.size(); ++i)
          values[i] = std::sin(static_cast<float>(i)) + 0.1f;
        Tensor t = make<float>(values, {a, b, c});
        for (std::vector<int64_t> dims : std::vector<std::vector<int64_t>>{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {}}) {
          Tensor total = *cpu::sumDims(t, dims, true, std::nullopt);
          auto reduces = [&](int64_t d) { return dims.empty() || std::count(dims.begin(), dims.end(), d); };
          std::vector<double> want(total.numel(), 0);
          for (int64_t i = 0; i != a; ++i)
            for (int64_t j = 0; j != b; ++j)
              for (int64_t k = 0; k != c; ++k) {
                int64_t x = reduces(0) ? 0 : i, y = reduces(1) ? 0 : j, z = reduces(2) ? 0 : k;
                want[(x * total.size(1) + y) * total.size(2) + z] += values[(i * b + j) * c + k];
              }
          for (int64_t i = 0; i != total.numel(); ++i)
            REQUIRE(total.at(i).toDouble() == Approx(want[i]).epsilon(1e-5).margin(1e-4));
        }
      }
}

TEST_CASE("a long sum keeps its precision") {
  Tensor t = make<float>(std::vector<float>(1 << 20, 0.1f), {1 << 20});
  CHECK(cpu::sum(t, std::nullopt)->at(0).toDouble() == Approx(double(0.1f) * (1 << 20)).epsilon(1e-6));
}

TEST_CASE("dtypes of folds are PyTorch's") {
  Tensor i = make<int32_t>({1, 2, 3}, {3}), f = make<float>({1, 2, 4}, {3});
  CHECK(cpu::sum(i, std::nullopt)->dtype() == DType::Int64);
  CHECK(cpu::prod(i, std::nullopt)->dtype() == DType::Int64);
  CHECK(cpu::max(i)->dtype() == DType::Int32);
  CHECK(cpu::any(f)->dtype() == DType::Bool);
  CHECK(cpu::cumsum(i, 0, std::nullopt)->dtype() == DType::Int64);
  CHECK(cpu::mean(i, std::nullopt).status().message() ==
        "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Int");
  CHECK(cpu::mean(i, DType::Double)->at(0).toDouble() == 2);
}

TEST_CASE("moments") {
  Tensor t = make<float>({1, 2, 4, 8, 16, 32}, {2, 3});
  CHECK(cpu::var(t, true)->at(0).toDouble() == Approx(140.6999969));
  CHECK(cpu::stdDev(t, false)->at(0).toDouble() == Approx(10.8282042));
  CHECK(numbers(*cpu::varDims(t, ArrayRef<int64_t>(1), false, false))[1] == Approx(99.5555556));
  CHECK(std::isnan(cpu::var(make<float>({1}, {1}), true)->at(0).toDouble()));
}

TEST_CASE("extrema give the first of equals and any NaN") {
  Tensor t = make<float>({1, 5, 5, NAN, 2, 3}, {2, 3});
  auto [values, indices] = *cpu::maxDim(t, 1, false);
  CHECK(values.at(0).toDouble() == 5);
  CHECK(std::isnan(values.at(1).toDouble()));
  CHECK(numbers(indices) == Numbers{1, 0});
  CHECK(std::isnan(cpu::max(t)->at(0).toDouble()));
  CHECK(cpu::argmax(make<float>({1, 5, 5}, {3}), std::nullopt, false)->at(0).toInt() == 1);
  CHECK(cpu::max(*Tensor::empty({0})).status().message() ==
        "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the "
        "'dim' argument.");
  CHECK(numbers(*cpu::amin(*cpu::transpose(make<int64_t>({4, 2, 7, 1}, {2, 2}), 0, 1), ArrayRef<int64_t>(0), false)) ==
        Numbers{2, 1});
}

TEST_CASE("scans") {
  Tensor t = make<float>({1, 3, 2, 4, 0, 5}, {2, 3});
  CHECK(numbers(*cpu::cumsum(t, 1, std::nullopt)) == Numbers{1, 4, 6, 4, 4, 9});
  CHECK(numbers(*cpu::cumsum(t, 0, std::nullopt)) == Numbers{1, 3, 2, 5, 3, 7});
  CHECK(numbers(*cpu::cumprod(t, -1, std::nullopt)) == Numbers{1, 3, 6, 4, 0, 0});
  auto [values, indices] = *cpu::cummax(t, 1);
  CHECK(numbers(values) == Numbers{1, 3, 3, 4, 4, 5});
  CHECK(numbers(indices) == Numbers{0, 1, 1, 0, 0, 2});
}

TEST_CASE("logsumexp holds for large and infinite values") {
  Tensor t = make<double>({1000, 1000, -INFINITY, -INFINITY}, {2, 2});
  Tensor result = *cpu::logsumexp(t, ArrayRef<int64_t>(1), false);
  CHECK(result.at(0).toDouble() == Approx(1000 + std::log(2.0)));
  CHECK(result.at(1).toDouble() == -INFINITY);
}

TEST_CASE("all and any of nothing, and dimensions that repeat") {
  Tensor none = *Tensor::empty({0, 2});
  CHECK(cpu::all(none)->at(0).toBool());
  CHECK_FALSE(cpu::any(none)->at(0).toBool());
  CHECK(numbers(*cpu::sumDims(none, ArrayRef<int64_t>(0), false, std::nullopt)) == Numbers{0, 0});
  CHECK(cpu::sumDims(none, ArrayRef<int64_t>({0, 0}), false, std::nullopt).status().message() ==
        "dim 0 appears multiple times in the list of dims");
}

TEST_CASE("any and all find one element that decides, wherever it stands") {
  for (DType dtype : {DType::Bool, DType::UInt8, DType::Int64})
    for (int64_t place : {-1, 0, 1, 511, 512, 4095, 4096, 9998, 9999}) {
      Tensor zeros = *cpu::full({10000}, Scalar(0), dtype), ones = *cpu::full({10000}, Scalar(1), dtype);
      if (place >= 0) {
        zeros.set(place, Scalar(1));
        ones.set(place, Scalar(0));
      }
      INFO(place);
      CHECK(cpu::any(zeros)->at(0).toBool() == (place >= 0));
      CHECK(cpu::all(ones)->at(0).toBool() == (place < 0));
      if (dtype == DType::Bool) {
        CHECK(cpu::max(zeros)->at(0).toBool() == (place >= 0));
        CHECK(cpu::min(ones)->at(0).toBool() == (place < 0));
      }
      CHECK(cpu::any(zeros)->dtype() == (dtype == DType::UInt8 ? DType::UInt8 : DType::Bool));
    }
}

TEST_CASE("sums of integers over leading dimensions") {
  for (DType dtype : {DType::Bool, DType::Int8, DType::UInt8, DType::Int16, DType::Int32, DType::Int64}) {
    const Tensor t = *cpu::toDType(test::indices({3, 5, 37}, dtype == DType::Bool ? 2 : 100), dtype);
    const Tensor one = *cpu::sumDims(t, ArrayRef<int64_t>{0}, false, std::nullopt);
    const Tensor both = *cpu::sumDims(t, ArrayRef<int64_t>{0, 1}, true, std::nullopt);
    REQUIRE(one.sizes() == ArrayRef<int64_t>{5, 37});
    REQUIRE(both.sizes() == ArrayRef<int64_t>{1, 1, 37});
    for (int64_t k = 0; k != 37; ++k) {
      int64_t whole = 0;
      for (int64_t j = 0; j != 5; ++j) {
        int64_t sum = 0;
        for (int64_t i = 0; i != 3; ++i)
          sum += t.at((i * 5 + j) * 37 + k).toInt();
        CHECK(one.at(j * 37 + k).toInt() == sum);
        whole += sum;
      }
      CHECK(both.at(k).toInt() == whole);
    }
  }
}
