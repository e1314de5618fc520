//===- Pad.cpp - Borders around a tensor ----------------------------------===//
//
// Every mode but "constant" is a rule that says, for each place of the padded
// dimension, which place of the input it shows.
//
//===----------------------------------------------------------------------===//
#include "Indexing/IndexingSupport.h"
#include "Indexing/Slices.h"
#include "Support/Compute.h"
#include "Support/MemoryFormats.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Support/ThreadPool.h"
#include <algorithm>

using namespace tsc;
using namespace tsc::cpu;

static StatusOr<Dims> paddedSizes(const Tensor &self, ArrayRef<int64_t> pad) {
  Dims sizes(self.sizes().begin(), self.sizes().end());
  for (size_t i = 0; 2 * i + 1 < pad.size(); ++i) {
    int64_t &size = sizes[sizes.size() - 1 - i], before = size;
    // Kernels add to pads and change their signs.
    constexpr int64_t most = int64_t{1} << 58;
    const bool isHuge = pad[2 * i] < -most || pad[2 * i] > most || pad[2 * i + 1] < -most || pad[2 * i + 1] > most;
    if (isHuge || __builtin_add_overflow(size, pad[2 * i] + pad[2 * i + 1], &size))
      return resourceExhausted("Storage size calculation overflowed with sizes=" + shapeString(self.sizes()));
    if (size < 0)
      return invalidArgument("The input size " + llvm::Twine(before) + ", plus negative padding " +
                             llvm::Twine(pad[2 * i]) + " and " + llvm::Twine(pad[2 * i + 1]) +
                             " resulted in a negative output size, which is invalid. Check dimension " +
                             llvm::Twine(sizes.size() - 1 - i) + " of your input.");
  }
  return sizes;
}

StatusOr<Tensor> cpu::constantPadNd(const Tensor &self, ArrayRef<int64_t> pad, const Scalar &value) {
  if (pad.size() % 2)
    return invalidArgument("Length of pad must be even but instead it equals " + llvm::Twine(pad.size()));
  if (pad.size() / 2 > self.sizes().size())
    return invalidArgument(
        "Length of pad should be no more than twice the number of dimensions of the input. Pad length is " +
        llvm::Twine(pad.size()) + "while the input has " + llvm::Twine(self.dim()) + "dimensions.");
  TSC_ASSIGN_OR_RETURN(Dims sizes, paddedSizes(self, pad));
  TSC_ASSIGN_OR_RETURN(const Tensor ordered, withDenseChannels(self));
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyWithChannelsOf(ordered, sizes));
  TSC_RETURN_IF_ERROR(fillWith(result, value));
  Tensor target = result, source = self;
  for (size_t i = 0; 2 * i < pad.size(); ++i) {
    int64_t d = self.dim() - 1 - static_cast<int64_t>(i), before = pad[2 * i], after = pad[2 * i + 1];
    // A negative pad cuts the input instead.
    int64_t cutBefore = std::max<int64_t>(-before, 0), cutAfter = std::max<int64_t>(-after, 0);
    int64_t kept = std::max<int64_t>(source.size(d) - cutBefore - cutAfter, 0);
    if (cutBefore > source.size(d))
      return result;
    TSC_ASSIGN_OR_RETURN(source, narrow(source, d, cutBefore, kept));
    int64_t start = std::max<int64_t>(before, 0);
    kept = std::min(kept, target.size(d) - start);
    if (kept <= 0)
      return result;
    TSC_ASSIGN_OR_RETURN(target, narrow(target, d, start, kept));
    TSC_ASSIGN_OR_RETURN(source, narrow(source, d, 0, kept));
  }
  TSC_RETURN_IF_ERROR(copyInto(target, source));
  return result;
}

//===- Modes --------------------------------------------------------------===//

namespace {
enum class PadMode { Reflect = 1, Replicate = 2, Circular = 3 };
} // namespace

/// The place of the input (size n) that is shown `at` places from its beginning; a circular border repeats what
/// negative padding leaves of it, the places [first, last).
static int64_t sourcePlace(PadMode mode, int64_t at, int64_t n, int64_t first, int64_t last) {
  switch (mode) {
  case PadMode::Reflect: return at < 0 ? -at : at >= n ? 2 * n - 2 - at : at;
  case PadMode::Replicate: return std::clamp<int64_t>(at, 0, n - 1);
  case PadMode::Circular: return at < first ? at + (last - first) : at >= last ? at - (last - first) : at;
  }
  return 0;
}

