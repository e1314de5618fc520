//===- ClassLoss.cpp - Losses over classes --------------------------------===//
#include "LossReduction.h"
#include "LossRows.h"
#include "Normalization/LogSums.h"
#include "Products/RowProducts.h"
#include "tsc/Kernels/Normalization.h"
#include "tsc/Support/WorkMeter.h"
#include <cmath>
#include <limits>

using namespace tsc;
using namespace tsc::cpu;

using Pair = StatusOr<std::tuple<Tensor, Tensor>>;

namespace {
/// The losses of a block of targets and their weights, and the sums of all blocks: several, that do not wait for each
/// other.
class LossSums {
public:
  static constexpr int64_t block = 256;
  double factors[block], losses[block];

  /// Adds what stands there.
  void add(int64_t count) {
    std::fill(factors + count, factors + (count + lanes - 1) / lanes * lanes, 0.0);
    std::fill(losses + count, losses + (count + lanes - 1) / lanes * lanes, 0.0);
    for (int64_t i = 0; i < count; i += lanes)
      for (int64_t k = 0; k != lanes; ++k)
        totals[k] += factors[i + k], lossSums[k] += losses[i + k];
  }
  double total() const { return combined(totals); }
  double sum() const { return combined(lossSums); }

private:
  static constexpr int64_t lanes = 8;
  static double combined(const double *v) { return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7])); }
  double totals[lanes] = {}, lossSums[lanes] = {};
};
} // namespace

