//===- Prims.td - Conversions, queries and modes ----------------*- tablegen -*-===//
//
// Between tensors and other values; what a program may ask about a tensor; the
// switches of a running program. Kernels: tsc/Runtime/Dispatch/Ops/Prims.h.
//
//===----------------------------------------------------------------------===//

class PrimOp<string schema, string function, string summary_> : Op<schema> {
  let kernel = "ops::" # function;
  let summary = summary_;
}
class BoxedPrimOp<string schema, string function, string summary_> : Op<schema> {
  let boxedKernel = "ops::" # function;
  let summary = summary_;
}

// A tensor's one element as a number, and back.
let traits = [Item], conversion = "Explicit" in {
def Prim_Bool_Tensor    : PrimOp<"aten::Bool.Tensor(Tensor a) -> bool", "tensorToBool", "bool(a)">;
def Prim_Int_Tensor     : PrimOp<"aten::Int.Tensor(Tensor a) -> int", "tensorToInt", "int(a)">;
def Prim_Float_Tensor   : PrimOp<"aten::Float.Tensor(Tensor a) -> float", "tensorToFloat", "float(a)">;
}
def Prim_Complex_Tensor : PrimOp<"aten::Complex.Tensor_Tensor(Tensor a, Tensor b) -> complex", "tensorsToComplex", "complex(a, b)">;
foreach t = ["int", "float", "bool"] in {
  def Prim_Complex_Tensor_ # t : BoxedPrimOp<"aten::Complex.Tensor_" # t # "(Tensor x, " # t # " y) -> complex", "complexFromParts", "complex(x, y)">;
  def Prim_Complex_ # t # _Tensor : BoxedPrimOp<"aten::Complex." # t # "_Tensor(" # t # " x, Tensor y) -> complex", "complexFromParts", "complex(x, y)">;
}
let traits = [Item], conversion = "Implicit" in {
def Prim_IntImplicit     : PrimOp<"aten::IntImplicit(Tensor a) -> int", "implicitInt", "a where an int is expected">;
def Prim_FloatImplicit   : PrimOp<"aten::FloatImplicit(Tensor a) -> float", "implicitFloat", "a where a float is expected">;
def Prim_ComplexImplicit : PrimOp<"aten::ComplexImplicit(Tensor a) -> complex", "implicitComplex", "a where a complex is expected">;
def Prim_ScalarImplicit  : PrimOp<"aten::ScalarImplicit(Tensor a) -> Scalar", "implicitScalar", "a where a number is expected">;
}
def Prim_NumToTensor      : PrimOp<"prim::NumToTensor.Scalar(Scalar a) -> Tensor", "numberToTensor", "A 0-dimensional tensor"> {
  let traits = [Answers];
  let shape = "scalar()"; let dtype = "number"; let strides = "contiguous";
}
def Prim_NumToTensor_bool : PrimOp<"prim::NumToTensor.bool(bool a) -> Tensor", "numberToTensor", "A 0-dimensional tensor"> {
  let traits = [Answers];
  let shape = "scalar()"; let dtype = "Bool"; let strides = "contiguous";
}
def Prim_tensor : BoxedPrimOp<"aten::tensor(t[] data, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor", "makeTensor", "torch.tensor"> {
  let shape = "nested_sizes(data)"; let dtype = "dtype,data"; let strides = "contiguous";
}
def Prim_as_tensor_list : BoxedPrimOp<"aten::as_tensor.list(t[] data, *, ScalarType? dtype=None, Device? device=None) -> Tensor", "makeTensor", "torch.as_tensor"> {
  let shape = "nested_sizes(data)"; let dtype = "dtype,data"; let strides = "contiguous";
}
foreach t = ["int", "float", "bool", "complex"] in {
  def Prim_tensor_ # t : BoxedPrimOp<"aten::tensor." # t # "(" # t # " t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor", "makeTensor", "torch.tensor"> {
    let shape = "scalar()"; let dtype = "dtype,t"; let strides = "contiguous";
  }
  def Prim_as_tensor_ # t : BoxedPrimOp<"aten::as_tensor." # t # "(" # t # " t, *, ScalarType? dtype=None, Device? device=None) -> Tensor", "makeTensor", "torch.as_tensor"> {
    let shape = "scalar()"; let dtype = "dtype,t"; let strides = "contiguous";
  }
}
def Prim_as_tensor : PrimOp<"aten::as_tensor(Tensor(a) data, *, ScalarType? dtype=None, Device? device=None) -> Tensor(b|a)", "asTensor", "torch.as_tensor"> {
  let devices = "moves";
  let shape = "data"; let dtype = "dtype,data";
  let derivative = [{ data = grad }];
}
def Prim_list_to_tensor : BoxedPrimOp<"aten::_list_to_tensor(int[] self) -> Tensor", "listToTensor", "The int64 tensor of a list"> {
  let shape = "list_to_tensor(self)"; let dtype = "Long"; let strides = "contiguous";
}
def Prim_tensor_to_list : PrimOp<"aten::_tensor_to_list(Tensor self) -> int[]", "tensorToList", "The list of an int64 tensor">;
def Prim_tolist : BoxedPrimOp<"prim::tolist(Tensor self, int dim, int elem_ty) -> Any", "nestedList", "self.tolist(), of the type the program states">;
def Prim_wait : BoxedPrimOp<"aten::wait(Future(t) self) -> t", "wait", "The value of a future"> { let traits = [SideEffects]; }
def Prim_polygamma_ : BoxedPrimOp<"aten::polygamma_(Tensor(a!) self, int n) -> Tensor(a!)", "polygammaInPlace", "n-th derivative of digamma">;
def Prim_einsum_sublist : BoxedPrimOp<"aten::einsum.sublist(Tensor a, ...) -> Tensor", "einsumOfSublists", "einsum with dimensions named by numbers: tensor, list, tensor, list, result's list">;

