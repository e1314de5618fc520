//===- TensorAccessor.h - Elements of a tensor by their indices -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_TENSORACCESSOR_H
#define TSC_TORCH_ATEN_TENSORACCESSOR_H
#include <c10/util/ArrayRef.h>
#include <cstddef>
#include <cstdint>

namespace at {
inline namespace tsc_torch {

/// The pointers of an accessor whose memory others may point to as well.
template <typename T> struct DefaultPtrTraits {
  using PtrType = T *;
};
/// The pointers of an accessor whose memory nothing else points to.
template <typename T> struct RestrictPtrTraits {
  using PtrType = T *__restrict;
};

/// What accessors of any rank have.
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
class TensorAccessorBase {
public:
  using PtrType = typename PtrTraits<T>::PtrType;
  TensorAccessorBase(PtrType data, const index_t *sizes, const index_t *strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  c10::ArrayRef<index_t> sizes() const { return c10::ArrayRef<index_t>(sizes_, N); }
  c10::ArrayRef<index_t> strides() const { return c10::ArrayRef<index_t>(strides_, N); }
  index_t stride(index_t i) const { return strides_[i]; }
  index_t size(index_t i) const { return sizes_[i]; }
  PtrType data() { return data_; }
  const PtrType data() const { return data_; }

protected:
  PtrType data_;
  const index_t *sizes_;
  const index_t *strides_;
};

/// a[i] is an accessor of one rank less; it is valid as long as the tensor is and nobody changes its sizes.
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
class TensorAccessor : public TensorAccessorBase<T, N, PtrTraits, index_t> {
public:
  using TensorAccessorBase<T, N, PtrTraits, index_t>::TensorAccessorBase;
  TensorAccessor<T, N - 1, PtrTraits, index_t> operator[](index_t i) {
    return {this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1};
  }
  const TensorAccessor<T, N - 1, PtrTraits, index_t> operator[](index_t i) const {
    return {this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1};
  }
};
/// An accessor of one dimension: a[i] is an element.
template <typename T, template <typename U> class PtrTraits, typename index_t>
class TensorAccessor<T, 1, PtrTraits, index_t> : public TensorAccessorBase<T, 1, PtrTraits, index_t> {
public:
  using TensorAccessorBase<T, 1, PtrTraits, index_t>::TensorAccessorBase;
  T &operator[](index_t i) { return this->data_[this->strides_[0] * i]; }
  const T &operator[](index_t i) const { return this->data_[this->strides_[0] * i]; }
};

/// An accessor with copies of sizes and strides.
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
class GenericPackedTensorAccessor {
public:
  using PtrType = typename PtrTraits<T>::PtrType;
  template <typename given_t>
  GenericPackedTensorAccessor(PtrType data, const given_t *sizes, const given_t *strides) : data_(data) {
    for (size_t i = 0; i != N; ++i) {
      sizes_[i] = static_cast<index_t>(sizes[i]);
      strides_[i] = static_cast<index_t>(strides[i]);
    }
  }
  index_t stride(index_t i) const { return strides_[i]; }
  index_t size(index_t i) const { return sizes_[i]; }
  PtrType data() const { return data_; }
  template <size_t M = N, typename = std::enable_if_t<(M > 1)>>
  TensorAccessor<T, M - 1, PtrTraits, index_t> operator[](index_t i) const {
    return {data_ + strides_[0] * i, sizes_ + 1, strides_ + 1};
  }
  template <size_t M = N, typename = std::enable_if_t<M == 1>, typename = void> T &operator[](index_t i) const {
    return data_[strides_[0] * i];
  }

private:
  PtrType data_;
  index_t sizes_[N], strides_[N];
};
/// A packed accessor that computes positions in 32 bits.
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, PtrTraits, int32_t>;
/// A packed accessor that computes positions in 64 bits.
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, PtrTraits, int64_t>;
/// A packed accessor that computes positions in `index_t`.
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, PtrTraits, index_t>;

} // namespace tsc_torch
} // namespace at

namespace torch {
using at::PackedTensorAccessor32;
using at::PackedTensorAccessor64;
using at::TensorAccessor;
} // namespace torch

#endif
