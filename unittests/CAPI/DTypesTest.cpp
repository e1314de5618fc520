// The dtypes of the C interface's hosts are the library's: by the same numbers and names.
#include "c10/core/ScalarType.h"
#include "tsc/Tensor/Scalar.h"
#include <catch2/catch.hpp>
#include <set>

using namespace tsc;

TEST_CASE("dtypes have the same numbers, names and sizes in tsc-torch's headers") {
  std::set<int> known;
  for (int number = -1; number != 128; ++number) {
    if (!isValidDType(number))
      continue;
    const auto dtype = static_cast<DType>(number);
    const auto type = static_cast<c10::ScalarType>(number);
    INFO(number);
    CHECK(irName(dtype) == c10::toString(type));
    CHECK(itemSize(dtype) == c10::elementSize(type));
    known.insert(number);
  }
  CHECK(known.size() == 16);
#define IS_KNOWN(TYPE, NAME) CHECK(known.count(static_cast<int>(c10::ScalarType::NAME)) == 1);
  TSC_TORCH_FORALL_TYPES(IS_KNOWN)
#undef IS_KNOWN
}
