//===- IntegerProductsTest.cpp - Products of small integers, exactly ------===//
#include "../../../lib/Kernels/Quantized/IntegerProducts.h"
#include "../KernelTest.h"
#include <random>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::quantized;

namespace {
/// A convolution of bytes of one to three spatial dimensions.
struct Layer {
  std::vector<int64_t> in, kernel; ///< [batch, channels, spatial...] and [channels, channels of a group, spatial...]
  std::vector<int64_t> stride, padding, dilation;
  int64_t groups = 1, zeroPoint = 0;
};
} // namespace

template <typename T> static Tensor randomBytes(ArrayRef<int64_t> sizes, DType dtype, std::mt19937 &engine) {
  // Extremes are frequent: their products are those that a sum of 16 bits would not hold.
  std::uniform_int_distribution<int> any(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()), kind(0, 3);
  Tensor bytes = *Tensor::empty(sizes, dtype);
  for (int64_t i = 0; i != bytes.numel(); ++i)
    bytes.mutableData<T>()[i] = kind(engine) == 0   ? std::numeric_limits<T>::max()
                                : kind(engine) == 0 ? std::numeric_limits<T>::min()
                                                    : static_cast<T>(any(engine));
  return bytes;
}

/// The sum at a window, from the definition. Coordinates and sizes are those of three dimensions.
static int64_t sumAt(const Layer &layer, const Tensor &input, const Tensor &weight, ArrayRef<int64_t> spatial,
                     int64_t image, int64_t channel, ArrayRef<int64_t> window) {
  const int64_t inner = layer.kernel[1], own = layer.kernel[0] / layer.groups;
  const size_t dims = spatial.size();
  int64_t elements = 1;
  for (size_t d = 0; d != dims; ++d)
    elements *= layer.kernel[2 + d];
  int64_t sum = 0;
  for (int64_t e = 0; e != elements; ++e) {
    int64_t rest = e, pixel = 0, factor = 1;
    bool isInside = true;
    for (size_t d = dims; d-- != 0; rest /= layer.kernel[2 + d]) {
      const int64_t at =
          window[d] * layer.stride[d] - layer.padding[d] + rest % layer.kernel[2 + d] * layer.dilation[d];
      isInside = isInside && at >= 0 && at < spatial[d];
      pixel += at * factor;
      factor *= spatial[d];
    }
    for (int64_t c = 0; isInside && c != inner; ++c)
      sum += (input.data<uint8_t>()[(image * factor + pixel) * layer.in[1] + channel / own * inner + c] -
              layer.zeroPoint) *
             weight.data<int8_t>()[(channel * inner + c) * elements + e];
  }
  return sum;
}

static void check(const Layer &layer, std::mt19937 &engine) {
  const size_t dims = layer.in.size() - 2;
  const std::vector<int64_t> spatial(layer.in.begin() + 2, layer.in.end());
  // The input's bytes in the order of memory: channels innermost.
  std::vector<int64_t> order = {layer.in[0]};
  order.insert(order.end(), spatial.begin(), spatial.end());
  order.push_back(layer.in[1]);
  const Tensor input = randomBytes<uint8_t>(order, DType::UInt8, engine);
  const Tensor weight = randomBytes<int8_t>(layer.kernel, DType::Int8, engine);
  std::vector<int64_t> out = {layer.in[0], layer.kernel[0]};
  int64_t windows = 1;
  for (size_t d = 0; d != dims; ++d) {
    out.push_back(
        (spatial[d] + 2 * layer.padding[d] - layer.dilation[d] * (layer.kernel[2 + d] - 1) - 1) / layer.stride[d] + 1);
    windows *= out.back();
  }
  std::vector<int32_t> sums(layer.in[0] * windows * layer.kernel[0]);
  auto packed = packWeight(weight, layer.groups);
  REQUIRE(packed.ok());
  REQUIRE(convolveIntegers(sums.data(), input.data<uint8_t>(), layer.in, out,
                           {ArrayRef<int64_t>(layer.kernel).drop_front(2), layer.stride, layer.padding, layer.dilation},
                           layer.zeroPoint, **packed)
              .ok());
  int64_t wrong = 0;
  for (size_t i = 0; i != sums.size(); ++i) {
    const auto place = static_cast<int64_t>(i);
    const int64_t channel = place % layer.kernel[0];
    int64_t rest = place / layer.kernel[0];
    std::vector<int64_t> window(dims);
    for (size_t d = dims; d-- != 0; rest /= out[2 + d])
      window[d] = rest % out[2 + d];
    wrong += sums[i] != sumAt(layer, input, weight, spatial, rest, channel, window);
  }
  INFO(wrong << " of " << sums.size() << " sums are wrong");
  CHECK(wrong == 0);
}

