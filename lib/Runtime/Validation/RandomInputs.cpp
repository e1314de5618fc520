//===- RandomInputs.cpp - Values of the types a graph takes ---------------===//
#include "RandomInputs.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
using namespace tsc;

static constexpr unsigned maxDepth = 16; // of types inside types

RandomInputs::RandomInputs(Context &context, const Graph &graph, const KnownObjects &objects, uint64_t seed)
    : context(context), objects(objects), search(seed + 1) {
  integers = {0, 1, 2, 3, 4, -1};
  strings = {"a", "b"};
  likelySizes = {0, 1, 2, 3, 4};
  for (const Value *input : graph.inputs())
    types.push_back(input->type());
  collectFrom(graph);
}

/// Weights of known shapes say what the inputs of unknown shapes must have.
void RandomInputs::noteFacts(const Type *type) {
  const auto *tensor = dyn_cast<TensorType>(type);
  if (tensor && tensor->facts().dtype)
    likelyDTypes.push_back(*tensor->facts().dtype);
  if (!tensor || !tensor->facts().sizes)
    return;
  for (Dimension size : *tensor->facts().sizes)
    if (size.isKnown() && size.value() <= 64 && !llvm::is_contained(likelySizes, size.value()))
      likelySizes.push_back(size.value());
}

/// Notes the constants of the graph, and how it uses classes that nobody defined.
void RandomInputs::collectFrom(const Graph &graph) {
  for (const Value *input : graph.inputs())
    noteFacts(input->type());
  const_cast<Graph &>(graph).walk([&](Node &node) {
    for (const Value *output : node.outputs())
      noteFacts(output->type());
    if (node.kind() == prim::Constant) {
      auto constant = constantValue(node.output());
      if (constant && constant->isInt() && constant->toInt() > 4 && constant->toInt() < 100)
        integers.push_back(constant->toInt());
      else if (constant && constant->isString() && constant->toString().size() < 20)
        strings.push_back(constant->toString());
    }
    for (const NamedAttribute &attribute : node.attributes())
      if (const auto *inner = std::get_if<std::shared_ptr<Graph>>(&attribute.value))
        collectFrom(**inner);
    bool reads = node.kind() == prim::GetAttr && node.numInputs() == 1 && node.numOutputs() == 1;
    bool writes = node.kind() == prim::SetAttr && node.numInputs() == 2;
    if (!reads && !writes)
      return;
    const auto *type = dyn_cast<ClassType>(node.input(0)->type());
    const AttributeValue *name = node.attribute(attr::name);
    const auto *text = name ? std::get_if<std::string>(name) : nullptr;
    if (type && !type->isDefined() && text)
      attributes[type->name()].insert(
          {context.symbol("attr", *text).name(), (reads ? node.output() : node.input(1))->type()});
  });
}

void RandomInputs::restart(int64_t size) {
  choices.clear();
  commonSize = size;
}

RandomInputs::Choice RandomInputs::draw() {
  Choice choice;
  static constexpr unsigned ranks[] = {2, 2, 2, 1, 1, 4, 4, 3, 0, 5};
  static constexpr DType dtypes[] = {DType::Float, DType::Float, DType::Float,  DType::Float,
                                     DType::Int64, DType::Int64, DType::Double, DType::Bool};
  bool asInGraph = !likelyDTypes.empty() && below(search, 2);
  choice.rank = ranks[below(search, std::size(ranks))];
  choice.dtype =
      asInGraph ? likelyDTypes[below(search, likelyDTypes.size())] : dtypes[below(search, std::size(dtypes))];
  for (unsigned i = 0; i != 5; ++i)
    choice.sizes.push_back(below(search, 3) ? commonSize : likelySizes[below(search, likelySizes.size())]);
  choice.integer = integers[below(search, integers.size())];
  choice.length = below(search, 4);
  choice.present = below(search, 3);
  choice.alternative = below(search, 1 << 16);
  return choice;
}

/// A place met for the first time gets the plainest choice: a matrix of floats, a two.
RandomInputs::Choice &RandomInputs::choiceAt(const std::string &place) {
  auto [at, isNew] = choices.try_emplace(place);
  if (isNew)
    at->second.sizes.assign(5, commonSize);
  return at->second;
}

void RandomInputs::mutate() {
  previous = choices;
  if (choices.empty())
    return;
  unsigned count = 1 + below(search, 8) / 6;
  for (unsigned i = 0; i != count; ++i)
    std::next(choices.begin(), below(search, choices.size()))->second = draw();
}

