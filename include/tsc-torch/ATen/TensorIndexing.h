//===- TensorIndexing.h - tensor.index({...}) -------------------*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_TENSORINDEXING_H
#define TSC_TORCH_ATEN_TENSORINDEXING_H
#include <ATen/core/Tensor.h>
#include <limits>

namespace at {
inline namespace tsc_torch {
namespace indexing {

/// The kind of a TensorIndex. SymInt is that of numbers.
enum class TensorIndexType { None, Ellipsis, SymInt, Boolean, Slice, Tensor };
constexpr c10::nullopt_t None = c10::nullopt;
/// The type of Ellipsis, the index that stands for all dimensions which no other index takes.
struct EllipsisIndexType final {};
constexpr EllipsisIndexType Ellipsis{};

/// start:stop:step, each of which may be left out.
struct Slice final {
  Slice(c10::optional<int64_t> start = c10::nullopt, c10::optional<int64_t> stop = c10::nullopt,
        c10::optional<int64_t> step = c10::nullopt)
      : step_(step ? *step : 1) {
    TORCH_CHECK_VALUE(step_ != 0, "slice step cannot be zero");
    const int64_t most = std::numeric_limits<int64_t>::max(), least = std::numeric_limits<int64_t>::min();
    start_ = start ? *start : step_ < 0 ? most : 0;
    stop_ = stop ? *stop : step_ < 0 ? least : most;
  }
  int64_t start() const { return start_; }
  int64_t stop() const { return stop_; }
  int64_t step() const { return step_; }

private:
  int64_t start_, stop_, step_;
};

/// One index: None, "..." or Ellipsis, a number, a bool, a slice, or a tensor.
struct TensorIndex final {
  TensorIndex(c10::nullopt_t) : type(TensorIndexType::None) {}
  TensorIndex(EllipsisIndexType) : type(TensorIndexType::Ellipsis) {}
  TensorIndex(const char *text) : type(TensorIndexType::Ellipsis) {
    TORCH_CHECK_VALUE(std::strcmp(text, "...") == 0, "Expected \"...\" to represent an ellipsis index, but got \"",
                      text, "\"");
  }
  TensorIndex(int64_t number) : type(TensorIndexType::SymInt), number(number) {}
  TensorIndex(int number) : TensorIndex(static_cast<int64_t>(number)) {}
  template <typename T, typename = std::enable_if_t<std::is_same<T, bool>::value>>
  TensorIndex(T flag) : type(TensorIndexType::Boolean), number(flag) {}
  template <typename T, std::enable_if_t<std::is_integral<T>::value && !std::is_same<T, bool>::value &&
                                             !std::is_same<T, int>::value && !std::is_same<T, int64_t>::value,
                                         int> = 0>
  TensorIndex(T given) : TensorIndex(static_cast<int64_t>(given)) {}
  TensorIndex(Slice given) : type(TensorIndexType::Slice), range(given) {}
  TensorIndex(Tensor given) : type(TensorIndexType::Tensor), mask(std::move(given)) {}

  bool is_none() const { return type == TensorIndexType::None; }
  bool is_ellipsis() const { return type == TensorIndexType::Ellipsis; }
  bool is_integer() const { return type == TensorIndexType::SymInt; }
  bool is_boolean() const { return type == TensorIndexType::Boolean; }
  bool is_slice() const { return type == TensorIndexType::Slice; }
  bool is_tensor() const { return type == TensorIndexType::Tensor; }
  int64_t integer() const { return number; }
  bool boolean() const { return number != 0; }
  const Slice &slice() const { return range; }
  const Tensor &tensor() const { return mask; }

private:
  TensorIndexType type;
  int64_t number = 0;
  Slice range;
  Tensor mask;
};

} // namespace indexing
} // namespace tsc_torch
} // namespace at

