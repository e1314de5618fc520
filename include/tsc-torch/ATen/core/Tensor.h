//===- Tensor.h - at::Tensor ------------------------------------*- C++ -*-===//
//
// A tensor of tsc's. Methods that are operators are generated from their records
// (ATen/core/TensorMethods.inc); here stands what answers without a call, is a
// template, or has to do with gradients.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TORCH_ATEN_TENSOR_H
#define TSC_TORCH_ATEN_TENSOR_H
#include <ATen/core/TensorAccessor.h>
#include <algorithm>
#include <array>
#include <c10/core/Storage.h>
#include <c10/util/intrusive_ptr.h>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <set>
#include <tsc-torch/Calls.h>
#include <tuple>

namespace at {
inline namespace tsc_torch {
namespace indexing {
struct TensorIndex;
} // namespace indexing
} // namespace tsc_torch
} // namespace at

namespace c10 {
inline namespace tsc_torch {

/// What the copies of a Tensor share: a handle of tsc's.
struct TensorImpl final : intrusive_ptr_target {
  explicit TensorImpl(tsc_value *owned) : value(owned) {}
  TensorImpl(const TensorImpl &) = delete;
  TensorImpl &operator=(const TensorImpl &) = delete;
  ~TensorImpl() override;

  /// Facts of the tensor as it is at this moment.
  tsc_tensor_info inspect() const {
    tsc_tensor_info info;
    info.struct_size = sizeof info;
    tsc_torch_detail::check(tsc_tensor_inspect(value, &info));
    return info;
  }
  /// Gives tsc the gradient that the host has assigned through mutable_grad().
  void writeGrad();

  tsc_value *const value;
  at::Tensor *gradient = nullptr;    ///< What grad() and mutable_grad() refer to.
  intrusive_ptr<TensorImpl> fetched; ///< The gradient that tsc has, as far as is known.
  bool exposed = false;              ///< Whether mutable_grad() was called.
};

} // namespace tsc_torch
} // namespace c10

namespace torch {
namespace autograd {
inline namespace tsc_torch {
/// The operator that computed a tensor: its name alone.
struct Node {
  explicit Node(std::string name) : text(std::move(name)) {}
  std::string name() const { return text; }

private:
  std::string text;
};
} // namespace tsc_torch
} // namespace autograd
} // namespace torch