// Questions about a tensor.
def Prim_dtype         : PrimOp<"prim::dtype(Tensor a) -> int", "dtypeOf", "a.dtype"> { let traits = [Answers]; let query = "DType"; }
def Prim_device        : PrimOp<"prim::device(Tensor a) -> Device", "deviceOf", "a.device"> { let traits = [Answers]; let query = "Device"; }
def Prim_layout        : PrimOp<"prim::layout(Tensor a) -> Layout", "layoutOf", "a.layout"> { let traits = [Answers]; }
def Prim_shape         : PrimOp<"prim::shape(Tensor a) -> int[]", "shapeOf", "a.shape"> { let traits = [Answers]; let query = "Sizes"; }
def Prim_requires_grad : PrimOp<"prim::requires_grad(Tensor a) -> bool", "requiresGradOf", "a.requires_grad">;
def Prim_is_cpu        : PrimOp<"prim::is_cpu(Tensor a) -> bool", "isOn<DeviceKind::CPU>", "a.is_cpu"> { let traits = [Answers]; let query = "IsOnDevice"; let device = "CPU"; }
def Prim_is_cuda       : PrimOp<"prim::is_cuda(Tensor a) -> bool", "isOn<DeviceKind::CUDA>", "a.is_cuda"> { let traits = [Answers]; let query = "IsOnDevice"; let device = "CUDA"; }
def Prim_is_meta       : PrimOp<"prim::is_meta(Tensor a) -> bool", "isOn<DeviceKind::Meta>", "a.is_meta"> { let device = "Meta"; }
def Prim_is_sparse    : PrimOp<"prim::is_sparse(Tensor a) -> bool", "isSparse", "a.is_sparse">;
def Prim_is_sparse_csr : PrimOp<"prim::is_sparse_csr(Tensor a) -> bool", "isInRows", "a.is_sparse_csr">;
def Prim_is_nested    : PrimOp<"prim::is_nested(Tensor a) -> bool", "isNested", "a.is_nested">;
def Prim_is_quantized : PrimOp<"prim::is_quantized(Tensor a) -> bool", "isOfIntegers", "a.is_quantized">;
foreach q = ["is_mkldnn", "is_mps", "is_ipu", "is_xpu", "is_ort", "is_vulkan"] in
  def Prim_ # q : PrimOp<"prim::" # q # "(Tensor a) -> bool", "isNever", "a." # q # ": such tensors do not exist here">;
