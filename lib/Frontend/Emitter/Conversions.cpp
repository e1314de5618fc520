//===- Conversions.cpp - Values as the types that are wanted --------------===//
#include "Conversions.h"
#include "../SugaredValues/Values.h"
#include "Calls.h"
#include "FunctionContext.h"
#include "Refinement.h"
#include "tsc/IR/SchemaMatching.h"

using namespace tsc;

bool tsc::holdsList(const IValue &value) {
  return value.isList() || value.isDict() || (value.isTuple() && llvm::any_of(value.toTuple().elements, holdsList));
}

Value *tsc::madeAnew(FunctionContext &fn, const IValue &value, const Type *type, SourceRange range) {
  if (!holdsList(value))
    return fn.constant(value, range);
  if (value.isDict()) {
    auto *dict = llvm::dyn_cast_or_null<DictType>(type ? type : value.dynamicType(fn.context()));
    llvm::SmallVector<Value *, 8> entries;
    value.toDict().forEach([&](const IValue &key, const IValue &element) {
      entries.push_back(madeAnew(fn, key, nullptr, range));
      entries.push_back(madeAnew(fn, element, dict ? dict->value() : nullptr, range));
    });
    return fn.insertValue(prim::DictConstruct, entries, dict, range);
  }
  auto *list = llvm::dyn_cast_or_null<ListType>(type ? type : value.dynamicType(fn.context()));
  auto *tuple = llvm::dyn_cast_or_null<TupleType>(type ? type : value.dynamicType(fn.context()));
  size_t count = value.isList() ? value.listSize() : value.toTuple().elements.size();
  llvm::SmallVector<Value *, 8> parts;
  for (size_t i = 0; i != count; ++i)
    parts.push_back(value.isList()
                        ? madeAnew(fn, value.listElement(i), list ? list->element() : nullptr, range)
                        : madeAnew(fn, value.toTuple().elements[i],
                                   tuple && i < tuple->elements().size() ? tuple->elements()[i] : nullptr, range));
  if (value.isList())
    return fn.makeList(list ? list->element() : Type::tensorType(), parts, range);
  return tuple ? fn.insertValue(prim::TupleConstruct, parts, tuple, range) : fn.makeTuple(parts, range);
}

void tsc::makeDefaultsAnew(FunctionContext &fn, llvm::MutableArrayRef<Value *> inputs, SourceRange range) {
  for (Value *&input : inputs) // lists that are written at the call are no constants
    if (std::optional<IValue> value = constantValue(input); value && holdsList(*value))
      input = madeAnew(fn, *value, input->type(), range);
}

Value *tsc::tupleIndex(FunctionContext &fn, Value *tuple, const Type *element, int64_t index, SourceRange range) {
  return fn.insertValue(prim::TupleIndex, {tuple, fn.constant(index, range)}, element, range);
}

Value *tsc::convertTo(FunctionContext &fn, Value *value, const Type *type, SourceRange range, bool allowConversions) {
  if (value->type() == type || value->type()->isSubtypeOf(type))
    return value;
  if (auto *members = llvm::dyn_cast<EnumType>(value->type()); members && fn.compiler.intEnums.contains(members))
    return convertTo(fn, fn.insertValue(prim::EnumValue, {value}, members->valueType(), range), type, range,
                     allowConversions);
  return convertImplicitly(fn.graph(), value, type, range, allowConversions);
}

Value *tsc::asFloatFor(FunctionContext &fn, Value *value, const Type *wanted, SourceRange range) {
  const bool isFloat = withoutNone(fn.context(), wanted)->isFloat();
  return value && isFloat && value->type()->isInt() ? callBuiltin(fn, range, aten::Float, {value}) : value;
}