/// Input [N, C, *] (or [C]) and target [N, *] (or a scalar); the loss of each target and the weight of all. Where there
/// are sums, the input is what log_softmax is taken of.
static Pair negativeLogLikelihood(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                                  int64_t ignoreIndex, const LogSums *sumsOfColumns = nullptr) {
  if (self.dim() == 0)
    return invalidArgument("input tensor should be 1D or 2D");
  int64_t classes = self.dim() == 1 ? self.size(0) : self.size(1), samples = self.dim() == 1 ? 1 : self.size(0),
          plane = 1;
  for (int64_t d = 2; d < self.dim(); ++d)
    plane *= self.size(d);
  if (target.dtype() != DType::Int64 && target.dtype() != DType::UInt8)
    return invalidArgument("expected scalar type Long but found " + dtypeText(target.dtype()));
  if (target.numel() != samples * plane)
    return invalidArgument("size mismatch (got input: " + shapeString(self.sizes()) +
                           ", target: " + shapeString(target.sizes()) + ")");
  if (weight.defined() && (weight.dim() != 1 || weight.numel() != classes))
    return invalidArgument("weight tensor should be defined either for all " + llvm::Twine(classes) +
                           " classes or no classes but got weight tensor of shape: " + shapeString(weight.sizes()));
  TSC_RETURN_IF_ERROR(checkFloating(self, "nll_loss_out_frame"));
  TSC_RETURN_IF_ERROR(checkSameDType(self, weight));
  TSC_ASSIGN_OR_RETURN(Tensor t, dense(target, DType::Int64));
  Tensor w;
  if (weight.defined()) {
    TSC_ASSIGN_OR_RETURN(w, dense(weight, DType::Double));
  }
  Tensor result;
  double *losses = nullptr; // of each target, where they are asked for
  if (reduction == 0) {
    TSC_ASSIGN_OR_RETURN(result, Tensor::empty(target.sizes(), DType::Double));
    losses = result.mutableData<double>();
  }
  LossSums sums;
  const int64_t *targets = t.data<int64_t>();
  const double *weights = w.defined() ? w.data<double>() : nullptr;
  auto visit = [&](auto logProbability) -> Status {
    // Targets that lie side by side: those of a sample's places, or samples where each has one.
    const int64_t rows = plane == 1 ? 1 : plane == 0 ? 0 : samples, length = plane == 1 ? samples : plane;
    const int64_t step = plane == 1 ? classes : 1, between = plane == 1 ? 1 : plane;
    for (int64_t row = 0; row != rows; ++row)
      for (int64_t begin = 0; begin < length; begin += LossSums::block) {
        const int64_t count = std::min(LossSums::block, length - begin), first = row * length + begin;
        bool isOutside = false;
        for (int64_t i = 0; i != count; ++i)
          isOutside |= targets[first + i] != ignoreIndex &&
                       static_cast<uint64_t>(targets[first + i]) >= static_cast<uint64_t>(classes);
        for (int64_t i = 0; isOutside && i != count; ++i)
          if (const int64_t c = targets[first + i]; c != ignoreIndex && (c < 0 || c >= classes))
            return outOfRange("Target " + llvm::Twine(c) + " is out of bounds.");
        const int64_t base = row * classes * plane + begin * step;
        for (int64_t i = 0; i != count; ++i) {
          const int64_t c = targets[first + i];
          const bool counts = c != ignoreIndex;
          const double factor = !counts ? 0 : weights ? weights[c] : 1;
          sums.factors[i] = factor;
          sums.losses[i] = counts ? -logProbability(base + i * step + c * between, first + i) * factor : 0;
        }
        if (losses)
          std::copy_n(sums.losses, count, losses + first);
        sums.add(count);
      }
    return okStatus();
  };
  if (sumsOfColumns) {
    Status status = okStatus();
    TSC_RETURN_IF_ERROR(dispatchFloatDouble(self.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T *const from = self.data<T>(), *const shifts = sumsOfColumns->shifts.data<T>(),
                     *const logSums = sumsOfColumns->logSums.data<T>();
      status = visit([=](int64_t i, int64_t column) -> double { return from[i] - shifts[column] - logSums[column]; });
    }));
    TSC_RETURN_IF_ERROR(status);
  } else if (self.dtype() == DType::Float && self.isContiguous()) {
    const float *from = self.data<float>();
    TSC_RETURN_IF_ERROR(visit([=](int64_t i, int64_t) -> double { return from[i]; }));
  } else {
    TSC_ASSIGN_OR_RETURN(Tensor x, dense(self, workType(self.dtype())));
    Status status = okStatus();
    TSC_RETURN_IF_ERROR(dispatchFloatDouble(x.dtype(), [&](auto tag) {
      const auto *from = x.data<typename decltype(tag)::Type>();
      status = visit([=](int64_t i, int64_t) -> double { return from[i]; });
    }));
    TSC_RETURN_IF_ERROR(status);
  }
  const double total = sums.total(), sum = sums.sum();
  if (reduction != 0) {
    TSC_ASSIGN_OR_RETURN(result, Tensor::scalar(Scalar(reduction == 1 ? sum / total : sum), self.dtype()));
  }
  TSC_ASSIGN_OR_RETURN(result, toDType(result, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor totalWeight, Tensor::scalar(Scalar(reduction == 0 ? 0.0 : total), self.dtype()));
  return std::make_tuple(result, totalWeight);
}

static StatusOr<Tensor> firstOf(Pair both) {
  TSC_RETURN_IF_ERROR(both.status());
  return std::get<0>(*both);
}

Pair tsc::cpu::nllLossForward(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                              int64_t ignoreIndex) {
  if (self.dim() < 1 || self.dim() > 2)
    return invalidArgument("input tensor should be 1D or 2D");
  if (target.dim() > 1)
    return invalidArgument("0D or 1D target tensor expected, multi-target not supported");
  return negativeLogLikelihood(self, target, weight, reduction, ignoreIndex);
}
StatusOr<Tensor> tsc::cpu::nllLoss(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                                   int64_t ignoreIndex) {
  return firstOf(nllLossForward(self, target, weight, reduction, ignoreIndex));
}
Pair tsc::cpu::nllLoss2dForward(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                                int64_t ignoreIndex) {
  if (target.dim() != 3)
    return invalidArgument("only batches of spatial targets supported (3D tensors) but got targets of dimension: " +
                           llvm::Twine(target.dim()));
  if (self.dim() != 4)
    return invalidArgument("only batches of spatial inputs supported (4D tensors), but got input of dimension: " +
                           llvm::Twine(self.dim()));
  return negativeLogLikelihood(self, target, weight, reduction, ignoreIndex);
}
StatusOr<Tensor> tsc::cpu::nllLoss2d(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                                     int64_t ignoreIndex) {
  return firstOf(nllLoss2dForward(self, target, weight, reduction, ignoreIndex));
}

