//===- UpsampleFormatsTest.cpp - Images interpolated in any layout --------===//
//
// Images whose channels lie inside are interpolated along rows and columns together
// where both shrink, one side after the other elsewhere; either way as others are.
//
//===----------------------------------------------------------------------===//
#include "KernelTest.h"
#include "tsc/Kernels/Upsample.h"

using namespace tsc;
using namespace tsc::test;

TEST_CASE("images are interpolated alike with channels inside and outside") {
  using Mode = cpu::UpsampleMode;
  const Dims sides[] = {{4, 5}, {3, 10}, {8, 4}, {13, 21}, {8, 21}, {1, 1}, {8, 10}};
  for (DType dtype : {DType::Float, DType::Double})
    for (int64_t channels : {2, 3, 19})
      for (Mode mode : {Mode::Linear, Mode::Cubic, Mode::LinearAA, Mode::CubicAA})
        for (const Dims &side : sides)
          for (bool alignCorners : {false, true}) {
            const Tensor x = randomTensor({2, channels, 8, 10}, dtype);
            const Tensor inside = only(cpu::contiguous(x, MemoryFormat::ChannelsLast));
            const Tensor expected = only(cpu::upsampleVec(mode, 2, x, ArrayRef<int64_t>(side), alignCorners, {})),
                         found = only(cpu::upsampleVec(mode, 2, inside, ArrayRef<int64_t>(side), alignCorners, {}));
            INFO(irName(dtype).str() << ", mode " << static_cast<int>(mode) << " to " << side[0] << " by " << side[1]);
            CHECK(apart(only(cpu::contiguous(found)), expected) < (dtype == DType::Float ? 1e-5 : 1e-12));
          }
}

TEST_CASE("what has no weight is not read where both sides shrink") {
  Tensor x = ramp({1, 4, 8, 8});
  for (int64_t c = 0; c != 4; ++c)
    x.set(c * 64 + 63, Scalar(NAN)); // with aligned corners, read for the last corner alone
  const Tensor inside = only(cpu::contiguous(x, MemoryFormat::ChannelsLast));
  const Tensor found = only(cpu::contiguous(
      only(cpu::upsampleVec(cpu::UpsampleMode::Linear, 2, inside, ArrayRef<int64_t>({4, 4}), true, std::nullopt))));
  for (int64_t i = 0; i != found.numel(); ++i)
    CHECK(std::isnan(found.at(i).toDouble()) == (i % 16 == 15));
}
