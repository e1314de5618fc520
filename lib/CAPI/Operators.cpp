//===- Operators.cpp - Operators on values, without a program -------------===//
#include "Eager.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/CallByName.h"
#include "tsc/Runtime/Dispatch/OperatorCall.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

using namespace tsc;
using namespace tsc::capi;

/// One overload of an operator, as calls need it. It lives as long as the process.
struct tsc_op {
  explicit tsc_op(const Operator &op)
      : op(op), schema(op.schema()), call(operatorCallOf(eagerContext(), op)), text(schema.str()),
        hasVariables(schema.isVararg() || llvm::any_of(schema.arguments(), [](const Argument &argument) {
                       return argument.type->hasFreeVariables();
                     })) {}
  const Operator &op;
  const FunctionSchema &schema;
  const OperatorCall &call;
  const std::string text;
  const bool hasVariables; ///< Whether types of arguments depend on each other, or their number on the call.
};

//===----------------------------------------------------------------------===//
// Which there are
//===----------------------------------------------------------------------===//

namespace {
/// The overloads of one name.
struct Overloads {
  std::vector<std::unique_ptr<const tsc_op>> ops;
  std::vector<const tsc_op *> list; ///< The same, as hosts read it.
};

/// The operators that hosts have asked for.
struct KnownOps {
  std::mutex &lock = makeForkSafeMutex();
  llvm::StringMap<Overloads> names;
};
} // namespace

/// Returns the overloads of "ns::name", or NotFound.
static StatusOr<const Overloads *> overloadsOf(llvm::StringRef name) {
  static auto &known = *new KnownOps;
  EagerCall call;
  TSC_RETURN_IF_ERROR(call.status());
  {
    std::lock_guard guard(known.lock);
    if (auto at = known.names.find(name); at != known.names.end())
      return &at->second;
  }
  auto [space, rest] = name.split("::");
  OperatorTable &table = eagerContext().operators();
  const bool isName = !space.empty() && !rest.empty() && !rest.contains("::");
  Overloads made;
  for (const Operator *op : isName ? table.overloads(eagerContext().symbol(name)) : ArrayRef<const Operator *>()) {
    made.ops.push_back(std::make_unique<const tsc_op>(*op));
    made.list.push_back(made.ops.back().get());
  }
  if (made.ops.empty()) {
    std::string near;
    for (const std::string &similar : table.similarNames(name, 1))
      near = "; did you mean '" + similar + "'?";
    return notFound("there is no operator '" + llvm::Twine(name) + "'" + near);
  }
  std::lock_guard guard(known.lock); // another thread may have been faster: its list stays
  return &known.names.try_emplace(name, std::move(made)).first->second;
}

tsc_error *tsc_op_find(const char *name, const char *overload, const tsc_op **op) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{op, "op"}}));
    *op = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{name, "name"}, {overload, "overload"}}));
    TSC_ASSIGN_OR_RETURN(const Overloads *found, overloadsOf(name));
    for (const tsc_op *one : found->list)
      if (one->schema.overloadName() == overload) {
        *op = one;
        return okStatus();
      }
    std::string others;
    for (const tsc_op *one : found->list)
      others += (others.empty() ? "'" : ", '") + one->schema.overloadName().str() + "'";
    return notFound("operator '" + llvm::Twine(name) + "' has no overload '" + overload + "'; it has: " + others);
  });
}

tsc_error *tsc_op_overloads(const char *name, const tsc_op *const **ops, size_t *count) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{ops, "ops"}, {count, "count"}}));
    *ops = nullptr;
    *count = 0;
    TSC_RETURN_IF_ERROR(checkNotNull({{name, "name"}}));
    TSC_ASSIGN_OR_RETURN(const Overloads *found, overloadsOf(name));
    *ops = found->list.data();
    *count = found->list.size();
    return okStatus();
  });
}

const char *tsc_op_schema(const tsc_op *op) { return op ? op->text.c_str() : ""; }
size_t tsc_op_num_arguments(const tsc_op *op) { return op ? op->schema.arguments().size() : 0; }
size_t tsc_op_num_results(const tsc_op *op) { return op ? op->schema.returns().size() : 0; }

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Whether a value is of a type, and needs no conversion, where its tag tells.
static bool isOfType(const IValue &value, const Type &type) {
  switch (type.kind()) {
  case TypeKind::Tensor: return value.isTensor();
  case TypeKind::Int:
  case TypeKind::SymInt:
  case TypeKind::ScalarType:
  case TypeKind::Layout:
  case TypeKind::MemoryFormat: return value.isInt();
  case TypeKind::Float: return value.isDouble();
  case TypeKind::Bool: return value.isBool();
  case TypeKind::Number: return value.isScalar();
  case TypeKind::Optional: return value.isNone() || isOfType(value, *type.contained()[0]);
  case TypeKind::List: {
    const Type &element = *type.contained()[0];
    return (element.isInt() && value.isIntList()) || (element.isFloat() && value.isDoubleList()) ||
           (element.isTensor() && value.isTensorList());
  }
  default: return false;
  }
}

/// The operand for one argument: what the host gave, or the default where that is null.
static StatusOr<IValue> operandFor(const tsc_op &op, const Argument &formal, const tsc_value *given, bool inPlace) {
  if (!given) {
    if (!formal.defaultValue)
      return invalidArgument("'" + llvm::Twine(formal.name) + "' is missing: " + op.text);
    return formal.defaultValue->isCounted() ? deepCopy(*formal.defaultValue) : *formal.defaultValue;
  }
  TSC_ASSIGN_OR_RETURN(IValue value, valueFor(given, nullptr, "args"));
  if (given->isUnrecorded) [[unlikely]]
    value = recordable(value, inPlace);
  if (isOfType(value, *formal.type)) [[likely]]
    return value;
  std::optional<IValue> converted = convertToArgument(eagerContext(), formal, value);
  if (!converted)
    return invalidArgument("'" + llvm::Twine(formal.name) + "' takes " + formal.type->annotation() +
                           ", and a value of type " + pythonTypeName(value) + " was given: " + op.text);
  return *std::move(converted);
}

