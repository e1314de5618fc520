//===- Fourier.cpp - torch.fft --------------------------------------------===//
//
// Every operator resizes its dimensions, transforms them one after another in its
// own precision, and scales once.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Fourier.h"
#include "Fft.h"
#include "Support/Compute.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Tensor/DefaultDType.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace tsc;
using namespace tsc::cpu;

using OptInts = std::optional<ArrayRef<int64_t>>;
using OptLength = std::optional<int64_t>;
using OptNorm = std::optional<llvm::StringRef>;

/// Factor for a transform of `n` elements.
static StatusOr<double> scaleFor(OptNorm norm, FftDirection direction, double n) {
  llvm::StringRef mode = norm.value_or("backward");
  if (mode == "ortho")
    return 1 / std::sqrt(n);
  if (mode == "backward")
    return direction == FftDirection::Backward ? 1 / n : 1;
  if (mode == "forward")
    return direction == FftDirection::Forward ? 1 / n : 1;
  return invalidArgument("Invalid normalization mode: \"" + mode + "\"");
}

/// The complex dtype that a transform of this dtype gives.
static StatusOr<DType> spectrumType(DType dtype) {
  if (isIntegral(dtype, true))
    return defaultComplexDType();
  if (workType(dtype) != dtype || dtype == DType::ComplexHalf)
    return invalidArgument("Unsupported dtype " + dtypeText(dtype));
  return toComplexDType(dtype);
}

/// A dense copy in the dtype with dimension d of length lengths[i]: trimmed, or extended by zeros. The tensor itself
/// where nothing is to be done, unless it `isWritten`.
static StatusOr<Tensor> resized(const Tensor &self, ArrayRef<int64_t> dims, ArrayRef<int64_t> lengths, DType dtype,
                                bool isWritten = true) {
  Tensor x = self;
  Dims shape(self.sizes());
  for (size_t i = 0; i != dims.size(); ++i) {
    if (lengths[i] < 1)
      return invalidArgument("Invalid number of data points (" + llvm::Twine(lengths[i]) + ") specified");
    if (lengths[i] < x.size(dims[i])) {
      TSC_ASSIGN_OR_RETURN(x, narrow(x, dims[i], 0, lengths[i]));
    }
    shape[dims[i]] = lengths[i];
  }
  if (!isWritten && x.sizes() == ArrayRef<int64_t>(shape))
    return dense(x, dtype);
  const bool isWhole = x.sizes() == ArrayRef<int64_t>(shape);
  TSC_ASSIGN_OR_RETURN(Tensor out, isWhole ? Tensor::empty(shape, dtype) : zeros(shape, dtype));
  Tensor inner = out;
  for (size_t i = 0; i != dims.size(); ++i) {
    TSC_ASSIGN_OR_RETURN(inner, narrow(inner, dims[i], 0, std::min(x.size(dims[i]), lengths[i])));
  }
  TSC_RETURN_IF_ERROR(copyInto(inner, x));
  return out;
}

/// The parts of a complex tensor, or the elements of a real one, as T.
template <typename T> static llvm::MutableArrayRef<T> numbersOf(const Tensor &x) {
  return {static_cast<T *>(x.mutableData()), static_cast<size_t>(isComplex(x.dtype()) ? 2 * x.numel() : x.numel())};
}

static void scaleAll(const Tensor &x, double factor) {
  if (factor == 1)
    return;
  (void)dispatchFloatDouble(isComplex(x.dtype()) ? toRealDType(x.dtype()) : x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (T &number : numbersOf<T>(x))
      number *= static_cast<T>(factor);
  });
}
static void conjugateAll(const Tensor &x) {
  (void)dispatchFloatDouble(toRealDType(x.dtype()), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    llvm::MutableArrayRef<T> numbers = numbersOf<T>(x);
    for (size_t i = 1; i < numbers.size(); i += 2)
      numbers[i] = -numbers[i];
  });
}

