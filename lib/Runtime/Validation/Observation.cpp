//===- Observation.cpp - What a run of a graph shows to its caller --------===//
#include "Observation.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Compare.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Tensor/Allocator.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
using namespace tsc;

static constexpr unsigned maxDepth = 64;
static constexpr uint64_t maxSteps = 20000;
/// The largest magnitude in tensors of 16 bits; 0 where none takes part.
static double largestOfHalves(const IValue &value) {
  double largest = 0;
  if (value.isTensor()) {
    const Tensor &tensor = value.asTensor();
    bool isHalf = tensor.dtype() == DType::Half || tensor.dtype() == DType::BFloat16;
    for (int64_t i = 0; isHalf && i != tensor.numel(); ++i)
      if (double magnitude = std::fabs(tensor.at(i).toDouble()); std::isfinite(magnitude))
        largest = std::max(largest, magnitude);
  } else if (value.isTuple()) {
    for (const IValue &element : value.toTuple().elements)
      largest = std::max(largest, largestOfHalves(element));
  } else if (value.isTensorList() || value.isGenericList()) {
    for (size_t i = 0; i != value.listSize(); ++i)
      largest = std::max(largest, largestOfHalves(value.listElement(i)));
  }
  return largest;
}

/// Passes may add numbers up in another order, and round at other places. What 16 bits lose shows where terms cancel,
/// so it counts against the largest number.
static Tolerance roundingOf(const IValue &value) {
  double largest = largestOfHalves(value);
  return largest > 0 ? Tolerance{5e-2, 2e-2 * largest} : Tolerance{1e-3, 1e-4};
}

/// The value with every object a tuple of its attributes, so that comparison looks inside.
static IValue withObjectsOpened(const IValue &value, unsigned depth = 0) {
  if (depth > maxDepth)
    return IValue();
  auto openAll = [&](const std::vector<IValue> &values) {
    std::vector<IValue> opened;
    for (const IValue &each : values)
      opened.push_back(withObjectsOpened(each, depth + 1));
    return opened;
  };
  if (value.isObject())
    return makeTuple(openAll(value.toObject().slots));
  if (value.isTuple())
    return makeTuple(openAll(value.toTuple().elements), value.toTuple().type);
  if (value.isGenericList())
    return makeRef<GenericList>(value.toGenericList().elementType, openAll(value.toGenericList().elements));
  if (value.isFuture())
    return withObjectsOpened(value.toFuture().value, depth + 1);
  return value;
}

namespace {
/// Numbers the memory behind values: tensors by their storage, containers by themselves.
class SharingFinder {
public:
  explicit SharingFinder(std::vector<unsigned> &sharing) : sharing(sharing) {}

  void visit(const IValue &value, unsigned depth = 0) {
    if (depth > maxDepth)
      return;
    if (value.isTensor() && value.asTensor().numel())
      note(value.asTensor().get()->storage.get());
    else if (value.isList() || value.isDict() || value.isObject())
      note(value.counted());
    if (value.isTensorList() || value.isGenericList())
      for (size_t i = 0; i != value.listSize(); ++i)
        visit(value.listElement(i), depth + 1);
    else if (value.isTuple())
      visitAll(value.toTuple().elements, depth);
    else if (value.isObject())
      visitAll(value.toObject().slots, depth);
    else if (value.isDict())
      value.toDict().forEach([&](const IValue &, const IValue &item) { visit(item, depth + 1); });
  }

private:
  void visitAll(const std::vector<IValue> &values, unsigned depth) {
    for (const IValue &value : values)
      visit(value, depth + 1);
  }
  void note(const void *memory) {
    unsigned number = sharing.size();
    sharing.push_back(first.try_emplace(memory, number).first->second);
  }
  std::vector<unsigned> &sharing;
  llvm::DenseMap<const void *, unsigned> first;
};
} // namespace

