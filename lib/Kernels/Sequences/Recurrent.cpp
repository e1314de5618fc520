//===- Recurrent.cpp - LSTM, GRU and Elman networks -----------------------===//
//
// A layer first multiplies the whole sequence by the input weights, then steps
// through time with one product and one pass over the gates. A padded batch is a
// packed one whose steps all have the same size.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Recurrent.h"
#include "Cells.h"
#include "Products/Gemm.h"
#include "Support/Compute.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Kernels/Random.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/LongLivedTensors.h"
#include <algorithm>

using namespace tsc;
using namespace tsc::cpu;

namespace {
/// The weights of one direction of one layer.
struct CellWeights {
  Tensor inputWeight, hiddenWeight, inputBias, hiddenBias, projection;
};

/// A sequence as rows: step t is the next batchSizes[t] rows. Batch sizes never grow.
struct Sequence {
  Tensor rows;
  ArrayRef<int64_t> batchSizes; ///< Others own them.
};

struct State {
  Tensor h, c; ///< c of an LSTM only.
};
} // namespace

static int64_t gateCount(CellKind kind) { return kind == CellKind::Lstm ? 4 : kind == CellKind::Gru ? 3 : 1; }

/// The product of hidden states with the weights, for the steps of one sequence.
class HiddenProduct {
public:
  /// `rows`: that a step has at most.
  static StatusOr<HiddenProduct> make(const Tensor &weight, int64_t rows, int64_t steps) {
    constexpr int64_t fewRows = 3, mostSteps = 4;
    HiddenProduct product(weight);
    if (rows <= fewRows && steps >= mostSteps) { // row by row of what each element of the state is multiplied by
      TSC_ASSIGN_OR_RETURN(Tensor transposed, t(weight));
      TSC_ASSIGN_OR_RETURN(product.matrix, contiguous(transposed));
      product.isTransposed = true;
    } else if (steps > 1) {
      product.isKept = true;
    }
    return product;
  }
  /// For the time of the steps: what is packed once serves them all.
  void keepIn(LongLivedTensors &tensors) const {
    if (isKept)
      tensors.add(matrix);
  }
  /// out[rows, outputs] = state[rows, inputs] * weight^T, all dense.
  Status multiply(int64_t rows, const void *state, void *out) const {
    const int64_t outputs = matrix.size(isTransposed ? 1 : 0), inputs = matrix.size(isTransposed ? 0 : 1);
    const MatrixRef right{matrix.data(), isTransposed ? outputs : 1, isTransposed ? 1 : inputs, 0, &matrix, isKept};
    return gemm(matrix.dtype(), 1, rows, outputs, inputs, {state, inputs, 1}, right, {out, outputs}, GemmMode::Assign);
  }

private:
  explicit HiddenProduct(Tensor weight) : matrix(std::move(weight)) {}
  Tensor matrix;
  bool isTransposed = false, isKept = false;
};

template <typename T> static void runStep(CellKind kind, const cells::Step<T> &step) {
  const cells::Kernels<T> &kernels = cells::kernels<T>();
  switch (kind) {
  case CellKind::Lstm: return kernels.lstm(step);
  case CellKind::Gru: return kernels.gru(step);
  case CellKind::Tanh: return kernels.tanh(step);
  case CellKind::Relu: return kernels.relu(step);
  }
}

static Status checkCell(CellKind kind, const Tensor &input, const Tensor &h, const CellWeights &w) {
  for (const Tensor *t : {&input, &h, &w.inputWeight, &w.hiddenWeight})
    if (t->dim() != 2)
      return invalidArgument("expected a 2-D tensor in a recurrent cell, but got " + llvm::Twine(t->dim()) + "-D");
  if (input.size(1) != w.inputWeight.size(1))
    return invalidArgument("input has inconsistent input_size: got " + llvm::Twine(input.size(1)) + ", expected " +
                           llvm::Twine(w.inputWeight.size(1)));
  int64_t gates = w.hiddenWeight.size(0);
  if (gates % gateCount(kind) != 0 || w.inputWeight.size(0) != gates || h.size(1) != w.hiddenWeight.size(1))
    return invalidArgument("hidden has inconsistent hidden_size: got " + llvm::Twine(h.size(1)) + ", expected " +
                           llvm::Twine(w.hiddenWeight.size(1)));
  int64_t width = gates / gateCount(kind), out = w.projection.defined() ? w.projection.size(0) : width;
  if (out != h.size(1))
    return invalidArgument("hidden has inconsistent hidden_size: got " + llvm::Twine(h.size(1)) + ", expected " +
                           llvm::Twine(out));
  return okStatus();
}

