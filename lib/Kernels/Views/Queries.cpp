//===- Queries.cpp - Questions about tensors ------------------------------===//
#include "Support/MemoryFormats.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Kernels/StridedLoop.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/Promotion.h"
#include <cmath>
#include <cstring>
#include <type_traits>

using namespace tsc;
using namespace tsc::cpu;

//===- Geometry -----------------------------------------------------------===//

StatusOr<std::vector<int64_t>> cpu::sizesOf(const Tensor &self) { return self.sizes().vec(); }
StatusOr<std::vector<int64_t>> cpu::stridesOf(const Tensor &self) { return self.strides().vec(); }

static Status checkHasDims(const Tensor &self, int64_t dim) {
  if (self.dim() != 0)
    return okStatus();
  return outOfRange("Dimension specified as " + llvm::Twine(dim) + " but tensor has no dimensions");
}

StatusOr<int64_t> cpu::sizeAt(const Tensor &self, int64_t dim) {
  TSC_RETURN_IF_ERROR(checkHasDims(self, dim));
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  return self.size(d);
}

StatusOr<int64_t> cpu::strideAt(const Tensor &self, int64_t dim) {
  TSC_RETURN_IF_ERROR(checkHasDims(self, dim));
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  return self.stride(d);
}

StatusOr<int64_t> cpu::numelOf(const Tensor &self) { return self.numel(); }
StatusOr<int64_t> cpu::dimOf(const Tensor &self) { return self.dim(); }
StatusOr<int64_t> cpu::storageOffsetOf(const Tensor &self) { return self.storageOffset(); }
StatusOr<int64_t> cpu::elementSizeOf(const Tensor &self) { return static_cast<int64_t>(itemSize(self.dtype())); }
StatusOr<int64_t> cpu::versionOf(const Tensor &self) { return static_cast<int64_t>(self.get()->storage->version); }
StatusOr<bool> cpu::isContiguousOf(const Tensor &self) { return self.isContiguous(); }
StatusOr<bool> cpu::isContiguousFormat(const Tensor &self, MemoryFormat format) { return self.isContiguous(format); }
StatusOr<bool> cpu::isSameSize(const Tensor &self, const Tensor &other) { return self.sizes() == other.sizes(); }
StatusOr<std::vector<int64_t>> cpu::inferSize(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  TSC_ASSIGN_OR_RETURN(Dims common, broadcastShapes(a, b));
  return ArrayRef<int64_t>(common).vec();
}
StatusOr<bool> cpu::isSetTo(const Tensor &self, const Tensor &other) {
  return self.sharesStorageWith(other) && self.storageOffset() == other.storageOffset() &&
         self.sizes() == other.sizes() && self.strides() == other.strides();
}

StatusOr<Tensor> cpu::shapeAsTensor(const Tensor &self) {
  return Tensor::fromSpan<int64_t>(self.sizes(), {self.dim()});
}

//===- Kind ---------------------------------------------------------------===//

StatusOr<bool> cpu::isFloatingPointOf(const Tensor &self) { return isFloating(self.dtype()); }
StatusOr<bool> cpu::isComplexOf(const Tensor &self) { return isComplex(self.dtype()); }
StatusOr<bool> cpu::isSignedOf(const Tensor &self) {
  return self.dtype() != DType::Bool && self.dtype() != DType::UInt8;
}
StatusOr<bool> cpu::isConj(const Tensor &self) { return self.get()->conjugate; }
StatusOr<bool> cpu::isNeg(const Tensor &self) { return self.get()->negative; }
StatusOr<bool> cpu::isInference(const Tensor &) { return false; }
StatusOr<bool> cpu::isPinned(const Tensor &, std::optional<Device>) { return false; }
StatusOr<bool> cpu::isDistributed(const Tensor &) { return false; }
StatusOr<int64_t> cpu::getDevice(const Tensor &self) { return static_cast<int64_t>(self.device().index); }

StatusOr<bool> cpu::isNonzero(const Tensor &self) {
  if (self.numel() == 0)
    return invalidArgument("Boolean value of Tensor with no values is ambiguous");
  if (self.numel() > 1)
    return invalidArgument("Boolean value of Tensor with more than one value is ambiguous");
  return self.at(0).toBool();
}

StatusOr<Scalar> cpu::item(const Tensor &self) { return self.item(); }

//===- dtypes -------------------------------------------------------------===//

static int64_t number(DType dtype) { return static_cast<int64_t>(dtype); }

