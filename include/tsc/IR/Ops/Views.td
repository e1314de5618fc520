//===- Views.td - Geometry, conversions, copies ----------*- tablegen -*-===//
//
// Views share the storage of their operand; the others copy or convert it.
//
//===----------------------------------------------------------------------===//

def : KernelHeader<"tsc/Kernels/Copy.h">;

class ViewOp<string schema, string function, string summary_> : Op<schema> {
  let kernel = "cpu::" # function;
  let summary = summary_;
  let traits = [View];
}
class CopyOp<string schema, string function, string summary_> : Op<schema> {
  let kernel = "cpu::" # function;
  let summary = summary_;
}

// Elements regrouped.
def Aten_view : ViewOp<"aten::view(Tensor(a) self, int[] size) -> Tensor(a)", "view",
  "The same elements in another shape"> {
  let view = "Regrouping";
  let traits = [View, Reshape, ToSizes];
  let shape = "view(self, size)"; let dtype = "self"; let strides = "view_strides(self, self.strides, result)";
  let derivative = [{ self = grad.reshape(self.size()) }];
  let backwardNode = "0";
}
def Aten_view_dtype : ViewOp<"aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)", "viewDType",
  "The same bytes as another dtype"> {
  let dtype = "dtype";
  let traits = [View, Detached];
}
def Aten_view_as : ViewOp<"aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)", "viewAs",
  "self.view(other.size())"> {
  let view = "Regrouping";
  let traits = [View, Reshape];
  let shape = "other"; let dtype = "self"; let strides = "view_strides(self, self.strides, result)";
  let derivative = [{ self = grad.reshape(self.size())
                      other = None }];
  let backwardNode = "ViewBackward0";
}
def Aten_reshape : ViewOp<"aten::reshape(Tensor(a) self, int[] shape) -> Tensor(a)", "reshape",
  "A view where strides allow it, else a copy"> {
  let traits = [View, Reshape, ToSizes];
  let shape = "view(self, shape)"; let dtype = "self"; let strides = "reshape_strides(self, self.strides, result)";
  let derivative = [{ self = grad.reshape(self.size()) }];
  let backwardNode = "reshape";
}
def Aten_reshape_as : ViewOp<"aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", "reshapeAs",
  "self.reshape(other.size())"> {
  let traits = [View, Reshape];
  let shape = "other"; let dtype = "self"; let strides = "reshape_strides(self, self.strides, result)";
  let derivative = [{ self = grad.reshape(self.size())
                      other = None }];
  let backwardNode = "reshape";
}
def Aten__reshape_alias : ViewOp<"aten::_reshape_alias(Tensor(a) self, int[] size, int[] stride) -> Tensor(a)", "reshapeAlias",
  "A view with given sizes and strides"> {
  let shape = "size"; let dtype = "self"; let strides = "stride";
  let derivative = [{ self = backward.strided(grad, self, size, stride, None) }];
}
def Aten__unsafe_view : CopyOp<"aten::_unsafe_view(Tensor(s) self, int[] size) -> Tensor(s)", "view",
  "view, not tracked as an alias"> {
  let quantized = "takes";
  let variants = [Out];
  let shape = "view(self, size)"; let dtype = "self"; let strides = "view_strides(self, self.strides, result)";
  let derivative = [{ self = grad.reshape(self.size()) }];
}
def Aten_ravel : ViewOp<"aten::ravel(Tensor(a) self) -> Tensor(a)", "ravel",
  "One dimension"> {
  let shape = "flatten(self, 0, -1)"; let dtype = "self"; let strides = "reshape_strides(self, self.strides, result)";
  let derivative = [{ self = grad.reshape(self.size()) }];
  let backwardNode = "reshape";
}
def Aten_flatten_using_ints : ViewOp<"aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)", "flatten",
  "Dimensions start_dim..end_dim as one"> {
  let traits = [View, Reshape];
  let shape = "flatten(self, start_dim, end_dim)"; let dtype = "self"; let strides = "flatten_strides(self, self.strides, start_dim, end_dim, result)";
  let derivative = [{ self = grad.reshape(self.size()) }];
  let backwardNode = "reshape";
}
def Aten_unflatten_int : ViewOp<"aten::unflatten.int(Tensor(a) self, int dim, int[] sizes) -> Tensor(a)", "unflatten",
  "One dimension as several"> {
  let traits = [View, IndexMap];
  let shape = "unflatten(self, dim, sizes)"; let dtype = "self"; let strides = "view_strides(self, self.strides, result)";
  let derivative = [{ self = grad.reshape(self.size()) }];
}
def Aten_as_strided : ViewOp<"aten::as_strided(Tensor(a) self, int[] size, int[] stride, int? storage_offset=None) -> Tensor(a)", "asStrided",
  "Any sizes and strides inside the storage"> {
  let shape = "size"; let dtype = "self"; let strides = "stride";
  let derivative = [{ self = backward.strided(grad, self, size, stride, storage_offset) }];
  let backwardNode = "0,1";
}
def Aten_as_strided_ : CopyOp<"aten::as_strided_(Tensor(a!) self, int[] size, int[] stride, int? storage_offset=None) -> Tensor(a!)", "asStridedInPlace",
  "self.as_strided in place"> {
  let shape = "size"; let dtype = "self"; let strides = "stride";
  let traits = [Geometry];
}
def Aten_view_copy : CopyOp<"aten::view_copy(Tensor self, int[] size) -> Tensor", "viewCopy",
  "view, copied"> {
  let quantized = "takes";
  let variants = [Out];
  let shape = "view(self, size)"; let dtype = "self"; let strides = "contiguous";
  let derivative = [{ self = grad.reshape(self.size()) }];
}

