//===- RandomFill.cpp - In-place random numbers ---------------------------===//
//
// Elements are drawn in the order of memory, with the arithmetic of PyTorch's CPU
// kernels, so that a seed gives the same tensors.
//
//===----------------------------------------------------------------------===//
#include "RandomRows.h"
#include "Support/Compute.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Random.h"
#include "tsc/Kernels/StridedLoop.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Dispatch.h"
#include <cmath>
#include <numbers>

using namespace tsc;
using namespace tsc::cpu;

using std::numbers::pi;

/// Draws at a time.
static constexpr int64_t drawBlock = 512;

static void draw(Generator &generator, uint32_t *draws, int64_t count) {
  for (int64_t i = 0; i != count; ++i)
    draws[i] = generator.random32();
}

/// Asked before so many elements are drawn. False: the call is to end.
static bool mayDraw(int64_t count) {
  constexpr int64_t costOfDraw = 8;
  return work::LongLoop(count * costOfDraw).goOn();
}

/// Fills the elements in memory order: make(to, count) gives some Ts, which are converted to what the elements are.
template <typename T, typename Make> static void fillInBlocks(const Tensor &self, Make make) {
  StridedLoop<1> loop(self.sizes());
  loop.output(0, self);
  loop.forEachRow([&](char *const *p, const int64_t *strides, int64_t count) {
    T buffer[drawBlock];
    const bool isDense = strides[0] == sizeof(T) && self.dtype() == dtypeOf<T>();
    for (int64_t start = 0; start < count; start += drawBlock) {
      const int64_t n = std::min(drawBlock, count - start);
      if (!mayDraw(n))
        return;
      char *target = p[0] + start * strides[0];
      make(isDense ? reinterpret_cast<T *>(target) : buffer, n);
      if (!isDense)
        convertRow(target, self.dtype(), strides[0], buffer, dtypeOf<T>(), sizeof(T), n);
    }
  });
}

/// Sets each element, in memory order, to draw(), which gives a T.
template <typename T, typename Draw> static void fillSerially(const Tensor &self, Draw draw) {
  fillInBlocks<T>(self, [&](T *to, int64_t n) {
    for (int64_t i = 0; i != n; ++i)
      to[i] = draw();
  });
}

/// Fills the elements in memory order from `perElement` draws for each: make(to, draws, count) for runs of Ts.
template <typename T, typename Make>
static void fillFromDraws(Generator &generator, const Tensor &self, int64_t perElement, Make make) {
  fillInBlocks<T>(self, [&](T *to, int64_t n) {
    uint32_t draws[2 * drawBlock];
    draw(generator, draws, n * perElement);
    make(to, draws, n);
  });
}

static Status checkTarget(const Tensor &self) {
  TSC_RETURN_IF_ERROR(checkWritable(self));
  self.bumpVersion();
  return okStatus();
}
static Status checkReal(DType dtype, const char *name) {
  return dispatchReal(dtype, [](auto) {}, name);
}

/// Draws a double for each element of a real floating tensor.
template <typename Draw> static StatusOr<Tensor> fillFloating(const Tensor &self, const char *name, Draw draw) {
  TSC_RETURN_IF_ERROR(checkTarget(self));
  TSC_RETURN_IF_ERROR(checkFloating(self, name));
  fillSerially<double>(self, draw);
  return self;
}

//===- Uniform and normal -------------------------------------------------===//

template <typename T> static constexpr int64_t drawsOfUniform = std::is_same_v<T, double> ? 2 : 1;
/// Of floats and half types; doubles have kernels of their own.
template <typename T>
static constexpr int significandBits = std::is_same_v<T, Half>       ? 11
                                       : std::is_same_v<T, BFloat16> ? 8
                                                                     : 24;

