//===- RandomFill.cpp - In-place random numbers ---------------------------===//
//
// Elements are drawn in the order of memory, with the arithmetic of PyTorch's CPU
// kernels, so that a seed gives the same tensors.
//
//===----------------------------------------------------------------------===//
#include "BoxMuller.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Random.h"
#include "tsc/Kernels/StridedLoop.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/FunctionClones.h"
#include "tsc/Tensor/Dispatch.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

static constexpr double pi = 3.14159265358979323846;

/// Sets each element, in memory order, to draw().
template <typename T, typename Draw> static void fillSerially(const Tensor &self, Draw draw) {
  StridedLoop<1> loop(self.sizes());
  loop.output(0, self);
  loop.forEachRow([&](char *const *p, const int64_t *strides, int64_t count) {
    for (int64_t i = 0; i != count; ++i)
      *reinterpret_cast<T *>(p[0] + i * strides[0]) = draw();
  });
}

static Status checkTarget(const Tensor &self) {
  TSC_RETURN_IF_ERROR(checkWritable(self));
  self.bumpVersion();
  return okStatus();
}

/// Draws a double for each element of a real floating tensor.
template <typename Draw> static StatusOr<Tensor> fillFloating(const Tensor &self, const char *name, Draw draw) {
  TSC_RETURN_IF_ERROR(checkTarget(self));
  TSC_RETURN_IF_ERROR(dispatchFloating(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        fillSerially<T>(self, [&] { return convertTo<T>(draw()); });
      },
      name));
  return self;
}

//===- Uniform and normal -------------------------------------------------===//

/// A number of [0, 1) with as many bits as T's significand has.
template <typename T> static ComputeType<T> drawUniform(Generator &generator) {
  if constexpr (std::is_same_v<T, double>)
    return generator.uniformDouble();
  else {
    constexpr int numBits = std::is_same_v<T, float> ? 24 : std::is_same_v<T, Half> ? 11 : 8;
    return static_cast<float>(generator.random32() & ((1u << numBits) - 1)) * (1.0f / (1u << numBits));
  }
}

StatusOr<Tensor> cpu::uniformInPlace(Generator &generator, const Tensor &self, double from, double to) {
  if (!(from <= to))
    return invalidArgument("uniform_ expects to return a [from, to) range, but found from=" + shortString(from) +
                           " > to=" + shortString(to));
  if (isComplex(self.dtype())) {
    TSC_ASSIGN_OR_RETURN(Tensor parts, viewAsReal(self));
    TSC_RETURN_IF_ERROR(uniformInPlace(generator, parts, from, to).status());
    return self;
  }
  TSC_RETURN_IF_ERROR(checkTarget(self));
  TSC_RETURN_IF_ERROR(dispatchFloating(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        using C = ComputeType<T>;
        C low = static_cast<C>(T(static_cast<C>(from))), high = static_cast<C>(T(static_cast<C>(to)));
        // One rounding, as PyTorch's kernels are compiled to give.
        fillSerially<T>(self, [&] { return T(std::fma(drawUniform<T>(generator), high - low, low)); });
      },
      "check_uniform_bounds"));
  return self;
}

/// Box-Muller on 8 pairs: elements j and j + 8.
template <typename T> static void normalBlock(T *data, T mean, T std) {
  using C = ComputeType<T>;
  auto round = [](C x) { return static_cast<C>(T(x)); }; // half types round after every operation
  for (int j = 0; j != 8; ++j) {
    C u1 = round(C(1) - static_cast<C>(data[j])), u2 = data[j + 8];
    C radius = round(std::sqrt(round(C(-2) * round(std::log(u1)))));
    C theta = std::is_same_v<T, float> ? C(2 * pi) * u2 : round(static_cast<C>(2 * pi * u2));
    data[j] = T(round(round(radius * round(std::cos(theta))) * static_cast<C>(std)) + static_cast<C>(mean));
    data[j + 8] = T(round(round(radius * round(std::sin(theta))) * static_cast<C>(std)) + static_cast<C>(mean));
  }
}

