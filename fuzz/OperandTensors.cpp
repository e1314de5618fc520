//===- OperandTensors.cpp - Tensors of all kinds as operands --------------===//
//
// Strided ones of every layout, whose elements end where their memory does; quantized,
// sparse and nested ones; and views of the call's other operands.
//
//===----------------------------------------------------------------------===//
#include "EdgeNumbers.h"
#include "GuardedMemory.h"
#include "Operands.h"
#include "tsc/Kernels/Quantized.h"
#include "tsc/Kernels/Sparse.h"
#include "tsc/Tensor/Quantizer.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
using namespace tsc;
using fuzz::limits;
using fuzz::OperandMaker;
using fuzz::specials;

/// Ends exactly where its page does, as memory of a host's may.
static constexpr fuzz::GuardedMemory operandMemory(/*alignment=*/1);

static bool namesIndices(llvm::StringRef name) {
  return name.starts_with("ind") || name.ends_with("indices") || name == "target" || name == "targets" ||
         name == "offsets" || name.contains("lengths") || name == "batch_sizes" || name.contains("pivots") ||
         name == "index";
}

Dims OperandMaker::shape(llvm::StringRef name) {
  if (facts.fits && choices.percent(95))
    return usualShape(facts, name).value_or(facts.sizes);
  if (std::optional<Dims> usual = usualShape(facts, name); usual && choices.percent(60))
    return *usual;
  const uint64_t way = choices.below(20);
  Dims made = facts.sizes;
  if (way < 12 || (facts.sizes.empty() && way < 18))
    return made;
  switch (way) {
  case 12: // broadcasts
  case 13:
    made.erase(made.begin(), made.begin() + choices.below(made.size() + 1));
    for (int64_t &size : made)
      size = choices.percent(40) ? 1 : size;
    return made;
  case 14: // transposed
    if (made.size() > 1)
      std::swap(made.back(), made[made.size() - 2]);
    return made;
  case 15: // one size is another
    choices.pickOf(made) = size();
    return made;
  case 16: made.pop_back(); return made;
  case 17: return {choices.pickOf(made)};
  case 18: return {};
  default:
    made.clear();
    int64_t count = 1;
    for (uint64_t rank = choices.below(6); rank != 0; --rank) {
      const int64_t next = size();
      if (count * next <= mostElements)
        made.push_back(next), count *= next;
    }
    return made;
  }
}

Dims OperandMaker::stridesOf(llvm::ArrayRef<int64_t> sizes) {
  Dims strides = contiguousStrides(sizes);
  if (llvm::any_of(sizes, [](int64_t size) { return size > mostElements; }))
    return strides;
  switch (choices.below(12)) {
  case 0: { // dimensions in another order
    llvm::SmallVector<size_t, 5> order;
    for (size_t d = 0; d != sizes.size(); ++d)
      order.push_back(d);
    std::shuffle(order.begin(), order.end(), std::minstd_rand(static_cast<unsigned>(choices.bits())));
    int64_t stride = 1;
    for (size_t d : order) {
      strides[d] = stride;
      stride *= std::max<int64_t>(sizes[d], 1);
    }
    break;
  }
  case 1: // expanded
    for (int64_t &stride : strides)
      stride = choices.percent(50) ? 0 : stride;
    break;
  case 2: { // a slice with steps
    int64_t stride = choices.between(1, 3);
    for (size_t d = sizes.size(); d-- != 0;) {
      strides[d] = stride;
      stride = stride * std::max<int64_t>(sizes[d], 1) + choices.between(0, 2);
    }
    break;
  }
  case 3: // channels last
    if (sizes.size() > 2) {
      strides[1] = 1;
      int64_t stride = std::max<int64_t>(sizes[1], 1);
      for (size_t d = sizes.size(); d-- != 2; stride *= std::max<int64_t>(sizes[d], 1))
        strides[d] = stride;
      strides[0] = stride;
    }
    break;
  case 4: // elements of several places
    for (int64_t &stride : strides)
      stride = choices.between(0, 3);
    break;
  default: break;
  }
  return strides;
}

template <typename T> static void fillAs(void *data, int64_t count, llvm::function_ref<T()> next) {
  for (int64_t i = 0; i != count; ++i)
    static_cast<T *>(data)[i] = next();
}

