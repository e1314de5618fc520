//===- Unfold.cpp - Sliding windows as columns, and back ------------------===//
#include "Indexing/IndexingSupport.h"
#include "Support/Compute.h"
#include "tsc/Kernels/Upsample.h"
#include "tsc/Support/WorkMeter.h"

using namespace tsc;
using namespace tsc::cpu;

namespace {
struct Windows {
  int64_t kernel[2], dilation[2], padding[2], stride[2], image[2], out[2];
  int64_t count; ///< out[0] * out[1]
};
} // namespace

static Status setPair(int64_t (&to)[2], ArrayRef<int64_t> from, const char *name) {
  if (from.empty() || from.size() > 2)
    return invalidArgument(llvm::Twine("It is expected ") + name + " equals to 2, but got size " +
                           llvm::Twine(from.size()));
  to[0] = from[0];
  to[1] = from.back();
  return okStatus();
}

/// Of larger numbers there is no telling where a window begins: the products and sums below would overflow.
static Status checkMagnitudes(const Windows &w) {
  constexpr int64_t most = int64_t{1} << 30;
  for (auto [name, numbers] :
       {std::pair("image size", &w.image), std::pair("kernel size", &w.kernel), std::pair("dilation", &w.dilation),
        std::pair("padding", &w.padding), std::pair("stride", &w.stride)})
    for (int64_t number : *numbers)
      if (number > most)
        return invalidArgument(llvm::Twine("im2col and col2im: the ") + name + " is at most " + llvm::Twine(most) +
                               " in a dimension, but got " + llvm::Twine(number));
  return okStatus();
}

static StatusOr<Windows> windowsOf(ArrayRef<int64_t> image, ArrayRef<int64_t> kernel, ArrayRef<int64_t> dilation,
                                   ArrayRef<int64_t> padding, ArrayRef<int64_t> stride) {
  Windows w;
  TSC_RETURN_IF_ERROR(setPair(w.image, image, "output_size"));
  TSC_RETURN_IF_ERROR(setPair(w.kernel, kernel, "kernel_size"));
  TSC_RETURN_IF_ERROR(setPair(w.dilation, dilation, "dilation"));
  TSC_RETURN_IF_ERROR(setPair(w.padding, padding, "padding"));
  TSC_RETURN_IF_ERROR(setPair(w.stride, stride, "stride"));
  auto pairText = [](const char *name, const int64_t(&p)[2]) {
    return std::string(name) + "_height: " + std::to_string(p[0]) + " " + name + "_width: " + std::to_string(p[1]);
  };
  if (w.kernel[0] <= 0 || w.kernel[1] <= 0)
    return invalidArgument("kernel size should be greater than zero, but got " + pairText("kernel", w.kernel));
  if (w.dilation[0] <= 0 || w.dilation[1] <= 0)
    return invalidArgument("dilation should be greater than zero, but got " + pairText("dilation", w.dilation));
  if (w.padding[0] < 0 || w.padding[1] < 0)
    return invalidArgument("padding should be non-negative, but got " + pairText("pad", w.padding));
  if (w.stride[0] <= 0 || w.stride[1] <= 0)
    return invalidArgument("stride should be greater than zero, but got " + pairText("stride", w.stride));
  if (w.image[0] < 0 || w.image[1] < 0)
    return invalidArgument("output_size must be non-negative, but got " + shapeString(image));
  TSC_RETURN_IF_ERROR(checkMagnitudes(w));
  for (int d = 0; d < 2; ++d) {
    int64_t room = w.image[d] + 2 * w.padding[d] - w.dilation[d] * (w.kernel[d] - 1) - 1;
    w.out[d] = room >= 0 ? room / w.stride[d] + 1 : 0;
  }
  if (__builtin_mul_overflow(w.out[0], w.out[1], &w.count))
    return resourceExhausted("im2col and col2im: there are too many windows");
  return w;
}

/// fn(column element, image element, count) for every row of pairs that meet, channels apart: the column's elements lie
/// side by side, the image's w.stride[1] apart.
template <typename Fn> static void forEachRow(const Windows &w, int64_t channels, Fn fn) {
  int64_t row = 0;
  work::LongLoop turns(1 + w.out[0]);
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t kh = 0; kh < w.kernel[0]; ++kh)
      for (int64_t kw = 0; kw < w.kernel[1]; ++kw, ++row) {
        if (!turns.goOn())
          return;
        for (int64_t h = 0; h < w.out[0]; ++h) {
          int64_t y = h * w.stride[0] - w.padding[0] + kh * w.dilation[0];
          if (y < 0 || y >= w.image[0])
            continue;
          const int64_t shift = kw * w.dilation[1] - w.padding[1], stride = w.stride[1];
          const int64_t begin = shift < 0 ? (stride - 1 - shift) / stride : 0;
          const int64_t end = w.image[1] > shift ? std::min(w.out[1], (w.image[1] - 1 - shift) / stride + 1) : 0;
          if (begin < end)
            fn(row * w.count + h * w.out[1] + begin, (c * w.image[0] + y) * w.image[1] + begin * stride + shift,
               end - begin);
        }
      }
}

