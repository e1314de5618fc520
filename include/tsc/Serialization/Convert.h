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

/// `value` as `type` wants it, by the rules by which PyTorch takes Python arguments: an int where a float is wanted, a
/// tuple where a list is. A part that has its type already stays the same object. InvalidArgument when it does not fit.
StatusOr<IValue> convertTo(const IValue &value, const Type *type, Context &context);

/// Gives untyped lists and dicts the types their elements show (List[int] where all are ints; Any if they differ or
/// there are none). An object met twice stays one object.
IValue inferTypes(const IValue &value, Context &context);

} // namespace tsc

#endif
