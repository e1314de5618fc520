//===- OpFacts.cpp - Columns of the records that passes ask for -----------===//
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/FunctionSchema.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

std::optional<FoldSignature> tsc::foldSignature(OpKind op) {
  switch (op) {
#define FOLD(OP, KIND, DIMS, KEEP, DTYPE, TRUTH)                                                                       \
  case OpKind::OP: return FoldSignature{FoldKind::KIND, DIMS, KEEP, DTYPE, TRUTH};
#include "tsc/IR/OpFacts.inc"
  default: return std::nullopt;
  }
}

std::optional<TensorQuery> tsc::tensorQuery(OpKind op) {
  switch (op) {
#define QUERY(OP, NAME)                                                                                                \
  case OpKind::OP: return TensorQuery::NAME;
#include "tsc/IR/OpFacts.inc"
  default: return std::nullopt;
  }
}

bool tsc::asksForTensorKind(OpKind op) {
  const std::optional<TensorQuery> query = tensorQuery(op);
  if (!query)
    return op == OpKind::Prim_layout; // all others that ask for no more than a kind are queries
  switch (*query) {
  case TensorQuery::DType:
  case TensorQuery::Device:
  case TensorQuery::IsOnDevice:
  case TensorQuery::IsFloating:
  case TensorQuery::IsComplex:
  case TensorQuery::Rank: return true;
  default: return false;
  }
}

std::optional<DeviceKind> tsc::deviceKindOf(OpKind op) {
  switch (op) {
#define DEVICE(OP, KIND)                                                                                               \
  case OpKind::OP: return DeviceKind::KIND;
#include "tsc/IR/OpFacts.inc"
  default: return std::nullopt;
  }
}

std::optional<ContainerQuery> tsc::containerQuery(OpKind op) {
  switch (op) {
#define CONTAINER_QUERY(OP, NAME)                                                                                      \
  case OpKind::OP: return ContainerQuery::NAME;
#include "tsc/IR/OpFacts.inc"
  default: return std::nullopt;
  }
}

std::optional<ListEdit> tsc::listEdit(OpKind op) {
  switch (op) {
#define LIST_EDIT(OP, NAME)                                                                                            \
  case OpKind::OP: return ListEdit::NAME;
#include "tsc/IR/OpFacts.inc"
  default: return std::nullopt;
  }
}

std::optional<ViewKind> tsc::viewKind(OpKind op) {
  switch (op) {
#define VIEW(OP, NAME)                                                                                                 \
  case OpKind::OP: return ViewKind::NAME;
#include "tsc/IR/OpFacts.inc"
  default: return std::nullopt;
  }
}

std::optional<ArithmeticKind> tsc::arithmeticKind(OpKind op) {
  switch (op) {
#define ARITHMETIC(OP, NAME)                                                                                           \
  case OpKind::OP: return ArithmeticKind::NAME;
#include "tsc/IR/OpFacts.inc"
  default: return std::nullopt;
  }
}

const ProductSignature *tsc::productSignature(OpKind op) {
  switch (op) {
#define PRODUCT(OP, LEFT, RIGHT, BIAS, BETA, ALPHA, LEFT_TRANSPOSED, RIGHT_TRANSPOSED)                                 \
  case OpKind::OP: {                                                                                                   \
    static constexpr ProductSignature product{LEFT, RIGHT, BIAS, BETA, ALPHA, LEFT_TRANSPOSED, RIGHT_TRANSPOSED};      \
    return &product;                                                                                                   \
  }
#include "tsc/IR/OpFacts.inc"
  default: return nullptr;
  }
}

std::optional<ConversionKind> tsc::conversionKind(OpKind op) {
  switch (op) {
#define CONVERSION(OP, NAME)                                                                                           \
  case OpKind::OP: return ConversionKind::NAME;
#include "tsc/IR/OpFacts.inc"
  default: return std::nullopt;
  }
}

std::optional<Distribution> tsc::distributionOf(OpKind op) {
  switch (op) {
#define DISTRIBUTION(OP, NAME)                                                                                         \
  case OpKind::OP: return Distribution::NAME;
#include "tsc/IR/OpFacts.inc"
  default: return std::nullopt;
  }
}

const OpLaws *tsc::lawsOf(OpKind op) {
  switch (op) {
#define LAWS(OP, RIGHT, LEFT, ABSORBING, SAME, NEGATING)                                                               \
  case OpKind::OP: {                                                                                                   \
    static constexpr OpLaws laws{RIGHT, LEFT, ABSORBING, SAME, NEGATING};                                              \
    return &laws;                                                                                                      \
  }
#include "tsc/IR/OpFacts.inc"
  default: return nullptr;
  }
}

llvm::StringRef tsc::functionalNameOf(OpKind op) {
  switch (op) {
#define FUNCTIONAL(OP, NAME)                                                                                           \
  case OpKind::OP: return NAME;
#include "tsc/IR/OpFacts.inc"
  default: return {};
  }
}

llvm::StringRef tsc::scatterNameOf(OpKind op) {
  switch (op) {
#define SCATTER(OP, NAME)                                                                                              \
  case OpKind::OP: return NAME;
#include "tsc/IR/OpFacts.inc"
  default: return {};
  }
}

llvm::StringRef tsc::inverseNameOf(OpKind op) {
  switch (op) {
#define INVERSE(OP, NAME)                                                                                              \
  case OpKind::OP: return NAME;
#include "tsc/IR/OpFacts.inc"
  default: return {};
  }
}

const ClampSignature *tsc::clampSignature(OpKind op) {
  switch (op) {
#define CLAMP(OP, LOW, HIGH)                                                                                           \
  case OpKind::OP: {                                                                                                   \
    static constexpr ClampSignature clamp{LOW, HIGH};                                                                  \
    return &clamp;                                                                                                     \
  }
#include "tsc/IR/OpFacts.inc"
  default: return nullptr;
  }
}

bool tsc::holdsTensors(const Type *type) {
  while (const auto *holder = llvm::dyn_cast<ElementType>(type))
    type = holder->element();
  return type->isTensor();
}

uint32_t tsc::gradientOperands(const OpRecord &record, const FunctionSchema &schema) {
  if (record.has(Trait::Detached) || record.has(Trait::Factory) || record.has(Trait::Geometry) ||
      llvm::none_of(schema.returns(), [](const Argument &result) { return holdsTensors(result.type); }))
    return 0;
  if (schema.isVararg())
    return ~uint32_t(0);
  uint32_t operands = 0;
  for (auto [i, argument] : llvm::enumerate(schema.arguments().take_front(32)))
    if (holdsTensors(argument.type))
      operands |= uint32_t(1) << i;
  return operands;
}
