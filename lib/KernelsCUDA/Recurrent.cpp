//===- Recurrent.cpp - Recurrent layers on a GPU --------------------------===//
//
// cuDNN has weights and biases in one piece of memory, of which it says where each gate's
// are. A batch whose sequences come first is turned around, as PyTorch does.
//
//===----------------------------------------------------------------------===//
#include "Recurrent.h"
#include "CudnnTypes.h"
#include "Workspace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace tsc;
using namespace tsc::fuser;
using namespace tsc::fuser::dnn;

namespace {
// Of the library's enumerations.
constexpr int standardAlgorithm = 0, noBias = 0, doubleBias = 2, linearInput = 0, inference = 0, stepsFirst = 0,
              packed = 1, defaultMath = 0;
constexpr uint32_t paddedSequences = 1;

int64_t gatesOf(RecurrentLayers::Cell cell) {
  return cell == RecurrentLayers::Lstm ? 4 : cell == RecurrentLayers::Gru ? 3 : 1;
}
bool isSized(const Tensor &tensor, ArrayRef<int64_t> sizes) { return tensor.defined() && tensor.sizes() == sizes; }
} // namespace

/// Lengths of sequences, the longest first, of how many of them each step has.
static bool readLengths(const Tensor &batchSizes, int64_t rows, std::vector<int> &lengths) {
  if (!batchSizes.defined() || batchSizes.device().kind != DeviceKind::CPU || batchSizes.dim() != 1 ||
      batchSizes.dtype() != DType::Int64 || batchSizes.numel() == 0)
    return false;
  int64_t before = batchSizes.at(0).toInt(), sum = 0;
  if (before < 1 || before > rows)
    return false;
  lengths.assign(static_cast<size_t>(before), 0);
  for (int64_t step = 0; step != batchSizes.numel(); ++step) {
    const int64_t here = batchSizes.at(step).toInt();
    if (here < 1 || here > before)
      return false;
    for (int64_t b = 0; b != here; ++b)
      ++lengths[static_cast<size_t>(b)];
    before = here, sum += here;
  }
  return sum == rows;
}

/// Whether all weights have the sizes that the layers need.
static bool fit(const RecurrentLayers &made) {
  const int64_t directions = made.isBidirectional ? 2 : 1, cells = made.layers * directions,
                batch = static_cast<int64_t>(made.lengths.size());
  if (made.layers < 1 || made.hidden.dim() != 3 || made.hidden.size(0) != cells || made.hidden.size(1) != batch)
    return false;
  const int64_t out = made.hidden.size(2), gates = gatesOf(made.cell);
  const bool isLstm = made.cell == RecurrentLayers::Lstm;
  if (isLstm &&
      (!made.cells.defined() || made.cells.dim() != 3 || made.cells.size(0) != cells || made.cells.size(1) != batch))
    return false;
  const int64_t width = isLstm ? made.cells.size(2) : out;
  const bool projects = width != out;
  const int64_t each = 2 + (made.hasBiases ? 2 : 0) + projects;
  if (static_cast<int64_t>(made.weights.size()) != each * cells)
    return false;
  for (int64_t cell = 0; cell != cells; ++cell) {
    const Tensor *own = &made.weights[static_cast<size_t>(cell * each)];
    const int64_t in = cell < directions ? made.input.sizes().back() : out * directions;
    if (!isSized(own[0], {gates * width, in}) || !isSized(own[1], {gates * width, out}) ||
        (made.hasBiases && (!isSized(own[2], {gates * width}) || !isSized(own[3], {gates * width}))) ||
        (projects && !isSized(own[each - 1], {out, width})))
      return false;
  }
  return true;
}

namespace {
struct LayerOptions {
  bool hasBiases;
  int64_t layers;
  double dropout;
  bool isTraining, isBidirectional;
};
} // namespace

/// Layers over an input that is not looked at yet; `state` is what the cells hold before the first step. Nullopt: a
/// tensor is missing, or elements are dropped out.
static std::optional<RecurrentLayers> layersOf(RecurrentLayers::Cell cell, const Tensor &input, ArrayRef<Tensor> state,
                                               ArrayRef<Tensor> params, const LayerOptions &options) {
  RecurrentLayers made{};
  made.cell = cell, made.input = input;
  if (!input.defined() || state.size() != (cell == RecurrentLayers::Lstm ? 2u : 1u) || !state[0].defined() ||
      (options.dropout != 0 && options.isTraining && options.layers > 1))
    return std::nullopt;
  made.hidden = state[0];
  if (cell == RecurrentLayers::Lstm)
    made.cells = state[1];
  made.weights = params.vec();
  made.hasBiases = options.hasBiases, made.layers = options.layers, made.isBidirectional = options.isBidirectional;
  return made;
}

