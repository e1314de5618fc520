//===- Specializer.cpp - Code for the arguments that calls have -----------===//
#include "tsc/Runtime/Specializer.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Trace.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

//===----------------------------------------------------------------------===//
// What a plan relies on
//===----------------------------------------------------------------------===//

namespace {
enum WordKind : uint32_t { Other, NoneWord, TensorWord, TupleWord };
} // namespace

int64_t SizeNumbers::of(int64_t size) {
  if (size <= 1)
    return size;
  const auto *at = llvm::find(sizes, size);
  const int64_t number = at - sizes.begin();
  if (at == sizes.end())
    sizes.push_back(size);
  return number + 2;
}

ArgumentSpec::ArgumentSpec(llvm::ArrayRef<IValue> args, bool gradMode, bool withSizes) {
  SizeNumbers sizes;
  words.push_back(gradMode);
  for (const IValue &value : args)
    add(value, withSizes ? &sizes : nullptr);
}

void ArgumentSpec::add(const IValue &value, SizeNumbers *sizes) {
  if (value.isTensor() && value.asTensor().defined()) {
    const Tensor &tensor = value.asTensor();
    words.push_back(TensorWord | static_cast<uint32_t>(tensor.dtype()) << 2 |
                    static_cast<uint32_t>(tensor.requiresGrad()) << 8 |
                    static_cast<uint32_t>(static_cast<uint8_t>(tensor.device().kind)) << 9 |
                    static_cast<uint32_t>(static_cast<uint8_t>(tensor.device().index)) << 17 |
                    static_cast<uint32_t>(std::min<int64_t>(tensor.dim(), 127)) << 25);
    for (int64_t size : sizes ? tensor.sizes() : llvm::ArrayRef<int64_t>())
      words.push_back(static_cast<uint32_t>(sizes->of(size)));
  } else if (value.isNone() || value.isTensor()) {
    words.push_back(NoneWord);
  } else if (value.isTuple()) {
    words.push_back(TupleWord | static_cast<uint32_t>(value.toTuple().elements.size()) << 2);
    for (const IValue &element : value.toTuple().elements)
      add(element, sizes);
  } else {
    words.push_back(Other);
  }
}

static const Type *typeOfTensor(Context &context, const Tensor &tensor, bool gradMode, SizeNumbers *sizes) {
  TensorFacts facts;
  facts.dtype = tensor.dtype();
  facts.device = tensor.device();
  if (gradMode)
    facts.requiresGrad = tensor.requiresGrad();
  facts.sizes.emplace(tensor.dim());
  for (auto [i, dimension] : llvm::enumerate(*facts.sizes))
    if (int64_t number = sizes ? sizes->of(tensor.sizes()[i]) : -1; number >= 0)
      dimension = number <= 1 ? Dimension::known(number) : Dimension::symbolic(-number);
  return context.tensor(facts);
}

const Type *tsc::specializedType(Context &context, const Type *type, const IValue &value, bool gradMode,
                                 SizeNumbers *sizes) {
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

StatusOr<const Code *> Specializer::plan(const void *key, const Graph &graph, llvm::StringRef name,
                                         llvm::ArrayRef<IValue> args, bool gradMode) {
  const bool comparesSizes = options.comparesSizes && options.comparesSizes();
  ArgumentSpec spec(args, gradMode, comparesSizes);
  Request request{key, &graph, name.str(), std::nullopt, {}};
  std::unique_lock lock(mutex);
  Entry &entry = entries[key];
  ++entry.calls;
  for (const Plan &plan : entry.plans)
    if (plan.spec == spec)
      return plan.code;
  if (entry.general)
    return *entry.general;
  if (entry.calls <= options.callsBefore)
    return nullptr;
  if (entry.plans.size() < options.maxPlans) {
    request.spec = spec;
    SizeNumbers sizes;
    for (auto [input, value] : llvm::zip(graph.inputs(), args))
      request.types.push_back(specializedType(graph.context(), input->type(), value, gradMode, comparesSizes ? &sizes : nullptr));
    entry.plans.push_back({std::move(spec), nullptr});
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

StatusOr<const Code *> Specializer::make(const Request &request) {
  TraceScope span(options.trace, "plan", request.name);
  std::unique_ptr<Graph> copy = request.graph->clone();
  for (auto [input, type] : llvm::zip(copy->inputs(), request.types))
    input->setType(type);
  TSC_ASSIGN_OR_RETURN(const Code *code, plans.add(std::move(copy), request.name));
  std::lock_guard lock(mutex);
  Entry &entry = entries[request.key];
  if (!request.spec)
    entry.general = code;
  for (Plan &plan : entry.plans)
    if (request.spec && plan.spec == *request.spec)
      plan.code = code;
  return code;
}

void Specializer::finish() { worker.drain(); }
