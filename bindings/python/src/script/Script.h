//===- Script.h - The part of the extension behind tsc.jit ------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_SCRIPT_SCRIPT_H
#define TSC_BINDINGS_PYTHON_SCRIPT_SCRIPT_H

#include "../Python.h"

namespace tsc::bindings {

/// Adds the classes ScriptUnit and Definition to the extension's module.
void bindScript(nb::module_ &module);

} // namespace tsc::bindings

#endif
