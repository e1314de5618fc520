//===- KeptPanels.h - Packed right sides of products ------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_PRODUCTS_KEPTPANELS_H
#define TSC_LIB_KERNELS_PRODUCTS_KEPTPANELS_H

#include "Gemm.h"
#include "tsc/Support/RefCounted.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <mutex>

namespace tsc::cpu {

/// The right side of one product, k x n, and where its packed panels are when its tensor is long-lived. Nothing is
/// looked for before a kernel asks.
///
/// Threads:  those that compute one product share it.
class KeptPanels {
public:
  KeptPanels(DType dtype, int64_t k, int64_t n, const MatrixRef &right) : k(k), n(n), right(right), dtype(dtype) {}
  const int64_t k, n;
  const MatrixRef right;
  /// `count` elements as `pack` writes them, now or in an earlier call; null when they are not to be kept, or `pack`
  /// was stopped and gave false. Good for as long as this lives.
  const void *find(int64_t count, llvm::function_ref<bool(void *)> pack);

private:
  const void *findOrMake(int64_t count, llvm::function_ref<bool(void *)> pack);

  const DType dtype;
  /// It guards what follows. std::call_once would wake waiting threads, which is a system call for each product.
  std::mutex mutex;
  bool wereSought = false;
  const void *panels = nullptr;
  Ref<RefCounted> owner; ///< Keeps the panels alive; other calls may replace them in the tensor meanwhile.
};

} // namespace tsc::cpu

#endif
