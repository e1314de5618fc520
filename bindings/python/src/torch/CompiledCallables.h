//===- CompiledCallables.h - What ScriptFunction and ScriptModule derive from -*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_TORCH_COMPILEDCALLABLES_H
#define TSC_BINDINGS_PYTHON_TORCH_COMPILEDCALLABLES_H

#include "../Python.h"

namespace tsc::bindings {

/// Adds the classes _CompiledFunction and _CompiledModule, and what tsc.jit asks of them, to the extension's module.
void bindCompiledCallables(nb::module_ &module);

} // namespace tsc::bindings

#endif
