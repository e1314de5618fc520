//===- Join.cpp - Several tensors, or copies of one, as one ---------------===//
#include "Moves.h"
#include "Support/MemoryFormats.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/Promotion.h"
#include <cassert>
#include <cstring>
#include <optional>

using namespace tsc;
using namespace tsc::cpu;

//===- cat ----------------------------------------------------------------===//

/// A 1-d tensor without elements joins with anything (as in PyTorch, for old programs).
static bool isSkipped(const Tensor &t) { return t.dim() == 1 && t.size(0) == 0; }

static Status checkJoinable(const Tensor &first, const Tensor &t, int64_t dim, size_t position) {
  if (first.dim() != t.dim())
    return invalidArgument("Tensors must have same number of dimensions: got " + llvm::Twine(first.dim()) + " and " +
                           llvm::Twine(t.dim()));
  for (int64_t d = 0; d != t.dim(); ++d)
    if (d != dim && t.size(d) != first.size(d))
      return invalidArgument("Sizes of tensors must match except in dimension " + llvm::Twine(dim) +
                             ". Expected size " + llvm::Twine(first.size(d)) + " but got size " +
                             llvm::Twine(t.size(d)) + " for tensor number " + llvm::Twine(position) + " in the list.");
  return okStatus();
}

/// Copies `count` pieces of `bytes` each, at these distances.
template <size_t bytes>
static void copyPiecesOf(char *to, int64_t toStep, const char *from, int64_t fromStep, int64_t count) {
  for (int64_t i = 0; i != count; ++i)
    std::memcpy(to + i * toStep, from + i * fromStep, bytes);
}
static void copyPieces(char *to, int64_t toStep, const char *from, int64_t fromStep, int64_t count, size_t bytes) {
  switch (bytes) {
  case 1: return copyPiecesOf<1>(to, toStep, from, fromStep, count);
  case 2: return copyPiecesOf<2>(to, toStep, from, fromStep, count);
  case 4: return copyPiecesOf<4>(to, toStep, from, fromStep, count);
  case 8: return copyPiecesOf<8>(to, toStep, from, fromStep, count);
  case 12: return copyPiecesOf<12>(to, toStep, from, fromStep, count);
  case 16: return copyPiecesOf<16>(to, toStep, from, fromStep, count);
  default: break;
  }
  moves::copyRows(to, toStep, from, fromStep, count, static_cast<int64_t>(bytes));
}

/// The distance of pieces of a tensor that are dense from `dim` on, as dimensions before it are walked; none where
/// these are no single walk.
static std::optional<int64_t> pieceStep(const Tensor &t, int64_t dim) {
  int64_t expected = 1;
  for (int64_t d = t.dim(); d-- > dim;) {
    if (t.size(d) != 1 && t.stride(d) != expected)
      return std::nullopt;
    expected *= t.size(d);
  }
  std::optional<int64_t> step;
  for (int64_t d = dim, walked = 1; d-- > 0;) {
    if (t.size(d) == 1)
      continue;
    if (step && t.stride(d) != *step * walked)
      return std::nullopt;
    if (!step)
      step = t.stride(d);
    walked *= t.size(d);
  }
  return step.value_or(0);
}

/// Every input of the result's dtype, and dense from the dimension on: one piece per input and outer index.
static bool catByMemcpy(const Tensor &result, TensorList tensors, int64_t dim) {
  llvm::SmallVector<int64_t, 8> steps;
  for (const Tensor &t : tensors) {
    std::optional<int64_t> step = pieceStep(t, dim);
    if (t.dtype() != result.dtype() || !step || isLazy(t))
      return false;
    steps.push_back(*step);
  }
  const auto item = static_cast<int64_t>(itemSize(result.dtype()));
  int64_t outer = 1, inner = item;
  for (int64_t d = 0; d != dim; ++d)
    outer *= result.size(d);
  for (int64_t d = dim + 1; d < result.dim(); ++d)
    inner *= result.size(d);
  // Some rows of the result at a time, so that it is written from end to end.
  constexpr int64_t blockBytes = 16384;
  assert(result.numel() != 0 && "a result with elements");
  const int64_t rowBytes = result.size(dim) * inner, rowsAtOnce = std::max<int64_t>(1, blockBytes / rowBytes);
  for (int64_t row = 0; row < outer; row += rowsAtOnce) {
    const int64_t rows = std::min(rowsAtOnce, outer - row);
    char *to = static_cast<char *>(result.mutableData()) + row * rowBytes;
    for (size_t i = 0; i != tensors.size(); ++i) {
      const int64_t bytes = tensors[i].size(dim) * inner, step = steps[i] * item;
      if (bytes != 0)
        copyPieces(to, rowBytes, static_cast<const char *>(tensors[i].data()) + row * step, step, rows,
                   static_cast<size_t>(bytes));
      to += bytes;
    }
  }
  return true;
}

