//===- Assignments.cpp - =, +=, del, and taking tuples apart --------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "SizeLimits.h"
#include "TypeExpressions.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

bool FunctionEmitter::setVariable(StringRef written, SugaredValue *sugared, SourceRange range, const Type *annotated) {
  std::string hidden = nameHere(written);
  StringRef name = hidden;
  Value *value = nullptr;
  // Modules of a container differ in type: a name for one is no variable, but stands for that module from here on.
  if (auto *plain = llvm::dyn_cast<SimpleValue>(sugared); plain && compiler.moduleInfo(plain->get()->type())) {
    env.erase(name);
    env.setSugared(name, sugared);
    return true;
  }
  if (llvm::isa<SimpleValue, ConstantSugar, TupleSugar>(sugared)) {
    value = sugared->asValue(*this, range);
    if (!value)
      return false;
    if (isTooLarge(value->type()))
      return error(range, diag::TypeTooLarge, name);
  }
  if (value && !value->hasName() && isMeaningfulName(name) && &value->block() == env.current().block)
    value->setName(name);
  const Type *known = env.typeInParents(name);
  if (value && !known && !annotated && value->type()->isNone() && compiler.widening)
    if (auto wider = compiler.widening->types.find(name); wider != compiler.widening->types.end())
      annotated = wider->second;
  if (known || env.sugaredInParents(name)) {
    if (annotated && !(onBound && annotated == known)) // whoever listens has declared it before
      return error(range, diag::RedeclaredType, name);
    if (!value || !known)
      return error(range, diag::NotFirstClass, name, sugared->describe());
    value = convertTo(value, known, range, /*allowConversions=*/!annotated || !value->type()->isTensor());
    const Type *wider = value->type()->isSubtypeOf(known) ? known : env.widerType(name); // where the branches meet
    if (!wider || !value->type()->isSubtypeOf(wider)) {
      if (known->isNone() && compiler.widening && resolver.followsPython() &&
          compiler.widening->types.size() < maxWidened &&
          compiler.widening->types.try_emplace(name.str(), context.optionalOf(value->type())).second) {
        compiler.widening->isWanted = true;
        return false;
      }
      auto *list = llvm::dyn_cast<ListType>(known);
      StringRef hint =
          list && list->element()->isTensor() && llvm::isa<ListType>(value->type())
              ? "\nEmpty lists default to List[Tensor]. Add a variable annotation to the assignment to create an empty "
                "list of another type "
                "(torch.jit.annotate(List[T, []]) where T is the type of elements in the list for Python 2)"
              : "";
      return error(range, diag::VariableType, name, known->annotation(), value->type()->annotation(), hint);
    }
  }
  if (!value) {
    env.setSugared(name, sugared);
    return true;
  }
  env.current().wider.erase(name.str());
  if (annotated && !value->type()->isSubtypeOf(annotated))
    return error(range, diag::AnnotatedType, name, annotated->annotation(), value->type()->annotation());
  env.forgetPathsOf(name);
  env.store(name, value, range, annotated);
  env.setType(name, annotated ? annotated : value->type());
  if (onBound && !onBound(name, annotated ? annotated : value->type(), range))
    return false;
  return !attempt || keepForHandlers(name, value, range);
}