/// Over sequences of one length.
static std::optional<RecurrentLayers> sequencesOf(std::optional<RecurrentLayers> made, bool isBatchFirst) {
  if (!made || made->input.dim() != 3)
    return std::nullopt;
  made->isBatchFirst = isBatchFirst;
  if (isBatchFirst) {
    ArrayRef<int64_t> sizes = made->input.sizes(), strides = made->input.strides();
    made->input = made->input.alias({sizes[1], sizes[0], sizes[2]}, {strides[1], strides[0], strides[2]},
                                    made->input.storageOffset());
  }
  if (made->input.size(1) < 1 || made->input.size(0) < 1 || made->input.numel() > INT32_MAX)
    return std::nullopt;
  made->lengths.assign(static_cast<size_t>(made->input.size(1)), static_cast<int>(made->input.size(0)));
  return fit(*made) ? std::move(made) : std::nullopt;
}

/// Over packed sequences.
static std::optional<RecurrentLayers> packedOf(std::optional<RecurrentLayers> made, const Tensor &batchSizes) {
  if (!made || made->input.dim() != 2 || !readLengths(batchSizes, made->input.size(0), made->lengths))
    return std::nullopt;
  made->isPacked = true;
  return fit(*made) ? std::move(made) : std::nullopt;
}

std::optional<RecurrentLayers> cuda::lstm(const Tensor &input, ArrayRef<Tensor> hx, ArrayRef<Tensor> params,
                                          bool hasBiases, int64_t numLayers, double dropout, bool train,
                                          bool bidirectional, bool batchFirst) {
  return sequencesOf(
      layersOf(RecurrentLayers::Lstm, input, hx, params, {hasBiases, numLayers, dropout, train, bidirectional}),
      batchFirst);
}
std::optional<RecurrentLayers> cuda::lstm(const Tensor &data, const Tensor &batchSizes, ArrayRef<Tensor> hx,
                                          ArrayRef<Tensor> params, bool hasBiases, int64_t numLayers, double dropout,
                                          bool train, bool bidirectional) {
  return packedOf(
      layersOf(RecurrentLayers::Lstm, data, hx, params, {hasBiases, numLayers, dropout, train, bidirectional}),
      batchSizes);
}
std::optional<RecurrentLayers> cuda::gru(const Tensor &input, const Tensor &hx, ArrayRef<Tensor> params, bool hasBiases,
                                         int64_t numLayers, double dropout, bool train, bool bidirectional,
                                         bool batchFirst) {
  return sequencesOf(layersOf(RecurrentLayers::Gru, input, ArrayRef(hx), params,
                              {hasBiases, numLayers, dropout, train, bidirectional}),
                     batchFirst);
}
std::optional<RecurrentLayers> cuda::gru(const Tensor &data, const Tensor &batchSizes, const Tensor &hx,
                                         ArrayRef<Tensor> params, bool hasBiases, int64_t numLayers, double dropout,
                                         bool train, bool bidirectional) {
  return packedOf(
      layersOf(RecurrentLayers::Gru, data, ArrayRef(hx), params, {hasBiases, numLayers, dropout, train, bidirectional}),
      batchSizes);
}
std::optional<RecurrentLayers> cuda::tanhLayers(const Tensor &input, const Tensor &hx, ArrayRef<Tensor> params,
                                                bool hasBiases, int64_t numLayers, double dropout, bool train,
                                                bool bidirectional, bool batchFirst) {
  return sequencesOf(layersOf(RecurrentLayers::Tanh, input, ArrayRef(hx), params,
                              {hasBiases, numLayers, dropout, train, bidirectional}),
                     batchFirst);
}
std::optional<RecurrentLayers> cuda::tanhLayers(const Tensor &data, const Tensor &batchSizes, const Tensor &hx,
                                                ArrayRef<Tensor> params, bool hasBiases, int64_t numLayers,
                                                double dropout, bool train, bool bidirectional) {
  return packedOf(layersOf(RecurrentLayers::Tanh, data, ArrayRef(hx), params,
                           {hasBiases, numLayers, dropout, train, bidirectional}),
                  batchSizes);
}
std::optional<RecurrentLayers> cuda::reluLayers(const Tensor &input, const Tensor &hx, ArrayRef<Tensor> params,
                                                bool hasBiases, int64_t numLayers, double dropout, bool train,
                                                bool bidirectional, bool batchFirst) {
  return sequencesOf(layersOf(RecurrentLayers::Relu, input, ArrayRef(hx), params,
                              {hasBiases, numLayers, dropout, train, bidirectional}),
                     batchFirst);
}
std::optional<RecurrentLayers> cuda::reluLayers(const Tensor &data, const Tensor &batchSizes, const Tensor &hx,
                                                ArrayRef<Tensor> params, bool hasBiases, int64_t numLayers,
                                                double dropout, bool train, bool bidirectional) {
  return packedOf(layersOf(RecurrentLayers::Relu, data, ArrayRef(hx), params,
                           {hasBiases, numLayers, dropout, train, bidirectional}),
                  batchSizes);
}

