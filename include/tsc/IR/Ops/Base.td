//===- Base.td - What a record of an operator may say -----------*- tablegen -*-===//
//
// One record is one overload. docs/adding-an-operator.md walks through an example;
// utils/tsc-tblgen reads the records.
//
//===----------------------------------------------------------------------===//

// A fact that a pass may ask for: node.hasTrait(Trait::Pointwise). `position` is its bit in tsc::Trait.
class Trait<int position_, string doc_> { int position = position_; string doc = doc_; }
def Pointwise    : Trait<0, "Each element of the result depends on the same element of the (broadcast) operands">;
def Reduction    : Trait<1, "Folds elements along dimensions">;
def View         : Trait<2, "The result shares the storage of an operand">;
def Random       : Trait<3, "Draws from the random generator; the kernel takes it first">;
def SideEffects  : Trait<4, "Does something besides its results and its annotated writes">;
def Control      : Trait<5, "Runs blocks or other code">;
def Factory      : Trait<6, "Makes a tensor from sizes and options">;
def Geometry     : Trait<7, "Changes the sizes, strides or requires_grad of an operand itself">;
def Detached     : Trait<8, "The result takes no part in differentiation, whatever the operands">;
def Activation   : Trait<9, "A nonlinearity of neural networks, that models write in place or not as they please">;
def Dropout      : Trait<10, "Drops elements while operand 2, `train`, is true; else its result is operand 0">;
def Disjoint     : Trait<11, "What it writes may share no memory with its operands">;
def Speculatable : Trait<12, "Cheap, and never fails: may run where the program would not have run it">;
def Cheap        : Trait<13, "Point-wise, of one or two machine instructions an element">;
def Cast         : Trait<14, "The operand in another dtype, or itself when it has that">;
def IndexMap     : Trait<15, "The operand's elements in other places, that numbers alone give: a view whatever its strides">;
def Split        : Trait<16, "A list of such views">;
def Concatenation : Trait<17, "The tensors of a list side by side along operand 1, a dimension">;
def SizeQuery    : Trait<18, "Asks for the sizes of operand 0 alone">;
def Fill         : Trait<19, "One number in the shape of operand 0">;
def Reshape      : Trait<28, "The elements of operand 0 in another shape: a view where strides allow it">;
def Broadcasts   : Trait<29, "Broadcasts its tensors by itself, and gives the common shape or a number">;
def Answers      : Trait<30, "Has a result for every value that a program computes. (None may be there in a branch not taken)">;
def Item         : Trait<31, "The one element of operand 0, a tensor, as a number">;
def FailsAtZero  : Trait<32, "May fail where operand 1 is 0, and only there">;
def SelfInverse  : Trait<33, "Applied twice with the same further operands, it gives back operand 0">;
def Idempotent   : Trait<34, "Applied twice, it gives what it gives once">;
def AffineLayer  : Trait<35, "Operand 1 is the weight of a layer, operand 2 its bias or None">;
def Convolution  : Trait<36, "Such a layer, which convolves; transposed where its operand `transposed` says so">;
def TransposedConvolution : Trait<37, "Such a layer, which convolves with strides in the input">;
def Nondeterministic : Trait<24, "Two calls with the same operands may differ: it draws random numbers, or looks at or makes a state that changes">;
def MadeByPasses : Trait<41, "Only passes make it: source and archives may not name it. It looks at what it relies on all the same, for textual IR">;
def Commutative  : Trait<40, "Operands 0 and 1 may change places: the result has the same bits, be they NaN">;
def AlongRows    : Trait<39, "Works on each row along operand 1, a dimension">;
def ToSizes      : Trait<42, "Gives the result the sizes in operand 1, a list: of an operand that has them, its elements as they are">;
def KeepsReals   : Trait<43, "Of real numbers it gives operand 0 itself; of complex ones, another tensor">;
def ReadsHistory : Trait<44, "Needs the history of its operands: computes or keeps gradients, or asks whether an operator computed it">;
def ShowsValues  : Trait<49, "Writes its operands as text, in which a tensor names the node that made it">;
def KeepsHistory : Trait<61, "Where it writes to an operand, that one keeps its history in differentiation, as if nothing were written">;
def SetsGradients : Trait<62, "Changes the gradients that tensors hold, `.grad`, or which tensors are to hold one">;
def Resizes      : Trait<63, "Gives operand 0 another number of elements, and memory for them where it has too little">;
// Derived from the schema and the columns; not to be written in a record.
def Writes           : Trait<20, "Writes to an operand">;
def Aliases          : Trait<21, "A result may alias an operand">;
def InPlaceForm      : Trait<22, "Derived: the operator writes its result into `self`">;
def OutForm          : Trait<23, "Derived: the operator writes its result into `out`">;
def KeepsDtype       : Trait<25, "The result has the dtype of self, whatever it is">;
def Promotes         : Trait<26, "The result has the dtype that the operands promote to">;
def Pure             : Trait<27, "No writes, no side effects, nothing nondeterministic: equal operands give equal results">;
def KeepsRank        : Trait<38, "The result has as many dimensions as operand 0; derived where `shape` is an operand's">;
// Of the column `quantized`.
def TakesQuantized   : Trait<50, "Takes quantized tensors as they are, as views and questions about sizes do too">;
def KeepsScheme      : Trait<51, "Of a quantized operand: computes with its real numbers, and quantizes the results in the same way">;
def SeesReals        : Trait<52, "Of a quantized operand: computes with its real numbers">;
def UnitRange        : Trait<53, "Results lie between 0 and 1: of a quantized operand they have a scale for that">;
def SignedUnitRange  : Trait<54, "The same for -1 to 1">;
def AveragesUnits    : Trait<55, "Averages elements; a quantized operand's are its integers less the zero point">;
def AveragesIntegers : Trait<56, "The same of its integers, before the zero point is subtracted">;
// Of the column `devices`.
def MovesDevice      : Trait<57, "Puts operand 0 on a device, if it is not there">;
def TakesAnyDevice   : Trait<58, "Reads elements of any device by itself, or none">;
def ReadsGeometry    : Trait<59, "Of operand 0 it reads sizes, strides and dtype, and no elements">;
def TakesHostIndices : Trait<60, "Takes indices and lengths of the processor along with tensors of a device">;

