//===- Internal.td - Operators of recorded programs --------*- tablegen -*-===//
//
// What source seldom names and traces, exports and PyTorch's own decompositions record. Each runs as its definition.
//
//===----------------------------------------------------------------------===//

class InternalOp<string schema_, string summary_, string body_> : Op<"aten::" # schema_> {
  let summary = summary_;
  let decomposition = body_;
}

// What `x &= y` and its like are in a trace.
foreach assignment = [["iand", "&"], ["ior", "|"], ["ixor", "^"], ["ilshift", "<<"], ["irshift", ">>"]] in {
  def Aten___ # assignment[0] # ___Tensor
      : InternalOp<"__" # assignment[0] # "__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", "self " # assignment[1] # "= other",
    "def __" # assignment[0] # "__(self: Tensor, other: Tensor) -> Tensor:\n    return self.copy_(self " # assignment[1] # " other)\n">;
  def Aten___ # assignment[0] # ___Scalar
      : InternalOp<"__" # assignment[0] # "__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", "self " # assignment[1] # "= other",
    "def __" # assignment[0] # "__(self: Tensor, other: number) -> Tensor:\n    return self.copy_(self " # assignment[1] # " other)\n">;
}

// Assertions.
let traits = [SideEffects] in {
def Aten__assert_async_msg : InternalOp<"_assert_async.msg(Tensor self, str assert_msg) -> ()", "Raises unless the one element is true", [{
def _assert_async(self: Tensor, assert_msg: str) -> None:
    if not bool(self.item()):
        raise RuntimeError(assert_msg)
}]>;
def Aten__functional_assert_async_msg : InternalOp<"_functional_assert_async.msg(Tensor self, str assert_msg, Tensor dep_token) -> Tensor", "_assert_async.msg within a chain of tokens", [{
def _functional_assert_async(self: Tensor, assert_msg: str, dep_token: Tensor) -> Tensor:
    if not bool(self.item()):
        raise RuntimeError(assert_msg)
    return dep_token.clone()
}]>;
def Aten__assert_scalar : InternalOp<"_assert_scalar(Scalar self, str assert_msg) -> ()", "Raises unless the number is true", [{
def _assert_scalar(self: number, assert_msg: str) -> None:
    if self == 0:
        raise RuntimeError(assert_msg)
}]>;
def Aten_sym_constrain_range : InternalOp<"sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()", "Raises unless min <= size <= max", [{
def sym_constrain_range(size: number, min: Optional[int], max: Optional[int]) -> None:
    if (min is not None and int(size) < min) or (max is not None and int(size) > max):
        raise RuntimeError(f"Invalid value range for {int(size)} between {min} and {max}")
}]>;
def Aten_sym_constrain_range_for_size : InternalOp<"sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()", "Raises unless 0 <= min <= size <= max", [{
def sym_constrain_range_for_size(size: number, min: Optional[int], max: Optional[int]) -> None:
    least = 0 if min is None else min
    if int(size) < least or (max is not None and int(size) > max):
        raise RuntimeError(f"Invalid value range for {int(size)} between {least} and {max}")
}]>;
}

def Aten__is_all_true : InternalOp<"_is_all_true(Tensor self) -> Tensor", "Whether all elements of a tensor of booleans are true", [{
def _is_all_true(self: Tensor) -> Tensor:
    assert self.dtype == torch.bool, "_is_all_true: expected a tensor of booleans"
    return torch.all(self)
}]>;
def Aten__is_any_true : InternalOp<"_is_any_true(Tensor self) -> Tensor", "Whether an element of a tensor of booleans is true", [{
def _is_any_true(self: Tensor) -> Tensor:
    assert self.dtype == torch.bool, "_is_any_true: expected a tensor of booleans"
    return torch.any(self)
}]>;