static Status checkPad(const Tensor &self, PadMode mode, int64_t d, int64_t before, int64_t after) {
  int64_t n = self.size(d);
  if (mode == PadMode::Reflect && (before >= n || after >= n))
    return invalidArgument("Argument #" + llvm::Twine(2 * (self.dim() - d) + 2) +
                           ": Padding size should be less than the corresponding input dimension, but got: padding (" +
                           llvm::Twine(before) + ", " + llvm::Twine(after) + ") at dimension " + llvm::Twine(d) +
                           " of input " + shapeString(self.sizes()));
  if (mode == PadMode::Circular &&
      (before > n + std::min<int64_t>(after, 0) || after > n + std::min<int64_t>(before, 0)))
    return invalidArgument("Padding value causes wrapping around more than once.");
  if (n == 0)
    return invalidArgument("Expected the padded dimension to be non-empty, but got input " + shapeString(self.sizes()));
  return okStatus();
}

namespace {
/// One dimension of a padded tensor: which place of the input each place shows. Those in [from, to) are neighbours
/// there.
class PaddedDim {
public:
  PaddedDim(PadMode mode, int64_t size, int64_t before, int64_t after)
      : length(size + before + after), size(size), before(before), first(std::max<int64_t>(-before, 0)),
        last(size + std::min<int64_t>(after, 0)), mode(mode) {
    to = std::clamp<int64_t>(last + before, 0, length);
    from = std::min(std::max<int64_t>(before, 0), to);
  }
  int64_t operator[](int64_t at) const { return sourcePlace(mode, at - before, size, first, last); }
  int64_t length, from, to;

private:
  int64_t size, before, first, last;
  PadMode mode;
};
} // namespace

/// Rows of dense tensors; `dims` are the last ones, the outermost first. An element is `parts` items of type T.
template <typename T>
static void padRows(const T *from, T *to, ArrayRef<int64_t> sizes, ArrayRef<PaddedDim> dims, int64_t parts) {
  const PaddedDim &last = dims.back();
  const int64_t length = last.length * parts;
  // Where the row of the input stands that each row of a block shows, from the innermost dimension outwards.
  std::vector<int64_t> offsets{0};
  int64_t step = sizes.back() * parts, blocks = 1;
  for (size_t d = dims.size() - 1; d-- != 0;) {
    std::vector<int64_t> outer;
    for (int64_t at = 0; at != dims[d].length; ++at)
      for (int64_t offset : offsets)
        outer.push_back(dims[d][at] * step + offset);
    offsets = std::move(outer);
    step *= sizes[sizes.size() - dims.size() + d];
  }
  for (int64_t size : sizes.drop_back(dims.size()))
    blocks *= size;
  std::vector<int64_t> borders;
  auto addBorder = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i != end; ++i)
      for (int64_t part = 0; part != parts; ++part)
        borders.push_back(last[i] * parts + part);
  };
  addBorder(0, last.from);
  addBorder(last.to, last.length);
  const int64_t before = last.from * parts;
  const slices::BorderedRow row = {before,
                                   (last.to - last.from) * parts,
                                   (last.length - last.to) * parts,
                                   last.from == last.to ? 0 : last[last.from] * parts,
                                   borders.data(),
                                   borders.data() + before};
  const auto copy = slices::copyBordered<T>();
  const auto rows = static_cast<int64_t>(offsets.size());
  constexpr int64_t leastElements = 1 << 15; // for which another thread is worth it
  auto run = [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r != end;) {
      const int64_t block = r / rows, at = r % rows, count = std::min(rows - at, end - r);
      copy(to + r * length, from + block * step, offsets.data() + at, count, row);
      r += count;
    }
  };
  parallelFor(0, blocks * rows, std::max<int64_t>(1, leastElements / std::max<int64_t>(length, 1)), run);
}

