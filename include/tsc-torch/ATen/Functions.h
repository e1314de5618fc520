//===- Functions.h - Functions of namespace at ------------------*- C++ -*-===//
//
// All operators on tensors, generated from their records, and what makes tensors
// of the host's memory and numbers.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TORCH_ATEN_FUNCTIONS_H
#define TSC_TORCH_ATEN_FUNCTIONS_H
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

namespace at {
inline namespace tsc_torch {

#include <ATen/OperatorFunctions.inc>

inline int64_t size(const Tensor &self, int64_t dim) { return self.size(dim); }
inline int64_t stride(const Tensor &self, int64_t dim) { return self.stride(dim); }
inline int64_t numel(const Tensor &self) { return self.numel(); }
inline bool is_floating_point(const Tensor &self) { return self.is_floating_point(); }
inline bool is_complex(const Tensor &self) { return self.is_complex(); }
inline bool is_signed(const Tensor &self) { return self.is_signed(); }
inline Tensor detach(const Tensor &self) { return self.detach(); }
inline Tensor index(const Tensor &self, const c10::List<c10::optional<Tensor>> &indices) { return self.index(indices); }
inline Tensor &index_put_(Tensor &self, const c10::List<c10::optional<Tensor>> &indices, const Tensor &values,
                          bool accumulate = false) {
  return self.index_put_(indices, values, accumulate);
}

} // namespace tsc_torch
} // namespace at

namespace tsc_torch_detail {

/// The dtype that numbers of a type become: PyTorch makes all ints int64 and all floats the default.
inline c10::ScalarType dtypeOfNumbers(c10::ScalarType type) {
  return type == c10::kInt || type == c10::kLong       ? c10::kLong
         : type == c10::kFloat || type == c10::kDouble ? c10::get_default_dtype_as_scalartype()
                                                       : type;
}

/// What torch::tensor takes: a number, a list of numbers, or braces within braces.
class TensorData {
public:
#define TSC_TORCH_NUMBERS(TYPE, NAME)                                                                                  \
  TensorData(TYPE number) : type(c10::ScalarType::NAME), numbers{c10::Scalar(number)} {}                               \
  TensorData(c10::ArrayRef<TYPE> list) : type(c10::ScalarType::NAME), sizes{static_cast<int64_t>(list.size())} {       \
    for (const TYPE &number : list)                                                                                    \
      numbers.emplace_back(number);                                                                                    \
  }                                                                                                                    \
  TensorData(const std::vector<TYPE> &list) : type(c10::ScalarType::NAME), sizes{static_cast<int64_t>(list.size())} {  \
    for (const TYPE number : list)                                                                                     \
      numbers.emplace_back(number);                                                                                    \
  }                                                                                                                    \
  template <size_t N> TensorData(const std::array<TYPE, N> &list) : TensorData(c10::ArrayRef<TYPE>(list.data(), N)) {}
  TSC_TORCH_FORALL_TYPES(TSC_TORCH_NUMBERS)
#undef TSC_TORCH_NUMBERS
  TensorData(std::initializer_list<TensorData> list) : type(c10::get_default_dtype_as_scalartype()) {
    if (list.size() == 0) {
      sizes = {0};
      return;
    }
    const TensorData &first = *list.begin();
    type = first.type;
    sizes.push_back(static_cast<int64_t>(list.size()));
    sizes.insert(sizes.end(), first.sizes.begin(), first.sizes.end());
    for (const TensorData &element : list) {
      TORCH_CHECK(element.sizes == first.sizes, "Expected all sub-lists to have sizes: ", c10::IntArrayRef(first.sizes),
                  ", but got sub-list with sizes: ", c10::IntArrayRef(element.sizes));
      TORCH_CHECK(element.type == first.type,
                  "Expected all elements of the tensor to have the same scalar type: ", first.type,
                  ", but got element of scalar type: ", element.type);
      numbers.insert(numbers.end(), element.numbers.begin(), element.numbers.end());
    }
  }

