//===- EmitterContext.cpp - The function that is being compiled -----------===//
#include "tsc/Frontend/EmitterContext.h"
#include "Calls.h"
#include "Calls/FunctionCalls.h"
#include "Expressions/Names.h"
#include "FunctionContext.h"
#include "Statements/Assignments.h"

using namespace tsc;

SugaredValue *EmitterContext::sugaredValue(Value *value) { return emitterOf(*this).simple(value); }

Value *EmitterContext::insertConstant(const IValue &value, SourceRange range) {
  return emitterOf(*this).constant(value, range);
}

Node *EmitterContext::insert(Symbol kind, ArrayRef<Value *> inputs, unsigned outputs, SourceRange range) {
  return emitterOf(*this).insertNode(kind, inputs, outputs, range);
}

Value *EmitterContext::callOperator(SourceRange range, StringRef name, ArrayRef<NamedValue> args,
                                    ArrayRef<NamedValue> kwargs) {
  return callBuiltin(emitterOf(*this), range, context().symbol(name), args, kwargs);
}

Value *EmitterContext::callFunction(SourceRange range, Function &function, ArrayRef<NamedValue> args,
                                    ArrayRef<NamedValue> kwargs) {
  return tsc::callFunction(emitterOf(*this), range, &function, args, kwargs);
}

Value *EmitterContext::callMethod(SourceRange range, Value *self, Function &method, ArrayRef<NamedValue> args,
                                  ArrayRef<NamedValue> kwargs) {
  return tsc::callMethod(emitterOf(*this), range, self, &method, args, kwargs);
}

SugaredValue *EmitterContext::lookUpName(StringRef name, SourceRange range) {
  return lookUp(emitterOf(*this), name, range, /*required=*/false);
}

bool EmitterContext::assignName(StringRef name, SugaredValue *value, SourceRange range) {
  return setVariable(emitterOf(*this), name, value, range);
}
