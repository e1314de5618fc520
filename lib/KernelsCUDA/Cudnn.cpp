//===- Cudnn.cpp - Convolutions by cuDNN ----------------------------------===//
//
// The library takes images of two dimensions or three: those of one become images of
// height 1. A convolution of two batches whose samples and channels are exchanged, as
// derivatives have it, is to the library the gradient of a filter. Products of floats
// are not shortened to 19 bits, as PyTorch's are by default: bits do not depend on who
// else set what.
//
//===----------------------------------------------------------------------===//
#include "CudnnTypes.h"
#include "Workspace.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using namespace tsc::fuser;
using namespace tsc::fuser::dnn;

namespace {
constexpr int channelsFirst = 0, crossCorrelation = 1, deterministic = 1;
constexpr size_t maxWorkspace = size_t{256} << 20;
} // namespace

static Math mathOf(DType dtype) {
  return dtype == DType::Half || dtype == DType::BFloat16 ? TensorCores : FusedMultiplyAdd;
}

/// A list of one number stands for that number in each dimension. Nullopt: there are none or more than three
/// dimensions, an operand is missing, or ranks do not fit.
static std::optional<Convolution> ofRank(int64_t rank, Convolution made) {
  for (Dims *numbers : {&made.stride, &made.padding, &made.dilation, &made.outputPadding})
    if (numbers->size() == 1)
      numbers->assign(static_cast<size_t>(std::max<int64_t>(rank, 1)), numbers->front());
  auto isOfRank = [&](const Dims &numbers) { return static_cast<int64_t>(numbers.size()) == rank; };
  if (rank < 1 || rank > 3 || !made.input.defined() || !made.weight.defined() || made.input.dim() != rank + 2 ||
      made.weight.dim() != rank + 2 || !isOfRank(made.stride) || !isOfRank(made.padding) || !isOfRank(made.dilation) ||
      !isOfRank(made.outputPadding))
    return std::nullopt;
  return made;
}

std::optional<Convolution> cuda::convolve(int64_t rank, const Tensor &input, const Tensor &weight, const Tensor &bias,
                                          ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                          ArrayRef<int64_t> dilation, int64_t groups) {
  return ofRank(
      rank, {input, weight, bias, Dims(stride), Dims(padding), Dims(dilation), groups, /*transposed=*/false, Dims{0}});
}

std::optional<Convolution> cuda::convolveTransposed(int64_t rank, const Tensor &input, const Tensor &weight,
                                                    const Tensor &bias, ArrayRef<int64_t> stride,
                                                    ArrayRef<int64_t> padding, ArrayRef<int64_t> outputPadding,
                                                    int64_t groups, ArrayRef<int64_t> dilation) {
  return ofRank(rank, {input, weight, bias, Dims(stride), Dims(padding), Dims(dilation), groups, /*transposed=*/true,
                       Dims(outputPadding)});
}

std::optional<Convolution> cuda::convolution(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                             ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                             ArrayRef<int64_t> dilation, bool transposed,
                                             ArrayRef<int64_t> outputPadding, int64_t groups) {
  if (!input.defined())
    return std::nullopt;
  const int64_t rank = input.dim() - 2;
  return transposed ? convolveTransposed(rank, input, weight, bias, stride, padding, outputPadding, groups, dilation)
                    : convolve(rank, input, weight, bias, stride, padding, dilation, groups);
}

StatusOr<std::unique_ptr<Cudnn>> Cudnn::open(llvm::StringRef path, DriverContext &context, const DeviceMemory &memory) {
  TSC_ASSIGN_OR_RETURN(SharedLibrary library, SharedLibrary::open("cuDNN", toolkitLibrary("cudnn", path, {9, 8})));
  std::unique_ptr<Cudnn> opened(new Cudnn(std::move(library), context, memory));
#define CUDNN(NAME, ...) TSC_RETURN_IF_ERROR(opened->library.find(#NAME, opened->NAME));
#include "CudnnFunctions.def"
  TSC_RETURN_IF_ERROR(opened->library.find("cudnnGetErrorString", opened->errorText));
  return opened;
}

