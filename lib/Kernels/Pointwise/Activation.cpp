//===- Activation.cpp - Activations with parameters, segments -------------===//
#include "Support/Compute.h"
#include "Support/HalfRows.h"
#include "tsc/Kernels/NeuralNet.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/PointwiseProgram.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/ThreadPool.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

/// One slope for a row, or one for each element of it.
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void preluOfOne(T *__restrict out, const T *__restrict x, T slope, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = x[i] > 0 ? x[i] : slope * x[i];
}

template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void preluOfEach(T *__restrict out, const T *__restrict x,
                                                     const T *__restrict slopes, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = x[i] > 0 ? x[i] : slopes[i] * x[i];
}

/// A row of floats or doubles. `slopes` is a number for all, or a pointer to one for each element.
template <typename T, typename Slopes> static void preluRow(T *out, const T *x, Slopes slopes, int64_t n) {
  if constexpr (std::is_pointer_v<Slopes>)
    atSimdLevel<preluOfEach<T>, Overlap::None>(out, x, slopes, n);
  else
    atSimdLevel<preluOfOne<T>, Overlap::None>(out, x, slopes, n);
}
/// Rows of a half type, in floats and rounded once.
static void preluRow(Half *out, const Half *x, float slope, int64_t n) {
  halves::kernels().preluHalf(out, x, slope, n);
}
static void preluRow(BFloat16 *out, const BFloat16 *x, float slope, int64_t n) {
  halves::kernels().preluBFloat16(out, x, slope, n);
}
template <typename T>
  requires isHalfType<T>
static void preluRow(T *out, const T *x, const float *slopes, int64_t n) {
  constexpr DType dtype = std::is_same_v<T, Half> ? DType::Half : DType::BFloat16;
  constexpr int64_t block = 512, item = sizeof(T);
  float values[block], results[block];
  for (int64_t i = 0; i < n; i += block) {
    const int64_t count = std::min(block, n - i);
    convertRow(values, DType::Float, sizeof(float), x + i, dtype, item, count);
    preluRow(results, values, slopes + i, count);
    convertRow(out + i, dtype, item, results, DType::Float, sizeof(float), count);
  }
}

/// `inner`: elements behind each other that share a channel; 1 where channels are neighbours.
template <typename T> static StatusOr<Tensor> densePrelu(const Tensor &self, const Tensor &weight, int64_t inner) {
  using Slope = std::conditional_t<isHalfType<T>, float, T>;
  TSC_ASSIGN_OR_RETURN(Tensor slopes, dense(weight, isHalfType<T> ? DType::Float : self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(self.sizes(), self.dtype()));
  const T *x = self.data<T>();
  const Slope *slope = slopes.template data<Slope>();
  T *to = out.mutableData<T>();
  const int64_t channels = weight.numel(), n = self.numel();
  if (channels == 1) {
    parallelFor(0, n, parallelGrain,
                [&](int64_t begin, int64_t end) { preluRow(to + begin, x + begin, slope[0], end - begin); });
    return out;
  }
  const bool hasRows = inner != 1; // else channels are neighbours
  const int64_t length = hasRows ? inner : channels;
  parallelFor(0, n / length, std::max<int64_t>(1, parallelGrain / length), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i != end; ++i)
      if (hasRows)
        preluRow(to + i * length, x + i * length, slope[i % channels], length);
      else
        preluRow(to + i * length, x + i * length, slope, length);
  });
  return out;
}

StatusOr<Tensor> tsc::cpu::prelu(const Tensor &self, const Tensor &weight) {
  if (self.dtype() != weight.dtype())
    return invalidArgument("Type promoting not supported. Got " + dtypeText(self.dtype()) + " and " +
                           dtypeText(weight.dtype()));
  TSC_RETURN_IF_ERROR(checkFloating(self, "prelu_cpu"));
  Tensor w = weight;
  if (weight.numel() != 1) {
    if (self.dim() == 0)
      return invalidArgument("Not allow zero-dim input tensor.");
    int64_t channels = self.dim() > 1 ? self.size(1) : 1;
    if (channels != weight.numel())
      return invalidArgument("Mismatch of parameter numbers and input channel size. Found parameter numbers = " +
                             llvm::Twine(weight.numel()) + " and channel size = " + llvm::Twine(channels) + ".");
    Dims shape(self.dim(), 1);
    shape[1] = channels;
    TSC_ASSIGN_OR_RETURN(w, reshape(weight, shape));
  }
  const bool isInside = !self.isContiguous() && self.dim() > 2 && hasChannelsInside(self);
  if ((self.isContiguous() || isInside) && self.numel() != 0) {
    Tensor x = self;
    if (isInside) {
      TSC_ASSIGN_OR_RETURN(x, channelsToEnd(self));
    }
    int64_t inner = 1;
    for (int64_t d = 2; d < self.dim() && !isInside; ++d)
      inner *= self.size(d);
    TSC_ASSIGN_OR_RETURN(Tensor out, self.dtype() == DType::Float    ? densePrelu<float>(x, weight, inner)
                                     : self.dtype() == DType::Double ? densePrelu<double>(x, weight, inner)
                                     : self.dtype() == DType::Half   ? densePrelu<Half>(x, weight, inner)
                                                                     : densePrelu<BFloat16>(x, weight, inner));
    return isInside ? channelsFromEnd(out) : StatusOr<Tensor>(std::move(out));
  }
  if (weight.numel() == 1) {
    TSC_ASSIGN_OR_RETURN(w, reshape(weight, {}));
  }
  static const PointwiseProgram program = [] {
    using K = PointwiseKind;
    using Operand = PointwiseProgram::Operand;
    const Operand x{Operand::Input, 0, {}}, slope{Operand::Input, 1, {}}, zero{Operand::Number, 0, {}};
    PointwiseProgram p;
    const Operand below{Operand::Step, p.addStep({K::Aten_mul_Tensor, {slope, x}}), {}};
    const Operand isAbove{Operand::Step, p.addStep({K::Aten_gt_Scalar, {x, zero}}), {}};
    p.addOutput(p.addStep({K::Aten_where_self, {isAbove, x, below}}));
    return p;
  }();
  TSC_ASSIGN_OR_RETURN(std::vector<Tensor> out, program.run({self, w}, {Scalar(0)}));
  return out.front();
}