StatusOr<int64_t> cpu::resultTypeTensor(const Tensor &a, const Tensor &b) { return number(resultType(a, b)); }
StatusOr<int64_t> cpu::resultTypeScalar(const Tensor &a, const Scalar &b) { return number(resultType(a, b)); }
StatusOr<int64_t> cpu::resultTypeScalarTensor(const Scalar &a, const Tensor &b) { return number(resultType(b, a)); }
StatusOr<int64_t> cpu::resultTypeScalarScalar(const Scalar &a, const Scalar &b) {
  return number(ResultType().add(a).add(b).get());
}
StatusOr<bool> cpu::canCastOp(DType from, DType to) { return canCast(from, to); }
StatusOr<int64_t> cpu::promoteTypesOp(DType a, DType b) { return number(promoteTypes(a, b)); }

//===- Comparing whole tensors --------------------------------------------===//

template <typename T> LLVM_ATTRIBUTE_ALWAYS_INLINE static bool areEqual(const T *x, const T *y, int64_t count) {
  std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t> different = 0; // as wide as an element
  for (int64_t i = 0; i < count; ++i)
    different |= x[i] != y[i];
  return different == 0;
}

StatusOr<bool> cpu::equal(const Tensor &self, const Tensor &other) {
  if (self.dtype() != other.dtype())
    return invalidArgument("Expected object of data type " + irName(self.dtype()).lower() + " but got data type " +
                           irName(other.dtype()).lower() + " for argument 'other' in call to equal");
  if (self.sizes() != other.sizes())
    return false;
  TSC_ASSIGN_OR_RETURN(Tensor a, contiguous(self));
  TSC_ASSIGN_OR_RETURN(Tensor b, contiguous(other));
  bool same = true;
  TSC_RETURN_IF_ERROR(dispatchAll(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if constexpr (std::is_integral_v<T>) {
          same = a.numel() == 0 || std::memcmp(a.data(), b.data(), a.numel() * sizeof(T)) == 0;
        } else {
          using C = ComputeType<T>;
          const T *x = a.data<T>(), *y = b.data<T>();
          constexpr int64_t block = 1024; // compared to its end, so that it is compared on vectors
          for (int64_t begin = 0, n = a.numel(); same && begin < n; begin += block) {
            const int64_t count = std::min(block, n - begin);
            if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
              same = atSimdLevel<areEqual<T>>(x + begin, y + begin, count);
            else
              for (int64_t i = begin; i != begin + count; ++i)
                same &= static_cast<C>(x[i]) == static_cast<C>(y[i]);
          }
        }
      },
      "equal"));
  return same;
}

template <typename C> static bool isClose(C a, C b, double rtol, double atol, bool equalNan) {
  if (a == b)
    return true;
  if constexpr (!std::is_integral_v<C>) {
    bool aNaN = a != a, bNaN = b != b;
    if (aNaN || bNaN)
      return equalNan && aNaN && bNaN;
  }
  if (rtol == 0 && atol == 0)
    return false;
  if constexpr (std::is_integral_v<C>) {
    double difference = std::fabs(static_cast<double>(a) - static_cast<double>(b));
    return difference <= atol + std::fabs(rtol * static_cast<double>(b));
  } else {
    auto difference = std::abs(a - b);
    return std::isfinite(difference) && difference <= atol + std::abs(decltype(difference)(rtol) * std::abs(b));
  }
}

StatusOr<Tensor> cpu::isclose(const Tensor &self, const Tensor &other, double rtol, double atol, bool equalNan) {
  if (self.dtype() != other.dtype())
    return invalidArgument(irName(self.dtype()) + " did not match " + irName(other.dtype()));
  if (rtol < 0)
    return invalidArgument("rtol must be greater than or equal to zero, but got " + shortString(rtol));
  if (atol < 0)
    return invalidArgument("atol must be greater than or equal to zero, but got " + shortString(atol));
  TSC_ASSIGN_OR_RETURN(Dims sizes, broadcastShapes(self.sizes(), other.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyInOrderOf(self, sizes, DType::Bool));
  StridedLoop<3> loop(sizes);
  loop.output(0, result);
  loop.input(1, self);
  loop.input(2, other);
  TSC_RETURN_IF_ERROR(dispatchAll(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        using C = ComputeType<T>;
        loop.forEachRow([&](char *const *p, const int64_t *s, int64_t n) {
          for (int64_t i = 0; i != n; ++i)
            *reinterpret_cast<bool *>(p[0] + i * s[0]) =
                isClose(static_cast<C>(*reinterpret_cast<const T *>(p[1] + i * s[1])),
                        static_cast<C>(*reinterpret_cast<const T *>(p[2] + i * s[2])), rtol, atol, equalNan);
        });
      },
      "isclose"));
  return result;
}

StatusOr<bool> cpu::allclose(const Tensor &self, const Tensor &other, double rtol, double atol, bool equalNan) {
  TSC_ASSIGN_OR_RETURN(Tensor close, isclose(self, other, rtol, atol, equalNan));
  const bool *data = close.data<bool>();
  return std::all_of(data, data + close.numel(), [](bool b) { return b; });
}
