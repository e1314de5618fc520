//===- Convert.h - Untyped values to declared types -------------*- C++ -*-===//
//
// Python's pickles do not say what a list holds. What is known later (an
// attribute's type, a parameter's, a type tag) is put into the value here.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SERIALIZATION_CONVERT_H
#define TSC_SERIALIZATION_CONVERT_H

#include "tsc/IR/IValue.h"

namespace tsc {

/// Converts an unpickled value to `type`, as PyTorch converts Python arguments: an int where a float is wanted, a tuple
/// where a list is wanted. A part that has its type already stays the same object. InvalidArgument where the value does
/// not fit.
StatusOr<IValue> convertTo(const IValue &value, const Type *type, Context &context);

/// Returns the value with the types of its elements given to untyped lists and dicts: List[int] where all elements are
/// ints, List[Any] where they have no common type or there are none. A container that the value holds twice stays one
/// container.
IValue inferTypes(const IValue &value, Context &context);

} // namespace tsc

#endif