// Conversions of autocasting, by what their arguments say of it: no context of a program turns it on.
def Aten__autocast_to_full_precision : InternalOp<"_autocast_to_full_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled) -> Tensor(a)", "self in float, where autocasting is on", [{
def _autocast_to_full_precision(self: Tensor, cuda_enabled: bool, cpu_enabled: bool) -> Tensor:
    if cpu_enabled and (self.dtype == torch.half or self.dtype == torch.bfloat16):
        return self.to(torch.float)
    return self
}]>;
def Aten__autocast_to_reduced_precision : InternalOp<"_autocast_to_reduced_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled, ScalarType cuda_dtype, ScalarType cpu_dtype) -> Tensor(a)", "self in the narrower type, where autocasting is on", [{
def _autocast_to_reduced_precision(self: Tensor, cuda_enabled: bool, cpu_enabled: bool, cuda_dtype: int,
                                   cpu_dtype: int) -> Tensor:
    if cpu_enabled and self.dtype == torch.float:
        return self.to(cpu_dtype)
    return self
}]>;

// Batch normalization, as decomposed programs have it.
def Aten__native_batch_norm_legit : InternalOp<"_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)", "native_batch_norm with running statistics", [{
def _native_batch_norm_legit(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], running_mean: Tensor,
                             running_var: Tensor, training: bool, momentum: float, eps: float):
    return torch.native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
}]>;
def Aten__native_batch_norm_legit_no_stats : InternalOp<"_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)", "native_batch_norm without running statistics", [{
def _native_batch_norm_legit(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], training: bool, momentum: float,
                             eps: float):
    return torch.native_batch_norm(input, weight, bias, None, None, training, momentum, eps)
}]>;
def Aten__native_batch_norm_legit_functional : InternalOp<"_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)", "native_batch_norm that returns what the running statistics become", [{
def _native_batch_norm_legit_functional(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], running_mean: Tensor,
                                        running_var: Tensor, training: bool, momentum: float, eps: float):
    mean = running_mean.clone()
    var = running_var.clone()
    found = torch.native_batch_norm(input, weight, bias, mean, var, training, momentum, eps)
    return found[0], found[1], found[2], mean, var
}]>;
def Aten__native_batch_norm_legit_no_training : InternalOp<"_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)", "native_batch_norm by the running statistics", [{
def _native_batch_norm_legit_no_training(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], running_mean: Tensor,
                                         running_var: Tensor, momentum: float, eps: float):
    return torch.native_batch_norm(input, weight, bias, running_mean, running_var, False, momentum, eps)
}]>;

// Indices that need no checks in PyTorch; here they have them.
def Aten__unsafe_index_Tensor_hacked_twin : InternalOp<"_unsafe_index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor", "index", [{
def _unsafe_index(self: Tensor, indices: List[Tensor]) -> Tensor:
    return torch.index(self, indices)
}]>;
def Aten__unsafe_index_put : InternalOp<"_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor", "index_put", [{
def _unsafe_index_put(self: Tensor, indices: List[Optional[Tensor]], values: Tensor, accumulate: bool) -> Tensor:
    return torch.index_put(self, indices, values, accumulate)
}]>;
def Aten__unsafe_masked_index : InternalOp<"_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor", "Elements at indices where the mask is true, else `fill`", [{
def _unsafe_masked_index(self: Tensor, mask: Tensor, indices: List[Optional[Tensor]], fill: number) -> Tensor:
    within: List[Optional[Tensor]] = []
    for i in range(len(indices)):
        index = indices[i]
        within.append(None if index is None else index.masked_fill(~mask, 0))
    return torch.index(self, within).masked_fill(~mask, fill)
}]>;
def Aten__unsafe_masked_index_put_accumulate : InternalOp<"_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor values) -> Tensor", "Adds values at indices where the mask is true", [{
def _unsafe_masked_index_put_accumulate(self: Tensor, mask: Tensor, indices: List[Optional[Tensor]], values: Tensor) -> Tensor:
    within: List[Optional[Tensor]] = []
    for i in range(len(indices)):
        index = indices[i]
        within.append(None if index is None else index.masked_fill(~mask, 0))
    return torch.index_put(self, within, values.masked_fill(~mask, 0), True)
}]>;

