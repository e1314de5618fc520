//===- Factories.td - Making tensors ---------------------*- tablegen -*-===//
//
// Sizes and options in, a tensor of known elements out.
//
//===----------------------------------------------------------------------===//

def : KernelHeader<"tsc/Kernels/Copy.h">;

class FactoryOp<string schema, string function, string summary_> : Op<schema> {
  let kernel = "cpu::" # function;
  let summary = summary_;
  let traits = [Factory];
}
class FillOp<string schema, string function, string summary_> : Op<schema> {
  let kernel = "cpu::" # function;
  let summary = summary_;
}

// By size.
def Aten_empty_memory_format : FactoryOp<"aten::empty.memory_format(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", "emptyOp",
  "Not initialised"> {
  let shape = "size"; let dtype = "dtype,default";
}
def Aten_empty_strided : FactoryOp<"aten::empty_strided(int[] size, int[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "emptyStridedOp",
  "Not initialised, with strides"> {
  let shape = "size"; let dtype = "dtype,default"; let strides = "stride";
}
def Aten_zeros : FactoryOp<"aten::zeros(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "zerosOp",
  "Zeros"> {
  let shape = "size"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_ones : FactoryOp<"aten::ones(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "onesOp",
  "Ones"> {
  let shape = "size"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_full : FactoryOp<"aten::full(int[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "fullOp",
  "One value everywhere"> {
  let shape = "size"; let dtype = "dtype,fill_value"; let strides = "contiguous";
}
def Aten_scalar_tensor : FactoryOp<"aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "scalarTensor",
  "A 0-dimensional tensor"> {
  let shape = "scalar()"; let dtype = "dtype,default"; let strides = "contiguous";
}

// Like another tensor.
def Aten_empty_like : FactoryOp<"aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", "emptyLike",
  "Not initialised"> {
  let devices = "geometry";
  let quantized = "takes";
  let shape = "self"; let dtype = "dtype,self"; let strides = "formatted(self, self.strides, memory_format)";
}
def Aten_zeros_like : FactoryOp<"aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", "zerosLike",
  "Zeros"> {
  let devices = "geometry";
  let quantized = "keeps";
  let traits = [Factory, Fill];
  let shape = "self"; let dtype = "dtype,self"; let strides = "formatted(self, self.strides, memory_format)";
}
def Aten_ones_like : FactoryOp<"aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", "onesLike",
  "Ones"> {
  let devices = "geometry";
  let quantized = "keeps";
  let traits = [Factory, Fill];
  let shape = "self"; let dtype = "dtype,self"; let strides = "formatted(self, self.strides, memory_format)";
}
def Aten_full_like : FactoryOp<"aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", "fullLike",
  "One value everywhere"> {
  let devices = "geometry";
  let quantized = "keeps";
  let traits = [Factory, Fill];
  let shape = "self"; let dtype = "dtype,self"; let strides = "formatted(self, self.strides, memory_format)";
}
def Aten_new_empty : FactoryOp<"aten::new_empty(Tensor self, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "newEmpty",
  "Not initialised"> {
  let devices = "geometry";
  let shape = "size"; let dtype = "dtype,self"; let strides = "contiguous";
}
def Aten_new_empty_strided : FactoryOp<"aten::new_empty_strided(Tensor self, int[] size, int[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "newEmptyStrided",
  "Not initialised, with strides"> {
  let devices = "geometry";
  let shape = "size"; let dtype = "dtype,self"; let strides = "stride";
}
def Aten_new_zeros : FactoryOp<"aten::new_zeros(Tensor self, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "newZeros",
  "Zeros"> {
  let devices = "geometry";
  let shape = "size"; let dtype = "dtype,self"; let strides = "contiguous";
}
def Aten_new_ones : FactoryOp<"aten::new_ones(Tensor self, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "newOnes",
  "Ones"> {
  let devices = "geometry";
  let shape = "size"; let dtype = "dtype,self"; let strides = "contiguous";
}
def Aten_new_full : FactoryOp<"aten::new_full(Tensor self, int[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "newFull",
  "One value everywhere"> {
  let devices = "geometry";
  let shape = "size"; let dtype = "dtype,self"; let strides = "contiguous";
}

// Sequences.
def Aten_arange : FactoryOp<"aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "arangeEnd",
  "0, 1, … below end"> {
  let shape = "arange(0, end, 1, dtype)"; let dtype = "dtype,numbers"; let strides = "contiguous";
}
def Aten_arange_start : FactoryOp<"aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "arangeStart",
  "start, start + 1, … below end"> {
  let shape = "arange(start, end, 1, dtype)"; let dtype = "dtype,numbers"; let strides = "contiguous";
}
def Aten_arange_start_step : FactoryOp<"aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "arange",
  "start, start + step, … before end"> {
  let shape = "arange(start, end, step, dtype)"; let dtype = "dtype,numbers"; let strides = "contiguous";
}
def Aten_range : FactoryOp<"aten::range(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "rangeStart",
  "start, start + 1, … end"> {
  let shape = "inclusive_range(start, end, 1, dtype)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_range_step : FactoryOp<"aten::range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "range",
  "start, start + step, … end"> {
  let shape = "inclusive_range(start, end, step, dtype)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_linspace : FactoryOp<"aten::linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "linspace",
  "steps numbers from start to end"> {
  let shape = "vector(steps)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_logspace : FactoryOp<"aten::logspace(Scalar start, Scalar end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "logspace",
  "Powers of base, from base^start to base^end"> {
  let shape = "vector(steps)"; let dtype = "dtype,default"; let strides = "contiguous";
}

// Matrices.
def Aten_eye : FactoryOp<"aten::eye(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "eye",
  "The identity"> {
  let shape = "matrix(n, n)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_eye_m : FactoryOp<"aten::eye.m(int n, int m, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "eyeM",
  "Ones on the diagonal"> {
  let shape = "matrix(n, m)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_tril_indices : FactoryOp<"aten::tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "trilIndices",
  "Rows and columns of a lower triangle"> {
  let shape = "tril_indices(row, col, offset)"; let dtype = "dtype,Long"; let strides = "contiguous";
}
def Aten_triu_indices : FactoryOp<"aten::triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "triuIndices",
  "Rows and columns of an upper triangle"> {
  let shape = "triu_indices(row, col, offset)"; let dtype = "dtype,Long"; let strides = "contiguous";
}
def Aten_vander : FillOp<"aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor", "vander",
  "Powers of x as columns"> {
  let shape = "vander(x, N)";
  let derivative = [{ x = backward.vander(grad if increasing else grad.flip([-1]), x) }];
}

// Windows.
def Aten_hann_window : FactoryOp<"aten::hann_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "hannWindow",
  "Hann window"> {
  let shape = "vector(window_length)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_hann_window_periodic : FactoryOp<"aten::hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "hannWindowPeriodic",
  "Hann window"> {
  let shape = "vector(window_length)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_hamming_window : FactoryOp<"aten::hamming_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "hammingWindow",
  "Hamming window"> {
  let shape = "vector(window_length)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_hamming_window_periodic : FactoryOp<"aten::hamming_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "hammingWindowPeriodic",
  "Hamming window"> {
  let shape = "vector(window_length)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_hamming_window_periodic_alpha : FactoryOp<"aten::hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "hammingWindowAlpha",
  "Hamming window"> {
  let shape = "vector(window_length)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_hamming_window_periodic_alpha_beta : FactoryOp<"aten::hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, float beta, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "hammingWindowAlphaBeta",
  "Hamming window"> {
  let shape = "vector(window_length)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_blackman_window : FactoryOp<"aten::blackman_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "blackmanWindow",
  "Blackman window"> {
  let shape = "vector(window_length)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_blackman_window_periodic : FactoryOp<"aten::blackman_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "blackmanWindowPeriodic",
  "Blackman window"> {
  let shape = "vector(window_length)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_kaiser_window : FactoryOp<"aten::kaiser_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "kaiserWindow",
  "Kaiser's window">;
def Aten_kaiser_window_periodic : FactoryOp<"aten::kaiser_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "kaiserWindowPeriodic",
  "Kaiser's window">;
def Aten_kaiser_window_beta : FactoryOp<"aten::kaiser_window.beta(int window_length, bool periodic, float beta, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "kaiserWindowBeta",
  "Kaiser's window">;
def Aten_bartlett_window : FactoryOp<"aten::bartlett_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "bartlettWindow",
  "Triangular window"> {
  let shape = "vector(window_length)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_bartlett_window_periodic : FactoryOp<"aten::bartlett_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "bartlettWindowPeriodic",
  "Triangular window"> {
  let shape = "vector(window_length)"; let dtype = "dtype,default"; let strides = "contiguous";
}

// From parts.
def Aten_complex : FillOp<"aten::complex(Tensor real, Tensor imag) -> Tensor", "complexFrom",
  "Complex numbers from real and imaginary parts"> {
  let variants = [Out];
  let shape = "broadcast"; let dtype = "complex";
  let derivative = [{ real = real(grad)
                      imag = imag(grad) }];
}
def Aten_polar : FillOp<"aten::polar(Tensor abs, Tensor angle) -> Tensor", "polar",
  "Complex numbers from length and angle"> {
  let variants = [Out];
  let shape = "broadcast"; let dtype = "complex";
  let derivative = [{ abs   = real(grad * polar(ones_like(abs), angle).conj())
                      angle = imag(grad * result.conj()) }];
}

// Filling.
def Aten_zero_ : FillOp<"aten::zero_(Tensor(a!) self) -> Tensor(a!)", "zeroInPlace",
  "self = 0"> {
  let quantized = "takes";
  let functional = "aten::zeros_like";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let backwardNode = "ZeroBackward0";
}
def Aten_zero : FillOp<"aten::zero(Tensor self) -> Tensor", "zeroOf",
  "Zeros like self"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = zeros_like(grad) }];
  let backwardNode = ",0";
}
def Aten_fill__Scalar : FillOp<"aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)", "fillInPlaceScalar",
  "self = value"> {
  let quantized = "takes";
  let functional = "aten::full_like";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_fill__Tensor : FillOp<"aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)", "fillInPlaceTensor",
  "self = value"> {
  let quantized = "takes";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_fill_Scalar : FillOp<"aten::fill.Scalar(Tensor self, Scalar value) -> Tensor", "fillScalar",
  "value in the shape of self"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = zeros_like(grad) }];
  let backwardNode = "0,2";
}
def Aten_fill_Tensor : FillOp<"aten::fill.Tensor(Tensor self, Tensor value) -> Tensor", "fillTensor",
  "value in the shape of self"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self  = zeros_like(grad)
                      value = grad.sum() }];
  let backwardNode = "1,3";
}
def Aten_fill_diagonal_ : FillOp<"aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)", "fillDiagonalInPlace",
  "The diagonal of self = value"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten__no_grad_fill_ : FillOp<"aten::_no_grad_fill_(Tensor(a!) tensor, float val) -> Tensor(a!)", "noGradFill",
  "tensor = val"> { let traits = [KeepsHistory]; }
def Aten__no_grad_zero_ : FillOp<"aten::_no_grad_zero_(Tensor(a!) tensor) -> Tensor(a!)", "zeroInPlace",
  "tensor = 0"> { let traits = [KeepsHistory]; }

// Into an existing tensor, whose dtype is used.
def Aten_empty_out : FillOp<"aten::empty.out(int[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", "emptyOut",
  "Resizes out">;
def Aten_zeros_out : FillOp<"aten::zeros.out(int[] size, *, Tensor(a!) out) -> Tensor(a!)", "zerosOut",
  "Zeros">;
def Aten_ones_out : FillOp<"aten::ones.out(int[] size, *, Tensor(a!) out) -> Tensor(a!)", "onesOut",
  "Ones">;
def Aten_full_out : FillOp<"aten::full.out(int[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)", "fullOut",
  "One value everywhere">;
def Aten_arange_out : FillOp<"aten::arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)", "arangeEndOut",
  "0, 1, … below end">;
def Aten_arange_start_out : FillOp<"aten::arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)", "arangeOut",
  "start, start + step, … before end">;
def Aten_range_out : FillOp<"aten::range.out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)", "rangeOut",
  "start, start + step, … end">;
def Aten_linspace_out : FillOp<"aten::linspace.out(Scalar start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)", "linspaceOut",
  "steps numbers from start to end">;
def Aten_logspace_out : FillOp<"aten::logspace.out(Scalar start, Scalar end, int steps, float base=10., *, Tensor(a!) out) -> Tensor(a!)", "logspaceOut",
  "Powers of base">;
def Aten_eye_out : FillOp<"aten::eye.out(int n, *, Tensor(a!) out) -> Tensor(a!)", "eyeOut",
  "The identity">;
def Aten_eye_m_out : FillOp<"aten::eye.m_out(int n, int m, *, Tensor(a!) out) -> Tensor(a!)", "eyeMOut",
  "Ones on the diagonal">;
