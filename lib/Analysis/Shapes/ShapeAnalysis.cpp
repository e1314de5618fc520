//===- ShapeAnalysis.cpp - Shapes, dtypes and devices of a graph ----------===//
//
// A worklist in execution order. A node with blocks has two places in it: where
// its blocks are entered (loop parameters) and where they are left (outputs).
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/ShapeAnalysis.h"
#include "Mutation.h"
#include "OperatorInference.h"
#include "tsc/Analysis/OperatorInference.h"
#include "tsc/Analysis/PartialValues.h"
#include "tsc/Analysis/ShapeRules.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/Operator.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <queue>

using namespace tsc;

namespace {

/// One place in execution order.
struct Step {
  Node *node;
  bool isExit;
};

constexpr unsigned maxTypeDepth = 8;
/// After so many changes a value is given up: a bound on the work, never reached by ordinary loops.
constexpr unsigned maxChanges = 24;

} // namespace

struct ShapeAnalysis::Impl {
  Impl(Graph &graph, ShapeRuleSource &rules) : graph(graph), mutation(graph), inference(symbols, rules) {
    number(graph.block());
    dirty.resize(steps.size(), true);
    for (unsigned i = 0; i != steps.size(); ++i)
      queue.push(i);
    for (Value *input : graph.inputs())
      update(input, fromType(input->type()));
    solve();
  }

  //===-- Worklist --------------------------------------------------------===//

  void number(Block &block) {
    for (Node &node : block.nodes()) {
      auto &place = places[&node];
      place.first = place.second = steps.size();
      steps.push_back({&node, false});
      if (!node.numBlocks())
        continue;
      for (Block &inner : node.blocks())
        number(inner);
      places[&node].second = steps.size();
      steps.push_back({&node, true});
    }
  }

  void enqueue(unsigned step) {
    if (dirty.test(step))
      return;
    dirty.set(step);
    queue.push(step);
  }

  void solve() {
    while (!queue.empty()) {
      unsigned next = queue.top();
      queue.pop();
      dirty.reset(next);
      auto [node, isExit] = steps[next];
      if (isExit)
        leave(*node);
      else
        visit(*node);
    }
  }

  void enqueueUsers(const Value *value) {
    for (const Use &use : value->uses()) {
      Node *user = use.user();
      if (user->kind() == prim::Return) { // of a block: what holds it
        user = user->block()->owner();
        if (!user)
          continue;
      }
      auto at = places.find(user);
      if (at == places.end())
        continue;
      enqueue(at->second.first);
      enqueue(at->second.second);
    }
  }

  struct State {
    AbstractValue value = AbstractValue::nothing();
    unsigned changes = 0;
  };

  const AbstractValue &get(const Value *value) const {
    static const AbstractValue nothing = AbstractValue::nothing();
    return value->id() < states.size() ? states[value->id()].value : nothing;
  }

  void update(const Value *value, AbstractValue next) {
    if (value->id() >= states.size())
      states.resize(std::max<size_t>(value->id() + 1, states.size() * 2));
    State &state = states[value->id()];
    if (state.changes > maxChanges)
      return;
    if (state.changes == maxChanges)
      next = giveUp(value);
    next = normalize(value, std::move(next));
    if (state.value == next)
      return;
    ++state.changes;
    state.value = std::move(next);
    enqueueUsers(value);
  }

  /// What writes leave of the knowledge whether a tensor requires a gradient.
  enum class GradFacts { Stay, GoWhereFalse, Go };

  AbstractValue giveUp(const Value *value) {
    return value->type()->isTensor() ? AbstractValue(AbstractTensor()) : AbstractValue();
  }

  //===-- Types and values ------------------------------------------------===//

