//===- FakeCudnn.cpp - cuDNN, without a GPU --------------------------------===//
//
// Takes descriptors as the library does, and complains of those that do not fit each
// other or their memory. Convolutions are computed by the host, in double.
//
//===----------------------------------------------------------------------===//
#include "FakeCudnn.h"

using namespace fake;

namespace {
constexpr int algorithmWanted = 1;
constexpr size_t workspaceWanted = 1 << 12;
struct Convolution {
  std::vector<int> padding, stride, dilation;
  int type = 0, groups = 1, math = 0;
};
struct Performance {
  int algorithm, status;
  float time;
  size_t workspaceBytes;
  int isDeterministic, math;
  int reserved[3];
};

bool fits(const Descriptor &x, const Descriptor &w, const Convolution &c, const Descriptor &y) {
  const size_t rank = x.sizes.size();
  if (rank < 4 || rank > 5 || w.sizes.size() != rank || y.sizes.size() != rank || c.padding.size() != rank - 2)
    return false;
  bool good = x.type == w.type && y.type == x.type && c.type == (x.type == 1 ? 1 : 0) && x.sizes[0] == y.sizes[0] &&
              x.sizes[1] == w.sizes[1] * c.groups && y.sizes[1] == w.sizes[0] && w.sizes[0] % c.groups == 0;
  for (size_t d = 0; d != rank - 2; ++d)
    good &= y.sizes[d + 2] ==
            (x.sizes[d + 2] + 2 * c.padding[d] - c.dilation[d] * (w.sizes[d + 2] - 1) - 1) / c.stride[d] + 1;
  return good;
}
/// Sizes as of a volume.
struct Volume {
  int64_t d[3];
  explicit Volume(const std::vector<int> &numbers, size_t from, int fill) {
    const size_t given = numbers.size() - from;
    for (size_t i = 0; i != 3; ++i)
      d[i] = i < 3 - given ? fill : numbers[from + i - (3 - given)];
  }
};
} // namespace

EXPORT const char *cudnnGetErrorString(int status) {
  return status == executionFailed ? "CUDNN_STATUS_EXECUTION_FAILED" : "CUDNN_STATUS_BAD_PARAM";
}
OBJECT(cudnnCreate, cudnnDestroy, Handle)
OBJECT(cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor, Descriptor)
OBJECT(cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor, Descriptor)
OBJECT(cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor, Convolution)

EXPORT int cudnnSetStream(Handle *handle, void *stream) {
  BEGIN
  checkStream(__func__, stream);
  handle->stream = stream;
  return 0;
}
EXPORT int cudnnSetTensorNdDescriptor(Descriptor *tensor, int type, int rank, const int *sizes, const int *strides) {
  BEGIN
  if (rank < 3)
    complain("a tensor of fewer than three dimensions");
  *tensor = {type, {sizes, sizes + rank}, {strides, strides + rank}};
  int64_t dense = 1;
  for (int d = rank; d-- != 0; dense *= sizes[d])
    if (strides[d] != dense)
      complain("a tensor with gaps");
  return 0;
}
EXPORT int cudnnSetFilterNdDescriptor(Descriptor *filter, int type, int format, int rank, const int *sizes) {
  BEGIN
  if (format != 0)
    return badParameter;
  *filter = {type, {sizes, sizes + rank}, {}};
  return 0;
}
EXPORT int cudnnSetConvolutionNdDescriptor(Convolution *convolution, int rank, const int *padding, const int *stride,
                                           const int *dilation, int mode, int type) {
  BEGIN
  if (mode != 1)
    complain("a convolution, and no cross-correlation");
  *convolution = {{padding, padding + rank}, {stride, stride + rank}, {dilation, dilation + rank}, type};
  return 0;
}
EXPORT int cudnnSetConvolutionGroupCount(Convolution *convolution, int groups) {
  BEGIN
  convolution->groups = groups;
  return 0;
}
EXPORT int cudnnSetConvolutionMathType(Convolution *convolution, int math) {
  BEGIN
  convolution->math = math;
  return 0;
}
/// Faster ones that are not wanted stand first: one that cannot, and one whose bits differ from call to call.
static int estimate(const Descriptor &x, const Descriptor &w, const Convolution &convolution, const Descriptor &y,
                    int asked, int *numFound, Performance *found) {
  if (asked < 3 || !fits(x, w, convolution, y)) {
    complain("descriptors that are of no convolution");
    return badParameter;
  }
  found[0] = {7, 3000, -1, 0, 1, convolution.math, {}};
  found[1] = {0, 0, 1, 0, 0, convolution.math, {}};
  found[2] = {algorithmWanted, 0, 2, workspaceWanted, 1, convolution.math, {}};
  *numFound = 3;
  return 0;
}
EXPORT int cudnnGetConvolutionForwardAlgorithm_v7(Handle *, Descriptor *x, Descriptor *w, Convolution *convolution,
                                                  Descriptor *y, int asked, int *numFound, Performance *found) {
  BEGIN
  return estimate(*x, *w, *convolution, *y, asked, numFound, found);
}
EXPORT int cudnnGetConvolutionBackwardDataAlgorithm_v7(Handle *, Descriptor *w, Descriptor *y, Convolution *convolution,
                                                       Descriptor *x, int asked, int *numFound, Performance *found) {
  BEGIN
  return estimate(*x, *w, *convolution, *y, asked, numFound, found);
}
EXPORT int cudnnGetConvolutionBackwardFilterAlgorithm_v7(Handle *, Descriptor *x, Descriptor *y,
                                                         Convolution *convolution, Descriptor *w, int asked,
                                                         int *numFound, Performance *found) {
  BEGIN
  return estimate(*x, *w, *convolution, *y, asked, numFound, found);
}