/// fn of a dense tensor whose last dimension was `dim`, with that dimension where it was.
template <class Fn> static StatusOr<Tensor> alongLast(const Tensor &x, int64_t dim, Fn fn) {
  TSC_ASSIGN_OR_RETURN(Tensor rows, movedim(x, dim, -1));
  TSC_ASSIGN_OR_RETURN(rows, contiguous(rows));
  TSC_ASSIGN_OR_RETURN(Tensor out, fn(rows));
  TSC_ASSIGN_OR_RETURN(out, movedim(out, -1, dim));
  return contiguous(out);
}

namespace {
/// The dimensions of an n-dimensional transform and their lengths.
struct Shape {
  Dims dims, lengths;
  double count() const {
    double n = 1;
    for (int64_t l : lengths)
      n *= static_cast<double>(l);
    return n;
  }
};
} // namespace

static StatusOr<Shape> shapeOf(const Tensor &self, OptInts s, OptInts dim) {
  Shape out;
  if (dim) {
    for (int64_t d : *dim) {
      TSC_ASSIGN_OR_RETURN(int64_t wrapped, wrapDim(d, self.dim()));
      if (llvm::is_contained(out.dims, wrapped))
        return invalidArgument("FFT dims must be unique");
      out.dims.push_back(wrapped);
    }
    if (s && s->size() != dim->size())
      return invalidArgument("When given, dim and shape arguments must have the same length");
  } else {
    int64_t count = s ? static_cast<int64_t>(s->size()) : self.dim();
    if (count > self.dim())
      return invalidArgument("Got shape with " + llvm::Twine(count) + " values but input tensor only has " +
                             llvm::Twine(self.dim()) + " dimensions.");
    for (int64_t d = self.dim() - count; d < self.dim(); ++d)
      out.dims.push_back(d);
  }
  for (size_t i = 0; i != out.dims.size(); ++i) {
    if (self.dim() == 0)
      return invalidArgument("Dimension specified as " + llvm::Twine(out.dims[i]) + " but tensor has no dimensions");
    out.lengths.push_back(s && (*s)[i] != -1 ? (*s)[i] : self.size(out.dims[i]));
    if (out.lengths.back() < 1)
      return invalidArgument("Invalid number of data points (" + llvm::Twine(out.lengths.back()) + ") specified");
  }
  return out;
}

