//===- Engine.cpp - Runs any point-wise operator --------------------------===//
//
// Finds dtype and shape, allocates, and walks the operands in blocks that stay
// in the first-level cache: an operand whose run is contiguous and of the compute
// type is used in place, any other is gathered and converted into a buffer. So
// one kernel a compute type serves every combination of dtypes and strides.
//
//===----------------------------------------------------------------------===//
#include "Call.h"
#include "Copies/Moves.h"
#include "Layout.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Sparse.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Promotion.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstring>

using namespace tsc;
using namespace tsc::pw;

/// Contiguous result, operands that are contiguous and of its shape or have one element, no dtype to convert but the
/// result's. Returns false when that is not so.
static bool runContiguous(const Call &call, const TensorImpl &out) {
  assert(call.tensors.size() <= maxTensors && "no operator has more operands");
  if (!out.contiguous)
    return false;
  alignas(64) char splats[maxTensors][splatBytes];
  const void *in[maxTensors];
  uint8_t steps[maxTensors];
  for (size_t k = 0; k != call.tensors.size(); ++k) {
    const TensorImpl *t = call.tensors[k];
    if (t && t->count != 1 &&
        (t->dtype != call.buffer || !t->contiguous || t->conjugate || t->negative || t->sizes != out.sizes))
      return false;
  }
  for (size_t k = 0; k != call.tensors.size(); ++k) {
    const TensorImpl *t = call.tensors[k];
    steps[k] = t && t->count == out.count && t->dtype == call.buffer && !t->conjugate && !t->negative;
    if (steps[k]) {
      in[k] = dataOf(*t);
      continue;
    }
    if (t && (t->conjugate || t->negative))
      return false;
    in[k] = splats[k];
    if (t)
      fillSplat(splats[k], call.buffer, dataOf(*t), t->dtype);
    else
      std::memset(splats[k], 0, splatBytes);
  }
  char *to = static_cast<char *>(mutableDataOf(out));
  size_t outBytes = itemSize(out.dtype);
  parallelFor(0, out.count, parallelGrain, [&](int64_t begin, int64_t end) {
    const void *at[maxTensors];
    auto advance = [&](int64_t i) {
      for (size_t k = 0; k != call.tensors.size(); ++k)
        at[k] = static_cast<const char *>(in[k]) + (steps[k] ? i * call.bytes : 0);
    };
    if (out.dtype == call.buffer) {
      advance(begin);
      call.kernel(to + begin * outBytes, at, steps, call.uniforms.bytes, end - begin);
      return;
    }
    alignas(64) char block[blockSize * 16];
    for (int64_t i = begin; i < end; i += blockSize) {
      int64_t count = std::min(blockSize, end - i);
      advance(i);
      call.kernel(block, at, steps, call.uniforms.bytes, count);
      cpu::convertRow(to + i * outBytes, out.dtype, outBytes, block, call.buffer, call.bytes, count);
    }
  });
  return true;
}

namespace {
/// Walks operands of any strides in blocks.
class StridedRun {
public:
  StridedRun(const Call &call, const TensorImpl &out, const IterationOrder &order)
      : call(call), order(order), outDType(out.dtype), outBytes(itemSize(out.dtype)),
        outData(static_cast<char *>(mutableDataOf(out))) {
    for (size_t k = 0; k != call.tensors.size(); ++k) {
      const TensorImpl *t = call.tensors[k];
      data.push_back(t ? static_cast<const char *>(dataOf(*t)) : nullptr);
      if (!t || order.isRepeated(k + 1)) {
        Splat &splat = splats.emplace_back();
        splat.operand = k;
        if (t)
          fillSplat(splat.bytes, call.buffer, dataOf(*t), t->dtype);
        else
          std::memset(splat.bytes, 0, splatBytes);
      }
    }
  }

