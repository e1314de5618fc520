//===- Dicts.cpp - Kernels of Dict[K, V] ----------------------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Dispatch/Ops/Containers.h"
#include "tsc/Support/WorkMeter.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

/// What an entry is worth, for the limits of a call.
static constexpr int64_t costOfEntry = 16;

/// Counts the entries of a dict that an operator goes over.
static DictValue &walked(const IValue &value) {
  DictValue &dict = value.toDict();
  work::count(costOfEntry * static_cast<int64_t>(dict.size()));
  return dict;
}

Status ops::dictLength(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = static_cast<int64_t>(args[0]->toDict().size());
  return okStatus();
}
Status ops::dictKeys(CallContext &, const IValue *const *args, IValue *results) {
  DictValue &dict = walked(*args[0]);
  results[0] = makeList(dict.keyType, dict.size());
  dict.forEach([&](const IValue &key, const IValue &) { appendToList(results[0], key); });
  return okStatus();
}
Status ops::dictValues(CallContext &, const IValue *const *args, IValue *results) {
  DictValue &dict = walked(*args[0]);
  results[0] = makeList(dict.valueType, dict.size());
  dict.forEach([&](const IValue &, const IValue &value) { appendToList(results[0], value); });
  return okStatus();
}
Status ops::dictItems(CallContext &context, const IValue *const *args, IValue *results) {
  DictValue &dict = walked(*args[0]);
  results[0] = makeList(context.context().tupleOf({dict.keyType, dict.valueType}), dict.size());
  dict.forEach([&](const IValue &key, const IValue &value) { appendToList(results[0], makeTuple({key, value})); });
  return okStatus();
}
Status ops::dictGet(CallContext &, const IValue *const *args, IValue *results) {
  const IValue *found = args[0]->toDict().find(*args[1]);
  if (!found)
    return keyError(*args[1]);
  results[0] = *found;
  return okStatus();
}
Status ops::dictGetOrNone(CallContext &, const IValue *const *args, IValue *results) {
  const IValue *found = args[0]->toDict().find(*args[1]);
  results[0] = found ? *found : IValue();
  return okStatus();
}
Status ops::dictGetOrDefault(CallContext &, const IValue *const *args, IValue *results) {
  const IValue *found = args[0]->toDict().find(*args[1]);
  results[0] = found ? *found : *args[2];
  return okStatus();
}
Status ops::dictSetDefault(CallContext &, const IValue *const *args, IValue *results) {
  DictValue &dict = args[0]->toDict();
  const IValue *found = dict.find(*args[1]);
  results[0] = found ? *found : *args[2]; // before a set: a key with a NaN in it is not found again
  if (!found)
    dict.set(*args[1], *args[2]);
  return okStatus();
}
Status ops::dictSet(CallContext &, const IValue *const *args, IValue *) {
  args[0]->toDict().set(*args[1], *args[2]);
  return okStatus();
}
Status ops::dictDelete(CallContext &, const IValue *const *args, IValue *) {
  return args[0]->toDict().erase(*args[1]) ? okStatus() : keyError(*args[1]);
}
Status ops::dictPop(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_RETURN_IF_ERROR(dictGet(context, args, results));
  args[0]->toDict().erase(*args[1]);
  return okStatus();
}
Status ops::dictPopOrDefault(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_RETURN_IF_ERROR(dictGetOrDefault(context, args, results));
  args[0]->toDict().erase(*args[1]);
  return okStatus();
}
Status ops::dictPopItem(CallContext &, const IValue *const *args, IValue *results) {
  DictValue &dict = args[0]->toDict();
  if (dict.size() == 0)
    return outOfRange("popitem(): dictionary is empty");
  auto [key, value] = dict.popFirst();
  results[0] = makeTuple({std::move(key), std::move(value)});
  return okStatus();
}
Status ops::dictClear(CallContext &, const IValue *const *args, IValue *) {
  walked(*args[0]).clear();
  return okStatus();
}

static void copyEntries(const DictValue &from, DictValue &to) {
  if (&from != &to)
    from.forEach([&](const IValue &key, const IValue &value) { to.set(key, value); });
}
Status ops::dictUpdate(CallContext &, const IValue *const *args, IValue *) {
  copyEntries(walked(*args[1]), args[0]->toDict());
  return okStatus();
}
Status ops::dictCopy(CallContext &, const IValue *const *args, IValue *results) {
  DictValue &dict = walked(*args[0]);
  auto copy = makeRef<DictValue>(dict.keyType, dict.valueType);
  copyEntries(dict, *copy);
  results[0] = IValue(std::move(copy));
  return okStatus();
}
Status ops::dictFromPairs(CallContext &context, const IValue *const *args, IValue *results) {
  const auto *type = context.site ? llvm::dyn_cast_if_present<DictType>(context.site->resultType) : nullptr;
  auto dict = makeRef<DictValue>(type ? type->key() : Type::anyType(), type ? type->value() : Type::anyType());
  work::count(costOfEntry * static_cast<int64_t>(args[0]->listSize()));
  for (const IValue &pair : args[0]->toGenericList().elements)
    dict->set(pair.toTuple().elements[0], pair.toTuple().elements[1]);
  results[0] = IValue(std::move(dict));
  return okStatus();
}
Status ops::dictContains(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = args[0]->toDict().find(*args[1]) != nullptr;
  return okStatus();
}
