//===- Foreach.td - Lists of tensors, element by element ---*- tablegen -*-===//
//
// The optimizers of PyTorch call these.
//
//===----------------------------------------------------------------------===//

class ForeachOp<string name_, string overload_, string args_, string returns_, string summary_, string body_> : Op<"aten::_foreach_" # name_ # !if(!empty(overload_), "", "." # overload_) # "(" # args_ # ") -> " # returns_> {
  let summary = summary_;
  let decomposition = body_;
}
multiclass ForeachUnary<string name> {
  def "" : ForeachOp<name, "", "Tensor[] self", "Tensor[]", name # " of each",
    "def _foreach_" # name # "(self: List[Tensor]) -> List[Tensor]:\n    return [torch." # name # "(x) for x in self]\n">;
  def _ : ForeachOp<name # "_", "", "Tensor(a!)[] self", "()", name # "_ of each",
    "def _foreach_" # name # "_(self: List[Tensor]) -> None:\n    for x in self:\n        x.copy_(torch." # name # "(x))\n">;
}
foreach name = ["abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "erfc", "exp", "expm1", "floor", "frac", "lgamma", "log", "log10",
                "log1p", "log2", "neg", "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"] in
  defm Aten__foreach_ # name : ForeachUnary<name>;

// With a number, a list of tensors or a list of numbers. `extra`: what follows the second operand of lists.
multiclass ForeachBinary<string name, string alpha, string alphaParameter, string alphaArgument> {
  def _Scalar : ForeachOp<name, "Scalar", "Tensor[] self, Scalar scalar", "Tensor[]", name # " of each and a number",
    "def _foreach_" # name # "(self: List[Tensor], scalar: number) -> List[Tensor]:\n    return [torch." # name # "(x, scalar) for x in self]\n">;
  def _List : ForeachOp<name, "List", "Tensor[] self, Tensor[] other" # alpha, "Tensor[]", name # " of each pair",
    "def _foreach_" # name # "(self: List[Tensor], other: List[Tensor]" # alphaParameter # ") -> List[Tensor]:\n"
    # "    return [torch." # name # "(self[i], other[i]" # alphaArgument # ") for i in range(len(self))]\n">;
  def _ScalarList : ForeachOp<name, "ScalarList", "Tensor[] self, Scalar[] scalars", "Tensor[]", name # " of each and its number",
    "def _foreach_" # name # "(self: List[Tensor], scalars: List[number]) -> List[Tensor]:\n"
    # "    return [torch." # name # "(self[i], scalars[i]) for i in range(len(self))]\n">;
  def __Scalar : ForeachOp<name # "_", "Scalar", "Tensor(a!)[] self, Scalar scalar", "()", name # "_ of each and a number",
    "def _foreach_" # name # "_(self: List[Tensor], scalar: number) -> None:\n    for x in self:\n        x." # name # "_(scalar)\n">;
  def __List : ForeachOp<name # "_", "List", "Tensor(a!)[] self, Tensor[] other" # alpha, "()", name # "_ of each pair",
    "def _foreach_" # name # "_(self: List[Tensor], other: List[Tensor]" # alphaParameter # ") -> None:\n"
    # "    for i in range(len(self)):\n        self[i]." # name # "_(other[i]" # alphaArgument # ")\n">;
  def __ScalarList : ForeachOp<name # "_", "ScalarList", "Tensor(a!)[] self, Scalar[] scalars", "()", name # "_ of each and its number",
    "def _foreach_" # name # "_(self: List[Tensor], scalars: List[number]) -> None:\n"
    # "    for i in range(len(self)):\n        self[i]." # name # "_(scalars[i])\n">;
}
foreach name = ["add", "sub"] in
  defm Aten__foreach_ # name : ForeachBinary<name, ", *, Scalar alpha=1", ", alpha: number", ", alpha=alpha">;
foreach name = ["mul", "div"] in
  defm Aten__foreach_ # name : ForeachBinary<name, "", "", "">;

