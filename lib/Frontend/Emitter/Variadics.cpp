//===- Variadics.cpp - *args and **kwargs ----------------------------------===//
//
// A function that takes `*values: T` has a parameter of type List[T], and one that
// takes `**options: T` one of type Dict[str, T]; calls gather what belongs into
// them. So an archive holds an ordinary function. Without annotations the function
// is compiled for each call (Instances.cpp), with a tuple and with keywords that
// are known by name.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"

using namespace tsc;

//===-- Keywords that are known by name --------------------------------------===//

std::string KeywordsSugar::describe() const { return "keyword arguments"; }

Value *KeywordsSugar::asValue(EmitterContext &context, SourceRange range) {
  FunctionEmitter &e = emitterOf(context);
  llvm::SmallVector<Value *, 4> keys, values;
  for (auto &[name, value] : entries) {
    Value *given = value->asValue(e, range);
    if (!given)
      return nullptr;
    keys.push_back(e.constant(IValue(name), range));
    values.push_back(given);
  }
  return e.makeDict(keys, values, nullptr, range);
}

namespace {
/// `options.get(name, value)`: what was given may be of any type, and is none of the others'.
class GetKeyword final : public SugaredValue {
public:
  explicit GetKeyword(KeywordsSugar &keywords) : SugaredValue(SugaredKind::Method), keywords(keywords) {}
  std::string describe() const override { return "method"; }
  SugaredValue *call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override {
    FunctionEmitter &e = emitterOf(context);
    std::optional<IValue> key = args.empty() ? std::nullopt : constantValue(args[0].value);
    if (!key || !key->isString() || args.size() > 2 || !kwargs.empty()) {
      Value *dict = keywords.asValue(e, range);
      return dict ? e.simple(dict)->attribute(e, range, "get")->call(e, range, args, kwargs) : nullptr;
    }
    for (auto &[name, value] : keywords.entries)
      if (name == key->toString())
        return value;
    return e.simple(args.size() == 2 ? args[1].value : e.constant(IValue(), range));
  }

private:
  KeywordsSugar &keywords;
};
} // namespace

SugaredValue *KeywordsSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionEmitter &e = emitterOf(context);
  if (name == "get")
    return e.compiler.arena.make<GetKeyword>(*this);
  Value *dict = asValue(e, range);
  return dict ? e.simple(dict)->attribute(e, range, name) : nullptr;
}

SugaredValue *KeywordsSugar::iterable(EmitterContext &context, SourceRange range) {
  FunctionEmitter &e = emitterOf(context);
  Value *dict = asValue(e, range);
  return dict ? e.simple(dict)->iterable(e, range) : nullptr;
}

Value *KeywordsSugar::length(EmitterContext &context, SourceRange range) {
  FunctionEmitter &e = emitterOf(context);
  return e.constant(static_cast<int64_t>(entries.size()), range);
}

SugaredValue *KeywordsSugar::element(EmitterContext &context, SourceRange range, Value *index, const Type *hint) {
  FunctionEmitter &e = emitterOf(context);
  if (std::optional<IValue> key = constantValue(index); key && key->isString())
    for (auto &[name, value] : entries)
      if (name == key->toString())
        return value;
  Value *dict = asValue(e, range);
  Value *found = dict ? e.callBuiltin(range, aten::__getitem__, {dict, index}) : nullptr;
  return found ? e.simple(found) : nullptr;
}

/// The keywords that `**value` stands for, where they are known; null for a dict whose keys the run brings.
static bool knownKeywords(FunctionEmitter &e, const DoubleStarred &tree,
                          std::vector<FunctionEmitter::SugaredArgument> &out, Value *&dict) {
  dict = nullptr;
  if (auto *literal = llvm::dyn_cast<DictLiteral>(tree.value())) {
    for (size_t i = 0; i != literal->keys().size(); ++i) {
      auto *key = llvm::dyn_cast<StringLiteral>(literal->keys()[i]);
      if (!key)
        return e.error(literal->keys()[i]->range(), diag::UnsupportedSyntax,
                       "keyword arguments whose names are no literals");
      SugaredValue *value = e.emitSugared(literal->values()[i]);
      if (!value)
        return false;
      out.push_back({value, key->range(), key->value().str()});
    }
    return true;
  }
  SugaredValue *value = e.emitSugared(tree.value());
  if (auto *known = llvm::dyn_cast_or_null<KeywordsSugar>(value)) {
    for (auto &[name, entry] : known->entries)
      out.push_back({entry, tree.range(), name});
    return true;
  }
  dict = value ? value->asValue(e, tree.range()) : nullptr;
  return dict;
}