class Variant;
def InPlace : Variant; // aten::add_.Tensor(Tensor(a!) self, …) -> Tensor(a!)
def Out     : Variant; // aten::add.out(…, *, Tensor(a!) out) -> Tensor(a!)

// A header with kernels of the family (the .td file) that it stands in, beside tsc/Kernels/<Family>.h and
// tsc/Runtime/Dispatch/Ops/<Family>.h, which are found by themselves.
class KernelHeader<string path_> { string path = path_; }

// What holds of values whatever they are, in literals of TorchScript. Empty: nothing.
class Laws<string right = "", string left = "", string absorbing = "", string same = "", string negating = ""> {
  string rightNeutral = right; // x op right is x
  string leftNeutral = left;   // left op x is x
  string absorbs = absorbing;  // x op absorbing and absorbing op x are absorbing
  string ofSame = same;        // x op x is this; `self`: is x
  string negates = negating;   // x op negating and negating op x are `not x`
}

class Op<string schema_> {
  string schema = schema_;   // PyTorch's, with alias annotations and overload name.
  string summary = "";       // One line for docs/Operators.md.
  list<Trait> traits = [];
  list<string> weights = []; // Operands, among the first 8, that kernels may rearrange before they compute.
  list<Variant> variants = [];
  string inPlaceName = ?;    // Overload name of the InPlace variant, where it is not the operator's.
  string outName = "";       // Overload name of the Out variant: "out", or "<overload>_out", when empty.
  list<string> outArgs = []; // Names of its out= arguments: ["out"] or the names of the results, when empty.
  string kernel = "";        // "cpu::name": unboxed, declared in tsc/Kernels/<Family>.h.
  string inPlaceKernel = ""; // "cpu::name": a Status; writes operand 0 itself. Else InPlace copies what `kernel` gives.
  string boxedKernel = "";   // "ops::name": Status (CallContext &, const IValue *const *args, IValue *results).
  // Its kernel for NVIDIA's GPUs: `cuda::name(arguments)`, a function of the library KernelsCUDA. An argument is an operand's name,
  // a whole number, or `inPlace`: whether the form writes its first operand. The in-place form has such a kernel only where this
  // stands there. Empty: the operator is fused, is made of others, or runs on the processor.
  string cudaKernel = "";
  // What propagation knows of the results, one entry a result, separated by `;` (docs/ShapeRules.md). Empty: nothing.
  string shape = "";         // `self`, or a rule of lib/Analysis/Shapes/Rules: `mm(self, mat2)`, `broadcast`.
  string dtype = "";         // `self`, `Long`, `promote`, …; alternatives by comma: `dtype,self`.
  string strides = "";       // contiguous, dense (contiguous where the operands are), elementwise, or a rule.
  code scalar = "";          // Point-wise operators: the value of one element.
  Laws laws = Laws<>;
  string fold = "";          // Which fold of elements it is: Sum, Mean, Product, Max, Min, Any, All. Its operands that say how
                             // are named `dim`, `keepdim` and `dtype`.
  string query = "";         // What it asks about operand 0, a tensor: an enumerator of TensorQuery.
  string containerQuery = ""; // What it reads of operand 0, a list or a dict: an enumerator of ContainerQuery.
  string listEdit = "";      // What it does to operand 0, a list: an enumerator of ListEdit.
  string partial = "";       // What it gives for numbers, strings and lists that are known in part: a function of
                             // lib/Analysis/Shapes/PartialValues.cpp.
  // Of an operator that has Python's meaning of another one (Python.td): that one's name, which the text of the IR, archives and
  // messages have in this one's place. The text has the mark [python=1] behind it.
  string spelling = "";
  string agrees = "";        // When both give the same, as operands show: an enumerator of PythonAgreement. Source then calls the other.
  // What it computes of ints, floats, bools or strings, a row of tsc/Runtime/Lowering/ScalarOps.def, so that lowered code
  // computes it without a call: `AddI`. Behind a colon stand the classes of operands for which there is one, and the row is
  // named by that of the overload: of `Add:IF`, `AddI` is for ints and `AddF` where one is a float. `swapped`: the row takes the
  // two operands in the other order.
  string scalarOp = "";
  string method = "";        // The method of the objects in operand 0 that it runs: `__lt__`.
  string functional = "";    // The operator, of another name, that gives what this one writes to operand 0. It has the same
                             // first operands; the others are None.
  // Of a view: the operator that gives operand 0 where what the view shows has been replaced. Its operands are that, what takes
  // the place, and the view's further ones.
  string scatter = "";
  string inverse = "";       // Of a view of all elements: the operator that undoes it. It has the view's further operands.
  // What it does with a quantized tensor: `takes` it as it is, as views and questions about sizes do by themselves; computes with
  // its real numbers and quantizes floating results in the same way (`keeps`), or with a scale for numbers from 0 to 1 (`unit`)
  // or from -1 to 1 (`signedUnit`), or not at all (`reals`). Averages keep the scheme too, and are computed of the integers less
  // the zero point (`units`: what is halfway between two integers stays there) or of the integers (`integers`). Empty: refuses it.
  string quantized = "";
  // What it does with tensors of a GPU, where views, questions and conversions need not say it: takes those of any device
  // (`any`), moves operand 0 from one to another (`moves`), reads no more of operand 0 than its geometry (`geometry`), or takes
  // indices and lengths that are the processor's (`hostIndices`). Empty: operands are on one device.
  string devices = "";
  string view = "";          // What kind of view it is: an enumerator of ViewKind.
  string arithmetic = "";    // Point-wise operators: which arithmetic combines `self` and `other`: an enumerator of ArithmeticKind. An
                             // operand `alpha` multiplies `other`.
  // It multiplies two matrices, as matmul does if they are none: the names of the left and the right one, with `.t` where the
  // factor is the transposed operand; then that of what is added to the product, if any. Operands `beta` and `alpha` multiply the
  // latter and the product.
  list<string> product = [];
  // It gives operand 0 as a value of the result's type: an enumerator of ConversionKind.
  string conversion = "";
  // The distribution that each element of its result is drawn from, independently of the others: an enumerator of Distribution, which
  // names the operands that are its parameters. The kernels of devices draw by it. Empty: another, or several calls share a state.
  string distribution = "";
  // The kind of device that it moves operand 0 to, or that it asks about operand 0: an enumerator of DeviceKind.
  string device = "";
  string clamp = "";         // It limits the elements of operand 0: the least and the greatest value, each a whole number, an
                             // operand's name or nothing: "0," of relu.
  // What a composite is made of: TorchScript source of a function of the operator's name, with the operator's parameters;
  // helpers may stand before it. Passes put it in the operator's place; fusion groups do, for floats and doubles, where
  // constants and ranks decide its branches and it can be fused: what it asserts of sizes is then looked at before a kernel
  // runs. A kernel beside it gives the same bits. (Of half types it computes in float and rounds once.)
  code decomposition = "";
  // `operand = gradient` lines, over the operands, `grad` and `result` (lib/Autodiff/Derivatives.cpp). Who asks sums a gradient
  // to the operand's size where that was broadcast. `operand = None`: its gradient is zero, as it decides sizes
  // or dtypes alone, or chooses between values (a condition, a tolerance). Of views and casts it decides sizes or dtypes alone.
  code derivative = "";
  // The node that PyTorch's text of its result names, `grad_fn=<MulBackward0>`: that name; a number where the rest is the operator's
  // own name; or a rule of lib/Runtime/Tape/NodeNames.cpp where it depends on sizes. Behind a comma, that of the in-place form where
  // it has another, or alone has one. Empty: not known, and such a result has no text. Point-wise operators with a derivative have 0.
  string backwardNode = "";
}

