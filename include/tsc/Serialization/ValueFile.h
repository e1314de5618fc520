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

/// Loads a value that torch.save wrote, in its zip format or in the older one, a sequence of pickles. Lists and dicts
/// get the types of their elements (see inferTypes). Tensors of a zip file borrow the file's bytes where those have a
/// keeper, and are copied when a program writes to them.
///
/// Errors: NotFound (there is no such file), DataLoss (malformed), InvalidArgument (an archive of torch.jit.save), and
///         Unimplemented and ResourceExhausted as for Unpickler.
StatusOr<IValue> loadValue(Context &context, const std::string &path);
StatusOr<IValue> loadValue(Context &context, Bytes file);

/// Returns the bytes of a zip file that torch.load reads. A NamedTuple becomes a tuple. Objects, futures and other
/// values that mean nothing without their program are Unimplemented.
StatusOr<std::string> saveValue(const IValue &value);
/// Writes such a file. It replaces one that is there only when all of it is written.
Status saveValue(const IValue &value, const std::string &path);

} // namespace tsc

#endif
