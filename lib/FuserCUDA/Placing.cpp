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
/// How an operator's arguments are read.
struct Form {
  enum Kind : uint8_t { Scatter, Slices, Listed } kind;
  bool isInPlace = false, isValue = false;
  Placement::How how = Placement::Assign;
  int reduce = -1;   ///< The argument that names how.
  int includes = -1; ///< That which says whether the tensor's elements count.
  int alpha = -1;
};
} // namespace

static std::optional<Form> formOf(OpKind op) {
  using F = Form;
  switch (op) {
  case OpKind::Aten_scatter_src: return F{F::Scatter};
  case OpKind::Aten_scatter__src: return F{F::Scatter, true};
  case OpKind::Aten_scatter_value: return F{F::Scatter, false, true};
  case OpKind::Aten_scatter__value: return F{F::Scatter, true, true};
  case OpKind::Aten_scatter_reduce: return F{F::Scatter, false, false, Placement::Add, 4};
  case OpKind::Aten_scatter__reduce: return F{F::Scatter, true, false, Placement::Add, 4};
  case OpKind::Aten_scatter_value_reduce: return F{F::Scatter, false, true, Placement::Add, 4};
  case OpKind::Aten_scatter__value_reduce: return F{F::Scatter, true, true, Placement::Add, 4};
  case OpKind::Aten_scatter_add: return F{F::Scatter, false, false, Placement::Add};
  case OpKind::Aten_scatter_add_: return F{F::Scatter, true, false, Placement::Add};
  case OpKind::Aten_scatter_reduce_two: return F{F::Scatter, false, false, Placement::Add, 4, 5};
  case OpKind::Aten_scatter_reduce__two: return F{F::Scatter, true, false, Placement::Add, 4, 5};
  case OpKind::Aten_index_add: return F{F::Slices, false, false, Placement::Add, -1, -1, 4};
  case OpKind::Aten_index_add_: return F{F::Slices, true, false, Placement::Add, -1, -1, 4};
  case OpKind::Aten_index_copy: return F{F::Slices};
  case OpKind::Aten_index_copy_: return F{F::Slices, true};
  case OpKind::Aten_index_fill_int_Scalar:
  case OpKind::Aten_index_fill_int_Tensor: return F{F::Slices, false, true};
  case OpKind::Aten_index_fill__int_Scalar:
  case OpKind::Aten_index_fill__int_Tensor: return F{F::Slices, true, true};
  case OpKind::Aten_index_reduce: return F{F::Slices, false, false, Placement::Add, 4, 5};
  case OpKind::Aten_index_reduce_: return F{F::Slices, true, false, Placement::Add, 4, 5};
  case OpKind::Aten_index_put:
  case OpKind::Aten_index_put_hacked_twin: return F{F::Listed};
  case OpKind::Aten_index_put_:
  case OpKind::Aten_index_put__hacked_twin:
  case OpKind::Aten__index_put_impl_:
  case OpKind::Aten__index_put_impl__hacked_twin: return F{F::Listed, true};
  default: return std::nullopt;
  }
}

/// Nullopt: the operator has no such way, and says so itself. scatter knows "add" and "multiply", the others the names
/// of reductions, and index_reduce no sums.
static std::optional<std::pair<Placement::How, bool>> wayNamed(const Form &form, llvm::StringRef name) {
  using Way = std::optional<std::pair<Placement::How, bool>>;
  const bool isShort = name == "add" || name == "multiply", isReduction = form.includes >= 0;
  if (isShort == isReduction || (name == "sum" && form.kind == Form::Slices))
    return std::nullopt;
  return llvm::StringSwitch<Way>(name)
      .Cases("sum", "add", Way({Placement::Add, false}))
      .Case("mean", Way({Placement::Add, true}))
      .Cases("prod", "multiply", Way({Placement::Multiply, false}))
      .Case("amax", Way({Placement::Max, false}))
      .Case("amin", Way({Placement::Min, false}))
      .Default(std::nullopt);
}