/// As above, with the bits of PyTorch's vectorized kernel.
TSC_CLONES static void normalBlocksFloat(float *data, int64_t blocks, float mean, float std) {
  for (; blocks > 0; --blocks, data += 16)
    for (int j = 0; j != 8; ++j) {
      float radius = std::sqrt(-2.0f * boxmuller::log(1 - data[j]));
      boxmuller::SinCos direction = boxmuller::sincos(static_cast<float>(2 * pi) * data[j + 8]);
      data[j] = std::fma(radius * direction.cos, std, mean);
      data[j + 8] = std::fma(radius * direction.sin, std, mean);
    }
}

template <typename T> static void normalInBlocks(T *data, int64_t blocks, T mean, T std) {
  if constexpr (std::is_same_v<T, float>)
    return normalBlocksFloat(data, blocks, mean, std);
  for (; blocks > 0; --blocks, data += 16)
    normalBlock(data, mean, std);
}

/// Uniform numbers first, then blocks of 16; the last block, if incomplete, is the last 16 elements drawn anew.
template <typename T> static void normalBlocks(Generator &generator, T *data, int64_t count, double mean, double std) {
  using C = ComputeType<T>;
  T m = T(static_cast<C>(mean)), s = T(static_cast<C>(std));
  for (int64_t i = 0; i != count; ++i)
    data[i] = T(drawUniform<T>(generator));
  normalInBlocks(data, count / 16, m, s);
  if (count % 16 == 0)
    return;
  T *last = data + count - 16;
  for (int i = 0; i != 16; ++i)
    last[i] = T(drawUniform<T>(generator));
  normalInBlocks(last, 1, m, s);
}

StatusOr<Tensor> cpu::normalInPlace(Generator &generator, const Tensor &self, double mean, double std) {
  if (!(std >= 0))
    return invalidArgument("normal expects std >= 0.0, but found std " + shortString(std));
  if (isComplex(self.dtype())) {
    // The variance is shared by the two parts.
    TSC_ASSIGN_OR_RETURN(Tensor parts, viewAsReal(self));
    TSC_RETURN_IF_ERROR(normalInPlace(generator, parts, 0, std / std::sqrt(2.0)).status());
    if (mean != 0) {
      TSC_ASSIGN_OR_RETURN(Tensor realPart, real(self));
      StridedLoop<1> loop(realPart.sizes());
      loop.output(0, realPart);
      TSC_RETURN_IF_ERROR(dispatchFloatDouble(
          realPart.dtype(),
          [&](auto tag) {
            using T = typename decltype(tag)::Type;
            loop.forEachRow([&](char *const *p, const int64_t *s, int64_t n) {
              for (int64_t i = 0; i != n; ++i)
                *reinterpret_cast<T *>(p[0] + i * s[0]) += static_cast<T>(mean);
            });
          },
          "normal_"));
    }
    return self;
  }
  TSC_RETURN_IF_ERROR(checkTarget(self));
  TSC_RETURN_IF_ERROR(dispatchFloating(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if (self.numel() >= 16 && self.isContiguous())
          normalBlocks(generator, self.mutableData<T>(), self.numel(), mean, std);
        else
          fillSerially<T>(self, [&] { return convertTo<T>(generator.normalDouble() * std + mean); });
      },
      "normal_kernel_cpu"));
  return self;
}

StatusOr<Tensor> cpu::logNormalInPlace(Generator &generator, const Tensor &self, double mean, double std) {
  if (!(std > 0))
    return invalidArgument("log_normal_ expects std > 0.0, but found std=" + shortString(std));
  return fillFloating(self, "log_normal_", [&] { return std::exp(generator.normalDouble() * std + mean); });
}

//===- Bernoulli ----------------------------------------------------------===//