StatusOr<Tensor> tsc::cpu::im2col(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> dilation,
                                  ArrayRef<int64_t> padding, ArrayRef<int64_t> stride) {
  if (self.dim() != 3 && self.dim() != 4)
    return invalidArgument(
        "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
        "but got: " +
        shapeString(self.sizes()));
  TSC_ASSIGN_OR_RETURN(Windows w, windowsOf(self.sizes().take_back(2), kernelSize, dilation, padding, stride));
  if (w.out[0] < 1 || w.out[1] < 1)
    return invalidArgument(
        "Given input with spatial size (" + llvm::Twine(w.image[0]) + ", " + llvm::Twine(w.image[1]) +
        "), kernel_size=(" + llvm::Twine(w.kernel[0]) + ", " + llvm::Twine(w.kernel[1]) + "), dilation=(" +
        llvm::Twine(w.dilation[0]) + ", " + llvm::Twine(w.dilation[1]) + "), padding=(" + llvm::Twine(w.padding[0]) +
        ", " + llvm::Twine(w.padding[1]) + "), calculated shape of the array of sliding blocks as (" +
        llvm::Twine(w.out[0]) + ", " + llvm::Twine(w.out[1]) + "), which is too small (non-positive)");
  int64_t samples = self.dim() == 4 ? self.size(0) : 1, channels = self.size(self.dim() - 3);
  int64_t rowCount, windows = w.count;
  if (__builtin_mul_overflow(channels, w.kernel[0] * w.kernel[1], &rowCount))
    return resourceExhausted("im2col: the result is too large");
  TSC_ASSIGN_OR_RETURN(Tensor x, contiguous(self));
  Dims shape;
  if (self.dim() == 4)
    shape.push_back(samples);
  shape.append({rowCount, windows});
  TSC_ASSIGN_OR_RETURN(Tensor out, zeros(shape, self.dtype()));
  const auto bytes = static_cast<int64_t>(itemSize(self.dtype()));
  for (int64_t s = 0; s < samples && out.numel() != 0; ++s) {
    const char *image = static_cast<const char *>(x.data()) + s * channels * w.image[0] * w.image[1] * bytes;
    char *columns = static_cast<char *>(out.mutableData()) + s * rowCount * windows * bytes;
    forEachRow(w, channels, [&](int64_t to, int64_t from, int64_t count) {
      convertRow(columns + to * bytes, self.dtype(), bytes, image + from * bytes, self.dtype(), w.stride[1] * bytes,
                 count);
    });
  }
  return out;
}

StatusOr<Tensor> tsc::cpu::col2im(const Tensor &self, ArrayRef<int64_t> outputSize, ArrayRef<int64_t> kernelSize,
                                  ArrayRef<int64_t> dilation, ArrayRef<int64_t> padding, ArrayRef<int64_t> stride) {
  TSC_ASSIGN_OR_RETURN(Windows w, windowsOf(outputSize, kernelSize, dilation, padding, stride));
  if (self.dim() != 2 && self.dim() != 3)
    return invalidArgument(
        "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for "
        "input, but got: " +
        shapeString(self.sizes()));
  int64_t rowCount = self.size(self.dim() - 2), windows = self.size(self.dim() - 1), kernel = w.kernel[0] * w.kernel[1];
  if (rowCount % kernel != 0)
    return invalidArgument(
        "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
        "input.size(1)=" +
        llvm::Twine(rowCount) + " and kernel_size=(" + llvm::Twine(w.kernel[0]) + ", " + llvm::Twine(w.kernel[1]) +
        ").");
  if (windows != w.count)
    return invalidArgument("Given output_size=(" + llvm::Twine(w.image[0]) + ", " + llvm::Twine(w.image[1]) +
                           "), kernel_size=(" + llvm::Twine(w.kernel[0]) + ", " + llvm::Twine(w.kernel[1]) +
                           "), dilation=(" + llvm::Twine(w.dilation[0]) + ", " + llvm::Twine(w.dilation[1]) +
                           "), padding=(" + llvm::Twine(w.padding[0]) + ", " + llvm::Twine(w.padding[1]) +
                           "), stride=(" + llvm::Twine(w.stride[0]) + ", " + llvm::Twine(w.stride[1]) +
                           "), expected size of input's dimension 2 to match the calculated number of sliding blocks " +
                           llvm::Twine(w.out[0]) + " * " + llvm::Twine(w.out[1]) + " = " + llvm::Twine(w.count) +
                           ", but got input.size(2)=" + llvm::Twine(windows) + ".");
  int64_t samples = self.dim() == 3 ? self.size(0) : 1, channels = rowCount / kernel;
  Dims shape;
  if (self.dim() == 3)
    shape.push_back(samples);
  shape.append({channels, w.image[0], w.image[1]});
  DType work = isIntegral(self.dtype(), true) ? DType::Int64 : workType(self.dtype());
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(self, work));
  TSC_ASSIGN_OR_RETURN(Tensor out, zeros(shape, work));
  auto run = [&](auto zero) {
    using T = decltype(zero);
    for (int64_t s = 0; s < samples && x.numel() != 0; ++s) {
      const T *columns = x.data<T>() + s * rowCount * windows;
      T *image = out.mutableData<T>() + s * channels * w.image[0] * w.image[1];
      const int64_t step = w.stride[1];
      forEachRow(w, channels, [&](int64_t from, int64_t to, int64_t count) {
        if (step == 1)
          for (int64_t i = 0; i != count; ++i)
            image[to + i] = addElements(image[to + i], columns[from + i]);
        else
          for (int64_t i = 0; i != count; ++i)
            image[to + i * step] = addElements(image[to + i * step], columns[from + i]);
      });
    }
  };
  switch (work) {
  case DType::Int64: run(int64_t{}); break;
  case DType::Float: run(float{}); break;
  case DType::Double: run(double{}); break;
  case DType::ComplexFloat: run(std::complex<float>{}); break;
  case DType::ComplexDouble: run(std::complex<double>{}); break;
  default: return detail::dtypeNotImplemented("col2im_out_cpu", self.dtype());
  }
  return toDType(out, self.dtype());
}
