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
#include "tsc/Kernels/Copy.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/ForkSafety.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Allocator.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/MemoryAccount.h"
#include <atomic>
#include <bit>
#include <cmath>
#include <complex>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>

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
        const bool whole = fft::inPieces(count,
                                         [&](int64_t begin, int64_t end) {
                                           for (int64_t p = begin; p != end; ++p)
                                             table.push_back(static_cast<T>(roots[p * k * turn].real()));
                                         }) &&
                           fft::inPieces(count, [&](int64_t begin, int64_t end) {
                             for (int64_t p = begin; p != end; ++p)
                               table.push_back(static_cast<T>(roots[p * k * turn].imag()));
                           });
        if (!whole)
          return;
      }
      const T *own = table.data() + table.size();
      for (int k = 0; k != radix; ++k) {
        table.push_back(static_cast<T>(roots[k * (n / radix)].real()));
        table.push_back(static_cast<T>(roots[k * (n / radix)].imag()));
      }
      stages.push_back({radix, count, twiddles, own});
      length = count;
    }
    isWhole = true;
  }

  std::vector<fft::Stage<T>> stages;
  bool isWhole = false; ///< Not where the call was to end first: then they are of no use.

private:
  std::vector<T> table;
};

/// A growing list of complex numbers whose real and imaginary parts are in arrays of their own.
template <typename T> struct SplitComplex {
  std::vector<T> re, im;

  void reserve(int64_t count) { re.reserve(count), im.reserve(count); }
  void push_back(T real, T imaginary) { re.push_back(real), im.push_back(imaginary); }
};

/// Multiplies each number by a factor of its own.
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE void multiplyEach(T *re, T *im, const T *factorRe, const T *factorIm, int64_t count) {
  for (int64_t k = 0; k < count; ++k) {
    const T real = re[k] * factorRe[k] - im[k] * factorIm[k];
    im[k] = re[k] * factorIm[k] + im[k] * factorRe[k];
    re[k] = real;
  }
}

/// What transforms of one length share. Forward; backward is the same with real and imaginary parts exchanged.
template <typename T> class Plan {
public:
  /// Null where the call was to end before the plan was whole.
  static std::shared_ptr<const Plan> make(int64_t n) {
    auto plan = std::make_shared<Plan>(n);
    return plan->passes.isWhole && plan->findFactors() ? plan : nullptr;
  }
  explicit Plan(int64_t n) : n(n), padded(paddedLength(n)), passes(padded) {} ///< For make().

  /// The length of the passes for a transform of length n.
  static int64_t paddedLength(int64_t n) {
    return Passes<T>::canDo(n) ? n : static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * n - 1)));
  }
  /// Bytes that a plan takes at most while it is made: the tables of the passes, and what Bluestein's factors need.
  static double bytesFor(int64_t n) {
    const int64_t padded = paddedLength(n);
    const auto length = static_cast<double>(n), passes = static_cast<double>(padded);
    return static_cast<double>(sizeof(T)) * (padded == n ? 2 * passes : 8 * passes + 2 * length);
  }

  const int64_t n, padded;
  /// Elements of the storage for `batch` transforms.
  int64_t storage(int64_t batch) const { return 4 * padded * batch; }
  fft::Planes<T> planesAt(T *data, int64_t batch) const {
    const int64_t size = padded * batch;
    return {{data, data + 2 * size}, {data + size, data + 3 * size}};
  }

  /// From the first pair of planes; returns which pair holds the result, or nothing where the call was to end first.
  std::optional<int> transform(fft::Planes<T> planes, int64_t batch) const {
    const int swaps = passes.stages.size() % 2;
    if (padded == n)
      return run(planes, batch) ? std::optional(swaps) : std::nullopt;
    if (!multiply(planes.re[0], planes.im[0], chirp, n, batch) ||
        !clear(planes.re[0] + n * batch, (padded - n) * batch) ||
        !clear(planes.im[0] + n * batch, (padded - n) * batch) || !run(planes, batch) ||
        !multiply(planes.re[swaps], planes.im[swaps], kernel, padded, batch))
      return std::nullopt;
    // Backward, with the parts exchanged; it ends in the first pair, where it began or is swapped back to.
    const fft::Planes<T> exchanged{{planes.im[swaps], planes.im[1 - swaps]}, {planes.re[swaps], planes.re[1 - swaps]}};
    if (!run(exchanged, batch) || !multiply(planes.re[0], planes.im[0], chirp, n, batch))
      return std::nullopt;
    return 0;
  }