multiclass ForeachTernary<string name> {
  def _Scalar : ForeachOp<name, "Scalar", "Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1", "Tensor[]", name # " of each",
    "def _foreach_" # name # "(self: List[Tensor], tensor1: List[Tensor], tensor2: List[Tensor], value: number) -> List[Tensor]:\n"
    # "    return [torch." # name # "(self[i], tensor1[i], tensor2[i], value=value) for i in range(len(self))]\n">;
  def _ScalarList : ForeachOp<name, "ScalarList", "Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[] scalars", "Tensor[]", name # " of each",
    "def _foreach_" # name # "(self: List[Tensor], tensor1: List[Tensor], tensor2: List[Tensor], scalars: List[number]) -> List[Tensor]:\n"
    # "    return [torch." # name # "(self[i], tensor1[i], tensor2[i], value=scalars[i]) for i in range(len(self))]\n">;
  def __Scalar : ForeachOp<name # "_", "Scalar", "Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1", "()", name # "_ of each",
    "def _foreach_" # name # "_(self: List[Tensor], tensor1: List[Tensor], tensor2: List[Tensor], value: number) -> None:\n"
    # "    for i in range(len(self)):\n        self[i]." # name # "_(tensor1[i], tensor2[i], value=value)\n">;
  def __ScalarList : ForeachOp<name # "_", "ScalarList", "Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[] scalars", "()", name # "_ of each",
    "def _foreach_" # name # "_(self: List[Tensor], tensor1: List[Tensor], tensor2: List[Tensor], scalars: List[number]) -> None:\n"
    # "    for i in range(len(self)):\n        self[i]." # name # "_(tensor1[i], tensor2[i], value=scalars[i])\n">;
}
foreach name = ["addcmul", "addcdiv"] in
  defm Aten__foreach_ # name : ForeachTernary<name>;
// The greater or the lesser; `clamp_min` and `clamp_max` are their other names. `limit` is the operator that takes a number.
multiclass ForeachLimit<string name, string of, string limit> {
  def _List : ForeachOp<name, "List", "Tensor[] self, Tensor[] other", "Tensor[]", name # " of each pair",
    "def _foreach_" # name # "(self: List[Tensor], other: List[Tensor]) -> List[Tensor]:\n"
    # "    return [torch." # of # "(self[i], other[i]) for i in range(len(self))]\n">;
  def _Scalar : ForeachOp<name, "Scalar", "Tensor[] self, Scalar scalar", "Tensor[]", name # " of each and a number",
    "def _foreach_" # name # "(self: List[Tensor], scalar: number) -> List[Tensor]:\n    return [torch." # limit # "(x, scalar) for x in self]\n">;
  def _ScalarList : ForeachOp<name, "ScalarList", "Tensor[] self, Scalar[] scalars", "Tensor[]", name # " of each and its number",
    "def _foreach_" # name # "(self: List[Tensor], scalars: List[number]) -> List[Tensor]:\n"
    # "    return [torch." # limit # "(self[i], scalars[i]) for i in range(len(self))]\n">;
  def __List : ForeachOp<name # "_", "List", "Tensor(a!)[] self, Tensor[] other", "()", name # "_ of each pair",
    "def _foreach_" # name # "_(self: List[Tensor], other: List[Tensor]) -> None:\n"
    # "    for i in range(len(self)):\n        self[i].copy_(torch." # of # "(self[i], other[i]))\n">;
  def __Scalar : ForeachOp<name # "_", "Scalar", "Tensor(a!)[] self, Scalar scalar", "()", name # "_ of each and a number",
    "def _foreach_" # name # "_(self: List[Tensor], scalar: number) -> None:\n    for x in self:\n        x." # limit # "_(scalar)\n">;
  def __ScalarList : ForeachOp<name # "_", "ScalarList", "Tensor(a!)[] self, Scalar[] scalars", "()", name # "_ of each and its number",
    "def _foreach_" # name # "_(self: List[Tensor], scalars: List[number]) -> None:\n"
    # "    for i in range(len(self)):\n        self[i]." # limit # "_(scalars[i])\n">;
}
foreach name = ["maximum", "clamp_min"] in
  defm Aten__foreach_ # name : ForeachLimit<name, "maximum", "clamp_min">;
foreach name = ["minimum", "clamp_max"] in
  defm Aten__foreach_ # name : ForeachLimit<name, "minimum", "clamp_max">;

// Powers, and ways between two lists.
defm Aten__foreach_pow : ForeachBinary<"pow", "", "", "">;
def Aten__foreach_pow_ScalarAndTensor : ForeachOp<"pow", "ScalarAndTensor", "Scalar self, Tensor[] exponent", "Tensor[]", "self to the power of each",
  "def _foreach_pow(self: number, exponent: List[Tensor]) -> List[Tensor]:\n    return [torch.pow(self, x) for x in exponent]\n">;