// Order of dimensions.
def Aten_permute : ViewOp<"aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)", "permute",
  "Dimensions in another order"> {
  let view = "Permutation";
  let traits = [View, IndexMap];
  let shape = "permute(self, dims)"; let dtype = "self"; let strides = "permute(self.strides, dims)";
  let derivative = [{ self = backward.permute(grad, dims) }];
  let backwardNode = "0";
}
def Aten_transpose_int : ViewOp<"aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", "transpose",
  "Two dimensions exchanged"> {
  let view = "Permutation";
  let traits = [View, IndexMap, SelfInverse];
  let shape = "transpose(self, dim0, dim1)"; let dtype = "self"; let strides = "transpose(self.strides, dim0, dim1)";
  let derivative = [{ self = transpose(grad, dim0, dim1) }];
  let backwardNode = "0";
}
def Aten_transpose_ : CopyOp<"aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", "transposeInPlace",
  "Exchanges two dimensions of self"> {
  let shape = "transpose(self, dim0, dim1)"; let dtype = "self"; let strides = "transpose(self.strides, dim0, dim1)";
  let traits = [Geometry];
}
def Aten_t : ViewOp<"aten::t(Tensor(a) self) -> Tensor(a)", "t",
  "A matrix transposed"> {
  let view = "Permutation";
  let traits = [View, IndexMap, SelfInverse];
  let shape = "t(self)"; let dtype = "self"; let strides = "t(self.strides)";
  let derivative = [{ self = t(grad) }];
  let backwardNode = "0,1";
}
def Aten_t_ : CopyOp<"aten::t_(Tensor(a!) self) -> Tensor(a!)", "tInPlace",
  "Transposes self"> {
  let shape = "t(self)"; let dtype = "self"; let strides = "t(self.strides)";
  let traits = [Geometry];
}
def Aten_numpy_T : ViewOp<"aten::numpy_T(Tensor(a) self) -> Tensor(a)", "numpyT",
  "Dimensions reversed"> {
  let view = "Permutation";
  let shape = "reverse(self)"; let dtype = "self"; let strides = "reverse(self.strides)";
  let derivative = [{ self = numpy_T(grad) }];
  let backwardNode = "PermuteBackward0";
}
def Aten_numpy_T_a : ViewOp<"aten::numpy_T.a(Tensor(a) self) -> Tensor(a)", "numpyT",
  "Dimensions reversed"> {
  let view = "Permutation";
  let shape = "reverse(self)"; let dtype = "self"; let strides = "reverse(self.strides)";
  let derivative = [{ self = numpy_T(grad) }];
  let backwardNode = "PermuteBackward0";
}
def Aten_mT : ViewOp<"aten::mT(Tensor(a) self) -> Tensor(a)", "mT",
  "The last two dimensions exchanged"> {
  let view = "Permutation";
  let shape = "transpose(self, -2, -1)"; let dtype = "self"; let strides = "transpose(self.strides, -2, -1)";
  let derivative = [{ self = mT(grad) }];
  let backwardNode = "TransposeBackward0";
}
def Aten_mT_a : ViewOp<"aten::mT.a(Tensor(a) self) -> Tensor(a)", "mT",
  "The last two dimensions exchanged"> {
  let view = "Permutation";
  let shape = "transpose(self, -2, -1)"; let dtype = "self"; let strides = "transpose(self.strides, -2, -1)";
  let derivative = [{ self = mT(grad) }];
  let backwardNode = "TransposeBackward0";
}
def Aten_mH : ViewOp<"aten::mH(Tensor(a) self) -> Tensor(a)", "mH",
  "Conjugate transpose of each matrix"> {
  let shape = "transpose(self, -2, -1)"; let dtype = "self"; let strides = "transpose(self.strides, -2, -1)";
  let derivative = [{ self = mH(grad) }];
}
def Aten_mH_a : ViewOp<"aten::mH.a(Tensor(a) self) -> Tensor(a)", "mH",
  "Conjugate transpose of each matrix"> {
  let shape = "transpose(self, -2, -1)"; let dtype = "self"; let strides = "transpose(self.strides, -2, -1)";
  let derivative = [{ self = mH(grad) }];
}
def Aten_matrix_H : ViewOp<"aten::matrix_H(Tensor(a) self) -> Tensor(a)", "matrixH",
  "Conjugate transpose"> {
  let shape = "t(self)"; let dtype = "self"; let strides = "t(self.strides)";
  let derivative = [{ self = matrix_H(grad) }];
}
def Aten_matrix_H_a : ViewOp<"aten::matrix_H.a(Tensor(a) self) -> Tensor(a)", "matrixH",
  "Conjugate transpose"> {
  let shape = "t(self)"; let dtype = "self"; let strides = "t(self.strides)";
  let derivative = [{ self = matrix_H(grad) }];
}
def Aten_adjoint : ViewOp<"aten::adjoint(Tensor(a) self) -> Tensor(a)", "adjoint",
  "Conjugate transpose of each matrix"> {
  let shape = "transpose(self, -2, -1)"; let dtype = "self"; let strides = "transpose(self.strides, -2, -1)";
  let derivative = [{ self = adjoint(grad) }];
}
def Aten_movedim_int : ViewOp<"aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)", "movedim",
  "One dimension moved"> {
  let view = "Permutation";
  let shape = "movedim(self, source, destination)"; let dtype = "self"; let strides = "movedim(self.strides, source, destination)";
  let derivative = [{ self = grad.movedim(destination, source) }];
  let backwardNode = "PermuteBackward0";
}
def Aten_movedim_intlist : ViewOp<"aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", "movedimList",
  "Dimensions moved"> {
  let view = "Permutation";
  let shape = "movedims(self, source, destination)"; let dtype = "self"; let strides = "movedims(self.strides, source, destination)";
  let derivative = [{ self = grad.movedim(destination, source) }];
  let backwardNode = "PermuteBackward0";
}
def Aten_moveaxis_int : ViewOp<"aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)", "movedim",
  "One dimension moved"> {
  let view = "Permutation";
  let shape = "movedim(self, source, destination)"; let dtype = "self"; let strides = "movedim(self.strides, source, destination)";
  let derivative = [{ self = movedim(grad, destination, source) }];
  let backwardNode = "PermuteBackward0";
}
def Aten_moveaxis_intlist : ViewOp<"aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", "movedimList",
  "Dimensions moved"> {
  let view = "Permutation";
  let shape = "movedims(self, source, destination)"; let dtype = "self"; let strides = "movedims(self.strides, source, destination)";
  let derivative = [{ self = movedim(grad, destination, source) }];
  let backwardNode = "PermuteBackward0";
}
def Aten_swapaxes : ViewOp<"aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)", "transpose",
  "Two dimensions exchanged"> {
  let view = "Permutation";
  let traits = [View, IndexMap];
  let shape = "transpose(self, axis0, axis1)"; let dtype = "self"; let strides = "transpose(self.strides, axis0, axis1)";
  let derivative = [{ self = grad.swapaxes(axis0, axis1) }];
  let backwardNode = "TransposeBackward0";
}
def Aten_swapaxes_ : CopyOp<"aten::swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)", "transposeInPlace",
  "Exchanges two dimensions of self"> {
  let shape = "transpose(self, axis0, axis1)"; let dtype = "self"; let strides = "transpose(self.strides, axis0, axis1)";
  let traits = [Geometry];
}
def Aten_swapdims : ViewOp<"aten::swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", "transpose",
  "Two dimensions exchanged"> {
  let view = "Permutation";
  let traits = [View, IndexMap];
  let shape = "transpose(self, dim0, dim1)"; let dtype = "self"; let strides = "transpose(self.strides, dim0, dim1)";
  let derivative = [{ self = grad.swapdims(dim0, dim1) }];
  let backwardNode = "TransposeBackward0";
}
def Aten_swapdims_ : CopyOp<"aten::swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", "transposeInPlace",
  "Exchanges two dimensions of self"> {
  let shape = "transpose(self, dim0, dim1)"; let dtype = "self"; let strides = "transpose(self.strides, dim0, dim1)";
  let traits = [Geometry];
}