  AbstractValue fromType(const Type *type, unsigned depth = 0) {
    if (const auto *tensor = llvm::dyn_cast<TensorType>(type))
      return abstractTensorOf(tensor->facts(), symbols);
    if (type->isNone())
      return AbstractValue::none();
    const auto *tuple = llvm::dyn_cast<TupleType>(type);
    if (!tuple || depth > maxTypeDepth)
      return {};
    std::vector<AbstractValue> elements;
    for (const Type *element : tuple->elements())
      elements.push_back(fromType(element, depth + 1));
    return AbstractValue::tuple(std::move(elements));
  }

  /// Gives what is unknown a symbol that belongs to this value, and drops what mutation makes doubtful. `path` tells
  /// the parts of the value apart.
  AbstractValue normalize(const Value *owner, AbstractValue value) {
    if (value.isNothing())
      return value;
    if (value.asList() && mutation.isWritten(owner))
      return {};
    const bool keepsGeometry = !mutation.geometryIsWritten(owner);
    const GradFacts grad = !mutation.mayTakeGrad(owner)  ? GradFacts::Stay
                           : mutation.mayLoseGrad(owner) ? GradFacts::Go
                                                         : GradFacts::GoWhereFalse;
    partsLeft = mostParts;
    return normalizePart(owner, value, owner->type(), 1, keepsGeometry, grad, 0);
  }

  /// Whether the elements of a container may be gone through: containers may share what is in them, and so have parts
  /// without end.
  bool mayLookInto(const std::vector<AbstractValue> &elements) {
    if (elements.size() > partsLeft)
      return false;
    partsLeft -= elements.size();
    return true;
  }

  AbstractValue normalizePart(const Value *owner, const AbstractValue &value, const Type *type, uint64_t path,
                              bool keepsGeometry, GradFacts grad, unsigned depth) {
    auto inner = [&](const std::vector<AbstractValue> &from, auto typeOf) {
      std::vector<AbstractValue> elements;
      for (auto [i, element] : llvm::enumerate(from))
        elements.push_back(depth < maxTypeDepth ? normalizePart(owner, element, typeOf(i), path * 4099 + i + 1,
                                                                keepsGeometry, grad, depth + 1)
                                                : AbstractValue());
      return elements;
    };
    if (const AbstractTensor *tensor = value.asTensor())
      return normalizeTensor(owner, *tensor, path, keepsGeometry, grad);
    if (const auto *list = value.asList()) {
      if (!mayLookInto(list->elements))
        return {};
      const auto *listType = llvm::dyn_cast_or_null<ListType>(type);
      return AbstractValue::list(
          inner(list->elements, [&](size_t) { return listType ? listType->element() : nullptr; }));
    }
    if (const auto *tuple = value.asTuple()) {
      if (!mayLookInto(tuple->elements))
        return {};
      const auto *tupleType = llvm::dyn_cast_or_null<TupleType>(type);
      return AbstractValue::tuple(inner(tuple->elements, [&](size_t i) {
        return tupleType && i < tupleType->elements().size() ? tupleType->elements()[i] : nullptr;
      }));
    }
    if (value.isUnknown() && type && type->isTensor())
      return AbstractTensor();
    if (value.isUnknown() && type && type->isInt())
      return symbols.symbolFor(owner, path * 4099, SymbolRange::Any);
    return value;
  }

  AbstractValue normalizeTensor(const Value *owner, const AbstractTensor &from, uint64_t path, bool keepsGeometry,
                                GradFacts grad) {
    AbstractTensor tensor = from;
    if (!keepsGeometry)
      tensor.sizes = tensor.strides = std::nullopt;
    const bool goes = grad == GradFacts::Go || (grad == GradFacts::GoWhereFalse && tensor.requiresGrad != true);
    if (goes && !(tensor.dtype && isIntegral(*tensor.dtype, true)))
      tensor.requiresGrad = std::nullopt;
    if (tensor.sizes)
      for (auto [i, size] : llvm::enumerate(*tensor.sizes))
        size = size.isUnknown() ? symbols.symbolFor(owner, path * 4099 + i + 1, SymbolRange::NonNegative)
                                : symbols.asSize(size);
    return tensor;
  }

