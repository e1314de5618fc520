//===- TypeTest.cpp - Types are uniqued, and ordered ----------------------===//
#include "tsc/IR/Type.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/Support/Diagnostics.h"
#include <catch2/catch.hpp>

using namespace tsc;

static const Type *typeOf(Context &context, const char *text) {
  DiagnosticEngine diags;
  SourceBuffer buffer("type", text);
  auto type = parseType(context, buffer, diags);
  INFO(text << "\n" << diags.str());
  REQUIRE(succeeded(type));
  return *type;
}

TEST_CASE("equal types are one object", "[type]") {
  Context context;
  for (const char *text : {"int[]", "Tensor?", "(int, str)", "Dict(str, Tensor[])", "Union(int, str)", "Future(int)",
                           "Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)",
                           "NamedTuple(x : int, y : Tensor)", "__torch__.a.B"}) {
    INFO(text);
    CHECK(typeOf(context, text) == typeOf(context, text));
  }
  CHECK(typeOf(context, "int[]") == context.listOf(Type::intType()));
  CHECK(typeOf(context, "Tensor??") == typeOf(context, "Tensor?"));
  CHECK(typeOf(context, "int[]") != typeOf(context, "float[]"));
}

TEST_CASE("subtypes", "[type]") {
  Context context;
  const std::pair<const char *, const char *> yes[] = {{"int", "Scalar"},
                                                       {"NoneType", "int?"},
                                                       {"int", "int?"},
                                                       {"int[]", "Any"},
                                                       {"Float(2, 3)", "Tensor"},
                                                       {"(int, Float(2))", "(Scalar, Tensor)"},
                                                       {"int", "Union(int, str)"},
                                                       {"NamedTuple(x : int)", "(int)"},
                                                       {"Future(int)", "Future(Scalar)"}};
  const std::pair<const char *, const char *> no[] = {{"int", "float"},
                                                      {"int?", "int"},
                                                      {"int[]", "Scalar[]"},
                                                      {"Tensor", "Float(2, 3)"},
                                                      {"(int)", "(int, int)"},
                                                      {"bool", "int"},
                                                      {"Union(int, str)", "int"},
                                                      {"Dict(str, int)", "Dict(str, Any)"},
                                                      {"__torch__.A", "__torch__.B"}};
  for (auto [sub, super] : yes) {
    INFO(sub << " <: " << super);
    CHECK(typeOf(context, sub)->isSubtypeOf(typeOf(context, super)));
  }
  for (auto [sub, super] : no) {
    INFO(sub << " <: " << super);
    CHECK_FALSE(typeOf(context, sub)->isSubtypeOf(typeOf(context, super)));
  }
}

TEST_CASE("what two types have in common", "[type]") {
  Context context;
  auto unify = [&](const char *a, const char *b) { return context.unify(typeOf(context, a), typeOf(context, b)); };
  CHECK(unify("int", "int") == Type::intType());
  CHECK(unify("int", "NoneType") == typeOf(context, "int?"));
  CHECK(unify("Float(2)", "Long(3)")->isTensor());
  CHECK(unify("(int, NoneType)", "(int, str)") == typeOf(context, "(int, str?)"));
  CHECK(unify("int", "str") == nullptr);
  CHECK(context.unify(Type::intType(), Type::stringType(), /*allowUnion=*/true) == typeOf(context, "Union(int, str)"));
}

TEST_CASE("a union is one type, however it is written", "[type]") {
  Context context;
  CHECK(typeOf(context, "Union(str, int)") == typeOf(context, "Union(int, str)"));
  CHECK(typeOf(context, "Union(str, int, float)")->str() == "Union(float, int, str)");
  CHECK(typeOf(context, "Union(str, Union(NoneType, int))")->str() == "Union(int, NoneType, str)");
  CHECK(typeOf(context, "Union(str, (int, int), int[])")->str() == "Union((int, int), int[], str)");
  CHECK(typeOf(context, "Union(str[], Tensor[])")->str() == "Union(Tensor[], str[])");
  CHECK(typeOf(context, "Union(int, complex, float)") == Type::numberType());
  CHECK(typeOf(context, "Union(int, complex, NoneType, float)") == context.optionalOf(Type::numberType()));
  CHECK(typeOf(context, "Union(int, complex, float, str)")->contained().size() == 4);
}

TEST_CASE("containers with other contents", "[type]") {
  Context context;
  const std::pair<const char *, const char *> texts[] = {{"Float(2)[]", "Tensor[]"},
                                                         {"Float(2)?", "Tensor?"},
                                                         {"Future(Float(2))", "Future(Tensor)"},
                                                         {"Await(Float(2))", "Await(Tensor)"},
                                                         {"RRef(Float(2))", "RRef(Tensor)"},
                                                         {"Dict(str, (Float(2), int)[])", "Dict(str, (Tensor, int)[])"},
                                                         {"Union(Float(2), int)", "Union(Tensor, int)"},
                                                         {"Union(Float(2), Float(3), int)", "Union(Tensor, int)"},
                                                         {"Float(2)", "Tensor"},
                                                         {"str[]", "str[]"},
                                                         {"NamedTuple(x : Float(2))", "NamedTuple(x : Float(2))"}};
  for (auto [given, wanted] : texts) {
    INFO(given);
    CHECK(context.unshaped(typeOf(context, given)) == typeOf(context, wanted));
  }
  const Type *named = typeOf(context, "NamedTuple(x : int, y : int)");
  CHECK(context.withContained(named, {Type::intType(), Type::intType()}) == named);
  const auto *other = cast<TupleType>(context.withContained(named, {Type::intType(), Type::stringType()}));
  CHECK(other->name() == cast<TupleType>(named)->name());
  CHECK(other->fieldNames() == cast<TupleType>(named)->fieldNames());
  CHECK(other->elements()[1] == Type::stringType());
  CHECK(context.mapContained(named, [](const Type *) -> const Type * { return nullptr; }) == nullptr);
  CHECK(context.mapContained(Type::intType(), [](const Type *) -> const Type * { return nullptr; }) == Type::intType());
}
