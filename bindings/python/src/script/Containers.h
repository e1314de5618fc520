//===- Containers.h - Lists and dicts shared with Python --------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_SCRIPT_CONTAINERS_H
#define TSC_BINDINGS_PYTHON_SCRIPT_CONTAINERS_H

#include "../Python.h"
#include "tsc/IR/IValue.h"
#include <optional>

namespace tsc::bindings {

/// Returns the list or dict of compiled code that an object of Python's stands for (jit.ScriptList, jit.ScriptDict);
/// nothing for other objects.
std::optional<IValue> valueOfContainer(nb::handle object);
void bindContainers(nb::module_ &module);

} // namespace tsc::bindings

#endif
