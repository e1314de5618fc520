//===- QuantizedProducts.cpp - Linear maps and convolutions of integers ---===//
//
// Sums of products of integers are exact: in int32 where the weight is symmetric, by
// oneDNN if the processor has instructions that add four products of bytes, else by
// kernels of our own; otherwise in float while every partial sum is below 2^24, else
// in double. Bias, scale and rounding are fbgemm's, in float.
//
//===----------------------------------------------------------------------===//
#include "IntegerProducts.h"
#include "QuantizedDnn.h"
#include "QuantizedRows.h"
#include "tsc/Kernels/Convolution.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Kernels/Quantized.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Quantizer.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::quantized;

namespace {
/// What products need of a weight, made once for its elements.
class PreparedWeight final : public RefCounted {
public:
  /// Of these elements, still?
  bool isOf(const Tensor &weight) const {
    return source == weight.data() && version == weight.get()->storage->version.load(std::memory_order_relaxed) &&
           sizes == Dims(weight.sizes()) && strides == Dims(weight.strides());
  }
  const void *source = nullptr;
  uint32_t version = 0;
  Dims sizes, strides;

  Tensor integers;            ///< int8, row-major.
  Tensor numbers;             ///< Integers less their zero points, float where sums are exact so, else double. Lazy.
  std::vector<float> scales;  ///< One, or one for each result channel.
  std::vector<int64_t> zeros; ///< As many.
  int64_t greatest = 0;       ///< The greatest magnitude of an integer.
  bool isSymmetric = true;    ///< All zero points are 0.

  /// Plans by what they depend on besides the weight.
  struct Plan {
    std::vector<int64_t> key;
    std::shared_ptr<const IntegerProduct> product;
  };
  std::vector<Plan> plans;
  std::shared_ptr<const PackedWeight> packed; ///< For kernels of our own. Lazy.
};

/// A weight's preparation, whose plans and lazy members are used under the lock alone. It is shared: another thread
/// that is given a view of the weight replaces the quantizer's while this one has let the lock go.
using Locked = std::pair<std::unique_lock<std::mutex>, Ref<PreparedWeight>>;
} // namespace

/// The weight's preparation, under its quantizer's lock.
static StatusOr<Locked> prepared(const Tensor &weight) {
  const Quantizer *quantizer = quantizerOf(weight);
  if (!quantizer || weight.dtype() != DType::QInt8)
    return invalidArgument("the weight of a quantized operator must be a tensor of qint8, not of " +
                           pythonName(weight.dtype()));
  if (weight.dim() < 2)
    return invalidArgument("the weight of a quantized operator must have at least two dimensions, not " +
                           llvm::Twine(weight.dim()));
  std::unique_lock lock(quantizer->mutex);
  // What kernels keep in a quantizer of a weight is always this.
  auto *object = static_cast<PreparedWeight *>(quantizer->prepared.get());
  if (object && object->isOf(weight))
    return Locked(std::move(lock), Ref<PreparedWeight>::share(object));
  auto made = makeRef<PreparedWeight>();
  made->source = weight.data();
  made->version = weight.get()->storage->version.load(std::memory_order_relaxed);
  made->sizes = Dims(weight.sizes());
  made->strides = Dims(weight.strides());
  TSC_ASSIGN_OR_RETURN(made->integers, intRepr(weight));
  if (quantizer->isPerChannel()) {
    const int64_t channels = quantizer->scales.numel();
    made->scales.resize(channels);
    made->zeros.resize(channels);
    for (int64_t i = 0; i != channels; ++i) {
      made->scales[i] = static_cast<float>(quantizer->scaleOf(i));
      made->zeros[i] = static_cast<int64_t>(quantizer->zeroPointOf(i));
    }
  } else {
    made->scales = {static_cast<float>(quantizer->scale)};
    made->zeros = {quantizer->zeroPoint};
  }
  made->isSymmetric = llvm::all_of(made->zeros, [](int64_t zero) { return zero == 0; });
  const int8_t *integers = made->integers.data<int8_t>();
  for (int64_t i = 0, n = made->integers.numel(); i != n; ++i)
    made->greatest = std::max<int64_t>(made->greatest, std::abs(integers[i]));
  quantizer->prepared = made;
  return Locked(std::move(lock), std::move(made));
}

