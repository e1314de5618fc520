//===- Indexing.td - Indexing and rearranging ------------*- tablegen -*-===//
//
// Elements chosen, scattered, joined, repeated, padded, compared.
//
//===----------------------------------------------------------------------===//

class IndexOp<string schema, string function, string summary_> : Op<schema> {
  let kernel = "cpu::" # function;
  let summary = summary_;
}
class QueryOp<string schema, string function, string summary_> : Op<schema> {
  let kernel = "cpu::" # function;
  let summary = summary_;
}

// Advanced indexing.
def Aten_index_Tensor : IndexOp<"aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", "index",
  "self[indices]"> {
  let cudaKernel = "cuda::index(self, indices)";
  let devices = "hostIndices";
  let quantized = "keeps";
  let traits = [Disjoint];
  let variants = [Out];
  let shape = "index(self, indices, indices.dtypes)"; let dtype = "self";
  let derivative = [{ self = grad.new_zeros(self.size()).index_put(indices, grad, True) }];
  let backwardNode = "0";
}
def Aten_index_Tensor_hacked_twin : IndexOp<"aten::index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor", "index",
  "self[indices]"> {
  let cudaKernel = "cuda::index(self, indices)";
  let devices = "hostIndices";
  let quantized = "keeps";
  let shape = "index(self, indices, indices.dtypes)"; let dtype = "self";
  let derivative = [{ self = index_put(grad.new_zeros(self.size()), indices, grad, True) }];
  let backwardNode = "0";
}
def Aten_index_put_ : IndexOp<"aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)", "indexPutInPlace",
  "self[indices] = values"> {
  let cudaKernel = "cuda::indexPut(self, indices, values, accumulate, inPlace)";
  let quantized = "keeps";
  let devices = "hostIndices";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_index_put__hacked_twin : IndexOp<"aten::index_put_.hacked_twin(Tensor(a!) self, Tensor[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)", "indexPutInPlace",
  "self[indices] = values"> {
  let cudaKernel = "cuda::indexPut(self, indices, values, accumulate, inPlace)";
  let quantized = "keeps";
  let devices = "hostIndices";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_index_put : IndexOp<"aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor", "indexPut",
  "self with self[indices] = values"> {
  let cudaKernel = "cuda::indexPut(self, indices, values, accumulate, inPlace)";
  let quantized = "keeps";
  let devices = "hostIndices";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = grad if accumulate else grad.index_put(indices, zeros_like(values))
                      values = index(grad, indices) }];
  let backwardNode = "0";
}
def Aten_index_put_hacked_twin : IndexOp<"aten::index_put.hacked_twin(Tensor self, Tensor[] indices, Tensor values, bool accumulate=False) -> Tensor", "indexPut",
  "self with self[indices] = values"> {
  let cudaKernel = "cuda::indexPut(self, indices, values, accumulate, inPlace)";
  let quantized = "keeps";
  let devices = "hostIndices";
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = grad if accumulate else index_put(grad, indices, zeros_like(values))
                      values = index(grad, indices) }];
  let backwardNode = "0";
}
def Aten__index_put_impl_ : IndexOp<"aten::_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor(a!)", "indexPutImplInPlace",
  "self[indices] = values"> {
  let cudaKernel = "cuda::indexPut(self, indices, values, accumulate, inPlace)";
  let quantized = "keeps";
  let devices = "hostIndices";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten__index_put_impl__hacked_twin : IndexOp<"aten::_index_put_impl_.hacked_twin(Tensor(a!) self, Tensor[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor(a!)", "indexPutImplInPlace",
  "self[indices] = values"> {
  let cudaKernel = "cuda::indexPut(self, indices, values, accumulate, inPlace)";
  let devices = "hostIndices";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}

// Slices by a vector.
def Aten_index_select : IndexOp<"aten::index_select(Tensor self, int dim, Tensor index) -> Tensor", "indexSelect",
  "Slices of a dimension"> {
  let cudaKernel = "cuda::indexSelect(self, dim, index)";
  let quantized = "keeps";
  let traits = [Disjoint];
  let variants = [Out];
  let shape = "index_select(self, dim, index)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = grad.new_zeros(self.size()).index_add(dim, index, grad) }];
  let backwardNode = "0";
}
def Aten_index_add : IndexOp<"aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor", "indexAdd",
  "self with source added to slices"> {
  let cudaKernel = "cuda::indexAdd(self, dim, index, source, alpha, inPlace)";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = grad
                      source = backward.times(grad.index_select(dim, index), alpha) }];
  let backwardNode = "0";
}
def Aten_index_add_ : IndexOp<"aten::index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor(a!)", "indexAddInPlace",
  "Adds source to slices of self"> {
  let cudaKernel = "cuda::indexAdd(self, dim, index, source, alpha, inPlace)";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_index_copy : IndexOp<"aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor", "indexCopy",
  "self with slices replaced"> {
  let cudaKernel = "cuda::indexCopy(self, dim, index, source, inPlace)";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = grad.index_fill(dim, index, 0)
                      source = grad.index_select(dim, index) }];
}
def Aten_index_copy_ : IndexOp<"aten::index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)", "indexCopyInPlace",
  "Replaces slices of self"> {
  let cudaKernel = "cuda::indexCopy(self, dim, index, source, inPlace)";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_index_fill_int_Scalar : IndexOp<"aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", "indexFillScalar",
  "self with slices filled"> {
  let cudaKernel = "cuda::indexFill(self, dim, index, value, inPlace)";
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = grad.index_fill(dim, index, 0) }];
  let backwardNode = "0";
}
def Aten_index_fill_int_Tensor : IndexOp<"aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor", "indexFillTensor",
  "self with slices filled"> {
  let cudaKernel = "cuda::indexFill(self, dim, index, value, inPlace)";
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self  = index_fill(grad, dim, index, 0)
                      value = sum(where(index_fill(zeros_like(grad), dim, index, 1) == 1, grad, 0.)) }];
  let backwardNode = "1";
}
def Aten_index_fill__int_Scalar : IndexOp<"aten::index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)", "indexFillScalarInPlace",
  "Fills slices of self"> {
  let cudaKernel = "cuda::indexFill(self, dim, index, value, inPlace)";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_index_fill__int_Tensor : IndexOp<"aten::index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) -> Tensor(a!)", "indexFillTensorInPlace",
  "Fills slices of self"> {
  let cudaKernel = "cuda::indexFill(self, dim, index, value, inPlace)";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_index_reduce : IndexOp<"aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor", "indexReduce",
  "self with source folded into slices"> {
  let cudaKernel = "cuda::indexReduce(self, dim, index, source, reduce, include_self, inPlace)";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = backward.index_folded_self(grad, self, dim, index, source, reduce, include_self, result)
                      source = backward.index_folded_source(grad, self, dim, index, source, reduce, include_self, result) }];
}
def Aten_index_reduce_ : IndexOp<"aten::index_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor(a!)", "indexReduceInPlace",
  "Folds source into slices of self"> {
  let cudaKernel = "cuda::indexReduce(self, dim, index, source, reduce, include_self, inPlace)";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_embedding : IndexOp<"aten::embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor", "embedding",
  "Rows of a table"> {
  let cudaKernel = "cuda::embedding(weight, indices)";
  let variants = [Out];
  let shape = "embedding(weight, indices)"; let dtype = "weight"; let strides = "dense";
  let derivative = [{ weight = backward.embedding(grad, weight, indices, padding_idx, scale_grad_by_freq) }];
  let backwardNode = "0";
}
def Aten_embedding_renorm_ : IndexOp<"aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor(a!)", "embeddingRenormInPlace",
  "Shortens rows of a table"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}

