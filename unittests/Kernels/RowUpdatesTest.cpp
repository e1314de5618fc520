//===- RowUpdatesTest.cpp - Rows that are updated, counted and combined ---===//
//
// Kernels that take whole rows where they can: each gives what its definition gives, in
// the same order.
//
//===----------------------------------------------------------------------===//
#include "KernelTest.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Kernels/LinearAlgebra.h"
#include "tsc/Kernels/NeuralNet.h"
#include "tsc/Kernels/Normalization.h"
#include "tsc/Kernels/Pooling.h"
#include "tsc/Kernels/Recurrent.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/Sorting.h"

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::test;

static double valueOf(const Tensor &t, int64_t row, int64_t column) {
  return t.at(row * t.sizes().back() + column).toDouble();
}

TEST_CASE("index_add along rows and across them adds in the order of the index") {
  for (DType dtype : {DType::Float, DType::Double, DType::Half, DType::Int64, DType::UInt8})
    for (int64_t n : {1, 5, 16, 40}) {
      const Tensor self = *full({7, n}, Scalar(1), dtype), places = indices({30}, n, 3), rows = indices({30}, 7, 2);
      const Tensor along = only(indexAdd(self, 1, places, *toDType(indices({7, 30}, 5), dtype), Scalar(1)));
      const Tensor across = only(indexAdd(self, 0, rows, *toDType(indices({30, n}, 5), dtype), Scalar(2)));
      std::vector<double> first(static_cast<size_t>(7 * n), 1), second = first;
      for (int64_t r = 0; r != 7; ++r)
        for (int64_t i = 0; i != 30; ++i)
          first[r * n + places.at(i).toInt()] += static_cast<double>((r * 30 + i) * 7 % 5);
      for (int64_t i = 0; i != 30; ++i)
        for (int64_t c = 0; c != n; ++c)
          second[rows.at(i).toInt() * n + c] += 2 * static_cast<double>((i * n + c) * 7 % 5);
      CHECK(numbers(along) == first);
      CHECK(numbers(across) == second);
    }
}

TEST_CASE("scattering whole rows: sums and extrema with NaN") {
  for (DType dtype : {DType::Float, DType::Double})
    for (int64_t n : {1, 7, 16, 50}) {
      Tensor self = ramp({4, n}, 1, dtype), source = ramp({9, n}, 2, dtype);
      self.set(n - 1, Scalar(NAN));
      source.set(5 * n, Scalar(NAN));
      const Tensor rows = *expand(indices({9, 1}, 4, 1), {9, n});
      for (llvm::StringRef how : {"sum", "amax", "amin"}) {
        const Tensor got = only(scatterReduce(self, 0, rows, source, how, true));
        for (int64_t c = 0; c != n; ++c)
          for (int64_t r = 0; r != 4; ++r) {
            double wanted = valueOf(self, r, c);
            for (int64_t i = 0; i != 9; ++i) {
              const double y = valueOf(source, i, c);
              if (rows.at(i * n + c).toInt() != r)
                continue;
              if (how == "sum")
                wanted += y;
              else if (wanted == wanted && (y != y || (how == "amax" ? y > wanted : y < wanted)))
                wanted = y;
            }
            const double value = valueOf(got, r, c);
            CHECK((value == wanted || (std::isnan(value) && std::isnan(wanted))));
          }
      }
    }
}

TEST_CASE("an index outside is refused, and in place before anything is written") {
  Tensor places = indices({3, 8}, 8);
  places.set(20, Scalar(8));
  const Tensor self = *zeros({3, 8}), source = ramp({3, 8}, 1);
  const char *message = "index 8 is out of bounds for dimension 1 with size 8";
  expectError(scatterSrc(self, 1, places, source).status(), message);
  expectError(scatterAdd(self, 1, places, source).status(), message);
  expectError(gather(source, 1, places, false).status(), message);
  expectError(scatterSrcInPlace(self, 1, places, source).status(), message);
  for (double x : numbers(self))
    CHECK(x == 0);
}

TEST_CASE("numbers of any integer type are counted") {
  for (DType dtype : {DType::Int8, DType::UInt8, DType::Int16, DType::Int32, DType::Int64})
    for (int64_t n : {0, 1, 3, 40, 1000, 1003}) {
      const Tensor values = *toDType(indices({n}, 23), dtype), counts = only(bincount(values, Tensor(), 5));
      std::vector<double> wanted(static_cast<size_t>(counts.numel()), 0);
      for (int64_t i = 0; i != n; ++i)
        wanted[values.at(i).toInt()] += 1;
      CHECK(numbers(counts) == wanted);
      const Tensor sums = only(bincount(values, *full({n}, Scalar(0.5)), 5));
      for (double &count : wanted)
        count /= 2;
      CHECK(numbers(sums) == wanted);
    }
  CHECK(!bincount(longs({1, -1}), Tensor(), 0).ok());
  CHECK(!bincount(*toDType(longs({1, -1}), DType::Int8), Tensor(), 0).ok());
}

