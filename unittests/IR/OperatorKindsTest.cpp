//===- OperatorKindsTest.cpp - Columns that say of which kind an operator is -===//
#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/Type.h"
#include "llvm/ADT/STLExtras.h"
#include <catch2/catch.hpp>

using namespace tsc;

TEST_CASE("records of a kind have the operands of that kind", "[records]") {
  Context context;
  for (const OpRecord &record : allOpRecords()) {
    INFO(record.schema.str());
    const FunctionSchema &schema = context.operators().find(record.qualified, record.overload)->schema();
    const auto arguments = schema.arguments();
    auto isTensorAt = [&](int i) { return i < static_cast<int>(arguments.size()) && holdsTensors(arguments[i].type); };
    if (arithmeticKind(record.kind)) {
      CHECK((record.has(Trait::Pointwise) && !record.has(Trait::Writes)));
      REQUIRE(arguments.size() >= 2);
      CHECK((arguments[0].name == "self" && arguments[0].type->isTensor() && arguments[1].name == "other"));
      CHECK((arguments.size() == 2 || (arguments.size() == 3 && arguments[2].name == "alpha")));
    }
    if (const ProductSignature *product = productSignature(record.kind)) {
      CHECK((isTensorAt(product->left) && isTensorAt(product->right)));
      CHECK((product->bias < 0 || isTensorAt(product->bias)));
    }
    if (viewKind(record.kind))
      CHECK((record.has(Trait::View) && isTensorAt(0)));
    if (containerQuery(record.kind)) {
      REQUIRE(!arguments.empty());
      CHECK((llvm::isa<ListType>(arguments[0].type) || llvm::isa<DictType>(arguments[0].type)));
      CHECK(!record.has(Trait::Writes));
    }
    if (conversionKind(record.kind))
      CHECK((arguments.size() == 1 && schema.returns().size() == 1));
    if (record.has(Trait::ToSizes)) {
      REQUIRE(arguments.size() >= 2);
      CHECK((isTensorAt(0) && llvm::isa<ListType>(arguments[1].type)));
    }
    if (record.has(Trait::KeepsReals))
      CHECK((arguments.size() == 1 && record.has(Trait::View)));
  }
}

TEST_CASE("what the columns say of some operators", "[records]") {
  CHECK(arithmeticKind(OpKind::Aten_true_divide_Tensor) == ArithmeticKind::Divide);
  CHECK(!arithmeticKind(OpKind::Aten_add__Tensor)); // it writes
  CHECK(!arithmeticKind(OpKind::Aten_div_Tensor_mode));

  const ProductSignature *linear = productSignature(OpKind::Aten_linear);
  REQUIRE(linear);
  CHECK((linear->left == 0 && linear->right == 1 && linear->bias == 2 && linear->beta < 0 && linear->alpha < 0));
  CHECK((linear->isRightTransposed && !linear->isLeftTransposed));
  const ProductSignature *addmm = productSignature(OpKind::Aten_addmm);
  REQUIRE(addmm);
  CHECK((addmm->left == 1 && addmm->right == 2 && addmm->bias == 0 && addmm->beta == 3 && addmm->alpha == 4));
  CHECK(!productSignature(OpKind::Aten_bmm));

  CHECK(viewKind(OpKind::Aten_unbind_int) == ViewKind::Part);
  CHECK(viewKind(OpKind::Aten_movedim_int) == ViewKind::Permutation);
  CHECK(viewKind(OpKind::Aten_view_as) == ViewKind::Regrouping);
  CHECK(!viewKind(OpKind::Aten_reshape)); // it may copy
  CHECK(!viewKind(OpKind::Aten_expand));

  CHECK(containerQuery(OpKind::Aten_len_Dict_str) == ContainerQuery::Length);
  CHECK(containerQuery(OpKind::Aten_get_default_int) == ContainerQuery::Lookup);
  CHECK(containerQuery(OpKind::Aten_Size) == ContainerQuery::Copy);
  CHECK(!containerQuery(OpKind::Aten_pop_t)); // it edits

  CHECK(conversionKind(OpKind::Aten_Float_int) == ConversionKind::Explicit);
  CHECK(conversionKind(OpKind::Aten_FloatImplicit) == ConversionKind::Implicit);
  CHECK(!conversionKind(OpKind::Aten_item));

  CHECK(tensorQuery(OpKind::Aten_stride_int) == TensorQuery::Stride);
  CHECK(tensorQuery(OpKind::Aten_is_contiguous) == TensorQuery::IsContiguous);
  CHECK(!tensorQuery(OpKind::Aten_is_nonzero)); // it reads an element
}
