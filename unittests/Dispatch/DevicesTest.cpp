//===- DevicesTest.cpp - Operators on devices that a host brings ----------===//
#include "QueuedDevice.h"
#include "tsc/IR/Context.h"
#include "tsc/Runtime/Dispatch/CallByName.h"
#include "tsc/Support/Status.h"
#include <catch2/catch.hpp>

using namespace tsc;
using queued::Devices;

namespace {
class Host {
public:
  explicit Host(std::shared_ptr<Accelerator> accelerator) { setAccelerator(context, std::move(accelerator)); }

  IValue run(llvm::StringRef name, std::vector<IValue> args) {
    auto made = callOperator(call, name, std::move(args));
    INFO(messageOf(made.status()).str());
    REQUIRE(made.ok());
    REQUIRE(made->size() == 1);
    return made->front();
  }
  /// Returns the message of a call that fails.
  std::string fail(llvm::StringRef name, std::vector<IValue> args) {
    auto made = callOperator(call, name, std::move(args));
    REQUIRE_FALSE(made.ok());
    return messageOf(made.status()).str();
  }
  Tensor moved(const Tensor &tensor, Device device) { return run("aten::to", {tensor, IValue(device)}).asTensor(); }

  Context context;
  CallContext call{context};
};

Tensor matrix(std::vector<float> numbers, int64_t rows) {
  return *Tensor::fromSpan<float>(numbers, {rows, static_cast<int64_t>(numbers.size()) / rows});
}

/// Returns the elements of a matrix, which is copied to the processor, row by row.
std::vector<float> elementsOf(const Tensor &tensor) {
  StatusOr<Tensor> here = onHost(tensor);
  REQUIRE(here.ok());
  std::vector<float> elements;
  for (int64_t i = 0; i != here->numel(); ++i)
    elements.push_back(static_cast<float>(here->at(i).toDouble()));
  return elements;
}
using Numbers = std::vector<float>;
using Names = std::vector<std::string>;
} // namespace

TEST_CASE("devices: tensors go to a device and back") {
  auto devices = std::make_shared<Devices>();
  Host host(devices);
  {
    Tensor x = matrix({1, 2, 3, 4}, 2), there = host.moved(x, devices->device(1));
    CHECK(there.device() == devices->device(1));
    CHECK(there.device().str() == "privateuseone:1");
    CHECK(host.moved(there, devices->device(1)).isSameAs(there));
    x.set(0, Scalar(9.0)); // what was copied stays as it was
    Tensor back = host.run("aten::cpu", {there}).asTensor();
    CHECK(back.device() == Device());
    CHECK(elementsOf(back) == Numbers{1, 2, 3, 4});
    CHECK(host.moved(x, {DeviceKind::PrivateUse1, -1}).device() == devices->device(0));
    CHECK(host.run("prim::is_cpu", {back}).toBool());
    CHECK_FALSE(host.run("prim::is_cpu", {there}).toBool());
    CHECK_FALSE(host.run("prim::is_cuda", {there}).toBool());
  }
  CHECK(devices->unit(0).memory.live == 0);
  CHECK(devices->unit(1).memory.live == 0);
}

TEST_CASE("devices: a device's kernels run later, in the order of the calls") {
  auto devices = std::make_shared<Devices>();
  Names copied;
  devices->copied = [&](llvm::StringRef name) { copied.push_back(name.str()); };
  Host host(devices);
  Tensor x = host.moved(matrix({1, -2, 3, -4}, 2), devices->device(0));
  Tensor w = host.moved(matrix({0, 1, 1, 0}, 2), devices->device(0));
  Tensor product = host.run("aten::mm", {x, w}).asTensor();
  CHECK(product.device() == devices->device(0));
  Tensor result = host.run("aten::relu", {product}).asTensor();
  product = Tensor(); // its block is free when the work that reads it has been done
  host.run("aten::relu_", {x});
  CHECK(devices->unit(0).ran.empty());
  CHECK(devices->unit(0).queue.length() > 3);
  CHECK(elementsOf(result) == Numbers{0, 1, 0, 3});
  CHECK(devices->unit(0).ran == Names{"aten::mm", "aten::relu", "aten::relu"});
  CHECK(devices->unit(0).queue.length() == 0);
  CHECK(elementsOf(x) == Numbers{1, 0, 3, 0});
  CHECK(copied.empty());
}

TEST_CASE("devices: what a device has no kernel for runs on copies") {
  auto devices = std::make_shared<Devices>();
  Names copied;
  devices->copied = [&](llvm::StringRef name) { copied.push_back(name.str()); };
  Host host(devices);
  Tensor x = host.moved(matrix({1, 2, 3, 4}, 2), devices->device(0));
  Tensor squares = host.run("aten::mm", {x, x}).asTensor(); // what is copied waits for it
  for (int i = 0; i != 2; ++i) {
    Tensor sums = host.run("aten::cumsum", {squares, 1}).asTensor();
    CHECK(sums.device() == devices->device(0));
    CHECK(elementsOf(sums) == Numbers{7, 17, 15, 37});
  }
  CHECK(copied == Names{"aten::cumsum"});
  Tensor same = host.run("aten::cumsum_", {x, 0}).asTensor(); // what is written to the copy is written back
  CHECK(same.isSameAs(x));
  CHECK(elementsOf(x) == Numbers{1, 2, 4, 6});
  // The operator says what is wrong where the kernel takes no such operands.
  CHECK_THAT(host.fail("aten::mm", {x, host.moved(matrix({1, 2, 3}, 3), devices->device(0))}),
             Catch::Contains("shapes cannot be multiplied"));
}

