//===- PointwiseKinds.cpp - Operators of the IR as the engine's -----------===//
#include "tsc/Runtime/Dispatch/PointwiseKinds.h"
#include <vector>

using namespace tsc;

static bool isFunctionalPointwise(const OpRecord &record) {
  return record.has(Trait::Pointwise) && !record.has(Trait::InPlaceForm) && !record.has(Trait::OutForm);
}

/// tsc-tblgen numbers the point-wise records in the order of all records.
static std::vector<int> makeNumbers() {
  std::vector<int> numbers;
  int next = 0;
  for (const OpRecord &record : allOpRecords())
    numbers.push_back(isFunctionalPointwise(record) ? next++ : -1);
  assert(next == static_cast<int>(PointwiseKind::NumKinds));
  return numbers;
}

std::optional<PointwiseKind> tsc::pointwiseKindOf(OpKind kind) {
  static const std::vector<int> numbers = makeNumbers();
  if (kind == OpKind::Unknown || numbers[static_cast<size_t>(kind)] < 0)
    return std::nullopt;
  return static_cast<PointwiseKind>(numbers[static_cast<size_t>(kind)]);
}
