//===- Planner.cpp - Which nests compute a group --------------------------===//
//
// Outputs of one shape are computed in one nest, and with them the folds of its rows
// that they need. Any other fold, of columns or of another shape, is a nest that runs
// before and leaves its results in memory; so are operands of folds whose elements
// have no regular place. What turns out to have no layout as it was planned is learned,
// and the plan is made anew.
//
//===----------------------------------------------------------------------===//
#include "NestBuilder.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Kernels/Views.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <unistd.h>

using namespace tsc;
using namespace tsc::fuser;

/// Bytes of outputs above which they are written around the caches.
static int64_t streamingThreshold() {
  static const int64_t bytes = [] {
    long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return std::max<int64_t>(cache, int64_t{1} << 20) * 8;
  }();
  return bytes;
}

/// `lastOutput`: the sources behind it are temporaries, which are read again.
static bool mayStream(const LoopNest &nest, const Launch &launch, unsigned lastOutput) {
  int64_t bytes = 0;
  for (unsigned k = 0; k != nest.operands.size(); ++k) {
    if (!nest.operands[k].isOutput || nest.operands[k].access != Access::Contiguous)
      continue;
    if (launch.operands[k].source > lastOutput)
      return false;
    bytes += launch.count * launch.rows * launch.outside * static_cast<int64_t>(itemSize(nest.operands[k].dtype));
    bool isAligned = launch.operands[k].offset % 64 == 0 && (launch.rows == 1 || launch.outer[k] % 64 == 0);
    for (const auto &strides : launch.outsideStrides)
      isAligned &= strides[k] % 64 == 0;
    if (!isAligned)
      return false;
  }
  return bytes >= streamingThreshold();
}

namespace tsc::fuser {
class Planner final : public NestPolicy {
public:
  Planner(const Group &group, CallContext &context, ArrayRef<const IValue *> inputs)
      : group(group), inputs(inputs), facts(group, context) {}

