//===- NestBuilder.cpp - From values of a group to a loop nest ------------===//
#include "NestBuilder.h"
#include "VectorBuilder.h"
#include "tsc/Tensor/Kernels/Views.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace tsc;
using namespace tsc::fuser;

/// More than this is no kernel worth its compilation.
static constexpr size_t maxSteps = 2000, maxOperands = 100;

static DType bufferDType(DType compute) { return compute == DType::Bool ? DType::Int64 : compute; }

unsigned NestBuilder::pushMap(Map map) {
  auto found = llvm::find(ArrayRef(maps).drop_front(), map);
  if (found != maps.data() + maps.size())
    return static_cast<unsigned>(found - maps.data());
  maps.push_back(std::move(map));
  return static_cast<unsigned>(maps.size() - 1);
}

std::optional<Tensor> NestBuilder::geometryOf(Tensor t, unsigned map) const {
  for (; map != 0; map = maps[map].outer) {
    const Map &m = maps[map];
    if (!m.reduced.empty()) {
      auto wider = withReducedDims(t, m.reduced, m.expandTo);
      if (!wider)
        return std::nullopt;
      t = std::move(*wider);
      continue;
    }
    if (m.step == Group::None) {
      auto expanded = cpu::expand(t, m.expandTo);
      if (!expanded.ok())
        return std::nullopt;
      t = std::move(*expanded);
      continue;
    }
    std::vector<Tensor> results = facts.applyIndexMap(group.steps[m.step], t);
    if (m.result >= results.size())
      return std::nullopt;
    t = std::move(results[m.result]);
  }
  return t;
}

unsigned NestBuilder::addOperand(unsigned source, const Tensor &geometry, bool isOutput) {
  for (unsigned k = 0; k != operands.size(); ++k) {
    const TensorImpl &known = *operands[k].geometry.get(), &t = *geometry.get();
    if (operands[k].source == source && known.offset == t.offset && known.strides == t.strides)
      return k;
  }
  operands.push_back({source, geometry});
  // The classes are known when all operands are; until then each element is taken to differ.
  return nest.addOperand({geometry.dtype(), Access::Strided, isOutput});
}

std::optional<unsigned> NestBuilder::emitInput(unsigned input, unsigned map) {
  auto geometry = geometryOf(facts.tensor(input), map);
  if (!geometry || operands.size() >= maxOperands)
    return std::nullopt;
  return nest.load(addOperand(input, *geometry, false));
}

std::optional<unsigned> NestBuilder::emit(unsigned value, unsigned map) {
  auto found = emitted.find({value, map});
  if (found != emitted.end())
    return found->second;
  auto step = emitUncached(value, map);
  if (step)
    emitted[{value, map}] = *step;
  return nest.steps.size() < maxSteps ? step : std::nullopt;
}

std::optional<unsigned> NestBuilder::emitUncached(unsigned value, unsigned map) {
  auto [stepNumber, result] = group.definitions[value];
  if (stepNumber == Group::None)
    return value < group.numInputs ? emitInput(value, map) : std::nullopt;
  const GroupStep &step = group.steps[stepNumber];
  switch (step.kind) {
  case GroupStep::Pointwise: return emitPointwise(step, stepNumber, value, map);
  case GroupStep::IndexMap: return emit(step.operands[0], pushMap({map, stepNumber, result, {}}));
  case GroupStep::Cast: {
    auto operand = emit(step.operands[0], map);
    return operand ? std::optional(nest.convert(*operand, facts.tensor(value).dtype())) : std::nullopt;
  }
  case GroupStep::Fold: return emitFold(step, stepNumber, map);
  case GroupStep::Join: break; // only outputs are joined
  }
  return std::nullopt;
}

