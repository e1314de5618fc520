//===- Random.cpp - Random tensors, sampling, dropout ---------------------===//
#include "tsc/Kernels/Random.h"
#include "RandomRows.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/StridedLoop.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/Promotion.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

//===- Factories ----------------------------------------------------------===//

StatusOr<Tensor> cpu::rand(Generator &generator, ArrayRef<int64_t> size, OptDType dtype, OptLayout layout,
                           OptDevice device, OptBool pin) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyOp(size, dtype, layout, device, pin, std::nullopt));
  return uniformInPlace(generator, result, 0, 1);
}

StatusOr<Tensor> cpu::randLike(Generator &generator, const Tensor &self, OptDType dtype, OptLayout layout,
                               OptDevice device, OptBool pin, OptFormat format) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLike(self, dtype, layout, device, pin, format));
  return uniformInPlace(generator, result, 0, 1);
}

StatusOr<Tensor> cpu::randn(Generator &generator, ArrayRef<int64_t> size, OptDType dtype, OptLayout layout,
                            OptDevice device, OptBool pin) {
  return normalSized(generator, 0, 1, size, dtype, layout, device, pin);
}

StatusOr<Tensor> cpu::randnLike(Generator &generator, const Tensor &self, OptDType dtype, OptLayout layout,
                                OptDevice device, OptBool pin, OptFormat format) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLike(self, dtype, layout, device, pin, format));
  return normalInPlace(generator, result, 0, 1);
}

StatusOr<Tensor> cpu::randintLow(Generator &generator, int64_t low, int64_t high, ArrayRef<int64_t> size,
                                 OptDType dtype, OptLayout layout, OptDevice device, OptBool pin) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyOp(size, dtype.value_or(DType::Int64), layout, device, pin, std::nullopt));
  return randomFromInPlace(generator, result, low, high);
}

StatusOr<Tensor> cpu::randint(Generator &generator, int64_t high, ArrayRef<int64_t> size, OptDType dtype,
                              OptLayout layout, OptDevice device, OptBool pin) {
  return randintLow(generator, 0, high, size, dtype, layout, device, pin);
}

StatusOr<Tensor> cpu::randintLikeLow(Generator &generator, const Tensor &self, int64_t low, int64_t high,
                                     OptDType dtype, OptLayout layout, OptDevice device, OptBool pin,
                                     OptFormat format) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLike(self, dtype, layout, device, pin, format));
  return randomFromInPlace(generator, result, low, high);
}

StatusOr<Tensor> cpu::randintLike(Generator &generator, const Tensor &self, int64_t high, OptDType dtype,
                                  OptLayout layout, OptDevice device, OptBool pin, OptFormat format) {
  return randintLikeLow(generator, self, 0, high, dtype, layout, device, pin, format);
}

/// Whether a dtype has all of 0..n-1, which random permutations of it hold; bfloat16 rounds them, as in PyTorch.
static Status checkPermuted(int64_t n, DType dtype) {
  if (n < 0)
    return invalidArgument("n must be non-negative, got" + llvm::Twine(n));
  if (dtype == DType::Bool || isComplex(dtype))
    return detail::dtypeNotImplemented("randperm", dtype);
  if (dtype == DType::Half && n > (1 << 11) + 1)
    return invalidArgument("n cannot be greater than 2049 for Half type.");
  if (dtype == DType::Float && n > (1 << 24) + 1)
    return invalidArgument("n cannot be greater than 2^24+1 for Float type.");
  return n == 0 ? okStatus() : checkConversion(Scalar(n - 1), dtype);
}

StatusOr<Tensor> cpu::randperm(Generator &generator, int64_t n, OptDType dtype, OptLayout layout, OptDevice device,
                               OptBool pin) {
  TSC_RETURN_IF_ERROR(checkPermuted(n, dtype.value_or(DType::Int64)));
  TSC_ASSIGN_OR_RETURN(Tensor result, arangeEnd(Scalar(n), dtype.value_or(DType::Int64), layout, device, pin));
  TSC_RETURN_IF_ERROR(dispatchReal(
      result.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        T *data = result.mutableData<T>();
        constexpr int64_t costOfExchange = 16; // often with what is in no cache
        random::forEachBlock(n - 1, costOfExchange, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            int64_t chosen = generator.random32() % (n - i);
            std::swap(data[i], data[i + chosen]);
          }
        });
      },
      "randperm"));
  return result;
}

//===- Out-of-place forms of the fills ------------------------------------===//