  /// Makes a tensor of the numbers. Where the options name no dtype, it is the one of dtypeOfNumbers().
  at::Tensor make(const c10::TensorOptions &options) const {
    const c10::ScalarType wanted = options.has_dtype() ? options.dtype().toScalarType() : dtypeOfNumbers(type);
    // The numbers are written as doubles, int64 or complex numbers, and converted.
    const bool isComplex = c10::isComplexType(type), isFloat = c10::isFloatingType(type);
    at::Tensor made = at::empty(sizes, c10::TensorOptions(isComplex ? c10::kComplexDouble
                                                          : isFloat ? c10::kDouble
                                                                    : c10::kLong));
    void *memory = numbers.empty() ? nullptr : made.mutable_data_ptr();
    for (size_t i = 0; i != numbers.size(); ++i) {
      if (isComplex)
        static_cast<c10::complex<double> *>(memory)[i] = numbers[i].toComplexDouble();
      else if (isFloat)
        static_cast<double *>(memory)[i] = numbers[i].toDouble();
      else
        static_cast<int64_t *>(memory)[i] = numbers[i].toLong();
    }
    c10::TensorOptions target(wanted);
    if (options.has_device())
      target = target.device(options.device());
    at::Tensor converted = made.to(target);
    return options.requires_grad() ? converted.set_requires_grad(true) : converted;
  }

private:
  c10::ScalarType type;
  std::vector<int64_t> sizes;
  std::vector<c10::Scalar> numbers;
};

/// The host's function that frees the memory of a tensor, and that memory. done() deletes it.
struct BlobOwner {
  std::function<void(void *)> release;
  void *data;
  /// Calls `release` of the BlobOwner that `user` points to, and deletes the owner. It is a tsc_release.
  static void done(void *user) {
    std::unique_ptr<BlobOwner> owner(static_cast<BlobOwner *>(user));
    owner->release(owner->data);
  }
};

/// Makes a tensor over memory of the host's, which is not copied. Null `strides` are those of dense memory. An empty
/// `deleter` is not called; another one is called once, when nothing uses the memory any more. The memory is the
/// processor's: another device is a c10::Error.
inline at::Tensor fromBlob(void *data, c10::IntArrayRef sizes, const int64_t *strides,
                           std::function<void(void *)> deleter, const c10::TensorOptions &options,
                           const c10::optional<c10::Device> &target) {
  const c10::Device device = target ? *target : options.device();
  TORCH_CHECK(device.is_cpu(), "from_blob: takes memory of the processor's, and not of ", device);
  tsc_tensor facts;
  std::memset(&facts, 0, sizeof facts);
  facts.struct_size = sizeof facts;
  facts.data = data;
  facts.sizes = sizes.data();
  facts.strides = strides;
  facts.rank = static_cast<int32_t>(sizes.size());
  facts.dtype = static_cast<int32_t>(options.dtype().toScalarType());
  tsc_value *value = nullptr;
  if (deleter) {
    std::unique_ptr<BlobOwner> owner(new BlobOwner{std::move(deleter), data});
    check(tsc_value_new_tensor(&facts, BlobOwner::done, owner.get(), &value));
    owner.release();
  } else {
    check(tsc_value_new_tensor(&facts, nullptr, nullptr, &value));
  }
  at::Tensor tensor = at::Tensor::adopt(value);
  return options.requires_grad() ? tensor.set_requires_grad(true) : tensor;
}

} // namespace tsc_torch_detail

namespace at {
inline namespace tsc_torch {

/// A tensor over memory of the host's, which is not copied; `deleter` is called when nothing uses it any more.
inline Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides, const std::function<void(void *)> &deleter,
                        const TensorOptions &options = {}, const c10::optional<Device> target_device = c10::nullopt) {
  TORCH_CHECK(sizes.size() == strides.size(), "from_blob: there are ", sizes.size(), " sizes and ", strides.size(),
              " strides");
  return tsc_torch_detail::fromBlob(data, sizes, strides.data(), deleter, options, target_device);
}
inline Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset,
                        const std::function<void(void *)> &deleter, const TensorOptions &options = {},
                        const c10::optional<Device> target_device = c10::nullopt) {
  char *first = static_cast<char *>(data) + storage_offset * static_cast<int64_t>(options.dtype().itemsize());
  return from_blob(first, sizes, strides, [deleter, data](void *) { deleter(data); }, options, target_device);
}
inline Tensor from_blob(void *data, IntArrayRef sizes, const std::function<void(void *)> &deleter,
                        const TensorOptions &options = {}, const c10::optional<Device> target_device = c10::nullopt) {
  return tsc_torch_detail::fromBlob(data, sizes, nullptr, deleter, options, target_device);
}
inline Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options = {}) {
  TORCH_CHECK(sizes.size() == strides.size(), "from_blob: there are ", sizes.size(), " sizes and ", strides.size(),
              " strides");
  return tsc_torch_detail::fromBlob(data, sizes, strides.data(), nullptr, options, c10::nullopt);
}
inline Tensor from_blob(void *data, IntArrayRef sizes, const TensorOptions &options = {}) {
  return tsc_torch_detail::fromBlob(data, sizes, nullptr, nullptr, options, c10::nullopt);
}

/// A tensor of numbers: tensor(1.5), tensor({1, 2}), tensor({{1, 2}, {3, 4}}), tensor(vector).
inline Tensor tensor(const tsc_torch_detail::TensorData &data, const TensorOptions &options = {}) {
  return data.make(options);
}

/// The dtype of a sum of elements of both.
inline ScalarType promote_types(ScalarType a, ScalarType b) {
  return a == b ? a : result_type(empty({1}, TensorOptions(a)), empty({1}, TensorOptions(b)));
}
inline ScalarType promoteTypes(ScalarType a, ScalarType b) { return promote_types(a, b); }

} // namespace tsc_torch
} // namespace at

namespace c10 {
inline namespace tsc_torch {
inline ScalarType promoteTypes(ScalarType a, ScalarType b) { return at::promote_types(a, b); }
} // namespace tsc_torch
} // namespace c10

#endif
