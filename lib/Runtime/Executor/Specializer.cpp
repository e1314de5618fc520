//===- Specializer.cpp - Code for the arguments that calls have -----------===//
#include "tsc/Runtime/Specializer.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"

using namespace tsc;

//===----------------------------------------------------------------------===//
// What a plan relies on
//===----------------------------------------------------------------------===//

namespace {
enum WordKind : uint32_t { Other, NoneWord, TensorWord, TupleWord };
} // namespace

ArgumentSpec::ArgumentSpec(llvm::ArrayRef<IValue> args, bool gradMode) {
  words.push_back(gradMode);
  for (const IValue &value : args)
    add(value);
}

void ArgumentSpec::add(const IValue &value) {
  if (value.isTensor() && value.asTensor().defined()) {
    const Tensor &tensor = value.asTensor();
    words.push_back(TensorWord | static_cast<uint32_t>(tensor.dtype()) << 2 | static_cast<uint32_t>(tensor.requiresGrad()) << 8 |
                    static_cast<uint32_t>(static_cast<uint8_t>(tensor.device().kind)) << 9 |
                    static_cast<uint32_t>(static_cast<uint8_t>(tensor.device().index)) << 17 | static_cast<uint32_t>(std::min<int64_t>(tensor.dim(), 127)) << 25);
  } else if (value.isNone() || value.isTensor()) {
    words.push_back(NoneWord);
  } else if (value.isTuple()) {
    words.push_back(TupleWord | static_cast<uint32_t>(value.toTuple().elements.size()) << 2);
    for (const IValue &element : value.toTuple().elements)
      add(element);
  } else {
    words.push_back(Other);
  }
}

static const Type *typeOfTensor(Context &context, const Tensor &tensor, bool gradMode) {
  TensorFacts facts;
  facts.dtype = tensor.dtype();
  facts.device = tensor.device();
  if (gradMode)
    facts.requiresGrad = tensor.requiresGrad();
  facts.sizes.emplace(tensor.dim());
  return context.tensor(facts);
}

const Type *tsc::specializedType(Context &context, const Type *type, const IValue &value, bool gradMode) {
  const auto *optional = dyn_cast<OptionalType>(type);
  if (optional && value.isNone())
    return Type::noneType();
  if (optional)
    return value.isTensor() ? specializedType(context, optional->element(), value, gradMode) : type;
  if (type->isTensor() && value.isTensor() && value.asTensor().defined() && value.asTensor().dim() < 127)
    return typeOfTensor(context, value.asTensor(), gradMode);
  const auto *tuple = dyn_cast<TupleType>(type);
  if (!tuple || tuple->isNamed() || !value.isTuple() || value.toTuple().elements.size() != tuple->elements().size())
    return type;
  llvm::SmallVector<const Type *, 4> elements;
  for (auto [element, part] : llvm::zip(tuple->elements(), value.toTuple().elements))
    elements.push_back(specializedType(context, element, part, gradMode));
  return context.tupleOf(elements);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

const Code *Specializer::find(const void *key, const ArgumentSpec &spec) {
  std::lock_guard lock(mutex);
  Entry &entry = entries[key];
  ++entry.calls;
  for (const Plan &plan : entry.made)
    if (plan.spec == spec)
      return plan.code;
  return entry.general;
}

bool Specializer::wantsPlan(const void *key) const {
  std::lock_guard lock(mutex);
  auto entry = entries.find(key);
  return entry != entries.end() && entry->second.calls > options.callsBefore;
}

StatusOr<const Code *> Specializer::make(const void *key, const Graph &graph, llvm::StringRef name, const ArgumentSpec &spec,
                                         llvm::ArrayRef<IValue> args, bool gradMode) {
  {
    std::lock_guard lock(mutex);
    for (const Plan &plan : entries[key].made) // another thread was here before
      if (plan.spec == spec)
        return plan.code;
  }
  std::unique_ptr<Graph> copy = graph.clone();
  bool isGeneral;
  {
    std::lock_guard lock(mutex);
    isGeneral = entries[key].made.size() >= options.maxPlans;
  }
  if (!isGeneral)
    for (auto [input, value] : llvm::zip(copy->inputs(), args))
      input->setType(specializedType(graph.context(), input->type(), value, gradMode));
  TSC_ASSIGN_OR_RETURN(const Code *code, compile(std::move(copy), name));
  std::lock_guard lock(mutex);
  Entry &entry = entries[key];
  if (isGeneral)
    entry.general = code;
  else
    entry.made.push_back({spec, code});
  return code;
}

StatusOr<const Code *> Specializer::compile(std::unique_ptr<Graph> graph, llvm::StringRef name) {
  TSC_RETURN_IF_ERROR(optimize(*graph));
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<Code> code, Code::compile(*graph, name, plans));
  const Code *result = code.get();
  plans.observe(*result);
  std::lock_guard lock(mutex);
  graphs.push_back(std::move(graph));
  codes.push_back(std::move(code));
  return result;
}
