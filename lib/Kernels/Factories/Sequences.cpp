//===- Sequences.cpp - Tensors computed from their indices ----------------===//
#include "Pointwise/SpecialFunctions.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/Promotion.h"
#include <cmath>
#include <limits>

using namespace tsc;
using namespace tsc::cpu;

/// Sets element i of a row-major tensor to value(i).
template <typename T, typename Fn> static void generate(const Tensor &dense, Fn value) {
  T *to = dense.mutableData<T>();
  for (int64_t i = 0, n = dense.numel(); i != n; ++i)
    to[i] = value(i);
}

//===- arange, range ------------------------------------------------------===//

/// int64 unless a bound is floating.
static DType sequenceDType(OptDType dtype, std::initializer_list<const Scalar *> bounds) {
  if (dtype)
    return *dtype;
  for (const Scalar *bound : bounds)
    if (!bound->isIntegral())
      return defaultDType();
  return DType::Int64;
}

/// Whether a dtype has progressions. Integers are computed in int64, which has to hold all three numbers; of a step
/// that isn't whole nothing may be left.
static Status checkNumbers(const Scalar &start, const Scalar &end, const Scalar &step, DType dtype, const char *name) {
  if (dtype == DType::Bool || isComplex(dtype))
    return detail::dtypeNotImplemented(name, dtype);
  if (!isIntegral(dtype))
    return okStatus();
  for (const Scalar *number : {&start, &end, &step})
    TSC_RETURN_IF_ERROR(checkConversion(*number, DType::Int64));
  return step.toInt() == 0 ? invalidArgument("step must be nonzero") : okStatus();
}

static Status checkRange(double start, double end, double step) {
  if (step == 0)
    return invalidArgument("step must be nonzero");
  if (!std::isfinite(start) || !std::isfinite(end))
    return invalidArgument("unsupported range: " + shortString(start) + " -> " + shortString(end));
  if (!((step > 0 && end >= start) || (step < 0 && end <= start)))
    return invalidArgument("upper bound and larger bound inconsistent with step sign");
  return okStatus();
}

/// Elements from `begin` to `end` of a progression.
LLVM_ATTRIBUTE_ALWAYS_INLINE static void fillIntegers(int64_t *out, uint64_t first, uint64_t by, int64_t begin,
                                                      int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    out[i] = static_cast<int64_t>(first + by * static_cast<uint64_t>(i));
}
LLVM_ATTRIBUTE_ALWAYS_INLINE static void fillFloats(float *out, double first, double by, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    out[i] = static_cast<float>(first + by * static_cast<double>(i));
}

/// start, start + step, …: `count` elements, computed in double (integers: exactly; half types: from floats).
static StatusOr<Tensor> progression(const Scalar &start, const Scalar &step, double count, DType dtype,
                                    const char *name) {
  if (!(count >= 0 && count < 9.2e18))
    return invalidArgument("invalid size, possible overflow?");
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({static_cast<int64_t>(count)}, dtype));
  TSC_RETURN_IF_ERROR(dispatchReal(
      dtype,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if constexpr (std::is_integral_v<T>) {
          uint64_t first = scalarTo<int64_t>(start), by = scalarTo<int64_t>(step);
          if constexpr (std::is_same_v<T, int64_t>)
            parallelFor(0, result.numel(), parallelGrain, [&](int64_t begin, int64_t end) {
              atSimdLevel<fillIntegers>(result.mutableData<T>(), first, by, begin, end);
            });
          else
            generate<T>(result, [&](int64_t i) { return static_cast<T>(first + by * static_cast<uint64_t>(i)); });
        } else {
          double first = start.toDouble(), by = step.toDouble();
          if constexpr (isHalfType<T>)
            first = static_cast<float>(first), by = static_cast<float>(by);
          if constexpr (std::is_same_v<T, float>)
            parallelFor(0, result.numel(), parallelGrain, [&](int64_t begin, int64_t end) {
              atSimdLevel<fillFloats>(result.mutableData<T>(), first, by, begin, end);
            });
          else
            generate<T>(result, [&](int64_t i) { return convertTo<T>(first + by * static_cast<double>(i)); });
        }
      },
      name));
  return result;
}

