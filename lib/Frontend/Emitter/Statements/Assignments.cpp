//===- Assignments.cpp - =, +=, del, and taking tuples apart --------------===//
#include "Assignments.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Calls/FunctionCalls.h"
#include "../Calls/Instances.h"
#include "../Conversions.h"
#include "../Expressions.h"
#include "../Expressions/Names.h"
#include "../Expressions/Operations.h"
#include "../Expressions/Subscripts.h"
#include "../FunctionContext.h"
#include "../SizeLimits.h"
#include "../TypeExpressions.h"
#include "Attempts.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

static bool assignTuple(FunctionContext &fn, TreeList<Expr> targets, SugaredValue *value, SourceRange range);

/// Says why a list or a dict is of none of the types that a Union annotation allows; empty for other values.
static std::string whyNoMember(const Type *annotated, const Type *given) {
  auto *either = llvm::dyn_cast<UnionType>(annotated);
  const bool isList = llvm::isa<ListType>(given), isDict = llvm::isa<DictType>(given);
  if (!either || (!isList && !isDict))
    return "";
  const std::string kind = isList ? "List" : "Dict";
  llvm::SmallVector<const Type *, 4> fitting;
  llvm::copy_if(either->members(), std::back_inserter(fitting),
                [&](const Type *member) { return isList ? llvm::isa<ListType>(member) : llvm::isa<DictType>(member); });
  if (fitting.empty())
    return ". Expected an Union type annotation with an inner " + kind + " type";
  if (fitting.size() > 1)
    return isList ? ". The Union type annotation can hold multiple inner List types, but none of those types match the "
                    "types of the given list elements"
                  : ". The Union type annotation can hold multiple inner Dict types, but none of those dict types can "
                    "hold the types of the given keys and values";
  if (isList)
    return ". List type annotation `" + fitting[0]->annotation() +
           "` did not match the types of the given list elements";
  return ". Type annotation was inferred to be `" + fitting[0]->annotation() +
         "`, but the type of values given by the dict literal is " + llvm::cast<DictType>(given)->value()->annotation();
}

bool tsc::setVariable(FunctionContext &fn, StringRef written, SugaredValue *sugared, SourceRange range,
                      const Type *annotated) {
  std::string hidden = fn.env.nameHere(written);
  StringRef name = hidden;
  Value *value = nullptr;
  // Modules of a container differ in type: a name for one is no variable, but stands for that module from here on.
  if (auto *plain = llvm::dyn_cast<SimpleValue>(sugared); plain && fn.compiler.moduleInfo(plain->get()->type())) {
    fn.env.erase(name);
    fn.env.setSugared(name, sugared);
    return true;
  }
  if (llvm::isa<SimpleValue, ConstantSugar, TupleSugar>(sugared)) {
    value = sugared->asValue(fn, range);
    if (!value)
      return false;
    if (isTooLarge(value->type()))
      return fn.error(range, diag::TypeTooLarge, name);
  }
  if (value && !value->hasName() && isMeaningfulName(name) && &value->block() == fn.env.current().block)
    value->setName(name);
  const Type *known = fn.env.typeInParents(name);
  if (value && !known && !annotated && value->type()->isNone() && fn.compiler.widening)
    if (auto wider = fn.compiler.widening->types.find(name); wider != fn.compiler.widening->types.end())
      annotated = wider->second;
  if (known || fn.env.sugaredInParents(name)) {
    if (annotated && !(fn.env.onSet && annotated == known)) // whoever listens has declared it before
      return fn.error(range, diag::RedeclaredType, name);
    if (!value || !known)
      return fn.error(range, diag::NotFirstClass, name, sugared->describe());
    if (fn.compiler.moduleInfo(known) && !value->type()->isSubtypeOf(known))
      return fn.error(range, diag::ReassignedModule, name);
    value = convertTo(fn, value, known, range, /*allowConversions=*/!annotated || !value->type()->isTensor());
    const Type *wider = value->type()->isSubtypeOf(known) ? known : fn.env.widerType(name); // where the branches meet
    if (!wider || !value->type()->isSubtypeOf(wider)) {
      if (known->isNone() && fn.compiler.widening && fn.resolver.followsPython() &&
          fn.compiler.widening->types.size() < maxWidened &&
          fn.compiler.widening->types.try_emplace(name.str(), fn.context().optionalOf(value->type())).second) {
        fn.compiler.widening->isWanted = true;
        return false;
      }
      auto *list = llvm::dyn_cast<ListType>(known);
      StringRef hint =
          list && list->element()->isTensor() && llvm::isa<ListType>(value->type())
              ? "\nEmpty lists default to List[Tensor]. Add a variable annotation to the assignment to create an empty "
                "list of another type "
                "(torch.jit.annotate(List[T, []]) where T is the type of elements in the list for Python 2)"
              : "";
      return fn.error(range, diag::VariableType, name, known->annotation(), value->type()->annotation(), hint);
    }
  }
  if (!value) {
    fn.env.setSugared(name, sugared);
    return true;
  }
  fn.env.current().wider.erase(name.str());
  if (annotated && !value->type()->isSubtypeOf(annotated))
    if (auto *wanted = llvm::dyn_cast<DictType>(annotated), *given = llvm::dyn_cast<DictType>(value->type());
        wanted && given) {
      const bool isKey = given->key() != wanted->key();
      return fn.error(range, diag::AnnotatedType, name, annotated->annotation(),
                      given->annotation() + ". Dict type annotation `" + annotated->annotation() +
                          "` did not match the type of an actual " + (isKey ? "key" : "value") + " type `" +
                          (isKey ? given->key() : given->value())->annotation() + "`");
    }
  if (annotated && !value->type()->isSubtypeOf(annotated))
    return fn.error(range, diag::AnnotatedType, name, annotated->annotation(),
                    value->type()->annotation() + whyNoMember(annotated, value->type()));
  fn.env.forgetPathsOf(name);
  fn.env.store(name, value, range, annotated);
  fn.env.setType(name, annotated ? annotated : value->type());
  if (fn.env.onSet && !fn.env.onSet(name, annotated ? annotated : value->type(), range))
    return false;
  return !fn.scopes.attempt || keepForHandlers(fn, name, value, range);
}

