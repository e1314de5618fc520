//===- Values.h - Values of Python as those of programs ---------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_VALUES_H
#define TSC_BINDINGS_PYTHON_VALUES_H

#include "LoadedProgram.h"
#include "Python.h"
#include "tsc/IR/IValue.h"

namespace tsc::bindings {

/// Converts an object of Python's. Lists, tuples and dicts are copied; tensors, and arrays of NumPy where their layout
/// allows, are shared. Objects of classes and enums are those of `program`, which may be null.
///
/// Raises TypeError, with a sentence, for what has no counterpart in TorchScript, and for an object of another program;
/// OverflowError for an int of more than 64 bits.
IValue toIValue(nb::handle object, const LoadedProgram *program);

/// Makes the list that a program has for a list of Python's: of ints, floats, bools or tensors, where all elements are
/// of one of these kinds, and of any values otherwise.
IValue makeListOf(std::vector<IValue> elements);

/// Converts a program's value. `program` is the one that its types belong to, or null where it has none.
nb::object toPython(const IValue &value, const ProgramRef &program);

/// Whether an object is one number of NumPy's, such as numpy.float32(1), and no array.
bool isNumberOfNumPy(nb::handle object);

} // namespace tsc::bindings

#endif
