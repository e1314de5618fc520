//===- Differences.cpp - Neighbours along a dimension ---------------------===//
//
// diff, gradient, and integration by the trapezoid rule.
//
//===----------------------------------------------------------------------===//
#include "Indexing/IndexingSupport.h"
#include "Support/Compute.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/Promotion.h"
#include <array>
#include <vector>

using namespace tsc;
using namespace tsc::cpu;

//===- diff ---------------------------------------------------------------===//

/// self[1:] - self[:-1] along a dimension (for bools: whether they differ).
static StatusOr<Tensor> differenceOnce(const Tensor &self, int64_t dim) {
  int64_t length = std::max<int64_t>(self.size(dim) - 1, 0);
  if (length == 0)
    return narrowCopy(self, dim, 0, 0);
  TSC_ASSIGN_OR_RETURN(Tensor later, narrow(self, dim, 1, length));
  TSC_ASSIGN_OR_RETURN(Tensor earlier, narrow(self, dim, 0, length));
  return self.dtype() == DType::Bool ? pointwise(PointwiseKind::Aten_logical_xor, {later, earlier})
                                     : pointwise(PointwiseKind::Aten_sub_Tensor, {later, earlier, int64_t{1}});
}

StatusOr<Tensor> cpu::diff(const Tensor &self, int64_t n, int64_t dim, const Tensor &prepend, const Tensor &append) {
  if (self.dim() < 1)
    return invalidArgument("diff expects input to be at least one-dimensional");
  if (n < 0)
    return invalidArgument("order must be non-negative but got " + llvm::Twine(n));
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  llvm::SmallVector<Tensor, 3> parts;
  for (const Tensor *part : {&prepend, &self, &append})
    if (part->defined()) {
      if (part->dim() != self.dim())
        return invalidArgument("diff expects prepend or append to be the same dimension as input");
      for (int64_t i = 0; i != self.dim(); ++i)
        if (i != d && part->size(i) != self.size(i))
          return invalidArgument(
              "diff expects the shape of tensor to prepend or append to match that of input except along the "
              "differencing dimension; input.size(" +
              llvm::Twine(i) + ") = " + llvm::Twine(self.size(i)) + ", but got tensor.size(" + llvm::Twine(i) +
              ") = " + llvm::Twine(part->size(i)));
      parts.push_back(*part);
    }
  if (n == 0) // what is prepended or appended does not show
    return clone(self);
  Tensor result = self;
  if (parts.size() != 1) {
    TSC_ASSIGN_OR_RETURN(result, cat(parts, d));
  }
  work::LongLoop turns(std::max<int64_t>(result.numel(), 1024));
  for (int64_t i = 0; i != n; ++i) {
    if (!turns.goOn())
      return work::stopped();
    TSC_ASSIGN_OR_RETURN(result, differenceOnce(result, d));
    if (result.size(d) == 0)
      break;
  }
  return result;
}

//===- Trapezoids ---------------------------------------------------------===//

enum class Areas { Total, Running };
static llvm::StringRef nameOf(Areas areas) { return areas == Areas::Running ? "cumulative_trapezoid" : "trapezoid"; }

/// What of `y` the integral along a dimension is made of: numbers of the result's type, those of half types as floats.
/// Integers stay what they are: two of them are added, and wrap, before anything becomes a float.
static StatusOr<Tensor> integrand(const Tensor &y, DType result, int64_t dim) {
  if (y.dim() == 0)
    return outOfRange("Dimension specified as " + llvm::Twine(dim) + " but tensor has no dimensions");
  return isIntegral(y.dtype()) ? StatusOr<Tensor>(y) : toDType(y, workType(result));
}

static StatusOr<Tensor> sumOf(const Tensor &a, const Tensor &b) {
  return pointwise(PointwiseKind::Aten_add_Tensor, {a, b, int64_t{1}});
}
static StatusOr<Tensor> productOf(const Tensor &a, const Tensor &b) {
  return pointwise(PointwiseKind::Aten_mul_Tensor, {a, b});
}
static StatusOr<Tensor> productOf(const Tensor &a, const Scalar &factor) {
  TSC_ASSIGN_OR_RETURN(Tensor number, Tensor::scalar(factor, a.dtype()));
  return productOf(a, number);
}

