//===- SugaredArguments.cpp - Arguments that need not be values -----------===//
#include "SugaredArguments.h"
#include "../../SugaredValues/Values.h"
#include "../Expressions.h"
#include "../FunctionContext.h"

using namespace tsc;

bool tsc::emitSugaredArguments(FunctionContext &fn, const Apply &tree, std::vector<SugaredArgument> &args,
                               unsigned skip) {
  for (size_t i = skip; i < tree.args().size(); ++i) {
    const Tree *argument = tree.args()[i];
    auto *starred = llvm::dyn_cast<Starred>(argument);
    SugaredValue *value = emitSugared(fn, starred ? starred->value() : argument);
    if (!value)
      return false;
    if (!starred) {
      args.push_back({value, argument->range(), ""});
      continue;
    }
    auto parts = value->asTuple(fn, argument->range(), std::nullopt);
    if (!parts)
      return false;
    for (SugaredValue *part : *parts)
      args.push_back({part, argument->range(), ""});
  }
  for (const Tree *keyword : tree.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    if (!named) {
      if (!emitKeywords(fn, *llvm::cast<DoubleStarred>(keyword), args))
        return false;
      continue;
    }
    SugaredValue *value = emitSugared(fn, named->value());
    if (!value)
      return false;
    args.push_back({value, keyword->range(), named->name().str()});
  }
  return true;
}

std::vector<SugaredArgument> tsc::sugaredArguments(FunctionContext &fn, SourceRange range, ArrayRef<NamedValue> args,
                                                   ArrayRef<NamedValue> kwargs) {
  std::vector<SugaredArgument> all;
  for (ArrayRef<NamedValue> some : {args, kwargs})
    for (const NamedValue &arg : some) {
      SugaredValue *value = arg.value ? fn.simple(arg.value) : fn.make<ConstantSugar>(arg.constant);
      all.push_back({value, arg.range.isValid() ? arg.range : range, arg.name});
    }
  return all;
}

bool tsc::knownKeywords(FunctionContext &fn, const DoubleStarred &tree, std::vector<SugaredArgument> &out,
                        Value *&dict) {
  dict = nullptr;
  if (auto *literal = llvm::dyn_cast<DictLiteral>(tree.value())) {
    for (size_t i = 0; i != literal->keys().size(); ++i) {
      auto *key = llvm::dyn_cast<StringLiteral>(literal->keys()[i]);
      if (!key)
        return fn.error(literal->keys()[i]->range(), diag::UnsupportedSyntax,
                        "keyword arguments whose names are no literals");
      SugaredValue *value = emitSugared(fn, literal->values()[i]);
      if (!value)
        return false;
      out.push_back({value, key->range(), key->value().str()});
    }
    return true;
  }
  SugaredValue *value = emitSugared(fn, tree.value());
  if (auto *known = llvm::dyn_cast_or_null<KeywordsSugar>(value)) {
    for (auto &[name, entry] : known->entries)
      out.push_back({entry, tree.range(), name});
    return true;
  }
  dict = value ? value->asValue(fn, tree.range()) : nullptr;
  return dict;
}

bool tsc::emitKeywords(FunctionContext &fn, const DoubleStarred &tree, std::vector<SugaredArgument> &args) {
  Value *dict = nullptr;
  if (!knownKeywords(fn, tree, args, dict))
    return false;
  return !dict || fn.error(tree.range(), diag::UnknownKeywords);
}
