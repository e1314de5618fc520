//===- Normalization.cpp - Batch, instance, layer and group norm ----------===//
//
// All four subtract a mean and divide by a deviation; they differ in which elements
// share one. Half types compute in float and round once. Every step is that of an
// operator (Rows.h), so that compositions of operators give the same bits: the mean
// is sum / count, the variance mean((x - mean)^2), rstd = rsqrt(variance + eps).
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Normalization.h"
#include "ChannelRows.h"
#include "NormalizationAffine.h"
#include "Rows.h"
#include "Support/Compute.h"
#include "Support/HalfRows.h"
#include "Support/MemoryFormats.h"
#include "tsc/Kernels/Reductions.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

using Triple = StatusOr<std::tuple<Tensor, Tensor, Tensor>>;

/// A vector operand of `channels` elements in double, or nothing.
static StatusOr<std::vector<double>> channelVector(const Tensor &t) {
  std::vector<double> out;
  if (!t.defined())
    return out;
  TSC_ASSIGN_OR_RETURN(Tensor d, dense(t, DType::Double));
  return std::vector<double>(d.data<double>(), d.data<double>() + d.numel());
}

static Status checkChannels(const char *name, const Tensor &t, int64_t channels) {
  if (t.defined() && t.numel() != channels)
    return invalidArgument(llvm::Twine(name) + " should contain " + llvm::Twine(channels) + " elements not " +
                           llvm::Twine(t.numel()));
  return okStatus();
}

/// running = (1 - momentum) * running + momentum * value.
static Status updateRunning(const Tensor &running, ArrayRef<double> values, double momentum) {
  if (!running.defined())
    return okStatus();
  TSC_ASSIGN_OR_RETURN(Tensor old, dense(running, DType::Double));
  TSC_ASSIGN_OR_RETURN(Tensor updated, Tensor::empty(running.sizes(), DType::Double));
  for (int64_t i = 0; i < updated.numel(); ++i)
    updated.mutableData<double>()[i] = (1 - momentum) * old.data<double>()[i] + momentum * values[i];
  return copyInto(running, updated);
}

static StatusOr<Tensor> vectorOf(ArrayRef<double> values, DType dtype) {
  TSC_ASSIGN_OR_RETURN(Tensor t, Tensor::empty({static_cast<int64_t>(values.size())}, DType::Double));
  std::copy(values.begin(), values.end(), t.mutableData<double>());
  return toDType(t, dtype);
}

/// The inverse of a deviation, step by step as operators take it.
template <typename T> static T inverseDeviation(T variance, double eps) {
  return 1 / std::sqrt(variance + static_cast<T>(eps));
}

namespace {
struct ChannelMoments {
  std::vector<double> mean, variance; ///< Exactly values of x's dtype.
};
} // namespace

/// Moments of a dense tensor of `samples` by `channels` by `plane` elements.
static StatusOr<ChannelMoments> channelMoments(const Tensor &x, int64_t samples, int64_t channels, int64_t plane) {
  TSC_ASSIGN_OR_RETURN(Tensor table, view(x, {samples, channels, plane}));
  TSC_ASSIGN_OR_RETURN(auto moments, varMeanCorrection(table, Dims{0, 2}, 0, false));
  TSC_ASSIGN_OR_RETURN(std::vector<double> variance, channelVector(std::get<0>(moments)));
  TSC_ASSIGN_OR_RETURN(std::vector<double> mean, channelVector(std::get<1>(moments)));
  return ChannelMoments{std::move(mean), std::move(variance)};
}