private:
  /// Bluestein's factors, where there are any; false where the call was to end first.
  bool findFactors() {
    if (padded == n)
      return true;
    const auto planes = std::make_unique_for_overwrite<T[]>(4 * padded); // zeros would take long
    chirp.reserve(n);
    const auto findChirp = [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k != end; ++k) {
        const auto square =
            static_cast<double>(static_cast<uint64_t>(k) * static_cast<uint64_t>(k) % static_cast<uint64_t>(2 * n));
        const auto turn = std::polar(1.0, -std::numbers::pi * square / static_cast<double>(n));
        chirp.push_back(static_cast<T>(turn.real()), static_cast<T>(turn.imag()));
      }
    };
    const fft::Planes<T> both = planesAt(planes.get(), 1);
    const auto mirror = [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k != end; ++k)
        for (int64_t at : {k, (padded - k) % padded})
          both.re[0][at] = chirp.re[k], both.im[0][at] = -chirp.im[k];
    };
    const int64_t between = padded - 2 * n + 1;
    if (!fft::inPieces(n, findChirp) || !fft::inPieces(n, mirror) || !clear(both.re[0] + n, between) ||
        !clear(both.im[0] + n, between) || !run(both, 1))
      return false;
    const int at = passes.stages.size() % 2;
    kernel.reserve(padded);
    return fft::inPieces(padded, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k != end; ++k)
        kernel.push_back(both.re[at][k] / static_cast<T>(padded), both.im[at][k] / static_cast<T>(padded));
    });
  }

  // Each is false where the call was to end first.
  bool run(const fft::Planes<T> &planes, int64_t batch) const {
    return fft::kernels<T>().transform(passes.stages, planes, batch);
  }
  static bool clear(T *at, int64_t count) {
    return fft::inPieces(count, [&](int64_t begin, int64_t end) { std::fill(at + begin, at + end, T(0)); });
  }
  static bool multiply(T *re, T *im, const SplitComplex<T> &factors, int64_t count, int64_t batch) {
    return fft::inPieces(count, [&](int64_t begin, int64_t end) {
      if (batch == 1)
        return atSimdLevel<multiplyEach<T>, Overlap::None>(re + begin, im + begin, &factors.re[begin],
                                                           &factors.im[begin], end - begin);
      for (int64_t k = begin; k != end; ++k)
        for (int64_t b = 0; b != batch; ++b) {
          T &x = re[k * batch + b], &y = im[k * batch + b];
          const T r = x * factors.re[k] - y * factors.im[k], i = x * factors.im[k] + y * factors.re[k];
          x = r, y = i;
        }
    });
  }

  Passes<T> passes;
  SplitComplex<T> chirp, kernel; ///< Bluestein's factors and the transformed kernel, scaled.
};

/// Plans of short lengths, which take as long to make as some transforms; the last ones that were used.
template <typename T> class PlanCache {
public:
  /// The longest length whose plan outlives the call.
  static constexpr int64_t longest = 1 << 14;

  /// Null where the call was to end first.
  std::shared_ptr<const Plan<T>> get(int64_t n) {
    constexpr size_t most = 8;
    if (n > longest)
      return Plan<T>::make(n);
    const std::scoped_lock lock(mutex);
    auto found = llvm::find_if(plans, [&](const auto &plan) { return plan->n == n; });
    std::shared_ptr<const Plan<T>> plan = found != plans.end() ? *found : Plan<T>::make(n);
    if (!plan)
      return nullptr;
    if (found != plans.end())
      plans.erase(found);
    else if (plans.size() == most)
      plans.erase(plans.begin());
    plans.push_back(plan);
    return plan;
  }

private:
  std::mutex &mutex = makeForkSafeMutex();
  std::vector<std::shared_ptr<const Plan<T>>> plans;
};

template <typename T> std::shared_ptr<const Plan<T>> planFor(int64_t n) {
  static PlanCache<T> cache;
  return cache.get(n);
}

/// How lines lie in memory, which are transformed side by side or one by one.
enum class Lines { Rows, Columns };
/// How many of `lines` are transformed side by side: as many as fit beside each other in the caches. A row of some
/// length fills vectors alone, and stays in the nearest cache.
template <typename T> int64_t batchFor(const Plan<T> &plan, int64_t lines, Lines lie) {
  constexpr int64_t most = 16, mostElements = 1 << 15, longRow = 512 / sizeof(T);
  if (lie == Lines::Rows && plan.padded >= longRow && plan.padded % 8 == 0)
    return 1;
  return std::clamp<int64_t>(std::min(lines, mostElements / plan.padded), 1, most);
}
} // namespace

