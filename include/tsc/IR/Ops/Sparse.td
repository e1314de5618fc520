//===- Sparse.td - Sparse and nested tensors ---------------*- tablegen -*-===//
//
// Sparse tensors in coordinates or compressed rows, and batches of sequences of different lengths. Operators that are not here, and know
// nothing of them, refuse them; mm, matmul, addmm, transpose, and of point-wise operators sums, products and what keeps
// zero, do know them.
//
//===----------------------------------------------------------------------===//

class SparseOp<string schema, string function, string summary_> : Op<"aten::" # schema> {
  let kernel = "cpu::" # function;
  let summary = summary_;
}

// Making sparse tensors.
def Aten_sparse_coo_tensor_indices : SparseOp<"sparse_coo_tensor.indices(Tensor indices, Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool? is_coalesced=None) -> Tensor", "sparseOfIndices",
  "A sparse tensor of its elements and their places, as large as they need">;
def Aten_sparse_coo_tensor_indices_size : SparseOp<"sparse_coo_tensor.indices_size(Tensor indices, Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool? is_coalesced=None) -> Tensor", "sparseOfSize",
  "A sparse tensor of its elements and their places">;
def Aten_sparse_coo_tensor_size : SparseOp<"sparse_coo_tensor.size(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "sparseEmpty",
  "A sparse tensor without elements">;
def Aten__sparse_coo_tensor_unsafe : SparseOp<"_sparse_coo_tensor_unsafe(Tensor indices, Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool? is_coalesced=None) -> Tensor", "sparseOfSize",
  "A sparse tensor of its elements and their places, which are looked at here too">;
def Aten_to_sparse : SparseOp<"to_sparse(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, int? dense_dim=None) -> Tensor", "toSparse", "The elements that are not zero">;
def Aten_to_sparse_sparse_dim : SparseOp<"to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor", "toSparseDims",
  "The slices along the first dimensions that are not zero">;
def Aten_to_dense : SparseOp<"to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor", "toDense", "The strided tensor of the same elements">;
def Aten__to_dense : SparseOp<"_to_dense(Tensor self, ScalarType? dtype=None, bool? masked_grad=None) -> Tensor", "toDense", "The strided tensor of the same elements">;

// What they are made of.
def Aten_coalesce : SparseOp<"coalesce(Tensor(a) self) -> Tensor(a)", "coalesce", "Places in order, elements of one place added">;
def Aten__coalesce : SparseOp<"_coalesce(Tensor self) -> Tensor", "coalesce", "Places in order, elements of one place added">;
def Aten_is_coalesced : SparseOp<"is_coalesced(Tensor self) -> bool", "isCoalesced", "Whether the places are in order and distinct">;
def Aten__coalesced : SparseOp<"_coalesced(Tensor self, bool coalesced) -> Tensor", "markCoalesced", "The tensor, said to be coalesced or not">;
def Aten_indices : SparseOp<"indices(Tensor(a) self) -> Tensor(a)", "sparseIndices", "The places of a coalesced tensor's elements, a column each"> { let traits = [Detached]; }
def Aten_values : SparseOp<"values(Tensor(a) self) -> Tensor(a)", "sparseValues", "The elements of a coalesced tensor">;
def Aten__indices : SparseOp<"_indices(Tensor(a) self) -> Tensor(a)", "rawIndices", "The places of the elements, a column each"> { let traits = [Detached]; }
def Aten__values : SparseOp<"_values(Tensor(a) self) -> Tensor(a)", "rawValues", "The elements">;
def Aten__nnz : SparseOp<"_nnz(Tensor self) -> int", "numSpecified", "The number of elements that are there">;
foreach name = ["sparse_dim", "_dimI"] in
  def Aten_ # name : SparseOp<name # "(Tensor self) -> int", "numSparseDims", "The number of sparse dimensions">;
foreach name = ["dense_dim", "_dimV"] in
  def Aten_ # name : SparseOp<name # "(Tensor self) -> int", "numDenseDims", "The number of dense dimensions">;

