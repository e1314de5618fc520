//===- GridSampler.cpp - Sampling at the points of a grid -----------------===//
#include "SamplingRows.h"
#include "Support/Compute.h"
#include "tsc/Kernels/Upsample.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Support/WorkMeter.h"
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

using namespace tsc;
using namespace tsc::cpu;

namespace {
enum class Interpolation { Linear, Nearest, Cubic };
enum class Padding { Zeros, Border, Reflection };

struct Sampler {
  Interpolation interpolation;
  Padding padding;
  bool alignCorners;
};
} // namespace

/// Folds x into [low / 2, high / 2] by reflecting at the ends.
template <typename T> static T reflect(T x, int64_t twiceLow, int64_t twiceHigh) {
  if (twiceLow == twiceHigh)
    return 0;
  T low = static_cast<T>(twiceLow) / 2, span = static_cast<T>(twiceHigh - twiceLow) / 2;
  x = std::fabs(x - low);
  const T extra = x - std::trunc(x / (2 * span)) * (2 * span); // there and back
  return std::min(extra, 2 * span - extra) + low;
}

/// A coordinate that no index can hold becomes one outside of every image.
template <typename T> static T withinIntegers(T x) { return x > -1e9 && x < 1e9 ? x : T(-100); }

template <typename T> static T padded(const Sampler &s, T x, int64_t size) {
  if (s.padding == Padding::Reflection)
    x = s.alignCorners ? reflect<T>(x, 0, 2 * (size - 1)) : reflect<T>(x, -1, 2 * size - 1);
  if (s.padding != Padding::Zeros)
    x = x > 0 ? std::min<T>(x, static_cast<T>(size - 1)) : T(0); // NaN becomes 0
  return withinIntegers(x);
}

/// From [-1, 1] to element positions.
template <typename T> static T position(const Sampler &s, T x, int64_t size) {
  return s.alignCorners ? (x + 1) / 2 * static_cast<T>(size - 1) : ((x + 1) * static_cast<T>(size) - 1) / 2;
}

/// Input elements (index and weight) that one coordinate touches; an index outside the image stands for a zero.
template <typename T> struct Touch {
  int count = 0;
  std::array<int64_t, 4> index;
  std::array<T, 4> weight;
};

