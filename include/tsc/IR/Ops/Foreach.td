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
                "log1p", "log2", "neg", "reciprocal", "round", "sigmoid", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"] in
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
foreach name = ["maximum", "minimum"] in
  def Aten__foreach_ # name # _List : ForeachOp<name, "List", "Tensor[] self, Tensor[] other", "Tensor[]", name # " of each pair",
    "def _foreach_" # name # "(self: List[Tensor], other: List[Tensor]) -> List[Tensor]:\n"
    # "    return [torch." # name # "(self[i], other[i]) for i in range(len(self))]\n">;
def Aten__foreach_zero_ : ForeachOp<"zero_", "", "Tensor(a!)[] self", "()", "zero_ of each",
  "def _foreach_zero_(self: List[Tensor]) -> None:\n    for x in self:\n        x.zero_()\n">;
def Aten__foreach_norm_Scalar : ForeachOp<"norm", "Scalar", "Tensor[] self, Scalar ord=2", "Tensor[]", "The norm of each",
  "def _foreach_norm(self: List[Tensor], ord: number) -> List[Tensor]:\n    return [torch.norm(x, ord) for x in self]\n">;
