//===- OpFacts.cpp - Columns of the records that passes ask for -----------===//
#include "tsc/IR/OpFacts.h"
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

std::optional<ListEdit> tsc::listEdit(OpKind op) {
  switch (op) {
#define LIST_EDIT(OP, NAME)                                                                                            \
  case OpKind::OP: return ListEdit::NAME;
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