static StatusOr<Tensor> nllLossOf(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                                  int64_t ignoreIndex, const LogSums *sumsOfColumns) {
  if (self.dim() < 1)
    return invalidArgument("Expected 1 or more dimensions (got " + llvm::Twine(self.dim()) + ")");
  if (self.dim() != 1 && (target.dim() == 0 || self.size(0) != target.size(0)))
    return invalidArgument("Expected input batch_size (" + llvm::Twine(self.size(0)) +
                           ") to match target batch_size (" + llvm::Twine(target.dim() == 0 ? 1 : target.size(0)) +
                           ").");
  if (self.dim() > 2 && target.sizes().drop_front() != self.sizes().drop_front(2))
    return invalidArgument("Expected target size " + [&] {
      Dims expected{self.size(0)};
      expected.append(self.sizes().begin() + 2, self.sizes().end());
      return shapeString(expected);
    }() + ", got " + shapeString(target.sizes()));
  return firstOf(negativeLogLikelihood(self, target, weight, reduction, ignoreIndex, sumsOfColumns));
}
StatusOr<Tensor> tsc::cpu::nllLossNd(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                                     int64_t ignoreIndex) {
  return nllLossOf(self, target, weight, reduction, ignoreIndex, nullptr);
}

/// The weights of classes as a tensor that broadcasts against an input with classes in `classDim`.
static StatusOr<Tensor> alongClasses(const Tensor &weight, const Tensor &self, int64_t classDim) {
  Dims shape(self.dim(), 1);
  shape[classDim] = weight.numel();
  return reshape(weight, shape);
}

