//===- Conversions.h - Values as other types --------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_CONVERSIONS_H
#define TSC_LIB_FRONTEND_CONVERSIONS_H

#include "FunctionContext.h"

namespace tsc {

/// Inserts a constant; lists, dicts and tuples that hold some are made anew wherever they are used, because nobody
/// shares a list that could change.
Value *madeAnew(FunctionContext &fn, const IValue &value, const Type *type, SourceRange range);
/// Makes those of a call's arguments anew that are constants holding lists, which are defaults.
void makeDefaultsAnew(FunctionContext &fn, llvm::MutableArrayRef<Value *> inputs, SourceRange range);
/// Inserts the element at `index` of a tuple, whose type is `element`.
Value *tupleIndex(FunctionContext &fn, Value *tuple, const Type *element, int64_t index, SourceRange range);
/// Converts a value as assignments and returns do: Optional lists, members of an IntEnum, a tuple to a list, and a
/// Tensor to a number where `allowConversions`. The value itself where nothing is to be done or nothing fits.
Value *convertTo(FunctionContext &fn, Value *value, const Type *type, SourceRange range, bool allowConversions);
/// Returns an int as a float where `wanted` is one, and other values as they are. Null of null.
Value *asFloatFor(FunctionContext &fn, Value *value, const Type *wanted, SourceRange range);

} // namespace tsc

#endif