/// Pads the last dimensions of dense memory, the outermost of `dims` first, whose elements are `bytes` long and need
/// not stand at a multiple of that.
static void padDense(const void *from, void *to, ArrayRef<int64_t> sizes, ArrayRef<PaddedDim> dims, int64_t bytes) {
  auto run = [&](auto item) { // as wide as elements are made of
    using Item = decltype(item);
    padRows(static_cast<const Item *>(from), static_cast<Item *>(to), sizes, dims,
            bytes / static_cast<int64_t>(sizeof(Item)));
  };
  const uintptr_t step = static_cast<uintptr_t>(bytes) | reinterpret_cast<uintptr_t>(from);
  if (step % 8 == 0)
    run(uint64_t());
  else if (step % 4 == 0)
    run(uint32_t());
  else if (step % 2 == 0)
    run(uint16_t());
  else
    run(uint8_t());
}

static StatusOr<Tensor> padByRule(const Tensor &self, ArrayRef<int64_t> pad, PadMode mode) {
  TSC_ASSIGN_OR_RETURN(Dims sizes, paddedSizes(self, pad));
  TSC_RETURN_IF_ERROR(elementCount(sizes).status());
  const size_t count = pad.size() / 2;
  for (size_t i = 0; i != count; ++i)
    TSC_RETURN_IF_ERROR(checkPad(self, mode, self.dim() - 1 - static_cast<int64_t>(i), pad[2 * i], pad[2 * i + 1]));
  if (count == 0)
    return clone(self, MemoryFormat::Contiguous);
  std::vector<PaddedDim> dims;
  for (size_t i = count; i-- != 0;)
    dims.push_back(PaddedDim(mode, self.size(self.dim() - 1 - static_cast<int64_t>(i)), pad[2 * i], pad[2 * i + 1]));
  const int64_t item = static_cast<int64_t>(itemSize(self.dtype()));
  // Where the channels lie inside, an element of the padded dimensions is all of them.
  if (mode != PadMode::Circular && hasChannelsInside(self) && !isLazy(self) &&
      static_cast<int64_t>(count) == self.dim() - 2) {
    TSC_ASSIGN_OR_RETURN(Tensor result, emptyWithChannelsOf(self, sizes));
    Dims outer{self.size(0)};
    outer.append(self.sizes().begin() + 2, self.sizes().end());
    if (result.numel() != 0)
      padDense(self.data(), result.mutableData(), outer, dims, self.size(1) * item);
    return result;
  }
  TSC_ASSIGN_OR_RETURN(Tensor source, contiguous(self));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(sizes, self.dtype()));
  if (result.numel() != 0)
    padDense(source.data(), result.mutableData(), source.sizes(), dims, item);
  return result;
}

/// Reflection and replication of the last `spatial` dimensions.
static StatusOr<Tensor> padSpatial(const Tensor &self, ArrayRef<int64_t> pad, PadMode mode, int64_t spatial) {
  if (static_cast<int64_t>(pad.size()) != 2 * spatial)
    return invalidArgument("padding size is expected to be " + llvm::Twine(2 * spatial));
  bool nonEmpty = true;
  for (int64_t d = self.dim() == spatial + 2 ? 1 : 0; d < self.dim(); ++d)
    nonEmpty = nonEmpty && self.size(d) != 0;
  if ((self.dim() != spatial + 1 && self.dim() != spatial + 2) || !nonEmpty)
    return invalidArgument(
        "Expected " + llvm::Twine(spatial + 1) + "D or " + llvm::Twine(spatial + 2) +
        "D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: " +
        shapeString(self.sizes()));
  return padByRule(self, pad, mode);
}

StatusOr<Tensor> cpu::reflectionPad1d(const Tensor &self, ArrayRef<int64_t> padding) {
  return padSpatial(self, padding, PadMode::Reflect, 1);
}
StatusOr<Tensor> cpu::reflectionPad2d(const Tensor &self, ArrayRef<int64_t> padding) {
  return padSpatial(self, padding, PadMode::Reflect, 2);
}
StatusOr<Tensor> cpu::reflectionPad3d(const Tensor &self, ArrayRef<int64_t> padding) {
  return padSpatial(self, padding, PadMode::Reflect, 3);
}
StatusOr<Tensor> cpu::replicationPad1d(const Tensor &self, ArrayRef<int64_t> padding) {
  return padSpatial(self, padding, PadMode::Replicate, 1);
}
StatusOr<Tensor> cpu::replicationPad2d(const Tensor &self, ArrayRef<int64_t> padding) {
  return padSpatial(self, padding, PadMode::Replicate, 2);
}
StatusOr<Tensor> cpu::replicationPad3d(const Tensor &self, ArrayRef<int64_t> padding) {
  return padSpatial(self, padding, PadMode::Replicate, 3);
}

