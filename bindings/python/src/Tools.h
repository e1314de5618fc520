//===- Tools.h - The tools, within the extension ----------------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_TOOLS_H
#define TSC_BINDINGS_PYTHON_TOOLS_H

#include "Python.h"

namespace tsc::bindings {

/// Binds tsc._tsc._run_tool(name, arguments), which `python -m tsc` calls.
void bindTools(nb::module_ &module);

} // namespace tsc::bindings

#endif
