//===- DefinitionInliner.cpp - A composite as the parts it runs -----------===//
//
// Runs a definition on what is known of its operands: numbers that are decided are
// computed, branches and loops that they decide are followed, and every other
// operator is inserted. (Specialization as in Jones, Gomard and Sestoft, "Partial
// Evaluation and Automatic Program Generation", 1993, chapter 3, without residual
// control flow.)
//
//===----------------------------------------------------------------------===//
#include "DefinitionInliner.h"
#include "tsc/Analysis/PartialValues.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/ListEdits.h"
#include "tsc/Transforms/Definitions.h"
#include "tsc/Transforms/Inlining.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <array>
using namespace tsc;

namespace {

class Inliner {
public:
  /// With assumptions, what is not decided may be taken to hold, and becomes a requirement; composites are taken apart.
  Inliner(Graph &graph, bool assumes)
      : graph(graph), definitions(graph.context().extension<Definitions>()), assumes(assumes) {}

  std::optional<InlinedDefinition> run(const Node &composite, ArrayRef<Value *> operands) {
    std::vector<Known> known, results;
    for (Value *operand : operands)
      known.push_back(whatIsKnown(operand));
    if (!inlineOperator(composite.opKind(), *composite.schema(), known, results) || !finish(composite, results)) {
      discard();
      return std::nullopt;
    }
    return std::move(inlined);
  }

  std::optional<std::vector<Value *>> run(const Graph &callee, ArrayRef<Value *> operands) {
    Frame frame;
    for (auto [input, operand] : llvm::zip(callee.inputs(), operands))
      frame[input] = whatIsKnown(operand);
    std::vector<Value *> results;
    bool done = runBlock(callee.block(), frame);
    for (Value *output : callee.outputs()) {
      Known result = done ? frame[output] : Known();
      Value *value = done && result.parts.empty() ? valueOf(result, output->type()) : nullptr;
      done &= value != nullptr;
      results.push_back(value);
    }
    if (done)
      return results;
    discard();
    return std::nullopt;
  }

private:
  /// A value of a definition.
  struct Known {
    AbstractValue what;
    Value *value = nullptr;        ///< In the graph; null for what is decided, until an operator wants it.
    bool isReal = false;           ///< A tensor of real numbers.
    std::vector<Known> parts = {}; ///< Of a tuple.
    std::shared_ptr<std::vector<Known>> elements =
        {}; ///< Of a list that is put together here; all its names share them.
  };
  using Frame = llvm::DenseMap<const Value *, Known>;

  static constexpr unsigned maxDepth = 8, maxNodes = 500;
  /// Of a definition's nodes so many are run, again in each turn of a loop: an operand may ask for any number of turns.
  static constexpr unsigned maxSteps = 4096;

  static bool mayBeNone(const Type *type) {
    return type->isNone() || type->kind() == TypeKind::Any || isa<OptionalType>(type) || type->hasFreeVariables();
  }

  Known whatIsKnown(Value *value) {
    if (auto constant = constantValue(value); constant && !constant->isTensor())
      return {abstractConstant(*constant), value};
    const Type *type = value->type();
    if (const auto *tensor = dyn_cast<TensorType>(type); tensor && !assumes) {
      std::optional<DType> dtype = tensor->facts().dtype;
      return {AbstractValue(abstractTensorOf(tensor->facts(), symbols)), value,
              dtype && isFloating(*dtype) && !isComplex(*dtype)};
    }
    if (const auto *tensor = dyn_cast<TensorType>(type)) {
      AbstractTensor known;
      if (tensor->facts().sizes)
        known.sizes.emplace(tensor->facts().sizes->size());
      return {AbstractValue(std::move(known)), value};
    }
    return {type->isInt() ? AbstractValue(symbols.fresh(SymbolRange::Any)) : AbstractValue(), value};
  }

  static bool isDecided(const AbstractValue &what) {
    if (const auto *list = what.asList())
      return llvm::all_of(list->elements, isDecided);
    return what.isNone() || what.asBool() || what.asFloat() || what.asString() || what.asInt().isConstant();
  }