StatusOr<Tensor> cpu::uniform(Generator &generator, const Tensor &self, double from, double to) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLikeWith(self, self.dtype()));
  return uniformInPlace(generator, result, from, to);
}

StatusOr<Tensor> cpu::normalLike(Generator &generator, const Tensor &self, double mean, double std) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLikeWith(self, self.dtype()));
  return normalInPlace(generator, result, mean, std);
}

StatusOr<Tensor> cpu::bernoulli(Generator &generator, const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(self.sizes(), self.dtype()));
  return bernoulliTensorInPlace(generator, result, self);
}

StatusOr<Tensor> cpu::bernoulliP(Generator &generator, const Tensor &self, double p) {
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(self.sizes(), self.dtype()));
  return bernoulliInPlace(generator, result, p);
}

StatusOr<Tensor> cpu::bernoulliTensor(Generator &generator, const Tensor &self, const Tensor &p) {
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(self.sizes(), self.dtype()));
  return bernoulliTensorInPlace(generator, result, p);
}

//===- Elementwise help ---------------------------------------------------===//

/// out = fn(out, a), with a broadcast and of any real dtype.
template <typename Fn> static Status updateWith(const Tensor &out, const Tensor &a, Fn fn) {
  TSC_ASSIGN_OR_RETURN(Tensor other, toDType(a, out.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor expanded, expand(other, out.sizes()));
  StridedLoop<2> loop(out.sizes());
  loop.output(0, out);
  loop.input(1, expanded);
  return dispatchFloatingAndComplex(
      out.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        using C = ComputeType<T>;
        loop.forEachRow([&](char *const *p, const int64_t *s, int64_t n) {
          for (int64_t i = 0; i != n; ++i) {
            T &x = *reinterpret_cast<T *>(p[0] + i * s[0]);
            x = T(fn(static_cast<C>(x), static_cast<C>(*reinterpret_cast<const T *>(p[1] + i * s[1]))));
          }
        });
      },
      "normal");
}

static auto add = [](auto x, auto y) { return x + y; };
static auto times = [](auto x, auto y) { return x * y; };

//===- Normal numbers with tensor parameters ------------------------------===//

StatusOr<Tensor> cpu::normalSized(Generator &generator, double mean, double std, ArrayRef<int64_t> size, OptDType dtype,
                                  OptLayout layout, OptDevice device, OptBool pin) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyOp(size, dtype, layout, device, pin, std::nullopt));
  return normalInPlace(generator, result, mean, std);
}

static Status checkStd(const Tensor &std) {
  if (isComplex(std.dtype()))
    return invalidArgument("normal expects standard deviation to be non-complex");
  TSC_ASSIGN_OR_RETURN(Tensor isValid,
                       pointwise(PointwiseKind::Aten_ge_Scalar, {PointwiseArg(std), PointwiseArg(Scalar(0))}));
  TSC_ASSIGN_OR_RETURN(Tensor areValid, cpu::all(isValid));
  return areValid.at(0).toBool() ? okStatus() : invalidArgument("normal expects all elements of std >= 0.0");
}

StatusOr<Tensor> cpu::normalTensorTensor(Generator &generator, const Tensor &mean, const Tensor &std) {
  TSC_RETURN_IF_ERROR(checkStd(std));
  TSC_ASSIGN_OR_RETURN(Dims sizes, broadcastShapes(mean.sizes(), std.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(sizes, mean.dtype()));
  TSC_RETURN_IF_ERROR(normalInPlace(generator, result, 0, 1).status());
  TSC_RETURN_IF_ERROR(updateWith(result, std, times));
  TSC_RETURN_IF_ERROR(updateWith(result, mean, add));
  return result;
}

StatusOr<Tensor> cpu::normalTensorFloat(Generator &generator, const Tensor &mean, double std) {
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(mean.sizes(), mean.dtype()));
  TSC_RETURN_IF_ERROR(normalInPlace(generator, result, 0, std).status());
  TSC_RETURN_IF_ERROR(updateWith(result, mean, add));
  return result;
}

StatusOr<Tensor> cpu::normalFloatTensor(Generator &generator, double mean, const Tensor &std) {
  TSC_RETURN_IF_ERROR(checkStd(std));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(std.sizes(), std.dtype()));
  TSC_RETURN_IF_ERROR(normalInPlace(generator, result, 0, 1).status());
  TSC_RETURN_IF_ERROR(updateWith(result, std, times));
  TSC_ASSIGN_OR_RETURN(Tensor shift, Tensor::scalar(Scalar(mean), std.dtype()));
  TSC_RETURN_IF_ERROR(updateWith(result, shift, add));
  return result;
}

