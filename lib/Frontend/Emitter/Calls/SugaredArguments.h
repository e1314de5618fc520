//===- SugaredArguments.h - Arguments of any kind ---------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_SUGAREDARGUMENTS_H
#define TSC_LIB_FRONTEND_SUGAREDARGUMENTS_H

#include "../FunctionContext.h"

namespace tsc {

/// An argument of a call that is compiled for it: a value, or what is none.
struct SugaredArgument {
  SugaredValue *value;
  SourceRange range;
  std::string name; ///< The keyword; empty for a positional argument.
};

/// Appends the arguments of a call behind the first `skip` ones, values or not. False after a report.
bool emitSugaredArguments(FunctionContext &fn, const Apply &tree, std::vector<SugaredArgument> &args,
                          unsigned skip = 0);
/// Returns values that are known by now as arguments of a callee that may be given others.
std::vector<SugaredArgument> sugaredArguments(FunctionContext &fn, SourceRange range, ArrayRef<NamedValue> args,
                                              ArrayRef<NamedValue> kwargs);
/// Appends the keywords that `**value` stands for to `out`, where they are known; else sets `dict` to a dict whose keys
/// the run brings, and to null otherwise. False after a report.
bool knownKeywords(FunctionContext &fn, const DoubleStarred &tree, std::vector<SugaredArgument> &out, Value *&dict);
/// Appends what `**value` stands for, where the keywords are known while compiling. False after a report.
bool emitKeywords(FunctionContext &fn, const DoubleStarred &tree, std::vector<SugaredArgument> &args);

} // namespace tsc

#endif
