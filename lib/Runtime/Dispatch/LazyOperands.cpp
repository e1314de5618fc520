//===- LazyOperands.cpp - Operands that are conjugated lazily -------------===//
#include "tsc/Runtime/Dispatch/LazyOperands.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/Runtime/Dispatch/QuantizedCall.h"

using namespace tsc;

uint32_t tsc::operandsToResolve(const OpRecord &record, const FunctionSchema &schema) {
  const bool isBlind = record.has(Trait::View) || record.has(Trait::Geometry) || record.has(Trait::SizeQuery) ||
                       record.has(Trait::ReadsGeometry) || tensorQuery(record.kind);
  // Copies resolve what they read, and take note of what they write to.
  if (isBlind || record.has(Trait::TakesAnyDevice) || !record.qualified.starts_with("aten::"))
    return 0;
  uint32_t bits = 0;
  for (size_t i = 0; i != std::min<size_t>(schema.arguments().size(), 32); ++i) {
    const Argument &argument = schema.arguments()[i];
    if (isOfTensors(argument.type) && (!argument.alias || argument.alias->isWrite))
      bits |= uint32_t{1} << i;
  }
  return bits;
}

static StatusOr<IValue> resolved(const IValue &value) {
  if (value.isTensor())
    return cpu::clone(value.asTensor());
  std::vector<Tensor> list;
  for (const Tensor &element : value.toTensorList().elements) {
    const bool isPlain = !element.defined() || !cpu::isLazy(element);
    TSC_ASSIGN_OR_RETURN(list.emplace_back(), isPlain ? StatusOr<Tensor>(element) : cpu::clone(element));
  }
  return IValue(std::move(list));
}

Status tsc::callResolved(uint32_t operands, const FunctionSchema &schema, llvm::ArrayRef<const IValue *> args,
                         llvm::MutableArrayRef<IValue> results,
                         llvm::function_ref<Status(const IValue *const *args, IValue *results)> kernel) {
  llvm::SmallVector<IValue, 8> plain(args.size());
  llvm::SmallVector<const IValue *, 8> pointers(args);
  for (size_t i = 0; i != std::min<size_t>(args.size(), 32); ++i)
    if (operands >> i & 1 && isLazy(*args[i])) {
      TSC_ASSIGN_OR_RETURN(plain[i], resolved(*args[i]));
      pointers[i] = &plain[i];
    }
  TSC_RETURN_IF_ERROR(kernel(pointers.data(), results.data()));
  for (size_t i = 0; i != args.size(); ++i) {
    if (!plain[i].isTensor() || !schema.arguments()[i].alias)
      continue;
    TSC_RETURN_IF_ERROR(cpu::copyInto(args[i]->asTensor(), plain[i].asTensor()));
    for (IValue &result : results)
      if (result.isSameAs(plain[i]))
        result = *args[i];
  }
  return okStatus();
}
