//===- Generic.cpp - Identity, hashing, enums, switches -------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/Ops/Comparison.h"
#include "tsc/Runtime/Dispatch/Ops/Prims.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Generator.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
using namespace tsc;

/// Whether each tensor equals its counterpart; one of several elements has no truth value.
static StatusOr<bool> tensorListsEqual(const IValue &a, const IValue &b) {
  const std::vector<Tensor> &left = a.toTensorList().elements, &right = b.toTensorList().elements;
  if (left.size() != right.size())
    return false;
  for (size_t i = 0; i != left.size(); ++i) {
    TSC_ASSIGN_OR_RETURN(bool same, ops::singleElementEquals(left[i], right[i]));
    if (!same)
      return false;
  }
  return true;
}
Status ops::tensorListEquals(CallContext &, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], tensorListsEqual(*args[0], *args[1]));
  return okStatus();
}
Status ops::tensorListDiffers(CallContext &, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(bool same, tensorListsEqual(*args[0], *args[1]));
  results[0] = !same;
  return okStatus();
}

Status ops::isSame(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = args[0]->isSameAs(*args[1]);
  return okStatus();
}
Status ops::isNotSame(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = !args[0]->isSameAs(*args[1]);
  return okStatus();
}
Status ops::unwrapOptional(CallContext &, const IValue *const *args, IValue *results) {
  if (args[0]->isNone())
    return invalidArgument("Unwrapping null optional");
  results[0] = *args[0];
  return okStatus();
}
Status ops::passThrough(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = *args[0];
  return okStatus();
}

Status ops::chooseValue(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = args[0]->toBool() ? *args[1] : *args[2];
  return okStatus();
}

static size_t combineHashes(size_t seed, size_t hash) { return seed ^ (hash + 0x9e3779b9 + (seed << 6) + (seed >> 2)); }

/// PyTorch's numbers: programs compare hashes with recorded ones.
static StatusOr<size_t> hashValue(Context &types, const IValue &value, unsigned depth = 0) {
  switch (value.getTag()) {
  case IValue::Tag::None: return size_t{0};
  case IValue::Tag::Bool:
  case IValue::Tag::Int: return static_cast<size_t>(value.toInt());
  case IValue::Tag::Double: return std::hash<double>()(value.toDouble());
  case IValue::Tag::String:
    work::count(static_cast<int64_t>(value.toString().size()));
    return std::hash<std::string>()(value.toString());
  case IValue::Tag::Device:
    return static_cast<size_t>(value.toDevice().kind) << 16 | static_cast<uint8_t>(value.toDevice().index);
  case IValue::Tag::Enum: return hashValue(types, value.toEnum().value, depth + 1);
  case IValue::Tag::Tuple: {
    if (depth > 100)
      return resourceExhausted("hash() of a tuple nested too deeply");
    size_t hash = 0;
    work::LongLoop turns; // tuples may share what is in them
    for (const IValue &element : value.toTuple().elements) {
      if (!turns.goOn())
        break;
      TSC_ASSIGN_OR_RETURN(size_t part, hashValue(types, element, depth + 1));
      hash = combineHashes(hash, part);
    }
    return hash;
  }
  case IValue::Tag::Tensor:
  case IValue::Tag::Object: return reinterpret_cast<size_t>(value.counted());
  default: {
    const Type *type = value.dynamicType(types);
    return invalidArgument("unhashable type: '" + (type ? type->annotation() : "unknown") + "'");
  }
  }
}
Status ops::hashOf(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(size_t hash, hashValue(context.context(), *args[0]));
  results[0] = static_cast<int64_t>(hash);
  return okStatus();
}
Status ops::identityOf(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = static_cast<int64_t>(reinterpret_cast<intptr_t>(args[0]->counted()));
  return okStatus();
}

Status ops::enumEquals(CallContext &, const IValue *const *args, IValue *results) {
  const EnumValue &a = args[0]->toEnum(), &b = args[1]->toEnum();
  results[0] = a.type == b.type && a.name == b.name;
  return okStatus();
}
Status ops::enumDiffers(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_RETURN_IF_ERROR(enumEquals(context, args, results));
  results[0] = !results[0].toBool();
  return okStatus();
}
Status ops::enumName(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = args[0]->toEnum().name;
  return okStatus();
}
Status ops::enumValue(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = args[0]->toEnum().value;
  return okStatus();
}

Status ops::wait(CallContext &, const IValue *const *args, IValue *results) {
  const FutureValue &future = args[0]->toFuture();
  TSC_RETURN_IF_ERROR(future.status);
  results[0] = future.value;
  return okStatus();
}

Status ops::warn(CallContext &context, const IValue *const *args, IValue *) {
  context.warn(args[0]->toString());
  return okStatus();
}
Status ops::manualSeed(CallContext &context, const IValue *const *args, IValue *) {
  const auto seed = static_cast<uint64_t>(args[0]->toInt());
  context.generator().setSeed(seed);
  if (Accelerator *accelerator = acceleratorOf(context.context()))
    accelerator->seed(seed);
  return okStatus();
}
Status ops::setGradEnabled(CallContext &context, const IValue *const *args, IValue *) {
  context.gradMode = args[0]->toBool();
  return okStatus();
}
Status ops::isGradEnabled(CallContext &context, const IValue *const *, IValue *results) {
  results[0] = context.gradMode;
  return okStatus();
}
Status ops::timePoint(CallContext &, const IValue *const *, IValue *results) {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  results[0] = static_cast<int64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  return okStatus();
}
Status ops::ignoreStatistic(CallContext &, const IValue *const *, IValue *) { return okStatus(); }
Status ops::alwaysFalse(CallContext &, const IValue *const *, IValue *results) {
  results[0] = false;
  return okStatus();
}
Status ops::alwaysTrue(CallContext &, const IValue *const *, IValue *results) {
  results[0] = true;
  return okStatus();
}
