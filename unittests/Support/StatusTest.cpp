//===- StatusTest.cpp - Failures and the values they stand for ------------===//
#include "tsc/Support/Status.h"
#include <catch2/catch.hpp>
#include <memory>
#include <new>
#include <string>
#include <vector>

using namespace tsc;

TEST_CASE("A status is success, or has a code, a message and notes", "[status]") {
  const Status success;
  CHECK(success.ok());
  CHECK(success.code() == StatusCode::Ok);
  CHECK(success.message().empty());
  CHECK(Status(StatusCode::Ok, "nothing happened").ok());

  const Status failure = outOfRange("index " + llvm::Twine(7));
  CHECK_FALSE(failure.ok());
  CHECK(failure.code() == StatusCode::OutOfRange);
  CHECK(failure.message() == "index 7");
  CHECK(std::string_view(withContext(failure, "line 3: ").message()) == "line 3: index 7");
  CHECK(withContext(failure, "line 3: ").code() == StatusCode::OutOfRange);
  CHECK(withContext(okStatus(), "line 3: ").ok());
}

TEST_CASE("Notes belong to one status, and not to those that share its failure", "[status]") {
  Status first = aborted("stopped");
  first.setNote("class", "ValueError");
  Status second = first;
  second.setNote("class", "KeyError");
  second.setNote("key", "");
  CHECK(first.note("class") == "ValueError");
  CHECK_FALSE(first.note("key").has_value());
  CHECK(second.note("class") == "KeyError");
  CHECK(second.note("key") == "");
  CHECK(second.message() == "stopped");

  Status third = internalError("broken");
  third.setNote("class", "TypeError");
  third.setNote("line", "4");
  third.addNotesOf(second);
  CHECK(third.note("class") == "KeyError");
  CHECK(third.note("line") == "4");
  CHECK(third.note("key") == "");

  Status success;
  success.setNote("class", "ValueError");
  success.addNotesOf(third);
  CHECK(success.ok());
  CHECK_FALSE(success.note("class").has_value());
}

TEST_CASE("A failure outlives the status that it was copied from", "[status]") {
  Status kept;
  {
    Status made = notFound("no such file");
    kept = made;
    made = okStatus();
    CHECK(made.ok());
  }
  const Status &itself = kept;
  kept = itself;
  CHECK(kept.message() == "no such file");
  const Status moved = std::move(kept);
  CHECK(moved.message() == "no such file");
}

namespace {
/// Counts how many of its kind there are.
struct Counted {
  explicit Counted(int &count) : count(&count) { ++count; }
  Counted(const Counted &other) : count(other.count) { ++*count; }
  Counted &operator=(const Counted &) = default;
  ~Counted() { --*count; }
  int *count;
};
} // namespace

TEST_CASE("A result holds its value exactly where there is one", "[status]") {
  int count = 0;
  {
    StatusOr<Counted> first = Counted(count);
    REQUIRE(first.ok());
    CHECK(count == 1);
    StatusOr<Counted> second = first;
    CHECK(count == 2);
    second = invalidArgument("no");
    CHECK(count == 1);
    CHECK(second.status().message() == "no");
    second = first;
    CHECK(count == 2);
    second = second;
    CHECK(count == 2);
    StatusOr<Counted> third = std::move(second);
    CHECK(third.ok());
    StatusOr<Counted> failed = unimplemented("not yet"), moved = std::move(failed);
    CHECK(failed.status().message() == "not yet"); // a failure that was moved from is one still
    CHECK(moved.status().code() == StatusCode::Unimplemented);
  }
  CHECK(count == 0);
}

TEST_CASE("Results convert as their values do", "[status]") {
  StatusOr<std::unique_ptr<int>> number = std::make_unique<int>(3);
  StatusOr<std::shared_ptr<const int>> shared = std::move(number);
  REQUIRE(shared.ok());
  CHECK(**shared == 3);
  CHECK(StatusOr<std::string>("text")->size() == 4);
  const StatusOr<std::vector<int>> none = dataLoss("cut off");
  CHECK(none.value_or(std::vector<int>{1, 2}).size() == 2);
  CHECK(StatusOr<bool>(true).value_or(false));
}

TEST_CASE("Success without a value is a failure", "[status]") {
  const StatusOr<int> none = okStatus();
  CHECK_FALSE(none.ok());
  CHECK(none.status().code() == StatusCode::Internal);
}

TEST_CASE("Want of memory can be said without memory", "[status]") {
  const Status first(StatusCode::ResourceExhausted, ""), second(StatusCode::ResourceExhausted, "");
  CHECK(first.code() == StatusCode::ResourceExhausted);
  CHECK(first.message().data() == second.message().data()); // they share what was there before
  Status third = first;
  third.setNote("class", "MemoryError");
  CHECK_FALSE(first.note("class").has_value());
}

TEST_CASE("A result whose new value cannot be made has none", "[status]") {
  struct Fragile {
    explicit Fragile(bool breaks) : breaks(breaks) {}
    Fragile(Fragile &&other) : breaks(other.breaks) {
      if (breaks && --left == 0)
        throw std::bad_alloc();
    }
    Fragile &operator=(Fragile &&) = default;
    bool breaks;
    int left = 1;
  };
  StatusOr<Fragile> result = invalidArgument("no");
  StatusOr<Fragile> other = Fragile(false);
  other->breaks = true;
  CHECK_THROWS_AS(result = std::move(other), std::bad_alloc);
  CHECK_FALSE(result.ok());
}
