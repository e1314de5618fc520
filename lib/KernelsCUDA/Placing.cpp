//===- Placing.cpp - Elements to where indices name, on a GPU -------------===//
//
// Which element comes last, and in which order sums are added up, must not depend on
// which thread is the first. So places are put in order, equal ones as they come, and one
// thread takes all that goes to one element, as the processor does.
//
//===----------------------------------------------------------------------===//
#include "Placing.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "tsc/Tensor/Promotion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <limits>

using namespace tsc;
using namespace tsc::fuser;

/// Operands: what is written, the source, places in order, where each was. Numbers: inner, outer, count of places,
/// size, startsAnew, the start, isScaled, the factor, isMean.
static constexpr char combineText[] = R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  typedef @STORED@ T;
  typedef @REAL@ R;
  const unsigned inner = (unsigned)p.number[0], outer = (unsigned)p.number[1], count = (unsigned)p.number[2];
  const long long size = (long long)p.number[3];
  const bool startsAnew = p.number[4] != 0, isScaled = p.number[6] != 0, isMean = p.number[8] != 0;
  const R start = @NUMBER@(p.number[5]), factor = @NUMBER@(p.number[7]);
  const T *from = (const T *)p.at[1];
  const unsigned *keys = (const unsigned *)p.at[2], *places = (const unsigned *)p.at[3];
  for (unsigned t = 256 * blockIdx.x + threadIdx.x; t < (unsigned)p.count; t += 256 * gridDim.x) {
    const unsigned rest = t / inner, column = t - rest * inner, first = rest / outer, row = rest - first * outer;
    const unsigned key = keys[first];
    T *to = (T *)p.at[0] + ((long long)row * size + key) * inner + column;
    if (@ASSIGNS@) { // the last one stays
      if (first + 1 == count || keys[first + 1] != key)
        *to = from[((long long)row * count + places[first]) * inner + column];
      continue;
    }
    if (first != 0 && keys[first - 1] == key)
      continue;
    R value = startsAnew ? start : @LOAD@(*to);
    unsigned i = first;
    for (; i != count && keys[i] == key; ++i) {
      R more = @LOAD@(from[((long long)row * count + places[i]) * inner + column]);
      if (isScaled)
        more = @LOAD@(@STORE@(tsc_mul(more, factor)));
      value = @LOAD@(@STORE@(@COMBINE@(value, more)));
    }
    if (isMean) {
      const R number = (R)(long long)(i - first + (startsAnew ? 0 : 1));
      value = @MEAN@;
    }
    *to = @STORE@(value);
  }
}
)";

/// Operands: what is written, the number, the mask. Numbers: inner, the mask's elements.
static constexpr char fillText[] = R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  const unsigned inner = (unsigned)p.number[0], size = (unsigned)p.number[1];
  const @ITEM@ value = *(const @ITEM@ *)p.at[1];
  for (unsigned i = 256 * blockIdx.x + threadIdx.x; i < (unsigned)p.count; i += 256 * gridDim.x)
    if (((const unsigned char *)p.at[2])[i / inner % size] != 0)
      ((@ITEM@ *)p.at[0])[i] = value;
}
)";

namespace {
/// An operator's operands. Indices are one along a dimension, or a list.
struct Placed {
  enum Kind : uint8_t { Scatter, Slices, Listed } kind;
  const Tensor &self;
  std::optional<Indices> indices;
  const PlacedValue &source;
  bool isInPlace;
  Placement::How how = Placement::Assign;
  bool isValue = std::holds_alternative<Scalar>(source); ///< The source is one number, or a tensor of one.
};
} // namespace

/// Nullopt: the operator has no such way, and says so itself. scatter knows "add" and "multiply", the others the names
/// of reductions, and index_reduce no sums.
static std::optional<std::pair<Placement::How, bool>> wayNamed(llvm::StringRef name, bool isReduction, bool takesSum) {
  using Way = std::optional<std::pair<Placement::How, bool>>;
  const bool isShort = name == "add" || name == "multiply";
  if (isShort == isReduction || (name == "sum" && !takesSum))
    return std::nullopt;
  return llvm::StringSwitch<Way>(name)
      .Cases("sum", "add", Way({Placement::Add, false}))
      .Case("mean", Way({Placement::Add, true}))
      .Cases("prod", "multiply", Way({Placement::Multiply, false}))
      .Case("amax", Way({Placement::Max, false}))
      .Case("amin", Way({Placement::Min, false}))
      .Default(std::nullopt);
}

static bool isPlaced(const Tensor &self) { return self.defined() && self.dim() != 0; }

static std::optional<Indices> along(const Tensor &self, int64_t dim, const Tensor &index) {
  return isPlaced(self) ? indicesAlong(self, dim, index) : std::nullopt;
}

