//===- EmbeddingBags.cpp - Sums, means and maxima of embeddings -----------===//
//
// A thread takes a column of a bag, row by row in the processor's order; threads side by
// side read neighbours. The first column's thread writes what is said of the whole bag.
//
//===----------------------------------------------------------------------===//
#include "EmbeddingBags.h"
#include "Workspace.h"

using namespace tsc;
using namespace tsc::fuser;

/// Operands: the table, indices, offsets, factors, what bags come to, bags of indices, how many count, rows of maxima,
/// the flag. Numbers: rows, width, bags, indices, the length of bags (0: there are offsets), padding, hasFactors.
static constexpr char bagText[] = R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  const long long rows = (long long)p.number[0], all = (long long)p.number[3], length = (long long)p.number[4];
  const unsigned width = (unsigned)p.number[1], bags = (unsigned)p.number[2];
  const long long padding = (long long)p.number[5];
  const @INDEX@ *indices = (const @INDEX@ *)p.at[1], *offsets = (const @INDEX@ *)p.at[2];
  for (unsigned i = 256 * blockIdx.x + threadIdx.x; i < (unsigned)p.count; i += 256 * gridDim.x) {
    const unsigned bag = i / width, column = i - bag * width;
    const long long begin = length ? bag * length : (long long)offsets[bag];
    const long long end = length ? begin + length : bag + 1 < bags ? (long long)offsets[bag + 1] : all;
    if (begin < 0 || begin > end || end > all || (bag == 0 && begin != 0)) {
      *(int *)p.at[8] = 1;
      continue;
    }
    @REAL@ result = 0;
    long long number = 0, best = 0;
    for (long long k = begin; k < end; ++k) {
      if (column == 0)
        ((long long *)p.at[5])[k] = bag;
      const long long row = indices[k];
      if (row < 0 || row >= rows) {
        *(int *)p.at[8] = 1;
        continue;
      }
      if (row == padding)
        continue;
      const @REAL@ v = @LOAD@(((const @STORED@ *)p.at[0])[row * width + column]);
@TAKE@
      ++number;
    }
@FINISH@
    ((@STORED@ *)p.at[4])[i] = @STORE@(result);
    if (column == 0)
      ((long long *)p.at[6])[bag] = number;
  }
}
)";
static constexpr char takeSum[] = R"(
      const @REAL@ term = p.number[6] != 0 ? @LOAD@(((const @STORED@ *)p.at[3])[k]) * v : v;
      result = result + term;
)";
static constexpr char takeMaximum[] = R"(
      if (number == 0 || v > result)
        result = v, best = row;
)";
/// Rows of maxima are said of each column, else 0 of each bag.
static constexpr char finishSum[] = R"(
    if (column == 0)
      ((long long *)p.at[7])[bag] = best;
)";
static constexpr char finishMean[] = R"(
    if (column == 0)
      ((long long *)p.at[7])[bag] = best;
    if (number > 1)
      result = result / (@REAL@)number;
)";
static constexpr char finishMaximum[] = R"(
    ((long long *)p.at[7])[i] = best;
)";

/// Bags without padding.
static std::optional<EmbeddingBags> bagsOf(const Tensor &table, const Tensor &indices, const Tensor &offsets,
                                           int64_t mode, const Tensor &factors, bool includesLastOffset) {
  EmbeddingBags made{};
  made.table = table, made.indices = indices, made.offsets = offsets, made.factors = factors, made.padding = -1;
  if (!table.defined() || table.dim() != 2 || !isLibraryDType(table.dtype()) || !indices.defined() || mode < 0 ||
      mode > 2 || (indices.dtype() != DType::Int64 && indices.dtype() != DType::Int32))
    return std::nullopt;
  made.mode = static_cast<EmbeddingBags::Mode>(mode);
  if (factors.defined() &&
      (made.mode != EmbeddingBags::Sum || factors.numel() != indices.numel() || factors.dtype() != table.dtype()))
    return std::nullopt;
  if (indices.dim() == 2) {
    made.offsets = Tensor(), made.count = indices.size(0);
    return made;
  }
  if (indices.dim() != 1 || !offsets.defined() || offsets.dim() != 1 || offsets.dtype() != indices.dtype())
    return std::nullopt;
  made.count = offsets.numel() - includesLastOffset;
  return made.count > 0 ? std::optional(made) : std::nullopt;
}

/// The same bags with a row that counts as none. Nullopt: the table has no such row.
static std::optional<EmbeddingBags> withPadding(std::optional<EmbeddingBags> made, int64_t padding) {
  if (!made || padding < -made->table.size(0) || padding >= made->table.size(0))
    return std::nullopt;
  made->padding = padding;
  return made;
}

