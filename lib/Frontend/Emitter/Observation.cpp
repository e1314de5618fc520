//===- Observation.cpp - What observers are told of expressions -----------===//
#include "Observation.h"
#include "../SugaredValues/Values.h"
#include "FunctionContext.h"
#include "tsc/Frontend/CompileObserver.h"

using namespace tsc;
using Meaning = ExpressionFacts::Meaning;

/// The overload that gave a value, where the operator is what the expression says.
static const OpRecord *overloadOf(const Value &value, SourceRange range) {
  const Node *node = value.node();
  return node && node->range() == range ? node->record() : nullptr;
}

void tsc::tellOf(const FunctionContext &fn, const Tree &tree, const SugaredValue &value) {
  ExpressionFacts facts;
  if (auto *simple = llvm::dyn_cast<SimpleValue>(&value)) {
    facts.meaning = Meaning::Value;
    facts.type = simple->get()->type();
    facts.overload = overloadOf(*simple->get(), tree.range());
  } else if (auto *constant = llvm::dyn_cast<ConstantSugar>(&value)) {
    facts.meaning = Meaning::Value;
    facts.type = constant->type ? constant->type : constant->value.dynamicType(fn.context());
  } else if (auto *builtin = dynamic_cast<const BuiltinFunction *>(&value)) {
    facts.meaning = Meaning::Operator;
    facts.name = builtin->name.qualified();
  } else if (auto *function = llvm::dyn_cast<FunctionSugar>(&value)) {
    facts.meaning = Meaning::Function;
    facts.function = function->functions.front();
  } else if (auto *type = llvm::dyn_cast<ClassSugar>(&value)) {
    facts.meaning = Meaning::Class;
    facts.type = type->type;
  } else if (auto *tuple = llvm::dyn_cast<NamedTupleSugar>(&value)) {
    facts.meaning = Meaning::Class;
    facts.type = tuple->type;
  } else if (auto *members = llvm::dyn_cast<EnumSugar>(&value)) {
    facts.meaning = Meaning::Class;
    facts.type = members->type;
  } else if (auto *named = llvm::dyn_cast<TypeSugar>(&value)) {
    facts.meaning = Meaning::Class;
    facts.type = named->type;
  } else if (auto *module = llvm::dyn_cast<NamespaceSugar>(&value)) {
    facts.meaning = Meaning::Module;
    facts.name = module->path;
  } else if (auto *form = llvm::dyn_cast<SpecialForm>(&value)) {
    facts.meaning = Meaning::Form;
    facts.name = form->name;
  } else if (auto *method = dynamic_cast<const MethodSugar *>(&value)) {
    facts.meaning = Meaning::Function;
    facts.function = method->methods.front();
  }
  if (auto *apply = llvm::dyn_cast<Apply>(&tree))
    facts.callee = apply->callee()->range();
  fn.compiler.observer->expression(tree.range(), facts);
}
