//===- Planner.cpp - Which nests compute a group --------------------------===//
//
// Outputs of one shape are computed in one nest, and with them the folds of its rows
// that they need. Any other fold, of columns or of another shape, is a nest that runs
// before and leaves its results in memory; so are operands of folds whose elements
// have no regular place. What is computed from a concatenation, element by element, is
// stored in parts, each of which reads one piece; other readers find the concatenation
// in memory. What turns out to have no layout as it was planned is learned, and the
// plan is made anew.
//
//===----------------------------------------------------------------------===//
#include "NestBuilder.h"
#include "tsc/Fusion/Plan.h"
#include "tsc/Kernels/Views.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace tsc;
using namespace tsc::fuser;

namespace tsc::fuser {
class Planner final : public NestPolicy {
public:
  Planner(const Group &group, const NestDevice &device, CallContext &context, ArrayRef<const IValue *> inputs)
      : group(group), device(device), inputs(inputs), facts(group, device.memory().device(), context) {}

  std::unique_ptr<Plan> make(std::vector<LoopNest> &nests) {
    constexpr unsigned maxAttempts = 16;
    if (!facts.find(inputs))
      return nullptr;
    if (device.crossesFolds())
      findCrossings();
    for (unsigned attempt = 0; attempt != maxAttempts; ++attempt) {
      hasLearned = false;
      hasParts = false;
      if (makeOnce(nests)) {
        makeKeys();
        return std::move(plan);
      }
      hasLearned |= hasParts;
      mayStoreParts &= !hasParts;
      if (!hasLearned)
        return nullptr;
    }
    return nullptr;
  }

private:
  /// What one nest computes: values of one shape, with the folds of their rows, or folds of one shape and dimensions.
  struct Domain {
    Dims sizes;
    llvm::SmallVector<bool, 6> folded; ///< Of a nest that folds blocks; empty for others.
    bool foldsBlocks, isRead;          ///< isRead: others read what it writes.
    unsigned stage, version;
    std::unique_ptr<NestBuilder> builder;
  };

  bool makeOnce(std::vector<LoopNest> &nests) {
    plan = std::make_unique<Plan>();
    plan->memory = &device.memory();
    nests.clear(), domains.clear(), memory.clear(), outputOf.clear();
    for (unsigned i = 0; i != group.outputs.size(); ++i) {
      const Tensor &t = facts.tensor(group.outputs[i]);
      plan->outputs.push_back(
          {t.get()->sizes, t.get()->strides, t.dtype(), t.get()->strides == contiguousStrides(t.sizes())});
      outputOf.try_emplace(group.outputs[i], i);
    }
    for (unsigned i = 0; i != group.outputs.size(); ++i)
      if (!addOutput(i))
        return false;
    llvm::SmallVector<std::pair<unsigned, size_t>, 4> order; // by stage, then as they were made
    for (auto [i, domain] : llvm::enumerate(domains))
      order.push_back({domain->stage, i});
    llvm::sort(order);
    const unsigned firstTemporary = group.numInputs + static_cast<unsigned>(plan->outputs.size());
    std::vector<FusedNest> built;
    for (auto [stage, index] : order)
      built.push_back(domains[index]->builder->finish());
    const std::vector<bool> isNeeded = findNeeded(built, firstTemporary);
    for (auto [i, entry] : llvm::enumerate(order)) {
      if (!isNeeded[i])
        continue;
      const bool foldsRows = built[i].foldsRows();
      auto [launch, nest] = device.layOut(std::move(built[i]), firstTemporary);
      if (!launch) {
        learn(*domains[entry.second], foldsRows);
        return false;
      }
      plan->launches.push_back(std::move(launch));
      nests.push_back(std::move(nest));
    }
    for ([[maybe_unused]] auto [i, temporary] : llvm::enumerate(plan->temporaries))
      for ([[maybe_unused]] const auto &launch : plan->launches)
        assert((temporary.sizes != Dims{0} || launch->elementsOf(firstTemporary + static_cast<unsigned>(i)) == 0) &&
               "a launch touches memory that there is not");
    return true;
  }