// Parts.
def Aten_select_int : ViewOp<"aten::select.int(Tensor(a) self, int dim, int index) -> Tensor(a)", "select",
  "One index of a dimension, which goes away"> {
  let view = "Part";
  let scatter = "aten::select_scatter";
  let traits = [View, IndexMap];
  let shape = "select(self, dim, index)"; let dtype = "self"; let strides = "drop_dim(self.strides, dim)";
  let derivative = [{ self = grad.new_zeros(self.size()).select_scatter(grad, dim, index) }];
  let backwardNode = "0";
}
def Aten_slice_Tensor : ViewOp<"aten::slice.Tensor(Tensor(a) self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor(a)", "slice",
  "self[start:end:step] of a dimension"> {
  let view = "Part";
  let traits = [View, IndexMap];
  let scatter = "aten::slice_scatter";
  let shape = "slice(self, dim, start, end, step)"; let dtype = "self"; let strides = "slice_strides(self.strides, dim, step)";
  let derivative = [{ self = grad.new_zeros(self.size()).slice_scatter(grad, dim, start, end, step) }];
  let backwardNode = "0";
}
def Aten_narrow : ViewOp<"aten::narrow(Tensor(a) self, int dim, int start, int length) -> Tensor(a)", "narrow",
  "length indices of a dimension from start"> {
  let view = "Part";
  let traits = [View, IndexMap];
  let shape = "narrow(self, dim, start, length)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = backward.narrow(grad, self, dim, start, length) }];
  let backwardNode = "SliceBackward0";
}
def Aten_narrow_Tensor : ViewOp<"aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, int length) -> Tensor(a)", "narrowTensor",
  "narrow with start in a tensor"> {
  let shape = "narrow_somewhere(self, dim, length)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = backward.narrow(grad, self, dim, int(start), length) }];
}
def Aten_narrow_copy : CopyOp<"aten::narrow_copy(Tensor self, int dim, int start, int length) -> Tensor", "narrowCopy",
  "narrow, copied"> {
  let quantized = "takes";
  let variants = [Out];
  let shape = "narrow(self, dim, start, length)"; let dtype = "self";
  let derivative = [{ self = backward.narrow(grad, self, dim, start, length) }];
}
def Aten_diagonal : ViewOp<"aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)", "diagonal",
  "The diagonal of two dimensions, last"> {
  let view = "Part";
  let scatter = "aten::diagonal_scatter";
  let shape = "diagonal(self, offset, dim1, dim2)"; let dtype = "self"; let strides = "diagonal_strides(self.strides, dim1, dim2)";
  let derivative = [{ self = grad.new_zeros(self.size()).diagonal_scatter(grad, offset, dim1, dim2) }];
  let backwardNode = "0";
}
def Aten_diagonal_copy : CopyOp<"aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor", "diagonalCopy",
  "diagonal, copied"> {
  let quantized = "takes";
  let variants = [Out];
  let shape = "diagonal(self, offset, dim1, dim2)"; let dtype = "self";
  let derivative = [{ self = diagonal_scatter(grad.new_zeros(self.size()), grad, offset, dim1, dim2) }];
}
def Aten_unfold : ViewOp<"aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", "unfold",
  "Windows of a dimension"> {
  let shape = "unfold(self, dimension, size, step)"; let dtype = "self"; let strides = "unfold_strides(self.strides, dimension, step)";
  let derivative = [{ self = backward.unfold(grad, self, dimension, size, step) }];
  let backwardNode = "0";
}
def Aten_unbind_int : ViewOp<"aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", "unbind",
  "Each index of a dimension"> {
  let view = "Part";
  let traits = [View, Split];
  let shape = "unbind(self, dim)"; let dtype = "self"; let strides = "drop_dim(self.strides, dim)";
  let derivative = [{ self = stack(grad, dim) }];
  let backwardNode = "0";
}
def Aten_split_Tensor : ViewOp<"aten::split.Tensor(Tensor(a -> *) self, int split_size, int dim=0) -> Tensor(a)[]", "split",
  "Pieces of one size"> {
  let view = "Part";
  let traits = [View, Split];
  let shape = "split(self, split_size, dim)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = backward.joined(grad, self, dim) }];
  let backwardNode = "0";
}
def Aten_split_sizes : ViewOp<"aten::split.sizes(Tensor(a -> *) self, int[] split_size, int dim=0) -> Tensor(a)[]", "splitWithSizes",
  "Pieces of given sizes"> {
  let view = "Part";
  let traits = [View, Split];
  let shape = "split_with_sizes(self, split_size, dim)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = cat(grad, dim) }];
  let backwardNode = "SplitWithSizesBackward0";
}
def Aten_split : ViewOp<"aten::split(Tensor(a -> *) self, int[] split_sizes, int dim=0) -> Tensor(a)[]", "splitWithSizes",
  "Pieces of given sizes"> {
  let view = "Part";
  let traits = [View, Split];
  let shape = "split_with_sizes(self, split_sizes, dim)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = cat(grad, dim) }];
  let backwardNode = "0";
}
def Aten_split_with_sizes : ViewOp<"aten::split_with_sizes(Tensor(a -> *) self, int[] split_sizes, int dim=0) -> Tensor(a)[]", "splitWithSizes",
  "Pieces of given sizes"> {
  let view = "Part";
  let traits = [View, Split];
  let shape = "split_with_sizes(self, split_sizes, dim)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = backward.joined(grad, self, dim) }];
  let backwardNode = "0";
}
def Aten_chunk : ViewOp<"aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]", "chunk",
  "At most so many equal pieces"> {
  let view = "Part";
  let traits = [View, Split];
  let shape = "chunk(self, chunks, dim)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = backward.joined(grad, self, dim) }];
  let backwardNode = "SplitBackward0";
}
def Aten_tensor_split_sections : ViewOp<"aten::tensor_split.sections(Tensor(a -> *) self, int sections, int dim=0) -> Tensor(a)[]", "tensorSplitSections",
  "So many nearly equal pieces"> {
  let shape = "tensor_split(self, sections, dim)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = backward.joined(grad, self, dim) }];
}
def Aten_tensor_split_indices : ViewOp<"aten::tensor_split.indices(Tensor(a -> *) self, int[] indices, int dim=0) -> Tensor(a)[]", "tensorSplitIndices",
  "Pieces between indices"> {
  let shape = "tensor_split_at(self, indices, dim)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = backward.unsplit(grad, self, indices, dim) }];
}
def Aten_tensor_split_tensor_indices_or_sections : ViewOp<"aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor(a)[]", "tensorSplitTensor",
  "tensor_split with its argument in a tensor"> {
  let derivative = [{ self = backward.unsplit_by(grad, self, tensor_indices_or_sections, dim) }];
}
def Aten_hsplit_int : ViewOp<"aten::hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", "hsplitInt",
  "Split by columns"> {
  let shape = "hsplit(self, sections)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = hstack(grad) }];
}
def Aten_hsplit_array : ViewOp<"aten::hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", "hsplitArray",
  "Split by columns"> {
  let shape = "hsplit_at(self, indices)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = backward.unsplit(grad, self, indices, 1 if self.dim() > 1 else 0) }];
}
def Aten_vsplit_int : ViewOp<"aten::vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", "vsplitInt",
  "Split by rows"> {
  let shape = "tensor_split(self, sections, 0)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = vstack(grad) }];
}
def Aten_vsplit_array : ViewOp<"aten::vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", "vsplitArray",
  "Split by rows"> {
  let shape = "tensor_split_at(self, indices, 0)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = backward.unsplit(grad, self, indices, 0) }];
}
def Aten_dsplit_int : ViewOp<"aten::dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", "dsplitInt",
  "Split by depth"> {
  let shape = "tensor_split(self, sections, 2)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = dstack(grad) }];
}
def Aten_dsplit_array : ViewOp<"aten::dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", "dsplitArray",
  "Split by depth"> {
  let shape = "tensor_split_at(self, indices, 2)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = backward.unsplit(grad, self, indices, 2) }];
}
def Aten_unsafe_chunk : CopyOp<"aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]", "chunk",
  "chunk, not tracked as an alias"> {
  let quantized = "takes";
  let shape = "chunk(self, chunks, dim)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = cat(grad, dim) }];
}
def Aten_unsafe_split_Tensor : CopyOp<"aten::unsafe_split.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]", "split",
  "split, not tracked as an alias"> {
  let quantized = "takes";
  let shape = "split(self, split_size, dim)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = cat(grad, dim) }];
}
def Aten_unsafe_split_with_sizes : CopyOp<"aten::unsafe_split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]", "splitWithSizes",
  "split, not tracked as an alias"> {
  let quantized = "takes";
  let shape = "split_with_sizes(self, split_sizes, dim)"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = cat(grad, dim) }];
}
def Aten_select_scatter : CopyOp<"aten::select_scatter(Tensor self, Tensor src, int dim, int index) -> Tensor", "selectScatter",
  "self with one index replaced"> {
  let variants = [Out];
  let shape = "self"; let dtype = "self";
  let derivative = [{ self = grad.select_scatter(zeros_like(src), dim, index)
                      src  = grad.select(dim, index) }];
  let backwardNode = "0";
}
def Aten_slice_scatter : CopyOp<"aten::slice_scatter(Tensor self, Tensor src, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor", "sliceScatter",
  "self with a slice replaced"> {
  let variants = [Out];
  let shape = "self"; let dtype = "self";
  let derivative = [{ self = grad.slice_scatter(zeros_like(src), dim, start, end, step)
                      src  = slice(grad, dim, start, end, step) }];
  let backwardNode = "0";
}
def Aten_diagonal_scatter : CopyOp<"aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor", "diagonalScatter",
  "self with a diagonal replaced"> {
  let variants = [Out];
  let shape = "self"; let dtype = "self";
  let derivative = [{ self = grad.diagonal_scatter(zeros_like(src), offset, dim1, dim2)
                      src  = grad.diagonal(offset, dim1, dim2) }];
  let backwardNode = "0";
}
def Aten_as_strided_scatter : CopyOp<"aten::as_strided_scatter(Tensor self, Tensor src, int[] size, int[] stride, int? storage_offset=None) -> Tensor", "asStridedScatter",
  "self with a strided part replaced"> {
  let variants = [Out];
  let shape = "self"; let dtype = "self";
  let derivative = [{ self = backward.strided_rest(grad, self, src, size, stride, storage_offset)
                      src  = backward.strided_part(grad, self, size, stride, storage_offset) }];
  let backwardNode = "0";
}