/// Whether each module that a subscript may give has the methods of the interface which annotates the variable. False
/// after a report.
static bool implementsAnnotation(FunctionContext &fn, SugaredValue *value, const Type *annotated, SourceRange range) {
  auto *chosen = llvm::dyn_cast<ChosenModule>(value);
  auto *interface = llvm::dyn_cast_or_null<InterfaceType>(annotated);
  if (!chosen || !interface)
    return true;
  for (auto [name, type] : chosen->moduleTypes()) {
    // Methods are compiled when somebody wants them, and until then the class does not have them.
    auto *module = llvm::dyn_cast_or_null<ClassType>(type);
    if (module && fn.compiler.moduleInfo(module))
      for (const FunctionSchema &method : interface->methods())
        if (Function *own = fn.compiler.moduleMethod(module, method.name()); own && !ensureSchema(fn, range, own))
          return false;
    std::string why;
    if (type && !type->isSubtypeOf(interface, &why))
      return fn.error(range, diag::ModuleNotOfInterface, name, interface->annotation(), why);
  }
  return true;
}

bool tsc::emitAssign(FunctionContext &fn, const Assign &tree) {
  auto *variable = llvm::dyn_cast<Var>(tree.targets().front());
  const std::string name = variable ? fn.env.nameHere(variable->name()) : std::string();
  const bool isNew = variable && !fn.env.isDefined(name);
  if (!tree.value()) { // `x: T` says of what type the value is that the variable is given first
    if (const Type *declared = isNew ? tryTypeFromExpression(fn.context(), fn.resolver, tree.type()) : nullptr)
      fn.env.declaredTypes[name] = declared;
    return true;
  }
  const Type *annotated = nullptr;
  if (tree.type() && !(annotated = annotationType(fn, tree.type())))
    return false;
  if (isNew && !tree.type())
    if (auto declared = fn.env.declaredTypes.find(name); declared != fn.env.declaredTypes.end())
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
      if (auto *self = llvm::dyn_cast<Var>(select->value()); self && fn.env.typeOf(self->name()))
        if (auto *type = llvm::dyn_cast<ClassType>(fn.env.typeOf(self->name())))
          if (auto slot = type->findAttribute(select->name()))
            hint = type->attribute(*slot).type;
  SugaredValue *value = emitSugared(fn, tree.value(), binders, hint);
  if (!value)
    return false;
  // The constant keeps the place of its name, `torch.float32`, which says what print() shows of it.
  if (auto *known = llvm::dyn_cast<ConstantSugar>(value); known && known->value.isInt())
    value = fn.simple(known->asValue(fn, tree.value()->range()));
  if (!implementsAnnotation(fn, value, annotated, tree.value()->range()))
    return false;
  auto *plain = llvm::dyn_cast<SimpleValue>(value);
  if (plain && llvm::isa<TupleLiteral>(first) && plain->get()->type()->kind() == TypeKind::AnyTuple)
    return plain->asTuple(fn, tree.value()->range(), binders).has_value(); // says that its elements are unknown
  if (plain && variable && fn.compiler.moduleInfo(plain->get()->type()))
    if (fn.env.sugaredInParents(name) || fn.env.typeInParents(name))
      return fn.error(variable->range(), diag::NotFirstClass, name,
                      "value of type module '" + plain->get()->type()->annotation() + "'");
  if (annotated && llvm::isa<SimpleValue, ConstantSugar>(value)) {
    Value *plain = value->asValue(fn, tree.range());
    if (plain && !tree.type()) // declared before: an int will do where a float is wanted
      plain = asFloatFor(fn, plain, annotated, tree.range());
    if (!plain)
      return false;
    value = fn.simple(convertTo(fn, plain, annotated, tree.range(), /*allowConversions=*/!plain->type()->isTensor()));
    if (llvm::isa<ListLiteral>(tree.value()) && !llvm::isa<ListType, OptionalType, UnionType>(annotated) &&
        !plain->type()->isSubtypeOf(annotated))
      return fn.error(tree.value()->range(), diag::ListHint, annotated->annotation());
  }
  if (tree.targets().size() > 1) { // a = b = value: emitted once
    Value *plain = value->asValue(fn, tree.range());
    if (!plain)
      return false;
    value = fn.simple(plain);
  }
  for (const Tree *target : tree.targets())
    if (!assignTo(fn, target, value, tree.range(), annotated))
      return false;
  return true;
}

