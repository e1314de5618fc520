//===- TensorTest.cpp - Storages, the allocator, dtypes -------------------===//
#include "MadeTensors.h"
#include "tsc/Tensor/Allocator.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "tsc/Tensor/LentMemory.h"
#include "tsc/Tensor/Promotion.h"
#include <cstring>
#include <thread>

TEST_CASE("Allocator: freed blocks are used again, aligned, and counted") {
  memory::Block first = memory::allocate(100'000);
  REQUIRE(first.data);
  CHECK(first.capacity >= 100'000);
  CHECK(reinterpret_cast<uintptr_t>(first.data) % 64 == 0);
  size_t used = memory::bytesInUse();
  memory::deallocate(first.data, first.capacity);
  CHECK(memory::bytesInUse() == used - first.capacity);
  memory::trim();
  memory::Block second = memory::allocate(1);
  CHECK(reinterpret_cast<uintptr_t>(second.data) % 64 == 0);
  memory::deallocate(second.data, second.capacity);
}

TEST_CASE("Allocator: a limit turns into a status") {
  memory::setLimit(memory::bytesInUse() + (1 << 20));
  StatusOr<Tensor> large = Tensor::empty({1 << 20});
  CHECK(large.status().code() == StatusCode::ResourceExhausted);
  CHECK(Tensor::empty({1 << 16}).ok());
  memory::setLimit(0);
  CHECK(Tensor::empty({1 << 20}).ok());
  CHECK(!Tensor::empty({int64_t{1} << 62}).ok());
  CHECK(!Tensor::empty({int64_t{1} << 40, int64_t{1} << 40}).ok());
  // Beside a size of 0 the others are looked at as well: products of sizes do not overflow wherever a tensor is.
  CHECK(Tensor::empty({int64_t{1} << 26, 0, 3}).ok());
  CHECK(!Tensor::empty({int64_t{1} << 28, 0, 3}).ok());
  CHECK(!Tensor::empty({int64_t{1} << 40, int64_t{1} << 40, 0}).ok());
  CHECK(!Tensor::empty({0, int64_t{1} << 40, int64_t{1} << 40, 3}).ok());
  CHECK(!Tensor::empty({0, 1 << 30, 1 << 30, 3}).ok());
}

TEST_CASE("Allocator: memory may be freed on another thread than it came from") {
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i)
    threads.emplace_back([i] {
      std::vector<Tensor> kept;
      for (int n = 0; n != 2000; ++n) {
        kept.push_back(*Tensor::full({n % 700}, Scalar(i), DType::Int64));
        if (kept.size() > 50)
          std::thread([moved = std::move(kept)] {}).join(), kept.clear();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_CASE("tensorOver: a tensor over lent memory reads and writes it, and gives it back once") {
  int returned = 0;
  auto giveBack = [](void *user) { ++*static_cast<int *>(user); };
  alignas(8) float numbers[6] = {1, 2, 3, 4, 5, 6};
  {
    Tensor columns = *tensorOver({numbers, false, true, giveBack, &returned}, {3, 2}, {1, 3}, DType::Float);
    Tensor view = columns.alias({3}, {1}, 3);
    CHECK(columns.at(1).toDouble() == 4);
    view.set(0, Scalar(40));
    CHECK(numbers[3] == 40);
    columns = Tensor();
    CHECK(returned == 0);
  }
  CHECK(returned == 1);

  Tensor constant = *tensorOver({numbers, true, true, giveBack, &returned}, {6}, {1}, DType::Float);
  CHECK(constant.data() == numbers);
  constant.set(0, Scalar(10));
  CHECK(numbers[0] == 1);
  CHECK(constant.at(0).toDouble() == 10);
  CHECK(returned == 2);
}

TEST_CASE("tensorOver: what is no tensor is refused, and nobody is told") {
  int returned = 0;
  auto giveBack = [](void *user) { ++*static_cast<int *>(user); };
  alignas(8) uint8_t bytes[16] = {0, 1, 7, 1};
  LentMemory memory{bytes, false, true, giveBack, &returned};
  CHECK(!tensorOver(memory, {2}, {-1}, DType::UInt8).ok());
  CHECK(!tensorOver(memory, {-2}, {1}, DType::UInt8).ok());
  CHECK(!tensorOver(memory, {3}, {1}, DType::Bool).ok());
  CHECK(!tensorOver({bytes + 1, false, true, giveBack, &returned}, {1}, {1}, DType::Float).ok());
  CHECK(!tensorOver(memory, {1 << 20, 2}, {int64_t{1} << 60, 1}, DType::Float).ok());
  CHECK(returned == 0);
  CHECK(tensorOver(memory, {2}, {3}, DType::Bool).ok()); // the 7 stands between two bools
  CHECK(tensorOver({bytes, false, /*isRead=*/false, giveBack, &returned}, {3}, {1}, DType::Bool).ok());
  CHECK(returned == 2);
}

TEST_CASE("Storage: borrowed bytes are copied before the first write") {
  static const float bytes[4] = {1, 2, 3, 4};
  struct Keeper : RefCounted {};
  Tensor t = *Tensor::view(Storage::borrow(bytes, sizeof bytes, makeRef<Keeper>()), 0, {4}, {1}, DType::Float);
  CHECK(t.data() == bytes);
  t.set(0, Scalar(7));
  CHECK(t.data() != bytes);
  CHECK(bytes[0] == 1);
  CHECK(show(t) == "tensor([7., 2., 3., 4.])");
}

TEST_CASE("Storage: made, copied, grown and freed by its device") {
  CountingMemory memory({DeviceKind::CUDA, 1});
  {
    Tensor t = *Tensor::empty({2, 3}, DType::Float, memory);
    CHECK(t.device() == Device{DeviceKind::CUDA, 1});
    CHECK(t.alias({3}, {1}, 0).device() == t.device());
    CHECK(Tensor::emptyStrided({2, 2}, {1, 2}, DType::Float, memory)->device() == t.device());
    Ref<Storage> copy = *t.get()->storage->clone();
    CHECK(copy->device() == t.device());
    CHECK(memory.copied == 24);
    CHECK(copy->resize(1000).ok());
    CHECK(memory.copied == 48);
    CHECK(memory.blocks == 4);
    CHECK(memory.live == 2);
  }
  CHECK(memory.live == 0);
  memory.limit = 100;
  StatusOr<Tensor> large = Tensor::empty({1000}, DType::Float, memory);
  CHECK(large.status().code() == StatusCode::ResourceExhausted);
  CHECK(messageOf(large.status()) == "cuda:1 has no memory for 4000 bytes");
  CHECK(Tensor::empty({2})->device() == Device());
}

TEST_CASE("Storage: the memory of its device need not be the one that it was allocated in") {
  CountingMemory memory({DeviceKind::CUDA, 1}), lent{Device()};
  Tensor there = *Tensor::empty({3}, DType::Float, memory), here = *Tensor::empty({3}, DType::Float, lent);
  CHECK(&memoryOf(*there.get()->storage) == &memory);
  CHECK(&memoryOf(*here.get()->storage) == &DeviceMemory::cpu());
  CHECK(&here.get()->storage->allocatedIn() == &lent);
  for (int64_t i = 0; i != 3; ++i)
    there.set(i, Scalar(i + 1));
  Tensor copy = *copyTensor(there, lent);
  CHECK(copy.device() == Device());
  CHECK(show(copy) == "tensor([1., 2., 3.])");
}

TEST_CASE("Tensor: a view stays inside its storage") {
  Ref<Storage> storage = *Storage::allocate(40);
  CHECK(Tensor::view(storage, 0, {10}, {1}, DType::Float).ok());
  CHECK(!Tensor::view(storage, 1, {10}, {1}, DType::Float).ok());
  CHECK(!Tensor::view(storage, 0, {2, 2}, {9, 2}, DType::Float).ok());
  CHECK(!Tensor::view(storage, 0, {2}, {-1}, DType::Float).ok());
  CHECK(!Tensor::view(storage, 0, {int64_t{1} << 40}, {int64_t{1} << 40}, DType::Float).ok());
  CHECK(Tensor::view(storage, 1000, {0}, {1}, DType::Float).ok());
}

TEST_CASE("dtypes: names, numbers and promotion") {
  CHECK(dtypeFromPythonName("float32") == DType::Float);
  CHECK(dtypeFromPythonName("long") == DType::Int64);
  CHECK(dtypeFromIRName("BFloat16") == DType::BFloat16);
  CHECK(!dtypeFromIRName("Nothing"));
  CHECK(promoteTypes(DType::UInt8, DType::Int8) == DType::Int16);
  CHECK(promoteTypes(DType::Half, DType::BFloat16) == DType::Float);
  CHECK(promoteTypes(DType::Int64, DType::Half) == DType::Half);
  CHECK(promoteTypes(DType::ComplexFloat, DType::Double) == DType::ComplexDouble);
  CHECK(resultType(ints({2}), Scalar(1.5)) == DType::Float);
  CHECK(resultType(ramp({2}, DType::Half), ramp({})) == DType::Half);
  CHECK(resultType(ints({2}), ramp({})) == DType::Float);
  CHECK(resultType(bools({true}), Scalar(1)) == DType::Int64);
  CHECK(Device::parse("cuda:1") == Device{DeviceKind::CUDA, 1});
  CHECK(Device::parse("privateuseone") == Device{DeviceKind::PrivateUse1});
  CHECK(Device{DeviceKind::PrivateUse1, 2}.str() == "privateuseone:2");
  CHECK(!Device::parse("cuda:"));
  CHECK(!Device::parse("tpu"));
}

TEST_CASE("Half: every bit pattern survives a round trip") {
  for (uint32_t bits = 0; bits != 65536; ++bits) {
    Half h;
    h.bits = static_cast<uint16_t>(bits);
    float wide = h;
    Half back(wide);
    if (wide == wide)
      REQUIRE(back.bits == h.bits);
    else
      REQUIRE((back.bits & 0x7c00) == 0x7c00);
  }
}
