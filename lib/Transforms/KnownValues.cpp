//===- KnownValues.cpp - What constants and types tell passes -------------===//
#include "KnownValues.h"
#include "tsc/IR/Graph.h"
using namespace tsc;

std::optional<int64_t> tsc::constantInt(const Value *value) {
  auto constant = constantValue(value);
  return constant && constant->isInt() ? std::optional(constant->toInt()) : std::nullopt;
}

std::optional<bool> tsc::constantBool(const Value *value) {
  auto constant = constantValue(value);
  return constant && constant->isBool() ? std::optional(constant->toBool()) : std::nullopt;
}

bool tsc::isKnownFloating(const Value *value) {
  const auto *type = dyn_cast<TensorType>(value->type());
  return type && type->facts().dtype && isFloating(*type->facts().dtype);
}
