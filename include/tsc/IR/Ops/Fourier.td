//===- Fourier.td - Operators: Fourier transforms ---------------*- tablegen -*-===//

// Fourier.
def Aten_fft_fft : Op<"aten::fft_fft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor"> {
  let summary = "Discrete Fourier transform";
  let kernel = "cpu::fftFft"; let variants = [Out];
  let shape = "fft(self, n, dim)"; let dtype = "complex";
  let derivative = [{ self = backward.fft(grad, self, [dim], norm, True) }];
}
def Aten_fft_ifft : Op<"aten::fft_ifft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor"> {
  let summary = "Inverse discrete Fourier transform";
  let kernel = "cpu::fftIfft"; let variants = [Out];
  let shape = "fft(self, n, dim)"; let dtype = "complex";
  let derivative = [{ self = backward.fft(grad, self, [dim], norm, False) }];
}
def Aten_fft_rfft : Op<"aten::fft_rfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor"> {
  let summary = "Discrete Fourier transform of real input";
  let kernel = "cpu::fftRfft"; let variants = [Out];
  let shape = "fft_real(self, n, dim)"; let dtype = "complex";
  let derivative = [{ self = backward.rfft(grad, self, n, dim, norm) }];
}
def Aten_fft_irfft : Op<"aten::fft_irfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor"> {
  let summary = "Inverse of fft_rfft";
  let kernel = "cpu::fftIrfft"; let variants = [Out];
  let shape = "fft_to_real(self, n, dim)"; let dtype = "real_float";
  let derivative = [{ self = backward.irfft(grad, self, dim, norm) }];
}
def Aten_fft_hfft : Op<"aten::fft_hfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor"> {
  let summary = "Fourier transform of Hermitian input";
  let kernel = "cpu::fftHfft"; let variants = [Out];
  let shape = "fft_to_real(self, n, dim)"; let dtype = "real_float";
  let derivative = [{ self = backward.irfft(grad, self, dim, backward.swapped_norm(norm)).conj() }];
}
def Aten_fft_ihfft : Op<"aten::fft_ihfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor"> {
  let summary = "Inverse of fft_hfft";
  let kernel = "cpu::fftIhfft"; let variants = [Out];
  let shape = "fft_real(self, n, dim)"; let dtype = "complex";
  let derivative = [{ self = backward.rfft(grad.conj(), self, n, dim, backward.swapped_norm(norm)) }];
}
def Aten_fft_fft2 : Op<"aten::fft_fft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor"> {
  let summary = "2-dimensional Fourier transform";
  let kernel = "cpu::fftFft2"; let variants = [Out];
  let shape = "fft_many(self, s, dim)"; let dtype = "complex";
  let derivative = [{ self = backward.fft(grad, self, dim, norm, True) }];
}
def Aten_fft_ifft2 : Op<"aten::fft_ifft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor"> {
  let summary = "Inverse 2-dimensional Fourier transform";
  let kernel = "cpu::fftIfft2"; let variants = [Out];
  let shape = "fft_many(self, s, dim)"; let dtype = "complex";
  let derivative = [{ self = backward.fft(grad, self, dim, norm, False) }];
}
def Aten_fft_rfft2 : Op<"aten::fft_rfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor"> {
  let summary = "2-dimensional Fourier transform of real input";
  let kernel = "cpu::fftRfft2"; let variants = [Out];
  let shape = "fft_real_many(self, s, dim)"; let dtype = "complex";
  let derivative = [{ self = backward.rfftn(grad, self, s, dim, norm) }];
}
def Aten_fft_irfft2 : Op<"aten::fft_irfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor"> {
  let summary = "Inverse of fft_rfft2";
  let kernel = "cpu::fftIrfft2"; let variants = [Out];
  let shape = "fft_to_real_many(self, s, dim)"; let dtype = "real_float";
  let derivative = [{ self = backward.irfftn(grad, self, s, dim, norm) }];
}
def Aten_fft_hfft2 : Op<"aten::fft_hfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor"> {
  let summary = "2-dimensional Fourier transform of Hermitian input";
  let kernel = "cpu::fftHfft2"; let variants = [Out];
  let shape = "fft_to_real_many(self, s, dim)"; let dtype = "real_float";
  let derivative = [{ self = backward.irfftn(grad, self, s, dim, backward.swapped_norm(norm)).conj() }];
}
def Aten_fft_ihfft2 : Op<"aten::fft_ihfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor"> {
  let summary = "Inverse of fft_hfft2";
  let kernel = "cpu::fftIhfft2"; let variants = [Out];
  let shape = "fft_real_many(self, s, dim)"; let dtype = "complex";
  let derivative = [{ self = backward.rfftn(grad.conj(), self, s, dim, backward.swapped_norm(norm)) }];
}
def Aten_fft_fftn : Op<"aten::fft_fftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor"> {
  let summary = "n-dimensional Fourier transform";
  let kernel = "cpu::fftFftn"; let variants = [Out];
  let shape = "fft_many(self, s, dim)"; let dtype = "complex";
  let derivative = [{ self = backward.fftn(grad, self, s, dim, norm, True) }];
}
def Aten_fft_ifftn : Op<"aten::fft_ifftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor"> {
  let summary = "Inverse n-dimensional Fourier transform";
  let kernel = "cpu::fftIfftn"; let variants = [Out];
  let shape = "fft_many(self, s, dim)"; let dtype = "complex";
  let derivative = [{ self = backward.fftn(grad, self, s, dim, norm, False) }];
}
def Aten_fft_rfftn : Op<"aten::fft_rfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor"> {
  let summary = "n-dimensional Fourier transform of real input";
  let kernel = "cpu::fftRfftn"; let variants = [Out];
  let shape = "fft_real_many(self, s, dim)"; let dtype = "complex";
  let derivative = [{ self = backward.rfftn(grad, self, s, dim, norm) }];
}
def Aten_fft_irfftn : Op<"aten::fft_irfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor"> {
  let summary = "Inverse of fft_rfftn";
  let kernel = "cpu::fftIrfftn"; let variants = [Out];
  let shape = "fft_to_real_many(self, s, dim)"; let dtype = "real_float";
  let derivative = [{ self = backward.irfftn(grad, self, s, dim, norm) }];
}
def Aten_fft_hfftn : Op<"aten::fft_hfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor"> {
  let summary = "n-dimensional Fourier transform of Hermitian input";
  let kernel = "cpu::fftHfftn"; let variants = [Out];
  let shape = "fft_to_real_many(self, s, dim)"; let dtype = "real_float";
  let derivative = [{ self = backward.irfftn(grad, self, s, dim, backward.swapped_norm(norm)).conj() }];
}
def Aten_fft_ihfftn : Op<"aten::fft_ihfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor"> {
  let summary = "Inverse of fft_hfftn";
  let kernel = "cpu::fftIhfftn"; let variants = [Out];
  let shape = "fft_real_many(self, s, dim)"; let dtype = "complex";
  let derivative = [{ self = backward.rfftn(grad.conj(), self, s, dim, backward.swapped_norm(norm)) }];
}
def Aten_fft_fftshift : Op<"aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor"> {
  let summary = "Moves the zero frequency to the middle";
  let kernel = "cpu::fftFftshift";
  let shape = "self"; let dtype = "self";
  let derivative = [{ self = fft_ifftshift(grad, dim) }];
  let backwardNode = "RollBackward0";
}
def Aten_fft_ifftshift : Op<"aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor"> {
  let summary = "Inverse of fft_fftshift";
  let kernel = "cpu::fftIfftshift";
  let shape = "self"; let dtype = "self";
  let derivative = [{ self = fft_fftshift(grad, dim) }];
}
def Aten_fft_fftfreq : Op<"aten::fft_fftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> {
  let summary = "Frequencies of fft's result";
  let kernel = "cpu::fftFftfreq";
  let shape = "vector(n)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_fft_rfftfreq : Op<"aten::fft_rfftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> {
  let summary = "Frequencies of rfft's result";
  let kernel = "cpu::fftRfftfreq";
  let shape = "half_spectrum(n)"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten__fft_c2c : Op<"aten::_fft_c2c(Tensor self, int[] dim, int normalization, bool forward) -> Tensor"> {
  let summary = "Complex transform along dimensions";
  let kernel = "cpu::fftC2C"; let variants = [Out];
  let shape = "self"; let dtype = "self";
  let derivative = [{ self = _fft_c2c(grad, dim, normalization, not forward) }];
}
def Aten__fft_r2c : Op<"aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor"> {
  let summary = "Real to complex transform along dimensions";
  let kernel = "cpu::fftR2C"; let variants = [Out];
  let shape = "fft_onesided(self, dim, onesided)"; let dtype = "complex";
  let derivative = [{ self = backward.real_to_complex(grad, self, dim, normalization, onesided) }];
}
def Aten__fft_c2r : Op<"aten::_fft_c2r(Tensor self, int[] dim, int normalization, int last_dim_size) -> Tensor"> {
  let summary = "Complex to real transform along dimensions";
  let kernel = "cpu::fftC2R"; let variants = [Out];
  let dtype = "real_float";
  let derivative = [{ self = backward.complex_to_real(grad, self, dim, normalization) }];
}
defvar windowDefinition = [{
def padded_window(window: Optional[Tensor], width: int, n_fft: int, like: Tensor) -> Tensor:
    if window is not None:
        assert window.dim() == 1 and window.size(0) == width, \
            f"expected a 1D window tensor of size equal to win_length={width}"
    own = window if window is not None else torch.ones([width], dtype=like.dtype)
    left = (n_fft - width) // 2
    return torch.constant_pad_nd(own, [left, n_fft - width - left], 0)
}];
defvar framesDefinition = windowDefinition # [{
def whole_frames(self: Tensor, n_fft: int, hop_length: Optional[int], win_length: Optional[int], window: Optional[Tensor],
                 normalized: bool, onesided: Optional[bool], return_complex: Optional[bool],
                 align_to_window: Optional[bool]) -> Tensor:
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    assert self.dim() == 1 or self.dim() == 2, "stft: expected a 1D or 2D tensor"
    assert self.is_floating_point() or self.is_complex(), "stft: expected a tensor of floating point or complex values"
    assert n_fft > 0 and n_fft <= self.size(-1), f"stft: expected 0 < n_fft <= {self.size(-1)}, but got n_fft={n_fft}"
    assert hop > 0, f"stft: expected hop_length > 0, but got hop_length={hop}"
    assert width > 0 and width <= n_fft, f"stft: expected 0 < win_length <= n_fft, but got win_length={width}"
    x = self.unsqueeze(0) if self.dim() == 1 else self
    if align_to_window is not None and align_to_window and width < n_fft:
        left = (n_fft - width) // 2
        x = torch.constant_pad_nd(x, [left, n_fft - width - left], 0)
    frames = x.unfold(1, n_fft, hop)
    complex = self.is_complex()
    if window is not None:
        complex = complex or window.is_complex()
    if window is not None or width < n_fft:
        frames = frames * padded_window(window, width, n_fft, torch.real(self) if self.is_complex() else self)
    half = not complex if onesided is None else onesided
    assert not half or not complex, "Cannot have onesided output if window or input is complex"
    norm = "ortho" if normalized else "backward"
    found = torch.fft_rfft(frames, None, -1, norm) if half else torch.fft_fft(frames, None, -1, norm)
    found = found.transpose(1, 2)
    if self.dim() == 1:
        found = found.squeeze(0)
    asked = complex if return_complex is None else return_complex
    return found if asked else torch.view_as_real(found)

}];