void OperandMaker::fill(void *data, int64_t count, DType dtype, std::optional<int64_t> below) {
  const uint64_t way = facts.fits && choices.percent(80) ? choices.below(8) : choices.below(16);
  auto number = [&]() -> double {
    if (below && *below > 0) // seldom outside
      return way < 12   ? static_cast<double>(choices.below(static_cast<uint64_t>(*below)))
             : way < 14 ? static_cast<double>(choices.between(-*below, *below))
                        : static_cast<double>(choices.pickOf(limits));
    switch (way) {
    case 0:
    case 1:
    case 2:
    case 3: return static_cast<double>(choices.between(-3, 3));
    case 4: return 0;
    case 5: return 1;
    case 6:
    case 7: return static_cast<double>(choices.below(1000)) / 1000;
    case 8: return choices.percent(30) ? choices.pickOf(specials) : static_cast<double>(choices.between(-3, 3));
    case 9: return choices.pickOf(specials);
    default: return static_cast<double>(choices.between(-3000, 3000)) / 1000;
    }
  };
  auto integer = [&]() -> int64_t {
    if (!below && way >= 8)
      return choices.percent(way < 12 ? 20 : 80) ? choices.pickOf(limits) : choices.between(-100, 100);
    const double value = number();
    const bool fits = std::abs(value) < 0x1p63; // not what is far outside, infinite or no number
    return fits && (!below || *below <= 0 || way < 14) ? static_cast<int64_t>(value) : choices.pickOf(limits);
  };
  switch (isQuantized(dtype) ? integersOf(dtype) : dtype) {
  case DType::UInt8: return fillAs<uint8_t>(data, count, [&] { return static_cast<uint8_t>(integer()); });
  case DType::Int8: return fillAs<int8_t>(data, count, [&] { return static_cast<int8_t>(integer()); });
  case DType::Int16: return fillAs<int16_t>(data, count, [&] { return static_cast<int16_t>(integer()); });
  case DType::Int32: return fillAs<int32_t>(data, count, [&] { return static_cast<int32_t>(integer()); });
  case DType::Int64: return fillAs<int64_t>(data, count, [&] { return integer(); });
  case DType::Bool: return fillAs<uint8_t>(data, count, [&] { return static_cast<uint8_t>(choices.percent(50)); });
  case DType::Half: return fillAs<Half>(data, count, [&] { return Half(static_cast<float>(number())); });
  case DType::BFloat16: return fillAs<BFloat16>(data, count, [&] { return BFloat16(static_cast<float>(number())); });
  case DType::ComplexHalf: return fillAs<Half>(data, 2 * count, [&] { return Half(static_cast<float>(number())); });
  case DType::Float: return fillAs<float>(data, count, [&] { return static_cast<float>(number()); });
  case DType::ComplexFloat: return fillAs<float>(data, 2 * count, [&] { return static_cast<float>(number()); });
  case DType::Double: return fillAs<double>(data, count, number);
  case DType::ComplexDouble: return fillAs<double>(data, 2 * count, number);
  default: return;
  }
}

Tensor OperandMaker::strided(llvm::ArrayRef<int64_t> sizes, DType dtype, std::optional<int64_t> below) {
  Dims strides = stridesOf(sizes);
  const int64_t offset = choices.percent(15) ? choices.between(1, 5) : 0;
  std::optional<int64_t> needed = requiredElements(sizes, strides, offset);
  if (!needed || *needed > 8 * mostElements)
    return {};
  if (choices.percent(5))
    *needed += choices.between(1, 20);
  StatusOr<Ref<Storage>> storage = Storage::allocate(*needed * itemSize(dtype), operandMemory);
  if (!storage.ok())
    return {};
  fill((*storage)->mutableData(), *needed, dtype, below);
  StatusOr<Tensor> made = Tensor::view(*storage, offset, sizes, strides, dtype);
  return made.ok() ? *made : Tensor();
}

Tensor OperandMaker::sparse() {
  const int64_t dims = choices.between(1, std::max<int64_t>(static_cast<int64_t>(facts.sizes.size()), 1));
  const int64_t count = choices.between(0, 5);
  Dims ofValues{count};
  for (size_t d = dims; d < facts.sizes.size(); ++d)
    ofValues.push_back(facts.sizes[d]);
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int64_t size : facts.sizes)
    least = std::min(least, size);
  Tensor indices = strided({dims, count}, DType::Int64, least), values = strided(ofValues, facts.dtype, std::nullopt);
  if (!indices || !values || isQuantized(facts.dtype))
    return {};
  StatusOr<Tensor> made = cpu::sparseOfSize(indices, values, facts.sizes, facts.dtype, {}, {}, {});
  if (made.ok() && choices.percent(25))
    made = cpu::toRows(*made);
  else if (made.ok() && choices.percent(40))
    made = cpu::coalesce(*made);
  return made.ok() ? *made : Tensor();
}