// Dimensions of size 1, broadcasting.
def Aten_squeeze : ViewOp<"aten::squeeze(Tensor(a) self) -> Tensor(a)", "squeeze",
  "Without dimensions of size 1"> {
  let traits = [View, IndexMap];
  let shape = "squeeze(self)"; let dtype = "self"; let strides = "squeeze_strides(self, self.strides)";
  let derivative = [{ self = grad.reshape(self.size()) }];
  let backwardNode = "0,3";
}
def Aten_squeeze_dim : ViewOp<"aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", "squeezeDim",
  "Without the dimension, if its size is 1"> {
  let traits = [View, IndexMap];
  let shape = "squeeze_dim(self, dim)"; let dtype = "self"; let strides = "squeeze_dim_strides(self, self.strides, dim)";
  let derivative = [{ self = grad.reshape(self.size()) }];
  let backwardNode = "1,4";
}
def Aten_squeeze_ : CopyOp<"aten::squeeze_(Tensor(a!) self) -> Tensor(a!)", "squeezeInPlace",
  "Squeezes self"> {
  let shape = "squeeze(self)"; let dtype = "self"; let strides = "squeeze_strides(self, self.strides)";
  let traits = [Geometry];
}
def Aten_squeeze__dim : CopyOp<"aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)", "squeezeDimInPlace",
  "Squeezes a dimension of self"> {
  let shape = "squeeze_dim(self, dim)"; let dtype = "self"; let strides = "squeeze_dim_strides(self, self.strides, dim)";
  let traits = [Geometry];
}
def Aten_unsqueeze : ViewOp<"aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", "unsqueeze",
  "A dimension of size 1 inserted"> {
  let traits = [View, IndexMap];
  let inverse = "aten::squeeze";
  let shape = "unsqueeze(self, dim)"; let dtype = "self"; let strides = "unsqueeze_strides(self, self.strides, dim)";
  let derivative = [{ self = squeeze(grad, dim) }];
  let backwardNode = "0,1";
}
def Aten_unsqueeze_ : CopyOp<"aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)", "unsqueezeInPlace",
  "Inserts a dimension into self"> {
  let shape = "unsqueeze(self, dim)"; let dtype = "self"; let strides = "unsqueeze_strides(self, self.strides, dim)";
  let traits = [Geometry];
}
def Aten_expand : ViewOp<"aten::expand(Tensor(a) self, int[] size, *, bool implicit=False) -> Tensor(a)", "expand",
  "Dimensions of size 1 repeated without copying"> {
  let traits = [View, IndexMap, ToSizes];
  let shape = "expand(self, size)"; let dtype = "self"; let strides = "expand_strides(self, self.strides, result)";
  let derivative = [{ self = grad.sum_to_size(self.size()) }];
  let backwardNode = "0";
}
def Aten_expand_as : ViewOp<"aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)", "expandAs",
  "self.expand(other.size())"> {
  let traits = [View, IndexMap];
  let shape = "other"; let dtype = "self"; let strides = "expand_strides(self, self.strides, result)";
  let derivative = [{ self = grad
                      other = None }];
  let backwardNode = "ExpandBackward0";
}
def Tsc_expand_with : ViewOp<"tsc::expand_with(Tensor(a) self, Tensor other) -> Tensor(a)", "expandWith",
  "self in the shape that it and other have in common"> {
  let traits = [View, IndexMap, MadeByPasses];
  let shape = "broadcast"; let dtype = "self"; let strides = "expand_strides(self, self.strides, result)";
  let derivative = [{ self = grad
                      other = None }];
}
def Aten_expand_copy : CopyOp<"aten::expand_copy(Tensor self, int[] size, *, bool implicit=False) -> Tensor", "expandCopy",
  "expand, copied"> {
  let quantized = "takes";
  let variants = [Out];
  let shape = "expand(self, size)"; let dtype = "self";
  let derivative = [{ self = grad.sum_to_size(self.size()) }];
}
def Aten_broadcast_to : ViewOp<"aten::broadcast_to(Tensor(a) self, int[] size) -> Tensor(a)", "broadcastTo",
  "self.expand(size)"> {
  let traits = [View, IndexMap, ToSizes];
  let shape = "expand(self, size)"; let dtype = "self"; let strides = "expand_strides(self, self.strides, result)";
  let derivative = [{ self = grad.sum_to_size(self.size()) }];
  let backwardNode = "ExpandBackward0";
}
def Aten_broadcast_tensors : CopyOp<"aten::broadcast_tensors(Tensor(a)[] tensors) -> Tensor(a)[]", "broadcastTensors",
  "All with their common shape"> {
  let quantized = "takes";
  let shape = "broadcast_tensors(tensors)";
  let derivative = [{ tensors = [g.sum_to_size(tensor.size()) for g, tensor in zip(grad, tensors)] }];
}
def Aten_atleast_1d : CopyOp<"aten::atleast_1d(Tensor(a) self) -> Tensor(a)", "atleast1d",
  "At least one dimension"> {
  let quantized = "takes";
  let shape = "atleast_1d(self)"; let dtype = "self";
  let decomposition = [{
def atleast_1d(self: Tensor) -> Tensor:
    return self.reshape([1]) if self.dim() == 0 else self
  }];
}
def Aten_atleast_2d : CopyOp<"aten::atleast_2d(Tensor(a) self) -> Tensor(a)", "atleast2d",
  "At least two dimensions"> {
  let quantized = "takes";
  let shape = "atleast_2d(self)"; let dtype = "self";
  let decomposition = [{
def atleast_2d(self: Tensor) -> Tensor:
    return self.reshape([1, -1]) if self.dim() < 2 else self
  }];
}
def Aten_atleast_3d : CopyOp<"aten::atleast_3d(Tensor(a) self) -> Tensor(a)", "atleast3d",
  "At least three dimensions"> {
  let quantized = "takes";
  let shape = "atleast_3d(self)"; let dtype = "self";
  let decomposition = [{
def atleast_3d(self: Tensor) -> Tensor:
    if self.dim() < 2:
        return self.reshape([1, -1, 1])
    return self.unsqueeze(-1) if self.dim() == 2 else self
  }];
}
def Aten_atleast_1d_Sequence : CopyOp<"aten::atleast_1d.Sequence(Tensor(a)[] tensors) -> Tensor(a)[]", "atleast1dList",
  "Each with at least one dimension"> {
  let quantized = "takes";
  let derivative = [{ tensors = [g.reshape(t.size()) for g, t in zip(grad, tensors)] }];
}
def Aten_atleast_2d_Sequence : CopyOp<"aten::atleast_2d.Sequence(Tensor(a)[] tensors) -> Tensor(a)[]", "atleast2dList",
  "Each with at least two dimensions"> {
  let quantized = "takes";
  let derivative = [{ tensors = [g.reshape(t.size()) for g, t in zip(grad, tensors)] }];
}
def Aten_atleast_3d_Sequence : CopyOp<"aten::atleast_3d.Sequence(Tensor(a)[] tensors) -> Tensor(a)[]", "atleast3dList",
  "Each with at least three dimensions"> {
  let quantized = "takes";
  let derivative = [{ tensors = [g.reshape(t.size()) for g, t in zip(grad, tensors)] }];
}

