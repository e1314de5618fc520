//===- Pooling.cpp - Averages and maxima over windows, on a GPU -----------===//
//
// A thread takes a window, element by element in the processor's order. Where channels lie
// inside, threads side by side take the channels of a window.
//
//===----------------------------------------------------------------------===//
#include "Pooling.h"
#include "Workspace.h"
#include "tsc/Kernels/Pooling.h"
#include <algorithm>

using namespace tsc;
using namespace tsc::fuser;

/// Operands: the tensor, results, where maxima are. Numbers: the sizes of the tensor and of the result, the window's,
/// stride, padding, dilation, isAdaptive, wantsIndices, countsPadding, divisor, sumsColumns, channels that lie inside.
static constexpr char poolText[] = R"(
struct tsc_span {
  long long begin, end, step, number;
};
template <class P> TSC_DEVICE tsc_span tsc_span_of(const P &p, int d, long long i) {
  const long long in = (long long)p.number[d], out = (long long)p.number[3 + d];
  if (p.number[18] != 0) {
    const long long begin = i * in / out, end = ((i + 1) * in + out - 1) / out;
    return {begin, end, 1, end - begin};
  }
  const long long size = (long long)p.number[6 + d], padding = (long long)p.number[12 + d];
  const long long step = (long long)p.number[15 + d], first = i * (long long)p.number[9 + d] - padding;
  const long long last = first + (size - 1) * step + 1, end = last < in ? last : in;
  const long long begin = first < 0 ? first + (-first + step - 1) / step * step : first;
  const long long padded = first + size < in + padding ? first + size : in + padding;
  return {begin, end, step, p.number[20] != 0 ? padded - first : end > begin ? end - begin : 0};
}
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  const unsigned out0 = (unsigned)p.number[3], out1 = (unsigned)p.number[4], out2 = (unsigned)p.number[5];
  const long long in1 = (long long)p.number[1], in2 = (long long)p.number[2];
  for (unsigned n = 256 * blockIdx.x + threadIdx.x; n < (unsigned)p.count; n += 256 * gridDim.x) {
    const unsigned apart = @APART@, i = n / apart;
    const unsigned row = i / out2, plane = row / out1, image = plane / out0;
    const tsc_span s0 = tsc_span_of(p, 0, plane - image * out0), s1 = tsc_span_of(p, 1, row - plane * out1),
                   s2 = tsc_span_of(p, 2, i - row * out2);
    const @STORED@ *from = (const @STORED@ *)p.at[0] + (long long)image * (long long)p.number[0] * in1 * in2 * apart + (n - i * apart);
@BODY@
  }
}
)";

static constexpr char maximumBody[] = R"(
    @REAL@ best = -tsc_infinity((@REAL@)0);
    long long where = (s0.begin * in1 + s1.begin) * in2 + s2.begin;
    for (long long z = s0.begin; z < s0.end; z += s0.step)
      for (long long y = s1.begin; y < s1.end; y += s1.step)
        for (long long x = s2.begin; x < s2.end; x += s2.step) {
          const long long at = (z * in1 + y) * in2 + x;
          const @REAL@ v = @LOAD@(from[at * apart]);
          if (v > best || v != v)
            best = v, where = at;
        }
    ((@STORED@ *)p.at[1])[n] = @STORE@(best);
    if (p.number[19] != 0)
      ((long long *)p.at[2])[n] = where;
)";

/// Sums go row by row, or, where windows are far apart, column by column.
static constexpr char averageBody[] = R"(
    @REAL@ sum = 0;
    if (p.number[22] != 0) {
      for (long long x = s2.begin; x < s2.end; ++x) {
        @REAL@ column = 0;
        for (long long z = s0.begin; z < s0.end; ++z)
          for (long long y = s1.begin; y < s1.end; ++y)
            column += @LOAD@(from[((z * in1 + y) * in2 + x) * apart]);
        sum += column;
      }
    } else {
      for (long long z = s0.begin; z < s0.end; ++z)
        for (long long y = s1.begin; y < s1.end; ++y)
          for (long long x = s2.begin; x < s2.end; ++x)
            sum += @LOAD@(from[((z * in1 + y) * in2 + x) * apart]);
    }
    const long long divisor = (long long)p.number[21], number = divisor ? divisor : s0.number * s1.number * s2.number;
    if (number != 0)
      sum = sum / (@REAL@)number;
    ((@STORED@ *)p.at[1])[n] = @STORE@(sum);
)";

