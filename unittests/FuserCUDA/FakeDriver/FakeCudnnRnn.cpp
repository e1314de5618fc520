//===- FakeCudnnRnn.cpp - cuDNN's recurrent layers, without a GPU ----------===//
//
// As FakeCudnn.cpp. Weights lie in an order of the fake library's own: of each cell the
// parts from the last to the first, each with its bias in front.
//
//===----------------------------------------------------------------------===//
#include "FakeCudnn.h"
#include <cmath>

using namespace fake;

namespace {
constexpr size_t workspaceWanted = 1 << 10;
enum Cell { Relu, Tanh, Lstm, Gru };
struct Dropout {
  bool isSet = false;
};
struct Data {
  int type = 0, layout = 0, steps = 0, batch = 0, size = 0;
  std::vector<int> lengths;
  int64_t rows() const {
    int64_t sum = 0;
    for (int length : lengths)
      sum += length;
    return layout == 1 ? sum : int64_t{steps} * batch;
  }
  int64_t rowOf(int step, int sequence) const {
    if (layout != 1)
      return int64_t{step} * batch + sequence;
    int64_t row = sequence; // of the packed: those of earlier steps are before
    for (int length : lengths)
      row += std::min(length, step);
    return row;
  }
};
struct Rnn {
  int cell = 0, bias = 0, directions = 1, type = 0, in = 0, width = 0, out = 0, layers = 0;

  int gates() const { return cell == Lstm ? 4 : cell == Gru ? 3 : 1; }
  int parts() const { return 2 * gates() + (out != width); }
  int inputOf(int cellNumber) const { return cellNumber < directions ? in : out * directions; }
  int rows(int part) const { return part == 2 * gates() ? out : width; }
  int columns(int cellNumber, int part) const {
    return part == 2 * gates() ? width : part < gates() ? inputOf(cellNumber) : out;
  }
  bool hasBias(int part) const { return bias == 2 && part < 2 * gates(); }
  /// Elements of a cell's part and its bias, which is in front.
  int64_t elements(int cellNumber, int part) const {
    return int64_t{rows(part)} * columns(cellNumber, part) + (hasBias(part) ? rows(part) : 0);
  }
  int64_t offset(int cellNumber, int part) const {
    int64_t at = 0;
    for (int c = 0; c <= cellNumber; ++c)
      for (int p = parts(); p-- != (c == cellNumber ? part + 1 : 0);)
        at += elements(c, p);
    return at;
  }
  int64_t allElements() const { return offset(layers * directions - 1, -1); }
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// One cell at work on one sequence.
struct Step {
  const Rnn &rnn;
  Number type;
  const void *weights;
  int cell;

