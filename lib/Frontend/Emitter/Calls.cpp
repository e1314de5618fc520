//===- Calls.cpp - Calls of functions, methods and operators --------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "TypeExpressions.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/SchemaMatching.h"

using namespace tsc;

/// Operators whose overloads are for numbers of one kind each, with a number of unknown kind: as the kind would have
/// it, and not converted to that of the first overload. Null for other calls, and after a report.
static Value *callOnNumber(FunctionEmitter &e, SourceRange range, Symbol name, ArrayRef<NamedValue> args,
                           ArrayRef<NamedValue> kwargs) {
  bool isOnNumber =
      llvm::any_of(args, [](const NamedValue &arg) { return arg.value && arg.value->type()->isNumber(); });
  if (!isOnNumber)
    return nullptr;
  if (name == aten::Bool && args.size() == 1)
    return e.callBuiltin(range, aten::ne, {args[0].value, e.constant(int64_t{0}, range)});
  if (name == aten::tensor) {
    std::vector<NamedValue> listed(args.begin(), args.end());
    listed[0].value = e.makeList(Type::numberType(), {args[0].value}, range);
    Value *one = e.callBuiltin(range, name, listed, kwargs);
    Value *zero = e.constant(int64_t{0}, range);
    return one ? e.callBuiltin(range, aten::select, {one, zero, zero}) : nullptr;
  }
  if (name.qualified() == "aten::divmod" && args.size() == 2 && args[0].value && args[1].value) {
    Value *quotient = e.callBuiltin(range, aten::floordiv, {args[0].value, args[1].value});
    Value *rest = quotient ? e.callBuiltin(range, aten::remainder, {args[0].value, args[1].value}) : nullptr;
    return rest ? e.makeTuple({quotient, rest}, range) : nullptr;
  }
  return nullptr;
}

Value *FunctionEmitter::callBuiltin(SourceRange range, Symbol name, ArrayRef<NamedValue> args,
                                    ArrayRef<NamedValue> kwargs, Value *receiver) {
  if (!receiver)
    if (Value *result = callOnNumber(*this, range, name, args, kwargs))
      return result;
  return insertCall(graph, range, name, args, kwargs, diags, receiver);
}

Value *FunctionEmitter::callBuiltin(SourceRange range, Symbol name, std::initializer_list<Value *> args) {
  std::vector<NamedValue> values;
  for (Value *value : args) {
    if (!value)
      return nullptr;
    values.push_back(value);
    values.back().range = range;
  }
  return callBuiltin(range, name, values);
}

bool FunctionEmitter::emitArguments(const Apply &tree, std::vector<NamedValue> &args, std::vector<NamedValue> &kwargs,
                                    unsigned skip) {
  for (size_t i = skip; i < tree.args().size(); ++i) {
    llvm::SmallVector<Value *, 4> values;
    if (auto *starred = llvm::dyn_cast<Starred>(tree.args()[i])) {
      SugaredValue *whole = emitSugared(starred->value());
      auto parts = whole ? whole->asTuple(*this, starred->range(), std::nullopt) : std::nullopt;
      if (!parts)
        return false;
      for (SugaredValue *part : *parts)
        values.push_back(part->asValue(*this, starred->range()));
    } else {
      values.push_back(emitExpr(tree.args()[i]));
    }
    for (Value *value : values) {
      if (!value)
        return false;
      args.push_back(value);
      args.back().range = tree.args()[i]->range();
    }
  }
  for (const Tree *keyword : tree.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    if (!named)
      return error(keyword->range(), diag::UnsupportedSyntax, unsupportedWords(keyword->kind()));
    Value *value = emitExpr(named->value());
    if (!value)
      return false;
    kwargs.emplace_back(named->name().str(), NamedValue(value));
    kwargs.back().range = keyword->range();
  }
  return true;
}

