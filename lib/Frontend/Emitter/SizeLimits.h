//===- SizeLimits.h - What a few words may not make large -------*- C++ -*-===//
//
// `B = Tuple[A, A]`, `C = Tuple[B, B]`, …: each line doubles what the name stands
// for, and so do tuples of tuples, constants, and loops over tuples inside each
// other. Time and memory of compilation stay in proportion to the text only when
// such growth is refused.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FRONTEND_SIZELIMITS_H
#define TSC_LIB_FRONTEND_SIZELIMITS_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/Type.h"

namespace tsc {

constexpr unsigned maxParts = 20000;    ///< Parts of a constant, written out.
constexpr unsigned maxTypeParts = 1000; ///< Parts of a type, written out: each value of it may cost so much.
constexpr unsigned maxPartsOfPart = 64; ///< Further parts that a type may have for each one that stands in it directly.
constexpr unsigned maxTypeDepth = 500;  ///< How deep a type nests: everybody walks them by recursion.
constexpr unsigned maxWidened = 100;    ///< Variables of a body that begin as None: each compiles it again.
constexpr unsigned maxInstances = 5000; ///< Functions that are compiled for one call.
constexpr unsigned maxInstanceDepth = 60;         ///< How deep calls of such functions stand within each other.
constexpr unsigned maxValuesAtUnrolling = 300000; ///< Values of a graph in which a loop is unrolled.

/// Whether the type, written out in full with the fields of named tuples, has more parts than the limits above allow or
/// nests deeper than maxTypeDepth. Takes time in proportion to the limit at most.
bool isTooLarge(const Type *type);
/// Whether a constant, numbers and strings in tuples and lists, has more than maxParts parts or nests deeper than
/// maxTypeDepth.
bool isTooLarge(const IValue &value);

} // namespace tsc

#endif
