//===- Rearrange.cpp - Elements in other places ---------------------------===//
#include "Indexing/IndexingSupport.h"
#include "Interleave.h"
#include "PlaneLoop.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Tensor/Promotion.h"
#include "tsc/Tensor/Quantizer.h"
#include <cstring>

using namespace tsc;
using namespace tsc::cpu;

//===- repeat_interleave --------------------------------------------------===//

StatusOr<Tensor> cpu::repeatInterleaveTensor(const Tensor &repeats, OptInt outputSize) {
  if (repeats.dim() != 1)
    return invalidArgument("repeat_interleave only accept 1D vector as repeat");
  if (repeats.dtype() != DType::Int64 && repeats.dtype() != DType::Int32)
    return invalidArgument("repeats has to be Long or Int tensor");
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> counts, indexValues(repeats));
  int64_t total = 0;
  for (int64_t count : counts) {
    if (count < 0)
      return invalidArgument("repeats can not be negative");
    if (__builtin_add_overflow(total, count, &total))
      return resourceExhausted("repeat_interleave: the result is too large");
  }
  if (outputSize && *outputSize != total)
    return invalidArgument("allocated size does not match required size");
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({total}, DType::Int64));
  int64_t *to = result.mutableData<int64_t>();
  for (size_t i = 0; i != counts.size(); ++i)
    to = std::fill_n(to, counts[i], static_cast<int64_t>(i));
  return toDType(result, repeats.dtype());
}

StatusOr<Tensor> cpu::repeatInterleaveSelfTensor(const Tensor &self, const Tensor &repeats, OptInt dim,
                                                 OptInt outputSize) {
  Tensor input = self, counts = repeats;
  if (!dim) {
    TSC_ASSIGN_OR_RETURN(input, reshape(self, {-1}));
    dim = 0;
  } else if (self.dim() == 0) {
    TSC_ASSIGN_OR_RETURN(input, reshape(self, {1}));
  }
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(*dim, input.dim()));
  if (repeats.dim() == 0 || (repeats.dim() == 1 && repeats.numel() == 1)) {
    TSC_ASSIGN_OR_RETURN(counts, reshape(repeats, {1}));
    TSC_ASSIGN_OR_RETURN(counts, expand(counts, {input.size(d)}));
  } else if (repeats.dim() != 1) {
    return invalidArgument("repeats must be 0-dim or 1-dim tensor");
  } else if (repeats.numel() != input.size(d)) {
    return invalidArgument("repeats must have the same size as input along dim");
  }
  TSC_ASSIGN_OR_RETURN(Tensor indices, repeatInterleaveTensor(counts, outputSize));
  return indexSelect(input, d, indices);
}

/// Every element along a dimension, or of all, so many times.
static StatusOr<Tensor> repeatEach(const Tensor &self, int64_t repeats, OptInt dim) {
  Tensor input = self;
  if (!dim || self.dim() == 0) {
    TSC_ASSIGN_OR_RETURN(input, reshape(self, {-1}));
  }
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim.value_or(0), input.dim()));
  TSC_ASSIGN_OR_RETURN(input, contiguous(input));
  Dims sizes(input.sizes());
  if (__builtin_mul_overflow(sizes[d], repeats, &sizes[d]))
    return resourceExhausted("repeat_interleave: the result is too large");
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(sizes, self.dtype()));
  int64_t piece = static_cast<int64_t>(itemSize(self.dtype()));
  for (int64_t i = d + 1; i < input.dim(); ++i)
    piece *= input.size(i);
  const char *from = static_cast<const char *>(input.data());
  char *to = static_cast<char *>(out.mutableData());
  const int64_t bytes = input.numel() * static_cast<int64_t>(itemSize(self.dtype())), pieces = bytes / piece;
  auto fill = [&](auto zero) {
    using T = decltype(zero);
    T *repeated = reinterpret_cast<T *>(to);
    if (repeats >= 2 && repeats <= 4) // the same row in turn with itself
      return interleaved::kernels<T>().mix(repeated, from, 0, repeats, pieces);
    for (int64_t i = 0; i != pieces; ++i, repeated += repeats) {
      T elements; // which begin wherever one of them does
      std::memcpy(&elements, from + i * piece, sizeof(T));
      std::fill_n(repeated, repeats, elements);
    }
  };
  switch (piece) {
  case 1: fill(uint8_t{}); break;
  case 2: fill(uint16_t{}); break;
  case 4: fill(uint32_t{}); break;
  case 8: fill(uint64_t{}); break;
  default:
    for (int64_t i = 0; i != pieces; ++i, from += piece)
      for (int64_t k = 0; k != repeats; ++k, to += piece)
        std::memcpy(to, from, static_cast<size_t>(piece));
  }
  return out;
}