namespace at {
inline namespace tsc_torch {

/// A generator of random numbers. Operators take the thread's own: torch::manual_seed sets it.
class Generator {
public:
  bool defined() const { return false; }
};

/// The type of a tensor as LibTorch named it before there were dtypes and options: its dtype and its kind of device.
class DeprecatedTypeProperties {
public:
  DeprecatedTypeProperties(DeviceType device, ScalarType dtype, Layout layout)
      : device(device), dtype(dtype), form(layout) {}
  ScalarType scalarType() const { return dtype; }
  caffe2::TypeMeta typeMeta() const { return caffe2::TypeMeta(dtype); }
  DeviceType device_type() const { return device; }
  Layout layout() const { return form; }
  bool is_cuda() const { return device == DeviceType::CUDA; }
  bool is_sparse() const { return form == c10::kSparse; }
  TensorOptions options(int16_t device_index = -1) const {
    return TensorOptions(dtype).device(Device(device, static_cast<c10::DeviceIndex>(device_index))).layout(form);
  }
  /// "CPUFloatType".
  std::string toString() const { return c10::DeviceTypeName(device) + c10::toString(dtype) + "Type"; }
  bool operator==(const DeprecatedTypeProperties &other) const {
    return device == other.device && dtype == other.dtype && form == other.form;
  }
  bool operator!=(const DeprecatedTypeProperties &other) const { return !(*this == other); }

private:
  DeviceType device;
  ScalarType dtype;
  Layout form;
};
inline std::ostream &operator<<(std::ostream &out, const DeprecatedTypeProperties &type) {
  return out << type.toString();
}

class Tensor;
/// The name by which LibTorch's headers pass tensors without operators. Here it has them.
using TensorBase = Tensor;

/// A tensor, shared by its copies. Where nothing else is said, what is wrong is a c10::Error.
class Tensor {
public:
  Tensor() = default;
  Tensor(const Tensor &) = default;
  Tensor(Tensor &&) = default;
  explicit Tensor(c10::intrusive_ptr<c10::TensorImpl> impl) : impl(std::move(impl)) {}
  /// Takes a handle over.
  static Tensor adopt(tsc_value *owned) { return Tensor(c10::intrusive_ptr<c10::TensorImpl>::make(owned)); }

  Tensor &operator=(const Tensor &other) & = default;
  Tensor &operator=(Tensor &&other) & noexcept {
    impl = std::move(other.impl);
    return *this;
  }
  Tensor &operator=(const c10::Scalar &number) &&;
  Tensor &operator=(const Tensor &other) &&;
  Tensor &operator=(Tensor &&other) &&;
  template <typename T, typename = std::enable_if_t<std::is_arithmetic<T>::value>> Tensor &operator=(T number) && {
    return std::move(*this) = c10::Scalar(number);
  }

  bool defined() const { return static_cast<bool>(impl); }
  void reset() { impl.reset(); }
  bool is_same(const Tensor &other) const {
    return impl == other.impl || (impl && other.impl && tsc_value_is_same(impl->value, other.impl->value));
  }
  size_t use_count() const noexcept { return impl.use_count(); }
  size_t weak_use_count() const noexcept { return impl ? 1 : 0; }
  c10::TensorImpl *unsafeGetTensorImpl() const { return impl.get(); }
  const c10::intrusive_ptr<c10::TensorImpl> &getIntrusivePtr() const { return impl; }
  c10::intrusive_ptr<c10::TensorImpl> unsafeReleaseIntrusivePtr() { return std::move(impl); }
  /// tsc's handle, or that of None for an undefined tensor. The tensor's.
  tsc_value *handle() const { return impl ? impl->value : tsc_torch_detail::none(); }

  c10::IntArrayRef sizes() const {
    const tsc_tensor_info info = inspect();
    return c10::IntArrayRef(info.sizes, static_cast<size_t>(info.rank));
  }
  c10::IntArrayRef strides() const {
    const tsc_tensor_info info = inspect();
    return c10::IntArrayRef(info.strides, static_cast<size_t>(info.rank));
  }
  c10::IntArrayRef sym_sizes() const { return sizes(); }
  /// Returns the size of a dimension; negative ones count from the end. A dimension out of range is a c10::IndexError.
  int64_t size(int64_t dim) const {
    const tsc_tensor_info info = inspect();
    return info.sizes[wrap(dim, info.rank)];
  }
  /// Returns the stride of a dimension, in elements. Dimensions are counted as in size().
  int64_t stride(int64_t dim) const {
    const tsc_tensor_info info = inspect();
    return info.strides[wrap(dim, info.rank)];
  }
  int64_t sym_size(int64_t dim) const { return size(dim); }
  int64_t dim() const { return inspect().rank; }
  int64_t ndimension() const { return dim(); }
  int64_t numel() const { return impl ? inspect().num_elements : 0; }
  int64_t storage_offset() const { return inspect().storage_offset; }
  size_t itemsize() const { return c10::elementSize(scalar_type()); }
  int64_t element_size() const { return static_cast<int64_t>(itemsize()); }
  size_t nbytes() const { return static_cast<size_t>(numel()) * itemsize(); }
  /// Whether the elements lie in memory without gaps, in the order that the format says.
  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;
  bool is_non_overlapping_and_dense() const;
  MemoryFormat suggest_memory_format() const {
    return dim() == 4 && !is_contiguous() && is_contiguous(MemoryFormat::ChannelsLast) ? MemoryFormat::ChannelsLast
           : dim() == 5 && !is_contiguous() && is_contiguous(MemoryFormat::ChannelsLast3d)
               ? MemoryFormat::ChannelsLast3d
               : MemoryFormat::Contiguous;
  }

  ScalarType scalar_type() const { return impl ? static_cast<ScalarType>(inspect().dtype) : ScalarType::Undefined; }
  caffe2::TypeMeta dtype() const { return caffe2::TypeMeta(scalar_type()); }
  /// What older hosts ask for; scalar_type(), device() and options() say the same.
  DeprecatedTypeProperties type() const { return DeprecatedTypeProperties(device().type(), scalar_type(), layout()); }
  Device device() const {
    const tsc_tensor_info info = inspect();
    return Device(static_cast<DeviceType>(info.device_kind), static_cast<c10::DeviceIndex>(info.device_index));
  }
  int64_t get_device() const { return inspect().device_index; }
  Layout layout() const { return static_cast<Layout>(inspect().layout); }
  TensorOptions options() const { return TensorOptions(scalar_type()).device(device()).layout(layout()); }
  bool is_cpu() const { return device().is_cpu(); }
  bool is_cuda() const { return impl && device().is_cuda(); }
  bool is_meta() const { return device().is_meta(); }
  bool is_hip() const { return device().is_hip(); }
  bool is_xpu() const { return device().is_xpu(); }
  bool is_mps() const { return device().is_mps(); }
  bool is_sparse() const { return layout() == c10::kSparse; }
  bool is_mkldnn() const { return layout() == c10::kMkldnn; }
  bool is_quantized() const { return (inspect().flags & TSC_IS_QUANTIZED) != 0; }
  bool is_floating_point() const { return c10::isFloatingType(scalar_type()); }
  bool is_complex() const { return c10::isComplexType(scalar_type()); }
  bool is_signed() const { return c10::isSignedType(scalar_type()); }
  bool is_inference() const { return false; }
  bool has_storage() const { return defined(); }
  bool has_names() const { return false; }
  /// "CPUFloatType".
  std::string toString() const {
    if (!defined())
      return "UndefinedType";
    return c10::DeviceTypeName(device().type()) + c10::toString(scalar_type()) + "Type";
  }
  /// The memory that the tensor shares with its views.
  c10::Storage storage() const {
    const tsc_tensor_info info = inspect();
    return c10::Storage(const_cast<void *>(info.storage), info.storage_size);
  }
  /// Whether both tensors share their memory. An undefined tensor is a c10::Error.
  bool is_alias_of(const Tensor &other) const {
    const void *mine = inspect().storage;
    return mine && mine == other.inspect().storage;
  }

  /// The first element, for reading and writing.
  void *data_ptr() const { return mutable_data_ptr(); }
  void *mutable_data_ptr() const;
  const void *const_data_ptr() const;
  template <typename T> T *data_ptr() const {
    checkType<T>("expected scalar type ");
    return static_cast<T *>(mutable_data_ptr());
  }
  template <typename T> T *mutable_data_ptr() const { return data_ptr<std::remove_const_t<T>>(); }
  template <typename T> const std::remove_const_t<T> *const_data_ptr() const {
    checkType<std::remove_const_t<T>>("expected scalar type ");
    return static_cast<const T *>(const_data_ptr());
  }
  template <typename T> T *data() const { return data_ptr<T>(); }
  template <typename T, size_t N> TensorAccessor<T, N> accessor() const & {
    static_assert(N > 0, "accessor is used for indexing tensors, for scalars use *data_ptr<T>()");
    checkRank(N, "TensorAccessor");
    T *first = accessed<T>();
    const tsc_tensor_info info = inspect();
    return TensorAccessor<T, N>(first, info.sizes, info.strides);
  }
  template <typename T, size_t N> TensorAccessor<T, N> accessor() && = delete;
  template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
  GenericPackedTensorAccessor<T, N, PtrTraits, index_t> packed_accessor() const & {
    static_assert(N > 0, "accessor is used for indexing tensors, for scalars use *data_ptr<T>()");
    checkRank(N, "PackedTensorAccessor");
    T *first = accessed<T>();
    const tsc_tensor_info info = inspect();
    return GenericPackedTensorAccessor<T, N, PtrTraits, index_t>(first, info.sizes, info.strides);
  }
  template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() const & {
    return packed_accessor<T, N, PtrTraits, int32_t>();
  }
  template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, PtrTraits> packed_accessor64() const & {
    return packed_accessor<T, N, PtrTraits, int64_t>();
  }
  /// The only element.
  c10::Scalar item() const {
    static tsc_torch_detail::Operator op("aten::item", "");
    tsc_torch_detail::Call call(op);
    call.tensor(*this);
    call.run(1);
    return call.giveScalar(0);
  }
  template <typename T> T item() const { return item().to<T>(); }

  Tensor toType(ScalarType type) const { return to(type); }
  Tensor toBackend(int) const = delete;
  Tensor cpu() const { return to(TensorOptions(c10::kCPU)); }
  Tensor cuda() const { return to(TensorOptions(c10::kCUDA)); }
  Tensor to_device(const Device &target) const { return to(TensorOptions(target)); }
  const Tensor &expect_contiguous_reference() const { return *this; }

  bool requires_grad() const { return impl && (inspect().flags & TSC_REQUIRES_GRAD) != 0; }
  /// Sets whether gradients of the tensor are asked for, and returns it. A c10::Error for a dtype that has none, and
  /// for taking the mark from a tensor that is no leaf.
  const Tensor &set_requires_grad(bool needed) const {
    tsc_torch_detail::check(tsc_tensor_set_requires_grad(checked(), needed));
    return *this;
  }
  /// Does what set_requires_grad() does.
  const Tensor &requires_grad_(bool needed = true) const { return set_requires_grad(needed); }
  Tensor &requires_grad_(bool needed = true) {
    set_requires_grad(needed);
    return *this;
  }
  bool is_leaf() const { return (inspect().flags & TSC_IS_LEAF) != 0; }
  void retain_grad() const { tsc_torch_detail::check(tsc_tensor_retain_grad(checked())); }
  bool retains_grad() const { return (inspect().flags & TSC_RETAINS_GRAD) != 0; }
  int64_t output_nr() const { return 0; }
  int64_t _version() const { return inspect().version; }
  /// What computed the tensor; empty for a leaf.
  std::shared_ptr<torch::autograd::Node> grad_fn() const {
    tsc_torch_detail::Value name;
    tsc_torch_detail::check(tsc_tensor_grad_fn(checked(), name.out()));
    if (tsc_value_kind(name.get()) == TSC_KIND_NONE)
      return nullptr;
    return std::make_shared<torch::autograd::Node>(tsc_torch_detail::textOf(name.get()));
  }
  /// What backward() has added up; undefined where there is nothing.
  const Tensor &grad() const { return fetchGrad(false); }
  /// The same for assigning to.
  Tensor &mutable_grad() const { return fetchGrad(true); }
  Tensor &grad() { return fetchGrad(true); }
  Tensor detach() const {
    tsc_torch_detail::Value detached;
    tsc_torch_detail::check(tsc_tensor_detach(checked(), detached.out()));
    return adopt(detached.release());
  }
  Tensor variable_data() const { return detach(); }
  Tensor tensor_data() const { return detach(); }
  Tensor data() const { return detach(); }
  void set_data(const Tensor &other) const { tsc_torch_detail::check(tsc_tensor_set_data(checked(), other.checked())); }
  /// Adds the gradients of this tensor to `.grad` of the leaves that it depends on, or of `inputs` alone. `gradient` is
  /// the one of the tensor itself, and may be undefined for a tensor of one element. Unless `retain_graph` says
  /// otherwise, what was recorded is kept only for `create_graph`.
  void backward(const Tensor &gradient = {}, c10::optional<bool> retain_graph = c10::nullopt, bool create_graph = false,
                c10::optional<TensorList> inputs = c10::nullopt) const;

  Tensor operator~() const;
  Tensor operator-() const;
  Tensor &operator+=(const Tensor &other);
  Tensor &operator+=(const c10::Scalar &other);
  Tensor &operator-=(const Tensor &other);
  Tensor &operator-=(const c10::Scalar &other);
  Tensor &operator*=(const Tensor &other);
  Tensor &operator*=(const c10::Scalar &other);
  Tensor &operator/=(const Tensor &other);
  Tensor &operator/=(const c10::Scalar &other);
  Tensor &operator&=(const Tensor &other);
  Tensor &operator|=(const Tensor &other);
  Tensor &operator^=(const Tensor &other);
  Tensor operator[](const c10::Scalar &index) const;
  Tensor operator[](const Tensor &index) const;
  Tensor operator[](int64_t index) const;

  /// Returns what the indices select, as x[...] does in Python: a view of the tensor, or a copy where a tensor or a
  /// bool is an index. c10::IndexError for too many indices and for numbers out of range.
  Tensor index(ArrayRef<indexing::TensorIndex> indices) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
  /// Returns what tensors select, each of them in the dimension of its position. Where one is empty, all is selected.
  Tensor index(const c10::List<c10::optional<Tensor>> &indices) const;
  /// Writes values, which are broadcast, to what index() selects, and returns the tensor.
  Tensor &index_put_(ArrayRef<indexing::TensorIndex> indices, const Tensor &values);
  Tensor &index_put_(ArrayRef<indexing::TensorIndex> indices, const c10::Scalar &value);
  Tensor &index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor &values);
  Tensor &index_put_(std::initializer_list<indexing::TensorIndex> indices, const c10::Scalar &value);
  /// Does the same by tensors; with `accumulate`, adds the values to what is there.
  Tensor &index_put_(const c10::List<c10::optional<Tensor>> &indices, const Tensor &values, bool accumulate = false);

#include <ATen/core/TensorMethods.inc>

private:
  tsc_value *checked() const {
    TORCH_CHECK(impl, "the tensor is undefined");
    return impl->value;
  }
  tsc_tensor_info inspect() const {
    TORCH_CHECK(impl, "the tensor is undefined");
    return impl->inspect();
  }
  static int64_t wrap(int64_t dim, int64_t rank) {
    TORCH_CHECK_INDEX(rank != 0, "Dimension specified as ", dim, " but tensor has no dimensions");
    TORCH_CHECK_INDEX(dim >= -rank && dim < rank, "Dimension out of range (expected to be in range of [", -rank, ", ",
                      rank - 1, "], but got ", dim, ")");
    return dim < 0 ? dim + rank : dim;
  }
  template <typename T> void checkType(const char *before) const {
    const ScalarType wanted = c10::CppTypeToScalarType<T>::value, mine = scalar_type();
    TORCH_CHECK(wanted == mine, before, wanted, " but found ", mine);
  }
  void checkRank(size_t wanted, const char *what) const {
    TORCH_CHECK(static_cast<size_t>(dim()) == wanted, what, " expected ", wanted, " dims but tensor has ", dim());
  }
  template <typename T, std::enable_if_t<std::is_const<T>::value, int> = 0> T *accessed() const {
    return const_data_ptr<T>();
  }
  template <typename T, std::enable_if_t<!std::is_const<T>::value, int> = 0> T *accessed() const {
    return data_ptr<T>();
  }
  bool hasStridesOf(const int *order, int rank) const;
  Tensor &fetchGrad(bool exposes) const;

  c10::intrusive_ptr<c10::TensorImpl> impl;
};

} // namespace tsc_torch
} // namespace at

