//===- Recurrent.h - Recurrent layers on a GPU ------------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_RECURRENT_H
#define TSC_LIB_KERNELSCUDA_RECURRENT_H

#include "tsc/Tensor/Tensor.h"
#include <optional>
#include <vector>

namespace tsc::fuser {

/// Layers of an LSTM, a GRU or an Elman network over sequences.
struct RecurrentLayers {
  enum Cell : int { Relu = 0, Tanh = 1, Lstm = 2, Gru = 3 } cell; ///< The numbers are cuDNN's.
  /// Steps of a batch, [steps, batch, size]; of a packed one the rows of all steps, [rows, size].
  Tensor input;
  Tensor hidden, cells; ///< What cells hold before the first step; `cells` is an LSTM's alone.
  std::vector<Tensor> weights;
  std::vector<int> lengths; ///< The sequences' lengths, the longest first.
  bool hasBiases, isBidirectional, isPacked, isBatchFirst;
  int64_t layers;
};

} // namespace tsc::fuser

namespace tsc::cuda {

// What the operators lstm, gru, rnn_tanh and rnn_relu ask for, of sequences of one length and of packed ones. Nothing
// is returned where elements are dropped out, or sizes do not fit.
std::optional<fuser::RecurrentLayers> lstm(const Tensor &input, ArrayRef<Tensor> hx, ArrayRef<Tensor> params,
                                           bool hasBiases, int64_t numLayers, double dropout, bool train,
                                           bool bidirectional, bool batchFirst);
std::optional<fuser::RecurrentLayers> lstm(const Tensor &data, const Tensor &batchSizes, ArrayRef<Tensor> hx,
                                           ArrayRef<Tensor> params, bool hasBiases, int64_t numLayers, double dropout,
                                           bool train, bool bidirectional);
std::optional<fuser::RecurrentLayers> gru(const Tensor &input, const Tensor &hx, ArrayRef<Tensor> params,
                                          bool hasBiases, int64_t numLayers, double dropout, bool train,
                                          bool bidirectional, bool batchFirst);
std::optional<fuser::RecurrentLayers> gru(const Tensor &data, const Tensor &batchSizes, const Tensor &hx,
                                          ArrayRef<Tensor> params, bool hasBiases, int64_t numLayers, double dropout,
                                          bool train, bool bidirectional);
std::optional<fuser::RecurrentLayers> tanhLayers(const Tensor &input, const Tensor &hx, ArrayRef<Tensor> params,
                                                 bool hasBiases, int64_t numLayers, double dropout, bool train,
                                                 bool bidirectional, bool batchFirst);
std::optional<fuser::RecurrentLayers> tanhLayers(const Tensor &data, const Tensor &batchSizes, const Tensor &hx,
                                                 ArrayRef<Tensor> params, bool hasBiases, int64_t numLayers,
                                                 double dropout, bool train, bool bidirectional);
std::optional<fuser::RecurrentLayers> reluLayers(const Tensor &input, const Tensor &hx, ArrayRef<Tensor> params,
                                                 bool hasBiases, int64_t numLayers, double dropout, bool train,
                                                 bool bidirectional, bool batchFirst);
std::optional<fuser::RecurrentLayers> reluLayers(const Tensor &data, const Tensor &batchSizes, const Tensor &hx,
                                                 ArrayRef<Tensor> params, bool hasBiases, int64_t numLayers,
                                                 double dropout, bool train, bool bidirectional);

} // namespace tsc::cuda

#endif
