//===- Variadics.cpp - *args and **kwargs ----------------------------------===//
//
// A function that takes `*values: T` has a parameter of type List[T], and one that
// takes `**options: T` one of type Dict[str, T]; calls gather what belongs into
// them. So an archive holds an ordinary function. Without annotations the function
// is compiled for each call (Instances.cpp), with a tuple and with keywords that
// are known by name.
//
//===----------------------------------------------------------------------===//
#include "Variadics.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Conversions.h"
#include "../Expressions.h"
#include "../Expressions/Displays.h"
#include "../FunctionContext.h"
#include "FunctionCalls.h"
#include "SugaredArguments.h"

using namespace tsc;

namespace {
/// An argument of a call of what gathers arguments; starred: a list, or a dict of keywords, of a size not known here.
struct VariadicArgument {
  Value *value;
  SourceRange range;
  std::string name;
  bool isKeyword, isStarred;
};
} // namespace

std::string KeywordsSugar::describe() const { return "keyword arguments"; }

Value *KeywordsSugar::asValue(EmitterContext &context, SourceRange range) {
  FunctionContext &fn = emitterOf(context);
  llvm::SmallVector<Value *, 4> keys, values;
  for (auto &[name, value] : entries) {
    Value *given = value->asValue(fn, range);
    if (!given)
      return nullptr;
    keys.push_back(fn.constant(IValue(name), range));
    values.push_back(given);
  }
  return makeDict(fn, keys, values, nullptr, range);
}

namespace {
/// `options.get(name, value)`: what was given may be of any type, and is none of the others'.
class GetKeyword final : public SugaredValue {
public:
  explicit GetKeyword(KeywordsSugar &keywords) : SugaredValue(SugaredKind::Method), keywords(keywords) {}
  std::string describe() const override { return "method"; }
  SugaredValue *call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override {
    FunctionContext &fn = emitterOf(context);
    std::optional<IValue> key = args.empty() ? std::nullopt : constantValue(args[0].value);
    if (!key || !key->isString() || args.size() > 2 || !kwargs.empty()) {
      Value *dict = keywords.asValue(fn, range);
      return dict ? fn.simple(dict)->attribute(fn, range, "get")->call(fn, range, args, kwargs) : nullptr;
    }
    for (auto &[name, value] : keywords.entries)
      if (name == key->toString())
        return value;
    return fn.simple(args.size() == 2 ? args[1].value : fn.constant(IValue(), range));
  }

private:
  KeywordsSugar &keywords;
};
} // namespace

SugaredValue *KeywordsSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  if (name == "get")
    return fn.compiler.arena.make<GetKeyword>(*this);
  Value *dict = asValue(fn, range);
  return dict ? fn.simple(dict)->attribute(fn, range, name) : nullptr;
}

SugaredValue *KeywordsSugar::iterable(EmitterContext &context, SourceRange range) {
  FunctionContext &fn = emitterOf(context);
  Value *dict = asValue(fn, range);
  return dict ? fn.simple(dict)->iterable(fn, range) : nullptr;
}

Value *KeywordsSugar::length(EmitterContext &context, SourceRange range) {
  FunctionContext &fn = emitterOf(context);
  return fn.constant(static_cast<int64_t>(entries.size()), range);
}

SugaredValue *KeywordsSugar::element(EmitterContext &context, SourceRange range, Value *index, const Type *hint) {
  FunctionContext &fn = emitterOf(context);
  if (std::optional<IValue> key = constantValue(index); key && key->isString())
    for (auto &[name, value] : entries)
      if (name == key->toString())
        return value;
  Value *dict = asValue(fn, range);
  Value *found = dict ? callBuiltin(fn, range, aten::__getitem__, {dict, index}) : nullptr;
  return found ? fn.simple(found) : nullptr;
}

const VariadicInfo *tsc::variadicInfo(const FunctionContext &fn, const Function *function) {
  auto found = fn.compiler.variadics.find(function);
  return found == fn.compiler.variadics.end() ? nullptr : &found->second;
}

/// `part` as an element of `*name: element`, or as a value of `**name: element`.
static Value *asElement(FunctionContext &fn, const Function &function, StringRef name, const Type *element, Value *part,
                        SourceRange range) {
  Value *value = convertTo(fn, part, element, range, /*allowConversions=*/true);
  if (!value->type()->isSubtypeOf(element))
    return fn.error(range, diag::ClosureArgument, function.name(), element->annotation(), name,
                    part->type()->annotation());
  return value;
}

/// The list that stands for `*values`: single ones, and lists that calls give with a star of their own.
static Value *gatherList(FunctionContext &fn, const Function &function, const Argument &parameter,
                         ArrayRef<VariadicArgument> given, SourceRange range) {
  const Type *element = llvm::cast<ListType>(parameter.type)->element();
  llvm::SmallVector<Value *, 4> open, lists;
  for (const VariadicArgument &one : given) {
    if (!one.isStarred) {
      Value *value = asElement(fn, function, parameter.name, element, one.value, one.range);
      if (!value)
        return nullptr;
      open.push_back(value);
      continue;
    }
    if (!one.value->type()->isSubtypeOf(parameter.type))
      return fn.error(one.range, diag::ClosureArgument, function.name(), parameter.type->annotation(), parameter.name,
                      one.value->type()->annotation());
    // The callee has a list of its own, as it has a tuple of its own in Python.
    lists.append({fn.makeList(element, open, range), one.value});
    open.clear();
  }
  if (lists.empty() || !open.empty())
    lists.push_back(fn.makeList(element, open, range));
  return joinLists(fn, lists, range);
}