template <typename T> static Touch<T> touch(const Sampler &s, T coordinate, int64_t size) {
  Touch<T> t;
  T x = position(s, coordinate, size);
  if (s.interpolation == Interpolation::Cubic) {
    T base = std::floor(x), f = x - base;
    constexpr T a = T(-0.75);
    auto near = [](T d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
    auto far = [](T d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
    t.count = 4;
    t.weight = {far(f + 1), near(f), near(1 - f), far(2 - f)};
    const bool isNowhere = std::isnan(f); // and so are the weights, whatever they are multiplied with
    for (int j = 0; j < 4; ++j)           // every element is padded on its own
      t.index[j] = isNowhere ? 0 : static_cast<int64_t>(padded(s, base - 1 + j, size));
    return t;
  }
  x = padded(s, x, size);
  if (s.interpolation == Interpolation::Nearest) {
    t.count = 1;
    t.index[0] = static_cast<int64_t>(std::nearbyint(x));
    t.weight[0] = 1;
    return t;
  }
  int64_t base = static_cast<int64_t>(std::floor(x));
  t.count = 2;
  t.index = {base, base + 1};
  t.weight = {static_cast<T>(base + 1) - x, x - static_cast<T>(base)};
  return t;
}

/// The elements of an image, and their weights, that give one point of the result.
template <typename T> struct Neighbours {
  int count = 0;
  bool areRows = false; ///< Four rows of four neighbours each: what cubic sampling has inside of the image.
  std::array<int64_t, 16> offsets;
  alignas(32) std::array<T, 16> weights;

  void add(int64_t offset, T weight) {
    offsets[count] = offset;
    weights[count++] = weight;
  }
  T sumOf(const T *image) const {
    if (areRows) {
      using Row = T __attribute__((vector_size(4 * sizeof(T))));
      Row sum{};
      for (int i = 0; i != 16; i += 4) {
        Row elements, factors;
        std::memcpy(&elements, image + offsets[i], sizeof(Row));
        std::memcpy(&factors, &weights[i], sizeof(Row));
        sum += elements * factors;
      }
      return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
    if (count == 4) // what bilinear sampling has inside of the image
      return image[offsets[0]] * weights[0] + image[offsets[1]] * weights[1] + image[offsets[2]] * weights[2] +
             image[offsets[3]] * weights[3];
    T sum = 0;
    for (int i = 0; i < count; ++i)
      sum += image[offsets[i]] * weights[i];
    return sum;
  }
};

/// At most 16: 4 by 4 of cubic interpolation, which is of the plane, and 2 by 2 by 2 of linear.
template <typename T>
static Neighbours<T> neighboursOf(const Sampler &s, const T *at, int64_t spatial, const std::array<int64_t, 3> &size) {
  std::array<Touch<T>, 3> touches;
  touches[0].count = 1, touches[0].index[0] = 0, touches[0].weight[0] = 1;
  for (int64_t d = 0; d < spatial; ++d) // the grid's last dimension runs x, y, z
    touches[2 - d] = touch(s, at[d], size[2 - d]);
  Neighbours<T> neighbours;
  for (int i = 0; i < touches[0].count; ++i)
    for (int j = 0; j < touches[1].count; ++j)
      for (int k = 0; k < touches[2].count; ++k) {
        const int64_t z = touches[0].index[i], y = touches[1].index[j], x = touches[2].index[k];
        if (z >= 0 && z < size[0] && y >= 0 && y < size[1] && x >= 0 && x < size[2])
          neighbours.add((z * size[1] + y) * size[2] + x,
                         touches[0].weight[i] * touches[1].weight[j] * touches[2].weight[k]);
      }
  const std::array<int64_t, 4> &columns = touches[2].index;
  neighbours.areRows = neighbours.count == 16 && columns[1] == columns[0] + 1 && columns[2] == columns[0] + 2 &&
                       columns[3] == columns[0] + 3;
  return neighbours;
}

template <typename T>
static void sample(const Sampler &s, const Tensor &input, const Tensor &grid, int64_t spatial, const Tensor &out) {
  int64_t channels = input.size(1), points = 1, plane = 1;
  std::array<int64_t, 3> size{1, 1, 1};
  for (int64_t d = 0; d < spatial; ++d) {
    size[3 - spatial + d] = input.size(d + 2);
    plane *= input.size(d + 2);
    points *= grid.size(d + 1);
  }
  const T *in = input.data<T>(), *at = grid.data<T>();
  T *result = out.mutableData<T>();
  const bool isNearest = s.interpolation == Interpolation::Nearest;
  const bool isPlain =
      (spatial == 2 ? s.interpolation != Interpolation::Cubic : isNearest) && plane < (int64_t{1} << 31);
  constexpr int64_t block = 64; // points whose neighbours are found once for all channels
  for (int64_t n = 0; n < input.size(0); ++n)
    parallelFor(
        0, points, std::max<int64_t>(block, 16384 / std::max<int64_t>(1, channels)), [&](int64_t first, int64_t last) {
          if (isPlain)
            first += sampling::kernel<T>()({at + (n * points + first) * spatial, in + n * channels * plane,
                                            result + n * channels * points + first, spatial == 3, channels, size[0],
                                            size[1], size[2], points, s.alignCorners, s.padding != Padding::Zeros,
                                            s.padding == Padding::Reflection, isNearest},
                                           last - first);
          std::array<Neighbours<T>, block> neighbours;
          for (int64_t begin = first; begin < last; begin += block) {
            const int64_t count = std::min(block, last - begin);
            for (int64_t p = 0; p < count; ++p)
              neighbours[p] = neighboursOf(s, at + (n * points + begin + p) * spatial, spatial, size);
            for (int64_t c = 0; c < channels; ++c) {
              const T *image = in + (n * channels + c) * plane;
              T *to = result + (n * channels + c) * points + begin;
              for (int64_t p = 0; p < count; ++p)
                to[p] = neighbours[p].sumOf(image);
            }
          }
        });
}

static StatusOr<Tensor> gridSample(const Tensor &input, const Tensor &grid, int64_t interpolation, int64_t padding,
                                   bool alignCorners) {
  if (input.dtype() != grid.dtype())
    return invalidArgument("grid_sampler(): expected input and grid to have same dtype, but input has " +
                           pythonName(input.dtype()) + " and grid has " + pythonName(grid.dtype()));
  int64_t spatial = input.dim() - 2;
  if ((spatial != 2 && spatial != 3) || grid.dim() != input.dim())
    return invalidArgument(
        "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes " +
        shapeString(input.sizes()) + " and grid with sizes " + shapeString(grid.sizes()));
  if (input.size(0) != grid.size(0))
    return invalidArgument(
        "grid_sampler(): expected grid and input to have same batch size, but got input with sizes " +
        shapeString(input.sizes()) + " and grid with sizes " + shapeString(grid.sizes()));
  if (grid.sizes().back() != spatial)
    return invalidArgument("grid_sampler(): expected grid to have size " + llvm::Twine(spatial) +
                           " in last dimension, but got grid with sizes " + shapeString(grid.sizes()));
  for (int64_t d = 2; d < input.dim(); ++d)
    if (input.size(d) <= 0)
      return invalidArgument(
          "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes " +
          shapeString(input.sizes()) + " with dimension " + llvm::Twine(d) + " being empty");
  if (interpolation < 0 || interpolation > 2 || padding < 0 || padding > 2)
    return invalidArgument("grid_sampler(): unknown interpolation or padding mode");
  if (spatial == 3 && interpolation == 2)
    return invalidArgument("grid_sampler(): bicubic interpolation only supports 4D input");
  TSC_RETURN_IF_ERROR(checkFloating(input, "grid_sampler_2d_cpu"));
  Sampler s{static_cast<Interpolation>(interpolation), static_cast<Padding>(padding), alignCorners};
  DType work = workType(input.dtype());
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(input, work));
  TSC_ASSIGN_OR_RETURN(Tensor g, dense(grid, work));
  Dims shape{input.size(0), input.size(1)};
  shape.append(grid.sizes().begin() + 1, grid.sizes().end() - 1);
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(shape, work));
  TSC_RETURN_IF_ERROR(
      dispatchFloatDouble(work, [&](auto tag) { sample<typename decltype(tag)::Type>(s, x, g, spatial, out); }));
  return toDType(out, input.dtype());
}

StatusOr<Tensor> tsc::cpu::gridSampler(const Tensor &input, const Tensor &grid, int64_t interpolationMode,
                                       int64_t paddingMode, bool alignCorners) {
  return gridSample(input, grid, interpolationMode, paddingMode, alignCorners);
}
StatusOr<Tensor> tsc::cpu::gridSampler2d(const Tensor &input, const Tensor &grid, int64_t interpolationMode,
                                         int64_t paddingMode, bool alignCorners) {
  return gridSample(input, grid, interpolationMode, paddingMode, alignCorners);
}
StatusOr<Tensor> tsc::cpu::gridSampler3d(const Tensor &input, const Tensor &grid, int64_t interpolationMode,
                                         int64_t paddingMode, bool alignCorners) {
  return gridSample(input, grid, interpolationMode, paddingMode, alignCorners);
}

/// The coordinates of n points in [-1, 1]: with `alignCorners` from the middle of the first pixel to that of the last,
/// else middles of pixels between the image's edges. Rounded to dtype, as numbers of its work type.
static StatusOr<Tensor> coordinates(int64_t n, bool alignCorners, DType dtype) {
  TSC_ASSIGN_OR_RETURN(Tensor exact, Tensor::empty({n}, DType::Double));
  double *to = exact.mutableData<double>();
  for (int64_t i = 0; i < n; ++i) {
    const double x = n <= 1 ? 0 : -1 + 2.0 * static_cast<double>(i) / static_cast<double>(n - 1);
    to[i] = alignCorners || n <= 1 ? x : x * static_cast<double>(n - 1) / static_cast<double>(n);
  }
  TSC_ASSIGN_OR_RETURN(Tensor rounded, toDType(exact, dtype));
  return toDType(rounded, workType(dtype));
}

/// Maps the points of one row of an image: coordinate j of point i is x[i] slopes[j] + rest[j].
template <typename T, int Spatial>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void mapRow(T *to, const T *x, const T *slopes, const T *rest, int64_t n) {
  std::array<T, Spatial> slope, base;
  for (int j = 0; j < Spatial; ++j)
    slope[j] = slopes[j], base[j] = rest[j];
  for (int64_t i = 0; i < n; ++i)
    for (int j = 0; j < Spatial; ++j)
      to[i * Spatial + j] = x[i] * slope[j] + base[j];
}

/// Maps the points of an image that is not empty by each of a batch of matrices, Spatial x (Spatial + 1). `axes`: the
/// points' coordinates along x, y and, of a volume, z.
template <typename T, int Spatial>
static void mapPoints(const Tensor &matrices, ArrayRef<Tensor> axes, const Tensor &out) {
  const int64_t width = axes[0].numel(), height = axes[1].numel(), depth = Spatial == 3 ? axes[2].numel() : 1,
                rows = height * depth;
  const T *matrix = matrices.data<T>();
  T *to = out.mutableData<T>();
  constexpr int64_t elementsOfPart = 1 << 15;
  parallelFor(0, matrices.size(0) * rows, std::max<int64_t>(1, elementsOfPart / (width * Spatial)),
              [&](int64_t first, int64_t last) {
                for (int64_t row = first; row != last && !work::wasStopped(); ++row) {
                  const T *m = matrix + row / rows * Spatial * (Spatial + 1);
                  const T y = axes[1].data<T>()[row % height];
                  std::array<T, Spatial> slopes, rest;
                  for (int j = 0; j < Spatial; ++j, m += Spatial + 1) {
                    slopes[j] = m[0];
                    rest[j] = y * m[1] + m[Spatial];
                    if constexpr (Spatial == 3)
                      rest[j] += axes[2].data<T>()[row / height % depth] * m[2];
                  }
                  atSimdLevel<mapRow<T, Spatial>, Overlap::None>(to + row * width * Spatial, axes[0].data<T>(),
                                                                 slopes.data(), rest.data(), width);
                }
              });
}

StatusOr<Tensor> tsc::cpu::affineGridGenerator(const Tensor &theta, ArrayRef<int64_t> size, bool alignCorners) {
  if (size.size() != 4 && size.size() != 5)
    return invalidArgument("AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.");
  const int64_t spatial = size.size() - 2;
  if (theta.dim() != 3 || theta.size(1) != spatial || theta.size(2) != spatial + 1)
    return invalidArgument("Expected a batch of " + llvm::Twine(spatial) + "D affine matrices of shape Nx" +
                           llvm::Twine(spatial) + "x" + llvm::Twine(spatial + 1) + " for size " + shapeString(size) +
                           ". Got " + shapeString(theta.sizes()) + ".");
  if (theta.size(0) != size[0])
    return invalidArgument("Expected size for first two dimensions of batch2 tensor to be: [" + llvm::Twine(size[0]) +
                           ", " + llvm::Twine(spatial + 1) + "] but got: [" + llvm::Twine(theta.size(0)) + ", " +
                           llvm::Twine(spatial + 1) + "].");
  if (!isFloating(theta.dtype()))
    return invalidArgument("Expected theta to have floating point type, but got " + pythonName(theta.dtype()));
  const DType work = workType(theta.dtype());
  Dims shape{theta.size(0)};
  shape.append(size.begin() + 2, size.end());
  shape.push_back(spatial);
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(shape, work));
  if (out.numel() == 0)
    return toDType(out, theta.dtype());
  llvm::SmallVector<Tensor, 3> axes;
  for (int64_t d = spatial - 1; d >= 0; --d) {
    TSC_ASSIGN_OR_RETURN(Tensor axis, coordinates(size[2 + d], alignCorners, theta.dtype()));
    axes.push_back(std::move(axis));
  }
  TSC_ASSIGN_OR_RETURN(Tensor matrices, dense(theta, work));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(work, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    spatial == 2 ? mapPoints<T, 2>(matrices, axes, out) : mapPoints<T, 3>(matrices, axes, out);
  }));
  return toDType(out, theta.dtype());
}
