//===- Random.td - Random numbers ------------------------*- tablegen -*-===//
//
// With PyTorch's CPU numbers for the same seed.
//
//===----------------------------------------------------------------------===//

class RandomOp<string schema, string function, string summary_> : Op<schema> {
  let kernel = "cpu::" # function;
  let summary = summary_;
  let traits = [Random];
}

// Factories.
def Aten_rand : RandomOp<"aten::rand(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "rand",
  "Uniform in [0, 1)"> {
  let distribution = "Uniform";
  let shape = "size"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_rand_generator : RandomOp<"aten::rand.generator(int[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "rand",
  "Uniform in [0, 1)"> {
  let distribution = "Uniform";
  let shape = "size"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_rand_like : RandomOp<"aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", "randLike",
  "Uniform in [0, 1)"> {
  let distribution = "Uniform";
  let devices = "geometry";
  let shape = "self"; let dtype = "dtype,self"; let strides = "formatted(self, self.strides, memory_format)";
  let traits = [Random, Detached];
}
def Aten_randn : RandomOp<"aten::randn(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "randn",
  "Standard normal"> {
  let distribution = "Normal";
  let shape = "size"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_randn_generator : RandomOp<"aten::randn.generator(int[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "randn",
  "Standard normal"> {
  let distribution = "Normal";
  let shape = "size"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_randn_like : RandomOp<"aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", "randnLike",
  "Standard normal"> {
  let distribution = "Normal";
  let devices = "geometry";
  let shape = "self"; let dtype = "dtype,self"; let strides = "formatted(self, self.strides, memory_format)";
  let traits = [Random, Detached];
}
def Aten_randint : RandomOp<"aten::randint(int high, int[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "randint",
  "Integers of [0, high)"> {
  let distribution = "Integers";
  let shape = "size"; let dtype = "dtype,Long"; let strides = "contiguous";
}
def Aten_randint_generator : RandomOp<"aten::randint.generator(int high, int[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "randint",
  "Integers of [0, high)"> {
  let distribution = "Integers";
  let shape = "size"; let dtype = "dtype,Long"; let strides = "contiguous";
}
def Aten_randint_low : RandomOp<"aten::randint.low(int low, int high, int[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "randintLow",
  "Integers of [low, high)"> {
  let distribution = "Integers";
  let shape = "size"; let dtype = "dtype,Long"; let strides = "contiguous";
}
def Aten_randint_low_generator : RandomOp<"aten::randint.low_generator(int low, int high, int[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "randintLow",
  "Integers of [low, high)"> {
  let distribution = "Integers";
  let shape = "size"; let dtype = "dtype,Long"; let strides = "contiguous";
}
def Aten_randint_like : RandomOp<"aten::randint_like(Tensor self, int high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", "randintLike",
  "Integers of [0, high)"> {
  let distribution = "Integers";
  let devices = "geometry";
  let shape = "self"; let dtype = "dtype,self"; let strides = "formatted(self, self.strides, memory_format)";
  let traits = [Random, Detached];
}
def Aten_randint_like_low_dtype : RandomOp<"aten::randint_like.low_dtype(Tensor self, int low, int high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", "randintLikeLow",
  "Integers of [low, high)"> {
  let distribution = "Integers";
  let devices = "geometry";
  let shape = "self"; let dtype = "dtype,self"; let strides = "formatted(self, self.strides, memory_format)";
  let traits = [Random, Detached];
}
def Aten_randperm : RandomOp<"aten::randperm(int n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "randperm",
  "A permutation of 0 … n-1"> {
  let shape = "vector(n)"; let dtype = "dtype,Long"; let strides = "contiguous";
}
def Aten_randperm_generator : RandomOp<"aten::randperm.generator(int n, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "randperm",
  "A permutation of 0 … n-1"> {
  let shape = "vector(n)"; let dtype = "dtype,Long"; let strides = "contiguous";
}
def Aten_normal_float_float : RandomOp<"aten::normal.float_float(float mean, float std, int[] size, *, Generator? generator=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "normalSized",
  "Normal"> {
  let distribution = "Normal";
  let shape = "size"; let dtype = "dtype,default"; let strides = "contiguous";
}
def Aten_normal_Tensor_float : RandomOp<"aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor", "normalTensorFloat",
  "Normal"> {
  let variants = [Out];
  let shape = "mean"; let dtype = "mean"; let strides = "dense";
  let derivative = [{ mean = zeros_like(grad) }];
  let backwardNode = "1";
}
def Aten_normal_float_Tensor : RandomOp<"aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor", "normalFloatTensor",
  "Normal"> {
  let variants = [Out];
  let shape = "std"; let dtype = "std"; let strides = "dense";
  let derivative = [{ std = zeros_like(grad) }];
  let backwardNode = "2";
}
def Aten_normal_Tensor_Tensor : RandomOp<"aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor", "normalTensorTensor",
  "Normal"> {
  let variants = [Out];
  let shape = "broadcast"; let dtype = "mean"; let strides = "dense";
  let derivative = [{ mean = zeros_like(grad)
                      std  = zeros_like(grad) }];
  let backwardNode = "3";
}

// Samples.
def Aten_bernoulli : RandomOp<"aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor", "bernoulli",
  "1 with probability self, else 0"> {
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = zeros_like(grad) }];
}
def Aten_bernoulli_p : RandomOp<"aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor", "bernoulliP",
  "1 with probability p, else 0"> {
  let distribution = "Bernoulli";
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = zeros_like(grad) }];
}
def Aten_bernoulli_Tensor : RandomOp<"aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor", "bernoulliTensor",
  "1 with probability p, else 0"> {
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = zeros_like(grad)
                      p    = zeros_like(p) }];
}
def Aten_multinomial : RandomOp<"aten::multinomial(Tensor self, int num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor", "multinomial",
  "Indices drawn by weight"> {
  let variants = [Out];
  let shape = "multinomial(self, num_samples)"; let dtype = "Long"; let strides = "dense";
  let traits = [Random, Detached];
}
def Aten_poisson : RandomOp<"aten::poisson(Tensor self, Generator? generator=None) -> Tensor", "poisson",
  "Poisson with rate self"> {
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = zeros_like(grad) }];
}

