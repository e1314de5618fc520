//===- SizeLimits.cpp - What a few words may not make large ---------------===//
#include "SizeLimits.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

static bool fits(const Type *type, unsigned &partsLeft, unsigned depthLeft) {
  if (partsLeft == 0 || depthLeft == 0)
    return false;
  --partsLeft;
  return llvm::all_of(type->contained(), [&](const Type *part) { return fits(part, partsLeft, depthLeft - 1); });
}

static bool fits(const IValue &value, unsigned &partsLeft, unsigned depthLeft) {
  if (partsLeft == 0 || depthLeft == 0)
    return false;
  --partsLeft;
  if (value.isTuple())
    return llvm::all_of(value.toTuple().elements,
                        [&](const IValue &part) { return fits(part, partsLeft, depthLeft - 1); });
  if (value.isGenericList())
    return llvm::all_of(value.toGenericList().elements,
                        [&](const IValue &part) { return fits(part, partsLeft, depthLeft - 1); });
  return true;
}

bool tsc::isTooLarge(const Type *type) {
  unsigned parts = maxTypeParts + maxPartsOfPart * type->contained().size();
  return !fits(type, parts, maxTypeDepth);
}

bool tsc::isTooLarge(const IValue &value) {
  unsigned parts = maxParts;
  return !fits(value, parts, maxTypeDepth);
}