// Computing with them.
def Aten__sparse_mm : SparseOp<"_sparse_mm(Tensor sparse, Tensor dense) -> Tensor", "sparseMm", "Product of matrices, the first of them sparse"> {
  let derivative = [{ dense = torch._sparse_mm(sparse.transpose(0, 1), grad) }];
}
def Aten__sparse_sparse_matmul : SparseOp<"_sparse_sparse_matmul(Tensor self, Tensor other) -> Tensor", "sparseMm", "Product of sparse matrices">;
def Aten_smm : SparseOp<"smm(Tensor self, Tensor mat2) -> Tensor", "sparseMm", "Product of matrices, the first of them sparse">;
def Aten__sparse_addmm : Op<"aten::_sparse_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> {
  let summary = "A matrix and the product of a sparse one with another";
  let decomposition = [{
def _sparse_addmm(self: Tensor, mat1: Tensor, mat2: Tensor, beta: number, alpha: number) -> Tensor:
    return self * beta + torch._sparse_mm(mat1, mat2) * alpha
  }];
}
def Aten__sparse_sum : SparseOp<"_sparse_sum(Tensor self) -> Tensor", "sparseSum", "Sum of all elements">;
def Aten__sparse_sum_dim : SparseOp<"_sparse_sum.dim(Tensor self, int[1] dim) -> Tensor", "sparseSumDims", "Sums along dimensions: sparse where a sparse dimension is left">;
def Aten__sparse_sum_dtype : Op<"aten::_sparse_sum.dtype(Tensor self, *, ScalarType dtype) -> Tensor"> {
  let summary = "Sum of all elements in a dtype";
  let decomposition = [{
def _sparse_sum(self: Tensor, dtype: int) -> Tensor:
    return torch._sparse_sum(self.to(dtype))
  }];
}
def Aten__sparse_sum_dim_dtype : Op<"aten::_sparse_sum.dim_dtype(Tensor self, int[1] dim, *, ScalarType dtype) -> Tensor"> {
  let summary = "Sums along dimensions in a dtype";
  let decomposition = [{
def _sparse_sum(self: Tensor, dim: List[int], dtype: int) -> Tensor:
    return torch._sparse_sum(self.to(dtype), dim)
  }];
}
def Aten__sparse_softmax_int : SparseOp<"_sparse_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", "sparseSoftmax", "softmax of the elements that are there">;
def Aten__sparse_log_softmax_int : SparseOp<"_sparse_log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", "sparseLogSoftmax", "log_softmax of the elements that are there">;
def Aten_sparse_mask : SparseOp<"sparse_mask(Tensor self, Tensor mask) -> Tensor", "sparseMask", "The elements at the places of a sparse tensor">;

// Matrices of compressed rows: the same parts, which remember how they were made.
def Aten_sparse_csr_tensor_crow_col_value_size : SparseOp<"sparse_csr_tensor.crow_col_value_size(Tensor crow_indices, Tensor col_indices, Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor", "sparseOfRows",
  "A matrix of rows, each an interval of elements, and their columns">;
def Aten__sparse_csr_tensor_unsafe : SparseOp<"_sparse_csr_tensor_unsafe(Tensor crow_indices, Tensor col_indices, Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "sparseOfRows",
  "The same">;
def Aten_sparse_csr_tensor_crow_col_value : Op<"aten::sparse_csr_tensor.crow_col_value(Tensor crow_indices, Tensor col_indices, Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor"> {
  let summary = "The same, as small as the indices allow";
  let decomposition = [{
def sparse_csr_tensor(crow_indices: Tensor, col_indices: Tensor, values: Tensor, dtype: Optional[int],
                      layout: Optional[int], device: Optional[Device], pin_memory: Optional[bool]) -> Tensor:
    columns = 0
    if col_indices.numel() > 0:
        columns = int(col_indices.max().item()) + 1
    return torch.sparse_csr_tensor(crow_indices, col_indices, values, [crow_indices.numel() - 1, columns], dtype=dtype)
  }];
}
def Aten_to_sparse_csr : SparseOp<"to_sparse_csr(Tensor self) -> Tensor", "toRows", "A matrix of compressed rows">;
def Aten_crow_indices : SparseOp<"crow_indices(Tensor(a) self) -> Tensor(a)", "rowStarts", "Where each row begins among the elements"> { let traits = [Detached]; }
def Aten_col_indices : SparseOp<"col_indices(Tensor(a) self) -> Tensor(a)", "columnIndices", "The column of each element"> { let traits = [Detached]; }

// Nested tensors: what nn.TransformerEncoder makes of padded batches.
def Aten__nested_tensor_from_mask : SparseOp<"_nested_tensor_from_mask(Tensor t, Tensor mask, bool mask_check=True) -> Tensor", "nestedFromMask",
  "The rows of a padded batch that a mask keeps"> { let traits = [Detached]; }
def Aten__nested_tensor_from_mask_left_aligned : SparseOp<"_nested_tensor_from_mask_left_aligned(Tensor t, Tensor mask) -> bool", "isLeftAligned",
  "Whether the mask keeps the first rows of each sequence">;
def Aten_nested_to_padded_tensor : SparseOp<"nested_to_padded_tensor(Tensor self, float padding, int[]? output_size=None) -> Tensor", "nestedToPadded",
  "A batch padded to its longest sequence"> { let traits = [Detached]; }
def Aten_to_padded_tensor : SparseOp<"to_padded_tensor(Tensor self, float padding, int[]? output_size=None) -> Tensor", "nestedToPadded",
  "A batch padded to its longest sequence"> { let traits = [Detached]; }
