//===- Upsample.cpp - Resizing by interpolation ---------------------------===//
//
// All modes are separable: along each dimension an output element is a weighted sum
// of a few input elements. A mode is a table of (first element, weights) for each
// output position; one pass for each dimension applies it.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Upsample.h"
#include "Indexing/Slices.h"
#include "Support/Compute.h"
#include "Support/MemoryFormats.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/MemoryAccount.h"
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

using namespace tsc;
using namespace tsc::cpu;

namespace {
/// Output position i is the sum of weights[i][j] * input[indices[i][j]].
struct Taps {
  int64_t width = 0; ///< Taps of a position; unused ones weigh 0.
  std::vector<int64_t> indices;
  std::vector<double> weights;
};
using OptScale = std::optional<double>;
} // namespace

/// Input elements for one output element, as PyTorch computes it in the type of the data.
template <typename T> static T areaScale(int64_t in, int64_t out, bool alignCorners, OptScale scale) {
  if (alignCorners)
    return out > 1 ? static_cast<T>(in - 1) / static_cast<T>(out - 1) : T(0);
  return scale && *scale > 0 ? static_cast<T>(1.0 / *scale) : static_cast<T>(in) / static_cast<T>(out);
}

template <typename T> static T sourceIndex(T scale, int64_t i, bool alignCorners, bool cubic) {
  if (alignCorners)
    return scale * static_cast<T>(i);
  T source = scale * (static_cast<T>(i) + T(0.5)) - T(0.5);
  return !cubic && source < 0 ? T(0) : source;
}

/// Keys' cubic with the given parameter (-0.75 plain, -0.5 with antialiasing), at distance x.
static double cubicWeight(double x, double a) {
  x = std::fabs(x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2)
    return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}

/// sinc(x) * sinc(x / 3), where sinc(x) = sin(pi x) / (pi x): Lanczos' window of three lobes.
static double lanczosWeight(double x) {
  if (x == 0)
    return 1;
  if (std::fabs(x) >= 3)
    return 0;
  x *= std::numbers::pi;
  return 3 * std::sin(x) * std::sin(x / 3) / (x * x);
}

static bool isAntialiased(UpsampleMode mode) {
  return mode == UpsampleMode::LinearAA || mode == UpsampleMode::CubicAA || mode == UpsampleMode::LanczosAA;
}
/// How far a filter reaches, in elements of the coarser side.
static int reachOf(UpsampleMode mode) {
  return mode == UpsampleMode::LinearAA ? 1 : mode == UpsampleMode::CubicAA ? 2 : 3;
}
static double filterWeight(UpsampleMode mode, double x) {
  if (mode == UpsampleMode::CubicAA)
    return cubicWeight(x, -0.5);
  return mode == UpsampleMode::LanczosAA ? lanczosWeight(x) : std::max(0.0, 1 - std::fabs(x));
}

/// ResourceExhausted where the call has no memory for them: they may be more than the result.
static StatusOr<Taps> emptyTaps(int64_t out, int64_t width) {
  constexpr size_t bytesOfTap = sizeof(int64_t) + sizeof(double);
  size_t bytes;
  if (__builtin_mul_overflow(static_cast<size_t>(out) * bytesOfTap, static_cast<size_t>(width), &bytes) ||
      !memory::hasRoom(bytes))
    return resourceExhausted("no memory for the weights of " + llvm::Twine(out) + " positions");
  Taps taps;
  taps.width = width;
  taps.indices.assign(out * width, 0);
  taps.weights.assign(out * width, 0);
  return taps;
}

/// Whether a side that stays as long as it was is copied, whatever scale is given. PyTorch's cubic filter without
/// antialiasing goes by the scale.
static bool keepsEqualSides(UpsampleMode mode) { return mode == UpsampleMode::Linear || isAntialiased(mode); }

/// The whole part of a place, between 0 and `in`. A scale next to nothing puts it anywhere, and may make it NaN.
static int64_t placeWithin(double place, int64_t in) {
  return place > 0 ? static_cast<int64_t>(std::min(place, static_cast<double>(in))) : 0;
}