namespace tsc_torch_detail {

/// Tensors whose gradients the host may have assigned to.
struct ExposedGradients {
  std::recursive_mutex mutex;
  std::set<c10::TensorImpl *> tensors;
  std::atomic<size_t> count{0};
  static ExposedGradients &get() {
    static ExposedGradients *const all = new ExposedGradients; // for tensors that outlive static objects
    return *all;
  }
};
/// Gives tsc all gradients that the host has assigned.
inline void writeGrads() {
  ExposedGradients &exposed = ExposedGradients::get();
  if (exposed.count.load(std::memory_order_acquire) == 0)
    return;
  std::lock_guard<std::recursive_mutex> lock(exposed.mutex);
  for (c10::TensorImpl *tensor : exposed.tensors)
    tensor->writeGrad();
}
inline uint32_t gradientFlags(bool retain, bool create, bool allowUnused) {
  return (retain ? uint32_t{TSC_RETAIN_GRAPH} : 0u) | (create ? uint32_t{TSC_CREATE_GRAPH} : 0u) |
         (allowUnused ? uint32_t{TSC_ALLOW_UNUSED} : 0u);
}
/// The handles of tensors, None for undefined ones. The tensors'.
inline std::vector<tsc_value *> handlesOf(at::TensorList tensors) {
  std::vector<tsc_value *> handles;
  handles.reserve(tensors.size());
  for (const at::Tensor &tensor : tensors)
    handles.push_back(tensor.handle());
  return handles;
}

inline void Call::tensor(const at::Tensor &tensor) { value(tensor.handle()); }
inline void Call::optionalTensor(const c10::optional<at::Tensor> &tensor) { value(tensor ? tensor->handle() : none()); }
inline void Call::tensors(at::TensorList tensors) {
  const std::vector<tsc_value *> handles = handlesOf(tensors);
  tsc_value *list = nullptr;
  check(tsc_value_new_tensor_list(handles.data(), handles.size(), &list));
  give(list);
}
inline void Call::optionalGenerator(const c10::optional<at::Generator> &generator) {
  TORCH_CHECK(!generator || !generator->defined(), "operators take the generator of their thread alone");
  nothing();
}
inline at::Tensor Call::giveTensor(unsigned index) {
  if (tsc_value_kind(results[index]) != TSC_KIND_TENSOR)
    return at::Tensor();
  at::Tensor tensor = at::Tensor::adopt(take(index));
  if (requiresGrad)
    tensor.set_requires_grad(true);
  return tensor;
}
inline std::vector<at::Tensor> Call::giveTensors(unsigned index) {
  const size_t size = sizeOf(results[index]);
  std::vector<at::Tensor> tensors;
  tensors.reserve(size);
  for (size_t i = 0; i != size; ++i)
    tensors.push_back(at::Tensor::adopt(elementOf(results[index], i).release()));
  return tensors;
}

} // namespace tsc_torch_detail

