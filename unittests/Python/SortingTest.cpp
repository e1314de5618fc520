//===- SortingTest.cpp - list.sort and slices -----------------------------===//
#include "tsc/Python/Sorting.h"
#include "tsc/Python/Slices.h"
#include <catch2/catch.hpp>

using namespace tsc;
using Pairs = std::vector<std::pair<int, char>>;

static StatusOr<bool> isLess(const Pairs::value_type &a, const Pairs::value_type &b) { return a.first < b.first; }

TEST_CASE("what is equal keeps its order, in both directions") {
  Pairs pairs = {{2, 'a'}, {1, 'b'}, {2, 'c'}, {1, 'd'}, {3, 'e'}};
  CHECK(python::stableSort(pairs, python::SortOrder::Ascending, isLess).ok());
  CHECK(pairs == Pairs{{1, 'b'}, {1, 'd'}, {2, 'a'}, {2, 'c'}, {3, 'e'}});
  CHECK(python::stableSort(pairs, python::SortOrder::Descending, isLess).ok());
  CHECK(pairs == Pairs{{3, 'e'}, {2, 'a'}, {2, 'c'}, {1, 'b'}, {1, 'd'}});
}

TEST_CASE("a comparison that fails leaves the elements as they were") {
  const Pairs before = {{3, 'a'}, {2, 'b'}, {1, 'c'}};
  Pairs pairs = before;
  int numAsked = 0;
  Status status = python::stableSort(pairs, python::SortOrder::Ascending, [&](auto &a, auto &b) -> StatusOr<bool> {
    return ++numAsked == 2 ? StatusOr<bool>(invalidArgument("no order")) : isLess(a, b);
  });
  CHECK(status.message() == "no order");
  CHECK(pairs == before);
}

TEST_CASE("a comparison that contradicts itself loses no element") {
  std::vector<int> numbers(100);
  for (int i = 0; i != 100; ++i)
    numbers[i] = i;
  CHECK(
      python::stableSort(numbers, python::SortOrder::Ascending, [](int, int) -> StatusOr<bool> { return true; }).ok());
  std::sort(numbers.begin(), numbers.end());
  for (int i = 0; i != 100; ++i)
    CHECK(numbers[i] == i);
}

TEST_CASE("slices take steps and bounds of all sizes") {
  auto taken = [](std::optional<int64_t> start, std::optional<int64_t> stop, int64_t step) {
    const python::SliceElements elements = python::sliceElements(start, stop, step, 5);
    std::vector<int64_t> places;
    for (int64_t i = 0; i != elements.count; ++i)
      places.push_back(elements[i]);
    return places;
  };
  using Places = std::vector<int64_t>;
  CHECK(taken({}, {}, 1) == Places{0, 1, 2, 3, 4});
  CHECK(taken({}, {}, -2) == Places{4, 2, 0});
  CHECK(taken(-2, {}, 1) == Places{3, 4});
  CHECK(taken(3, 1, 1).empty());
  CHECK(taken(INT64_MIN, INT64_MAX, INT64_MAX) == Places{0});
  CHECK(taken(INT64_MAX, INT64_MIN, INT64_MIN) == Places{4});
  CHECK(!python::elementPlace(-6, 5));
  CHECK(!python::elementPlace(INT64_MIN, 5));
  CHECK(*python::elementPlace(-5, 5) == 0);
}