multiclass ForeachLerp<string overload, string argument, string parameter, string each> {
  def "" : ForeachOp<"lerp", overload, "Tensor[] self, Tensor[] tensors1, " # argument, "Tensor[]", "lerp of each pair",
    "def _foreach_lerp(self: List[Tensor], tensors1: List[Tensor], " # parameter # ") -> List[Tensor]:\n"
    # "    return [torch.lerp(self[i], tensors1[i], " # each # ") for i in range(len(self))]\n">;
  def _ : ForeachOp<"lerp_", overload, "Tensor(a!)[] self, Tensor[] tensors1, " # argument, "()", "lerp_ of each pair",
    "def _foreach_lerp_(self: List[Tensor], tensors1: List[Tensor], " # parameter # ") -> None:\n"
    # "    for i in range(len(self)):\n        self[i].lerp_(tensors1[i], " # each # ")\n">;
}
defm Aten__foreach_lerp_List : ForeachLerp<"List", "Tensor[] weights", "weights: List[Tensor]", "weights[i]">;
defm Aten__foreach_lerp_Scalar : ForeachLerp<"Scalar", "Scalar weight", "weight: number", "weight">;
defm Aten__foreach_lerp_ScalarList : ForeachLerp<"ScalarList", "Scalar[] weight", "weight: List[number]", "weight[i]">;

// With one tensor for all.
def Aten__foreach_add_Tensor : ForeachOp<"add", "Tensor", "Tensor[] self, Tensor other, *, Scalar alpha=1", "Tensor[]", "add of each and one",
  "def _foreach_add(self: List[Tensor], other: Tensor, alpha: number) -> List[Tensor]:\n    return [torch.add(x, other, alpha=alpha) for x in self]\n">;
def Aten__foreach_add__Tensor : ForeachOp<"add_", "Tensor", "Tensor(a!)[] self, Tensor other, *, Scalar alpha=1", "()", "add_ of each and one",
  "def _foreach_add_(self: List[Tensor], other: Tensor, alpha: number) -> None:\n    for x in self:\n        x.add_(other, alpha=alpha)\n">;
foreach name = ["mul", "div"] in {
  def Aten__foreach_ # name # _Tensor : ForeachOp<name, "Tensor", "Tensor[] self, Tensor other", "Tensor[]", name # " of each and one",
    "def _foreach_" # name # "(self: List[Tensor], other: Tensor) -> List[Tensor]:\n    return [torch." # name # "(x, other) for x in self]\n">;
  def Aten__foreach_ # name # __Tensor : ForeachOp<name # "_", "Tensor", "Tensor(a!)[] self, Tensor other", "()", name # "_ of each and one",
    "def _foreach_" # name # "_(self: List[Tensor], other: Tensor) -> None:\n    for x in self:\n        x." # name # "_(other)\n">;
}

// Elements as they are.
def Aten__foreach_copy_ : ForeachOp<"copy_", "", "Tensor(a!)[] self, Tensor[] src, bool non_blocking=False", "()", "copy_ of each pair",
  "def _foreach_copy_(self: List[Tensor], src: List[Tensor], non_blocking: bool) -> None:\n"
  # "    for i in range(len(self)):\n        self[i].copy_(src[i])\n">;
def Aten__foreach_clone : ForeachOp<"clone", "", "Tensor[] self, *, MemoryFormat? memory_format=None", "Tensor[]", "A copy of each",
  "def _foreach_clone(self: List[Tensor], memory_format: Optional[int]) -> List[Tensor]:\n"
  # "    return [x.clone(memory_format=memory_format) for x in self]\n">;
def Aten__foreach_max : ForeachOp<"max", "", "Tensor[] self", "Tensor[]", "The greatest element of each",
  "def _foreach_max(self: List[Tensor]) -> List[Tensor]:\n    return [torch.max(x) for x in self]\n">;
def Aten__foreach_zero_ : ForeachOp<"zero_", "", "Tensor(a!)[] self", "()", "zero_ of each",
  "def _foreach_zero_(self: List[Tensor]) -> None:\n    for x in self:\n        x.zero_()\n">;
def Aten__foreach_norm_Scalar : ForeachOp<"norm", "Scalar", "Tensor[] self, Scalar ord=2, ScalarType? dtype=None", "Tensor[]", "The norm of each",
  "def _foreach_norm(self: List[Tensor], ord: number, dtype: Optional[int]) -> List[Tensor]:\n"
  # "    return [torch.linalg_vector_norm(x, ord, dtype=dtype) for x in self]\n">;