/// out = x * scale + shift of its channel.
template <typename T>
static void scaleChannels(T *out, const T *x, const std::vector<T> &scales, const std::vector<T> &shifts,
                          int64_t samples, int64_t plane) {
  const rows::Kernels<T> &kernels = rows::kernels<T>();
  int64_t channels = scales.size(), row = plane == 1 ? channels : plane;
  parallelFor(0, samples * channels * plane / row, std::max<int64_t>(1, parallelGrain / row),
              [&](int64_t first, int64_t last) {
                for (int64_t i = first; i < last; ++i) {
                  if (plane == 1)
                    kernels.normalize(out + i * row, x + i * row, 0, 1, scales.data(), shifts.data(), row);
                  else
                    kernels.affine(out + i * row, x + i * row, scales[i % channels], shifts[i % channels], row);
                }
              });
}

static void affineRow(char *to, const char *from, DType dtype, float scale, float shift, int64_t n) {
  const halves::Kernels &kernels = halves::kernels();
  if (dtype == DType::Half)
    kernels.affineHalf(reinterpret_cast<Half *>(to), reinterpret_cast<const Half *>(from), scale, shift, n);
  else
    kernels.affineBFloat16(reinterpret_cast<BFloat16 *>(to), reinterpret_cast<const BFloat16 *>(from), scale, shift, n);
}
/// The same of rows of a half type, in floats and rounded once.
static void scaleHalfChannels(const Tensor &out, const Tensor &x, const std::vector<float> &scales,
                              const std::vector<float> &shifts, int64_t samples, int64_t plane) {
  const int64_t channels = scales.size(), row = plane == 1 ? channels : plane, item = itemSize(x.dtype());
  const rows::Kernels<float> &kernels = rows::kernels<float>();
  const auto *from = static_cast<const char *>(x.data());
  auto *to = static_cast<char *>(out.mutableData());
  parallelFor(0, samples * channels * plane / row, std::max<int64_t>(1, parallelGrain / row),
              [&](int64_t first, int64_t last) {
                std::vector<float> values(plane == 1 ? row : 0);
                for (int64_t i = first; i < last; ++i) {
                  if (plane != 1) {
                    affineRow(to + i * row * item, from + i * row * item, x.dtype(), scales[i % channels],
                              shifts[i % channels], row);
                    continue;
                  }
                  convertRow(values.data(), DType::Float, sizeof(float), from + i * row * item, x.dtype(), item, row);
                  kernels.normalize(values.data(), values.data(), 0, 1, scales.data(), shifts.data(), row);
                  convertRow(to + i * row * item, x.dtype(), item, values.data(), DType::Float, sizeof(float), row);
                }
              });
}

namespace {
template <typename T> struct ChannelAffine {
  std::vector<T> scales, shifts;
};
} // namespace

/// Weight and bias may be empty.
template <typename T>
static ChannelAffine<T> affineOf(ArrayRef<double> mean, ArrayRef<double> invStd, ArrayRef<double> weight,
                                 ArrayRef<double> bias) {
  ChannelAffine<T> affine;
  for (size_t c = 0; c != mean.size(); ++c) {
    T scale = static_cast<T>(invStd[c]) * static_cast<T>(weight.empty() ? 1 : weight[c]);
    T moved = static_cast<T>(mean[c]) * scale;
    affine.scales.push_back(scale);
    affine.shifts.push_back(static_cast<T>(bias.empty() ? 0 : bias[c]) - moved);
  }
  return affine;
}

StatusOr<std::pair<std::vector<float>, std::vector<float>>>
tsc::cpu::batchNormAffine(const Tensor &weight, const Tensor &bias, const Tensor &mean, const Tensor &variance,
                          double eps) {
  TSC_ASSIGN_OR_RETURN(std::vector<double> w, channelVector(weight));
  TSC_ASSIGN_OR_RETURN(std::vector<double> b, channelVector(bias));
  TSC_ASSIGN_OR_RETURN(std::vector<double> means, channelVector(mean));
  TSC_ASSIGN_OR_RETURN(std::vector<double> invStd, channelVector(variance));
  for (double &v : invStd)
    v = inverseDeviation(static_cast<float>(v), eps);
  auto affine = affineOf<float>(means, invStd, w, b);
  return std::pair(std::move(affine.scales), std::move(affine.shifts));
}

