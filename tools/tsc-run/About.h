//===- About.h - What tsc-run is made of ------------------------*- C++ -*-===//
//
// The texts of --version and --licenses.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUN_ABOUT_H
#define TSC_RUN_ABOUT_H

#include "llvm/Support/raw_ostream.h"
#include <string>

namespace tsc::run {

/// The version on the first line, and below it what the program was built of.
void printVersion(llvm::raw_ostream &os);
/// NOTICE and LICENSE, as they are in the repository.
void printLicenses(llvm::raw_ostream &os);
/// "optimized" or "with assertions", the versions of LLVM and of the compiler: in one line.
std::string buildText();

} // namespace tsc::run

#endif
