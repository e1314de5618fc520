//===- Loading.h - Programs as objects --------------------------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_LOADING_H
#define TSC_BINDINGS_PYTHON_LOADING_H

#include "Python.h"
#include <utility>
#include <vector>

namespace tsc::bindings {

/// Returns the extra files of an archive, by name, that a dict of Python's has. Raises TypeError where a name is no
/// str, or a content neither str nor bytes.
std::vector<std::pair<std::string, std::string>> extraFilesOf(nb::handle files);

/// Binds tsc.Program, and the function `_load`, which tsc/_load.py makes the public ones of.
void bindPrograms(nb::module_ &module);

} // namespace tsc::bindings

#endif