static StatusOr<Tensor> complexToComplex(const Tensor &self, const Shape &shape, FftDirection direction, OptNorm norm) {
  TSC_ASSIGN_OR_RETURN(DType type, spectrumType(self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor x, resized(self, shape.dims, shape.lengths, type));
  for (int64_t d : shape.dims)
    TSC_RETURN_IF_ERROR(transformAlong(x, d, direction));
  TSC_ASSIGN_OR_RETURN(double scale, scaleFor(norm, direction, shape.count()));
  scaleAll(x, scale);
  return x;
}

/// The unscaled spectrum of a real tensor, half of it along the last of the dimensions.
static StatusOr<Tensor> halfSpectrum(const Tensor &self, const Shape &shape, DType real) {
  TSC_ASSIGN_OR_RETURN(Tensor x, resized(self, shape.dims, shape.lengths, real, /*isWritten=*/false));
  TSC_ASSIGN_OR_RETURN(x, alongLast(x, shape.dims.back(), transformReal));
  for (int64_t d : ArrayRef<int64_t>(shape.dims).drop_back())
    TSC_RETURN_IF_ERROR(transformAlong(x, d, FftDirection::Forward));
  return x;
}

/// Half of the spectrum of a real tensor along the last of the dimensions. `conjugated`: the inverse Hermitian
/// transform.
static StatusOr<Tensor> realToComplex(const char *name, const Tensor &self, const Shape &shape, bool conjugated,
                                      OptNorm norm) {
  if (isComplex(self.dtype()))
    return invalidArgument(llvm::Twine(name) + " expects a real input tensor, but got " + dtypeText(self.dtype()));
  if (shape.dims.empty())
    return invalidArgument(llvm::Twine(name) + " must transform at least one axis");
  TSC_ASSIGN_OR_RETURN(DType type, spectrumType(self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor x, halfSpectrum(self, shape, toRealDType(type)));
  if (conjugated)
    conjugateAll(x);
  TSC_ASSIGN_OR_RETURN(double scale,
                       scaleFor(norm, conjugated ? FftDirection::Backward : FftDirection::Forward, shape.count()));
  scaleAll(x, scale);
  return x;
}

/// The real tensor with this half spectrum; `length` is the last dimension's. `forward`: the Hermitian transform.
static StatusOr<Tensor> complexToReal(const char *name, const Tensor &self, Shape shape, OptLength length, bool forward,
                                      OptNorm norm) {
  if (shape.dims.empty())
    return invalidArgument(llvm::Twine(name) + " must transform at least one axis");
  int64_t last = shape.dims.back();
  int64_t n = length ? *length : 2 * (self.size(last) - 1);
  if (n < 1)
    return invalidArgument("Invalid number of data points (" + llvm::Twine(n) + ") specified");
  TSC_ASSIGN_OR_RETURN(DType type, spectrumType(self.dtype()));
  shape.lengths.back() = n / 2 + 1;
  TSC_ASSIGN_OR_RETURN(Tensor x, resized(self, shape.dims, shape.lengths, type));
  shape.lengths.back() = n;
  // The forward transform is the conjugate of the backward one of the conjugate, and the result is real.
  if (forward)
    conjugateAll(x);
  for (int64_t d : ArrayRef<int64_t>(shape.dims).drop_back())
    TSC_RETURN_IF_ERROR(transformAlong(x, d, FftDirection::Backward));
  TSC_ASSIGN_OR_RETURN(Tensor out, alongLast(x, last, [&](const Tensor &rows) { return transformHermitian(rows, n); }));
  TSC_ASSIGN_OR_RETURN(double scale,
                       scaleFor(norm, forward ? FftDirection::Forward : FftDirection::Backward, shape.count()));
  scaleAll(out, scale);
  return out;
}

static StatusOr<Shape> oneDimension(const Tensor &self, OptLength n, int64_t dim) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (self.dim() == 0)
    return invalidArgument("Dimension specified as " + llvm::Twine(dim) + " but tensor has no dimensions");
  Shape s;
  s.dims.push_back(d);
  s.lengths.push_back(n.value_or(self.size(d)));
  if (s.lengths[0] < 1)
    return invalidArgument("Invalid number of data points (" + llvm::Twine(s.lengths[0]) + ") specified");
  return s;
}

StatusOr<Tensor> tsc::cpu::fftFft(const Tensor &self, OptLength n, int64_t dim, OptNorm norm) {
  TSC_ASSIGN_OR_RETURN(Shape s, oneDimension(self, n, dim));
  return complexToComplex(self, s, FftDirection::Forward, norm);
}
StatusOr<Tensor> tsc::cpu::fftIfft(const Tensor &self, OptLength n, int64_t dim, OptNorm norm) {
  TSC_ASSIGN_OR_RETURN(Shape s, oneDimension(self, n, dim));
  return complexToComplex(self, s, FftDirection::Backward, norm);
}
StatusOr<Tensor> tsc::cpu::fftRfft(const Tensor &self, OptLength n, int64_t dim, OptNorm norm) {
  TSC_ASSIGN_OR_RETURN(Shape s, oneDimension(self, n, dim));
  return realToComplex("rfft", self, s, false, norm);
}
StatusOr<Tensor> tsc::cpu::fftIhfft(const Tensor &self, OptLength n, int64_t dim, OptNorm norm) {
  TSC_ASSIGN_OR_RETURN(Shape s, oneDimension(self, n, dim));
  return realToComplex("ihfft", self, s, true, norm);
}
StatusOr<Tensor> tsc::cpu::fftIrfft(const Tensor &self, OptLength n, int64_t dim, OptNorm norm) {
  TSC_ASSIGN_OR_RETURN(Shape s, oneDimension(self, std::nullopt, dim));
  return complexToReal("irfft", self, s, n, false, norm);
}
StatusOr<Tensor> tsc::cpu::fftHfft(const Tensor &self, OptLength n, int64_t dim, OptNorm norm) {
  TSC_ASSIGN_OR_RETURN(Shape s, oneDimension(self, std::nullopt, dim));
  return complexToReal("hfft", self, s, n, true, norm);
}

/// The shape of a complex-to-real transform: the last length is that of the result, and returned apart. Lists of
/// lengths may leave one open, as -1; a length alone may not.
static StatusOr<std::pair<Shape, OptLength>> realShapeOf(const Tensor &self, OptInts s, OptInts dim) {
  const bool saysLast = s && !s->empty() && s->back() != -1;
  OptLength last = saysLast ? OptLength(s->back()) : std::nullopt;
  Dims lengths;
  if (s) {
    lengths.assign(s->begin(), s->end());
    if (!lengths.empty())
      lengths.back() = -1;
    if (last && *last < 1)
      return invalidArgument("Invalid number of data points (" + llvm::Twine(*last) + ") specified");
  }
  TSC_ASSIGN_OR_RETURN(Shape shape, shapeOf(self, s ? OptInts(ArrayRef<int64_t>(lengths)) : std::nullopt, dim));
  return std::make_pair(shape, last);
}

StatusOr<Tensor> tsc::cpu::fftFftn(const Tensor &self, OptInts s, OptInts dim, OptNorm norm) {
  TSC_ASSIGN_OR_RETURN(Shape shape, shapeOf(self, s, dim));
  return complexToComplex(self, shape, FftDirection::Forward, norm);
}
StatusOr<Tensor> tsc::cpu::fftIfftn(const Tensor &self, OptInts s, OptInts dim, OptNorm norm) {
  TSC_ASSIGN_OR_RETURN(Shape shape, shapeOf(self, s, dim));
  return complexToComplex(self, shape, FftDirection::Backward, norm);
}
StatusOr<Tensor> tsc::cpu::fftRfftn(const Tensor &self, OptInts s, OptInts dim, OptNorm norm) {
  TSC_ASSIGN_OR_RETURN(Shape shape, shapeOf(self, s, dim));
  return realToComplex("rfftn", self, shape, false, norm);
}
StatusOr<Tensor> tsc::cpu::fftIhfftn(const Tensor &self, OptInts s, OptInts dim, OptNorm norm) {
  TSC_ASSIGN_OR_RETURN(Shape shape, shapeOf(self, s, dim));
  return realToComplex("ihfftn", self, shape, true, norm);
}
StatusOr<Tensor> tsc::cpu::fftIrfftn(const Tensor &self, OptInts s, OptInts dim, OptNorm norm) {
  TSC_ASSIGN_OR_RETURN(auto shape, realShapeOf(self, s, dim));
  return complexToReal("irfftn", self, shape.first, shape.second, false, norm);
}
StatusOr<Tensor> tsc::cpu::fftHfftn(const Tensor &self, OptInts s, OptInts dim, OptNorm norm) {
  TSC_ASSIGN_OR_RETURN(auto shape, realShapeOf(self, s, dim));
  return complexToReal("hfftn", self, shape.first, shape.second, true, norm);
}
StatusOr<Tensor> tsc::cpu::fftFft2(const Tensor &self, OptInts s, ArrayRef<int64_t> dim, OptNorm norm) {
  return fftFftn(self, s, dim, norm);
}
StatusOr<Tensor> tsc::cpu::fftIfft2(const Tensor &self, OptInts s, ArrayRef<int64_t> dim, OptNorm norm) {
  return fftIfftn(self, s, dim, norm);
}
StatusOr<Tensor> tsc::cpu::fftRfft2(const Tensor &self, OptInts s, ArrayRef<int64_t> dim, OptNorm norm) {
  return fftRfftn(self, s, dim, norm);
}
StatusOr<Tensor> tsc::cpu::fftIrfft2(const Tensor &self, OptInts s, ArrayRef<int64_t> dim, OptNorm norm) {
  return fftIrfftn(self, s, dim, norm);
}
StatusOr<Tensor> tsc::cpu::fftHfft2(const Tensor &self, OptInts s, ArrayRef<int64_t> dim, OptNorm norm) {
  return fftHfftn(self, s, dim, norm);
}
StatusOr<Tensor> tsc::cpu::fftIhfft2(const Tensor &self, OptInts s, ArrayRef<int64_t> dim, OptNorm norm) {
  return fftIhfftn(self, s, dim, norm);
}

static StatusOr<Tensor> shifted(const Tensor &self, OptInts dim, int64_t sign) {
  Dims dims, shifts;
  if (dim)
    dims.assign(dim->begin(), dim->end());
  else
    for (int64_t d = 0; d < self.dim(); ++d)
      dims.push_back(d);
  for (int64_t d : dims) {
    TSC_ASSIGN_OR_RETURN(int64_t wrapped, wrapDim(d, self.dim()));
    int64_t n = self.dim() ? self.size(wrapped) : 1;
    shifts.push_back(sign > 0 ? n / 2 : (n + 1) / 2);
  }
  return dims.empty() ? clone(self) : roll(self, shifts, dims);
}
StatusOr<Tensor> tsc::cpu::fftFftshift(const Tensor &self, OptInts dim) { return shifted(self, dim, 1); }
StatusOr<Tensor> tsc::cpu::fftIfftshift(const Tensor &self, OptInts dim) { return shifted(self, dim, -1); }

/// Multiples of 1 / (n d): the `count` that are not negative, then negative ones up to n.
static StatusOr<Tensor> frequencies(int64_t n, int64_t count, bool negativeToo, double d, OptDType dtype,
                                    OptLayout layout, OptDevice device) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  DType type = dtype.value_or(defaultDType());
  if (!isFloating(type) && !isComplex(type))
    return invalidArgument("fftfreq requires a floating point or complex dtype");
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty({negativeToo ? n : count}, DType::Double));
  const double unit = 1.0 / (static_cast<double>(n) * d);
  double *to = out.mutableData<double>();
  parallelFor(0, out.numel(), parallelGrain, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i)
      to[i] = static_cast<double>(i < count ? i : i - n) * unit;
  });
  return toDType(out, type);
}
StatusOr<Tensor> tsc::cpu::fftFftfreq(int64_t n, double d, OptDType dtype, OptLayout layout, OptDevice device,
                                      OptBool) {
  return frequencies(n, n / 2 + n % 2, /*negativeToo=*/true, d, dtype, layout, device);
}
StatusOr<Tensor> tsc::cpu::fftRfftfreq(int64_t n, double d, OptDType dtype, OptLayout layout, OptDevice device,
                                       OptBool) {
  return frequencies(n, n / 2 + 1, /*negativeToo=*/false, d, dtype, layout, device);
}