StatusOr<Tensor> cpu::repeatInterleaveSelfInt(const Tensor &self, int64_t repeats, OptInt dim, OptInt outputSize) {
  if (repeats < 0)
    return invalidArgument("Repeats must be non-negative");
  if (!outputSize && self.numel() != 0 && repeats != 0 && !isQuantized(self.dtype()))
    return repeatEach(self, repeats, dim);
  TSC_ASSIGN_OR_RETURN(Tensor counts, Tensor::full({1}, Scalar(repeats), DType::Int64));
  return repeatInterleaveSelfTensor(self, counts, dim, outputSize);
}

//===- roll, flip, rot90 --------------------------------------------------===//

static StatusOr<Tensor> rollDim(const Tensor &self, int64_t shift, int64_t dim) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (self.numel() == 0 || self.dim() == 0)
    return clone(self, MemoryFormat::Preserve);
  const int64_t size = self.size(d), rest = shift % size; // of the sign of shift, which may have no negative
  const int64_t start = rest > 0 ? size - rest : -rest;
  TSC_ASSIGN_OR_RETURN(Tensor head, narrow(self, d, start, size - start));
  TSC_ASSIGN_OR_RETURN(Tensor tail, narrow(self, d, 0, start));
  return cat({head, tail}, d);
}

StatusOr<Tensor> cpu::roll(const Tensor &self, ArrayRef<int64_t> shifts, ArrayRef<int64_t> dims) {
  if (shifts.empty())
    return invalidArgument("`shifts` required");
  if (dims.empty() && shifts.size() == 1) {
    TSC_ASSIGN_OR_RETURN(Tensor flat, reshape(self, {-1}));
    TSC_ASSIGN_OR_RETURN(Tensor rolled, rollDim(flat, shifts[0], 0));
    return view(rolled, self.sizes());
  }
  if (dims.size() != shifts.size())
    return invalidArgument("shifts and dimensions must align. shifts: " + llvm::Twine(shifts.size()) +
                           ", dims:" + llvm::Twine(dims.size()));
  Tensor result = self;
  for (size_t i = 0; i != dims.size(); ++i) {
    TSC_ASSIGN_OR_RETURN(result, rollDim(result, shifts[i], dims[i]));
  }
  return result;
}

StatusOr<Tensor> cpu::flip(const Tensor &tensor, ArrayRef<int64_t> dims) {
  TSC_ASSIGN_OR_RETURN(const Tensor self, asItStands(tensor));
  llvm::SmallVector<bool, 8> flipped(self.dim() + 1, false);
  for (int64_t dim : dims) {
    TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
    if (flipped[d])
      return invalidArgument("dim " + llvm::Twine(d) + " appears multiple times in the list of dims");
    flipped[d] = true;
  }
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLikeWith(self, self.dtype()));
  if (self.numel() == 0)
    return result;
  // Read backwards: strides are negated, and reading begins at the far end.
  const char *base = static_cast<const char *>(self.data());
  int64_t item = itemSize(self.dtype());
  Dims strides(self.strides().begin(), self.strides().end());
  for (int64_t d = 0; d != self.dim(); ++d)
    if (flipped[d]) {
      base += (self.size(d) - 1) * strides[d] * item;
      strides[d] = -strides[d];
    }
  moveElements(self.dtype(), self.sizes(), result.mutableData(), result.strides(), base, strides);
  return result;
}

StatusOr<Tensor> cpu::fliplr(const Tensor &self) {
  if (self.dim() < 2)
    return invalidArgument("Input must be >= 2-d.");
  return flip(self, {1});
}

StatusOr<Tensor> cpu::flipud(const Tensor &self) {
  if (self.dim() < 1)
    return invalidArgument("Input must be >= 1-d.");
  return flip(self, {0});
}

StatusOr<Tensor> cpu::rot90(const Tensor &self, int64_t k, ArrayRef<int64_t> dims) {
  if (dims.size() != 2)
    return invalidArgument("expected total rotation dims == 2, but got dims = " + llvm::Twine(dims.size()));
  if (self.dim() < 2)
    return invalidArgument("expected total dims >= 2, but got total dims = " + llvm::Twine(self.dim()));
  int64_t apart = 0;
  const bool isFar = __builtin_sub_overflow(dims[0], dims[1], &apart);
  if (!isFar && (apart == 0 || apart == self.dim() || apart == -self.dim()))
    return invalidArgument("expected rotation dims to be different, but got dim0 = " + llvm::Twine(dims[0]) +
                           " and dim1 = " + llvm::Twine(dims[1]));
  for (size_t i = 0; i != 2; ++i)
    if (dims[i] >= self.dim() || dims[i] < -self.dim())
      return outOfRange("Rotation dim" + llvm::Twine(i) + " out of range, dim" + llvm::Twine(i) + " = " +
                        llvm::Twine(dims[i]));
  switch (((k % 4) + 4) % 4) {
  case 1: {
    TSC_ASSIGN_OR_RETURN(Tensor flipped, flip(self, {dims[1]}));
    return transpose(flipped, dims[0], dims[1]);
  }
  case 2: return flip(self, dims);
  case 3: {
    TSC_ASSIGN_OR_RETURN(Tensor flipped, flip(self, {dims[0]}));
    return transpose(flipped, dims[0], dims[1]);
  }
  default: return clone(self, MemoryFormat::Contiguous);
  }
}

