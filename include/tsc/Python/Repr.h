//===- Repr.h - Numbers and texts as repr() writes them ---------*- C++ -*-===//
#ifndef TSC_PYTHON_REPR_H
#define TSC_PYTHON_REPR_H

#include "llvm/ADT/StringRef.h"
#include <complex>
#include <string>

namespace llvm {
class raw_ostream;
}

namespace tsc::python {

/// Writes the shortest digits that give the same number back: `1.0`, `1e-05`, `nan`.
void writeRepr(llvm::raw_ostream &os, double value);
/// Writes a complex number: `(1+2j)`, `2j`.
void writeRepr(llvm::raw_ostream &os, std::complex<double> value);
/// Writes `'text'` with escapes for what cannot be printed, and with double quotes where it holds only single ones.
void writeRepr(llvm::raw_ostream &os, llvm::StringRef text);

/// Returns what writeRepr() writes for a float.
std::string reprOf(double value);
/// Returns what writeRepr() writes for a string.
std::string reprOf(llvm::StringRef text);
/// Returns what ascii() gives: `repr`, which repr() gave, with escapes for what is not ASCII.
std::string asciiOf(llvm::StringRef repr);

} // namespace tsc::python

#endif