TEST_CASE("bags of embeddings have the first of the largest rows") {
  for (int64_t width : {1, 4, 16, 33}) {
    const Tensor table = ramp({11, width}, 1), bags = indices({5, 6}, 11, 2);
    const auto all = embeddingBag(table, bags, Tensor(), false, 2, false, Tensor(), false);
    REQUIRE(all.ok());
    const Tensor largest = std::get<0>(*all), which = std::get<3>(*all);
    for (int64_t b = 0; b != 5; ++b)
      for (int64_t j = 0; j != width; ++j) {
        int64_t best = bags.at(b * 6).toInt();
        for (int64_t k = 1; k != 6; ++k)
          if (const int64_t row = bags.at(b * 6 + k).toInt(); valueOf(table, row, j) > valueOf(table, best, j))
            best = row;
        CHECK(valueOf(largest, b, j) == valueOf(table, best, j));
        CHECK(which.at(b * width + j).toInt() == best);
      }
  }
}

TEST_CASE("cross products along any dimension and of any type") {
  for (DType dtype : {DType::UInt8, DType::Int64, DType::Half, DType::Float, DType::Double, DType::ComplexFloat})
    for (int64_t dim : {0, 1, 2}) {
      Dims sizes{2, 4, 5};
      sizes[dim] = 3;
      const Tensor a = *toDType(ramp(sizes, 1, isComplex(dtype) ? dtype : DType::Float), dtype),
                   b = *toDType(ramp(sizes, 2, isComplex(dtype) ? dtype : DType::Float), dtype);
      const Tensor product = only(linalgCross(a, b, dim));
      for (int64_t i = 0; i != 3; ++i) {
        auto part = [&](const Tensor &t, int64_t k) { return *select(t, dim, (i + k) % 3); };
        const Tensor left = only(binary(PointwiseKind::Aten_mul_Tensor, part(a, 1), part(b, 2))),
                     right = only(binary(PointwiseKind::Aten_mul_Tensor, part(a, 2), part(b, 1)));
        const Tensor wanted = only(pointwise(PointwiseKind::Aten_sub_Tensor, {left, right, int64_t{1}}));
        const Tensor got = *select(product, dim, i);
        for (int64_t k = 0; k != got.numel(); ++k)
          CHECK(std::abs(got.at(k).toComplex() - wanted.at(k).toComplex()) < 1e-5);
      }
    }
}

TEST_CASE("distances to any number of rows") {
  for (int64_t count : {1, 2, 15, 16, 17, 40, 63, 64, 65, 100, 130})
    for (double p : {0.0, 1.0, 2.0, 3.0, static_cast<double>(INFINITY)}) {
      const Tensor a = ramp({3, 9}, 1), b = ramp({count, 9}, 4), distances = only(cdist(a, b, p, std::nullopt));
      double worst = 0;
      for (int64_t i = 0; i != 3; ++i)
        for (int64_t j = 0; j != count; ++j) {
          double sum = 0;
          for (int64_t k = 0; k != 9; ++k) {
            const double size = std::fabs(valueOf(a, i, k) - valueOf(b, j, k));
            sum = std::isinf(p) ? std::max(sum, size) : sum + (p == 0 ? size != 0 : std::pow(size, p));
          }
          if (p != 0 && !std::isinf(p))
            sum = std::pow(sum, 1 / p);
          worst = worse(worst, std::fabs(valueOf(distances, i, j) - sum));
        }
      INFO(count << " rows, p = " << p);
      CHECK(worst < 1e-5);
    }
}

