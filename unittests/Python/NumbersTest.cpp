//===- NumbersTest.cpp - Where Python's numbers end -----------------------===//
//
// What CPython has too is compared with it (test/Python/cpython.test).
//
//===----------------------------------------------------------------------===//
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Math.h"
#include <catch2/catch.hpp>

using namespace tsc;

static constexpr int64_t least = INT64_MIN, most = INT64_MAX;

TEST_CASE("ints that need more than 64 bits are refused, and say which") {
  for (const StatusOr<int64_t> &result :
       {python::add(most, 1), python::subtract(least, 1), python::multiply(most, 2), python::negate(least),
        python::absolute(least), python::floorDivide(least, -1), python::shiftLeft(1, 63), python::shiftLeft(1, 64),
        python::power(int64_t{2}, int64_t{63}), python::power(int64_t{10}, int64_t{1000000}),
        python::parseInt("9223372036854775808"), python::toInt(0x1p63), python::greatestCommonDivisor(least, least)}) {
    CHECK(!result.ok());
    CHECK(python::needsLargerInt(result.status()));
  }
  CHECK(python::add(most, 1).status().message() ==
        "OverflowError: 9223372036854775807 + 1 does not fit an int of 64 bits");
  CHECK(!python::needsLargerInt(python::floorDivide(int64_t{1}, int64_t{0}).status()));
  CHECK(!python::needsLargerInt(python::toInt(std::nan("")).status()));
  CHECK(!python::needsLargerInt(python::stringIndexOutOfRange()));
}

TEST_CASE("ints up to the last bit are exact") {
  CHECK(*python::subtract(-1, most) == least);
  CHECK(*python::shiftLeft(-1, 63) == least);
  CHECK(*python::power(int64_t{-2}, int64_t{63}) == least);
  CHECK(*python::power(int64_t{-1}, most) == -1);
  CHECK(*python::modulo(least, int64_t{-1}) == 0);
  CHECK(*python::parseInt("-9223372036854775808") == least);
  CHECK(python::compare(most, 0x1p63) == std::partial_ordering::less);
  CHECK(python::compare(least, -0x1p63) == std::partial_ordering::equivalent);
  CHECK(python::compare((int64_t{1} << 53) + 1, 0x1p53) == std::partial_ordering::greater);
}

TEST_CASE("quotients of ints beyond 2^53 round once") {
  CHECK(*python::divide((int64_t{1} << 53) + 1, int64_t{1}) == 0x1p53);
  CHECK(*python::divide(most, int64_t{3}) == 3074457345618258602.3333);
  CHECK(*python::divide(least, most) == -1.0);
  CHECK(*python::divide(int64_t{1}, least) == -0x1p-63);
}

TEST_CASE("what is complex in Python is no exception") {
  CHECK(python::power(-8.0, 1.0 / 3).status().code() == StatusCode::Unimplemented);
  const Status status = python::power(10.0, 400.0).status();
  const python::ExceptionParts parts = python::exceptionParts(status);
  CHECK(parts.type == "OverflowError");
  CHECK(parts.text == python::powerTooLargeText);
}

TEST_CASE("functions of math are found by name and number of operands") {
  CHECK(python::findMathFunction("log", 1) == python::MathFunction::log);
  CHECK(python::findMathFunction("log", 2) == python::MathFunction::log_);
  CHECK(!python::findMathFunction("sin", 2));
  CHECK(!python::findMathFunction("nope", 1));
}
