//===- FunctionContext.cpp - The function that is being emitted -----------===//
#include "FunctionContext.h"
#include "../SugaredValues/Values.h"

using namespace tsc;

SugaredValue *FunctionContext::simple(Value *value) { return value ? make<SimpleValue>(value) : nullptr; }

Node *FunctionContext::insertNode(Symbol kind, ArrayRef<Value *> inputs, unsigned outputs, SourceRange range) {
  Node *node = graph().create(kind, inputs, outputs);
  node->setRange(range);
  return graph().insertNodeHere(node);
}

Value *FunctionContext::insertValue(Symbol kind, ArrayRef<Value *> inputs, const Type *type, SourceRange range) {
  return insertNode(kind, inputs, 1, range)->output()->setType(type);
}

Value *FunctionContext::makeTuple(ArrayRef<Value *> elements, SourceRange range) {
  llvm::SmallVector<const Type *, 4> types;
  for (Value *element : elements)
    types.push_back(element->type());
  return insertValue(prim::TupleConstruct, elements, context().tupleOf(types), range);
}

Value *FunctionContext::makeList(const Type *element, ArrayRef<Value *> elements, SourceRange range) {
  return insertValue(prim::ListConstruct, elements, context().listOf(element), range);
}

Value *FunctionContext::castTo(Value *value, const Type *type, SourceRange range) {
  return insertValue(prim::unchecked_cast, {value}, type, range);
}