  //===-- Transfer --------------------------------------------------------===//

  void visit(Node &node) {
    if (node.kind() == prim::Loop && node.numBlocks() == 1)
      return enterLoop(node);
    if (node.numBlocks()) {
      for (Block &block : node.blocks())
        for (Value *parameter : block.inputs())
          update(parameter, fromType(parameter->type()));
      return;
    }
    std::vector<AbstractValue> results = evaluate(node);
    results.resize(node.numOutputs());
    for (auto [output, result] : llvm::zip(node.outputs(), results))
      update(output, withStaticType(std::move(result), output->type()));
  }

  /// A part that no rule decides stays as the graph's type has it.
  AbstractValue withStaticType(AbstractValue value, const Type *type) {
    if (value.isUnknown())
      return fromType(type);
    const AbstractTensor *tensor = value.asTensor();
    if (!tensor || !type->isTensor())
      return value;
    AbstractTensor both = *tensor, stated = abstractTensorOf(llvm::cast<TensorType>(type)->facts(), symbols);
    if (!both.dtype)
      both.dtype = stated.dtype;
    if (!both.device)
      both.device = stated.device;
    if (!both.requiresGrad)
      both.requiresGrad = stated.requiresGrad;
    if (!both.sizes) {
      both.sizes = stated.sizes;
      both.strides = stated.strides;
    } else if (!both.strides && both.sizes == stated.sizes) {
      both.strides = stated.strides;
    }
    return both;
  }

  std::vector<AbstractValue> evaluate(Node &node) {
    switch (node.kind().id()) {
    case SymbolId::prim_Constant: {
      auto constant = constantValue(node.output());
      return {constant ? abstractConstant(*constant) : AbstractValue()};
    }
    case SymbolId::prim_Uninitialized: return {AbstractValue::nothing()};
    case SymbolId::prim_ListUnpack:
    case SymbolId::prim_TupleUnpack: {
      const AbstractValue &whole = get(node.input());
      if (const auto *list = whole.asList(); list && list->elements.size() == node.numOutputs())
        return list->elements;
      return whole.asTuple() ? whole.asTuple()->elements : std::vector<AbstractValue>();
    }
    case SymbolId::prim_profile: return {node.numInputs() == 1 ? get(node.input()) : AbstractValue()};
    case SymbolId::prim_Guard:
    case SymbolId::prim_BailOut: return {guarded(node)};
    case SymbolId::prim_GetAttr: return {attribute(node)};
    default: break;
    }
    if (node.hasTrait(Trait::Item) && (node.output()->type()->isInt() || node.output()->type()->isNumber()))
      if (const Value *number = numberBehind(node.input(0)))
        return {get(number)};
    if (auto query = tensorQuery(node.opKind()))
      if (const AbstractTensor *tensor = get(node.input(0)).asTensor())
        return {answer(*query, *tensor, node)};
    if (node.record() && !shapeColumnsEmpty(node))
      return infer(node);
    llvm::SmallVector<AbstractValue, 4> operands;
    for (Value *input : node.inputs())
      operands.push_back(get(input));
    if (node.numOutputs() != 1)
      return {};
    return {evaluatePartially(node, operands, symbols)};
  }

  /// What passes a guard is as the guard's type says. What that leaves open is as in the operand.
  AbstractValue guarded(const Node &node) {
    if (node.numInputs() == 0 || node.numOutputs() != 1 || !node.output()->type()->isTensor())
      return {};
    const AbstractValue &operand = get(node.input(0));
    if (operand.isNothing())
      return operand;
    AbstractTensor result = abstractTensorOf(llvm::cast<TensorType>(node.output()->type())->facts(), symbols);
    const AbstractTensor *given = operand.asTensor();
    if (!given)
      return result;
    if (!result.dtype)
      result.dtype = given->dtype;
    if (!result.device)
      result.device = given->device;
    if (!result.requiresGrad)
      result.requiresGrad = given->requiresGrad;
    if (!result.sizes)
      result.sizes = given->sizes;
    else if (given->sizes && given->sizes->size() == result.sizes->size())
      for (auto [size, known] : llvm::zip(*result.sizes, *given->sizes))
        if (size.isUnknown())
          size = known;
    if (!result.strides && result.sizes == given->sizes)
      result.strides = given->strides;
    return result;
  }