//===- Triangles and diagonals --------------------------------------------===//

/// Keeps the columns [first(row), last(row)) of each matrix; zero elsewhere.
template <typename First, typename Last>
static StatusOr<Tensor> triangle(const Tensor &self, llvm::StringRef name, First first, Last last) {
  if (self.dim() < 2)
    return invalidArgument(name + ": input tensor must have at least 2 dimensions");
  const bool isPlain = self.isContiguous() && !self.get()->conjugate && !self.get()->negative;
  TSC_ASSIGN_OR_RETURN(Tensor result,
                       isPlain ? Tensor::empty(self.sizes(), self.dtype()) : clone(self, MemoryFormat::Contiguous));
  int64_t rows = self.size(self.dim() - 2), columns = self.sizes().back(), item = itemSize(self.dtype());
  if (result.numel() == 0)
    return result;
  char *row = static_cast<char *>(result.mutableData());
  const char *source = isPlain ? static_cast<const char *>(self.data()) : row;
  for (int64_t i = 0, n = result.numel() / columns; i != n; ++i, row += columns * item) {
    int64_t from = std::clamp<int64_t>(first(i % rows), 0, columns),
            to = std::clamp<int64_t>(last(i % rows), from, columns);
    if (isPlain)
      std::memcpy(row + from * item, source + i * columns * item + from * item, (to - from) * item);
    std::memset(row, 0, from * item);
    std::memset(row + to * item, 0, (columns - to) * item);
  }
  return result;
}

static int64_t moderate(int64_t diagonal) {
  return std::clamp<int64_t>(diagonal, -(int64_t{1} << 60), int64_t{1} << 60);
}

StatusOr<Tensor> cpu::tril(const Tensor &self, int64_t diagonal) {
  return triangle(
      self, "tril", [](int64_t) { return int64_t{0}; }, [k = moderate(diagonal)](int64_t row) { return row + k + 1; });
}

StatusOr<Tensor> cpu::triu(const Tensor &self, int64_t diagonal) {
  return triangle(
      self, "triu", [k = moderate(diagonal)](int64_t row) { return row + k; },
      [](int64_t) { return std::numeric_limits<int64_t>::max(); });
}