/// PyTorch's number for a normalization: 0 none, 1 by the root of n, 2 by n.
static double scaleOf(int64_t normalization, double n) {
  return normalization == 1 ? 1 / std::sqrt(n) : normalization == 2 ? 1 / n : 1;
}

StatusOr<Tensor> tsc::cpu::fftC2C(const Tensor &self, ArrayRef<int64_t> dim, int64_t normalization, bool forward) {
  if (!isComplex(self.dtype()))
    return invalidArgument("self.is_complex()");
  TSC_ASSIGN_OR_RETURN(Shape shape, shapeOf(self, std::nullopt, dim));
  TSC_ASSIGN_OR_RETURN(DType type, spectrumType(self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor x, resized(self, shape.dims, shape.lengths, type));
  for (int64_t d : shape.dims)
    TSC_RETURN_IF_ERROR(transformAlong(x, d, forward ? FftDirection::Forward : FftDirection::Backward));
  scaleAll(x, scaleOf(normalization, shape.count()));
  return x;
}
StatusOr<Tensor> tsc::cpu::fftR2C(const Tensor &self, ArrayRef<int64_t> dim, int64_t normalization, bool onesided) {
  TSC_ASSIGN_OR_RETURN(Shape shape, shapeOf(self, std::nullopt, dim));
  TSC_ASSIGN_OR_RETURN(DType type, spectrumType(self.dtype()));
  if (shape.dims.empty() || isComplex(self.dtype()))
    return invalidArgument("_fft_r2c expects a real input tensor and at least one dimension");
  Tensor x;
  if (onesided) {
    TSC_ASSIGN_OR_RETURN(x, halfSpectrum(self, shape, toRealDType(type)));
  } else {
    TSC_ASSIGN_OR_RETURN(x, resized(self, shape.dims, shape.lengths, type));
    for (int64_t d : shape.dims)
      TSC_RETURN_IF_ERROR(transformAlong(x, d, FftDirection::Forward));
  }
  scaleAll(x, scaleOf(normalization, shape.count()));
  return x;
}
StatusOr<Tensor> tsc::cpu::fftC2R(const Tensor &self, ArrayRef<int64_t> dim, int64_t normalization,
                                  int64_t lastDimSize) {
  TSC_ASSIGN_OR_RETURN(Shape shape, shapeOf(self, std::nullopt, dim));
  TSC_ASSIGN_OR_RETURN(Tensor x, complexToReal("_fft_c2r", self, shape, lastDimSize, false, "forward"));
  shape.lengths.back() = lastDimSize;
  return scaled(x, Scalar(scaleOf(normalization, shape.count())));
}

//===- Short-time transforms -----------------------------------------------===//

/// The window in double, centred in n_fft zeros; all ones when there is none.
static StatusOr<Tensor> paddedWindow(const char *name, const Tensor &window, int64_t length, int64_t n) {
  TSC_ASSIGN_OR_RETURN(Tensor out, zeros({n}, DType::Double));
  const int64_t left = (n - length) / 2;
  if (window.defined() && (window.dim() != 1 || window.size(0) != length))
    return invalidArgument(llvm::Twine(name) + ": expected a 1D window tensor of size equal to win_length=" +
                           llvm::Twine(length) + ", but got window with size " + shapeString(window.sizes()));
  Tensor w;
  if (window.defined()) {
    TSC_ASSIGN_OR_RETURN(w, dense(window, DType::Double));
  }
  double *to = out.mutableData<double>() + left;
  if (w.defined())
    std::copy_n(w.data<double>(), length, to);
  else
    std::fill_n(to, length, 1);
  return out;
}

/// frames[b, f] = signal[b, f hop …] * window, all dense; the window is of T.
template <typename Element, typename T>
static void windowFrames(const Tensor &signal, const Tensor &window, int64_t hop, const Tensor &frames) {
  const T *w = window.data<T>();
  const int64_t length = signal.sizes().back(), count = frames.size(1), size = frames.size(2);
  Element *to = frames.mutableData<Element>();
  for (int64_t b = 0; b != frames.size(0); ++b)
    for (int64_t f = 0; f != count; ++f, to += size) {
      const Element *from = signal.data<Element>() + b * length + f * hop;
      for (int64_t i = 0; i != size; ++i)
        to[i] = from[i] * w[i];
    }
}

StatusOr<Tensor> tsc::cpu::stft(const Tensor &self, int64_t nFft, OptLength hopLength, OptLength winLength,
                                const Tensor &window, bool normalized, OptBool onesided, OptBool returnComplex,
                                OptBool alignToWindow) {
  int64_t hop = hopLength.value_or(nFft / 4), width = winLength.value_or(nFft);
  if (self.dim() != 1 && self.dim() != 2)
    return invalidArgument("stft: expected a 1D or 2D tensor, but got a " + llvm::Twine(self.dim()) + "D tensor");
  if (!isFloating(self.dtype()) && !isComplex(self.dtype()))
    return invalidArgument("stft: expected a tensor of floating point or complex values");
  int64_t length = self.sizes().back(), batch = self.dim() == 2 ? self.size(0) : 1;
  if (nFft <= 0 || nFft > length)
    return invalidArgument("stft: expected 0 < n_fft < " + llvm::Twine(length) +
                           ", but got n_fft=" + llvm::Twine(nFft));
  if (hop <= 0)
    return invalidArgument("stft: expected hop_length > 0, but got hop_length=" + llvm::Twine(hop));
  if (width <= 0 || width > nFft)
    return invalidArgument("stft: expected 0 < win_length <= n_fft, but got win_length=" + llvm::Twine(width));
  bool complexInput = isComplex(self.dtype()) || (window.defined() && isComplex(window.dtype()));
  bool half = onesided.value_or(!complexInput);
  if (half && complexInput)
    return invalidArgument("Cannot have onesided output if window or input is complex");
  TSC_ASSIGN_OR_RETURN(Tensor w, paddedWindow("stft", window, width, nFft));
  const DType type = toComplexDType(workType(self.dtype()));
  TSC_ASSIGN_OR_RETURN(w, toDType(w, toRealDType(type)));
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(self, half ? toRealDType(type) : type));
  if (alignToWindow.value_or(false) && width < nFft) {
    // The window's own elements begin and end with the signal; what it has around them reads zeros.
    const int64_t left = (nFft - width) / 2;
    TSC_ASSIGN_OR_RETURN(x, constantPadNd(x, {left, nFft - width - left}, Scalar(0)));
    length = x.sizes().back();
  }
  const int64_t frames = 1 + (length - nFft) / hop;
  TSC_ASSIGN_OR_RETURN(Tensor spectrum, Tensor::empty({batch, frames, nFft}, x.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(toRealDType(type), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    half ? windowFrames<T, T>(x, w, hop, spectrum) : windowFrames<std::complex<T>, T>(x, w, hop, spectrum);
  }));
  if (half) {
    TSC_ASSIGN_OR_RETURN(spectrum, transformReal(spectrum));
  } else {
    TSC_RETURN_IF_ERROR(transformAlong(spectrum, 2, FftDirection::Forward));
  }
  if (normalized)
    scaleAll(spectrum, 1 / std::sqrt(static_cast<double>(nFft)));
  TSC_ASSIGN_OR_RETURN(spectrum, transpose(spectrum, 1, 2));
  if (self.dim() == 1) {
    TSC_ASSIGN_OR_RETURN(spectrum, squeezeDim(spectrum, 0));
  }
  TSC_ASSIGN_OR_RETURN(spectrum, contiguous(spectrum));
  return returnComplex.value_or(complexInput) ? StatusOr<Tensor>(spectrum) : viewAsReal(spectrum);
}

