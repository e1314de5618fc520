//===- LanguageOperators.h - What the language needs beyond PyTorch -*- C++ -*-===//
#ifndef TSC_RUNTIME_LANGUAGEOPERATORS_H
#define TSC_RUNTIME_LANGUAGEOPERATORS_H

#include "tsc/Support/Status.h"

namespace tsc {

class OperatorTable;

/// Registers the operators that programs of our extended language are made of (docs/Language.md): the question whether
/// a future failed, on which `try` stands, text that is printed without an end of line, and dicts whose keys are tuples
/// or members of enumerations.
Status registerLanguageOperators(OperatorTable &table);

} // namespace tsc

#endif