Cudnn::~Cudnn() {
  if (handle)
    (void)context.callBeside([&] { return check(cudnnDestroy(handle), "cudnnDestroy"); });
}

Status Cudnn::check(int result, llvm::StringRef what) const {
  if (result == 0)
    return okStatus();
  const char *text = errorText(result);
  return internalError((what + ": " + (text ? text : "an error without a name")).str());
}

Status Cudnn::useHandle(CuStream stream) {
  if (!handle)
    TSC_CUDNN_CALL(*this, cudnnCreate, &handle);
  TSC_CUDNN_CALL(*this, cudnnSetStream, handle, stream);
  return okStatus();
}

/// What the library is told of a convolution.
class Cudnn::Descriptors {
public:
  explicit Descriptors(Cudnn &library) : library(library) {}
  Descriptors(const Descriptors &) = delete;
  ~Descriptors() {
    for (DnnTensor tensor : {x, y, bias})
      if (tensor)
        (void)library.cudnnDestroyTensorDescriptor(tensor);
    if (w)
      (void)library.cudnnDestroyFilterDescriptor(w);
    if (convolution)
      (void)library.cudnnDestroyConvolutionDescriptor(convolution);
  }

  Status make(const Operands &made, int math) {
    const DType dtype = made.dtype;
    TSC_RETURN_IF_ERROR(describe(x, dtype, images(made.image.sizes)));
    TSC_RETURN_IF_ERROR(describe(y, dtype, images(made.result.sizes)));
    Ints sizes = images(made.filter.sizes);
    TSC_CUDNN_CALL(library, cudnnCreateFilterDescriptor, &w);
    TSC_CUDNN_CALL(library, cudnnSetFilterNdDescriptor, w, typeOf(dtype), channelsFirst, static_cast<int>(sizes.size()),
                   sizes.data());
    if (made.bias) {
      Ints channels(sizes.size(), 1);
      channels[1] = static_cast<int>(made.out().sizes[1]);
      TSC_RETURN_IF_ERROR(describe(bias, dtype, channels));
    }
    const Ints padding = spatial(made.padding, 0), stride = spatial(made.stride, 1),
               dilation = spatial(made.dilation, 1);
    TSC_CUDNN_CALL(library, cudnnCreateConvolutionDescriptor, &convolution);
    TSC_CUDNN_CALL(library, cudnnSetConvolutionNdDescriptor, convolution, static_cast<int>(padding.size()),
                   padding.data(), stride.data(), dilation.data(), crossCorrelation,
                   dtype == DType::Double ? Real64 : Real32);
    TSC_CUDNN_CALL(library, cudnnSetConvolutionGroupCount, convolution, static_cast<int>(made.groups));
    TSC_CUDNN_CALL(library, cudnnSetConvolutionMathType, convolution, math);
    return okStatus();
  }

  DnnTensor x = nullptr, y = nullptr, bias = nullptr;
  DnnFilter w = nullptr;
  DnnConvolution convolution = nullptr;

private:
  using Ints = llvm::SmallVector<int, 5>;
  static Ints images(ArrayRef<int64_t> sizes) {
    Ints ints(sizes.begin(), sizes.end());
    if (ints.size() == 3)
      ints.insert(ints.begin() + 2, 1);
    return ints;
  }
  static Ints spatial(ArrayRef<int64_t> numbers, int otherwise) {
    Ints ints(numbers.begin(), numbers.end());
    if (ints.size() == 1)
      ints.insert(ints.begin(), otherwise);
    return ints;
  }
  Status describe(DnnTensor &tensor, DType dtype, const Ints &sizes) {
    Ints strides(sizes.size(), 1);
    for (size_t d = sizes.size() - 1; d-- != 0;)
      strides[d] = strides[d + 1] * sizes[d + 1];
    TSC_CUDNN_CALL(library, cudnnCreateTensorDescriptor, &tensor);
    TSC_CUDNN_CALL(library, cudnnSetTensorNdDescriptor, tensor, typeOf(dtype), static_cast<int>(sizes.size()),
                   sizes.data(), strides.data());
    return okStatus();
  }
  Cudnn &library;
};

