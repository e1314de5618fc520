//===- OneDnn.h - What our uses of oneDNN share -----------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_ONEDNN_H
#define TSC_LIB_KERNELS_ONEDNN_H

#include "tsc/Support/ThreadExit.h"
#include <dnnl.hpp>

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

/// Returns the processor as a device of oneDNN's.
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