// Places by a tensor.
def Aten_gather : IndexOp<"aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor", "gather",
  "out[i][j] = self[index[i][j]][j]"> {
  let cudaKernel = "cuda::gather(self, dim, index)";
  let quantized = "keeps";
  let traits = [Disjoint];
  let variants = [Out];
  let shape = "index"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = grad.new_zeros(self.size()).scatter_add(dim, index, grad) }];
  let backwardNode = "0";
}
def Aten_scatter_src : IndexOp<"aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", "scatterSrc",
  "self with self[index[i][j]][j] = src[i][j]"> {
  let cudaKernel = "cuda::scatter(self, dim, index, src, inPlace)";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = scatter(grad, dim, index, 0)
                      src  = backward.scattered(grad, dim, index, src) }];
  let backwardNode = "0";
}
def Aten_scatter_value : IndexOp<"aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", "scatterValue",
  "self with self[index[i][j]][j] = value"> {
  let cudaKernel = "cuda::scatter(self, dim, index, value, inPlace)";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = grad.scatter(dim, index, 0) }];
  let backwardNode = "1";
}
def Aten_scatter_reduce : IndexOp<"aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor", "scatterSrcReduce",
  "self with src folded in"> {
  let cudaKernel = "cuda::scatterWith(self, dim, index, src, reduce, inPlace)";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.folded_self(grad, self, dim, index, src, backward.fold_name(reduce), True, result)
                      src  = backward.folded_source(grad, self, dim, index, src, backward.fold_name(reduce), True, result) }];
}
def Aten_scatter_value_reduce : IndexOp<"aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor", "scatterValueReduce",
  "self with value folded in"> {
  let cudaKernel = "cuda::scatterWith(self, dim, index, value, reduce, inPlace)";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = grad * scatter(ones_like(self), dim, index, 1. if reduce == "add" else value, reduce="multiply").conj() }];
}
def Aten_scatter__src : IndexOp<"aten::scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)", "scatterSrcInPlace",
  "self[index[i][j]][j] = src[i][j]"> {
  let cudaKernel = "cuda::scatter(self, dim, index, src, inPlace)";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_scatter__value : IndexOp<"aten::scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)", "scatterValueInPlace",
  "self[index[i][j]][j] = value"> {
  let cudaKernel = "cuda::scatter(self, dim, index, value, inPlace)";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_scatter__reduce : IndexOp<"aten::scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor(a!)", "scatterSrcReduceInPlace",
  "Folds src into self"> {
  let cudaKernel = "cuda::scatterWith(self, dim, index, src, reduce, inPlace)";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_scatter__value_reduce : IndexOp<"aten::scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor(a!)", "scatterValueReduceInPlace",
  "Folds value into self"> {
  let cudaKernel = "cuda::scatterWith(self, dim, index, value, reduce, inPlace)";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_scatter_add : IndexOp<"aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", "scatterAdd",
  "self with src added"> {
  let cudaKernel = "cuda::scatterAdd(self, dim, index, src, inPlace)";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = grad
                      src  = backward.scattered(grad, dim, index, src) }];
  let backwardNode = "0";
}
def Aten_scatter_add_ : IndexOp<"aten::scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)", "scatterAddInPlace",
  "Adds src to self"> {
  let cudaKernel = "cuda::scatterAdd(self, dim, index, src, inPlace)";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_scatter_reduce_two : IndexOp<"aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor", "scatterReduce",
  "self with src folded in"> {
  let cudaKernel = "cuda::scatterReduce(self, dim, index, src, reduce, include_self, inPlace)";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.folded_self(grad, self, dim, index, src, reduce, include_self, result)
                      src  = backward.folded_source(grad, self, dim, index, src, reduce, include_self, result) }];
  let backwardNode = "0";
}
def Aten_scatter_reduce__two : IndexOp<"aten::scatter_reduce_.two(Tensor(a!) self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor(a!)", "scatterReduceInPlace",
  "Folds src into self"> {
  let cudaKernel = "cuda::scatterReduce(self, dim, index, src, reduce, include_self, inPlace)";
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_take : IndexOp<"aten::take(Tensor self, Tensor index) -> Tensor", "take",
  "Elements by row-major position"> {
  let traits = [Disjoint];
  let variants = [Out];
  let shape = "index"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.take(grad, self, index) }];
  let backwardNode = "0";
}
def Aten_take_along_dim : IndexOp<"aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor", "takeAlongDim",
  "gather with broadcasting"> {
  let cudaKernel = "cuda::takeAlongDim(self, indices, dim)";
  let quantized = "keeps";
  let variants = [Out];
  let shape = "take_along_dim(self, indices, dim)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.take_along(grad, self, indices, dim) }];
}
def Aten_put : IndexOp<"aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor", "put",
  "self with elements replaced"> {
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = grad if accumulate else put(grad, index, zeros_like(source))
                      source = take(grad, index).reshape(source.size()) }];
}
def Aten_put_ : IndexOp<"aten::put_(Tensor(a!) self, Tensor index, Tensor source, bool accumulate=False) -> Tensor(a!)", "putInPlace",
  "Replaces elements of self"> {
  let traits = [Disjoint];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}