std::optional<EmbeddingBags> cuda::embeddingBag(const Tensor &weight, const Tensor &indices, const Tensor &offsets,
                                                int64_t mode, const Tensor &perSampleWeights, bool includeLastOffset,
                                                std::optional<int64_t> paddingIdx) {
  auto made = bagsOf(weight, indices, offsets, mode, perSampleWeights, includeLastOffset);
  if (!paddingIdx)
    return made;
  made = withPadding(std::move(made), *paddingIdx);
  if (made && made->padding < 0)
    made->padding += weight.size(0);
  return made;
}

std::optional<EmbeddingBags> cuda::embeddingBagOrNone(const Tensor &weight, const Tensor &indices,
                                                      const Tensor &offsets, int64_t mode,
                                                      const Tensor &perSampleWeights, bool includeLastOffset,
                                                      int64_t paddingIdx) {
  return withPadding(bagsOf(weight, indices, offsets, mode, perSampleWeights, includeLastOffset), paddingIdx);
}

StatusOr<bool> fuser::runBags(HandKernels &kernels, const EmbeddingBags &bags, llvm::MutableArrayRef<IValue> results) {
  const bool isMaximum = bags.mode == EmbeddingBags::Max;
  const int64_t width = bags.table.size(1), all = bags.indices.numel();
  for (const Tensor *tensor : {&bags.table, &bags.indices})
    if (!kernels.isTaken(*tensor))
      return false;
  for (const Tensor *tensor : {&bags.offsets, &bags.factors})
    if (tensor->defined() && !kernels.isTaken(*tensor))
      return false;
  if (bags.count > (INT32_MAX >> 1) / width)
    return false;
  const DType dtype = bags.table.dtype();
  TSC_ASSIGN_OR_RETURN(Tensor table, kernels.dense(bags.table));
  TSC_ASSIGN_OR_RETURN(Tensor indices, kernels.dense(bags.indices));
  Tensor offsets = indices, factors = table; // operands that are not read
  if (bags.offsets.defined()) {
    TSC_ASSIGN_OR_RETURN(offsets, kernels.dense(bags.offsets));
  }
  if (bags.factors.defined()) {
    TSC_ASSIGN_OR_RETURN(factors, kernels.dense(bags.factors));
  }
  const Dims sizes{bags.count, width}, perBag{bags.count};
  TSC_ASSIGN_OR_RETURN(Tensor out, kernels.empty(sizes, dtype));
  TSC_ASSIGN_OR_RETURN(Tensor bagOf, kernels.empty({all}, DType::Int64));
  TSC_ASSIGN_OR_RETURN(Tensor counts, kernels.empty(perBag, DType::Int64));
  TSC_ASSIGN_OR_RETURN(Tensor largest, kernels.empty(isMaximum ? sizes : perBag, DType::Int64));
  TSC_ASSIGN_OR_RETURN(Tensor flag, kernels.makeFlag());
  HandLaunch launch{{table.data(), indices.data(), offsets.data(), factors.data(), out.mutableData(),
                     bagOf.mutableData(), counts.mutableData(), largest.mutableData(), flag.mutableData()},
                    {},
                    out.numel(),
                    false};
  for (int64_t number : {table.size(0), width, bags.count, all, bags.offsets.defined() ? 0 : bags.indices.size(1),
                         bags.padding, int64_t{bags.factors.defined()}})
    launch.numbers.push_back(static_cast<uint64_t>(number));
  static constexpr const char *names[] = {"sum", "mean", "max"}, *takes[] = {takeSum, takeSum, takeMaximum},
                              *finishes[] = {finishSum, finishMean, finishMaximum};
  const bool isWide = indices.dtype() == DType::Int64;
  HandKernels::OwnedMarks marks{
      {"@TAKE@", takes[bags.mode]}, {"@FINISH@", finishes[bags.mode]}, {"@INDEX@", isWide ? "long long" : "int"}};
  for (auto &mark : elementMarks(dtype))
    marks.push_back(mark);
  const std::string name = std::string("tsc_bags_") + names[bags.mode] + "_" + llvm::StringRef(irName(dtype)).lower() +
                           (isWide ? "_wide" : "");
  TSC_RETURN_IF_ERROR(kernels.run(name, bagText, marks, launch));
  TSC_ASSIGN_OR_RETURN(bool isOutside, kernels.isSet(flag));
  if (isOutside)
    return false;
  results[0] = IValue(std::move(out)), results[1] = IValue(std::move(bagOf));
  results[2] = IValue(std::move(counts)), results[3] = IValue(std::move(largest));
  return true;
}