def Aten__prelu_kernel : InternalOp<"_prelu_kernel(Tensor self, Tensor weight) -> Tensor", "prelu whose weight has the sizes of self, or broadcasts to them", [{
def _prelu_kernel(self: Tensor, weight: Tensor) -> Tensor:
    return torch.where(self > 0, self, weight * self)
}]>;
def Aten__int_mm : InternalOp<"_int_mm(Tensor self, Tensor mat2) -> Tensor", "The product of two matrices of int8, in int32", [{
def _int_mm(self: Tensor, mat2: Tensor) -> Tensor:
    assert self.dtype == torch.int8 and mat2.dtype == torch.int8, "_int_mm: expected matrices of int8"
    return torch.mm(self.to(torch.int), mat2.to(torch.int))
}]>;
def Aten__linalg_eigvals : InternalOp<"_linalg_eigvals(Tensor self) -> Tensor", "linalg_eigvals", [{
def _linalg_eigvals(self: Tensor) -> Tensor:
    return torch.linalg_eigvals(self)
}]>;
def Aten__logcumsumexp : InternalOp<"_logcumsumexp(Tensor self, int dim) -> Tensor", "logcumsumexp", [{
def _logcumsumexp(self: Tensor, dim: int) -> Tensor:
    return torch.logcumsumexp(self, dim)
}]>;
def Aten__chunk_cat : InternalOp<"_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor", "The chunks of each tensor, padded to one size, side by side", [{
def _chunk_cat(tensors: List[Tensor], dim: int, num_chunks: int) -> Tensor:
    assert len(tensors) > 0, "_chunk_cat: expected a list of tensors that is not empty"
    assert num_chunks >= 1, "_chunk_cat: expected num_chunks >= 1"
    parts: List[Tensor] = []
    dim = dim + tensors[0].dim() if dim < 0 else dim
    for x in tensors:
        size = x.size(dim)
        of_chunk = (size + num_chunks - 1) // num_chunks
        missing = of_chunk * num_chunks - size
        if missing > 0:
            pads = x.size()
            pads[dim] = missing
            x = torch.cat([x, torch.zeros(pads, dtype=x.dtype)], dim)
        leading = x.size()[:dim]
        parts.append(x.reshape(leading + [num_chunks, -1]))
    return torch.cat(parts, dim + 1)
}]>;
def Aten__size_if_not_equal : InternalOp<"_size_if_not_equal(int[] self_size, int[] other_size) -> int[]?", "self_size, or None when other_size is the same", [{
def _size_if_not_equal(self_size: List[int], other_size: List[int]) -> Optional[List[int]]:
    if self_size == other_size:
        return None
    return self_size
}]>;
def Aten__ncf_unsqueeze : InternalOp<"_ncf_unsqueeze(Tensor(a) self, int ndim) -> Tensor(a)", "A vector as channels of a tensor of ndim dimensions", [{
def _ncf_unsqueeze(self: Tensor, ndim: int) -> Tensor:
    sizes = [1 for i in range(ndim)]
    sizes[1] = self.size(0)
    return self.reshape(sizes)
}]>;
def Aten__reshape_copy : InternalOp<"_reshape_copy(Tensor self, int[] size) -> Tensor", "reshape into memory of its own", [{
def _reshape_copy(self: Tensor, size: List[int]) -> Tensor:
    return self.reshape(size).clone(memory_format=torch.contiguous_format)
}]>;
def Aten__lazy_clone : InternalOp<"_lazy_clone(Tensor self) -> Tensor", "clone", [{
def _lazy_clone(self: Tensor) -> Tensor:
    return self.clone()
}]>;
def Aten__pin_memory : InternalOp<"_pin_memory(Tensor self, Device? device=None) -> Tensor", "A copy: there is no device to pin it for", [{
def _pin_memory(self: Tensor, device: Optional[Device]) -> Tensor:
    return self.clone()
}]>;
def Aten__to_cpu : InternalOp<"_to_cpu(Tensor[] tensors) -> Tensor[]", "Each tensor on the processor", [{
def _to_cpu(tensors: List[Tensor]) -> List[Tensor]:
    return [x.cpu() for x in tensors]
}]>;

