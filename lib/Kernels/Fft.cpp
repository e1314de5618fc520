//===- Fft.cpp - The discrete Fourier transform ---------------------------===//
//
// Lengths of small factors by Stockham's passes (SimdFft.cpp), any other length n as
// a convolution of a power-of-two length (Bluestein). As many lines as a vector has
// lanes are transformed side by side; of real lines, two make one of complex
// numbers. Roots of unity are computed in double and rounded once.
//
//===----------------------------------------------------------------------===//
#include "Fft.h"
#include "FftPlan.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Dispatch.h"
#include <bit>
#include <cmath>
#include <complex>
#include <memory>
#include <mutex>
#include <numbers>

using namespace tsc;
using namespace tsc::cpu;

namespace {
/// exp(-i 2 pi k / n) for any k, from two tables of the root of n entries each.
class Roots {
public:
  explicit Roots(int64_t n)
      : n(n), step(std::max<int64_t>(1, static_cast<int64_t>(std::sqrt(static_cast<double>(n))))) {
    for (int64_t k = 0; k != step; ++k)
      fine.push_back(at(k));
    for (int64_t k = 0; k <= n / step; ++k)
      coarse.push_back(at(k * step));
  }
  std::complex<double> operator[](int64_t k) const {
    const std::complex<double> a = fine[k % step], b = coarse[k / step];
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

private:
  std::complex<double> at(int64_t k) const {
    return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  }
  int64_t n, step;
  std::vector<std::complex<double>> fine, coarse;
};

/// The passes of a length whose prime factors are radices.
template <typename T> class Passes {
public:
  static bool canDo(int64_t n) {
    for (int radix : {2, 3, 5, 7, 11, 13})
      while (n % radix == 0)
        n /= radix;
    return n == 1;
  }

  explicit Passes(int64_t n) {
    const Roots roots(n);
    std::vector<int> radices;
    for (int64_t left = n; int radix : {8, 4, 2, 3, 5, 7, 11, 13})
      for (; left % radix == 0; left /= radix)
        radices.push_back(radix);
    size_t total = 0;
    int64_t length = n;
    for (int radix : radices) {
      total += 2 * (radix - 1) * (length / radix) + 2 * radix;
      length /= radix;
    }
    table.reserve(total); // stages point into it
    length = n;
    for (int radix : radices) {
      const int64_t count = length / radix, turn = n / length;
      const T *twiddles = table.data() + table.size();
      for (int k = 1; k != radix; ++k) {
        for (int64_t p = 0; p != count; ++p)
          table.push_back(static_cast<T>(roots[p * k * turn].real()));
        for (int64_t p = 0; p != count; ++p)
          table.push_back(static_cast<T>(roots[p * k * turn].imag()));
      }
      const T *own = table.data() + table.size();
      for (int k = 0; k != radix; ++k) {
        table.push_back(static_cast<T>(roots[k * (n / radix)].real()));
        table.push_back(static_cast<T>(roots[k * (n / radix)].imag()));
      }
      stages.push_back({radix, count, twiddles, own});
      length = count;
    }
  }

  std::vector<fft::Stage<T>> stages;

private:
  std::vector<T> table;
};

/// What transforms of one length share. Forward; backward is the same with real and imaginary parts exchanged.
template <typename T> class Plan {
public:
  explicit Plan(int64_t n)
      : n(n), padded(Passes<T>::canDo(n) ? n : static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * n - 1)))),
        passes(padded) {
    if (padded == n)
      return;
    std::vector<T> planes(4 * padded);
    for (int64_t k = 0; k != n; ++k) {
      const auto square =
          static_cast<double>(static_cast<uint64_t>(k) * static_cast<uint64_t>(k) % static_cast<uint64_t>(2 * n));
      const auto turn = std::polar(1.0, -std::numbers::pi * square / static_cast<double>(n));
      chirp.push_back({static_cast<T>(turn.real()), static_cast<T>(turn.imag())});
      for (int64_t at : {k, (padded - k) % padded})
        planes[at] = chirp[k].real(), planes[padded + at] = -chirp[k].imag();
    }
    const fft::Planes<T> both = planesAt(planes.data(), 1);
    const int end = run(both, 1);
    for (int64_t k = 0; k != padded; ++k)
      kernel.push_back({both.re[end][k] / static_cast<T>(padded), both.im[end][k] / static_cast<T>(padded)});
  }

  const int64_t n, padded;
  /// Elements of the storage for `batch` transforms.
  int64_t storage(int64_t batch) const { return 4 * padded * batch; }
  fft::Planes<T> planesAt(T *data, int64_t batch) const {
    const int64_t size = padded * batch;
    return {{data, data + 2 * size}, {data + size, data + 3 * size}};
  }

  /// From the first pair of planes; returns which pair holds the result.
  int transform(fft::Planes<T> planes, int64_t batch) const {
    if (padded == n)
      return run(planes, batch);
    multiply(planes.re[0], planes.im[0], chirp, n, batch);
    std::fill(planes.re[0] + n * batch, planes.re[0] + padded * batch, T(0));
    std::fill(planes.im[0] + n * batch, planes.im[0] + padded * batch, T(0));
    int end = run(planes, batch);
    multiply(planes.re[end], planes.im[end], kernel, padded, batch);
    // Backward, with the parts exchanged.
    const fft::Planes<T> exchanged{{planes.im[end], planes.im[1 - end]}, {planes.re[end], planes.re[1 - end]}};
    end = run(exchanged, batch) ? 1 - end : end;
    multiply(planes.re[end], planes.im[end], chirp, n, batch);
    return end;
  }