int Cudnn::estimate(const Operands &operands, const Descriptors &d, int most, int *numFound,
                    DnnPerformance *found) const {
  switch (operands.made) {
  case Operands::Image:
    return cudnnGetConvolutionBackwardDataAlgorithm_v7(handle, d.w, d.y, d.convolution, d.x, most, numFound, found);
  case Operands::Filter:
    return cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle, d.x, d.y, d.convolution, d.w, most, numFound, found);
  case Operands::Result: break;
  }
  return cudnnGetConvolutionForwardAlgorithm_v7(handle, d.x, d.w, d.convolution, d.y, most, numFound, found);
}

std::vector<int64_t> Cudnn::keyOf(const Operands &operands) {
  std::vector<int64_t> key{static_cast<int64_t>(operands.dtype), operands.groups, operands.made};
  for (ArrayRef<int64_t> numbers : {operands.image.sizes, operands.filter.sizes, operands.result.sizes, operands.stride,
                                    operands.padding, operands.dilation})
    key.insert(key.end(), numbers.begin(), numbers.end()); // all of a rank, which the number of all tells
  return key;
}

/// The fastest way, by the library's estimate, of those that give the same bits each time.
StatusOr<Cudnn::Chosen> Cudnn::askFor(const Operands &operands) {
  const int math = mathOf(operands.dtype);
  Descriptors descriptors(*this);
  TSC_RETURN_IF_ERROR(descriptors.make(operands, math));
  constexpr int most = 8;
  DnnPerformance found[most] = {};
  int numFound = 0;
  const int result = estimate(operands, descriptors, most, &numFound, found);
  static constexpr const char *names[] = {"cudnnGetConvolutionForwardAlgorithm_v7",
                                          "cudnnGetConvolutionBackwardDataAlgorithm_v7",
                                          "cudnnGetConvolutionBackwardFilterAlgorithm_v7"};
  if (!isNotSupported(result))
    TSC_RETURN_IF_ERROR(check(result, names[operands.made]));
  for (const DnnPerformance &one : llvm::ArrayRef(found, static_cast<size_t>(result == 0 ? numFound : 0)))
    if (one.status == 0 && one.isDeterministic == deterministic && one.math == math &&
        one.workspaceBytes <= maxWorkspace)
      return Chosen{one.algorithm, one.workspaceBytes, true};
  return Chosen{0, 0, false};
}

StatusOr<Cudnn::Chosen> Cudnn::choose(const Operands &operands, const std::vector<int64_t> &key) {
  std::lock_guard<std::mutex> guard(lock);
  if (auto known = chosen.find(key); known != chosen.end())
    return known->second;
  Chosen way{};
  TSC_RETURN_IF_ERROR(context.callBeside([&]() -> Status {
    if (!handle)
      TSC_CUDNN_CALL(*this, cudnnCreate, &handle);
    TSC_ASSIGN_OR_RETURN(way, askFor(operands));
    return okStatus();
  }));
  return chosen[key] = way;
}