  /// Which nests write an output, or what a needed one reads. Others were asked for by a trial that came to nothing.
  /// Temporaries that nobody reads and no needed nest writes become empty.
  std::vector<bool> findNeeded(ArrayRef<FusedNest> built, unsigned firstTemporary) {
    std::vector<bool> isNeeded(built.size()), isRead(plan->temporaries.size()), isWritten(plan->temporaries.size());
    for (size_t i = built.size(); i-- != 0;) { // readers come behind what they read
      const FusedNest &nest = built[i];
      auto isWanted = [&](unsigned source) { return source < firstTemporary || isRead[source - firstTemporary]; };
      for (auto [operand, place] : llvm::zip(nest.nest.operands, nest.operands))
        isNeeded[i] = isNeeded[i] || (operand.isOutput && isWanted(place.source));
      for (const FusedNest::FoldResult &result : nest.results)
        isNeeded[i] = isNeeded[i] || isWanted(result.source);
      if (!isNeeded[i])
        continue;
      auto note = [&](std::vector<bool> &temporaries, unsigned source) {
        if (source >= firstTemporary)
          temporaries[source - firstTemporary] = true;
      };
      for (auto [operand, place] : llvm::zip(nest.nest.operands, nest.operands))
        note(operand.isOutput ? isWritten : isRead, place.source);
      for (const FusedNest::FoldResult &result : nest.results)
        note(isWritten, result.source);
    }
    for (auto [temporary, isUsed, isMade] : llvm::zip(plan->temporaries, isRead, isWritten))
      if (!isUsed && !isMade)
        temporary.sizes = {0}, temporary.strides = {1};
    return isNeeded;
  }

  /// The domain has no layout: the next plan folds no rows there, or keeps the operands of its folds in memory.
  void learn(const Domain &domain, bool foldsRows) {
    if (domain.foldsBlocks && crossings.erase(domain.sizes)) {
      hasLearned = true;
      return;
    }
    if (foldsRows)
      hasLearned |= withoutRows.insert(domain.sizes).second;
    for (unsigned s = 0; domain.foldsBlocks && s != group.steps.size(); ++s)
      if (group.steps[s].kind == GroupStep::Fold &&
          facts.tensor(group.steps[s].operands[0]).sizes() == ArrayRef<int64_t>(domain.sizes) &&
          facts.fold(s).reduced == domain.folded)
        hasLearned |= stored.insert(group.steps[s].operands[0]).second;
  }

  //===- Folds that cross ---------------------------------------------------===//

  /// Gradients of what is broadcast against each other, x[:, None] and y, are sums of one matrix along its rows and its
  /// columns. Both come from one nest where nothing else does: elements that read the results of the folds, or are
  /// outputs, need a nest of their own, which had better fold the rows, too.
  void findCrossings() {
    std::set<Dims> refused;
    for (unsigned s = 0; s != group.steps.size(); ++s) {
      if (group.steps[s].kind != GroupStep::Fold || !isRead(group.steps[s].results[0]))
        continue;
      const Dims &sizes = facts.tensor(group.steps[s].operands[0]).get()->sizes;
      if (!mayCross(sizes, facts.fold(s)))
        refused.insert(sizes);
      auto [known, isFirst] = crossings.try_emplace(sizes, facts.fold(s).reduced);
      if (!isFirst && known->second != facts.fold(s).reduced &&
          !areComplements(known->second, facts.fold(s).reduced, sizes))
        refused.insert(sizes);
    }
    for (auto at = crossings.begin(); at != crossings.end();)
      at = refused.count(at->first) || !crosses(at->first, at->second) ? crossings.erase(at) : std::next(at);
  }

  static bool areComplements(ArrayRef<bool> a, ArrayRef<bool> b, ArrayRef<int64_t> sizes) {
    return llvm::all_of(llvm::zip(a, b, sizes), [](const auto &dim) {
      auto [left, right, size] = dim;
      return size == 1 || left != right;
    });
  }

  static bool mayCross(ArrayRef<int64_t> sizes, const FoldFacts &fold) {
    constexpr int64_t enough = 1 << 14; // elements, for which a walk of several calls costs little
    return foldsOneRun(fold.reduced, sizes) && !findShortRun(sizes, fold) && elementCount(sizes).value_or(0) >= enough;
  }

