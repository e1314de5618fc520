//===- Parallel.h - Threads ----------------------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_PARALLEL_H
#define TSC_TORCH_ATEN_PARALLEL_H
#include <c10/util/Exception.h>
#include <sstream>
#include <tsc-torch/Handles.h>

namespace at {
inline namespace tsc_torch {

/// Threads that operators and modules use, from the next call on: 1 until this is called. Bits of results do not depend
/// on it.
inline void set_num_threads(int threads) {
  TORCH_CHECK(threads > 0, "Expected positive number of threads");
  tsc_torch_detail::check(tsc_set_threads(threads < 1024 ? threads : 1024));
}
inline int get_num_threads() { return tsc_threads(); }
/// Accepted, and without effect: forks of a program have threads of their own.
inline void set_num_interop_threads(int threads) { TORCH_CHECK(threads > 0, "Expected positive number of threads"); }
inline size_t get_num_interop_threads() { return 1; }
inline void init_num_threads() {}
inline void lazy_init_num_threads() {}
inline int get_thread_num() { return 0; }
inline bool in_parallel_region() { return false; }
inline std::string get_parallel_info() {
  return c10::str("tsc ", tsc_version(), "\nat::get_num_threads() : ", get_num_threads(),
                  "\nat::get_num_interop_threads() : ", get_num_interop_threads(), "\n");
}
/// Calls the function on the whole range, in the calling thread.
template <typename F> void parallel_for(int64_t begin, int64_t end, int64_t, const F &function) {
  if (begin < end)
    function(begin, end);
}

} // namespace tsc_torch
} // namespace at

#endif