/// Targets are probabilities of the classes.
static StatusOr<Tensor> crossEntropyOfProbabilities(const Tensor &self, const Tensor &target, const Tensor &weight,
                                                    int64_t reduction, double smoothing, int64_t classDim) {
  if (!isFloating(target.dtype()))
    return invalidArgument("Expected floating point type for target with class probabilities, got " +
                           dtypeText(target.dtype()));
  int64_t classes = self.size(classDim);
  if (weight.defined() && (weight.dim() != 1 || weight.numel() != classes))
    return invalidArgument("cross_entropy: weight tensor should be defined either for all " + llvm::Twine(classes) +
                           " classes or no classes but got weight tensor of shape: " + shapeString(weight.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor logits, logSoftmax(self, classDim, std::nullopt));
  if (classDim + 1 == self.dim() && !weight.defined() && smoothing == 0 && logits.dtype() == DType::Float &&
      target.dtype() == DType::Float) {
    TSC_ASSIGN_OR_RETURN(Tensor sums, rowProducts(logits, target));
    for (int64_t i = 0, n = sums.numel(); i != n; ++i)
      sums.mutableData<double>()[i] = -sums.data<double>()[i];
    return reduceLoss(sums, reduction, self.dtype());
  }
  TSC_ASSIGN_OR_RETURN(Tensor loss, zip(logits, target, DType::Double, [&](double x, double t) {
                         return -x * (smoothing > 0 ? t * (1 - smoothing) + smoothing / classes : t);
                       }));
  if (weight.defined()) {
    TSC_ASSIGN_OR_RETURN(Tensor w, alongClasses(weight, self, classDim));
    TSC_ASSIGN_OR_RETURN(loss, zip(loss, w, DType::Double, [](double l, double w) { return l * w; }));
  }
  TSC_ASSIGN_OR_RETURN(loss, sumOver(loss, {classDim}, false));
  return reduceLoss(loss, reduction, self.dtype());
}

/// Label smoothing spreads part of each target over all classes.
static StatusOr<Tensor> smoothed(const Tensor &logits, const Tensor &nll, const Tensor &target, const Tensor &weight,
                                 int64_t reduction, int64_t ignoreIndex, double smoothing, int64_t classDim) {
  int64_t classes = logits.size(classDim);
  Tensor spread;
  if (weight.defined()) {
    TSC_ASSIGN_OR_RETURN(Tensor w, alongClasses(weight, logits, classDim));
    TSC_ASSIGN_OR_RETURN(spread, zip(logits, w, DType::Double, [](double x, double w) { return -x * w; }));
    TSC_ASSIGN_OR_RETURN(spread, sumOver(spread, {classDim}, false));
  } else {
    TSC_ASSIGN_OR_RETURN(Tensor sums, sumOver(logits, {classDim}, false));
    TSC_ASSIGN_OR_RETURN(spread, zip(sums, sums, DType::Double, [](double x, double) { return -x; }));
  }
  TSC_ASSIGN_OR_RETURN(Tensor t, dense(target, DType::Int64));
  TSC_ASSIGN_OR_RETURN(spread, contiguous(spread));
  Tensor w;
  if (weight.defined()) {
    TSC_ASSIGN_OR_RETURN(w, dense(weight, DType::Double));
  }
  double total = 0, sum = 0;
  for (int64_t i = 0; i < spread.numel(); ++i) {
    int64_t c = t.data<int64_t>()[i];
    double &value = spread.mutableData<double>()[i];
    if (c == ignoreIndex)
      value = 0;
    else
      total += w.defined() ? w.data<double>()[c] : 1;
    sum += value;
  }
  Tensor smooth = spread;
  if (reduction != 0) {
    TSC_ASSIGN_OR_RETURN(smooth, Tensor::scalar(Scalar(reduction == 1 ? sum / total : sum), DType::Double));
  }
  return zip(nll, smooth, logits.dtype(),
             [=](double n, double s) { return (1 - smoothing) * n + s * (smoothing / classes); });
}

StatusOr<Tensor> tsc::cpu::crossEntropyLoss(const Tensor &self, const Tensor &target, const Tensor &weight,
                                            int64_t reduction, int64_t ignoreIndex, double labelSmoothing) {
  if (self.dim() == 0)
    return invalidArgument("Expected 1 or more dimensions (got 0)");
  if (labelSmoothing < 0 || labelSmoothing > 1)
    return invalidArgument("label_smoothing must be between 0.0 and 1.0. Got: " + std::to_string(labelSmoothing));
  int64_t classDim = self.dim() == 1 ? 0 : 1;
  if (self.sizes() == target.sizes() && !isIntegral(target.dtype()))
    return crossEntropyOfProbabilities(self, target, weight, reduction, labelSmoothing, classDim);
  // For images, only the logarithms that targets ask for are computed.
  if (labelSmoothing == 0 && self.dim() > 2 && self.numel() > self.size(0) * self.size(1) && self.isContiguous() &&
      !self.get()->negative && (self.dtype() == DType::Float || self.dtype() == DType::Double)) {
    TSC_ASSIGN_OR_RETURN(const LogSums sums, logSumsOfColumns(self));
    return nllLossOf(self, target, weight, reduction, ignoreIndex, &sums);
  }
  TSC_ASSIGN_OR_RETURN(Tensor logits, logSoftmax(self, classDim, std::nullopt));
  TSC_ASSIGN_OR_RETURN(Tensor nll, nllLossNd(logits, target, weight, reduction, ignoreIndex));
  if (labelSmoothing == 0)
    return nll;
  return smoothed(logits, nll, target, weight, reduction, ignoreIndex, labelSmoothing, classDim);
}

StatusOr<Tensor> tsc::cpu::multiMarginLoss(const Tensor &self, const Tensor &target, const Scalar &p,
                                           const Scalar &margin, const Tensor &weight, int64_t reduction) {
  double power = p.toDouble(), gap = margin.toDouble();
  if (power != 1 && power != 2)
    return invalidArgument("only p == 1 and p == 2 supported");
  if (self.dim() > 2)
    return invalidArgument("Expected non-empty vector or matrix with optional 0-dim batch size, but got: " +
                           shapeString(self.sizes()));
  int64_t samples = self.dim() == 2 ? self.size(0) : 1, classes = self.dim() == 0 ? 1 : self.sizes().back();
  if (target.dim() > 1 || target.numel() != samples)
    return invalidArgument("inconsistent target size, expected " + llvm::Twine(samples) + " but got " +
                           shapeString(target.sizes()));
  TSC_RETURN_IF_ERROR(checkSameDType(self, weight));
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(self, DType::Double));
  TSC_ASSIGN_OR_RETURN(Tensor t, dense(target, DType::Int64));
  Tensor w;
  if (weight.defined()) {
    if (weight.numel() != classes)
      return invalidArgument("inconsistent weight size, expected " + llvm::Twine(classes) + " but got " +
                             shapeString(weight.sizes()));
    TSC_ASSIGN_OR_RETURN(w, dense(weight, DType::Double));
  }
  TSC_ASSIGN_OR_RETURN(Tensor loss, Tensor::empty(target.sizes(), DType::Double));
  for (int64_t i = 0; i < samples; ++i) {
    const double *row = x.data<double>() + i * classes;
    int64_t y = t.data<int64_t>()[i];
    if (y < 0 || y >= classes)
      return invalidArgument("target out of range");
    // Of all classes, then without the target's own; in several sums, that do not wait for each other.
    auto excess = [&](double x) {
      const double z = std::max(0.0, gap - row[y] + x); // NaN counts as nothing
      return power == 1 ? z : z * z;
    };
    constexpr int64_t lanes = 4;
    double sums[lanes] = {};
    int64_t c = 0;
    for (; c + lanes <= classes; c += lanes)
      for (int64_t k = 0; k < lanes; ++k)
        sums[k] += c + k == y ? 0.0 : excess(row[c + k]);
    for (; c < classes; ++c)
      sums[0] += c == y ? 0.0 : excess(row[c]);
    const double sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    loss.mutableData<double>()[i] = sum * (w.defined() ? w.data<double>()[y] : 1) / static_cast<double>(classes);
  }
  return reduceLoss(loss, reduction, self.dtype());
}

