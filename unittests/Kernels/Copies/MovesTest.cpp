//===- MovesTest.cpp - Elements in other places ---------------------------===//
//
// Reversals, joins and paddings of rows of any length give what the definition gives for
// each element.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Indexing.h"

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::test;

static constexpr DType moved[] = {DType::UInt8, DType::Half, DType::Float, DType::Double, DType::ComplexDouble};

static Tensor numbered(ArrayRef<int64_t> sizes, DType dtype) {
  Tensor t = *Tensor::empty(sizes, dtype);
  for (int64_t i = 0; i != t.numel(); ++i)
    t.set(i, isComplex(dtype) ? Scalar(std::complex<double>(static_cast<double>(i), -1)) : Scalar(i % 241));
  return t;
}
/// Element (i, j, k) of a tensor of three dimensions.
static std::complex<double> element(const Tensor &t, int64_t i, int64_t j, int64_t k) {
  return t.at((i * t.size(1) + j) * t.size(2) + k).toComplex();
}

TEST_CASE("tensors are reversed along any dimensions, whatever the length of their rows") {
  for (DType dtype : moved)
    for (int64_t n : {1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 31, 33, 64, 65, 130}) {
      const Tensor dense = numbered({3, 4, n}, dtype), turned = *transpose(numbered({3, n, 4}, dtype), 1, 2),
                   part = *narrow(numbered({3, 4, n + 5}, dtype), 2, 2, n);
      for (const Tensor &t : {dense, turned, part})
        for (const Dims &dims : {Dims{0}, Dims{1}, Dims{2}, Dims{0, 1}, Dims{1, 2}, Dims{0, 2}, Dims{0, 1, 2}}) {
          const Tensor reversed = only(flip(t, dims));
          auto place = [&](int64_t d, int64_t i) { return llvm::is_contained(dims, d) ? t.size(d) - 1 - i : i; };
          int64_t wrong = 0;
          for (int64_t i = 0; i != 3; ++i)
            for (int64_t j = 0; j != 4; ++j)
              for (int64_t k = 0; k != n; ++k)
                wrong += element(reversed, i, j, k) != element(t, place(0, i), place(1, j), place(2, k));
          INFO(irName(dtype).str() << ", " << n << " in a row, " << dims.size() << " dimensions");
          CHECK(wrong == 0);
        }
    }
}

TEST_CASE("a quarter turn shows the last column first") {
  const Tensor t = numbered({2, 5, 70}, DType::Float), turned = only(rot90(t, 1, {1, 2}));
  REQUIRE(turned.sizes() == ArrayRef<int64_t>({2, 70, 5}));
  int64_t wrong = 0;
  for (int64_t i = 0; i != 2; ++i)
    for (int64_t j = 0; j != 70; ++j)
      for (int64_t k = 0; k != 5; ++k)
        wrong += element(turned, i, j, k) != element(t, i, k, 69 - j);
  CHECK(wrong == 0);
}

// From less than a vector to what is left to memcpy.
TEST_CASE("slices of any length are chosen, joined and copied") {
  for (int64_t n : {1, 3, 4, 5, 16, 77, 512, 513, 4096, 4099}) {
    const Tensor t = numbered({6, n}, DType::Float), places = longs({5, 0, 3, 3, 2});
    const Tensor chosen = only(indexSelect(t, 0, places)), joined = only(cat({t, t}, 1));
    const Tensor part = only(contiguous(only(narrow(joined, 1, n / 2, n))));
    const float *from = t.data<float>();
    int64_t wrong = 0;
    for (int64_t i = 0; i != 5; ++i)
      for (int64_t k = 0; k != n; ++k) {
        wrong += chosen.data<float>()[i * n + k] != from[places.data<int64_t>()[i] * n + k];
        wrong += joined.data<float>()[i * 2 * n + n + k] != from[i * n + k];
        wrong += part.data<float>()[i * n + k] != from[i * n + (n / 2 + k) % n];
      }
    INFO(n << " floats");
    CHECK(wrong == 0);
  }
}

TEST_CASE("rows of any length are joined along an inner dimension") {
  for (DType dtype : moved)
    for (int64_t n : {1, 3, 7, 16, 33, 100, 129, 700}) {
      const Tensor a = numbered({4, n}, dtype), b = numbered({4, 2 * n + 1}, dtype), joined = only(cat({a, b, a}, 1));
      int64_t wrong = 0;
      for (int64_t r = 0; r != 4; ++r)
        for (int64_t c = 0; c != 4 * n + 1; ++c) {
          const bool isB = c >= n && c < 3 * n + 1;
          const Scalar wanted = isB ? b.at(r * (2 * n + 1) + c - n) : a.at(r * n + (c < n ? c : c - 3 * n - 1));
          wrong += joined.at(r * (4 * n + 1) + c).toComplex() != wanted.toComplex();
        }
      INFO(irName(dtype).str() << ", " << n);
      CHECK(wrong == 0);
    }
}

TEST_CASE("images with their channels inside are padded as they lie") {
  for (DType dtype : {DType::UInt8, DType::Half, DType::Float, DType::Double})
    for (int64_t channels : {2, 3, 8})
      for (llvm::StringRef mode : {"reflect", "replicate"}) {
        const Tensor image = numbered({2, channels, 5, 6}, dtype), turned = inside(image);
        const Tensor padded = only(pad(turned, {2, 1, 3, 0}, mode, std::nullopt));
        const Tensor wanted = only(pad(image, {2, 1, 3, 0}, mode, std::nullopt));
        CHECK(padded.isContiguous(MemoryFormat::ChannelsLast));
        CHECK(numbers(padded) == numbers(wanted));
      }
}

TEST_CASE("parts become complex numbers, also by length and angle") {
  for (DType dtype : {DType::Float, DType::Double})
    for (int64_t n : {1, 7, 64, 100}) {
      const Tensor a = ramp({3, n}, 1, dtype), b = ramp({3, n}, 2, dtype), row = ramp({n}, 3, dtype);
      for (const Tensor &second : {b, row, *transpose(ramp({n, 3}, 4, dtype), 0, 1)}) {
        const Tensor joined = only(complexFrom(a, second)), turned = only(polar(a, second));
        double worst = 0;
        for (int64_t i = 0; i != 3 * n; ++i) {
          const double x = a.at(i).toDouble(), y = second.at(i % second.numel()).toDouble();
          CHECK(joined.at(i).toComplex() == std::complex<double>(x, y));
          worst = worse(worst, std::abs(turned.at(i).toComplex() - x * std::exp(std::complex<double>(0, y))));
        }
        CHECK(worst < 1e-6);
      }
    }
}