StatusOr<Tensor> cpu::bernoulliInPlace(Generator &generator, const Tensor &self, double p) {
  if (!(p >= 0 && p <= 1))
    return invalidArgument("bernoulli_ expects p to be in [0, 1], but got p=" + shortString(p));
  TSC_RETURN_IF_ERROR(checkTarget(self));
  TSC_RETURN_IF_ERROR(dispatchReal(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        fillSerially<T>(self, [&] { return convertTo<T>(static_cast<float>(generator.uniformDouble() < p)); });
      },
      "bernoulli_scalar_cpu_"));
  return self;
}

StatusOr<Tensor> cpu::bernoulliTensorInPlace(Generator &generator, const Tensor &self, const Tensor &p) {
  if (!isFloating(p.dtype()))
    return detail::dtypeNotImplemented("bernoulli_tensor_cpu_p_", p.dtype());
  TSC_ASSIGN_OR_RETURN(Tensor probabilities, expand(p, self.sizes()));
  TSC_RETURN_IF_ERROR(checkTarget(self));
  bool valid = true;
  StridedLoop<2> loop(self.sizes());
  loop.output(0, self);
  loop.input(1, probabilities);
  TSC_RETURN_IF_ERROR(dispatchReal(
      self.dtype(),
      [&](auto tag) -> Status {
        using T = typename decltype(tag)::Type;
        return dispatchFloating(
            p.dtype(),
            [&](auto pTag) {
              using P = typename decltype(pTag)::Type;
              // Double probabilities take a double draw, all others a float one.
              using U = std::conditional_t<std::is_same_v<P, double>, double, float>;
              loop.forEachRow([&](char *const *q, const int64_t *s, int64_t n) {
                for (int64_t i = 0; i != n; ++i) {
                  U chance = static_cast<U>(*reinterpret_cast<const P *>(q[1] + i * s[1]));
                  valid = valid && chance >= 0 && chance <= 1;
                  *reinterpret_cast<T *>(q[0] + i * s[0]) =
                      convertTo<T>(static_cast<float>(drawUniform<U>(generator) < chance));
                }
              });
            },
            "bernoulli_tensor_cpu_p_");
      },
      "bernoulli_tensor_cpu_self_"));
  if (!valid)
    return invalidArgument(
        "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If so, "
        "please report an enhancement request to PyTorch.)");
  return self;
}

//===- Other distributions ------------------------------------------------===//

StatusOr<Tensor> cpu::exponentialInPlace(Generator &generator, const Tensor &self, double lambda) {
  if (!(lambda >= 0))
    return invalidArgument("exponential_ expects lambda >= 0.0, but found lambda=" + shortString(lambda));
  return fillFloating(self, "exponential_", [&] { return -1.0 / lambda * std::log1p(-generator.uniformDouble()); });
}

StatusOr<Tensor> cpu::cauchyInPlace(Generator &generator, const Tensor &self, double median, double sigma) {
  return fillFloating(self, "cauchy",
                      [&] { return median + sigma * std::tan(pi * (generator.uniformDouble() - 0.5)); });
}

StatusOr<Tensor> cpu::geometricInPlace(Generator &generator, const Tensor &self, double p) {
  if (!(p > 0 && p < 1))
    return invalidArgument("geometric_ expects p to be in (0, 1), but got p=" + shortString(p));
  TSC_RETURN_IF_ERROR(checkTarget(self));
  TSC_RETURN_IF_ERROR(dispatchReal(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        fillSerially<T>(self,
                        [&] { return convertTo<T>(std::ceil(std::log(generator.uniformDouble()) / std::log1p(-p))); });
      },
      "geometric_cpu"));
  return self;
}

//===- Integers -----------------------------------------------------------===//

