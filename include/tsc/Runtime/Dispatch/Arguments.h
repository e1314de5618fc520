//===- Arguments.h - Crossing the boundary into a program -------*- C++ -*-===//
//
// Arguments of a host are matched with a signature: by position and name,
// defaults filled in, types checked, and the conversions made that PyTorch makes
// between Python and TorchScript (an int for a float, a tuple for a list).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_ARGUMENTS_H
#define TSC_RUNTIME_DISPATCH_ARGUMENTS_H

#include "tsc/IR/FunctionSchema.h"
#include "tsc/Support/Status.h"

namespace tsc {

/// Arguments that a call gives by name.
using KeywordArguments = std::vector<std::pair<std::string, IValue>>;

/// Makes of `args`, the arguments that are given by position, one argument for each of the schema's, in its order and
/// converted to its type. Missing ones are copies of the defaults. Arguments that do not fit are InvalidArgument, in
/// PyTorch's words; `args` may hold some that were converted then.
Status bindArguments(Context &context, const FunctionSchema &schema, std::vector<IValue> &args,
                     const KeywordArguments &kwargs = {});
/// Returns the list that a number stands for where an argument's type names a length, as the 2 of `int[2]`; nothing for
/// other arguments and values.
std::optional<IValue> repeatedArgument(Context &context, const Argument &formal, const IValue &value);
/// Makes of a value one for an argument of an operator, by the conversions that callOperator() makes of a single value.
/// Returns nothing where it does not fit. The argument's type has no type variables.
std::optional<IValue> convertToArgument(Context &context, const Argument &formal, const IValue &value);
/// Converts a value to `type`, or returns nothing where it cannot be converted. A value that has the type already is
/// returned itself, the same object.
std::optional<IValue> convertTo(Context &context, const IValue &value, const Type *type);
/// Returns what Python calls the value's type: "Tensor", "int", "list".
std::string pythonTypeName(const IValue &value);

} // namespace tsc

#endif
