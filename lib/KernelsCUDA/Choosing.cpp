//===- Choosing.cpp - Elements that masks choose, on a GPU ----------------===//
//
// A running count says of each element that is chosen where it goes, and how many there
// are, which the processor waits for.
//
//===----------------------------------------------------------------------===//
#include "Choosing.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Views.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using namespace tsc::fuser;

/// Operands: elements, counts, the result.
static constexpr char chosenText[] = R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  const int *counts = (const int *)p.at[1];
  for (unsigned i = 256 * blockIdx.x + threadIdx.x; i < (unsigned)p.count; i += 256 * gridDim.x) {
    const int before = i == 0 ? 0 : counts[i - 1];
    if (counts[i] != before)
      ((@ITEM@ *)p.at[2])[before] = ((const @ITEM@ *)p.at[0])[i];
  }
}
)";

/// Operands: the result, counts, what goes there.
static constexpr char replacedText[] = R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  const int *counts = (const int *)p.at[1];
  for (unsigned i = 256 * blockIdx.x + threadIdx.x; i < (unsigned)p.count; i += 256 * gridDim.x) {
    const int before = i == 0 ? 0 : counts[i - 1];
    if (counts[i] != before)
      ((@ITEM@ *)p.at[0])[i] = ((const @ITEM@ *)p.at[2])[before];
  }
}
)";

/// Operands: counts, the result. Numbers: the rank, sizes (innermost first).
static constexpr char placesText[] = R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  const int *counts = (const int *)p.at[0];
  const int rank = (int)p.number[0];
  for (unsigned i = 256 * blockIdx.x + threadIdx.x; i < (unsigned)p.count; i += 256 * gridDim.x) {
    const int before = i == 0 ? 0 : counts[i - 1];
    if (counts[i] == before)
      continue;
    long long *to = (long long *)p.at[1] + (long long)before * rank;
    unsigned rest = i;
#pragma unroll 1
    for (int d = 0; d < rank; ++d) {
      const unsigned size = (unsigned)p.number[1 + d], next = rest / size;
      to[rank - 1 - d] = rest - next * size;
      rest = next;
    }
  }
}
)";

static std::optional<Choice> placesOf(const Tensor &mask, Choice::Kind kind) {
  if (!mask.defined() || mask.dim() == 0)
    return std::nullopt;
  Choice made{};
  made.kind = kind, made.mask = mask;
  return made;
}

/// Both tensors of the sizes that they have together, of at least one dimension.
static std::optional<Choice> maskedOf(const Tensor &self, const Tensor &mask, Choice::Kind kind) {
  if (!self.defined() || !mask.defined() || (mask.dtype() != DType::Bool && mask.dtype() != DType::UInt8))
    return std::nullopt;
  StatusOr<Dims> sizes = broadcastShapes(self.sizes(), mask.sizes());
  if (!sizes.ok() || sizes->empty())
    return std::nullopt;
  Choice made{};
  made.kind = kind, made.self = self, made.mask = mask;
  for (Tensor *tensor : {&made.self, &made.mask}) {
    if (tensor->sizes() == ArrayRef<int64_t>(*sizes))
      continue;
    StatusOr<Tensor> wide = cpu::expand(*tensor, *sizes);
    if (!wide.ok())
      return std::nullopt;
    *tensor = std::move(*wide);
  }
  return made;
}

static std::optional<Choice> slicesOf(const Tensor &self, ArrayRef<Tensor> indices) {
  const auto masked = self.defined() ? maskOf(self, indices) : std::nullopt;
  if (!masked)
    return std::nullopt;
  Choice made{};
  made.self = self, made.mask = masked->first, made.dim = masked->second;
  made.kind = made.mask.dim() == self.dim() ? Choice::Chosen : Choice::Slices; // elements, or slices of several
  return made;
}

std::optional<Choice> cuda::nonzero(const Tensor &self) { return placesOf(self, Choice::Places); }
std::optional<Choice> cuda::nonzeroColumns(const Tensor &self) { return placesOf(self, Choice::Columns); }
std::optional<Choice> cuda::maskedSelect(const Tensor &self, const Tensor &mask) {
  return maskedOf(self, mask, Choice::Chosen);
}
std::optional<Choice> cuda::maskedScatter(const Tensor &self, const Tensor &mask, const Tensor &source,
                                          bool isInPlace) {
  auto made = source.defined() ? maskedOf(self, mask, Choice::Replaced) : std::nullopt;
  if (!made || (isInPlace && made->self.sizes() != self.sizes()))
    return std::nullopt;
  made->source = source, made->isInPlace = isInPlace;
  return made;
}
std::optional<std::variant<Selection, Choice>> cuda::index(const Tensor &self, ArrayRef<Tensor> indices) {
  if (auto selection = selectionOf(self, indices))
    return std::move(*selection);
  if (auto choice = slicesOf(self, indices))
    return std::move(*choice);
  return std::nullopt;
}

