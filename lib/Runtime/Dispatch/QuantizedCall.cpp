//===- QuantizedCall.cpp - Operators called with quantized tensors --------===//
#include "tsc/Runtime/Dispatch/QuantizedCall.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Quantized.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/Status.h"
#include "tsc/Tensor/Quantizer.h"
#include <numeric>

using namespace tsc;

bool tsc::isOfTensors(const Type *type) {
  if (auto *optional = llvm::dyn_cast<OptionalType>(type))
    type = optional->element();
  if (auto *list = llvm::dyn_cast<ListType>(type))
    return isOfTensors(list->element());
  return llvm::isa<TensorType>(type);
}

uint32_t tsc::operandsToDequantize(const OpRecord &record, const FunctionSchema &schema) {
  const bool isBlind = record.has(Trait::View) || record.has(Trait::Geometry) || record.has(Trait::SizeQuery) ||
                       tensorQuery(record.kind);
  if (isBlind || record.has(Trait::TakesQuantized) || !record.qualified.starts_with("aten::"))
    return 0;
  uint32_t bits = 0;
  for (size_t i = 0; i != std::min<size_t>(schema.arguments().size(), 32); ++i)
    if (isOfTensors(schema.arguments()[i].type))
      bits |= uint32_t{1} << i;
  return bits;
}

/// Whether a result has a scheme of the operator's own, also one that is written in place.
static bool hasOwnScheme(const OpRecord &record) {
  return record.has(Trait::UnitRange) || record.has(Trait::SignedUnitRange);
}

/// The scheme of a result: of the first quantized operand, or what the operator gives whatever its operand.
static std::pair<double, int64_t> schemeOf(const OpRecord &record, const Tensor &first) {
  // A probability has all of the integers for [0, 1], as PyTorch's kernels choose; tanh has them for [-1, 1].
  if (record.has(Trait::UnitRange))
    return {1.0 / 256, first.dtype() == DType::QUInt8 ? 0 : -128};
  if (record.has(Trait::SignedUnitRange))
    return {2.0 / 256, first.dtype() == DType::QUInt8 ? 128 : 0};
  const Quantizer *quantizer = quantizerOf(first);
  return {quantizer->scale, quantizer->zeroPoint};
}

namespace {
/// What an operator computes with in the place of integers.
enum class Reals {
  Numbers,  ///< What they stand for.
  Expanded, ///< The same, as PyTorch's point-wise kernels round it.
  Units,    ///< The integers less the zero point.
  Integers  ///< The integers; the zero point is subtracted from the results.
};
} // namespace

/// What an average of elements is computed of: their scale makes no difference to it.
static std::optional<Reals> averaged(const OpRecord &record) {
  if (record.has(Trait::AveragesUnits))
    return Reals::Units;
  if (record.has(Trait::AveragesIntegers))
    return Reals::Integers;
  return std::nullopt;
}

/// The integers less `zeroPoint`.
static StatusOr<Tensor> integersOf(const Tensor &tensor, int64_t zeroPoint) {
  TSC_ASSIGN_OR_RETURN(Tensor scaled, cpu::withQuantizer(tensor, 1, zeroPoint));
  return cpu::dequantize(scaled);
}

static StatusOr<IValue> dequantized(const IValue &value, Reals which, Tensor &first) {
  auto reals = [&](const Tensor &tensor) -> StatusOr<Tensor> {
    if (!tensor.defined() || !isQuantized(tensor.dtype()))
      return tensor;
    if (!first.defined())
      first = tensor;
    switch (which) {
    case Reals::Numbers: break;
    case Reals::Expanded: return cpu::quantizedExpand(tensor);
    case Reals::Units:
    case Reals::Integers:
      if (const Quantizer *quantizer = quantizerOf(tensor); quantizer && !quantizer->isPerChannel())
        return integersOf(tensor, which == Reals::Units ? quantizer->zeroPoint : 0);
    }
    return cpu::dequantize(tensor);
  };
  if (value.isTensor()) {
    TSC_ASSIGN_OR_RETURN(Tensor tensor, reals(value.asTensor()));
    return IValue(tensor);
  }
  if (!value.isTensorList())
    return value;
  std::vector<Tensor> list;
  for (const Tensor &tensor : value.toTensorList().elements) {
    TSC_ASSIGN_OR_RETURN(Tensor each, reals(tensor));
    list.push_back(std::move(each));
  }
  return IValue(std::move(list));
}

/// Of a point-wise operator whose one tensor has bytes, many of them, the place of that tensor: what becomes of an
/// element depends on its byte alone.
static std::optional<size_t> mappedBytes(const OpRecord &record, llvm::ArrayRef<const IValue *> args) {
  constexpr int64_t least = 2048; // a table takes as long as its 256 elements
  if (!record.has(Trait::Pointwise) || record.has(Trait::Random))
    return std::nullopt;
  std::optional<size_t> only;
  for (size_t i = 0; i != args.size(); ++i) {
    if (args[i]->isTensorList() || (args[i]->isTensor() && only))
      return std::nullopt;
    if (args[i]->isTensor() && args[i]->asTensor().defined())
      only = i;
  }
  if (!only)
    return std::nullopt;
  const Tensor &tensor = args[*only]->asTensor();
  const Quantizer *quantizer = quantizerOf(tensor);
  if (tensor.numel() < least || itemSize(tensor.dtype()) != 1 || !quantizer || quantizer->isPerChannel() ||
      !cpu::isNonOverlappingAndDense(tensor.sizes(), tensor.strides()))
    return std::nullopt;
  return only;
}

