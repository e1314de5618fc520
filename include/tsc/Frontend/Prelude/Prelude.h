//===- Prelude.h - The texts of the library in TorchScript ------*- C++ -*-===//
#ifndef TSC_FRONTEND_PRELUDE_PRELUDE_H
#define TSC_FRONTEND_PRELUDE_PRELUDE_H

#include "tsc/Frontend/PreludeTexts.h"

namespace tsc {

/// Returns the prelude that comes with tsc, which each Compiler for TorchScript as PyTorch knows it is made with. The
/// texts are deflated in this library, and a module is unpacked when a compiler asks for it.
const PreludeTexts &prelude();

} // namespace tsc

#endif