Pair tsc::cpu::multilabelMarginLossForward(const Tensor &self, const Tensor &target, int64_t reduction) {
  if (self.dim() > 2 || self.sizes() != target.sizes())
    return invalidArgument("inconsistent target size: " + shapeString(target.sizes()) +
                           " for input of size: " + shapeString(self.sizes()));
  int64_t samples = self.dim() == 2 ? self.size(0) : 1, classes = self.dim() == 0 ? 1 : self.sizes().back();
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(self, DType::Double));
  TSC_ASSIGN_OR_RETURN(Tensor t, dense(target, DType::Int64));
  TSC_ASSIGN_OR_RETURN(Tensor mask, zeros(target.sizes(), DType::Double));
  TSC_ASSIGN_OR_RETURN(Tensor loss, Tensor::empty(self.dim() == 2 ? Dims{samples} : Dims{}, DType::Double));
  for (int64_t i = 0; i < samples; ++i) {
    const double *row = x.data<double>() + i * classes;
    const int64_t *labels = t.data<int64_t>() + i * classes;
    double *isTarget = mask.mutableData<double>() + i * classes;
    int64_t count = 0;
    for (; count < classes && labels[count] >= 0; ++count) { // a negative label ends the list
      if (labels[count] >= classes)
        return invalidArgument("target out of range");
      isTarget[labels[count]] = 1;
    }
    constexpr int64_t lanes = 4; // sums that do not wait for each other
    double sums[lanes] = {};
    work::LongLoop turns(classes);
    for (int64_t k = 0; k < count; ++k) {
      if (!turns.goOn())
        return work::stopped();
      const double least = 1 - row[labels[k]];
      int64_t c = 0;
      for (; c + lanes <= classes; c += lanes)
        for (int64_t j = 0; j < lanes; ++j)
          sums[j] += isTarget[c + j] != 0 ? 0 : std::max(0.0, least + row[c + j]);
      for (; c < classes; ++c)
        sums[0] += isTarget[c] != 0 ? 0 : std::max(0.0, least + row[c]);
    }
    const double sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    loss.mutableData<double>()[i] = sum / classes;
  }
  TSC_ASSIGN_OR_RETURN(loss, reduceLoss(loss, reduction, self.dtype()));
  TSC_ASSIGN_OR_RETURN(mask, toDType(mask, self.dtype()));
  return std::make_tuple(loss, mask);
}
StatusOr<Tensor> tsc::cpu::multilabelMarginLoss(const Tensor &self, const Tensor &target, int64_t reduction) {
  return firstOf(multilabelMarginLossForward(self, target, reduction));
}