/// The sums of neighbours along a dimension.
static StatusOr<Tensor> neighbourSums(const Tensor &values, int64_t dim) {
  const int64_t steps = std::max<int64_t>(values.size(dim) - 1, 0);
  TSC_ASSIGN_OR_RETURN(Tensor later, narrow(values, dim, values.size(dim) - steps, steps));
  TSC_ASSIGN_OR_RETURN(Tensor earlier, narrow(values, dim, 0, steps));
  return sumOf(later, earlier);
}

/// Of points at one distance: the ends count half.
static StatusOr<Tensor> evenArea(const Tensor &values, const Scalar &dx, int64_t dim) {
  const int64_t points = values.size(dim);
  if (points < 2) {
    TSC_ASSIGN_OR_RETURN(Tensor none, narrow(values, dim, 0, 0));
    return sumOver(none, {dim}, false);
  }
  TSC_ASSIGN_OR_RETURN(Tensor inner, narrow(values, dim, 1, points - 2));
  TSC_ASSIGN_OR_RETURN(Tensor sum, sumOver(inner, {dim}, false));
  TSC_ASSIGN_OR_RETURN(Tensor first, select(values, dim, 0));
  TSC_ASSIGN_OR_RETURN(Tensor last, select(values, dim, points - 1));
  TSC_ASSIGN_OR_RETURN(Tensor ends, sumOf(first, last));
  TSC_ASSIGN_OR_RETURN(ends, productOf(ends, Scalar(0.5)));
  TSC_ASSIGN_OR_RETURN(sum, sumOf(sum, ends));
  return productOf(sum, dx);
}

/// The same of integers, whose sum is one of int64.
static StatusOr<Tensor> evenAreaOfIntegers(const Tensor &values, const Scalar &dx, int64_t dim) {
  const int64_t points = values.size(dim);
  TSC_ASSIGN_OR_RETURN(Tensor sum, cpu::sumDims(values, Dims{dim}, false, DType::Int64));
  TSC_ASSIGN_OR_RETURN(sum, toDType(sum, floatingDType(values.dtype())));
  if (points != 0) {
    TSC_ASSIGN_OR_RETURN(Tensor first, select(values, dim, 0));
    TSC_ASSIGN_OR_RETURN(Tensor last, select(values, dim, points - 1));
    TSC_ASSIGN_OR_RETURN(Tensor ends, sumOf(first, last));
    TSC_ASSIGN_OR_RETURN(ends, toDType(ends, sum.dtype()));
    TSC_ASSIGN_OR_RETURN(ends, productOf(ends, Scalar(0.5)));
    TSC_ASSIGN_OR_RETURN(sum, pointwise(PointwiseKind::Aten_sub_Tensor, {sum, ends, int64_t{1}}));
  }
  return productOf(sum, dx);
}

static StatusOr<Tensor> integrateDx(const Tensor &y, const Scalar &dx, int64_t dim, Areas kind) {
  if (y.dtype() == DType::Bool)
    return invalidArgument(nameOf(kind) + ": received a bool input for `y`, but bool is not supported");
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, y.dim()));
  TSC_ASSIGN_OR_RETURN(Tensor values, integrand(y, floatingDType(y.dtype()), dim));
  if (kind == Areas::Total) {
    TSC_ASSIGN_OR_RETURN(Tensor area,
                         isIntegral(values.dtype()) ? evenAreaOfIntegers(values, dx, d) : evenArea(values, dx, d));
    return toDType(area, floatingDType(y.dtype()));
  }
  TSC_ASSIGN_OR_RETURN(Tensor areas, neighbourSums(values, d));
  TSC_ASSIGN_OR_RETURN(areas, toDType(areas, workType(floatingDType(y.dtype()))));
  TSC_ASSIGN_OR_RETURN(areas, productOf(areas, Scalar(dx.toComplex() * 0.5)));
  TSC_ASSIGN_OR_RETURN(areas, cumsum(areas, d, std::nullopt));
  return toDType(areas, floatingDType(y.dtype()));
}

