//===- PoolWindows.cpp - Parameters and planes of pools -------------------===//
#include "PoolWindows.h"
#include "Support/MemoryFormats.h"
#include "tsc/Kernels/Convolution.h"
#include "tsc/Support/WorkMeter.h"

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::pools;

Planes tsc::cpu::pools::planeSizes(const Tensor &self, int64_t spatial) {
  assert(spatial >= 1 && spatial <= 3 && self.dim() >= spatial && "windows go over 1 to 3 dimensions of the tensor");
  Planes p;
  int64_t lead = self.dim() - spatial;
  for (int64_t d = 0; d < lead; ++d)
    p.count *= self.size(d);
  for (int64_t d = 0; d < spatial; ++d)
    p.in[3 - spatial + d] = self.size(lead + d);
  return p;
}

static Status takeElements(Planes &p, const Tensor &self, int64_t spatial, DType work) {
  Tensor elements = self;
  if (isFloating(self.dtype()) && self.dim() == spatial + 2) {
    TSC_ASSIGN_OR_RETURN(elements, withDenseChannels(self));
  }
  if (isFloating(self.dtype()) && self.dim() == spatial + 2 && hasChannelsInside(elements)) {
    p.channels = self.size(1);
    p.count = self.size(0);
    TSC_ASSIGN_OR_RETURN(elements, channelsToEnd(elements));
  }
  TSC_ASSIGN_OR_RETURN(p.input, dense(elements, work));
  return okStatus();
}
StatusOr<Planes> tsc::cpu::pools::planesOf(const Tensor &self, int64_t spatial, DType work) {
  Planes p = planeSizes(self, spatial);
  TSC_RETURN_IF_ERROR(takeElements(p, self, spatial, work));
  return p;
}

Status tsc::cpu::pools::setOutShape(Planes &p, const Tensor &self, int64_t spatial) {
  assert(self.dim() >= spatial && "windows go over dimensions of the tensor");
  p.outShape.assign(self.sizes().begin(), self.sizes().end() - spatial);
  p.outShape.append(p.out.end() - spatial, p.out.end());
  return elementCount(p.outShape).status();
}

Status tsc::cpu::pools::checkRank1d(const char *name, const Tensor &self) {
  if (self.dim() == 2 || self.dim() == 3)
    return okStatus();
  return invalidArgument("Expected 2 to 3 dimensions, but got " + llvm::Twine(self.dim()) +
                         "-dimensional tensor for argument #1 'self' (while checking arguments for " + name + ")");
}

const char *const tsc::cpu::pools::countWords[4] = {"", "one int", "two ints", "three ints"};

static StatusOr<Extent> extent(const char *name, const char *what, ArrayRef<int64_t> list, int64_t spatial,
                               Extent fallback) {
  Extent e = fallback;
  if (list.empty())
    return e;
  if (list.size() != 1 && list.size() != static_cast<size_t>(spatial))
    return invalidArgument(llvm::Twine(name) + ": " + what + " must either be a single int, or a tuple of " +
                           countWords[spatial]);
  for (int64_t d = 0; d < spatial; ++d)
    e[3 - spatial + d] = list.size() == 1 ? list[0] : list[d];
  return e;
}

StatusOr<Sliding> tsc::cpu::pools::slidingOf(const char *name, int64_t spatial, ArrayRef<int64_t> kernel,
                                             ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                             ArrayRef<int64_t> dilation) {
  Sliding s;
  if (kernel.empty())
    return invalidArgument(llvm::Twine(name) + ": kernel_size must either be a single int, or a tuple of " +
                           countWords[spatial]);
  TSC_ASSIGN_OR_RETURN(s.kernel, extent(name, "kernel_size", kernel, spatial, s.kernel));
  if (!stride.empty() && stride.size() != 1 && stride.size() != static_cast<size_t>(spatial))
    return invalidArgument(llvm::Twine(name) + ": stride must either be omitted, a single int, or a tuple of " +
                           countWords[spatial]);
  TSC_ASSIGN_OR_RETURN(s.stride, extent(name, "stride", stride, spatial, s.kernel));
  TSC_ASSIGN_OR_RETURN(s.padding, extent(name, "padding", padding, spatial, s.padding));
  TSC_ASSIGN_OR_RETURN(s.dilation, extent(name, "dilation", dilation, spatial, s.dilation));
  for (int64_t d = 3 - spatial; d < 3; ++d) {
    // As PyTorch counts them; products of two then stay numbers.
    if (std::max({s.kernel[d], s.stride[d], s.padding[d], s.dilation[d]}) > INT32_MAX)
      return invalidArgument("integer out of range");
    if (s.kernel[d] <= 0)
      return invalidArgument("kernel size should be greater than zero, but got kernel size: " +
                             llvm::Twine(s.kernel[d]));
    if (s.stride[d] <= 0)
      return invalidArgument(s.stride[d] == 0
                                 ? llvm::Twine("stride should not be zero")
                                 : "stride should be greater than zero, but got stride: " + llvm::Twine(s.stride[d]));
    if (s.dilation[d] <= 0)
      return invalidArgument("dilation should be greater than zero, but got dilation: " + llvm::Twine(s.dilation[d]));
    if (s.padding[d] < 0)
      return invalidArgument("pad must be non-negative, but got pad: " + llvm::Twine(s.padding[d]));
    if (s.padding[d] > ((s.kernel[d] - 1) * s.dilation[d] + 1) / 2)
      return invalidArgument("pad should be at most half of kernel size, but got pad=" + llvm::Twine(s.padding[d]) +
                             " and kernel_size=" + llvm::Twine(s.kernel[d]));
  }
  return s;
}