/// Notes what a call that writes may have done to its first operand, which may be a tensor of a module. `setsMark`: it
/// was requires_grad_, which makes a leaf of what it marks.
static void noteWrite(const IValue &written, bool setsMark) {
  noteGradientMark();
  if (setsMark && written.isTensor() && Tape::isLeaf(written.asTensor()))
    written.asTensor().get()->setLeafOfFile(written.asTensor().requiresGrad());
}

tsc_error *tsc_op_run(const tsc_op *op, tsc_value *const *args, size_t num_args, tsc_value **results,
                      size_t num_results) {
  return guarded([&]() -> Status {
    if (num_results != 0)
      TSC_RETURN_IF_ERROR(checkNotNull({{results, "results"}}));
    TSC_RETURN_IF_ERROR(checkLength(num_results, "results"));
    std::fill_n(results, num_results, nullptr);
    TSC_RETURN_IF_ERROR(checkNotNull({{op, "op"}}));
    if (num_args != 0)
      TSC_RETURN_IF_ERROR(checkNotNull({{args, "args"}}));
    llvm::ArrayRef<Argument> formals = op->schema.arguments();
    if (num_args > formals.size() || num_results != op->schema.returns().size() || op->hasVariables)
      return op->hasVariables ? invalidArgument("the arguments of '" + op->call.name +
                                                "' are matched with its schema: call it by tsc_op_call()")
                              : invalidArgument("there are " + llvm::Twine(num_args) + " arguments and room for " +
                                                llvm::Twine(num_results) + " results: " + op->text);
    llvm::SmallVector<IValue, 8> operands, given(num_results);
    for (size_t i = 0; i != formals.size(); ++i) {
      TSC_ASSIGN_OR_RETURN(IValue operand,
                           operandFor(*op, formals[i], i < num_args ? args[i] : nullptr, i == 0 && op->call.writes));
      operands.push_back(std::move(operand));
    }
    llvm::SmallVector<const IValue *, 8> pointers;
    for (const IValue &operand : operands)
      pointers.push_back(&operand);
    {
      EagerCall call;
      TSC_RETURN_IF_ERROR(call.status());
      TSC_RETURN_IF_ERROR(callBound(call.context(), op->call, pointers, given.data()));
    }
    if (op->call.writes)
      noteWrite(operands.front(), op->call.op == OpKind::Aten_requires_grad_);
    for (size_t i = 0; i != num_results; ++i)
      try {
        results[i] = newValue(std::move(given[i]), nullptr);
      } catch (...) {
        for (size_t made = 0; made != i; ++made)
          tsc_value_free(std::exchange(results[made], nullptr));
        throw;
      }
    return okStatus();
  });
}

/// Calls what `call` calls, with arguments by position and by name. `writes`: whether it may write to one; `setsMark`
/// as in noteWrite().
static tsc_error *
callWith(tsc_value *const *args, size_t count, const char *const *names, tsc_value *const *named, size_t numNamed,
         tsc_value **result, bool writes, bool setsMark,
         llvm::function_ref<StatusOr<std::vector<IValue>>(CallContext &context, std::vector<IValue> &args,
                                                          KeywordArguments &kwargs)>
             call) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{result, "result"}}));
    *result = nullptr;
    std::vector<IValue> results;
    {
      TSC_ASSIGN_OR_RETURN(std::vector<IValue> positional, argumentsOf(args, count, nullptr, writes));
      TSC_ASSIGN_OR_RETURN(KeywordArguments keywords, keywordsOf(names, named, numNamed, nullptr));
      EagerCall eager;
      TSC_RETURN_IF_ERROR(eager.status());
      TSC_ASSIGN_OR_RETURN(results, call(eager.context(), positional, keywords));
      if (writes)
        noteWrite(positional.empty() ? IValue() : positional.front(), setsMark);
    }
    *result = newValue(packed(std::move(results)), nullptr);
    return okStatus();
  });
}

tsc_error *tsc_op_call(const tsc_op *op, tsc_value *const *args, size_t num_args, const char *const *names,
                       tsc_value *const *named_args, size_t num_named, tsc_value **result) {
  return callWith(args, num_args, names, named_args, num_named, result, op && op->call.writes,
                  op && op->call.op == OpKind::Aten_requires_grad_,
                  [&](CallContext &context, std::vector<IValue> &positional,
                      KeywordArguments &keywords) -> StatusOr<std::vector<IValue>> {
                    TSC_RETURN_IF_ERROR(checkNotNull({{op, "op"}}));
                    return callOverload(context, op->op, positional, keywords);
                  });
}

tsc_error *tsc_call(const char *name, tsc_value *const *args, size_t num_args, const char *const *names,
                    tsc_value *const *named_args, size_t num_named, tsc_value **result) {
  const llvm::StringRef called = llvm::StringRef(name).split('.').first;
  return callWith(args, num_args, names, named_args, num_named, result, called.ends_with("_"),
                  called == "aten::requires_grad_",
                  [&](CallContext &context, std::vector<IValue> &positional,
                      KeywordArguments &keywords) -> StatusOr<std::vector<IValue>> {
                    TSC_RETURN_IF_ERROR(checkNotNull({{name, "name"}}));
                    return callOperator(context, name, positional, keywords);
                  });
}