static StatusOr<Tensor> integrateX(const Tensor &y, const Tensor &x, int64_t dim, Areas kind) {
  if (y.dtype() == DType::Bool || x.dtype() == DType::Bool)
    return invalidArgument(nameOf(kind) + ": received a bool input for `x` or `y`, but bool is not supported");
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, y.dim()));
  const DType result = floatingDType(promoteTypes(y.dtype(), x.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor values, integrand(y, result, dim));
  Tensor points = x;
  if (x.dim() == 1) {
    if (x.size(0) != y.size(d))
      return invalidArgument(nameOf(kind) + ": There must be one `x` value for each sample point");
    Dims shape(y.dim(), 1);
    shape[d] = x.size(0);
    TSC_ASSIGN_OR_RETURN(points, view(x, shape));
  }
  TSC_ASSIGN_OR_RETURN(Tensor spread, expand(points, y.sizes()));
  if (points.dim() != y.dim() || points.size(d) != y.size(d))
    points = spread;
  TSC_ASSIGN_OR_RETURN(points, toDType(points, workType(points.dtype())));
  TSC_ASSIGN_OR_RETURN(Tensor widths, differenceOnce(points, d));
  TSC_ASSIGN_OR_RETURN(Tensor areas, neighbourSums(values, d));
  if (kind == Areas::Total && isIntegral(areas.dtype()) && isIntegral(widths.dtype())) {
    TSC_ASSIGN_OR_RETURN(areas, productOf(areas, widths));
    TSC_ASSIGN_OR_RETURN(Tensor sum, cpu::sumDims(areas, Dims{d}, false, DType::Int64));
    TSC_ASSIGN_OR_RETURN(sum, toDType(sum, result));
    return productOf(sum, Scalar(0.5));
  }
  TSC_ASSIGN_OR_RETURN(areas, toDType(areas, workType(result)));
  TSC_ASSIGN_OR_RETURN(widths, toDType(widths, areas.dtype()));
  TSC_ASSIGN_OR_RETURN(widths, productOf(widths, Scalar(0.5)));
  TSC_ASSIGN_OR_RETURN(areas, productOf(areas, widths));
  TSC_ASSIGN_OR_RETURN(areas, kind == Areas::Running ? cumsum(areas, d, std::nullopt) : sumOver(areas, {d}, false));
  return toDType(areas, result);
}

StatusOr<Tensor> cpu::trapezoidDx(const Tensor &y, const Scalar &dx, int64_t dim) {
  return integrateDx(y, dx, dim, Areas::Total);
}
StatusOr<Tensor> cpu::trapezoidX(const Tensor &y, const Tensor &x, int64_t dim) {
  return integrateX(y, x, dim, Areas::Total);
}
StatusOr<Tensor> cpu::trapzDx(const Tensor &y, double dx, int64_t dim) {
  return integrateDx(y, Scalar(dx), dim, Areas::Total);
}
StatusOr<Tensor> cpu::cumulativeTrapezoidDx(const Tensor &y, const Scalar &dx, int64_t dim) {
  return integrateDx(y, dx, dim, Areas::Running);
}
StatusOr<Tensor> cpu::cumulativeTrapezoidX(const Tensor &y, const Tensor &x, int64_t dim) {
  return integrateX(y, x, dim, Areas::Running);
}

//===- gradient -----------------------------------------------------------===//

