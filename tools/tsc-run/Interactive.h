//===- Interactive.h - tsc-run -i -------------------------------*- C++ -*-===//
#ifndef TSC_TOOLS_TSCRUN_INTERACTIVE_H
#define TSC_TOOLS_TSCRUN_INTERACTIVE_H

namespace tsc {
class CallContext;
class Program;
} // namespace tsc

namespace tsc::run {

class ErrorWriter;

/// Talks to whoever is at standard input, behind a program that was loaded, until the input ends. The exit status: that
/// of a script says whether something in it failed.
int talk(ErrorWriter &errors, Program &program, CallContext &call);

} // namespace tsc::run

#endif