/// What `object.name = value` tells of the attribute until something may set it again: `self.cache = {}` is a dict.
static void noteAssigned(FunctionContext &fn, const Select &target, SugaredValue *object, const Type *assigned) {
  auto *holder = llvm::dyn_cast<SimpleValue>(object);
  auto *type = holder ? llvm::dyn_cast<ClassType>(holder->get()->type()) : nullptr;
  auto slot = type ? type->findAttribute(target.name()) : std::nullopt;
  const Type *declared = slot ? type->attribute(*slot).type : nullptr;
  std::string place = placeOf(fn, &target);
  if (declared && llvm::isa<OptionalType, UnionType>(declared) && !place.empty() && assigned != declared &&
      !assigned->isNone() && assigned->isSubtypeOf(declared))
    fn.env.setPath(place, assigned);
}

bool tsc::assignTo(FunctionContext &fn, const Tree *target, SugaredValue *value, SourceRange range,
                   const Type *annotated) {
  switch (target->kind()) {
  case TreeKind::Var: return setVariable(fn, llvm::cast<Var>(target)->name(), value, target->range(), annotated);
  case TreeKind::TupleLiteral: return assignTuple(fn, llvm::cast<TupleLiteral>(target)->elements(), value, range);
  case TreeKind::ListLiteral: return assignTuple(fn, llvm::cast<ListLiteral>(target)->elements(), value, range);
  case TreeKind::Subscript: {
    Value *plain = value->asValue(fn, range);
    return plain && emitSubscriptAssign(fn, *llvm::cast<Subscript>(target), plain, range);
  }
  case TreeKind::Select: {
    auto *select = llvm::cast<Select>(target);
    Value *plain = value->asValue(fn, range);
    if (plain && annotated && plain->type() != annotated) { // `self.next: Optional[Node] = None`
      if (!plain->type()->isSubtypeOf(annotated))
        return fn.error(target->range(), diag::AnnotatedType, select->name(), annotated->annotation(),
                        plain->type()->annotation());
      plain = fn.castTo(plain, annotated, range);
    }
    SugaredValue *object = plain ? emitSugared(fn, select->value()) : nullptr;
    if (!object || !object->setAttribute(fn, range, select->name(), plain))
      return false;
    noteAssigned(fn, *select, object, plain->type());
    return true;
  }
  case TreeKind::Starred: return fn.error(target->range(), diag::LoneStarred);
  default: return fn.error(target->range(), diag::InvalidTarget, treeKindName(target->kind()));
  }
}

