//===- NeuralNet.h - Activations with parameters, segments ------*- C++ -*-===//
//
// Each function is the kernel of an operator whose record in include/tsc/IR/Ops
// names it, and computes what PyTorch computes for that operator, or fails with its
// message. Arguments are those of the schema, in its order; an undefined tensor
// stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_NEURALNET_H
#define TSC_KERNELS_NEURALNET_H

#include "tsc/Tensor/Generator.h"
#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/StringRef.h"

namespace tsc::cpu {

StatusOr<Tensor> prelu(const Tensor &self, const Tensor &weight);
StatusOr<Tensor> rrelu(Generator &generator, const Tensor &self, const Scalar &lower, const Scalar &upper,
                       bool training);
StatusOr<Tensor> segmentReduce(const Tensor &data, llvm::StringRef reduce, const Tensor &lengths, const Tensor &indices,
                               const Tensor &offsets, int64_t axis, bool unsafe, std::optional<Scalar> initial);

} // namespace tsc::cpu

#endif
