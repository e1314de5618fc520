//===- Comprehensions.cpp - [x for x in xs], which becomes a loop ---------===//
#include "Comprehensions.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Expressions.h"
#include "../FunctionContext.h"
#include "../Refinement.h"
#include "../Statements/Branches.h"
#include "../Statements/Loops.h"
#include "Conditions.h"
#include "Displays.h"

using namespace tsc;

/// Targets of a comprehension are its own: variables of these names around it stay as they are.
static void hideTargets(FunctionContext &fn, const Tree *target) {
  if (auto *var = llvm::dyn_cast<Var>(target)) {
    std::string name = var->name().str();
    if (fn.env.typeOf(name) || fn.env.sugaredOf(name))
      fn.env.renamed[name] = fn.compiler.hiddenName(name);
  } else if (llvm::isa<TupleLiteral, ListLiteral, Starred>(target)) {
    for (const Tree *part : target->children())
      hideTargets(fn, part);
  }
}

/// Runs `innermost` in the loops of a comprehension, conditions included.
static bool emitLoops(FunctionContext &fn, TreeList<Comprehension> loops, size_t depth,
                      llvm::function_ref<bool()> innermost) {
  if (depth == loops.size())
    return innermost();
  const Comprehension *loop = loops[depth];
  SugaredValue *source = emitSugared(fn, loop->iterable());
  SugaredValue *iterable = source ? source->iterable(fn, loop->iterable()->range()) : nullptr;
  if (!iterable)
    return false;
  hideTargets(fn, loop->target());
  return emitForLoop(fn, loop->target(), iterable, loop->range(), [&] {
    std::function<bool(size_t)> guarded = [&](size_t i) -> bool {
      if (i == loop->conditions().size())
        return emitLoops(fn, loops, depth + 1, innermost);
      Condition condition = emitCondition(fn, loop->conditions()[i]);
      return condition &&
             emitIfBlocks(fn, loop->range(), condition, [&] { return guarded(i + 1); }, [] { return true; });
    };
    return guarded(0);
  });
}

bool tsc::emitComprehensionLoops(FunctionContext &fn, TreeList<Comprehension> loops,
                                 llvm::function_ref<bool()> innermost) {
  auto around = fn.env.renamed;
  auto errors = fn.env.current().errors; // behind the loops, their targets are what they were: perhaps undefined
  bool ok = emitLoops(fn, loops, 0, innermost);
  fn.env.renamed = std::move(around);
  fn.env.current().errors = std::move(errors);
  return ok;
}

Value *tsc::emitListComp(FunctionContext &fn, const ListComp &tree, const Type *hint) {
  return emitComprehension(fn, tree.element(), tree.loops(), tree.range(), hint);
}

/// Of a list and of what has been appended to it so far, which gives the list.
static void setTypeOfList(Value &list, const Type *type) {
  list.setType(type);
  for (const Use &use : list.uses())
    if (use.user()->kind() == aten::append)
      use.user()->output()->setType(type);
}

Value *tsc::emitComprehension(FunctionContext &fn, const Tree *elementTree, TreeList<Comprehension> loops,
                              SourceRange range, const Type *hint) {
  auto *listHint = hintOf<ListType>(hint);
  const auto alternatives = hint ? alternativesOf(hint) : std::vector<const Type *>();
  const bool mayChoose = llvm::any_of(alternatives, [](const Type *type) { return llvm::isa<ListType>(type); });
  if (hint && !listHint && !mayChoose && !hint->isAny())
    return fn.error(range, diag::ListCompHint,
                    hint->annotation() + (llvm::isa<UnionType>(hint)
                                              ? ". Expected an Union type annotation with an inner List type"
                                              : ""));
  Value *list = fn.makeList(listHint ? listHint->element() : Type::tensorType(), {}, range);
  bool typed = listHint;
  bool ok = emitComprehensionLoops(fn, loops, [&]() -> bool {
    Value *element = emitExpr(fn, elementTree, listHint ? listHint->element() : nullptr);
    if (!element)
      return false;
    if (listHint && llvm::isa<UnionType>(hint) && !element->type()->isSubtypeOf(listHint->element()))
      return fn.error(range, diag::AnnotateType, hint->annotation(),
                      fn.context().listOf(element->type())->annotation() + ". List type annotation `" +
                          listHint->annotation() + "` did not match the types of the given list elements");
    if (!typed)
      list->setType(fn.context().listOf(element->type()));
    else if (const Type *known = llvm::cast<ListType>(list->type())->element(); !listHint && element->type() != known)
      if (const Type *both =
              fn.context().unify(known, element->type())) // of a tuple's elements, each of which has its type
        setTypeOfList(*list, fn.context().listOf(both));
    typed = true;
    return callBuiltin(fn, range, aten::append, {list, element}) != nullptr;
  });
  return ok ? list : nullptr;
}

/// Whether a dict can hold what a comprehension makes, where that may be of several types; false after a report.
static bool fitsDict(FunctionContext &fn, const DictComp &tree, const Value &key, const Value &value,
                     const DictType *annotated) {
  if (llvm::isa<UnionType>(key.type()))
    return fn.error(tree.key()->range(), diag::BadType,
                    "Dicts may only contain homogeneous keys, but the type of the first generated key was " +
                        key.type()->annotation());
  if (annotated && llvm::isa<UnionType>(value.type()) && !value.type()->isSubtypeOf(annotated->value()))
    return fn.error(tree.value()->range(), diag::DictHint, annotated->annotation(), "value",
                    value.type()->annotation());
  return true;
}

Value *tsc::emitDictComp(FunctionContext &fn, const DictComp &tree, const Type *hint) {
  auto *dictHint = hintOf<DictType>(hint);
  const Type *type = dictHint ? dictHint : fn.context().dictOf(Type::stringType(), Type::tensorType());
  Value *dict = fn.insertValue(prim::DictConstruct, {}, type, tree.range());
  bool typed = dictHint;
  bool ok = emitComprehensionLoops(fn, tree.loops(), [&] {
    Value *key = emitExpr(fn, tree.key());
    Value *value = key ? emitExpr(fn, tree.value()) : nullptr;
    if (!value)
      return false;
    if (!fitsDict(fn, tree, *key, *value, dictHint))
      return false;
    if (!typed)
      dict->setType(fn.context().dictOf(key->type(), value->type()));
    typed = true;
    return callBuiltin(fn, tree.range(), aten::_set_item, {dict, key, value}) != nullptr;
  });
  return ok ? dict : nullptr;
}
