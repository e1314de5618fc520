//===- ObjectErrors.h - What is wrong with values for objects ---*- C++ -*-===//
#ifndef TSC_LIB_RUNTIME_OBJECTERRORS_H
#define TSC_LIB_RUNTIME_OBJECTERRORS_H

#include "tsc/IR/ClassType.h"
#include "tsc/Support/Status.h"

namespace tsc {

/// Returns the InvalidArgument for a value that is not of the attribute's type.
Status wrongTypeOfAttribute(const ClassAttribute &attribute, const IValue &value);

} // namespace tsc

#endif
