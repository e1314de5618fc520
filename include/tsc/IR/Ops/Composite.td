//===- Composite.td - Operators made of others -------------*- tablegen -*-===//
//
// What archives of older and newer releases name, and what PyTorch keeps beside the operators that programs call. They
// have no kernels: a record with a decomposition alone runs as that function.
//
//===----------------------------------------------------------------------===//

// Names that PyTorch keeps for what has another one.
def Aten__cast_Byte : Op<"aten::_cast_Byte(Tensor self, bool non_blocking=False) -> Tensor"> {
  let summary = "The tensor in another dtype";
  let decomposition = [{
def _cast_Byte(self: Tensor, non_blocking: bool) -> Tensor:
    return self.to(torch.uint8, non_blocking)
  }];
}
def Aten__cast_Char : Op<"aten::_cast_Char(Tensor self, bool non_blocking=False) -> Tensor"> {
  let summary = "The tensor in another dtype";
  let decomposition = [{
def _cast_Char(self: Tensor, non_blocking: bool) -> Tensor:
    return self.to(torch.int8, non_blocking)
  }];
}
def Aten__cast_Double : Op<"aten::_cast_Double(Tensor self, bool non_blocking=False) -> Tensor"> {
  let summary = "The tensor in another dtype";
  let decomposition = [{
def _cast_Double(self: Tensor, non_blocking: bool) -> Tensor:
    return self.to(torch.double, non_blocking)
  }];
}
def Aten__cast_Float : Op<"aten::_cast_Float(Tensor self, bool non_blocking=False) -> Tensor"> {
  let summary = "The tensor in another dtype";
  let decomposition = [{
def _cast_Float(self: Tensor, non_blocking: bool) -> Tensor:
    return self.to(torch.float, non_blocking)
  }];
}
def Aten__cast_Int : Op<"aten::_cast_Int(Tensor self, bool non_blocking=False) -> Tensor"> {
  let summary = "The tensor in another dtype";
  let decomposition = [{
def _cast_Int(self: Tensor, non_blocking: bool) -> Tensor:
    return self.to(torch.int, non_blocking)
  }];
}
def Aten__cast_Long : Op<"aten::_cast_Long(Tensor self, bool non_blocking=False) -> Tensor"> {
  let summary = "The tensor in another dtype";
  let decomposition = [{
def _cast_Long(self: Tensor, non_blocking: bool) -> Tensor:
    return self.to(torch.long, non_blocking)
  }];
}
def Aten__cast_Short : Op<"aten::_cast_Short(Tensor self, bool non_blocking=False) -> Tensor"> {
  let summary = "The tensor in another dtype";
  let decomposition = [{
def _cast_Short(self: Tensor, non_blocking: bool) -> Tensor:
    return self.to(torch.short, non_blocking)
  }];
}
def Aten__cast_Half : Op<"aten::_cast_Half(Tensor self, bool non_blocking=False) -> Tensor"> {
  let summary = "The tensor in another dtype";
  let decomposition = [{
def _cast_Half(self: Tensor, non_blocking: bool) -> Tensor:
    return self.to(torch.half, non_blocking)
  }];
}
def Aten_special_log_softmax : Op<"aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"> {
  let summary = "log_softmax";
  let decomposition = [{
def special_log_softmax(self: Tensor, dim: int, dtype: Optional[int]) -> Tensor:
    return torch.log_softmax(self, dim, dtype)
  }];
}
def Aten_special_softmax : Op<"aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"> {
  let summary = "softmax";
  let decomposition = [{
def special_softmax(self: Tensor, dim: int, dtype: Optional[int]) -> Tensor:
    return torch.softmax(self, dim, dtype)
  }];
}
def Aten_special_logit : Op<"aten::special_logit(Tensor self, float? eps=None) -> Tensor"> {
  let summary = "logit";
  let variants = [Out];
  let decomposition = [{
def special_logit(self: Tensor, eps: Optional[float]) -> Tensor:
    return torch.logit(self, eps)
  }];
}
def Aten_special_logsumexp : Op<"aten::special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor"> {
  let summary = "logsumexp";
  let variants = [Out];
  let decomposition = [{
def special_logsumexp(self: Tensor, dim: List[int], keepdim: bool) -> Tensor:
    return torch.logsumexp(self, dim, keepdim)
  }];
}
def Aten_special_round : Op<"aten::special_round(Tensor self, *, int decimals=0) -> Tensor"> {
  let summary = "round";
  let variants = [Out];
  let decomposition = [{
def special_round(self: Tensor, decimals: int) -> Tensor:
    return torch.round(self, decimals=decimals)
  }];
}
def Aten_special_sinc : Op<"aten::special_sinc(Tensor self) -> Tensor"> {
  let summary = "sinc";
  let variants = [Out];
  let decomposition = [{
def special_sinc(self: Tensor) -> Tensor:
    return torch.sinc(self)
  }];
}
def Aten_special_xlogy : Op<"aten::special_xlogy(Tensor self, Tensor other) -> Tensor"> {
  let summary = "xlogy";
  let variants = [Out];
  let decomposition = [{
def special_xlogy(self: Tensor, other: Tensor) -> Tensor:
    return torch.xlogy(self, other)
  }];
}
def Aten_special_xlogy_self_scalar : Op<"aten::special_xlogy.self_scalar(Scalar self, Tensor other) -> Tensor"> {
  let summary = "xlogy";
  let variants = [Out];
  let decomposition = [{
def special_xlogy(self: number, other: Tensor) -> Tensor:
    return torch.xlogy(self, other)
  }];
}
def Aten_special_xlogy_other_scalar : Op<"aten::special_xlogy.other_scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "xlogy";
  let variants = [Out];
  let decomposition = [{
def special_xlogy(self: Tensor, other: number) -> Tensor:
    return torch.xlogy(self, other)
  }];
}
def Aten__stack : Op<"aten::_stack(Tensor[] tensors, int dim=0) -> Tensor"> {
  let summary = "stack";
  let variants = [Out];
  let decomposition = [{
def _stack(tensors: List[Tensor], dim: int) -> Tensor:
    return torch.stack(tensors, dim)
  }];
}
def Aten__conj_physical : Op<"aten::_conj_physical(Tensor self) -> Tensor"> {
  let summary = "The complex conjugate, computed";
  let variants = [Out];
  let decomposition = [{
def _conj_physical(self: Tensor) -> Tensor:
    return torch.conj_physical(self)
  }];
}
def Aten__aminmax : Op<"aten::_aminmax(Tensor self) -> (Tensor, Tensor)"> {
  let summary = "Least and greatest element";
  let decomposition = [{
def _aminmax(self: Tensor) -> Tuple[Tensor, Tensor]:
    found = torch.aminmax(self)
    return found[0], found[1]
  }];
}
def Aten__aminmax_dim : Op<"aten::_aminmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)"> {
  let summary = "Least and greatest elements along a dimension";
  let decomposition = [{
def _aminmax(self: Tensor, dim: int, keepdim: bool) -> Tuple[Tensor, Tensor]:
    found = torch.aminmax(self, dim=dim, keepdim=keepdim)
    return found[0], found[1]
  }];
}
def Aten_native_norm : Op<"aten::native_norm(Tensor self, Scalar p=2) -> Tensor"> {
  let summary = "norm";
  let variants = [Out];
  let decomposition = [{
def native_norm(self: Tensor, p: number) -> Tensor:
    return torch.norm(self, p)
  }];
}
def Aten_native_norm_ScalarOpt_dim_dtype : Op<"aten::native_norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, ScalarType? dtype) -> Tensor"> {
  let summary = "norm";
  let decomposition = [{
def native_norm(self: Tensor, p: Optional[number], dim: List[int], keepdim: bool, dtype: Optional[int]) -> Tensor:
    if dtype is None:
        return torch.ops.aten.norm(self, p, dim, keepdim)
    return torch.ops.aten.norm(self, p, dim, keepdim, dtype=dtype)
  }];
}
def Aten__cholesky_solve_helper : Op<"aten::_cholesky_solve_helper(Tensor self, Tensor A, bool upper) -> Tensor"> {
  let summary = "cholesky_solve";
  let decomposition = [{
def _cholesky_solve_helper(self: Tensor, A: Tensor, upper: bool) -> Tensor:
    return torch.cholesky_solve(self, A, upper)
  }];
}
def Aten__pdist_forward : Op<"aten::_pdist_forward(Tensor self, float p=2.) -> Tensor"> {
  let summary = "pdist";
  let decomposition = [{
def _pdist_forward(self: Tensor, p: float) -> Tensor:
    return torch.pdist(self, p)
  }];
}
def Aten__dim_arange : Op<"aten::_dim_arange(Tensor like, int dim) -> Tensor"> {
  let summary = "Numbers of the positions along a dimension";
  let decomposition = [{
def _dim_arange(like: Tensor, dim: int) -> Tensor:
    return torch.arange(like.size(dim))
  }];
}
def Aten__reshape_from_tensor : Op<"aten::_reshape_from_tensor(Tensor self, Tensor shape) -> Tensor"> {
  let summary = "reshape to sizes in a tensor";
  let decomposition = [{
def _reshape_from_tensor(self: Tensor, shape: Tensor) -> Tensor:
    sizes: List[int] = shape.tolist()
    return self.reshape(sizes)
  }];
}
def Aten_native_channel_shuffle : Op<"aten::native_channel_shuffle(Tensor self, int groups) -> Tensor"> {
  let summary = "channel_shuffle";
  let decomposition = [{
def native_channel_shuffle(self: Tensor, groups: int) -> Tensor:
    return torch.channel_shuffle(self, groups)
  }];
}
def Aten__index_put_impl : Op<"aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor"> {
  let devices = "hostIndices";
  let summary = "index_put";
  let decomposition = [{
def _index_put_impl(self: Tensor, indices: List[Optional[Tensor]], values: Tensor, accumulate: bool,
                    unsafe: bool) -> Tensor:
    return torch.index_put(self, indices, values, accumulate)
  }];
}
def Aten_embedding_renorm : Op<"aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor"> {
  let summary = "Rows that the indices name, shortened to a norm of at most max_norm";
  let decomposition = [{
def embedding_renorm(self: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> Tensor:
    found = self.clone()
    torch.embedding_renorm_(found, indices, max_norm, norm_type)
    return found
  }];
}
def Aten_copy : Op<"aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor"> {
  let summary = "The second tensor in the shape and dtype of the first";
  let decomposition = [{
def copy(self: Tensor, src: Tensor, non_blocking: bool) -> Tensor:
    return src.to(self.dtype).expand(self.size()).clone()
  }];
  let backwardNode = ",CopyBackwards";
}
def Aten_is_non_overlapping_and_dense : Op<"aten::is_non_overlapping_and_dense(Tensor self) -> bool"> {
  let summary = "Whether the elements fill a block of memory";
  let decomposition = [{
def is_non_overlapping_and_dense(self: Tensor) -> bool:
    if self.numel() < 2:
        return True
    left: List[int] = []
    for d in range(self.dim()):
        if self.size(d) != 1:
            left.append(d)
    step = 1
    while len(left) > 0:
        found = -1
        for i in range(len(left)):
            if self.stride(left[i]) == step:
                found = i
        if found < 0:
            return False
        step = step * self.size(left[found])
        left.pop(found)
    return True
  }];
}
def Aten_sym_size : Op<"aten::sym_size(Tensor self) -> int[]"> {
  let summary = "Sizes";
  let traits = [Detached];
  let decomposition = [{
def sym_size(self: Tensor) -> List[int]:
    return self.size()
  }];
}
def Aten_sym_size_int : Op<"aten::sym_size.int(Tensor self, int dim) -> int"> {
  let summary = "Size of a dimension";
  let decomposition = [{
def sym_size(self: Tensor, dim: int) -> int:
    return self.size(dim)
  }];
}
def Aten_sym_numel : Op<"aten::sym_numel(Tensor self) -> int"> {
  let summary = "Number of elements";
  let decomposition = [{
def sym_numel(self: Tensor) -> int:
    return self.numel()
  }];
}
def Aten_sym_stride : Op<"aten::sym_stride(Tensor self) -> int[]"> {
  let summary = "Strides";
  let decomposition = [{
def sym_stride(self: Tensor) -> List[int]:
    return self.stride()
  }];
}
def Aten_sym_stride_int : Op<"aten::sym_stride.int(Tensor self, int dim) -> int"> {
  let summary = "Stride of a dimension";
  let decomposition = [{
def sym_stride(self: Tensor, dim: int) -> int:
    return self.stride(dim)
  }];
}
def Aten_sym_storage_offset : Op<"aten::sym_storage_offset(Tensor self) -> int"> {
  let summary = "Place of the first element in the storage";
  let decomposition = [{
def sym_storage_offset(self: Tensor) -> int:
    return self.storage_offset()
  }];
}
def Aten_flatten_dense_tensors : Op<"aten::flatten_dense_tensors(Tensor[] tensors) -> Tensor"> {
  let summary = "All elements in one row";
  let decomposition = [{
def flatten_dense_tensors(tensors: List[Tensor]) -> Tensor:
    return torch.cat([tensor.reshape(-1) for tensor in tensors])
  }];
}
def Aten_unflatten_dense_tensors : Op<"aten::unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]"> {
  let summary = "The row cut into tensors of these sizes";
  let decomposition = [{
def unflatten_dense_tensors(flat: Tensor, tensors: List[Tensor]) -> List[Tensor]:
    found: List[Tensor] = []
    start = 0
    for tensor in tensors:
        found.append(flat.narrow(0, start, tensor.numel()).view(tensor.size()))
        start += tensor.numel()
    return found
  }];
}
def Aten__assert_tensor_metadata : Op<"aten::_assert_tensor_metadata(Tensor a, int[]? size=None, int[]? stride=None, ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> ()"> {
  let summary = "Raises unless the tensor is as described";
  let traits = [SideEffects];
  let decomposition = [{
def _assert_tensor_metadata(a: Tensor, size: Optional[List[int]], stride: Optional[List[int]],
                            dtype: Optional[int], device: Optional[Device], layout: Optional[int]) -> None:
    if size is not None and a.size() != size:
        raise RuntimeError("Tensor sizes mismatch")
    if stride is not None and a.stride() != stride:
        raise RuntimeError("Tensor strides mismatch")
    if dtype is not None and a.dtype != dtype:
        raise RuntimeError("Tensor dtype mismatch")
    if device is not None and a.device != device:
        raise RuntimeError("Tensor device mismatch")
    if layout is not None and a.layout != layout:
        raise RuntimeError("Tensor layout mismatch")
  }];
}
def Aten__assert_async : Op<"aten::_assert_async(Tensor self) -> ()"> {
  let summary = "Raises unless the one element is true";
  let traits = [SideEffects];
  let decomposition = [{
def _assert_async(self: Tensor) -> None:
    if not bool(self.item()):
        raise RuntimeError("Expected Tensor with single nonzero value, but got zero")
  }];
}
def Aten_pin_memory : Op<"aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)"> {
  let summary = "The tensor itself: there is no device to pin it for";
  let decomposition = [{
def pin_memory(self: Tensor, device: Optional[Device]) -> Tensor:
    return self
  }];
}
def Aten_gradient_scalarrayint : Op<"aten::gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, int edge_order=1) -> Tensor[]"> {
  let summary = "Differences with a spacing for each dimension";
  let decomposition = [{
def gradient(self: Tensor, spacing: List[number], dim: Optional[int], edge_order: int) -> List[Tensor]:
    dims = [d for d in range(self.dim())] if dim is None else [dim]
    if len(spacing) != len(dims):
        raise RuntimeError("torch.gradient expected spacing to be unspecified, a scalar or a list of length equal to "
                           "'self.dim() = {}', since dim argument was not given, but got a list of length {}".format(
                               self.dim(), len(spacing)))
    return [torch.gradient(self, spacing=spacing[i], dim=[dims[i]],
                           edge_order=edge_order)[0] for i in range(len(dims))]
  }];
}
def Aten_gradient_scalarrayarray : Op<"aten::gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, int edge_order=1) -> Tensor[]"> {
  let summary = "Differences with a spacing for each dimension";
  let decomposition = [{
def gradient(self: Tensor, spacing: List[number], dim: List[int], edge_order: int) -> List[Tensor]:
    if len(spacing) != len(dim):
        raise RuntimeError("torch.gradient expected spacing to be unspecified, a scalar or it's length to be equal to "
                           "'len(dim) = {}', but got a list of length {}".format(len(dim), len(spacing)))
    return [torch.gradient(self, spacing=spacing[i], dim=[dim[i]], edge_order=edge_order)[0] for i in range(len(dim))]
  }];
}

// Copies of what views share.
def Aten_alias_copy : Op<"aten::alias_copy(Tensor self) -> Tensor"> {
  let summary = "alias, in memory of its own";
  let decomposition = [{
def alias_copy(self: Tensor) -> Tensor:
    return self.clone()
  }];
}
def Aten_detach_copy : Op<"aten::detach_copy(Tensor self) -> Tensor"> {
  let summary = "detach, in memory of its own";
  let decomposition = [{
def detach_copy(self: Tensor) -> Tensor:
    return self.detach().clone()
  }];
}
def Aten_lift_fresh_copy : Op<"aten::lift_fresh_copy(Tensor self) -> Tensor"> {
  let summary = "lift_fresh, in memory of its own";
  let decomposition = [{
def lift_fresh_copy(self: Tensor) -> Tensor:
    return self.clone()
  }];
}
def Aten_t_copy : Op<"aten::t_copy(Tensor self) -> Tensor"> {
  let summary = "t, in memory of its own";
  let decomposition = [{
def t_copy(self: Tensor) -> Tensor:
    return self.t().clone()
  }];
}
def Aten_transpose_copy_int : Op<"aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor"> {
  let summary = "transpose, in memory of its own";
  let decomposition = [{
def transpose_copy(self: Tensor, dim0: int, dim1: int) -> Tensor:
    return self.transpose(dim0, dim1).clone()
  }];
}
def Aten_permute_copy : Op<"aten::permute_copy(Tensor self, int[] dims) -> Tensor"> {
  let summary = "permute, in memory of its own";
  let decomposition = [{
def permute_copy(self: Tensor, dims: List[int]) -> Tensor:
    return self.permute(dims).clone()
  }];
}
def Aten_squeeze_copy : Op<"aten::squeeze_copy(Tensor self) -> Tensor"> {
  let summary = "squeeze, in memory of its own";
  let decomposition = [{
def squeeze_copy(self: Tensor) -> Tensor:
    return self.squeeze().clone()
  }];
}
def Aten_squeeze_copy_dim : Op<"aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor"> {
  let summary = "squeeze, in memory of its own";
  let decomposition = [{
def squeeze_copy(self: Tensor, dim: int) -> Tensor:
    return self.squeeze(dim).clone()
  }];
}
def Aten_unsqueeze_copy : Op<"aten::unsqueeze_copy(Tensor self, int dim) -> Tensor"> {
  let summary = "unsqueeze, in memory of its own";
  let decomposition = [{
def unsqueeze_copy(self: Tensor, dim: int) -> Tensor:
    return self.unsqueeze(dim).clone()
  }];
}
def Aten_select_copy_int : Op<"aten::select_copy.int(Tensor self, int dim, int index) -> Tensor"> {
  let summary = "select, in memory of its own";
  let decomposition = [{
def select_copy(self: Tensor, dim: int, index: int) -> Tensor:
    return self.select(dim, index).clone()
  }];
}
def Aten_slice_copy_Tensor : Op<"aten::slice_copy.Tensor(Tensor self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor"> {
  let summary = "slice, in memory of its own";
  let decomposition = [{
def slice_copy(self: Tensor, dim: int, start: Optional[int], end: Optional[int], step: int) -> Tensor:
    return torch.slice(self, dim, start, end, step).clone()
  }];
}
def Aten_unfold_copy : Op<"aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor"> {
  let summary = "unfold, in memory of its own";
  let decomposition = [{
def unfold_copy(self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    return self.unfold(dimension, size, step).clone()
  }];
}
def Aten_as_strided_copy : Op<"aten::as_strided_copy(Tensor self, int[] size, int[] stride, int? storage_offset=None) -> Tensor"> {
  let summary = "as_strided, in memory of its own";
  let decomposition = [{
def as_strided_copy(self: Tensor, size: List[int], stride: List[int], storage_offset: Optional[int]) -> Tensor:
    return self.as_strided(size, stride, storage_offset).clone()
  }];
}
def Aten__reshape_alias_copy : Op<"aten::_reshape_alias_copy(Tensor self, int[] size, int[] stride) -> Tensor"> {
  let summary = "reshape_alias, in memory of its own";
  let decomposition = [{
def _reshape_alias_copy(self: Tensor, size: List[int], stride: List[int]) -> Tensor:
    return self.as_strided(size, stride).clone()
  }];
}
def Aten_view_as_real_copy : Op<"aten::view_as_real_copy(Tensor self) -> Tensor"> {
  let summary = "view_as_real, in memory of its own";
  let decomposition = [{
def view_as_real_copy(self: Tensor) -> Tensor:
    return torch.view_as_real(self).clone()
  }];
}
def Aten_view_as_complex_copy : Op<"aten::view_as_complex_copy(Tensor self) -> Tensor"> {
  let summary = "view_as_complex, in memory of its own";
  let decomposition = [{
def view_as_complex_copy(self: Tensor) -> Tensor:
    return torch.view_as_complex(self).clone()
  }];
}
def Aten_view_copy_dtype : Op<"aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor"> {
  let summary = "view, in memory of its own";
  let decomposition = [{
def view_copy(self: Tensor, dtype: int) -> Tensor:
    return self.view(dtype).clone()
  }];
}
def Aten__conj_copy : Op<"aten::_conj_copy(Tensor self) -> Tensor"> {
  let summary = "conj, in memory of its own";
  let decomposition = [{
def _conj_copy(self: Tensor) -> Tensor:
    return torch.conj_physical(self)
  }];
}
def Aten__neg_view_copy : Op<"aten::_neg_view_copy(Tensor self) -> Tensor"> {
  let summary = "neg, in memory of its own";
  let decomposition = [{
def _neg_view_copy(self: Tensor) -> Tensor:
    return torch.neg(self)
  }];
}
def Aten_unbind_copy_int : Op<"aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]"> {
  let summary = "unbind, in memory of its own";
  let decomposition = [{
def unbind_copy(self: Tensor, dim: int) -> List[Tensor]:
    return [part.clone() for part in self.unbind(dim)]
  }];
}
def Aten_split_copy_Tensor : Op<"aten::split_copy.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]"> {
  let summary = "split, in memory of its own";
  let decomposition = [{
def split_copy(self: Tensor, split_size: int, dim: int) -> List[Tensor]:
    return [part.clone() for part in self.split(split_size, dim)]
  }];
}
def Aten_split_with_sizes_copy : Op<"aten::split_with_sizes_copy(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]"> {
  let summary = "split_with_sizes, in memory of its own";
  let decomposition = [{
def split_with_sizes_copy(self: Tensor, split_sizes: List[int], dim: int) -> List[Tensor]:
    return [part.clone() for part in self.split_with_sizes(split_sizes, dim)]
  }];
}

// Random numbers in a new tensor.
def Aten_exponential : Op<"aten::exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor"> {
  let summary = "Draws from an exponential distribution";
  let traits = [Random];
  let decomposition = [{
def exponential(self: Tensor, lambd: float, generator: Optional[Generator]) -> Tensor:
    return torch.empty_like(self).exponential_(lambd, generator=generator)
  }];
}
def Aten_geometric : Op<"aten::geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor"> {
  let summary = "Draws from a geometric distribution";
  let traits = [Random];
  let decomposition = [{
def geometric(self: Tensor, p: float, generator: Optional[Generator]) -> Tensor:
    return torch.empty_like(self).geometric_(p, generator=generator)
  }];
}
def Aten_cauchy : Op<"aten::cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor"> {
  let summary = "Draws from a Cauchy distribution";
  let traits = [Random];
  let decomposition = [{
def cauchy(self: Tensor, median: float, sigma: float, generator: Optional[Generator]) -> Tensor:
    return torch.empty_like(self).cauchy_(median, sigma, generator=generator)
  }];
}
def Aten_log_normal : Op<"aten::log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor"> {
  let summary = "Exponentials of normal draws";
  let traits = [Random];
  let decomposition = [{
def log_normal(self: Tensor, mean: float, std: float, generator: Optional[Generator]) -> Tensor:
    return torch.empty_like(self).log_normal_(mean, std, generator=generator)
  }];
}
def Aten_random : Op<"aten::random(Tensor self, *, Generator? generator=None) -> Tensor"> {
  let summary = "Integers of the whole range of the dtype";
  let traits = [Random];
  let decomposition = [{
def random(self: Tensor, generator: Optional[Generator]) -> Tensor:
    return torch.empty_like(self).random_(generator=generator)
  }];
}
def Aten_random_to : Op<"aten::random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor"> {
  let summary = "Integers below a bound";
  let traits = [Random];
  let decomposition = [{
def random(self: Tensor, to: int, generator: Optional[Generator]) -> Tensor:
    return torch.empty_like(self).random_(to, generator=generator)
  }];
}
def Aten_normal_functional : Op<"aten::normal_functional(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor"> {
  let summary = "Draws from a normal distribution";
  let traits = [Random];
  let decomposition = [{
def normal_functional(self: Tensor, mean: float, std: float, generator: Optional[Generator]) -> Tensor:
    return torch.empty_like(self).normal_(mean, std, generator=generator)
  }];
}
def Aten_rrelu_with_noise : Op<"aten::rrelu_with_noise(Tensor self, Tensor noise, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None) -> Tensor"> {
  let summary = "Leaky relu with random slopes, which it notes";
  let traits = [Random, SideEffects];
  let decomposition = [{
def rrelu_with_noise(self: Tensor, noise: Tensor, lower: number, upper: number, training: bool,
                     generator: Optional[Generator]) -> Tensor:
    found = torch.rrelu(self, lower, upper, training, generator)
    if training:
        noise.copy_(torch.where(self <= 0, found / self, 1.))
    return found
  }];
}