private:
  int run(const fft::Planes<T> &planes, int64_t batch) const {
    fft::transform<T>()(passes.stages, planes, batch);
    return passes.stages.size() % 2;
  }
  static void multiply(T *re, T *im, const std::vector<std::complex<T>> &factors, int64_t count, int64_t batch) {
    for (int64_t k = 0; k != count; ++k)
      for (int64_t b = 0; b != batch; ++b) {
        T &x = re[k * batch + b], &y = im[k * batch + b];
        const T r = x * factors[k].real() - y * factors[k].imag(), i = x * factors[k].imag() + y * factors[k].real();
        x = r, y = i;
      }
  }

  Passes<T> passes;
  std::vector<std::complex<T>> chirp, kernel; ///< Bluestein's factors and the transformed kernel, scaled.
};

/// Plans of short lengths, which take as long to make as some transforms; the last ones that were used.
template <typename T> class PlanCache {
public:
  std::shared_ptr<const Plan<T>> get(int64_t n) {
    constexpr int64_t longest = 1 << 14;
    constexpr size_t most = 8;
    if (n > longest)
      return std::make_shared<const Plan<T>>(n);
    const std::scoped_lock lock(mutex);
    auto found = llvm::find_if(plans, [&](const auto &plan) { return plan->n == n; });
    std::shared_ptr<const Plan<T>> plan = found != plans.end() ? *found : std::make_shared<const Plan<T>>(n);
    if (found != plans.end())
      plans.erase(found);
    else if (plans.size() == most)
      plans.erase(plans.begin());
    plans.push_back(plan);
    return plan;
  }

private:
  std::mutex mutex;
  std::vector<std::shared_ptr<const Plan<T>>> plans;
};

template <typename T> std::shared_ptr<const Plan<T>> planFor(int64_t n) {
  static PlanCache<T> cache;
  return cache.get(n);
}

/// How many of `lines` are transformed side by side: as many as fit beside each other in the caches.
int64_t batchFor(int64_t n, int64_t lines) {
  constexpr int64_t most = 16, mostElements = 1 << 15;
  return std::clamp<int64_t>(std::min(lines, mostElements / n), 1, most);
}
} // namespace

/// Calls fn(first line, count, planes) for batches of lines, which writes them into the first planes, and then
/// done(first line, count, re, im).
template <typename T, class Fill, class Done> static void forBatches(int64_t n, int64_t lines, Fill fill, Done done) {
  const std::shared_ptr<const Plan<T>> plan = planFor<T>(n);
  const int64_t most = batchFor(plan->padded, lines), batches = (lines + most - 1) / most;
  parallelFor(0, batches, std::max<int64_t>(1, 4096 / (n * most)), [&](int64_t begin, int64_t end) {
    std::vector<T> storage(plan->storage(most));
    for (int64_t i = begin; i != end; ++i) {
      const int64_t first = i * most, count = std::min(most, lines - first);
      const fft::Planes<T> planes = plan->planesAt(storage.data(), count);
      fill(first, count, planes.re[0], planes.im[0]);
      const int at = plan->transform(planes, count);
      done(first, count, planes.re[at], planes.im[at]);
    }
  });
}

template <typename T> static void transformLines(const Tensor &x, int64_t dim, FftDirection direction) {
  const int64_t n = x.size(dim);
  int64_t inner = 1;
  for (int64_t d = dim + 1; d < x.dim(); ++d)
    inner *= x.size(d);
  T *data = reinterpret_cast<T *>(x.mutableData<std::complex<T>>());
  auto line = [&](int64_t i) { return data + 2 * (i / inner * n * inner + i % inner); };
  const bool isForward = direction == FftDirection::Forward;
  forBatches<T>(
      n, x.numel() / n,
      [&](int64_t first, int64_t count, T *re, T *im) {
        if (!isForward)
          std::swap(re, im);
        for (int64_t b = 0; b != count; ++b)
          for (int64_t k = 0, base = 0; k != n; ++k, base += 2 * inner)
            re[k * count + b] = line(first + b)[base], im[k * count + b] = line(first + b)[base + 1];
      },
      [&](int64_t first, int64_t count, const T *re, const T *im) {
        if (!isForward)
          std::swap(re, im);
        for (int64_t b = 0; b != count; ++b)
          for (int64_t k = 0, base = 0; k != n; ++k, base += 2 * inner)
            line(first + b)[base] = re[k * count + b], line(first + b)[base + 1] = im[k * count + b];
      });
}