  void run() {
    int64_t rowLength = order.rowLength(), rows = order.numRows();
    int64_t rowsAtOnce = rowLength >= longRow ? 1 : std::max<int64_t>(1, blockSize / rowLength);
    constexpr int64_t fewRows = 4; // of a plane: computed together, they would not pay for what a plane costs
    constexpr int64_t mediumRow = 48;
    const bool hasPlanes = order.rowsOfPlane() >= fewRows && (rowsAtOnce != 1 || isOneRow(rowLength));
    const bool isDirect = rowLength >= mediumRow && !(hasPlanes && isOneRow(rowLength)) && takesRowsDirectly();
    const bool hasTiles = !isDirect && isTransposed(rowLength);
    parallelFor(0, rows, std::max<int64_t>(1, parallelGrain / rowLength), [&](int64_t begin, int64_t end) {
      Buffers buffers(call.tensors.size());
      RowCursor cursor(order, begin);
      if (isDirect)
        return directRows(buffers, cursor, end - begin, rowLength);
      if (hasPlanes || hasTiles) {
        const int64_t plane = order.rowsOfPlane();
        for (int64_t row = begin; row < end;) {
          const int64_t inPlane = std::min(end, (row / plane + 1) * plane) - row;
          const RowCursor first(order, row);
          hasTiles ? tiles(buffers, first, inPlane, rowLength) : planeRows(buffers, first, inPlane, rowLength);
          row += inPlane;
        }
        return;
      }
      if (rowsAtOnce == 1) {
        for (int64_t row = begin; row < end; ++row, cursor.next())
          wholeRow(buffers, cursor, rowLength);
        return;
      }
      for (int64_t row = begin; row < end; row += rowsAtOnce)
        shortRows(buffers, cursor, std::min(rowsAtOnce, end - row), rowLength);
    });
  }

private:
  struct Splat {
    alignas(64) char bytes[splatBytes];
    size_t operand;
  };
  struct Buffers {
    explicit Buffers(size_t operands) : storage(new char[(operands + 1) * blockSize * 16]) {}
    char *operand(size_t k) { return storage.get() + k * blockSize * 16; }
    std::unique_ptr<char[]> storage;
  };

  const void *splatOf(size_t k) const {
    for (const Splat &s : splats)
      if (s.operand == k)
        return s.bytes;
    return nullptr;
  }

  bool isDense(size_t operand, DType dtype) const {
    return dtype == call.buffer && order.rowStrides()[operand] == static_cast<int64_t>(call.bytes);
  }

  /// Whether the rows of a plane lie one behind the other in the result and in all operands that are not the same in
  /// each of them; several fit in a block.
  bool isOneRow(int64_t rowLength) const {
    if (rowLength > blockSize / 2 || order.rowsOfPlane() == 1)
      return false;
    const int64_t *rowStrides = order.rowStrides(), *planeStrides = order.planeStrides();
    if (!isDense(0, outDType) || planeStrides[0] != rowLength * static_cast<int64_t>(outBytes))
      return false;
    for (size_t k = 0; k != call.tensors.size(); ++k) {
      if (splatOf(k) || planeStrides[k + 1] == 0)
        continue;
      const int64_t item = static_cast<int64_t>(itemSize(call.tensors[k]->dtype));
      if (rowStrides[k + 1] != item || planeStrides[k + 1] != rowLength * item)
        return false;
    }
    return true;
  }

  /// Whether every operand is one element everywhere or for each row, or rows that kernels take as they lie.
  bool takesRowsDirectly() const {
    if (!isDense(0, outDType))
      return false;
    for (size_t k = 0; k != call.tensors.size(); ++k)
      if (!splatOf(k) && order.rowStrides()[k + 1] != 0 && !isDense(k + 1, call.tensors[k]->dtype))
        return false;
    return true;
  }
  void directRows(Buffers &buffers, RowCursor &cursor, int64_t rows, int64_t length) const {
    const void *in[maxTensors];
    uint8_t steps[maxTensors];
    bool isOfRow[maxTensors] = {}; // one element for each row
    const size_t operands = call.tensors.size();
    for (size_t k = 0; k != operands; ++k) {
      in[k] = splatOf(k);
      isOfRow[k] = !in[k] && order.rowStrides()[k + 1] == 0;
      steps[k] = !in[k] && !isOfRow[k];
    }
    // The elements of the next row are repeated before this one is computed, not just before they are loaded.
    auto repeatElements = [&](int64_t row) {
      for (size_t k = 0; k != operands; ++k)
        if (isOfRow[k])
          fillSplat(buffers.operand(k) + row % 2 * splatBytes, call.buffer, data[k] + cursor.offset(k + 1),
                    call.tensors[k]->dtype);
    };
    repeatElements(0);
    for (int64_t row = 0; row != rows; ++row) {
      for (size_t k = 0; k != operands; ++k)
        if (steps[k])
          in[k] = data[k] + cursor.offset(k + 1);
        else if (isOfRow[k])
          in[k] = buffers.operand(k) + row % 2 * splatBytes;
      char *to = outData + cursor.offset(0);
      cursor.next();
      if (row + 1 != rows)
        repeatElements(row + 1);
      call.kernel(to, in, steps, call.uniforms.bytes, length);
    }
  }

