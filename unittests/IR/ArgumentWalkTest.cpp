//===- ArgumentWalkTest.cpp - Which argument goes to which parameter -------===//
#include "tsc/IR/ArgumentWalk.h"
#include "tsc/IR/Context.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/Source.h"
#include <catch2/catch.hpp>

using namespace tsc;
using Source = ArgumentWalk::Source;

namespace {
/// A schema, and what its parameters take of a call.
class Walked {
public:
  Walked(llvm::StringRef text, size_t numPositional, llvm::SmallVector<llvm::StringRef, 4> keywords,
         bool areElements = false) {
    DiagnosticEngine diags;
    SourceBuffer buffer("schema", text.str());
    auto parsed = parseSchema(context, buffer, diags);
    REQUIRE(succeeded(parsed));
    schema = std::make_unique<FunctionSchema>(std::move(*parsed));
    walk = std::make_unique<ArgumentWalk>(*schema, numPositional, std::move(keywords));
    for (size_t i = 0; i != schema->arguments().size(); ++i)
      sources.push_back(walk->take(i, [&](size_t) { return areElements; }));
  }
  bool took(size_t parameter, Source::Kind kind, size_t index = 0) const {
    return sources[parameter].kind == kind && sources[parameter].index == index;
  }

  Context context;
  std::unique_ptr<FunctionSchema> schema;
  std::unique_ptr<ArgumentWalk> walk;
  std::vector<Source> sources;
};
constexpr const char *add = "mine::add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";
constexpr const char *view = "mine::view(Tensor self, int[] size) -> Tensor";
} // namespace

TEST_CASE("ArgumentWalk: by position, by keyword, by default") {
  Walked positional(add, 2, {});
  CHECK(positional.took(0, Source::Positional, 0));
  CHECK(positional.took(1, Source::Positional, 1));
  CHECK(positional.took(2, Source::Default));
  CHECK(positional.walk->numLeft() == 0);
  Walked named(add, 1, {"alpha", "other"});
  CHECK(named.took(1, Source::Keyword, 1));
  CHECK(named.took(2, Source::Keyword, 0));
  CHECK_FALSE(named.walk->unusedKeyword());
  Walked missing(add, 1, {"alpha"});
  CHECK(missing.took(1, Source::Missing));
}

TEST_CASE("ArgumentWalk: arguments that no parameter takes") {
  Walked many(add, 3, {}); // what stands behind the * is given by keyword alone
  CHECK(many.took(2, Source::Default));
  CHECK(many.walk->numTaken() == 2);
  CHECK(many.walk->numLeft() == 1);
  CHECK(many.walk->takeFurther() == 2);
  CHECK(many.walk->numLeft() == 0);
  Walked twice(add, 2, {"alpha", "self"});
  CHECK(twice.walk->unusedKeyword() == 1);
}

TEST_CASE("ArgumentWalk: the rest of the arguments are a list's elements, where the caller says so") {
  Walked elements(view, 3, {}, /*areElements=*/true);
  CHECK(elements.took(1, Source::Rest, 1));
  CHECK(elements.walk->numLeft() == 0);
  Walked list(view, 2, {});
  CHECK(list.took(1, Source::Positional, 1));
  for (const char *schema : {"mine::f(Tensor[] tensors, int dim) -> Tensor", "mine::pool(int[2] size) -> int",
                             "mine::len(t[] a) -> int"}) { // not the last, of fixed length, of anything
    Walked whole(schema, 2, {}, /*areElements=*/true);
    CHECK(whole.took(0, Source::Positional, 0));
  }
}