// The same geometry.
def Aten_alias : ViewOp<"aten::alias(Tensor(a) self) -> Tensor(a)", "alias",
  "Another tensor on the same elements"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = grad }];
  let backwardNode = "0";
}
def Tsc_reused : ViewOp<"tsc::reused(Tensor(a) self) -> Tensor(a)", "reused",
  "self, read again and again: kernels may keep what they make of it while the result lives"> {
  let traits = [View, MadeByPasses];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = grad }];
}
def Aten_detach : ViewOp<"aten::detach(Tensor(a) self) -> Tensor(a)", "detach",
  "The same elements, outside of differentiation"> {
  let quantized = "takes";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let traits = [View, Detached];
}
def Aten_detach_ : CopyOp<"aten::detach_(Tensor(a!) self) -> Tensor(a!)", "detachInPlace",
  "Takes self out of differentiation"> {
  let quantized = "takes";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let traits = [Geometry];
}
def Aten_positive : ViewOp<"aten::positive(Tensor(a) self) -> Tensor(a)", "positive",
  "self"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = grad }];
}
def Aten_requires_grad_ : CopyOp<"aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)", "requiresGradInPlace",
  "Asks for gradients of self"> {
  let quantized = "takes";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let traits = [Geometry];
}
def Aten_lift_fresh : ViewOp<"aten::lift_fresh(Tensor(a) self) -> Tensor(a)", "alias",
  "The tensor of a constant"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = grad }];
}
def Aten_lift : CopyOp<"aten::lift(Tensor(a) self) -> Tensor(a)", "alias",
  "The tensor of a constant"> {
  let quantized = "takes";
  let shape = "self"; let dtype = "self";
  let derivative = [{ self = grad }];
}