  /// Whether an operand's neighbours in memory are in one row after the other, of which there are several.
  bool isTurned(size_t operand) const {
    const TensorImpl &t = *call.tensors[operand];
    const auto item = static_cast<int64_t>(call.bytes);
    return t.dtype == call.buffer && item <= 8 && order.planeStrides()[operand + 1] == item &&
           std::abs(order.rowStrides()[operand + 1]) > item;
  }
  bool isTransposed(int64_t rowLength) const {
    constexpr int64_t least = 8;
    if (order.rowsOfPlane() < least || rowLength < least)
      return false;
    for (size_t k = 0; k != call.tensors.size(); ++k)
      if (!splatOf(k) && isTurned(k))
        return true;
    return false;
  }

  /// Rows of one plane, from where the cursor is, some rows and columns at a time, of which the operands that are
  /// turned are transposed.
  void tiles(Buffers &buffers, const RowCursor &cursor, int64_t rows, int64_t length) const {
    const auto item = static_cast<int64_t>(call.bytes);
    const int64_t height = std::max<int64_t>(16, 64 / item), width = blockSize * 16 / (height * item);
    const int64_t *rowStrides = order.rowStrides(), *planeStrides = order.planeStrides();
    for (int64_t row = 0; row < rows; row += height)
      for (int64_t column = 0; column < length; column += width) {
        const int64_t someRows = std::min(height, rows - row), someColumns = std::min(width, length - column);
        auto placeOf = [&](size_t k, int64_t r) {
          return cursor.offset(k) + (row + r) * planeStrides[k] + column * rowStrides[k];
        };
        for (size_t k = 0; k != call.tensors.size(); ++k)
          if (!splatOf(k) && isTurned(k))
            cpu::transposeElements(buffers.operand(k), width * item, data[k] + placeOf(k + 1, 0), rowStrides[k + 1],
                                   someRows, someColumns, call.bytes);
        for (int64_t r = 0; r != someRows; ++r)
          rowOfTile(buffers, [&](size_t k) { return placeOf(k, r); }, r * width * item, someColumns);
      }
  }
  /// place(k): where operand k's row begins, the result's that of 0; `inTile`: where it does in a transposed tile.
  template <typename Place> void rowOfTile(Buffers &buffers, Place place, int64_t inTile, int64_t count) const {
    const void *in[maxTensors];
    uint8_t steps[maxTensors];
    const auto item = static_cast<int64_t>(call.bytes);
    const int64_t *rowStrides = order.rowStrides();
    for (size_t k = 0; k != call.tensors.size(); ++k) {
      in[k] = splatOf(k);
      steps[k] = in[k] == nullptr;
      if (in[k])
        continue;
      const DType dtype = call.tensors[k]->dtype;
      const char *from = data[k] + place(k + 1);
      char *buffer = buffers.operand(k);
      if (isTurned(k)) {
        in[k] = buffer + inTile;
      } else if (rowStrides[k + 1] == 0) {
        fillSplat(buffer, call.buffer, from, dtype);
        in[k] = buffer, steps[k] = 0;
      } else if (isDense(k + 1, dtype)) {
        in[k] = from;
      } else {
        cpu::convertRow(buffer, call.buffer, item, from, dtype, rowStrides[k + 1], count);
        in[k] = buffer;
      }
    }
    char *to = outData + place(0), *result = buffers.operand(call.tensors.size());
    const bool writesThere = isDense(0, outDType);
    call.kernel(writesThere ? to : result, in, steps, call.uniforms.bytes, count);
    if (!writesThere)
      cpu::convertRow(to, outDType, rowStrides[0], result, call.buffer, item, count);
  }