StatusOr<Tensor> cpu::cat(TensorList tensors, int64_t dim) {
  if (tensors.empty())
    return invalidArgument("torch.cat(): expected a non-empty list of Tensors");
  const Tensor *first = nullptr;
  for (size_t i = 0; i != tensors.size(); ++i) {
    if (tensors[i].dim() == 0)
      return invalidArgument("zero-dimensional tensor (at position " + llvm::Twine(i) + ") cannot be concatenated");
    if (!first && !isSkipped(tensors[i]))
      first = &tensors[i];
  }
  DType dtype = tensors.front().dtype();
  for (const Tensor &t : tensors.drop_front())
    if (t.dtype() != dtype) {
      dtype = resultType(tensors);
      break;
    }
  if (!first) // nobody asks for the dimension then
    return Tensor::empty({0}, dtype);
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, first->dim()));
  Dims sizes(first->sizes().begin(), first->sizes().end());
  sizes[d] = 0;
  for (size_t i = 0; i != tensors.size(); ++i) {
    if (isSkipped(tensors[i]))
      continue;
    TSC_RETURN_IF_ERROR(checkJoinable(*first, tensors[i], d, i));
    if (__builtin_add_overflow(sizes[d], tensors[i].size(d), &sizes[d]))
      return resourceExhausted("torch.cat(): the result is too large");
  }
  llvm::SmallVector<Tensor, 8> joined;
  llvm::copy_if(tensors, std::back_inserter(joined), [](const Tensor &t) { return !isSkipped(t); });
  TSC_ASSIGN_OR_RETURN(Dims strides, joinedStrides(sizes, tensors));
  bool isRowMajor = strides == contiguousStrides(sizes);
  TSC_ASSIGN_OR_RETURN(Tensor result,
                       isRowMajor ? Tensor::empty(sizes, dtype) : Tensor::emptyStrided(sizes, strides, dtype));
  if (result.numel() == 0 || (isRowMajor && catByMemcpy(result, joined, d)))
    return result;
  if (!isRowMajor && d >= 1) { // channels inside: as they lie, with the channels as last dimension
    TSC_ASSIGN_OR_RETURN(Tensor lying, movedim(result, 1, -1));
    llvm::SmallVector<Tensor, 8> parts;
    for (const Tensor &t : joined) {
      TSC_ASSIGN_OR_RETURN(Tensor part, movedim(t, 1, -1));
      parts.push_back(std::move(part));
    }
    if (catByMemcpy(lying, parts, d == 1 ? result.dim() - 1 : d - 1))
      return result;
  }
  int64_t at = 0;
  for (const Tensor &t : joined) {
    TSC_ASSIGN_OR_RETURN(Tensor part, narrow(result, d, at, t.size(d)));
    TSC_RETURN_IF_ERROR(copyInto(part, t));
    at += t.size(d);
  }
  return result;
}

StatusOr<Dims> cpu::joinedStrides(ArrayRef<int64_t> sizes, TensorList tensors) {
  if (!llvm::all_of(tensors, suggestsChannelsLast))
    return contiguousStrides(sizes);
  return stridesFor(sizes, sizes.size() == 4 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d);
}

//===- stack and its kin --------------------------------------------------===//

StatusOr<Tensor> cpu::stack(TensorList tensors, int64_t dim) {
  if (tensors.empty())
    return invalidArgument("stack expects a non-empty TensorList");
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, tensors.front().dim() + 1));
  for (size_t i = 0; i != tensors.size(); ++i)
    if (tensors[i].sizes() != tensors.front().sizes())
      return invalidArgument("stack expects each tensor to be equal size, but got " +
                             shapeString(tensors.front().sizes()) + " at entry 0 and " +
                             shapeString(tensors[i].sizes()) + " at entry " + llvm::Twine(i));
  // A view of cat, whose layout the result has; no dimension behind the last one could be divided.
  if (d != tensors.front().dim()) {
    TSC_ASSIGN_OR_RETURN(Tensor joined, cat(tensors, d));
    return unflatten(joined, d, {static_cast<int64_t>(tensors.size()), tensors.front().size(d)});
  }
  llvm::SmallVector<Tensor, 8> rows;
  for (const Tensor &t : tensors) {
    TSC_ASSIGN_OR_RETURN(Tensor row, unsqueeze(t, d));
    rows.push_back(std::move(row));
  }
  return cat(rows, d);
}

