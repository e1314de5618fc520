//===- CudaLaunch.cpp - Launches of a kernel ------------------------------===//
#include "CudaDevice.h"
#include "tsc/Fusion/KernelCache.h"
#include "llvm/ADT/ScopeExit.h"

using namespace tsc;
using namespace tsc::fuser;

KernelRunner::~KernelRunner() = default;

int64_t CudaLaunch::elementsOf(unsigned source) const {
  int64_t elements = 0;
  for (const Operand &operand : operands)
    if (operand.source == source)
      elements += operand.elements;
  return elements;
}

uint64_t CudaLaunch::bytesMoved() const {
  uint64_t bytes = 0;
  for (const Operand &operand : operands)
    bytes += static_cast<uint64_t>(operand.elements) * itemSize(operand.dtype);
  return bytes;
}

Status CudaLaunch::run(ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) const {
  llvm::SmallVector<uint64_t, 128> words(params.begin(), params.end());
  bool isAligned = mayVectorize;
  for (unsigned k = 0; k != operands.size(); ++k) {
    const auto address =
        reinterpret_cast<uintptr_t>(sources[operands[k].source]) + static_cast<uintptr_t>(operands[k].offset);
    words[layout.at(k)] = address;
    isAligned &= (address - operands[k].field) % operands[k].alignment == 0;
  }
  for (unsigned i = 0; i != numbers.size(); ++i)
    words[layout.number(i)] = numbers[i].stored(inputs);
  words[layout.scalar(ParamsLayout::Vector)] = isAligned;
  if (numPartials == 0)
    return runner.launch(*kernel, KernelRunner::Entry::Kernel, units, threads, words);
  // Memory of a device is reused in the order of its launches.
  memory::Block scratch = memory.allocate(numPartials * 8);
  if (!scratch.data)
    return resourceExhausted("no memory for the folds of a fused kernel");
  auto freer = llvm::make_scope_exit([&] { memory.deallocate(scratch.data, scratch.capacity); });
  words[layout.scratch()] = reinterpret_cast<uintptr_t>(scratch.data);
  TSC_RETURN_IF_ERROR(runner.launch(*kernel, KernelRunner::Entry::Kernel, units, threads, words));
  const auto blocks = static_cast<unsigned>((numFolded + pointwiseThreads - 1) / pointwiseThreads);
  return runner.launch(*kernel, KernelRunner::Entry::Combine, blocks, pointwiseThreads, words);
}