/// One call of the library, with what it is told.
class Cudnn::RnnCall {
public:
  RnnCall(Cudnn &library, const RecurrentLayers &layers)
      : library(library), layers(layers), weights(library.memory), workspace(library.memory), reserve(library.memory),
        lengths(library.memory) {}
  RnnCall(const RnnCall &) = delete;
  ~RnnCall() {
    for (DnnTensor tensor : {hiddenState, cellState, matrix, bias})
      if (tensor)
        (void)library.cudnnDestroyTensorDescriptor(tensor);
    for (DnnRnnData data : {x, y})
      if (data)
        (void)library.cudnnDestroyRNNDataDescriptor(data);
    if (rnn)
      (void)library.cudnnDestroyRNNDescriptor(rnn);
    if (dropout)
      (void)library.cudnnDestroyDropoutDescriptor(dropout);
  }

  /// False: the library has no such layers.
  StatusOr<bool> describe();
  Status measure();
  Status allocate();
  Status copyWeights(CuStream stream);
  Status run(const Tensor &out, const Tensor &hidden, const Tensor &cells);

private:
  int64_t out() const { return layers.hidden.size(2); }
  int64_t width() const { return layers.cell == RecurrentLayers::Lstm ? layers.cells.size(2) : out(); }
  int64_t directions() const { return layers.isBidirectional ? 2 : 1; }
  Status describeState(DnnTensor &tensor, const Tensor &state);
  Status describeSteps(DnnRnnData &data, int64_t size);
  Status copyPart(CuStream stream, int64_t cell, int64_t part, const Tensor &weight, const Tensor *itsBias,
                  int64_t gate, int64_t rows);

  Cudnn &library;
  const RecurrentLayers &layers;
  Workspace weights, workspace, reserve, lengths;
  size_t weightBytes = 0, workspaceBytes = 0, reserveBytes = 0;
  DnnDropout dropout = nullptr;
  DnnRnn rnn = nullptr;
  DnnRnnData x = nullptr, y = nullptr;
  DnnTensor hiddenState = nullptr, cellState = nullptr, matrix = nullptr, bias = nullptr;
};

Status Cudnn::RnnCall::describeState(DnnTensor &tensor, const Tensor &state) {
  llvm::SmallVector<int, 3> sizes(state.sizes().begin(), state.sizes().end());
  const int strides[] = {sizes[1] * sizes[2], sizes[2], 1};
  TSC_CUDNN_CALL(library, cudnnCreateTensorDescriptor, &tensor);
  TSC_CUDNN_CALL(library, cudnnSetTensorNdDescriptor, tensor, typeOf(state.dtype()), 3, sizes.data(), strides);
  return okStatus();
}

Status Cudnn::RnnCall::describeSteps(DnnRnnData &data, int64_t size) {
  double zero = 0; // of any type
  TSC_CUDNN_CALL(library, cudnnCreateRNNDataDescriptor, &data);
  TSC_CUDNN_CALL(library, cudnnSetRNNDataDescriptor, data, typeOf(layers.input.dtype()),
                 layers.isPacked ? packed : stepsFirst, layers.lengths.front(), static_cast<int>(layers.lengths.size()),
                 static_cast<int>(size), layers.lengths.data(), &zero);
  return okStatus();
}