bool FunctionEmitter::emitAssign(const Assign &tree) {
  auto *variable = llvm::dyn_cast<Var>(tree.targets().front());
  const std::string name = variable ? nameHere(variable->name()) : std::string();
  const bool isNew = variable && !env.isDefined(name);
  if (!tree.value()) { // `x: T` says of what type the value is that the variable is given first
    if (const Type *declared = isNew ? tryTypeFromExpression(context, resolver, tree.type()) : nullptr)
      declaredTypes[name] = declared;
    return true;
  }
  const Type *annotated = nullptr;
  if (tree.type() && !(annotated = annotationType(tree.type())))
    return false;
  if (isNew && !tree.type())
    if (auto declared = declaredTypes.find(name); declared != declaredTypes.end())
      annotated = declared->second;
  const Tree *first = tree.targets().front();
  NumBinders binders = 1;
  if (auto *tuple = llvm::dyn_cast<TupleLiteral>(first)) {
    bool starred = llvm::any_of(tuple->elements(), [](const Tree *t) { return llvm::isa<Starred>(t); });
    binders = starred ? NumBinders() : NumBinders(tuple->elements().size());
  }
  const Type *hint = annotated;
  if (!hint)
    if (auto *select = llvm::dyn_cast<Select>(first))
      if (auto *self = llvm::dyn_cast<Var>(select->value()); self && env.typeOf(self->name()))
        if (auto *type = llvm::dyn_cast<ClassType>(env.typeOf(self->name())))
          if (auto slot = type->findAttribute(select->name()))
            hint = type->attribute(*slot).type;
  SugaredValue *value = emitSugared(tree.value(), binders, hint);
  if (!value)
    return false;
  // The constant keeps the place of its name, `torch.float32`, which says what print() shows of it.
  if (auto *known = llvm::dyn_cast<ConstantSugar>(value); known && known->value.isInt())
    value = simple(known->asValue(*this, tree.value()->range()));
  auto *plain = llvm::dyn_cast<SimpleValue>(value);
  if (plain && variable && compiler.moduleInfo(plain->get()->type()))
    if (env.sugaredInParents(name) || env.typeInParents(name))
      return error(variable->range(), diag::NotFirstClass, name, value->describe());
  if (annotated && llvm::isa<SimpleValue, ConstantSugar>(value)) {
    Value *plain = value->asValue(*this, tree.range());
    if (plain && !tree.type()) // declared before: an int will do where a float is wanted
      plain = asFloatFor(plain, annotated, tree.range());
    if (!plain)
      return false;
    value = simple(convertTo(plain, annotated, tree.range(), /*allowConversions=*/!plain->type()->isTensor()));
  }
  if (tree.targets().size() > 1) { // a = b = value: emitted once
    Value *plain = value->asValue(*this, tree.range());
    if (!plain)
      return false;
    value = simple(plain);
  }
  for (const Tree *target : tree.targets())
    if (!assignTo(target, value, tree.range(), annotated))
      return false;
  return true;
}

/// What `object.name = value` tells of the attribute until something may set it again: `self.cache = {}` is a dict.
void FunctionEmitter::noteAssigned(const Select &target, SugaredValue *object, const Type *assigned) {
  auto *holder = llvm::dyn_cast<SimpleValue>(object);
  auto *type = holder ? llvm::dyn_cast<ClassType>(holder->get()->type()) : nullptr;
  auto slot = type ? type->findAttribute(target.name()) : std::nullopt;
  const Type *declared = slot ? type->attribute(*slot).type : nullptr;
  std::string place = placeOf(&target);
  if (declared && llvm::isa<OptionalType, UnionType>(declared) && !place.empty() && assigned != declared &&
      !assigned->isNone() && assigned->isSubtypeOf(declared))
    env.setPath(place, assigned);
}

bool FunctionEmitter::assignTo(const Tree *target, SugaredValue *value, SourceRange range, const Type *annotated) {
  switch (target->kind()) {
  case TreeKind::Var: return setVariable(llvm::cast<Var>(target)->name(), value, target->range(), annotated);
  case TreeKind::TupleLiteral: return assignTuple(llvm::cast<TupleLiteral>(target)->elements(), value, range);
  case TreeKind::ListLiteral: return assignTuple(llvm::cast<ListLiteral>(target)->elements(), value, range);
  case TreeKind::Subscript: {
    Value *plain = value->asValue(*this, range);
    return plain && emitSubscriptAssign(*llvm::cast<Subscript>(target), plain, range);
  }
  case TreeKind::Select: {
    auto *select = llvm::cast<Select>(target);
    Value *plain = value->asValue(*this, range);
    if (plain && annotated && plain->type() != annotated) { // `self.next: Optional[Node] = None`
      if (!plain->type()->isSubtypeOf(annotated))
        return error(target->range(), diag::AnnotatedType, select->name(), annotated->annotation(),
                     plain->type()->annotation());
      plain = castTo(plain, annotated, range);
    }
    SugaredValue *object = plain ? emitSugared(select->value()) : nullptr;
    if (!object || !object->setAttribute(*this, target->range(), select->name(), plain))
      return false;
    noteAssigned(*select, object, plain->type());
    return true;
  }
  default: return error(target->range(), diag::InvalidTarget, treeKindName(target->kind()));
  }
}