/// Parameters have the dtype of the input; Float ones may stand beside an input of one of the half types.
static Status checkParameters(const Tensor &input, std::initializer_list<const Tensor *> parameters) {
  const Tensor *first = nullptr;
  for (const Tensor *each : parameters)
    if (each->defined() && !first)
      first = each;
  if (!first)
    return okStatus();
  if (first->dtype() == input.dtype()) {
    for (const Tensor *each : parameters)
      TSC_RETURN_IF_ERROR(checkSameDType(input, *each));
    return okStatus();
  }
  for (const Tensor *each : parameters)
    if (each->defined() && each->dtype() != DType::Float)
      return invalidArgument("mixed dtype (CPU): expect parameter to have scalar type of Float");
  if (workType(input.dtype()) == input.dtype())
    return invalidArgument("mixed dtype (CPU): all inputs must share same datatype.");
  return okStatus();
}

Triple tsc::cpu::nativeBatchNorm(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                 const Tensor &runningMean, const Tensor &runningVar, bool training, double momentum,
                                 double eps) {
  if (input.dim() < 2)
    return invalidArgument("batch_norm expects an input of at least 2 dimensions, but got " + llvm::Twine(input.dim()));
  TSC_RETURN_IF_ERROR(checkFloating(input, "batch_norm"));
  int64_t samples = input.size(0), channels = input.size(1), plane = 1;
  for (int64_t d = 2; d < input.dim(); ++d)
    plane *= input.size(d);
  if (!training && !runningMean.defined())
    return invalidArgument("running_mean must be defined in evaluation mode");
  if (!training && !runningVar.defined())
    return invalidArgument("running_var must be defined in evaluation mode");
  TSC_RETURN_IF_ERROR(checkChannels("running_mean", runningMean, channels));
  TSC_RETURN_IF_ERROR(checkChannels("running_var", runningVar, channels));
  TSC_RETURN_IF_ERROR(checkChannels("weight", weight, channels));
  TSC_RETURN_IF_ERROR(checkChannels("bias", bias, channels));
  TSC_RETURN_IF_ERROR(checkParameters(input, {&weight, &bias, &runningMean, &runningVar}));
  TSC_ASSIGN_OR_RETURN(std::vector<double> w, channelVector(weight));
  TSC_ASSIGN_OR_RETURN(std::vector<double> b, channelVector(bias));
  DType work = workType(input.dtype());
  const bool isHalf = !training && work != input.dtype();
  // Where the channels lie innermost without gaps, each position is a row of channels.
  const bool isOfRows = !training && hasChannelsInside(input) && !input.get()->negative;
  Tensor x = input, out;
  if (isOfRows) {
    TSC_ASSIGN_OR_RETURN(out, Tensor::emptyStrided(input.sizes(), input.strides(), x.dtype()));
    samples *= plane, plane = 1;
  } else {
    TSC_ASSIGN_OR_RETURN(x, dense(input, isHalf ? input.dtype() : work));
    TSC_ASSIGN_OR_RETURN(out, Tensor::empty(input.sizes(), x.dtype()));
  }
  std::vector<double> mean(channels), invStd(channels), variance(channels);
  int64_t count = samples * plane;
  if (training) {
    TSC_ASSIGN_OR_RETURN(ChannelMoments moments, channelMoments(x, samples, channels, plane));
    mean = std::move(moments.mean);
    variance = std::move(moments.variance);
  } else {
    TSC_ASSIGN_OR_RETURN(mean, channelVector(runningMean));
    TSC_ASSIGN_OR_RETURN(variance, channelVector(runningVar));
  }
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      work,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        for (int64_t c = 0; c < channels; ++c)
          invStd[c] = inverseDeviation(static_cast<T>(variance[c]), eps);
        auto [scales, shifts] = affineOf<T>(mean, invStd, w, b);
        if constexpr (std::is_same_v<T, float>)
          if (isHalf) {
            if (out.numel() != 0)
              scaleHalfChannels(out, x, scales, shifts, samples, plane);
            return;
          }
        if (out.numel() != 0)
          scaleChannels<T>(out.mutableData<T>(), x.data<T>(), scales, shifts, samples, plane);
      },
      "batch_norm"));
  if (training) {
    if (count != 0) // else there are no statistics
      TSC_RETURN_IF_ERROR(updateRunning(runningMean, mean, momentum));
    for (double &v : variance)
      v = v * count / (count - 1);
    if (count != 0)
      TSC_RETURN_IF_ERROR(updateRunning(runningVar, variance, momentum));
  } else {
    mean.clear(), invStd.clear();
  }
  TSC_ASSIGN_OR_RETURN(Tensor saveMean, vectorOf(mean, work));
  TSC_ASSIGN_OR_RETURN(Tensor saveInvStd, vectorOf(invStd, work));
  if (!isOfRows) {
    TSC_ASSIGN_OR_RETURN(out, toDType(out, input.dtype()));
    TSC_ASSIGN_OR_RETURN(out, inOrderOf(input, std::move(out)));
  }
  return std::make_tuple(out, saveMean, saveInvStd);
}