/// One number for each of the last dimensions, or one for all; false: there are others.
static bool read(ArrayRef<int64_t> given, int64_t spatial, int64_t least, int64_t (&numbers)[3]) {
  if (given.size() != 1 && given.size() != static_cast<size_t>(spatial))
    return false;
  for (int64_t d = 0; d != spatial; ++d) {
    const int64_t number = given.size() == 1 ? given[0] : given[static_cast<size_t>(d)];
    if (number < least || number > INT32_MAX)
      return false;
    numbers[3 - spatial + d] = number;
  }
  return true;
}

/// How many windows there are along a dimension.
static int64_t windowsOf(const Pool &pool, int64_t d, bool ceils) {
  const int64_t room = pool.in[d] + 2 * pool.padding[d] - pool.dilation[d] * (pool.kernel[d] - 1) - 1;
  if (room < 0)
    return 0; // the operator says how few
  const int64_t windows = (room + (ceils ? pool.stride[d] - 1 : 0)) / pool.stride[d] + 1;
  const bool startsOutside = ceils && (windows - 1) * pool.stride[d] >= pool.in[d] + pool.padding[d];
  return windows - startsOutside;
}

/// A pool of `self` whose windows are not known yet.
static std::optional<Pool> poolOf(int64_t spatial, const Tensor &self, bool isMaximum, bool isAdaptive) {
  if (!self.defined() || (self.dim() != spatial + 1 && self.dim() != spatial + 2) || !isLibraryDType(self.dtype()))
    return std::nullopt;
  Pool made;
  made.self = self, made.spatial = spatial, made.isMaximum = isMaximum, made.isAdaptive = isAdaptive;
  for (int64_t d = 0; d != spatial; ++d)
    made.in[3 - spatial + d] = self.size(self.dim() - spatial + d);
  return made;
}

static std::optional<Pool> adaptivePoolOf(int64_t spatial, const Tensor &self, bool isMaximum,
                                          ArrayRef<int64_t> outputSize) {
  auto made = poolOf(spatial, self, isMaximum, /*isAdaptive=*/true);
  return made && read(outputSize, spatial, 1, made->out) ? made : std::nullopt;
}

/// Steps are as wide as windows where `stride` is empty.
static bool readWindows(Pool &made, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding) {
  if (!read(kernelSize, made.spatial, 1, made.kernel) || !read(padding, made.spatial, 0, made.padding))
    return false;
  if (!stride.empty())
    return read(stride, made.spatial, 1, made.stride);
  std::copy_n(made.kernel, 3, made.stride);
  return true;
}

/// The pool with as many windows as there is room for. Nullopt: there is none, or they would begin too far outside.
static std::optional<Pool> withWindows(Pool made, bool ceils) {
  for (int64_t d = 3 - made.spatial; d != 3; ++d) {
    made.out[d] = windowsOf(made, d, ceils);
    if (made.out[d] < 1 || made.padding[d] > ((made.kernel[d] - 1) * made.dilation[d] + 1) / 2)
      return std::nullopt;
  }
  return made;
}

std::optional<Pool> cuda::maxPool(int64_t spatial, const Tensor &self, ArrayRef<int64_t> kernelSize,
                                  ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation,
                                  bool ceilMode) {
  auto made = poolOf(spatial, self, /*isMaximum=*/true, /*isAdaptive=*/false);
  if (!made || !readWindows(*made, kernelSize, stride, padding) || !read(dilation, spatial, 1, made->dilation))
    return std::nullopt;
  return withWindows(std::move(*made), ceilMode);
}

std::optional<Pool> cuda::averagePool(int64_t spatial, const Tensor &self, ArrayRef<int64_t> kernelSize,
                                      ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, bool ceilMode,
                                      bool countIncludePad, std::optional<int64_t> divisorOverride) {
  auto made = poolOf(spatial, self, /*isMaximum=*/false, /*isAdaptive=*/false);
  if (!made || !readWindows(*made, kernelSize, stride, padding) || divisorOverride == 0)
    return std::nullopt;
  made->countsPadding = countIncludePad, made->divisor = divisorOverride.value_or(0);
  return withWindows(std::move(*made), ceilMode);
}

