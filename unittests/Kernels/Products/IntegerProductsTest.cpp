//===- IntegerProductsTest.cpp - Products of small integers, exactly ------===//
#include "../../../lib/Kernels/Quantized/IntegerProducts.h"
#include "../../../lib/Kernels/Quantized/QuantizedRows.h"
#include "../KernelTest.h"
#include "tsc/Support/ThreadPool.h"
#include <cmath>
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

namespace {
/// How integers are distributed: which of them a kernel can add in 16 bits depends on it.
struct Numbers {
  int least, most; ///< Of nearly all of them.
  int rare;        ///< One of so many is any integer of the type; 0: none.
};
} // namespace

template <typename T>
static Tensor randomBytes(ArrayRef<int64_t> sizes, DType dtype, Numbers numbers, std::mt19937 &engine) {
  // Extremes are frequent: their products are those that a sum of 16 bits would not hold.
  std::uniform_int_distribution<int> usual(numbers.least, numbers.most), kind(0, 3), rare(1, std::max(numbers.rare, 1));
  std::uniform_int_distribution<int> any(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  Tensor bytes = *Tensor::empty(sizes, dtype);
  for (int64_t i = 0; i != bytes.numel(); ++i)
    bytes.mutableData<T>()[i] = static_cast<T>(numbers.rare != 0 && rare(engine) == 1 ? any(engine)
                                               : kind(engine) == 0                    ? numbers.most
                                               : kind(engine) == 0                    ? numbers.least
                                                                                      : usual(engine));
  return bytes;
}

/// All bytes; few bytes of more than 127; none.
static constexpr Numbers inputs[] = {{0, 255, 0}, {0, 127, 400}, {0, 127, 0}};
/// All integers; nearly all of them with pairs of products that 16 bits hold.
static constexpr Numbers weights[] = {{-128, 127, 0}, {-60, 60, 300}};

/// Returns what writes sums as a dense matrix of so many columns, to which each has to come once.
static auto storeSums(std::vector<int32_t> &sums, std::vector<int> &times, int64_t columns) {
  return [&sums, &times, columns](const SumsBlock &block) {
    for (int64_t r = 0; r != block.numRows; ++r)
      for (int64_t c = 0; c != block.numColumns; ++c) {
        const int64_t at = (block.firstRow + r) * columns + block.firstColumn + c;
        sums[at] = block.sums[r * block.step + c];
        ++times[at];
      }
  };
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

static void check(const Layer &layer, Numbers inputNumbers, Numbers weightNumbers, std::mt19937 &engine) {
  const size_t dims = layer.in.size() - 2;
  const std::vector<int64_t> spatial(layer.in.begin() + 2, layer.in.end());
  // The input's bytes in the order of memory: channels innermost.
  std::vector<int64_t> order = {layer.in[0]};
  order.insert(order.end(), spatial.begin(), spatial.end());
  order.push_back(layer.in[1]);
  const Tensor input = randomBytes<uint8_t>(order, DType::UInt8, inputNumbers, engine);
  const Tensor weight = randomBytes<int8_t>(layer.kernel, DType::Int8, weightNumbers, engine);
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
  std::vector<int> times(sums.size());
  convolveIntegers(input.data<uint8_t>(), layer.in, out,
                   {ArrayRef<int64_t>(layer.kernel).drop_front(2), layer.stride, layer.padding, layer.dilation},
                   layer.zeroPoint, **packed, storeSums(sums, times, layer.kernel[0]));
  int64_t wrong = 0;
  for (size_t i = 0; i != sums.size(); ++i) {
    const auto place = static_cast<int64_t>(i);
    const int64_t channel = place % layer.kernel[0];
    int64_t rest = place / layer.kernel[0];
    std::vector<int64_t> window(dims);
    for (size_t d = dims; d-- != 0; rest /= out[2 + d])
      window[d] = rest % out[2 + d];
    wrong += times[i] != 1 || sums[i] != sumAt(layer, input, weight, spatial, rest, channel, window);
  }
  INFO(wrong << " of " << sums.size() << " sums are wrong");
  CHECK(wrong == 0);
}

TEST_CASE("integer products: convolutions of bytes are exact") {
  std::mt19937 engine(3);
  for (const Layer &layer : {Layer{{2, 3, 9, 11}, {20, 3, 3, 3}, {2, 1}, {1, 1}, {1, 1}, 1, 7},
                             Layer{{1, 16, 7, 7}, {64, 16, 1, 1}, {1, 1}, {0, 0}, {1, 1}, 1, 128},
                             Layer{{2, 24, 12, 9}, {17, 24, 1, 1}, {1, 1}, {0, 0}, {1, 1}, 1, 60},
                             Layer{{1, 32, 7, 7}, {40, 32, 1, 1}, {2, 2}, {0, 0}, {1, 1}, 1, 0},
                             Layer{{1, 700, 3, 3}, {33, 700, 1, 1}, {1, 1}, {0, 0}, {1, 1}, 1, 255},
                             Layer{{1, 70, 5, 6}, {17, 70, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1, 64},
                             Layer{{1, 16, 13, 15}, {33, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1, 127},
                             Layer{{2, 20, 14, 9}, {16, 20, 3, 3}, {1, 1}, {0, 1}, {1, 1}, 1, 0},
                             Layer{{1, 64, 17, 11}, {40, 64, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1, 31},
                             Layer{{1, 36, 12, 12}, {24, 36, 3, 3}, {1, 1}, {2, 2}, {1, 1}, 1, 255},
                             Layer{{1, 5, 8, 8}, {7, 5, 3, 2}, {1, 2}, {2, 1}, {2, 3}, 1, 3},
                             Layer{{1, 12, 6, 6}, {18, 4, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 3, 5},
                             Layer{{1, 8, 4, 4}, {16, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 8, 9},
                             Layer{{2, 77, 9, 9}, {77, 1, 3, 3}, {2, 2}, {1, 1}, {1, 1}, 77, 200},
                             Layer{{1, 32, 6, 5}, {32, 1, 5, 5}, {1, 1}, {2, 2}, {1, 1}, 32, 0},
                             Layer{{1, 33, 4, 40}, {33, 1, 3, 3}, {1, 1}, {1, 1}, {1, 2}, 33, 130},
                             Layer{{1, 6, 6, 5}, {6, 1, 2, 2}, {1, 1}, {3, 3}, {2, 2}, 6, 11},
                             Layer{{2, 4, 30}, {9, 4, 5}, {2}, {2}, {1}, 1, 100},
                             Layer{{1, 3, 4, 5, 6}, {10, 3, 2, 3, 3}, {1, 2, 1}, {1, 0, 1}, {1, 1, 2}, 1, 31},
                             Layer{{1, 24, 3, 4, 4}, {24, 1, 3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, 24, 77}})
    for (const Numbers &input : inputs)
      for (const Numbers &weight : weights)
        check(layer, input, weight, engine);
}

TEST_CASE("integer products: rows times a weight are exact") {
  std::mt19937 engine(4);
  for (auto [rows, depth, columns] : {std::tuple<int64_t, int64_t, int64_t>{1, 1, 1},
                                      {1, 300, 70},
                                      {5, 37, 16},
                                      {13, 64, 31},
                                      {200, 129, 40},
                                      {3, 0, 4},
                                      {25, 1500, 64}})
    for (const Numbers &inputNumbers : inputs)
      for (const Numbers &weightNumbers : weights) {
        const Tensor input = randomBytes<uint8_t>({rows, depth}, DType::UInt8, inputNumbers, engine);
        const Tensor weight = randomBytes<int8_t>({columns, depth}, DType::Int8, weightNumbers, engine);
        auto packed = packWeight(weight, 1);
        REQUIRE(packed.ok());
        for (int64_t zero : {0, 5, 255}) {
          std::vector<int32_t> sums(rows * columns, -1);
          std::vector<int> times(rows * columns);
          multiplyRows(input.data<uint8_t>(), rows, zero, **packed, storeSums(sums, times, columns));
          int64_t wrong = 0;
          for (int64_t r = 0; r != rows; ++r)
            for (int64_t c = 0; c != columns; ++c) {
              int64_t sum = 0;
              for (int64_t k = 0; k != depth; ++k)
                sum += (input.data<uint8_t>()[r * depth + k] - zero) * weight.data<int8_t>()[c * depth + k];
              wrong += times[r * columns + c] != 1 || sums[r * columns + c] != sum;
            }
          INFO(rows << " rows of " << depth << ", " << columns << " columns, zero point " << zero);
          CHECK(wrong == 0);
        }
      }
}

TEST_CASE("integer products: parts of many threads are the same sums") {
  std::mt19937 engine(5);
  ThreadPool pool(3);
  ExecutorScope scope(&pool);
  for (const Numbers &input : inputs)
    for (int64_t step : {1, 2})
      check({{1, 32, 23, 24}, {40, 32, 3, 3}, {1, step}, {1, 1}, {1, 1}, 1, 9}, input, weights[0], engine);
}

TEST_CASE("integer products: sums become bytes as fbgemm rounds them") {
  std::mt19937 engine(6);
  std::uniform_int_distribution<int32_t> usual(-40000, 40000), any(std::numeric_limits<int32_t>::min());
  std::uniform_real_distribution<float> real(-1000, 1000);
  constexpr int64_t rows = 5, most = 40;
  std::vector<int32_t> sums(rows * most);
  std::vector<float> bias(most), factors(most);
  for (size_t i = 0; i != sums.size(); ++i)
    sums[i] = i % 7 == 0 ? any(engine) : usual(engine);
  const std::vector<float> floats(sums.begin(), sums.end());
  for (size_t i = 0; i != most; ++i) {
    bias[i] = i % 3 == 0 ? 0.0f : real(engine);
    factors[i] = i % 11 == 5 ? 1e30f : i % 4 == 0 ? 0.5f : std::abs(real(engine)) * 1e-5f; // halves are ties
  }
  for (int64_t channels = 1; channels <= most; ++channels)
    for (const Requantization how : {Requantization{0, 0}, {7, 0}, {128, 128}, {255, 0}, {30, 30, true}}) {
      std::vector<uint8_t> result(rows * (channels + 3), 99);
      kernels().requantizeRows(result.data(), channels + 3,
                               how.fromFloats ? static_cast<const void *>(floats.data()) : sums.data(), most,
                               bias.data(), factors.data(), rows, channels, how);
      int64_t wrong = 0;
      for (int64_t r = 0; r != rows; ++r)
        for (int64_t c = 0; c != channels + 3; ++c) {
          int64_t expected = 99; // what stands between rows stays
          if (c < channels) {
            const float value = (static_cast<float>(sums[r * most + c]) + bias[c]) * factors[c];
            const auto rounded = static_cast<int64_t>(std::nearbyint(std::clamp(value, -0x1p30f, 0x1p30f)));
            expected =
                std::clamp(rounded + static_cast<int64_t>(how.zero), static_cast<int64_t>(how.low), int64_t{255});
          }
          wrong += result[r * (channels + 3) + c] != expected;
        }
      INFO(channels << " channels, zero point " << how.zero);
      CHECK(wrong == 0);
    }
}
