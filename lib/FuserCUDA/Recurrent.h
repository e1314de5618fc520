//===- Recurrent.h - Recurrent layers on a GPU ------------------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_RECURRENT_H
#define TSC_LIB_FUSERCUDA_RECURRENT_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Tensor/Tensor.h"
#include <vector>

namespace tsc::fuser {

/// Layers of an LSTM, a GRU or an Elman network over sequences.
struct RecurrentLayers {
  enum Cell : int { Relu = 0, Tanh = 1, Lstm = 2, Gru = 3 } cell; ///< By cuDNN's numbers.
  /// Steps of a batch, [steps, batch, size]; of a packed one the rows of all steps, [rows, size].
  Tensor input;
  Tensor hidden, cells; ///< Before the first step; the latter of an LSTM alone.
  std::vector<Tensor> weights;
  std::vector<int> lengths; ///< Of each sequence, the longest first.
  bool hasBiases, isBidirectional, isPacked, isBatchFirst;
  int64_t layers;
};
/// What the operators lstm, gru, rnn_tanh and rnn_relu ask for; nullopt: the operator is none of these, or drops
/// elements out, or sizes do not fit.
std::optional<RecurrentLayers> recurrentOf(OpKind op, llvm::ArrayRef<const IValue *> args);

} // namespace tsc::fuser

#endif
