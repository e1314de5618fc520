//===- Reductions.td - Folds, scans, order ----------------------*- tablegen -*-===//
//
// Kernels: tsc/Tensor/Kernels/Reductions.h.
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
  let derivative = [{ self = grad.expand_as(self) }];
}
def Aten_sum_dim_IntList : ReductionOp<"aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", "sumDims", "Sum along dimensions"> { let variants = [Out]; let outName = "IntList_out"; }
def Aten_nansum : ReductionOp<"aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", "nansum", "Sum that takes NaN as zero"> { let variants = [Out]; }
def Aten_mean : ReductionOp<"aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", "mean", "Mean of all elements"> {
  let derivative = [{ self = grad.expand_as(self) / self.numel() }];
}
def Aten_mean_dim : ReductionOp<"aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", "meanDims", "Mean along dimensions"> { let variants = [Out]; let outName = "out"; }
def Aten_nanmean : ReductionOp<"aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", "nanmean", "Mean of what is not NaN"> { let variants = [Out]; }
def Aten_prod : ReductionOp<"aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", "prod", "Product of all elements">;
def Aten_prod_dim_int : ReductionOp<"aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", "prodDim", "Product along a dimension"> { let variants = [Out]; let outName = "int_out"; }
def Aten_all : ReductionOp<"aten::all(Tensor self) -> Tensor", "all", "Whether all are nonzero">;
def Aten_all_dim : ReductionOp<"aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", "allDim", "Whether all along a dimension are nonzero"> { let variants = [Out]; let outName = "out"; }
def Aten_any : ReductionOp<"aten::any(Tensor self) -> Tensor", "any", "Whether one is nonzero">;
def Aten_any_dim : ReductionOp<"aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", "anyDim", "Whether one along a dimension is nonzero"> { let variants = [Out]; let outName = "out"; }
def Aten_count_nonzero : ReductionOp<"aten::count_nonzero(Tensor self, int? dim=None) -> Tensor", "countNonzero", "How many are nonzero">;
def Aten_count_nonzero_dim_IntList : ReductionOp<"aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", "countNonzeroDims", "How many are nonzero along dimensions">;
def Aten_logsumexp : ReductionOp<"aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", "logsumexp", "log of the sum of exponentials"> { let variants = [Out]; }
def Aten_var : ReductionOp<"aten::var(Tensor self, bool unbiased=True) -> Tensor", "var", "Variance of all elements">;
def Aten_var_dim : ReductionOp<"aten::var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor", "varDims", "Variance along dimensions"> { let variants = [Out]; let outName = "out"; }
def Aten_var_correction : ReductionOp<"aten::var.correction(Tensor self, int[1]? dim, *, int? correction, bool keepdim=False) -> Tensor", "varCorrection", "Variance with a correction to the count"> { let variants = [Out]; }
def Aten_std : ReductionOp<"aten::std(Tensor self, bool unbiased=True) -> Tensor", "stdDev", "Standard deviation of all elements">;
def Aten_std_dim : ReductionOp<"aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor", "stdDims", "Standard deviation along dimensions"> { let variants = [Out]; let outName = "out"; }
def Aten_std_correction : ReductionOp<"aten::std.correction(Tensor self, int[1]? dim, *, int? correction, bool keepdim=False) -> Tensor", "stdCorrection", "Standard deviation with a correction to the count"> { let variants = [Out]; }
def Aten_var_mean : ReductionOp<"aten::var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", "varMean", "Variance and mean of all elements">;
def Aten_var_mean_dim : ReductionOp<"aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)", "varMeanDims", "Variance and mean along dimensions">;
def Aten_var_mean_correction : ReductionOp<"aten::var_mean.correction(Tensor self, int[1]? dim, *, int? correction, bool keepdim=False) -> (Tensor, Tensor)", "varMeanCorrection", "Variance and mean with a correction to the count">;
def Aten_std_mean : ReductionOp<"aten::std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", "stdMean", "Standard deviation and mean of all elements">;
def Aten_std_mean_dim : ReductionOp<"aten::std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)", "stdMeanDims", "Standard deviation and mean along dimensions">;
def Aten_std_mean_correction : ReductionOp<"aten::std_mean.correction(Tensor self, int[1]? dim, *, int? correction, bool keepdim=False) -> (Tensor, Tensor)", "stdMeanCorrection", "Standard deviation and mean with a correction to the count">;
def Aten_max : ReductionOp<"aten::max(Tensor self) -> Tensor", "max", "Largest element">;
def Aten_min : ReductionOp<"aten::min(Tensor self) -> Tensor", "min", "Smallest element">;
def Aten_max_dim : ReductionOp<"aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", "maxDim", "Largest along a dimension, and where"> { let variants = [Out]; let outName = "dim_max"; let outArgs = ["max", "max_values"]; }
def Aten_min_dim : ReductionOp<"aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", "minDim", "Smallest along a dimension, and where"> { let variants = [Out]; let outName = "dim_min"; let outArgs = ["min", "min_indices"]; }
def Aten_amax : ReductionOp<"aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", "amax", "Largest along dimensions"> { let variants = [Out]; }
def Aten_amin : ReductionOp<"aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", "amin", "Smallest along dimensions"> { let variants = [Out]; }
def Aten_aminmax : ReductionOp<"aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)", "aminmax", "Smallest and largest"> { let variants = [Out]; let outArgs = ["min", "max"]; }
def Aten_argmax : ReductionOp<"aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", "argmax", "Where the largest is"> { let variants = [Out]; }
def Aten_argmin : ReductionOp<"aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", "argmin", "Where the smallest is"> { let variants = [Out]; }
def Aten_cumsum : LaneOp<"aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", "cumsum", "Running sum"> { let variants = [InPlace, Out]; }
def Aten_cumprod : LaneOp<"aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", "cumprod", "Running product"> { let variants = [InPlace, Out]; }
def Aten_cummax : LaneOp<"aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)", "cummax", "Running maximum, and where"> { let variants = [Out]; let outArgs = ["values", "indices"]; }
def Aten_cummin : LaneOp<"aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)", "cummin", "Running minimum, and where"> { let variants = [Out]; let outArgs = ["values", "indices"]; }
def Aten_logcumsumexp : LaneOp<"aten::logcumsumexp(Tensor self, int dim) -> Tensor", "logcumsumexp", "Running log of the sum of exponentials"> { let variants = [Out]; }
