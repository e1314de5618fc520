//===- Parameters.cpp - Arguments of functions that are compiled for them -===//
#include "Parameters.h"
#include "../../SugaredValues/Values.h"
#include "../Conversions.h"
#include "../Forms/ContainerForms.h"
#include "../FunctionContext.h"
#include "../TypeExpressions.h"
#include "Captures.h"
#include "SugaredArguments.h"

using namespace tsc;

/// Whether an argument is a value that a parameter can hold.
static bool isFirstClass(const SugaredValue *value) {
  if (auto *simple = llvm::dyn_cast<SimpleValue>(value))
    return !llvm::isa<FunctionType>(simple->get()->type());
  return llvm::isa<ConstantSugar, TupleSugar>(value);
}

namespace {
/// Gives the parameters of a function that is compiled for a call what the call gives them, in the body's first frame.
class ParameterBinder {
public:
  /// `fn` is the body, and `user` what calls it.
  ParameterBinder(FunctionContext &fn, ClosureSugar &closure, SourceRange range, ArrayRef<SugaredArgument> args,
                  FunctionContext &user)
      : fn(fn), user(user), closure(closure), range(range), args(args),
        positional(args.take_while([](const SugaredArgument &arg) { return arg.name.empty(); })),
        isUsed(args.size(), false) {}

  /// Binds all parameters. False after a report.
  bool bindAll() {
    auto params = closure.params();
    for (size_t i = 0; i != params.size(); ++i)
      if (!(i == 0 && closure.first ? bindFirst(*params[i]) : bindParameter(*params[i])))
        return false;
    for (size_t i = 0; i != args.size(); ++i)
      if (!isUsed[i])
        return args[i].name.empty() ? fn.error(args[i].range, diag::TooManyArguments, closure.name(), params.size())
                                    : fn.error(args[i].range, diag::UnknownKeyword, closure.name(), args[i].name);
    return true;
  }

private:
  /// Binds a parameter to what a call gives it; `isTyped` where the parameter's annotation is about that.
  bool bind(const Param &param, SugaredValue *value, SourceRange at, bool isTyped) {
    if (llvm::isa<RangeSugar, IterableTree>(value)) // a list of what it gives
      value = listByLoop(user, value, at);
    else if (llvm::isa<ExceptionSugar>(value)) // its message
      value = user.simple(value->asValue(user, at));
    if (!value)
      return false;
    if (!isFirstClass(value)) {
      fn.env.setSugared(param.name(), takeOver(fn, value));
      return true;
    }
    Value *given = value->asValue(user, at);
    if (!given)
      return false;
    if (fn.compiler.moduleInfo(given->type())) { // a module is known by name, as in loops over containers of them
      fn.captures.values.push_back(given);
      fn.env.setSugared(param.name(), fn.simple(fn.graph().addInput(param.name(), given->type())));
      return true;
    }
    return bindValue(param, *value, given, at, isTyped && param.type());
  }

  /// Makes an input of `given`, which `value` is.
  bool bindValue(const Param &param, SugaredValue &value, Value *given, SourceRange at, bool isTyped) {
    if (isTyped && isCallableType(closure.resolver, param.type()))
      return fn.error(at, diag::CannotCall, value.describe());
    const Type *declared =
        isTyped ? typeFromExpression(fn.context(), fn.diagnostics(), closure.resolver, param.type()) : nullptr;
    if (isTyped && !declared)
      return false;
    if (declared) {
      given = convertTo(user, given, declared, at, /*allowConversions=*/true);
      if (!given->type()->isSubtypeOf(declared))
        return fn.error(at, diag::ClosureArgument, closure.name(), declared->annotation(), param.name(),
                        given->type()->annotation());
    }
    fn.captures.values.push_back(given);
    Value *input = fn.graph().addInput(isMeaningfulName(param.name()) ? param.name() : "", given->type());
    fn.env.store(param.name(), input, param.range(), declared);
    fn.env.setType(param.name(), declared ? declared : given->type());
    return true;
  }

  /// Binds what stands for the first parameter: an object, or the class of a class method.
  bool bindFirst(const Param &param) {
    if (llvm::isa<SimpleValue>(closure.first))
      return bind(param, closure.first, range, /*isTyped=*/false);
    fn.env.setSugared(param.name(), closure.first);
    return true;
  }

  bool bindParameter(const Param &param) {
    if (param.isVarKeywords())
      return bindOtherKeywords(param);
    if (param.isVarArgs())
      return bindOtherPositional(param);
    if (!param.isKeywordOnly() && next < positional.size()) {
      const SugaredArgument &given = positional[next];
      isUsed[next++] = true;
      return bind(param, given.value, given.range, /*isTyped=*/true);
    }
    auto named = llvm::find_if(args, [&](const SugaredArgument &arg) { return arg.name == param.name(); });
    if (named == args.end())
      return bindDefault(param);
    isUsed[named - args.begin()] = true;
    return bind(param, named->value, named->range, /*isTyped=*/true);
  }

  /// `**options`: the keywords that no parameter has taken, known by name.
  bool bindOtherKeywords(const Param &param) {
    KeywordsSugar::Entries rest;
    for (auto [at, arg] : llvm::enumerate(args)) {
      if (arg.name.empty() || isUsed[at])
        continue;
      isUsed[at] = true;
      SugaredValue *value = arg.value;
      if (isFirstClass(value)) {
        Value *given = value->asValue(user, arg.range);
        if (!given)
          return false;
        fn.captures.values.push_back(given);
        value = fn.simple(fn.graph().addInput("", given->type()));
      } else {
        value = takeOver(fn, value);
      }
      rest.emplace_back(arg.name, value);
    }
    fn.env.setSugared(param.name(), fn.make<KeywordsSugar>(std::move(rest)));
    return true;
  }

  /// `*values`: the arguments that are left, as a tuple.
  bool bindOtherPositional(const Param &param) {
    llvm::SmallVector<SugaredValue *, 4> rest;
    for (; next < positional.size(); isUsed[next++] = true)
      rest.push_back(positional[next].value);
    return bind(param, user.make<TupleSugar>(rest), range, /*isTyped=*/false);
  }

  bool bindDefault(const Param &param) {
    if (!param.defaultValue())
      return fn.error(range, diag::MissingArgument, param.name());
    if (auto known = closure.defaults.find(&param); known != closure.defaults.end()) {
      SugaredValue *value = variableOf(user, *closure.definer, known->second, range);
      return value && bind(param, value, range, /*isTyped=*/true);
    }
    const Type *declared = param.type() ? tryTypeFromExpression(fn.context(), closure.resolver, param.type()) : nullptr;
    std::optional<IValue> value = fn.compiler.evaluateConstant(param.defaultValue(), declared, closure.resolver);
    if (!value)
      return fn.error(param.defaultValue()->range(), diag::DefaultNotConstant, param.name(),
                      declared ? declared->annotation() : "Any");
    return bind(param, user.simple(madeAnew(user, *value, declared, range)), range, /*isTyped=*/true);
  }

  FunctionContext &fn, &user;
  ClosureSugar &closure;
  SourceRange range; ///< Of the call.
  ArrayRef<SugaredArgument> args, positional;
  llvm::SmallVector<bool, 8> isUsed; ///< By argument.
  size_t next = 0;                   ///< The first positional argument that is left.
};
} // namespace

bool tsc::bindParameters(FunctionContext &fn, ClosureSugar &closure, SourceRange range, ArrayRef<SugaredArgument> args,
                         FunctionContext &user) {
  return ParameterBinder(fn, closure, range, args, user).bindAll();
}