  static bool shapeColumnsEmpty(const Node &node) {
    const ShapeColumns &columns = shapeColumns(node.opKind());
    return columns.shape.empty() && columns.dtype.empty();
  }

  AbstractValue attribute(const Node &node) {
    const auto *object = llvm::dyn_cast<ClassType>(node.input()->type());
    const AttributeValue *name = node.attribute(attr::name);
    if (!object || !name || !std::holds_alternative<std::string>(*name))
      return {};
    auto slot = object->findAttribute(std::get<std::string>(*name));
    return slot ? fromType(object->attribute(*slot).type) : AbstractValue();
  }

  /// The number that a 0-dimensional tensor was made of, when nobody writes the tensor.
  const Value *numberBehind(const Value *tensor) {
    const Node *maker = tensor->node();
    bool fromNumber =
        maker->kind() == prim::NumToTensor || (maker->kind() == aten::tensor && maker->input()->type()->isInt());
    return fromNumber && !mutation.isWritten(tensor) ? maker->input() : nullptr;
  }

  /// What is known of the tensor answers, or nothing does.
  AbstractValue answer(TensorQuery query, const AbstractTensor &tensor, const Node &node) {
    switch (query) {
    case TensorQuery::DType: return tensor.dtype ? AbstractValue(static_cast<int64_t>(*tensor.dtype)) : AbstractValue();
    case TensorQuery::IsFloating: return tensor.dtype ? AbstractValue(isFloating(*tensor.dtype)) : AbstractValue();
    case TensorQuery::IsComplex: return tensor.dtype ? AbstractValue(isComplex(*tensor.dtype)) : AbstractValue();
    case TensorQuery::Device: return tensor.device ? AbstractValue(*tensor.device) : AbstractValue();
    case TensorQuery::IsOnDevice: return isOn(*deviceKindOf(node.opKind()), tensor);
    default: break;
    }
    if (!tensor.sizes)
      return {};
    switch (query) {
    case TensorQuery::Rank: return static_cast<int64_t>(tensor.sizes->size());
    case TensorQuery::Sizes: return AbstractValue::ints(*tensor.sizes);
    case TensorQuery::Size: return elementOf(AbstractValue::ints(*tensor.sizes), get(node.input(1)));
    case TensorQuery::Length: return tensor.sizes->empty() ? AbstractValue() : AbstractValue(tensor.sizes->front());
    case TensorQuery::Count: {
      SymbolicInt count(1);
      for (SymbolicInt size : *tensor.sizes)
        count = symbols.multiply(count, size);
      return count;
    }
    default: return {};
    }
  }
  static AbstractValue isOn(DeviceKind kind, const AbstractTensor &tensor) {
    return tensor.device ? AbstractValue(tensor.device->kind == kind) : AbstractValue();
  }

  /// What stands for the arguments of a node's schema.
  struct Arguments {
    std::vector<AbstractValue> operands;
    std::vector<const Type *> types;
    bool areReached() const {
      return llvm::none_of(operands, [](const AbstractValue &v) { return v.isNothing(); });
    }
  };
  Arguments argumentsOf(const Node &node) const {
    Arguments arguments;
    for (auto [i, argument] : llvm::enumerate(node.schema()->arguments())) {
      const bool isGiven = i < node.numInputs();
      arguments.types.push_back(isGiven ? node.input(i)->type() : argument.type);
      arguments.operands.push_back(isGiven                 ? get(node.input(i))
                                   : argument.defaultValue ? abstractConstant(*argument.defaultValue)
                                                           : AbstractValue());
    }
    return arguments;
  }

