//===- Doctor.h - tsc-run --doctor ------------------------------*- C++ -*-===//
#ifndef TSC_TOOLS_TSCRUN_DOCTOR_H
#define TSC_TOOLS_TSCRUN_DOCTOR_H

#include "Options.h"

namespace tsc::run {

/// Prints what this tsc-run was built of, what the machine offers, and what is wrong with it. Returns how many things
/// are wrong.
unsigned printDoctor(llvm::raw_ostream &os, const Options &options);

} // namespace tsc::run

#endif