Tensor OperandMaker::nested() {
  Tensor padded = strided({base(0), base(-1), 3}, DType::Float, std::nullopt);
  Tensor mask = strided({base(0), base(-1)}, DType::Bool, std::nullopt);
  if (!padded || !mask)
    return {};
  StatusOr<Tensor> made = cpu::nestedFromMask(padded, mask, choices.percent(50));
  return made.ok() ? *made : Tensor();
}

/// The same tensor, or one that shares its memory.
Tensor OperandMaker::viewOfOther() {
  const Tensor &other = choices.pickOf(earlier);
  if (!other || choices.percent(50) || other.dtype() == DType::Opaque || isQuantized(other.dtype()))
    return other;
  Dims sizes(other.sizes()), strides(other.strides());
  if (sizes.empty() || other.numel() == 0)
    return other;
  const size_t d = choices.below(sizes.size());
  if (choices.percent(50)) {
    std::swap(sizes[d], sizes.back());
    std::swap(strides[d], strides.back());
    return other.alias(sizes, strides, other.storageOffset());
  }
  --sizes[d];
  return other.alias(sizes, strides, other.storageOffset() + (sizes[d] ? strides[d] : 0));
}

/// The integers of `tensor` with a meaning; a tensor of reals where there is none.
static Tensor quantized(fuzz::Choices &choices, const Tensor &integers) {
  if (choices.percent(75) || integers.dim() == 0) {
    StatusOr<Tensor> made = cpu::makePerTensorQuantized(integers, choices.pick({1.0, 0.1, 1e-3, 1e-30, 300.0}),
                                                        choices.pick({0, 0, 1, 64, 127}));
    return made.ok() ? *made : integers;
  }
  const int64_t axis = choices.between(0, integers.dim() - 1);
  StatusOr<Tensor> scales = Tensor::full({integers.size(axis)}, 0.5, DType::Double);
  StatusOr<Tensor> zeroPoints = Tensor::full({integers.size(axis)}, 3, DType::Int64);
  if (!scales.ok() || !zeroPoints.ok())
    return integers;
  StatusOr<Tensor> made = cpu::makePerChannelQuantized(integers, *scales, *zeroPoints, axis);
  return made.ok() ? *made : integers;
}

Tensor OperandMaker::tensor(llvm::StringRef name) {
  if (!earlier.empty() && choices.percent(name == "out" ? 25 : facts.fits ? 2 : 9))
    return viewOfOther();
  if (!others.empty() && choices.percent(facts.fits ? 3 : 12))
    return choices.pickOf(others);
  if (facts.isSparse && choices.percent(60))
    if (Tensor made = choices.percent(80) && !facts.names({"nested"}) ? sparse() : nested())
      return made;
  const bool isIndex = namesIndices(name) && choices.percent(90);
  DType own = choices.percent(facts.fits ? 97 : 85)
                  ? facts.dtype
                  : static_cast<DType>(choices.below(static_cast<uint64_t>(DType::Opaque)));
  if (isIndex)
    own = name.contains("pivots") ? DType::Int32
          : choices.percent(92)   ? DType::Int64
                                  : choices.pick({DType::Int32, DType::Bool, DType::UInt8});
  else if ((name.contains("mask") || name == "condition") && choices.percent(80) && !facts.names({"deform"}))
    own = DType::Bool;
  Tensor made = strided(shape(name), isQuantized(own) ? integersOf(own) : own,
                        isIndex ? std::optional(usualLimit(facts, name)) : std::nullopt);
  if (!made)
    return *Tensor::scalar(1, DType::Float);
  if (isQuantized(own))
    return quantized(choices, made);
  TensorImpl &impl = *made.get();
  impl.conjugate = isComplex(own) && choices.percent(10);
  impl.negative = (isFloating(own) || isComplex(own)) && choices.percent(2);
  impl.requiresGrad = (isFloating(own) || isComplex(own)) && choices.percent(facts.gradients ? 70 : 3);
  return made;
}
