//===- OneDnn.h - What our uses of oneDNN share -----------------*- C++ -*-===//
//
// Nothing links oneDNN: it is opened when a product or a convolution first asks for it,
// and where it is not installed our own kernels do its work. The macros below redirect
// the C functions that its C++ interface calls to those that were found in the library;
// one that is missing in the list is an undefined symbol for the linker. The interface's
// namespace has a name of our own, for its inline functions are not those of a host that
// links oneDNN.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_SUPPORT_ONEDNN_H
#define TSC_LIB_KERNELS_SUPPORT_ONEDNN_H

#include "tsc/Support/ThreadExit.h"
#include <dnnl.h>
#include <type_traits>

namespace tsc::cpu {

/// Whether oneDNN is there. The first call opens it.
bool hasOneDnn();
/// Returns the address of a function of oneDNN, or null.
void *findInOneDnn(const char *name);

/// Stands for a function that the library lacks: it returns dnnl_unimplemented, or zero.
template <typename Result, typename... Arguments> Result failWithoutOneDnn(Arguments...) {
  if constexpr (std::is_same_v<Result, dnnl_status_t>)
    return dnnl_unimplemented;
  else
    return Result();
}
/// Returns the library's function `name`, whose type the first argument names, or failWithoutOneDnn.
template <typename Result, typename... Arguments>
auto oneDnnFunction(Result (*)(Arguments...), const char *name) -> Result (*)(Arguments...) {
  void *found = findInOneDnn(name);
  return found ? reinterpret_cast<Result (*)(Arguments...)>(found) : &failWithoutOneDnn<Result, Arguments...>;
}

} // namespace tsc::cpu

#define TSC_ONEDNN(name)                                                                                               \
  ([] {                                                                                                                \
    static const auto function = tsc::cpu::oneDnnFunction(decltype(&::name){}, #name);                                 \
    return function;                                                                                                   \
  }())
#define dnnl_dilated_convolution_forward_desc_init TSC_ONEDNN(dnnl_dilated_convolution_forward_desc_init)
#define dnnl_engine_create TSC_ONEDNN(dnnl_engine_create)
#define dnnl_engine_destroy TSC_ONEDNN(dnnl_engine_destroy)
#define dnnl_matmul_desc_init TSC_ONEDNN(dnnl_matmul_desc_init)
#define dnnl_memory_create TSC_ONEDNN(dnnl_memory_create)
#define dnnl_memory_desc_equal TSC_ONEDNN(dnnl_memory_desc_equal)
#define dnnl_memory_desc_get_size TSC_ONEDNN(dnnl_memory_desc_get_size)
#define dnnl_memory_desc_init_by_strides TSC_ONEDNN(dnnl_memory_desc_init_by_strides)
#define dnnl_memory_desc_init_by_tag TSC_ONEDNN(dnnl_memory_desc_init_by_tag)
#define dnnl_memory_destroy TSC_ONEDNN(dnnl_memory_destroy)
#define dnnl_memory_get_engine TSC_ONEDNN(dnnl_memory_get_engine)
#define dnnl_memory_get_memory_desc TSC_ONEDNN(dnnl_memory_get_memory_desc)
#define dnnl_primitive_attr_create TSC_ONEDNN(dnnl_primitive_attr_create)
#define dnnl_primitive_attr_destroy TSC_ONEDNN(dnnl_primitive_attr_destroy)
#define dnnl_primitive_attr_set_scratchpad_mode TSC_ONEDNN(dnnl_primitive_attr_set_scratchpad_mode)
#define dnnl_primitive_attr_set_zero_points TSC_ONEDNN(dnnl_primitive_attr_set_zero_points)
#define dnnl_primitive_create TSC_ONEDNN(dnnl_primitive_create)
#define dnnl_primitive_desc_destroy TSC_ONEDNN(dnnl_primitive_desc_destroy)
#define dnnl_primitive_desc_iterator_create TSC_ONEDNN(dnnl_primitive_desc_iterator_create)
#define dnnl_primitive_desc_iterator_destroy TSC_ONEDNN(dnnl_primitive_desc_iterator_destroy)
#define dnnl_primitive_desc_iterator_fetch TSC_ONEDNN(dnnl_primitive_desc_iterator_fetch)
#define dnnl_primitive_desc_query TSC_ONEDNN(dnnl_primitive_desc_query)
#define dnnl_primitive_desc_query_md TSC_ONEDNN(dnnl_primitive_desc_query_md)
#define dnnl_primitive_destroy TSC_ONEDNN(dnnl_primitive_destroy)
#define dnnl_primitive_execute TSC_ONEDNN(dnnl_primitive_execute)
#define dnnl_reorder_primitive_desc_create TSC_ONEDNN(dnnl_reorder_primitive_desc_create)
#define dnnl_sgemm TSC_ONEDNN(dnnl_sgemm)
#define dnnl_stream_create TSC_ONEDNN(dnnl_stream_create)
#define dnnl_stream_destroy TSC_ONEDNN(dnnl_stream_destroy)
#define dnnl_stream_wait TSC_ONEDNN(dnnl_stream_wait)
#define dnnl tscOneDnn
#include <dnnl.hpp>
#undef dnnl
namespace dnnl = tscOneDnn;

namespace tsc::cpu {

/// While it lives, oneDNN runs on the calling thread alone: parallelism is parallelFor's, and its OpenMP runtime would
/// start threads of its own.
class SingleThreadedDnn {
public:
  SingleThreadedDnn();
  ~SingleThreadedDnn();
  SingleThreadedDnn(const SingleThreadedDnn &) = delete;
  SingleThreadedDnn &operator=(const SingleThreadedDnn &) = delete;

private:
  int previous;
};

/// Returns the processor as a device of oneDNN's. It throws dnnl::error where oneDNN is missing.
inline dnnl::engine &engine() {
  static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

/// Returns the calling thread's queue of primitives.
inline dnnl::stream &threadStream() {
  struct Stream {
    dnnl::stream stream{engine()};
  };
  return threadObject<Stream>().stream;
}

} // namespace tsc::cpu

#endif