Status Cudnn::runOn(CuStream stream, const Operands &made, const Chosen &way, void *workspace) {
  std::lock_guard<std::mutex> guard(lock);
  TSC_RETURN_IF_ERROR(useHandle(stream));
  Descriptors descriptors(*this);
  TSC_RETURN_IF_ERROR(descriptors.make(made, mathOf(made.dtype)));
  const float one = 1, zero = 0;
  const double wideOne = 1, wideZero = 0;
  const bool isDouble = made.dtype == DType::Double;
  const void *alpha = isDouble ? static_cast<const void *>(&wideOne) : &one;
  const void *beta = isDouble ? static_cast<const void *>(&wideZero) : &zero;
  void *const out = made.out().data;
  switch (made.made) {
  case Operands::Image:
    TSC_CUDNN_CALL(*this, cudnnConvolutionBackwardData, handle, alpha, descriptors.w, made.filter.data, descriptors.y,
                   made.result.data, descriptors.convolution, way.algorithm, workspace, way.workspaceBytes, beta,
                   descriptors.x, out);
    break;
  case Operands::Filter:
    TSC_CUDNN_CALL(*this, cudnnConvolutionBackwardFilter, handle, alpha, descriptors.x, made.image.data, descriptors.y,
                   made.result.data, descriptors.convolution, way.algorithm, workspace, way.workspaceBytes, beta,
                   descriptors.w, out);
    break;
  case Operands::Result:
    TSC_CUDNN_CALL(*this, cudnnConvolutionForward, handle, alpha, descriptors.x, made.image.data, descriptors.w,
                   made.filter.data, descriptors.convolution, way.algorithm, workspace, way.workspaceBytes, beta,
                   descriptors.y, out);
    break;
  }
  if (made.bias)
    TSC_CUDNN_CALL(*this, cudnnAddTensor, handle, alpha, descriptors.bias, made.bias, alpha,
                   made.made == Operands::Image ? descriptors.x : descriptors.y, out);
  return okStatus();
}

StatusOr<bool> Cudnn::run(const Operands &operands) {
  std::vector<int64_t> key = keyOf(operands);
  TSC_ASSIGN_OR_RETURN(const Chosen way, choose(operands, key));
  if (!way.exists)
    return false;
  Workspace workspace(memory);
  TSC_RETURN_IF_ERROR(workspace.allocate(way.workspaceBytes, "a convolution"));
  key.push_back(operands.bias != nullptr);
  const void *addresses[] = {operands.image.data, operands.filter.data, operands.result.data, operands.bias,
                             workspace.data()};
  auto run = [this, operands, way, place = workspace.data()](CuStream stream) {
    return runOn(stream, operands, way, place);
  };
  TSC_RETURN_IF_ERROR(context.submit(StreamOperation::ofCall(key, addresses, run)));
  return true;
}

bool Cudnn::isTaken(const Tensor &tensor) const {
  return tensor.get()->storage && tensor.device() == memory.device() && tensor.numel() != 0 &&
         tensor.numel() <= INT32_MAX && !tensor.get()->negative && isLibraryDType(tensor.dtype());
}

/// Whether the first two dimensions of a row-major tensor are exchanged.
static bool isExchanged(const Tensor &tensor) {
  Dims sizes(tensor.sizes()), strides(tensor.strides());
  std::swap(sizes[0], sizes[1]), std::swap(strides[0], strides[1]);
  return !tensor.isContiguous() && isContiguous(sizes, strides);
}
static Tensor exchanged(const Tensor &tensor) {
  Dims sizes(tensor.sizes()), strides(tensor.strides());
  std::swap(sizes[0], sizes[1]), std::swap(strides[0], strides[1]);
  return tensor.alias(sizes, strides, tensor.storageOffset());
}

/// Samples of the image are what is summed over, and steps of a window are those between its elements. False: other
/// windows would fit too.
StatusOr<bool> Cudnn::asFilterGradient(const Convolution &made, HandKernels &kernels, ArrayRef<int64_t> sizes,
                                       IValue &result) {
  const Tensor image = exchanged(made.input), gradient = exchanged(made.weight);
  for (size_t d = 0; d != made.stride.size(); ++d) {
    const int64_t window = sizes[d + 2], room = image.sizes()[d + 2] + 2 * made.padding[d];
    if ((room - made.stride[d] * (window - 1) - 1) / made.dilation[d] + 1 != gradient.sizes()[d + 2])
      return false;
  }
  Dims filterSizes(sizes);
  std::swap(filterSizes[0], filterSizes[1]);
  TSC_ASSIGN_OR_RETURN(Tensor filter, Tensor::empty(filterSizes, image.dtype(), memory));
  TSC_ASSIGN_OR_RETURN(bool isDone, run({Operands::Filter, image.dtype(), image, filter, gradient, nullptr,
                                         made.dilation, made.padding, made.stride, 1}));
  if (!isDone)
    return false;
  TSC_ASSIGN_OR_RETURN(Tensor out, kernels.dense(exchanged(filter)));
  result = IValue(std::move(out));
  return true;
}