/// `first, *rest, last = list`
static bool assignFromList(FunctionContext &fn, TreeList<Expr> targets, size_t star, Value *list, SourceRange range) {
  const int64_t need = static_cast<int64_t>(targets.size()) - 1;
  if (!callTemplate(fn, range, "check_length", {list, fn.constant(need, range)}))
    return false;
  for (size_t i = 0; i != targets.size(); ++i) {
    if (i == star) {
      Value *rest = callTemplate(fn, range, "rest_of_list",
                                 {list, fn.constant(static_cast<int64_t>(star), range),
                                  fn.constant(need - static_cast<int64_t>(star), range)});
      if (!rest || !assignTo(fn, llvm::cast<Starred>(targets[i])->value(), fn.simple(rest), range))
        return false;
      continue;
    }
    int64_t place = i < star ? static_cast<int64_t>(i) : static_cast<int64_t>(i) - static_cast<int64_t>(targets.size());
    Value *element = callBuiltin(fn, range, aten::__getitem__, {list, fn.constant(place, range)});
    if (!element || !assignTo(fn, targets[i], fn.simple(element), range))
      return false;
  }
  return true;
}

static bool assignTuple(FunctionContext &fn, TreeList<Expr> targets, SugaredValue *value, SourceRange range) {
  std::optional<size_t> star;
  for (size_t i = 0; i != targets.size(); ++i)
    if (llvm::isa<Starred>(targets[i])) {
      if (star)
        return fn.error(targets[i]->range(), diag::TwoStarred);
      star = i;
    }
  if (auto *plain = llvm::dyn_cast<SimpleValue>(value); plain && star && llvm::isa<ListType>(plain->get()->type()))
    return assignFromList(fn, targets, *star, plain->get(), range);
  auto parts = value->asTuple(fn, range, star ? NumBinders() : NumBinders(targets.size()));
  if (!parts)
    return false;
  size_t have = parts->size(), need = targets.size() - (star ? 1 : 0);
  if (have < need)
    return fn.error(range, diag::NotEnoughValues, need, have);
  if (have > need && !star)
    return fn.error(range, diag::TooManyValues, need, have);
  size_t next = 0;
  for (size_t i = 0; i != targets.size(); ++i) {
    if (star != i) {
      if (!assignTo(fn, targets[i], (*parts)[next++], range))
        return false;
      continue;
    }
    llvm::SmallVector<Value *, 4> rest;
    for (size_t k = 0; k != have - need; ++k) {
      Value *plain = (*parts)[next++]->asValue(fn, range);
      if (!plain)
        return false;
      rest.push_back(plain);
    }
    // A list, as in Python, where what is left is of one type.
    const bool isList = fn.resolver.followsPython() && !fn.resolver.isPrinted() && !rest.empty() &&
                        llvm::all_of(rest, [&](Value *each) { return each->type() == rest[0]->type(); }) &&
                        !fn.compiler.moduleInfo(rest[0]->type());
    Value *whole = isList ? fn.makeList(rest[0]->type(), rest, range) : fn.makeTuple(rest, range);
    if (!assignTo(fn, llvm::cast<Starred>(targets[i])->value(), fn.simple(whole), range))
      return false;
  }
  return true;
}

//===-- Augmented ----------------------------------------------------------===//

static StringRef augmentedName(TreeOp op, bool inPlace) {
  switch (op) {
#define AUGMENTED_OPERATOR(tree, op, written)                                                                          \
  case TreeOp::tree: return inPlace ? #written : #op;
#include "../../Library.def"
  default: return "";
  }
}

Symbol tsc::inPlaceOperator(FunctionContext &fn, TreeOp op, Value *target, SourceRange range) {
  bool isList = llvm::isa<ListType>(target->type());
  bool inPlace = target->type()->isTensor() || (isList && (op == TreeOp::Add || op == TreeOp::Mul));
  if (inPlace && op == TreeOp::Mod && fn.resolver.followsPython()) // PyTorch's rounds towards zero
    return fn.context().symbol("aten::remainder_");
  return fn.context().symbol(augmentedName(op, inPlace));
}