  /// The value in the graph; null for what cannot be a constant.
  Value *valueOf(Known &known, const Type *type) {
    if (known.value)
      return known.value;
    if (!isDecided(known.what))
      return listOf(known, type);
    if (auto constant = constantOf(known.what, type)) {
      known.value = graph.insertConstant(*constant);
      made.push_back(known.value->node());
    }
    return known.value;
  }

  /// The list that was put together of values; null for what is none.
  Value *listOf(Known &known, const Type *type) {
    const auto *list = dyn_cast<ListType>(type);
    if (!list || !known.elements)
      return nullptr;
    llvm::SmallVector<Value *, 4> elements;
    for (Known &element : *known.elements)
      if (Value *value = valueOf(element, list->element()))
        elements.push_back(value);
    if (elements.size() != known.elements->size())
      return nullptr;
    Node *node = graph.insertNodeHere(graph.create(prim::ListConstruct, elements));
    node->output()->setType(type);
    made.push_back(node);
    return known.value = node->output();
  }

  /// The constant that a decided value is; nullopt for a list of anything but ints.
  static std::optional<IValue> constantOf(const AbstractValue &what, const Type *type) {
    assert(isDecided(what) && "only what is decided is a constant");
    if (what.isNone())
      return IValue();
    if (what.asBool())
      return IValue(*what.asBool());
    if (what.asFloat())
      return IValue(*what.asFloat());
    if (what.asString())
      return IValue(*what.asString());
    const auto *list = what.asList();
    if (!list)
      return IValue(what.asInt().constant());
    if (const auto *optional = dyn_cast<OptionalType>(type))
      type = optional->element();
    const auto *listType = dyn_cast<ListType>(type);
    if (!listType || !listType->element()->isInt())
      return std::nullopt;
    std::vector<int64_t> numbers;
    for (const AbstractValue &element : list->elements) {
      std::optional<int64_t> number = element.asInt().value();
      if (!number)
        return std::nullopt;
      numbers.push_back(*number);
    }
    return IValue(std::move(numbers));
  }

  bool inlineOperator(OpKind op, const FunctionSchema &schema, ArrayRef<Known> operands, std::vector<Known> &results) {
    const Graph *definition = definitions.find(op);
    if (!definition || depth == maxDepth || definition->inputs().size() != operands.size())
      return false;
    ++depth;
    Frame frame;
    for (auto [input, operand] : llvm::zip(definition->inputs(), operands))
      frame[input] = operand;
    bool done = require(schema, *definition, frame) && runBlock(definition->block(), frame);
    --depth;
    if (!done)
      return false;
    for (Value *output : definition->outputs()) {
      Known &result = frame[output];
      if (result.parts.empty())
        results.push_back(result);
      else
        llvm::append_range(results, result.parts);
    }
    return true;
  }

  /// Takes down what must hold of the operands, and takes it to hold.
  bool require(const FunctionSchema &schema, const Graph &definition, Frame &frame) {
    for (auto [input, argument] : llvm::zip(definition.inputs(), schema.arguments())) {
      Known &operand = frame[input];
      if (operand.what.isNone() || !argument.type->isSubtypeOf(graph.context().optionalOf(Type::tensorType())))
        continue;
      operand.isReal = true;
      if (!valueOf(operand, argument.type))
        return false;
      inlined.requirements.push_back({operand.value, FusionRequirement::Real});
    }
    return true;
  }

  bool runBlock(const Block &block, Frame &frame) {
    return llvm::all_of(block.nodes(), [&](const Node &node) { return runNode(node, frame); });
  }