TEST_CASE("softmax of elements so far below the largest that little or nothing is left of them") {
  for (int64_t n : {2, 16, 35})
    for (int64_t dim : {0, 1}) {
      Tensor x = only(full({n, n}, Scalar(-INFINITY), DType::Float));
      for (int64_t i = 0; i != n * n; ++i) // every second element on the diagonals is none
        if ((i / n + i % n) % n % 2 == 0)
          x.mutableData<float>()[i] = (i / n + i % n) % n == 0 ? 0.0f : -101.0f - static_cast<float>(i % 8);
      const Tensor y = only(softmax(x, dim, std::nullopt));
      for (int64_t i = 0; i != n * n; ++i)
        CHECK(y.at(i).toDouble() == static_cast<float>(std::exp(static_cast<double>(x.data<float>()[i]))));
    }
  Tensor x = only(full({4, 40}, Scalar(1), DType::Float));
  x.mutableData<float>()[1 * 40 + 39] = NAN;
  x.mutableData<float>()[2 * 40 + 8] = INFINITY;
  std::fill_n(x.mutableData<float>() + 3 * 40, 40, -INFINITY);
  const Tensor y = only(softmax(x, 1, std::nullopt));
  for (int64_t i = 0; i != y.numel(); ++i)
    CHECK(std::isnan(y.at(i).toDouble()) == (i / 40 != 0));
}

TEST_CASE("softmax across rows that are far from each other") {
  for (DType dtype : {DType::Float, DType::Double, DType::Half, DType::BFloat16})
    for (int64_t n : {2, 21, 64, 130})
      for (int64_t inner : {2, 16, 63, 64, 65, 200}) {
        const Tensor x = ramp({2, n, inner}, 1, dtype), y = only(softmax(x, 1, std::nullopt)),
                     logs = only(logSoftmax(x, 1, std::nullopt));
        double worst = 0;
        for (int64_t o = 0; o != 2; ++o)
          for (int64_t c = 0; c < inner; c += 7) {
            double sum = 0;
            for (int64_t i = 0; i != n; ++i)
              sum += std::exp(x.at((o * n + i) * inner + c).toDouble());
            for (int64_t i = 0; i != n; ++i) {
              const int64_t at = (o * n + i) * inner + c;
              const double wanted = std::exp(x.at(at).toDouble()) / sum;
              worst = worse(worst, std::fabs(y.at(at).toDouble() - wanted) / wanted);
              worst = worse(worst, std::fabs(logs.at(at).toDouble() - std::log(wanted)) / 4);
            }
          }
        INFO(irName(dtype).str() << " " << n << " x " << inner);
        CHECK(worst < (dtype == DType::BFloat16 ? 8e-3 : dtype == DType::Half ? 1e-3 : 1e-5));
      }
}

TEST_CASE("maxima of windows and where they are") {
  for (DType dtype : {DType::Float, DType::Double})
    for (int64_t stride : {1, 2, 3})
      for (int64_t dilation : {1, 2}) {
        Tensor x = ramp({2, 3, 11, 23}, 1, dtype);
        x.set(40, Scalar(NAN));
        for (int64_t i = 300; i != 420; ++i)
          x.set(i, Scalar(-INFINITY));
        const auto found = maxPool2dWithIndices(x, {3, 2}, {stride}, {1}, {dilation}, false);
        const Tensor values = part<0>(found), places = part<1>(found);
        const int64_t rows = values.size(2), columns = values.size(3);
        for (int64_t plane = 0; plane != 6; ++plane)
          for (int64_t r = 0; r != rows; ++r)
            for (int64_t c = 0; c != columns; ++c) {
              double best = -INFINITY;
              int64_t where = -1;
              for (int64_t i = 0; i != 3; ++i)
                for (int64_t j = 0; j != 2; ++j) {
                  const int64_t y = r * stride - 1 + i * dilation, z = c * stride - 1 + j * dilation;
                  if (y < 0 || y >= 11 || z < 0 || z >= 23)
                    continue;
                  const double value = x.at(plane * 253 + y * 23 + z).toDouble();
                  if (where < 0 || value > best || value != value)
                    best = value, where = y * 23 + z;
                }
              const int64_t at = (plane * rows + r) * columns + c;
              const double got = values.at(at).toDouble();
              CHECK((got == best || (std::isnan(got) && std::isnan(best))));
              CHECK(places.at(at).toInt() == where);
            }
      }
}

TEST_CASE("batch norm of half types rounds once") {
  for (DType dtype : {DType::Half, DType::BFloat16})
    for (int64_t n : {1, 5, 16, 37}) {
      const Tensor x = ramp({2, 3, n}, 1, dtype), mean = ramp({3}, 2, dtype), variance = *full({3}, Scalar(2), dtype);
      const Tensor y = only(batchNorm(x, mean, mean, mean, variance, false, 0.1, 1e-5, false));
      for (int64_t i = 0; i != x.numel(); ++i) {
        const double m = mean.at(i / n % 3).toDouble(), wanted = (x.at(i).toDouble() - m) / std::sqrt(2.00001) * m + m;
        CHECK(y.at(i).toDouble() == Approx(wanted).epsilon(dtype == DType::Half ? 0x1p-11 : 0x1p-8).margin(1e-6));
      }
    }
}