/// `target op= value` as a value: in place where the target's type can.
static Value *emitAugmented(FunctionContext &fn, const AugAssign &tree, Value *current) {
  auto *type = llvm::dyn_cast<ClassType>(current->type());
  if (type && !type->findMethod(inPlaceMethod(tree.op()))) {
    Value *rhs = emitExpr(fn, tree.value());
    auto *other = rhs ? llvm::dyn_cast<ClassType>(rhs->type()) : nullptr;
    const StringRef method = treeOpMethod(tree.op());
    if (rhs && !type->findMethod(method) && !(other && other->findMethod(reflectedMethod(tree.op()))))
      return fn.error(tree.range(), diag::NoInPlaceOperator, type->annotation(), inPlaceMethod(tree.op()), method);
    return rhs ? emitBinaryOn(fn, tree.op(), current, rhs, tree.range()) : nullptr;
  }
  // A list literal has the elements of the list that it extends.
  Value *rhs = emitExpr(fn, tree.value(),
                        llvm::isa<ListType>(current->type()) && tree.op() == TreeOp::Add ? current->type() : nullptr);
  if (!rhs)
    return nullptr;
  const bool isNumber = current->type()->isNumber() || current->type()->isSubtypeOf(Type::numberType());
  if (llvm::isa<TupleType>(current->type()) || (current->type()->isString() && tree.op() != TreeOp::Add) ||
      (isNumber && rhs->type()->isTensor())) // no number changes in place, and the result is a tensor
    return emitBinaryOn(fn, tree.op(), current, rhs, tree.range());
  if (type)
    return callMethod(fn, tree.range(), current, type->findMethod(inPlaceMethod(tree.op())), {rhs}, {});
  llvm::SaveAndRestore<StringRef> spelled(fn.spelling, treeOpSpelling(tree.op()));
  Value *result = callBuiltin(fn, tree.range(), inPlaceOperator(fn, tree.op(), current, tree.range()), {current, rhs});
  return result && tree.op() == TreeOp::Pow ? asPythonPower(fn, result) : result;
}

bool tsc::emitAugAssign(FunctionContext &fn, const AugAssign &tree) {
  switch (tree.target()->kind()) {
  case TreeKind::Var: {
    auto *var = llvm::cast<Var>(tree.target());
    SugaredValue *sugared = lookUp(fn, var->name(), var->range());
    Value *current = sugared ? sugared->asValue(fn, tree.range()) : nullptr;
    Value *result = current ? emitAugmented(fn, tree, current) : nullptr;
    return result && setVariable(fn, var->name(), fn.simple(result), tree.range());
  }
  case TreeKind::Select: {
    auto *select = llvm::cast<Select>(tree.target());
    SugaredValue *object = emitSugared(fn, select->value());
    SugaredValue *attribute = object ? object->attribute(fn, select->range(), select->name()) : nullptr;
    Value *current = attribute ? attribute->asValue(fn, tree.range()) : nullptr;
    if (!current)
      return false;
    if (llvm::isa<OptionalType, UnionType>(current->type()))
      if (const Type *narrowed = fn.env.typeOfPath(placeOf(fn, select)))
        current = fn.castTo(current, narrowed, tree.range());
    Value *result = emitAugmented(fn, tree, current);
    // A tensor was changed in place; an attribute of another type has to be written back.
    if (!result || (!result->type()->isTensor() && !object->setAttribute(fn, tree.range(), select->name(), result)))
      return false;
    noteAssigned(fn, *select, object, result->type());
    return true;
  }
  case TreeKind::Subscript: return emitSubscriptAugAssign(fn, tree, *llvm::cast<Subscript>(tree.target()));
  default: return fn.error(tree.target()->range(), diag::InvalidTarget, treeKindName(tree.target()->kind()));
  }
}

bool tsc::emitDelete(FunctionContext &fn, const Delete &tree) {
  for (const Tree *target : tree.targets()) {
    if (auto *var = llvm::dyn_cast<Var>(target)) {
      if (!fn.env.isDefined(var->name()))
        return fn.error(var->range(), diag::UndefinedValue, var->name());
      fn.env.erase(var->name());
      continue;
    }
    auto *subscript = llvm::dyn_cast<Subscript>(target);
    if (!subscript || subscript->indices().size() != 1)
      return fn.error(target->range(), diag::InvalidDelete);
    Value *object = emitExpr(fn, subscript->value());
    if (object && (llvm::isa<TupleType>(object->type()) || object->type()->isString()))
      return fn.error(target->range(), diag::ImmutableElements, object->type()->annotation(), "deletion of items");
    if (object && llvm::isa<ListType>(object->type()) && isSlice(fn, subscript->indices()[0])) {
      auto bounds = emitSliceBounds(fn, subscript->indices()[0], tree.range(), /*areOptional=*/true);
      if (!bounds ||
          !callTemplate(fn, tree.range(), "delete_slice", {object, (*bounds)[0], (*bounds)[1], (*bounds)[2]}))
        return false;
      continue;
    }
    Value *index = object ? emitExpr(fn, subscript->indices()[0]) : nullptr;
    if (!index || !callMagic(fn, target->range(), "__delitem__", aten::Delete, {object, index}))
      return false;
  }
  return true;
}