  /// Short rows of one plane, from where the cursor is: as one row wherever they lie one behind the other, and what is
  /// the same in each row is gathered once.
  void planeRows(Buffers &buffers, const RowCursor &cursor, int64_t rows, int64_t length) {
    const void *in[maxTensors];
    uint8_t steps[maxTensors];
    const int64_t *rowStrides = order.rowStrides(), *planeStrides = order.planeStrides();
    const int64_t rowsAtOnce = std::min(rows, std::max<int64_t>(1, blockSize / length));
    const int64_t item = static_cast<int64_t>(call.bytes), wholeRow = length * item;
    const size_t operands = call.tensors.size();
    // Of each operand: a pointer into it, or its buffer, which is filled once or for each block.
    for (size_t k = 0; k != operands; ++k) {
      const void *splat = splatOf(k);
      steps[k] = splat == nullptr;
      in[k] = splat ? splat : buffers.operand(k);
      if (splat || planeStrides[k + 1] != 0)
        continue;
      char *first = buffers.operand(k);
      cpu::convertRow(first, call.buffer, item, data[k] + cursor.offset(k + 1), call.tensors[k]->dtype,
                      rowStrides[k + 1], length);
      for (int64_t done = 1; done < rowsAtOnce; done *= 2) // what is there, once more
        std::memcpy(first + done * wholeRow, first, std::min(done, rowsAtOnce - done) * wholeRow);
    }
    char *result = buffers.operand(operands);
    const int64_t outItem = static_cast<int64_t>(outBytes);
    const bool isOutDense = rowStrides[0] == outItem && planeStrides[0] == length * outItem;
    for (int64_t row = 0; row < rows; row += rowsAtOnce) {
      const int64_t some = std::min(rowsAtOnce, rows - row);
      for (size_t k = 0; k != operands; ++k) {
        if (!steps[k] || planeStrides[k + 1] == 0)
          continue;
        const DType dtype = call.tensors[k]->dtype;
        const char *from = data[k] + cursor.offset(k + 1) + row * planeStrides[k + 1];
        const int64_t own = static_cast<int64_t>(itemSize(dtype));
        if (rowStrides[k + 1] == own && planeStrides[k + 1] == length * own) {
          in[k] = from;
          if (dtype != call.buffer) {
            in[k] = buffers.operand(k);
            cpu::convertRow(buffers.operand(k), call.buffer, item, from, dtype, own, some * length);
          }
          continue;
        }
        gatherRows(buffers.operand(k), from, dtype, rowStrides[k + 1], planeStrides[k + 1], some, length);
      }
      char *to = outData + cursor.offset(0) + row * planeStrides[0];
      const bool writesThere = isOutDense && outDType == call.buffer;
      call.kernel(writesThere ? to : result, in, steps, call.uniforms.bytes, some * length);
      if (writesThere)
        continue;
      if (isOutDense) {
        cpu::convertRow(to, outDType, outItem, result, call.buffer, item, some * length);
        continue;
      }
      for (int64_t r = 0; r != some; ++r)
        cpu::convertRow(to + r * planeStrides[0], outDType, rowStrides[0], result + r * wholeRow, call.buffer, item,
                        length);
    }
  }

  /// Rows of any strides into a buffer, one behind the other.
  void gatherRows(char *to, const char *from, DType dtype, int64_t stride, int64_t rowStride, int64_t rows,
                  int64_t length) const {
    if (dtype == call.buffer && stride == static_cast<int64_t>(call.bytes))
      return cpu::moves::copyRows(to, length * stride, from, rowStride, rows, length * stride);
    auto move = [&](auto zero) {
      using T = decltype(zero);
      T *elements = reinterpret_cast<T *>(to);
      for (int64_t r = 0; r != rows; ++r, from += rowStride, elements += length)
        for (int64_t i = 0; i != length; ++i)
          elements[i] = *reinterpret_cast<const T *>(from + i * stride);
    };
    if (dtype == call.buffer && call.bytes == sizeof(uint32_t))
      return move(uint32_t{});
    if (dtype == call.buffer && call.bytes == sizeof(uint64_t))
      return move(uint64_t{});
    const int64_t item = static_cast<int64_t>(call.bytes);
    for (int64_t r = 0; r != rows; ++r)
      cpu::convertRow(to + r * length * item, call.buffer, item, from + r * rowStride, dtype, stride, length);
  }