//===- Sampling -----------------------------------------------------------===//

static Status checkWeights(ArrayRef<double> weights) {
  double sum = 0;
  bool areValid = true;
  const bool wentOn = random::forEachBlock(weights.size(), 1, [&](int64_t begin, int64_t end) {
    for (double w : weights.slice(begin, end - begin)) {
      areValid &= w >= 0 && w < INFINITY;
      sum += w;
    }
  });
  if (!wentOn)
    return work::stopped();
  if (!areValid)
    return invalidArgument("probability tensor contains either `inf`, `nan` or element < 0");
  if (!(sum > 0))
    return invalidArgument("invalid multinomial distribution (sum of probabilities <= 0)");
  return okStatus();
}

/// Weights over exponential draws: the largest quotients are a sample without replacement. Leaves `out` unfinished
/// where the call is to end.
template <typename T>
static void sampleByQuotient(ArrayRef<double> weights, const T *draws, int64_t samples, int64_t *out) {
  using C = ComputeType<T>;
  const auto count = static_cast<int64_t>(weights.size());
  auto quotientOf = [&](int64_t i) {
    return T(static_cast<C>(T(static_cast<C>(weights[i]))) / static_cast<C>(draws[i]));
  };
  constexpr int64_t costOfDivision = 4, costOfChoice = 64;
  if (samples == 1) { // the first of the largest
    C largest = 0;
    random::forEachBlock(count, costOfDivision, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i != end; ++i)
        if (const C quotient = static_cast<C>(quotientOf(i)); i == 0 || quotient > largest)
          largest = quotient, *out = i;
    });
    return;
  }
  std::vector<T> quotient(weights.size());
  auto comesFirst = [&](int64_t a, int64_t b) {
    const C x = quotient[a], y = quotient[b];
    return x != y ? x > y : a < b;
  };
  // `out` is a heap of the best so far, with the last of them on top. In steps, as std::partial_sort cannot stop.
  auto choose = [&](int64_t i) {
    quotient[i] = quotientOf(i);
    if (i >= samples) {
      if (!comesFirst(i, *out))
        return;
      std::pop_heap(out, out + samples, comesFirst);
    }
    const int64_t end = std::min(i + 1, samples);
    out[end - 1] = i;
    std::push_heap(out, out + end, comesFirst);
  };
  const bool areChosen = random::forEachBlock(count, costOfDivision, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i != end; ++i)
      choose(i);
  });
  if (areChosen)
    random::forEachBlock(samples, costOfChoice, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i != end; ++i)
        std::pop_heap(out, out + samples - i, comesFirst);
    });
}

/// Uniform draws looked up in the cumulative distribution.
template <typename T>
static void sampleByInversion(Generator &generator, ArrayRef<double> weights, int64_t samples, int64_t *out) {
  using C = ComputeType<T>;
  constexpr int64_t costOfSum = 4, costOfSearch = 64;
  const auto count = static_cast<int64_t>(weights.size());
  std::vector<C> cumulative(weights.size());
  C sum = 0;
  random::forEachBlock(count, costOfSum, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i != end; ++i)
      cumulative[i] = sum = static_cast<C>(T(static_cast<C>(sum + static_cast<C>(weights[i]))));
  });
  random::forEachBlock(count, costOfSum, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i != end; ++i)
      cumulative[i] = static_cast<C>(T(static_cast<C>(cumulative[i] / sum)));
  });
  cumulative.back() = 1;
  random::forEachBlock(samples, costOfSearch, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i != end; ++i) {
      double drawn = generator.uniformDouble();
      auto found = std::partition_point(cumulative.begin(), cumulative.end(), [&](C x) { return x < drawn; });
      out[i] = std::min<int64_t>(found - cumulative.begin(), count - 1);
    }
  });
}

