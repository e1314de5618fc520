//===- Containers.h - Kernels of lists and dicts ----------------*- C++ -*-===//
//
// Boxed kernels of Containers.td. Lists and dicts are references: what writes,
// writes to every alias. Indices may be negative, as in Python.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_OPS_CONTAINERS_H
#define TSC_RUNTIME_DISPATCH_OPS_CONTAINERS_H

#include "tsc/Support/Status.h"

namespace tsc {
class CallContext;
class IValue;
} // namespace tsc

namespace tsc::ops {

// Each is a BoxedKernel (CallContext.h) that a record of Containers.td names, which has its schema.
#define TSC_BOXED(NAME) Status NAME(CallContext &context, const IValue *const *args, IValue *results);
// clang-format off
TSC_BOXED(listLength) TSC_BOXED(listGet) TSC_BOXED(listSet) TSC_BOXED(listDelete) TSC_BOXED(listAppend) TSC_BOXED(listExtend)
TSC_BOXED(listInsert) TSC_BOXED(listPop) TSC_BOXED(listClear) TSC_BOXED(listReverse) TSC_BOXED(listCopy) TSC_BOXED(listSlice)
TSC_BOXED(listConcat) TSC_BOXED(listExtendInPlace) TSC_BOXED(listRepeat) TSC_BOXED(listRepeatRight) TSC_BOXED(listRepeatInPlace)
TSC_BOXED(listRemove) TSC_BOXED(listIndex) TSC_BOXED(listCount) TSC_BOXED(listSort) TSC_BOXED(listSorted) TSC_BOXED(listEquals)
TSC_BOXED(listDiffers) TSC_BOXED(listContains) TSC_BOXED(listAny) TSC_BOXED(listAll) TSC_BOXED(listMin) TSC_BOXED(listMax)
TSC_BOXED(lesserList) TSC_BOXED(greaterList) TSC_BOXED(listSum) TSC_BOXED(rangeList)
TSC_BOXED(dictLength) TSC_BOXED(dictKeys) TSC_BOXED(dictValues) TSC_BOXED(dictItems) TSC_BOXED(dictGet) TSC_BOXED(dictGetOrNone)
TSC_BOXED(dictGetOrDefault) TSC_BOXED(dictSetDefault) TSC_BOXED(dictSet) TSC_BOXED(dictDelete) TSC_BOXED(dictPop)
TSC_BOXED(dictPopOrDefault) TSC_BOXED(dictPopItem) TSC_BOXED(dictClear) TSC_BOXED(dictUpdate) TSC_BOXED(dictCopy)
TSC_BOXED(dictFromPairs) TSC_BOXED(dictContains) TSC_BOXED(tupleIndex)
// clang-format on
#undef TSC_BOXED

} // namespace tsc::ops

#endif
