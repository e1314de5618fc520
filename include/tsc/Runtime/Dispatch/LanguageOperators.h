//===- LanguageOperators.h - What the language needs beyond PyTorch -*- C++ -*-===//
#ifndef TSC_RUNTIME_DISPATCH_LANGUAGEOPERATORS_H
#define TSC_RUNTIME_DISPATCH_LANGUAGEOPERATORS_H

#include "tsc/Support/Status.h"

namespace tsc {

class OperatorTable;

/// Registers the operators that the language needs beyond TorchScript (docs/Language.md): asking whether a future
/// failed, by which `try` is compiled, printing text without an end of line, and dicts whose keys are tuples or members
/// of enumerations.
Status registerLanguageOperators(OperatorTable &table);

} // namespace tsc

#endif