Status tsc::cpu::transformAlong(const Tensor &x, int64_t dim, FftDirection direction) {
  if (x.size(dim) <= 1 || x.numel() == 0)
    return okStatus();
  x.dtype() == DType::ComplexFloat ? transformLines<float>(x, dim, direction)
                                   : transformLines<double>(x, dim, direction);
  return okStatus();
}

/// Two rows a line: one is its real, the other its imaginary part, and their transforms are told apart by symmetry.
template <typename T> static void transformRealRows(const T *from, std::complex<T> *to, int64_t n, int64_t rows) {
  const int64_t half = n / 2 + 1;
  forBatches<T>(
      n, (rows + 1) / 2,
      [&](int64_t first, int64_t count, T *re, T *im) {
        const T *begin = from + 2 * first * n;
        const int64_t pairs = std::min(count, (rows - 2 * first) / 2);
        fft::transpose<T>()(begin, 2 * n, re, count, count, n);
        fft::transpose<T>()(begin + n, 2 * n, im, count, pairs, n);
        for (int64_t k = 0; k != n && pairs != count; ++k) // the last one is alone
          im[k * count + pairs] = 0;
      },
      [&](int64_t first, int64_t count, const T *re, const T *im) {
        for (int64_t b = 0; b != count; ++b) {
          std::complex<T> *one = to + 2 * (first + b) * half;
          std::complex<T> *other = 2 * (first + b) + 1 < rows ? one + half : nullptr;
          for (int64_t k = 0; k != half; ++k) {
            const int64_t here = k * count + b, there = (k ? n - k : 0) * count + b;
            one[k] = {(re[here] + re[there]) / 2, (im[here] - im[there]) / 2};
            if (other)
              other[k] = {(im[here] + im[there]) / 2, (re[there] - re[here]) / 2};
          }
        }
      });
}

StatusOr<Tensor> tsc::cpu::transformReal(const Tensor &rows) {
  const int64_t n = rows.sizes().back();
  Dims shape(rows.sizes());
  shape.back() = n / 2 + 1;
  const bool isFloat = rows.dtype() == DType::Float;
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(shape, isFloat ? DType::ComplexFloat : DType::ComplexDouble));
  const int64_t count = rows.numel() / n;
  if (count == 0)
    return out;
  isFloat ? transformRealRows(rows.data<float>(), out.mutableData<std::complex<float>>(), n, count)
          : transformRealRows(rows.data<double>(), out.mutableData<std::complex<double>>(), n, count);
  return out;
}

template <typename T>
static void transformHermitianRows(const std::complex<T> *from, int64_t step, T *to, int64_t n, int64_t rows) {
  const int64_t half = n / 2 + 1;
  forBatches<T>(
      n, (rows + 1) / 2,
      [&](int64_t first, int64_t count, T *im, T *re) { // exchanged: backward
        for (int64_t b = 0; b != count; ++b) {
          const std::complex<T> *one = from + 2 * (first + b) * step;
          const std::complex<T> *other = 2 * (first + b) + 1 < rows ? one + step : nullptr;
          for (int64_t k = 0; k != half; ++k) {
            const bool isReal = k == 0 || 2 * k == n;
            const T a = one[k].real(), c = isReal ? 0 : one[k].imag();
            const T d = other ? other[k].real() : 0, e = other && !isReal ? other[k].imag() : 0;
            re[k * count + b] = a - e, im[k * count + b] = c + d;
            if (!isReal)
              re[(n - k) * count + b] = a + e, im[(n - k) * count + b] = d - c;
          }
        }
      },
      [&](int64_t first, int64_t count, const T *im, const T *re) {
        T *begin = to + 2 * first * n;
        fft::transpose<T>()(re, count, begin, 2 * n, n, count);
        fft::transpose<T>()(im, count, begin + n, 2 * n, n, std::min(count, (rows - 2 * first) / 2));
      });
}

StatusOr<Tensor> tsc::cpu::transformHermitian(const Tensor &rows, int64_t n) {
  Dims shape(rows.sizes());
  const int64_t step = shape.back();
  shape.back() = n;
  const bool isFloat = rows.dtype() == DType::ComplexFloat;
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(shape, isFloat ? DType::Float : DType::Double));
  const int64_t count = step ? rows.numel() / step : 0;
  if (count == 0)
    return out;
  isFloat ? transformHermitianRows(rows.data<std::complex<float>>(), step, out.mutableData<float>(), n, count)
          : transformHermitianRows(rows.data<std::complex<double>>(), step, out.mutableData<double>(), n, count);
  return out;
}
