//===- Gradients.h - Recorded gradients against the tape's ------*- C++ -*-===//
#ifndef TSC_TOOLS_TSCRUN_GRADIENTS_H
#define TSC_TOOLS_TSCRUN_GRADIENTS_H

#include "Calls.h"
#include "tsc/Runtime/Dispatch/CallContext.h"

namespace tsc::run {

struct Options;

/// What comparing with --check-grad's file gave.
struct GradientCheck {
  Status status;          ///< Something could not be run or differentiated.
  std::string difference; ///< The first number that differs; empty when none does.
};

/// Makes the call with each tensor that the file names as a leaf that requires a gradient, and compares the result, the
/// gradients, and the gradients of these with what is recorded.
GradientCheck checkGradients(const Program &program, CallContext &context, const Call &call, const Options &options);

} // namespace tsc::run

#endif
