//===- OneDnn.h - What our uses of oneDNN share -----------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_ONEDNN_H
#define TSC_LIB_KERNELS_ONEDNN_H

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

} // namespace tsc::cpu

#endif