namespace {
/// A call that convolves, or that gives the gradient of an image or of a filter, with all that it takes.
struct Call {
  Descriptor x, w, y;
  Convolution c;
  const void *alpha, *beta, *image, *filter, *result;
  int algorithm;
  const void *workspace;
  size_t workspaceBytes;

  /// Whether the descriptors and numbers are of a convolution.
  bool check() const {
    if (!fits(x, w, c, y)) {
      complain("a convolution of descriptors that do not fit");
      return false;
    }
    auto number = [&](const void *p) {
      return x.type == 1 ? *static_cast<const double *>(p) : *static_cast<const float *>(p);
    };
    if (number(alpha) != 1 || number(beta) != 0)
      complain("a convolution that is scaled");
    return true;
  }
  void checkAddresses() const {
    if (algorithm != algorithmWanted || workspaceBytes < workspaceWanted ||
        !isAllocated(reinterpret_cast<uint64_t>(workspace), workspaceBytes))
      complain("an algorithm that was not given, or a workspace that is not allocated");
    checkMemory(image, x, "an image"), checkMemory(filter, w, "a filter"), checkMemory(result, y, "a result");
  }
  /// Calls f with the places of an element of the image, of the filter and of the result, for each of their products.
  template <typename F> void forEachProduct(F &&f) const {
    const Volume in(x.sizes, 2, 1), window(w.sizes, 2, 1), out(y.sizes, 2, 1), padding(c.padding, 0, 0),
        stride(c.stride, 0, 1), dilation(c.dilation, 0, 1);
    const int64_t perGroup = w.sizes[1], outPerGroup = w.sizes[0] / c.groups;
    int64_t at = 0;
    for (int64_t sample = 0; sample != x.sizes[0]; ++sample)
      for (int64_t k = 0; k != w.sizes[0]; ++k)
        for (int64_t i = 0; i != out.d[0]; ++i)
          for (int64_t j = 0; j != out.d[1]; ++j)
            for (int64_t l = 0; l != out.d[2]; ++l, ++at)
              for (int64_t channel = 0; channel != perGroup; ++channel)
                for (int64_t r = 0; r != window.d[0]; ++r)
                  for (int64_t s = 0; s != window.d[1]; ++s)
                    for (int64_t t = 0; t != window.d[2]; ++t) {
                      const int64_t a = i * stride.d[0] - padding.d[0] + r * dilation.d[0],
                                    b = j * stride.d[1] - padding.d[1] + s * dilation.d[1],
                                    e = l * stride.d[2] - padding.d[2] + t * dilation.d[2];
                      if (a < 0 || b < 0 || e < 0 || a >= in.d[0] || b >= in.d[1] || e >= in.d[2])
                        continue;
                      const int64_t plane = sample * x.sizes[1] + k / outPerGroup * perGroup + channel;
                      f(((plane * in.d[0] + a) * in.d[1] + b) * in.d[2] + e,
                        (((k * perGroup + channel) * window.d[0] + r) * window.d[1] + s) * window.d[2] + t, at);
                    }
  }

