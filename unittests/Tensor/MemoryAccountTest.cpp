//===- MemoryAccountTest.cpp - What is counted, and when it is too much ---===//
#include "tsc/Tensor/MemoryAccount.h"
#include "tsc/Tensor/Allocator.h"
#include "tsc/Tensor/Tensor.h"
#include <catch2/catch.hpp>
#include <new>
#include <vector>

using namespace tsc;

TEST_CASE("blocks are refused where they would exceed the limit, and counted as they come and go") {
  std::atomic<bool> alarm{false};
  memory::Account account;
  account.setLimit(1 << 20);
  account.setAlarm(&alarm);
  memory::AccountScope scope(&account);
  {
    auto half = Tensor::empty({1 << 17});
    REQUIRE(half.ok());
    CHECK(account.bytesUsed() >= 1 << 19);
    CHECK_FALSE(account.wasExceeded());
    CHECK_FALSE(Tensor::empty({1 << 18}).ok());
    CHECK(account.wasExceeded());
    CHECK(alarm);
  }
  CHECK(account.bytesUsed() == 0);
  account.reset();
  CHECK(Tensor::empty({1 << 17}).ok());
  CHECK_FALSE(account.wasExceeded());
}

TEST_CASE("nobody counts outside of a scope, nor within one of nobody") {
  memory::Account account;
  std::vector<Tensor> kept;
  {
    memory::AccountScope scope(&account);
    {
      memory::AccountScope uncounted(nullptr);
      kept.push_back(*Tensor::empty({1000}));
    }
    CHECK(account.bytesUsed() == 0);
    kept.push_back(*Tensor::empty({1000}));
    CHECK(account.bytesUsed() > 4000);
    kept.clear(); // one of them was there before
    CHECK(account.bytesUsed() < 0);
  }
  kept.push_back(*Tensor::empty({1000}));
  CHECK(account.bytesUsed() < 0);
}

TEST_CASE("objects go on for a while, and end where they come to much more than the limit") {
  memory::Account account;
  account.setLimit(1 << 20);
  memory::AccountScope scope(&account);
  std::vector<void *> objects;
  bool isRefused = false;
  for (int i = 0; i != 1 << 20 && !isRefused; ++i)
    try {
      objects.push_back(memory::allocateObject(64));
    } catch (const std::bad_alloc &) {
      isRefused = true;
    }
  CHECK(isRefused);
  CHECK(account.wasExceeded());
  CHECK(objects.size() > (1 << 20) / 64);
  CHECK(objects.size() <= ((1 << 20) + (1 << 16) + (1 << 20)) / 64 + 1);
  for (void *object : objects)
    memory::deallocateObject(object, 64);
  CHECK(account.bytesUsed() == 0);
}

TEST_CASE("containers say what they come to") {
  memory::Account account;
  account.setLimit(1000);
  memory::AccountScope scope(&account);
  {
    memory::CountedBytes counted;
    counted.set(600);
    counted.set(600);
    CHECK(account.bytesUsed() == 600);
    CHECK(memory::hasRoom(400));
    CHECK_FALSE(account.wasExceeded());
    CHECK_FALSE(memory::hasRoom(401));
    CHECK(account.wasExceeded());
    counted.set(100);
    CHECK(account.bytesUsed() == 100);
  }
  CHECK(account.bytesUsed() == 0);
  CHECK_FALSE(memory::hasRoom(SIZE_MAX));
}
