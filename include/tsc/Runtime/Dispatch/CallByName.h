//===- CallByName.h - Operators that a host calls ---------------*- C++ -*-===//
//
//   Context context;
//   CallContext call(context);
//   auto sums = callOperator(call, "aten::add", {x, y}, {{"alpha", 2}});
//
// A host that links Runtime and calls composite operators, which are defined by
// other operators, says so once: installOperatorServices(context) (Code.h).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_CALLBYNAME_H
#define TSC_RUNTIME_DISPATCH_CALLBYNAME_H

#include "tsc/Runtime/Dispatch/Arguments.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace tsc {

class Operator;
struct OperatorCall;

/// Calls the operator `name`, "aten::add" or with its overload "aten::add.Tensor", and returns its results.
///
/// Overloads are tried in the order in which the compiler tries them: all of them with the arguments as they are, then
/// all with the conversions that PyTorch makes (an int for a float, a tensor of one element for a number, a text for a
/// device). Missing arguments are copies of their defaults; a number stands for a list of fixed length, a tuple for a
/// list, and further positional arguments for the elements of a last list.
///
/// The call goes the whole way of callOperator(): the context's observer, devices and limits apply to it.
///
/// Errors: NotFound for an unknown operator, InvalidArgument with the reason for each overload where none takes the
/// arguments, and the errors of the operator itself.
StatusOr<std::vector<IValue>> callOperator(CallContext &context, llvm::StringRef name, std::vector<IValue> args,
                                           const KeywordArguments &kwargs = {});

/// Calls one overload in the same way.
StatusOr<std::vector<IValue>> callOverload(CallContext &context, const Operator &op, std::vector<IValue> args,
                                           const KeywordArguments &kwargs = {});

/// Calls an operator with one operand for each argument of its schema, of that argument's type, and sets `results`, as
/// many None slots as its schema has results. The errors are those of the operator itself.
Status callBound(CallContext &context, const OperatorCall &call, llvm::ArrayRef<const IValue *> operands,
                 IValue *results);

} // namespace tsc

#endif