// Complex numbers and their parts.
def Aten_view_as_real : ViewOp<"aten::view_as_real(Tensor(a) self) -> Tensor(a)", "viewAsReal",
  "Real and imaginary parts as a last dimension"> {
  let shape = "view_as_real(self)"; let dtype = "real"; let strides = "view_as_real_strides(self.strides)";
  let derivative = [{ self = view_as_complex(grad.contiguous()) }];
  let backwardNode = "0";
}
def Aten_view_as_complex : ViewOp<"aten::view_as_complex(Tensor(a) self) -> Tensor(a)", "viewAsComplex",
  "Pairs of the last dimension as complex numbers"> {
  let shape = "view_as_complex(self)"; let dtype = "complex"; let strides = "view_as_complex_strides(self.strides)";
  let derivative = [{ self = view_as_real(grad) }];
  let backwardNode = "0";
}
def Aten_real : ViewOp<"aten::real(Tensor(a) self) -> Tensor(a)", "real",
  "The real parts"> {
  let traits = [View, KeepsReals];
  let shape = "self"; let dtype = "real";
  let derivative = [{ self = grad }];
}
def Aten_imag : ViewOp<"aten::imag(Tensor(a) self) -> Tensor(a)", "imag",
  "The imaginary parts"> {
  let shape = "self"; let dtype = "real";
  let derivative = [{ self = backward.times_j(grad) }];
}
def Aten_conj : ViewOp<"aten::conj(Tensor(a) self) -> Tensor(a)", "conjView",
  "Complex conjugate"> {
  let traits = [View, KeepsReals];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = grad.conj() }];
  let backwardNode = "0";
}
def Aten_conj_physical : CopyOp<"aten::conj_physical(Tensor(s) self) -> Tensor(s)", "conj",
  "Complex conjugate"> {
  let variants = [InPlace, Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = grad.conj() }];
}
def Aten__conj : ViewOp<"aten::_conj(Tensor(a) self) -> Tensor(a)", "conjView",
  "Complex conjugate"> {
  let traits = [View, KeepsReals];
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = grad.conj() }];
}
def Aten__neg_view : ViewOp<"aten::_neg_view(Tensor(a) self) -> Tensor(a)", "negView",
  "Negated"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = -grad }];
}
def Aten_resolve_conj : ViewOp<"aten::resolve_conj(Tensor(a) self) -> Tensor(a)", "resolveConj",
  "self without lazy conjugation"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = grad }];
}
def Aten_resolve_neg : ViewOp<"aten::resolve_neg(Tensor(a) self) -> Tensor(a)", "resolveNeg",
  "self without lazy negation"> {
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let derivative = [{ self = grad }];
}

