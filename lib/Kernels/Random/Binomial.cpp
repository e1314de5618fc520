//===- Binomial.cpp - Draws from binomial distributions -------------------===//
//
// Few successes are counted by the gaps between them, each of a geometric
// distribution; many are drawn by transformed rejection (Hörmann 1993, "BTRS").
// Random numbers are taken, and rounded, as PyTorch does.
//
//===----------------------------------------------------------------------===//
#include "RandomRows.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Random.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Tensor/Dispatch.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

template <typename T> static T countGaps(Generator &generator, T count, T probability) {
  const double logOfFailure = std::log1p(-static_cast<double>(probability));
  double sum = 0;
  T successes = 0;
  while (true) {
    sum += std::ceil(std::log(generator.uniformDouble()) / logOfFailure);
    if (sum > static_cast<double>(count))
      return successes;
    successes += 1;
  }
}

/// What Stirling's formula leaves of log k!.
template <typename T> static double stirlingTail(T k) {
  static constexpr double first[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
                                     0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                                     0.00925546218271273, 0.00833056343336287};
  if (k <= 9)
    return first[static_cast<size_t>(k)];
  const T square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

template <typename T> static T drawByRejection(Generator &generator, T count, T probability) {
  const double deviation = std::sqrt(static_cast<double>(count * probability * (1 - probability)));
  const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * probability;
  const double c = count * probability + 0.5, tight = 0.92 - 4.2 / b;
  const double odds = probability / (1 - probability), alpha = (2.83 + 5.1 / b) * deviation;
  const double mode = std::floor(static_cast<double>((count + 1) * probability));
  while (true) {
    const double u = generator.uniformDouble() - 0.5;
    double v = generator.uniformDouble();
    const double us = 0.5 - std::abs(u);
    const T k = static_cast<T>(std::floor((2 * a / us + b) * u + c));
    if (k < 0 || k > count)
      continue;
    if (us >= 0.07 && v <= tight)
      return k;
    v = std::log(v * alpha / (a / (us * us) + b));
    const double bound = (mode + 0.5) * std::log((mode + 1) / (odds * (count - mode + 1))) +
                         (count + 1) * std::log((count - mode + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) + stirlingTail<double>(mode) +
                         stirlingTail<double>(count - mode) - stirlingTail<T>(k) - stirlingTail<T>(count - k);
    if (v <= bound)
      return k;
  }
}

template <typename T> static T drawBinomial(Generator &generator, T count, T probability) {
  if (count <= 0 || probability <= 0)
    return 0;
  if (probability >= 1)
    return count;
  auto draw = [&](T p) {
    return count * p >= 10 ? drawByRejection<T>(generator, count, p) : countGaps<T>(generator, count, p);
  };
  if (probability <= T(0.5))
    return draw(probability);
  if (probability > T(0.5))
    return count - draw(T(1) - probability);
  return probability; // NaN
}

StatusOr<Tensor> cpu::binomial(Generator &generator, const Tensor &counts, const Tensor &probabilities) {
  if (counts.dtype() != probabilities.dtype() || (counts.dtype() != DType::Float && counts.dtype() != DType::Double))
    return unimplemented("\"binomial_cpu\" wants counts and probabilities of float or double, both the same, not " +
                         pythonName(counts.dtype()) + " and " + pythonName(probabilities.dtype()));
  TSC_ASSIGN_OR_RETURN(std::vector<Tensor> both, broadcastTensors({counts, probabilities}));
  TSC_ASSIGN_OR_RETURN(Tensor count, contiguous(both[0], MemoryFormat::Contiguous));
  TSC_ASSIGN_OR_RETURN(Tensor probability, contiguous(both[1], MemoryFormat::Contiguous));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(count.sizes(), counts.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      counts.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        random::forEachBlock(result.numel(), random::costOfRejection, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i != end; ++i) {
            const T trials = count.data<T>()[i];
            result.mutableData<T>()[i] =
                !std::isfinite(trials) ? trials : drawBinomial<T>(generator, trials, probability.data<T>()[i]);
          }
        });
      },
      "binomial_cpu"));
  return result;
}
