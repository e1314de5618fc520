//===- Quantile.cpp - Values of given rank, interpolated ------------------===//
//
// Rows are sorted once, and every share q reads its rank in them. Ranks are
// computed in the tensor's own dtype, as PyTorch does.
//
//===----------------------------------------------------------------------===//
#include "Indexing/IndexingSupport.h"
#include "tsc/Kernels/Sorting.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/WorkMeter.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

namespace {
enum class Interpolation { Linear, Lower, Higher, Midpoint, Nearest };

struct QuantileRequest {
  Tensor q; ///< A number or a vector, of the input's dtype.
  std::optional<int64_t> dim;
  bool keepDim, ignoreNaN;
  Interpolation interpolation;
};
} // namespace

static std::optional<Interpolation> interpolationNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Interpolation>>(name)
      .Case("linear", Interpolation::Linear)
      .Case("lower", Interpolation::Lower)
      .Case("higher", Interpolation::Higher)
      .Case("midpoint", Interpolation::Midpoint)
      .Case("nearest", Interpolation::Nearest)
      .Default(std::nullopt);
}

/// The value at share q of a sorted row whose NaNs come last.
template <typename T>
static T valueAt(const T *row, int64_t count, int64_t length, T q, bool ignoreNaN, Interpolation interpolation) {
  if (count < length && !ignoreNaN)
    return row[length - 1];
  if (count == 0)
    return row[0]; // nothing but NaN
  T rank = q * static_cast<T>(count - 1);
  if (interpolation == Interpolation::Lower)
    rank = std::floor(rank);
  else if (interpolation == Interpolation::Higher)
    rank = std::ceil(rank);
  else if (interpolation == Interpolation::Nearest)
    rank = std::nearbyint(rank);
  auto numberAt = [&](T place) { return row[std::min(static_cast<int64_t>(place), count - 1)]; };
  const T low = numberAt(rank), high = numberAt(std::ceil(rank));
  T weight = interpolation == Interpolation::Midpoint ? T(0.5) : rank - std::floor(rank);
  return weight < T(0.5) ? low + weight * (high - low) : high - (high - low) * (1 - weight);
}

/// The shape of one quantile: the input's, with the dimension dropped or kept as 1.
static Dims reducedShape(const Tensor &self, std::optional<int64_t> dim, bool keepDim) {
  Dims sizes(self.sizes().begin(), self.sizes().end());
  if (!dim)
    return keepDim ? Dims(sizes.size(), 1) : Dims();
  if (sizes.empty())
    return sizes;
  if (keepDim)
    sizes[*dim] = 1;
  else
    sizes.erase(sizes.begin() + *dim);
  return sizes;
}

static Status checkQuantile(const Tensor &self, const Tensor &q) {
  if (self.numel() == 0)
    return invalidArgument("quantile() input tensor must be non-empty");
  if (q.dim() > 1)
    return invalidArgument("quantile() q must be a scalar or 1D tensor");
  if (self.dtype() != DType::Float && self.dtype() != DType::Double)
    return invalidArgument("quantile() input tensor must be either float or double dtype");
  if (q.dtype() != self.dtype())
    return invalidArgument("quantile() q tensor must be same dtype as the input tensor");
  work::LongLoop turns;
  for (int64_t i = 0; i != q.numel(); ++i) {
    if (!turns.goOn())
      return work::stopped();
    if (double share = q.at(i).toDouble(); !(share >= 0 && share <= 1))
      return invalidArgument("quantile() q values must be in the range [0, 1]");
  }
  return okStatus();
}

static StatusOr<Tensor> computeQuantiles(const Tensor &self, QuantileRequest request) {
  TSC_ASSIGN_OR_RETURN(Tensor shares, contiguous(request.q));
  TSC_RETURN_IF_ERROR(checkQuantile(self, shares));
  Tensor rows = self;
  if (request.dim) {
    TSC_ASSIGN_OR_RETURN(request.dim, wrapDim(*request.dim, self.dim()));
    if (self.dim() > 0) {
      TSC_ASSIGN_OR_RETURN(rows, movedim(self, *request.dim, -1));
    }
  } else {
    TSC_ASSIGN_OR_RETURN(rows, reshape(self, {-1}));
  }
  int64_t length = rows.dim() ? rows.sizes().back() : 1, count = self.numel() / length;
  if (length > int64_t{1} << 24) // not every rank in such a row is a float
    return invalidArgument("quantile() input tensor is too large");
  TSC_ASSIGN_OR_RETURN(TensorPair ordered, sort(rows, -1, false));
  TSC_ASSIGN_OR_RETURN(Tensor sorted, contiguous(std::get<0>(ordered)));
  Dims sizes = reducedShape(self, request.dim, request.keepDim);
  if (request.q.dim() == 1)
    sizes.insert(sizes.begin(), request.q.numel());
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(sizes, self.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const T *data = sorted.data<T>(), *share = shares.data<T>();
        T *out = result.mutableData<T>();
        work::LongLoop turns;
        for (int64_t r = 0; r != count; ++r, data += length) {
          int64_t numbers = std::count_if(data, data + length, [](T x) { return !isNaN(x); });
          for (int64_t k = 0; k != shares.numel() && turns.goOn(); ++k)
            out[k * count + r] = valueAt(data, numbers, length, share[k], request.ignoreNaN, request.interpolation);
        }
      },
      "quantile"));
  return result;
}

static StatusOr<Tensor> quantileOf(const Tensor &self, const Tensor &q, std::optional<int64_t> dim, bool keepDim,
                                   llvm::StringRef name, bool ignoreNaN) {
  auto interpolation = interpolationNamed(name);
  if (!interpolation)
    return invalidArgument(
        "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got " + name);
  return computeQuantiles(self, {q, dim, keepDim, ignoreNaN, *interpolation});
}
static StatusOr<Tensor> quantileOf(const Tensor &self, double q, std::optional<int64_t> dim, bool keepDim,
                                   llvm::StringRef name, bool ignoreNaN) {
  if (!(q >= 0 && q <= 1))
    return invalidArgument("quantile() q must be in the range [0, 1] but got " + llvm::Twine(shortString(q)));
  TSC_ASSIGN_OR_RETURN(Tensor share, Tensor::scalar(q, self.dtype()));
  return quantileOf(self, share, dim, keepDim, name, ignoreNaN);
}

StatusOr<Tensor> cpu::quantile(const Tensor &self, const Tensor &q, std::optional<int64_t> dim, bool keepdim,
                               llvm::StringRef interpolation) {
  return quantileOf(self, q, dim, keepdim, interpolation, false);
}
StatusOr<Tensor> cpu::quantileScalar(const Tensor &self, double q, std::optional<int64_t> dim, bool keepdim,
                                     llvm::StringRef interpolation) {
  return quantileOf(self, q, dim, keepdim, interpolation, false);
}
StatusOr<Tensor> cpu::nanquantile(const Tensor &self, const Tensor &q, std::optional<int64_t> dim, bool keepdim,
                                  llvm::StringRef interpolation) {
  return quantileOf(self, q, dim, keepdim, interpolation, true);
}
StatusOr<Tensor> cpu::nanquantileScalar(const Tensor &self, double q, std::optional<int64_t> dim, bool keepdim,
                                        llvm::StringRef interpolation) {
  return quantileOf(self, q, dim, keepdim, interpolation, true);
}
