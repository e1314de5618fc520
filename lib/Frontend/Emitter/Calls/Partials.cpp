//===- Partials.cpp - functools.partial -----------------------------------===//
//
// A partial is a callee that has some of its arguments, known while compiling as
// other functions are. Values among them are those of the place where it was made.
//
//===----------------------------------------------------------------------===//
#include "Partials.h"
#include "../../SugaredValues/Values.h"
#include "../Expressions.h"
#include "../Forms/SpecialForms.h"
#include "../FunctionContext.h"
#include "Instances.h"
#include "SugaredArguments.h"

using namespace tsc;

std::string PartialSugar::describe() const { return "functools.partial"; }

SugaredValue *tsc::emitPartial(FunctionContext &fn, const Apply &tree) {
  if (tree.args().empty())
    return arityError(fn, tree.range(), "partial", 1, SIZE_MAX, 0);
  SugaredValue *callee = emitSugared(fn, tree.args()[0]);
  std::vector<SugaredArgument> given;
  if (!callee || !emitSugaredArguments(fn, tree, given, 1))
    return nullptr;
  if (llvm::isa<SpecialForm>(callee)) // which is compiled by the syntax of its call
    return fn.error(tree.args()[0]->range(), diag::NotAValue, callee->describe());
  for (SugaredArgument &one : given)
    if (llvm::isa<ConstantSugar, TupleSugar>(one.value) && !(one.value = fn.simple(one.value->asValue(fn, one.range))))
      return nullptr;
  return fn.make<PartialSugar>(callee, std::move(given));
}

SugaredValue *tsc::callSugared(FunctionContext &fn, SugaredValue &callee, SourceRange range,
                               ArrayRef<SugaredArgument> args) {
  if (auto *partial = llvm::dyn_cast<PartialSugar>(&callee)) {
    auto isKeyword = [](const SugaredArgument &arg) { return !arg.name.empty(); };
    auto isGiven = [&](const SugaredArgument &known) {
      return llvm::any_of(args, [&](const SugaredArgument &arg) { return arg.name == known.name; });
    };
    std::vector<SugaredArgument> all;
    for (ArrayRef<SugaredArgument> some : {ArrayRef<SugaredArgument>(partial->given), args})
      llvm::copy_if(some, std::back_inserter(all), [&](const SugaredArgument &arg) { return !isKeyword(arg); });
    llvm::copy_if(partial->given, std::back_inserter(all),
                  [&](const SugaredArgument &arg) { return isKeyword(arg) && !isGiven(arg); });
    llvm::copy_if(args, std::back_inserter(all), isKeyword);
    return callSugared(fn, *partial->callee, range, all);
  }
  if (auto *closure = llvm::dyn_cast<ClosureSugar>(&callee))
    return callClosure(fn, *closure, range, args);
  std::vector<NamedValue> values, keywords;
  for (const SugaredArgument &arg : args) {
    Value *value = arg.value->asValue(fn, arg.range);
    if (!value)
      return nullptr;
    if (arg.name.empty())
      values.emplace_back(value).range = arg.range;
    else
      keywords.emplace_back(arg.name, NamedValue(value)).range = arg.range;
  }
  return callee.call(fn, range, values, keywords);
}

SugaredValue *PartialSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                 ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  return callSugared(fn, *this, range, sugaredArguments(fn, range, args, kwargs));
}