template <typename T>
static StatusOr<Taps> antialiased(UpsampleMode mode, int64_t in, int64_t out, bool alignCorners, OptScale scaleFactor) {
  T scale = areaScale<T>(in, out, alignCorners, scaleFactor);
  T support = static_cast<T>(reachOf(mode)) * (scale >= 1 ? scale : T(1)), inverse = scale >= 1 ? 1 / scale : T(1);
  const double reach = std::min<double>(std::ceil(support), static_cast<double>(in));
  TSC_ASSIGN_OR_RETURN(Taps taps, emptyTaps(out, std::min<int64_t>(in, static_cast<int64_t>(reach) * 2 + 1)));
  for (int64_t i = 0; i < out; ++i) {
    T center = scale * (static_cast<T>(i) + T(0.5));
    const int64_t first = placeWithin(center - support + T(0.5), in);
    int64_t count = placeWithin(center + support + T(0.5), in) - first;
    count = std::clamp<int64_t>(count, 0, taps.width);
    double total = 0;
    for (int64_t j = 0; j < count; ++j) {
      double x = (static_cast<T>(j + first) - center + T(0.5)) * inverse;
      double w = filterWeight(mode, x);
      taps.indices[i * taps.width + j] = first + j;
      taps.weights[i * taps.width + j] = w;
      total += w;
    }
    for (int64_t j = 0; j < count && total != 0; ++j)
      taps.weights[i * taps.width + j] /= total;
  }
  return taps;
}

template <typename T>
static StatusOr<Taps> tapsFor(UpsampleMode mode, int64_t in, int64_t out, bool alignCorners, OptScale scaleFactor) {
  if (isAntialiased(mode))
    return antialiased<T>(mode, in, out, alignCorners, scaleFactor);
  TSC_ASSIGN_OR_RETURN(Taps taps, emptyTaps(out, mode == UpsampleMode::Cubic    ? 4
                                                 : mode == UpsampleMode::Linear ? 2
                                                                                : 1));
  bool nearest = mode == UpsampleMode::Nearest || mode == UpsampleMode::NearestExact;
  for (int64_t i = 0; i < out; ++i) {
    int64_t *index = &taps.indices[i * taps.width];
    double *weight = &taps.weights[i * taps.width];
    if (nearest) { // float for every dtype
      float scale =
          scaleFactor && *scaleFactor > 0 ? static_cast<float>(1.0 / *scaleFactor) : static_cast<float>(in) / out;
      float position = mode == UpsampleMode::Nearest ? std::floor(i * scale) : std::floor((i + 0.5f) * scale);
      // No number where a scale without end is taken no times.
      index[0] = position > 0 ? static_cast<int64_t>(std::min<double>(position, static_cast<double>(in - 1))) : 0;
      weight[0] = 1;
      continue;
    }
    T scale = areaScale<T>(in, out, alignCorners, scaleFactor);
    T source = sourceIndex(scale, i, alignCorners, mode == UpsampleMode::Cubic);
    // A scale of next to nothing puts it anywhere.
    int64_t base = static_cast<int64_t>(std::clamp<double>(std::floor(source), -2, static_cast<double>(in) + 1));
    if (mode == UpsampleMode::Linear) {
      base = std::clamp<int64_t>(base, 0, in - 1);
      double t = std::clamp<double>(source - static_cast<T>(base), 0, 1);
      index[0] = base;
      index[1] = std::min(base + 1, in - 1);
      weight[0] = 1 - t;
      weight[1] = t;
      continue;
    }
    double t = source - static_cast<T>(base);
    for (int64_t j = 0; j < 4; ++j) {
      index[j] = std::clamp<int64_t>(base - 1 + j, 0, in - 1);
      weight[j] = cubicWeight(t + 1 - j, -0.75);
    }
  }
  return taps;
}

/// row = w * x, or row += w * x.
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void weightRow(T *__restrict row, const T *__restrict x, T w, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    row[i] = w * x[i];
}

template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void addWeightedRow(T *__restrict row, const T *__restrict x, T w, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    row[i] += w * x[i];
}

