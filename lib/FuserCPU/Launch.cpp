//===- Launch.cpp - How a processor walks a nest --------------------------===//
#include "Launch.h"
#include "CrossWalk.h"
#include "FoldWalk.h"
#include "ThreadMemory.h"
#include "TileWalk.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Support/ThreadPool.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>
#include <cstring>

using namespace tsc;
using namespace tsc::fuser;

llvm::SmallVector<uint64_t, 8> CpuLaunch::storedNumbers(ArrayRef<const IValue *> inputs) const {
  assert(kernel && numbers.size() == kernel->nest.numUniforms && "the numbers that the kernel reads");
  llvm::SmallVector<uint64_t, 8> values;
  for (const NumberSource &source : numbers)
    values.push_back(source.stored(inputs));
  return values;
}

int64_t CpuLaunch::elementsOfOperand(unsigned tensor) const {
  assert(tensor < tensors().size() && "an operand that is a tensor of the plan");
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

Dims CpuLaunch::walkedSizes() const {
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

uint64_t CpuLaunch::bytesMoved() const {
  uint64_t bytes = 0;
  for (unsigned k = 0; k != tensors().size(); ++k)
    bytes += static_cast<uint64_t>(elementsOfOperand(k)) * itemSize(kernel->nest.operands[k].dtype);
  if (!fold)
    return bytes;
  int64_t results = fold->columns ? fold->columns->size : 1;
  for (const WalkDim &dim : fold->kept)
    results *= dim.size;
  for (const FoldLaunch::Result &result : fold->results)
    bytes += static_cast<uint64_t>(result.alongColumns ? fold->run.size : results) * itemSize(result.dtype);
  return bytes;
}

StatusOr<Tensor> CpuLaunch::pack(const Packed &operand, const char *from) const {
  assert(operand.operand < operands.size() && operand.times >= 1 && "an operand, of which there is one row at least");
  TSC_ASSIGN_OR_RETURN(Tensor row, Tensor::empty({count * operand.times}, operand.dtype));
  const int64_t item = static_cast<int64_t>(itemSize(operand.dtype)), bytes = count * item;
  char *to = static_cast<char *>(row.mutableData());
  cpu::convertRow(to, operand.dtype, item, from, operand.dtype, operand.stride, count);
  for (int64_t i = 1; i != operand.times; ++i)
    std::memcpy(to + i * bytes, to, static_cast<size_t>(bytes));
  return row;
}

void CpuLaunch::moveOutside(llvm::MutableArrayRef<char *> pointers, int64_t outside) const {
  assert(outside >= 0 && outside < std::max<int64_t>(this->outside, 1) && "a place of the outside dimensions");
  for (auto [size, strides] : llvm::zip_equal(outsideSizes, outsideStrides)) {
    for (auto [pointer, stride] : llvm::zip_equal(pointers, strides))
      pointer += outside % size * stride;
    outside /= size;
  }
}

int64_t CpuLaunch::elementsOf(unsigned source) const {
  int64_t elements = 0;
  for (auto [k, operand] : llvm::enumerate(tensors()))
    if (operand.source == source)
      elements += elementsOfOperand(static_cast<unsigned>(k));
  return elements;
}

namespace {
using Pointers = llvm::SmallVector<char *, 16>;

/// What is left of a Walk where the kernel walks by itself.
void callOnce(const CpuLaunch &launch, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) {
  Pointers pointers;
  pointers.resize_for_overwrite(launch.operands.size());
  assert(launch.inner.size() == launch.operands.size() && launch.outer.size() == launch.operands.size() &&
         "each operand has its strides");
  for (size_t k = 0; k != launch.operands.size(); ++k)
    pointers[k] = sources[launch.operands[k].source] + launch.operands[k].offset;
  llvm::SmallVector<uint64_t, 8> numbers = launch.storedNumbers(inputs);
  functionOf (*launch.kernel)(pointers.data(), launch.inner.data(), launch.outer.data(), launch.count, launch.rows,
                              numbers.data(), routineTable(),
                              /*streaming=*/false);
}

/// One launch on given memory.
class Walk {
public:
  Walk(const CpuLaunch &launch, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs)
      : launch(launch), function(functionOf(*launch.kernel)) {
    assert(launch.inner.size() == launch.operands.size() && launch.outer.size() == launch.operands.size() &&
           "each operand has its strides");
    for (const CpuLaunch::Operand &operand : launch.operands)
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
    for (const CpuLaunch::Packed &packed : launch.packed) {
      TSC_ASSIGN_OR_RETURN(Tensor row, launch.pack(packed, pointers[packed.operand]));
      pointers[packed.operand] = static_cast<char *>(row.mutableData());
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
    for (const CpuLaunch::Kept &kept : launch.kept)
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

  const CpuLaunch &launch;
  KernelFunction function;
  Pointers pointers;
  llvm::SmallVector<Tensor, 2> packedRows;
  llvm::SmallVector<uint64_t, 8> numbers;
  llvm::SmallVector<int64_t, 8> inner, outer; ///< As the kernel walks.
  bool streaming;
  std::atomic<bool> outOfMemory{false};
};
} // namespace

Status CpuLaunch::run(ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) const {
  assert(kernel && "the kernel cache has made the launch's kernel");
  if (isOneCall) {
    callOnce(*this, sources, inputs);
    return okStatus();
  }
  if (fold)
    return fold->crosses ? runCrossedFolds(*this, sources, inputs) : runFold(*this, sources, inputs);
  Walk walk(*this, sources, inputs);
  TSC_RETURN_IF_ERROR(walk.pack());
  return walk.run();
}
