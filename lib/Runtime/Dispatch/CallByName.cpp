//===- CallByName.cpp - Operators that a host calls -----------------------===//
//
// The overload that values fit, by the rules of IR's SchemaMatching.cpp for the types
// of expressions: who calls add(x, 2) here gets what the compiler chooses for it. Each
// overload is tried once: the first that fits as things are is taken, or else the first
// that fits when they are converted.
//
//===----------------------------------------------------------------------===//
#include "tsc/Runtime/Dispatch/CallByName.h"
#include "tsc/IR/ArgumentWalk.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/SchemaMatching.h"
#include "tsc/Runtime/Dispatch/CallOperator.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

/// Whether a value is of a type without a conversion of numbers. A tuple is a list, as it is for the compiler.
static bool isOfType(Context &context, const IValue &value, const Type *type) {
  switch (type->kind()) {
  case TypeKind::Any: return true;
  case TypeKind::Int:
  case TypeKind::SymInt:
  case TypeKind::ScalarType:
  case TypeKind::Layout:
  case TypeKind::MemoryFormat: return value.isInt();
  case TypeKind::Float: return value.isDouble();
  case TypeKind::Number: return value.isScalar() && !value.isBool();
  case TypeKind::Optional: return value.isNone() || isOfType(context, value, type->contained()[0]);
  case TypeKind::List: {
    const Type *element = type->contained()[0];
    if (value.isTuple())
      return llvm::all_of(value.toTuple().elements, [&](const IValue &one) { return isOfType(context, one, element); });
    if (!value.isList())
      return false;
    const bool isUniform = value.isIntList() || value.isDoubleList() || value.isBoolList();
    for (size_t i = 0; i != value.listSize() && !(isUniform && i == 1); ++i)
      if (!isOfType(context, value.listElement(i), element))
        return false;
    return true;
  }
  case TypeKind::Tuple:
    return value.isTuple() && value.toTuple().elements.size() == type->contained().size() &&
           llvm::all_of(llvm::zip(value.toTuple().elements, type->contained()),
                        [&](const auto &pair) { return isOfType(context, std::get<0>(pair), std::get<1>(pair)); });
  default: {
    std::optional<IValue> same = convertTo(context, value, type);
    return same && same->isSameAs(value);
  }
  }
}

/// repeatedArgument(), which also notes where the number is converted.
static std::optional<IValue> repeated(Context &context, const Argument &formal, const IValue &value,
                                      bool &isConverted) {
  std::optional<IValue> all = repeatedArgument(context, formal, value);
  if (all) {
    const Type *element = llvm::cast<ListType>(ArgumentWalk::withoutOptional(formal.type))->element();
    isConverted |= !isOfType(context, value, element) && !(element->isFloat() && value.isInt());
  }
  return all;
}

namespace {

/// How the arguments of a call fit a schema.
enum class Fit : uint8_t {
  No,
  ByConversion, ///< Only where numbers, devices or the elements of a list are converted.
  AsIs,
};

/// One try to give the arguments of a call to a schema.
class Binder {
public:
  Binder(Context &context, const FunctionSchema &schema, llvm::ArrayRef<IValue> args, const KeywordArguments &kwargs)
      : context(context), schema(schema), args(args), kwargs(kwargs), walk(schema, args.size(), namesOf(kwargs)) {}

  /// Finds one value for each argument of the schema, and more for one with a variable number. Where the call does not
  /// fit, why() says why.
  Fit bind(std::vector<IValue> &bound) {
    for (size_t i = 0; i != schema.arguments().size(); ++i)
      if (!bindArgument(i, bound))
        return Fit::No;
    if (schema.isVararg())
      llvm::append_range(bound, args.drop_front(walk.takeFurther()));
    const size_t used = walk.numTaken();
    if (used != args.size())
      return refuse("it takes at most " + llvm::Twine(used) + " positional argument" + (used == 1 ? "" : "s") +
                    ", and " + llvm::Twine(args.size()) + (args.size() == 1 ? " was given" : " were given"));
    if (std::optional<size_t> unused = walk.unusedKeyword()) {
      const std::string &name = kwargs[*unused].first;
      return refuse(schema.argumentIndex(name) ? "'" + llvm::Twine(name) + "' is given twice"
                                               : "it has no argument '" + llvm::Twine(name) + "'");
    }
    return isConverted ? Fit::ByConversion : Fit::AsIs;
  }
  /// Returns the type of the first result; null where there is none, or it does not follow from the arguments.
  const Type *resultType() const {
    return schema.returns().empty() ? nullptr
                                    : substituteTypeVariables(context, schema.returns().front().type, bindings);
  }
  const std::string &why() const { return reason; }

private:
  Fit refuse(const llvm::Twine &text) {
    reason = text.str();
    return Fit::No;
  }
  bool refuseType(const Argument &formal, const Type *type, const IValue &value) {
    refuse("'" + llvm::Twine(formal.name) + "' takes " + type->annotation() + ", and a value of type " +
           pythonTypeName(value) + " was given");
    return false;
  }
  static llvm::SmallVector<llvm::StringRef, 4> namesOf(const KeywordArguments &kwargs) {
    return llvm::to_vector<4>(llvm::map_range(kwargs, [](const auto &one) { return llvm::StringRef(one.first); }));
  }