/// Whether the result of a convolution would not be row-major.
static bool isChannelsLast(const Tensor &tensor) {
  return !tensor.isContiguous() && tensor.dim() == 4 && tensor.isContiguous(MemoryFormat::ChannelsLast);
}

StatusOr<bool> Cudnn::convolve(const Convolution &made, HandKernels *kernels, IValue &result) {
  const Tensor &input = made.input, &weight = made.weight, &bias = made.bias;
  if (!kernels && (!input.isContiguous() || !weight.isContiguous()))
    return false;
  if (isChannelsLast(input) || isChannelsLast(weight) || !isTaken(input) || !isTaken(weight) ||
      weight.dtype() != input.dtype() || made.groups < 1 || made.groups > INT32_MAX ||
      weight.size(1) > INT32_MAX / made.groups || weight.size(0) % made.groups != 0)
    return false;
  const int64_t wide = weight.size(1) * made.groups, narrow = weight.size(0);
  const int64_t channels = made.transposed ? wide : narrow;
  if (input.size(1) != (made.transposed ? narrow : wide) || channels > INT32_MAX / input.size(0))
    return false;
  if (bias.defined() && (!isTaken(bias) || !bias.isContiguous() || bias.dtype() != input.dtype() || bias.dim() != 1 ||
                         bias.size(0) != channels))
    return false;
  Dims sizes{input.size(0), channels};
  int64_t count = sizes[0] * sizes[1];
  for (size_t d = 0; d != made.stride.size(); ++d) {
    constexpr int64_t most = int64_t{1} << 30;
    const int64_t stride = made.stride[d], padding = made.padding[d], dilation = made.dilation[d];
    if (stride < 1 || padding < 0 || dilation < 1 || stride > most || padding > most || dilation > most)
      return false;
    const int64_t size = input.size(static_cast<int64_t>(d) + 2), window = weight.size(static_cast<int64_t>(d) + 2);
    if (window - 1 > most / dilation)
      return false;
    const int64_t reach = dilation * (window - 1) + 1, room = size + 2 * padding - reach, more = made.outputPadding[d],
                  whole = (size - 1) * stride + reach + more - 2 * padding;
    // More elements behind the last window than a step: another window would fit.
    if (made.transposed ? whole < 1 || more < 0 || more >= stride : room < 0)
      return false;
    sizes.push_back(made.transposed ? whole : room / stride + 1);
    if (count > INT32_MAX / sizes.back())
      return false;
    count *= sizes.back();
  }
  if (!made.transposed && made.groups == 1 && !bias.defined() && isExchanged(input) && isExchanged(weight)) {
    TSC_ASSIGN_OR_RETURN(bool isDone, asFilterGradient(made, *kernels, sizes, result));
    if (isDone)
      return true;
  }
  auto dense = [&](const Tensor &tensor) { return kernels ? kernels->dense(tensor) : StatusOr<Tensor>(tensor); };
  TSC_ASSIGN_OR_RETURN(Tensor from, dense(input));
  TSC_ASSIGN_OR_RETURN(Tensor filter, dense(weight));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(sizes, input.dtype(), memory));
  TSC_ASSIGN_OR_RETURN(bool isDone, run({made.transposed ? Operands::Image : Operands::Result, input.dtype(),
                                         made.transposed ? out : from, filter, made.transposed ? from : out,
                                         bias.defined() ? bias.data() : nullptr, made.stride, made.padding,
                                         made.dilation, made.groups}));
  if (isDone)
    result = IValue(std::move(out));
  return isDone;
}
