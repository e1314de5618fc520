//===- Expressions.cpp - Expressions, each by its handler -----------------===//
#include "Expressions.h"
#include "../SugaredValues/Values.h"
#include "Calls/CallExpressions.h"
#include "Calls/Instances.h"
#include "Expressions/Comprehensions.h"
#include "Expressions/Conditions.h"
#include "Expressions/Displays.h"
#include "Expressions/FormatStrings.h"
#include "Expressions/Names.h"
#include "Expressions/Operations.h"
#include "Expressions/Sets.h"
#include "Expressions/ShortCircuits.h"
#include "Expressions/Subscripts.h"
#include "FunctionContext.h"
#include "Observation.h"
#include "Statements/Branches.h"
#include "tsc/Support/Stack.h"

using namespace tsc;

static SugaredValue *emitUnobserved(FunctionContext &fn, const Tree *tree, NumBinders binders, const Type *hint);
static Value *emitSimpleExpr(FunctionContext &fn, const Tree *tree, const Type *hint);

Value *tsc::emitExpr(FunctionContext &fn, const Tree *tree, const Type *hint) {
  SugaredValue *value = emitSugared(fn, tree, 1, hint);
  return value ? value->asValue(fn, tree->range()) : nullptr;
}

SugaredValue *tsc::emitSugared(FunctionContext &fn, const Tree *tree, NumBinders binders, const Type *hint) {
  requireStack();
  SugaredValue *value = emitUnobserved(fn, tree, binders, hint);
  if (value && fn.compiler.observer)
    tellOf(fn, *tree, *value);
  return value;
}

static SugaredValue *emitUnobserved(FunctionContext &fn, const Tree *tree, NumBinders binders, const Type *hint) {
  switch (tree->kind()) {
  case TreeKind::Var: return lookUp(fn, llvm::cast<Var>(tree)->name(), tree->range());
  case TreeKind::Select: {
    auto *select = llvm::cast<Select>(tree);
    SugaredValue *object = emitSugared(fn, select->value());
    SugaredValue *member = object ? object->attribute(fn, tree->range(), select->name()) : nullptr;
    auto *value = llvm::dyn_cast_or_null<SimpleValue>(member);
    if (value && fn.env.hasFrames() && llvm::isa<OptionalType, UnionType>(value->get()->type()))
      if (const Type *narrowed = fn.env.typeOfPath(placeOf(fn, tree)))
        return fn.simple(fn.castTo(value->get(), narrowed, tree->range()));
    return member;
  }
  case TreeKind::Apply: return emitApply(fn, *llvm::cast<Apply>(tree), binders, hint);
  case TreeKind::Subscript: return emitSubscript(fn, *llvm::cast<Subscript>(tree), hint);
  case TreeKind::Lambda: return makeClosure(fn, *tree);
  default: return fn.simple(emitSimpleExpr(fn, tree, hint));
  }
}

static Value *emitNumber(FunctionContext &fn, const Tree *tree) {
  switch (tree->kind()) {
  case TreeKind::IntLiteral: return fn.constant(llvm::cast<IntLiteral>(tree)->value(), tree->range());
  case TreeKind::FloatLiteral: return fn.constant(llvm::cast<FloatLiteral>(tree)->value(), tree->range());
  default: return fn.constant(std::complex<double>(0, llvm::cast<ComplexLiteral>(tree)->imaginary()), tree->range());
  }
}

static Value *emitString(FunctionContext &fn, const StringLiteral &tree) {
  if (tree.isBytes())
    return fn.error(tree.range(), diag::UnsupportedSyntax, "bytes literals");
  return fn.constant(IValue(tree.value()), tree.range());
}

static Value *emitSimpleExpr(FunctionContext &fn, const Tree *tree, const Type *hint) {
  switch (tree->kind()) {
  case TreeKind::IntLiteral:
  case TreeKind::FloatLiteral:
  case TreeKind::ComplexLiteral: return emitNumber(fn, tree);
  case TreeKind::StringLiteral: return emitString(fn, *llvm::cast<StringLiteral>(tree));
  case TreeKind::BoolLiteral: return fn.constant(llvm::cast<BoolLiteral>(tree)->value(), tree->range());
  case TreeKind::NoneLiteral: return fn.none(tree->range());
  case TreeKind::FormatString: return emitFormatString(fn, *llvm::cast<FormatString>(tree));
  case TreeKind::UnaryOp: return emitUnary(fn, *llvm::cast<UnaryOp>(tree));
  case TreeKind::BinOp: return emitBinary(fn, *llvm::cast<BinOp>(tree));
  case TreeKind::BoolOp: return emitBoolOp(fn, *llvm::cast<BoolOp>(tree), hint);
  case TreeKind::Compare: return emitCondition(fn, tree).value;
  case TreeKind::Ternary: return emitTernary(fn, *llvm::cast<Ternary>(tree), hint);
  case TreeKind::ListLiteral: return emitListLiteral(fn, *llvm::cast<ListLiteral>(tree), hint);
  case TreeKind::TupleLiteral: return emitTupleLiteral(fn, *llvm::cast<TupleLiteral>(tree), hint);
  case TreeKind::DictLiteral: return emitDictLiteral(fn, *llvm::cast<DictLiteral>(tree), hint);
  case TreeKind::ListComp: return emitListComp(fn, *llvm::cast<ListComp>(tree), hint);
  case TreeKind::DictComp: return emitDictComp(fn, *llvm::cast<DictComp>(tree), hint);
  case TreeKind::NamedExpr: return emitNamed(fn, *llvm::cast<NamedExpr>(tree), hint);
  case TreeKind::GeneratorExpr: { // the list of what it would give
    auto *generator = llvm::cast<GeneratorExpr>(tree);
    return emitComprehension(fn, generator->element(), generator->loops(), tree->range(), hint);
  }
  case TreeKind::SetLiteral: return emitSetLiteral(fn, *llvm::cast<SetLiteral>(tree), hint);
  case TreeKind::SetComp: return emitSetComp(fn, *llvm::cast<SetComp>(tree), hint);
  case TreeKind::Starred: return fn.error(tree->range(), diag::MisplacedStarred);
  case TreeKind::Dots: return fn.error(tree->range(), diag::MisplacedEllipsis);
  default: {
    StringRef words = unsupportedWords(tree->kind());
    return fn.error(tree->range(), diag::UnsupportedSyntax, words.empty() ? treeKindName(tree->kind()) : words);
  }
  }
}