  bool bindArgument(size_t index, std::vector<IValue> &bound) {
    const Argument &formal = schema.arguments()[index];
    const ArgumentWalk::Source source = walk.take(index, [&](size_t next) { return !isListOrNone(args[next]); });
    switch (source.kind) {
    case ArgumentWalk::Source::Positional: return bindValue(formal, args[source.index], bound);
    case ArgumentWalk::Source::Rest: return bindRest(formal, args.drop_front(source.index), bound);
    case ArgumentWalk::Source::Keyword: return bindValue(formal, kwargs[source.index].second, bound);
    case ArgumentWalk::Source::Default: return bindValue(formal, deepCopy(*formal.defaultValue), bound);
    case ArgumentWalk::Source::Missing: break;
    }
    refuse("'" + llvm::Twine(formal.name) + "' is missing");
    return false;
  }

  static bool isListOrNone(const IValue &value) { return value.isList() || value.isTuple() || value.isNone(); }

  bool bindRest(const Argument &formal, llvm::ArrayRef<IValue> rest, std::vector<IValue> &bound) {
    const Type *element = ArgumentWalk::withoutOptional(formal.type)->contained()[0];
    IValue list = makeList(element, rest.size());
    for (const IValue &value : rest) {
      std::optional<IValue> item = convertTo(context, value, element);
      if (!item)
        return refuseType(formal, element, value);
      appendToList(list, std::move(*item));
    }
    isConverted = true;
    bound.push_back(std::move(list));
    return true;
  }

  bool bindValue(const Argument &formal, const IValue &value, std::vector<IValue> &bound) {
    if (std::optional<IValue> list = repeated(context, formal, value, isConverted)) {
      bound.push_back(std::move(*list));
      return true;
    }
    const Type *type = formal.type;
    if (type->hasFreeVariables()) {
      const Type *given = value.dynamicType(context);
      if (!given || !bindTypeVariables(context, type, given, bindings, reason))
        return refuseType(formal, type, value);
      type = substituteTypeVariables(context, type, bindings);
      if (!type && !value.isNone()) // a variable that only None was seen for
        return refuseType(formal, formal.type, value);
    }
    std::optional<IValue> converted = type ? convertTo(context, value, type) : value;
    if (!converted)
      return refuseType(formal, type, value);
    isConverted |= type && !isOfType(context, value, type);
    bound.push_back(std::move(*converted));
    return true;
  }

  Context &context;
  const FunctionSchema &schema;
  llvm::ArrayRef<IValue> args;
  const KeywordArguments &kwargs;
  ArgumentWalk walk;
  bool isConverted = false; ///< Whether some argument fits by a conversion alone.
  TypeBindings bindings;
  std::string reason;
};

/// The operator that a call means, with its operands.
struct BoundCall {
  const Operator *op = nullptr;
  std::vector<IValue> operands;
  const Type *resultType = nullptr;
};

} // namespace

static Status unknownOperator(Context &context, llvm::StringRef name) {
  std::string near;
  for (const std::string &similar : context.operators().similarNames(name.split('.').first, 1))
    near = "; did you mean '" + similar + "'?";
  return notFound("there is no operator '" + llvm::Twine(name) + "'" + near);
}

/// Finds the overloads of "ns::name", or the one overload of "ns::name.overload".
static StatusOr<llvm::SmallVector<const Operator *, 8>> findOverloads(Context &context, llvm::StringRef name) {
  auto [qualified, overload] = name.split('.');
  auto [space, rest] = qualified.split("::");
  if (space.empty() || rest.empty())
    return invalidArgument("'" + llvm::Twine(name) + "' is no name of an operator, such as 'aten::add'");
  llvm::SmallVector<const Operator *, 8> found;
  for (const Operator *op : context.operators().overloads(context.symbol(qualified)))
    if (!name.contains('.') || op->schema().overloadName() == overload)
      found.push_back(op);
  if (found.empty())
    return unknownOperator(context, name);
  return found;
}