template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void weightRows(T *__restrict row, const T *__restrict x, T w,
                                                    const T *__restrict y, T v, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    row[i] = w * x[i] + v * y[i];
}

/// One position of `inner` neighbours. What has no weight is not read: it may be NaN.
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void applyTap(const Taps &taps, ArrayRef<T> weights, int64_t i, int64_t inner,
                                                  const T *from, T *row) {
  const int64_t *index = &taps.indices[i * taps.width];
  const T *weight = &weights[i * taps.width];
  if (inner == 1) {
    T sum = weight[0] * from[index[0]];
    for (int64_t j = 1; j < taps.width; ++j)
      if (weight[j] != 0)
        sum += weight[j] * from[index[j]];
    *row = sum;
    return;
  }
  const T *first = from + index[0] * inner;
  if (taps.width == 2 && weight[1] != 0)
    return atSimdLevel<weightRows<T>, Overlap::None>(row, first, weight[0], from + index[1] * inner, weight[1], inner);
  atSimdLevel<weightRow<T>, Overlap::None>(row, first, weight[0], inner);
  for (int64_t j = 1; j < taps.width; ++j)
    if (weight[j] != 0)
      atSimdLevel<addWeightedRow<T>, Overlap::None>(row, from + index[j] * inner, weight[j], inner);
}

/// Writes `count` positions of `inner` neighbours, each the weighted sum of two taps.
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void weightPairs(T *__restrict rows, const T *__restrict from,
                                                     const int64_t *__restrict index, const T *__restrict weight,
                                                     int64_t count, int64_t inner) {
  for (int64_t j = 0; j < count; ++j, rows += inner, index += 2, weight += 2) {
    const T *x = from + index[0] * inner, *y = from + index[1] * inner, w = weight[0], v = weight[1];
    for (int64_t i = 0; i < inner; ++i)
      rows[i] = w * x[i] + v * y[i];
  }
}

/// Whether every position has two taps that count.
template <typename T> static bool arePairs(const Taps &taps, ArrayRef<T> weights) {
  if (taps.width != 2)
    return false;
  for (size_t i = 1; i < weights.size(); i += 2)
    if (weights[i] == 0)
      return false;
  return true;
}

/// Writes all `out` positions of a row, of `inner` neighbours each. `pairs` is the result of arePairs.
template <typename T>
static void applyTapsToRow(const Taps &taps, ArrayRef<T> weights, bool pairs, int64_t out, int64_t inner, const T *from,
                           T *to) {
  if (pairs && inner > 1)
    return atSimdLevel<weightPairs<T>, Overlap::None>(to, from, taps.indices.data(), weights.data(), out, inner);
  for (int64_t i = 0; i < out; ++i)
    applyTap<T>(taps, weights, i, inner, from, to + i * inner);
}

/// Positions that have two taps, as vectors of them: where w is 0 the second one does not count, which may be NaN.
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void applyPairs(T *__restrict row, const T *from, const int32_t *__restrict left,
                                                    const int32_t *__restrict right, const T *__restrict v,
                                                    const T *__restrict w, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const T one = v[i] * from[left[i]], both = one + w[i] * from[right[i]];
    row[i] = w[i] == 0 ? one : both;
  }
}

/// Single elements of a few rows `in` and `out` apart: weights are loaded once for all, and no sum waits for another.
template <int rows, typename T>
static void applyTapsToRows(const Taps &taps, ArrayRef<T> weights, int64_t in, int64_t out, const T *from, T *to) {
  for (int64_t i = 0; i < out; ++i) {
    const int64_t *index = &taps.indices[i * taps.width];
    const T *weight = &weights[i * taps.width];
    T sums[rows];
    for (int r = 0; r != rows; ++r)
      sums[r] = weight[0] * from[r * in + index[0]];
    for (int64_t j = 1; j < taps.width; ++j)
      if (weight[j] != 0)
        for (int r = 0; r != rows; ++r)
          sums[r] += weight[j] * from[r * in + index[j]];
    for (int r = 0; r != rows; ++r)
      to[r * out + i] = sums[r];
  }
}