  /// At once where no operand has to be converted, else in blocks.
  void wholeRow(Buffers &buffers, const RowCursor &cursor, int64_t length) {
    const void *in[maxTensors];
    uint8_t steps[maxTensors];
    const int64_t *rowStrides = order.rowStrides();
    bool isDirect = isDense(0, outDType);
    for (size_t k = 0; k != call.tensors.size(); ++k) {
      steps[k] = 1;
      if (const void *splat = splatOf(k)) {
        in[k] = splat, steps[k] = 0;
      } else if (rowStrides[k + 1] == 0) { // one element for the whole row
        fillSplat(buffers.operand(k), call.buffer, data[k] + cursor.offset(k + 1), call.tensors[k]->dtype);
        in[k] = buffers.operand(k), steps[k] = 0;
      } else if (isDense(k + 1, call.tensors[k]->dtype)) {
        in[k] = data[k] + cursor.offset(k + 1);
      } else {
        isDirect = false;
      }
    }
    char *to = outData + cursor.offset(0);
    if (isDirect)
      return call.kernel(to, in, steps, call.uniforms.bytes, length);
    for (int64_t start = 0; start < length; start += blockSize) {
      const int64_t count = std::min(blockSize, length - start);
      for (size_t k = 0; k != call.tensors.size(); ++k) {
        if (steps[k] == 0)
          continue;
        const TensorImpl &t = *call.tensors[k];
        const char *from = data[k] + cursor.offset(k + 1) + start * rowStrides[k + 1];
        in[k] = from;
        if (!isDense(k + 1, t.dtype)) {
          cpu::convertRow(buffers.operand(k), call.buffer, call.bytes, from, t.dtype, rowStrides[k + 1], count);
          in[k] = buffers.operand(k);
        }
      }
      char *part = to + start * rowStrides[0], *result = buffers.operand(call.tensors.size());
      const bool writesThere = isDense(0, outDType);
      call.kernel(writesThere ? part : result, in, steps, call.uniforms.bytes, count);
      if (!writesThere)
        cpu::convertRow(part, outDType, rowStrides[0], result, call.buffer, call.bytes, count);
    }
  }

  /// Gathers `rows` rows into one; the cursor goes behind them.
  void shortRows(Buffers &buffers, RowCursor &cursor, int64_t rows, int64_t length) {
    const void *in[maxTensors];
    uint8_t steps[maxTensors];
    const int64_t *rowStrides = order.rowStrides();
    for (size_t k = 0; k != call.tensors.size(); ++k) {
      const void *splat = splatOf(k);
      steps[k] = splat == nullptr;
      in[k] = splat ? splat : buffers.operand(k);
    }
    char *targets[blockSize];
    for (int64_t r = 0; r != rows; ++r, cursor.next()) {
      for (size_t k = 0; k != call.tensors.size(); ++k)
        if (steps[k])
          cpu::convertRow(buffers.operand(k) + r * length * call.bytes, call.buffer, call.bytes,
                          data[k] + cursor.offset(k + 1), call.tensors[k]->dtype, rowStrides[k + 1], length);
      targets[r] = outData + cursor.offset(0);
    }
    char *result = buffers.operand(call.tensors.size());
    call.kernel(result, in, steps, call.uniforms.bytes, rows * length);
    for (int64_t r = 0; r != rows; ++r)
      cpu::convertRow(targets[r], outDType, rowStrides[0], result + r * length * call.bytes, call.buffer, call.bytes,
                      length);
  }

  const Call &call;
  const IterationOrder &order;
  DType outDType;
  size_t outBytes;
  char *outData;
  llvm::SmallVector<const char *, 4> data;
  llvm::SmallVector<Splat, 2> splats;
};
} // namespace

/// Computes into `out`, which has the broadcast shape.
static Status compute(Call &call, const Tensor &out) {
  assert(call.kernel && "a call that has been prepared");
  if (out.numel() == 0)
    return okStatus();
  if (runContiguous(call, *out.get()))
    return okStatus();
  // Lazy conjugation is resolved by a copy.
  llvm::SmallVector<Tensor, 2> resolved;
  for (const TensorImpl *&t : call.tensors)
    if (t && (t->conjugate || t->negative)) {
      TSC_ASSIGN_OR_RETURN(Tensor copy, cpu::clone(Tensor(Ref<TensorImpl>::share(const_cast<TensorImpl *>(t)))));
      t = copy.get();
      resolved.push_back(std::move(copy));
    }
  IterationOrder order(*out.get(), call.tensors);
  StridedRun(call, *out.get(), order).run();
  return okStatus();
}