StatusOr<bool> Cudnn::RnnCall::describe() {
  const DType dtype = layers.input.dtype();
  TSC_CUDNN_CALL(library, cudnnCreateDropoutDescriptor, &dropout);
  TSC_CUDNN_CALL(library, cudnnSetDropoutDescriptor, dropout, library.handle, 0, nullptr, 0, 0);
  TSC_CUDNN_CALL(library, cudnnCreateRNNDescriptor, &rnn);
  const int math = dtype == DType::Double ? defaultMath : dtype == DType::Float ? FusedMultiplyAdd : TensorCores;
  const int result = library.cudnnSetRNNDescriptor_v8(
      rnn, standardAlgorithm, layers.cell, layers.hasBiases ? doubleBias : noBias, layers.isBidirectional, linearInput,
      typeOf(dtype), dtype == DType::Double ? Real64 : Real32, math, static_cast<int32_t>(layers.input.sizes().back()),
      static_cast<int32_t>(width()), static_cast<int32_t>(out()), static_cast<int32_t>(layers.layers), dropout,
      layers.isPacked ? 0 : paddedSequences);
  if (isNotSupported(result))
    return false;
  TSC_RETURN_IF_ERROR(library.check(result, "cudnnSetRNNDescriptor_v8"));
  TSC_RETURN_IF_ERROR(describeSteps(x, layers.input.sizes().back()));
  TSC_RETURN_IF_ERROR(describeSteps(y, out() * directions()));
  TSC_RETURN_IF_ERROR(describeState(hiddenState, layers.hidden));
  if (layers.cells.defined())
    TSC_RETURN_IF_ERROR(describeState(cellState, layers.cells));
  TSC_CUDNN_CALL(library, cudnnCreateTensorDescriptor, &matrix);
  TSC_CUDNN_CALL(library, cudnnCreateTensorDescriptor, &bias);
  return true;
}

/// To where the library has a part of a cell: `rows` of a weight, from a gate's on, and as many of a bias.
Status Cudnn::RnnCall::copyPart(CuStream stream, int64_t cell, int64_t part, const Tensor &weight,
                                const Tensor *itsBias, int64_t gate, int64_t rows) {
  void *toMatrix = nullptr, *toBias = nullptr;
  TSC_CUDNN_CALL(library, cudnnGetRNNWeightParams, library.handle, rnn, static_cast<int32_t>(cell), weightBytes,
                 weights.data(), static_cast<int32_t>(part), matrix, &toMatrix, bias, &toBias);
  auto copy = [&](void *to, const Tensor &from, int64_t elements) -> Status {
    const size_t bytes = static_cast<size_t>(elements) * itemSize(from.dtype());
    return library.context.copyOn(stream, reinterpret_cast<uintptr_t>(to),
                                  reinterpret_cast<uintptr_t>(from.data()) + static_cast<uintptr_t>(gate) * bytes,
                                  bytes);
  };
  if (!toMatrix || (itsBias && !toBias))
    return internalError("cudnnGetRNNWeightParams: there is no such part of a layer");
  TSC_RETURN_IF_ERROR(copy(toMatrix, weight, rows * weight.size(1)));
  return itsBias ? copy(toBias, *itsBias, rows) : okStatus();
}

Status Cudnn::RnnCall::measure() {
  TSC_CUDNN_CALL(library, cudnnGetRNNWeightSpaceSize, library.handle, rnn, &weightBytes);
  TSC_CUDNN_CALL(library, cudnnGetRNNTempSpaceSizes, library.handle, rnn, inference, x, &workspaceBytes, &reserveBytes);
  return okStatus();
}

Status Cudnn::RnnCall::allocate() {
  TSC_RETURN_IF_ERROR(weights.allocate(weightBytes, "the weights of recurrent layers"));
  TSC_RETURN_IF_ERROR(workspace.allocate(workspaceBytes, "recurrent layers"));
  TSC_RETURN_IF_ERROR(reserve.allocate(reserveBytes, "recurrent layers"));
  const size_t lengthBytes = layers.lengths.size() * sizeof(int32_t);
  TSC_RETURN_IF_ERROR(lengths.allocate(lengthBytes, "the lengths of sequences"));
  return library.context.copyToDevice(reinterpret_cast<uintptr_t>(lengths.data()), layers.lengths.data(), lengthBytes);
}