StatusOr<Tensor> cpu::diagEmbed(const Tensor &self, int64_t offset, int64_t dim1, int64_t dim2) {
  int64_t rank = self.dim() + 1;
  TSC_ASSIGN_OR_RETURN(int64_t a, wrapDim(dim1, rank));
  TSC_ASSIGN_OR_RETURN(int64_t b, wrapDim(dim2, rank));
  if (self.dim() == 0)
    return outOfRange("Dimension out of range (expected to be in range of [-1, 0], but got -2)");
  if (a == b)
    return invalidArgument("diagonal dimensions cannot be identical " + llvm::Twine(dim1) + ", " + llvm::Twine(dim2));
  int64_t size,
      shift = offset < 0
                  ? (offset == std::numeric_limits<int64_t>::min() ? std::numeric_limits<int64_t>::max() : -offset)
                  : offset;
  if (__builtin_add_overflow(self.sizes().back(), shift, &size))
    return resourceExhausted("diag_embed: the result is too large");
  Dims sizes(self.sizes().drop_back().begin(), self.sizes().drop_back().end());
  sizes.insert(sizes.begin() + std::min(a, b), size);
  sizes.insert(sizes.begin() + std::max(a, b), size);
  TSC_ASSIGN_OR_RETURN(Tensor result, zeros(sizes, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor place, diagonal(result, offset, a, b));
  TSC_RETURN_IF_ERROR(copyInto(place, self));
  return result;
}

StatusOr<Tensor> cpu::diag(const Tensor &self, int64_t offset) {
  if (self.dim() == 1)
    return diagEmbed(self, offset, 0, 1);
  if (self.dim() == 2)
    return diagonalCopy(self, offset, 0, 1);
  return invalidArgument("matrix or a vector expected");
}

StatusOr<Tensor> cpu::diagflat(const Tensor &self, int64_t offset) {
  TSC_ASSIGN_OR_RETURN(Tensor flat, reshape(self, {-1}));
  return diag(flat, offset);
}

//===- Grids and combinations ---------------------------------------------===//

TensorsOr cpu::meshgridIndexing(TensorList tensors, llvm::StringRef indexing) {
  if (tensors.empty())
    return invalidArgument("meshgrid expects a non-empty TensorList");
  if (indexing != "ij" && indexing != "xy")
    return invalidArgument("torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: " + indexing);
  for (const Tensor &t : tensors) {
    if (t.dim() > 1)
      return invalidArgument("torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: " +
                             shapeString(t.sizes()));
    if (t.dtype() != tensors.front().dtype())
      return invalidArgument("torch.meshgrid expects all tensors to have the same dtype");
  }
  bool swap = indexing == "xy" && tensors.size() >= 2;
  size_t rank = tensors.size();
  auto dimOf = [&](size_t i) { return swap && i < 2 ? 1 - i : i; };
  Dims sizes(rank);
  for (size_t i = 0; i != rank; ++i)
    sizes[dimOf(i)] = tensors[i].numel();
  std::vector<Tensor> grids;
  for (size_t i = 0; i != rank; ++i) {
    Dims shape(rank, 1);
    shape[dimOf(i)] = tensors[i].numel();
    TSC_ASSIGN_OR_RETURN(Tensor line, reshape(tensors[i], shape));
    TSC_ASSIGN_OR_RETURN(Tensor grid, expand(line, sizes));
    grids.push_back(std::move(grid));
  }
  return grids;
}

TensorsOr cpu::meshgrid(TensorList tensors) { return meshgridIndexing(tensors, "ij"); }

StatusOr<Tensor> cpu::cartesianProd(TensorList tensors) {
  for (const Tensor &t : tensors)
    if (t.dim() != 1)
      return invalidArgument("Expect a 1D vector, but got shape " + shapeString(t.sizes()));
  if (tensors.size() == 1)
    return tensors.front();
  TSC_ASSIGN_OR_RETURN(std::vector<Tensor> grids, meshgrid(tensors));
  std::vector<Tensor> columns;
  for (const Tensor &grid : grids) {
    TSC_ASSIGN_OR_RETURN(Tensor column, flatten(grid));
    columns.push_back(std::move(column));
  }
  return stack(columns, 1);
}

/// How many ways there are to choose r of n, 0 < r, and r <= n where nothing is chosen twice.
static StatusOr<int64_t> numCombinations(int64_t n, int64_t r, bool withReplacement) {
  int64_t total = 0, count = 1;
  bool overflows = __builtin_add_overflow(n, withReplacement ? r - 1 : 0, &total);
  int64_t rest = overflows ? 0 : std::min(r, total - r);
  for (int64_t i = 1; i <= rest && !overflows; ++i) { // C(total, i); the division leaves nothing over
    overflows = __builtin_mul_overflow(count, total - rest + i, &count);
    count /= i;
  }
  if (overflows)
    return resourceExhausted("combinations: the result is too large");
  return count;
}

StatusOr<Tensor> cpu::combinations(const Tensor &self, int64_t r, bool withReplacement) {
  if (self.dim() != 1)
    return invalidArgument("Expect a 1D vector, but got shape " + shapeString(self.sizes()));
  if (r < 0)
    return invalidArgument("Expect a non-negative number, but got " + llvm::Twine(r));
  if (r == 0)
    return Tensor::empty({0}, self.dtype());
  int64_t n = self.numel();
  if (n == 0 || (!withReplacement && r > n))
    return Tensor::empty({0, r}, self.dtype());
  TSC_ASSIGN_OR_RETURN(int64_t count, numCombinations(n, r, withReplacement));
  TSC_ASSIGN_OR_RETURN(Tensor positions, Tensor::empty({count, r}, DType::Int64));
  int64_t *picks = positions.mutableData<int64_t>();
  Dims current;
  for (int64_t i = 0; i != r; ++i)
    current.push_back(withReplacement ? 0 : i);
  // Counts up in lexicographic order.
  while (true) {
    picks = std::copy(current.begin(), current.end(), picks);
    int64_t at = r - 1;
    while (at >= 0 && current[at] == (withReplacement ? n - 1 : n - r + at))
      --at;
    if (at < 0)
      break;
    ++current[at];
    for (int64_t i = at + 1; i != r; ++i)
      current[i] = withReplacement ? current[at] : current[i - 1] + 1;
  }
  TSC_ASSIGN_OR_RETURN(Tensor inOneRow, view(positions, {-1}));
  TSC_ASSIGN_OR_RETURN(Tensor chosen, indexSelect(self, 0, inOneRow));
  return view(chosen, {-1, r});
}