  enum Made { Result, Image, Filter };
  void run(Made made) const {
    checkAddresses();
    const Number type = numberOf(x.type);
    const Descriptor &out = made == Result ? y : made == Image ? x : w;
    void *data = const_cast<void *>(made == Result ? result : made == Image ? image : filter);
    std::vector<double> sums(static_cast<size_t>(out.count()));
    Opened opened;
    forEachProduct([&](int64_t i, int64_t k, int64_t o) {
      switch (made) {
      case Result: sums[static_cast<size_t>(o)] += load(image, type, i) * load(filter, type, k); break;
      case Image: sums[static_cast<size_t>(i)] += load(result, type, o) * load(filter, type, k); break;
      case Filter: sums[static_cast<size_t>(k)] += load(image, type, i) * load(result, type, o); break;
      }
    });
    for (size_t at = 0; at != sums.size(); ++at)
      store(data, type, static_cast<int64_t>(at), sums[at]);
  }
  int performOn(const Handle &handle, const char *function, Made made) const {
    checkStream(function, handle.stream);
    if (!check())
      return badParameter;
    perform(handle.stream, [call = *this, made] { call.run(made); });
    return 0;
  }
};
} // namespace

EXPORT int cudnnConvolutionForward(Handle *handle, const void *alpha, Descriptor *xTensor, const void *x,
                                   Descriptor *wFilter, const void *w, Convolution *convolution, int algorithm,
                                   void *workspace, size_t workspaceBytes, const void *beta, Descriptor *yTensor,
                                   void *y) {
  BEGIN
  const Call call{*xTensor, *wFilter, *yTensor, *convolution, alpha,     beta,
                  x,        w,        y,        algorithm,    workspace, workspaceBytes};
  return call.performOn(*handle, __func__, Call::Result);
}
EXPORT int cudnnConvolutionBackwardData(Handle *handle, const void *alpha, Descriptor *wFilter, const void *w,
                                        Descriptor *yTensor, const void *y, Convolution *convolution, int algorithm,
                                        void *workspace, size_t workspaceBytes, const void *beta, Descriptor *xTensor,
                                        void *x) {
  BEGIN
  const Call call{*xTensor, *wFilter, *yTensor, *convolution, alpha,     beta,
                  x,        w,        y,        algorithm,    workspace, workspaceBytes};
  return call.performOn(*handle, __func__, Call::Image);
}
EXPORT int cudnnConvolutionBackwardFilter(Handle *handle, const void *alpha, Descriptor *xTensor, const void *x,
                                          Descriptor *yTensor, const void *y, Convolution *convolution, int algorithm,
                                          void *workspace, size_t workspaceBytes, const void *beta, Descriptor *wFilter,
                                          void *w) {
  BEGIN
  const Call call{*xTensor, *wFilter, *yTensor, *convolution, alpha,     beta,
                  x,        w,        y,        algorithm,    workspace, workspaceBytes};
  return call.performOn(*handle, __func__, Call::Filter);
}
EXPORT int cudnnAddTensor(Handle *handle, const void *, Descriptor *aTensor, const void *a, const void *,
                          Descriptor *cTensor, void *c) {
  BEGIN
  checkStream(__func__, handle->stream);
  if (aTensor->count() != cTensor->sizes[1] || aTensor->sizes[1] != cTensor->sizes[1] || aTensor->type != cTensor->type)
    complain("a bias of another convolution");
  perform(handle->stream, [bias = *aTensor, result = *cTensor, a, c] {
    checkMemory(a, bias, "a bias"), checkMemory(c, result, "a result");
    const Number type = numberOf(bias.type);
    const int64_t channels = result.sizes[1], plane = result.count() / (result.sizes[0] * channels);
    Opened opened;
    for (int64_t i = 0; i != result.count(); ++i)
      store(c, type, i, load(c, type, i) + load(a, type, i / plane % channels));
  });
  return 0;
}
