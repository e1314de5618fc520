//===- OpFactsTest.cpp - Columns of the records ---------------------------===//
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Operator.h"
#include <catch2/catch.hpp>

using namespace tsc;

TEST_CASE("the parameters of a distribution are operands", "[facts]") {
  Context context;
  bool isFound = false;
  for (const OpRecord &record : allOpRecords()) {
    const std::optional<Distribution> distribution = distributionOf(record.kind);
    if (!distribution)
      continue;
    isFound = true;
    INFO(record.schema.str());
    CHECK(record.has(Trait::Random));
    const FunctionSchema &schema = context.operators().find(record.qualified, record.overload)->schema();
    auto has = [&](StringRef name) { return schema.argumentIndex(name).has_value(); };
    switch (*distribution) {
    case Distribution::Uniform: CHECK(has("from") == has("to")); break;
    case Distribution::Normal: CHECK(has("mean") == has("std")); break;
    case Distribution::Bernoulli: CHECK(has("p")); break;
    case Distribution::Integers: CHECK(has("high")); break;
    case Distribution::Dropout: CHECK((has("p") && has("train"))); continue;
    }
    // It says how many elements there are.
    CHECK((has("self") || has("size")));
  }
  CHECK(isFound);
  CHECK(distributionOf(OpKind::Aten_normal_) == Distribution::Normal);
  CHECK(distributionOf(OpKind::Aten_uniform) == Distribution::Uniform);
  CHECK(!distributionOf(OpKind::Aten_normal_Tensor_float)); // of a tensor of means
  CHECK(!distributionOf(OpKind::Aten_randperm));            // whose elements depend on each other
}

TEST_CASE("forms that write keep the history of their operand where gradients have no part in it", "[facts]") {
  CHECK(opRecord(OpKind::Aten_logical_not_).has(Trait::KeepsHistory));
  CHECK(opRecord(OpKind::Aten__no_grad_uniform_).has(Trait::KeepsHistory));
  CHECK_FALSE(opRecord(OpKind::Aten_bitwise_not_).has(Trait::KeepsHistory));
  CHECK_FALSE(opRecord(OpKind::Aten_zero_).has(Trait::KeepsHistory));
}