TEST_CASE("integer products: convolutions of bytes are exact") {
  std::mt19937 engine(3);
  for (const Layer &layer : {Layer{{2, 3, 9, 11}, {20, 3, 3, 3}, {2, 1}, {1, 1}, {1, 1}, 1, 7},
                             Layer{{1, 16, 7, 7}, {64, 16, 1, 1}, {1, 1}, {0, 0}, {1, 1}, 1, 128},
                             Layer{{1, 700, 3, 3}, {33, 700, 1, 1}, {1, 1}, {0, 0}, {1, 1}, 1, 255},
                             Layer{{1, 70, 5, 6}, {17, 70, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1, 64},
                             Layer{{1, 5, 8, 8}, {7, 5, 3, 2}, {1, 2}, {2, 1}, {2, 3}, 1, 3},
                             Layer{{1, 12, 6, 6}, {18, 4, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 3, 5},
                             Layer{{1, 8, 4, 4}, {16, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 8, 9},
                             Layer{{2, 77, 9, 9}, {77, 1, 3, 3}, {2, 2}, {1, 1}, {1, 1}, 77, 200},
                             Layer{{1, 32, 6, 5}, {32, 1, 5, 5}, {1, 1}, {2, 2}, {1, 1}, 32, 0},
                             Layer{{1, 6, 6, 5}, {6, 1, 2, 2}, {1, 1}, {3, 3}, {2, 2}, 6, 11},
                             Layer{{2, 4, 30}, {9, 4, 5}, {2}, {2}, {1}, 1, 100},
                             Layer{{1, 3, 4, 5, 6}, {10, 3, 2, 3, 3}, {1, 2, 1}, {1, 0, 1}, {1, 1, 2}, 1, 31},
                             Layer{{1, 24, 3, 4, 4}, {24, 1, 3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, 24, 77}})
    check(layer, engine);
}

TEST_CASE("integer products: rows times a weight are exact") {
  std::mt19937 engine(4);
  for (auto [rows, depth, columns] : {std::tuple<int64_t, int64_t, int64_t>{1, 1, 1},
                                      {1, 300, 70},
                                      {5, 37, 16},
                                      {13, 64, 31},
                                      {200, 129, 40},
                                      {3, 0, 4},
                                      {25, 1500, 64}}) {
    const Tensor input = randomBytes<uint8_t>({rows, depth}, DType::UInt8, engine);
    const Tensor weight = randomBytes<int8_t>({columns, depth}, DType::Int8, engine);
    auto packed = packWeight(weight, 1);
    REQUIRE(packed.ok());
    for (int64_t zero : {0, 5, 255}) {
      std::vector<int32_t> sums(rows * columns, -1);
      REQUIRE(multiplyRows(sums.data(), input.data<uint8_t>(), rows, zero, **packed).ok());
      int64_t wrong = 0;
      for (int64_t r = 0; r != rows; ++r)
        for (int64_t c = 0; c != columns; ++c) {
          int64_t sum = 0;
          for (int64_t k = 0; k != depth; ++k)
            sum += (input.data<uint8_t>()[r * depth + k] - zero) * weight.data<int8_t>()[c * depth + k];
          wrong += sums[r * columns + c] != sum;
        }
      INFO(rows << " rows of " << depth << ", " << columns << " columns, zero point " << zero);
      CHECK(wrong == 0);
    }
  }
}
