//===- Representation.h - How values of a type are held ---------*- C++ -*-===//
//
// Lowered code reads a value as its static type says, without looking. So every
// value has the representation of its type: scalars are unboxed with a check, and
// all else is checked where it comes in: from a constant, a cast, an argument or
// an operator's result.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_LOWERING_REPRESENTATION_H
#define TSC_RUNTIME_LOWERING_REPRESENTATION_H

#include "tsc/IR/IValue.h"
#include <cstdint>

namespace tsc {

class Type;

/// How a slot holds its value: as a number alone (an int64_t, a double, or an int64_t that is 0 or 1), or as an IValue.
enum class SlotClass : uint8_t { Int, Float, Bool, Value };

/// Returns how values of a static type are held. Dtypes, layouts and memory formats are ints.
SlotClass classOfType(const Type *type);
/// Whether a value has the representation that lowered code relies on for the type. Programs may lie about types (a
/// cast that is not checked, textual IR), so that what they say is compared with the value where it first comes in.
/// The elements of a container are looked at only where it was made as one of another element type.
bool hasRepresentationOf(const IValue &value, const Type *type);
/// Returns a value of the type's representation which nobody is meant to read: zero, or an empty container.
IValue placeholderFor(const Type *type);

} // namespace tsc

#endif