// Copies and conversions.
def Aten_contiguous : ViewOp<"aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)", "contiguous",
  "self, or a copy in the memory format"> {
  let devices = "any";
  let shape = "self"; let dtype = "self"; let strides = "as_contiguous(self, self.strides, memory_format)";
  let derivative = [{ self = grad }];
  let backwardNode = "CloneBackward0";
}
def Aten_clone : CopyOp<"aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", "cloneOp",
  "A copy"> {
  let devices = "any";
  let quantized = "takes";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "formatted(self, self.strides, memory_format)";
  let derivative = [{ self = grad }];
  let backwardNode = "0";
}
def Aten_copy_ : CopyOp<"aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)", "copyInPlace",
  "self = src, broadcast and converted"> {
  let devices = "any";
  let quantized = "takes";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
  let backwardNode = "CopyBackwards";
}
def Aten_copy__Tensor : CopyOp<"aten::copy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", "copyInPlace",
  "self = other"> {
  let devices = "any";
  let quantized = "takes";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_copy__int : CopyOp<"aten::copy_.int(Tensor(a!) self, int other) -> Tensor(a!)", "copyInPlaceScalar",
  "self = other"> {
  let quantized = "takes";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_copy__float : CopyOp<"aten::copy_.float(Tensor(a!) self, float other) -> Tensor(a!)", "copyInPlaceScalar",
  "self = other"> {
  let quantized = "takes";
  let shape = "self"; let dtype = "self"; let strides = "self.strides";
}
def Aten_to_device : ViewOp<"aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", "toDevice",
  "self on the device with the dtype"> {
  let devices = "moves";
  let shape = "self"; let dtype = "dtype"; let strides = "converted(self, self.strides, memory_format)";
  let derivative = [{ self = grad }];
  let backwardNode = "ToCopyBackward0";
}
def Aten_to_dtype : ViewOp<"aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", "toDTypeOp",
  "self with the dtype"> {
  let traits = [View, Cast];
  let shape = "self"; let dtype = "dtype"; let strides = "converted(self, self.strides, memory_format)";
  let derivative = [{ self = grad }];
  let backwardNode = "ToCopyBackward0";
}
def Aten_to_other : ViewOp<"aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", "toOther",
  "self with dtype and device of other"> {
  let devices = "moves";
  let shape = "self"; let dtype = "other"; let strides = "converted(self, self.strides, memory_format)";
  let derivative = [{ self = grad
                      other = None }];
  let backwardNode = "ToCopyBackward0";
}
def Aten_to_dtype_layout : ViewOp<"aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", "toDTypeLayout",
  "self with the options"> {
  let devices = "moves";
  let shape = "self"; let dtype = "dtype,self"; let strides = "converted(self, self.strides, memory_format)";
  let derivative = [{ self = grad }];
  let backwardNode = "ToCopyBackward0";
}
def Aten_to_prim_Device : ViewOp<"aten::to.prim_Device(Tensor(a) self, Device? device, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)", "toPrimDevice",
  "self on the device with the dtype"> {
  let devices = "moves";
  let shape = "self"; let dtype = "dtype,self"; let strides = "dense";
  let derivative = [{ self = grad }];
  let backwardNode = "ToCopyBackward0";
}
def Aten_to_prim_dtype : ViewOp<"aten::to.prim_dtype(Tensor(a) self, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)", "toPrimDType",
  "self with the dtype"> {
  let traits = [View, Cast];
  let shape = "self"; let dtype = "dtype,self"; let strides = "dense";
  let derivative = [{ self = grad }];
  let backwardNode = "ToCopyBackward0";
}
def Aten_to_prim_other : ViewOp<"aten::to.prim_other(Tensor(a) self, bool non_blocking=False, bool copy=False) -> Tensor(b|a)", "toPrimOther",
  "self, or a copy"> {
  let shape = "self"; let dtype = "self";
  let derivative = [{ self = grad }];
  let backwardNode = "ToCopyBackward0";
}
def Aten__to_copy : CopyOp<"aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor", "toCopy",
  "A copy with the options"> {
  let devices = "moves";
  let quantized = "takes";
  let shape = "self"; let dtype = "dtype,self"; let strides = "formatted(self, self.strides, memory_format)";
  let derivative = [{ self = grad }];
}
def Aten_type_as : CopyOp<"aten::type_as(Tensor(a) self, Tensor other) -> Tensor(b|a)", "typeAs",
  "self with the dtype of other"> {
  let devices = "moves";
  let quantized = "takes";
  let traits = [Cast];
  let shape = "self"; let dtype = "other"; let strides = "dense";
  let derivative = [{ self = grad.type_as(self)
                      other = None }];
  let backwardNode = "ToCopyBackward0";
}
def Tsc_written : CopyOp<"tsc::written(Tensor(a) value, Tensor self) -> Tensor(b|a)", "written",
  "What self is after an in-place operator has computed value: of self's dtype, and refused where self could not hold it"> {
  let traits = [Cast, MadeByPasses];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ value = grad.type_as(value)
                      self = None }];
}
def Aten_cpu : ViewOp<"aten::cpu(Tensor(a) self) -> Tensor(b|a)", "toKind<DeviceKind::CPU>",
  "self on the CPU"> {
  let devices = "moves"; let device = "CPU";
  let shape = "self"; let dtype = "self";
  let derivative = [{ self = grad.type_as(self) }];
  let backwardNode = "ToCopyBackward0";
}
def Aten_cuda : ViewOp<"aten::cuda(Tensor(a) self) -> Tensor(b|a)", "toKind<DeviceKind::CUDA>",
  "self on a GPU"> {
  let devices = "moves"; let device = "CUDA";
  let shape = "self"; let dtype = "self";
  let derivative = [{ self = grad.type_as(self) }];
  let backwardNode = "ToCopyBackward0";
}