/// `first, *rest, last = list`
bool FunctionEmitter::assignFromList(TreeList<Expr> targets, size_t star, Value *list, SourceRange range) {
  const int64_t need = static_cast<int64_t>(targets.size()) - 1;
  if (!callTemplate(range, "check_length", {list, constant(need, range)}))
    return false;
  for (size_t i = 0; i != targets.size(); ++i) {
    if (i == star) {
      Value *rest = callTemplate(
          range, "rest_of_list",
          {list, constant(static_cast<int64_t>(star), range), constant(need - static_cast<int64_t>(star), range)});
      if (!rest || !assignTo(llvm::cast<Starred>(targets[i])->value(), simple(rest), range))
        return false;
      continue;
    }
    int64_t place = i < star ? static_cast<int64_t>(i) : static_cast<int64_t>(i) - static_cast<int64_t>(targets.size());
    Value *element = callBuiltin(range, aten::__getitem__, {list, constant(place, range)});
    if (!element || !assignTo(targets[i], simple(element), range))
      return false;
  }
  return true;
}

bool FunctionEmitter::assignTuple(TreeList<Expr> targets, SugaredValue *value, SourceRange range) {
  std::optional<size_t> star;
  for (size_t i = 0; i != targets.size(); ++i)
    if (llvm::isa<Starred>(targets[i])) {
      if (star)
        return error(targets[i]->range(), diag::TwoStarred);
      star = i;
    }
  if (auto *plain = llvm::dyn_cast<SimpleValue>(value); plain && star && llvm::isa<ListType>(plain->get()->type()))
    return assignFromList(targets, *star, plain->get(), range);
  auto parts = value->asTuple(*this, range, star ? NumBinders() : NumBinders(targets.size()));
  if (!parts)
    return false;
  size_t have = parts->size(), need = targets.size() - (star ? 1 : 0);
  if (have < need)
    return error(range, diag::NotEnoughValues, need, have);
  if (have > need && !star)
    return error(range, diag::TooManyValues, need, have);
  size_t next = 0;
  for (size_t i = 0; i != targets.size(); ++i) {
    if (star != i) {
      if (!assignTo(targets[i], (*parts)[next++], range))
        return false;
      continue;
    }
    llvm::SmallVector<Value *, 4> rest;
    for (size_t k = 0; k != have - need; ++k) {
      Value *plain = (*parts)[next++]->asValue(*this, range);
      if (!plain)
        return false;
      rest.push_back(plain);
    }
    // A list, as in Python, where what is left is of one type.
    const bool isList = resolver.followsPython() && !resolver.isPrinted() && !rest.empty() &&
                        llvm::all_of(rest, [&](Value *each) { return each->type() == rest[0]->type(); }) &&
                        !compiler.moduleInfo(rest[0]->type());
    Value *whole = isList ? makeList(rest[0]->type(), rest, range) : makeTuple(rest, range);
    if (!assignTo(llvm::cast<Starred>(targets[i])->value(), simple(whole), range))
      return false;
  }
  return true;
}

//===-- Augmented ----------------------------------------------------------===//

static StringRef augmentedName(TreeOp op, bool inPlace) {
  switch (op) {
#define AUGMENTED_OPERATOR(tree, op, written)                                                                          \
  case TreeOp::tree: return inPlace ? #written : #op;
#include "../Library.def"
  default: return "";
  }
}

Symbol FunctionEmitter::inPlaceOperator(TreeOp op, Value *target, SourceRange range) {
  bool isList = llvm::isa<ListType>(target->type());
  bool inPlace = target->type()->isTensor() || (isList && (op == TreeOp::Add || op == TreeOp::Mul));
  if (inPlace && op == TreeOp::Mod && resolver.followsPython()) // PyTorch's rounds towards zero
    return context.symbol("aten::remainder_");
  return context.symbol(augmentedName(op, inPlace));
}