/// The derivative along `dim` at points `x` (one per index): parabolas through neighbours inside, lines (or parabolas,
/// for edge order 2) at the ends. Where points are `step` apart, the value at one takes no part in its own derivative.
static StatusOr<Tensor> derivativeAlong(const Tensor &self, int64_t dim, ArrayRef<double> x, std::optional<double> step,
                                        DType dtype, int64_t edgeOrder) {
  int64_t n = self.size(dim);
  TSC_ASSIGN_OR_RETURN(Tensor rows, toDType(self, dtype));
  TSC_ASSIGN_OR_RETURN(rows, movedim(rows, dim, -1));
  TSC_ASSIGN_OR_RETURN(rows, contiguous(rows));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(rows.sizes(), rows.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFloatingAndComplex(
      rows.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        using C = ComputeType<T>;
        const T *f = rows.data<T>();
        T *out = result.mutableData<T>();
        auto at = [&](int64_t i) { return static_cast<C>(f[i]); };
        auto weight = [](double w) { return convertTo<C>(w); };
        // Sums and multiples of small integers wrap before anything becomes a float.
        auto whole = [&](C value) -> C {
          if constexpr (std::is_floating_point_v<C>) {
            if (self.dtype() == DType::Int8)
              return static_cast<C>(static_cast<int8_t>(static_cast<int64_t>(value)));
            if (self.dtype() == DType::Int16)
              return static_cast<C>(static_cast<int16_t>(static_cast<int64_t>(value)));
          }
          return value;
        };
        auto change = [&](int64_t from, int64_t to) { return whole(at(to) - at(from)); };
        // What makes the derivative, at point `at0 + where`, of the parabola through three neighbours.
        auto weights = [&](int64_t at0, int64_t where) -> std::array<C, 3> {
          double a = x[at0 + 1] - x[at0], b = x[at0 + 2] - x[at0 + 1];
          double w0 = where == 0 ? -(2 * a + b) / (a * (a + b)) : where == 1 ? -b / (a * (a + b)) : b / (a * (a + b));
          double w1 = where == 0 ? (a + b) / (a * b) : where == 1 ? (b - a) / (a * b) : -(a + b) / (a * b);
          double w2 = where == 0 ? -a / (b * (a + b)) : where == 1 ? a / (b * (a + b)) : (a + 2 * b) / (b * (a + b));
          return {weight(w0), weight(w1), weight(w2)};
        };
        auto parabola = [&](int64_t at0, int64_t where) {
          const auto [w0, w1, w2] = weights(at0, where);
          return at(at0) * w0 + at(at0 + 1) * w1 + at(at0 + 2) * w2;
        };
        // At the end `at0` of a row, whose neighbours lie in direction `to`.
        auto evenParabola = [&](int64_t at0, int64_t to) {
          return (at(at0) * weight(-1.5) + whole(at(at0 + to) * weight(2)) - at(at0 + 2 * to) * weight(0.5)) /
                 weight(static_cast<double>(to) * *step);
        };
        std::array<std::vector<C>, 3> inner; // the same for all rows
        for (int64_t i = 0; !step && i + 2 < n; ++i) {
          const std::array<C, 3> w = weights(i, 1);
          for (size_t k = 0; k != 3; ++k)
            inner[k].push_back(w[k]);
        }
        for (int64_t r = 0, count = rows.numel() / n; r != count; ++r, f += n, out += n) {
          if (step)
            for (int64_t i = 0; i + 2 < n; ++i)
              out[i + 1] = T(change(i, i + 2) / weight(2 * *step));
          else
            for (int64_t i = 0; i + 2 < n; ++i)
              out[i + 1] = T(at(i) * inner[0][i] + at(i + 1) * inner[1][i] + at(i + 2) * inner[2][i]);
          if (step) {
            out[0] = T(edgeOrder == 2 ? evenParabola(0, 1) : change(0, 1) / weight(*step));
            out[n - 1] = T(edgeOrder == 2 ? evenParabola(n - 1, -1) : change(n - 2, n - 1) / weight(*step));
            continue;
          }
          out[0] = T(edgeOrder == 2 ? parabola(0, 0) : change(0, 1) / weight(x[1] - x[0]));
          out[n - 1] = T(edgeOrder == 2 ? parabola(n - 3, 2) : change(n - 2, n - 1) / weight(x[n - 1] - x[n - 2]));
        }
      },
      "gradient"));
  return movedim(result, -1, dim);
}

namespace {
/// The places along one dimension, and the dtype of the derivatives there.
struct Points {
  std::vector<double> x;
  DType dtype;
};
} // namespace