  /// Whether some fold of these sizes goes along other dimensions, and all values of these sizes are for folds alone.
  bool crosses(ArrayRef<int64_t> sizes, ArrayRef<bool> along) {
    std::set<unsigned> after; // values that are computed from the folds' results
    bool hasOther = false;
    for (unsigned s = 0; s != group.steps.size(); ++s) {
      const GroupStep &step = group.steps[s];
      bool isOfThese = step.kind == GroupStep::Fold && facts.tensor(step.operands[0]).sizes() == sizes;
      hasOther |= isOfThese && ArrayRef<bool>(facts.fold(s).reduced) != along;
      const bool readsThem = step.kind != GroupStep::Fill &&
                             llvm::any_of(step.operands, [&](unsigned operand) { return after.count(operand); });
      if (!isOfThese && !readsThem)
        continue;
      for (unsigned result : step.results) {
        after.insert(result);
        if (facts.value(result).isTensor() && facts.tensor(result).sizes() == sizes)
          return false;
      }
    }
    return hasOther &&
           llvm::none_of(group.outputs, [&](unsigned value) { return facts.tensor(value).sizes() == sizes; });
  }

  //===- What the nests ask -------------------------------------------------===//

  bool mayFoldRows(ArrayRef<int64_t> sizes, const FoldFacts &fold) override {
    int64_t count = 1, rows = 1;
    for (auto [size, isReduced] : llvm::zip(sizes, fold.reduced))
      (isReduced ? count : rows) *= size;
    bool hasDims = !sizes.empty();
    return hasDims && !crossings.count(Dims(sizes.begin(), sizes.end())) && !isShortRun(sizes, fold) &&
           foldsOneRun(fold.reduced, sizes) && !withoutRows.count(Dims(sizes.begin(), sizes.end())) &&
           !device.foldsApart(rows, count);
  }

  /// Rows of a few elements cost more than what they hold: kernels of the results compute them instead.
  static bool isShortRun(ArrayRef<int64_t> sizes, const FoldFacts &fold) {
    auto run = findShortRun(sizes, fold);
    return run && *elementCount(sizes) >= manyRows * sizes[static_cast<size_t>(*run)];
  }

  bool isStored(unsigned value) override { return stored.count(value); }
  void learnToStore(unsigned value) override { hasLearned |= stored.insert(value).second; }

  std::optional<StoredValue> demand(unsigned value) override {
    if (auto known = memory.find(value); known != memory.end())
      return known->second;
    unsigned step = group.definitions[value].step;
    bool isFold = step != Group::none && group.steps[step].kind == GroupStep::Fold;
    bool isJoin = step != Group::none && group.steps[step].kind == GroupStep::Join;
    const Tensor &facts = this->facts.tensor(value);
    auto output = outputOf.find(value);
    bool goesToOutput = (isFold || isJoin) && output != outputOf.end();
    unsigned numOutputs = static_cast<unsigned>(plan->outputs.size());
    unsigned place = goesToOutput ? output->second : numOutputs + static_cast<unsigned>(plan->temporaries.size());
    Dims strides = goesToOutput ? facts.get()->strides : contiguousStrides(facts.sizes());
    auto geometry = tensorWithoutStorage(facts.sizes(), strides, facts.dtype());
    if (!geometry)
      return std::nullopt;
    if (!goesToOutput)
      plan->temporaries.push_back({geometry->get()->sizes, geometry->get()->strides, facts.dtype(), true});
    bool foldsBlocks =
        isFold && !isShortRun(this->facts.tensor(group.steps[step].operands[0]).sizes(), this->facts.fold(step));
    auto stage = foldsBlocks ? placeFold(step, group.numInputs + place)
                 : isJoin    ? storeJoin(group.steps[step], *geometry, place, true)
                             : storeReshaped(value, *geometry, place, true);
    if (!stage && !foldsBlocks && !isJoin)
      stage = storeIn(geometry->get()->sizes, value, *geometry, place, true);
    if (!stage)
      return std::nullopt;
    StoredValue made{group.numInputs + place, *geometry, *stage + 1};
    memory.try_emplace(value, made);
    return made;
  }

  //===- Where things are computed ------------------------------------------===//

