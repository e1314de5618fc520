//===- Sorting.td - Order along a dimension --------------*- tablegen -*-===//
//
// Sorting, selecting by rank, distinct elements, counting.
//
//===----------------------------------------------------------------------===//

class SortOp<string schema, string function, string summary_> : Op<schema> {
  let kernel = "cpu::" # function;
  let summary = summary_;
}

// Sorting and selecting.
def Aten_sort : SortOp<"aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)", "sort",
  "Values in order, and where they were"> {
  let cudaKernel = "cuda::sort(self, dim, descending)";
  let quantized = "keeps";
  let variants = [Out]; let outName = "values";
  let shape = "self; self"; let dtype = "self; Long";
  let derivative = [{ self = backward.from_index(grad_values, indices, self, dim) }];
  let backwardNode = "0";
}
def Aten_sort_stable : SortOp<"aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)", "sortStable",
  "sort that keeps equal values in place"> {
  let cudaKernel = "cuda::sort(self, dim, descending)";
  let quantized = "keeps";
  let variants = [Out]; let outName = "values_stable";
  let shape = "self; self"; let dtype = "self; Long";
  let derivative = [{ self = backward.from_index(grad_values, indices, self, dim) }];
  let backwardNode = "1";
}
def Aten_argsort : SortOp<"aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", "argsort",
  "Indices that sort"> {
  let cudaKernel = "cuda::argsort(self, dim, descending)";
  let quantized = "reals";
  let shape = "self"; let dtype = "Long";
}
def Aten_argsort_stable : SortOp<"aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor", "argsortStable",
  "Indices that sort"> {
  let cudaKernel = "cuda::argsort(self, dim, descending)";
  let quantized = "reals";
  let variants = [Out];
  let shape = "self"; let dtype = "Long";
}
def Aten_msort : SortOp<"aten::msort(Tensor self) -> Tensor", "msort",
  "Sorted along the first dimension"> {
  let cudaKernel = "cuda::msort(self)";
  let quantized = "keeps";
  let variants = [Out];
  let shape = "self"; let dtype = "self";
  let decomposition = [{
def msort(self: Tensor) -> Tensor:
    return torch.sort(self, 0)[0]
  }];
}
def Aten_topk : SortOp<"aten::topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)", "topk",
  "The k largest or smallest"> {
  let cudaKernel = "cuda::topk(self, k, dim, largest)";
  let quantized = "keeps";
  let variants = [Out]; let outName = "values";
  let shape = "topk(self, k, dim); topk(self, k, dim)"; let dtype = "self; Long";
  let derivative = [{ self = backward.from_index(grad_values, indices, self, dim) }];
  let backwardNode = "0";
}
def Aten_kthvalue : SortOp<"aten::kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)", "kthvalue",
  "The k-th smallest"> {
  let variants = [Out]; let outName = "values";
  let shape = "reduce_dim(self, dim, keepdim); reduce_dim(self, dim, keepdim)"; let dtype = "self; Long";
  let derivative = [{ self = backward.at_index(grad_values, indices, self, dim, keepdim) }];
  let backwardNode = "0";
}
def Aten_median : SortOp<"aten::median(Tensor self) -> Tensor", "median",
  "The lower median of all"> {
  let variants = [Out];
  let shape = "scalar()"; let dtype = "self"; let strides = "contiguous";
  let derivative = [{ self = backward.extremum_of_all(grad, self, result) }];
  let backwardNode = "0";
}
def Aten_median_dim : SortOp<"aten::median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", "medianDim",
  "The lower median of a dimension"> {
  let variants = [Out]; let outName = "dim_values";
  let shape = "reduce_dim(self, dim, keepdim); reduce_dim(self, dim, keepdim)"; let dtype = "self; Long";
  let derivative = [{ self = backward.at_index(grad_values, indices, self, dim, keepdim) }];
  let backwardNode = "1";
}
def Aten_nanmedian : SortOp<"aten::nanmedian(Tensor self) -> Tensor", "nanmedian",
  "median without NaN"> {
  let variants = [Out];
  let shape = "scalar()"; let dtype = "self"; let strides = "contiguous";
  let derivative = [{ self = backward.extremum_of_all(grad, self, result) }];
  let backwardNode = "0";
}
def Aten_nanmedian_dim : SortOp<"aten::nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", "nanmedianDim",
  "median without NaN"> {
  let variants = [Out]; let outName = "dim_values";
  let shape = "reduce_dim(self, dim, keepdim); reduce_dim(self, dim, keepdim)"; let dtype = "self; Long";
  let derivative = [{ self = backward.at_index(grad_values, indices, self, dim, keepdim) }];
  let backwardNode = "1";
}
def Aten_mode : SortOp<"aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)", "mode",
  "The most frequent value"> {
  let variants = [Out]; let outName = "values";
  let shape = "reduce_dim(self, dim, keepdim); reduce_dim(self, dim, keepdim)"; let dtype = "self; Long";
  let derivative = [{ self = backward.at_index(grad_values, indices, self, dim, keepdim) }];
}

