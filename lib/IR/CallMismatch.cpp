//===- CallMismatch.cpp - Why a call fits no schema -----------------------===//
//
// Of many overloads the nearest one is told about: the one that takes most of the
// arguments before the first that it does not. What no overload knows, a keyword
// or a pair of operands, is told of them all.
//
//===----------------------------------------------------------------------===//
#include "CallMismatch.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

/// "a str", "an int".
static std::string withArticle(const Type *type) {
  std::string name = type->annotation();
  const bool isVowel = StringRef("AEIOaeio").contains(name.front());
  return (isVowel ? "an " : "a ") + name;
}

static const Type *typeOf(const NamedValue &argument) { return argument.value ? argument.value->type() : nullptr; }

//===-- Operators of the language -----------------------------------------===//

/// The operand as it is written, where that is short: `n`, `x[0]`.
static std::string textOf(const NamedValue &operand) {
  constexpr size_t longest = 24;
  const Node *node = operand.value ? operand.value->definingNode() : nullptr;
  StringRef text = node ? node->range().text() : StringRef();
  return text.empty() || text.size() > longest || text.contains('\n') ? "x" : text.str();
}

static std::string hintFor(StringRef spelling, const NamedValue &lhs, const NamedValue &rhs) {
  const Type *left = typeOf(lhs), *right = typeOf(rhs);
  for (const NamedValue *operand : {&lhs, &rhs})
    if (isa<OptionalType>(typeOf(*operand)))
      return "; check that it is not None first: 'if " + textOf(*operand) + " is not None: ...'";
  if (spelling.starts_with("+") && left->isString() != right->isString())
    return "; str(" + textOf(left->isString() ? rhs : lhs) + ") makes text of it";
  if (spelling.starts_with("+"))
    for (auto [list, one] : {std::pair(&lhs, &rhs), std::pair(&rhs, &lhs)})
      if (const auto *type = dyn_cast<ListType>(typeOf(*list)); type && typeOf(*one)->isSubtypeOf(type->element()))
        return "; [" + textOf(*one) + "] makes a list of it";
  return "";
}

static std::string describeOperands(const WrittenCall &call) {
  const NamedValue &lhs = call.args[0], &rhs = call.args[1];
  return ("'" + call.spelling + "' is not defined for " + withArticle(typeOf(lhs)) + " and " +
          withArticle(typeOf(rhs)) + hintFor(call.spelling, lhs, rhs))
      .str();
}

/// `container[index]`, which may have a value behind it.
static std::string describeSubscript(const WrittenCall &call) {
  const Type *container = typeOf(call.args[0]), *index = typeOf(call.args[1]);
  const auto *dict = dyn_cast<DictType>(container);
  const Type *wanted = dict ? dict->key() : Type::intType();
  if (!index->isSubtypeOf(wanted) || call.args.size() == 2)
    return withArticle(container) + " takes " + withArticle(wanted) + " as index, and " + withArticle(index) +
           " was given";
  return withArticle(container) + " does not hold " + withArticle(typeOf(call.args[2]));
}

//===-- Calls -------------------------------------------------------------===//

/// The first keyword that no schema has; the end of them when there is none.
static const NamedValue *findUnknownKeyword(ArrayRef<const FunctionSchema *> schemas, ArrayRef<NamedValue> kwargs) {
  return llvm::find_if(kwargs, [&](const NamedValue &keyword) {
    return llvm::none_of(schemas,
                         [&](const FunctionSchema *schema) { return schema->argumentIndex(keyword.name).has_value(); });
  });
}

std::string tsc::nearestParameter(ArrayRef<const FunctionSchema *> schemas, StringRef keyword) {
  NearestName nearest(keyword);
  for (const FunctionSchema *schema : schemas)
    for (const Argument &argument : schema->arguments())
      nearest.consider(argument.name);
  return nearest.name();
}

static std::string describeKeyword(ArrayRef<const FunctionSchema *> schemas, StringRef name, StringRef keyword) {
  const std::string near = nearestParameter(schemas, keyword);
  return ("'" + name + "' has no argument '" + keyword + "'" + (near.empty() ? "" : ". Did you mean '" + near + "'?"))
      .str();
}

/// The overload that the call fits best: it takes most arguments, and what is wrong is what the user can see.
static size_t findNearest(ArrayRef<Mismatch> mismatches) {
  auto worth = [](const Mismatch &mismatch) {
    const int plainness = mismatch.kind == Mismatch::Kind::WrongType ? 2 : mismatch.kind == Mismatch::Kind::TooMany;
    return std::tuple(mismatch.matched, plainness, mismatch.mostPositional);
  };
  size_t nearest = 0;
  for (size_t i = 1; i < mismatches.size(); ++i)
    if (worth(mismatches[nearest]) < worth(mismatches[i]))
      nearest = i;
  return nearest;
}

/// `out=` is asked for by variants that nobody means who does not write it.
static bool lacksOut(const Mismatch &mismatch) {
  return mismatch.kind == Mismatch::Kind::Missing && mismatch.parameter.starts_with("out");
}

std::string tsc::describeMismatch(ArrayRef<const FunctionSchema *> schemas, ArrayRef<Mismatch> mismatches,
                                  const WrittenCall &call) {
  const bool isOperator = !call.spelling.empty() && call.args.size() >= 2 && llvm::all_of(call.args, typeOf);
  if (isOperator)
    return call.spelling == "[]" ? describeSubscript(call) : describeOperands(call);
  StringRef name = schemas.front()->name();
  name = name.drop_front(name.rfind(':') + 1);
  if (const NamedValue *keyword = findUnknownKeyword(schemas, call.kwargs); keyword != call.kwargs.end())
    return describeKeyword(schemas, name, keyword->name);
  llvm::SmallVector<Mismatch, 8> meant;
  llvm::copy_if(mismatches, std::back_inserter(meant), [](const Mismatch &one) { return !lacksOut(one); });
  if (meant.empty())
    meant.assign(mismatches.begin(), mismatches.end());
  const Mismatch &nearest = meant[findNearest(meant)];
  const std::string quoted = "'" + name.str() + "'";
  switch (nearest.kind) {
  case Mismatch::Kind::WrongType:
    return quoted + " takes " + withArticle(nearest.wanted) + " as '" + nearest.parameter + "', and " +
           withArticle(nearest.given) + " was given";
  case Mismatch::Kind::Missing: return quoted + " needs '" + nearest.parameter + "', which is missing";
  case Mismatch::Kind::TooMany:
    return quoted + " takes at most " + std::to_string(nearest.mostPositional) +
           (nearest.mostPositional == 1 ? " argument" : " arguments") + ", and " + std::to_string(call.args.size()) +
           " were given";
  case Mismatch::Kind::UnknownKeyword:
  case Mismatch::Kind::Other: return quoted + " does not take this: " + nearest.text;
  }
  llvm_unreachable("all kinds are handled");
}