// In place.
def Aten_uniform_ : RandomOp<"aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) -> Tensor(a!)", "uniformInPlace",
  "self = uniform in [from, to)"> {
  let distribution = "Uniform";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_uniform : RandomOp<"aten::uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor", "uniform",
  "Uniform in [from, to), like self"> {
  let distribution = "Uniform";
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = zeros_like(grad) }];
}
def Aten_normal_ : RandomOp<"aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)", "normalInPlace",
  "self = normal"> {
  let distribution = "Normal";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_bernoulli__float : RandomOp<"aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)", "bernoulliInPlace",
  "self = 1 with probability p, else 0"> {
  let distribution = "Bernoulli";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_bernoulli__Tensor : RandomOp<"aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)", "bernoulliTensorInPlace",
  "self = 1 with probability p, else 0"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_exponential_ : RandomOp<"aten::exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None) -> Tensor(a!)", "exponentialInPlace",
  "self = exponential"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten__standard_gamma : RandomOp<"aten::_standard_gamma(Tensor self, Generator? generator=None) -> Tensor", "standardGamma",
  "Draws from gamma distributions of these shapes"> {
  let variants = [Out];
  let derivative = [{ self = grad * torch._standard_gamma_grad(self, result) }];
  let shape = "self"; let dtype = "self"; let strides = "contiguous";
}
def Aten__standard_gamma_grad : Op<"aten::_standard_gamma_grad(Tensor self, Tensor output) -> Tensor"> {
  let summary = "How draws from gamma distributions move with the shapes";
  let kernel = "cpu::standardGammaGrad"; let variants = [Out];
  let shape = "broadcast"; let dtype = "self"; let strides = "contiguous";
}
def Aten_binomial : RandomOp<"aten::binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor", "binomial",
  "How many of `count` trials succeed"> {
  let variants = [Out];
  let shape = "broadcast"; let dtype = "count"; let strides = "contiguous";
  let derivative = [{ count = zeros_like(grad)
                      prob  = zeros_like(grad) }];
}
def Aten__sample_dirichlet : RandomOp<"aten::_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor", "sampleDirichlet",
  "Draws from Dirichlet distributions of these concentrations"> {
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "contiguous";
}
def Aten_geometric_ : RandomOp<"aten::geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)", "geometricInPlace",
  "self = number of trials"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_log_normal_ : RandomOp<"aten::log_normal_(Tensor(a!) self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor(a!)", "logNormalInPlace",
  "self = exp(normal)"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_cauchy_ : RandomOp<"aten::cauchy_(Tensor(a!) self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor(a!)", "cauchyInPlace",
  "self = Cauchy"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_random_ : RandomOp<"aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)", "randomInPlace",
  "self = integers"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_random__to : RandomOp<"aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)", "randomToInPlace",
  "self = integers of [0, to)"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_random__from : RandomOp<"aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)", "randomFromInPlace",
  "self = integers of [from, to)"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}

// Dropout.
def Aten_dropout : RandomOp<"aten::dropout(Tensor(a) input, float p, bool train) -> Tensor(b|a)", "dropout",
  "Zero with probability p; the rest scaled"> {
  let distribution = "Dropout";
  let quantized = "keeps";
  let traits = [Random, Dropout];
  let variants = [InPlace];
  let shape = "input"; let dtype = "input"; let strides = "dense";
  let decomposition = [{
def dropout(input: Tensor, p: float, train: bool) -> Tensor:
    assert p >= 0 and p <= 1, "dropout probability has to be between 0 and 1"
    if p == 0 or not train or input.numel() == 0:
        return input
    if p == 1:
        return input * torch.zeros([], dtype=input.dtype, device=input.device)
    if input.is_cuda: # these draw otherwise
        return torch.native_dropout(input, p, train)[0]
    noise = torch.empty(input.size(), dtype=input.dtype, device=input.device).bernoulli_(1 - p)
    return input * noise.div_(1 - p)
  }];
  let backwardNode = "MulBackward0";
}
def Aten_feature_dropout : RandomOp<"aten::feature_dropout(Tensor(a) input, float p, bool train) -> Tensor(b|a)", "featureDropout",
  "Whole features dropped"> {
  let quantized = "keeps";
  let traits = [Random, Dropout];
  let variants = [InPlace];
  let shape = "input"; let dtype = "input"; let strides = "dense";
  let decomposition = [{
def feature_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    assert p >= 0 and p <= 1, "dropout probability has to be between 0 and 1"
    if p == 0 or not train or input.numel() == 0:
        return input
    if p == 1:
        return input * torch.zeros([], dtype=input.dtype, device=input.device)
    assert input.dim() >= 2, "Feature dropout requires at least 2 dimensions in the input"
    shape = [1] * input.dim()
    shape[0] = input.size(0)
    shape[1] = input.size(1)
    noise = torch.empty(shape, dtype=input.dtype, device=input.device).bernoulli_(1 - p)
    return input * noise.div_(1 - p)
  }];
}
def Aten_alpha_dropout : RandomOp<"aten::alpha_dropout(Tensor(a) input, float p, bool train) -> Tensor(b|a)", "alphaDropout",
  "Dropout that keeps mean and variance under SELU"> {
  let quantized = "keeps";
  let traits = [Random, Dropout];
  let variants = [InPlace];
  let shape = "input"; let dtype = "input"; let strides = "dense";
  let decomposition = [{
def alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    assert p >= 0 and p <= 1, "dropout probability has to be between 0 and 1"
    if p == 0 or not train or input.numel() == 0:
        return input
    if p == 1:
        return input * torch.zeros([], dtype=input.dtype, device=input.device)
    noise = torch.empty(input.size(), dtype=input.dtype, device=input.device).bernoulli_(1 - p)
    saturation = 1.7580993408473766
    a = 1 / ((saturation * saturation * p + 1) * (1 - p)) ** 0.5
    return input * (noise * a) + ((noise - 1) * (saturation * a) + saturation * a * p)
  }];
}
def Aten_feature_alpha_dropout : RandomOp<"aten::feature_alpha_dropout(Tensor(a) input, float p, bool train) -> Tensor(b|a)", "featureAlphaDropout",
  "Whole features dropped, mean and variance kept"> {
  let traits = [Random, Dropout];
  let variants = [InPlace];
  let shape = "input"; let dtype = "input"; let strides = "dense";
  let decomposition = [{
def feature_alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    assert p >= 0 and p <= 1, "dropout probability has to be between 0 and 1"
    if p == 0 or not train or input.numel() == 0:
        return input
    if p == 1:
        return input * torch.zeros([], dtype=input.dtype, device=input.device)
    assert input.dim() >= 2, "Feature dropout requires at least 2 dimensions in the input"
    shape = [1] * input.dim()
    shape[0] = input.size(0)
    shape[1] = input.size(1)
    noise = torch.empty(shape, dtype=input.dtype, device=input.device).bernoulli_(1 - p)
    saturation = 1.7580993408473766
    a = 1 / ((saturation * saturation * p + 1) * (1 - p)) ** 0.5
    return input * (noise * a) + ((noise - 1) * (saturation * a) + saturation * a * p)
  }];
}
def Aten_native_dropout : RandomOp<"aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)", "nativeDropout",
  "dropout and its mask"> {
  let distribution = "Dropout";
  let shape = "input; input"; let dtype = "input; Bool"; let strides = "dense";
  let derivative = [{ input = grad0 * result1 * (1 / (1 - p) if p != 1 and (train is None or train) else 1.) }];
}

// Into an existing tensor, whose dtype is used.
def Aten_rand_out : RandomOp<"aten::rand.out(int[] size, *, Tensor(a!) out) -> Tensor(a!)", "randOut",
  "Uniform in [0, 1)">;
def Aten_rand_generator_out : RandomOp<"aten::rand.generator_out(int[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)", "randOut",
  "Uniform in [0, 1)">;
def Aten_randn_out : RandomOp<"aten::randn.out(int[] size, *, Tensor(a!) out) -> Tensor(a!)", "randnOut",
  "Standard normal">;
def Aten_randn_generator_out : RandomOp<"aten::randn.generator_out(int[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)", "randnOut",
  "Standard normal">;
def Aten_randint_out : RandomOp<"aten::randint.out(int high, int[] size, *, Tensor(a!) out) -> Tensor(a!)", "randintOut",
  "Integers of [0, high)">;
def Aten_randint_low_out : RandomOp<"aten::randint.low_out(int low, int high, int[] size, *, Tensor(a!) out) -> Tensor(a!)", "randintLowOut",
  "Integers of [low, high)">;
def Aten_randperm_out : RandomOp<"aten::randperm.out(int n, *, Tensor(a!) out) -> Tensor(a!)", "randpermOut",
  "A permutation of 0 … n-1">;
def Aten__no_grad_uniform_ : RandomOp<"aten::_no_grad_uniform_(Tensor(a!) tensor, float a, float b, Generator? generator=None) -> Tensor(a!)", "uniformInPlace",
  "tensor = uniform in [a, b)"> { let traits = [Random, KeepsHistory]; }
def Aten__no_grad_normal_ : RandomOp<"aten::_no_grad_normal_(Tensor(a!) tensor, float mean, float std, Generator? generator=None) -> Tensor(a!)", "normalInPlace",
  "tensor = normal"> { let traits = [Random, KeepsHistory]; }
