//===- Compute.cpp - Small helpers of the larger kernels ------------------===//
//
// Elementwise arithmetic and sums for kernels that are made of several steps. The
// operators of the same names are the pointwise engine's; these stand below it.
//
//===----------------------------------------------------------------------===//
#include "Compute.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/StridedLoop.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/IntegerArithmetic.h"
#include <array>

using namespace tsc;
using namespace tsc::cpu;

/// Integers wrap.
template <Arith op, typename T> static T apply(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if constexpr (op == Arith::Add)
      return arithmetic::add(a, b);
    else if constexpr (op == Arith::Sub)
      return arithmetic::subtract(a, b);
    else if constexpr (op == Arith::Mul)
      return arithmetic::multiply(a, b);
    else
      return b ? arithmetic::truncatedQuotient(a, b) : 0;
  } else if constexpr (op == Arith::Add) {
    return a + b;
  } else if constexpr (op == Arith::Sub) {
    return a - b;
  } else if constexpr (op == Arith::Mul) {
    return a * b;
  } else {
    return a / b;
  }
}

/// Dense rows, or a row and a number, as `Second` says.
template <typename T, typename Second>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void addRows(T *out, const T *a, Second b, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    if constexpr (std::is_pointer_v<Second>)
      out[i] = a[i] + b[i];
    else
      out[i] = a[i] + b;
}
template <typename T, typename Second>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void multiplyRows(T *out, const T *a, Second b, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    if constexpr (std::is_pointer_v<Second>)
      out[i] = a[i] * b[i];
    else
      out[i] = a[i] * b;
}

/// The same of sums and products of floats and doubles, which do not depend on the order of their operands; false: of
/// others.
template <Arith op, typename T, typename Second> static bool onVectors(T *out, const T *a, Second b, int64_t n) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    if (op == Arith::Add)
      return atSimdLevel<addRows<T, Second>>(out, a, b, n), true;
    if (op == Arith::Mul)
      return atSimdLevel<multiplyRows<T, Second>>(out, a, b, n), true;
  }
  return false;
}

/// One row of two operands; distances in bytes.
template <Arith op, typename T> static void applyRow(char *const *p, const int64_t *s, int64_t count) {
  constexpr int64_t item = sizeof(T);
  T *out = reinterpret_cast<T *>(p[0]);
  const T *a = reinterpret_cast<const T *>(p[1]), *b = reinterpret_cast<const T *>(p[2]);
  if (s[0] == item && s[1] == item && s[2] == item) {
    if (onVectors<op>(out, a, b, count))
      return;
    for (int64_t i = 0; i < count; ++i)
      out[i] = apply<op>(a[i], b[i]);
  } else if (s[0] == item && s[1] == 0 && s[2] == item) {
    const T first = *a;
    if (onVectors<op>(out, b, first, count))
      return;
    for (int64_t i = 0; i < count; ++i)
      out[i] = apply<op>(first, b[i]);
  } else if (s[0] == item && s[1] == item && s[2] == 0) {
    const T second = *b;
    if (onVectors<op>(out, a, second, count))
      return;
    for (int64_t i = 0; i < count; ++i)
      out[i] = apply<op>(a[i], second);
  } else {
    for (int64_t i = 0; i < count; ++i)
      *reinterpret_cast<T *>(p[0] + i * s[0]) =
          apply<op>(*reinterpret_cast<const T *>(p[1] + i * s[1]), *reinterpret_cast<const T *>(p[2] + i * s[2]));
  }
}
template <typename T> static auto rowOf(Arith op) {
  switch (op) {
  case Arith::Add: return &applyRow<Arith::Add, T>;
  case Arith::Sub: return &applyRow<Arith::Sub, T>;
  case Arith::Mul: return &applyRow<Arith::Mul, T>;
  case Arith::Div: break;
  }
  return &applyRow<Arith::Div, T>;
}

/// The types that arithmetic happens in here; others are converted to one of these and back.
static DType arithType(DType dtype) {
  if (isIntegral(dtype, true))
    return DType::Int64;
  return workType(dtype);
}

