//===- Selection.cpp - What each node becomes -----------------------------===//
//
// Scalars and the common container operations become steps of their own, when the
// operands' static types allow it; all other operators become a call. A node nobody
// knows becomes a step that fails when it is reached, so that a program with such a
// node in a branch not taken still runs.
//
//===----------------------------------------------------------------------===//
#include "RoutineBuilder.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/NodeFacts.h"
#include "tsc/IR/Operator.h"

using namespace tsc;

void RoutineBuilder::emitNode(const Node *node) {
  switch (node->kind().id()) {
  case SymbolId::prim_Constant:
    if (node->numOutputs() == 1 && node->output()->type()->isTensor() && node->output()->hasUses() &&
        !constantValue(node->output()))
      emitFailure("the numbers of a tensor constant are not in the text of the graph");
    return;
  case SymbolId::prim_Uninitialized: return;
  case SymbolId::prim_If: return emitIf(node);
  case SymbolId::prim_Loop: return emitLoop(node);
  case SymbolId::prim_BailOut: return emitBailOut(node);
  default: break;
  }
  if (!emitPrimitive(node) && !emitScalar(node) && !emitContainer(node))
    emitOperator(node);
}

void RoutineBuilder::emitFailure(const llvm::Twine &message) {
  TypeEntry entry;
  entry.name = message.str();
  emit(StepKind::Fail).type = typeEntry(std::move(entry));
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// The slot or constant of an operand; an int where a float is expected is converted into a scratch slot. None when it
/// does not fit.
std::optional<Operand> RoutineBuilder::scalarOperand(const Node *node, unsigned index, SlotClass expected,
                                                     unsigned scratchNumber) {
  const SlotClass kind = classOf(node->input(index));
  const Operand at = operand(node, index);
  const bool isScalar = routine.classOf(at) != SlotClass::Value; // else a constant that its type does not fit
  if (kind == expected && (isScalar || expected == SlotClass::Value))
    return at;
  if (expected != SlotClass::Float || kind != SlotClass::Int || !isScalar)
    return std::nullopt;
  const Operand converted = scratch(SlotClass::Float, scratchNumber ? 1 : 0);
  emit(StepKind::Scalar, converted, at).scalarOp = ScalarOp::IntToFloat;
  return converted;
}

bool RoutineBuilder::emitScalar(const Node *node) {
  auto pattern = scalarPattern(*node);
  if (!pattern || node->numInputs() != pattern->numOperands || node->numOutputs() != 1 ||
      classOf(node->output()) != pattern->result)
    return false;
  Operand operands[3];
  for (unsigned i = 0; i != node->numInputs(); ++i) {
    auto at = scalarOperand(node, i, pattern->operands[i], i);
    if (!at)
      return false;
    operands[i] = *at;
  }
  if (pattern->areSwapped)
    std::swap(operands[0], operands[1]);
  emit(StepKind::Scalar, resultSlot(node), operands[0], operands[1], operands[2]).scalarOp = pattern->op;
  return true;
}

//===----------------------------------------------------------------------===//
// Lists, strings, dicts
//===----------------------------------------------------------------------===//

/// How a list of that type holds its elements; none for what is not a list.
static std::optional<ElementKind> elementKind(const Type *type) {
  if (type->kind() != TypeKind::List)
    return std::nullopt;
  switch (type->contained()[0]->kind()) {
  case TypeKind::Int: return ElementKind::Int;
  case TypeKind::Float: return ElementKind::Float;
  case TypeKind::Bool: return ElementKind::Bool;
  case TypeKind::Tensor: return ElementKind::Tensor;
  default: return ElementKind::Value;
  }
}

/// How a slot holds an element.
static SlotClass classOfElement(ElementKind kind) {
  switch (kind) {
  case ElementKind::Int: return SlotClass::Int;
  case ElementKind::Float: return SlotClass::Float;
  case ElementKind::Bool: return SlotClass::Bool;
  case ElementKind::Tensor:
  case ElementKind::Value: return SlotClass::Value;
  }
  return SlotClass::Value;
}

#define EVERY_KEY(NAME)                                                                                                \
  case OpKind::NAME##_str:                                                                                             \
  case OpKind::NAME##_int:                                                                                             \
  case OpKind::NAME##_bool:                                                                                            \
  case OpKind::NAME##_float:                                                                                           \
  case OpKind::NAME##_complex:                                                                                         \
  case OpKind::NAME##_Tensor

bool RoutineBuilder::emitContainer(const Node *node) {
  if (node->opKind() == OpKind::Aten_add_str) {
    emit(StepKind::ConcatText, resultSlot(node), operand(node, 0), operand(node, 1));
    return true;
  }
  auto isIndex = [&](unsigned i) {
    return classOf(node->input(i)) == SlotClass::Int && routine.classOf(operand(node, i)) != SlotClass::Value;
  };
  switch (node->opKind()) {
  case OpKind::Aten_len_t:
  case OpKind::Aten_len_str:
    EVERY_KEY(Aten_len_Dict) : if (classOf(node->output()) != SlotClass::Int) return false;
    emit(StepKind::Length, resultSlot(node), operand(node, 0));
    return true;
  case OpKind::Aten___getitem___t: {
    auto elements = elementKind(node->input(0)->type());
    if (!elements || !isIndex(1) || classOf(node->output()) != classOfElement(*elements))
      return false;
    emit(StepKind::GetItem, resultSlot(node), operand(node, 0), operand(node, 1)).elements = *elements;
    return true;
  }
  case OpKind::Aten__set_item_t: {
    auto elements = elementKind(node->input(0)->type());
    if (!elements || !isIndex(1))
      return false;
    auto element = scalarOperand(node, 2, classOfElement(*elements), 0);
    if (!element)
      return false;
    emit(StepKind::SetItem, optionalResult(node), operand(node, 0), operand(node, 1), *element).elements = *elements;
    return true;
  }
  case OpKind::Aten_append_t: {
    auto elements = elementKind(node->input(0)->type());
    auto element = elements ? scalarOperand(node, 1, classOfElement(*elements), 0) : std::nullopt;
    if (!element)
      return false;
    emit(StepKind::Append, optionalResult(node), operand(node, 0), *element).elements = *elements;
    return true;
  }
  case OpKind::Aten___getitem___str:
  case OpKind::Prim_StringIndex:
    if (!isIndex(1))
      return false;
    emit(StepKind::CharAt, resultSlot(node), operand(node, 0), operand(node, 1));
    return true;
    EVERY_KEY(Aten___getitem___Dict) : emit(StepKind::DictGet, resultSlot(node), operand(node, 0), operand(node, 1));
    return true;
    EVERY_KEY(Aten__set_item) : emit(StepKind::DictSet, {}, operand(node, 0), operand(node, 1), operand(node, 2));
    return true;
    EVERY_KEY(Aten___contains__) : if (classOf(node->output()) != SlotClass::Bool) return false;
    emit(StepKind::DictHas, resultSlot(node), operand(node, 0), operand(node, 1));
    return true;
  default: return false;
  }
}

//===----------------------------------------------------------------------===//
// prim
//===----------------------------------------------------------------------===//

template <typename T> static const T *attributeOf(const Node *node, Symbol name) {
  const AttributeValue *value = node->attribute(name);
  return value ? std::get_if<T>(value) : nullptr;
}

void RoutineBuilder::emitRaise(const Node *node) {
  if (node->numInputs() == 0)
    return emitFailure("prim::RaiseException without a message");
  emit(StepKind::Raise, {}, operand(node, 0), node->numInputs() > 1 ? operand(node, 1) : Operand());
}

void RoutineBuilder::emitNewList(const Node *node) {
  const Type *type = node->output()->type();
  auto elements = elementKind(type);
  if (!elements)
    return emitFailure("prim::ListConstruct does not give a list");
  Step &step = emitLists(StepKind::NewList, operandList(node));
  step.result = resultSlot(node);
  step.elements = *elements;
  if (*elements == ElementKind::Value) {
    TypeEntry entry;
    entry.type = type->contained()[0];
    step.type = typeEntry(std::move(entry));
  }
}

void RoutineBuilder::emitNewTuple(const Node *node) {
  const auto *type = llvm::dyn_cast<TupleType>(node->output()->type());
  Step &step = emitLists(StepKind::NewTuple, operandList(node));
  step.result = resultSlot(node);
  if (type && type->isNamed()) {
    TypeEntry entry;
    entry.type = type;
    step.type = typeEntry(std::move(entry));
  }
}

void RoutineBuilder::emitNewDict(const Node *node) {
  TypeEntry entry;
  entry.type = node->output()->type();
  if (entry.type->kind() != TypeKind::Dict || node->numInputs() % 2)
    return emitFailure("prim::DictConstruct does not give a dict");
  Step &step = emitLists(StepKind::NewDict, operandList(node));
  step.result = resultSlot(node);
  step.type = typeEntry(std::move(entry));
}

void RoutineBuilder::emitUnpack(const Node *node) {
  const Operand whole = operand(node, 0);
  emitLists(StepKind::Unpack, {}, resultList(node)).a = whole;
}

/// False for an index that is not known: the operator finds the element when it runs.
bool RoutineBuilder::emitTupleIndex(const Node *node) {
  if (node->numInputs() < 2 || !isConst(node->input(1)) || !constOf(node->input(1)).isInt())
    return false;
  const auto index = static_cast<int32_t>(constOf(node->input(1)).toInt());
  emit(StepKind::TupleItem, resultSlot(node), operand(node, 0)).index = index;
  return true;
}

void RoutineBuilder::emitTupleSlice(const Node *node) {
  auto *begin = attributeOf<int64_t>(node, attr::beg), *end = attributeOf<int64_t>(node, attr::end);
  Step &step = emit(StepKind::TupleRange, resultSlot(node), operand(node, 0));
  step.index = static_cast<int32_t>(begin ? *begin : 0);
  step.end = static_cast<int32_t>(end ? *end : INT32_MAX);
}

void RoutineBuilder::emitUnwrap(const Node *node) {
  if (classOf(node->output()) == SlotClass::Value && classOf(node->input(0)) == SlotClass::Value)
    emit(StepKind::CheckNotNone, resultSlot(node), operand(node, 0));
  else
    emitMoves(node, 0, node->outputs());
}

/// `x is None`; false for other comparisons of identity.
bool RoutineBuilder::emitIsNone(const Node *node, bool sense) {
  if (classOf(node->input(0)) != SlotClass::Value || !node->input(1)->type()->isNone())
    return false;
  emit(StepKind::IsNone, resultSlot(node), operand(node, 0)).sense = sense;
  return true;
}

void RoutineBuilder::emitFunctionCall(const Node *node) {
  Callee callee;
  const Value *called = node->input(0);
  if (const auto *type = llvm::dyn_cast<FunctionType>(called->type()))
    callee.function = const_cast<Function *>(type->function());
  if (isConst(called) && constOf(called).isFunction())
    callee.function = constOf(called).toFunction();
  if (!callee.function)
    return emitFailure("the function that is called here has no definition");
  emitCall(node, StepKind::CallFunction, std::move(callee), operandList(node, 1));
}

void RoutineBuilder::emitMethodCall(const Node *node) {
  Callee callee;
  const auto *name = attributeOf<std::string>(node, attr::name);
  if (!name || node->numInputs() == 0)
    return emitFailure("a method call without the name of the method");
  if (const auto *type = llvm::dyn_cast<ClassType>(node->input(0)->type()))
    callee.function = type->findMethod(*name);
  if (!callee.function)
    callee.methodName = *name;
  const StepKind kind = callee.function ? StepKind::CallFunction : StepKind::CallMethod;
  emitCall(node, kind, std::move(callee), operandList(node));
}

/// A node that holds a graph of its own; false when it holds none.
bool RoutineBuilder::emitSubgraph(const Node *node) {
  const auto *subgraph = attributeOf<std::shared_ptr<Graph>>(node, attr::Subgraph);
  if (!subgraph || !*subgraph)
    return false;
  Callee callee;
  callee.subgraph = subgraph->get();
  const OperandList args = operandList(node);
  switch (node->kind().id()) {
  case SymbolId::prim_FusionGroup: emitGroup(node, std::move(callee), args); break;
  case SymbolId::prim_DifferentiableGraph: emitCall(node, StepKind::CallDifferentiable, std::move(callee), args); break;
  case SymbolId::prim_fork: {
    callee.mayRunLater = mayRunLater(*node, callee);
    const Operand future = optionalResult(node);
    Step &step = emitLists(StepKind::Fork, args);
    step.result = future;
    step.callee = static_cast<int32_t>(routine.callees.size());
    routine.callees.push_back(std::move(callee));
    break;
  }
  case SymbolId::prim_BailoutTemplate:
    emitFailure("prim::BailoutTemplate, which PyTorch's bailouts name and run, is of text alone");
    break;
  default: emitCall(node, StepKind::CallFunction, std::move(callee), args);
  }
  return true;
}

bool RoutineBuilder::emitPrimitive(const Node *node) {
  if (hasFact(node->kind(), NodeFact::PassesThrough) && node->numInputs() == 1 && node->numOutputs() == 1)
    return emitCast(node), true;
  if (std::optional<bool> sense = identityTest(*node))
    return emitIsNone(node, *sense);
  switch (node->kind().id()) {
  case SymbolId::prim_Print:
  case SymbolId::python_Print: return emitLists(StepKind::Print, operandList(node)), true;
  case SymbolId::prim_RaiseException: return emitRaise(node), true;
  case SymbolId::prim_ListConstruct: return emitNewList(node), true;
  case SymbolId::prim_TupleConstruct:
  case SymbolId::prim_NamedTupleConstruct: return emitNewTuple(node), true;
  case SymbolId::prim_DictConstruct: return emitNewDict(node), true;
  case SymbolId::prim_TupleUnpack:
  case SymbolId::prim_ListUnpack: return emitUnpack(node), true;
  case SymbolId::prim_TupleIndex: return emitTupleIndex(node);
  case SymbolId::prim_TupleSlice: return emitTupleSlice(node), true;
  case SymbolId::prim_GetAttr:
  case SymbolId::prim_SetAttr:
  case SymbolId::prim_CreateObject:
  case SymbolId::prim_isinstance: return emitAttribute(node), true;
  case SymbolId::aten__unwrap_optional: return emitUnwrap(node), true;
  case SymbolId::prim_EnumName: return emit(StepKind::EnumName, resultSlot(node), operand(node, 0)), true;
  case SymbolId::prim_EnumValue: return emit(StepKind::EnumValue, resultSlot(node), operand(node, 0)), true;
  case SymbolId::prim_Enter:
  case SymbolId::prim_Exit: return emitWith(node), true;
  case SymbolId::aten_wait: return emit(StepKind::Wait, optionalResult(node), operand(node, 0)), true;
  case SymbolId::prim_CallFunction: return emitFunctionCall(node), true;
  case SymbolId::prim_CallMethod:
  case SymbolId::prim_InterfaceCall: return emitMethodCall(node), true;
  default: return emitSubgraph(node);
  }
}

void RoutineBuilder::emitGroup(const Node *node, Callee callee, OperandList args) {
  if (callee.subgraph->inputs().size() != node->numInputs() ||
      callee.subgraph->block().numOutputs() != node->numOutputs())
    return emitFailure("a fusion group whose subgraph has other inputs or outputs than it");
  emitCall(node, StepKind::CallGroup, std::move(callee), args);
}

void RoutineBuilder::emitCall(const Node *node, StepKind kind, Callee callee, OperandList args) {
  const OperandList results = resultList(node);
  emitLists(kind, args, results).callee = static_cast<int32_t>(routine.callees.size());
  routine.callees.push_back(std::move(callee));
}

/// A cast that the types do not justify looks at the value, and so do guards and observers.
void RoutineBuilder::emitCast(const Node *node) {
  if (!needsCastCheck(*node) || classOf(node->output()) != SlotClass::Value)
    return emitMoves(node, 0, node->outputs()); // into a scalar it is unboxed, with a check
  if (classOf(node->input(0)) != SlotClass::Value)
    return emitFailure("expected a value of type '" + node->output()->type()->annotation() + "' here, but found '" +
                       node->input(0)->type()->annotation() + "'");
  if (std::optional<int64_t> number = numberOfObserver(*node)) {
    emit(StepKind::Profile, resultSlot(node), operand(node, 0)).index = static_cast<int32_t>(*number);
    return;
  }
  TypeEntry entry;
  entry.type = node->output()->type();
  const StepKind kind = node->kind() == prim::Guard ? StepKind::Guard : StepKind::CheckType;
  emit(kind, resultSlot(node), operand(node, 0)).type = typeEntry(std::move(entry));
}

/// A guard, and the graph that does the rest where it fails.
void RoutineBuilder::emitBailOut(const Node *node) {
  const auto *subgraph = attributeOf<std::shared_ptr<Graph>>(node, attr::Subgraph);
  if (!subgraph || !*subgraph)
    return emitFailure("prim::BailOut without the graph of what is left to do");
  const Graph &rest = **subgraph;
  if (node->numInputs() == 0 || node->numInputs() != rest.inputs().size() || node->numOutputs() != 1 ||
      !node->output()->type()->isTensor() || rest.block().numOutputs() != graph.block().numOutputs())
    return emitFailure("prim::BailOut whose graph has other inputs or outputs than what is left to do");
  Callee callee;
  callee.subgraph = &rest;
  TypeEntry entry;
  entry.type = node->output()->type();
  const OperandList args = operandList(node);
  const Operand result = optionalResult(node);
  Step &step = emitLists(StepKind::BailOut, args);
  step.result = result;
  step.type = typeEntry(std::move(entry));
  step.callee = static_cast<int32_t>(routine.callees.size());
  routine.callees.push_back(std::move(callee));
}

/// Attributes, new objects, isinstance.
void RoutineBuilder::emitAttribute(const Node *node) {
  TypeEntry entry;
  if (node->kind().id() == SymbolId::prim_CreateObject) {
    entry.type = node->output()->type();
    if (!llvm::isa<ClassType>(entry.type))
      return emitFailure("prim::CreateObject does not give an object");
    emit(StepKind::NewObject, resultSlot(node)).type = typeEntry(std::move(entry));
    return;
  }
  if (node->kind().id() == SymbolId::prim_isinstance) {
    if (const auto *types = attributeOf<std::vector<const Type *>>(node, Symbol(attr::types)))
      entry.choices = *types;
    emit(StepKind::IsInstance, resultSlot(node), operand(node, 0)).type = typeEntry(std::move(entry));
    return;
  }
  const auto *name = attributeOf<std::string>(node, attr::name);
  if (!name)
    return emitFailure("an attribute without a name");
  entry.name = *name;
  unsigned position = 0;
  if (const auto *type = llvm::dyn_cast<ClassType>(node->input(0)->type()))
    if (auto found = type->findAttribute(*name)) {
      entry.type = type;
      position = *found;
    }
  const Operand object = operand(node, 0);
  Step &step = node->kind().id() == SymbolId::prim_SetAttr ? emit(StepKind::SetAttribute, {}, object, operand(node, 1))
                                                           : emit(StepKind::GetAttribute, resultSlot(node), object);
  step.index = static_cast<int32_t>(position);
  step.type = typeEntry(std::move(entry));
}

/// `with`: a call of __enter__ or __exit__, and a note for the case of a failure in between.
void RoutineBuilder::emitWith(const Node *node) {
  const bool enters = node->kind().id() == SymbolId::prim_Enter;
  const Operand object = operand(node, 0);
  Callee callee;
  callee.methodName = enters ? "__enter__" : "__exit__";
  llvm::SmallVector<Operand, 4> args{object};
  if (enters) {
    emit(StepKind::WithEnter, {}, object.kept());
  } else {
    args.append(3, addConstant(IValue()));
    emit(StepKind::WithExit);
  }
  emitCall(node, StepKind::CallMethod, std::move(callee), listOf(args));
  if (enters)
    emit(StepKind::WithEntered);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Results of a prim::ConstantChunk up to the last one that somebody uses: the tensor may fall into fewer pieces.
static int64_t numNeededResults(const Node *node) {
  int64_t count = node->numOutputs();
  while (count > 0 && !node->output(count - 1)->hasUses())
    --count;
  return count;
}

/// What an operator that a pass inserts, and that no record describes, takes after the node's inputs. None for other
/// nodes, and where an attribute is missing.
static std::optional<llvm::SmallVector<IValue, 3>> operandsOfInserted(const Node *node) {
  llvm::SmallVector<IValue, 3> constants;
  auto take = [&](std::initializer_list<Symbol> names) {
    return llvm::all_of(names, [&](Symbol name) {
      const auto *value = attributeOf<int64_t>(node, name);
      if (value)
        constants.emplace_back(*value);
      return value != nullptr;
    });
  };
  bool isComplete = false;
  switch (node->kind().id()) {
#define INSERTED_OP(NAME, KERNEL, ...)                                                                                 \
  case SymbolId::prim_##NAME: isComplete = take({__VA_ARGS__}); break;
#include "tsc/Runtime/Lowering/InsertedOps.def"
  default: return std::nullopt;
  }
  if (node->kind() == prim::ConstantChunk) {
    isComplete &= node->numInputs() == 1;
    constants.emplace_back(numNeededResults(node));
  }
  return isComplete ? std::optional(std::move(constants)) : std::nullopt;
}

void RoutineBuilder::emitInserted(const Node *node, llvm::ArrayRef<IValue> constants) {
  llvm::SmallVector<Operand, 8> args;
  for (unsigned i = 0; i != node->numInputs(); ++i)
    args.push_back(operand(node, i));
  for (const IValue &constant : constants)
    args.push_back(addConstant(constant));
  const OperandList list = listOf(args);
  emitLists(StepKind::CallInserted, list, resultList(node));
}

/// "aten::add.Tensor", as messages name an operator.
static std::string nameWithOverload(const Operator &op) {
  std::string name = op.symbol().qualified().str();
  if (!op.schema().overloadName().empty())
    name += "." + op.schema().overloadName().str();
  return name;
}

void RoutineBuilder::emitOperator(const Node *node) {
  if (auto constants = operandsOfInserted(node))
    return emitInserted(node, *constants);
  const Operator *op = node->op();
  if (!op) {
    std::string types;
    for (const Value *input : node->inputs())
      types += (types.empty() ? "" : ", ") + input->type()->str();
    return emitFailure("Unknown builtin op: " + node->kindName() + "(" + types + ")");
  }
  const FunctionSchema &schema = op->schema();
  llvm::SmallVector<Operand, 8> args;
  for (unsigned i = 0; i != node->numInputs(); ++i)
    args.push_back(operand(node, i));
  // Programs of other versions may leave trailing arguments to their defaults.
  for (size_t i = args.size(); i < schema.arguments().size() && !schema.isVararg(); ++i) {
    const auto &fallback = schema.arguments()[i].defaultValue;
    if (!fallback)
      return emitFailure(nameWithOverload(*op) + " is missing value for argument '" + schema.arguments()[i].name + "'");
    args.push_back(addConstant(*fallback));
  }
  const OperandList list = listOf(args);
  // One that a host has registered hands its results over in a list, be it one.
  const bool isSingle = op->record() && node->numOutputs() == 1 && schema.returns().size() <= 1;
  Operand result;
  OperandList results;
  if (isSingle)
    result = optionalResult(node);
  else
    results = resultList(node);
  emitLists(StepKind::CallOperator, list, results).result = result;
}