// Masks.
def Aten_masked_select : IndexOp<"aten::masked_select(Tensor self, Tensor mask) -> Tensor", "maskedSelect",
  "Elements where mask is true"> {
  let cudaKernel = "cuda::maskedSelect(self, mask)";
  let quantized = "keeps";
  let traits = [Disjoint];
  let variants = [Out];
  let shape = "unknown_vector()"; let dtype = "promote"; let strides = "contiguous";
  let derivative = [{ self = backward.masked_select(grad, self, mask) }];
  let backwardNode = "0";
}
def Aten_masked_scatter : IndexOp<"aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", "maskedScatter",
  "self with masked elements replaced"> {
  let cudaKernel = "cuda::maskedScatter(self, mask, source, inPlace)";
  let shape = "broadcast_two(self, mask)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = grad.masked_fill(mask, 0)
                      source = backward.masked_source(grad, mask, source) }];
  let backwardNode = "0";
}
def Aten_masked_scatter_ : IndexOp<"aten::masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)", "maskedScatterInPlace",
  "Replaces masked elements of self"> {
  let cudaKernel = "cuda::maskedScatter(self, mask, source, inPlace)";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_nonzero : IndexOp<"aten::nonzero(Tensor self) -> Tensor", "nonzero",
  "Indices of elements that are not zero"> {
  let cudaKernel = "cuda::nonzero(self)";
  let quantized = "reals";
  let variants = [Out];
  let shape = "nonzero(self)"; let dtype = "Long";
}
def Aten_nonzero_numpy : IndexOp<"aten::nonzero_numpy(Tensor self) -> Tensor[]", "nonzeroNumpy",
  "The same, a tensor for each dimension"> {
  let cudaKernel = "cuda::nonzeroColumns(self)";
  let traits = [Detached];
}
def Aten_where : IndexOp<"aten::where(Tensor condition) -> Tensor[]", "nonzeroNumpy",
  "Indices where condition is true"> {
  let cudaKernel = "cuda::nonzeroColumns(condition)";
  let traits = [Detached];
}
def Aten_argwhere : IndexOp<"aten::argwhere(Tensor self) -> Tensor", "argwhere",
  "Indices of elements that are not zero"> {
  let cudaKernel = "cuda::nonzero(self)";
  let shape = "nonzero(self)"; let dtype = "Long";
}

// Searching.
def Aten_searchsorted_Tensor : IndexOp<"aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor", "searchsortedTensor",
  "Where values belong in sorted rows"> {
  let variants = [Out];
  let shape = "self"; let dtype = "Int if out_int32,Long"; let strides = "dense";
  let traits = [Detached];
}
def Aten_searchsorted_Scalar : IndexOp<"aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor", "searchsortedScalar",
  "Where a value belongs in a sorted row"> {
  let variants = [Out];
  let shape = "scalar()"; let dtype = "Int if out_int32,Long"; let strides = "contiguous";
  let traits = [Detached];
}
def Aten_bucketize_Tensor : IndexOp<"aten::bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor", "bucketizeTensor",
  "Which bucket values fall into"> {
  let variants = [Out];
  let shape = "self"; let dtype = "Int if out_int32,Long"; let strides = "dense";
  let traits = [Detached];
}
def Aten_bucketize_Scalar : IndexOp<"aten::bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor", "bucketizeScalar",
  "Which bucket a value falls into"> {
  let variants = [Out];
  let shape = "scalar()"; let dtype = "Int if out_int32,Long"; let strides = "contiguous";
  let traits = [Detached];
}
def Aten_isin_Tensor_Tensor : IndexOp<"aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor", "isinTensor",
  "Whether elements are among others"> {
  let variants = [Out];
  let shape = "elements"; let dtype = "Bool"; let strides = "dense";
}
def Aten_isin_Tensor_Scalar : IndexOp<"aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False) -> Tensor", "isinTensorScalar",
  "Whether elements equal a number"> {
  let variants = [Out];
  let shape = "elements"; let dtype = "Bool"; let strides = "dense";
}
def Aten_isin_Scalar_Tensor : IndexOp<"aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor", "isinScalarTensor",
  "Whether a number is among elements"> {
  let variants = [Out];
  let shape = "scalar()"; let dtype = "Bool"; let strides = "contiguous";
}
def Aten_one_hot : IndexOp<"aten::one_hot(Tensor self, int num_classes=-1) -> Tensor", "oneHot",
  "Class numbers as unit vectors"> {
  let shape = "one_hot(self, num_classes)"; let dtype = "Long"; let strides = "contiguous";
}

// Joining and repeating.
def Aten_cat : IndexOp<"aten::cat(Tensor[] tensors, int dim=0) -> Tensor", "cat",
  "Along an existing dimension"> {
  let quantized = "keeps";
  let traits = [Disjoint, Concatenation];
  let variants = [Out];
  let shape = "cat(tensors, dim)"; let dtype = "promote"; let strides = "dense";
  let derivative = [{ tensors = backward.cat(grad, tensors, dim) }];
  let backwardNode = "0";
}
def Aten_concat : IndexOp<"aten::concat(Tensor[] tensors, int dim=0) -> Tensor", "cat",
  "Along an existing dimension"> {
  let quantized = "keeps";
  let traits = [Disjoint];
  let variants = [Out];
  let shape = "cat(tensors, dim)"; let dtype = "promote"; let strides = "dense";
  let derivative = [{ tensors = backward.cat(grad, tensors, dim) }];
  let backwardNode = "CatBackward0";
}
def Aten_concatenate : IndexOp<"aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor", "cat",
  "Along an existing dimension"> {
  let traits = [Disjoint];
  let variants = [Out];
  let shape = "cat(tensors, dim)"; let dtype = "promote"; let strides = "dense";
  let derivative = [{ tensors = backward.cat(grad, tensors, dim) }];
  let backwardNode = "CatBackward0";
}
def Aten_stack : IndexOp<"aten::stack(Tensor[] tensors, int dim=0) -> Tensor", "stack",
  "Along a new dimension"> {
  let quantized = "keeps";
  let traits = [Disjoint, Concatenation];
  let variants = [Out];
  let shape = "stack(tensors, dim)"; let dtype = "promote"; let strides = "dense";
  let derivative = [{ tensors = grad.unbind(dim) }];
  let backwardNode = "0";
}
def Aten_hstack : IndexOp<"aten::hstack(Tensor[] tensors) -> Tensor", "hstack",
  "Side by side"> {
  let quantized = "keeps";
  let traits = [Disjoint];
  let variants = [Out];
  let shape = "hstack(tensors)"; let dtype = "tensors"; let strides = "dense";
  let decomposition = [{
def hstack(tensors: List[Tensor]) -> Tensor:
    if len(tensors) > 0 and tensors[0].dim() < 2:
        return torch.cat([t.reshape([-1]) if t.dim() == 0 else t for t in tensors], 0)
    return torch.cat(tensors, 1)
  }];
  let backwardNode = "CatBackward0";
}
def Aten_vstack : IndexOp<"aten::vstack(Tensor[] tensors) -> Tensor", "vstack",
  "One below the other"> {
  let quantized = "keeps";
  let traits = [Disjoint];
  let variants = [Out];
  let shape = "vstack(tensors)"; let dtype = "tensors"; let strides = "dense";
  let decomposition = [{
def vstack(tensors: List[Tensor]) -> Tensor:
    return torch.cat([t.reshape([1, -1]) if t.dim() < 2 else t for t in tensors], 0)
  }];
}
def Aten_row_stack : IndexOp<"aten::row_stack(Tensor[] tensors) -> Tensor", "vstack",
  "One below the other"> {
  let quantized = "keeps";
  let traits = [Disjoint];
  let variants = [Out];
  let shape = "vstack(tensors)"; let dtype = "tensors"; let strides = "dense";
  let decomposition = [{
def row_stack(tensors: List[Tensor]) -> Tensor:
    return torch.cat([t.reshape([1, -1]) if t.dim() < 2 else t for t in tensors], 0)
  }];
  let backwardNode = "CatBackward0";
}
def Aten_dstack : IndexOp<"aten::dstack(Tensor[] tensors) -> Tensor", "dstack",
  "One behind the other"> {
  let quantized = "keeps";
  let traits = [Disjoint];
  let variants = [Out];
  let shape = "dstack(tensors)"; let dtype = "tensors"; let strides = "dense";
  let decomposition = [{
def deep(t: Tensor) -> Tensor:
    if t.dim() < 2:
        t = t.reshape([1, -1])
    return t.unsqueeze(-1) if t.dim() == 2 else t

def dstack(tensors: List[Tensor]) -> Tensor:
    return torch.cat([deep(t) for t in tensors], 2)
  }];
}
def Aten_column_stack : IndexOp<"aten::column_stack(Tensor[] tensors) -> Tensor", "columnStack",
  "As columns"> {
  let quantized = "keeps";
  let traits = [Disjoint];
  let variants = [Out];
  let shape = "column_stack(tensors)"; let dtype = "tensors"; let strides = "dense";
  let decomposition = [{
def column_stack(tensors: List[Tensor]) -> Tensor:
    return torch.cat([t.reshape([-1, 1]) if t.dim() < 2 else t for t in tensors], 1)
  }];
}
def Aten_block_diag : IndexOp<"aten::block_diag(Tensor[] tensors) -> Tensor", "blockDiag",
  "As blocks on the diagonal"> {
  let variants = [Out];
  let shape = "block_diag(tensors)"; let dtype = "promote"; let strides = "contiguous";
  let derivative = [{ tensors = backward.blocks(grad, tensors) }];
  let backwardNode = "0";
}
def Aten_repeat : IndexOp<"aten::repeat(Tensor self, int[] repeats) -> Tensor", "repeat",
  "Whole copies along each dimension"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "repeat(self, repeats)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.repeat(grad, self, repeats) }];
  let backwardNode = "0";
}
def Aten_tile : IndexOp<"aten::tile(Tensor self, int[] dims) -> Tensor", "tile",
  "Whole copies along the last dimensions"> {
  let quantized = "keeps";
  let shape = "tile(self, dims)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.repeat(grad, self, dims) }];
}
def Aten_repeat_interleave_Tensor : IndexOp<"aten::repeat_interleave.Tensor(Tensor repeats, *, int? output_size=None) -> Tensor", "repeatInterleaveTensor",
  "Index i, repeats[i] times"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "repeat_interleave_counts(output_size)"; let dtype = "repeats"; let strides = "contiguous";
  let traits = [Detached];
}
def Aten_repeat_interleave_self_Tensor : IndexOp<"aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, int? output_size=None) -> Tensor", "repeatInterleaveSelfTensor",
  "Each slice repeated"> {
  let quantized = "keeps";
  let shape = "repeat_interleave(self, repeats, dim, output_size)"; let dtype = "self"; let strides = "contiguous";
  let derivative = [{ self = backward.interleaved(grad, self, repeats, dim) }];
}
def Aten_repeat_interleave_self_int : IndexOp<"aten::repeat_interleave.self_int(Tensor self, int repeats, int? dim=None, *, int? output_size=None) -> Tensor", "repeatInterleaveSelfInt",
  "Each slice repeated"> {
  let quantized = "keeps";
  let shape = "repeat_interleave_int(self, repeats, dim)"; let dtype = "self"; let strides = "contiguous";
  let derivative = [{ self = backward.interleaved_evenly(grad, self, repeats, dim) }];
}