  bool runNode(const Node &node, Frame &frame) {
    if (++numSteps > maxSteps)
      return false;
    switch (node.kind().id()) {
    case SymbolId::prim_Constant: {
      auto constant = constantValue(node.output());
      frame[node.output()] = {constant ? abstractConstant(*constant) : AbstractValue()};
      return constant.has_value();
    }
    case SymbolId::prim_If: return runIf(node, frame);
    case SymbolId::prim_Loop: return runLoop(node, frame);
    case SymbolId::prim_RaiseException: return false;
    case SymbolId::prim_Uninitialized:
      frame[node.output()] = {AbstractValue::nothing()};
      return !numBranches || insert(node, frame);
    case SymbolId::prim_unchecked_cast:
      frame[node.output()] = Known(frame[node.input()]);
      narrow(frame[node.output()], node);
      return true;
    case SymbolId::prim_TupleConstruct: {
      Known tuple;
      for (Value *part : node.inputs())
        tuple.parts.push_back(frame[part]);
      frame[node.output()] = std::move(tuple);
      return true;
    }
    case SymbolId::prim_TupleUnpack: {
      std::vector<Known> parts = frame[node.input()].parts;
      for (unsigned i = 0; i != node.numOutputs() && i != parts.size(); ++i)
        frame[node.output(i)] = parts[i];
      return parts.size() == node.numOutputs();
    }
    default: break;
    }
    if (listEdit(node.opKind()))
      return editList(node, frame);
    if (node.kind() == prim::ListConstruct && !assumes) {
      startList(node, frame);
      return true;
    }
    if (node.numOutputs() == 1) {
      AbstractValue what = evaluate(node, frame);
      const bool decided = isDecided(what);
      frame[node.output()] = {std::move(what)};
      if (decided)
        return true;
    }
    return insert(node, frame);
  }

  AbstractValue evaluate(const Node &node, Frame &frame) {
    if (auto query = tensorQuery(node.opKind()))
      return answer(*query, frame[node.input(0)]);
    llvm::SmallVector<AbstractValue, 4> operands;
    for (Value *input : node.inputs()) {
      const Known &known = frame[input];
      // Of what is not known at all its type may still say that it is not None. A tensor stands for it.
      bool isSomething = known.value && known.what.isUnknown() && !mayBeNone(known.value->type());
      operands.push_back(isSomething ? AbstractValue(AbstractTensor()) : known.what);
    }
    return evaluatePartially(node, operands, symbols);
  }

  AbstractValue answer(TensorQuery query, const Known &tensor) {
    const AbstractTensor *facts = tensor.what.asTensor();
    switch (query) {
    case TensorQuery::IsFloating: return tensor.isReal ? AbstractValue(true) : AbstractValue();
    case TensorQuery::IsComplex: return tensor.isReal ? AbstractValue(false) : AbstractValue();
    case TensorQuery::DType:
      return facts && facts->dtype ? AbstractValue(static_cast<int64_t>(*facts->dtype)) : AbstractValue();
    case TensorQuery::Rank:
      return facts && facts->sizes ? AbstractValue(static_cast<int64_t>(facts->sizes->size())) : AbstractValue();
    case TensorQuery::Sizes: return facts && facts->sizes ? AbstractValue::ints(*facts->sizes) : AbstractValue();
    case TensorQuery::Count: // taken to have elements
      if (!tensor.value || !assumes)
        return {};
      inlined.requirements.push_back({tensor.value, FusionRequirement::NotEmpty});
      return symbols.add(symbols.fresh(SymbolRange::NonNegative), SymbolicInt(1));
    default: return {};
    }
  }

  void startList(const Node &node, Frame &frame) {
    std::vector<AbstractValue> what;
    Known list;
    list.elements = std::make_shared<std::vector<Known>>();
    for (Value *element : node.inputs()) {
      list.elements->push_back(frame[element]);
      what.push_back(frame[element].what);
    }
    list.what = AbstractValue::list(std::move(what));
    frame[node.output()] = std::move(list);
  }

  bool editList(const Node &node, Frame &frame) {
    Known &list = frame[node.input(0)];
    AbstractValue::List *contents = list.what.asList();
    if (!contents || list.value || numBranches || listEdit(node.opKind()) != ListEdit::Append)
      return false;
    ListEditOperands<AbstractValue> operands;
    operands.element = frame[node.input(1)].what;
    AbstractValue popped;
    bool done = applyListEdit(ListEdit::Append, contents->elements, operands, popped);
    if (list.elements)
      list.elements->push_back(frame[node.input(1)]);
    if (node.numOutputs() == 1)
      frame[node.output()] = Known(list);
    return done;
  }