/// Whether sums of this weight's products fit int32, and no zero point is to be subtracted from it.
static bool hasIntegerSums(const PreparedWeight &weight) {
  const int64_t terms = weight.sizes[0] == 0 ? 0 : weight.integers.numel() / weight.sizes[0];
  return weight.isSymmetric &&
         terms < std::numeric_limits<int32_t>::max() / (255 * std::max<int64_t>(weight.greatest, 1));
}

/// Returns the plan for this key, which `make` makes the first time. It may be null.
static std::shared_ptr<const IntegerProduct> planFor(PreparedWeight &weight, std::vector<int64_t> key,
                                                     llvm::function_ref<std::shared_ptr<const IntegerProduct>()> make) {
  for (const PreparedWeight::Plan &plan : weight.plans)
    if (plan.key == key)
      return plan.product;
  constexpr size_t mostPlans = 16; // of a module that is called with ever new sizes the oldest go
  if (weight.plans.size() == mostPlans)
    weight.plans.erase(weight.plans.begin());
  weight.plans.push_back({std::move(key), make()});
  return weight.plans.back().product;
}

/// Returns the weight as kernels of our own read it, and packs it the first time.
static StatusOr<std::shared_ptr<const PackedWeight>> packedFor(PreparedWeight &weight, int64_t groups) {
  if (!weight.packed || weight.packed->groups != groups) {
    TSC_ASSIGN_OR_RETURN(weight.packed, packWeight(weight.integers, groups));
  }
  return weight.packed;
}

/// The weight as real integers, its zero points subtracted. `channelDim`: the dimension of the scales.
static StatusOr<Tensor> numbersOf(PreparedWeight &weight, int64_t channelDim) {
  if (weight.numbers.defined())
    return weight.numbers;
  const Tensor &integers = weight.integers;
  int64_t inner = 1;
  for (int64_t d = channelDim + 1; d < integers.dim(); ++d)
    inner *= integers.size(d);
  const int64_t channels = integers.size(channelDim);
  auto zeroOf = [&](int64_t i) {
    return weight.zeros.size() == 1 ? weight.zeros[0] : weight.zeros[i / inner % channels % weight.zeros.size()];
  };
  // A sum has one product for each element of the weight that reaches one result: at most numel / channels, of both the
  // input's 255 and the weight's magnitude.
  const int64_t terms = channels == 0 ? 0 : integers.numel() / channels;
  int64_t greatest = 0;
  for (int64_t zero : weight.zeros)
    greatest = std::max(greatest, weight.greatest + std::abs(zero));
  const bool isFloat = terms < (int64_t{1} << 24) / (255 * std::max<int64_t>(greatest, 1));
  TSC_ASSIGN_OR_RETURN(Tensor numbers, Tensor::empty(integers.sizes(), isFloat ? DType::Float : DType::Double));
  for (int64_t i = 0, n = integers.numel(); i != n; ++i) {
    const int64_t value = integers.data<int8_t>()[i] - zeroOf(i);
    if (isFloat)
      numbers.mutableData<float>()[i] = static_cast<float>(value);
    else
      numbers.mutableData<double>()[i] = static_cast<double>(value);
  }
  weight.numbers = numbers;
  return numbers;
}

/// The input's integers less their zero point.
static StatusOr<Tensor> numbersOfInput(const Tensor &integers, int64_t zeroPoint, DType dtype) {
  TSC_ASSIGN_OR_RETURN(Tensor dense, contiguous(integers));
  TSC_ASSIGN_OR_RETURN(Tensor numbers, Tensor::empty(dense.sizes(), DType::Float));
  kernels().dequantizeUInt8(numbers.mutableData<float>(), dense.data<uint8_t>(), dense.numel(), 1,
                            static_cast<int32_t>(zeroPoint));
  return toDType(numbers, dtype);
}