// Rearranging.
def Aten_roll : IndexOp<"aten::roll(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor", "roll",
  "Shifted around"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = grad.roll([-s for s in shifts], dims) }];
  let backwardNode = "0";
}
def Aten_flip : IndexOp<"aten::flip(Tensor self, int[] dims) -> Tensor", "flip",
  "Dimensions reversed"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = grad.flip(dims) }];
  let backwardNode = "0";
}
def Aten_fliplr : IndexOp<"aten::fliplr(Tensor self) -> Tensor", "fliplr",
  "Columns reversed"> {
  let quantized = "keeps";
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = grad.fliplr() }];
  let backwardNode = "FlipBackward0";
}
def Aten_flipud : IndexOp<"aten::flipud(Tensor self) -> Tensor", "flipud",
  "Rows reversed"> {
  let quantized = "keeps";
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = grad.flipud() }];
  let backwardNode = "FlipBackward0";
}
def Aten_rot90 : IndexOp<"aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor", "rot90",
  "Turned by quarter turns"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "rot90(self, k, dims)"; let dtype = "self";
  let derivative = [{ self = grad.rot90(-k, dims) }];
}
def Aten_tril : IndexOp<"aten::tril(Tensor self, int diagonal=0) -> Tensor", "tril",
  "Lower triangle"> {
  let variants = [InPlace, Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = grad.tril(diagonal) }];
  let backwardNode = "0";
}
def Aten_triu : IndexOp<"aten::triu(Tensor self, int diagonal=0) -> Tensor", "triu",
  "Upper triangle"> {
  let variants = [InPlace, Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = grad.triu(diagonal) }];
  let backwardNode = "0";
}
def Aten_diag : IndexOp<"aten::diag(Tensor self, int diagonal=0) -> Tensor", "diag",
  "Diagonal of a matrix, or a matrix of a diagonal"> {
  let variants = [Out];
  let shape = "diag(self, diagonal)"; let dtype = "self";
  let derivative = [{ self = backward.diag(grad, self, diagonal) }];
}
def Aten_diag_embed : IndexOp<"aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor", "diagEmbed",
  "Matrices of diagonals"> {
  let variants = [Out];
  let shape = "diag_embed(self, offset, dim1, dim2)"; let dtype = "self";
  let derivative = [{ self = grad.diagonal(offset, dim1, dim2) }];
  let backwardNode = "0";
}
def Aten_diagflat : IndexOp<"aten::diagflat(Tensor self, int offset=0) -> Tensor", "diagflat",
  "A matrix with the elements on its diagonal"> {
  let shape = "diagflat(self, offset)"; let dtype = "self"; let strides = "contiguous";
  let derivative = [{ self = grad.diagonal(offset).reshape(self.size()) }];
}
def Aten_meshgrid : IndexOp<"aten::meshgrid(Tensor(a)[] tensors) -> Tensor(a)[]", "meshgrid",
  "Coordinates of a grid"> {
  let shape = [{meshgrid(tensors, "ij")}]; let dtype = "promote";
  let derivative = [{ tensors = backward.meshgrid(grad, tensors) }];
}
def Aten_meshgrid_indexing : IndexOp<"aten::meshgrid.indexing(Tensor(a)[] tensors, *, str indexing) -> Tensor(a)[]", "meshgridIndexing",
  "Coordinates of a grid"> {
  let shape = "meshgrid(tensors, indexing)"; let dtype = "promote";
  let derivative = [{ tensors = backward.grid(grad, tensors, indexing == "xy") }];
}
def Aten_cartesian_prod : IndexOp<"aten::cartesian_prod(Tensor(a)[] tensors) -> Tensor(b|a)", "cartesianProd",
  "All tuples of elements"> {
  let shape = "cartesian_prod(tensors)"; let dtype = "promote";
  let derivative = [{ tensors = backward.tuples(grad, tensors) }];
}
def Aten_combinations : IndexOp<"aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor", "combinations",
  "All selections of r elements"> {
  let shape = "combinations(self, r, with_replacement)"; let dtype = "self";
  let derivative = [{ self = backward.selections(grad, self, r, with_replacement) }];
}

