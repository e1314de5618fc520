//===- CodeTarget.h - The processor that code is made for -------*- C++ -*-===//
#ifndef TSC_CODEGEN_CODETARGET_H
#define TSC_CODEGEN_CODETARGET_H

#include "tsc/Support/SimdLevel.h"
#include <string>

namespace tsc::codegen {

/// The processor that machine code is made for, in LLVM's words. Code depends on nothing else besides its program and
/// the build of tsc, so that key() is a part of every key under which code is kept.
struct CodeTarget {
  std::string triple;    ///< LLVM's name of the kind of machine: "x86_64-pc-linux-gnu".
  std::string processor; ///< What code is tuned for. That its name promises an instruction lets no code use it.
  std::string features;  ///< What code may use: "+avx,+avx2,+fma", sorted. What is missing in it is not used.

  /// Returns the processor at hand without what is above the level, tuned for the processor `tuneFor`, or for the one
  /// at hand where that is empty.
  static CodeTarget host(SimdLevel atMost, llvm::StringRef tuneFor = "");
  /// Returns a processor that has what the level asks for and no more.
  static CodeTarget generic(SimdLevel level);

  /// Returns all three and the version of LLVM, as a text.
  std::string key() const;
};

} // namespace tsc::codegen

#endif