StatusOr<Tensor> cpu::arange(const Scalar &start, const Scalar &end, const Scalar &step, OptDType dtype,
                             OptLayout layout, OptDevice device, OptBool) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  DType type = sequenceDType(dtype, {&start, &end, &step});
  TSC_RETURN_IF_ERROR(checkNumbers(start, end, step, type, "arange_cpu"));
  TSC_RETURN_IF_ERROR(checkRange(start.toDouble(), end.toDouble(), step.toDouble()));
  double count;
  if (type == DType::Int64) {
    __int128 span = static_cast<__int128>(end.toInt()) - start.toInt(), by = step.toInt();
    count = static_cast<double>((span + by - (by > 0 ? 1 : -1)) / by);
  } else {
    count = std::ceil((end.toDouble() - start.toDouble()) / step.toDouble());
  }
  return progression(start, step, count, type, "arange_cpu");
}

StatusOr<Tensor> cpu::arangeStart(const Scalar &start, const Scalar &end, OptDType dtype, OptLayout layout,
                                  OptDevice device, OptBool pin) {
  return arange(start, end, Scalar(1), dtype, layout, device, pin);
}

StatusOr<Tensor> cpu::arangeEnd(const Scalar &end, OptDType dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return arange(Scalar(0), end, Scalar(1), dtype, layout, device, pin);
}

StatusOr<Tensor> cpu::range(const Scalar &start, const Scalar &end, const Scalar &step, OptDType dtype,
                            OptLayout layout, OptDevice device, OptBool) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  const DType type = dtype.value_or(defaultDType());
  TSC_RETURN_IF_ERROR(checkNumbers(start, end, step, type, "range_cpu"));
  TSC_RETURN_IF_ERROR(checkRange(start.toDouble(), end.toDouble(), step.toDouble()));
  const double first = start.toDouble(), last = end.toDouble(), by = step.toDouble();
  double count = (last - first) / by;
  if (isIntegral(type))
    count = static_cast<double>((static_cast<__int128>(end.toInt()) - start.toInt()) / step.toInt());
  else if (type == DType::Half || type == DType::BFloat16)
    count = (static_cast<float>(last) - static_cast<float>(first)) / static_cast<float>(by);
  count = std::floor(count) + 1;
  return progression(start, step, count, type, "range_cpu");
}

StatusOr<Tensor> cpu::rangeStart(const Scalar &start, const Scalar &end, OptDType dtype, OptLayout layout,
                                 OptDevice device, OptBool pin) {
  return range(start, end, Scalar(1), dtype, layout, device, pin);
}

//===- linspace, logspace -------------------------------------------------===//

/// Writes elements `begin` to `end` of `steps`, which are at least two, counted from either end. Numbers of 32 bits are
/// converted in vectors everywhere, and those of 64 with AVX-512.
template <typename Index>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void fillSpaced(float *out, float first, float last, float step, Index steps,
                                                    Index begin, Index end) {
  const Index middle = steps / 2;
  for (Index i = begin; i < std::min(middle, end); ++i)
    out[i] = first + step * static_cast<float>(i);
  for (Index i = std::max(middle, begin); i < end; ++i)
    out[i] = last - step * static_cast<float>(steps - 1 - i);
}

/// Counted from the nearer end, so that both ends are exact. Integers are computed as Whole.
template <typename T, typename Whole, typename Fn>
static void evenlySpaced(const Tensor &result, const Scalar &start, const Scalar &end, int64_t steps, Fn map) {
  using Step = std::conditional_t<std::is_integral_v<T>, Whole, T>;
  using Count = decltype(std::real(Step())); // an infinite part of a complex number times a real one is no NaN
  const T first = scalarTo<T>(start), last = scalarTo<T>(end);
  const Step step = (Step(last) - Step(first)) / static_cast<Count>(steps - 1);
  generate<T>(result, [&](int64_t i) {
    Step x = i < steps / 2 ? Step(first) + step * static_cast<Count>(i)
                           : Step(last) - step * static_cast<Count>(steps - 1 - i);
    return map(x);
  });
}

static Status checkBounds(const Scalar &start, const Scalar &end, DType dtype) {
  TSC_RETURN_IF_ERROR(checkConversion(start, dtype));
  return checkConversion(end, dtype);
}