  /// Adds to a domain of these sizes, an old one or a new one; its stage.
  std::optional<unsigned> place(const Domain &wanted, llvm::function_ref<bool(NestBuilder &)> add) {
    for (size_t i = 0; i != domains.size(); ++i) {
      Domain &domain = *domains[i];
      if (domain.sizes != wanted.sizes || domain.foldsBlocks != wanted.foldsBlocks || domain.folded != wanted.folded)
        continue;
      if (auto stage = addTo(domain, wanted.isRead, add))
        return stage;
    }
    auto domain =
        std::make_unique<Domain>(Domain{wanted.sizes, wanted.folded, wanted.foldsBlocks, wanted.isRead, 0, 0, nullptr});
    domain->builder = std::make_unique<NestBuilder>(group, facts, *this, wanted.sizes);
    if (!add(*domain->builder))
      return std::nullopt;
    domain->stage = domain->builder->stage();
    domains.push_back(std::move(domain));
    return domains.back()->stage;
  }

  /// Nothing when the addition would make the domain later than those that read it.
  std::optional<unsigned> addTo(Domain &domain, bool isRead, llvm::function_ref<bool(NestBuilder &)> add) {
    std::unique_ptr<NestBuilder> trial;
    unsigned version;
    do { // what is added may add what it needs to the same domain
      version = domain.version;
      trial = std::make_unique<NestBuilder>(*domain.builder);
      if (!add(*trial))
        return std::nullopt;
    } while (domain.version != version);
    if (domain.isRead && trial->stage() > domain.stage)
      return std::nullopt;
    domain.builder = std::move(trial);
    domain.stage = domain.builder->stage();
    domain.isRead |= isRead;
    ++domain.version;
    return domain.stage;
  }

  std::optional<unsigned> placeFold(unsigned step, unsigned source) {
    const Tensor &folded = facts.tensor(group.steps[step].operands[0]);
    auto crossing = crossings.find(folded.get()->sizes);
    Domain wanted{folded.get()->sizes,
                  crossing != crossings.end() ? crossing->second : facts.fold(step).reduced,
                  true,
                  true,
                  0,
                  0,
                  nullptr};
    return place(wanted, [&](NestBuilder &builder) { return builder.addFold(step, source, wanted.folded); });
  }

  /// In a nest of these sizes. For the rest of the operands see NestBuilder::addStore.
  std::optional<unsigned> storeIn(const Dims &sizes, unsigned from, const Tensor &geometry, unsigned output,
                                  bool isRead, ArrayRef<bool> reduced = {},
                                  const std::optional<Dims> &shape = std::nullopt, Range part = {}) {
    Domain wanted{sizes, {}, false, isRead, 0, 0, nullptr};
    return place(wanted,
                 [&](NestBuilder &builder) { return builder.addStore(from, geometry, output, reduced, shape, part); });
  }

  /// In the shape of what a Reshape step reshapes into that of the value, if there is one.
  std::optional<unsigned> storeReshaped(unsigned from, const Tensor &geometry, unsigned output, bool isRead) {
    auto found = findElementwise(GroupStep::Reshape, from, geometry.sizes());
    if (found.empty())
      return std::nullopt;
    const Dims &shape = facts.tensor(group.steps[found.front()].operands[0]).get()->sizes;
    auto reshaped = cpu::view(geometry, shape);
    return reshaped.ok() ? storeElements(from, *reshaped, output, isRead, shape) : std::nullopt;
  }

  /// In a nest of the geometry's sizes, or in parts. `shape`: these sizes, where the value has others.
  std::optional<unsigned> storeElements(unsigned from, const Tensor &geometry, unsigned output, bool isRead,
                                        const std::optional<Dims> &shape = std::nullopt) {
    std::vector<Range> parts = findParts(from, geometry.sizes());
    if (parts.empty())
      return storeIn(geometry.get()->sizes, from, geometry, output, isRead, {}, shape);
    hasParts = true;
    unsigned last = 0;
    for (Range part : parts) {
      auto place = cpu::narrow(geometry, part.dim, part.start, part.size);
      auto stage =
          place.ok() ? storeIn(place->get()->sizes, from, *place, output, isRead, {}, shape, part) : std::nullopt;
      if (!stage)
        return std::nullopt;
      last = std::max(last, *stage);
    }
    return last;
  }