static StatusOr<CellWeights> densified(const CellWeights &w, DType work) {
  CellWeights out;
  auto convert = [&](const Tensor &from, Tensor &to) -> Status {
    if (from.defined()) {
      TSC_ASSIGN_OR_RETURN(to, dense(from, work));
    }
    return okStatus();
  };
  TSC_RETURN_IF_ERROR(convert(w.inputWeight, out.inputWeight));
  TSC_RETURN_IF_ERROR(convert(w.hiddenWeight, out.hiddenWeight));
  TSC_RETURN_IF_ERROR(convert(w.inputBias, out.inputBias));
  TSC_RETURN_IF_ERROR(convert(w.hiddenBias, out.hiddenBias));
  TSC_RETURN_IF_ERROR(convert(w.projection, out.projection));
  return out;
}

/// The steps of one direction of one layer; the state is written in place.
template <typename T>
static Status runSteps(CellKind kind, const Sequence &seq, const Tensor &gates, const CellWeights &w, bool reverse,
                       State &state, Tensor &outputs) {
  const int64_t steps = seq.batchSizes.size(), batch = state.h.size(0), hiddenSize = state.h.size(1);
  const int64_t gatesPerRow = gates.size(1), width = gatesPerRow / gateCount(kind);
  TSC_ASSIGN_OR_RETURN(HiddenProduct product, HiddenProduct::make(w.hiddenWeight, batch, steps));
  TSC_ASSIGN_OR_RETURN(Tensor hiddenGates, Tensor::empty({batch, gatesPerRow}, gates.dtype()));
  std::optional<HiddenProduct> projection;
  Tensor unprojected;
  if (w.projection.defined()) {
    TSC_ASSIGN_OR_RETURN(projection, HiddenProduct::make(w.projection, batch, steps));
    TSC_ASSIGN_OR_RETURN(unprojected, Tensor::empty({batch, width}, gates.dtype()));
  }
  LongLivedTensors weights;
  product.keepIn(weights);
  if (projection)
    projection->keepIn(weights);
  T *h = state.h.mutableData<T>(), *c = state.c.defined() ? state.c.mutableData<T>() : nullptr;
  cells::Step<T> step{};
  step.width = width;
  step.hiddenGates = hiddenGates.data<T>();
  Tensor biasRows; // a bias of another shape, which broadcasts
  if (w.hiddenBias.defined() && w.hiddenBias.sizes() != ArrayRef<int64_t>(gatesPerRow)) {
    TSC_ASSIGN_OR_RETURN(biasRows, expand(w.hiddenBias, {batch, gatesPerRow}));
    TSC_ASSIGN_OR_RETURN(biasRows, contiguous(biasRows));
  } else if (w.hiddenBias.defined()) {
    step.hiddenBias = w.hiddenBias.data<T>();
  }
  step.before = h;
  step.after = projection ? unprojected.mutableData<T>() : h;
  step.cell = step.cellAfter = c;
  int64_t row = reverse ? gates.size(0) : 0; // rows of sequences that have ended, or not begun, stay as they are
  for (int64_t i = 0; i != steps; ++i) {
    step.rows = seq.batchSizes[reverse ? steps - 1 - i : i];
    row -= reverse ? step.rows : 0;
    step.inputGates = gates.data<T>() + row * gatesPerRow;
    TSC_RETURN_IF_ERROR(product.multiply(step.rows, h, hiddenGates.mutableData()));
    for (int64_t k = 0, count = biasRows.defined() ? step.rows * gatesPerRow : 0; k != count; ++k)
      hiddenGates.mutableData<T>()[k] += biasRows.data<T>()[k];
    runStep(kind, step);
    if (projection)
      TSC_RETURN_IF_ERROR(projection->multiply(step.rows, step.after, h));
    std::copy_n(h, step.rows * hiddenSize, outputs.mutableData<T>() + row * hiddenSize);
    row += reverse ? 0 : step.rows;
  }
  return okStatus();
}