StatusOr<std::vector<IValue>> RandomInputs::make(uint64_t dataSeed) {
  data.seed(dataSeed);
  std::vector<IValue> inputs;
  for (auto [index, type] : llvm::enumerate(types)) {
    TSC_ASSIGN_OR_RETURN(IValue input, value(type, std::to_string(index), 0));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

static void fill(const Tensor &tensor, std::mt19937_64 &random) {
  std::normal_distribution<double> normal;
  for (int64_t i = 0; i != tensor.numel(); ++i) {
    if (tensor.dtype() == DType::Bool)
      tensor.set(i, Scalar(random() % 2 == 0));
    else if (tensor.dtype() == DType::ComplexFloat || tensor.dtype() == DType::ComplexDouble ||
             tensor.dtype() == DType::ComplexHalf)
      tensor.set(i, Scalar(std::complex<double>(normal(random), normal(random))));
    else if (tensor.dtype() == DType::Float || tensor.dtype() == DType::Double || tensor.dtype() == DType::Half ||
             tensor.dtype() == DType::BFloat16)
      tensor.set(i, Scalar(normal(random)));
    else
      tensor.set(i, Scalar(static_cast<int64_t>(random() % 3))); // may be indices of something
  }
}

StatusOr<IValue> RandomInputs::tensor(const TensorType &type, const std::string &place) {
  const TensorFacts &facts = type.facts();
  Dims sizes, strides;
  bool knowsStrides = facts.sizes && facts.strides;
  if (!facts.sizes || !facts.dtype || llvm::any_of(*facts.sizes, [](Dimension d) { return !d.isKnown(); })) {
    const Choice &choice = choiceAt(place);
    unsigned rank = facts.sizes ? facts.sizes->size() : choice.rank;
    for (unsigned i = 0; i != rank; ++i)
      sizes.push_back(facts.sizes && (*facts.sizes)[i].isKnown() ? (*facts.sizes)[i].value()
                      : i < choice.sizes.size()                  ? choice.sizes[i]
                                                                 : 1);
  } else {
    for (Dimension size : *facts.sizes)
      sizes.push_back(size.value());
  }
  for (size_t i = 0; knowsStrides && i != sizes.size(); ++i) {
    knowsStrides &= i < facts.strides->size() && (*facts.strides)[i].isKnown() && (*facts.sizes)[i].isKnown();
    strides.push_back(knowsStrides ? (*facts.strides)[i].value() : 0);
  }
  TSC_ASSIGN_OR_RETURN(int64_t count, elementCount(sizes));
  if (count > (1 << 22))
    return resourceExhausted("an input is too large to be tried");
  DType dtype = facts.dtype ? *facts.dtype : choiceAt(place).dtype;
  if (dtype == DType::QInt8 || dtype == DType::QUInt8 || dtype == DType::QInt32)
    return notFound("quantized tensors cannot be made");
  TSC_ASSIGN_OR_RETURN(Tensor tensor,
                       knowsStrides ? Tensor::emptyStrided(sizes, strides, dtype) : Tensor::empty(sizes, dtype));
  fill(tensor, data);
  return IValue(std::move(tensor));
}

/// A class with the attributes that the graph reads and writes, in place of one that has only a name.
const ClassType &RandomInputs::standIn(const ClassType &opaque) {
  std::unique_ptr<ClassType> &type = standIns[opaque.name()];
  if (!type) {
    type = std::make_unique<ClassType>(opaque.name().str(), /*isModule=*/true);
    for (auto &[name, attributeType] : attributes[opaque.name()])
      type->addAttribute(name, attributeType);
    type->setDefined();
  }
  return *type;
}

StatusOr<IValue> RandomInputs::object(const ClassType &declared, const std::string &place, unsigned depth) {
  if (auto known = objects.find(&declared); known != objects.end())
    return known->second;
  const ClassType &type = declared.isDefined() ? declared : standIn(declared);
  auto result = makeRef<ObjectValue>(&type, type.numAttributes());
  for (auto [slot, attribute] : llvm::enumerate(type.attributes())) {
    TSC_ASSIGN_OR_RETURN(result->slots[slot], value(attribute.type, place + "." + attribute.name, depth + 1));
  }
  return IValue(std::move(result));
}

StatusOr<IValue> RandomInputs::list(const Type *element, const std::string &place, unsigned depth) {
  IValue result = makeList(element);
  unsigned length = choiceAt(place).length;
  for (unsigned i = 0; i != length; ++i) {
    TSC_ASSIGN_OR_RETURN(IValue item, value(element, place + "[" + std::to_string(i) + "]", depth + 1));
    appendToList(result, std::move(item));
  }
  return result;
}

StatusOr<IValue> RandomInputs::simpleValue(TypeKind kind, const std::string &place) {
  std::normal_distribution<double> normal;
  switch (kind) {
  case TypeKind::None: return IValue();
  case TypeKind::Int:
  case TypeKind::SymInt: return IValue(choiceAt(place).integer);
  case TypeKind::Float: return IValue(normal(data));
  case TypeKind::Complex: return IValue(std::complex<double>(normal(data), normal(data)));
  case TypeKind::Bool: return IValue(data() % 2 == 0);
  case TypeKind::Number:
    return choiceAt(place).alternative % 2 ? IValue(normal(data)) : IValue(choiceAt(place).integer);
  case TypeKind::String: return IValue(strings[choiceAt(place).alternative % strings.size()]);
  case TypeKind::Device: return IValue(Device());
  case TypeKind::ScalarType: return IValue(static_cast<int64_t>(DType::Float));
  case TypeKind::Layout:
  case TypeKind::MemoryFormat: return IValue(int64_t{0});
  case TypeKind::Generator: return IValue(makeRef<GeneratorValue>());
  default: return notFound("");
  }
}

StatusOr<IValue> RandomInputs::value(const Type *type, const std::string &place, unsigned depth) {
  if (depth > maxDepth)
    return notFound("types nest too deeply");
  if (const auto *tensorType = dyn_cast<TensorType>(type))
    return tensor(*tensorType, place);
  if (const auto *classType = dyn_cast<ClassType>(type))
    return object(*classType, place, depth);
  if (const auto *listType = dyn_cast<ListType>(type))
    return list(listType->element(), place, depth);
  if (const auto *optional = dyn_cast<OptionalType>(type))
    return choiceAt(place).present ? value(optional->element(), place + "?", depth + 1) : StatusOr<IValue>(IValue());
  if (const auto *tuple = dyn_cast<TupleType>(type)) {
    std::vector<IValue> elements;
    for (auto [i, element] : llvm::enumerate(tuple->elements())) {
      TSC_ASSIGN_OR_RETURN(IValue item, value(element, place + "." + std::to_string(i), depth + 1));
      elements.push_back(std::move(item));
    }
    return makeTuple(std::move(elements), tuple->isNamed() ? tuple : nullptr);
  }
  if (const auto *dict = dyn_cast<DictType>(type)) {
    auto result = makeRef<DictValue>(dict->key(), dict->value());
    unsigned length = choiceAt(place).length;
    for (unsigned i = 0; i != length; ++i) {
      std::string at = place + "{" + std::to_string(i) + "}";
      TSC_ASSIGN_OR_RETURN(IValue key, value(dict->key(), at + "k", depth + 1));
      TSC_ASSIGN_OR_RETURN(IValue item, value(dict->value(), at, depth + 1));
      result->set(std::move(key), std::move(item));
    }
    return IValue(std::move(result));
  }
  if (const auto *alternatives = dyn_cast<UnionType>(type)) {
    unsigned which = choiceAt(place).alternative % alternatives->members().size();
    return value(alternatives->members()[which], place + "|" + std::to_string(which), depth + 1);
  }
  if (const auto *enumeration = dyn_cast<EnumType>(type); enumeration && !enumeration->members().empty()) {
    const auto &[name, item] = enumeration->members()[choiceAt(place).alternative % enumeration->members().size()];
    return IValue(makeRef<EnumValue>(enumeration, name, item));
  }
  if (const auto *future = dyn_cast<FutureType>(type)) {
    auto result = makeRef<FutureValue>();
    TSC_ASSIGN_OR_RETURN(result->value, value(future->element(), place + "f", depth + 1));
    return IValue(std::move(result));
  }
  if (type->kind() == TypeKind::Any)
    return value(Type::tensorType(), place, depth + 1);
  StatusOr<IValue> simple = simpleValue(type->kind(), place);
  return simple.ok() ? simple : notFound("no values of type " + type->str() + " can be made");
}