static double logAdd(double a, double b) {
  if (a < b)
    std::swap(a, b);
  return b == -INFINITY ? a : a + std::log1p(std::exp(b - a));
}

Pair tsc::cpu::ctcLossForward(const Tensor &logProbs, const Tensor &targets, ArrayRef<int64_t> inputLengths,
                              ArrayRef<int64_t> targetLengths, int64_t blank, bool zeroInfinity) {
  bool single = logProbs.dim() == 2;
  if (!single && logProbs.dim() != 3)
    return invalidArgument("log_probs tensor must be 2D or 3D");
  int64_t steps = logProbs.size(0), batch = single ? 1 : logProbs.size(1), classes = logProbs.sizes().back();
  if (blank < 0 || blank >= classes)
    return invalidArgument("blank must be in label range");
  if (inputLengths.size() != static_cast<size_t>(batch))
    return invalidArgument("input_lengths must be of size batch_size");
  if (targetLengths.size() != static_cast<size_t>(batch))
    return invalidArgument("target_lengths must be of size batch_size");
  if (targets.dtype() != DType::Int64 && targets.dtype() != DType::Int32)
    return invalidArgument("Expected tensor for argument #2 'targets' to have scalar type Long; but got torch." +
                           dtypeText(targets.dtype()) + "Tensor instead (while checking arguments for ctc_loss_cpu)");
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(logProbs, DType::Double));
  TSC_ASSIGN_OR_RETURN(Tensor labels, dense(targets, DType::Int64));
  int64_t longest = 0, sum = 0;
  for (int64_t b = 0; b < batch; ++b) {
    if (targetLengths[b] < 0 || inputLengths[b] < 0)
      return invalidArgument("Expected target_lengths to have value at least 0");
    if (inputLengths[b] > steps)
      return invalidArgument("Expected input_lengths to have value at most " + llvm::Twine(steps) + ", but got value " +
                             llvm::Twine(inputLengths[b]) + " (while checking arguments for ctc_loss_cpu)");
    longest = std::max(longest, targetLengths[b]);
    sum += targetLengths[b];
  }
  bool packed = labels.dim() == 1 && !single;
  if (packed ? labels.numel() != sum
             : !single && (labels.dim() != 2 || labels.size(0) != batch || labels.size(1) < longest))
    return invalidArgument("Expected targets to hold the target_lengths");
  if (single && labels.numel() < longest)
    return invalidArgument("Expected targets to hold the target_lengths");
  int64_t states = 2 * longest + 1, offset = 0;
  TSC_ASSIGN_OR_RETURN(Tensor loss, Tensor::empty(single ? Dims{} : Dims{batch}, DType::Double));
  TSC_ASSIGN_OR_RETURN(Tensor alphas,
                       full({batch, steps, states}, Scalar(-std::numeric_limits<double>::infinity()), DType::Double));
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t *label = labels.data<int64_t>() + (packed ? offset : single ? 0 : b * labels.size(1));
    int64_t length = targetLengths[b], time = inputLengths[b];
    offset += length;
    for (int64_t i = 0; i < length; ++i)
      if (label[i] < 0 || label[i] >= classes)
        return invalidArgument("targets must be in label range");
    auto symbol = [&](int64_t s) { return s % 2 == 0 ? blank : label[s / 2]; };
    auto probability = [&](int64_t t, int64_t c) { return x.data<double>()[(t * batch + b) * classes + c]; };
    double *alpha = alphas.mutableData<double>() + b * steps * states;
    if (time > 0) {
      alpha[0] = probability(0, blank);
      if (length > 0)
        alpha[1] = probability(0, label[0]);
    }
    // Rows of states, two of them that cannot be reached in front.
    const int64_t used = 2 * length + 1, rowLength = used + 2 + losses::alignmentRoom;
    std::vector<double> before(rowLength, -INFINITY), after(rowLength, -INFINITY), emitted(rowLength), skips(rowLength);
    for (int64_t s = 0; s < used; ++s)
      skips[s] = s > 1 && symbol(s) != symbol(s - 2) ? 0 : -INFINITY;
    if (time > 0)
      std::copy_n(alpha, std::min<int64_t>(2, used), before.data() + 2);
    for (int64_t t = 1; t < time; ++t) {
      for (int64_t s = 0; s < used; ++s)
        emitted[s] = probability(t, symbol(s));
      losses::alignmentStep()(after.data() + 2, before.data() + 2, emitted.data(), skips.data(), used);
      std::copy_n(after.data() + 2, used, alpha + t * states);
      std::swap(before, after);
    }
    double value = time == 0 ? (length == 0 ? 0 : INFINITY) : alpha[(time - 1) * states + 2 * length];
    if (time > 0) {
      if (length > 0)
        value = logAdd(value, alpha[(time - 1) * states + 2 * length - 1]);
      value = -value;
    }
    loss.mutableData<double>()[b] = zeroInfinity && std::isinf(value) ? 0 : value;
  }
  TSC_ASSIGN_OR_RETURN(loss, toDType(loss, logProbs.dtype()));
  TSC_ASSIGN_OR_RETURN(alphas, toDType(alphas, logProbs.dtype()));
  return std::make_tuple(loss, alphas);
}