  std::vector<AbstractValue> infer(const Node &node) {
    Arguments arguments = argumentsOf(node);
    if (!arguments.areReached()) // nor is this
      return std::vector<AbstractValue>(node.numOutputs(), AbstractValue::nothing());
    return inference.infer(*node.record(), *node.schema(), arguments.operands, arguments.types,
                           !mutation.switchesGradMode());
  }

  //===-- What does not fail ----------------------------------------------===//

  bool surelySucceeds(const Node &node) {
    if (node.kind() == prim::ListUnpack) {
      const auto *list = get(node.input()).asList();
      return list && list->elements.size() == node.numOutputs();
    }
    if (!node.record() || node.hasTrait(Trait::Writes))
      return false;
    if (node.hasTrait(Trait::Speculatable))
      return true;
    Arguments arguments = argumentsOf(node);
    if (!arguments.areReached())
      return false;
    if (shapeColumns(node.opKind()).computeTypes)
      return elementsSurelyFit(node, arguments);
    if (node.opKind() == OpKind::Tsc_written) // checks as the in-place operator did
      return isAlike(arguments.operands[0].asTensor(), arguments.operands[1].asTensor());
    if (node.hasTrait(Trait::SizeQuery)) {
      auto query = tensorQuery(node.opKind());
      const AbstractTensor *tensor = get(node.input(0)).asTensor();
      return query && tensor && !answer(*query, *tensor, node).isUnknown();
    }
    const bool isRegrouping = node.hasTrait(Trait::Cast) || node.hasTrait(Trait::IndexMap) ||
                              node.hasTrait(Trait::Split) || node.hasTrait(Trait::Fill);
    return isRegrouping &&
           inference.sizesSurelyFit(*node.record(), *node.schema(), arguments.operands, arguments.types);
  }

  /// Whether both tensors are known to have the same sizes and dtype.
  static bool isAlike(const AbstractTensor *a, const AbstractTensor *b) {
    return a && b && a->dtype && a->dtype == b->dtype && a->sizes && b->sizes && a->sizes->size() == b->sizes->size() &&
           llvm::all_of(llvm::zip(*a->sizes, *b->sizes),
                        [](const auto &pair) { return std::get<0>(pair).isSame(std::get<1>(pair)); });
  }

  /// Whether a point-wise operator has a body for the dtypes of its operands, and their sizes broadcast.
  bool elementsSurelyFit(const Node &node, const Arguments &arguments) const {
    enum : uint8_t { Real = 1, All = 15 };
    const uint8_t types = shapeColumns(node.opKind()).computeTypes;
    SymbolicDims common;
    for (auto [argument, operand] : llvm::zip(node.schema()->arguments(), arguments.operands)) {
      if (operand.isNone() || !holdsTensors(argument.type))
        continue;
      const AbstractTensor *tensor = operand.asTensor();
      if (!tensor || !tensor->sizes || !tensor->dtype || tensor->undefined)
        return false;
      if (types != All && !((types & Real) && isFloating(*tensor->dtype)))
        return false;
      if (!broadcastSurely(*tensor->sizes, common))
        return false;
    }
    return true;
  }

  /// Broadcasts `sizes` into `common`; false where the two might not fit.
  static bool broadcastSurely(const SymbolicDims &sizes, SymbolicDims &common) {
    if (sizes.size() > common.size())
      common.insert(common.begin(), sizes.size() - common.size(), SymbolicInt(1));
    const size_t added = common.size() - sizes.size();
    for (auto [i, size] : llvm::enumerate(sizes)) {
      SymbolicInt &kept = common[added + i];
      if (kept.isConstant(1))
        kept = size;
      else if (!size.isConstant(1) && !size.isSame(kept))
        return false;
    }
    return true;
  }

  //===-- Control flow ----------------------------------------------------===//