template <typename Fn> static StatusOr<Tensor> dispatchArith(DType dtype, Fn fn) {
  switch (dtype) {
  case DType::Int64: return fn(TypeTag<int64_t>{});
  case DType::Float: return fn(TypeTag<float>{});
  case DType::Double: return fn(TypeTag<double>{});
  case DType::ComplexFloat: return fn(TypeTag<std::complex<float>>{});
  case DType::ComplexDouble: return fn(TypeTag<std::complex<double>>{});
  default: return detail::dtypeNotImplemented("add", dtype);
  }
}

StatusOr<Tensor> tsc::cpu::arith(Arith op, const Tensor &a, const Tensor &b) {
  DType type = resultType(a, b), work = arithType(type);
  TSC_ASSIGN_OR_RETURN(Dims shape, broadcastShapes(a.sizes(), b.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(a, work));
  TSC_ASSIGN_OR_RETURN(Tensor y, dense(b, work));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(shape, work));
  TSC_ASSIGN_OR_RETURN(out, dispatchArith(work, [&](auto tag) -> StatusOr<Tensor> {
                         using T = typename decltype(tag)::Type;
                         StridedLoop<3> loop(shape);
                         loop.output(0, out);
                         loop.input(1, x);
                         loop.input(2, y);
                         loop.forEachRow(rowOf<T>(op));
                         return out;
                       }));
  return toDType(out, type);
}

StatusOr<Tensor> tsc::cpu::scaled(const Tensor &self, const Scalar &factor) {
  TSC_ASSIGN_OR_RETURN(Tensor f, Tensor::scalar(factor, self.dtype()));
  return arith(Arith::Mul, self, f);
}

StatusOr<Tensor> tsc::cpu::blend(const Tensor &self, const Scalar &beta, const Tensor &product, const Scalar &alpha) {
  DType type = product.dtype(), work = arithType(type);
  TSC_ASSIGN_OR_RETURN(Tensor given, dense(product, work));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(product.sizes(), work));
  bool useSelf = beta.toComplex() != 0.0;
  Tensor added = self;
  if (useSelf) {
    TSC_ASSIGN_OR_RETURN(added, dense(self, work));
    TSC_ASSIGN_OR_RETURN(added, expand(added, product.sizes()));
  }
  TSC_ASSIGN_OR_RETURN(out, dispatchArith(work, [&](auto tag) -> StatusOr<Tensor> {
                         using T = typename decltype(tag)::Type;
                         const T a = scalarTo<T>(alpha), b = scalarTo<T>(beta);
                         StridedLoop<3> loop(out.sizes());
                         loop.output(0, out);
                         loop.input(1, given);
                         loop.input(2, useSelf ? added : given);
                         loop.forEachRow([&](char *const *p, const int64_t *s, int64_t count) {
                           constexpr int64_t item = sizeof(T);
                           T *to = reinterpret_cast<T *>(p[0]);
                           const T *x = reinterpret_cast<const T *>(p[1]), *y = reinterpret_cast<const T *>(p[2]);
                           if (useSelf && s[0] == item && s[1] == item && s[2] == item) {
                             for (int64_t i = 0; i < count; ++i)
                               to[i] = apply<Arith::Add>(apply<Arith::Mul>(a, x[i]), apply<Arith::Mul>(b, y[i]));
                             return;
                           }
                           for (int64_t i = 0; i < count; ++i) {
                             const T scaled = apply<Arith::Mul>(a, *reinterpret_cast<const T *>(p[1] + i * s[1]));
                             const T &other = *reinterpret_cast<const T *>(p[2] + i * s[2]);
                             *reinterpret_cast<T *>(p[0] + i * s[0]) =
                                 useSelf ? apply<Arith::Add>(scaled, apply<Arith::Mul>(b, other)) : scaled;
                           }
                         });
                         return out;
                       }));
  return toDType(out, type);
}