SugaredValue *FunctionEmitter::emitApply(const Apply &tree, NumBinders binders, const Type *hint) {
  SugaredValue *callee = emitSugared(tree.callee());
  if (!callee)
    return nullptr;
  if (auto *form = llvm::dyn_cast<SpecialForm>(callee))
    if (form->self)
      return form->form == FormKind::ToList ? simple(emitToList(form->self, hint, tree.range()))
                                            : error(tree.range(), diag::CannotCall, form->describe());
  if (auto *form = llvm::dyn_cast<SpecialForm>(callee))
    return emitForm(form->form, tree, binders, hint);
  std::vector<NamedValue> args, kwargs;
  if (!emitArguments(tree, args, kwargs))
    return nullptr;
  return callee->call(*this, tree.range(), args, kwargs);
}

//===-- Functions and methods ----------------------------------------------===//

bool FunctionEmitter::ensureSchema(SourceRange range, Function *function) {
  if (function->hasSchema() && !function->schema().returns().empty())
    return true;
  if (function->isBeingDefined())
    return error(range, diag::RecursiveCall, function->name());
  if (compiler.bodyDepth > 200)
    return error(range, diag::NestedTooDeeply, 200);
  return succeeded(function->ensureDefined()) && !function->schema().returns().empty();
}

Value *FunctionEmitter::callSchema(SourceRange range, Value *self, const FunctionSchema &schema, StringRef methodName,
                                   ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs, Symbol kind) {
  std::vector<NamedValue> all;
  if (self && kind == prim::CallMethod)
    all.push_back(self);
  all.insert(all.end(), args.begin(), args.end());
  auto matched = matchSchema(schema, graph, range, all, kwargs, diags);
  if (!matched)
    return nullptr;
  std::vector<Value *> inputs = matched->inputs;
  if (kind == prim::CallFunction)
    inputs.insert(inputs.begin(), self);
  Node *node = insertNode(kind, inputs, 1, range);
  if (kind == prim::CallMethod)
    node->setAttribute(attr::name, methodName.str());
  return node->output()->setType(matched->returnTypes.empty() ? Type::noneType() : matched->returnTypes[0]);
}

bool FunctionEmitter::checkPositionalOnly(SourceRange range, const Function &function, ArrayRef<NamedValue> kwargs) {
  auto found = compiler.positionalOnly.find(&function);
  if (found == compiler.positionalOnly.end())
    return true;
  for (const Argument &argument : function.schema().arguments().take_front(found->second))
    if (llvm::any_of(kwargs, [&](const NamedValue &given) { return given.name == argument.name; }))
      return error(range, diag::PositionalOnly, function.name(), argument.name);
  return true;
}

Value *FunctionEmitter::callFunction(SourceRange range, Function *function, ArrayRef<NamedValue> args,
                                     ArrayRef<NamedValue> kwargs) {
  if (!ensureSchema(range, function) || !checkPositionalOnly(range, *function, kwargs))
    return nullptr;
  Value *target = constant(IValue(function), range);
  return callSchema(range, target, function->schema(), "", args, kwargs, prim::CallFunction);
}

Value *FunctionEmitter::callMethod(SourceRange range, Value *self, Function *method, ArrayRef<NamedValue> args,
                                   ArrayRef<NamedValue> kwargs) {
  if (!ensureSchema(range, method) || !checkPositionalOnly(range, *method, kwargs))
    return nullptr;
  return callSchema(range, self, method->schema(), method->name(), args, kwargs, prim::CallMethod);
}

Value *FunctionEmitter::callMagic(SourceRange range, StringRef magic, Symbol fallback, ArrayRef<Value *> args) {
  if (auto *type = llvm::dyn_cast<ClassType>(args[0]->type()); type && !magic.empty()) {
    Function *method = type->findMethod(magic);
    if (!method)
      return error(range, diag::NoMagicMethod, type->annotation(), magic);
    std::vector<NamedValue> rest(args.begin() + 1, args.end());
    return callMethod(range, args[0], method, rest, {});
  }
  std::vector<NamedValue> values(args.begin(), args.end());
  for (NamedValue &value : values)
    value.range = range;
  return callBuiltin(range, fallback, values);
}