StatusOr<Tensor> tsc::cpu::batchNorm(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                     const Tensor &runningMean, const Tensor &runningVar, bool training,
                                     double momentum, double eps, bool) {
  TSC_ASSIGN_OR_RETURN(auto all,
                       nativeBatchNorm(input, weight, bias, runningMean, runningVar, training, momentum, eps));
  return std::get<0>(all);
}

StatusOr<Tensor> tsc::cpu::instanceNorm(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                        const Tensor &runningMean, const Tensor &runningVar, bool useInputStats,
                                        double momentum, double eps, bool) {
  if (!useInputStats && !(runningMean.defined() && runningVar.defined()))
    return invalidArgument("Expected running_mean and running_var to be defined when use_input_stats is false");
  if (input.dim() < 2)
    return invalidArgument("instance_norm expects an input of at least 2 dimensions, but got " +
                           llvm::Twine(input.dim()));
  int64_t samples = input.size(0), channels = input.size(1);
  Dims shape(input.sizes());
  shape[0] = 1;
  shape[1] = samples * channels;
  TSC_ASSIGN_OR_RETURN(Tensor x, contiguous(input));
  TSC_ASSIGN_OR_RETURN(x, view(x, shape));
  auto repeated = [&](const Tensor &t) -> StatusOr<Tensor> {
    return t.defined() ? repeat(t, {samples}) : StatusOr<Tensor>(Tensor());
  };
  TSC_ASSIGN_OR_RETURN(Tensor w, repeated(weight));
  TSC_ASSIGN_OR_RETURN(Tensor b, repeated(bias));
  TSC_ASSIGN_OR_RETURN(Tensor mean, repeated(runningMean));
  TSC_ASSIGN_OR_RETURN(Tensor var, repeated(runningVar));
  TSC_ASSIGN_OR_RETURN(Tensor out, batchNorm(x, w, b, mean, var, useInputStats, momentum, eps, false));
  if (!useInputStats)
    return view(out, input.sizes());
  // The running statistics become the mean of what each sample made of them.
  auto average = [&](const Tensor &running, const Tensor &all) -> Status {
    if (!running.defined())
      return okStatus();
    TSC_ASSIGN_OR_RETURN(Tensor table, view(all, {samples, channels}));
    TSC_ASSIGN_OR_RETURN(Tensor mean, meanDims(table, Dims{0}, false, std::nullopt));
    return copyInto(running, mean);
  };
  TSC_RETURN_IF_ERROR(average(runningMean, mean));
  TSC_RETURN_IF_ERROR(average(runningVar, var));
  return view(out, input.sizes());
}