/// Counts bytes in the account of the call until `counted` goes.
static Status countIn(memory::CountedBytes &counted, double bytes) {
  const auto whole = static_cast<size_t>(std::min(bytes, 0x1p62));
  if (!memory::hasRoom(whole))
    return outOfMemory();
  counted.set(whole);
  return okStatus();
}

/// Calls fill(first line, count, planes) for batches of lines, which writes them into the first planes, and then
/// done(first line, count, planes, result), after which nothing is read from any. The call is looked at between them,
/// and between the pieces of a long line; fill and done are false where it was to end first.
template <typename T, class Fill, class Done>
static Status forBatches(int64_t n, int64_t lines, Lines lie, Fill fill, Done done) {
  if (n * lines >= work::operationsInStep) {
    const auto length = static_cast<double>(Plan<T>::paddedLength(n));
    work::countMultiplications(2 * length * std::log2(length) * static_cast<double>(lines));
  }
  if (work::wasStopped())
    return work::stopped();
  memory::CountedBytes ofPlan, ofOthers;
  if (n > PlanCache<T>::longest)
    TSC_RETURN_IF_ERROR(countIn(ofPlan, Plan<T>::bytesFor(n)));
  const std::shared_ptr<const Plan<T>> plan = planFor<T>(n);
  if (!plan)
    return work::stopped();
  const int64_t most = batchFor(*plan, lines, lie), batches = (lines + most - 1) / most;
  const size_t bytes = plan->storage(most) * sizeof(T);
  // What this thread takes is counted by the allocator; other threads have no account.
  if (const Executor *executor = currentExecutor())
    TSC_RETURN_IF_ERROR(
        countIn(ofOthers, static_cast<double>(bytes) *
                              static_cast<double>(std::min<int64_t>(executor->concurrency(), batches) - 1)));
  std::atomic<bool> hasMemory = true, isWhole = true;
  parallelFor(0, batches, std::max<int64_t>(1, 4096 / (n * most)), [&](int64_t begin, int64_t end) {
    const memory::Block storage = memory::allocate(bytes);
    if (!storage.data) {
      hasMemory = false;
      return;
    }
    auto transform = [&](int64_t first, int64_t count) {
      const fft::Planes<T> planes = plan->planesAt(static_cast<T *>(storage.data), count);
      if (work::wasStopped() || !fill(first, count, planes))
        return false;
      const std::optional<int> at = plan->transform(planes, count);
      return at && done(first, count, planes, *at);
    };
    for (int64_t i = begin; i != end; ++i)
      if (!transform(i * most, std::min(most, lines - i * most))) {
        isWhole = false;
        break;
      }
    memory::deallocate(storage.data, storage.capacity);
  });
  if (!hasMemory)
    return outOfMemory();
  return isWhole ? okStatus() : work::stopped();
}

template <typename T> static fft::Planes<T> exchanged(const fft::Planes<T> &planes) {
  return {{planes.im[0], planes.im[1]}, {planes.re[0], planes.re[1]}};
}

