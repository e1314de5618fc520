//===- NestBuilder.cpp - From values of a group to a loop nest ------------===//
#include "NestBuilder.h"
#include "tsc/Fusion/Bodies.h"
#include "tsc/Kernels/Views.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace tsc;
using namespace tsc::fuser;

/// More than this is no kernel worth its compilation.
static constexpr size_t maxSteps = 2000, maxOperands = 100, maxMaps = 1000, maxEmitted = 8000;

static DType bufferDType(DType compute) { return compute == DType::Bool ? DType::Int64 : compute; }

unsigned NestBuilder::pushMap(Map map) {
  assert(map.outer < maps.size() && "the maps outside of a map are known");
  auto found = llvm::find(ArrayRef(maps).drop_front(), map);
  if (found != maps.data() + maps.size())
    return static_cast<unsigned>(found - maps.data());
  maps.push_back(std::move(map));
  return static_cast<unsigned>(maps.size() - 1);
}

/// Of tensors of the same sizes. The stride of one element decides nothing.
static bool haveSamePlaces(const TensorImpl &a, const TensorImpl &b) {
  for (auto [size, left, right] : llvm::zip(a.sizes, a.strides, b.strides))
    if (size != 1 && left != right)
      return false;
  return true;
}

/// The map, to be applied to the value, or one that is there already and finds each element in the same place:
/// x[1:][:-1] is x[:-1][1:], and a transpose of a transpose nothing. Else maps double with each step that reads a value
/// twice.
unsigned NestBuilder::mapOf(unsigned value, Map map) {
  ArrayRef<int64_t> from = facts.tensor(value).sizes();
  auto rowMajor = tensorWithoutStorage(from, contiguousStrides(from), DType::UInt8);
  std::optional<Tensor> applied = rowMajor ? apply(map, *rowMajor) : std::nullopt;
  std::optional<Tensor> places = applied ? geometryOf(*applied, map.outer) : std::nullopt;
  if (!places)
    return pushMap(std::move(map));
  Dims strides = places->get()->strides;
  for (auto [size, stride] : llvm::zip(places->sizes(), strides))
    if (size == 1)
      stride = 0; // any
  if (places->storageOffset() == 0 && places->sizes() == from && haveSamePlaces(*places->get(), *rowMajor->get()) &&
      from == ArrayRef<int64_t>(sizes))
    return 0;
  strides.push_back(places->storageOffset());
  auto [known, isNew] = mapByPlaces.try_emplace({Dims(from), places->get()->sizes, std::move(strides)});
  if (isNew)
    known->second = pushMap(std::move(map));
  return known->second;
}

std::optional<int64_t> fuser::findShortRun(ArrayRef<int64_t> sizes, const FoldFacts &fold) {
  assert(fold.reduced.size() == sizes.size() && "the sizes of what is folded");
  std::optional<int64_t> run, single;
  for (size_t d = 0; d != sizes.size(); ++d)
    if (fold.reduced[d] && sizes[d] == 1) {
      single = static_cast<int64_t>(d);
    } else if (fold.reduced[d]) {
      if (run || sizes[d] > fewElements || sizes[d] == 0)
        return std::nullopt;
      run = static_cast<int64_t>(d);
    }
  if (!run)
    run = single;
  return fold.kind == FoldKind::Mean ? std::nullopt : run;
}