/// The gradient along `dims`; points(i, n) are the n coordinates for the i-th of them, `step` apart if there is one.
template <typename GetPoints>
static TensorsOr gradientAlong(const Tensor &self, ArrayRef<int64_t> dims, std::optional<double> step,
                               int64_t edgeOrder, GetPoints points) {
  if (edgeOrder != 1 && edgeOrder != 2)
    return invalidArgument("torch.gradient only supports edge_order=1 and edge_order=2.");
  if (self.dtype() == DType::UInt8)
    return invalidArgument("torch.gradient does not support uint8 input.");
  TSC_ASSIGN_OR_RETURN(Tensor values, contiguous(self)); // of one element repeated, the points might not fit in memory
  std::vector<Tensor> results;
  for (size_t i = 0; i != dims.size(); ++i) {
    TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dims[i], self.dim()));
    if (self.dim() == 0 || self.size(d) < edgeOrder + 1)
      return invalidArgument("torch.gradient expected each dimension size to be at least edge_order+1");
    if (self.numel() == 0)
      return invalidArgument("torch.gradient expects a non-empty input");
    TSC_ASSIGN_OR_RETURN(Points found, points(i, self.size(d)));
    TSC_ASSIGN_OR_RETURN(Tensor result, derivativeAlong(values, d, found.x, step, found.dtype, edgeOrder));
    results.push_back(std::move(result));
  }
  return results;
}

static Dims allDims(const Tensor &self, OptInt dim) {
  Dims dims;
  if (dim)
    dims.push_back(*dim);
  else
    for (int64_t d = 0; d != self.dim(); ++d)
      dims.push_back(d);
  return dims;
}

TensorsOr cpu::gradientScalarDims(const Tensor &self, const Scalar &spacing, ArrayRef<int64_t> dims,
                                  int64_t edgeOrder) {
  if (spacing.isComplex()) {
    TSC_ASSIGN_OR_RETURN(const Tensor step,
                         Tensor::scalar(spacing, promoteTypes(floatingDType(self.dtype()), DType::ComplexFloat)));
    TSC_ASSIGN_OR_RETURN(std::vector<Tensor> results, gradientScalarDims(self, Scalar(1), dims, edgeOrder));
    for (Tensor &result : results) {
      TSC_ASSIGN_OR_RETURN(result, arith(Arith::Div, result, step));
    }
    return results;
  }
  const double step = spacing.toDouble();
  return gradientAlong(self, dims, step, edgeOrder, [&](size_t, int64_t n) -> StatusOr<Points> {
    Points points{std::vector<double>(n), floatingDType(self.dtype())};
    for (int64_t i = 0; i != n; ++i)
      points.x[i] = step * static_cast<double>(i);
    return points;
  });
}

TensorsOr cpu::gradientDims(const Tensor &self, ArrayRef<int64_t> dims, int64_t edgeOrder) {
  return gradientScalarDims(self, Scalar(1), dims, edgeOrder);
}

TensorsOr cpu::gradientScalar(const Tensor &self, const std::optional<Scalar> &spacing, OptInt dim, int64_t edgeOrder) {
  return gradientScalarDims(self, spacing.value_or(Scalar(1)), allDims(self, dim), edgeOrder);
}

TensorsOr cpu::gradientTensorsDims(const Tensor &self, TensorList spacing, ArrayRef<int64_t> dims, int64_t edgeOrder) {
  if (spacing.size() != dims.size())
    return invalidArgument(
        "torch.gradient expected spacing to be unspecified, a scalar or a list of length equal to 'self.dim() = " +
        llvm::Twine(self.dim()) + "', since dim argument was not given, but got a list of length " +
        llvm::Twine(spacing.size()));
  return gradientAlong(self, dims, std::nullopt, edgeOrder, [&](size_t i, int64_t n) -> StatusOr<Points> {
    if (isComplex(spacing[i].dtype()))
      return unimplemented("torch.gradient expected real coordinates, but those of dimension " + llvm::Twine(dims[i]) +
                           " are " + dtypeText(spacing[i].dtype()));
    if (spacing[i].dim() != 1 || spacing[i].numel() != n)
      return invalidArgument(
          "torch.gradient expected each element of spacing to have one coordinate for each index of its dimension");
    Points points{std::vector<double>(n), promoteTypes(self.dtype(), floatingDType(spacing[i].dtype()))};
    for (int64_t k = 0; k != n; ++k)
      points.x[k] = spacing[i].at(k).toDouble();
    return points;
  });
}

TensorsOr cpu::gradientTensors(const Tensor &self, TensorList spacing, OptInt dim, int64_t edgeOrder) {
  return gradientTensorsDims(self, spacing, allDims(self, dim), edgeOrder);
}