// Padding.
def Aten_pad : IndexOp<"aten::pad(Tensor self, int[] pad, str mode=\"constant\", float? value=None) -> Tensor", "pad",
  "A border in one of four modes"> {
  let quantized = "keeps";
  let shape = "pad(self, pad)"; let dtype = "self";
  let derivative = [{ self = backward.pad(grad, self, pad, mode) }];
}
def Aten__pad_enum : IndexOp<"aten::_pad_enum(Tensor self, int[] pad, int mode, float? value=None) -> Tensor", "padEnum",
  "A border in one of four modes"> {
  let quantized = "keeps";
  let shape = "pad(self, pad)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.pad(grad, self, pad, ["constant", "reflect", "replicate", "circular"][mode]) }];
}
def Aten_pad_sequence : IndexOp<"aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., str padding_side=\"right\") -> Tensor", "padSequence",
  "Sequences padded to the longest"> {
  let shape = "pad_sequence(sequences, batch_first)"; let dtype = "sequences";
  let derivative = [{ sequences = backward.sequences(grad, sequences, batch_first, padding_side) }];
}
def Aten__pad_circular : IndexOp<"aten::_pad_circular(Tensor self, int[] pad) -> Tensor", "padCircular",
  "A border that wraps around"> {
  let quantized = "keeps";
  let shape = "pad(self, pad)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.pad(grad, self, pad, "circular") }];
}
def Aten_constant_pad_nd : IndexOp<"aten::constant_pad_nd(Tensor self, int[] pad, Scalar value=0) -> Tensor", "constantPadNd",
  "A border of one value"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "pad(self, pad)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.pad(grad, self, pad, "constant") }];
  let backwardNode = "0";
}
def Aten_reflection_pad1d : IndexOp<"aten::reflection_pad1d(Tensor self, int[2] padding) -> Tensor", "reflectionPad1d",
  "A border that mirrors"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "pad(self, padding)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.pad(grad, self, padding, "reflect") }];
  let backwardNode = "0";
}
def Aten_reflection_pad2d : IndexOp<"aten::reflection_pad2d(Tensor self, int[4] padding) -> Tensor", "reflectionPad2d",
  "A border that mirrors"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "pad(self, padding)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.pad(grad, self, padding, "reflect") }];
  let backwardNode = "0";
}
def Aten_reflection_pad3d : IndexOp<"aten::reflection_pad3d(Tensor self, int[6] padding) -> Tensor", "reflectionPad3d",
  "A border that mirrors"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "pad(self, padding)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.pad(grad, self, padding, "reflect") }];
  let backwardNode = "0";
}
def Aten_replication_pad1d : IndexOp<"aten::replication_pad1d(Tensor self, int[2] padding) -> Tensor", "replicationPad1d",
  "A border that repeats the edge"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "pad(self, padding)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.pad(grad, self, padding, "replicate") }];
  let backwardNode = "0";
}
def Aten_replication_pad2d : IndexOp<"aten::replication_pad2d(Tensor self, int[4] padding) -> Tensor", "replicationPad2d",
  "A border that repeats the edge"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "pad(self, padding)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.pad(grad, self, padding, "replicate") }];
  let backwardNode = "0";
}
def Aten_replication_pad3d : IndexOp<"aten::replication_pad3d(Tensor self, int[6] padding) -> Tensor", "replicationPad3d",
  "A border that repeats the edge"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "pad(self, padding)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.pad(grad, self, padding, "replicate") }];
  let backwardNode = "0";
}