// Functions that recent releases have.
def Aten_broadcast_shapes : InternalOp<"broadcast_shapes(int[] a, int[] b) -> int[]", "The sizes that a and b broadcast to", [{
def broadcast_shapes(a: List[int], b: List[int]) -> List[int]:
    more = a if len(a) >= len(b) else b
    fewer = b if len(a) >= len(b) else a
    sizes = [x for x in more]
    for i in range(len(fewer)):
        at = len(sizes) - len(fewer) + i
        if sizes[at] == 1:
            sizes[at] = fewer[i]
        elif fewer[i] != 1 and fewer[i] != sizes[at]:
            raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape")
    return sizes
}]>;
def Aten_nonzero_static : InternalOp<"nonzero_static(Tensor self, *, int size, int fill_value=-1) -> Tensor", "The first `size` rows of nonzero, filled up with fill_value", [{
def nonzero_static(self: Tensor, size: int, fill_value: int) -> Tensor:
    assert size >= 0, f"nonzero_static: 'size' must be an non-negative integer"
    found = torch.nonzero(self)
    missing = size - found.size(0)
    if missing <= 0:
        return found[:size].clone()
    return torch.cat([found, torch.full([missing, self.dim()], fill_value, dtype=torch.long)])
}]>;
def Aten_empty_permuted : InternalOp<"empty_permuted(int[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", "A tensor whose dimensions lie in memory in the order of physical_layout", [{
def empty_permuted(size: List[int], physical_layout: List[int], dtype: Optional[int], layout: Optional[int],
                   device: Optional[Device], pin_memory: Optional[bool]) -> Tensor:
    assert len(size) == len(physical_layout), \
        f"Number of dimensions in the tensor input does not match the length of the physical layout; i.e. len(size) = {len(size)} is not equal to len(physical_layout) = {len(physical_layout)}"
    places = [0 for i in size]
    seen = [False for i in size]
    for i in range(len(size)):
        at = physical_layout[i]
        assert at >= 0 and at < len(size), f"Dimension out of range (expected to be between 0 and {len(size) - 1}, but got {at} at index {i})"
        assert not seen[at], "Duplicate dim not allowed"
        seen[at] = True
        places[at] = i
    return torch.empty([size[at] for at in physical_layout], dtype=dtype, layout=layout, device=device).permute(places)
}]>;
def Aten_masked_scatter_backward : InternalOp<"masked_scatter_backward(Tensor grad_output, Tensor mask, int[] sizes) -> Tensor", "The gradient of masked_scatter's source", [{
def masked_scatter_backward(grad_output: Tensor, mask: Tensor, sizes: List[int]) -> Tensor:
    count = 1
    for size in sizes:
        count *= size
    taken = torch.masked_select(grad_output, mask)
    if taken.numel() < count:
        taken = torch.cat([taken, torch.zeros([count - taken.numel()], dtype=grad_output.dtype)])
    return taken.view(sizes)
}]>;
def Aten_slice_inverse : InternalOp<"slice_inverse(Tensor(a) self, Tensor src, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor(a)", "What self is a slice of, in the memory of self", [{
def slice_inverse(self: Tensor, src: Tensor, dim: int, start: Optional[int], end: Optional[int], step: int) -> Tensor:
    return self.as_strided(src.size(), src.stride(), src.storage_offset())
}]>;
def Aten_squeeze_dims_in_place : InternalOp<"squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)", "Removes those of the dimensions that have one element", [{
def squeeze_(self: Tensor, dim: List[int]) -> Tensor:
    ordered = sorted([d + self.dim() if d < 0 else d for d in dim])
    for i in range(len(ordered)):
        self.squeeze_(ordered[len(ordered) - 1 - i])
    return self
}]>;
def Aten_squeeze_copy_dims : InternalOp<"squeeze_copy.dims(Tensor self, int[] dim) -> Tensor", "squeeze into memory of its own", [{
def squeeze_copy(self: Tensor, dim: List[int]) -> Tensor:
    return torch.squeeze(self, dim).clone()
}]>;

