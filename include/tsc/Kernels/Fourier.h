//===- Fourier.h - Fourier transforms --------------------------*- C++ -*-===//
//
// Each function is the kernel of an operator whose record in include/tsc/IR/Ops
// names it, and computes what PyTorch computes for that operator, or fails with its
// message. Arguments are those of the schema, in its order; an undefined tensor
// stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_FOURIER_H
#define TSC_KERNELS_FOURIER_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>
#include <vector>

namespace tsc::cpu {

StatusOr<Tensor> fftFft(const Tensor &self, std::optional<int64_t> n, int64_t dim, std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftIfft(const Tensor &self, std::optional<int64_t> n, int64_t dim,
                         std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftRfft(const Tensor &self, std::optional<int64_t> n, int64_t dim,
                         std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftIrfft(const Tensor &self, std::optional<int64_t> n, int64_t dim,
                          std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftHfft(const Tensor &self, std::optional<int64_t> n, int64_t dim,
                         std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftIhfft(const Tensor &self, std::optional<int64_t> n, int64_t dim,
                          std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftFft2(const Tensor &self, std::optional<ArrayRef<int64_t>> s, ArrayRef<int64_t> dim,
                         std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftIfft2(const Tensor &self, std::optional<ArrayRef<int64_t>> s, ArrayRef<int64_t> dim,
                          std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftRfft2(const Tensor &self, std::optional<ArrayRef<int64_t>> s, ArrayRef<int64_t> dim,
                          std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftIrfft2(const Tensor &self, std::optional<ArrayRef<int64_t>> s, ArrayRef<int64_t> dim,
                           std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftHfft2(const Tensor &self, std::optional<ArrayRef<int64_t>> s, ArrayRef<int64_t> dim,
                          std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftIhfft2(const Tensor &self, std::optional<ArrayRef<int64_t>> s, ArrayRef<int64_t> dim,
                           std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftFftn(const Tensor &self, std::optional<ArrayRef<int64_t>> s, std::optional<ArrayRef<int64_t>> dim,
                         std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftIfftn(const Tensor &self, std::optional<ArrayRef<int64_t>> s, std::optional<ArrayRef<int64_t>> dim,
                          std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftRfftn(const Tensor &self, std::optional<ArrayRef<int64_t>> s, std::optional<ArrayRef<int64_t>> dim,
                          std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftIrfftn(const Tensor &self, std::optional<ArrayRef<int64_t>> s, std::optional<ArrayRef<int64_t>> dim,
                           std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftHfftn(const Tensor &self, std::optional<ArrayRef<int64_t>> s, std::optional<ArrayRef<int64_t>> dim,
                          std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftIhfftn(const Tensor &self, std::optional<ArrayRef<int64_t>> s, std::optional<ArrayRef<int64_t>> dim,
                           std::optional<llvm::StringRef> norm);
StatusOr<Tensor> fftFftshift(const Tensor &self, std::optional<ArrayRef<int64_t>> dim);
StatusOr<Tensor> fftIfftshift(const Tensor &self, std::optional<ArrayRef<int64_t>> dim);
StatusOr<Tensor> fftFftfreq(int64_t n, double d, std::optional<DType> dtype, std::optional<Layout> layout,
                            std::optional<Device> device, std::optional<bool> pinMemory);
StatusOr<Tensor> fftRfftfreq(int64_t n, double d, std::optional<DType> dtype, std::optional<Layout> layout,
                             std::optional<Device> device, std::optional<bool> pinMemory);
StatusOr<Tensor> fftC2C(const Tensor &self, ArrayRef<int64_t> dim, int64_t normalization, bool forward);
StatusOr<Tensor> fftR2C(const Tensor &self, ArrayRef<int64_t> dim, int64_t normalization, bool onesided);
StatusOr<Tensor> fftC2R(const Tensor &self, ArrayRef<int64_t> dim, int64_t normalization, int64_t lastDimSize);
StatusOr<Tensor> stft(const Tensor &self, int64_t nFft, std::optional<int64_t> hopLength,
                      std::optional<int64_t> winLength, const Tensor &window, bool normalized,
                      std::optional<bool> onesided, std::optional<bool> returnComplex,
                      std::optional<bool> alignToWindow);
StatusOr<Tensor> stftCenter(const Tensor &self, int64_t nFft, std::optional<int64_t> hopLength,
                            std::optional<int64_t> winLength, const Tensor &window, bool center,
                            llvm::StringRef padMode, bool normalized, std::optional<bool> onesided,
                            std::optional<bool> returnComplex, std::optional<bool> alignToWindow);
StatusOr<Tensor> istft(const Tensor &self, int64_t nFft, std::optional<int64_t> hopLength,
                       std::optional<int64_t> winLength, const Tensor &window, bool center, bool normalized,
                       std::optional<bool> onesided, std::optional<int64_t> length, bool returnComplex);

} // namespace tsc::cpu

#endif
