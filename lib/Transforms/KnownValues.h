//===- KnownValues.h - What constants and types tell passes -----*- C++ -*-===//
#ifndef TSC_LIB_TRANSFORMS_KNOWNVALUES_H
#define TSC_LIB_TRANSFORMS_KNOWNVALUES_H

#include <cstdint>
#include <optional>

namespace tsc {

class Value;

/// The value of a constant int, or bool; nullopt for all else.
std::optional<int64_t> constantInt(const Value *value);
std::optional<bool> constantBool(const Value *value);
/// Whether its type names a floating dtype.
bool isKnownFloating(const Value *value);

} // namespace tsc

#endif
