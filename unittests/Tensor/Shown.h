//===- Shown.h - Short ways to make and to show tensors ----*- C++ -*-===//
//
// The kernel tests compare what a kernel gives, as Python would print it, with
// what PyTorch 1.13 printed for the same call ("error: …" for a failure).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_UNITTESTS_TENSOR_SHOWN_H
#define TSC_UNITTESTS_TENSOR_SHOWN_H

#include "tsc/Tensor/Kernels/Copy.h"
#include "tsc/Tensor/Kernels/Factories.h"
#include "tsc/Tensor/Kernels/Indexing.h"
#include "tsc/Tensor/Kernels/Sorting.h"
#include <catch2/catch.hpp>
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;
using std::nullopt;

inline std::string failure(const Status &status) { return "error: " + messageOf(status).str(); }
inline std::string show(const StatusOr<Tensor> &t) { return t.ok() ? toPythonString(*t) : failure(t.status()); }
inline std::string show(const StatusOr<std::vector<Tensor>> &list) {
  if (!list.ok())
    return failure(list.status());
  std::string text;
  for (const Tensor &t : *list)
    text += (text.empty() ? "" : " | ") + toPythonString(t);
  return text;
}

template <typename... T> std::string show(const StatusOr<std::tuple<T...>> &results) {
  if (!results.ok())
    return failure(results.status());
  return std::apply(
      [](const auto &...each) { return show(StatusOr<std::vector<Tensor>>(std::vector<Tensor>{each...})); }, *results);
}

/// 0, 1, 2, … as floats.
inline Tensor ramp(ArrayRef<int64_t> sizes) {
  Tensor t = *Tensor::empty(sizes);
  for (int64_t i = 0; i != t.numel(); ++i)
    t.set(i, Scalar(i));
  return t;
}
inline Tensor ints(ArrayRef<int64_t> sizes) { return *toDType(ramp(sizes), DType::Int64); }
inline Tensor longs(ArrayRef<int64_t> values) {
  return *Tensor::fromSpan<int64_t>(values, {static_cast<int64_t>(values.size())});
}
inline Tensor bools(ArrayRef<bool> values) {
  return *Tensor::fromSpan<bool>(values, {static_cast<int64_t>(values.size())});
}
inline Tensor doubles(ArrayRef<double> values) {
  return *Tensor::fromSpan<double>(values, {static_cast<int64_t>(values.size())});
}
/// dst after dst.copy_(src).
inline StatusOr<Tensor> copied(const Tensor &dst, const Tensor &src) { return copyInPlace(dst, src); }
/// x[1:] = x[:-1] on five elements.
inline StatusOr<Tensor> overlapping() {
  Tensor x = ramp({5});
  TSC_RETURN_IF_ERROR(copyInto(*narrow(x, 0, 1, 4), *narrow(x, 0, 0, 4)));
  return x;
}

#endif