def Prim_name : PrimOp<"prim::name(Tensor a) -> str?", "noName", "a.name: tensors have none">;
def Prim_grad : PrimOp<"prim::grad(Tensor a) -> Tensor(*)", "gradOf", "a.grad"> { let devices = "any"; let traits = [Detached]; }
def Prim_data : PrimOp<"prim::data(Tensor(a) a) -> Tensor(a)", "dataOf", "a.data: the same storage, outside of differentiation"> {
  let shape = "a"; let dtype = "a"; let strides = "a.strides";
  let traits = [Detached, Answers];
}
def Prim_is_leaf : PrimOp<"aten::is_leaf(Tensor self) -> bool", "isLeaf", "self.is_leaf"> { let devices = "any"; let traits = [ReadsHistory]; }
def Prim_retains_grad : PrimOp<"aten::retains_grad(Tensor self) -> bool", "retainsGradient", "Whether self.retain_grad() was called, and self is no leaf"> { let devices = "any"; }
def Prim_len_Tensor : PrimOp<"aten::len.Tensor(Tensor t) -> int", "tensorLength", "len(t)"> { let query = "Length"; let quantized = "takes"; }
def Prim_device_type  : PrimOp<"prim::type(Device self) -> str", "deviceType", "device.type">;
def Prim_device_index : PrimOp<"prim::index(Device self) -> int?", "deviceIndex", "device.index">;
def Prim_device_parse : PrimOp<"aten::device(str a) -> Device", "parseDevice", "torch.device(a)">;
def Prim_device_with_index : PrimOp<"aten::device.with_index(str type, int index) -> Device", "deviceWithIndex", "torch.device(type, index)">;

// Lists of tensors compare elementwise; membership and removal too.
def Prim_eq_Tensor_list : BoxedPrimOp<"aten::eq.Tensor_list(Tensor[] a, Tensor[] b) -> bool", "tensorListEquals", "a == b"> { let quantized = "reals"; }
def Prim_ne_Tensor_list : BoxedPrimOp<"aten::ne.Tensor_list(Tensor[] a, Tensor[] b) -> bool", "tensorListDiffers", "a != b"> { let quantized = "reals"; }

// Identity, None, hashing.
let traits = [Speculatable] in {
def Prim_if_then_else : BoxedPrimOp<"prim::IfThenElse(bool cond, Any(a) x, Any(b) y) -> Any(a|b)", "chooseValue", "x if cond else y, both computed">;
def Prim_is    : BoxedPrimOp<"aten::__is__(t1 self, t2 obj) -> bool", "isSame", "self is obj"> { let laws = Laws<same="True">; let partial = "isSame"; }
def Prim_isnot : BoxedPrimOp<"aten::__isnot__(t1 self, t2 obj) -> bool", "isNotSame", "self is not obj"> { let laws = Laws<same="False">; let partial = "isNotSame"; }
}
def Prim_unwrap_optional : BoxedPrimOp<"aten::_unwrap_optional(t(a)? optional) -> t(a)", "unwrapOptional", "The value, which must not be None"> { let partial = "unwrap"; }
def Prim_unchecked_unwrap : BoxedPrimOp<"prim::unchecked_unwrap_optional(t(a)? optional) -> t(a)", "passThrough", "The value, known not to be None"> { let partial = "unwrap"; }
def Prim_hash : BoxedPrimOp<"aten::hash.generic(t value) -> int", "hashOf", "hash(value)">;
def Prim_id   : BoxedPrimOp<"prim::id(AnyClassType? x) -> int", "identityOf", "id(x)">;
def Prim_eq_enum : BoxedPrimOp<"aten::eq.enum(AnyEnumType a, AnyEnumType b) -> bool", "enumEquals", "a == b"> { let laws = Laws<same="True">; }
def Prim_ne_enum : BoxedPrimOp<"aten::ne.enum(AnyEnumType a, AnyEnumType b) -> bool", "enumDiffers", "a != b"> { let laws = Laws<same="False">; }
def Prim_enum_name : BoxedPrimOp<"prim::EnumName(AnyEnumType enum) -> str", "enumName", "enum.name">;
foreach t = ["int", "float", "str"] in
  def Prim_enum_value_ # t : BoxedPrimOp<"prim::EnumValue." # t # "(AnyEnumType enum) -> " # t, "enumValue", "enum.value">;