/// The tensor with one dimension in the place of the mask's, and of it the slices at `places`.
StatusOr<bool> Choosing::takeSlices(const Choice &choice, const Tensor &places, IValue &result) {
  TSC_ASSIGN_OR_RETURN(Tensor self, kernels.dense(choice.self));
  const auto dim = static_cast<size_t>(choice.dim), end = dim + static_cast<size_t>(choice.mask.dim());
  ArrayRef<int64_t> all = self.sizes();
  Dims sizes(all.take_front(dim));
  sizes.push_back(choice.mask.numel());
  sizes.append(all.begin() + end, all.end());
  Selection selection{self.alias(sizes, contiguousStrides(sizes), self.storageOffset()), {}, sizes};
  selection.indices.dim = choice.dim;
  selection.indices.indices.push_back(places);
  selection.sizes[dim] = places.numel();
  if (places.numel() != 0)
    return indexing.select(selection, result);
  TSC_ASSIGN_OR_RETURN(Tensor none, kernels.empty(selection.sizes, self.dtype()));
  result = IValue(std::move(none));
  return true;
}

/// False: there are fewer elements than places.
StatusOr<bool> Choosing::replace(const Choice &choice, const Tensor &counts, int count, IValue &result) {
  const Tensor &self = choice.self;
  if (!kernels.isTaken(choice.source) || choice.source.dtype() != self.dtype() || count > choice.source.numel() ||
      (choice.isInPlace && !cpu::checkWritable(self).ok()))
    return false;
  TSC_ASSIGN_OR_RETURN(Tensor source, kernels.dense(choice.source, choice.source.sharesStorageWith(self)));
  TSC_ASSIGN_OR_RETURN(Tensor written, choice.isInPlace ? StatusOr<Tensor>(self) : kernels.dense(self, true));
  TSC_ASSIGN_OR_RETURN(Tensor target, kernels.dense(written));
  TSC_RETURN_IF_ERROR(kernels.run("tsc_replaced_" + std::to_string(itemSize(self.dtype())), replacedText,
                                  {{"@ITEM@", wordType(self.dtype()).str()}},
                                  {{target.mutableData(), counts.data(), source.data()}, {}, self.numel(), false}));
  if (!target.sharesStorageWith(written))
    TSC_RETURN_IF_ERROR(kernels.spread(target, written));
  if (choice.isInPlace)
    written.bumpVersion();
  result = IValue(std::move(written));
  return true;
}

StatusOr<bool> Choosing::choose(const Choice &choice, IValue &result) {
  const bool isOfSelf = choice.self.defined();
  if (!kernels.isTaken(choice.mask) || (isOfSelf && !kernels.isTaken(choice.self)))
    return false;
  TSC_ASSIGN_OR_RETURN(Tensor mask, kernels.dense(choice.mask));
  TSC_ASSIGN_OR_RETURN(Tensor counts, scanner.countNonzero(mask));
  TSC_ASSIGN_OR_RETURN(const int count, kernels.numberAt(counts, mask.numel() - 1));
  if (choice.kind == Choice::Replaced)
    return replace(choice, counts, count, result);
  if (choice.kind == Choice::Chosen) {
    TSC_ASSIGN_OR_RETURN(Tensor self, kernels.dense(choice.self));
    TSC_ASSIGN_OR_RETURN(Tensor out, kernels.empty({count}, self.dtype()));
    if (count != 0)
      TSC_RETURN_IF_ERROR(kernels.run("tsc_chosen_" + std::to_string(itemSize(self.dtype())), chosenText,
                                      {{"@ITEM@", wordType(self.dtype()).str()}},
                                      {{self.data(), counts.data(), out.data()}, {}, mask.numel(), false}));
    result = IValue(std::move(out));
    return true;
  }
  // Slices are numbered as if the mask were of one dimension.
  const int64_t rank = choice.kind == Choice::Slices ? 1 : mask.dim();
  TSC_ASSIGN_OR_RETURN(Tensor places, kernels.empty({count, rank}, DType::Int64));
  HandLaunch launch{{counts.data(), places.data()}, {static_cast<uint64_t>(rank)}, mask.numel(), false};
  if (choice.kind == Choice::Slices)
    launch.numbers.push_back(static_cast<uint64_t>(mask.numel()));
  else
    for (int64_t size : llvm::reverse(mask.sizes()))
      launch.numbers.push_back(static_cast<uint64_t>(size));
  launch.numbers.resize(9, 1);
  if (count != 0)
    TSC_RETURN_IF_ERROR(kernels.run("tsc_chosen_places", placesText, {}, launch));
  switch (choice.kind) {
  case Choice::Slices: return takeSlices(choice, places.alias({count}, {1}, 0), result);
  case Choice::Columns: {
    std::vector<Tensor> columns;
    for (int64_t d = 0; d != rank; ++d)
      columns.push_back(places.alias({count}, {rank}, d));
    result = IValue(std::move(columns));
    return true;
  }
  default: result = IValue(std::move(places)); return true;
  }
}