/// `target op= value` as a value: in place where the target's type can.
static Value *emitAugmented(FunctionEmitter &e, const AugAssign &tree, Value *current) {
  auto *type = llvm::dyn_cast<ClassType>(current->type());
  if (type && !type->findMethod(inPlaceMethod(tree.op()))) {
    Value *rhs = e.emitExpr(tree.value());
    return rhs ? e.emitBinaryOn(tree.op(), current, rhs, tree.range()) : nullptr;
  }
  // A list literal has the elements of the list that it extends.
  Value *rhs = e.emitExpr(tree.value(),
                          llvm::isa<ListType>(current->type()) && tree.op() == TreeOp::Add ? current->type() : nullptr);
  if (!rhs)
    return nullptr;
  if (llvm::isa<TupleType>(current->type()) || (current->type()->isString() && tree.op() != TreeOp::Add))
    return e.emitBinaryOn(tree.op(), current, rhs, tree.range());
  if (type)
    return e.callMethod(tree.range(), current, type->findMethod(inPlaceMethod(tree.op())), {rhs}, {});
  llvm::SaveAndRestore<StringRef> spelled(e.spelling, treeOpSpelling(tree.op()));
  Value *result = e.callBuiltin(tree.range(), e.inPlaceOperator(tree.op(), current, tree.range()), {current, rhs});
  return result && tree.op() == TreeOp::Pow ? e.asPythonPower(result) : result;
}

bool FunctionEmitter::emitAugAssign(const AugAssign &tree) {
  switch (tree.target()->kind()) {
  case TreeKind::Var: {
    auto *var = llvm::cast<Var>(tree.target());
    SugaredValue *sugared = lookUp(var->name(), var->range());
    Value *current = sugared ? sugared->asValue(*this, tree.range()) : nullptr;
    Value *result = current ? emitAugmented(*this, tree, current) : nullptr;
    return result && setVariable(var->name(), simple(result), tree.range());
  }
  case TreeKind::Select: {
    auto *select = llvm::cast<Select>(tree.target());
    SugaredValue *object = emitSugared(select->value());
    SugaredValue *attribute = object ? object->attribute(*this, select->range(), select->name()) : nullptr;
    Value *current = attribute ? attribute->asValue(*this, tree.range()) : nullptr;
    if (!current)
      return false;
    if (llvm::isa<OptionalType, UnionType>(current->type()))
      if (const Type *narrowed = env.typeOfPath(placeOf(select)))
        current = castTo(current, narrowed, tree.range());
    Value *result = emitAugmented(*this, tree, current);
    // A tensor was changed in place; an attribute of another type has to be written back.
    if (!result || (!result->type()->isTensor() && !object->setAttribute(*this, tree.range(), select->name(), result)))
      return false;
    noteAssigned(*select, object, result->type());
    return true;
  }
  case TreeKind::Subscript: return emitSubscriptAugAssign(tree, *llvm::cast<Subscript>(tree.target()));
  default: return error(tree.target()->range(), diag::InvalidTarget, treeKindName(tree.target()->kind()));
  }
}

bool FunctionEmitter::emitDelete(const Delete &tree) {
  for (const Tree *target : tree.targets()) {
    if (auto *var = llvm::dyn_cast<Var>(target)) {
      if (!env.isDefined(var->name()))
        return error(var->range(), diag::UndefinedValue, var->name());
      env.erase(var->name());
      continue;
    }
    auto *subscript = llvm::dyn_cast<Subscript>(target);
    if (!subscript || subscript->indices().size() != 1)
      return error(target->range(), diag::InvalidDelete);
    Value *object = emitExpr(subscript->value());
    if (object && (llvm::isa<TupleType>(object->type()) || object->type()->isString()))
      return error(target->range(), diag::ImmutableElements, object->type()->annotation());
    auto *slice = llvm::dyn_cast<Slice>(subscript->indices()[0]);
    if (slice && object && llvm::isa<ListType>(object->type())) {
      auto bounds = emitSliceBounds(*slice, tree.range());
      if (!bounds || !callTemplate(tree.range(), "delete_slice", {object, (*bounds)[0], (*bounds)[1], (*bounds)[2]}))
        return false;
      continue;
    }
    Value *index = object ? emitExpr(subscript->indices()[0]) : nullptr;
    if (!index || !callMagic(tree.range(), "__delitem__", aten::Delete, {object, index}))
      return false;
  }
  return true;
}