/// One direction of one layer. `initial` has a row for each sequence; returns all outputs and the last state of each.
static StatusOr<std::pair<Tensor, State>> runDirection(CellKind kind, const Sequence &seq, const State &initial,
                                                       const CellWeights &w, bool reverse) {
  TSC_ASSIGN_OR_RETURN(Tensor gates, linear(seq.rows, w.inputWeight, w.inputBias));
  TSC_ASSIGN_OR_RETURN(Tensor outputs, Tensor::empty({seq.rows.size(0), initial.h.size(1)}, gates.dtype()));
  State state;
  TSC_ASSIGN_OR_RETURN(state.h, clone(initial.h, MemoryFormat::Contiguous));
  if (initial.c.defined()) { // which may broadcast
    TSC_ASSIGN_OR_RETURN(state.c, expand(initial.c, {state.h.size(0), gates.size(1) / gateCount(kind)}));
    TSC_ASSIGN_OR_RETURN(state.c, clone(state.c, MemoryFormat::Contiguous));
  }
  Status status = okStatus();
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(gates.dtype(), [&](auto tag) {
    status = runSteps<typename decltype(tag)::Type>(kind, seq, gates, w, reverse, state, outputs);
  }));
  TSC_RETURN_IF_ERROR(status);
  return std::make_pair(outputs, state);
}

namespace {
/// What the `input` and `data` overloads of every network share.
struct Network {
  CellKind kind;
  ArrayRef<Tensor> params;
  bool hasBiases, bidirectional, train;
  int64_t layers;
  double dropout;
};
struct NetworkResult {
  Tensor rows;
  State last; ///< Stacked: [layers * directions, batch, width].
};
} // namespace

/// Weights in PyTorch's flat order.
static StatusOr<std::vector<CellWeights>> gatherWeights(const Network &net, bool projections) {
  size_t each = 2 + (net.hasBiases ? 2 : 0) + projections;
  const bool mayFit = net.layers > 0 && static_cast<uint64_t>(net.layers) <= net.params.size(); // products are numbers
  int64_t cells = mayFit ? net.layers * (net.bidirectional ? 2 : 1) : 0;
  if (cells == 0 || net.params.size() != each * static_cast<size_t>(cells))
    return invalidArgument("got an incorrect number of RNN parameters");
  std::vector<CellWeights> out;
  for (int64_t i = 0; i < cells; ++i) {
    const Tensor *p = net.params.data() + i * each;
    CellWeights w;
    w.inputWeight = *p++;
    w.hiddenWeight = *p++;
    if (net.hasBiases) {
      w.inputBias = *p++;
      w.hiddenBias = *p++;
    }
    if (projections)
      w.projection = *p;
    out.push_back(w);
  }
  return out;
}