/// The largest n such that T represents all of 0..n.
template <typename T> static constexpr uint64_t largestWhole() {
  if constexpr (std::is_same_v<T, double>)
    return uint64_t{1} << 53;
  else if constexpr (std::is_same_v<T, float>)
    return uint64_t{1} << 24;
  else if constexpr (std::is_same_v<T, Half>)
    return uint64_t{1} << 11;
  else if constexpr (std::is_same_v<T, BFloat16>)
    return uint64_t{1} << 8;
  else
    return static_cast<uint64_t>(std::numeric_limits<T>::max());
}

StatusOr<Tensor> cpu::randomInPlace(Generator &generator, const Tensor &self) {
  TSC_RETURN_IF_ERROR(checkTarget(self));
  TSC_RETURN_IF_ERROR(dispatchReal(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        constexpr uint64_t numValues = largestWhole<T>() + 1;
        fillSerially<T>(self, [&] {
          uint64_t drawn = std::is_same_v<T, double> || sizeof(T) == 8 ? generator.random64() : generator.random32();
          return convertTo<T>(static_cast<int64_t>(drawn % numValues));
        });
      },
      "random_"));
  return self;
}

/// base + a draw modulo `count` (0: 2^64 values).
static StatusOr<Tensor> fillIntegers(Generator &generator, const Tensor &self, int64_t base, uint64_t count) {
  TSC_RETURN_IF_ERROR(checkTarget(self));
  TSC_RETURN_IF_ERROR(dispatchReal(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        fillSerially<T>(self, [&] {
          uint64_t drawn = count == 0                     ? generator.random64()
                           : count >= (uint64_t{1} << 32) ? generator.random64() % count
                                                          : generator.random32() % count;
          return convertTo<T>(static_cast<int64_t>(drawn + static_cast<uint64_t>(base)));
        });
      },
      "random_from_to_kernel_cpu"));
  return self;
}

/// PyTorch refuses bounds that the dtype cannot hold.
static Status checkBounds(DType dtype, int64_t from, int64_t last) {
  return dispatchReal(
      dtype,
      [&](auto tag) -> Status {
        using T = typename decltype(tag)::Type;
        if constexpr (std::is_integral_v<T>) {
          constexpr int64_t lowest = std::numeric_limits<T>::min(), highest = std::numeric_limits<T>::max();
          if (from < lowest || from > highest)
            return invalidArgument("from is out of bounds for " + llvm::Twine(irName(dtype).lower()));
          if (last < lowest || last > highest)
            return invalidArgument("to - 1 is out of bounds for " + llvm::Twine(irName(dtype).lower()));
        }
        return okStatus();
      },
      "random_");
}

StatusOr<Tensor> cpu::randomFromInPlace(Generator &generator, const Tensor &self, int64_t from,
                                        std::optional<int64_t> to) {
  if (to) {
    if (from >= *to)
      return invalidArgument("random_ expects 'from' to be less than 'to', but got from=" + llvm::Twine(from) +
                             " >= to=" + llvm::Twine(*to));
    TSC_RETURN_IF_ERROR(checkBounds(self.dtype(), from, *to - 1));
    return fillIntegers(generator, self, from, static_cast<uint64_t>(*to) - static_cast<uint64_t>(from));
  }
  if (from == std::numeric_limits<int64_t>::min())
    return fillIntegers(generator, self, from, 0);
  uint64_t last = 0;
  TSC_RETURN_IF_ERROR(
      dispatchReal(self.dtype(), [&](auto tag) { last = largestWhole<typename decltype(tag)::Type>(); }, "random_"));
  if (from > static_cast<int64_t>(last))
    return invalidArgument(
        "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to dtype, but got from=" +
        llvm::Twine(from) + " > to_inc=" + llvm::Twine(last));
  return fillIntegers(generator, self, from, last - static_cast<uint64_t>(from) + 1);
}

StatusOr<Tensor> cpu::randomToInPlace(Generator &generator, const Tensor &self, int64_t to) {
  return randomFromInPlace(generator, self, 0, to);
}