/// low + range * u, u of [0, 1) with as many bits as asked for, rounded once, as PyTorch's kernels are compiled to
/// give.
static void uniformRow(double *out, const uint32_t *draws, int64_t n, int, double range, double low) {
  random::kernels().doubles(out, draws, n, range, low);
}
static void uniformRow(float *out, const uint32_t *draws, int64_t n, int bits, float range, float low) {
  random::kernels().floats(out, draws, n, bits, range, low);
}
template <typename C> static void fillUniform(Generator &generator, const Tensor &self, int bits, C range, C low) {
  fillFromDraws<C>(generator, self, drawsOfUniform<C>,
                   [&](C *to, const uint32_t *draws, int64_t n) { uniformRow(to, draws, n, bits, range, low); });
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
        const C low = static_cast<C>(T(static_cast<C>(from))), high = static_cast<C>(T(static_cast<C>(to)));
        fillUniform<C>(generator, self, significandBits<T>, high - low, low);
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

/// Floats with the bits of PyTorch's vectorized kernel.
template <typename T> static void normalInBlocks(T *data, int64_t blocks, T mean, T std) {
  if constexpr (std::is_same_v<T, float>)
    return random::kernels().normals(data, blocks, mean, std);
  for (; blocks > 0; --blocks, data += 16)
    normalBlock(data, mean, std);
}

/// Uniform numbers first, then blocks of 16; the last block, if incomplete, is the last 16 elements drawn anew.
template <typename T> static void normalBlocks(Generator &generator, T *data, int64_t count, double mean, double std) {
  using C = ComputeType<T>;
  T m = T(static_cast<C>(mean)), s = T(static_cast<C>(std));
  uint32_t draws[2 * drawBlock];
  auto drawUniform = [&](T *to, int64_t n) {
    draw(generator, draws, n * drawsOfUniform<T>);
    if constexpr (isHalfType<T>) {
      C wide[drawBlock];
      uniformRow(wide, draws, n, significandBits<T>, 1, 0);
      std::transform(wide, wide + n, to, [](C x) { return T(x); });
    } else {
      uniformRow(to, draws, n, significandBits<T>, 1, 0);
    }
  };
  for (int64_t start = 0; start < count; start += drawBlock) {
    const int64_t n = std::min(drawBlock, count - start);
    if (!mayDraw(n))
      return;
    drawUniform(data + start, n);
    normalInBlocks(data + start, n / 16, m, s);
  }
  if (count % 16 == 0)
    return;
  T *last = data + count - 16;
  drawUniform(last, 16);
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
          fillSerially<double>(self, [&] { return generator.normalDouble() * std + mean; });
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
  TSC_RETURN_IF_ERROR(checkReal(self.dtype(), "bernoulli_scalar_cpu_"));
  fillFromDraws<bool>(generator, self, 2, [&](bool *to, const uint32_t *draws, int64_t n) {
    double u[drawBlock];
    random::kernels().doubles(u, draws, n, 1, 0);
    for (int64_t i = 0; i != n; ++i)
      to[i] = u[i] < p;
  });
  return self;
}

/// Each element 1 with the probability at its place, in the order of memory. False: some is no probability.
template <typename U> static bool drawEach(Generator &generator, const Tensor &self, const Tensor &probabilities) {
  bool valid = true;
  StridedLoop<2> loop(self.sizes());
  loop.output(0, self);
  loop.input(1, probabilities);
  loop.forEachRow([&](char *const *p, const int64_t *s, int64_t count) {
    uint32_t draws[2 * drawBlock];
    U drawn[drawBlock], chances[drawBlock];
    bool results[drawBlock];
    for (int64_t start = 0; start < count; start += drawBlock) {
      const int64_t n = std::min(drawBlock, count - start);
      if (!mayDraw(n))
        return;
      draw(generator, draws, n * drawsOfUniform<U>);
      uniformRow(drawn, draws, n, significandBits<U>, 1, 0);
      convertRow(chances, dtypeOf<U>(), sizeof(U), p[1] + start * s[1], probabilities.dtype(), s[1], n);
      bool areValid = true;
      for (int64_t i = 0; i != n; ++i) {
        areValid &= chances[i] >= 0 && chances[i] <= 1;
        results[i] = drawn[i] < chances[i];
      }
      valid &= areValid;
      convertRow(p[0] + start * s[0], self.dtype(), s[0], results, DType::Bool, sizeof(bool), n);
    }
  });
  return valid;
}

StatusOr<Tensor> cpu::bernoulliTensorInPlace(Generator &generator, const Tensor &self, const Tensor &p) {
  TSC_RETURN_IF_ERROR(checkFloating(p, "bernoulli_tensor_cpu_p_"));
  TSC_ASSIGN_OR_RETURN(Tensor probabilities, expand(p, self.sizes()));
  TSC_RETURN_IF_ERROR(checkNoPartialOverlap(self, probabilities));
  TSC_RETURN_IF_ERROR(checkTarget(self));
  TSC_RETURN_IF_ERROR(checkReal(self.dtype(), "bernoulli_tensor_cpu_self_"));
  // Double probabilities take a double draw, all others a float one.
  const bool valid = p.dtype() == DType::Double ? drawEach<double>(generator, self, probabilities)
                                                : drawEach<float>(generator, self, probabilities);
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
  TSC_RETURN_IF_ERROR(checkTarget(self));
  TSC_RETURN_IF_ERROR(checkFloating(self, "exponential_"));
  fillFromDraws<double>(generator, self, 2, [&](double *to, const uint32_t *draws, int64_t n) {
    random::kernels().doubles(to, draws, n, 1, 0);
    random::kernels().exponentials(to, n, 1.0 / lambda);
  });
  return self;
}

StatusOr<Tensor> cpu::cauchyInPlace(Generator &generator, const Tensor &self, double median, double sigma) {
  return fillFloating(self, "cauchy",
                      [&] { return median + sigma * std::tan(pi * (generator.uniformDouble() - 0.5)); });
}

StatusOr<Tensor> cpu::geometricInPlace(Generator &generator, const Tensor &self, double p) {
  if (!(p > 0 && p < 1))
    return invalidArgument("geometric_ expects p to be in (0, 1), but got p=" + shortString(p));
  TSC_RETURN_IF_ERROR(checkTarget(self));
  TSC_RETURN_IF_ERROR(checkReal(self.dtype(), "geometric_cpu"));
  fillSerially<double>(self, [&] { return std::ceil(std::log(generator.uniformDouble()) / std::log1p(-p)); });
  return self;
}

//===- Integers -----------------------------------------------------------===//

/// The largest n such that all of 0..n are values of the dtype.
static uint64_t largestWhole(DType dtype) {
  switch (dtype) {
  case DType::Double: return uint64_t{1} << 53;
  case DType::Float: return uint64_t{1} << 24;
  case DType::Half: return uint64_t{1} << 11;
  case DType::BFloat16: return uint64_t{1} << 8;
  case DType::Bool: return 1;
  case DType::UInt8: return std::numeric_limits<uint8_t>::max();
  case DType::Int8: return std::numeric_limits<int8_t>::max();
  case DType::Int16: return std::numeric_limits<int16_t>::max();
  case DType::Int32: return std::numeric_limits<int32_t>::max();
  default: return std::numeric_limits<int64_t>::max();
  }
}

StatusOr<Tensor> cpu::randomInPlace(Generator &generator, const Tensor &self) {
  TSC_RETURN_IF_ERROR(checkTarget(self));
  TSC_RETURN_IF_ERROR(checkReal(self.dtype(), "random_"));
  const uint64_t numValues = largestWhole(self.dtype()) + 1;
  const bool isWide = itemSize(self.dtype()) == 8;
  fillSerially<int64_t>(
      self, [&] { return static_cast<int64_t>((isWide ? generator.random64() : generator.random32()) % numValues); });
  return self;
}

/// base + a draw modulo `count` (0: 2^64 values).
static StatusOr<Tensor> fillIntegers(Generator &generator, const Tensor &self, int64_t base, uint64_t count) {
  TSC_RETURN_IF_ERROR(checkTarget(self));
  TSC_RETURN_IF_ERROR(checkReal(self.dtype(), "random_from_to_kernel_cpu"));
  auto shifted = [first = static_cast<uint64_t>(base)](uint64_t drawn) { return static_cast<int64_t>(drawn + first); };
  if (count != 0 && count < (uint64_t{1} << 32)) {
    // x mod count without a division: the fraction of x / count in 64 bits, times count. The fraction is exact enough
    // for all x of 32 bits.
    const uint64_t inverse = ~uint64_t{0} / count + 1;
    fillFromDraws<int64_t>(generator, self, 1, [&](int64_t *to, const uint32_t *draws, int64_t n) {
      const uint64_t perOne = inverse, values = count; // stores to `to` cannot change these
      for (int64_t i = 0; i != n; ++i) {
        const uint64_t fraction = perOne * draws[i];
        to[i] = shifted(static_cast<uint64_t>((static_cast<unsigned __int128>(fraction) * values) >> 64));
      }
    });
    return self;
  }
  fillSerially<int64_t>(self,
                        [&] { return shifted(count == 0 ? generator.random64() : generator.random64() % count); });
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
  TSC_RETURN_IF_ERROR(checkReal(self.dtype(), "random_"));
  const uint64_t last = largestWhole(self.dtype());
  if (from > static_cast<int64_t>(last))
    return invalidArgument(
        "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to dtype, but got from=" +
        llvm::Twine(from) + " > to_inc=" + llvm::Twine(last));
  return fillIntegers(generator, self, from, last - static_cast<uint64_t>(from) + 1);
}

StatusOr<Tensor> cpu::randomToInPlace(Generator &generator, const Tensor &self, int64_t to) {
  return randomFromInPlace(generator, self, 0, to);
}