StatusOr<Tensor> cpu::multinomial(Generator &generator, const Tensor &self, int64_t samples, bool replacement) {
  if (self.dim() < 1 || self.dim() > 2)
    return invalidArgument("prob_dist must be 1 or 2 dim");
  if (!isFloating(self.dtype()))
    return invalidArgument("multinomial only supports floating-point dtypes for input, got: " + irName(self.dtype()));
  if (samples <= 0)
    return invalidArgument("cannot sample n_sample <= 0 samples");
  int64_t categories = self.sizes().back(), rows = self.dim() == 2 ? self.size(0) : 1;
  if (!replacement && samples > categories)
    return invalidArgument("cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  if (categories > 1 << 24)
    return invalidArgument("number of categories cannot exceed 2^24");
  Dims sizes;
  if (self.dim() == 2)
    sizes.push_back(rows);
  sizes.push_back(samples);
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(sizes, DType::Int64));
  if (result.numel() == 0)
    return result;
  TSC_ASSIGN_OR_RETURN(Tensor matrix, toDType(self, DType::Double));
  TSC_ASSIGN_OR_RETURN(matrix, contiguous(matrix));
  auto weightsOf = [&](int64_t row) { return ArrayRef<double>(matrix.data<double>() + row * categories, categories); };
  bool byQuotient = !replacement || samples == 1;
  for (int64_t r = 0; r != rows; ++r)
    TSC_RETURN_IF_ERROR(checkWeights(weightsOf(r)));
  Tensor draws;
  if (byQuotient) {
    TSC_ASSIGN_OR_RETURN(draws, emptyLikeWith(self, self.dtype()));
    TSC_RETURN_IF_ERROR(exponentialInPlace(generator, draws, 1).status());
    TSC_ASSIGN_OR_RETURN(draws, contiguous(draws));
  }
  TSC_RETURN_IF_ERROR(dispatchFloating(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        for (int64_t r = 0; r != rows && !work::wasStopped(); ++r) {
          int64_t *out = result.mutableData<int64_t>() + r * samples;
          if (byQuotient)
            sampleByQuotient<T>(weightsOf(r), draws.data<T>() + r * categories, samples, out);
          else
            sampleByInversion<T>(generator, weightsOf(r), samples, out);
        }
      },
      "multinomial"));
  return result;
}

/// Transformed rejection (Hörmann 1993) for large rates, products of uniform numbers for small ones.
static double drawPoisson(Generator &generator, double rate) {
  if (rate == 0)
    return 0;
  if (rate < 10) {
    double threshold = std::exp(-rate), product = 1;
    for (int64_t count = 0;; ++count) {
      product *= generator.uniformDouble();
      if (product <= threshold)
        return static_cast<double>(count);
    }
  }
  double root = std::sqrt(rate), logRate = std::log(rate);
  double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  double inverseAlpha = 1.1239 + 1.1328 / (b - 3.4), vr = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    double u = generator.uniformDouble() - 0.5, v = generator.uniformDouble();
    double us = 0.5 - std::fabs(u);
    double k = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= vr)
      return k;
    if (k < 0 || (us < 0.013 && v > us))
      continue;
    if (std::log(v) + std::log(inverseAlpha) - std::log(a / (us * us) + b) <= -rate + k * logRate - std::lgamma(k + 1))
      return k;
  }
}

StatusOr<Tensor> cpu::poisson(Generator &generator, const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLikeWith(self, self.dtype(), MemoryFormat::Contiguous));
  bool valid = true;
  StridedLoop<2> loop(self.sizes());
  loop.output(0, result);
  loop.input(1, self);
  TSC_RETURN_IF_ERROR(dispatchFloating(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        loop.forEachRow([&](char *const *p, const int64_t *s, int64_t n) {
          random::forEachBlock(n, random::costOfRejection, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i != end; ++i) {
              double rate = static_cast<double>(*reinterpret_cast<const T *>(p[1] + i * s[1]));
              valid = valid && rate >= 0 && std::isfinite(rate);
              *reinterpret_cast<T *>(p[0] + i * s[0]) = convertTo<T>(valid ? drawPoisson(generator, rate) : 0.0);
            }
          });
        });
      },
      "poisson_cpu"));
  if (!valid)
    return invalidArgument("invalid Poisson rate, expected rate to be non-negative");
  return result;
}

//===- Dropout ------------------------------------------------------------===//

static Status checkProbability(double p) {
  if (!(p >= 0 && p <= 1))
    return invalidArgument("dropout probability has to be between 0 and 1, but got " + shortString(p));
  return okStatus();
}

/// 0 or 1 for each element, or for each feature (dimensions 0 and 1), drawn in the order of the indices whatever the
/// input's strides.
static StatusOr<Tensor> dropoutNoise(Generator &generator, const Tensor &input, double p, bool byFeature) {
  Tensor noise;
  if (byFeature) {
    if (input.dim() < 2)
      return invalidArgument("Feature dropout requires at least 2 dimensions in the input");
    Dims sizes(input.dim(), 1);
    sizes[0] = input.size(0);
    sizes[1] = input.size(1);
    TSC_ASSIGN_OR_RETURN(noise, Tensor::empty(sizes, input.dtype()));
  } else {
    TSC_ASSIGN_OR_RETURN(noise, Tensor::empty(input.sizes(), input.dtype()));
  }
  return bernoulliInPlace(generator, noise, 1 - p);
}