StatusOr<Tensor> tsc::cpu::sumOver(const Tensor &self, ArrayRef<int64_t> dims, bool keepDim) {
  if (self.dtype() == DType::Float || self.dtype() == DType::Double)
    return sumDims(self, dims, keepDim, std::nullopt);
  DType work = arithType(self.dtype());
  llvm::SmallVector<bool, 5> reduced(self.dim(), dims.empty());
  for (int64_t d : dims) {
    TSC_ASSIGN_OR_RETURN(int64_t wrapped, wrapDim(d, self.dim()));
    if (self.dim() != 0)
      reduced[wrapped] = true;
  }
  Dims kept, squeezed;
  for (int64_t d = 0; d < self.dim(); ++d) {
    kept.push_back(reduced[d] ? 1 : self.size(d));
    if (!reduced[d])
      squeezed.push_back(self.size(d));
  }
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(self, work));
  TSC_ASSIGN_OR_RETURN(Tensor out, zeros(kept, work));
  TSC_ASSIGN_OR_RETURN(
      out, dispatchArith(work, [&](auto tag) -> StatusOr<Tensor> {
        using T = typename decltype(tag)::Type;
        // Pairwise enough: rows are summed in double, or in integers that wrap, before they meet their neighbours.
        using Exact = std::conditional_t<std::is_integral_v<T>, uint64_t, T>;
        using Sum =
            std::conditional_t<std::is_same_v<T, float>, double,
                               std::conditional_t<std::is_same_v<T, std::complex<float>>, std::complex<double>, Exact>>;
        std::vector<Sum> sums(out.numel());
        Dims strides(self.dim(), 0);
        for (int64_t d = self.dim() - 1, step = 1; d >= 0; --d) {
          strides[d] = reduced[d] ? 0 : step;
          step *= kept[d];
        }
        StridedLoop<2> loop(x.sizes());
        loop.operand(0, const_cast<void *>(x.data()), x.sizes(), x.strides(), sizeof(T));
        loop.operand(1, sums.data(), x.sizes(), strides, sizeof(Sum));
        loop.forEachRow(
            [&](char *const *p, const int64_t *s, int64_t count) {
              Sum *sum = reinterpret_cast<Sum *>(p[1]);
              const T *from = reinterpret_cast<const T *>(p[0]);
              if (s[0] == sizeof(T) && s[1] == 0) { // several partial sums, which do not wait for each other
                std::array<Sum, 8> parts{};
                int64_t i = 0;
                for (; i + 8 <= count; i += 8)
                  for (int64_t k = 0; k != 8; ++k)
                    parts[k] += static_cast<Sum>(from[i + k]);
                for (; i != count; ++i)
                  parts[0] += static_cast<Sum>(from[i]);
                for (const Sum &part : parts)
                  *sum += part;
              } else if (s[0] == sizeof(T) && s[1] == sizeof(Sum)) {
                for (int64_t i = 0; i < count; ++i)
                  sum[i] += static_cast<Sum>(from[i]);
              } else {
                for (int64_t i = 0; i < count; ++i)
                  *reinterpret_cast<Sum *>(p[1] + i * s[1]) +=
                      static_cast<Sum>(*reinterpret_cast<const T *>(p[0] + i * s[0]));
              }
            },
            false);
        T *o = out.mutableData<T>();
        for (int64_t i = 0; i < out.numel(); ++i)
          o[i] = static_cast<T>(sums[i]);
        return out;
      }));
  TSC_ASSIGN_OR_RETURN(out, toDType(out, self.dtype()));
  return keepDim ? StatusOr<Tensor>(out) : view(out, squeezed);
}

StatusOr<Tensor> cpu::emptyWithChannelsOf(const Tensor &self, ArrayRef<int64_t> sizes) {
  if (!hasChannelsInside(self))
    return Tensor::empty(sizes, self.dtype());
  TSC_ASSIGN_OR_RETURN(
      Dims strides, stridesFor(sizes, sizes.size() == 4 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d));
  return Tensor::emptyStrided(sizes, strides, self.dtype());
}
StatusOr<Tensor> cpu::channelsToEnd(const Tensor &t) { return movedim(t, 1, -1); }
StatusOr<Tensor> cpu::channelsFromEnd(const Tensor &t) { return movedim(t, -1, 1); }