  void enterLoop(Node &node) {
    Block &body = node.block(0);
    update(body.inputs()[0], symbols.symbolFor(body.inputs()[0], 0, SymbolRange::NonNegative));
    for (unsigned i = 0; i + 1 < body.inputs().size() && i + 2 < node.numInputs(); ++i) {
      Value *parameter = body.inputs()[i + 1];
      AbstractValue entering = join(get(node.input(i + 2)), get(body.returnNode().input(i + 1)));
      // Joined with what it was: it may only lose, so the fixed point is reached.
      update(parameter, join(get(parameter), entering));
    }
  }

  void leave(Node &node) {
    if (node.kind() == prim::Loop && node.numBlocks() == 1)
      return leaveLoop(node);
    const bool *taken = node.kind() == prim::If ? get(node.input()).asBool() : nullptr;
    for (unsigned i = 0; i != node.numOutputs(); ++i) {
      AbstractValue result = AbstractValue::nothing();
      for (unsigned b = 0; b != node.numBlocks(); ++b) {
        Block &block = node.block(b);
        if ((taken && b != (*taken ? 0 : 1)) || raises(block))
          continue;
        result = i < block.numOutputs() && node.kind() == prim::If ? join(result, get(block.returnNode().input(i)))
                                                                   : AbstractValue();
      }
      update(node.output(i), result.isUnknown() ? fromType(node.output(i)->type()) : result);
    }
  }

  /// Whether a block surely ends in an exception: then what it would return is never seen.
  static bool raises(Block &block) {
    return llvm::any_of(block.nodes(), [](const Node &node) { return node.kind() == prim::RaiseException; });
  }

  void leaveLoop(Node &node) {
    Block &body = node.block(0);
    auto trips = get(node.input(0)).asInt().value();
    const bool *goesOn = get(node.input(1)).asBool();
    bool runs = goesOn && *goesOn && trips && *trips > 0;
    bool neverRuns = (goesOn && !*goesOn) || (trips && *trips <= 0);
    for (unsigned i = 0; i != node.numOutputs(); ++i) {
      AbstractValue entering = neverRuns || !runs ? get(node.input(i + 2)) : AbstractValue::nothing();
      AbstractValue returned = neverRuns ? AbstractValue::nothing() : get(body.returnNode().input(i + 1));
      update(node.output(i), join(entering, returned));
    }
  }

  //===-- Results ---------------------------------------------------------===//

  /// How often each symbol occurs as a dimension: one occurrence tells nothing.
  void countSymbols() {
    counted = true;
    auto count = [&](const Value *value) {
      keepSymbols(value->type());
      countIn(get(value), 0);
    };
    llvm::for_each(graph.inputs(), count);
    for (const Step &step : steps) {
      if (step.isExit)
        continue;
      llvm::for_each(step.node->outputs(), count);
      for (Block &block : step.node->blocks())
        llvm::for_each(block.inputs(), count);
    }
  }
  /// Symbols that the graph's text has keep their numbers.
  void keepSymbols(const Type *type) {
    const auto *tensor = llvm::dyn_cast<TensorType>(type);
    if (!tensor || !tensor->facts().sizes)
      return;
    for (Dimension size : *tensor->facts().sizes) {
      if (!size.isSymbolic())
        continue;
      uint32_t id =
          symbols.idOf(symbols.symbolFor(nullptr, static_cast<uint64_t>(size.value()), SymbolRange::NonNegative));
      printedSymbols[id] = size.value();
      occurrences[id] += 2;
      nextSymbol = std::min(nextSymbol, std::max(size.value(), INT64_MIN + 1) - 1);
    }
  }
  void countIn(const AbstractValue &value, unsigned depth) {
    if (const AbstractTensor *tensor = value.asTensor(); tensor && tensor->sizes)
      for (SymbolicInt size : *tensor->sizes)
        if (SymbolTable::isPlainSymbol(size))
          ++occurrences[symbols.idOf(size)];
    if (value.asTuple() && depth < maxTypeDepth)
      for (const AbstractValue &element : value.asTuple()->elements)
        countIn(element, depth + 1);
  }

