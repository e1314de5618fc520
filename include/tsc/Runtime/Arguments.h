//===- Arguments.h - Crossing the boundary into a program -------*- C++ -*-===//
//
// Arguments of a host are matched with a signature: by position and name,
// defaults filled in, types checked, and the conversions made that PyTorch makes
// between Python and TorchScript (an int for a float, a tuple for a list).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_ARGUMENTS_H
#define TSC_RUNTIME_ARGUMENTS_H

#include "tsc/IR/FunctionSchema.h"
#include "tsc/Support/Status.h"

namespace tsc {

using KeywordArguments = std::vector<std::pair<std::string, IValue>>;

/// The arguments in the order of the schema, all of its types. InvalidArgument, in PyTorch's words, when they do not
/// fit.
StatusOr<std::vector<IValue>> bindArguments(Context &context, const FunctionSchema &schema, std::vector<IValue> args,
                                            KeywordArguments kwargs = {});
/// The value as one of `type`; the value itself (same object) when it is one already. None when it cannot be.
std::optional<IValue> convertTo(Context &context, const IValue &value, const Type *type);
/// What Python calls the value's type: "Tensor", "int", "list".
std::string pythonTypeName(const IValue &value);

} // namespace tsc

#endif