static StatusOr<std::vector<int64_t>> lengthsOf(const Tensor &t) {
  if (!isIntegral(t.dtype()))
    return invalidArgument("input_lengths must be integral");
  TSC_ASSIGN_OR_RETURN(Tensor d, dense(t, DType::Int64));
  return std::vector<int64_t>(d.data<int64_t>(), d.data<int64_t>() + d.numel());
}

Pair tsc::cpu::ctcLossForwardTensor(const Tensor &logProbs, const Tensor &targets, const Tensor &inputLengths,
                                    const Tensor &targetLengths, int64_t blank, bool zeroInfinity) {
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> in, lengthsOf(inputLengths));
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> out, lengthsOf(targetLengths));
  return ctcLossForward(logProbs, targets, in, out, blank, zeroInfinity);
}

StatusOr<Tensor> tsc::cpu::ctcLossIntList(const Tensor &logProbs, const Tensor &targets, ArrayRef<int64_t> inputLengths,
                                          ArrayRef<int64_t> targetLengths, int64_t blank, int64_t reduction,
                                          bool zeroInfinity) {
  TSC_ASSIGN_OR_RETURN(auto both, ctcLossForward(logProbs, targets, inputLengths, targetLengths, blank, zeroInfinity));
  TSC_ASSIGN_OR_RETURN(Tensor loss, dense(std::get<0>(both), DType::Double));
  if (reduction == 1)
    for (int64_t i = 0; i < loss.numel(); ++i) // the mean is over labels, then over the batch
      loss.mutableData<double>()[i] /= static_cast<double>(std::max<int64_t>(1, targetLengths[i]));
  return reduceLoss(loss, reduction, logProbs.dtype());
}
StatusOr<Tensor> tsc::cpu::ctcLossTensor(const Tensor &logProbs, const Tensor &targets, const Tensor &inputLengths,
                                         const Tensor &targetLengths, int64_t blank, int64_t reduction,
                                         bool zeroInfinity) {
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> in, lengthsOf(inputLengths));
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> out, lengthsOf(targetLengths));
  return ctcLossIntList(logProbs, targets, in, out, blank, reduction, zeroInfinity);
}