  std::vector<double> times(int part, const std::vector<double> &v) const {
    const int64_t at = rnn.offset(cell, part), rows = rnn.rows(part), columns = rnn.columns(cell, part);
    const int64_t matrix = at + (rnn.hasBias(part) ? rows : 0);
    std::vector<double> product(static_cast<size_t>(rows));
    for (int64_t r = 0; r != rows; ++r) {
      double sum = rnn.hasBias(part) ? load(weights, type, at + r) : 0;
      for (int64_t c = 0; c != columns; ++c)
        sum += load(weights, type, matrix + r * columns + c) * v[static_cast<size_t>(c)];
      product[static_cast<size_t>(r)] = sum;
    }
    return product;
  }
  void run(const std::vector<double> &x, std::vector<double> &h, std::vector<double> &c) const {
    std::vector<std::vector<double>> in, state;
    const int gates = rnn.gates();
    for (int g = 0; g != gates; ++g)
      in.push_back(times(g, x)), state.push_back(times(gates + g, h));
    std::vector<double> next(static_cast<size_t>(rnn.width));
    for (size_t i = 0; i != next.size(); ++i) {
      auto both = [&](size_t g) { return in[g][i] + state[g][i]; };
      switch (rnn.cell) {
      case Relu: next[i] = std::max(0.0, both(0)); break;
      case Tanh: next[i] = std::tanh(both(0)); break;
      case Lstm:
        c[i] = sigmoid(both(1)) * c[i] + sigmoid(both(0)) * std::tanh(both(2));
        next[i] = sigmoid(both(3)) * std::tanh(c[i]);
        break;
      default: {
        const double fresh = std::tanh(in[2][i] + sigmoid(both(0)) * state[2][i]), keeps = sigmoid(both(1));
        next[i] = (1 - keeps) * fresh + keeps * h[i];
      }
      }
    }
    h = rnn.out == rnn.width ? next : times(2 * gates, next);
  }
};
} // namespace

OBJECT(cudnnCreateDropoutDescriptor, cudnnDestroyDropoutDescriptor, Dropout)
OBJECT(cudnnCreateRNNDescriptor, cudnnDestroyRNNDescriptor, Rnn)
OBJECT(cudnnCreateRNNDataDescriptor, cudnnDestroyRNNDataDescriptor, Data)

EXPORT int cudnnSetDropoutDescriptor(Dropout *dropout, Handle *, float probability, void *states, size_t stateBytes,
                                     unsigned long long) {
  BEGIN
  if (probability != 0 || states || stateBytes != 0)
    complain("a dropout that drops");
  dropout->isSet = true;
  return 0;
}
EXPORT int cudnnSetRNNDescriptor_v8(Rnn *rnn, int algorithm, int cell, int bias, int direction, int input, int type,
                                    int precision, int math, int32_t in, int32_t width, int32_t out, int32_t layers,
                                    Dropout *dropout, uint32_t flags) {
  BEGIN
  if (algorithm != 0 || cell < 0 || cell > 3 || (bias != 0 && bias != 2) || direction < 0 || direction > 1 ||
      input != 0 || in < 1 || width < 1 || out < 1 || out > width || layers < 1 || !dropout->isSet || flags > 1)
    complain("a descriptor of no recurrent layers");
  if (precision != (type == 1 ? 1 : 0) || math != (type == 1 ? 0 : type == 0 ? 3 : 1))
    complain("recurrent layers of another precision");
  *rnn = {cell, bias, direction + 1, type, in, width, out, layers};
  return 0;
}
EXPORT int cudnnSetRNNDataDescriptor(Data *data, int type, int layout, int steps, int batch, int size,
                                     const int *lengths, void *fill) {
  BEGIN
  *data = {type, layout, steps, batch, size, {lengths, lengths + batch}};
  if (layout < 0 || layout > 1 || !fill || size < 1)
    complain("a descriptor of no sequences");
  for (int b = 0; b != batch; ++b)
    if (lengths[b] < 1 || lengths[b] > steps || (layout == 1 && b != 0 && lengths[b] > lengths[b - 1]))
      complain("lengths that are of no sequences");
  return 0;
}
EXPORT int cudnnGetRNNWeightSpaceSize(Handle *, Rnn *rnn, size_t *bytes) {
  BEGIN
  *bytes = static_cast<size_t>(rnn->allElements()) * itemBytes(numberOf(rnn->type));
  return 0;
}
EXPORT int cudnnGetRNNWeightParams(Handle *, Rnn *rnn, int32_t cell, size_t bytes, const void *space, int32_t part,
                                   Descriptor *matrixTensor, void **matrix, Descriptor *biasTensor, void **bias) {
  BEGIN
  if (cell < 0 || cell >= rnn->layers * rnn->directions || part < 0 || part >= rnn->parts())
    return badParameter;
  const size_t item = itemBytes(numberOf(rnn->type));
  if (bytes != static_cast<size_t>(rnn->allElements()) * item)
    complain("a weight space of another size");
  const int rows = rnn->rows(part), columns = rnn->columns(cell, part);
  const auto at = reinterpret_cast<uintptr_t>(space) + static_cast<size_t>(rnn->offset(cell, part)) * item;
  *matrixTensor = {rnn->type, {1, rows, columns}, {rows * columns, columns, 1}};
  *biasTensor = {rnn->type, {1, rows, 1}, {rows, 1, 1}};
  const bool hasBias = rnn->hasBias(part);
  *bias = hasBias ? reinterpret_cast<void *>(at) : nullptr;
  *matrix = reinterpret_cast<void *>(at + (hasBias ? static_cast<size_t>(rows) * item : 0));
  return 0;
}
EXPORT int cudnnGetRNNTempSpaceSizes(Handle *, Rnn *, int mode, Data *, size_t *workspaceBytes, size_t *reserveBytes) {
  BEGIN
  if (mode != 0)
    complain("recurrent layers that are trained");
  *workspaceBytes = workspaceWanted, *reserveBytes = 0;
  return 0;
}
EXPORT int cudnnRNNForward(Handle *handle, Rnn *rnn, int mode, const int32_t *lengths, Data *xData, const void *x,
                           Data *yData, void *y, Descriptor *hTensor, const void *hBefore, void *hAfter,
                           Descriptor *cTensor, const void *cBefore, void *cAfter, size_t weightBytes,
                           const void *weights, size_t workspaceBytes, void *workspace, size_t, void *) {
  BEGIN
  checkStream(__func__, handle->stream);
  const Number type = numberOf(rnn->type);
  const size_t item = itemBytes(type);
  const int batch = xData->batch, cells = rnn->layers * rnn->directions;
  auto isThere = [&](const void *data, int64_t elements) {
    return isAllocated(reinterpret_cast<uint64_t>(data), static_cast<size_t>(elements) * item);
  };
  if (mode != 0 || xData->size != rnn->in || yData->size != rnn->out * rnn->directions ||
      xData->lengths != yData->lengths || xData->layout != yData->layout || xData->type != rnn->type ||
      hTensor->sizes != std::vector<int>{cells, batch, rnn->out} ||
      (rnn->cell == Lstm && cTensor->sizes != std::vector<int>{cells, batch, rnn->width})) {
    complain("recurrent layers of descriptors that do not fit");
    return badParameter;
  }
  const int64_t hidden = hTensor->count(), memories = rnn->cell == Lstm ? cTensor->count() : 0;
  if (!isThere(x, xData->rows() * xData->size) || !isThere(y, yData->rows() * yData->size) ||
      !isThere(hBefore, hidden) || !isThere(hAfter, hidden) || !isThere(weights, rnn->allElements()) ||
      weightBytes != static_cast<size_t>(rnn->allElements()) * item || workspaceBytes != workspaceWanted ||
      !isAllocated(reinterpret_cast<uint64_t>(workspace), workspaceBytes) ||
      !isAllocated(reinterpret_cast<uint64_t>(lengths), static_cast<size_t>(batch) * sizeof(int32_t)) ||
      (memories != 0 && (!isThere(cBefore, memories) || !isThere(cAfter, memories))))
    complain("recurrent layers outside of what is allocated");
  Opened opened;
  if (!std::equal(lengths, lengths + batch, xData->lengths.begin()))
    complain("lengths that differ from the descriptor's");
  std::vector<std::vector<double>> rows(static_cast<size_t>(xData->rows()));
  for (size_t r = 0; r != rows.size(); ++r)
    for (int i = 0; i != xData->size; ++i)
      rows[r].push_back(load(x, type, static_cast<int64_t>(r) * xData->size + i));
  for (int layer = 0; layer != rnn->layers; ++layer) {
    std::vector<std::vector<double>> outs(rows.size());
    for (int direction = 0; direction != rnn->directions; ++direction) {
      const int cell = layer * rnn->directions + direction;
      const Step step{*rnn, type, weights, cell};
      for (int b = 0; b != batch; ++b) {
        std::vector<double> h, c(static_cast<size_t>(rnn->width));
        const int64_t at = (int64_t{cell} * batch + b);
        for (int i = 0; i != rnn->out; ++i)
          h.push_back(load(hBefore, type, at * rnn->out + i));
        for (int i = 0; rnn->cell == Lstm && i != rnn->width; ++i)
          c[static_cast<size_t>(i)] = load(cBefore, type, at * rnn->width + i);
        const int length = xData->lengths[static_cast<size_t>(b)];
        for (int i = 0; i != length; ++i) {
          const auto row = static_cast<size_t>(xData->rowOf(direction ? length - 1 - i : i, b));
          step.run(rows[row], h, c);
          outs[row].insert(outs[row].end(), h.begin(), h.end());
        }
        for (int i = 0; i != rnn->out; ++i)
          store(hAfter, type, at * rnn->out + i, h[static_cast<size_t>(i)]);
        for (int i = 0; rnn->cell == Lstm && i != rnn->width; ++i)
          store(cAfter, type, at * rnn->width + i, c[static_cast<size_t>(i)]);
      }
    }
    rows = std::move(outs);
  }
  for (size_t r = 0; r != rows.size(); ++r)
    for (size_t i = 0; i != rows[r].size(); ++i)
      store(y, type, static_cast<int64_t>(r * rows[r].size() + i), rows[r][i]);
  return 0;
}