namespace tsc_torch_detail {

/// How many dimensions of the tensor an index takes.
inline int64_t dimensionsOf(const at::indexing::TensorIndex &index) {
  if (index.is_tensor())
    return index.tensor().scalar_type() == c10::kBool || index.tensor().scalar_type() == c10::kByte
               ? index.tensor().dim()
               : 1;
  return index.is_integer() || index.is_slice() ? 1 : 0;
}

/// Applies all indices but tensors, which it leaves in `tensors` by their dimensions: undefined where there is none.
inline at::Tensor applyIndices(at::Tensor self, c10::ArrayRef<at::indexing::TensorIndex> indices,
                               std::vector<at::Tensor> &tensors) {
  int64_t named = 0, dim = 0;
  for (const at::indexing::TensorIndex &index : indices)
    named += dimensionsOf(index);
  TORCH_CHECK_INDEX(named <= self.dim(), "too many indices for tensor of dimension ", self.dim());
  const int64_t left = self.dim() - named;
  auto put = [&](const at::Tensor &tensor) {
    tensors.resize(static_cast<size_t>(dim));
    tensors.push_back(tensor);
  };
  for (const at::indexing::TensorIndex &index : indices) {
    if (index.is_none()) {
      self = self.unsqueeze(dim++);
    } else if (index.is_ellipsis()) {
      dim += left;
    } else if (index.is_integer()) {
      TORCH_CHECK_INDEX(index.integer() >= -self.size(dim) && index.integer() < self.size(dim), "index ",
                        index.integer(), " is out of bounds for dimension ", dim, " with size ", self.size(dim));
      self = self.select(dim, index.integer());
    } else if (index.is_slice()) {
      TORCH_CHECK_VALUE(index.slice().step() > 0, "step must be greater than zero");
      self = self.slice(dim, index.slice().start(), index.slice().stop(), index.slice().step());
      ++dim;
    } else if (index.is_boolean()) {
      self = self.unsqueeze(dim);
      put(self.new_full({1}, index.boolean(), c10::TensorOptions(c10::kBool)));
      ++dim;
    } else {
      const int64_t taken = dimensionsOf(index);
      if (taken == 0) { // a mask without dimensions selects all or nothing of a dimension of its own
        self = self.unsqueeze(dim);
        put(index.tensor().unsqueeze(0));
        ++dim;
      } else {
        put(index.tensor());
        dim += taken;
      }
    }
  }
  return self;
}
/// The list `Tensor?[]` that index() takes: a mask of several dimensions stands for all of them.
inline tsc_value *newIndexList(const std::vector<at::Tensor> &tensors) {
  std::vector<tsc_value *> handles;
  for (size_t i = 0; i < tensors.size(); ++i) {
    handles.push_back(tensors[i].handle());
    if (tensors[i].defined() && (tensors[i].scalar_type() == c10::kBool || tensors[i].scalar_type() == c10::kByte))
      i += static_cast<size_t>(tensors[i].dim() - 1);
  }
  tsc_value *list = nullptr;
  check(tsc_value_new_list(handles.data(), handles.size(), &list));
  return list;
}

} // namespace tsc_torch_detail

namespace at {
inline namespace tsc_torch {

inline Tensor Tensor::index(ArrayRef<indexing::TensorIndex> indices) const {
  TORCH_CHECK_INDEX(!indices.empty(), "Passing an empty index list to Tensor::index() is not valid syntax");
  std::vector<Tensor> tensors;
  Tensor viewed = tsc_torch_detail::applyIndices(*this, indices, tensors);
  if (tensors.empty())
    return viewed.is_same(*this) ? viewed.alias() : viewed;
  static tsc_torch_detail::Operator op("aten::index", "Tensor");
  tsc_torch_detail::Call call(op);
  call.tensor(viewed);
  call.give(tsc_torch_detail::newIndexList(tensors));
  call.run(1);
  return call.giveTensor(0);
}
inline Tensor Tensor::index(std::initializer_list<indexing::TensorIndex> indices) const {
  return index(ArrayRef<indexing::TensorIndex>(indices));
}
inline Tensor &Tensor::index_put_(ArrayRef<indexing::TensorIndex> indices, const Tensor &values) {
  TORCH_CHECK_INDEX(!indices.empty(), "Passing an empty index list to Tensor::index_put_() is not valid syntax");
  std::vector<Tensor> tensors;
  Tensor viewed = tsc_torch_detail::applyIndices(*this, indices, tensors);
  Tensor source = values;
  while (source.dim() > 0 && source.dim() > viewed.dim() && source.size(0) == 1)
    source = source.squeeze(0); // PyTorch drops leading ones too
  if (tensors.empty()) {
    viewed.copy_(source);
    return *this;
  }
  static tsc_torch_detail::Operator op("aten::index_put_", "");
  tsc_torch_detail::Call call(op);
  call.tensor(viewed);
  call.give(tsc_torch_detail::newIndexList(tensors));
  call.tensor(source.scalar_type() == scalar_type() ? source : source.to(scalar_type()));
  call.run(1);
  return *this;
}
inline Tensor &Tensor::index_put_(ArrayRef<indexing::TensorIndex> indices, const c10::Scalar &value) {
  return index_put_(indices, new_full({}, value, TensorOptions(scalar_type())));
}
inline Tensor &Tensor::index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor &values) {
  return index_put_(ArrayRef<indexing::TensorIndex>(indices), values);
}
inline Tensor &Tensor::index_put_(std::initializer_list<indexing::TensorIndex> indices, const c10::Scalar &value) {
  return index_put_(ArrayRef<indexing::TensorIndex>(indices), value);
}

} // namespace tsc_torch
} // namespace at

namespace torch {
namespace indexing {
using namespace at::indexing;
} // namespace indexing
} // namespace torch

#endif
