//===- PlaneLoop.h - Rows that lie one like the other -----------*- C++ -*-===//
//
// As StridedLoop walks two operands, but many rows at a time: what a kernel does once for
// a call costs more than a short row.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_COPIES_PLANELOOP_H
#define TSC_LIB_KERNELS_COPIES_PLANELOOP_H

#include "tsc/Kernels/StridedLoop.h"

namespace tsc::cpu {

/// `rows` rows of `count` elements of a written and a read operand; strides are bytes.
struct Plane {
  std::array<char *, 2> data;
  std::array<int64_t, 2> strides, rowStrides;
  int64_t count, rows;
};

/// A dimension of a written and of a read operand. Strides may be negative; they are bytes where nothing else is said.
struct PlaneDim {
  int64_t size, to, from;
};

/// Calls fn(const Plane &) until all elements of the dimensions, which are not empty, were met.
template <typename Fn> void forEachPlane(void *to, const void *from, llvm::SmallVector<PlaneDim, 6> dims, Fn &&fn) {
  assert(llvm::all_of(dims, [](const PlaneDim &dim) { return dim.size > 0; }) && "planes have elements");
  // The longest strides of dst outermost; dimensions that continue each other are one.
  llvm::stable_sort(dims, [](const PlaneDim &a, const PlaneDim &b) { return std::abs(a.to) > std::abs(b.to); });
  size_t kept = 0;
  for (size_t d = 1; d < dims.size(); ++d) {
    PlaneDim &outer = dims[kept];
    if (outer.to == dims[d].to * dims[d].size && outer.from == dims[d].from * dims[d].size)
      outer = {outer.size * dims[d].size, dims[d].to, dims[d].from};
    else
      dims[++kept] = dims[d];
  }
  if (!dims.empty())
    dims.resize(kept + 1);
  Plane plane{{static_cast<char *>(to), static_cast<char *>(const_cast<void *>(from))}, {0, 0}, {0, 0}, 1, 1};
  if (!dims.empty()) {
    const PlaneDim row = dims.pop_back_val();
    plane.count = row.size, plane.strides = {row.to, row.from};
  }
  if (!dims.empty()) {
    const PlaneDim rows = dims.pop_back_val();
    plane.rows = rows.size, plane.rowStrides = {rows.to, rows.from};
  }
  llvm::SmallVector<int64_t, 6> index(dims.size(), 0);
  while (true) {
    fn(static_cast<const Plane &>(plane));
    size_t d = dims.size();
    for (; d != 0; --d) {
      const PlaneDim &dim = dims[d - 1];
      plane.data[0] += dim.to, plane.data[1] += dim.from;
      if (++index[d - 1] != dim.size)
        break;
      plane.data[0] -= dim.to * dim.size, plane.data[1] -= dim.from * dim.size;
      index[d - 1] = 0;
    }
    if (d == 0)
      return;
  }
}

/// Calls fn(const Plane &) for all elements of dst and those of src, which has the same sizes; never where there are
/// none.
template <typename Fn> void forEachPlane(const Tensor &dst, const Tensor &src, Fn &&fn) {
  assert(dst.sizes() == src.sizes() && "what is read has been expanded");
  llvm::SmallVector<PlaneDim, 6> dims;
  const auto toItem = static_cast<int64_t>(itemSize(dst.dtype())),
             fromItem = static_cast<int64_t>(itemSize(src.dtype()));
  for (int64_t d = 0; d != dst.dim(); ++d) {
    if (dst.size(d) == 0)
      return;
    if (dst.size(d) != 1)
      dims.push_back({dst.size(d), dst.stride(d) * toItem, src.stride(d) * fromItem});
  }
  forEachPlane(dst.mutableData(), src.data(), std::move(dims), fn);
}

/// Elements of `dtype` moved as they are; the strides of what is read may be negative, and no dimension is empty.
void moveElements(DType dtype, ArrayRef<int64_t> sizes, void *to, ArrayRef<int64_t> toStrides, const void *from,
                  ArrayRef<int64_t> fromStrides);

} // namespace tsc::cpu

#endif
