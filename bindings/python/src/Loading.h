//===- Loading.h - Programs as objects --------------------------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_LOADING_H
#define TSC_BINDINGS_PYTHON_LOADING_H

#include "Python.h"

namespace tsc::bindings {

/// Binds tsc.Program, and the function `_load`, which tsc/_load.py makes the public ones of.
void bindPrograms(nb::module_ &module);

} // namespace tsc::bindings

#endif
