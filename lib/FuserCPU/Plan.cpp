//===- Plan.cpp - Running a group on operands of given sizes --------------===//
#include "Plan.h"
#include "FoldWalk.h"
#include "KernelCache.h"
#include "Routines.h"
#include "ThreadMemory.h"
#include "TileWalk.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Support/Trace.h"
#include "tsc/Tensor/Promotion.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>
#include <cstring>

using namespace tsc;
using namespace tsc::fuser;

/// As ==, but for a few elements without a call.
static bool areEqual(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  bool equal = a.size() == b.size();
  for (size_t i = 0; equal && i != a.size(); ++i)
    equal = a[i] == b[i];
  return equal;
}

bool Plan::matches(ArrayRef<const IValue *> inputs) const {
  for (size_t i = 0; i != keys.size(); ++i) {
    const InputKey &key = keys[i];
    const IValue &input = *inputs[i];
    if (input.getTag() != key.tag)
      return false;
    if (input.isTensor()) {
      const TensorImpl &t = *input.asTensor().get();
      if (t.dtype != key.dtype || !areEqual(t.sizes, key.sizes) || !areEqual(t.strides, key.strides) || t.conjugate ||
          t.negative || t.device.kind != DeviceKind::CPU)
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

static void storeNumber(uint64_t &slot, const IValue &number, const NumberSource &source) {
  Scalar value = roundNumber(number.toScalar(), source.roundsTo);
  switch (source.dtype) {
  case DType::Float: {
    float v = static_cast<float>(value.toDouble());
    std::memcpy(&slot, &v, sizeof v);
    return;
  }
  case DType::Double: {
    double v = value.toDouble();
    std::memcpy(&slot, &v, sizeof v);
    return;
  }
  default: slot = static_cast<uint64_t>(value.toInt());
  }
}

llvm::SmallVector<uint64_t, 8> Launch::storedNumbers(ArrayRef<const IValue *> inputs) const {
  llvm::SmallVector<uint64_t, 8> values;
  for (const NumberSource &source : numbers)
    storeNumber(values.emplace_back(), source.value.isNone() ? *inputs[source.input] : source.value, source);
  return values;
}

int64_t Launch::elementsOf(unsigned tensor) const {
  int64_t elements = 1;
  auto walk = [&](int64_t size, ArrayRef<int64_t> strides) { elements *= strides[tensor] ? size : 1; };
  if (!fold) {
    walk(count, inner);
    walk(rows, outer);
    for (auto [size, strides] : llvm::zip_equal(outsideSizes, outsideStrides))
      walk(size, strides);
    return elements;
  }
  walk(fold->run.size, fold->run.strides);
  for (const WalkDim &dim : llvm::concat<const WalkDim>(fold->kept, fold->runs))
    walk(dim.size, dim.strides);
  if (fold->columns)
    walk(fold->columns->size, fold->columns->strides);
  return elements;
}

Dims Launch::walkedSizes() const {
  Dims sizes;
  auto add = [&](int64_t size) {
    if (size != 1 || !sizes.empty())
      sizes.push_back(size);
  };
  if (fold) {
    for (const WalkDim &dim : llvm::concat<const WalkDim>(fold->kept, fold->runs))
      add(dim.size);
    add(fold->run.size);
    if (fold->columns)
      add(fold->columns->size);
    return sizes;
  }
  for (int64_t size : llvm::reverse(outsideSizes))
    add(size);
  add(rows);
  add(count);
  return sizes;
}

uint64_t Launch::bytesMoved() const {
  uint64_t bytes = 0;
  for (unsigned k = 0; k != tensors().size(); ++k)
    bytes += static_cast<uint64_t>(elementsOf(k)) * itemSize(kernel->nest.operands[k].dtype);
  if (!fold)
    return bytes;
  int64_t results = fold->columns ? fold->columns->size : 1;
  for (const WalkDim &dim : fold->kept)
    results *= dim.size;
  for (const FoldLaunch::Result &result : fold->results)
    bytes += static_cast<uint64_t>(results) * itemSize(result.dtype);
  return bytes;
}

void Launch::moveOutside(llvm::MutableArrayRef<char *> pointers, int64_t outside) const {
  for (auto [size, strides] : llvm::zip_equal(outsideSizes, outsideStrides)) {
    for (auto [pointer, stride] : llvm::zip_equal(pointers, strides))
      pointer += outside % size * stride;
    outside /= size;
  }
}

uint64_t Plan::bytesRead(ArrayRef<const IValue *> inputs) const {
  uint64_t total = 0;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (!input->isTensor() || !input->asTensor().defined())
      continue;
    int64_t elements = 0;
    for (const Launch &launch : launches)
      for (auto [k, operand] : llvm::enumerate(launch.tensors()))
        if (operand.source == i)
          elements += launch.elementsOf(k);
    total += std::min(elements, input->asTensor().numel()) * itemSize(input->asTensor().dtype());
  }
  return total;
}

namespace {
using Pointers = llvm::SmallVector<char *, 16>;

/// What is left of a Walk where the kernel walks by itself.
void callOnce(const Launch &launch, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) {
  Pointers pointers;
  pointers.resize_for_overwrite(launch.operands.size());
  for (size_t k = 0; k != launch.operands.size(); ++k)
    pointers[k] = sources[launch.operands[k].source] + launch.operands[k].offset;
  llvm::SmallVector<uint64_t, 8> numbers = launch.storedNumbers(inputs);
  launch.kernel->function.load(std::memory_order_relaxed)(pointers.data(), launch.inner.data(), launch.outer.data(),
                                                          launch.count, launch.rows, numbers.data(), routineTable(),
                                                          /*streaming=*/false);
}

/// One launch on given memory.
class Walk {
public:
  Walk(const Launch &launch, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs)
      : launch(launch), function(launch.kernel->function) {
    for (const Launch::Operand &operand : launch.operands)
      pointers.push_back(sources[operand.source] + operand.offset);
    numbers = launch.storedNumbers(inputs);
    inner = launch.inner, outer = launch.outer;
    for (int64_t &stride : outer)
      stride *= launch.rowsAtOnce;
    streaming = launch.mayStream;
    for (unsigned k = 0; k != pointers.size(); ++k)
      if (launch.operands[k].source >= inputs.size())
        streaming &= reinterpret_cast<uintptr_t>(pointers[k]) % 64 == 0;
  }

  /// Copies the operands that are to be packed.
  Status pack() {
    for (const Launch::Packed &packed : launch.packed) {
      TSC_ASSIGN_OR_RETURN(Tensor row, Tensor::empty({launch.count * packed.times}, packed.dtype));
      int64_t item = static_cast<int64_t>(itemSize(packed.dtype)), bytes = launch.count * item;
      char *to = static_cast<char *>(row.mutableData());
      cpu::convertRow(to, packed.dtype, item, pointers[packed.operand], packed.dtype, packed.stride, launch.count);
      for (int64_t i = 1; i != packed.times; ++i)
        std::memcpy(to + i * bytes, to, static_cast<size_t>(bytes));
      pointers[packed.operand] = to;
      packedRows.push_back(std::move(row));
    }
    return okStatus();
  }

  Status run() {
    if (!launch.tiled.empty())
      return runTiles(launch, pointers, numbers, streaming);
    int64_t rows = launch.rows * launch.outside;
    if (rows == 1 && !launch.hasFolds) {
      constexpr int64_t unit = 4096; // elements; a multiple of any vector
      parallelFor(0, (launch.count + unit - 1) / unit, parallelGrain / unit,
                  [&](int64_t begin, int64_t end) { runPart(begin * unit, std::min(end * unit, launch.count)); });
      return okStatus();
    }
    parallelFor(0, rows, std::max<int64_t>(1, parallelGrain / launch.count),
                [&](int64_t begin, int64_t end) { runRows(begin, end); });
    return outOfMemory ? resourceExhausted("no memory for the rows of a fused kernel") : okStatus();
  }

private:
  void call(const Pointers &at, int64_t count, int64_t rows) const {
    function(at.data(), inner.data(), outer.data(), count, rows, numbers.data(), routineTable(), streaming);
  }

  /// Elements [begin, end) of the only row.
  void runPart(int64_t begin, int64_t end) const {
    if (begin == 0)
      return call(pointers, end, 1);
    Pointers at = pointers;
    for (unsigned k = 0; k != at.size(); ++k)
      at[k] += begin * launch.inner[k];
    call(at, end - begin, 1);
  }

  void runRows(int64_t begin, int64_t end) {
    ThreadMemory memory;
    Pointers first = pointers;
    for (const Launch::Kept &kept : launch.kept)
      first[kept.operand] = memory.take(static_cast<size_t>(launch.count) * itemSize(kept.dtype));
    if (memory.isShort) {
      outOfMemory = true;
      return;
    }
    if (begin == 0 && end == launch.rows && launch.rowsAtOnce == 1)
      return call(first, launch.count, launch.rows);
    while (begin < end) {
      int64_t outside = begin / launch.rows, row = begin % launch.rows, rows = std::min(launch.rows - row, end - begin);
      Pointers at = first;
      for (unsigned k = 0; k != at.size(); ++k)
        at[k] += row * launch.outer[k];
      launch.moveOutside(at, outside);
      if (launch.rowsAtOnce != 1)
        callLongRows(at, rows);
      else
        call(at, launch.count, rows);
      begin += rows;
    }
  }

  void callLongRows(Pointers &at, int64_t rows) const {
    int64_t joined = launch.rowsAtOnce, whole = rows / joined, rest = rows % joined;
    if (whole != 0)
      call(at, launch.count * joined, whole);
    for (unsigned k = 0; k != at.size(); ++k)
      at[k] += whole * outer[k];
    if (rest != 0)
      call(at, launch.count * rest, 1);
  }

  const Launch &launch;
  KernelFunction function;
  Pointers pointers;
  llvm::SmallVector<Tensor, 2> packedRows;
  llvm::SmallVector<uint64_t, 8> numbers;
  llvm::SmallVector<int64_t, 8> inner, outer; ///< As the kernel walks.
  bool streaming;
  std::atomic<bool> outOfMemory{false};
};
} // namespace

Status Launch::run(ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) const {
  if (isOneCall) {
    callOnce(*this, sources, inputs);
    return okStatus();
  }
  if (fold)
    return runFold(*this, sources, inputs);
  Walk walk(*this, sources, inputs);
  TSC_RETURN_IF_ERROR(walk.pack());
  return walk.run();
}

Status Plan::run(ArrayRef<const IValue *> inputs, IValue *results, TraceRecorder *trace) const {
  llvm::SmallVector<char *, 24> sources;
  for (const IValue *input : inputs)
    sources.push_back(input->isTensor() ? static_cast<char *>(const_cast<void *>(input->asTensor().data())) : nullptr);
  for (const OutputShape &output : outputs) {
    TSC_ASSIGN_OR_RETURN(Tensor t, output.isRowMajor
                                       ? Tensor::empty(output.sizes, output.dtype)
                                       : Tensor::emptyStrided(output.sizes, output.strides, output.dtype));
    sources.push_back(static_cast<char *>(t.mutableData()));
    *results++ = IValue(std::move(t));
  }
  std::vector<Tensor> kept;
  for (const OutputShape &temporary : temporaries) {
    TSC_ASSIGN_OR_RETURN(Tensor t, Tensor::empty(temporary.sizes, temporary.dtype));
    sources.push_back(static_cast<char *>(t.mutableData()));
    kept.push_back(std::move(t));
  }
  for (const Launch &launch : launches) {
    auto start = trace ? TraceRecorder::Clock::now() : TraceRecorder::Clock::time_point();
    TSC_RETURN_IF_ERROR(launch.run(sources, inputs));
    if (trace)
      trace->add("kernel", launch.kernel->name, shapeString(launch.walkedSizes()), launch.bytesMoved(), start,
                 TraceRecorder::Clock::now());
  }
  return okStatus();
}