namespace c10 {
inline namespace tsc_torch {

inline void TensorImpl::writeGrad() {
  if (!gradient || gradient->getIntrusivePtr() == fetched)
    return;
  tsc_torch_detail::check(tsc_tensor_set_grad(value, gradient->defined() ? gradient->handle() : nullptr));
  fetched = gradient->getIntrusivePtr();
}
inline TensorImpl::~TensorImpl() {
  if (exposed) {
    auto &all = tsc_torch_detail::ExposedGradients::get();
    std::lock_guard<std::recursive_mutex> lock(all.mutex);
    try {
      writeGrad();
    } catch (const std::exception &) { // a gradient of other sizes, which nobody asks for
    }
    all.tensors.erase(this);
    all.count.store(all.tensors.size(), std::memory_order_release);
  }
  delete gradient;
  tsc_value_free(value);
}

} // namespace tsc_torch
} // namespace c10

namespace at {
inline namespace tsc_torch {

inline Tensor &Tensor::fetchGrad(bool exposes) const {
  checked();
  auto &all = tsc_torch_detail::ExposedGradients::get();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  tsc_torch_detail::writeGrads();
  tsc_torch_detail::Value current;
  tsc_torch_detail::check(tsc_tensor_grad(impl->value, current.out()));
  if (!impl->gradient)
    impl->gradient = new Tensor();
  if (tsc_value_kind(current.get()) != TSC_KIND_TENSOR)
    impl->gradient->reset();
  else if (!impl->gradient->defined() || !tsc_value_is_same(impl->gradient->impl->value, current.get()))
    *impl->gradient = adopt(current.release());
  impl->fetched = impl->gradient->impl;
  if (exposes && !impl->exposed) {
    all.tensors.insert(impl.get());
    all.count.store(all.tensors.size(), std::memory_order_release);
    impl->exposed = true;
  }
  return *impl->gradient;
}
inline void Tensor::backward(const Tensor &gradient, c10::optional<bool> retain_graph, bool create_graph,
                             c10::optional<TensorList> inputs) const {
  tsc_torch_detail::writeGrads();
  tsc_value *output = checked(), *weight = gradient.handle();
  const std::vector<tsc_value *> leaves = inputs ? tsc_torch_detail::handlesOf(*inputs) : std::vector<tsc_value *>();
  tsc_torch_detail::thrownInBackward() = nullptr;
  tsc_torch_detail::checkGradients(
      tsc_backward(&output, 1, &weight, leaves.data(), leaves.size(),
                   tsc_torch_detail::gradientFlags(retain_graph ? *retain_graph : create_graph, create_graph, false)));
}

inline void *Tensor::mutable_data_ptr() const {
  if (!impl)
    return nullptr;
  void *first = nullptr;
  tsc_torch_detail::check(tsc_tensor_data(impl->value, &first));
  return first;
}
inline const void *Tensor::const_data_ptr() const {
  if (!impl)
    return nullptr;
  tsc_tensor facts;
  std::memset(&facts, 0, sizeof facts);
  facts.struct_size = sizeof facts;
  tsc_torch_detail::check(tsc_tensor_get(impl->value, &facts));
  return facts.data;
}
/// Whether the dimensions lie in memory without gaps in this order, the outermost first.
inline bool Tensor::hasStridesOf(const int *order, int rank) const {
  const tsc_tensor_info info = inspect();
  if (info.rank != rank)
    return false;
  int64_t expected = 1;
  for (int i = rank; i-- != 0;) {
    const int dim = order[i];
    if (info.sizes[dim] != 1 && info.strides[dim] != expected)
      return false;
    expected *= info.sizes[dim];
  }
  return true;
}
inline bool Tensor::is_contiguous(MemoryFormat format) const {
  static const int images[] = {0, 2, 3, 1}, volumes[] = {0, 2, 3, 4, 1};
  if (format == MemoryFormat::ChannelsLast)
    return hasStridesOf(images, 4);
  if (format == MemoryFormat::ChannelsLast3d)
    return hasStridesOf(volumes, 5);
  return (inspect().flags & TSC_IS_CONTIGUOUS) != 0;
}
inline bool Tensor::is_non_overlapping_and_dense() const {
  const tsc_tensor_info info = inspect();
  std::vector<std::pair<int64_t, int64_t>> dims; // strides with sizes
  for (int i = 0; i != info.rank; ++i)
    if (info.sizes[i] != 1)
      dims.emplace_back(info.strides[i], info.sizes[i]);
  std::sort(dims.begin(), dims.end());
  int64_t expected = 1;
  for (const auto &dim : dims) {
    if (dim.second == 0)
      return true;
    if (dim.first != expected)
      return false;
    expected *= dim.second;
  }
  return true;
}

inline Tensor &Tensor::operator=(const c10::Scalar &number) && {
  fill_(number);
  return *this;
}
inline Tensor &Tensor::operator=(const Tensor &other) && {
  copy_(other);
  return *this;
}
inline Tensor &Tensor::operator=(Tensor &&other) && {
  copy_(other);
  return *this;
}
inline Tensor Tensor::operator~() const { return bitwise_not(); }
inline Tensor Tensor::operator-() const { return neg(); }
inline Tensor &Tensor::operator+=(const Tensor &other) { return add_(other); }
inline Tensor &Tensor::operator+=(const c10::Scalar &other) { return add_(other); }
inline Tensor &Tensor::operator-=(const Tensor &other) { return sub_(other); }
inline Tensor &Tensor::operator-=(const c10::Scalar &other) { return sub_(other); }
inline Tensor &Tensor::operator*=(const Tensor &other) { return mul_(other); }
inline Tensor &Tensor::operator*=(const c10::Scalar &other) { return mul_(other); }
inline Tensor &Tensor::operator/=(const Tensor &other) { return div_(other); }
inline Tensor &Tensor::operator/=(const c10::Scalar &other) { return div_(other); }
inline Tensor &Tensor::operator&=(const Tensor &other) { return bitwise_and_(other); }
inline Tensor &Tensor::operator|=(const Tensor &other) { return bitwise_or_(other); }
inline Tensor &Tensor::operator^=(const Tensor &other) { return bitwise_xor_(other); }
inline Tensor Tensor::operator[](int64_t index) const { return select(0, index); }
inline Tensor Tensor::operator[](const c10::Scalar &index) const {
  TORCH_CHECK_INDEX(index.isIntegral(false), "Can only index tensors with integral scalars");
  return select(0, index.toLong());
}
inline Tensor Tensor::operator[](const Tensor &index) const {
  TORCH_CHECK_INDEX(index.defined(), "Can only index with tensors that are defined");
  TORCH_CHECK_INDEX(index.dim() == 0, "Can only index with tensors that are scalars (zero-dim)");
  return select(0, index.item<int64_t>());
}

} // namespace tsc_torch
} // namespace at

namespace torch {
inline namespace tsc_torch {
using at::Tensor;
using at::TensorList;
} // namespace tsc_torch
} // namespace torch

#include <ATen/TensorIndexing.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Formatting.h>

#endif