bool fuser::foldsOneRun(ArrayRef<bool> reduced, ArrayRef<int64_t> sizes) {
  assert(reduced.size() == sizes.size() && "one flag for each dimension");
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

/// What is folded into each result as element number `number`, in the result's shape.
static std::optional<Tensor> pickedElement(const Tensor &folded, const FoldFacts &fold, int64_t number) {
  auto run = findShortRun(folded.sizes(), fold);
  StatusOr<Tensor> picked = run ? cpu::narrow(folded, *run, number, 1) : internalError("no run");
  bool keepsDims = static_cast<size_t>(folded.dim()) == fold.sizes.size();
  for (size_t d = fold.reduced.size(); picked.ok() && !keepsDims && d-- != 0;)
    if (fold.reduced[d])
      picked = cpu::select(*picked, static_cast<int64_t>(d), 0);
  return picked.ok() ? std::optional(std::move(*picked)) : std::nullopt;
}

bool NestBuilder::hasPicks(unsigned map) const {
  assert(map < maps.size() && "a map of this nest");
  while (map != 0 && !std::holds_alternative<Picked>(maps[map].how))
    map = maps[map].outer;
  return map != 0;
}

template <typename T> static std::optional<T> valueOf(StatusOr<T> result) {
  return result.ok() ? std::optional(std::move(*result)) : std::nullopt;
}

std::optional<Tensor> NestBuilder::apply(const Map &map, const Tensor &t) const {
  auto visitor = llvm::makeVisitor(
      [&](const Indexed &indexed) -> std::optional<Tensor> {
        std::vector<Tensor> results = facts.applyIndexMap(group.steps[indexed.step], t);
        return indexed.result < results.size() ? std::optional(std::move(results[indexed.result])) : std::nullopt;
      },
      [&](const Expanded &expanded) { return valueOf(cpu::expand(t, expanded.sizes)); },
      [&](const Repeated &repeated) { return withReducedDims(t, repeated.reduced, repeated.sizes); },
      [&](const Reshaped &reshaped) { return valueOf(cpu::view(t, reshaped.sizes)); },
      [&](const Picked &picked) { return pickedElement(t, facts.fold(picked.step), picked.number); },
      [&](const Range &part) { return valueOf(cpu::narrow(t, part.dim, part.start, part.size)); });
  return std::visit(visitor, map.how);
}

std::optional<Tensor> NestBuilder::geometryOf(const Tensor &t, unsigned map) const {
  assert(map < maps.size() && "a map of this nest");
  std::optional<Tensor> reached = t;
  for (; map != 0 && reached; map = maps[map].outer)
    reached = apply(maps[map], *reached);
  return reached;
}

unsigned NestBuilder::addOperand(unsigned source, const Tensor &geometry, bool isOutput) {
  assert(geometry.sizes() == ArrayRef<int64_t>(sizes) && "an operand has the walk's sizes");
  for (unsigned k = 0; k != operands.size(); ++k) {
    const TensorImpl &known = *operands[k].geometry.get(), &t = *geometry.get();
    if (operands[k].source == source && nest.operands[k].isOutput == isOutput && known.offset == t.offset &&
        haveSamePlaces(known, t))
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

/// From the memory that another nest writes.
std::optional<unsigned> NestBuilder::emitStored(unsigned value, unsigned map) {
  std::optional<StoredValue> stored = policy.demand(value);
  auto geometry = stored ? geometryOf(stored->geometry, map) : std::nullopt;
  if (!geometry || operands.size() >= maxOperands)
    return std::nullopt;
  firstStage = std::max(firstStage, stored->stage);
  return nest.load(addOperand(stored->source, *geometry, false));
}

std::optional<unsigned> NestBuilder::emit(unsigned value, unsigned map) {
  assert(value < group.definitions.size() && map < maps.size() && "a value of the group, through a map of this nest");
  auto found = emitted.find({value, map});
  if (found != emitted.end())
    return found->second;
  if (emitted.size() >= maxEmitted || maps.size() >= maxMaps)
    return std::nullopt;
  auto step = policy.isStored(value) ? emitStored(value, map) : emitUncached(value, map);
  if (step)
    emitted[{value, map}] = *step;
  return nest.steps.size() < maxSteps ? step : std::nullopt;
}

std::optional<unsigned> NestBuilder::emitUncached(unsigned value, unsigned map) {
  auto [stepNumber, result] = group.definitions[value];
  if (stepNumber == Group::none)
    return value < group.numInputs ? emitInput(value, map) : std::nullopt;
  const GroupStep &step = group.steps[stepNumber];
  switch (step.kind) {
  case GroupStep::Pointwise: return emitPointwise(step, stepNumber, value, map);
  case GroupStep::IndexMap: return emit(step.operands[0], mapOf(step.operands[0], {map, Indexed{stepNumber, result}}));
  case GroupStep::Reshape: return emitReshape(step, map);
  case GroupStep::Cast: {
    auto operand = emit(step.operands[0], map);
    return operand ? std::optional(nest.convert(*operand, facts.tensor(value).dtype())) : std::nullopt;
  }
  case GroupStep::Fill: {
    DType dtype = facts.tensor(value).dtype();
    DType compute = dtype == DType::Double ? dtype : isFloating(dtype) ? DType::Float : DType::Int64;
    return nest.convert(nest.constant(facts.filling(stepNumber), compute), dtype);
  }
  case GroupStep::Fold: return emitFold(step, stepNumber, map);
  case GroupStep::Join: return emitJoin(step, value, map);
  case GroupStep::Number: break; // read by point-wise operators alone
  }
  return std::nullopt;
}

/// Of what is reshaped again, only the last shape matters.
std::optional<unsigned> NestBuilder::emitReshape(const GroupStep &step, unsigned map) {
  unsigned operand = step.operands[0], value = step.results[0];
  const auto *again = map != 0 ? std::get_if<Reshaped>(&maps[map].how) : nullptr;
  Dims shape = again ? again->sizes : facts.tensor(value).get()->sizes;
  unsigned outer = again ? maps[map].outer : map;
  bool isWhole = facts.tensor(operand).sizes() == ArrayRef<int64_t>(shape);
  auto element = emit(operand, isWhole ? outer : mapOf(operand, {outer, Reshaped{shape}}));
  if (!element)
    policy.learnToStore(value);
  return element;
}

std::optional<unsigned> NestBuilder::emitPointwise(const GroupStep &step, unsigned stepNumber, unsigned value,
                                                   unsigned map) {
  const PointwiseCall &call = facts.call(stepNumber);
  DType buffer = bufferDType(call.compute);
  NestStep body{NestStep::Body, bodyGivesMask(call.compute, call.body) ? DType::Bool : buffer, call.compute};
  body.index = call.body;
  llvm::ArrayRef<PointwiseParam> params = pointwiseParams(step.pointwise);
  for (int argument : call.tensors) {
    if (argument < 0) {
      body.inputs.push_back(nest.constant(Scalar(0), buffer));
      continue;
    }
    unsigned operand = step.operands[argument], operandMap = map;
    if (facts.tensor(operand).sizes() != ArrayRef<int64_t>(call.sizes))
      operandMap = mapOf(operand, {map, Expanded{call.sizes}});
    auto emittedOperand = emit(operand, operandMap);
    if (!emittedOperand)
      return std::nullopt;
    unsigned rounded = params[argument].promotes ? nest.convert(*emittedOperand, call.promoted) : *emittedOperand;
    body.inputs.push_back(nest.convert(rounded, buffer));
  }
  body.numTensors = static_cast<unsigned>(body.inputs.size());
  if (opRecord(step.op).has(Trait::Commutative) && body.inputs[0] > body.inputs[1])
    std::swap(body.inputs[0], body.inputs[1]); // gradients of both operands ask the same, each from its side
  for (const PointwiseCall::Uniform &uniform : call.uniforms) {
    unsigned operand = step.operands[uniform.argument];
    bool isComputed = group.definitions[operand].step != Group::none;
    if (uniform.isPresence || (operand >= group.numInputs && !isComputed) || facts.value(operand).isNone()) {
      body.inputs.push_back(nest.constant(uniform.value, buffer));
      continue;
    }
    auto sameNumber = [&](const NumberSource &n) {
      return n.input == operand && n.dtype == buffer && n.conversion == uniform.conversion;
    };
    auto known = llvm::find_if(numbers, sameNumber);
    unsigned slot = static_cast<unsigned>(known - numbers.begin());
    if (known == numbers.end())
      numbers.push_back({operand, buffer, uniform.conversion, isComputed ? facts.value(operand) : IValue()});
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

std::optional<unsigned> NestBuilder::foldedElement(const GroupStep &step, const FoldFacts &fold, unsigned map) {
  auto operand = emit(step.operands[0], map);
  if (!operand)
    return std::nullopt;
  return nest.convert(nest.convert(*operand, fold.element), fold.inside);
}

/// In this nest where its rows are what is folded; from memory otherwise.
std::optional<unsigned> NestBuilder::emitFold(const GroupStep &step, unsigned stepNumber, unsigned map) {
  const FoldFacts &fold = facts.fold(stepNumber);
  bool isHere = facts.tensor(step.operands[0]).sizes() == ArrayRef<int64_t>(sizes) &&
                (reduced.empty() || reduced == fold.reduced) && results.empty() && policy.mayFoldRows(sizes, fold) &&
                isRepeatedAlongFold(fold, map);
  auto product = [](ArrayRef<int64_t> factors) {
    return std::accumulate(factors.begin(), factors.end(), int64_t{1}, std::multiplies<>());
  };
  // Where results are read more than once each, be it for the elements of another fold, they are not computed as often.
  if (!isHere && !hasPicks(map) && product(sizes) == product(fold.sizes) &&
      findShortRun(facts.tensor(step.operands[0]).sizes(), fold))
    return emitShortFold(step, stepNumber, map);
  if (!isHere)
    return emitStored(step.results[0], map);
  reduced = fold.reduced;
  auto operand = foldedElement(step, fold, 0);
  if (!operand)
    return std::nullopt;
  NestStep row{NestStep::Fold, fold.inside};
  row.fold = fold.kind;
  row.inputs = {*operand};
  return nest.convert(nest.add(std::move(row)), fold.result);
}

/// From the piece that the nest's part of the joined value is in; from memory when it is in several.
std::optional<unsigned> NestBuilder::emitJoin(const GroupStep &step, unsigned value, unsigned map) {
  const Tensor &joined = facts.tensor(value);
  const unsigned outer = maps[map].outer;
  const auto *range = std::get_if<Range>(&maps[map].how);
  if (map == 0 || !range || *wrapDim(step.dim, joined.dim()) != range->dim)
    return emitStored(value, map);
  const Range part = *range;             // maps grow below
  if (step.stacks() && part.size == 1) { // a piece has that dimension not at all
    Repeated inner{llvm::SmallVector<bool, 6>(joined.sizes().size(), false), joined.get()->sizes};
    inner.reduced[static_cast<size_t>(part.dim)] = true;
    inner.sizes[static_cast<size_t>(part.dim)] = 1;
    unsigned piece = step.operands[static_cast<size_t>(part.start)];
    auto element = emit(piece, mapOf(piece, {outer, std::move(inner)}));
    return element ? std::optional(nest.convert(*element, joined.dtype())) : std::nullopt;
  }
  int64_t at = 0;
  for (unsigned piece : step.stacks() ? ArrayRef<unsigned>() : ArrayRef<unsigned>(step.operands)) {
    int64_t size = facts.tensor(piece).size(part.dim), start = part.start - at;
    if (start >= 0 && start + part.size <= size) {
      unsigned inner = part.size == size ? outer : pushMap({outer, Range{part.dim, start, part.size}});
      auto element = emit(piece, inner);
      return element ? std::optional(nest.convert(*element, joined.dtype())) : std::nullopt;
    }
    at += size;
  }
  return emitStored(value, map);
}

/// A result from its few elements: each goes to a lane, and the lanes are combined by halving, as in a block.
std::optional<unsigned> NestBuilder::emitShortFold(const GroupStep &step, unsigned stepNumber, unsigned map) {
  assert(findShortRun(facts.tensor(step.operands[0]).sizes(), facts.fold(stepNumber)) &&
         "the fold is of a few elements");
  const FoldFacts &fold = facts.fold(stepNumber);
  const Tensor &folded = facts.tensor(step.operands[0]);
  int64_t count = folded.size(*findShortRun(folded.sizes(), fold));
  auto combine = [&](unsigned a, unsigned b) {
    NestStep both{NestStep::Combine, fold.inside};
    both.fold = fold.kind;
    both.inputs = {a, b};
    return nest.add(std::move(both));
  };
  llvm::SmallVector<unsigned, 4> lanes;
  for (int64_t k = 0; k != count; ++k) {
    auto element = foldedElement(step, fold, pushMap({map, Picked{stepNumber, k}}));
    if (!element)
      return std::nullopt;
    // A lane begins with what changes no element but the sign of a zero that is added to it.
    bool signMatters = fold.kind == FoldKind::Sum && isFloating(fold.inside);
    lanes.push_back(signMatters ? combine(nest.constant(Scalar(0.0), fold.inside), *element) : *element);
  }
  for (size_t width = 2; width != 0; width /= 2)
    while (lanes.size() > width) {
      size_t last = lanes.size() - 1;
      lanes[last - width] = combine(lanes[last - width], lanes[last]);
      lanes.pop_back();
    }
  return nest.convert(lanes.front(), fold.result);
}

bool NestBuilder::addFold(unsigned stepNumber, unsigned source, ArrayRef<bool> along) {
  assert(along.size() == sizes.size() && "one flag for each dimension of the nest");
  assert(nest.stores.empty() && "a nest that folds for others stores nothing else");
  const GroupStep &step = group.steps[stepNumber];
  const FoldFacts &fold = facts.fold(stepNumber);
  const bool crosses = ArrayRef<bool>(fold.reduced) != along;
  reduced.assign(along.begin(), along.end());
  results.push_back({0, fold.kind, fold.inside, fold.result, source, crosses}); // from here on no fold is one of rows
  auto operand = foldedElement(step, fold, 0);
  if (!operand)
    return false;
  NestStep block{NestStep::Fold, fold.inside};
  block.fold = fold.kind == FoldKind::Mean ? FoldKind::Sum : fold.kind; // the caller divides
  block.alongRow = crosses;
  block.inputs = {*operand};
  results.back().nestStep = nest.add(std::move(block));
  return true;
}

bool NestBuilder::addStore(unsigned from, const Tensor &geometry, unsigned output, ArrayRef<bool> without,
                           const std::optional<Dims> &shape, Range part) {
  assert(results.empty() && "a nest that folds for others stores nothing else");
  Tensor written = geometry;
  unsigned map = 0;
  if (!without.empty()) {
    auto wider = withReducedDims(geometry, without, sizes);
    if (!wider)
      return false;
    written = std::move(*wider);
    map = pushMap({0, Repeated{llvm::SmallVector<bool, 6>(without), sizes}});
  }
  if (part.size != 0)
    map = pushMap({0, part});
  if (shape)
    map = pushMap({map, Reshaped{*shape}});
  // What is stored for others to read is computed here.
  auto step = without.empty() ? emitUncached(from, map) : emit(from, map);
  if (!step || (!without.empty() && ArrayRef(reduced) != without))
    return false;
  emitted[{from, map}] = *step;
  nest.store(nest.convert(*step, geometry.dtype()), addOperand(group.numInputs + output, written, true));
  return true;
}