static StatusOr<NetworkResult> runNetwork(Generator &generator, const Network &net, Sequence seq, const Tensor &hx,
                                          const Tensor &cx) {
  int64_t directions = net.bidirectional ? 2 : 1;
  bool projections = cx.defined() && cx.dim() == 3 && hx.dim() == 3 && cx.size(2) != hx.size(2);
  TSC_ASSIGN_OR_RETURN(std::vector<CellWeights> weights, gatherWeights(net, projections));
  if (hx.dim() != 3 || hx.size(0) != net.layers * directions ||
      (cx.defined() && (cx.dim() != 3 || cx.size(0) != hx.size(0))))
    return invalidArgument("Expected hidden size " +
                           shapeString({net.layers * directions, seq.batchSizes.empty() ? 0 : seq.batchSizes[0],
                                        hx.dim() ? hx.sizes().back() : 0}) +
                           ", got " + shapeString(hx.sizes()));
  int64_t batch = hx.size(1);
  if (seq.batchSizes.empty() || seq.batchSizes[0] != batch)
    return invalidArgument("Expected hidden size [" + llvm::Twine(hx.size(0)) + ", " +
                           llvm::Twine(seq.batchSizes.empty() ? 0 : seq.batchSizes[0]) + ", " +
                           llvm::Twine(hx.size(2)) + "], got " + shapeString(hx.sizes()));
  DType type = seq.rows.dtype(), work = workType(type);
  if (!isFloating(type))
    return detail::dtypeNotImplemented("rnn", type);
  for (const Tensor &p : net.params)
    TSC_RETURN_IF_ERROR(checkSameDType(seq.rows, p));
  TSC_ASSIGN_OR_RETURN(seq.rows, dense(seq.rows, work));
  std::vector<Tensor> lastH, lastC;
  for (int64_t layer = 0; layer < net.layers; ++layer) {
    std::vector<Tensor> outputs;
    for (int64_t d = 0; d < directions; ++d) {
      int64_t cell = layer * directions + d;
      TSC_ASSIGN_OR_RETURN(CellWeights w, densified(weights[cell], work));
      State initial;
      TSC_ASSIGN_OR_RETURN(initial.h, select(hx, 0, cell));
      TSC_ASSIGN_OR_RETURN(initial.h, dense(initial.h, work));
      if (cx.defined()) {
        TSC_ASSIGN_OR_RETURN(initial.c, select(cx, 0, cell));
        TSC_ASSIGN_OR_RETURN(initial.c, dense(initial.c, work));
      }
      TSC_RETURN_IF_ERROR(checkCell(net.kind, seq.rows, initial.h, w));
      TSC_ASSIGN_OR_RETURN(auto result, runDirection(net.kind, seq, initial, w, d == 1));
      outputs.push_back(result.first);
      lastH.push_back(result.second.h);
      if (cx.defined())
        lastC.push_back(result.second.c);
    }
    seq.rows = outputs[0];
    if (directions == 2) {
      TSC_ASSIGN_OR_RETURN(seq.rows, cat(outputs, 1));
    }
    if (net.dropout != 0 && net.train && layer + 1 != net.layers) {
      TSC_ASSIGN_OR_RETURN(seq.rows, dropout(generator, seq.rows, net.dropout, true));
    }
  }
  NetworkResult out;
  TSC_ASSIGN_OR_RETURN(out.rows, toDType(seq.rows, type));
  TSC_ASSIGN_OR_RETURN(out.last.h, stack(lastH, 0));
  TSC_ASSIGN_OR_RETURN(out.last.h, toDType(out.last.h, type));
  if (cx.defined()) {
    TSC_ASSIGN_OR_RETURN(out.last.c, stack(lastC, 0));
    TSC_ASSIGN_OR_RETURN(out.last.c, toDType(out.last.c, type));
  }
  return out;
}

static ArrayRef<int64_t> elementsOf(const Tensor &sizes) {
  return {sizes.data<int64_t>(), static_cast<size_t>(sizes.numel())};
}

/// [time, batch, features] (or batch first) as rows, and back.
static StatusOr<NetworkResult> runPadded(Generator &generator, const Network &net, const Tensor &input,
                                         const Tensor &hx, const Tensor &cx, bool batchFirst) {
  if (input.dim() != 3)
    return invalidArgument("input must have 3 dimensions, got " + llvm::Twine(input.dim()));
  Tensor x = input;
  if (batchFirst) {
    TSC_ASSIGN_OR_RETURN(x, transpose(input, 0, 1));
  }
  int64_t steps = x.size(0), batch = x.size(1);
  if (steps == 0)
    return invalidArgument("Expected sequence length to be larger than 0 in RNN");
  TSC_ASSIGN_OR_RETURN(x, contiguous(x));
  TSC_ASSIGN_OR_RETURN(const Tensor rows, view(x, {steps * batch, x.size(2)}));
  // Steps of no sequence are as one: there may be any number.
  TSC_ASSIGN_OR_RETURN(const Tensor sizes, full({batch == 0 ? 1 : steps}, Scalar(batch), DType::Int64));
  TSC_ASSIGN_OR_RETURN(NetworkResult out, runNetwork(generator, net, Sequence{rows, elementsOf(sizes)}, hx, cx));
  TSC_ASSIGN_OR_RETURN(out.rows, view(out.rows, {steps, batch, out.rows.size(1)}));
  if (batchFirst) {
    TSC_ASSIGN_OR_RETURN(out.rows, transpose(out.rows, 0, 1));
  }
  return out;
}

