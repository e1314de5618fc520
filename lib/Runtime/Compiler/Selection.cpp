//===- Selection.cpp - What each node becomes -----------------------------===//
//
// Scalars and the common container operations become instructions of their own,
// when the operands' static types allow it; all other operators become a call of
// their kernel. A node nobody knows becomes an instruction that fails when it is
// reached, so that a program with such a node in a branch not taken still runs.
//
//===----------------------------------------------------------------------===//
#include "CodeBuilder.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/PythonMeaning.h"
#include "tsc/Runtime/Dispatch/Ops/LinearAlgebra.h"
#include "tsc/Runtime/Dispatch/Ops/Prims.h"

using namespace tsc;

void CodeBuilder::emitNode(const Node *node) {
  switch (node->kind().id()) {
  case SymbolId::prim_Constant:
    if (node->numOutputs() == 1 && node->output()->type()->isTensor() && node->output()->hasUses() &&
        !constantValue(node->output()))
      emitFailure("the numbers of a tensor constant are not in the text of the graph");
    return;
  case SymbolId::prim_Uninitialized: return;
  case SymbolId::prim_If: return emitIf(node);
  case SymbolId::prim_Loop: return emitLoop(node);
  default: break;
  }
  if (!emitPrimitive(node) && !emitScalar(node) && !emitContainer(node))
    emitOperator(node);
}