namespace {
/// What is done to the sums of each result channel.
struct Outputs {
  std::vector<float> bias, factors; ///< The bias in units of the sums.
  Requantization how;
};
} // namespace

static StatusOr<Outputs> outputsFor(const PreparedWeight &weight, const Tensor &bias, int64_t channels,
                                    double inputScale, double scale, int64_t zeroPoint, bool relu) {
  if (zeroPoint < 0 || zeroPoint > 255)
    return invalidArgument("zero_point " + llvm::Twine(zeroPoint) + " is out of range of " + pythonName(DType::QUInt8));
  if (weight.scales.size() != 1 && static_cast<int64_t>(weight.scales.size()) != channels)
    return invalidArgument("the weight has " + llvm::Twine(weight.scales.size()) + " scales for " +
                           llvm::Twine(channels) + " channels of the result");
  if (bias.defined() && (bias.dim() != 1 || bias.numel() != channels))
    return invalidArgument("expected a bias of " + llvm::Twine(channels) + " elements, but got one of size " +
                           shapeString(bias.sizes()));
  Outputs outputs;
  outputs.how = {static_cast<float>(zeroPoint), relu ? static_cast<float>(zeroPoint) : 0.0f};
  outputs.bias.resize(channels);
  outputs.factors.resize(channels);
  Tensor biases;
  if (bias.defined()) {
    TSC_ASSIGN_OR_RETURN(biases, toDType(bias, DType::Float));
    TSC_ASSIGN_OR_RETURN(biases, contiguous(biases));
  }
  for (int64_t i = 0; i != channels; ++i) {
    const float product = weight.scales[weight.scales.size() == 1 ? 0 : i] * static_cast<float>(inputScale);
    outputs.factors[i] = product / static_cast<float>(scale);
    outputs.bias[i] = biases.defined() ? biases.data<float>()[i] * (1.0f / product) : 0.0f;
  }
  return outputs;
}

static StatusOr<const Quantizer *> inputQuantizer(const Tensor &input, const char *op) {
  const Quantizer *quantizer = quantizerOf(input);
  if (!quantizer || quantizer->isPerChannel() || input.dtype() != DType::QUInt8)
    return invalidArgument(llvm::Twine(op) + " needs an input of quint8 that is quantized per tensor, not one of " +
                           pythonName(input.dtype()));
  return quantizer;
}

static StatusOr<Tensor> bytesOf(const Tensor &input) {
  return Tensor::view(input.get()->storage, input.storageOffset(), input.sizes(), input.strides(), DType::UInt8);
}

static StatusOr<Tensor> emptyQuantized(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, double scale,
                                       int64_t zeroPoint) {
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::emptyStrided(sizes, strides, DType::QUInt8));
  auto quantizer = makeRef<Quantizer>();
  quantizer->scale = scale;
  quantizer->zeroPoint = zeroPoint;
  setQuantizer(result, std::move(quantizer));
  return result;
}

/// Makes a block of sums integers of a dense result [rows, channels].
static void requantize(uint8_t *to, const SumsBlock &block, const Outputs &outputs) {
  const int64_t channels = outputs.bias.size(), first = block.firstColumn;
  kernels().requantizeRows(to + block.firstRow * channels + first, channels, block.sums, block.step,
                           outputs.bias.data() + first, outputs.factors.data() + first, block.numRows, block.numColumns,
                           outputs.how);
}

/// Makes rows of sums of floats integers.
static void requantizeFloats(uint8_t *to, const float *sums, int64_t rows, const Outputs &outputs) {
  const int64_t channels = outputs.bias.size();
  Requantization how = outputs.how;
  how.fromFloats = true;
  parallelFor(0, rows, std::max<int64_t>(1, parallelGrain / std::max<int64_t>(channels, 1)),
              [&](int64_t begin, int64_t end) {
                kernels().requantizeRows(to + begin * channels, channels, sums + begin * channels, channels,
                                         outputs.bias.data(), outputs.factors.data(), end - begin, channels, how);
              });
}