StatusOr<Tensor> tsc::cpu::stftCenter(const Tensor &self, int64_t nFft, OptLength hopLength, OptLength winLength,
                                      const Tensor &window, bool center, llvm::StringRef padMode, bool normalized,
                                      OptBool onesided, OptBool returnComplex, OptBool alignToWindow) {
  if (!center)
    return stft(self, nFft, hopLength, winLength, window, normalized, onesided, returnComplex, alignToWindow);
  if (alignToWindow)
    return invalidArgument("stft align_to_window should only be set when center = false");
  if (self.dim() != 1 && self.dim() != 2)
    return invalidArgument("stft: expected a 1D or 2D tensor, but got a " + llvm::Twine(self.dim()) + "D tensor");
  int64_t amount = nFft / 2;
  Dims wide(self.dim() == 1 ? 2 : 1, 1); // padding wants three dimensions
  wide.append(self.sizes().begin(), self.sizes().end());
  TSC_ASSIGN_OR_RETURN(Tensor x, view(self, wide));
  TSC_ASSIGN_OR_RETURN(x, pad(x, {amount, amount}, padMode, std::nullopt));
  Dims shape(self.sizes());
  shape.back() = x.sizes().back();
  TSC_ASSIGN_OR_RETURN(x, view(x, shape));
  return stft(x, nFft, hopLength, winLength, window, normalized, onesided, returnComplex, std::nullopt);
}

