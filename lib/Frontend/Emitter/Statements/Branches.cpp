//===- Branches.cpp - if, and the ternary ---------------------------------===//
//
// A branch gets a frame of its own; after an If the names that both sides set, or
// that one sets while the other leaves, live on.
//
//===----------------------------------------------------------------------===//
#include "Branches.h"
#include "../../SugaredValues/Values.h"
#include "../Expressions.h"
#include "../Expressions/Conditions.h"
#include "../FunctionContext.h"
#include "../Refinement.h"
#include "../Statements.h"
#include <set>

using namespace tsc;

bool tsc::emitIf(FunctionContext &fn, const If &tree) {
  Condition condition = emitCondition(fn, tree.condition());
  if (!condition)
    return false;
  if (condition.known) {
    insertRefinements(fn, *condition.known ? condition.refinements.whenTrue : condition.refinements.whenFalse,
                      tree.range());
    return emitStatements(fn, *condition.known ? tree.thenBody() : tree.elseBody());
  }
  return emitIfBlocks(
      fn, tree.range(), condition, [&] { return emitStatements(fn, tree.thenBody()); },
      [&] { return emitStatements(fn, tree.elseBody()); });
}

static std::set<std::string> definedNames(const Frame &frame) {
  std::set<std::string> names;
  for (auto &entry : frame.types)
    names.insert(entry.first);
  return names;
}

/// Whether something that is no value holds none of a block's either.
static bool isKnownAnywhere(SugaredValue &value) {
  if (auto *builtin = dynamic_cast<BuiltinFunction *>(&value))
    return !builtin->self;
  if (auto *form = llvm::dyn_cast<SpecialForm>(&value))
    return !form->self;
  return llvm::isa<NamespaceSugar, FileSugar, CastFunction, FunctionSugar, FlaggedFunction, ClassSugar, NamedTupleSugar,
                   EnumSugar, TypeSugar, ClosureSugar>(&value);
}

bool tsc::emitIfBlocks(FunctionContext &fn, SourceRange range, const Condition &condition,
                       llvm::function_ref<bool()> whenTrue, llvm::function_ref<bool()> whenFalse) {
  Value *test = toBool(fn, condition.value, range);
  if (!test)
    return false;
  Node *node = fn.insertNode(prim::If, {test}, 0, range);
  std::unique_ptr<Frame> frames[2];
  Block *blocks[2] = {&node->addBlock(), &node->addBlock()};
  bool exits[2];
  for (unsigned side : {0, 1}) {
    InsertPointGuard guard(fn.graph());
    fn.graph().setInsertPoint(*blocks[side]);
    fn.env.push(*blocks[side]);
    insertRefinements(fn, side == 0 ? condition.refinements.whenTrue : condition.refinements.whenFalse, range);
    bool ok = side == 0 ? whenTrue() : whenFalse();
    frames[side] = fn.env.pop();
    if (!ok)
      return false;
    exits[side] = fn.isLeft(*blocks[side]);
  }
  if (exits[0] && exits[1]) {
    fn.noteLeft();
    return true;
  }
  // Variables that live on: set on both paths, or known before, or set on the one path that goes on.
  std::set<std::string> merged;
  for (unsigned side : {0, 1})
    for (const std::string &name : definedNames(*frames[side])) {
      if (frames[!side]->typeHere(name) || fn.env.typeOf(name) || exits[!side])
        merged.insert(name);
      else
        fn.env.setError(name, side == 0 ? "is not defined in the false branch" : "is not defined in the true branch",
                        range);
    }
  for (const std::string &name : merged) {
    const Type *types[2];
    for (unsigned side : {0, 1}) {
      types[side] = frames[side]->typeHere(name);
      if (!types[side])
        types[side] = fn.env.typeOf(name);
    }
    bool exitsOne = exits[0] || exits[1];
    if (exitsOne) {
      unsigned leaving = exits[0] ? 0 : 1;
      const Type *type = types[!leaving];
      if (!type)
        continue;
      InsertPointGuard guard(fn.graph());
      fn.graph().setInsertPoint(*blocks[leaving]);
      fn.env.store(name, fn.insertValue(prim::Uninitialized, {}, type, range), range);
      fn.env.setType(name, type);
      continue;
    }
    const Type *type = fn.context().unify(types[0], types[1]);
    if (!type && fn.env.typeOf(name) && types[0]->isSubtypeOf(fn.env.typeOf(name)) &&
        types[1]->isSubtypeOf(fn.env.typeOf(name)))
      type = fn.env.typeOf(name);
    if (!type) {
      fn.env.setError(name,
                      "is set to type " + types[0]->annotation() + " in the true branch and type " +
                          types[1]->annotation() + " in the false branch",
                      range);
      continue;
    }
    fn.env.setType(name, type);
  }
  for (unsigned side : {0, 1}) {
    if (!exits[side])
      fn.env.eraseDeleted(*frames[side]);
    if (exits[!side]) // what the side that goes on knows of attributes is known from here on
      for (auto &[path, type] : frames[side]->paths)
        fn.env.setPath(path, type);
  }
  if (!exits[0] && !exits[1])
    for (auto &[path, type] : frames[0]->paths)
      if (auto other = frames[1]->paths.find(path); type && other != frames[1]->paths.end() && other->second)
        if (const Type *either = fn.context().unify(type, other->second))
          fn.env.setPath(path, either);
  // What is no value cannot be chosen when the program runs: its name lives on where nothing is to be chosen.
  for (unsigned side : {0, 1})
    for (auto &[name, value] : frames[side]->sugared) {
      if (exits[side])
        continue;
      const Frame &otherSide = *frames[!side];
      SugaredValue *other = otherSide.defines(name) ? otherSide.sugaredHere(name) : fn.env.sugaredOf(name);
      const bool isImportAlone =
          llvm::isa<NamespaceSugar, FileSugar>(value) && !otherSide.defines(name) && !fn.env.isDefined(name);
      const bool isSame = other && standForSame(*value, *other);
      if (isImportAlone || ((exits[!side] || isSame) && isKnownAnywhere(*value)))
        fn.env.setSugared(name, value);
      else
        fn.env.forgetChoice(name, range, /*isLoop=*/false);
    }
  return true;
}