static StatusOr<Tensor> allocateResult(const Call &call, DType dtype) {
  TSC_ASSIGN_OR_RETURN(Geometry result, resultGeometry(call));
  return result.isRowMajor ? Tensor::empty(result.sizes, dtype)
                           : Tensor::emptyStrided(result.sizes, result.strides, dtype);
}

static bool anyOpaque(ArrayRef<PointwiseArg> args) {
  return llvm::any_of(args,
                      [](const PointwiseArg &arg) { return arg.isTensor() && arg.tensor()->dtype == DType::Opaque; });
}

StatusOr<Tensor> tsc::pointwise(PointwiseKind kind, ArrayRef<PointwiseArg> args) {
  const Op &op = opOf(kind);
  if (anyOpaque(args)) [[unlikely]]
    return cpu::pointwiseOfOpaque(kind, op.name, args);
  Call call;
  auto [computeDType, resultDType] = findDTypes(op, args);
  TSC_RETURN_IF_ERROR(prepare(call, op, args, computeDType));
  TSC_ASSIGN_OR_RETURN(Tensor out, allocateResult(call, resultDType));
  TSC_RETURN_IF_ERROR(roundOperands(call, args)); // not earlier: strides of operands decide on the result's
  TSC_RETURN_IF_ERROR(compute(call, out));
  return out;
}

/// Computes into an existing tensor of the broadcast shape: straight, or by way of a copy where they overlap.
static Status computeInto(Call &call, const Tensor &out) {
  TSC_RETURN_IF_ERROR(cpu::checkWritable(out));
  bool overlaps = false;
  for (const TensorImpl *t : call.tensors) {
    if (!t || t->storage != out.get()->storage)
      continue;
    bool same = t->offset == out.get()->offset && t->sizes == out.get()->sizes && t->strides == out.get()->strides &&
                t->dtype == out.dtype();
    overlaps |= !same;
  }
  if (cpu::isLazy(out) || overlaps) {
    TSC_ASSIGN_OR_RETURN(Tensor temporary, Tensor::empty(out.sizes(), out.dtype()));
    TSC_RETURN_IF_ERROR(compute(call, temporary));
    return cpu::copyInto(out, temporary);
  }
  TSC_RETURN_IF_ERROR(compute(call, out));
  out.bumpVersion();
  return okStatus();
}

/// Refuses to write over what an operand has still to give.
static Status checkOverlaps(const Tensor &written, ArrayRef<PointwiseArg> args) {
  for (const PointwiseArg &arg : args)
    if (arg.isTensor() && arg.tensor() != written.get() && arg.tensor()->storage == written.get()->storage)
      TSC_RETURN_IF_ERROR(
          cpu::checkNoPartialOverlap(written, Tensor(Ref<TensorImpl>::share(const_cast<TensorImpl *>(arg.tensor())))));
  return okStatus();
}

Status tsc::pointwiseInPlace(PointwiseKind kind, const Tensor &self, ArrayRef<PointwiseArg> args) {
  const Op &op = opOf(kind);
  Call call;
  auto [computeDType, resultDType] = findDTypes(op, args);
  TSC_RETURN_IF_ERROR(prepare(call, op, args, computeDType));
  TSC_ASSIGN_OR_RETURN(Dims shape, broadcastOperands(call));
  // What the functional operator asks comes before what the write asks, so that both forms raise one error.
  TSC_RETURN_IF_ERROR(cpu::checkWritten(shape, resultDType, self));
  TSC_RETURN_IF_ERROR(checkOverlaps(self, args));
  TSC_RETURN_IF_ERROR(roundOperands(call, args));
  return computeInto(call, self);
}

Status tsc::pointwiseOut(PointwiseKind kind, const Tensor &out, ArrayRef<PointwiseArg> args) {
  const Op &op = opOf(kind);
  Call call;
  auto [computeDType, resultDType] = findDTypes(op, args);
  TSC_RETURN_IF_ERROR(checkCast(resultDType, out.dtype()));
  TSC_RETURN_IF_ERROR(prepare(call, op, args, computeDType));
  TSC_ASSIGN_OR_RETURN(Dims shape, broadcastOperands(call));
  TSC_RETURN_IF_ERROR(cpu::resizeOutput(out, shape));
  TSC_RETURN_IF_ERROR(checkOverlaps(out, args));
  TSC_RETURN_IF_ERROR(roundOperands(call, args));
  return computeInto(call, out);
}
