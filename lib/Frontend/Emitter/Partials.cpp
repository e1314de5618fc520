//===- Partials.cpp - functools.partial -----------------------------------===//
//
// A partial is a callee that has some of its arguments, known while compiling as
// other functions are. Values among them are those of the place where it was made.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"

using namespace tsc;

std::string PartialSugar::describe() const { return "functools.partial"; }

/// functools.partial(function, …)
SugaredValue *FunctionEmitter::emitPartial(const Apply &tree) {
  if (tree.args().empty())
    return arityError(tree.range(), "partial", 1, SIZE_MAX, 0);
  SugaredValue *callee = emitSugared(tree.args()[0]);
  std::vector<SugaredArgument> given;
  if (!callee || !emitSugaredArguments(tree, given, 1))
    return nullptr;
  if (llvm::isa<SpecialForm>(callee)) // which is compiled by the syntax of its call
    return error(tree.args()[0]->range(), diag::NotAValue, callee->describe());
  for (SugaredArgument &one : given)
    if (llvm::isa<ConstantSugar, TupleSugar>(one.value) && !(one.value = simple(one.value->asValue(*this, one.range))))
      return nullptr;
  return make<PartialSugar>(callee, std::move(given));
}

SugaredValue *FunctionEmitter::callSugared(SugaredValue &callee, SourceRange range, ArrayRef<SugaredArgument> args) {
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
    return callSugared(*partial->callee, range, all);
  }
  if (auto *closure = llvm::dyn_cast<ClosureSugar>(&callee))
    return callClosure(*closure, range, args);
  std::vector<NamedValue> values, keywords;
  for (const SugaredArgument &arg : args) {
    Value *value = arg.value->asValue(*this, arg.range);
    if (!value)
      return nullptr;
    if (arg.name.empty())
      values.emplace_back(value).range = arg.range;
    else
      keywords.emplace_back(arg.name, NamedValue(value)).range = arg.range;
  }
  return callee.call(*this, range, values, keywords);
}

SugaredValue *PartialSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                 ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  return e.callSugared(*this, range, e.sugaredArguments(range, args, kwargs));
}