StatusOr<Tensor> tsc::cpu::rrelu(Generator &generator, const Tensor &self, const Scalar &lower, const Scalar &upper,
                                 bool training) {
  double low = lower.toDouble(), high = upper.toDouble();
  if (low > high)
    return invalidArgument("Lower bound should be less than or equal to the upper bound");
  TSC_RETURN_IF_ERROR(checkFloating(self, "rrelu_with_noise_out_cpu"));
  if (!training)
    return pointwise(PointwiseKind::Aten_leaky_relu, {PointwiseArg(self), PointwiseArg(Scalar((low + high) / 2))});
  bool single = self.dtype() != DType::Double;
  return zip(self, self, self.dtype(), [&](double x, double) {
    if (x > 0)
      return x;
    double slope = generator.uniformDouble() * (high - low) + low;
    return x * (single ? static_cast<float>(slope) : slope);
  });
}

enum class SegmentOp { Sum, Mean, Max, Min, Prod };

StatusOr<Tensor> tsc::cpu::segmentReduce(const Tensor &data, llvm::StringRef reduce, const Tensor &lengths,
                                         const Tensor &indices, const Tensor &offsets, int64_t axis, bool unsafe,
                                         std::optional<Scalar> initial) {
  TSC_ASSIGN_OR_RETURN(axis, wrapDim(axis, data.dim()));
  if (data.numel() == 0 || data.dim() == 0)
    return invalidArgument("segment_reduce: expected a non-empty data tensor");
  if (indices.defined())
    return unimplemented("segment_reduce(): indices based reduction is not supported yet.");
  if (!lengths.defined() && !offsets.defined())
    return invalidArgument("segment_reduce(): Either lengths or offsets must be defined.");
  static constexpr std::pair<const char *, SegmentOp> names[] = {{"sum", SegmentOp::Sum},
                                                                 {"mean", SegmentOp::Mean},
                                                                 {"max", SegmentOp::Max},
                                                                 {"min", SegmentOp::Min},
                                                                 {"prod", SegmentOp::Prod}};
  const auto *found = llvm::find_if(names, [&](const auto &n) { return reduce == n.first; });
  if (found == std::end(names))
    return invalidArgument("unsupported reduction " + reduce);
  SegmentOp op = found->second;
  const Tensor &given = lengths.defined() ? lengths : offsets;
  if (given.dim() != axis + 1 || given.sizes().drop_back() != data.sizes().take_front(axis))
    return invalidArgument("segment_reduce(): Expected lengths or offsets to have " + llvm::Twine(axis + 1) +
                           " dimensions that match data's");
  TSC_ASSIGN_OR_RETURN(Tensor bounds, dense(given, DType::Int64));
  int64_t perRow = bounds.sizes().back(), segments = lengths.defined() ? perRow : std::max<int64_t>(perRow - 1, 0);
  int64_t n = data.size(axis), outer = 1, inner = 1;
  for (int64_t d = 0; d < axis; ++d)
    outer *= data.size(d);
  for (int64_t d = axis + 1; d < data.dim(); ++d)
    inner *= data.size(d);
  TSC_RETURN_IF_ERROR(checkFloating(data, "_segment_reduce_cpu"));
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(data, DType::Double));
  Dims shape(data.sizes());
  shape[axis] = segments;
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(shape, DType::Double));
  double start = initial                 ? initial->toDouble()
                 : op == SegmentOp::Max  ? -INFINITY
                 : op == SegmentOp::Min  ? INFINITY
                 : op == SegmentOp::Prod ? 1
                                         : 0;
  for (int64_t o = 0; o < outer; ++o) {
    const int64_t *row = bounds.data<int64_t>() + o * perRow;
    int64_t at = 0;
    for (int64_t s = 0; s < segments; ++s) {
      const int64_t begin = lengths.defined() ? at : row[s];
      const int64_t end = !lengths.defined() ? row[s + 1] : row[s] > n - at ? n + 1 : at + row[s];
      if (begin < 0 || end < begin || end > n)
        return invalidArgument("segment_reduce(): lengths contains negative value or reaches beyond the data");
      at = end;
      for (int64_t i = 0; i < inner; ++i) {
        double value = start;
        for (int64_t k = begin; k < end; ++k) {
          double e = x.data<double>()[(o * n + k) * inner + i];
          switch (op) {
          case SegmentOp::Sum:
          case SegmentOp::Mean: value += e; break;
          case SegmentOp::Max: value = e != e || value != value ? NAN : std::max(value, e); break;
          case SegmentOp::Min: value = e != e || value != value ? NAN : std::min(value, e); break;
          case SegmentOp::Prod: value *= e; break;
          }
        }
        if (op == SegmentOp::Mean && end == begin && !initial)
          value = NAN;
        else if (op == SegmentOp::Mean && end > begin && value == value)
          value /= static_cast<double>(end - begin);
        out.mutableData<double>()[(o * segments + s) * inner + i] = value;
      }
    }
    if (!unsafe && at != n)
      return invalidArgument("segment_reduce(): Expected all rows of lengths along axis to sum to "
                             "data.size(lengths.dim()-1) when !unsafe.");
  }
  return toDType(out, data.dtype());
}