void CodeBuilder::emitFailure(const llvm::Twine &message) {
  TypeEntry entry;
  entry.name = message.str();
  emit(Opcode::Fail, typeEntry(std::move(entry)));
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static bool hasLetter(SlotClass kind, char letter) {
  switch (kind) {
  case SlotClass::Int: return letter == 'i';
  case SlotClass::Float: return letter == 'f';
  case SlotClass::Bool: return letter == 'b';
  case SlotClass::Value: return letter == 'v';
  }
  return false;
}

/// The register of an operand; an int where a float is expected is converted into a temporary. None when it does not
/// fit.
std::optional<int32_t> CodeBuilder::scalarOperand(const Node *node, unsigned index, char expected, unsigned temp) {
  SlotClass kind = classOf(node->input(index));
  int32_t at = operand(node, index);
  if (hasLetter(kind, expected) && (expected == 'v' || !(at & constantBit)))
    return at;
  if (expected != 'f' || kind != SlotClass::Int || (at & constantBit))
    return std::nullopt;
  int32_t converted = temp ? scalarOffset(secondFloatTemporary) : temporary(SlotClass::Float);
  emit(Opcode::IntToFloat, converted, at);
  return converted;
}

/// Of `x if c else y`, where x and y have the result's representation.
std::optional<ScalarPattern> CodeBuilder::selectPattern(const Node *node) const {
  if (node->numOutputs() != 1 || node->numInputs() != 3 || classOf(node->input(1)) != classOf(node->output()) ||
      classOf(node->input(2)) != classOf(node->output()))
    return std::nullopt;
  switch (classOf(node->output())) {
  case SlotClass::Int: return ScalarPattern{Opcode::Select, 'i', "bii"};
  case SlotClass::Float: return ScalarPattern{Opcode::Select, 'f', "bff"};
  case SlotClass::Bool: return ScalarPattern{Opcode::Select, 'b', "bbb"};
  case SlotClass::Value: return std::nullopt;
  }
  return std::nullopt;
}

/// The instruction of a node that means what Python means; none when its kernel is called.
static std::optional<ScalarPattern> pythonPattern(OpKind kind) {
  switch (kind) {
  case OpKind::Aten_div_int: return ScalarPattern{Opcode::CheckedDivI, 'f', "ii"};
  case OpKind::Aten_div:
  case OpKind::Aten_div_float: return ScalarPattern{Opcode::CheckedDivF, 'f', "ff"};
  case OpKind::Aten_floordiv_float:
  case OpKind::Aten_floordiv_int_float:
  case OpKind::Aten_floordiv_float_int: return ScalarPattern{Opcode::CheckedFloorDivF, 'f', "ff"};
  case OpKind::Aten_remainder_float:
  case OpKind::Aten_remainder_int_float:
  case OpKind::Aten_remainder_float_int: return ScalarPattern{Opcode::CheckedRemF, 'f', "ff"};
  case OpKind::Aten_sqrt_float: return ScalarPattern{Opcode::CheckedSqrtF, 'f', "f"};
  case OpKind::Aten_exp_float: return ScalarPattern{Opcode::CheckedExpF, 'f', "f"};
  case OpKind::Aten_log_float: return ScalarPattern{Opcode::CheckedLogF, 'f', "f"};
  case OpKind::Aten_sin_float: return ScalarPattern{Opcode::CheckedSinF, 'f', "f"};
  case OpKind::Aten_cos_float: return ScalarPattern{Opcode::CheckedCosF, 'f', "f"};
  case OpKind::Aten_len_str: return ScalarPattern{Opcode::LetterCount, 'i', "v"};
  case OpKind::Aten___getitem___str:
  case OpKind::Prim_StringIndex: return ScalarPattern{Opcode::LetterAt, 'v', "vi"};
  default: return std::nullopt;
  }
}

bool CodeBuilder::emitScalar(const Node *node) {
  auto pattern = meansPython(*node)                          ? pythonPattern(node->opKind())
                 : node->opKind() == OpKind::Prim_IfThenElse ? selectPattern(node)
                                                             : scalarPattern(node->opKind());
  if (!pattern || node->numInputs() != std::strlen(pattern->operands) || node->numOutputs() != 1 ||
      !hasLetter(classOf(node->output()), pattern->result))
    return false;
  int32_t operands[3] = {};
  for (unsigned i = 0; i != node->numInputs(); ++i) {
    auto at = scalarOperand(node, i, pattern->operands[i], i);
    if (!at)
      return false;
    operands[i] = *at;
  }
  if (pattern->swap)
    std::swap(operands[0], operands[1]);
  emit(pattern->op, resultSlot(node), operands[0], operands[1], operands[2]);
  return true;
}

//===----------------------------------------------------------------------===//
// Lists, strings, dicts
//===----------------------------------------------------------------------===//

namespace {
/// The letter of a list's representation: I, F, B, T or G; 0 for what is not a list.
char listLetter(const Type *type) {
  if (type->kind() != TypeKind::List)
    return 0;
  switch (type->contained()[0]->kind()) {
  case TypeKind::Int: return 'I';
  case TypeKind::Float: return 'F';
  case TypeKind::Bool: return 'B';
  case TypeKind::Tensor: return 'T';
  default: return 'G';
  }
}
/// The instruction of a family for a representation.
struct ListFamily {
  Opcode ofInt, ofFloat, ofBool, ofTensor, ofAny;
  Opcode of(char letter) const {
    switch (letter) {
    case 'I': return ofInt;
    case 'F': return ofFloat;
    case 'B': return ofBool;
    case 'T': return ofTensor;
    default: return ofAny;
    }
  }
};
constexpr ListFamily newList{Opcode::NewListI, Opcode::NewListF, Opcode::NewListB, Opcode::NewListT, Opcode::NewListG};
constexpr ListFamily getItem{Opcode::GetItemI, Opcode::GetItemF, Opcode::GetItemB, Opcode::GetItemT, Opcode::GetItemG};
constexpr ListFamily setItem{Opcode::SetItemI, Opcode::SetItemF, Opcode::SetItemB, Opcode::SetItemT, Opcode::SetItemG};
constexpr ListFamily appendItem{Opcode::AppendI, Opcode::AppendF, Opcode::AppendB, Opcode::AppendT, Opcode::AppendG};
char elementLetter(char list) { return list == 'I' ? 'i' : list == 'F' ? 'f' : list == 'B' ? 'b' : 'v'; }
} // namespace

#define EVERY_KEY(NAME)                                                                                                \
  case OpKind::NAME##_str:                                                                                             \
  case OpKind::NAME##_int:                                                                                             \
  case OpKind::NAME##_bool:                                                                                            \
  case OpKind::NAME##_float:                                                                                           \
  case OpKind::NAME##_complex:                                                                                         \
  case OpKind::NAME##_Tensor

bool CodeBuilder::emitContainer(const Node *node) {
  if (node->opKind() == OpKind::Aten_add_str) {
    emit(Opcode::ConcatText, resultSlot(node), operand(node, 0), operand(node, 1));
    return true;
  }
  if (meansPython(*node))
    return false;
  auto isIndex = [&](unsigned i) {
    return classOf(node->input(i)) == SlotClass::Int && !(operand(node, i) & constantBit);
  };
  switch (node->opKind()) {
  case OpKind::Aten_len_t:
  case OpKind::Aten_len_str:
    EVERY_KEY(Aten_len_Dict) : if (classOf(node->output()) != SlotClass::Int) return false;
    emit(Opcode::Length, resultSlot(node), operand(node, 0));
    return true;
  case OpKind::Aten___getitem___t: {
    char letter = listLetter(node->input(0)->type());
    if (!letter || !isIndex(1) || !hasLetter(classOf(node->output()), elementLetter(letter)))
      return false;
    emit(getItem.of(letter), resultSlot(node), operand(node, 0), operand(node, 1));
    return true;
  }
  case OpKind::Aten__set_item_t: {
    char letter = listLetter(node->input(0)->type());
    if (!letter || !isIndex(1))
      return false;
    auto element = scalarOperand(node, 2, elementLetter(letter), 0);
    if (!element)
      return false;
    emit(setItem.of(letter), optionalResult(node), operand(node, 0), operand(node, 1), *element);
    return true;
  }
  case OpKind::Aten_append_t: {
    char letter = listLetter(node->input(0)->type());
    auto element = letter ? scalarOperand(node, 1, elementLetter(letter), 0) : std::nullopt;
    if (!element)
      return false;
    emit(appendItem.of(letter), optionalResult(node), operand(node, 0), *element);
    return true;
  }
  case OpKind::Aten___getitem___str:
  case OpKind::Prim_StringIndex:
    if (!isIndex(1))
      return false;
    emit(Opcode::CharAt, resultSlot(node), operand(node, 0), operand(node, 1));
    return true;
    EVERY_KEY(Aten___getitem___Dict)
        : emit(classOf(node->output()) == SlotClass::Value ? Opcode::DictGet : Opcode::DictGetS, resultSlot(node),
               operand(node, 0), operand(node, 1));
    return true;
    EVERY_KEY(Aten__set_item) : emit(Opcode::DictSet, operand(node, 0), operand(node, 1), operand(node, 2));
    return true;
    EVERY_KEY(Aten___contains__) : if (classOf(node->output()) != SlotClass::Bool) return false;
    emit(Opcode::DictHas, resultSlot(node), operand(node, 0), operand(node, 1));
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

void CodeBuilder::emitRaise(const Node *node) {
  if (node->numInputs() == 0)
    return emitFailure("prim::RaiseException without a message");
  emit(Opcode::Raise, operand(node, 0), node->numInputs() > 1 ? operand(node, 1) : noOperand);
}

void CodeBuilder::emitNewList(const Node *node) {
  const Type *type = node->output()->type();
  char letter = listLetter(type);
  if (!letter)
    return emitFailure("prim::ListConstruct does not give a list");
  TypeEntry entry;
  entry.type = type->contained()[0];
  int32_t list = operandList(node);
  emit(newList.of(letter), resultSlot(node), list, letter == 'G' ? typeEntry(std::move(entry)) : 0);
}

void CodeBuilder::emitNewTuple(const Node *node) {
  const auto *type = llvm::dyn_cast<TupleType>(node->output()->type());
  TypeEntry entry;
  entry.type = type;
  int32_t list = operandList(node);
  emit(Opcode::NewTuple, resultSlot(node), list, type && type->isNamed() ? typeEntry(std::move(entry)) : -1);
}

void CodeBuilder::emitNewDict(const Node *node) {
  TypeEntry entry;
  entry.type = node->output()->type();
  if (entry.type->kind() != TypeKind::Dict || node->numInputs() % 2)
    return emitFailure("prim::DictConstruct does not give a dict");
  int32_t list = operandList(node);
  emit(Opcode::NewDict, resultSlot(node), list, typeEntry(std::move(entry)));
}

void CodeBuilder::emitUnpack(const Node *node) {
  int32_t whole = operand(node, 0);
  emit(Opcode::Unpack, whole, resultList(node));
}

/// False for an index that is not known: the operator finds the element when it runs.
bool CodeBuilder::emitTupleIndex(const Node *node) {
  if (node->numInputs() < 2 || !isConst(node->input(1)) || !constOf(node->input(1)).isInt())
    return false;
  int32_t index = static_cast<int32_t>(constOf(node->input(1)).toInt());
  emit(classOf(node->output()) == SlotClass::Value ? Opcode::TupleItem : Opcode::TupleItemS, resultSlot(node),
       operand(node, 0), index);
  return true;
}

void CodeBuilder::emitTupleSlice(const Node *node) {
  auto *begin = attributeOf<int64_t>(node, attr::beg), *end = attributeOf<int64_t>(node, attr::end);
  emit(Opcode::TupleRange, resultSlot(node), operand(node, 0), begin ? *begin : 0, end ? *end : INT32_MAX);
}

void CodeBuilder::emitUnwrap(const Node *node) {
  if (classOf(node->output()) == SlotClass::Value && classOf(node->input(0)) == SlotClass::Value)
    emit(Opcode::CheckNotNone, resultSlot(node), operand(node, 0));
  else
    emitMoves(node, 0, node->outputs());
}

/// `x is None`; false for other comparisons of identity.
bool CodeBuilder::emitIsNone(const Node *node, Opcode op) {
  if (classOf(node->input(0)) != SlotClass::Value || !node->input(1)->type()->isNone())
    return false;
  emit(op, resultSlot(node), operand(node, 0));
  return true;
}

void CodeBuilder::emitWait(const Node *node) {
  int32_t future = operand(node, 0);
  emit(Opcode::Wait, optionalResult(node), future);
}

void CodeBuilder::emitFunctionCall(const Node *node) {
  FunctionCall call;
  const Value *callee = node->input(0);
  if (const auto *type = llvm::dyn_cast<FunctionType>(callee->type()))
    call.function = const_cast<Function *>(type->function());
  if (isConst(callee) && constOf(callee).isFunction())
    call.function = constOf(callee).toFunction();
  if (!call.function)
    return emitFailure("the function that is called here has no definition");
  emitCall(node, Opcode::Call, std::move(call), operandList(node, 1));
}

void CodeBuilder::emitMethodCall(const Node *node) {
  FunctionCall call;
  const auto *name = attributeOf<std::string>(node, attr::name);
  if (!name || node->numInputs() == 0)
    return emitFailure("a method call without the name of the method");
  if (const auto *type = llvm::dyn_cast<ClassType>(node->input(0)->type()))
    call.function = type->findMethod(*name);
  if (!call.function)
    call.methodName = *name;
  emitCall(node, call.function ? Opcode::Call : Opcode::CallByName, std::move(call), operandList(node));
}

/// A node that holds a graph of its own; false when it holds none.
bool CodeBuilder::emitSubgraph(const Node *node) {
  const auto *subgraph = attributeOf<std::shared_ptr<Graph>>(node, attr::Subgraph);
  if (!subgraph || !*subgraph)
    return false;
  FunctionCall call;
  call.subgraph = subgraph->get();
  int32_t args = operandList(node);
  if (node->kind().id() == SymbolId::prim_FusionGroup) {
    emitGroup(node, std::move(call), args);
    return true;
  }
  std::unique_ptr<SubgraphRunner> runner;
  if (node->kind().id() == SymbolId::prim_DifferentiableGraph)
    runner = code->cache->makeSubgraphRunner(*call.subgraph);
  if (runner) {
    call.isPlain = true;
    code->differentiable.push_back(std::move(runner));
    emitCall(node, Opcode::CallDifferentiable, std::move(call), args,
             static_cast<int32_t>(code->differentiable.size() - 1));
    return true;
  }
  if (node->kind().id() != SymbolId::prim_fork) {
    emitCall(node, Opcode::Call, std::move(call), args);
    return true;
  }
  call.args = args;
  call.mayRunLater = mayRunLater(*node, call);
  code->functionCalls.push_back(std::make_unique<FunctionCall>(std::move(call)));
  emit(Opcode::Fork, optionalResult(node), static_cast<int32_t>(code->functionCalls.size() - 1));
  return true;
}

bool CodeBuilder::emitPrimitive(const Node *node) {
  switch (node->kind().id()) {
  case SymbolId::prim_Print:
    return emit(meansPython(*node) ? Opcode::PythonPrint : Opcode::Print, operandList(node)), true;
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
  case SymbolId::prim_unchecked_cast:
  case SymbolId::prim_unchecked_unwrap_optional:
  case SymbolId::prim_annotate:
  case SymbolId::prim_profile:
  case SymbolId::prim_Guard:
    if (node->numInputs() != 1 || node->numOutputs() != 1)
      return false;
    return emitCast(node), true;
  case SymbolId::aten__unwrap_optional: return emitUnwrap(node), true;
  case SymbolId::aten___is__: return emitIsNone(node, Opcode::IsNone);
  case SymbolId::aten___isnot__: return emitIsNone(node, Opcode::IsNotNone);
  case SymbolId::prim_EnumName: return emit(Opcode::EnumName, resultSlot(node), operand(node, 0)), true;
  case SymbolId::prim_EnumValue: return emit(Opcode::EnumValue, resultSlot(node), operand(node, 0)), true;
  case SymbolId::prim_Enter:
  case SymbolId::prim_Exit: return emitWith(node), true;
  case SymbolId::aten_wait: return emitWait(node), true;
  case SymbolId::prim_CallFunction: return emitFunctionCall(node), true;
  case SymbolId::prim_CallMethod:
  case SymbolId::prim_InterfaceCall: return emitMethodCall(node), true;
  default: return emitSubgraph(node);
  }
}

/// A call of the group's plain nodes, for when no faster tier takes the inputs.
void CodeBuilder::emitGroup(const Node *node, FunctionCall call, int32_t args) {
  if (call.subgraph->inputs().size() != node->numInputs() || call.subgraph->block().numOutputs() != node->numOutputs())
    return emitFailure("a fusion group whose subgraph has other inputs or outputs than it");
  call.isPlain = true;
  code->maxArgs = std::max(code->maxArgs, node->numInputs());
  code->groups.push_back(std::make_unique<GroupRunner>(*call.subgraph, code->cache->fuserRegistry()));
  emitCall(node, Opcode::CallGroup, std::move(call), args, static_cast<int32_t>(code->groups.size() - 1));
}

void CodeBuilder::emitCall(const Node *node, Opcode op, FunctionCall call, int32_t args, int32_t extra) {
  call.args = args;
  call.results = resultList(node);
  code->functionCalls.push_back(std::make_unique<FunctionCall>(std::move(call)));
  emit(op, static_cast<int32_t>(code->functionCalls.size() - 1), extra);
}

/// A cast that the types do not justify looks at the value.
void CodeBuilder::emitCast(const Node *node) {
  if (!needsCastCheck(*node) || classOf(node->output()) != SlotClass::Value)
    return emitMoves(node, 0, node->outputs()); // into a scalar it is unboxed, with a check
  if (classOf(node->input(0)) != SlotClass::Value)
    return emitFailure("expected a value of type '" + node->output()->type()->annotation() + "' here, but found '" +
                       node->input(0)->type()->annotation() + "'");
  TypeEntry entry;
  entry.type = node->output()->type();
  int32_t value = operand(node, 0);
  emit(Opcode::CheckCast, resultSlot(node), value, typeEntry(std::move(entry)));
}

/// Attributes, new objects, isinstance.
void CodeBuilder::emitAttribute(const Node *node) {
  TypeEntry entry;
  if (node->kind().id() == SymbolId::prim_CreateObject) {
    entry.type = node->output()->type();
    if (!llvm::isa<ClassType>(entry.type))
      return emitFailure("prim::CreateObject does not give an object");
    emit(Opcode::NewObject, resultSlot(node), typeEntry(std::move(entry)));
    return;
  }
  if (node->kind().id() == SymbolId::prim_isinstance) {
    if (const auto *types = attributeOf<std::vector<const Type *>>(node, Symbol(attr::types)))
      entry.choices = *types;
    emit(Opcode::IsInstance, resultSlot(node), operand(node, 0), typeEntry(std::move(entry)));
    return;
  }
  const auto *name = attributeOf<std::string>(node, attr::name);
  if (!name)
    return emitFailure("an attribute without a name");
  entry.name = *name;
  unsigned slot = 0;
  if (const auto *type = llvm::dyn_cast<ClassType>(node->input(0)->type()))
    if (auto found = type->findAttribute(*name)) {
      entry.type = type;
      slot = *found;
    }
  int32_t object = operand(node, 0);
  if (node->kind().id() == SymbolId::prim_SetAttr)
    emit(Opcode::SetSlot, object, operand(node, 1), slot, typeEntry(std::move(entry)));
  else
    emit(classOf(node->output()) == SlotClass::Value ? Opcode::GetSlot : Opcode::GetSlotS, resultSlot(node), object,
         slot, typeEntry(std::move(entry)));
}

/// `with`: a call of __enter__ or __exit__, and a note for the case of a failure in between.
void CodeBuilder::emitWith(const Node *node) {
  bool enter = node->kind().id() == SymbolId::prim_Enter;
  int32_t object = operand(node, 0);
  FunctionCall call;
  call.methodName = enter ? "__enter__" : "__exit__";
  llvm::SmallVector<int32_t, 4> args{object};
  if (enter) {
    emit(Opcode::Enter, object & ~lastUse);
  } else {
    int32_t none = constantOperand(IValue());
    args.append(3, none);
    emit(Opcode::Exit);
  }
  emitCall(node, Opcode::CallByName, std::move(call), listOf(args));
  if (enter)
    emit(Opcode::Entered);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// A node that a pass inserts and that no record describes.
struct InsertedKernel {
  BoxedKernel kernel = nullptr;           ///< Null for other nodes.
  llvm::SmallVector<IValue, 3> constants; ///< What the kernel takes after the node's inputs.
};

/// Results of a prim::ConstantChunk up to the last one that somebody uses: the tensor may fall into fewer pieces.
static int64_t numNeededResults(const Node *node) {
  int64_t count = node->numOutputs();
  while (count > 0 && !node->output(count - 1)->hasUses())
    --count;
  return count;
}

static InsertedKernel insertedKernel(const Node *node) {
  switch (node->kind().id()) {
  case SymbolId::prim_MMTreeReduce: return {ops::mmTreeReduce, {}};
  case SymbolId::prim_MMBatchSide:
    if (const auto *side = attributeOf<int64_t>(node, attr::side))
      return {ops::mmBatchSide, {*side}};
    return {ops::mmBatchSide, {}};
  case SymbolId::prim_ConstantChunk: {
    const auto *chunks = attributeOf<int64_t>(node, attr::chunks), *dim = attributeOf<int64_t>(node, attr::dim);
    if (!chunks || !dim || node->numInputs() != 1)
      return {};
    return {ops::constantChunk, {*chunks, *dim, numNeededResults(node)}};
  }
  default: return {};
  }
}

void CodeBuilder::emitInserted(const Node *node, BoxedKernel kernel, llvm::ArrayRef<IValue> constants) {
  PlacedCall call = describeCall(graph.context(), node->kind().qualified(), kernel, node->numInputs());
  call.gradientOperands = gradientOperands(*node);
  llvm::SmallVector<int32_t, 8> args;
  for (unsigned i = 0; i != node->numInputs(); ++i)
    args.push_back(operand(node, i));
  for (const IValue &constant : constants)
    args.push_back(constantOperand(constant));
  call.args = listOf(args);
  call.site.numArgs = args.size();
  call.site.numResults = node->numOutputs();
  code->maxArgs = std::max<unsigned>(code->maxArgs, args.size());
  code->operatorCalls.push_back(std::move(call));
  emit(Opcode::CallOpN, resultList(node), static_cast<int32_t>(code->operatorCalls.size() - 1));
}

void CodeBuilder::emitOperator(const Node *node) {
  if (InsertedKernel inserted = insertedKernel(node); inserted.kernel)
    return emitInserted(node, inserted.kernel, inserted.constants);
  const Operator *op = node->op();
  if (!op) {
    std::string types;
    for (const Value *input : node->inputs())
      types += (types.empty() ? "" : ", ") + input->type()->str();
    return emitFailure("Unknown builtin op: " + node->kind().qualified() + "(" + types + ")");
  }
  const FunctionSchema &schema = op->schema();
  PlacedCall call = describeCall(graph.context(), *op, meansPython(*node));
  if (op->record())
    call.gradientOperands = gradientOperands(*node); // types may say that some require none
  if (!call.hasKernel())
    return emitFailure("operator " + llvm::Twine(call.name) + " has no kernel in this build");
  llvm::SmallVector<int32_t, 8> args;
  for (unsigned i = 0; i != node->numInputs(); ++i)
    args.push_back(operand(node, i));
  // Programs of other versions may leave trailing arguments to their defaults.
  for (size_t i = args.size(); i < schema.arguments().size() && !schema.isVararg(); ++i) {
    const auto &fallback = schema.arguments()[i].defaultValue;
    if (!fallback)
      return emitFailure(llvm::Twine(call.name) + " is missing value for argument '" + schema.arguments()[i].name +
                         "'");
    args.push_back(constantOperand(*fallback));
  }
  call.args = listOf(args);
  call.site.numArgs = args.size();
  call.site.numResults = std::max<size_t>(node->numOutputs(), schema.returns().size());
  call.site.resultType = node->numOutputs() ? node->output(0)->type() : nullptr;
  call.site.codes = code->cache;
  code->maxArgs = std::max<unsigned>(code->maxArgs, args.size());
  int32_t index = static_cast<int32_t>(code->operatorCalls.size());
  bool single = node->numOutputs() == 1 && call.site.numResults == 1;
  bool custom = call.custom;
  code->operatorCalls.push_back(std::move(call));
  if (custom || !single)
    emit(custom ? Opcode::CallCustom : Opcode::CallOpN, resultList(node), index);
  else if (classOf(node->output()) == SlotClass::Value)
    emit(Opcode::CallOp, optionalResult(node), index);
  else
    emit(Opcode::CallOpS, resultSlot(node), index);
}