/// Calls the operator on a tensor of all bytes, and maps those of the tensor at `place` to what they became. False: the
/// operator gives no such bytes.
static StatusOr<bool> callByTable(const OpRecord &record, const FunctionSchema &schema, llvm::StringRef name,
                                  llvm::ArrayRef<const IValue *> args, IValue &result, size_t place,
                                  llvm::function_ref<Status(const IValue *const *args, IValue *results)> kernel) {
  const Tensor &self = args[place]->asTensor();
  TSC_ASSIGN_OR_RETURN(Tensor every, Tensor::empty({256}, self.dtype()));
  std::iota(static_cast<uint8_t *>(every.mutableData()), static_cast<uint8_t *>(every.mutableData()) + 256, 0);
  setQuantizer(every, quantizerOf(self)->scale, quantizerOf(self)->zeroPoint);
  const IValue bytes(every);
  std::vector<const IValue *> pointers(args);
  pointers[place] = &bytes;
  IValue entries;
  TSC_RETURN_IF_ERROR(callOnReals(record, schema, name, pointers, entries, kernel));
  if (!entries.isTensor() || entries.asTensor().dtype() != self.dtype())
    return false;
  const Tensor &table = entries.asTensor();
  if (entries.isSameAs(bytes)) { // written in place
    cpu::mapBytes(self, self, table);
    Tensor written = self;
    setQuantizer(written, quantizerOf(table)->scale, quantizerOf(table)->zeroPoint);
    self.bumpVersion();
    result = *args[place];
    return true;
  }
  TSC_ASSIGN_OR_RETURN(Tensor mapped, Tensor::emptyStrided(self.sizes(), self.strides(), self.dtype()));
  cpu::mapBytes(mapped, self, table);
  setQuantizer(mapped, quantizerOf(table)->scale, quantizerOf(table)->zeroPoint);
  result = IValue(std::move(mapped));
  return true;
}

Status tsc::callOnReals(const OpRecord &record, const FunctionSchema &schema, llvm::StringRef name,
                        llvm::ArrayRef<const IValue *> args, llvm::MutableArrayRef<IValue> results,
                        llvm::function_ref<Status(const IValue *const *args, IValue *results)> kernel) {
  const bool quantizes = record.has(Trait::KeepsScheme) || hasOwnScheme(record);
  if (!quantizes && !record.has(Trait::SeesReals))
    return unimplemented("Could not run '" + name +
                         "' with arguments from the 'QuantizedCPU' backend: torch.dequantize gives real numbers");
  if (const auto place = quantizes && results.size() == 1 ? mappedBytes(record, args) : std::nullopt) {
    TSC_ASSIGN_OR_RETURN(const bool isDone, callByTable(record, schema, name, args, results.front(), *place, kernel));
    if (isDone)
      return okStatus();
  }
  const std::optional<Reals> average = averaged(record);
  const Reals which = average.value_or(quantizes && record.has(Trait::Pointwise) ? Reals::Expanded : Reals::Numbers);
  Tensor first;
  std::vector<IValue> reals;
  std::vector<const IValue *> pointers;
  for (const IValue *arg : args) {
    TSC_ASSIGN_OR_RETURN(IValue value, dequantized(*arg, which, first));
    reals.push_back(std::move(value));
  }
  for (const IValue &value : reals)
    pointers.push_back(&value);
  const Quantizer *quantizer = quantizerOf(first);
  if (!quantizer || (quantizes && quantizer->isPerChannel()))
    return unimplemented("'" + name +
                         "' of a tensor that is quantized per channel: torch.dequantize gives real numbers");
  TSC_RETURN_IF_ERROR(kernel(pointers.data(), results.data()));
  for (IValue &result : results) {
    if (!result.isTensor())
      continue;
    const IValue *written = nullptr;
    for (size_t i = 0; i != args.size(); ++i)
      if (reals[i].isTensor() && reals[i].isSameAs(result) && !reals[i].isSameAs(*args[i]))
        written = args[i];
    if (written) {
      Tensor numbers = result.toTensor();
      if (hasOwnScheme(record)) { // which the tensor that is written takes over
        auto [scale, zeroPoint] = schemeOf(record, first);
        TSC_ASSIGN_OR_RETURN(numbers, cpu::quantizePerTensor(numbers, scale, zeroPoint, first.dtype()));
      }
      TSC_RETURN_IF_ERROR(cpu::copyInto(written->asTensor(), numbers));
      result = *written;
    } else if (quantizes && result.asTensor().dtype() == DType::Float) {
      auto [scale, zeroPoint] = schemeOf(record, first);
      Tensor numbers = result.toTensor();
      if (which == Reals::Integers) {
        TSC_ASSIGN_OR_RETURN(numbers, cpu::isNonOverlappingAndDense(numbers.sizes(), numbers.strides())
                                          ? numbers
                                          : cpu::clone(numbers, MemoryFormat::Contiguous));
        for (float &number : llvm::MutableArrayRef(numbers.mutableData<float>(), numbers.numel()))
          number -= static_cast<float>(zeroPoint);
      }
      TSC_ASSIGN_OR_RETURN(Tensor tensor,
                           cpu::quantizePerTensor(numbers, average ? 1 : scale, zeroPoint, first.dtype()));
      if (average)
        setQuantizer(tensor, scale, zeroPoint);
      result = IValue(tensor);
    }
  }
  return okStatus();
}