static StatusOr<NetworkResult> runPacked(Generator &generator, const Network &net, const Tensor &data,
                                         const Tensor &batchSizes, const Tensor &hx, const Tensor &cx) {
  if (data.dim() != 2)
    return invalidArgument("input must have 2 dimensions, got " + llvm::Twine(data.dim()));
  TSC_ASSIGN_OR_RETURN(Tensor sizes, dense(batchSizes, DType::Int64));
  const Sequence seq{data, elementsOf(sizes)};
  int64_t total = 0;
  for (size_t t = 0; t != seq.batchSizes.size(); ++t) {
    if (seq.batchSizes[t] <= 0 || (t && seq.batchSizes[t] > seq.batchSizes[t - 1]))
      return invalidArgument("batch_sizes of a packed sequence must be positive and never grow");
    total += seq.batchSizes[t];
  }
  if (total != data.size(0))
    return invalidArgument("batch_sizes of a packed sequence add up to " + llvm::Twine(total) + ", but it has " +
                           llvm::Twine(data.size(0)) + " rows");
  return runNetwork(generator, net, seq, hx, cx);
}

using Pair = StatusOr<std::tuple<Tensor, Tensor>>;
using Triple = StatusOr<std::tuple<Tensor, Tensor, Tensor>>;

static Pair pairOf(StatusOr<NetworkResult> r) {
  TSC_RETURN_IF_ERROR(r.status());
  return std::make_tuple(r->rows, r->last.h);
}
static Triple tripleOf(StatusOr<NetworkResult> r) {
  TSC_RETURN_IF_ERROR(r.status());
  return std::make_tuple(r->rows, r->last.h, r->last.c);
}

Triple tsc::cpu::lstmInput(Generator &generator, const Tensor &input, ArrayRef<Tensor> hx, ArrayRef<Tensor> params,
                           bool hasBiases, int64_t numLayers, double dropout, bool train, bool bidirectional,
                           bool batchFirst) {
  if (hx.size() != 2)
    return invalidArgument("lstm expects two hidden states");
  Network net{CellKind::Lstm, params, hasBiases, bidirectional, train, numLayers, dropout};
  return tripleOf(runPadded(generator, net, input, hx[0], hx[1], batchFirst));
}
Triple tsc::cpu::lstmData(Generator &generator, const Tensor &data, const Tensor &batchSizes, ArrayRef<Tensor> hx,
                          ArrayRef<Tensor> params, bool hasBiases, int64_t numLayers, double dropout, bool train,
                          bool bidirectional) {
  if (hx.size() != 2)
    return invalidArgument("lstm expects two hidden states");
  Network net{CellKind::Lstm, params, hasBiases, bidirectional, train, numLayers, dropout};
  return tripleOf(runPacked(generator, net, data, batchSizes, hx[0], hx[1]));
}
Pair tsc::cpu::rnnInput(CellKind kind, Generator &generator, const Tensor &input, const Tensor &hx,
                        ArrayRef<Tensor> params, bool hasBiases, int64_t numLayers, double dropout, bool train,
                        bool bidirectional, bool batchFirst) {
  Network net{kind, params, hasBiases, bidirectional, train, numLayers, dropout};
  return pairOf(runPadded(generator, net, input, hx, Tensor(), batchFirst));
}
Pair tsc::cpu::rnnData(CellKind kind, Generator &generator, const Tensor &data, const Tensor &batchSizes,
                       const Tensor &hx, ArrayRef<Tensor> params, bool hasBiases, int64_t numLayers, double dropout,
                       bool train, bool bidirectional) {
  Network net{kind, params, hasBiases, bidirectional, train, numLayers, dropout};
  return pairOf(runPacked(generator, net, data, batchSizes, hx, Tensor()));
}

