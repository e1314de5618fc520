//===- TranslationValidator.cpp - Runs graphs to compare them -------------===//
#include "tsc/Runtime/TranslationValidator.h"
#include "Observation.h"
#include "RandomInputs.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

using Verdict = ValidationResult::Verdict;

struct TranslationValidator::Impl {
  Impl(Context &context, unsigned runs, uint64_t seed) : context(context), runs(runs), seed(seed) {}

  struct Run {
    std::vector<IValue> inputs;
    Observation seen;
  };
  std::optional<std::string> difference(const Observation &before, const Observation &after) const {
    return findDifference(before, after, failures);
  }
  bool isWanted(const Status &status) const;
  Observation observe(const Graph &graph, const std::vector<IValue> &inputs) {
    return tsc::observe(graph, context, inputs, seed);
  }
  std::optional<Run> findRun(const Graph &graph, RandomInputs &inputs, std::string &why);
  bool addRun(const Graph &graph, Run run, std::string &why);
  std::string describe(const std::vector<IValue> &inputs) const;

  Context &context;
  unsigned runs;
  uint64_t seed;
  Failures failures = Failures::OfTheProgram;
  KnownObjects objects;
  std::unique_ptr<RandomInputs> random; ///< Owns the stand-ins of classes that kept inputs are of.
  std::vector<Run> kept;
  std::vector<std::string> inputNames;
  std::vector<const Type *> inputTypes, resultTypes;
};

TranslationValidator::TranslationValidator(Context &context, unsigned runs, uint64_t seed)
    : impl(std::make_unique<Impl>(context, runs, seed)) {}
TranslationValidator::~TranslationValidator() = default;
void TranslationValidator::compareErrors() { impl->failures = Failures::All; }

void TranslationValidator::useObjects(const IValue &object) {
  std::vector<IValue> pending{object};
  llvm::SmallPtrSet<const RefCounted *, 16> seen;
  while (!pending.empty()) {
    IValue next = std::move(pending.back());
    pending.pop_back();
    if (!next.isObject() || !seen.insert(next.counted()).second)
      continue;
    impl->objects.try_emplace(next.toObject().type, next);
    llvm::append_range(pending, next.toObject().slots);
  }
}

/// An exception of the program's own is something it does, not a sign of inputs that it cannot take.
static bool isMeantToHappen(const Status &status) { return status.ok() || isRaised(status); }

/// Whether a run with this end is compared.
bool TranslationValidator::Impl::isWanted(const Status &status) const {
  return isMeantToHappen(status) || (failures == Failures::All && status.code() != StatusCode::Unimplemented);
}

/// Hill climbing: one choice is changed at a time, and kept when the graph gets no less far.
std::optional<TranslationValidator::Impl::Run>
TranslationValidator::Impl::findRun(const Graph &graph, RandomInputs &inputs, std::string &why) {
  static constexpr int64_t sizes[] = {4, 2, 8, 3, 16};
  static constexpr unsigned mutationsPerSize = 150;
  std::optional<Run> raising; // the second choice
  for (int64_t size : sizes) {
    inputs.restart(size);
    size_t furthest = 0;
    for (unsigned i = 0; i != mutationsPerSize; ++i) {
      if (i)
        inputs.mutate();
      auto values = inputs.make(seed);
      if (!values.ok()) {
        why = messageOf(values.status());
        return std::nullopt;
      }
      Run run{*std::move(values), {}};
      run.seen = observe(graph, run.inputs);
      if (run.seen.status.ok())
        return run;
      why = errorOf(run.seen.status);
      if (run.seen.status.code() == StatusCode::Unimplemented)
        return std::nullopt; // no inputs will help
      size_t reached = failurePosition(run.seen.status).value_or(0);
      if (isWanted(run.seen.status))
        raising = std::move(run);
      if (reached < furthest)
        inputs.undo();
      furthest = std::max(furthest, reached);
      if (!inputs.hasChoices())
        return raising;
    }
  }
  return raising;
}

/// Keeps a run that does the same when it is repeated.
bool TranslationValidator::Impl::addRun(const Graph &graph, Run run, std::string &why) {
  if (auto found = difference(run.seen, observe(graph, run.inputs))) {
    why = "two runs differ: " + *found;
    return false;
  }
  kept.push_back(std::move(run));
  return true;
}

ValidationResult TranslationValidator::begin(const Graph &graph) {
  impl->kept.clear();
  impl->inputNames.clear();
  impl->inputTypes.clear();
  impl->resultTypes.clear();
  for (const Value *input : graph.inputs()) {
    impl->inputNames.push_back(input->displayName());
    impl->inputTypes.push_back(input->type());
  }
  for (const Value *result : graph.outputs())
    impl->resultTypes.push_back(result->type());
  std::string why;
  impl->random = std::make_unique<RandomInputs>(impl->context, graph, impl->objects, impl->seed);
  RandomInputs &inputs = *impl->random;
  auto first = impl->findRun(graph, inputs, why);
  if (!first || !impl->addRun(graph, *std::move(first), why))
    return {Verdict::Incomparable, why};
  // Further runs on other data, and on other choices where the graph takes them.
  for (unsigned i = 1; i < impl->runs; ++i) {
    bool varied = i % 2 == 0 && inputs.hasChoices();
    if (varied)
      inputs.mutate();
    auto values = inputs.make(impl->seed + i);
    Impl::Run run;
    if (values.ok()) {
      run.inputs = *std::move(values);
      run.seen = impl->observe(graph, run.inputs);
      if (impl->isWanted(run.seen.status))
        impl->addRun(graph, std::move(run), why);
    }
    if (varied)
      inputs.undo();
  }
  return {};
}

static bool sameTypes(const std::vector<const Type *> &before, ArrayRef<Value *> after) {
  // What is known of a tensor may change; that it is a tensor may not.
  auto same = [](const Type *type, const Value *value) {
    return type == value->type() || type->isSubtypeOf(value->type()) || value->type()->isSubtypeOf(type) ||
           (type->isTensor() && value->type()->isTensor());
  };
  return before.size() == after.size() &&
         llvm::all_of(llvm::zip(before, after), [&](auto pair) { return same(std::get<0>(pair), std::get<1>(pair)); });
}

ValidationResult TranslationValidator::compare(const Graph &graph) {
  if (impl->kept.empty())
    return {Verdict::Incomparable, "it did not run before"};
  if (!sameTypes(impl->inputTypes, graph.inputs()))
    return {Verdict::Incomparable, "it takes other inputs now"};
  if (!sameTypes(impl->resultTypes, llvm::to_vector(graph.outputs())))
    return {Verdict::Incomparable, "it gives other results now"};
  for (const Impl::Run &run : impl->kept)
    if (auto found = impl->difference(run.seen, impl->observe(graph, run.inputs)))
      return {Verdict::Different, *found + "\n" + impl->describe(run.inputs)};
  return {};
}

std::string TranslationValidator::Impl::describe(const std::vector<IValue> &inputs) const {
  static constexpr size_t longest = 600; // of one input's text
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [name, input] : llvm::zip(inputNames, inputs)) {
    std::string shown;
    llvm::raw_string_ostream shownStream(shown);
    if (input.isTensor())
      shown = toPythonString(input.asTensor());
    else
      reprValue(shownStream, input);
    os << "  %" << name << " = " << llvm::StringRef(shown).take_front(longest) << (shown.size() > longest ? " …" : "")
       << "\n";
  }
  return text;
}
