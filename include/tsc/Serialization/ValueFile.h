//===- ValueFile.h - Files of torch.save ------------------------*- C++ -*-===//
//
// Values without code: tensors, numbers, strings and containers of them.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SERIALIZATION_VALUEFILE_H
#define TSC_SERIALIZATION_VALUEFILE_H

#include "tsc/IR/IValue.h"
#include "tsc/Serialization/Zip.h"

namespace tsc {

/// What torch.save wrote: its zip format, or the older one that is a row of pickles. Lists and dicts have the types
/// their elements show (see inferTypes). Tensors of a zip file borrow the mapped file and are copied when written to.
StatusOr<IValue> loadValue(Context &context, const std::string &path);
StatusOr<IValue> loadValue(Context &context, Bytes file);

/// The bytes of a zip file that torch.load reads. A NamedTuple becomes a tuple. Unimplemented for objects, futures and
/// other values that mean nothing without their program.
StatusOr<std::string> saveValue(const IValue &value);
Status saveValue(const IValue &value, const std::string &path);

} // namespace tsc

#endif