// Products whose result has a type of its own.
def Aten_mm_dtype : InternalOp<"mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", "mm, computed and kept in out_dtype", [{
def mm(self: Tensor, mat2: Tensor, out_dtype: int) -> Tensor:
    return torch.mm(self.to(out_dtype), mat2.to(out_dtype))
}]>;
def Aten_bmm_dtype : InternalOp<"bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", "bmm, computed and kept in out_dtype", [{
def bmm(self: Tensor, mat2: Tensor, out_dtype: int) -> Tensor:
    return torch.bmm(self.to(out_dtype), mat2.to(out_dtype))
}]>;
def Aten_addmm_dtype : InternalOp<"addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1) -> Tensor", "addmm, computed and kept in out_dtype", [{
def addmm(self: Tensor, mat1: Tensor, mat2: Tensor, out_dtype: int, beta: number, alpha: number) -> Tensor:
    return torch.addmm(self.to(out_dtype), mat1.to(out_dtype), mat2.to(out_dtype), beta=beta, alpha=alpha)
}]>;
def Aten_baddbmm_dtype : InternalOp<"baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1) -> Tensor", "baddbmm, computed and kept in out_dtype", [{
def baddbmm(self: Tensor, batch1: Tensor, batch2: Tensor, out_dtype: int, beta: number, alpha: number) -> Tensor:
    return torch.baddbmm(self.to(out_dtype), batch1.to(out_dtype), batch2.to(out_dtype), beta=beta, alpha=alpha)
}]>;

// linspace and logspace between tensors of one element.
multiclass Spaced<string name, string base, string baseParameter, string baseArgument> {
  foreach ends = [["Tensor", "Tensor"], ["Tensor", "Scalar"], ["Scalar", "Tensor"]] in
    def _ # ends[0] # _ # ends[1]
        : InternalOp<name # "." # ends[0] # "_" # ends[1] # "(" # ends[0] # " start, " # ends[1] # " end, int steps" # base # ", *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
      name # " from and to the elements of tensors",
      "def " # name # "(start: " # !if(!eq(ends[0], "Tensor"), "Tensor", "number") # ", end: " # !if(!eq(ends[1], "Tensor"), "Tensor", "number")
      # ", steps: int" # baseParameter # ", dtype: Optional[int], layout: Optional[int], device: Optional[Device], pin_memory: Optional[bool]) -> Tensor:\n"
      # !if(!eq(ends[0], "Tensor"), "    assert start.dim() == 0, f\"" # name # " only supports 0-dimensional start and end tensors, but got start with {start.dim()} dimension(s).\"\n", "")
      # !if(!eq(ends[1], "Tensor"), "    assert end.dim() == 0, f\"" # name # " only supports 0-dimensional start and end tensors, but got end with {end.dim()} dimension(s).\"\n", "")
      # "    return torch." # name # "(" # !if(!eq(ends[0], "Tensor"), "start.item()", "start") # ", " # !if(!eq(ends[1], "Tensor"), "end.item()", "end")
      # ", steps" # baseArgument # ", dtype=dtype, layout=layout, device=device)\n">;
}
defm Aten_linspace : Spaced<"linspace", "", "", "">;
defm Aten_logspace : Spaced<"logspace", ", float base=10.", ", base: float", ", base">;