Triple tsc::cpu::nativeLayerNorm(const Tensor &input, ArrayRef<int64_t> normalizedShape, const Tensor &weight,
                                 const Tensor &bias, double eps) {
  if (normalizedShape.empty())
    return invalidArgument(
        "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
        "normalized_shape = []");
  for (auto [name, t] : {std::pair("weight", &weight), std::pair("bias", &bias)})
    if (t->defined() && t->sizes() != normalizedShape)
      return invalidArgument(llvm::Twine("Expected ") + name + " to be of same shape as normalized_shape, but got " +
                             name + " of shape " + shapeString(t->sizes()) +
                             " and normalized_shape = " + shapeString(normalizedShape));
  if (static_cast<size_t>(input.dim()) < normalizedShape.size() ||
      input.sizes().take_back(normalizedShape.size()) != normalizedShape) {
    std::string text = shapeString(normalizedShape);
    return invalidArgument("Given normalized_shape=" + text + ", expected input with shape [*, " + text.substr(1) +
                           ", but got input of size" + shapeString(input.sizes()));
  }
  TSC_RETURN_IF_ERROR(checkParameters(input, {&weight, &bias}));
  TSC_RETURN_IF_ERROR(checkFloating(input, "LayerNormKernelImpl"));
  DType work = workType(input.dtype());
  Dims statShape(input.sizes().drop_back(normalizedShape.size()));
  TSC_ASSIGN_OR_RETURN(int64_t n, elementCount(normalizedShape));
  TSC_ASSIGN_OR_RETURN(int64_t m, elementCount(statShape));
  statShape.append(normalizedShape.size(), 1);
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(input, work));
  Tensor w, b;
  if (weight.defined()) {
    TSC_ASSIGN_OR_RETURN(w, dense(weight, work));
  }
  if (bias.defined()) {
    TSC_ASSIGN_OR_RETURN(b, dense(bias, work));
  }
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(input.sizes(), work));
  TSC_ASSIGN_OR_RETURN(Tensor means, Tensor::empty(statShape, work));
  TSC_ASSIGN_OR_RETURN(Tensor deviations, Tensor::empty(statShape, work));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      work,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const T *px = x.data<T>(), *pw = w.defined() ? w.data<T>() : nullptr, *pb = b.defined() ? b.data<T>() : nullptr;
        T *po = out.mutableData<T>(), *pm = means.mutableData<T>(), *pr = deviations.mutableData<T>();
        const rows::Kernels<T> &kernels = rows::kernels<T>();
        if (n == 0) {
          std::fill(pm, pm + m, std::numeric_limits<T>::quiet_NaN());
          std::fill(pr, pr + m, std::numeric_limits<T>::quiet_NaN());
          return;
        }
        parallelFor(0, m, std::max<int64_t>(1, parallelGrain / n), [&](int64_t first, int64_t last) {
          for (int64_t i = first; i < last; ++i) {
            const T *row = px + i * n;
            pm[i] = kernels.mean(row, {n});
            pr[i] = inverseDeviation(kernels.squaredDeviations(row, pm[i], {n}) / static_cast<T>(n), eps);
            kernels.normalize(po + i * n, row, pm[i], pr[i], pw, pb, n);
          }
        });
      },
      "LayerNormKernelImpl"));
  TSC_ASSIGN_OR_RETURN(out, toDType(out, input.dtype()));
  TSC_ASSIGN_OR_RETURN(means, toDType(means, input.dtype()));
  TSC_ASSIGN_OR_RETURN(deviations, toDType(deviations, input.dtype()));
  return std::make_tuple(out, means, deviations);
}

StatusOr<Tensor> tsc::cpu::layerNorm(const Tensor &input, ArrayRef<int64_t> normalizedShape, const Tensor &weight,
                                     const Tensor &bias, double eps, bool) {
  TSC_ASSIGN_OR_RETURN(auto all, nativeLayerNorm(input, normalizedShape, weight, bias, eps));
  return std::get<0>(all);
}