def Aten_stft : Op<"aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor"> {
  let summary = "Short-time Fourier transform";
  let kernel = "cpu::stft";
  let decomposition = framesDefinition # [{
def stft(self: Tensor, n_fft: int, hop_length: Optional[int], win_length: Optional[int], window: Optional[Tensor],
         normalized: bool, onesided: Optional[bool], return_complex: Optional[bool],
         align_to_window: Optional[bool]) -> Tensor:
    return whole_frames(self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window)
  }];
}
def Aten_stft_center : Op<"aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str pad_mode=\"reflect\", bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor"> {
  let summary = "Short-time Fourier transform";
  let kernel = "cpu::stftCenter";
  let decomposition = framesDefinition # [{
def stft(self: Tensor, n_fft: int, hop_length: Optional[int], win_length: Optional[int], window: Optional[Tensor],
         center: bool, pad_mode: str, normalized: bool, onesided: Optional[bool],
         return_complex: Optional[bool], align_to_window: Optional[bool]) -> Tensor:
    assert not center or align_to_window is None, "stft align_to_window should only be set when center = false"
    x = self
    if center:
        assert self.dim() == 1 or self.dim() == 2, "stft: expected a 1D or 2D tensor"
        x = x.unsqueeze(0).unsqueeze(0) if self.dim() == 1 else x.unsqueeze(0)
        x = torch.pad(x, [n_fft // 2, n_fft // 2], pad_mode)
        x = x.squeeze(0).squeeze(0) if self.dim() == 1 else x.squeeze(0)
    return whole_frames(x, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window)
  }];
}
def Aten_istft : Op<"aten::istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False) -> Tensor"> {
  let summary = "Inverse short-time Fourier transform";
  let kernel = "cpu::istft";
  let decomposition = windowDefinition # [{
def istft(self: Tensor, n_fft: int, hop_length: Optional[int], win_length: Optional[int], window: Optional[Tensor],
          center: bool, normalized: bool, onesided: Optional[bool], length: Optional[int],
          return_complex: bool) -> Tensor:
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    assert self.is_complex() or (self.dim() > 0 and self.size(-1) == 2), \
        "istft: the last dimension of a real input must be 2"
    x = self if self.is_complex() else torch.view_as_complex(self.contiguous())
    assert x.dim() == 2 or x.dim() == 3, "istft: expected a tensor with 2 or 3 dimensions"
    assert hop > 0 and n_fft > 0 and hop <= width and width <= n_fft, \
        "istft: expected 0 < hop_length <= win_length and 0 < win_length <= n_fft"
    single = x.dim() == 2
    if single:
        x = x.unsqueeze(0)
    assert x.numel() > 0, "istft: input tensor cannot be empty"
    half = x.size(1) != n_fft if onesided is None else onesided
    assert x.size(1) == (n_fft // 2 + 1 if half else n_fft), \
        "istft: expected the frequency dimension (3rd to the last) of the input tensor to match n_fft"
    if not half and not return_complex:
        x = x.narrow(1, 0, n_fft // 2 + 1)
        half = True
    x = x.transpose(1, 2)
    norm = "ortho" if normalized else "backward"
    frames = torch.fft_irfft(x, n_fft, -1, norm) if half else torch.fft_ifft(x, None, -1, norm)
    own = padded_window(window, width, n_fft, torch.real(x))
    count = frames.size(1)
    places = (torch.arange(count) * hop).unsqueeze(1) + torch.arange(n_fft)
    whole = n_fft + hop * (count - 1)
    added = torch.zeros([frames.size(0), whole], dtype=frames.dtype)
    added = added.index_add(1, places.reshape(-1), (frames * own).reshape(frames.size(0), -1))
    envelope = torch.zeros([whole], dtype=own.dtype)
    envelope = envelope.index_add(0, places.reshape(-1), (own * own).expand(count, n_fft).reshape(-1))
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else (whole - n_fft // 2 if center else whole)
    assert end >= start, "istft: the length of the result is negative"
    last = end if end < whole else whole
    assert not bool((envelope[start:last].abs() < 1e-11).any()), "istft: window overlap add min: 1"
    found = added[:, start:last] / envelope[start:last]
    if end > whole:
        found = torch.constant_pad_nd(found, [0, end - whole], 0)
    return found.squeeze(0) if single else found
  }];
}