template <typename T> static Status transformLines(const Tensor &x, int64_t dim, FftDirection direction) {
  const int64_t n = x.size(dim);
  int64_t inner = 1;
  for (int64_t d = dim + 1; d < x.dim(); ++d)
    inner *= x.size(d);
  const fft::Kernels<T> &kernels = fft::kernels<T>();
  T *data = reinterpret_cast<T *>(x.mutableData<std::complex<T>>());
  auto line = [&](int64_t i) { return data + 2 * (i / inner * n * inner + i % inner); };
  const bool isForward = direction == FftDirection::Forward;
  // Columns that are neighbours in memory.
  auto areNeighbours = [&](int64_t first, int64_t count) { return first % inner + count <= inner; };
  return forBatches<T>(
      n, x.numel() / n, inner == 1 ? Lines::Rows : Lines::Columns,
      [&](int64_t first, int64_t count, fft::Planes<T> planes) {
        if (!isForward)
          planes = exchanged(planes);
        if (inner == 1 && count == 1)
          return fft::inPieces(n, [&](int64_t begin, int64_t end) {
            kernels.separate(line(first) + 2 * begin, planes.re[0] + begin, planes.im[0] + begin, end - begin);
          });
        if (inner == 1) {
          kernels.separate(line(first), planes.re[1], planes.im[1], n * count);
          kernels.transpose(planes.re[1], n, planes.re[0], count, count, n);
          kernels.transpose(planes.im[1], n, planes.im[0], count, count, n);
          return true;
        }
        return fft::inPieces(n, [&](int64_t begin, int64_t end) {
          if (areNeighbours(first, count)) {
            for (int64_t k = begin; k != end; ++k)
              kernels.separate(line(first) + 2 * k * inner, planes.re[0] + k * count, planes.im[0] + k * count, count);
            return;
          }
          for (int64_t b = 0; b != count; ++b)
            for (int64_t k = begin; k != end; ++k) {
              const T *from = line(first + b) + 2 * k * inner;
              planes.re[0][k * count + b] = from[0], planes.im[0][k * count + b] = from[1];
            }
        });
      },
      [&](int64_t first, int64_t count, fft::Planes<T> planes, int at) {
        if (!isForward)
          planes = exchanged(planes);
        const T *re = planes.re[at], *im = planes.im[at];
        if (inner == 1 && count == 1)
          return fft::inPieces(n, [&](int64_t begin, int64_t end) {
            kernels.join(re + begin, im + begin, line(first) + 2 * begin, end - begin);
          });
        if (inner == 1) {
          kernels.transpose(re, count, planes.re[1 - at], n, n, count);
          kernels.transpose(im, count, planes.im[1 - at], n, n, count);
          kernels.join(planes.re[1 - at], planes.im[1 - at], line(first), n * count);
          return true;
        }
        return fft::inPieces(n, [&](int64_t begin, int64_t end) {
          if (areNeighbours(first, count)) {
            for (int64_t k = begin; k != end; ++k)
              kernels.join(re + k * count, im + k * count, line(first) + 2 * k * inner, count);
            return;
          }
          for (int64_t b = 0; b != count; ++b)
            for (int64_t k = begin; k != end; ++k) {
              T *to = line(first + b) + 2 * k * inner;
              to[0] = re[k * count + b], to[1] = im[k * count + b];
            }
        });
      });
}

Status tsc::cpu::transformAlong(const Tensor &x, int64_t dim, FftDirection direction) {
  assert(x.isContiguous() && !isLazy(x) && "elements are transformed where they are");
  assert((x.dtype() == DType::ComplexFloat || x.dtype() == DType::ComplexDouble) &&
         "complex numbers of floats or doubles");
  if (x.size(dim) <= 1 || x.numel() == 0)
    return okStatus();
  return x.dtype() == DType::ComplexFloat ? transformLines<float>(x, dim, direction)
                                          : transformLines<double>(x, dim, direction);
}

/// Two rows a line: one is its real, the other its imaginary part, and their transforms are told apart by symmetry.
template <typename T> static Status transformRealRows(const T *from, std::complex<T> *to, int64_t n, int64_t rows) {
  const int64_t half = n / 2 + 1;
  const fft::Kernels<T> &kernels = fft::kernels<T>();
  return forBatches<T>(
      n, (rows + 1) / 2, Lines::Rows,
      [&](int64_t first, int64_t count, const fft::Planes<T> &planes) {
        T *re = planes.re[0], *im = planes.im[0];
        const T *begin = from + 2 * first * n;
        const int64_t pairs = std::min(count, (rows - 2 * first) / 2);
        if (count == 1)
          return fft::inPieces(n, [&](int64_t k, int64_t end) {
            std::copy(begin + k, begin + end, re + k);
            pairs ? std::copy(begin + n + k, begin + n + end, im + k) : std::fill_n(im + k, end - k, T(0));
          });
        kernels.transpose(begin, 2 * n, re, count, count, n);
        kernels.transpose(begin + n, 2 * n, im, count, pairs, n);
        for (int64_t k = 0; k != n && pairs != count; ++k) // the last one is alone
          im[k * count + pairs] = 0;
        return true;
      },
      [&](int64_t first, int64_t count, const fft::Planes<T> &planes, int at) {
        const T *re = planes.re[at], *im = planes.im[at];
        if (count != 1) {
          kernels.transpose(re, count, planes.re[1 - at], n, n, count);
          kernels.transpose(im, count, planes.im[1 - at], n, n, count);
          re = planes.re[1 - at], im = planes.im[1 - at];
        }
        for (int64_t b = 0; b != count; ++b, re += n, im += n) {
          T *one = reinterpret_cast<T *>(to + 2 * (first + b) * half);
          T *other = 2 * (first + b) + 1 < rows ? one + 2 * half : nullptr;
          if (!fft::inPieces(
                  half, [&](int64_t begin, int64_t end) { kernels.separateReal(re, im, n, begin, end, one, other); }))
            return false;
        }
        return true;
      });
}