/// The dict that stands for `**options`.
static Value *gatherDict(FunctionContext &fn, const Function &function, const Argument &parameter,
                         ArrayRef<VariadicArgument> given, SourceRange range) {
  auto *type = llvm::cast<DictType>(parameter.type);
  llvm::SmallVector<Value *, 4> keys, values;
  Value *whole = nullptr;
  auto flush = [&] {
    if (whole && keys.empty())
      return true;
    Value *part = makeDict(fn, keys, values, type, range);
    keys.clear();
    values.clear();
    if (!whole)
      return (whole = part) != nullptr;
    return part && callBuiltin(fn, range, fn.context().symbol("aten::update"), {whole, part});
  };
  for (const VariadicArgument &one : given) {
    if (!one.isStarred) {
      Value *value = asElement(fn, function, parameter.name, type->value(), one.value, one.range);
      if (!value)
        return nullptr;
      keys.push_back(fn.constant(IValue(one.name), range));
      values.push_back(value);
      continue;
    }
    if (one.value->type() != type)
      return fn.error(one.range, diag::ClosureArgument, function.name(), type->annotation(), parameter.name,
                      one.value->type()->annotation());
    if (!flush() || !callBuiltin(fn, range, fn.context().symbol("aten::update"), {whole, one.value}))
      return nullptr;
  }
  return flush() ? whole : nullptr;
}

static Value *callGathering(FunctionContext &fn, SourceRange range, Value *self, Function *function,
                            ArrayRef<VariadicArgument> given) {
  if (!ensureSchema(fn, range, function))
    return nullptr;
  const VariadicInfo &info = *variadicInfo(fn, function);
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
        return fn.error(one.range, diag::UnknownKeywords);
      if (!one.isStarred && llvm::any_of(options, [&](const VariadicArgument &known) {
            return !known.isStarred && known.name == one.name;
          }))
        return fn.error(one.range, diag::DuplicateKeyword, one.name);
      options.push_back(one);
    } else if (isKeyword) {
      kwargs.emplace_back(one.name, NamedValue(one.value));
      kwargs.back().range = one.range;
    } else if (info.list && args.size() >= numFixed) {
      rest.push_back(one);
    } else if (one.isStarred) {
      return fn.error(one.range, diag::UnknownLength);
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
  if (info.list && !pass(parameters[numFixed], gatherList(fn, *function, parameters[numFixed], rest, range)))
    return nullptr;
  if (info.dict && !pass(parameters.back(), gatherDict(fn, *function, parameters.back(), options, range)))
    return nullptr;
  if (!checkPositionalOnly(fn, range, *function, kwargs))
    return nullptr;
  if (self)
    return callSchema(fn, range, self, function->schema(), function->name(), args, kwargs, prim::CallMethod);
  return callSchema(fn, range, fn.constant(IValue(function), range), function->schema(), "", args, kwargs,
                    prim::CallFunction);
}

Value *tsc::callVariadic(FunctionContext &fn, SourceRange range, Value *self, Function *function,
                         ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs) {
  std::vector<VariadicArgument> given;
  auto add = [&](const NamedValue &one, bool isKeyword) {
    Value *value = one.value ? one.value : fn.constant(one.constant, range);
    given.push_back({value, one.range.isValid() ? one.range : range, one.name, isKeyword, /*isStarred=*/false});
  };
  for (const NamedValue &one : args)
    add(one, false);
  for (const NamedValue &one : kwargs)
    add(one, true);
  return callGathering(fn, range, self, function, given);
}

SugaredValue *tsc::emitVariadicCall(FunctionContext &fn, Value *self, Function *function, const Apply &tree) {
  std::vector<VariadicArgument> given;
  for (const Tree *argument : tree.args()) {
    auto *starred = llvm::dyn_cast<Starred>(argument);
    SugaredValue *value = emitSugared(fn, starred ? starred->value() : argument);
    if (!value)
      return nullptr;
    auto *simple = llvm::dyn_cast<SimpleValue>(value);
    if (starred && !(simple && llvm::isa<ListType>(simple->get()->type()))) {
      auto parts = value->asTuple(fn, argument->range(), std::nullopt);
      if (!parts)
        return nullptr;
      for (SugaredValue *part : *parts) {
        Value *one = part->asValue(fn, argument->range());
        if (!one)
          return nullptr;
        given.push_back({one, argument->range(), "", false, false});
      }
      continue;
    }
    Value *one = value->asValue(fn, argument->range());
    if (!one)
      return nullptr;
    given.push_back({one, argument->range(), "", false, starred != nullptr});
  }
  for (const Tree *keyword : tree.keywords()) {
    std::vector<SugaredArgument> known;
    Value *dict = nullptr;
    if (auto *starred = llvm::dyn_cast<DoubleStarred>(keyword)) {
      if (!knownKeywords(fn, *starred, known, dict))
        return nullptr;
    } else {
      auto *named = llvm::cast<Keyword>(keyword);
      SugaredValue *value = emitSugared(fn, named->value());
      if (!value)
        return nullptr;
      known.push_back({value, keyword->range(), named->name().str()});
    }
    if (dict)
      given.push_back({dict, keyword->range(), "", true, true});
    for (const SugaredArgument &one : known) {
      Value *value = one.value->asValue(fn, one.range);
      if (!value)
        return nullptr;
      given.push_back({value, one.range, one.name, true, false});
    }
  }
  Value *result = callGathering(fn, tree.range(), self, function, given);
  return result ? fn.simple(result) : nullptr;
}