/// `only`: the element of a tensor that has one.
template <typename Whole, typename Fn>
static StatusOr<Tensor> spaced(const Scalar &start, const Scalar &end, int64_t steps, OptDType dtype, OptLayout layout,
                               OptDevice device, const char *name, const Scalar &only, Fn map) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  if (steps < 0)
    return invalidArgument("number of steps must be non-negative");
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({steps}, dtype.value_or(defaultDType())));
  if (steps <= 1) {
    TSC_RETURN_IF_ERROR(fillWith(result, only));
    return result;
  }
  if (result.dtype() == DType::Bool)
    return detail::dtypeNotImplemented(name, DType::Bool);
  TSC_RETURN_IF_ERROR(checkBounds(start, end, result.dtype()));
  if (result.dtype() == DType::Half || result.dtype() == DType::BFloat16) {
    TSC_ASSIGN_OR_RETURN(Tensor wide, Tensor::empty({steps}, DType::Float));
    evenlySpaced<float, Whole>(wide, roundNumber(start, result.dtype()), roundNumber(end, result.dtype()), steps,
                               [&](float x) { return static_cast<float>(map(x)); });
    return toDType(wide, result.dtype());
  }
  TSC_RETURN_IF_ERROR(dispatchAll(
      result.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if constexpr (!isHalfType<T> && !std::is_same_v<T, bool>)
          evenlySpaced<T, Whole>(result, start, end, steps, [&](auto x) { return convertTo<T>(map(x)); });
      },
      name));
  return result;
}

/// Complex numbers make a complex tensor, where no dtype is given.
static OptDType spacedDType(OptDType dtype, const Scalar &start, const Scalar &end) {
  return dtype || !(start.isComplex() || end.isComplex()) ? dtype : OptDType(defaultComplexDType());
}

StatusOr<Tensor> cpu::linspace(const Scalar &start, const Scalar &end, int64_t steps, OptDType dtype, OptLayout layout,
                               OptDevice device, OptBool) {
  if (dtype.value_or(defaultDType()) == DType::Float && steps > 1 && !start.isComplex() && !end.isComplex()) {
    TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
    TSC_RETURN_IF_ERROR(checkBounds(start, end, DType::Float));
    TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({steps}, DType::Float));
    const float first = scalarTo<float>(start), last = scalarTo<float>(end);
    const float step = (last - first) / static_cast<float>(steps - 1);
    parallelFor(0, steps, parallelGrain, [&](int64_t begin, int64_t stop) {
      float *const out = result.mutableData<float>();
      if (steps <= INT32_MAX)
        atSimdLevel<fillSpaced<int32_t>>(out, first, last, step, static_cast<int32_t>(steps),
                                         static_cast<int32_t>(begin), static_cast<int32_t>(stop));
      else
        atSimdLevel<fillSpaced<int64_t>>(out, first, last, step, steps, begin, stop);
    });
    return result;
  }
  return spaced<double>(start, end, steps, spacedDType(dtype, start, end), layout, device, "linspace_cpu", start,
                        [](auto x) { return x; });
}

StatusOr<Tensor> cpu::logspace(const Scalar &start, const Scalar &end, int64_t steps, double base, OptDType dtype,
                               OptLayout layout, OptDevice device, OptBool) {
  const bool hasComplex = start.isComplex() || end.isComplex() || isComplex(dtype.value_or(defaultDType()));
  const Scalar only = hasComplex ? Scalar(std::pow(std::complex<double>(base), start.toComplex()))
                                 : Scalar(std::pow(base, start.toDouble()));
  return spaced<float>(start, end, steps, spacedDType(dtype, start, end), layout, device, "logspace_cpu", only,
                       [base](auto x) { return std::pow(decltype(x)(base), x); });
}

//===- Matrices -----------------------------------------------------------===//

StatusOr<Tensor> cpu::eyeM(int64_t n, int64_t m, OptDType dtype, OptLayout layout, OptDevice device, OptBool) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  if (n < 0)
    return invalidArgument("n must be greater or equal to 0, got " + llvm::Twine(n));
  if (m < 0)
    return invalidArgument("m must be greater or equal to 0, got " + llvm::Twine(m));
  TSC_ASSIGN_OR_RETURN(Tensor result, zeros({n, m}, dtype.value_or(defaultDType())));
  TSC_RETURN_IF_ERROR(fillWith(result.alias({std::min(n, m)}, {m + 1}, 0), Scalar(1)));
  return result;
}

StatusOr<Tensor> cpu::eye(int64_t n, OptDType dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return eyeM(n, n, dtype, layout, device, pin);
}

namespace {
/// The rows of a matrix by where its diagonal with an offset crosses them: rows before `begin` are left of the matrix
/// there, and those from `end` on are right of it.
struct Diagonal {
  int64_t rows, columns, shift, begin, end;

  Diagonal(int64_t rows, int64_t columns, int64_t shift)
      : rows(rows), columns(columns), shift(shift), begin(std::clamp<int64_t>(-shift, 0, rows)),
        end(std::clamp(columns - shift, begin, rows)) {}
  int64_t columnIn(int64_t row) const { return std::clamp<int64_t>(row + shift, 0, columns); }
  /// How many elements are left of it.
  __int128 elementsLeft() const {
    return static_cast<__int128>(end - begin) * (begin + end - 1 + 2 * shift) / 2 +
           static_cast<__int128>(rows - end) * columns;
  }
};
} // namespace