StatusOr<Tensor> tsc::cpu::transformReal(const Tensor &rows) {
  assert(rows.isContiguous() && !isLazy(rows) && "rows are read as they lie");
  assert((rows.dtype() == DType::Float || rows.dtype() == DType::Double) && "real numbers of one of the two types");
  assert(rows.dim() >= 1 && rows.sizes().back() >= 1 && "a transform has elements");
  const int64_t n = rows.sizes().back();
  Dims shape(rows.sizes());
  shape.back() = n / 2 + 1;
  const bool isFloat = rows.dtype() == DType::Float;
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(shape, isFloat ? DType::ComplexFloat : DType::ComplexDouble));
  const int64_t count = rows.numel() / n;
  if (count == 0)
    return out;
  TSC_RETURN_IF_ERROR(isFloat
                          ? transformRealRows(rows.data<float>(), out.mutableData<std::complex<float>>(), n, count)
                          : transformRealRows(rows.data<double>(), out.mutableData<std::complex<double>>(), n, count));
  return out;
}

template <typename T>
static Status transformHermitianRows(const std::complex<T> *from, int64_t step, T *to, int64_t n, int64_t rows) {
  const fft::Kernels<T> &kernels = fft::kernels<T>();
  return forBatches<T>(
      n, (rows + 1) / 2, Lines::Rows,
      [&](int64_t first, int64_t count, fft::Planes<T> planes) {
        planes = exchanged(planes); // backward
        const int into = count == 1 ? 0 : 1;
        for (int64_t b = 0; b != count; ++b) {
          const T *one = reinterpret_cast<const T *>(from + 2 * (first + b) * step);
          const T *other = 2 * (first + b) + 1 < rows ? one + 2 * step : nullptr;
          T *re = planes.re[into] + b * n, *im = planes.im[into] + b * n;
          if (!fft::inPieces(n / 2 + 1, [&](int64_t begin, int64_t end) {
                kernels.joinHermitian(one, other, n, begin, end, re, im);
              }))
            return false;
        }
        if (count == 1)
          return true;
        kernels.transpose(planes.re[1], n, planes.re[0], count, count, n);
        kernels.transpose(planes.im[1], n, planes.im[0], count, count, n);
        return true;
      },
      [&](int64_t first, int64_t count, fft::Planes<T> planes, int at) {
        planes = exchanged(planes);
        const T *re = planes.re[at], *im = planes.im[at];
        T *begin = to + 2 * first * n;
        const int64_t pairs = std::min(count, (rows - 2 * first) / 2);
        if (count == 1)
          return fft::inPieces(n, [&](int64_t k, int64_t end) {
            std::copy(re + k, re + end, begin + k);
            if (pairs)
              std::copy(im + k, im + end, begin + n + k);
          });
        kernels.transpose(re, count, begin, 2 * n, n, count);
        kernels.transpose(im, count, begin + n, 2 * n, n, pairs);
        return true;
      });
}

StatusOr<Tensor> tsc::cpu::transformHermitian(const Tensor &rows, int64_t n) {
  assert(rows.isContiguous() && !isLazy(rows) && "rows are read as they lie");
  assert((rows.dtype() == DType::ComplexFloat || rows.dtype() == DType::ComplexDouble) &&
         "complex numbers of floats or doubles");
  assert(n >= 1 && rows.dim() >= 1 && rows.sizes().back() > n / 2 && "half of a spectrum");
  Dims shape(rows.sizes());
  const int64_t step = shape.back();
  shape.back() = n;
  const bool isFloat = rows.dtype() == DType::ComplexFloat;
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(shape, isFloat ? DType::Float : DType::Double));
  const int64_t count = step ? rows.numel() / step : 0;
  if (count == 0)
    return out;
  TSC_RETURN_IF_ERROR(
      isFloat ? transformHermitianRows(rows.data<std::complex<float>>(), step, out.mutableData<float>(), n, count)
              : transformHermitianRows(rows.data<std::complex<double>>(), step, out.mutableData<double>(), n, count));
  return out;
}