// Neighbours along a dimension.
def Aten_diff : IndexOp<"aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor", "diff",
  "Differences of neighbours"> {
  let variants = [Out];
  let shape = "diff(self, n, dim, prepend, append)"; let dtype = "self";
  let derivative = [{ self    = backward.undiffed(grad, self, n, dim, prepend, append, "self")
                      prepend = backward.undiffed(grad, self, n, dim, prepend, append, "prepend")
                      append  = backward.undiffed(grad, self, n, dim, prepend, append, "append") }];
}
def Aten_gradient_scalarint : IndexOp<"aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int edge_order=1) -> Tensor[]", "gradientScalar",
  "Central differences"> {
  let shape = "gradient(self, dim)";
  let derivative = [{ self = backward.central_differences(backward.even_grads(grad, spacing), self, backward.even_points(self, backward.all_dims(self, dim), spacing), backward.all_dims(self, dim), edge_order) }];
}
def Aten_gradient_array : IndexOp<"aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]", "gradientDims",
  "Central differences"> {
  let shape = "gradient_dims(self, dim)";
  let derivative = [{ self = backward.central_differences(grad, self, backward.even_points(self, dim, None), dim, edge_order) }];
}
def Aten_gradient_scalararray : IndexOp<"aten::gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1) -> Tensor[]", "gradientScalarDims",
  "Central differences"> {
  let shape = "gradient_dims(self, dim)";
  let derivative = [{ self = backward.central_differences(backward.even_grads(grad, spacing), self, backward.even_points(self, dim, spacing), dim, edge_order) }];
}
def Aten_gradient_tensorarrayint : IndexOp<"aten::gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, int edge_order=1) -> Tensor[]", "gradientTensors",
  "Differences at given points"> {
  let shape = "gradient(self, dim)";
  let derivative = [{ self    = backward.central_differences(grad, self, spacing, backward.all_dims(self, dim), edge_order)
                      spacing = backward.difference_points(grad, self, spacing, backward.all_dims(self, dim), edge_order) }];
}
def Aten_gradient_tensorarray : IndexOp<"aten::gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int edge_order=1) -> Tensor[]", "gradientTensorsDims",
  "Differences at given points"> {
  let shape = "gradient_dims(self, dim)";
  let derivative = [{ self    = backward.central_differences(grad, self, spacing, dim, edge_order)
                      spacing = backward.difference_points(grad, self, spacing, dim, edge_order) }];
}
def Aten_trapezoid_dx : IndexOp<"aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", "trapezoidDx",
  "Integral by trapezoids"> {
  let shape = "drop_dim(y, dim)";
  let derivative = [{ y = backward.trapezoid(grad, y, dx, dim) }];
}
def Aten_trapezoid_x : IndexOp<"aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", "trapezoidX",
  "Integral by trapezoids"> {
  let shape = "trapezoid(y, x, dim)";
  let derivative = [{ y = backward.trapezoid_between(grad, y, x, dim)
                      x = backward.trapezoid_points(grad, y, x, dim) }];
}
def Aten_trapz_dx : IndexOp<"aten::trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor", "trapzDx",
  "Integral by trapezoids"> {
  let shape = "drop_dim(y, dim)";
  let derivative = [{ y = backward.trapezoid(grad, y, dx, dim) }];
}
def Aten_trapz_x : IndexOp<"aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", "trapezoidX",
  "Integral by trapezoids"> {
  let shape = "trapezoid(y, x, dim)";
  let derivative = [{ y = backward.trapezoid_between(grad, y, x, dim)
                      x = backward.trapezoid_points(grad, y, x, dim) }];
}
def Aten_cumulative_trapezoid_dx : IndexOp<"aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", "cumulativeTrapezoidDx",
  "Running integral"> {
  let shape = "cumulative_trapezoid(y, dim)";
  let derivative = [{ y = backward.cumulative_trapezoid(grad, y, dx, dim) }];
}
def Aten_cumulative_trapezoid_x : IndexOp<"aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", "cumulativeTrapezoidX",
  "Running integral"> {
  let derivative = [{ y = backward.cumulative_trapezoid_between(grad, y, x, dim)
                      x = backward.cumulative_trapezoid_points(grad, y, x, dim) }];
}