/// t = t * factor, and t = t + by.
static Status scale(const Tensor &t, double factor) {
  return pointwiseInPlace(PointwiseKind::Aten_mul_Scalar, t, {PointwiseArg(t), PointwiseArg(Scalar(factor))});
}
static Status shift(const Tensor &t, double by) {
  return pointwiseInPlace(PointwiseKind::Aten_add_Scalar, t,
                          {PointwiseArg(t), PointwiseArg(Scalar(by)), PointwiseArg(Scalar(1))});
}
static StatusOr<Tensor> product(const Tensor &a, const Tensor &b) {
  return pointwise(PointwiseKind::Aten_mul_Tensor, {PointwiseArg(a), PointwiseArg(b)});
}

static StatusOr<Tensor> dropOut(Generator &generator, const Tensor &input, double p, bool train, bool byFeature,
                                bool alpha) {
  TSC_RETURN_IF_ERROR(checkProbability(p));
  if (p == 0 || !train || input.numel() == 0)
    return input;
  if (p == 1) {
    TSC_ASSIGN_OR_RETURN(Tensor nothing, zeros({}, input.dtype()));
    return product(input, nothing);
  }
  if (!isFloating(input.dtype()) && !isComplex(input.dtype()))
    return invalidArgument("result type Float can't be cast to the desired output type " + irName(input.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor noise, dropoutNoise(generator, input, p, byFeature));
  // Every step is rounded to the dtype, as PyTorch's are.
  if (!alpha) {
    TSC_RETURN_IF_ERROR(
        pointwiseInPlace(PointwiseKind::Aten_div_Scalar, noise, {PointwiseArg(noise), PointwiseArg(Scalar(1 - p))}));
    return product(input, noise);
  }
  // SELU's negative saturation, and the affine map that keeps mean and variance.
  constexpr double saturation = 1.7580993408473766;
  const double a = 1 / std::sqrt((saturation * saturation * p + 1) * (1 - p));
  TSC_ASSIGN_OR_RETURN(const Tensor rest, clone(noise));
  TSC_RETURN_IF_ERROR(shift(rest, -1));
  TSC_RETURN_IF_ERROR(scale(rest, saturation * a));
  TSC_RETURN_IF_ERROR(shift(rest, saturation * a * p));
  TSC_RETURN_IF_ERROR(scale(noise, a));
  TSC_ASSIGN_OR_RETURN(const Tensor result, product(input, noise));
  TSC_RETURN_IF_ERROR(pointwiseInPlace(PointwiseKind::Aten_add_Tensor, result,
                                       {PointwiseArg(result), PointwiseArg(rest), PointwiseArg(Scalar(1))}));
  return result;
}

StatusOr<Tensor> cpu::dropout(Generator &generator, const Tensor &input, double p, bool train) {
  return dropOut(generator, input, p, train, false, false);
}
StatusOr<Tensor> cpu::featureDropout(Generator &generator, const Tensor &input, double p, bool train) {
  return dropOut(generator, input, p, train, true, false);
}
StatusOr<Tensor> cpu::alphaDropout(Generator &generator, const Tensor &input, double p, bool train) {
  return dropOut(generator, input, p, train, false, true);
}
StatusOr<Tensor> cpu::featureAlphaDropout(Generator &generator, const Tensor &input, double p, bool train) {
  return dropOut(generator, input, p, train, true, true);
}

StatusOr<std::tuple<Tensor, Tensor>> cpu::nativeDropout(Generator &generator, const Tensor &input, double p,
                                                        std::optional<bool> train) {
  TSC_ASSIGN_OR_RETURN(Tensor mask,
                       onesLike(input, DType::Bool, std::nullopt, std::nullopt, std::nullopt, std::nullopt));
  if (!train.value_or(true) || input.numel() == 0) {
    TSC_ASSIGN_OR_RETURN(Tensor copy, clone(input));
    return std::make_tuple(copy, mask);
  }
  TSC_RETURN_IF_ERROR(checkProbability(p));
  TSC_RETURN_IF_ERROR(bernoulliInPlace(generator, mask, 1 - p).status());
  TSC_ASSIGN_OR_RETURN(Tensor noise, toDType(mask, input.dtype()));
  TSC_ASSIGN_OR_RETURN(const Tensor result, product(input, noise));
  TSC_RETURN_IF_ERROR(scale(result, p == 1 ? 0 : 1 / (1 - p)));
  return std::make_tuple(result, mask);
}