StatusOr<Tensor> cpu::padCircular(const Tensor &self, ArrayRef<int64_t> pad) {
  int64_t spatial = self.dim() - 2;
  if (static_cast<int64_t>(pad.size()) != 2 * spatial)
    return invalidArgument("Invalid padding size, expected " + llvm::Twine(2 * spatial) + " but got " +
                           llvm::Twine(pad.size()));
  return padByRule(self, pad, PadMode::Circular);
}

StatusOr<Tensor> cpu::padEnum(const Tensor &self, ArrayRef<int64_t> pad, int64_t mode, std::optional<double> value) {
  if (pad.size() % 2)
    return invalidArgument("Padding length must be divisible by 2");
  if (static_cast<int64_t>(pad.size()) > self.dim() * 2)
    return invalidArgument("Padding length too large");
  if (mode == 0)
    return constantPadNd(self, pad, Scalar(value.value_or(0.0)));
  if (mode < 0 || mode > 3)
    return invalidArgument("Unrecognised padding mode");
  auto padMode = static_cast<PadMode>(mode);
  static constexpr const char *Names[] = {"constant", "reflect", "replicate", "circular"};
  if (value && *value != 0)
    return invalidArgument("Padding mode \"" + llvm::Twine(Names[mode]) + "\" doesn't take in value argument");
  int64_t spatial = pad.size() / 2;
  bool fits = spatial >= 1 && spatial <= 3 && (self.dim() == spatial + 1 || self.dim() == spatial + 2);
  if (!fits)
    return unimplemented("Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now");
  if (padMode != PadMode::Circular)
    return padSpatial(self, pad, padMode, spatial);
  if (self.dim() == spatial + 2)
    return padCircular(self, pad);
  TSC_ASSIGN_OR_RETURN(Tensor batch, unsqueeze(self, 0));
  TSC_ASSIGN_OR_RETURN(Tensor padded, padCircular(batch, pad));
  return squeezeDim(padded, 0);
}

StatusOr<Tensor> cpu::pad(const Tensor &self, ArrayRef<int64_t> pad, llvm::StringRef mode,
                          std::optional<double> value) {
  int64_t number = mode == "constant"    ? 0
                   : mode == "reflect"   ? 1
                   : mode == "replicate" ? 2
                   : mode == "circular"  ? 3
                                         : -1;
  if (number < 0)
    return unimplemented("Unrecognised padding mode " + mode);
  return padEnum(self, pad, number, value);
}

StatusOr<Tensor> cpu::padSequence(TensorList sequences, bool batchFirst, double paddingValue,
                                  llvm::StringRef paddingSide) {
  if (paddingSide != "left" && paddingSide != "right")
    return invalidArgument("Expected padding_side to be one of left or right, but got " + paddingSide + ".");
  if (sequences.empty())
    return invalidArgument("received an empty list of sequences");
  if (sequences.front().dim() == 0)
    return outOfRange("Dimension specified as 0 but tensor has no dimensions");
  int64_t longest = 0, batch = sequences.size();
  for (const Tensor &sequence : sequences) {
    if (sequence.dim() != sequences.front().dim())
      return invalidArgument(
          "The size of tensor a must match the size of tensor b: sequences differ in their number of dimensions");
    longest = std::max(longest, sequence.size(0));
  }
  Dims sizes{batchFirst ? batch : longest, batchFirst ? longest : batch};
  sizes.append(sequences.front().sizes().begin() + 1, sequences.front().sizes().end());
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::full(sizes, Scalar(paddingValue), sequences.front().dtype()));
  for (int64_t i = 0; i != batch; ++i) {
    TSC_ASSIGN_OR_RETURN(Tensor row, select(result, batchFirst ? 0 : 1, i));
    const int64_t length = sequences[i].size(0);
    TSC_ASSIGN_OR_RETURN(Tensor place, narrow(row, 0, paddingSide == "left" ? longest - length : 0, length));
    TSC_RETURN_IF_ERROR(copyInto(place, sequences[i]));
  }
  return result;
}
