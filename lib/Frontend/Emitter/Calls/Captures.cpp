//===- Captures.cpp - What a body reads of the places around it -----------===//
#include "Captures.h"
#include "../../SugaredValues/Slices.h"
#include "../../SugaredValues/Values.h"
#include "../Expressions/Names.h"
#include "../FunctionContext.h"
#include "SugaredArguments.h"

using namespace tsc;

SugaredValue *tsc::takeOver(FunctionContext &fn, SugaredValue *sugared) {
  auto import = [&](Value *value) {
    fn.captures.values.push_back(value);
    return fn.graph().addInput("", value->type());
  };
  if (auto *method = llvm::dyn_cast<MethodSugar>(sugared)) {
    if (auto *ofInterface = dynamic_cast<InterfaceMethod *>(sugared))
      return fn.make<InterfaceMethod>(import(ofInterface->self), ofInterface->schema);
    return fn.make<MethodSugar>(import(method->self), method->methods);
  }
  if (auto *builtin = dynamic_cast<BuiltinFunction *>(sugared); builtin && builtin->self)
    return fn.make<BuiltinFunction>(builtin->name, import(builtin->self));
  if (auto *slice = dynamic_cast<SliceSugar *>(sugared)) {
    std::array<Value *, 3> bounds = slice->bounds;
    llvm::for_each(bounds, [&](Value *&bound) { bound = import(bound); });
    return fn.make<SliceSugar>(bounds);
  }
  if (auto *cast = dynamic_cast<TensorCast *>(sugared))
    return fn.make<TensorCast>(import(cast->self), cast->dtype);
  if (auto *partial = llvm::dyn_cast<PartialSugar>(sugared)) {
    std::vector<SugaredArgument> given = partial->given;
    for (SugaredArgument &one : given) {
      auto *held = llvm::dyn_cast<SimpleValue>(one.value);
      one.value = held ? fn.simple(import(held->get())) : takeOver(fn, one.value);
    }
    return fn.make<PartialSugar>(takeOver(fn, partial->callee), std::move(given));
  }
  auto *value = llvm::dyn_cast<SimpleValue>(sugared);
  if (auto *function = value ? llvm::dyn_cast<FunctionType>(value->get()->type()) : nullptr)
    return fn.make<FunctionSugar>(std::vector<Function *>{const_cast<Function *>(function->function())});
  return sugared;
}

SugaredValue *tsc::variableOf(FunctionContext &fn, FunctionContext &definer, StringRef name, SourceRange range) {
  if (&fn == &definer)
    return lookUp(fn, name, range);
  if (Value *known = fn.captures.knownByName.lookup(name); known && fn.outer == &definer)
    return fn.simple(known);
  SugaredValue *value = fn.caller ? variableOf(*fn.caller, definer, name, range) : nullptr;
  auto *first = llvm::dyn_cast_or_null<SimpleValue>(value);
  if (!first || llvm::isa<FunctionType>(first->get()->type()))
    return value ? takeOver(fn, value) : nullptr;
  fn.captures.values.push_back(first->get());
  Value *input = fn.graph().addInput(isMeaningfulName(name) ? name : "", first->get()->type());
  if (fn.outer == &definer)
    fn.captures.knownByName[name] = input;
  return fn.simple(input);
}