static StatusOr<State> runCell(CellKind kind, const Tensor &input, const Tensor &hx, const Tensor &cx,
                               const CellWeights &weights) {
  // A single row is a batch of one.
  if (input.dim() == 1 && hx.dim() == 1) {
    TSC_ASSIGN_OR_RETURN(Tensor x, unsqueeze(input, 0));
    TSC_ASSIGN_OR_RETURN(Tensor h, unsqueeze(hx, 0));
    Tensor c = cx;
    if (cx.defined()) {
      TSC_ASSIGN_OR_RETURN(c, unsqueeze(cx, 0));
    }
    TSC_ASSIGN_OR_RETURN(State out, runCell(kind, x, h, c, weights));
    TSC_ASSIGN_OR_RETURN(out.h, squeezeDim(out.h, 0));
    if (out.c.defined()) {
      TSC_ASSIGN_OR_RETURN(out.c, squeezeDim(out.c, 0));
    }
    return out;
  }
  DType type = input.dtype(), work = workType(type);
  if (!isFloating(type))
    return detail::dtypeNotImplemented("rnn", type);
  for (auto [rows, weight] : {std::pair(&input, &weights.inputWeight), std::pair(&hx, &weights.hiddenWeight)})
    if (rows->dtype() != weight->dtype())
      return invalidArgument("mat1 and mat2 must have the same dtype, but got " + dtypeText(rows->dtype()) + " and " +
                             dtypeText(weight->dtype()));
  TSC_ASSIGN_OR_RETURN(CellWeights w, densified(weights, work));
  TSC_RETURN_IF_ERROR(checkCell(kind, input, hx, w));
  if (input.size(0) != hx.size(0) || (cx.defined() && cx.sizes() != hx.sizes()))
    return invalidArgument("Input batch size " + llvm::Twine(input.size(0)) + " doesn't match hidden0 batch size " +
                           llvm::Twine(hx.size(0)));
  State old;
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(input, work));
  TSC_ASSIGN_OR_RETURN(old.h, dense(hx, work));
  if (cx.defined()) {
    TSC_ASSIGN_OR_RETURN(old.c, dense(cx, work));
  }
  const int64_t batch = x.size(0);
  const Sequence one{x, batch};
  TSC_ASSIGN_OR_RETURN(auto result, runDirection(kind, one, old, w, /*reverse=*/false));
  State next = result.second;
  TSC_ASSIGN_OR_RETURN(next.h, toDType(next.h, type));
  if (next.c.defined()) {
    TSC_ASSIGN_OR_RETURN(next.c, toDType(next.c, type));
  }
  return next;
}

Pair tsc::cpu::lstmCell(const Tensor &input, ArrayRef<Tensor> hx, const Tensor &wIh, const Tensor &wHh,
                        const Tensor &bIh, const Tensor &bHh) {
  if (hx.size() != 2)
    return invalidArgument("lstm_cell expects two hidden states");
  TSC_ASSIGN_OR_RETURN(State next, runCell(CellKind::Lstm, input, hx[0], hx[1], {wIh, wHh, bIh, bHh, {}}));
  return std::make_tuple(next.h, next.c);
}
StatusOr<Tensor> tsc::cpu::rnnCell(CellKind kind, const Tensor &input, const Tensor &hx, const Tensor &wIh,
                                   const Tensor &wHh, const Tensor &bIh, const Tensor &bHh) {
  TSC_ASSIGN_OR_RETURN(State next, runCell(kind, input, hx, Tensor(), {wIh, wHh, bIh, bHh, {}}));
  return next.h;
}

/// What the views of one step are worth, in elementary operations.
static constexpr int64_t costOfViews = 64;