static Observation observeOnce(const Graph &graph, Context &context, const std::vector<IValue> &inputs, uint64_t seed,
                               Tape *tape) {
  memory::ZeroFill fill; // graphs may return what aten::empty made
  Observation seen;
  CodeCache cache;
  cache.trackEffects();
  installGradientServices(context);
  auto code = Code::compile(graph, "graph", cache);
  if (!code.ok()) {
    seen.status = code.status();
    return seen;
  }
  CallContext call(context);
  Generator generator(seed);
  llvm::raw_string_ostream printed(seen.printed);
  call.observer = tape;
  call.setGenerator(generator);
  call.setOut(printed);
  call.setWarningHandler(nullptr);
  call.quotas.steps = maxSteps;
  call.quotas.depth = 100;
  seen.inputs = deepCopy(makeTuple(inputs)).toTuple().elements;
  auto results = (*code)->run(call, seen.inputs);
  seen.status = results.status();
  if (results.ok())
    seen.results = *std::move(results);
  seen.gradMode = call.gradMode;
  seen.nextRandom = generator.random64();
  seen.wasObserved = call.isObserved;
  SharingFinder finder(seen.sharing);
  for (const IValue &input : seen.inputs)
    finder.visit(input);
  for (const IValue &result : seen.results)
    finder.visit(result);
  return seen;
}

Observation tsc::observe(const Graph &graph, Context &context, const std::vector<IValue> &inputs, uint64_t seed) {
  Observation seen = observeOnce(graph, context, inputs, seed, nullptr);
  if (!isWithoutTape(seen.status))
    return seen;
  Tape tape(context); // it asks for gradients
  return observeOnce(graph, context, inputs, seed, &tape);
}

static std::optional<std::string> findDifference(const std::string &what, const std::vector<IValue> &before,
                                                 const std::vector<IValue> &after) {
  for (size_t i = 0; i != before.size(); ++i) {
    IValue expected = withObjectsOpened(before[i]), actual = withObjectsOpened(after[i]);
    if (!findMismatch(actual, expected))
      continue;
    if (auto difference = findMismatch(actual, expected, roundingOf(expected))) {
      llvm::StringRef place = *difference;
      place.consume_front("result"); // the root of every place
      return what + std::to_string(i) + place.str();
    }
  }
  return std::nullopt;
}

/// What a failed run leaves behind, and its error.
static std::optional<std::string> findDifferenceOfFailures(const Observation &before, const Observation &after) {
  if (!after.wasObserved)
    return std::nullopt; // the call is repeated as it is written
  if (errorOf(before.status) != errorOf(after.status))
    return "it failed with '" + errorOf(after.status) + "' in place of '" + errorOf(before.status) + "'";
  return ::findDifference("what became of input ", before.inputs, after.inputs);
}

std::optional<std::string> tsc::findDifference(const Observation &before, const Observation &after, Failures failures) {
  if (before.status.ok() != after.status.ok())
    return after.status.ok() ? "it ran to its end, where it failed before: " + messageOf(before.status).str()
                             : "it failed: " + messageOf(after.status).str();
  const bool isRepeated = failures == Failures::All && !after.status.ok() && !after.wasObserved;
  if (!isRepeated && exceptionClass(before.status) != exceptionClass(after.status))
    return "it raised " + exceptionClass(after.status).value_or("no exception") + " in place of " +
           exceptionClass(before.status).value_or("none");
  if (!isRepeated && before.printed != after.printed)
    return "it printed '" + after.printed + "' in place of '" + before.printed + "'";
  if (!before.status.ok()) // else what a failed run left behind may differ: nodes before the failure may move
    return failures == Failures::All ? findDifferenceOfFailures(before, after) : std::nullopt;
  if (before.results.size() != after.results.size())
    return "it gives " + std::to_string(after.results.size()) + " results in place of " +
           std::to_string(before.results.size());
  if (auto difference = ::findDifference("result ", before.results, after.results))
    return difference;
  if (auto difference = ::findDifference("what became of input ", before.inputs, after.inputs))
    return difference;
  if (before.sharing != after.sharing)
    return std::string("other inputs and results share memory than before");
  if (before.gradMode != after.gradMode)
    return std::string(after.gradMode ? "it leaves grad mode on" : "it leaves grad mode off") + ", unlike before";
  if (before.nextRandom != after.nextRandom)
    return std::string("it leaves the random generator in another state");
  return std::nullopt;
}