  static std::optional<bool> decidedBool(const Known &known) {
    return known.what.asBool() ? std::optional(*known.what.asBool()) : std::nullopt;
  }

  static bool raises(const Block &block) {
    return llvm::any_of(block.nodes(), [](const Node &node) { return node.kind() == prim::RaiseException; });
  }

  /// What an assertion asserts, which is to be looked at when the program runs.
  std::optional<bool> assume(const Node &assertion, Frame &frame) {
    const bool expected = raises(assertion.block(1));
    Value *condition = frame[assertion.input()].value;
    if (!assumes)
      return std::nullopt;
    if (expected == raises(assertion.block(0)) || !condition)
      return std::nullopt;
    inlined.requirements.push_back({condition, expected ? FusionRequirement::True : FusionRequirement::False});
    // Equal lists are of one length.
    const Node &test = *assertion.input()->node();
    if (test.kind() == (expected ? aten::eq : aten::ne)) {
      Known &a = frame[test.input(0)], &b = frame[test.input(1)];
      Known &less = a.what.isUnknown() ? a : b, &more = a.what.isUnknown() ? b : a;
      if (const auto *list = more.what.asList(); list && less.what.isUnknown())
        less.what = AbstractValue::list(std::vector<AbstractValue>(list->elements.size()));
    }
    return expected;
  }

  bool runIf(const Node &node, Frame &frame) {
    std::optional<bool> condition = decidedBool(frame[node.input()]);
    if (!condition)
      condition = assume(node, frame);
    if (!condition)
      return !assumes && keepIf(node, frame);
    const Block &taken = node.block(*condition ? 0 : 1);
    if (!runBlock(taken, frame))
      return false;
    for (auto [output, result] : llvm::zip(node.outputs(), taken.outputs()))
      frame[output] = Known(frame[result]);
    return true;
  }

  /// A branch that is decided when the program runs.
  bool keepIf(const Node &node, Frame &frame) {
    Value *condition = valueOf(frame[node.input()], Type::boolType());
    if (!condition)
      return false;
    Node *kept = graph.insertNodeHere(graph.create(prim::If, {condition}, 0));
    const size_t mark = made.size();
    InsertPointGuard guard(graph);
    std::array<Frame, 2> frames{frame, frame};
    ++numBranches;
    bool done = true;
    for (unsigned branch = 0; branch != 2 && done; ++branch) {
      graph.setInsertPoint(kept->addBlock());
      done = runBlock(node.block(branch), frames[branch]);
      for (Value *output : node.block(branch).outputs()) {
        Value *value = done ? valueOf(frames[branch][output], output->type()) : nullptr;
        if (!(done = value))
          break;
        kept->block(branch).addOutput(value);
      }
    }
    --numBranches;
    made.resize(mark); // they are the node's
    if (!done) {
      kept->erase();
      return false;
    }
    made.push_back(kept);
    for (Value *output : node.outputs())
      frame[output] = {output->type()->isInt() ? AbstractValue(symbols.fresh(SymbolRange::Any)) : AbstractValue(),
                       kept->addOutput(output->type())};
    return true;
  }

  bool runLoop(const Node &node, Frame &frame) {
    const Block &body = node.block(0);
    auto trips = frame[node.input(0)].what.asInt().value();
    std::optional<bool> goesOn = decidedBool(frame[node.input(1)]);
    std::vector<Known> carried;
    for (Value *input : llvm::drop_begin(node.inputs(), 2))
      carried.push_back(frame[input]);
    if (!trips || !goesOn)
      return false;
    for (int64_t i = 0; i < *trips && *goesOn; ++i) {
      frame[body.inputs()[0]] = {AbstractValue(i)};
      for (auto [parameter, value] : llvm::zip(body.inputs().drop_front(), carried))
        frame[parameter] = value;
      if (!runBlock(body, frame) || made.size() > maxNodes)
        return false;
      goesOn = decidedBool(frame[*body.outputs().begin()]);
      if (!goesOn)
        return false;
      carried.clear();
      for (Value *output : llvm::drop_begin(body.outputs()))
        carried.push_back(frame[output]);
    }
    for (auto [output, value] : llvm::zip(node.outputs(), carried))
      frame[output] = std::move(value);
    return true;
  }