  /// The steps of this kind whose results have this shape and that the value is computed from, element by element. The
  /// value may have another shape, and be reshaped from this one.
  llvm::SmallVector<unsigned, 4> findElementwise(GroupStep::Kind kind, unsigned value, ArrayRef<int64_t> sizes) const {
    llvm::SmallVector<unsigned, 16> pending{value};
    llvm::SmallDenseSet<unsigned, 16> seen;
    llvm::SmallVector<unsigned, 4> found;
    ArrayRef<int64_t> valueSizes = facts.tensor(value).sizes();
    while (!pending.empty()) {
      unsigned at = pending.pop_back_val(), step = group.definitions[at].step;
      if (step == Group::none || !facts.value(at).isTensor() || !seen.insert(at).second)
        continue;
      bool hasSizes = facts.tensor(at).sizes() == sizes;
      if (!hasSizes && facts.tensor(at).sizes() != valueSizes)
        continue;
      ArrayRef<unsigned> operands = group.steps[step].operands;
      if (group.steps[step].kind == kind && hasSizes)
        found.push_back(step);
      else if (group.steps[step].kind == GroupStep::Pointwise || group.steps[step].kind == GroupStep::Cast)
        pending.append(operands.begin(), operands.end());
      else if (group.steps[step].kind == GroupStep::Reshape)
        pending.push_back(operands[0]);
    }
    return found;
  }

  /// Parts of the value each of which is computed from one piece of a concatenation; none where it is computed from no
  /// concatenation, or from many pieces, whose kernels would take long to compile.
  std::vector<Range> findParts(unsigned value, ArrayRef<int64_t> sizes) const {
    constexpr size_t maxParts = 4;
    std::optional<int64_t> dim;
    std::set<int64_t> ends;
    for (unsigned step : findElementwise(GroupStep::Join, value, sizes)) {
      const GroupStep &join = group.steps[step];
      int64_t along = *wrapDim(join.dim, static_cast<int64_t>(sizes.size())), end = 0;
      if (dim && *dim != along)
        continue;
      dim = along;
      for (unsigned piece : join.operands)
        if (int64_t size = join.stacks() ? 1 : facts.tensor(piece).size(along))
          ends.insert(end += size);
    }
    std::vector<Range> parts;
    if (!mayStoreParts || ends.size() > maxParts)
      return parts;
    int64_t start = 0;
    for (int64_t end : ends)
      parts.push_back({*dim, start, end - start}), start = end;
    return parts;
  }

  /// A fold of rows that the value is computed from, with the most elements; None without one.
  unsigned findRowFold(unsigned value, llvm::DenseMap<unsigned, unsigned> &foldOf) {
    auto [known, isNew] = foldOf.try_emplace(value, Group::none);
    unsigned step = group.definitions[value].step;
    if (!isNew || step == Group::none || group.steps[step].kind == GroupStep::Join ||
        group.steps[step].kind == GroupStep::Number)
      return known->second;
    unsigned largest = Group::none;
    auto size = [&](unsigned s) { return facts.tensor(group.steps[s].operands[0]).numel(); };
    auto consider = [&](unsigned fold) {
      if (fold != Group::none && (largest == Group::none || size(fold) > size(largest)))
        largest = fold;
    };
    for (unsigned operand : group.steps[step].operands)
      consider(findRowFold(operand, foldOf));
    if (group.steps[step].kind == GroupStep::Fold &&
        mayFoldRows(facts.tensor(group.steps[step].operands[0]).sizes(), facts.fold(step)))
      consider(step);
    foldOf[value] = largest;
    return largest;
  }

  /// In the nest of the rows that the value is folded from, when there is one, or where most of it is element by
  /// element.
  std::optional<unsigned> store(unsigned from, const Tensor &geometry, unsigned output, bool isRead) {
    if (geometry.numel() == 0)
      return 0;
    llvm::DenseMap<unsigned, unsigned> foldOf;
    const Dims &sizes = geometry.get()->sizes;
    unsigned fold = findRowFold(from, foldOf);
    const Dims *folded = fold != Group::none ? &facts.tensor(group.steps[fold].operands[0]).get()->sizes : nullptr;
    bool isRow = folded && *folded == sizes;
    if (!isRow)
      if (auto stage = storeReshaped(from, geometry, output, isRead))
        return stage;
    if (folded && !isRow)
      if (auto stage = storeIn(*folded, from, geometry, output, isRead, facts.fold(fold).reduced))
        return stage;
    return storeElements(from, geometry, output, isRead);
  }

