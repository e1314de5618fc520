//===- Specializer.cpp - Code for the arguments that calls have -----------===//
#include "ArgumentFacts.h"
#include "tsc/Autodiff/Passes.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/OpViews.h"
#include "tsc/Support/Trace.h"
#include "tsc/Transforms/Passes/Calls.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace tsc;

//===----------------------------------------------------------------------===//
// What a plan relies on
//===----------------------------------------------------------------------===//

namespace {
enum WordKind : uint32_t { Other, NoneWord, TensorWord, TupleWord };
} // namespace

Dimension SizeFacts::of(int64_t size) {
  if (detail == SizeDetail::None)
    return {};
  if (detail == SizeDetail::Exact || size <= 1)
    return Dimension::known(size);
  const auto *at = llvm::find(seen, size);
  const int64_t number = at - seen.begin();
  if (at == seen.end())
    seen.push_back(size);
  return Dimension::symbolic(-number - 2);
}

ArgumentSpec::ArgumentSpec(llvm::ArrayRef<IValue> args, bool gradMode, SizeDetail detail) : detail(detail) {
  SizeFacts sizes(detail);
  words.push_back(gradMode);
  for (const IValue &value : args)
    add(value, sizes);
}

void ArgumentSpec::add(const IValue &value, SizeFacts &sizes) {
  if (value.isTensor() && value.asTensor().defined()) {
    const Tensor &tensor = value.asTensor();
    words.push_back(TensorWord | static_cast<uint32_t>(tensor.dtype()) << 2 |
                    static_cast<uint32_t>(tensor.requiresGrad()) << 8 |
                    static_cast<uint32_t>(static_cast<uint8_t>(tensor.device().kind)) << 9 |
                    static_cast<uint32_t>(static_cast<uint8_t>(tensor.device().index)) << 17 |
                    static_cast<uint32_t>(std::min<int64_t>(tensor.dim(), 127)) << 25);
    if (detail != SizeDetail::None)
      for (int64_t size : tensor.sizes())
        words.push_back(static_cast<uint64_t>(sizes.of(size).value()));
  } else if (value.isNone() || value.isTensor()) {
    words.push_back(NoneWord);
  } else if (value.isTuple()) {
    words.push_back(TupleWord | static_cast<uint32_t>(value.toTuple().elements.size()) << 2);
    for (const IValue &element : value.toTuple().elements)
      add(element, sizes);
  } else if (hasKnownEntries(value)) {
    words.push_back(Other | 4 | static_cast<uint32_t>(value.toDict().size()) << 3);
    value.toDict().forEach([&](const IValue &key, const IValue &entry) {
      keys.append(key.toString()).push_back('\0');
      add(entry, sizes);
    });
  } else if (value.isBool() && detail != SizeDetail::None) {
    words.push_back(Other | (value.toBool() ? 24 : 8));
  } else {
    words.push_back(Other);
  }
}

static const Type *typeOfTensor(Context &context, const Tensor &tensor, bool gradMode, SizeFacts &sizes) {
  TensorFacts facts;
  if (tensor.dtype() == DType::Opaque) // sparse and nested: the rules of strided ones say nothing of them
    return Type::tensorType();
  facts.dtype = tensor.dtype();
  facts.device = tensor.device();
  if (gradMode)
    facts.requiresGrad = tensor.requiresGrad();
  facts.sizes.emplace(tensor.dim());
  for (auto [dimension, size] : llvm::zip(*facts.sizes, tensor.sizes()))
    dimension = sizes.of(size);
  return context.tensor(facts);
}