// Comparing whole tensors.
def Aten_equal : QueryOp<"aten::equal(Tensor self, Tensor other) -> bool", "equal",
  "Same shape and elements"> { let quantized = "reals"; }
def Aten_allclose : QueryOp<"aten::allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool equal_nan=False) -> bool", "allclose",
  "Nearly equal everywhere"> { let quantized = "reals"; }
def Aten_isclose : QueryOp<"aten::isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool equal_nan=False) -> Tensor", "isclose",
  "Nearly equal"> {
  let quantized = "reals";
  let shape = "broadcast"; let dtype = "Bool"; let strides = "dense";
}

// Questions.
def Aten_size : QueryOp<"aten::size(Tensor self) -> int[]", "sizesOf",
  "The sizes"> {
  let quantized = "takes";
  let traits = [SizeQuery];
  let query = "Sizes";
}
def Aten_size_int : QueryOp<"aten::size.int(Tensor self, int dim) -> int", "sizeAt",
  "One size"> {
  let quantized = "takes";
  let traits = [SizeQuery];
  let query = "Size";
}
def Aten_stride : QueryOp<"aten::stride(Tensor self) -> int[]", "stridesOf",
  "The strides"> { let query = "Strides"; let devices = "any"; let quantized = "takes"; }
def Aten_stride_int : QueryOp<"aten::stride.int(Tensor self, int dim) -> int", "strideAt",
  "One stride"> { let query = "Stride"; let devices = "any"; let quantized = "takes"; }
