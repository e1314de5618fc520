//===- Tools.h - The tools, within the extension ----------------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_TOOLS_H
#define TSC_BINDINGS_PYTHON_TOOLS_H

#include "Python.h"

namespace tsc::bindings {

/// Binds what tsc._tsc has of the tools: _run_tool(name, arguments), which `python -m tsc` calls, and
/// _svg_of_graphs(text), which notebooks show.
void bindTools(nb::module_ &module);

} // namespace tsc::bindings

#endif