bool FunctionEmitter::emitKeywords(const DoubleStarred &tree, std::vector<SugaredArgument> &args) {
  Value *dict = nullptr;
  if (!knownKeywords(*this, tree, args, dict))
    return false;
  return !dict || error(tree.range(), diag::UnknownKeywords);
}

//===-- Calls ------------------------------------------------------------------===//

const VariadicInfo *FunctionEmitter::variadicInfo(const Function *function) const {
  auto found = compiler.variadics.find(function);
  return found == compiler.variadics.end() ? nullptr : &found->second;
}

/// `part` as an element of `*name: element`, or as a value of `**name: element`.
static Value *asElement(FunctionEmitter &e, const Function &function, StringRef name, const Type *element, Value *part,
                        SourceRange range) {
  Value *value = e.convertTo(part, element, range, /*allowConversions=*/true);
  if (!value->type()->isSubtypeOf(element))
    return e.error(range, diag::ClosureArgument, function.name(), element->annotation(), name,
                   part->type()->annotation());
  return value;
}

/// The list that stands for `*values`: single ones, and lists that calls give with a star of their own.
static Value *gatherList(FunctionEmitter &e, const Function &function, const Argument &parameter,
                         ArrayRef<FunctionEmitter::VariadicArgument> given, SourceRange range) {
  const Type *element = llvm::cast<ListType>(parameter.type)->element();
  llvm::SmallVector<Value *, 4> open, lists;
  for (const FunctionEmitter::VariadicArgument &one : given) {
    if (!one.isStarred) {
      Value *value = asElement(e, function, parameter.name, element, one.value, one.range);
      if (!value)
        return nullptr;
      open.push_back(value);
      continue;
    }
    if (!one.value->type()->isSubtypeOf(parameter.type))
      return e.error(one.range, diag::ClosureArgument, function.name(), parameter.type->annotation(), parameter.name,
                     one.value->type()->annotation());
    // The callee has a list of its own, as it has a tuple of its own in Python.
    lists.append({e.makeList(element, open, range), one.value});
    open.clear();
  }
  if (lists.empty() || !open.empty())
    lists.push_back(e.makeList(element, open, range));
  return e.joinLists(lists, range);
}

/// The dict that stands for `**options`.
static Value *gatherDict(FunctionEmitter &e, const Function &function, const Argument &parameter,
                         ArrayRef<FunctionEmitter::VariadicArgument> given, SourceRange range) {
  auto *type = llvm::cast<DictType>(parameter.type);
  llvm::SmallVector<Value *, 4> keys, values;
  Value *whole = nullptr;
  auto flush = [&] {
    if (whole && keys.empty())
      return true;
    Value *part = e.makeDict(keys, values, type, range);
    keys.clear();
    values.clear();
    if (!whole)
      return (whole = part) != nullptr;
    return part && e.callBuiltin(range, e.context.symbol("aten::update"), {whole, part});
  };
  for (const FunctionEmitter::VariadicArgument &one : given) {
    if (!one.isStarred) {
      Value *value = asElement(e, function, parameter.name, type->value(), one.value, one.range);
      if (!value)
        return nullptr;
      keys.push_back(e.constant(IValue(one.name), range));
      values.push_back(value);
      continue;
    }
    if (one.value->type() != type)
      return e.error(one.range, diag::ClosureArgument, function.name(), type->annotation(), parameter.name,
                     one.value->type()->annotation());
    if (!flush() || !e.callBuiltin(range, e.context.symbol("aten::update"), {whole, one.value}))
      return nullptr;
  }
  return flush() ? whole : nullptr;
}