/// Gives `take` dense sums [rows, channels] that another library has computed.
static void takeRows(const int32_t *sums, int64_t rows, int64_t channels, TakeSums take) {
  const int64_t most = std::max<int64_t>(1, parallelGrain / channels);
  parallelFor(0, rows, most, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; row += most)
      take({sums + row * channels, channels, row, std::min(most, end - row), 0, channels});
  });
}

//===----------------------------------------------------------------------===//
// Linear maps
//===----------------------------------------------------------------------===//

static Status checkLinear(const Tensor &input, const Tensor &weight) {
  if (weight.dim() != 2 || input.dim() == 0 || input.size(input.dim() - 1) != weight.size(1))
    return invalidArgument("an input of size " + shapeString(input.sizes()) +
                           " does not fit the weight of a linear map of size " + shapeString(weight.sizes()));
  return okStatus();
}

static Dims linearSizes(const Tensor &input, const Tensor &weight) {
  Dims sizes(input.sizes());
  sizes.back() = weight.size(0);
  return sizes;
}

/// Gives `take` the sums of a row-major input [rows, inner] of bytes where hasIntegerSums(), and returns no tensor;
/// else returns the sums as floats. Gives the lock up.
static StatusOr<Tensor> linearSums(PreparedWeight &weight, std::unique_lock<std::mutex> &lock, const Tensor &bytes,
                                   int64_t rows, int64_t zeroPoint, TakeSums take) {
  const int64_t inner = weight.sizes[1], columns = weight.sizes[0];
  if (hasIntegerSums(weight)) {
    if (hasExactByteSums()) {
      auto plan =
          planFor(weight, {rows, zeroPoint}, [&] { return makeIntegerMatMul(rows, weight.integers, zeroPoint); });
      lock.unlock();
      TSC_ASSIGN_OR_RETURN(Tensor sums, Tensor::empty({rows, columns}, DType::Int32));
      if (plan && plan->run(bytes.data(), sums.mutableData<int32_t>())) {
        takeRows(sums.data<int32_t>(), rows, columns, take);
        return Tensor();
      }
      lock.lock();
    }
    TSC_ASSIGN_OR_RETURN(auto packed, packedFor(weight, 1));
    lock.unlock();
    multiplyRows(bytes.data<uint8_t>(), rows, zeroPoint, *packed, take);
    return Tensor();
  }
  TSC_ASSIGN_OR_RETURN(Tensor numbers, numbersOf(weight, 0));
  lock.unlock();
  TSC_ASSIGN_OR_RETURN(
      Tensor flat, Tensor::view(bytes.get()->storage, bytes.storageOffset(), {rows, inner}, {inner, 1}, DType::UInt8));
  TSC_ASSIGN_OR_RETURN(Tensor input, numbersOfInput(flat, zeroPoint, numbers.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor transposed, transpose(numbers, 0, 1));
  TSC_ASSIGN_OR_RETURN(Tensor sums, matmul(input, transposed));
  return toDType(sums, DType::Float);
}

StatusOr<Tensor> cpu::quantizedLinear(const Tensor &input, const Tensor &weight, const Tensor &bias, double scale,
                                      int64_t zeroPoint, bool relu) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, inputQuantizer(input, "quantized::linear"));
  TSC_ASSIGN_OR_RETURN(Locked locked, prepared(weight));
  auto &[lock, made] = locked;
  TSC_RETURN_IF_ERROR(checkLinear(input, weight));
  const int64_t columns = weight.size(0);
  TSC_ASSIGN_OR_RETURN(Outputs outputs, outputsFor(*made, bias, columns, quantizer->scale, scale, zeroPoint, relu));
  const Dims sizes = linearSizes(input, weight);
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyQuantized(sizes, contiguousStrides(sizes), scale, zeroPoint));
  if (result.numel() == 0)
    return result;
  TSC_ASSIGN_OR_RETURN(Tensor bytes, bytesOf(input));
  TSC_ASSIGN_OR_RETURN(bytes, contiguous(bytes));
  uint8_t *to = result.mutableData<uint8_t>();
  const int64_t rows = result.numel() / columns;
  TSC_ASSIGN_OR_RETURN(Tensor sums, linearSums(*made, lock, bytes, rows, quantizer->zeroPoint,
                                               [&](const SumsBlock &block) { requantize(to, block, outputs); }));
  if (sums.defined())
    requantizeFloats(to, sums.data<float>(), rows, outputs);
  return result;
}

