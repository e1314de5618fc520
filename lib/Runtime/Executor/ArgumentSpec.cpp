//===- ArgumentSpec.cpp - The kind of a call's arguments ------------------===//
#include "tsc/Runtime/Executor/ArgumentSpec.h"
#include "ArgumentFacts.h"
#include "tsc/IR/Context.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

namespace {
enum WordKind : uint32_t { Other, NoneWord, TensorWord, TupleWord };
} // namespace

Dimension SizeFacts::of(int64_t size) {
  if (detail == SizeDetail::None)
    return {};
  if (detail == SizeDetail::Exact || size <= 1)
    return Dimension::known(size);
  const auto *at = llvm::find(seen, size);
  const int64_t number = at - seen.begin();
  if (at == seen.end())
    seen.push_back(size);
  return Dimension::symbolic(-number - 2);
}

ArgumentSpec::ArgumentSpec(llvm::ArrayRef<IValue> args, bool gradMode, SizeDetail detail) : detail(detail) {
  SizeFacts sizes(detail);
  words.push_back(gradMode);
  for (const IValue &value : args)
    add(value, sizes);
}

void ArgumentSpec::add(const IValue &value, SizeFacts &sizes) {
  if (value.isTensor() && value.asTensor().defined()) {
    const Tensor &tensor = value.asTensor();
    words.push_back(TensorWord | static_cast<uint32_t>(tensor.dtype()) << 2 |
                    static_cast<uint32_t>(tensor.requiresGrad()) << 8 |
                    static_cast<uint32_t>(static_cast<uint8_t>(tensor.device().kind)) << 9 |
                    static_cast<uint32_t>(static_cast<uint8_t>(tensor.device().index)) << 17 |
                    static_cast<uint32_t>(std::min<int64_t>(tensor.dim(), 127)) << 25);
    if (detail != SizeDetail::None)
      for (int64_t size : tensor.sizes())
        words.push_back(static_cast<uint64_t>(sizes.of(size).value()));
  } else if (value.isNone() || value.isTensor()) {
    words.push_back(NoneWord);
  } else if (value.isTuple()) {
    words.push_back(TupleWord | static_cast<uint32_t>(value.toTuple().elements.size()) << 2);
    for (const IValue &element : value.toTuple().elements)
      add(element, sizes);
  } else if (hasKnownEntries(value)) {
    words.push_back(Other | 4 | static_cast<uint32_t>(value.toDict().size()) << 3);
    value.toDict().forEach([&](const IValue &key, const IValue &entry) {
      keys.append(key.toString()).push_back('\0');
      add(entry, sizes);
    });
  } else if (value.isBool() && detail != SizeDetail::None) {
    words.push_back(Other | (value.toBool() ? 24 : 8));
  } else {
    words.push_back(Other);
  }
}

const Type *tsc::typeOfTensor(Context &context, const Tensor &tensor, bool gradMode, SizeFacts &sizes) {
  TensorFacts facts;
  if (tensor.dtype() == DType::Opaque) // sparse and nested: the rules of strided ones say nothing of them
    return Type::tensorType();
  facts.dtype = tensor.dtype();
  facts.device = tensor.device();
  if (gradMode)
    facts.requiresGrad = tensor.requiresGrad();
  facts.sizes.emplace(tensor.dim());
  for (auto [dimension, size] : llvm::zip(*facts.sizes, tensor.sizes()))
    dimension = sizes.of(size);
  return context.tensor(facts);
}

const Type *tsc::specializedType(Context &context, const Type *type, const IValue &value, bool gradMode,
                                 SizeFacts &sizes) {
  const auto *optional = dyn_cast<OptionalType>(type);
  if (optional && value.isNone())
    return Type::noneType();
  if (optional)
    return value.isTensor() ? specializedType(context, optional->element(), value, gradMode, sizes) : type;
  if (type->isTensor() && value.isTensor() && value.asTensor().defined() && value.asTensor().dim() < 127)
    return typeOfTensor(context, value.asTensor(), gradMode, sizes);
  const auto *tuple = dyn_cast<TupleType>(type);
  if (!tuple || tuple->isNamed() || !value.isTuple() || value.toTuple().elements.size() != tuple->elements().size())
    return type;
  llvm::SmallVector<const Type *, 4> elements;
  for (auto [element, part] : llvm::zip(tuple->elements(), value.toTuple().elements))
    elements.push_back(specializedType(context, element, part, gradMode, sizes));
  return context.tupleOf(elements);
}