TEST_CASE("devices: operands are on one of two devices") {
  auto devices = std::make_shared<Devices>();
  Host host(devices);
  Tensor x = matrix({1, 2, 3, 4}, 2);
  Tensor first = host.moved(x, devices->device(0)), second = host.moved(x, devices->device(1));
  CHECK_THAT(host.fail("aten::mm", {first, second}),
             Catch::Contains("Expected all tensors to be on the same device, but found at least two devices, "
                             "privateuseone:0 and privateuseone:1!"));
  Tensor product = host.run("aten::mm", {first, first}).asTensor();
  Tensor moved = host.moved(product, devices->device(1)); // a copy waits for what it reads
  CHECK(devices->unit(0).ran == Names{"aten::mm"});
  CHECK(elementsOf(host.run("aten::mm", {moved, second}).asTensor()) == Numbers{37, 54, 81, 118});
  CHECK(devices->unit(1).ran == Names{"aten::mm"});
}

TEST_CASE("devices: an error of work that was asked for before is told once, by who waits") {
  auto devices = std::make_shared<Devices>();
  Host host(devices);
  Tensor x = host.moved(matrix({1, 2}, 1), devices->device(0));
  auto fails = [] { return internalError("the device has stopped"); };
  devices->unit(0).queue.add(fails);
  CHECK(host.fail("aten::cpu", {x}) == "the device has stopped");
  CHECK(elementsOf(x) == Numbers{1, 2});
  devices->unit(0).queue.add(fails);
  CHECK(devices->synchronize(devices->device(1)).ok());
  CHECK(messageOf(devices->synchronize(devices->device(0))) == "the device has stopped");
  CHECK(devices->synchronize(devices->device(0)).ok());
}

TEST_CASE("devices: those that there are not are refused in PyTorch's words, where it has some") {
  auto devices = std::make_shared<Devices>();
  Tensor x = matrix({1, 2}, 1);
  Host host(devices), without(nullptr);
  CHECK(host.fail("aten::to", {x, IValue(devices->device(2))}) == "there is no device 'privateuseone:2'");
  CHECK(host.fail("aten::to", {x, IValue(Device{DeviceKind::CUDA, 0})}) == "Torch not compiled with CUDA enabled");
  CHECK(host.fail("aten::cuda", {x}) == "Torch not compiled with CUDA enabled");
  CHECK(without.fail("aten::cuda", {x}) == "Torch not compiled with CUDA enabled");
  CHECK(without.fail("aten::to", {x, IValue(devices->device(0))}) ==
        "tensors on device 'privateuseone:0' are not supported");
}

TEST_CASE("devices: a device that was opened twice is one device") {
  auto once = std::make_shared<Devices>(), again = std::make_shared<Devices>();
  const DeviceMemory *first = *once->memory(once->device(0)), *second = *again->memory(again->device(0));
  Tensor x = matrix({1, 2}, 1);
  REQUIRE(placeTensors(x, *first).ok());
  const void *data = x.data();
  CHECK(&memoryOf(*x.get()->storage) == first);
  REQUIRE(placeTensors(x, *second).ok());
  CHECK(x.data() == data);
  CHECK(&memoryOf(*x.get()->storage) == first); // results of operators on it are next to it
  Host host(again);
  CHECK(host.moved(x, again->device(0)).isSameAs(x));
  // Between the two a copy waits for both.
  Tensor copy = *copyTensor(x, *second);
  CHECK(elementsOf(copy) == Numbers{1, 2});
}

TEST_CASE("devices: two kinds at once") {
  auto devices = std::make_shared<Devices>(), others = std::make_shared<Devices>(DeviceKind::CUDA, 1);
  auto joined = joinAccelerators({devices, others});
  Host host(joined);
  Tensor x = matrix({1, 2, 3, 4}, 2);
  Tensor here = host.moved(x, devices->device(1)), there = host.run("aten::cuda", {x}).asTensor();
  CHECK(there.device() == others->device(0));
  CHECK(host.run("prim::is_cuda", {there}).toBool());
  CHECK(elementsOf(host.run("aten::mm", {here, here}).asTensor()) == Numbers{7, 10, 15, 22});
  CHECK(elementsOf(host.run("aten::relu", {there}).asTensor()) == Numbers{1, 2, 3, 4});
  CHECK(devices->unit(1).ran == Names{"aten::mm"});
  CHECK(others->unit(0).ran == Names{"aten::relu"});
  CHECK_THAT(host.fail("aten::mm", {here, there}), Catch::Contains("devices, privateuseone:1 and cuda:0!"));
  CHECK(elementsOf(host.moved(there, devices->device(0))) == Numbers{1, 2, 3, 4});
  others->unit(0).queue.add([] { return internalError("the other has stopped"); });
  CHECK(joined->synchronize(devices->device(0)).ok());
  CHECK(messageOf(joined->synchronize(others->device(0))) == "the other has stopped");
  CHECK(host.fail("aten::to", {x, IValue(Device{DeviceKind::Meta, -1})}) ==
        "tensors on device 'meta' are not supported");
}
