//===- DevicesTest.cpp - Programs on devices that a host brings -----------===//
#include "../Dispatch/QueuedDevice.h"
#include "Programs.h"
#include "tsc/Runtime/Compare.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"

using namespace tsc;
using Catch::Contains;
using queued::Devices;
using Names = std::vector<std::string>;

static constexpr const char *source = R"(
def main(x: Tensor, y: Tensor) -> Tensor:
    return torch.neg(torch.relu(x * y) + x)

def mixed(x: Tensor, y: Tensor) -> Tensor:
    return torch.cumsum(torch.mm(x, y), 0)

def apart(x: Tensor) -> Tensor:
    a = torch.relu(x.to("privateuseone:0"))
    b = torch.neg(x.to("privateuseone:1"))
    return a.cpu() + b.to(torch.device("cpu"))

def across(x: Tensor) -> Tensor:
    return x.to("privateuseone:0") + x.to("privateuseone:1")

def says(x: Tensor) -> str:
    y = x.to("privateuseone")
    return y.device.type + " " + str(y.device.index) + " " + str(y.is_cuda) + " " + str(y.cpu().is_cpu)
)";

static Tensor ramp(double first, double step) {
  StatusOr<Tensor> tensor = Tensor::empty({4, 4}, DType::Float);
  REQUIRE(tensor.ok());
  for (int64_t i = 0; i != tensor->numel(); ++i)
    tensor->set(i, Scalar(first + step * static_cast<double>(i)));
  return *tensor;
}

/// Whether a result on a device has the elements that the processor computes.
static bool isAsOnProcessor(const IValue &result, llvm::StringRef name, std::vector<IValue> args) {
  StatusOr<Tensor> here = onHost(result.asTensor());
  REQUIRE(here.ok());
  return !findMismatch(IValue(*here), run(load(source, "a.py"), name, std::move(args)), Tolerance{0.0, 0.0});
}

TEST_CASE("devices: a whole program runs on one that its host brings") {
  for (bool fuses : {false, true}) {
    INFO((fuses ? "its fuser makes the groups" : "its fuser makes kernels of single operators"));
    auto devices = std::make_shared<Devices>();
    Names copied;
    devices->copied = [&](llvm::StringRef name) { copied.push_back(name.str()); };
    EngineOptions options;
    options.accelerator = devices;
    options.device = devices->device(1);
    options.fusers = cpuFusers();
    if (fuses)
      options.fusers.add(DeviceKind::PrivateUse1, devices->fuser());
    Program program = load(source, "a.py", options);
    for (int i = 0; i != 3; ++i) {
      IValue x(ramp(-2, 0.5)), y(ramp(1, -0.25));
      const DeviceMemory *memory = *devices->memory(devices->device(1));
      REQUIRE((placeTensors(x, *memory).ok() && placeTensors(y, *memory).ok()));
      IValue result = run(program, "main", {x, y});
      CHECK(result.asTensor().device() == devices->device(1));
      CHECK(isAsOnProcessor(result, "main", {ramp(-2, 0.5), ramp(1, -0.25)}));
      program.finishCompiling();
    }
    CHECK(copied.empty());
    CHECK(devices->unit(0).ran.empty());
    CHECK(llvm::is_contained(devices->unit(1).ran, "group"));
    CHECK(devices->fuser()->counters().kernelsRun > 0);
    // What the device has no kernel for runs on copies, with what comes before and after on the device.
    IValue x(ramp(-2, 0.5)), y(ramp(1, -0.25));
    const DeviceMemory *memory = *devices->memory(devices->device(1));
    REQUIRE((placeTensors(x, *memory).ok() && placeTensors(y, *memory).ok()));
    CHECK(isAsOnProcessor(run(program, "mixed", {x, y}), "mixed", {ramp(-2, 0.5), ramp(1, -0.25)}));
    CHECK(copied == Names{"aten::cumsum"});
    CHECK(devices->unit(1).ran.back() == "aten::mm");
  }
}

TEST_CASE("devices: a program names two of them") {
  auto devices = std::make_shared<Devices>();
  EngineOptions options;
  options.accelerator = devices;
  options.fusers = cpuFusers();
  options.fusers.add(DeviceKind::PrivateUse1, devices->fuser());
  Program program = load(source, "a.py", options);
  for (int i = 0; i != 3; ++i) {
    IValue result = run(program, "apart", {ramp(-2, 0.5)});
    CHECK(result.asTensor().device() == Device());
    CHECK(result.asTensor().at(0).toDouble() == 2);  // relu(-2) + 2
    CHECK(result.asTensor().at(15).toDouble() == 0); // relu(5.5) - 5.5
    CHECK(run(program, "says", {ramp(0, 1)}).toString() == "privateuseone 0 False True");
    CallContext call(program.context());
    StatusOr<IValue> across = program.run(call, "across", {ramp(0, 1)});
    REQUIRE_FALSE(across.ok());
    CHECK_THAT(std::string(errorOf(across.status())),
               Contains("at least two devices, privateuseone:0 and privateuseone:1!"));
    program.finishCompiling();
  }
  CHECK_FALSE(devices->unit(0).ran.empty());
  CHECK_FALSE(devices->unit(1).ran.empty());
}

TEST_CASE("devices: a program without them is told so in the place where it wants one") {
  Program program = load(source, "a.py");
  CallContext call(program.context());
  StatusOr<IValue> result = program.run(call, "apart", {ramp(0, 1)});
  REQUIRE_FALSE(result.ok());
  CHECK_THAT(std::string(errorOf(result.status())), Contains("tensors on device 'privateuseone:0' are not supported"));
}
