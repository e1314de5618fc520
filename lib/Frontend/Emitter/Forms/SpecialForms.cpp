//===- SpecialForms.cpp - Calls that are compiled by their syntax ---------===//
//
// `annotate(T, x)`, `getattr(x, "name")` and the rest: callees that are neither functions
// nor operators, because they take a type, unroll, or hold no value. emitForm chooses
// among their handlers, of which the larger ones have files of their own.
//
//===----------------------------------------------------------------------===//
#include "SpecialForms.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Calls/CallExpressions.h"
#include "../Calls/Partials.h"
#include "../Conversions.h"
#include "../Expressions.h"
#include "../Expressions/Sets.h"
#include "../Expressions/TypeTests.h"
#include "../FunctionContext.h"
#include "../TypeExpressions.h"
#include "ContainerForms.h"
#include "Forks.h"
#include "IterationForms.h"
#include "Printing.h"

using namespace tsc;

EmitterContext::Failed tsc::arityError(FunctionContext &fn, SourceRange range, StringRef form, size_t low, size_t high,
                                       size_t count) {
  size_t limit = count < low ? low : high;
  const char *kind = low == high ? "exactly" : count < low ? "at least" : "at most";
  return fn.error(range, diag::FormArity, form, llvm::formatv("{0} {1} arguments", kind, limit).str(), count);
}

bool tsc::checkArity(FunctionContext &fn, const Apply &tree, StringRef form, size_t low, size_t high) {
  size_t count = tree.args().size();
  if (count < low || count > high)
    return arityError(fn, tree.range(), form, low, high, count);
  return tree.keywords().empty() || fn.error(tree.range(), diag::UnexpectedKeyword, form);
}

//===-- Types --------------------------------------------------------------===//

static Value *emitAnnotated(FunctionContext &fn, SourceRange range, const Tree *typeTree, const Tree *valueTree) {
  const Type *type = annotationType(fn, typeTree);
  Value *value = type ? emitExpr(fn, valueTree, type) : nullptr;
  if (!value)
    return nullptr;
  value = convertTo(fn, value, type, range, /*allowConversions=*/true);
  if (!value->type()->isSubtypeOf(type))
    return fn.error(range, diag::AnnotateType, type->annotation(), value->type()->annotation());
  // None annotated as Optional[T] has to have that type from now on.
  return value->type()->isNone() && type != value->type() ? fn.castTo(value, type, range) : value;
}

/// annotate(T, x), or Attribute(x, T).
static Value *emitAnnotate(FunctionContext &fn, const Apply &tree, bool isAttribute) {
  if (!checkArity(fn, tree, isAttribute ? "Attribute" : "annotate", 2, 2))
    return nullptr;
  return emitAnnotated(fn, tree.range(), tree.args()[isAttribute], tree.args()[!isAttribute]);
}

/// unchecked_cast(T, x). Where a condition has refined `x` to that type already, as it does when code is printed and
/// read again, the refined value will do: else each time there would be one cast more.
static Value *emitUncheckedCast(FunctionContext &fn, const Apply &tree) {
  const Type *type = checkArity(fn, tree, "unchecked_cast", 2, 2) ? annotationType(fn, tree.args()[0]) : nullptr;
  Value *value = type ? emitExpr(fn, tree.args()[1]) : nullptr;
  if (value && value->type() == type && value->node()->kind() == prim::unchecked_cast)
    return value;
  return value ? fn.castTo(value, type, tree.range()) : nullptr;
}

/// A form that gives a value of the type it is called with: uninitialized(T), T.__new__(T).
static Value *emitOfType(FunctionContext &fn, const Apply &tree, StringRef form, Symbol kind) {
  const Type *type = checkArity(fn, tree, form, 1, 1) ? annotationType(fn, tree.args()[0]) : nullptr;
  return type ? fn.insertValue(kind, {}, type, tree.range()) : nullptr;
}

//===-- Attributes ---------------------------------------------------------===//

/// The name that getattr and hasattr are given; null after a report.
static const StringLiteral *attributeNameOf(FunctionContext &fn, const Apply &tree, StringRef form) {
  if (auto *name = llvm::dyn_cast<StringLiteral>(tree.args()[1]))
    return name;
  return fn.error(tree.args()[1]->range(), diag::AttributeNameLiteral, form);
}

/// Whether a value has an attribute; a class has its methods, and not what its objects get.
static bool hasAttribute(FunctionContext &fn, SugaredValue *object, StringRef name) {
  auto *sugar = llvm::dyn_cast<ClassSugar>(object);
  if (!sugar)
    return object->hasAttribute(fn, name);
  const ClassType *type = sugar->type;
  auto info = fn.compiler.classes.find(type);
  return type->findMethod(name) || type->findStaticMethod(name) || type->findProperty(name) ||
         type->hasConstant(name) || classMethod(fn, type, name) ||
         (info != fn.compiler.classes.end() && info->second.constants.contains(name));
}

/// getattr(x, "name"), getattr(x, "name", y)
static SugaredValue *emitGetAttr(FunctionContext &fn, const Apply &tree) {
  SugaredValue *object = checkArity(fn, tree, "getattr", 2, 3) ? emitSugared(fn, tree.args()[0]) : nullptr;
  const StringLiteral *name = object ? attributeNameOf(fn, tree, "getattr") : nullptr;
  if (!name)
    return nullptr;
  if (tree.args().size() == 3 && !hasAttribute(fn, object, name->value()))
    return emitSugared(fn, tree.args()[2]);
  return object->attribute(fn, tree.range(), name->value());
}

