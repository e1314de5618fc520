//===- CudaLaunch.cpp - Launches of a kernel ------------------------------===//
#include "CudaDevice.h"
#include "tsc/Fusion/KernelCache.h"

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

PreparedLaunches::~PreparedLaunches() {
  for (const memory::Block &block : scratch)
    memory.deallocate(block.data, block.capacity);
}

StatusOr<char *> PreparedLaunches::allocate(uint64_t bytes) {
  memory::Block block = memory.allocate(bytes);
  if (!block.data)
    return resourceExhausted("no memory for the folds of a fused kernel");
  scratch.push_back(block);
  return static_cast<char *>(block.data);
}

Status CudaLaunch::prepare(ArrayRef<char *> sources, ArrayRef<const IValue *> inputs,
                           PreparedLaunches &prepared) const {
  PreparedLaunch first{kernel, KernelRunner::Entry::Kernel, units, threads, {params.begin(), params.end()}};
  bool isAligned = mayVectorize;
  for (unsigned k = 0; k != operands.size(); ++k) {
    const auto address =
        reinterpret_cast<uintptr_t>(sources[operands[k].source]) + static_cast<uintptr_t>(operands[k].offset);
    first.params[layout.at(k)] = address;
    isAligned &= (address - operands[k].field) % operands[k].alignment == 0;
  }
  for (unsigned i = 0; i != numbers.size(); ++i)
    first.params[layout.number(i)] = numbers[i].stored(inputs);
  if (!isAligned)
    first.params[layout.scalar(ParamsLayout::InPieces)] = first.params[layout.scalar(ParamsLayout::Together)] = 0;
  if (numPartials != 0) {
    TSC_ASSIGN_OR_RETURN(char *scratch, prepared.allocate(numPartials * 8));
    first.params[layout.scratch()] = reinterpret_cast<uintptr_t>(scratch);
  }
  prepared.launches.push_back(std::move(first));
  if (numPartials != 0) {
    PreparedLaunch second = prepared.launches.back();
    second.entry = KernelRunner::Entry::Combine;
    second.units = static_cast<unsigned>((numFolded + pointwiseThreads - 1) / pointwiseThreads);
    second.threads = pointwiseThreads;
    prepared.launches.push_back(std::move(second));
  }
  return okStatus();
}

Status CudaLaunch::run(ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) const {
  PreparedLaunches prepared(memory);
  TSC_RETURN_IF_ERROR(prepare(sources, inputs, prepared));
  for (const PreparedLaunch &launch : prepared.launches)
    TSC_RETURN_IF_ERROR(runner.launch(*launch.kernel, launch.entry, launch.units, launch.threads, launch.params));
  return okStatus();
}