// Distinct elements.
def Aten__unique : SortOp<"aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)", "unique",
  "Distinct elements, and which each one is"> {
  let shape = "unknown_vector(); unique_inverse(self, return_inverse)"; let dtype = "self; Long";
}
def Aten__unique2 : SortOp<"aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)", "unique2",
  "Distinct elements, which each one is, how many there are"> {
  let shape = "unknown_vector(); unique_inverse(self, return_inverse); unknown_vector()"; let dtype = "self; Long; Long";
}
def Aten_unique_dim : SortOp<"aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)", "uniqueDim",
  "Distinct slices"> {
  let dtype = "self; Long; Long";
}
def Aten_unique_consecutive : SortOp<"aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)", "uniqueConsecutive",
  "Without repeated neighbours"> {
  let dtype = "self; Long; Long";
}
def Aten_unique_dim_consecutive : SortOp<"aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)", "uniqueDimConsecutive",
  "Slices without repeated neighbours"> {
  let dtype = "self; Long; Long";
}

// Counting.
def Aten_bincount : SortOp<"aten::bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor", "bincount",
  "How often each number occurs"> {
  let variants = [Out];
  let shape = "unknown_vector()"; let strides = "contiguous";
}
def Aten_histc : SortOp<"aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor", "histc",
  "How many elements fall into each of equal bins"> {
  let variants = [Out];
  let shape = "vector(bins)"; let dtype = "self"; let strides = "contiguous";
  let traits = [Detached];
}
def Aten_histogramdd : SortOp<"aten::histogramdd(Tensor self, int[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)", "histogramdd",
  "How many points fall into each cell of a grid">;
def Aten_histogramdd_int_bins : SortOp<"aten::histogramdd.int_bins(Tensor self, int bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)", "histogramddBins",
  "How many points fall into each cell of a grid">;
def Aten_histogramdd_TensorList_bins : SortOp<"aten::histogramdd.TensorList_bins(Tensor self, Tensor[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)", "histogramddEdges",
  "How many points fall into each cell of a grid">;
def Aten_histogram_bins_tensor : SortOp<"aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)", "histogramEdges",
  "How many elements fall between edges">;
def Aten_histogram_bin_ct : SortOp<"aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)", "histogramBins",
  "How many elements fall into each of equal bins">;

// Quantiles.
foreach ignore = ["", "nan"] in {
  defvar function = !if(!eq(ignore, ""), "quantile", "nanquantile");
  defvar ignores = !if(!eq(ignore, ""), "False", "True");
  def Aten_ # ignore # quantile : SortOp<"aten::" # ignore # "quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> Tensor", function,
    "Values below which the shares q lie"> {
    let variants = [Out];
    let derivative = "self = backward.quantile(grad, self, q, dim, keepdim, interpolation, " # ignores # ")\n" #
                     "q    = backward.quantile_share(grad, self, q, dim, keepdim, interpolation, " # ignores # ")";
  }
  def Aten_ # ignore # quantile_scalar : SortOp<"aten::" # ignore # "quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") -> Tensor", function # "Scalar",
    "The value below which the share q lies"> {
    let variants = [Out];
    let derivative = "self = backward.quantile(grad, self, scalar_tensor(q, dtype=self.dtype), dim, keepdim, " #
                     "interpolation, " # ignores # ")";
  }
}
