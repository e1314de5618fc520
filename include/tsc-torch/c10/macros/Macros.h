//===- Macros.h - What all headers of tsc-torch have in common --*- C++ -*-===//
//
// These headers offer what hosts of LibTorch call, inline over tsc's C interface.
// Their classes live in inline namespaces `tsc_torch`, so that their symbols are
// not those of a LibTorch that is in the same process.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TORCH_C10_MACROS_H
#define TSC_TORCH_C10_MACROS_H

/// Defined where torch's headers are tsc's: the version of these headers, major * 100 + minor.
#define TSC_TORCH 100

#define C10_API
#define C10_EXPORT
#define C10_IMPORT
#define C10_HIDDEN
#define TORCH_API
#define TORCH_CUDA_CPP_API
#define TORCH_CUDA_CU_API
#define TORCH_PYTHON_API
#define CAFFE2_API

#define C10_HOST_DEVICE
#define C10_HOST
#define C10_DEVICE
#define C10_ALWAYS_INLINE inline __attribute__((always_inline))
#define C10_NOINLINE __attribute__((noinline))
#define C10_UNUSED __attribute__((unused))
#define C10_USED __attribute__((used))
#define C10_RESTRICT __restrict
#define C10_LIKELY(condition) (__builtin_expect(static_cast<bool>(condition), 1))
#define C10_UNLIKELY(condition) (__builtin_expect(static_cast<bool>(condition), 0))
#if __cplusplus >= 201703L
#define C10_NODISCARD [[nodiscard]]
#define C10_FALLTHROUGH [[fallthrough]]
#else
#define C10_NODISCARD
#define C10_FALLTHROUGH __attribute__((fallthrough))
#endif
#define C10_STRINGIZE_IMPL(x) #x
#define C10_STRINGIZE(x) C10_STRINGIZE_IMPL(x)
#define C10_CONCATENATE_IMPL(a, b) a##b
#define C10_CONCATENATE(a, b) C10_CONCATENATE_IMPL(a, b)
#define C10_UID __COUNTER__
#define C10_ANONYMOUS_VARIABLE(name) C10_CONCATENATE(name, __COUNTER__)

namespace c10 {
inline namespace tsc_torch {}
} // namespace c10
namespace at {
inline namespace tsc_torch {}
using namespace c10;
} // namespace at
namespace torch {
inline namespace tsc_torch {}
using namespace at;
} // namespace torch
namespace caffe2 {
using namespace at;
} // namespace caffe2

#endif