// What self itself becomes.
def Aten_resize_ : CopyOp<"aten::resize_(Tensor(a!) self, int[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)", "resizeInPlace",
  "Gives self the size, growing its storage"> {
  let shape = "size"; let dtype = "self";
  let traits = [Geometry, Resizes];
}
def Aten_resize_as_ : CopyOp<"aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)", "resizeAsInPlace",
  "Gives self the size of another"> {
  let shape = "the_template"; let dtype = "self";
  let traits = [Geometry, Resizes];
}
def Aten_set_ : CopyOp<"aten::set_(Tensor(a!) self) -> Tensor(a!)", "setInPlace",
  "Makes self an empty tensor"> {
  let traits = [Geometry];
}
def Aten_set__source_Tensor : CopyOp<"aten::set_.source_Tensor(Tensor(a!) self, Tensor(a) source) -> Tensor(a!)", "setTensorInPlace",
  "Makes self share the storage of source"> {
  let traits = [Geometry];
}
def Aten_set__source_Tensor_storage_offset : CopyOp<"aten::set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor(a) source, int storage_offset, int[] size, int[] stride=[]) -> Tensor(a!)", "setTensorStridedInPlace",
  "Makes self a view on the storage of source"> {
  let traits = [Geometry];
}

// Channels.
def Aten_pixel_shuffle : CopyOp<"aten::pixel_shuffle(Tensor(s) self, int upscale_factor) -> Tensor(f|s)", "pixelShuffle",
  "Channels into space"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "pixel_shuffle(self, upscale_factor)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = pixel_unshuffle(grad, upscale_factor) }];
  let backwardNode = "0";
}
def Aten_pixel_unshuffle : CopyOp<"aten::pixel_unshuffle(Tensor(s) self, int downscale_factor) -> Tensor(f|s)", "pixelUnshuffle",
  "Space into channels"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "pixel_unshuffle(self, downscale_factor)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = pixel_shuffle(grad, downscale_factor) }];
  let backwardNode = "0";
}
def Aten_channel_shuffle : CopyOp<"aten::channel_shuffle(Tensor(s) self, int groups) -> Tensor(f|s)", "channelShuffle",
  "Channels of the groups interleaved"> {
  let quantized = "keeps";
  let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = channel_shuffle(grad, self.size(1) // groups) }];
  let backwardNode = "0";
}