std::optional<unsigned> NestBuilder::emitPointwise(const GroupStep &step, unsigned stepNumber, unsigned value, unsigned map) {
  const PointwiseCall &call = facts.call(stepNumber);
  DType buffer = bufferDType(call.compute);
  NestStep body{NestStep::Body, bodyGivesMask(call.compute, call.body) ? DType::Bool : buffer, call.compute};
  body.index = call.body;
  for (int argument : call.tensors) {
    if (argument < 0) {
      body.inputs.push_back(nest.constant(Scalar(0), buffer));
      continue;
    }
    unsigned operand = step.operands[argument], operandMap = map;
    if (facts.tensor(operand).sizes() != ArrayRef<int64_t>(call.sizes))
      operandMap = pushMap({map, Group::None, 0, call.sizes});
    auto emittedOperand = emit(operand, operandMap);
    if (!emittedOperand)
      return std::nullopt;
    body.inputs.push_back(nest.convert(*emittedOperand, buffer));
  }
  body.numTensors = static_cast<unsigned>(body.inputs.size());
  for (const PointwiseCall::Uniform &uniform : call.uniforms) {
    unsigned operand = step.operands[uniform.argument];
    if (uniform.isPresence || operand >= group.numInputs || facts.value(operand).isNone()) {
      body.inputs.push_back(nest.constant(uniform.value, buffer));
      continue;
    }
    auto sameNumber = [&](const NumberSource &n) { return n.input == operand && n.dtype == buffer; };
    auto known = llvm::find_if(numbers, sameNumber);
    unsigned slot = static_cast<unsigned>(known - numbers.begin());
    if (known == numbers.end())
      numbers.push_back({operand, buffer});
    body.inputs.push_back(nest.uniform(slot, buffer));
  }
  return nest.convert(nest.add(std::move(body)), facts.tensor(value).dtype());
}

/// Whether all elements of a row take the same element of the fold's result, each row its own.
bool NestBuilder::isRepeatedAlongFold(const FoldFacts &fold, unsigned map) const {
  auto result = tensorWithoutStorage(fold.sizes, contiguousStrides(fold.sizes), fold.result);
  auto wanted = result ? withReducedDims(*result, fold.reduced, sizes) : std::nullopt;
  auto taken = wanted ? geometryOf(*result, map) : std::nullopt;
  if (!taken || taken->sizes() != wanted->sizes() || taken->storageOffset() != 0)
    return false;
  for (int64_t d = 0; d != taken->dim(); ++d)
    if (taken->size(d) != 1 && taken->stride(d) != wanted->stride(d))
      return false;
  return true;
}

std::optional<unsigned> NestBuilder::emitFold(const GroupStep &step, unsigned stepNumber, unsigned map) {
  const FoldFacts &fold = facts.fold(stepNumber);
  if (facts.tensor(step.operands[0]).sizes() != ArrayRef<int64_t>(sizes) || (!reduced.empty() && reduced != fold.reduced) ||
      !isRepeatedAlongFold(fold, map))
    return std::nullopt;
  reduced = fold.reduced;
  if (reduced.empty())
    return std::nullopt; // a number is no row
  auto operand = emit(step.operands[0], 0);
  if (!operand)
    return std::nullopt;
  NestStep row{NestStep::Fold, fold.inside};
  row.fold = fold.kind;
  row.inputs = {nest.convert(*operand, fold.inside)};
  return nest.convert(nest.add(std::move(row)), fold.result);
}

bool NestBuilder::addStore(unsigned from, const Tensor &geometry, unsigned output, ArrayRef<bool> without) {
  Tensor written = geometry;
  unsigned map = 0;
  if (!without.empty()) {
    auto wider = withReducedDims(geometry, without, sizes);
    if (!wider)
      return false;
    written = std::move(*wider);
    map = pushMap({0, Group::None, 0, sizes, llvm::SmallVector<bool, 6>(without)});
  }
  auto step = emit(from, map);
  if (!step)
    return false;
  nest.store(nest.convert(*step, geometry.dtype()), addOperand(group.numInputs + output, written, true));
  return true;
}

namespace {
/// Dimensions of the walk, outermost first, with every operand's stride in bytes.
struct WalkDim {
  int64_t size;
  llvm::SmallVector<int64_t, 8> strides;
};
} // namespace

/// Whether the dimension `outer` continues where `inner` ends, for every operand.
static bool continues(const WalkDim &outer, const WalkDim &inner) {
  for (auto [a, b] : llvm::zip(outer.strides, inner.strides))
    if (a != b * inner.size)
      return false;
  return true;
}

/// A fold's elements are one row, in the order of the dimensions; the fold is in the eager kernels' order then.
static bool foldsOneRun(ArrayRef<bool> reduced, ArrayRef<int64_t> sizes) {
  bool ended = false, began = false;
  for (size_t d = 0; d != sizes.size(); ++d) {
    if (sizes[d] == 1)
      continue;
    if (reduced[d] && ended)
      return false;
    ended |= began && !reduced[d];
    began |= reduced[d];
  }
  return true;
}