/// The places of a matrix that are left of a diagonal, or from it on: those rows alone are looked at that have some.
static StatusOr<Tensor> triangleIndices(int64_t rows, int64_t columns, int64_t shift, bool isLeft, OptDType dtype,
                                        OptLayout layout, OptDevice device) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  if (rows < 0)
    return invalidArgument("row must be non-negative, got" + llvm::Twine(rows));
  if (columns < 0)
    return invalidArgument("col must be non-negative, got" + llvm::Twine(columns));
  constexpr int64_t most = int64_t{1} << 31;
  if (rows > most || columns > most)
    return resourceExhausted("tril_indices: the matrix is too large");
  const Diagonal diagonal(rows, columns, std::clamp<int64_t>(shift, -2 * most, 2 * most));
  const __int128 left = diagonal.elementsLeft();
  const auto count = static_cast<int64_t>(isLeft ? left : static_cast<__int128>(rows) * columns - left);
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({2, count}, dtype.value_or(DType::Int64)));
  TSC_RETURN_IF_ERROR(dispatchReal(
      result.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        T *row = result.mutableData<T>(), *column = row + count;
        for (int64_t r = isLeft ? diagonal.begin : 0, last = isLeft ? rows : diagonal.end; r < last && count != 0; ++r)
          for (int64_t c = isLeft ? 0 : diagonal.columnIn(r), end = isLeft ? diagonal.columnIn(r) : columns; c < end;
               ++c) {
            *row++ = convertTo<T>(r);
            *column++ = convertTo<T>(c);
          }
      },
      "tril_indices"));
  return result;
}

StatusOr<Tensor> cpu::trilIndices(int64_t rows, int64_t columns, int64_t offset, OptDType dtype, OptLayout layout,
                                  OptDevice device, OptBool) {
  const int64_t behind = offset == std::numeric_limits<int64_t>::max() ? offset : offset + 1;
  return triangleIndices(rows, columns, behind, /*isLeft=*/true, dtype, layout, device);
}

StatusOr<Tensor> cpu::triuIndices(int64_t rows, int64_t columns, int64_t offset, OptDType dtype, OptLayout layout,
                                  OptDevice device, OptBool) {
  return triangleIndices(rows, columns, offset, /*isLeft=*/false, dtype, layout, device);
}

StatusOr<Tensor> cpu::vander(const Tensor &x, std::optional<int64_t> n, bool increasing) {
  if (x.dim() != 1)
    return invalidArgument("x must be a one-dimensional tensor.");
  int64_t rows = x.numel(), columns = n.value_or(rows);
  if (columns < 0)
    return invalidArgument("N must be non-negative.");
  DType dtype = isIntegral(x.dtype(), /*includeBool=*/true) ? DType::Int64 : x.dtype();
  TSC_ASSIGN_OR_RETURN(Tensor base, toDType(x, dtype));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({rows, columns}, dtype));
  TSC_RETURN_IF_ERROR(dispatchAll(
      dtype,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        T *to = result.mutableData<T>();
        for (int64_t r = 0; r != rows && columns != 0; ++r) {
          ComputeType<T> value = base.data<T>()[r * base.stride(0)], power = 1;
          for (int64_t c = 0; c != columns; ++c) {
            to[r * columns + (increasing ? c : columns - 1 - c)] = T(power);
            power = static_cast<ComputeType<T>>(power * value);
          }
        }
      },
      "vander"));
  return result;
}

//===- Windows ------------------------------------------------------------===//

/// `value(i, last)` for i in 0..last, where `last` is the index of the (perhaps left out) last point.
template <typename Fn>
static StatusOr<Tensor> window(int64_t length, bool periodic, OptDType dtype, OptLayout layout, OptDevice device,
                               llvm::StringRef name, Fn value) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  DType type = dtype.value_or(defaultDType());
  if (!isFloating(type))
    return invalidArgument(name + " expects floating point dtypes, got: " + irName(type));
  if (length < 0)
    return invalidArgument(name + " requires non-negative window_length, got window_length=" + llvm::Twine(length));
  if (length <= 1)
    return ones({length}, type);
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({length}, type));
  TSC_RETURN_IF_ERROR(dispatchFloating(
      type,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        using C = ComputeType<T>;
        generate<T>(result, [&](int64_t i) {
          return T(static_cast<C>(value(static_cast<C>(i), periodic ? length : length - 1)));
        });
      },
      "window"));
  return result;
}