std::optional<Pool> cuda::adaptiveAveragePool(int64_t spatial, const Tensor &self, ArrayRef<int64_t> outputSize) {
  return adaptivePoolOf(spatial, self, /*isMaximum=*/false, outputSize);
}
std::optional<Pool> cuda::adaptiveMaxPool(int64_t spatial, const Tensor &self, ArrayRef<int64_t> outputSize) {
  return adaptivePoolOf(spatial, self, /*isMaximum=*/true, outputSize);
}

static bool hasChannelsInside(const Tensor &image) {
  return (image.dim() == 4 || image.dim() == 5) && !image.isContiguous() &&
         image.isContiguous(image.dim() == 4 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d);
}

static StatusOr<Tensor> withChannelsInside(HandKernels &kernels, ArrayRef<int64_t> sizes, DType dtype) {
  Dims lying(sizes);
  std::rotate(lying.begin() + 1, lying.begin() + 2, lying.end());
  Dims strides = contiguousStrides(lying);
  std::rotate(strides.begin() + 1, strides.end() - 1, strides.end());
  TSC_ASSIGN_OR_RETURN(Tensor made, kernels.empty(lying, dtype));
  return made.alias(sizes, strides, 0);
}

StatusOr<bool> fuser::runPool(HandKernels &kernels, const Pool &pool, llvm::MutableArrayRef<IValue> results) {
  const Tensor &self = pool.self;
  if (!kernels.isTaken(self))
    return false;
  // Results have their channels there too.
  const bool isInside = self.dim() == pool.spatial + 2 && hasChannelsInside(self);
  Dims sizes(self.sizes().drop_back(static_cast<size_t>(pool.spatial)));
  int64_t planes = 1;
  for (int64_t size : sizes)
    planes *= size;
  sizes.append(pool.out + 3 - pool.spatial, pool.out + 3);
  int64_t count = planes;
  for (int64_t size : pool.out) {
    if (count > (INT32_MAX >> 1) / size)
      return false;
    count *= size;
  }
  const DType dtype = self.dtype();
  auto make = [&](DType of) { return isInside ? withChannelsInside(kernels, sizes, of) : kernels.empty(sizes, of); };
  TSC_ASSIGN_OR_RETURN(Tensor from, isInside ? StatusOr<Tensor>(self) : kernels.dense(self));
  TSC_ASSIGN_OR_RETURN(Tensor out, make(dtype));
  Tensor indices = out; // an operand that is not written
  if (results.size() == 2) {
    TSC_ASSIGN_OR_RETURN(indices, make(DType::Int64));
  }
  HandLaunch launch{{from.data(), out.data(), indices.data()}, {}, count, false};
  for (const auto *numbers : {&pool.in, &pool.out, &pool.kernel, &pool.stride, &pool.padding, &pool.dilation})
    launch.numbers.append(std::begin(*numbers), std::end(*numbers));
  const bool sumsColumns = !isInside && !pool.isAdaptive && pool.stride[2] > cpu::mostVectorStep;
  for (int64_t number : {int64_t{pool.isAdaptive}, int64_t{results.size() == 2}, int64_t{pool.countsPadding},
                         pool.divisor, int64_t{sumsColumns}, isInside ? self.size(1) : 1})
    launch.numbers.push_back(static_cast<uint64_t>(number));
  HandKernels::OwnedMarks marks{{"@BODY@", pool.isMaximum ? maximumBody : averageBody},
                                {"@APART@", isInside ? "(unsigned)p.number[23]" : "1"}};
  for (auto &mark : elementMarks(dtype))
    marks.push_back(mark);
  const std::string name = std::string(pool.isMaximum ? "tsc_pool_max_" : "tsc_pool_average_") +
                           (isInside ? "channels_" : "") + llvm::StringRef(irName(dtype)).lower();
  TSC_RETURN_IF_ERROR(kernels.run(name, poolText, marks, launch));
  if (isInside && pool.isAdaptive && !pool.isMaximum && pool.spatial == 3 && count == self.size(0) * self.size(1))
    out = out.alias(sizes, contiguousStrides(sizes), 0); // a mean of all places, whose strides are a mean's
  results[0] = IValue(std::move(out));
  if (results.size() == 2)
    results[1] = IValue(std::move(indices));
  return true;
}