StatusOr<Tensor> cpu::hstack(TensorList tensors) {
  if (tensors.empty())
    return invalidArgument("hstack expects a non-empty TensorList");
  TSC_ASSIGN_OR_RETURN(std::vector<Tensor> parts, atleast1dList(tensors));
  return cat(parts, parts.front().dim() == 1 ? 0 : 1);
}

StatusOr<Tensor> cpu::vstack(TensorList tensors) {
  if (tensors.empty())
    return invalidArgument("vstack expects a non-empty TensorList");
  TSC_ASSIGN_OR_RETURN(std::vector<Tensor> parts, atleast2dList(tensors));
  return cat(parts, 0);
}

StatusOr<Tensor> cpu::dstack(TensorList tensors) {
  if (tensors.empty())
    return invalidArgument("dstack expects a non-empty TensorList");
  TSC_ASSIGN_OR_RETURN(std::vector<Tensor> parts, atleast3dList(tensors));
  return cat(parts, 2);
}

StatusOr<Tensor> cpu::columnStack(TensorList tensors) {
  if (tensors.empty())
    return invalidArgument("column_stack expects a non-empty TensorList");
  llvm::SmallVector<Tensor, 8> columns;
  for (const Tensor &t : tensors) {
    if (t.dim() > 1) {
      columns.push_back(t);
      continue;
    }
    TSC_ASSIGN_OR_RETURN(Tensor column, reshape(t, {t.numel(), 1}));
    columns.push_back(std::move(column));
  }
  return hstack(columns);
}

StatusOr<Tensor> cpu::blockDiag(TensorList tensors) {
  if (tensors.empty())
    return zeros({1, 0});
  llvm::SmallVector<Tensor, 8> blocks;
  int64_t rows = 0, columns = 0;
  for (size_t i = 0; i != tensors.size(); ++i) {
    if (tensors[i].dim() > 2)
      return invalidArgument("torch.block_diag: Input tensors must have 2 or fewer dimensions. Input " +
                             llvm::Twine(i) + " has " + llvm::Twine(tensors[i].dim()) + " dimensions");
    TSC_ASSIGN_OR_RETURN(Tensor block, atleast2d(tensors[i]));
    rows += block.size(0);
    columns += block.size(1);
    blocks.push_back(std::move(block));
  }
  TSC_ASSIGN_OR_RETURN(Tensor result, zeros({rows, columns}, resultType(tensors)));
  int64_t row = 0, column = 0;
  for (const Tensor &block : blocks) {
    TSC_ASSIGN_OR_RETURN(Tensor band, narrow(result, 0, row, block.size(0)));
    TSC_ASSIGN_OR_RETURN(Tensor place, narrow(band, 1, column, block.size(1)));
    TSC_RETURN_IF_ERROR(copyInto(place, block));
    row += block.size(0);
    column += block.size(1);
  }
  return result;
}

//===- Repetition ---------------------------------------------------------===//

StatusOr<Tensor> cpu::repeat(const Tensor &self, ArrayRef<int64_t> repeats) {
  int64_t rank = repeats.size(), lead = rank - self.dim();
  if (lead < 0)
    return invalidArgument(
        "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
  // Seen as [repeat, size] pairs of dimensions, the result is the input broadcast.
  Dims sizes, pairSizes, sourceStrides;
  for (int64_t d = 0; d != rank; ++d) {
    int64_t size = d < lead ? 1 : self.size(d - lead), total;
    if (__builtin_mul_overflow(size, repeats[d], &total))
      return resourceExhausted("Storage size calculation overflowed with sizes=" + shapeString(repeats));
    if (repeats[d] < 0)
      return invalidArgument("Trying to create tensor with negative dimension " + llvm::Twine(total) + ": " +
                             shapeString(repeats));
    sizes.push_back(total);
    pairSizes.append({repeats[d], size});
    sourceStrides.append({0, d < lead ? 0 : self.stride(d - lead)});
  }
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(sizes, self.dtype()));
  if (result.numel() == 0)
    return result;
  Tensor pairs = result.alias(pairSizes, contiguousStrides(pairSizes), 0);
  TSC_RETURN_IF_ERROR(copyInto(pairs, self.alias(pairSizes, sourceStrides, self.storageOffset())));
  return result;
}

StatusOr<Tensor> cpu::tile(const Tensor &self, ArrayRef<int64_t> dims) {
  Dims repeats(std::max<int64_t>(self.dim() - static_cast<int64_t>(dims.size()), 0), 1);
  repeats.append(dims.begin(), dims.end());
  return repeat(self, repeats);
}