static constexpr double pi = 3.14159265358979323846;

static StatusOr<Tensor> cosineWindow(int64_t length, bool periodic, double alpha, double beta, OptDType dtype,
                                     OptLayout layout, OptDevice device, llvm::StringRef name) {
  return window(length, periodic, dtype, layout, device, name, [=](auto i, int64_t last) {
    using C = decltype(i);
    return C(alpha) - C(beta) * std::cos(i * C(2 * pi / static_cast<double>(last)));
  });
}

StatusOr<Tensor> cpu::hannWindowPeriodic(int64_t length, bool periodic, OptDType dtype, OptLayout layout,
                                         OptDevice device, OptBool) {
  return cosineWindow(length, periodic, 0.5, 0.5, dtype, layout, device, "hann_window");
}
StatusOr<Tensor> cpu::hannWindow(int64_t length, OptDType dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return hannWindowPeriodic(length, true, dtype, layout, device, pin);
}
StatusOr<Tensor> cpu::hammingWindowAlphaBeta(int64_t length, bool periodic, double alpha, double beta, OptDType dtype,
                                             OptLayout layout, OptDevice device, OptBool) {
  return cosineWindow(length, periodic, alpha, beta, dtype, layout, device, "hamming_window");
}
StatusOr<Tensor> cpu::hammingWindowAlpha(int64_t length, bool periodic, double alpha, OptDType dtype, OptLayout layout,
                                         OptDevice device, OptBool pin) {
  return hammingWindowAlphaBeta(length, periodic, alpha, 0.46, dtype, layout, device, pin);
}
StatusOr<Tensor> cpu::hammingWindowPeriodic(int64_t length, bool periodic, OptDType dtype, OptLayout layout,
                                            OptDevice device, OptBool pin) {
  return hammingWindowAlphaBeta(length, periodic, 0.54, 0.46, dtype, layout, device, pin);
}
StatusOr<Tensor> cpu::hammingWindow(int64_t length, OptDType dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return hammingWindowPeriodic(length, true, dtype, layout, device, pin);
}

StatusOr<Tensor> cpu::blackmanWindowPeriodic(int64_t length, bool periodic, OptDType dtype, OptLayout layout,
                                             OptDevice device, OptBool) {
  return window(length, periodic, dtype, layout, device, "blackman_window", [](auto i, int64_t last) {
    using C = decltype(i);
    C x = i * C(pi / static_cast<double>(last));
    return std::cos(x * C(4)) * C(0.08) - std::cos(x * C(2)) * C(0.5) + C(0.42);
  });
}
StatusOr<Tensor> cpu::blackmanWindow(int64_t length, OptDType dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return blackmanWindowPeriodic(length, true, dtype, layout, device, pin);
}

StatusOr<Tensor> cpu::bartlettWindowPeriodic(int64_t length, bool periodic, OptDType dtype, OptLayout layout,
                                             OptDevice device, OptBool) {
  return window(length, periodic, dtype, layout, device, "bartlett_window", [](auto i, int64_t last) {
    using C = decltype(i);
    C x = i * C(2.0 / static_cast<double>(last));
    return static_cast<int64_t>(i) <= last / 2 ? x : C(2) - x;
  });
}
StatusOr<Tensor> cpu::bartlettWindow(int64_t length, OptDType dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return bartlettWindowPeriodic(length, true, dtype, layout, device, pin);
}

StatusOr<Tensor> cpu::kaiserWindowBeta(int64_t length, bool periodic, double beta, OptDType dtype, OptLayout layout,
                                       OptDevice device, OptBool) {
  double scale = 1 / pw::bessel_i0(beta);
  return window(length, periodic, dtype, layout, device, "kaiser_window", [=](auto i, int64_t last) {
    using C = decltype(i);
    double x = 2 * static_cast<double>(i) / static_cast<double>(last) - 1;
    return static_cast<C>(pw::bessel_i0(beta * std::sqrt(std::max(0.0, 1 - x * x))) * scale);
  });
}
StatusOr<Tensor> cpu::kaiserWindowPeriodic(int64_t length, bool periodic, OptDType dtype, OptLayout layout,
                                           OptDevice device, OptBool pin) {
  return kaiserWindowBeta(length, periodic, 12, dtype, layout, device, pin);
}
StatusOr<Tensor> cpu::kaiserWindow(int64_t length, OptDType dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return kaiserWindowPeriodic(length, true, dtype, layout, device, pin);
}