/// Scale and zero point for numbers between least and greatest, as PyTorch's ChooseQuantizationParams chooses them:
/// zero is one of the integers 0 to most.
static std::pair<double, int64_t> chooseParameters(float least, float greatest, int64_t most) {
  double low = std::min(least, 0.0f), high = std::max(greatest, 0.0f);
  double scale = (high - low) / static_cast<double>(most);
  constexpr float smallest = 6.1e-5f;
  if (scale == 0.0 || std::isinf(1.0f / static_cast<float>(scale)))
    scale = 0.1;
  if (scale < smallest) {
    const double before = scale;
    scale = smallest;
    if (low == 0.0)
      high = scale * static_cast<double>(most);
    else if (high == 0.0)
      low = -scale * static_cast<double>(most);
    else {
      low *= scale / before;
      high *= scale / before;
    }
  }
  const double fromLow = -low / scale, fromHigh = static_cast<double>(most) - high / scale;
  const double nearest =
      std::abs(low / scale) < static_cast<double>(most) + std::abs(high / scale) ? fromLow : fromHigh;
  int64_t zeroPoint = std::isnan(nearest) || nearest < 0    ? 0
                      : nearest > static_cast<double>(most) ? most
                                                            : static_cast<int64_t>(std::nearbyint(nearest));
  return {scale, zeroPoint};
}