static StatusOr<BoundCall> bindCall(Context &context, llvm::ArrayRef<const Operator *> overloads, llvm::StringRef name,
                                    llvm::ArrayRef<IValue> args, const KeywordArguments &kwargs) {
  std::string reasons;
  std::optional<BoundCall> byConversion; // the first that fits so
  for (const Operator *op : overloads) {
    const FunctionSchema &schema = op->schema();
    if (kwargs.empty() && overloads.size() > 1 && takesDTypeForSize(schema))
      continue;
    BoundCall call{op, {}, nullptr};
    Binder binder(context, schema, args, kwargs);
    const Fit fit = binder.bind(call.operands);
    if (fit == Fit::No) {
      reasons += "\n  " + schema.str() + ": " + binder.why();
      continue;
    }
    call.resultType = binder.resultType();
    if (fit == Fit::AsIs)
      return call;
    if (!byConversion)
      byConversion = std::move(call);
  }
  if (byConversion)
    return *std::move(byConversion);
  std::string given;
  for (const IValue &value : args)
    given += (given.empty() ? "" : ", ") + pythonTypeName(value);
  for (const auto &[keyword, value] : kwargs)
    given += (given.empty() ? "" : ", ") + keyword + "=" + pythonTypeName(value);
  return invalidArgument("no overload of '" + llvm::Twine(name) + "' takes (" + given + "):" + reasons);
}

static Status checkSteps(CallContext &context) {
  if (context.hasAlarm())
    TSC_RETURN_IF_ERROR(context.checkLimits());
  return context.stepsUsed >= context.quotas.steps ? quotaExceeded(QuotaKind::Steps) : okStatus();
}

Status tsc::callBound(CallContext &context, const OperatorCall &call, llvm::ArrayRef<const IValue *> operands,
                      IValue *results) {
  TSC_RETURN_IF_ERROR(checkSteps(context));
  if (!call.hasKernel())
    return unimplemented("operator '" + llvm::Twine(call.name) + "' has no kernel in this build");
  CallContext::MemoryScope counting(context);
  const bool isLimited = context.quotas.steps != Quotas::unlimited;
  context.meter().setLimit(isLimited ? context.quotas.steps - context.stepsUsed : work::Meter::unlimited);
  const CallSite *outerSite = context.site;
  Status status;
  {
    work::MeterScope working(&context.meter());
    status = callOperator(context, call, operands, results);
  }
  context.site = outerSite; // this one is gone
  context.stepsUsed += 1 + context.meter().take();
  return status;
}

/// Calls the overload that the arguments fit.
static StatusOr<std::vector<IValue>> callAny(CallContext &context, llvm::ArrayRef<const Operator *> overloads,
                                             llvm::StringRef name, const std::vector<IValue> &args,
                                             const KeywordArguments &kwargs) {
  TSC_ASSIGN_OR_RETURN(const BoundCall bound, bindCall(context.context(), overloads, name, args, kwargs));
  const OperatorCall &known = operatorCallOf(context.context(), *bound.op);
  std::optional<OperatorCall> special; // of a call with another number of operands, or another type of result
  if (known.site.numArgs != bound.operands.size() || known.site.resultType != bound.resultType) {
    special = known;
    special->site.numArgs = bound.operands.size();
    special->site.resultType = bound.resultType;
    if (bound.op->schema().isVararg() && known.gradientOperands) // the further operands may be tensors too
      special->gradientOperands =
          bound.operands.size() < 32 ? (uint32_t{1} << bound.operands.size()) - 1 : ~uint32_t{0};
  }
  std::vector<const IValue *> operands;
  for (const IValue &operand : bound.operands)
    operands.push_back(&operand);
  std::vector<IValue> results(bound.op->schema().returns().size());
  TSC_RETURN_IF_ERROR(callBound(context, special ? *special : known, operands, results.data()));
  return results;
}

StatusOr<std::vector<IValue>> tsc::callOperator(CallContext &context, llvm::StringRef name, std::vector<IValue> args,
                                                const KeywordArguments &kwargs) {
  TSC_RETURN_IF_ERROR(checkSteps(context));
  TSC_ASSIGN_OR_RETURN(auto overloads, findOverloads(context.context(), name));
  return callAny(context, overloads, name, args, kwargs);
}

StatusOr<std::vector<IValue>> tsc::callOverload(CallContext &context, const Operator &op, std::vector<IValue> args,
                                                const KeywordArguments &kwargs) {
  TSC_RETURN_IF_ERROR(checkSteps(context));
  const Operator *const only[] = {&op};
  const FunctionSchema &schema = op.schema();
  const std::string name = (schema.name() + (schema.overloadName().empty() ? "" : ".") + schema.overloadName()).str();
  return callAny(context, only, name, args, kwargs);
}
