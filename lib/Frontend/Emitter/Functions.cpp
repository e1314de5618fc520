//===- Functions.cpp - Whole functions ------------------------------------===//
#include "Functions.h"
#include "../SugaredValues/Values.h"
#include "Expressions.h"
#include "FunctionContext.h"
#include "Statements.h"
#include "Statements/ChangedContainers.h"
#include "Statements/Returns.h"

using namespace tsc;

static bool declareParameters(FunctionContext &fn, const Def &def, const FunctionSchema &schema) {
  for (const Argument &argument : schema.arguments()) {
    Value *input = fn.graph().addInput(isMeaningfulName(argument.name) ? argument.name : "", argument.type);
    fn.env.store(argument.name, input, def.range());
    fn.env.setType(argument.name, argument.type);
    if (argument.defaultValue && !argument.fixedLength && holdsList(*argument.defaultValue))
      fn.containers.shared.push_back({input, argument.name, /*isParameter=*/true});
  }
  return true;
}

bool tsc::emitFunction(FunctionContext &fn, const Def &def, Function &function) {
  fn.env.push(fn.graph().block());
  fn.graph().setInsertPoint(fn.graph().block());
  declareParameters(fn, def, function.schema());
  if (!function.schema().returns().empty()) {
    fn.returns.isDeclared = true;
    fn.returns.type = function.schema().returns()[0].type;
  }
  fn.recovery.isOn = !fn.method.initializing; // attributes that were not set would be missed later
  if (!emitStatements(fn, def.body()) || fn.recovery.numRefused != 0 ||
      !finishBody(fn, def.range(), fn.returns.type, def.body()) || !checkSharedContainers(fn) || !finishLoops(fn))
    return false;
  FunctionSchema schema = function.schema();
  if (schema.returns().empty()) {
    Argument result;
    result.type = fn.returns.merged;
    schema.mutableReturns().push_back(result);
    function.setSchema(std::move(schema));
  }
  fn.returns.type = fn.returns.merged;
  return true;
}

bool tsc::emitExpressions(FunctionContext &fn, ArrayRef<const Tree *> expressions, Function &function) {
  fn.env.push(fn.graph().block());
  fn.graph().setInsertPoint(fn.graph().block());
  llvm::SmallVector<Value *, 8> values;
  for (const Tree *tree : expressions) {
    Value *value = emitExpr(fn, tree);
    if (!value)
      return false;
    values.push_back(value);
  }
  SourceRange range = expressions.empty() ? SourceRange() : expressions[0]->range();
  Value *tuple = fn.makeTuple(values, range);
  fn.insertNode(prim::ReturnStmt, {tuple}, 0, range);
  if (!checkSharedContainers(fn) || !finishLoops(fn))
    return false;
  fn.returns.merged = tuple->type();
  Argument result;
  result.type = tuple->type();
  function.setSchema(FunctionSchema(function.name().str(), "", {}, {result}));
  return true;
}
