//===- Reductions.td - Folds, scans, order ----------------------*- tablegen -*-===//
//
// Kernels: tsc/Kernels/Reductions.h.
//
//===----------------------------------------------------------------------===//

class ReductionOp<string schema, string function, string summary_> : Op<schema> {
  let kernel = "cpu::" # function;
  let summary = summary_;
  let traits = [Reduction];
}
// Keeps the dimension it works along.
class LaneOp<string schema, string function, string summary_> : Op<schema> {
  let kernel = "cpu::" # function;
  let summary = summary_;
}

def Aten_sum : ReductionOp<"aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", "sum", "Sum of all elements"> {
  let fold = "Sum";
  let shape = "scalar()"; let dtype = "dtype,sum"; let strides = "contiguous";
  let derivative = [{ self = grad.expand(self.size()) }];
  let backwardNode = "0";
}
def Aten_sum_dim_IntList : ReductionOp<"aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", "sumDims", "Sum along dimensions"> {
  let fold = "Sum";
  let variants = [Out]; let outName = "IntList_out";
  let shape = "reduce_or_all(self, dim, keepdim)"; let dtype = "dtype,sum"; let strides = "dense";
  let derivative = [{ self = backward.spread(grad, self, dim, keepdim) }];
  let backwardNode = "1";
}
def Aten_nansum : ReductionOp<"aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", "nansum", "Sum that takes NaN as zero"> {
  let variants = [Out];
  let shape = "reduce_or_all(self, dim, keepdim)"; let dtype = "dtype,sum"; let strides = "dense";
  let derivative = [{ self = where(isnan(self), 0., backward.spread(grad, self, dim, keepdim)) }];
  let backwardNode = "0";
}
def Aten_mean : ReductionOp<"aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", "mean", "Mean of all elements"> {
  let quantized = "keeps";
  let fold = "Mean";
  let shape = "scalar()"; let dtype = "dtype,self"; let strides = "contiguous";
  let derivative = [{ self = grad.expand_as(self) / self.numel() }];
  let backwardNode = "0";
}
def Aten_mean_dim : ReductionOp<"aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", "meanDims", "Mean along dimensions"> {
  let quantized = "keeps";
  let fold = "Mean";
  let variants = [Out]; let outName = "out";
  let shape = "reduce_or_all(self, dim, keepdim)"; let dtype = "dtype,self"; let strides = "dense";
  let derivative = [{ self = backward.spread(grad, self, dim, keepdim) * backward.share(self, result) }];
  let backwardNode = "1";
}
def Aten_nanmean : ReductionOp<"aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", "nanmean", "Mean of what is not NaN"> {
  let variants = [Out];
  let shape = "reduce_or_all(self, dim, keepdim)";
  let derivative = [{ self = backward.spread(grad / (~isnan(self)).sum(dim, keepdim), self, dim, keepdim) * ~isnan(self) }];
}
def Aten_prod : ReductionOp<"aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", "prod", "Product of all elements"> {
  let fold = "Product";
  let shape = "scalar()"; let dtype = "dtype,sum"; let strides = "contiguous";
  let derivative = [{ self = backward.prod(grad, self, result) }];
  let backwardNode = "0";
}
def Aten_prod_dim_int : ReductionOp<"aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", "prodDim", "Product along a dimension"> {
  let fold = "Product";
  let variants = [Out]; let outName = "int_out";
  let shape = "reduce_dim(self, dim, keepdim)"; let dtype = "dtype,sum"; let strides = "dense";
  let derivative = [{ self = backward.prod_dim(grad, self, dim, keepdim, result) }];
  let backwardNode = "1";
}
def Aten_all : ReductionOp<"aten::all(Tensor self) -> Tensor", "all", "Whether all are nonzero"> {
  let quantized = "reals";
  let fold = "All";
  let shape = "scalar()"; let dtype = "Byte if self:Byte,Bool"; let strides = "contiguous";
}
def Aten_all_dim : ReductionOp<"aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", "allDim", "Whether all along a dimension are nonzero"> {
  let quantized = "reals";
  let fold = "All";
  let variants = [Out]; let outName = "out";
  let shape = "reduce_dim(self, dim, keepdim)"; let dtype = "Byte if self:Byte,Bool"; let strides = "dense";
}
def Aten_any : ReductionOp<"aten::any(Tensor self) -> Tensor", "any", "Whether one is nonzero"> {
  let quantized = "reals";
  let fold = "Any";
  let shape = "scalar()"; let dtype = "Byte if self:Byte,Bool"; let strides = "contiguous";
}
def Aten_any_dim : ReductionOp<"aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", "anyDim", "Whether one along a dimension is nonzero"> {
  let quantized = "reals";
  let fold = "Any";
  let variants = [Out]; let outName = "out";
  let shape = "reduce_dim(self, dim, keepdim)"; let dtype = "Byte if self:Byte,Bool"; let strides = "dense";
}
def Aten_count_nonzero : ReductionOp<"aten::count_nonzero(Tensor self, int? dim=None) -> Tensor", "countNonzero", "How many are nonzero"> {
  let shape = "count_nonzero(self, dim)"; let dtype = "Long";
}
def Aten_count_nonzero_dim_IntList : ReductionOp<"aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", "countNonzeroDims", "How many are nonzero along dimensions"> {
  let shape = "reduce_or_all(self, dim, False)"; let dtype = "Long";
}
def Aten_logsumexp : ReductionOp<"aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", "logsumexp", "log of the sum of exponentials"> {
  let variants = [Out];
  let shape = "reduce_or_all(self, dim, keepdim)"; let dtype = "promote_float"; let strides = "dense";
  let decomposition = [{
def shift(self: Tensor, dim: List[int], keepdim: bool) -> Tensor:
    largest = torch.amax(self, dim, keepdim)
    return torch.masked_fill(largest, torch.isinf(largest), 0)

def logsumexp(self: Tensor, dim: List[int], keepdim: bool) -> Tensor:
    if not self.is_floating_point():
        return torch.logsumexp(self.float(), dim, keepdim)
    if self.numel() == 0:
        return torch.log(torch.sum(torch.exp(self), dim, keepdim))
    powers = torch.exp(self - shift(self, dim, True))
    return torch.log(torch.sum(powers, dim, keepdim)) + shift(self, dim, keepdim)
  }];
  let derivative = [{ self = backward.logsumexp(grad, self, dim, keepdim, result) }];
  let backwardNode = "0";
}
def Aten_var : ReductionOp<"aten::var(Tensor self, bool unbiased=True) -> Tensor", "var", "Variance of all elements"> {
  let shape = "scalar()"; let dtype = "real"; let strides = "contiguous";
  let decomposition = [{
def var(self: Tensor, unbiased: bool) -> Tensor:
    return torch.var(self, None, correction=1 if unbiased else 0, keepdim=False)
  }];
  let backwardNode = "0";
}
def Aten_var_dim : ReductionOp<"aten::var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor", "varDims", "Variance along dimensions"> {
  let variants = [Out]; let outName = "out";
  let shape = "reduce_or_all(self, dim, keepdim)"; let dtype = "real"; let strides = "dense";
  let decomposition = [{
def var(self: Tensor, dim: Optional[List[int]], unbiased: bool, keepdim: bool) -> Tensor:
    return torch.var(self, dim, correction=1 if unbiased else 0, keepdim=keepdim)
  }];
  let backwardNode = "0";
}
def Aten_var_correction : ReductionOp<"aten::var.correction(Tensor self, int[1]? dim, *, int? correction, bool keepdim=False) -> Tensor", "varCorrection", "Variance with a correction to the count"> {
  let variants = [Out];
  let shape = "reduce_or_all(self, dim, keepdim)"; let dtype = "real"; let strides = "dense";
  let decomposition = [{
def var(self: Tensor, dim: Optional[List[int]], correction: Optional[int], keepdim: bool) -> Tensor:
    if self.is_complex():
        return (torch.var(torch.real(self), dim, correction=correction, keepdim=keepdim) +
                torch.var(torch.imag(self), dim, correction=correction, keepdim=keepdim))
    dims = dim if dim is not None else torch.jit.annotate(List[int], [])
    missing = correction if correction is not None else 1
    mean = torch.mean(self, dims, True)
    centered = self - mean
    squares = torch.sum(centered * centered, dims, keepdim)
    count = self.numel() // max(mean.numel(), 1)
    return squares / max(count - missing, 0)
  }];
  let backwardNode = "0";
}
def Aten_std : ReductionOp<"aten::std(Tensor self, bool unbiased=True) -> Tensor", "stdDev", "Standard deviation of all elements"> {
  let quantized = "keeps";
  let shape = "scalar()"; let dtype = "real"; let strides = "contiguous";
  let decomposition = [{
def std(self: Tensor, unbiased: bool) -> Tensor:
    return torch.std(self, None, correction=1 if unbiased else 0, keepdim=False)
  }];
  let backwardNode = "0";
}
def Aten_std_dim : ReductionOp<"aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor", "stdDims", "Standard deviation along dimensions"> {
  let quantized = "keeps";
  let variants = [Out]; let outName = "out";
  let shape = "reduce_or_all(self, dim, keepdim)"; let dtype = "real"; let strides = "dense";
  let decomposition = [{
def std(self: Tensor, dim: Optional[List[int]], unbiased: bool, keepdim: bool) -> Tensor:
    return torch.std(self, dim, correction=1 if unbiased else 0, keepdim=keepdim)
  }];
  let backwardNode = "0";
}
def Aten_std_correction : ReductionOp<"aten::std.correction(Tensor self, int[1]? dim, *, int? correction, bool keepdim=False) -> Tensor", "stdCorrection", "Standard deviation with a correction to the count"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "reduce_or_all(self, dim, keepdim)"; let dtype = "real"; let strides = "dense";
  let decomposition = [{
def std(self: Tensor, dim: Optional[List[int]], correction: Optional[int], keepdim: bool) -> Tensor:
    return torch.sqrt(torch.var(self, dim, correction=correction, keepdim=keepdim))
  }];
  let derivative = [{ self = backward.variance(masked_fill(grad / (2 * result), result == 0, 0), self, dim, correction, keepdim) }];
  let backwardNode = "0";
}
def Aten_var_mean : ReductionOp<"aten::var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", "varMean", "Variance and mean of all elements"> {
  let shape = "scalar(); scalar()"; let dtype = "real; self"; let strides = "contiguous";
  let decomposition = [{
def var_mean(self: Tensor, unbiased: bool) -> Tuple[Tensor, Tensor]:
    return torch.var(self, unbiased), torch.mean(self)
  }];
}
def Aten_var_mean_dim : ReductionOp<"aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)", "varMeanDims", "Variance and mean along dimensions"> {
  let shape = "reduce_or_all(self, dim, keepdim); reduce_or_all(self, dim, keepdim)"; let dtype = "real; self"; let strides = "dense";
  let decomposition = [{
def var_mean(self: Tensor, dim: Optional[List[int]], unbiased: bool, keepdim: bool) -> Tuple[Tensor, Tensor]:
    return torch.var(self, dim, unbiased, keepdim), torch.mean(self, dim, keepdim)
  }];
}
def Aten_var_mean_correction : ReductionOp<"aten::var_mean.correction(Tensor self, int[1]? dim, *, int? correction, bool keepdim=False) -> (Tensor, Tensor)", "varMeanCorrection", "Variance and mean with a correction to the count"> {
  let shape = "reduce_or_all(self, dim, keepdim); reduce_or_all(self, dim, keepdim)"; let dtype = "real; self"; let strides = "dense";
  let decomposition = [{
def var_mean(self: Tensor, dim: Optional[List[int]], correction: Optional[int], keepdim: bool) -> Tuple[Tensor, Tensor]:
    return torch.var(self, dim, correction=correction, keepdim=keepdim), torch.mean(self, dim, keepdim)
  }];
  let backwardNode = "0";
}
def Aten_std_mean : ReductionOp<"aten::std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", "stdMean", "Standard deviation and mean of all elements"> {
  let shape = "scalar(); scalar()"; let dtype = "real; self"; let strides = "contiguous";
  let decomposition = [{
def std_mean(self: Tensor, unbiased: bool) -> Tuple[Tensor, Tensor]:
    return torch.std(self, unbiased), torch.mean(self)
  }];
}
def Aten_std_mean_dim : ReductionOp<"aten::std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)", "stdMeanDims", "Standard deviation and mean along dimensions"> {
  let shape = "reduce_or_all(self, dim, keepdim); reduce_or_all(self, dim, keepdim)"; let dtype = "real; self"; let strides = "dense";
  let decomposition = [{
def std_mean(self: Tensor, dim: Optional[List[int]], unbiased: bool, keepdim: bool) -> Tuple[Tensor, Tensor]:
    return torch.std(self, dim, unbiased, keepdim), torch.mean(self, dim, keepdim)
  }];
}
def Aten_std_mean_correction : ReductionOp<"aten::std_mean.correction(Tensor self, int[1]? dim, *, int? correction, bool keepdim=False) -> (Tensor, Tensor)", "stdMeanCorrection", "Standard deviation and mean with a correction to the count"> {
  let shape = "reduce_or_all(self, dim, keepdim); reduce_or_all(self, dim, keepdim)"; let dtype = "real; self"; let strides = "dense";
  let decomposition = [{
def std_mean(self: Tensor, dim: Optional[List[int]], correction: Optional[int], keepdim: bool) -> Tuple[Tensor, Tensor]:
    return torch.std(self, dim, correction=correction, keepdim=keepdim), torch.mean(self, dim, keepdim)
  }];
  let backwardNode = "0";
}
def Aten_max : ReductionOp<"aten::max(Tensor self) -> Tensor", "max", "Largest element"> {
  let quantized = "keeps";
  let fold = "Max";
  let shape = "scalar()"; let dtype = "self"; let strides = "contiguous";
  let derivative = [{ self = backward.extremum_of_all(grad, self, result) }];
  let backwardNode = "1";
}
def Aten_min : ReductionOp<"aten::min(Tensor self) -> Tensor", "min", "Smallest element"> {
  let quantized = "keeps";
  let fold = "Min";
  let shape = "scalar()"; let dtype = "self"; let strides = "contiguous";
  let derivative = [{ self = backward.extremum_of_all(grad, self, result) }];
  let backwardNode = "1";
}
def Aten_max_dim : ReductionOp<"aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", "maxDim", "Largest along a dimension, and where"> {
  let quantized = "keeps";
  let variants = [Out]; let outName = "dim_max"; let outArgs = ["max", "max_values"];
  let shape = "reduce_dim(self, dim, keepdim); reduce_dim(self, dim, keepdim)"; let dtype = "self; Long"; let strides = "dense";
  let decomposition = [{
def max(self: Tensor, dim: int, keepdim: bool) -> Tuple[Tensor, Tensor]:
    return torch.amax(self, [dim], keepdim), torch.argmax(self, dim, keepdim)
  }];
  let derivative = [{ self = backward.at_index(grad_values, indices, self, dim, keepdim) }];
  let backwardNode = "0";
}
def Aten_min_dim : ReductionOp<"aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", "minDim", "Smallest along a dimension, and where"> {
  let quantized = "keeps";
  let variants = [Out]; let outName = "dim_min"; let outArgs = ["min", "min_indices"];
  let shape = "reduce_dim(self, dim, keepdim); reduce_dim(self, dim, keepdim)"; let dtype = "self; Long"; let strides = "dense";
  let decomposition = [{
def min(self: Tensor, dim: int, keepdim: bool) -> Tuple[Tensor, Tensor]:
    return torch.amin(self, [dim], keepdim), torch.argmin(self, dim, keepdim)
  }];
  let derivative = [{ self = backward.at_index(grad_values, indices, self, dim, keepdim) }];
  let backwardNode = "0";
}
def Aten_amax : ReductionOp<"aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", "amax", "Largest along dimensions"> {
  let quantized = "keeps";
  let fold = "Max";
  let variants = [Out];
  let shape = "reduce_or_all(self, dim, keepdim)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.shared(grad, self, result, dim, keepdim) }];
  let backwardNode = "0";
}
def Aten_amin : ReductionOp<"aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", "amin", "Smallest along dimensions"> {
  let quantized = "keeps";
  let fold = "Min";
  let variants = [Out];
  let shape = "reduce_or_all(self, dim, keepdim)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.shared(grad, self, result, dim, keepdim) }];
  let backwardNode = "0";
}
def Aten_aminmax : ReductionOp<"aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)", "aminmax", "Smallest and largest"> {
  let variants = [Out]; let outArgs = ["min", "max"];
  let shape = "reduce_optional_dim(self, dim, keepdim); reduce_optional_dim(self, dim, keepdim)"; let dtype = "self; self"; let strides = "dense";
  let derivative = [{ self = backward.extrema(grad_min, grad_max, self, dim, keepdim, min, max) }];
  let backwardNode = "0";
}
def Aten_argmax : ReductionOp<"aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", "argmax", "Where the largest is"> {
  let quantized = "reals";
  let variants = [Out];
  let shape = "reduce_optional_dim(self, dim, keepdim)"; let dtype = "Long"; let strides = "dense";
}
def Aten_argmin : ReductionOp<"aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", "argmin", "Where the smallest is"> {
  let quantized = "reals";
  let variants = [Out];
  let shape = "reduce_optional_dim(self, dim, keepdim)"; let dtype = "Long"; let strides = "dense";
}
def Aten_cumsum : LaneOp<"aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", "cumsum", "Running sum"> {
  let cudaKernel = "cuda::cumulativeSum(self, dim, dtype)";
  let variants = [InPlace, Out];
  let shape = "self"; let dtype = "dtype,sum"; let strides = "dense";
  let derivative = [{ self = backward.cumsum(grad, dim) }];
  let backwardNode = "0";
}
def Aten_cumprod : LaneOp<"aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", "cumprod", "Running product"> {
  let cudaKernel = "cuda::cumulativeProduct(self, dim, dtype)";
  let variants = [InPlace, Out];
  let shape = "self"; let dtype = "dtype,sum"; let strides = "dense";
  let derivative = [{ self = backward.cumprod(grad, self, result, dim) }];
  let backwardNode = "0";
}
def Aten_cummax : LaneOp<"aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)", "cummax", "Running maximum, and where"> {
  let cudaKernel = "cuda::cumulativeMax(self, dim)";
  let variants = [Out]; let outArgs = ["values", "indices"];
  let shape = "self; self"; let dtype = "self; Long"; let strides = "dense";
  let derivative = [{ self = backward.from_index(grad_values, indices, self, dim) }];
  let backwardNode = "0";
}
def Aten_cummin : LaneOp<"aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)", "cummin", "Running minimum, and where"> {
  let cudaKernel = "cuda::cumulativeMin(self, dim)";
  let variants = [Out]; let outArgs = ["values", "indices"];
  let shape = "self; self"; let dtype = "self; Long"; let strides = "dense";
  let derivative = [{ self = backward.from_index(grad_values, indices, self, dim) }];
  let backwardNode = "0";
}
def Aten_logcumsumexp : LaneOp<"aten::logcumsumexp(Tensor self, int dim) -> Tensor", "logcumsumexp", "Running log of the sum of exponentials"> {
  let cudaKernel = "cuda::cumulativeLogSumExp(self, dim)";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.cumulative_logsumexp(grad, self, dim, result) }];
  let backwardNode = "0";
}
def Aten_sum_to_size : ReductionOp<"aten::sum_to_size(Tensor self, int[] size) -> Tensor", "sumToSize", "Sum along the dimensions that broadcasting would have made"> {
  let traits = [Reduction, ToSizes];
  let derivative = [{ self = grad.expand(self.size()) }];
}
def Aten__grad_sum_to_size : ReductionOp<"aten::_grad_sum_to_size(Tensor(a) self, int[]? size) -> Tensor(a)", "gradSumToSize", "sum_to_size, unless there is no size"> {
  let derivative = [{ self = grad.expand(self.size()) }];
}