  std::unique_ptr<Plan> make(std::vector<LoopNest> &nests) {
    constexpr unsigned maxAttempts = 16;
    if (!facts.find(inputs))
      return nullptr;
    for (unsigned attempt = 0; attempt != maxAttempts; ++attempt) {
      hasLearned = false;
      if (makeOnce(nests)) {
        makeKeys();
        return std::move(plan);
      }
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
    for (auto [stage, index] : order) {
      Domain *domain = domains[index].get();
      Launch launch;
      LoopNest nest;
      if (!domain->builder->finish(nest, launch)) {
        learn(*domain);
        return false;
      }
      launch.mayStream =
          !launch.fold && mayStream(nest, launch, group.numInputs + static_cast<unsigned>(plan->outputs.size()) - 1);
      plan->launches.push_back(std::move(launch));
      nests.push_back(std::move(nest));
    }
    return true;
  }

  /// The domain has no layout: the next plan folds no rows there, or keeps the operands of its folds in memory.
  void learn(const Domain &domain) {
    if (domain.builder->foldsRows())
      hasLearned |= withoutRows.insert(domain.sizes).second;
    for (unsigned s = 0; domain.foldsBlocks && s != group.steps.size(); ++s)
      if (group.steps[s].kind == GroupStep::Fold &&
          facts.tensor(group.steps[s].operands[0]).sizes() == ArrayRef<int64_t>(domain.sizes) &&
          facts.fold(s).reduced == domain.folded)
        hasLearned |= stored.insert(group.steps[s].operands[0]).second;
  }

  //===- What the nests ask -------------------------------------------------===//

  bool mayFoldRows(ArrayRef<int64_t> sizes, const FoldFacts &fold) override {
    constexpr int64_t longRow = 2 * parallelGrain, fewRows = 8; // blocks give work to more threads than rows
    int64_t count = 1, rows = 1;
    for (auto [size, isReduced] : llvm::zip(sizes, fold.reduced))
      (isReduced ? count : rows) *= size;
    bool hasDims = !sizes.empty();
    return hasDims && foldsOneRun(fold.reduced, sizes) && !withoutRows.count(Dims(sizes.begin(), sizes.end())) &&
           !(rows < fewRows && count >= longRow);
  }

  bool isStored(unsigned value) override { return stored.count(value); }

  std::optional<StoredValue> demand(unsigned value) override {
    if (auto known = memory.find(value); known != memory.end())
      return known->second;
    unsigned step = group.definitions[value].step;
    bool isFold = step != Group::None && group.steps[step].kind == GroupStep::Fold;
    const Tensor &facts = this->facts.tensor(value);
    auto output = outputOf.find(value);
    bool goesToOutput = isFold && output != outputOf.end();
    unsigned numOutputs = static_cast<unsigned>(plan->outputs.size());
    unsigned place = goesToOutput ? output->second : numOutputs + static_cast<unsigned>(plan->temporaries.size());
    auto geometry = tensorWithoutStorage(facts.sizes(), contiguousStrides(facts.sizes()), facts.dtype());
    if (!geometry)
      return std::nullopt;
    if (!goesToOutput)
      plan->temporaries.push_back({geometry->get()->sizes, geometry->get()->strides, facts.dtype(), true});
    unsigned flatten = findFlatten(value, facts.sizes());
    auto stage = isFold                   ? placeFold(step, group.numInputs + place)
                 : flatten != Group::None ? storeFlat(flatten, value, *geometry, place, true)
                                          : storeIn(geometry->get()->sizes, value, *geometry, place, {}, true);
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
    Domain wanted{folded.get()->sizes, facts.fold(step).reduced, true, true, 0, 0, nullptr};
    return place(wanted, [&](NestBuilder &builder) { return builder.addFold(step, source); });
  }

  std::optional<unsigned> storeIn(const Dims &sizes, unsigned from, const Tensor &geometry, unsigned output,
                                  ArrayRef<bool> reduced, bool isRead) {
    Domain wanted{sizes, {}, false, isRead, 0, 0, nullptr};
    return place(wanted, [&](NestBuilder &builder) { return builder.addStore(from, geometry, output, reduced); });
  }

  /// In the shape of what the Flatten step makes one dimension of.
  std::optional<unsigned> storeFlat(unsigned flatten, unsigned from, const Tensor &geometry, unsigned output,
                                    bool isRead) {
    Domain wanted{facts.tensor(group.steps[flatten].operands[0]).get()->sizes, {}, false, isRead, 0, 0, nullptr};
    return place(wanted, [&](NestBuilder &builder) { return builder.addStore(from, geometry, output, {}, flatten); });
  }

  /// A Flatten step of this shape that the value is computed from, through values of this shape; None without one.
  unsigned findFlatten(unsigned value, ArrayRef<int64_t> sizes) const {
    llvm::SmallVector<unsigned, 16> pending{value};
    llvm::SmallDenseSet<unsigned, 16> seen;
    while (!pending.empty()) {
      unsigned at = pending.pop_back_val(), step = group.definitions[at].step;
      if (step == Group::None || !facts.value(at).isTensor() || facts.tensor(at).sizes() != sizes ||
          !seen.insert(at).second)
        continue;
      if (group.steps[step].kind == GroupStep::Flatten)
        return step;
      if (group.steps[step].kind == GroupStep::Pointwise || group.steps[step].kind == GroupStep::Cast)
        pending.append(group.steps[step].operands.begin(), group.steps[step].operands.end());
    }
    return Group::None;
  }

  /// A fold of rows that the value is computed from, with the most elements; None without one.
  unsigned findRowFold(unsigned value, llvm::DenseMap<unsigned, unsigned> &foldOf) {
    auto [known, isNew] = foldOf.try_emplace(value, Group::None);
    unsigned step = group.definitions[value].step;
    if (!isNew || step == Group::None)
      return known->second;
    unsigned largest = Group::None;
    auto size = [&](unsigned s) { return facts.tensor(group.steps[s].operands[0]).numel(); };
    auto consider = [&](unsigned fold) {
      if (fold != Group::None && (largest == Group::None || size(fold) > size(largest)))
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

  /// In the nest of the rows that the value is folded from, when there is one.
  bool store(unsigned from, const Tensor &geometry, unsigned output) {
    if (geometry.numel() == 0)
      return true;
    if (unsigned flatten = findFlatten(from, geometry.sizes());
        flatten != Group::None && storeFlat(flatten, from, geometry, output, false))
      return true;
    llvm::DenseMap<unsigned, unsigned> foldOf;
    Dims sizes = geometry.get()->sizes;
    if (unsigned fold = findRowFold(from, foldOf); fold != Group::None) {
      const Dims &folded = facts.tensor(group.steps[fold].operands[0]).get()->sizes;
      if (folded != sizes && storeIn(folded, from, geometry, output, facts.fold(fold).reduced, false))
        return true;
    }
    return storeIn(sizes, from, geometry, output, {}, false).has_value();
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
      return store(value, t, index);
    int64_t dim = *wrapDim(step.dim, t.dim()), at = 0;
    for (unsigned piece : step.operands) {
      bool stacks = step.op == OpKind::Aten_stack;
      int64_t size = stacks ? 1 : facts.tensor(piece).size(dim);
      auto part = stacks ? cpu::select(t, dim, at) : cpu::narrow(t, dim, at, size);
      if (!part.ok() || !store(piece, *part, index))
        return false;
      at += size;
    }
    return true;
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
  ArrayRef<const IValue *> inputs;
  Facts facts;
  std::unique_ptr<Plan> plan;
  std::vector<std::unique_ptr<Domain>> domains;
  llvm::DenseMap<unsigned, StoredValue> memory; ///< By value.
  llvm::DenseMap<unsigned, unsigned> outputOf;  ///< By value, the first.
  // What earlier attempts taught.
  std::set<Dims> withoutRows;
  std::set<unsigned> stored;
  bool hasLearned = false;
};
} // namespace tsc::fuser

std::unique_ptr<Plan> fuser::makePlan(const Group &group, CallContext &context, ArrayRef<const IValue *> inputs,
                                      std::vector<LoopNest> &nests) {
  if (inputs.size() != group.numInputs)
    return nullptr;
  return Planner(group, context, inputs).make(nests);
}