const Type *tsc::specializedType(Context &context, const Type *type, const IValue &value, bool gradMode,
                                 SizeFacts &sizes) {
  const auto *optional = dyn_cast<OptionalType>(type);
  if (optional && value.isNone())
    return Type::noneType();
  if (optional)
    return value.isTensor() ? specializedType(context, optional->element(), value, gradMode, sizes) : type;
  if (type->isTensor() && value.isTensor() && value.asTensor().defined() && value.asTensor().dim() < 127)
    return typeOfTensor(context, value.asTensor(), gradMode, sizes);
  const auto *tuple = dyn_cast<TupleType>(type);
  if (!tuple || tuple->isNamed() || !value.isTuple() || value.toTuple().elements.size() != tuple->elements().size())
    return type;
  llvm::SmallVector<const Type *, 4> elements;
  for (auto [element, part] : llvm::zip(tuple->elements(), value.toTuple().elements))
    elements.push_back(specializedType(context, element, part, gradMode, sizes));
  return context.tupleOf(elements);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

Specializer::Specializer(CodeCache &plans, SpecializerOptions options)
    : plans(plans), options(options), worker("plans", options.trace) {
  plans.trackEffects();
}
Specializer::~Specializer() = default;

/// Of each module that the function is called with, up to a few.
void Specializer::Entry::markWeights(llvm::ArrayRef<IValue> args) {
  constexpr unsigned mostModules = 8;
  if (args.empty() || !args[0].isObject())
    return;
  const void *module = &args[0].toObject();
  if (marked.size() < mostModules && marked.insert(module).second)
    hasLayers |= tsc::markWeights(args);
}

/// What a plan that is to be made relies on: the second one that differs in sizes alone is for all of them.
SizeDetail Specializer::detailFor(const Entry &entry, llvm::ArrayRef<IValue> args, bool gradMode) const {
  if (!options.usesSizes || !options.usesSizes())
    return SizeDetail::None;
  ArgumentSpec without(args, gradMode, SizeDetail::None);
  bool varies = llvm::any_of(entry.plans, [&](const Plan &plan) { return plan.like == without; });
  return varies ? SizeDetail::Equality : SizeDetail::Exact;
}

StatusOr<const Code *> Specializer::plan(const void *key, const Graph &graph, llvm::StringRef name,
                                         llvm::ArrayRef<IValue> args, bool gradMode) {
  std::unique_lock lock(mutex);
  Entry &entry = entries[key];
  if (++entry.calls > options.callsBefore)
    entry.markWeights(args);
  std::array<std::optional<ArgumentSpec>, 3> specs; // by detail
  for (const Plan &plan : entry.plans) {
    std::optional<ArgumentSpec> &spec = specs[static_cast<size_t>(plan.spec.sizeDetail())];
    if (!spec)
      spec.emplace(args, gradMode, plan.spec.sizeDetail());
    if (plan.spec == *spec && llvm::all_of(plan.facts, [&](const AttributeFact &fact) { return fact.holds(args); })) {
      if (!plan.code)
        worker.wakeAfterFork();
      return plan.code;
    }
  }
  if (entry.general) {
    if (!*entry.general)
      worker.wakeAfterFork();
    return *entry.general;
  }
  if (entry.calls <= options.callsBefore)
    return nullptr;
  Request request{key, &graph, name.str(), std::nullopt, {}, 0, false, {}, {}, nullptr};
  if (entry.plans.size() < options.maxPlans) {
    const SizeDetail detail = detailFor(entry, args, gradMode);
    request.spec.emplace(args, gradMode, detail);
    SizeFacts sizes(detail);
    const bool knowsValues = detail != SizeDetail::None && asksForGradients(graph);
    request.asksForGradients = knowsValues;
    for (auto [input, value] : llvm::zip(graph.inputs(), args)) {
      request.types.push_back(specializedType(graph.context(), input->type(), value, gradMode, sizes));
      request.flags.push_back(knowsValues && value.isBool() ? std::optional(value.toBool()) : std::nullopt);
      auto &entries = request.entries.emplace_back();
      if (hasKnownEntries(value))
        value.toDict().forEach([&](const IValue &key, const IValue &entry) {
          const Type *type = typeOfTensor(graph.context(), entry.asTensor(), gradMode, sizes);
          if (knowsValues)
            entries.emplace_back(key.toString(), type);
        });
    }
    if (knowsValues || (options.knowsLayers && entry.hasLayers))
      request.attributes = std::make_shared<const AttributeSnapshot>(args);
    request.number = entry.plans.size();
    Plan &plan = entry.plans.emplace_back(Plan{*request.spec, std::nullopt, nullptr, {}});
    if (detail == SizeDetail::Exact)
      plan.like.emplace(args, gradMode, SizeDetail::None);
  } else {
    entry.general = nullptr;
  }
  if (options.mode == CompileMode::Eager) {
    lock.unlock();
    return make(request);
  }
  // What does not compile, or finds no thread, runs as plain code from now on.
  (void)worker.post([this, request = std::move(request)] { (void)make(request); });
  return nullptr;
}

/// Writes what is known of values into the graph of a plan.
std::vector<AttributeFact> Specializer::tellValues(Graph &graph, const Request &request) {
  for (auto [input, entries] : llvm::zip(graph.inputs(), request.entries))
    if (const auto *dict = dyn_cast<DictType>(input->type());
        dict && dict->key()->kind() == TypeKind::String && dict->value()->isTensor())
      readEntries(graph, input, entries);
  for (auto [input, flag] : llvm::zip(graph.inputs(), request.flags))
    if (flag && input->hasUses() && input->type()->isBool()) {
      Node *constant = graph.createConstant(IValue(*flag));
      graph.block().prepend(constant);
      input->replaceAllUsesWith(constant->output());
    }
  if (!request.attributes)
    return {};
  AnalysisManager analyses;
  Inline inlining;
  PassOptions options;
  options["erase-unused"] = "true";
  if (!inlining.configure(options).ok())
    return {};
  inlining.run(graph, analyses);
  bool hasLayers = false;
  graph.walk([&](const Node &node) { hasLayers |= node.opKind() == OpKind::Aten_conv2d; });
  return request.asksForGradients || hasLayers ? request.attributes->apply(graph) : std::vector<AttributeFact>();
}

StatusOr<const Code *> Specializer::make(const Request &request) {
  TraceScope span(options.trace, "plan", request.name);
  std::unique_ptr<Graph> copy = request.graph->clone();
  for (auto [input, type] : llvm::zip(copy->inputs(), request.types))
    input->setType(type);
  std::vector<AttributeFact> facts = tellValues(*copy, request);
  TSC_ASSIGN_OR_RETURN(const Code *code, plans.add(std::move(copy), request.name));
  std::lock_guard lock(mutex);
  Entry &entry = entries[request.key];
  if (!request.spec)
    entry.general = code;
  if (request.spec) {
    entry.plans[request.number].code = code;
    entry.plans[request.number].facts = std::move(facts);
  }
  return code;
}

void Specializer::finish() { worker.drain(); }