Pair tsc::cpu::packPaddedSequence(const Tensor &input, const Tensor &lengths, bool batchFirst) {
  if (input.dim() < 2)
    return invalidArgument("Expected `input` to have at least 2 dimensions");
  Tensor x = input;
  if (batchFirst) {
    TSC_ASSIGN_OR_RETURN(x, transpose(input, 0, 1));
  }
  if (lengths.numel() == 0 || lengths.dim() != 1 || lengths.size(0) != x.size(1))
    return invalidArgument("Expected `len(lengths)` to be equal to batch_size, but got " +
                           llvm::Twine(lengths.numel()) + " (batch_size=" + llvm::Twine(x.size(1)) + ")");
  TSC_ASSIGN_OR_RETURN(Tensor sorted, dense(lengths, DType::Int64));
  const int64_t *n = sorted.data<int64_t>();
  int64_t batch = sorted.numel();
  for (int64_t i = 0; i < batch; ++i) {
    if (i && n[i] > n[i - 1])
      return invalidArgument(
          "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
          "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do "
          "not need ONNX exportability.");
    if (n[i] <= 0)
      return invalidArgument(
          "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0");
  }
  if (n[0] > x.size(0))
    return invalidArgument("Expected the largest length to be at most " + llvm::Twine(x.size(0)) + ", but got " +
                           llvm::Twine(n[0]));
  TSC_ASSIGN_OR_RETURN(Tensor sizes, Tensor::empty({n[0]}, DType::Int64));
  std::vector<Tensor> pieces;
  int64_t rows = batch; // of those that are longer than t; lengths descend
  work::LongLoop turns(costOfViews);
  for (int64_t t = 0; t < n[0]; ++t) {
    if (!turns.goOn())
      return work::stopped();
    while (rows > 0 && n[rows - 1] <= t)
      --rows;
    sizes.mutableData<int64_t>()[t] = rows;
    TSC_ASSIGN_OR_RETURN(Tensor now, select(x, 0, t));
    TSC_ASSIGN_OR_RETURN(now, narrow(now, 0, 0, rows));
    pieces.push_back(now);
  }
  TSC_ASSIGN_OR_RETURN(Tensor data, cat(pieces, 0));
  return std::make_tuple(data, sizes);
}

Pair tsc::cpu::padPackedSequence(const Tensor &data, const Tensor &batchSizes, bool batchFirst,
                                 const Scalar &paddingValue, int64_t totalLength) {
  TSC_ASSIGN_OR_RETURN(Tensor sizes, dense(batchSizes, DType::Int64));
  int64_t steps = sizes.numel(), length = steps;
  if (data.dim() == 0 || steps == 0)
    return invalidArgument("batch_sizes can not be empty");
  const int64_t *n = sizes.data<int64_t>();
  int64_t batch = n[0], offset = 0;
  if (totalLength > 0) {
    if (totalLength < length)
      return invalidArgument(
          "Expected total_length to be at least the length of the longest sequence in input, but got total_length=" +
          llvm::Twine(totalLength) + " and max sequence length being " + llvm::Twine(length));
    length = totalLength;
  }
  if (batch < 0)
    return invalidArgument("batch_sizes must not be negative");
  Dims shape{length, batch};
  shape.append(data.sizes().begin() + 1, data.sizes().end());
  TSC_ASSIGN_OR_RETURN(Tensor out, full(shape, paddingValue, data.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor lengths, zeros({batch}, DType::Int64));
  work::LongLoop turns(costOfViews);
  for (int64_t t = 0; t < steps; ++t) {
    if (!turns.goOn())
      return work::stopped();
    if (n[t] < 0 || n[t] > batch || (t && n[t] > n[t - 1]) || offset + n[t] > data.size(0))
      return invalidArgument("batch_sizes of a packed sequence must be positive and never grow");
    TSC_ASSIGN_OR_RETURN(Tensor to, select(out, 0, t));
    TSC_ASSIGN_OR_RETURN(to, narrow(to, 0, 0, n[t]));
    TSC_ASSIGN_OR_RETURN(Tensor from, narrow(data, 0, offset, n[t]));
    TSC_RETURN_IF_ERROR(copyInto(to, from));
    for (int64_t b = 0; b < n[t]; ++b)
      ++lengths.mutableData<int64_t>()[b];
    offset += n[t];
  }
  if (batchFirst) {
    TSC_ASSIGN_OR_RETURN(out, transpose(out, 0, 1));
  }
  return std::make_tuple(out, lengths);
}