static std::optional<Placement> placementOf(const Placed &placed) {
  if (!placed.indices)
    return std::nullopt;
  Placement made;
  made.self = placed.self, made.indices = *placed.indices;
  made.isInPlace = placed.isInPlace, made.how = placed.how;
  const bool isListed = placed.kind == Placed::Listed, isScatter = placed.kind == Placed::Scatter;
  const bool isValue = placed.isValue;
  made.keepsStrides = isListed || (!isScatter && isValue);
  const DType dtype = made.self.dtype();
  if (const Tensor *source = std::get_if<Tensor>(&placed.source)) {
    made.source = *source;
    if (!made.source.defined() || (isValue && made.source.dim() != 0))
      return std::nullopt;
  } else {
    const bool isFilled = placed.kind == Placed::Slices; // which refuses numbers that do not fit
    const Scalar &value = std::get<Scalar>(placed.source);
    StatusOr<Tensor> number = Tensor::scalar(value, dtype);
    if (!number.ok() || (isFilled && !checkConversion(value, dtype).ok()))
      return std::nullopt;
    made.source = std::move(*number);
  }
  const Tensor &index = made.indices.indices[0];
  const Tensor view = viewFor(made.self, made.indices);
  const int64_t dim = made.indices.dim, rank = view.dim();
  Dims sizes; // that the source has, or is broadcast to
  if (isScatter) {
    made.indices.isPerElement = true;
    if (index.dtype() != DType::Int64 || index.dim() != rank || (!isValue && made.source.dim() != rank))
      return std::nullopt;
    sizes.assign(index.sizes().begin(), index.sizes().end());
    for (int64_t d = 0; d != rank; ++d)
      if ((d != dim && index.size(d) > made.self.size(d)) || (!isValue && index.size(d) > made.source.size(d)))
        return std::nullopt;
    if (!isValue)
      made.source = made.source.alias(sizes, made.source.strides(), made.source.storageOffset());
  } else {
    sizes.assign(view.sizes().begin(), view.sizes().begin() + dim);
    if (isListed)
      sizes.append(index.sizes().begin(), index.sizes().end());
    else
      sizes.push_back(index.numel());
    sizes.append(view.sizes().begin() + dim + static_cast<int64_t>(made.indices.indices.size()), view.sizes().end());
    if (!isListed) {
      made.indices.mayBeNegative = isValue; // of index_fill
      const bool mustBeLong = made.how == Placement::Assign;
      if (index.dim() > 1 || (index.dtype() != DType::Int64 && (mustBeLong || index.dtype() != DType::Int32)) ||
          (!isValue && Dims(made.source.sizes()) != sizes))
        return std::nullopt;
    }
  }
  if (made.source.dtype() != dtype)
    return std::nullopt;
  StatusOr<Tensor> wide = cpu::expand(made.source, sizes);
  if (!wide.ok())
    return std::nullopt;
  made.source = std::move(*wide);
  return made;
}

/// The placement combined in a way that has a name.
static std::optional<Placement> combinedBy(const Placed &placed, llvm::StringRef reduce, bool isReduction,
                                           bool includesSelf) {
  const auto way = wayNamed(reduce, isReduction, /*takesSum=*/placed.kind == Placed::Scatter);
  if (!way)
    return std::nullopt;
  auto made = placementOf(placed);
  if (made)
    made->how = way->first, made->isMean = way->second, made->includesSelf = includesSelf;
  return made;
}

