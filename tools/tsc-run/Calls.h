//===- Calls.h - The calls that the command line asks for -------*- C++ -*-===//
#ifndef TSC_TOOLS_TSCRUN_CALLS_H
#define TSC_TOOLS_TSCRUN_CALLS_H

#include "tsc/Engine/Program.h"

namespace tsc::run {

struct Options;

/// What errors about the file of --inputs tell the user to write.
inline constexpr const char *howToSaveCalls = "write torch.save({'args': (x,), 'result': y}, FILE)";

/// Arguments of one call, and what it should give.
struct Call {
  std::vector<IValue> args;
  KeywordArguments kwargs;
  std::optional<IValue> expected;
  std::string method; ///< As it was asked for; empty when it was not.
  Program::Entry entry;
};

/// Finds the entries first, so that a wrong program is found before its arguments are made.
StatusOr<std::vector<Call>> makeCalls(Program &program, const Options &options, CallContext &context);

/// Returns an error of a call. One that says that arguments do not fit gets a line about the command line where that
/// may be why.
Status withHint(Status error, const Call &call, const Options &options);

/// The call with lists, tuples and dicts of its own, as those are that Python hands over: a program that writes to its
/// arguments gets what the first call got. Tensors and objects stay shared.
Call copyContainers(const Call &call);

} // namespace tsc::run

#endif