std::optional<Placement> fuser::placementOf(OpKind op, llvm::ArrayRef<const IValue *> args) {
  const std::optional<Form> form = formOf(op);
  if (!form || !args[0]->isTensor() || !args[0]->asTensor().defined() || args[0]->asTensor().dim() == 0)
    return std::nullopt;
  Placement made;
  made.self = args[0]->asTensor();
  made.isInPlace = form->isInPlace, made.how = form->how;
  const bool isListed = form->kind == Form::Listed, isScatter = form->kind == Form::Scatter;
  made.keepsStrides = isListed || (!isScatter && form->isValue);
  if (auto masked = isListed && !args[3]->toBool() ? maskOf(made.self, *args[1]) : std::nullopt) {
    made.keepsStrides = true;
    made.mask = masked->first, made.indices.dim = masked->second;
    made.source = args[2]->asTensor();
    return made.source.defined() && made.source.numel() == 1 && made.source.dtype() == made.self.dtype()
               ? std::optional(made)
               : std::nullopt;
  }
  std::optional<Indices> indices;
  if (isListed)
    indices = indicesOf(made.self, *args[1]);
  else if (args[2]->isTensor())
    indices = indicesAlong(made.self, args[1]->toInt(), args[2]->asTensor());
  if (!indices)
    return std::nullopt;
  made.indices = std::move(*indices);
  if (form->reduce >= 0) {
    const auto way = wayNamed(*form, args[static_cast<size_t>(form->reduce)]->toString());
    if (!way)
      return std::nullopt;
    made.how = way->first, made.isMean = way->second;
  }
  if (form->includes >= 0)
    made.includesSelf = args[static_cast<size_t>(form->includes)]->toBool();
  if (form->alpha >= 0)
    if (Scalar alpha = args[static_cast<size_t>(form->alpha)]->toScalar(); alpha.toComplex() != std::complex<double>(1))
      made.factor = alpha;
  if (isListed && args[3]->toBool())
    made.how = Placement::Add;
  const IValue &source = *args[isListed ? 2 : 3];
  const DType dtype = made.self.dtype();
  if (source.isTensor()) {
    made.source = source.asTensor();
    if (!made.source.defined() || (form->isValue && made.source.dim() != 0))
      return std::nullopt;
  } else {
    const bool isFilled = form->kind == Form::Slices; // which refuses numbers that do not fit
    StatusOr<Tensor> number = Tensor::scalar(source.toScalar(), dtype);
    if (!number.ok() || (isFilled && !checkConversion(source.toScalar(), dtype).ok()))
      return std::nullopt;
    made.source = std::move(*number);
  }
  const Tensor &index = made.indices.indices[0];
  const Tensor view = viewFor(made.self, made.indices);
  const int64_t dim = made.indices.dim, rank = view.dim();
  Dims sizes; // that the source has, or is broadcast to
  if (isScatter) {
    made.indices.isPerElement = true;
    if (index.dtype() != DType::Int64 || index.dim() != rank || (!form->isValue && made.source.dim() != rank))
      return std::nullopt;
    sizes.assign(index.sizes().begin(), index.sizes().end());
    for (int64_t d = 0; d != rank; ++d)
      if ((d != dim && index.size(d) > made.self.size(d)) || (!form->isValue && index.size(d) > made.source.size(d)))
        return std::nullopt;
    if (!form->isValue)
      made.source = made.source.alias(sizes, made.source.strides(), made.source.storageOffset());
  } else {
    sizes.assign(view.sizes().begin(), view.sizes().begin() + dim);
    if (isListed)
      sizes.append(index.sizes().begin(), index.sizes().end());
    else
      sizes.push_back(index.numel());
    sizes.append(view.sizes().begin() + dim + static_cast<int64_t>(made.indices.indices.size()), view.sizes().end());
    if (!isListed) {
      made.indices.mayBeNegative = form->isValue; // of index_fill
      const bool mustBeLong = made.how == Placement::Assign;
      if (index.dim() > 1 || (index.dtype() != DType::Int64 && (mustBeLong || index.dtype() != DType::Int32)) ||
          (!form->isValue && Dims(made.source.sizes()) != sizes))
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