  Dimension dimension(SymbolicInt size) {
    if (size.isConstant())
      return Dimension::known(size.constant());
    if (!SymbolTable::isPlainSymbol(size) || occurrences[symbols.idOf(size)] < 2)
      return Dimension();
    auto [at, isNew] = printedSymbols.try_emplace(symbols.idOf(size), nextSymbol);
    if (isNew)
      --nextSymbol;
    return Dimension::symbolic(at->second);
  }

  TensorFacts facts(const AbstractTensor &tensor) {
    TensorFacts facts;
    facts.dtype = tensor.dtype;
    facts.device = tensor.device;
    facts.requiresGrad = tensor.requiresGrad;
    facts.undefined = tensor.undefined;
    if (tensor.sizes) {
      facts.sizes.emplace();
      for (SymbolicInt size : *tensor.sizes)
        facts.sizes->push_back(dimension(size));
    }
    if (tensor.strides && llvm::all_of(*tensor.strides, [](SymbolicInt s) { return s.isConstant(); })) {
      facts.strides.emplace();
      for (SymbolicInt stride : *tensor.strides)
        facts.strides->push_back(Dimension::known(stride.constant()));
    }
    return facts;
  }

  const Type *refine(const Type *type, const AbstractValue &value, unsigned depth) {
    if (type->isTensor())
      return value.asTensor() ? refineTensor(type, *value.asTensor()) : type;
    const auto *tuple = llvm::dyn_cast<TupleType>(type);
    const auto *parts = value.asTuple();
    if (!tuple || tuple->isNamed() || !parts || parts->elements.size() != tuple->elements().size() ||
        depth > maxTypeDepth)
      return type;
    llvm::SmallVector<const Type *, 4> elements;
    for (auto [element, part] : llvm::zip(tuple->elements(), parts->elements))
      elements.push_back(refine(element, part, depth + 1));
    return graph.context().tupleOf(elements);
  }

  const Type *refineTensor(const Type *type, const AbstractTensor &tensor) {
    TensorFacts refined = facts(tensor);
    bool saysNothing = refined == TensorFacts();
    refined.inferred = llvm::cast<TensorType>(type)->facts().inferred && saysNothing;
    return graph.context().tensor(refined);
  }

  Graph &graph;
  SymbolTable symbols;
  Mutation mutation;
  static constexpr size_t mostParts = size_t{1} << 16;
  size_t partsLeft = 0; ///< Elements of containers that normalize() may still go through.
  OperatorInference inference;
  std::vector<Step> steps;
  llvm::DenseMap<const Node *, std::pair<unsigned, unsigned>> places;
  llvm::BitVector dirty;
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> queue;
  std::vector<State> states; ///< By Value::id().
  bool counted = false;
  llvm::DenseMap<uint32_t, unsigned> occurrences;
  llvm::DenseMap<uint32_t, int64_t> printedSymbols;
  int64_t nextSymbol = -2; ///< PyTorch's first.
};

ShapeAnalysis::ShapeAnalysis(Graph &graph, ShapeRuleSource &rules) : impl(std::make_unique<Impl>(graph, rules)) {}
ShapeAnalysis::~ShapeAnalysis() = default;
const AbstractValue &ShapeAnalysis::of(const Value *value) const { return impl->get(value); }
SymbolTable &ShapeAnalysis::symbols() { return impl->symbols; }
bool ShapeAnalysis::surelySucceeds(const Node &node) { return impl->surelySucceeds(node); }

const Type *ShapeAnalysis::refinedType(const Value *value) {
  if (!impl->counted)
    impl->countSymbols();
  const AbstractValue &known = impl->get(value);
  return known.isNothing() ? value->type() : impl->refine(value->type(), known, 0);
}