std::optional<IfValues> tsc::emitIfValues(FunctionContext &fn, SourceRange range, const Condition &condition,
                                          llvm::function_ref<Value *()> whenTrue,
                                          llvm::function_ref<Value *()> whenFalse, const Type *hint) {
  Value *test = toBool(fn, condition.value, range);
  if (!test)
    return std::nullopt;
  IfValues made;
  made.node = fn.insertNode(prim::If, {test}, 0, range);
  for (bool truth : {true, false}) {
    Block &block = made.node->addBlock();
    InsertPointGuard guard(fn.graph());
    fn.graph().setInsertPoint(block);
    fn.env.push(block);
    insertRefinements(fn, truth ? condition.refinements.whenTrue : condition.refinements.whenFalse, range);
    Value *result = truth ? whenTrue() : whenFalse();
    fn.env.pop();
    if (!result)
      return std::nullopt;
    made.results[!truth] = result;
  }
  const Type *types[] = {made.results[0]->type(), made.results[1]->type()};
  made.type = fn.context().unify(types[0], types[1]);
  if (!made.type && hint && types[0]->isSubtypeOf(hint) && types[1]->isSubtypeOf(hint))
    made.type = hint;
  return made;
}

Value *tsc::emitIfExpression(FunctionContext &fn, SourceRange range, const Condition &condition,
                             llvm::function_ref<Value *()> whenTrue, llvm::function_ref<Value *()> whenFalse,
                             const Type *hint) {
  std::optional<IfValues> made = emitIfValues(fn, range, condition, whenTrue, whenFalse, hint);
  if (!made)
    return nullptr;
  if (!made->type)
    return fn.error(range, diag::TernaryTypes, made->results[0]->type()->annotation(),
                    made->results[1]->type()->annotation());
  for (unsigned i : {0, 1})
    made->node->block(i).addOutput(made->results[i]);
  return made->node->addOutput(made->type);
}

Value *tsc::emitTernary(FunctionContext &fn, const Ternary &tree, const Type *hint) {
  Condition condition = emitCondition(fn, tree.condition());
  if (!condition)
    return nullptr;
  if (condition.known) {
    insertRefinements(fn, *condition.known ? condition.refinements.whenTrue : condition.refinements.whenFalse,
                      tree.range());
    return emitExpr(fn, *condition.known ? tree.trueValue() : tree.falseValue(), hint);
  }
  return emitIfExpression(
      fn, tree.range(), condition, [&] { return emitExpr(fn, tree.trueValue(), hint); },
      [&] { return emitExpr(fn, tree.falseValue(), hint); }, hint);
}