Status Cudnn::RnnCall::copyWeights(CuStream stream) {
  const int64_t gates = gatesOf(layers.cell), cells = layers.layers * directions();
  const size_t each = layers.weights.size() / static_cast<size_t>(cells);
  for (int64_t cell = 0; cell != cells; ++cell) {
    const Tensor *own = &layers.weights[static_cast<size_t>(cell) * each];
    for (int64_t part = 0; part != 2 * gates; ++part) {
      const int64_t which = part / gates; // of the input, or of the state
      TSC_RETURN_IF_ERROR(copyPart(stream, cell, part, own[which], layers.hasBiases ? &own[2 + which] : nullptr,
                                   part % gates, width()));
    }
    if (width() != out())
      TSC_RETURN_IF_ERROR(copyPart(stream, cell, 2 * gates, own[each - 1], nullptr, 0, out()));
  }
  return okStatus();
}

Status Cudnn::RnnCall::run(const Tensor &out, const Tensor &hidden, const Tensor &cells) {
  const bool hasCells = layers.cells.defined();
  TSC_CUDNN_CALL(library, cudnnRNNForward, library.handle, rnn, inference, static_cast<const int32_t *>(lengths.data()),
                 x, layers.input.data(), y, out.mutableData(), hiddenState, layers.hidden.data(), hidden.mutableData(),
                 cellState, hasCells ? layers.cells.data() : nullptr, hasCells ? cells.mutableData() : nullptr,
                 weightBytes, weights.data(), workspaceBytes, workspace.data(), reserveBytes, reserve.data());
  return okStatus();
}

StatusOr<bool> Cudnn::runRecurrent(const RecurrentLayers &given, HandKernels *kernels,
                                   llvm::MutableArrayRef<IValue> results) {
  RecurrentLayers layers = given;
  llvm::SmallVector<Tensor *, 24> operands{&layers.input, &layers.hidden};
  if (layers.cells.defined())
    operands.push_back(&layers.cells);
  for (Tensor &weight : layers.weights)
    operands.push_back(&weight);
  for (Tensor *operand : operands) {
    if (!isTaken(*operand) || operand->dtype() != given.input.dtype() || (!kernels && !operand->isContiguous()))
      return false;
    if (kernels) {
      TSC_ASSIGN_OR_RETURN(*operand, kernels->dense(*operand));
    }
  }
  Dims sizes(layers.input.sizes());
  sizes.back() = layers.hidden.size(2) * (layers.isBidirectional ? 2 : 1);
  const DType dtype = layers.input.dtype();
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(sizes, dtype, memory));
  TSC_ASSIGN_OR_RETURN(Tensor hidden, Tensor::empty(layers.hidden.sizes(), dtype, memory));
  Tensor cells;
  if (layers.cells.defined()) {
    TSC_ASSIGN_OR_RETURN(cells, Tensor::empty(layers.cells.sizes(), dtype, memory));
  }
  // The lock is held neither while memory is taken nor while something is put on the stream by others: what is held of
  // the stream may need it.
  std::optional<RnnCall> call;
  call.emplace(*this, layers);
  auto destroyer = llvm::make_scope_exit([&] {
    (void)context.callBeside([&] {
      call.reset();
      return okStatus();
    });
  });
  bool isDescribed = false;
  TSC_RETURN_IF_ERROR(context.callBeside([&]() -> Status {
    std::lock_guard<std::mutex> guard(lock);
    if (!handle)
      TSC_CUDNN_CALL(*this, cudnnCreate, &handle);
    TSC_ASSIGN_OR_RETURN(isDescribed, call->describe());
    return isDescribed ? call->measure() : okStatus();
  }));
  if (!isDescribed)
    return false;
  TSC_RETURN_IF_ERROR(call->allocate());
  TSC_RETURN_IF_ERROR(context.call([&](CuStream stream) -> Status {
    std::lock_guard<std::mutex> guard(lock);
    TSC_RETURN_IF_ERROR(useHandle(stream));
    TSC_RETURN_IF_ERROR(call->copyWeights(stream));
    return call->run(out, hidden, cells);
  }));
  if (layers.isBatchFirst)
    out = out.alias({sizes[1], sizes[0], sizes[2]}, {sizes[2], sizes[1] * sizes[2], 1}, 0);
  results[0] = IValue(std::move(out)), results[1] = IValue(std::move(hidden));
  if (cells.defined())
    results[2] = IValue(std::move(cells));
  return true;
}