// Gradients are results of their own, whatever the operands.
let traits = [SideEffects, Detached] in {
  def Aten_grad : BoxedPrimOp<"aten::grad(Tensor[] outputs, Tensor[] inputs, Tensor?[]? grad_outputs=None, bool? retain_graph=None, bool create_graph=False, bool allow_unused=False) -> Tensor?[]", "autogradGrad", "torch.autograd.grad"> { let devices = "any"; let traits = [SideEffects, Detached, ReadsHistory]; }
  def Aten_backward : BoxedPrimOp<"aten::backward(Tensor self, Tensor? gradient=None, bool? retain_graph=None, bool create_graph=False) -> ()", "autogradBackward", "Adds gradients to the .grad of leaves"> { let devices = "any"; let traits = [SideEffects, Detached, SetsGradients, ReadsHistory]; }
  def Aten_backward_TensorList : BoxedPrimOp<"aten::backward.TensorList(Tensor[] tensors, Tensor?[]? grad_tensors=None, bool? retain_graph=None, bool create_graph=False) -> ()", "autogradBackwardList", "torch.autograd.backward"> { let devices = "any"; let traits = [SideEffects, Detached, SetsGradients, ReadsHistory]; }
  def Tsc_gradient : BoxedPrimOp<"tsc::gradient(Tensor self) -> Tensor(*)?", "gradientOrNone", "a.grad, None where there is none">;
  def Tsc_set_gradient : BoxedPrimOp<"tsc::set_gradient(Tensor self, Tensor? gradient) -> ()", "setGradient", "a.grad = gradient"> { let devices = "any"; let traits = [SideEffects, Detached, SetsGradients]; }
  def Aten_retain_grad : BoxedPrimOp<"aten::retain_grad(Tensor(a!) self) -> ()", "retainGradient", "Keeps the gradient of self, which an operator made, in self.grad"> { let devices = "any"; let traits = [SideEffects, Detached, SetsGradients, ReadsHistory]; }
}

// Switches and the outside world.
let traits = [SideEffects] in {
  def Prim_warn : BoxedPrimOp<"aten::warn(str message, int stacklevel=2) -> ()", "warn", "warnings.warn">;
  def Prim_manual_seed : BoxedPrimOp<"aten::manual_seed(int seed) -> ()", "manualSeed", "torch.manual_seed">;
  def Prim_set_grad : BoxedPrimOp<"aten::set_grad_enabled(bool val) -> ()", "setGradEnabled", "torch.set_grad_enabled">;
  def Prim_is_grad : BoxedPrimOp<"aten::is_grad_enabled() -> bool", "isGradEnabled", "torch.is_grad_enabled()">;
  def Prim_time : BoxedPrimOp<"prim::TimePoint() -> int", "timePoint", "Nanoseconds of a steady clock">;
  def Prim_add_stat : BoxedPrimOp<"prim::AddStatValue(str key, int val) -> ()", "ignoreStatistic", "Counts for a logger that the host may not have">;
}
def Prim_autocast     : BoxedPrimOp<"aten::is_autocast_enabled() -> bool", "alwaysFalse", "No autocast on a CPU">;
def Prim_autocast_cpu : BoxedPrimOp<"aten::is_autocast_cpu_enabled() -> bool", "alwaysFalse", "No autocast">;
def Prim_is_scripting : BoxedPrimOp<"aten::is_scripting() -> bool", "alwaysTrue", "torch.jit.is_scripting()">;
def Prim_is_tracing   : BoxedPrimOp<"aten::_get_tracing_state() -> bool", "alwaysFalse", "Nothing is traced while a program runs">;
def Prim_torch_function : BoxedPrimOp<"aten::has_torch_function(...) -> bool", "alwaysFalse", "No overriding classes here">;