/// Combines elements along the middle of [outer, in, inner].
template <typename T>
static void applyTaps(const Taps &taps, int64_t outer, int64_t in, int64_t out, int64_t inner, const T *from, T *to) {
  const std::vector<T> weights(taps.weights.begin(), taps.weights.end());
  const bool pairs = arePairs<T>(taps, weights);
  const int64_t grain = std::max<int64_t>(1, 16384 / std::max<int64_t>(1, out * inner));
  if (inner == 1 && taps.width == 2 && in <= std::numeric_limits<int32_t>::max()) {
    std::vector<int32_t> indices(2 * out);
    std::vector<T> each(2 * out);
    for (int64_t i = 0; i < out; ++i)
      for (int64_t side : {0, 1}) {
        indices[side * out + i] = static_cast<int32_t>(taps.indices[2 * i + side]);
        each[side * out + i] = weights[2 * i + side];
      }
    parallelFor(0, outer, grain, [&](int64_t first, int64_t last) {
      for (int64_t o = first; o < last; ++o)
        atSimdLevel<applyPairs<T>, Overlap::None>(to + o * out, from + o * in, indices.data(), indices.data() + out,
                                                  each.data(), each.data() + out, out);
    });
    return;
  }
  parallelFor(0, outer, grain, [&](int64_t first, int64_t last) {
    int64_t o = first;
    constexpr int together = 8;
    // A scale sets how many taps an antialiasing filter has.
    constexpr int64_t atOnce = 16;
    work::LongLoop several(1 + together * out * taps.width / atOnce), single(1 + out * taps.width * inner / atOnce);
    for (; inner == 1 && o + together <= last && several.goOn(); o += together)
      applyTapsToRows<together, T>(taps, weights, in, out, from + o * in, to + o * out);
    for (; o < last && single.goOn(); ++o)
      applyTapsToRow<T>(taps, weights, pairs, out, inner, from + o * in * inner, to + o * out * inner);
  });
}

/// Combines elements along the two middle dimensions of [outer, in, in, inner], along the first one first: each of its
/// results is used up while it is in the nearest cache.
template <typename T>
static void applyTapsToPlanes(const Taps &down, const Taps &across, int64_t outer, std::array<int64_t, 2> in,
                              std::array<int64_t, 2> out, int64_t inner, const T *from, T *to) {
  const std::vector<T> downWeights(down.weights.begin(), down.weights.end()),
      acrossWeights(across.weights.begin(), across.weights.end());
  const bool pairs = arePairs<T>(across, acrossWeights);
  const int64_t wide = in[1] * inner, narrow = out[1] * inner;
  parallelFor(0, outer * out[0], std::max<int64_t>(1, 16384 / std::max<int64_t>(1, wide)),
              [&](int64_t first, int64_t last) {
                constexpr int64_t atOnce = 16; // elements
                std::vector<T> row(wide);
                work::LongLoop rows(1 + (wide * down.width + narrow * across.width) / atOnce);
                for (int64_t i = first; i < last && rows.goOn(); ++i) {
                  applyTap<T>(down, downWeights, i % out[0], wide, from + i / out[0] * in[0] * wide, row.data());
                  applyTapsToRow<T>(across, acrossWeights, pairs, out[1], inner, row.data(), to + i * narrow);
                }
              });
}

/// Whether each of `in` positions is taken twice, one after the other.
static bool takesTwice(const Taps &taps, int64_t in, int64_t out) {
  bool isTwice = out == 2 * in;
  for (int64_t i = 0; i < out && isTwice; ++i)
    isTwice = taps.indices[i] == i / 2;
  return isTwice;
}