  /// Gives a value of the graph that may be None the type that it has been found to have: overloads are chosen by it.
  void narrow(Known &known, const Node &cast) {
    const Type *type = cast.output()->type();
    if (!known.value || isDecided(known.what) || type->isTensor() || mayBeNone(type) ||
        !isa<OptionalType>(known.value->type()))
      return;
    Node *copy = graph.insertNodeHere(graph.create(prim::unchecked_cast, {known.value}));
    copy->output()->setType(type);
    made.push_back(copy);
    known.value = copy->output();
  }

  bool insert(const Node &node, Frame &frame) {
    const OpRecord *record = node.record();
    if (node.numBlocks() || made.size() > maxNodes ||
        (record ? !record->has(Trait::Pure) && assumes
                : node.kind() != prim::ListConstruct && (assumes || node.kind() != prim::Uninitialized)))
      return false;
    if (assumes && definitions.find(node.opKind())) {
      std::vector<Known> operands, results;
      for (Value *input : node.inputs())
        operands.push_back(frame[input]);
      if (!inlineOperator(node.opKind(), *node.schema(), operands, results) || results.size() != node.numOutputs())
        return false;
      for (auto [output, result] : llvm::zip(node.outputs(), results))
        frame[output] = result;
      return true;
    }
    llvm::DenseMap<Value *, Value *> operands;
    for (Value *input : node.inputs()) {
      Value *operand = valueOf(frame[input], input->type());
      if (!operand)
        return false;
      operands[input] = operand;
    }
    Node *copy = graph.insertNodeHere(graph.copyNode(node, [&](Value *value) { return operands.lookup(value); }));
    made.push_back(copy);
    for (auto [output, fresh] : llvm::zip(node.outputs(), copy->outputs())) {
      fresh->setName("");
      frame[output].value = fresh;
    }
    if (node.hasTrait(Trait::KeepsRank) && node.output(0)->type()->isTensor())
      frame[node.output(0)].what = AbstractValue(frame[node.input(0)].what);
    return true;
  }

  /// Takes the results that are used, and erases what was made for nothing.
  bool finish(const Node &composite, std::vector<Known> &results) {
    if (results.size() != composite.numOutputs())
      return false;
    llvm::SmallPtrSet<const Value *, 8> kept;
    for (auto [output, result] : llvm::zip(composite.outputs(), results)) {
      inlined.results.push_back(output->hasUses() ? valueOf(result, output->type()) : nullptr);
      if (output->hasUses() && !inlined.results.back())
        return false;
      kept.insert(inlined.results.back());
    }
    for (const FusionRequirement &requirement : inlined.requirements)
      kept.insert(requirement.value);
    for (Node *node : llvm::reverse(made)) {
      if (llvm::none_of(node->outputs(), [&](Value *value) { return value->hasUses() || kept.contains(value); })) {
        node->erase();
        continue;
      }
      node->setRange(composite.range());
      node->setScope(composite.scope());
      if (node->kind() != prim::Constant)
        inlined.nodes.push_back(node);
    }
    made.clear();
    return true;
  }

  void discard() {
    for (Node *node : llvm::reverse(made))
      node->erase();
  }

  Graph &graph;
  Definitions &definitions;
  const bool assumes;
  SymbolTable symbols;
  std::vector<Node *> made;
  InlinedDefinition inlined;
  unsigned depth = 0, numBranches = 0, numSteps = 0;
};

} // namespace

std::optional<InlinedDefinition> tsc::inlineDefinition(const Node &composite, ArrayRef<Value *> operands,
                                                       Graph &graph) {
  if (!composite.record() || !composite.schema())
    return std::nullopt;
  return Inliner(graph, /*assumes=*/true).run(composite, operands);
}

std::optional<std::vector<Value *>> tsc::inlineDecided(const Graph &callee, ArrayRef<Value *> arguments, Graph &graph) {
  return Inliner(graph, /*assumes=*/false).run(callee, arguments);
}