/// hasattr(x, "name")
static Value *emitHasAttr(FunctionContext &fn, const Apply &tree) {
  SugaredValue *object = checkArity(fn, tree, "hasattr", 2, 2) ? emitSugared(fn, tree.args()[0]) : nullptr;
  const StringLiteral *name = object ? attributeNameOf(fn, tree, "hasattr") : nullptr;
  return name ? fn.constant(hasAttribute(fn, object, name->value()), tree.range()) : nullptr;
}

Value *tsc::emitEffect(FunctionContext &fn, const Apply &tree, Symbol kind, size_t padTo) {
  std::vector<NamedValue> args, kwargs;
  if (!emitArguments(fn, tree, args, kwargs))
    return nullptr;
  std::vector<Value *> values;
  for (NamedValue &value : args)
    values.push_back(kind == prim::Print ? textOfObject(fn, value.value, tree.range()) : value.value);
  if (llvm::is_contained(values, nullptr))
    return nullptr;
  while (values.size() < padTo)
    values.push_back(fn.none(tree.range()));
  Node *node = fn.insertNode(kind, values, 0, tree.range());
  if (fn.resolver.followsPython())
    followPython(*node);
  return fn.none(tree.range());
}

/// RaiseException(message), RaiseException(message, class)
static Value *emitRaiseForm(FunctionContext &fn, const Apply &tree) {
  return checkArity(fn, tree, "RaiseException", 1, 2) ? emitEffect(fn, tree, prim::RaiseException, 2) : nullptr;
}

/// super(): in a method of a module, what its first argument has from the classes behind that of the text.
static SugaredValue *emitSuper(FunctionContext &fn, const Apply &tree) {
  if (fn.scopes.constructed)
    return fn.make<NewExceptionSugar>(/*isSuper=*/true);
  Value *self =
      (fn.method.owner || fn.method.textOwner) && !fn.graph().inputs().empty() ? *fn.graph().inputs().begin() : nullptr;
  return fn.make<SuperSugar>(self, fn.method.owner, fn.method.textOwner);
}

SugaredValue *tsc::emitForm(FunctionContext &fn, FormKind form, const Apply &tree, NumBinders binders,
                            const Type *hint) {
  switch (form) {
  case FormKind::Annotate:
  case FormKind::JitAttribute: return fn.simple(emitAnnotate(fn, tree, form == FormKind::JitAttribute));
  case FormKind::UncheckedCast: return fn.simple(emitUncheckedCast(fn, tree));
  case FormKind::CastTyping: return checkArity(fn, tree, "cast", 2, 2) ? emitSugared(fn, tree.args()[1]) : nullptr;
  case FormKind::Uninitialized: return fn.simple(emitOfType(fn, tree, "uninitialized", prim::Uninitialized));
  case FormKind::NewObject: return fn.simple(emitOfType(fn, tree, "__new__", prim::CreateObject));
  case FormKind::IsInstance:
  case FormKind::IsTensor:
  case FormKind::JitIsInstance: return fn.simple(emitIsInstance(fn, tree, form).value);
  case FormKind::TypeOf: return emitTypeOf(fn, tree);
  case FormKind::GetAttr: return emitGetAttr(fn, tree);
  case FormKind::HasAttr: return fn.simple(emitHasAttr(fn, tree));
  case FormKind::Fork: return fn.simple(emitFork(fn, tree));
  case FormKind::Print: return fn.simple(emitPrint(fn, tree));
  case FormKind::Raise: return fn.simple(emitRaiseForm(fn, tree));
  case FormKind::List: return emitListForm(fn, tree, hint);
  case FormKind::Dict: return emitDictForm(fn, tree, hint);
  case FormKind::Tuple: return emitTupleForm(fn, tree, binders);
  case FormKind::Range: return emitRange(fn, tree);
  case FormKind::Enumerate: return emitEnumerate(fn, tree);
  case FormKind::Zip: return emitZip(fn, tree);
  case FormKind::Reversed: return emitReversed(fn, tree);
  case FormKind::Len: return fn.simple(emitLen(fn, tree));
  case FormKind::Super: return emitSuper(fn, tree);
  case FormKind::TrueConstant:
  case FormKind::FalseConstant: return fn.simple(fn.constant(form == FormKind::TrueConstant, tree.range()));
  case FormKind::Counter: return emitCounterForm(fn, tree, hint);
  case FormKind::Partial: return emitPartial(fn, tree);
  case FormKind::Iter: return checkArity(fn, tree, "iter", 1, 1) ? emitSugared(fn, tree.args()[0]) : nullptr;
  case FormKind::Set: return emitSetForm(fn, tree, hint);
  case FormKind::AssertNever: {
    Value *value = checkArity(fn, tree, "assert_never", 1, 1) ? emitExpr(fn, tree.args()[0]) : nullptr;
    if (!value)
      return nullptr;
    return fn.error(tree.range(), diag::AssertNever, value->type()->annotation());
  }
  case FormKind::ToList: break; // a method of tensors, which emitApply takes before
  }
  llvm_unreachable("a form that is not called by name");
}
