//===- Plan.cpp - Running a group on operands of given sizes --------------===//
#include "tsc/Fusion/Plan.h"
#include "tsc/Fusion/KernelCache.h"
#include "tsc/Support/Trace.h"
#include "tsc/Tensor/Promotion.h"
#include "llvm/ADT/STLExtras.h"
#include <bit>

using namespace tsc;
using namespace tsc::fuser;

Launch::~Launch() = default;
LaunchSequence::~LaunchSequence() = default;
NestDevice::~NestDevice() = default;

/// As ==, but for a few elements without a call.
static bool areEqual(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  bool equal = a.size() == b.size();
  for (size_t i = 0; equal && i != a.size(); ++i)
    equal = a[i] == b[i];
  return equal;
}

bool Plan::matches(ArrayRef<const IValue *> inputs) const {
  assert(inputs.size() == keys.size() && memory && "the inputs of the plan's group");
  for (size_t i = 0; i != keys.size(); ++i) {
    const InputKey &key = keys[i];
    const IValue &input = *inputs[i];
    if (input.getTag() != key.tag)
      return false;
    if (input.isTensor()) {
      const TensorImpl &t = *input.asTensor().get();
      if (t.dtype != key.dtype || !areEqual(t.sizes, key.sizes) || !areEqual(t.strides, key.strides) || t.conjugate ||
          t.negative || !(t.device() == memory->device()))
        return false;
    } else if (input.isIntList()) {
      if (!areEqual(input.toIntList().elements, key.sizes))
        return false;
    } else if (key.byValue && !input.isSameAs(key.value)) {
      return false;
    }
  }
  return true;
}

uint64_t NumberSource::stored(ArrayRef<const IValue *> inputs) const {
  assert((!value.isNone() || input < inputs.size()) && "an input of the group holds the number");
  const IValue &number = value.isNone() ? *inputs[input] : value;
  Scalar rounded = conversion(number.toScalar());
  switch (dtype) {
  case DType::Float: return std::bit_cast<uint32_t>(static_cast<float>(rounded.toDouble()));
  case DType::Double: return std::bit_cast<uint64_t>(rounded.toDouble());
  default: return static_cast<uint64_t>(rounded.toInt());
  }
}

uint64_t Plan::bytesRead(ArrayRef<const IValue *> inputs) const {
  assert(inputs.size() == keys.size() && "the inputs of the plan's group");
  uint64_t total = 0;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (!input->isTensor() || !input->asTensor().defined())
      continue;
    int64_t elements = 0;
    for (const auto &launch : launches)
      elements += launch->elementsOf(static_cast<unsigned>(i));
    total += std::min(elements, input->asTensor().numel()) * itemSize(input->asTensor().dtype());
  }
  return total;
}

Status Plan::run(ArrayRef<const IValue *> inputs, IValue *results, TraceRecorder *trace) const {
  assert(inputs.size() == keys.size() && memory && "the inputs of the plan's group");
  assert((results || outputs.empty()) && "there is room for the outputs");
  llvm::SmallVector<char *, 24> sources;
  for (const IValue *input : inputs)
    sources.push_back(input->isTensor() ? static_cast<char *>(const_cast<void *>(input->asTensor().data())) : nullptr);
  for (const OutputShape &output : outputs) {
    TSC_ASSIGN_OR_RETURN(Tensor t, output.isRowMajor
                                       ? Tensor::empty(output.sizes, output.dtype, *memory)
                                       : Tensor::emptyStrided(output.sizes, output.strides, output.dtype, *memory));
    sources.push_back(static_cast<char *>(t.mutableData()));
    *results++ = IValue(std::move(t));
  }
  std::vector<Tensor> kept;
  for (const OutputShape &temporary : temporaries) {
    TSC_ASSIGN_OR_RETURN(Tensor t, Tensor::empty(temporary.sizes, temporary.dtype, *memory));
    sources.push_back(static_cast<char *>(t.mutableData()));
    kept.push_back(std::move(t));
  }
  if (sequence)
    return sequence->run(launches, sources, inputs, trace);
  for (const auto &launch : launches) {
    auto start = trace ? TraceRecorder::Clock::now() : TraceRecorder::Clock::time_point();
    TSC_RETURN_IF_ERROR(launch->run(sources, inputs));
    if (trace)
      trace->add("kernel", launch->kernel->name, shapeString(launch->walkedSizes()), launch->bytesMoved(), start,
                 TraceRecorder::Clock::now());
  }
  return okStatus();
}