StatusOr<Tensor> cpu::quantizePerTensorDynamic(const Tensor &self, DType dtype, bool reduceRange) {
  if (dtype != DType::QUInt8 && dtype != DType::QInt8)
    return invalidArgument("quantize_per_tensor_dynamic gives quint8 or qint8, not " + pythonName(dtype));
  if (self.dtype() != DType::Float)
    return invalidArgument("Quantize only works on Float Tensor, got " + irName(self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor reals, contiguous(self));
  float least = 0, greatest = 0;
  kernels().bounds(reals.data<float>(), reals.numel(), least, greatest);
  auto [scale, zeroPoint] = chooseParameters(least, greatest, reduceRange ? 127 : 255);
  const int64_t lowest = dtype == DType::QUInt8 ? 0 : reduceRange ? -64 : -128;
  return quantizePerTensor(self, scale, zeroPoint + lowest, dtype);
}

StatusOr<Tensor> cpu::quantizedLinearDynamic(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                             bool reduceRange, bool relu) {
  if (input.dtype() != DType::Float)
    return invalidArgument("a dynamic quantized linear map needs an input of float, not of " +
                           pythonName(input.dtype()));
  TSC_ASSIGN_OR_RETURN(Locked locked, prepared(weight));
  auto &[lock, made] = locked;
  TSC_RETURN_IF_ERROR(checkLinear(input, weight));
  const int64_t columns = weight.size(0);
  TSC_ASSIGN_OR_RETURN(Outputs outputs, outputsFor(*made, bias, columns, 1, 1, 0, false));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(linearSizes(input, weight)));
  if (result.numel() == 0)
    return result;
  const int64_t rows = result.numel() / columns;
  TSC_ASSIGN_OR_RETURN(Tensor reals, contiguous(input));
  TSC_ASSIGN_OR_RETURN(Tensor bytes, Tensor::empty(input.sizes(), DType::UInt8));
  const float *from = reals.data<float>();
  float least = 0, greatest = 0;
  kernels().bounds(from, reals.numel(), least, greatest);
  const auto [chosen, zeroPoint] = chooseParameters(least, greatest, reduceRange ? 127 : 255);
  const auto scale = static_cast<float>(chosen);
  kernels().quantizeUInt8(bytes.mutableData<uint8_t>(), from, reals.numel(), 1.0f / scale,
                          static_cast<float>(zeroPoint));
  std::vector<float> factors(columns);
  for (int64_t i = 0; i != columns; ++i)
    factors[i] = made->scales[made->scales.size() == 1 ? 0 : i] * scale;
  Tensor biases;
  if (bias.defined()) {
    TSC_ASSIGN_OR_RETURN(biases, toDType(bias, DType::Float));
    TSC_ASSIGN_OR_RETURN(biases, contiguous(biases));
  }
  float *to = result.mutableData<float>();
  const float *shifts = biases.defined() ? biases.data<float>() : nullptr;
  TSC_ASSIGN_OR_RETURN(Tensor sums, linearSums(*made, lock, bytes, rows, zeroPoint, [&](const SumsBlock &block) {
                         const int64_t first = block.firstColumn;
                         kernels().scaleRows(to + block.firstRow * columns + first, columns, block.sums, block.step,
                                             factors.data() + first, shifts ? shifts + first : nullptr, block.numRows,
                                             block.numColumns, relu);
                       }));
  if (sums.defined())
    kernels().scaleFloatRows(to, columns, sums.data<float>(), columns, factors.data(), shifts, rows, columns, relu);
  return result;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// The numbers of a packed convolution: dimensions; stride, padding, dilation and output padding of each; groups;
/// whether it is transposed.
static StatusOr<ConvParams> paramsOf(const Tensor &config, int64_t spatial) {
  TSC_ASSIGN_OR_RETURN(Tensor wide, toDType(config, DType::Int64));
  TSC_ASSIGN_OR_RETURN(wide, contiguous(wide));
  const ArrayRef<int64_t> numbers(wide.data<int64_t>(), wide.numel());
  if (numbers.empty() || numbers[0] != spatial || static_cast<int64_t>(numbers.size()) < 3 + 4 * spatial)
    return invalidArgument("the numbers of a packed convolution are not those of " + llvm::Twine(spatial) +
                           " dimensions");
  auto part = [&](int64_t at) { return Dims(numbers.slice(1 + at * spatial, spatial)); };
  ConvParams params;
  params.stride = part(0);
  params.padding = part(1);
  params.dilation = part(2);
  params.outputPadding = part(3);
  params.groups = numbers[1 + 4 * spatial];
  params.transposed = numbers[2 + 4 * spatial] != 0;
  return params;
}

static MemoryFormat channelsInnermost(int64_t rank) {
  return rank == 5 ? MemoryFormat::ChannelsLast3d : MemoryFormat::ChannelsLast;
}

/// The bytes with their channels innermost.
static StatusOr<Tensor> arrangedBytes(const Tensor &bytes, MemoryFormat format) {
  if (bytes.size(1) != 3 || !bytes.isContiguous(MemoryFormat::Contiguous) || bytes.isContiguous(format))
    return contiguous(bytes, format);
  TSC_ASSIGN_OR_RETURN(Dims strides, stridesFor(bytes.sizes(), format)); // an image with colours
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::emptyStrided(bytes.sizes(), strides, DType::UInt8));
  const int64_t images = bytes.size(0), pixels = bytes.numel() / std::max<int64_t>(images * 3, 1);
  for (int64_t i = 0; i != images; ++i) {
    const uint8_t *from = bytes.data<uint8_t>() + i * 3 * pixels;
    kernels().interleavePlanes(result.mutableData<uint8_t>() + i * 3 * pixels, from, from + pixels, from + 2 * pixels,
                               pixels);
  }
  return result;
}

