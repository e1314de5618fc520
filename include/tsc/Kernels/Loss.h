//===- Loss.h - Loss functions ---------------------------------*- C++ -*-===//
//
// Each function is the kernel of an operator whose record in include/tsc/IR/Ops
// names it, and computes what PyTorch computes for that operator, or fails with its
// message. Arguments are those of the schema, in its order; an undefined tensor
// stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_LOSS_H
#define TSC_KERNELS_LOSS_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>
#include <vector>

namespace tsc::cpu {

StatusOr<Tensor> mseLoss(const Tensor &self, const Tensor &target, int64_t reduction);
StatusOr<Tensor> l1Loss(const Tensor &self, const Tensor &target, int64_t reduction);
StatusOr<Tensor> smoothL1Loss(const Tensor &self, const Tensor &target, int64_t reduction, double beta);
StatusOr<Tensor> huberLoss(const Tensor &self, const Tensor &target, int64_t reduction, double delta);
StatusOr<Tensor> nllLoss(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                         int64_t ignoreIndex);
StatusOr<Tensor> nllLoss2d(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                           int64_t ignoreIndex);
StatusOr<Tensor> nllLossNd(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                           int64_t ignoreIndex);
StatusOr<std::tuple<Tensor, Tensor>> nllLossForward(const Tensor &self, const Tensor &target, const Tensor &weight,
                                                    int64_t reduction, int64_t ignoreIndex);
StatusOr<std::tuple<Tensor, Tensor>> nllLoss2dForward(const Tensor &self, const Tensor &target, const Tensor &weight,
                                                      int64_t reduction, int64_t ignoreIndex);
StatusOr<Tensor> crossEntropyLoss(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                                  int64_t ignoreIndex, double labelSmoothing);
StatusOr<Tensor> binaryCrossEntropy(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction);
StatusOr<Tensor> binaryCrossEntropyWithLogits(const Tensor &self, const Tensor &target, const Tensor &weight,
                                              const Tensor &posWeight, int64_t reduction);
StatusOr<Tensor> klDiv(const Tensor &self, const Tensor &target, int64_t reduction, bool logTarget);
StatusOr<Tensor> poissonNllLoss(const Tensor &input, const Tensor &target, bool logInput, bool full, double eps,
                                int64_t reduction);
StatusOr<Tensor> cosineEmbeddingLoss(const Tensor &input1, const Tensor &input2, const Tensor &target, double margin,
                                     int64_t reduction);
StatusOr<Tensor> hingeEmbeddingLoss(const Tensor &self, const Tensor &target, double margin, int64_t reduction);
StatusOr<Tensor> marginRankingLoss(const Tensor &input1, const Tensor &input2, const Tensor &target, double margin,
                                   int64_t reduction);
StatusOr<Tensor> multiMarginLoss(const Tensor &self, const Tensor &target, const Scalar &p, const Scalar &margin,
                                 const Tensor &weight, int64_t reduction);
StatusOr<Tensor> multilabelMarginLoss(const Tensor &self, const Tensor &target, int64_t reduction);
StatusOr<std::tuple<Tensor, Tensor>> multilabelMarginLossForward(const Tensor &self, const Tensor &target,
                                                                 int64_t reduction);
StatusOr<Tensor> softMarginLoss(const Tensor &self, const Tensor &target, int64_t reduction);
StatusOr<Tensor> tripletMarginLoss(const Tensor &anchor, const Tensor &positive, const Tensor &negative, double margin,
                                   double p, double eps, bool swap, int64_t reduction);
StatusOr<Tensor> ctcLossIntList(const Tensor &logProbs, const Tensor &targets, ArrayRef<int64_t> inputLengths,
                                ArrayRef<int64_t> targetLengths, int64_t blank, int64_t reduction, bool zeroInfinity);
StatusOr<Tensor> ctcLossTensor(const Tensor &logProbs, const Tensor &targets, const Tensor &inputLengths,
                               const Tensor &targetLengths, int64_t blank, int64_t reduction, bool zeroInfinity);
StatusOr<std::tuple<Tensor, Tensor>> ctcLossForward(const Tensor &logProbs, const Tensor &targets,
                                                    ArrayRef<int64_t> inputLengths, ArrayRef<int64_t> targetLengths,
                                                    int64_t blank, bool zeroInfinity);
StatusOr<std::tuple<Tensor, Tensor>> ctcLossForwardTensor(const Tensor &logProbs, const Tensor &targets,
                                                          const Tensor &inputLengths, const Tensor &targetLengths,
                                                          int64_t blank, bool zeroInfinity);

} // namespace tsc::cpu

#endif