std::optional<Placement> cuda::scatter(const Tensor &self, int64_t dim, const Tensor &index, const PlacedValue &source,
                                       bool isInPlace) {
  return placementOf({Placed::Scatter, self, along(self, dim, index), source, isInPlace});
}
std::optional<Placement> cuda::scatterWith(const Tensor &self, int64_t dim, const Tensor &index,
                                           const PlacedValue &source, llvm::StringRef reduce, bool isInPlace) {
  return combinedBy({Placed::Scatter, self, along(self, dim, index), source, isInPlace, Placement::Add}, reduce,
                    /*isReduction=*/false, /*includesSelf=*/true);
}
std::optional<Placement> cuda::scatterAdd(const Tensor &self, int64_t dim, const Tensor &index,
                                          const PlacedValue &source, bool isInPlace) {
  return placementOf({Placed::Scatter, self, along(self, dim, index), source, isInPlace, Placement::Add});
}
std::optional<Placement> cuda::scatterReduce(const Tensor &self, int64_t dim, const Tensor &index,
                                             const PlacedValue &source, llvm::StringRef reduce, bool includeSelf,
                                             bool isInPlace) {
  return combinedBy({Placed::Scatter, self, along(self, dim, index), source, isInPlace, Placement::Add}, reduce,
                    /*isReduction=*/true, includeSelf);
}
std::optional<Placement> cuda::indexAdd(const Tensor &self, int64_t dim, const Tensor &index, const PlacedValue &source,
                                        const Scalar &alpha, bool isInPlace) {
  auto made = placementOf({Placed::Slices, self, along(self, dim, index), source, isInPlace, Placement::Add});
  if (made && alpha.toComplex() != std::complex<double>(1))
    made->factor = alpha;
  return made;
}
std::optional<Placement> cuda::indexCopy(const Tensor &self, int64_t dim, const Tensor &index,
                                         const PlacedValue &source, bool isInPlace) {
  return placementOf({Placed::Slices, self, along(self, dim, index), source, isInPlace});
}
std::optional<Placement> cuda::indexFill(const Tensor &self, int64_t dim, const Tensor &index, const PlacedValue &value,
                                         bool isInPlace) {
  return placementOf({Placed::Slices, self, along(self, dim, index), value, isInPlace, Placement::Assign,
                      /*isValue=*/true});
}
std::optional<Placement> cuda::indexReduce(const Tensor &self, int64_t dim, const Tensor &index,
                                           const PlacedValue &source, llvm::StringRef reduce, bool includeSelf,
                                           bool isInPlace) {
  return combinedBy({Placed::Slices, self, along(self, dim, index), source, isInPlace, Placement::Add}, reduce,
                    /*isReduction=*/true, includeSelf);
}

std::optional<Placement> cuda::indexPut(const Tensor &self, ArrayRef<Tensor> indices, const Tensor &values,
                                        bool accumulate, bool isInPlace) {
  if (!isPlaced(self))
    return std::nullopt;
  if (const auto masked = accumulate ? std::nullopt : maskOf(self, indices)) {
    if (!values.defined() || values.numel() != 1 || values.dtype() != self.dtype())
      return std::nullopt;
    Placement made;
    made.self = self, made.isInPlace = isInPlace, made.keepsStrides = true;
    made.mask = masked->first, made.indices.dim = masked->second, made.source = values;
    return made;
  }
  const PlacedValue source = values;
  return placementOf({Placed::Listed, self, indicesOf(self, indices), source, isInPlace,
                      accumulate ? Placement::Add : Placement::Assign});
}

/// What startsAnew begins with, as a number of the launch.
static uint64_t startOf(Placement::How how, DType dtype) {
  if (how == Placement::Assign || how == Placement::Add)
    return numberFor(Scalar(0), dtype);
  if (how == Placement::Multiply)
    return numberFor(Scalar(1), dtype);
  const bool isLeast = how == Placement::Max;
  if (isFloating(dtype)) {
    const double infinite = std::numeric_limits<double>::infinity();
    return numberFor(Scalar(isLeast ? -infinite : infinite), dtype);
  }
  if (dtype == DType::Bool || dtype == DType::UInt8)
    return isLeast ? 0 : dtype == DType::Bool ? 1 : UINT8_MAX;
  const auto most = static_cast<int64_t>(UINT64_MAX >> (65 - 8 * itemSize(dtype)));
  return static_cast<uint64_t>(isLeast ? -most - 1 : most);
}

Status Placing::combine(const Placement &placement, const Sorter::Order &order, const Tensor &source,
                        const Tensor &target) {
  const Indices &named = placement.indices;
  const DType dtype = target.dtype();
  int64_t outer = 1, size = 1, inner = 1;
  if (named.isPerElement) {
    size = target.numel();
  } else {
    for (int64_t d = 0; d != target.dim(); ++d)
      (d < named.dim                                                ? outer
       : d < named.dim + static_cast<int64_t>(named.indices.size()) ? size
                                                                    : inner) *= target.size(d);
  }
  const int64_t count = order.keys.numel();
  HandLaunch launch{
      {target.mutableData(), source.data(), order.keys.data(), order.places.data()}, {}, count * outer * inner, false};
  StatusOr<Tensor> factor = Tensor::scalar(placement.factor.value_or(Scalar(1)), dtype); // as the dtype holds it
  TSC_RETURN_IF_ERROR(factor.status());
  for (uint64_t number :
       {static_cast<uint64_t>(inner), static_cast<uint64_t>(outer), static_cast<uint64_t>(count),
        static_cast<uint64_t>(size), uint64_t{!placement.includesSelf}, startOf(placement.how, dtype),
        uint64_t{placement.factor.has_value()}, numberFor(factor->at(0), dtype), uint64_t{placement.isMean}})
    launch.numbers.push_back(number);
  auto marks = elementMarks(dtype);
  const bool isReal = isFloating(dtype);
  static constexpr const char *names[] = {"assign", "add", "multiply", "max", "min"};
  static constexpr const char *functions[] = {"tsc_add", "tsc_add", "tsc_mul", "tsc_max<R>::combine",
                                              "tsc_min<R>::combine"};
  marks.emplace_back("@ASSIGNS@", placement.how == Placement::Assign ? "true" : "false");
  marks.emplace_back("@COMBINE@", functions[placement.how]);
  marks.emplace_back("@MEAN@", isReal ? "value / number" : "tsc_floordiv(value, number)");
  return kernels.run(std::string("tsc_place_") + names[placement.how] + "_" + llvm::StringRef(irName(dtype)).lower(),
                     combineText, marks, launch);
}

