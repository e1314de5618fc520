//===- ModuleObject.h - Modules and other objects of programs ---*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_MODULEOBJECT_H
#define TSC_BINDINGS_PYTHON_MODULEOBJECT_H

#include "Callee.h"
#include "LoadedProgram.h"
#include "Python.h"

namespace tsc::bindings {

/// Makes a tsc.Module, or a tsc.Object for an object that is no module.
nb::object objectOf(const IValue &object, const ProgramRef &program);
/// Makes a tsc.Module of the program's own module.
nb::object ownModuleOf(const ProgramRef &program);
/// Returns the value that a tsc.Module or tsc.Object stands for; nothing for other objects. Raises TypeError for one of
/// another program than `program`.
std::optional<IValue> valueOfObject(nb::handle object, const LoadedProgram *program);

/// Returns what a tsc.Module or tsc.Object is, which has it as long as it lives; null for other objects.
Callee *calleeOfModule(nb::handle object);

/// Binds tsc.Module and tsc.Object.
void bindModules(nb::module_ &module);

} // namespace tsc::bindings

#endif