/// out += x w / envelope
LLVM_ATTRIBUTE_ALWAYS_INLINE static void addRealFrame(double *__restrict out, const double *__restrict x,
                                                      const double *__restrict w, const double *__restrict envelope,
                                                      int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] += x[i] * w[i] / envelope[i];
}
static void addFrame(double *out, const double *x, const double *w, const double *envelope, int64_t n) {
  atSimdLevel<addRealFrame, Overlap::None>(out, x, w, envelope, n);
}
static void addFrame(std::complex<double> *out, const std::complex<double> *x, const double *w, const double *envelope,
                     int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] += x[i] * w[i] / envelope[i];
}

StatusOr<Tensor> tsc::cpu::istft(const Tensor &self, int64_t nFft, OptLength hopLength, OptLength winLength,
                                 const Tensor &window, bool center, bool normalized, OptBool onesided, OptLength length,
                                 bool returnComplex) {
  int64_t hop = hopLength.value_or(nFft / 4), width = winLength.value_or(nFft);
  Tensor x = self;
  if (!isComplex(self.dtype())) {
    if (self.dim() == 0 || self.sizes().back() != 2)
      return invalidArgument("istft: the last dimension of a real input must be 2");
    TSC_ASSIGN_OR_RETURN(x, contiguous(self));
    TSC_ASSIGN_OR_RETURN(x, viewAsComplex(x));
  }
  if (x.dim() != 2 && x.dim() != 3)
    return invalidArgument("istft: expected a tensor with 2 or 3 dimensions, but got " + llvm::Twine(x.dim()));
  if (hop <= 0 || nFft <= 0 || hop > width || width <= 0 || width > nFft)
    return invalidArgument("istft: expected 0 < hop_length <= win_length and 0 < win_length <= n_fft");
  DType type = x.dtype();
  bool single = x.dim() == 2;
  if (single) {
    TSC_ASSIGN_OR_RETURN(x, unsqueeze(x, 0));
  }
  int64_t batch = x.size(0), bins = x.size(1), frames = x.size(2);
  bool half = onesided.value_or(bins != nFft);
  if (bins != (half ? nFft / 2 + 1 : nFft))
    return invalidArgument("istft: expected the frequency dimension (3rd to the last) of the input tensor to match " +
                           std::string(half ? "n_fft / 2 + 1 when onesided=True" : "n_fft when onesided=False") +
                           ", but got " + llvm::Twine(bins));
  if (x.numel() == 0)
    return invalidArgument("istft: input tensor cannot be empty");
  TSC_ASSIGN_OR_RETURN(const Tensor padded, paddedWindow("istft", window, width, nFft));
  const double *w = padded.data<double>();
  TSC_ASSIGN_OR_RETURN(x, transpose(x, 1, 2));
  if (!half && !returnComplex) { // a real signal: half of the spectrum says it all, and is all that PyTorch reads
    TSC_ASSIGN_OR_RETURN(x, narrow(x, 2, 0, nFft / 2 + 1));
    half = true;
  }
  TSC_ASSIGN_OR_RETURN(x, dense(x, DType::ComplexDouble));
  if (half) {
    TSC_ASSIGN_OR_RETURN(x, transformHermitian(x, nFft));
  } else {
    TSC_ASSIGN_OR_RETURN(x, clone(x));
    TSC_RETURN_IF_ERROR(transformAlong(x, 2, FftDirection::Backward));
  }
  scaleAll(x, normalized ? 1 / std::sqrt(static_cast<double>(nFft)) : 1.0 / static_cast<double>(nFft));
  // Frames overlap and add; so do the squares of the window, which are divided out.
  const int64_t whole = nFft + hop * (frames - 1), start = center ? nFft / 2 : 0;
  int64_t end = center ? whole - nFft / 2 : whole;
  if (length && __builtin_add_overflow(start, *length, &end))
    end = std::numeric_limits<int64_t>::max(); // more than a tensor has
  if (end < 0)                                 // PyTorch takes a slice, whose end counts from behind then
    end += whole;
  if (end <= start) // PyTorch asks for the smallest part of the window
    return invalidArgument("min(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
                           "reduction dim with the 'dim' argument.");
  const int64_t count = end - start;
  TSC_ASSIGN_OR_RETURN(Tensor out, zeros({batch, count}, x.dtype()));
  TSC_ASSIGN_OR_RETURN(const Tensor squares, zeros({whole}, DType::Double));
  double *envelope = squares.mutableData<double>();
  for (int64_t f = 0; f < frames; ++f)
    for (int64_t i = 0; i < nFft; ++i)
      envelope[f * hop + i] += w[i] * w[i];
  for (int64_t i = start; i < std::min(end, whole); ++i)
    if (std::fabs(envelope[i]) < 1e-11)
      return invalidArgument("istft: window overlap add min: 1");
  auto addFrames = [&](auto element) {
    using Element = decltype(element);
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t f = 0; f < frames; ++f) {
        // What of the frame is in the result.
        const int64_t at = f * hop, first = std::max<int64_t>(0, start - at), last = std::min(nFft, end - at);
        if (first < last)
          addFrame(out.mutableData<Element>() + b * count + at + first - start,
                   x.data<Element>() + (b * frames + f) * nFft + first, w + first, envelope + at + first, last - first);
      }
  };
  half ? addFrames(double()) : addFrames(std::complex<double>());
  if (single) {
    TSC_ASSIGN_OR_RETURN(out, squeezeDim(out, 0));
  }
  return toDType(out, returnComplex ? type : toRealDType(type));
}
