//===- CancelTest.cpp - Kernels that take as long as a number says --------===//
//
// Each of these would take minutes to years, without a limit, and ends because somebody
// asks it to.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Convolution.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Pooling.h"
#include "tsc/Kernels/Vision.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Tensor.h"
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

using namespace tsc;

static Tensor ones(ArrayRef<int64_t> sizes, DType dtype = DType::Float) {
  return *Tensor::full(sizes, Scalar(1), dtype);
}
static Tensor channelsInside(ArrayRef<int64_t> sizes) {
  return *cpu::contiguous(ones(sizes), MemoryFormat::ChannelsLast);
}

/// Runs a kernel, which another thread asks to end soon.
template <typename Run> static void runCancelled(Run run) {
  std::atomic<bool> alarm{false};
  work::Meter meter(alarm);
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    alarm = true;
  });
  {
    work::MeterScope scope(&meter);
    (void)run(); // nobody looks at the result
  }
  canceller.join();
  CHECK(alarm);
}

TEST_CASE("Cancelling: pools end within their windows") {
  const Tensor image = ones({1, 1, 2048, 2048}), inside = channelsInside({1, 8, 2048, 2048});
  const int64_t kernel[] = {1024, 1024}, one[] = {1, 1}, zero[] = {0, 0};
  runCancelled([&] { return cpu::avgPool2d(image, kernel, one, zero, false, true, std::nullopt); });
  runCancelled([&] { return cpu::avgPool2d(inside, kernel, one, zero, false, true, std::nullopt); });
  runCancelled([&] {
    return cpu::avgPool2d(ones({1, 1, 2048, 2048}, DType::Int64), kernel, one, zero, false, true, std::nullopt);
  });
  runCancelled([&] { return cpu::maxPool2d(image, kernel, one, zero, one, false); });
  runCancelled([&] { return cpu::maxPool2d(inside, kernel, one, zero, one, false); });
  runCancelled([&] { return cpu::maxPool2dWithIndices(image, kernel, one, zero, one, false); });
  runCancelled([&] { return cpu::maxPool2dWithIndices(inside, kernel, one, zero, one, false); });
  runCancelled([&] { return cpu::fractionalMaxPool2d(image, kernel, kernel, ones({1, 1, 2})); });
  const Tensor line = ones({1, 1, 8000000});
  const int64_t half[] = {4000000}, step[] = {1}, far[] = {9}, nothing[] = {0};
  runCancelled([&] { return cpu::maxPool1d(line, half, step, nothing, step, false); });
  runCancelled([&] { return cpu::avgPool1d(line, half, far, nothing, false, true); });
}

TEST_CASE("Cancelling: regions end within their cells") {
  Tensor regions = ones({100000, 5});
  for (int64_t i = 0; i != regions.size(0); ++i)
    for (int64_t j = 0; j != 5; ++j)
      regions.set(5 * i + j, Scalar(j < 3 ? 0.0 : 2047.0));
  const Tensor image = ones({1, 4, 2048, 2048});
  runCancelled([&] { return cpu::roiPool(image, regions, 1, 1, 1); });
  runCancelled([&] { return cpu::psRoiPool(image, regions, 1, 2, 2); });
  runCancelled([&] { return cpu::roiAlign(image, regions, 1, 1, 1, 4096, false); });
  const Tensor first = ones({1, 5});
  runCancelled([&] { return cpu::roiAlign(ones({1, 1, 8, 8}), first, 1, 100000, 1, 4096, false); });
}

TEST_CASE("Cancelling: convolutions end between their pieces") {
  const int64_t one[] = {1, 1}, zero[] = {0, 0};
  auto convolve = [&](const Tensor &image, const Tensor &kernel, bool transposed, int64_t groups) {
    return cpu::convolution(image, kernel, Tensor(), one, zero, one, transposed, zero, groups);
  };
  SECTION("of an image in blocks") {
    runCancelled([&] { return convolve(ones({1, 64, 400, 400}), ones({64, 64, 31, 31}), false, 1); });
  }
  SECTION("of channels alone, which lie inside") {
    runCancelled([&] { return convolve(channelsInside({1, 64, 1000, 1000}), ones({64, 1, 300, 300}), false, 64); });
  }
  SECTION("transposed") {
    runCancelled([&] { return convolve(ones({1, 2, 1000, 1000}), ones({2, 1, 500, 500}), true, 2); });
  }
}