/// Group norm of samples whose places are rows of channels, as they lie.
template <typename T>
static void normalizeGroupsInside(T *out, const T *x, T *means, T *deviations, ArrayRef<double> weight,
                                  ArrayRef<double> bias, int64_t samples, int64_t channels, int64_t plane,
                                  int64_t group, double eps) {
  const int64_t perGroup = channels / group, n = perGroup * plane;
  const bool isAffine = !weight.empty() || !bias.empty();
  std::vector<T> weights(isAffine ? channels : 0, T(1)), biases(isAffine ? channels : 0, T(-0.0)); // change nothing
  std::copy(weight.begin(), weight.end(), weights.begin());
  std::copy(bias.begin(), bias.end(), biases.begin());
  const rows::ChannelKernels<T> &kernels = rows::channelKernels<T>();
  parallelFor(0, samples * group, std::max<int64_t>(1, parallelGrain / n), [&](int64_t first, int64_t last) {
    std::vector<T> scratch, centers, factors;
    for (int64_t next; first != last; first = next) {
      next = std::min(last, (first / group + 1) * group); // of one sample
      const rows::GroupShape shape{plane, channels, next - first, perGroup};
      const int64_t channel = first % group * perGroup, at = first / group * channels * plane + channel;
      T *const mean = means + first, *const deviation = deviations + first;
      scratch.resize(shape.scratch()), centers.resize(shape.columns()), factors.resize(shape.columns());
      kernels.sums(mean, x + at, nullptr, shape, scratch.data());
      for (int64_t i = 0; i != shape.groups; ++i) {
        mean[i] /= static_cast<T>(n);
        std::fill_n(&centers[i * perGroup], perGroup, mean[i]);
      }
      kernels.sums(deviation, x + at, centers.data(), shape, scratch.data());
      for (int64_t i = 0; i != shape.groups; ++i) {
        deviation[i] = inverseDeviation(deviation[i] / static_cast<T>(n), eps);
        std::fill_n(&factors[i * perGroup], perGroup, deviation[i]);
      }
      for (int64_t place = 0; place != plane; ++place)
        kernels.normalize(out + at + place * channels, x + at + place * channels, centers.data(), factors.data(),
                          isAffine ? &weights[channel] : nullptr, isAffine ? &biases[channel] : nullptr,
                          shape.columns());
    }
  });
}

