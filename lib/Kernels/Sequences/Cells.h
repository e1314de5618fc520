//===- Cells.h - One step of recurrent cells --------------------*- C++ -*-===//
//
// What is point-wise in a step, for every instruction set (SimdCells.cpp): the
// scalar bodies of sigmoid and tanh, nothing contracted. So the cells give, bit for
// bit, what the operators give that they are made of.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_SEQUENCES_CELLS_H
#define TSC_LIB_KERNELS_SEQUENCES_CELLS_H

#include "tsc/Kernels/Recurrent.h"
#include <cstdint>

namespace tsc::cpu::cells {

/// The rows of one step, all dense. A row of gates holds those of one kind after those of another: an LSTM's are input,
/// forget, cell and output, a GRU's reset, update and new.
template <typename T> struct Step {
  int64_t rows, width;
  const T *inputGates;  ///< The products of inputs and weights, with their bias added.
  const T *hiddenGates; ///< The products of hidden states and weights, without a bias.
  const T *hiddenBias;  ///< The bias that each row of hiddenGates gets; may be null.
  const T *before;      ///< The hidden state, which a GRU reads.
  const T *cell;        ///< The cell state, which an LSTM reads.
  T *after;             ///< May be `before`.
  T *cellAfter;         ///< May be `cell`.
};

/// The step of each kind of cell: an LSTM, a GRU, and plain ones with tanh and relu.
template <typename T> struct Kernels {
  void (*lstm)(const Step<T> &step);
  void (*gru)(const Step<T> &step);
  void (*tanh)(const Step<T> &step);
  void (*relu)(const Step<T> &step);
};
/// T is float or double.
template <typename T> const Kernels<T> &kernels();

} // namespace tsc::cpu::cells

#endif