/// Copies a row of elements that are as wide as T, and which may begin wherever one of them does.
template <typename T>
static void pickTaps(const Taps &taps, bool isTwice, int64_t in, int64_t out, const char *from, char *to) {
  const int64_t *index = taps.indices.data();
  auto source = [from](int64_t i) {
    T elements;
    std::memcpy(&elements, from + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return elements;
  };
  T *target = reinterpret_cast<T *>(to);
  if (isTwice)
    for (int64_t i = 0; i < in; ++i)
      target[2 * i] = target[2 * i + 1] = source(i);
  else
    for (int64_t i = 0; i < out; ++i)
      target[i] = source(index[i]);
}

/// Copies elements of so many bytes each along a row.
static void copyTapsOfRow(const Taps &taps, bool isTwice, int64_t in, int64_t out, int64_t bytes, const char *from,
                          char *to) {
  switch (bytes) {
  case 1: return pickTaps<uint8_t>(taps, isTwice, in, out, from, to);
  case 2: return pickTaps<uint16_t>(taps, isTwice, in, out, from, to);
  case 4: return pickTaps<uint32_t>(taps, isTwice, in, out, from, to);
  case 8: return pickTaps<uint64_t>(taps, isTwice, in, out, from, to);
  default: return slices::gather(to, from, taps.indices.data(), out, bytes);
  }
}

/// Copies elements along the middle of [outer, in, inner], of which the last has so many bytes.
static void copyTaps(const Taps &taps, int64_t outer, int64_t in, int64_t out, int64_t bytes, const char *from,
                     char *to) {
  const bool isTwice = takesTwice(taps, in, out);
  parallelFor(0, outer, std::max<int64_t>(1, 65536 / (out * bytes)), [&](int64_t first, int64_t last) {
    for (int64_t o = first; o < last; ++o)
      copyTapsOfRow(taps, isTwice, in, out, bytes, from + o * in * bytes, to + o * out * bytes);
  });
}

/// Copies elements along the two middle dimensions of [outer, in, in, inner], of which the last has so many bytes. A
/// row that is the one before is copied while the nearest cache has it.
static void copyTapsOfPlanes(const Taps &down, const Taps &across, int64_t outer, std::array<int64_t, 2> in,
                             std::array<int64_t, 2> out, int64_t bytes, const char *from, char *to) {
  const bool isTwice = takesTwice(across, in[1], out[1]);
  const int64_t rowBytes = out[1] * bytes, planeBytes = in[0] * in[1] * bytes;
  parallelFor(0, outer * out[0], std::max<int64_t>(1, 65536 / rowBytes), [&](int64_t first, int64_t last) {
    int64_t row = first % out[0];
    const char *plane = from + first / out[0] * planeBytes;
    char *target = to + first * rowBytes;
    for (int64_t i = first; i < last; ++i, target += rowBytes) {
      const int64_t source = down.indices[row];
      if (i != first && row != 0 && down.indices[row - 1] == source)
        std::memcpy(target, target - rowBytes, static_cast<size_t>(rowBytes));
      else
        copyTapsOfRow(across, isTwice, in[1], out[1], bytes, plane + source * in[1] * bytes, target);
      if (++row == out[0])
        row = 0, plane += planeBytes;
    }
  });
}

static Status checkSizes(const Tensor &input, ArrayRef<int64_t> outputSize) {
  size_t spatial = outputSize.size();
  if (input.dim() != static_cast<int64_t>(spatial) + 2)
    return invalidArgument("Expected " + llvm::Twine(spatial + 2) + "D tensor as input, but got " +
                           llvm::Twine(input.dim()) + "D: it is expected to have input and output " +
                           llvm::Twine(spatial) + "D spatial dimensions");
  bool positive = true;
  for (size_t d = 0; d != spatial; ++d)
    positive &= input.size(d + 2) > 0 && outputSize[d] > 0;
  if (!positive) {
    auto list = [&](ArrayRef<int64_t> sizes) {
      static const char *const axes[] = {"D: ", "H: ", "W: "};
      std::string text;
      for (size_t d = 0; d != spatial; ++d)
        text += (d ? ", " : "") + std::string(axes[3 - spatial + d]) + std::to_string(sizes[d]);
      return text;
    };
    return invalidArgument("Input and output sizes should be greater than 0, but got input (" +
                           list(input.sizes().drop_front(2)) + ") output (" + list(outputSize) + ")");
  }
  if (input.size(1) == 0)
    return invalidArgument("Non-empty " + llvm::Twine(spatial + 2) +
                           "D data tensor expected but got a tensor with sizes " + shapeString(input.sizes()));
  return okStatus();
}

/// What PyTorch's refusal of a dtype calls the kernel.
static std::string dispatchName(UpsampleMode mode, size_t spatial) {
  switch (mode) {
  case UpsampleMode::Nearest: return "upsample_nearest" + std::to_string(spatial) + "d";
  case UpsampleMode::NearestExact: return "_upsample_nearest_exact" + std::to_string(spatial) + "d";
  case UpsampleMode::Linear: return "compute_indices_weights_linear";
  case UpsampleMode::Cubic: return "compute_indices_weights_cubic";
  case UpsampleMode::LinearAA:
  case UpsampleMode::CubicAA:
  case UpsampleMode::LanczosAA: break;
  }
  return "compute_indices_weights_aa";
}

static StatusOr<Tensor> resize(UpsampleMode mode, const Tensor &given, ArrayRef<int64_t> outputSize, bool alignCorners,
                               ArrayRef<OptScale> scales) {
  TSC_RETURN_IF_ERROR(checkSizes(given, outputSize));
  TSC_ASSIGN_OR_RETURN(const Tensor self, withDenseChannels(given));
  bool nearest = mode == UpsampleMode::Nearest || mode == UpsampleMode::NearestExact;
  if (!isFloating(self.dtype()) && !(nearest && self.dtype() == DType::UInt8))
    return detail::dtypeNotImplemented(dispatchName(mode, outputSize.size()).c_str(), self.dtype());
  DType work = nearest ? self.dtype() : workType(self.dtype());
  const bool isInside = hasChannelsInside(self);
  Tensor x = self;
  if (isInside) {
    TSC_ASSIGN_OR_RETURN(x, channelsToEnd(self));
  }
  TSC_ASSIGN_OR_RETURN(x, dense(x, work));
  const size_t first = isInside ? 1 : 2;
  // What shrinks most comes first, since the others then touch less. Rows are longest along the first dimension, which
  // precedes others that shrink as much, and follows those that grow as much.
  llvm::SmallVector<size_t, 3> order;
  for (size_t d = outputSize.size(); d-- != 0;)
    order.push_back(d);
  auto ratioOf = [&](size_t d) {
    return static_cast<double>(outputSize[d]) / static_cast<double>(x.size(static_cast<int64_t>(d + first)));
  };
  llvm::sort(order, [&](size_t a, size_t b) {
    const double p = ratioOf(a), q = ratioOf(b);
    return p != q ? p < q : p < 1 ? a < b : a > b;
  });
  auto findTaps = [&](size_t d) {
    const int64_t in = x.size(static_cast<int64_t>(d + first));
    return work == DType::Double ? tapsFor<double>(mode, in, outputSize[d], alignCorners, scales[d])
                                 : tapsFor<float>(mode, in, outputSize[d], alignCorners, scales[d]);
  };
  const bool changesBoth = llvm::all_of(order, [&](size_t d) {
    return outputSize[d] != x.size(static_cast<int64_t>(d + first)) || !keepsEqualSides(mode);
  });
  if (nearest && changesBoth && order.size() == 2 && x.numel() != 0) {
    Dims shape(x.sizes());
    const std::array<int64_t, 2> in = {shape[first], shape[first + 1]}, out = {outputSize[0], outputSize[1]};
    int64_t outer = 1, bytes = static_cast<int64_t>(itemSize(work));
    for (size_t i = 0; i != first; ++i)
      outer *= shape[i];
    for (size_t i = first + 2; i != shape.size(); ++i)
      bytes *= shape[i];
    shape[first] = out[0], shape[first + 1] = out[1];
    TSC_ASSIGN_OR_RETURN(Tensor next, Tensor::empty(shape, work));
    TSC_ASSIGN_OR_RETURN(const Taps down, findTaps(0));
    TSC_ASSIGN_OR_RETURN(const Taps across, findTaps(1));
    copyTapsOfPlanes(down, across, outer, in, out, bytes, static_cast<const char *>(x.data()),
                     static_cast<char *>(next.mutableData()));
    x = next;
    order.clear();
  }
  if (isInside && !nearest && changesBoth && order.size() == 2 && order[0] == 0 && x.size(3) > 1 && x.numel() != 0) {
    TSC_ASSIGN_OR_RETURN(Tensor next, Tensor::empty({x.size(0), outputSize[0], outputSize[1], x.size(3)}, work));
    TSC_ASSIGN_OR_RETURN(const Taps down, findTaps(0));
    TSC_ASSIGN_OR_RETURN(const Taps across, findTaps(1));
    auto apply = [&](auto zero) {
      using T = decltype(zero);
      applyTapsToPlanes(down, across, x.size(0), {x.size(1), x.size(2)}, {outputSize[0], outputSize[1]}, x.size(3),
                        x.data<T>(), next.mutableData<T>());
    };
    work == DType::Double ? apply(double{}) : apply(float{});
    x = next;
    order.clear();
  }
  for (size_t d : order) {
    int64_t in = x.size(d + first), out = outputSize[d], outer = 1, inner = 1;
    if (in == out && keepsEqualSides(mode))
      continue;
    bool isDouble = work == DType::Double;
    for (size_t i = 0; i != d + first; ++i)
      outer *= x.size(i);
    for (int64_t i = d + first + 1; i < x.dim(); ++i)
      inner *= x.size(i);
    Dims shape(x.sizes());
    shape[d + first] = out;
    TSC_ASSIGN_OR_RETURN(Tensor next, Tensor::empty(shape, work));
    if (next.numel() == 0) { // of no image, in any number of positions
      x = next;
      continue;
    }
    TSC_ASSIGN_OR_RETURN(Taps taps, findTaps(d));
    if (nearest)
      copyTaps(taps, outer, in, out, inner * static_cast<int64_t>(itemSize(work)), static_cast<const char *>(x.data()),
               static_cast<char *>(next.mutableData()));
    else if (isDouble)
      applyTaps(taps, outer, in, out, inner, x.data<double>(), next.mutableData<double>());
    else
      applyTaps(taps, outer, in, out, inner, x.data<float>(), next.mutableData<float>());
    x = next;
  }
  if (isInside) {
    TSC_ASSIGN_OR_RETURN(x, channelsFromEnd(x));
  }
  if (x.get()->storage == self.get()->storage) {
    TSC_ASSIGN_OR_RETURN(x, clone(x));
  }
  return toDType(x, self.dtype());
}

StatusOr<Tensor> tsc::cpu::upsampleVec(UpsampleMode mode, size_t spatial, const Tensor &input,
                                       std::optional<ArrayRef<int64_t>> outputSize, bool alignCorners,
                                       std::optional<ArrayRef<double>> factors) {
  if (outputSize.has_value() == factors.has_value())
    return invalidArgument("Must specify exactly one of output_size and scale_factors");
  Dims sizes;
  llvm::SmallVector<OptScale, 3> scales(spatial);
  size_t given = outputSize ? outputSize->size() : factors->size();
  if (given != spatial || input.dim() != static_cast<int64_t>(spatial) + 2)
    return invalidArgument("It is expected " + std::string(outputSize ? "output_size" : "scale_factors") +
                           " equals to " + llvm::Twine(spatial) + ", but got size " + llvm::Twine(given));
  for (size_t d = 0; d != spatial; ++d) {
    if (factors)
      scales[d] = (*factors)[d];
    double scaled = factors ? static_cast<double>(input.size(d + 2)) * (*factors)[d] : 0;
    if (!(std::fabs(scaled) < 9e15))
      return resourceExhausted("scale factor is too large");
    sizes.push_back(outputSize ? (*outputSize)[d] : static_cast<int64_t>(scaled));
  }
  return resize(mode, input, sizes, alignCorners, scales);
}

StatusOr<Tensor> tsc::cpu::upsample(UpsampleMode mode, const Tensor &self, ArrayRef<int64_t> outputSize,
                                    bool alignCorners, ArrayRef<OptScale> scales) {
  if (outputSize.size() != scales.size())
    return invalidArgument("It is expected output_size equals to " + llvm::Twine(scales.size()) + ", but got size " +
                           llvm::Twine(outputSize.size()));
  return resize(mode, self, outputSize, alignCorners, scales);
}