// What an element may be when a scalar body runs. Sub-word types compute in the next wider of these.
class ComputeType;
def Real : ComputeType; // float, double; half and bfloat16 compute in float
def Int  : ComputeType; // int64; the narrower integers compute in it and truncate
def Bool : ComputeType; // as Int with 0 and 1; the result is compared with 0
def Cplx : ComputeType; // complex float and double

// The scalar body is an expression over the operands' names, after `name = expression;` bindings: + - * /, comparisons,
// ! ~ && || & | ^ << >>, c ? a : b, numbers, inf, nan, pi, largest (finite value), has(optional operand), and the functions of
// utils/tsc-tblgen/ScalarFunctions.def. `/` truncates on integers. A string operand may only be compared with literals. A
// number compared with a literal in quotes, `exponent == "2"`, gets a body of its own for calls with that number.
class PointwiseOp<string schema_> : Op<schema_> {
  let traits = [Pointwise];
  let shape = "broadcast";
  let strides = "elementwise";
  // promote: torch.result_type of the operands. promote_float: the same, and the default float type for integers.
  // promote_int: the same, and int64 for bool.
  // bool: compares in the promoted type. self: the first tensor's; other operands do not take part.
  // real: as promote, and the real type for complex. real_float: as promote_float and real. double: at least double.
  // division: as promote_float without a rounding mode, else as promote.
  let dtype = "promote";
  // Operands that do not take part in `promote`. Those that do are rounded to the type that it gives, as a tensor would be.
  list<string> noPromote = [];
  list<ComputeType> types = [Real, Int, Bool, Cplx];
  code intScalar = "";         // Bodies for one compute type where `scalar` does not fit it.
  code boolScalar = "";
  code complexScalar = "";
  string check = "";           // checks::name: looks at the operands before the first write.
  string dispatchName = "";    // The name in '"name" not implemented for 'Long''; the operator's with _cpu when empty.
}