  /// The pieces of a concatenation side by side.
  std::optional<unsigned> storeJoin(const GroupStep &join, const Tensor &geometry, unsigned output, bool isRead) {
    int64_t dim = *wrapDim(join.dim, geometry.dim()), at = 0;
    unsigned last = 0;
    for (unsigned piece : join.operands) {
      int64_t size = join.stacks() ? 1 : facts.tensor(piece).size(dim);
      auto place = join.stacks() ? cpu::select(geometry, dim, at) : cpu::narrow(geometry, dim, at, size);
      auto stage = place.ok() ? store(piece, *place, output, isRead) : std::nullopt;
      if (!stage)
        return std::nullopt;
      last = std::max(last, *stage);
      at += size;
    }
    return last;
  }

  /// Whether somebody reads more than the value's shape.
  bool isRead(unsigned value) const {
    return llvm::is_contained(group.outputs, value) || llvm::any_of(group.steps, [&](const GroupStep &step) {
             return step.kind != GroupStep::Fill && llvm::is_contained(step.operands, value);
           });
  }
  bool isReadInside(unsigned value) const {
    return llvm::any_of(group.steps, [&](const GroupStep &step) { return llvm::is_contained(step.operands, value); });
  }

  bool addOutput(unsigned index) {
    unsigned value = group.outputs[index];
    const Tensor &t = facts.tensor(value);
    const GroupStep &step = group.steps[group.definitions[value].step];
    if (step.kind == GroupStep::Fold && outputOf[value] == index &&
        (memory.count(value) ||
         !mayFoldRows(facts.tensor(step.operands[0]).sizes(), facts.fold(group.definitions[value].step))))
      return demand(value).has_value();
    if (step.kind != GroupStep::Join)
      return store(value, t, index, false).has_value();
    if (outputOf[value] == index && isReadInside(value))
      return demand(value).has_value();
    return storeJoin(step, t, index, false).has_value();
  }

  void makeKeys() {
    for (unsigned i = 0; i != inputs.size(); ++i) {
      const IValue &input = *inputs[i];
      Plan::InputKey key{input.getTag(), DType::Float, group.shapesByValue[i] || facts.checkedInputs()[i], {}, {}, {}};
      if (input.isTensor()) {
        const TensorImpl &t = *input.asTensor().get();
        key.dtype = t.dtype, key.sizes = t.sizes, key.strides = t.strides;
      } else if (input.isIntList()) {
        key.sizes.assign(input.toIntList().elements.begin(), input.toIntList().elements.end());
      } else if (key.byValue) {
        key.value = input;
      }
      plan->keys.push_back(std::move(key));
    }
  }

  const Group &group;
  const NestDevice &device;
  ArrayRef<const IValue *> inputs;
  Facts facts;
  std::unique_ptr<Plan> plan;
  std::vector<std::unique_ptr<Domain>> domains;
  llvm::DenseMap<unsigned, StoredValue> memory; ///< By value.
  llvm::DenseMap<unsigned, unsigned> outputOf;  ///< By value, the first.
  std::map<Dims, llvm::SmallVector<bool, 6>>
      crossings; ///< By the sizes of what is folded, the first fold's dimensions.
  // What earlier attempts taught.
  std::set<Dims> withoutRows;
  std::set<unsigned> stored;
  bool mayStoreParts = true;
  bool hasLearned = false, hasParts = false; ///< Of this attempt.
};
} // namespace tsc::fuser

std::unique_ptr<Plan> fuser::makePlan(const Group &group, const NestDevice &device, CallContext &context,
                                      ArrayRef<const IValue *> inputs, std::vector<LoopNest> &nests) {
  if (inputs.size() != group.numInputs)
    return nullptr;
  return Planner(group, device, context, inputs).make(nests);
}