def Aten_numel : QueryOp<"aten::numel(Tensor self) -> int", "numelOf",
  "Number of elements"> {
  let quantized = "takes";
  let traits = [SizeQuery, Answers];
  let query = "Count";
}
def Aten_dim : QueryOp<"aten::dim(Tensor self) -> int", "dimOf",
  "Number of dimensions"> {
  let quantized = "takes";
  let traits = [SizeQuery, Answers];
  let query = "Rank";
}
def Aten_is_floating_point : QueryOp<"aten::is_floating_point(Tensor self) -> bool", "isFloatingPointOf",
  "Whether the dtype is floating"> {
  let quantized = "takes";
  let traits = [Answers];
  let query = "IsFloating";
}
def Aten_is_complex : QueryOp<"aten::is_complex(Tensor self) -> bool", "isComplexOf",
  "Whether the dtype is complex"> {
  let quantized = "takes";
  let traits = [Answers];
  let query = "IsComplex";
}
def Aten_is_signed : QueryOp<"aten::is_signed(Tensor self) -> bool", "isSignedOf",
  "Whether the dtype has a sign">;
def Aten_is_contiguous : QueryOp<"aten::is_contiguous(Tensor self) -> bool", "isContiguousOf",
  "Whether row-major without gaps"> { let query = "IsContiguous"; let devices = "any"; let quantized = "takes"; }
def Aten_is_contiguous_memory_format : QueryOp<"aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool", "isContiguousFormat",
  "Whether in the memory format"> { let query = "IsContiguous"; let devices = "any"; let quantized = "takes"; }
def Aten_is_nonzero : QueryOp<"aten::is_nonzero(Tensor self) -> bool", "isNonzero",
  "The one element as bool"> { let devices = "any"; }
def Aten_is_same_size : QueryOp<"aten::is_same_size(Tensor self, Tensor other) -> bool", "isSameSize",
  "Equal sizes"> { let devices = "any"; let quantized = "takes"; }
def Aten_is_set_to : QueryOp<"aten::is_set_to(Tensor self, Tensor tensor) -> bool", "isSetTo",
  "Same view of the same storage"> { let devices = "any"; }
def Aten_is_conj : QueryOp<"aten::is_conj(Tensor self) -> bool", "isConj",
  "Lazily conjugated"> { let devices = "geometry"; }
def Aten_is_neg : QueryOp<"aten::is_neg(Tensor self) -> bool", "isNeg",
  "Lazily negated"> { let devices = "geometry"; }
def Aten_is_inference : QueryOp<"aten::is_inference(Tensor self) -> bool", "isInference",
  "Made in inference mode"> { let devices = "geometry"; }
def Aten_is_pinned : QueryOp<"aten::is_pinned(Tensor self, Device? device=None) -> bool", "isPinned",
  "In pinned memory"> { let devices = "any"; }
def Aten_is_distributed : QueryOp<"aten::is_distributed(Tensor self) -> bool", "isDistributed",
  "Never">;
def Aten_storage_offset : QueryOp<"aten::storage_offset(Tensor self) -> int", "storageOffsetOf",
  "First element in the storage"> { let query = "StorageOffset"; let devices = "any"; let quantized = "takes"; }
def Aten_element_size : QueryOp<"aten::element_size(Tensor self) -> int", "elementSizeOf",
  "Bytes of an element"> { let quantized = "takes"; }
def Aten_get_device : QueryOp<"aten::get_device(Tensor self) -> int", "getDevice",
  "Index of the device"> { let devices = "any"; let quantized = "takes"; }
def Aten__version : QueryOp<"aten::_version(Tensor self) -> int", "versionOf",
  "Number of in-place writes"> { let devices = "geometry"; let quantized = "takes"; }
def Aten_item : QueryOp<"aten::item(Tensor self) -> Scalar", "item",
  "The one element"> {
  let quantized = "takes";
  let traits = [Item]; }
def Aten__local_scalar_dense : QueryOp<"aten::_local_scalar_dense(Tensor self) -> Scalar", "item",
  "The one element"> {
  let quantized = "takes";
  let traits = [Item]; }
def Aten__infer_size : QueryOp<"aten::_infer_size(int[] a, int[] b) -> int[]", "inferSize",
  "The common shape of two">;
def Aten__shape_as_tensor : QueryOp<"aten::_shape_as_tensor(Tensor self) -> Tensor", "shapeAsTensor",
  "The sizes as a tensor"> {
  let quantized = "takes";
  let shape = "shape_as_tensor(self)"; let dtype = "Long"; let strides = "contiguous";
}
def Aten_result_type_Tensor : QueryOp<"aten::result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType", "resultTypeTensor",
  "dtype that an operation gives">;
def Aten_result_type_Scalar : QueryOp<"aten::result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType", "resultTypeScalar",
  "dtype that an operation gives">;
def Aten_result_type_Scalar_Tensor : QueryOp<"aten::result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType", "resultTypeScalarTensor",
  "dtype that an operation gives">;
def Aten_result_type_Scalar_Scalar : QueryOp<"aten::result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType", "resultTypeScalarScalar",
  "dtype that an operation gives">;
def Aten_can_cast : QueryOp<"aten::can_cast(ScalarType from, ScalarType to) -> bool", "canCastOp",
  "Whether a conversion keeps the category">;
def Aten_promote_types : QueryOp<"aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType", "promoteTypesOp",
  "The least dtype of both">;