static std::string timesText(int64_t channels, const Extent &e, int64_t spatial) {
  std::string text = "(" + std::to_string(channels);
  for (int64_t d = 3 - spatial; d < 3; ++d)
    text += "x" + std::to_string(e[d]);
  return text + ")";
}

StatusOr<Planes> tsc::cpu::pools::slidingSizes(const Tensor &self, int64_t spatial, const Sliding &s, bool ceilMode) {
  if (self.dim() != spatial + 1 && self.dim() != spatial + 2)
    return invalidArgument("non-empty " + llvm::Twine(spatial + 1) + "D or " + llvm::Twine(spatial + 2) +
                           "D (batch mode) tensor expected for input");
  for (int64_t d = self.dim() - spatial - 1; d < self.dim(); ++d)
    if (self.size(d) == 0)
      return invalidArgument(
          "Expected " + llvm::Twine(spatial + 1) + "D or " + llvm::Twine(spatial + 2) +
          "D (batch mode) tensor with optional 0 dim batch size for input, but got: " + shapeString(self.sizes()));
  Planes p = planeSizes(self, spatial);
  bool tooSmall = false;
  for (int64_t d = 3 - spatial; d < 3; ++d) {
    int64_t room =
        p.in[d] + 2 * s.padding[d] - s.dilation[d] * (s.kernel[d] - 1) - 1 + (ceilMode ? s.stride[d] - 1 : 0);
    p.out[d] = (room >= 0 ? room / s.stride[d] : -((-room + s.stride[d] - 1) / s.stride[d])) + 1;
    if (ceilMode && (p.out[d] - 1) * s.stride[d] >= p.in[d] + s.padding[d])
      --p.out[d]; // the last window must start inside
    tooSmall |= p.out[d] < 1;
  }
  if (tooSmall) {
    int64_t channels = self.size(self.dim() - spatial - 1);
    return invalidArgument("Given input size: " + timesText(channels, p.in, spatial) + ". Calculated output size: " +
                           timesText(channels, p.out, spatial) + ". Output size is too small");
  }
  TSC_RETURN_IF_ERROR(setOutShape(p, self, spatial));
  for (int64_t d = 3 - spatial; d < 3; ++d)
    p.window[d] = std::min(p.in[d], s.kernel[d]);
  return p;
}

StatusOr<Planes> tsc::cpu::pools::slidingPlanes(const Tensor &self, int64_t spatial, const Sliding &s, bool ceilMode,
                                                DType work) {
  TSC_ASSIGN_OR_RETURN(Planes p, slidingSizes(self, spatial, s, ceilMode));
  TSC_RETURN_IF_ERROR(takeElements(p, self, spatial, work));
  return p;
}

StatusOr<Planes> tsc::cpu::pools::adaptivePlanes(const char *name, int64_t spatial, const Tensor &self,
                                                 ArrayRef<int64_t> outputSize) {
  if (outputSize.size() != static_cast<size_t>(spatial) && outputSize.size() != 1)
    return invalidArgument(llvm::Twine(name) + "(): internal error: output_size.size() must be " +
                           llvm::Twine(spatial));
  for (int64_t d = std::max<int64_t>(self.dim() - spatial, 0); d < self.dim(); ++d)
    if (self.size(d) == 0)
      return invalidArgument(llvm::Twine(name) +
                             "(): Expected input to have non-zero size for non-batch dimensions, but input has sizes " +
                             shapeString(self.sizes()) + " with dimension " + llvm::Twine(d) + " being empty");
  TSC_RETURN_IF_ERROR(checkFloating(self, name));
  TSC_ASSIGN_OR_RETURN(Planes p, planesOf(self, spatial, workType(self.dtype())));
  for (int64_t d = 0; d < spatial; ++d) {
    p.out[3 - spatial + d] = outputSize.size() == 1 ? outputSize[0] : outputSize[d];
    if (p.out[3 - spatial + d] < 0)
      return invalidArgument(llvm::Twine(name) +
                             ": elements of output_size must be greater than or equal to 0 but received " +
                             shapeString(outputSize));
  }
  for (int64_t d = 3 - spatial; d < 3; ++d)
    if (p.out[d] != 0)
      p.window[d] = std::min(p.in[d], p.in[d] / p.out[d] + 2);
  TSC_RETURN_IF_ERROR(setOutShape(p, self, spatial));
  return p;
}