Value *FunctionEmitter::callVariadic(SourceRange range, Value *self, Function *function,
                                     ArrayRef<VariadicArgument> given) {
  if (!ensureSchema(range, function))
    return nullptr;
  const VariadicInfo &info = *variadicInfo(function);
  auto parameters = function->schema().arguments();
  if (self)
    parameters = parameters.drop_front();
  const size_t numFixed = info.list ? *info.list - (self != nullptr) : parameters.size();
  std::vector<NamedValue> args, kwargs;
  std::vector<VariadicArgument> rest, options;
  for (const VariadicArgument &one : given) {
    auto named = [&](const Argument &parameter) {
      bool isGathered =
          (info.list && &parameter == &parameters[numFixed]) || (info.dict && &parameter == &parameters.back());
      return !isGathered && parameter.name == one.name;
    };
    const bool isKeyword = one.isKeyword;
    if (isKeyword && (one.isStarred || (info.dict && llvm::none_of(parameters, named)))) {
      if (!info.dict)
        return error(one.range, diag::UnknownKeywords);
      if (!one.isStarred && llvm::any_of(options, [&](const VariadicArgument &known) {
            return !known.isStarred && known.name == one.name;
          }))
        return error(one.range, diag::DuplicateKeyword, one.name);
      options.push_back(one);
    } else if (isKeyword) {
      kwargs.emplace_back(one.name, NamedValue(one.value));
      kwargs.back().range = one.range;
    } else if (info.list && args.size() >= numFixed) {
      rest.push_back(one);
    } else if (one.isStarred) {
      return error(one.range, diag::UnknownLength);
    } else {
      args.push_back(one.value);
      args.back().range = one.range;
    }
  }
  auto pass = [&](const Argument &parameter, Value *gathered) {
    if (gathered)
      kwargs.emplace_back(parameter.name, NamedValue(gathered));
    return gathered != nullptr;
  };
  if (info.list && !pass(parameters[numFixed], gatherList(*this, *function, parameters[numFixed], rest, range)))
    return nullptr;
  if (info.dict && !pass(parameters.back(), gatherDict(*this, *function, parameters.back(), options, range)))
    return nullptr;
  if (!checkPositionalOnly(range, *function, kwargs))
    return nullptr;
  if (self)
    return callSchema(range, self, function->schema(), function->name(), args, kwargs, prim::CallMethod);
  return callSchema(range, constant(IValue(function), range), function->schema(), "", args, kwargs, prim::CallFunction);
}

Value *FunctionEmitter::callVariadic(SourceRange range, Value *self, Function *function, ArrayRef<NamedValue> args,
                                     ArrayRef<NamedValue> kwargs) {
  std::vector<VariadicArgument> given;
  auto add = [&](const NamedValue &one, bool isKeyword) {
    Value *value = one.value ? one.value : constant(one.constant, range);
    given.push_back({value, one.range.isValid() ? one.range : range, one.name, isKeyword, /*isStarred=*/false});
  };
  for (const NamedValue &one : args)
    add(one, false);
  for (const NamedValue &one : kwargs)
    add(one, true);
  return callVariadic(range, self, function, given);
}

/// A call as it is written, of a function that gathers arguments.
SugaredValue *FunctionEmitter::emitVariadicCall(Value *self, Function *function, const Apply &tree) {
  std::vector<VariadicArgument> given;
  for (const Tree *argument : tree.args()) {
    auto *starred = llvm::dyn_cast<Starred>(argument);
    SugaredValue *value = emitSugared(starred ? starred->value() : argument);
    if (!value)
      return nullptr;
    auto *simple = llvm::dyn_cast<SimpleValue>(value);
    if (starred && !(simple && llvm::isa<ListType>(simple->get()->type()))) {
      auto parts = value->asTuple(*this, argument->range(), std::nullopt);
      if (!parts)
        return nullptr;
      for (SugaredValue *part : *parts) {
        Value *one = part->asValue(*this, argument->range());
        if (!one)
          return nullptr;
        given.push_back({one, argument->range(), "", false, false});
      }
      continue;
    }
    Value *one = value->asValue(*this, argument->range());
    if (!one)
      return nullptr;
    given.push_back({one, argument->range(), "", false, starred != nullptr});
  }
  for (const Tree *keyword : tree.keywords()) {
    std::vector<SugaredArgument> known;
    Value *dict = nullptr;
    if (auto *starred = llvm::dyn_cast<DoubleStarred>(keyword)) {
      if (!knownKeywords(*this, *starred, known, dict))
        return nullptr;
    } else {
      auto *named = llvm::cast<Keyword>(keyword);
      SugaredValue *value = emitSugared(named->value());
      if (!value)
        return nullptr;
      known.push_back({value, keyword->range(), named->name().str()});
    }
    if (dict)
      given.push_back({dict, keyword->range(), "", true, true});
    for (const SugaredArgument &one : known) {
      Value *value = one.value->asValue(*this, one.range);
      if (!value)
        return nullptr;
      given.push_back({value, one.range, one.name, true, false});
    }
  }
  Value *result = callVariadic(tree.range(), self, function, given);
  return result ? simple(result) : nullptr;
}