Triple tsc::cpu::nativeGroupNorm(const Tensor &input, const Tensor &weight, const Tensor &bias, int64_t samples,
                                 int64_t channels, int64_t plane, int64_t group, double eps) {
  if (group <= 0)
    return invalidArgument("Expected num groups to be greater than 0, got " + llvm::Twine(group));
  if (channels % group != 0)
    return invalidArgument(
        "Expected number of channels in input to be divisible by num_groups, but got input of shape " +
        shapeString(input.sizes()) + " and num_groups=" + llvm::Twine(group));
  for (auto [name, t] : {std::pair("weight", &weight), std::pair("bias", &bias)})
    if (t->defined() && (t->dim() != 1 || t->numel() != channels))
      return invalidArgument(llvm::Twine("Expected ") + name +
                             " to be a vector of size equal to the number of channels in input, but got " + name +
                             " of shape " + shapeString(t->sizes()) + " and input of shape " +
                             shapeString(input.sizes()));
  TSC_RETURN_IF_ERROR(checkFloating(input, "GroupNormKernelImpl"));
  TSC_RETURN_IF_ERROR(checkParameters(input, {&weight, &bias}));
  const StatusOr<int64_t> count = elementCount({samples, channels, plane});
  if (!count.ok() || input.numel() != *count)
    return invalidArgument("input of shape " + shapeString(input.sizes()) + " does not have " + llvm::Twine(samples) +
                           " * " + llvm::Twine(channels) + " * " + llvm::Twine(plane) + " elements");
  DType work = workType(input.dtype());
  // Where the channels lie innermost without gaps, each place is a row of channels. Rows shorter than vectors, and
  // blocks of groups of many channels that end at any row, are copied to planes faster than they are added as they lie.
  const bool endsWithRows = channels / group <= 16 || plane % foldBlock == 0;
  const bool isOfRows = input.dtype() == work && input.dim() >= 2 && input.size(0) == samples &&
                        input.size(1) == channels && channels >= 16 && endsWithRows && plane >= foldBlock &&
                        hasChannelsInside(input) && !input.get()->negative;
  Tensor x = input, out;
  if (isOfRows) {
    TSC_ASSIGN_OR_RETURN(out, Tensor::emptyStrided(input.sizes(), input.strides(), work));
  } else {
    TSC_ASSIGN_OR_RETURN(x, dense(input, work));
    TSC_ASSIGN_OR_RETURN(out, Tensor::empty(input.sizes(), work));
  }
  TSC_ASSIGN_OR_RETURN(std::vector<double> w, channelVector(weight));
  TSC_ASSIGN_OR_RETURN(std::vector<double> b, channelVector(bias));
  TSC_ASSIGN_OR_RETURN(Tensor means, Tensor::empty({samples, group}, work));
  TSC_ASSIGN_OR_RETURN(Tensor deviations, Tensor::empty({samples, group}, work));
  int64_t perGroup = channels / group;
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      work,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const T *px = x.data<T>();
        T *po = out.mutableData<T>();
        T *pm = means.mutableData<T>(), *pr = deviations.mutableData<T>();
        const rows::Kernels<T> &kernels = rows::kernels<T>();
        int64_t n = perGroup * plane;
        if (n == 0) {
          std::fill(pm, pm + means.numel(), std::numeric_limits<T>::quiet_NaN());
          std::fill(pr, pr + means.numel(), std::numeric_limits<T>::quiet_NaN());
          return;
        }
        if (isOfRows)
          return normalizeGroupsInside<T>(po, px, pm, pr, w, b, samples, channels, plane, group, eps);
        parallelFor(0, samples * group, std::max<int64_t>(1, parallelGrain / n), [&](int64_t first, int64_t last) {
          for (int64_t i = first; i < last; ++i) {
            const T *from = px + i * n;
            T *to = po + i * n;
            pm[i] = kernels.mean(from, {n});
            pr[i] = inverseDeviation(kernels.squaredDeviations(from, pm[i], {n}) / static_cast<T>(n), eps);
            kernels.normalize(to, from, pm[i], pr[i], nullptr, nullptr, n);
            if (w.empty() && b.empty())
              continue;
            for (int64_t j = 0; j < perGroup; ++j) { // adding -0 changes nothing
              int64_t c = i % group * perGroup + j;
              kernels.affine(to + j * plane, to + j * plane, static_cast<T>(w.empty() ? 1 : w[c]),
                             static_cast<T>(b.empty() ? -0.0 : b[c]), plane);
            }
          }
        });
      },
      "GroupNormKernelImpl"));
  if (!isOfRows) {
    TSC_ASSIGN_OR_RETURN(out, toDType(out, input.dtype()));
    TSC_ASSIGN_OR_RETURN(out, inOrderOf(input, std::move(out)));
  }
  TSC_ASSIGN_OR_RETURN(means, toDType(means, input.dtype()));
  TSC_ASSIGN_OR_RETURN(deviations, toDType(deviations, input.dtype()));
  return std::make_tuple(out, means, deviations);
}

StatusOr<Tensor> tsc::cpu::groupNorm(const Tensor &input, int64_t groups, const Tensor &weight, const Tensor &bias,
                                     double eps, bool) {
  if (input.dim() < 2)
    return invalidArgument("Expected at least 2 dimensions for input tensor but received " + llvm::Twine(input.dim()));
  int64_t plane = 1;
  for (int64_t d = 2; d < input.dim(); ++d)
    plane *= input.size(d);
  TSC_ASSIGN_OR_RETURN(auto all,
                       nativeGroupNorm(input, weight, bias, input.size(0), input.size(1), plane, groups, eps));
  return std::get<0>(all);
}
