//===- Layout.h - How elements are kept -------------------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_LAYOUT_H
#define TSC_TORCH_C10_LAYOUT_H
#include <c10/macros/Macros.h>
#include <cstdint>
#include <ostream>

namespace c10 {
inline namespace tsc_torch {

/// How the elements of a tensor are stored. The numbers are PyTorch's.
enum class Layout : int8_t { Strided, Sparse, SparseCsr, Mkldnn, SparseCsc, SparseBsr, SparseBsc, Jagged, NumOptions };
constexpr Layout kStrided = Layout::Strided;
constexpr Layout kSparse = Layout::Sparse;
constexpr Layout kSparseCsr = Layout::SparseCsr;
constexpr Layout kMkldnn = Layout::Mkldnn;
constexpr Layout kSparseCsc = Layout::SparseCsc;
constexpr Layout kSparseBsr = Layout::SparseBsr;
constexpr Layout kSparseBsc = Layout::SparseBsc;
constexpr Layout kJagged = Layout::Jagged;

inline std::ostream &operator<<(std::ostream &out, Layout layout) {
  static const char *const names[] = {"Strided",   "Sparse",    "SparseCsr", "Mkldnn",
                                      "SparseCsc", "SparseBsr", "SparseBsc", "Jagged"};
  const auto number = static_cast<size_t>(layout);
  return out << (number < 8 ? names[number] : "Unknown layout");
}

} // namespace tsc_torch
} // namespace c10

#endif
