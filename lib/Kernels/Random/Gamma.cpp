//===- Gamma.cpp - Draws from gamma and Dirichlet distributions -----------===//
#include "Pointwise/SpecialFunctions.h"
#include "RandomRows.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Random.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Dispatch.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

/// Marsaglia and Tsang's method (2000), with its numbers in PyTorch's order; below 1 a draw for shape + 1 is made
/// smaller.
static double drawGamma(Generator &generator, double shape) {
  double scale = 1;
  if (shape == 0)
    return 0;
  if (shape < 1) {
    scale = std::pow(1 - generator.uniformDouble(), 1 / shape);
    shape += 1;
  }
  const double d = shape - 1.0 / 3.0, c = 1 / std::sqrt(9 * d);
  while (true) {
    double x, y;
    do {
      x = generator.normalDouble();
      y = 1 + c * x;
    } while (y <= 0);
    const double v = y * y * y, u = 1 - generator.uniformDouble(), xx = x * x;
    if (u < 1 - 0.0331 * xx * xx || std::log(u) < 0.5 * xx + d * (1 - v + std::log(v)))
      return scale * d * v;
  }
}

/// The draws as doubles, at least the smallest normal number of the shapes' dtype.
static StatusOr<Tensor> draws(Generator &generator, const Tensor &shapes) {
  TSC_ASSIGN_OR_RETURN(Tensor from, toDType(shapes, DType::Double));
  TSC_ASSIGN_OR_RETURN(from, contiguous(from, MemoryFormat::Contiguous));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(shapes.sizes(), DType::Double));
  const double *shape = from.data<double>();
  work::LongLoop turns;
  for (int64_t i = 0; i != result.numel() && turns.goOn(); ++i) {
    if (!(shape[i] >= 0))
      return invalidArgument("a gamma distribution wants a shape of at least 0, but has " + shortString(shape[i]));
    if (std::isinf(shape[i]))
      return invalidArgument("a gamma distribution of an infinite shape");
  }
  auto *drawn = result.mutableData<double>();
  random::forEachBlock(result.numel(), random::costOfRejection, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i != end; ++i)
      drawn[i] = drawGamma(generator, shape[i]);
  });
  return result;
}

static double smallest(DType dtype) {
  switch (dtype) {
  case DType::Double: return std::numeric_limits<double>::min();
  case DType::Half: return 0x1p-14;
  default: return std::numeric_limits<float>::min();
  }
}

static Status checkShapes(const Tensor &shapes, const char *name) {
  return dispatchFloating(shapes.dtype(), [](auto) {}, name);
}

StatusOr<Tensor> cpu::standardGamma(Generator &generator, const Tensor &shapes) {
  TSC_RETURN_IF_ERROR(checkShapes(shapes, "gamma_cpu"));
  TSC_ASSIGN_OR_RETURN(Tensor result, draws(generator, shapes));
  auto *drawn = result.mutableData<double>();
  random::forEachBlock(result.numel(), 1, [&, least = smallest(shapes.dtype())](int64_t begin, int64_t end) {
    for (int64_t i = begin; i != end; ++i)
      drawn[i] = std::max(drawn[i], least);
  });
  return toDType(result, shapes.dtype());
}

StatusOr<Tensor> cpu::sampleDirichlet(Generator &generator, const Tensor &concentrations) {
  TSC_RETURN_IF_ERROR(checkShapes(concentrations, "dirichlet"));
  if (concentrations.dim() == 0)
    return invalidArgument("a Dirichlet distribution wants at least one dimension");
  TSC_ASSIGN_OR_RETURN(Tensor result, draws(generator, concentrations));
  const int64_t width = concentrations.sizes().back();
  const double least = smallest(concentrations.dtype());
  auto *row = result.mutableData<double>();
  for (double *end = row + result.numel(); width && row != end; row += width) {
    double sum = 0;
    random::forEachBlock(width, 1, [&](int64_t begin, int64_t stop) {
      for (int64_t i = begin; i != stop; ++i)
        sum += row[i];
    });
    random::forEachBlock(width, 4, [&](int64_t begin, int64_t stop) {
      for (int64_t i = begin; i != stop; ++i)
        row[i] = std::min(std::max(row[i] / sum, least), 1 - 0x1p-53);
    });
  }
  return toDType(result, concentrations.dtype());
}

//===----------------------------------------------------------------------===//
// The gradient of a draw
//===----------------------------------------------------------------------===//
//
// With the random numbers held, P(shape, x) stays as it is: dx/dshape is -(dP/dshape) / p(x). Below the mean P is a
// series of positive terms; above, 1 - P is a continued fraction.

/// -(dP/dshape) / p(x), by the series of P / p, each term with its own derivative.
static double gradientBySeries(double shape, double x) {
  double term = x / shape, digamma = pw::digamma(shape + 1), sum = 0;
  const double logarithm = std::log(x);
  work::LongLoop turns(4);
  for (int n = 1; n < 100000 && turns.goOn(); ++n) {
    const double part = term * (logarithm - digamma);
    sum += part;
    if (term < 1e-17 * (1 + std::abs(sum)) && x < shape + n)
      break;
    digamma += 1 / (shape + n);
    term *= x / (shape + n);
  }
  return -sum;
}

/// (1 - P) / (x p) for x above the shape.
static double upperFraction(double shape, double x) {
  constexpr double tiny = 1e-300;
  double b = x + 1 - shape, c = 1 / tiny, d = 1 / b, value = d;
  work::LongLoop turns(8);
  for (int i = 1; i < 100000 && turns.goOn(); ++i) {
    const double a = -i * (i - shape);
    b += 2;
    d = a * d + b;
    c = b + a / c;
    d = 1 / (std::abs(d) < tiny ? tiny : d);
    c = std::abs(c) < tiny ? tiny : c;
    const double factor = d * c;
    value *= factor;
    if (std::abs(factor - 1) < 1e-16)
      break;
  }
  return value;
}

static double gradientByFraction(double shape, double x) {
  const double fraction = upperFraction(shape, x), step = 1e-5 * shape;
  const double slope = (upperFraction(shape + step, x) - upperFraction(shape - step, x)) / (2 * step);
  return x * (fraction * (std::log(x) - pw::digamma(shape)) + slope);
}

static double gammaGradient(double shape, double x) {
  if (!(shape > 0) || std::isnan(x) || std::isinf(shape))
    return std::numeric_limits<double>::quiet_NaN();
  if (x <= 0)
    return 0;
  return x < shape + 1 ? gradientBySeries(shape, x) : gradientByFraction(shape, x);
}

StatusOr<Tensor> cpu::standardGammaGrad(const Tensor &shapes, const Tensor &drawn) {
  TSC_RETURN_IF_ERROR(checkShapes(shapes, "_standard_gamma_grad_cpu"));
  TSC_ASSIGN_OR_RETURN(std::vector<Tensor> both, broadcastTensors({shapes, drawn}));
  for (Tensor &each : both) {
    TSC_ASSIGN_OR_RETURN(each, toDType(each, DType::Double));
    TSC_ASSIGN_OR_RETURN(each, contiguous(each, MemoryFormat::Contiguous));
  }
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(both[0].sizes(), DType::Double));
  work::LongLoop turns(16);
  for (int64_t i = 0; i != result.numel() && turns.goOn(); ++i)
    result.mutableData<double>()[i] = gammaGradient(both[0].data<double>()[i], both[1].data<double>()[i]);
  return toDType(result, shapes.dtype());
}