/// Gives `take` the sums of a convolution of bytes whose channels are innermost, in the same order, for a weight that
/// hasIntegerSums(). Gives the lock up.
static Status convolutionSums(PreparedWeight &weight, std::unique_lock<std::mutex> &lock, const Tensor &bytes,
                              const ConvParams &params, ArrayRef<int64_t> sizes, int64_t zeroPoint, TakeSums take) {
  // oneDNN's sums go through memory. Where few products make one, that takes longer than they do.
  constexpr int64_t fewTerms = 16;
  const bool hasFewTerms = params.groups == 1 && weight.integers.numel() <= fewTerms * weight.sizes[0];
  if (hasExactByteSums() && !hasFewTerms) {
    std::vector<int64_t> key(bytes.sizes().begin(), bytes.sizes().end());
    for (const Dims *list : {&params.stride, &params.padding, &params.dilation})
      key.insert(key.end(), list->begin(), list->end());
    key.insert(key.end(), {params.groups, zeroPoint});
    auto plan = planFor(weight, std::move(key), [&] {
      return makeIntegerConvolution(bytes.sizes(), weight.integers, params, sizes, zeroPoint);
    });
    lock.unlock();
    TSC_ASSIGN_OR_RETURN(Tensor sums, Tensor::empty(sizes, DType::Int32));
    if (plan && plan->run(bytes.data(), sums.mutableData<int32_t>())) {
      takeRows(sums.data<int32_t>(), sums.numel() / sizes[1], sizes[1], take);
      return okStatus();
    }
    lock.lock();
  }
  TSC_ASSIGN_OR_RETURN(auto packed, packedFor(weight, params.groups));
  lock.unlock();
  const Windows windows = {ArrayRef<int64_t>(weight.sizes).drop_front(2), params.stride, params.padding,
                           params.dilation};
  convolveIntegers(bytes.data<uint8_t>(), bytes.sizes(), sizes, windows, zeroPoint, *packed, take);
  return okStatus();
}

StatusOr<Tensor> cpu::quantizedConvolution(const Tensor &input, const Tensor &config, const Tensor &weight,
                                           const Tensor &bias, double scale, int64_t zeroPoint, bool relu) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, inputQuantizer(input, "a quantized convolution"));
  TSC_ASSIGN_OR_RETURN(Locked locked, prepared(weight));
  auto &[lock, made] = locked;
  if (weight.dim() != 4 && weight.dim() != 5)
    return invalidArgument("the weight of a quantized convolution has four or five dimensions, not " +
                           llvm::Twine(weight.dim()));
  TSC_ASSIGN_OR_RETURN(ConvParams params, paramsOf(config, weight.dim() - 2));
  TSC_ASSIGN_OR_RETURN(Dims sizes, convolvedSizes(input, weight, Tensor(), params));
  const int64_t channels = sizes[1];
  TSC_ASSIGN_OR_RETURN(Outputs outputs, outputsFor(*made, bias, channels, quantizer->scale, scale, zeroPoint, relu));
  const MemoryFormat format = channelsInnermost(input.dim());
  TSC_ASSIGN_OR_RETURN(Dims strides, stridesFor(sizes, format));
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyQuantized(sizes, strides, scale, zeroPoint));
  if (result.numel() == 0)
    return result;
  TSC_ASSIGN_OR_RETURN(Tensor bytes, bytesOf(input));
  uint8_t *to = result.mutableData<uint8_t>();
  if (!params.transposed && hasIntegerSums(*made) && input.numel() != 0 && weight.numel() != 0) {
    TSC_ASSIGN_OR_RETURN(Tensor arranged, arrangedBytes(bytes, format));
    TSC_RETURN_IF_ERROR(convolutionSums(*made, lock, arranged, params, sizes, quantizer->zeroPoint,
                                        [&](const SumsBlock &block) { requantize(to, block, outputs); }));
    return result;
  }
  TSC_ASSIGN_OR_RETURN(Tensor numbers, numbersOf(*made, params.transposed ? 1 : 0));
  lock.unlock();
  TSC_ASSIGN_OR_RETURN(Tensor reals, numbersOfInput(bytes, quantizer->zeroPoint, numbers.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor sums,
                       convolution(reals, numbers, Tensor(), params.stride, params.padding, params.dilation,
                                   params.transposed, params.outputPadding, params.groups));
  TSC_ASSIGN_OR_RETURN(sums, toDType(sums, DType::Float));
  TSC_ASSIGN_OR_RETURN(sums, contiguous(sums, format));
  requantizeFloats(to, sums.data<float>(), result.numel() / channels, outputs);
  return result;
}