bool NestBuilder::decideLayout(Launch &launch) {
  const Tensor &written = operands[nest.stores.front().operand].geometry;
  auto isReduced = [&](size_t d) { return !reduced.empty() && reduced[d]; };
  if (!reduced.empty() && !foldsOneRun(reduced, sizes))
    return false;
  llvm::SmallVector<size_t, 6> order;
  for (size_t d = 0; d != sizes.size(); ++d)
    if (sizes[d] != 1)
      order.push_back(d);
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    if (isReduced(a) || isReduced(b))
      return isReduced(b) && !isReduced(a);
    return written.stride(a) > written.stride(b);
  });
  llvm::SmallVector<WalkDim, 6> dims;
  size_t numKept = 0; // dims before this one are no part of a fold
  for (size_t d : order) {
    WalkDim dim{sizes[d], {}};
    for (const Operand &operand : operands)
      dim.strides.push_back(operand.geometry.stride(d) * static_cast<int64_t>(itemSize(operand.geometry.dtype())));
    bool beginsFold = isReduced(d) && dims.size() == numKept;
    if (!dims.empty() && !beginsFold && continues(dims.back(), dim)) {
      dim.size *= dims.back().size;
      dims.back() = std::move(dim);
    } else {
      dims.push_back(std::move(dim));
      numKept += !isReduced(d);
    }
  }
  if (!reduced.empty() && dims.size() == numKept)
    dims.push_back({1, llvm::SmallVector<int64_t, 8>(operands.size(), 0)});
  if (!reduced.empty() && dims.size() != numKept + 1)
    return false; // the run has no single stride
  auto take = [&](int64_t &size, llvm::SmallVector<int64_t, 8> &strides) {
    strides.assign(operands.size(), 0);
    if (dims.empty())
      return;
    size = dims.back().size;
    strides = dims.back().strides;
    dims.pop_back();
  };
  take(launch.count, launch.inner);
  take(launch.rows, launch.outer);
  for (WalkDim &dim : llvm::reverse(dims)) {
    launch.outside *= dim.size;
    launch.outsideSizes.push_back(dim.size);
    launch.outsideStrides.push_back(std::move(dim.strides));
  }
  // Kernels hold offsets inside a vector in 32 bits.
  return llvm::all_of(launch.inner, [](int64_t stride) { return stride < (int64_t{1} << 26); });
}

/// An input that every row reads, element by element with gaps, is packed before the rows begin.
void NestBuilder::packSharedRows(Launch &launch) const {
  constexpr int64_t enoughRows = 4;
  if (launch.rows * launch.outside < enoughRows)
    return;
  for (unsigned k = 0; k != operands.size(); ++k) {
    int64_t item = static_cast<int64_t>(itemSize(nest.operands[k].dtype));
    bool moves = launch.outer[k] != 0 || llvm::any_of(launch.outsideStrides, [&](const auto &strides) { return strides[k] != 0; });
    if (nest.operands[k].isOutput || moves || launch.inner[k] == 0 || launch.inner[k] == item)
      continue;
    launch.packed.push_back({k, launch.inner[k], nest.operands[k].dtype});
    launch.inner[k] = item;
  }
}

/// Memory for what one phase of a row keeps for the next.
void NestBuilder::keepRows(Launch &launch) {
  if (!launch.hasFolds)
    return;
  nest.keepRows();
  for (unsigned k = static_cast<unsigned>(operands.size()); k != nest.operands.size(); ++k) {
    launch.kept.push_back({k, nest.operands[k].dtype});
    launch.operands.push_back({0, 0});
    launch.inner.push_back(static_cast<int64_t>(itemSize(nest.operands[k].dtype)));
    launch.outer.push_back(0);
    for (auto &strides : launch.outsideStrides)
      strides.push_back(0);
  }
}

bool NestBuilder::finish(LoopNest &result, Launch &launch) {
  if (!decideLayout(launch))
    return false;
  packSharedRows(launch);
  for (unsigned k = 0; k != operands.size(); ++k) {
    NestOperand &operand = nest.operands[k];
    bool moves = launch.outer[k] != 0 || llvm::any_of(launch.outsideStrides, [&](const auto &strides) { return strides[k] != 0; });
    if (operand.isOutput && launch.count == 1)
      operand.access = Access::Contiguous;
    else if (launch.inner[k] == 0)
      operand.access = moves ? Access::Repeated : Access::Single;
    else
      operand.access = launch.inner[k] == static_cast<int64_t>(itemSize(operand.dtype)) ? Access::Contiguous : Access::Strided;
    launch.operands.push_back({operands[k].source, operands[k].geometry.storageOffset() * static_cast<int64_t>(itemSize(operand.dtype))});
  }
  // Columns are better folded side by side, as the operators do.
  if (!reduced.empty() && llvm::any_of(nest.operands, [](const NestOperand &operand) { return operand.access == Access::Strided; }))
    return false;
  launch.hasFolds = !reduced.empty();
  nest.findLevels();
  keepRows(launch);
  launch.numbers = numbers;
  result = std::move(nest);
  return true;
}