StatusOr<Tensor> Placing::writtenOf(const Placement &placement) {
  const Tensor &self = placement.self;
  if (placement.isInPlace)
    return self;
  TSC_ASSIGN_OR_RETURN(Tensor copy, kernels.dense(self, /*mustCopy=*/true));
  if (!placement.keepsStrides || self.isContiguous())
    return copy;
  TSC_ASSIGN_OR_RETURN(Dims strides, cpu::stridesLike(self));
  return kernels.arranged(copy, strides);
}

StatusOr<bool> Placing::fillChosen(const Placement &placement, IValue &result) {
  TSC_ASSIGN_OR_RETURN(Tensor mask, kernels.here(placement.mask));
  TSC_ASSIGN_OR_RETURN(Tensor number, kernels.here(placement.source));
  if (!kernels.isTaken(mask) || !kernels.isTaken(number))
    return false;
  TSC_ASSIGN_OR_RETURN(mask, kernels.dense(mask, mask.sharesStorageWith(placement.self)));
  TSC_ASSIGN_OR_RETURN(number, kernels.dense(number, number.sharesStorageWith(placement.self)));
  TSC_ASSIGN_OR_RETURN(Tensor written, writtenOf(placement));
  TSC_ASSIGN_OR_RETURN(Tensor target, kernels.dense(written));
  int64_t inner = 1;
  for (int64_t d = placement.indices.dim + mask.dim(); d != target.dim(); ++d)
    inner *= target.size(d);
  const HandLaunch launch{{target.mutableData(), number.data(), mask.data()},
                          {static_cast<uint64_t>(inner), static_cast<uint64_t>(mask.numel())},
                          target.numel(),
                          false};
  TSC_RETURN_IF_ERROR(kernels.run("tsc_place_chosen_" + std::to_string(itemSize(target.dtype())), fillText,
                                  {{"@ITEM@", wordType(target.dtype()).str()}}, launch));
  if (!target.sharesStorageWith(written))
    TSC_RETURN_IF_ERROR(kernels.spread(target, written));
  if (placement.isInPlace)
    written.bumpVersion();
  result = IValue(std::move(written));
  return true;
}

StatusOr<bool> Placing::place(const Placement &placement, IValue &result) {
  const Tensor &self = placement.self;
  if (!kernels.isTaken(self) || (placement.isInPlace && !cpu::checkWritable(self).ok()) ||
      (placement.mustBeDisjoint && placement.source.sharesStorageWith(self)) || placement.source.numel() == 0 ||
      placement.source.numel() > INT32_MAX >> 1 || placement.source.dim() > 8)
    return false;
  if (placement.mask.defined())
    return fillChosen(placement, result);
  // A source that is elsewhere is a number, or an operand of two devices, of which the operator tells.
  TSC_ASSIGN_OR_RETURN(Tensor source, kernels.here(placement.source));
  if (!kernels.isTaken(source))
    return false;
  const Indices &named = placement.indices;
  const Tensor shape = viewFor(self, named);
  TSC_ASSIGN_OR_RETURN(std::optional<Tensor> places, indexing.placesOf(shape, named));
  if (!places)
    return false;
  int64_t most = named.isPerElement ? self.numel() : 1;
  for (size_t k = 0; !named.isPerElement && k != named.indices.size(); ++k)
    most *= shape.size(named.dim + static_cast<int64_t>(k));
  TSC_ASSIGN_OR_RETURN(Sorter::Order order, sorter.orderOf(*places, most - 1));

  TSC_ASSIGN_OR_RETURN(Tensor written, writtenOf(placement));
  const Tensor view = viewFor(written, named);
  TSC_ASSIGN_OR_RETURN(source, kernels.dense(source, source.sharesStorageWith(written)));
  TSC_ASSIGN_OR_RETURN(Tensor target, kernels.dense(view));
  TSC_RETURN_IF_ERROR(combine(placement, order, source, target));
  if (!target.sharesStorageWith(view))
    TSC_RETURN_IF_ERROR(kernels.spread(target, view));
  if (placement.isInPlace)
    self.bumpVersion();
  result = IValue(std::move(written));
  return true;
}
