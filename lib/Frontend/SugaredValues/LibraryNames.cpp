//===- LibraryNames.cpp - What the libraries of a program offer -----------===//
//
// Names are not listed here: candidates are the operators and the definitions of
// the prelude, and what counts is whether the compiler knows them.
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/LibraryNames.h"
#include "../Emitter/SourceResolver.h"
#include "Values.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Operator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace tsc;
using Kind = LibraryEntry::Kind;

ArrayRef<llvm::StringLiteral> tsc::libraryModules() {
  static constexpr llvm::StringLiteral modules[] = {"cmath",
                                                    "collections",
                                                    "dataclasses",
                                                    "enum",
                                                    "functools",
                                                    "math",
                                                    "pathlib",
                                                    "time",
                                                    "torch",
                                                    "torch.autograd",
                                                    "torch.cuda",
                                                    "torch.fft",
                                                    "torch.jit",
                                                    "torch.linalg",
                                                    "torch.nn",
                                                    "torch.nn.functional",
                                                    "torch.nn.init",
                                                    "torch.nn.utils",
                                                    "torch.nn.utils.rnn",
                                                    "torch.ops",
                                                    "torch.optim",
                                                    "torch.optim.lr_scheduler",
                                                    "torch.sparse",
                                                    "torch.special",
                                                    "typing",
                                                    "warnings"};
  return modules;
}

ArrayRef<llvm::StringLiteral> tsc::pythonNames() {
  static constexpr llvm::StringLiteral names[] = {
      "abs",       "all",    "any",        "bin",    "bool",      "chr",     "complex",  "dict",  "divmod",
      "enumerate", "filter", "float",      "format", "frozenset", "getattr", "hasattr",  "hash",  "hex",
      "id",        "int",    "isinstance", "iter",   "len",       "list",    "map",      "max",   "min",
      "oct",       "ord",    "pow",        "print",  "range",     "repr",    "reversed", "round", "set",
      "sorted",    "str",    "sum",        "super",  "tuple",     "zip"};
  return names;
}

/// Names that are looked at in their syntax, or are types, and so have no definition to be found by.
static ArrayRef<StringRef> formsOf(StringRef module) {
  static constexpr StringRef jit[] = {"Attribute",    "Final",      "annotate",  "export",
                                      "fork",         "ignore",     "interface", "isinstance",
                                      "is_scripting", "is_tracing", "script",    "script_if_tracing",
                                      "unused",       "wait"};
  static constexpr StringRef typing[] = {"Any",      "Callable", "Dict",  "Final", "List", "NamedTuple",  "Optional",
                                         "Sequence", "Set",      "Tuple", "Union", "cast", "assert_never"};
  static constexpr StringRef torch[] = {"Generator", "Tensor", "device", "dtype", "layout", "memory_format"};
  static constexpr StringRef autograd[] = {"backward", "grad"};
  static constexpr StringRef collections[] = {"Counter", "OrderedDict"};
  static constexpr StringRef functools[] = {"partial"};
  static constexpr StringRef dataclasses[] = {"dataclass", "field"};
  static constexpr StringRef enums[] = {"Enum", "IntEnum"};
  static constexpr StringRef nn[] = {"Parameter"};
  static constexpr StringRef time[] = {"time"};
  static constexpr StringRef warnings[] = {"warn"};
  return module == "torch.jit"        ? ArrayRef(jit)
         : module == "typing"         ? ArrayRef(typing)
         : module == "torch"          ? ArrayRef(torch)
         : module == "torch.autograd" ? ArrayRef(autograd)
         : module == "collections"    ? ArrayRef(collections)
         : module == "dataclasses"    ? ArrayRef(dataclasses)
         : module == "enum"           ? ArrayRef(enums)
         : module == "functools"      ? ArrayRef(functools)
         : module == "torch.nn"       ? ArrayRef(nn)
         : module == "time"           ? ArrayRef(time)
         : module == "warnings"       ? ArrayRef(warnings)
                                      : ArrayRef<StringRef>();
}

static ArrayRef<StringRef> constantsOf(StringRef module) {
  static constexpr StringRef torch[] = {"bfloat16",
                                        "bool",
                                        "cdouble",
                                        "cfloat",
                                        "channels_last",
                                        "channels_last_3d",
                                        "complex128",
                                        "complex64",
                                        "contiguous_format",
                                        "double",
                                        "float",
                                        "float16",
                                        "float32",
                                        "float64",
                                        "half",
                                        "inf",
                                        "int",
                                        "int16",
                                        "int32",
                                        "int64",
                                        "int8",
                                        "long",
                                        "nan",
                                        "pi",
                                        "preserve_format",
                                        "qint32",
                                        "qint8",
                                        "quint8",
                                        "short",
                                        "sparse_coo",
                                        "strided",
                                        "uint8"};
  static constexpr StringRef math[] = {"e", "inf", "nan", "pi", "tau"};
  return module == "torch"                       ? ArrayRef(torch)
         : module == "math" || module == "cmath" ? ArrayRef(math)
                                                 : ArrayRef<StringRef>();
}

/// Operators that `torch.nn.functional` has as they are; its other functions are text of ours.
static ArrayRef<StringRef> functionalOperators() {
  static constexpr StringRef names[] = {"adaptive_avg_pool1d",
                                        "avg_pool1d",
                                        "avg_pool2d",
                                        "avg_pool3d",
                                        "bilinear",
                                        "celu_",
                                        "channel_shuffle",
                                        "conv1d",
                                        "conv2d",
                                        "conv3d",
                                        "conv_tbc",
                                        "conv_transpose1d",
                                        "conv_transpose2d",
                                        "conv_transpose3d",
                                        "cosine_similarity",
                                        "elu_",
                                        "gelu",
                                        "hardshrink",
                                        "hardtanh_",
                                        "leaky_relu_",
                                        "linear",
                                        "logsigmoid",
                                        "one_hot",
                                        "pairwise_distance",
                                        "pdist",
                                        "pixel_shuffle",
                                        "pixel_unshuffle",
                                        "prelu",
                                        "relu_",
                                        "rrelu_",
                                        "scaled_dot_product_attention",
                                        "selu_",
                                        "softplus",
                                        "softshrink",
                                        "threshold_"};
  return names;
}

static ArrayRef<StringRef> mathOperators() {
  static constexpr StringRef names[] = {
      "acos",  "acosh",   "asin", "asinh",   "atan",     "atan2", "atanh", "ceil",      "copysign", "cos",
      "cosh",  "degrees", "erf",  "erfc",    "exp",      "expm1", "fabs",  "factorial", "floor",    "fmod",
      "frexp", "gamma",   "gcd",  "isclose", "isfinite", "isinf", "isnan", "ldexp",     "lgamma",   "log",
      "log10", "log1p",   "log2", "modf",    "phase",    "polar", "pow",   "radians",   "rect",     "remainder",
      "sin",   "sinh",    "sqrt", "tan",     "tanh",     "trunc"};
  return names;
}

static StringRef firstParagraph(StringRef text) { return text.trim().split("\n\n").first; }

/// `name(parameters) -> result`, as its author wrote it.
static std::string signatureOf(const Def &def, StringRef name, bool isMethod) {
  std::string text = name.str() + "(";
  bool first = true;
  for (const Param *param : def.params()) {
    if (std::exchange(isMethod, false)) // self
      continue;
    text += (first ? "" : ", ") + param->spelling().str();
    first = false;
  }
  text += ")";
  if (def.returnType())
    text += " -> " + def.returnType()->spelling().str();
  return text;
}

static std::string docstringOf(TreeList<Stmt> body) {
  auto *statement = body.empty() ? nullptr : llvm::dyn_cast<ExprStmt>(body[0]);
  auto *text = statement ? llvm::dyn_cast<StringLiteral>(statement->value()) : nullptr;
  return text ? firstParagraph(text->value()).str() : "";
}

static LibraryEntry entryOf(const Tree &definition, StringRef name) {
  if (auto *def = llvm::dyn_cast<Def>(&definition))
    return {Kind::Function, "", signatureOf(*def, name, false), docstringOf(def->body())};
  auto *type = llvm::dyn_cast<ClassDef>(&definition);
  if (!type)
    return {Kind::Constant, "", "", ""};
  LibraryEntry entry{Kind::Class, "", name.str() + "()", docstringOf(type->body())};
  for (const Tree *statement : type->body())
    if (auto *def = llvm::dyn_cast<Def>(statement); def && def->name() == "__init__")
      entry.signature = signatureOf(*def, name, true);
  return entry;
}

static LibraryEntry operatorEntry(StringRef op) {
  for (const OpRecord &record : opRecordsNamed(op))
    if (!record.summary.empty())
      return {Kind::Operator, op.str(), "", record.summary.str()};
  return {Kind::Operator, op.str(), "", ""};
}

std::optional<LibraryEntry> tsc::libraryEntry(Compiler &owner, StringRef path) {
  Compiler::Impl &compiler = owner.implementation();
  auto [module, name] = path.rsplit('.');
  if (llvm::is_contained(libraryModules(), path))
    return LibraryEntry{Kind::Module, "", "", ""};
  if (isLibraryModule(compiler, path))
    return entryOf(*compiler.prelude(nnPrelude)->definition(name), name);
  if (llvm::is_contained(formsOf(module), name))
    return LibraryEntry{Kind::Form, "", "", ""};
  if (name.empty())
    return std::nullopt;
  SugaredArena arena;
  SugaredValue *value = libraryValue(compiler, arena, path);
  if (!value)
    return std::nullopt;
  // Functions of the library are found by their text.
  for (const PreludeModule *prelude : {module == "torch"                   ? &torchPrelude
                                       : module == "torch.nn.functional"   ? &functionalPrelude
                                       : module == "torch.nn.init"         ? &initPrelude
                                       : module == "torch.nn.utils"        ? &utilsPrelude
                                       : module == "torch.nn.utils.rnn"    ? &sequencesPrelude
                                       : module == "torch.cuda"            ? &cudaPrelude
                                       : module == "pathlib"               ? &pathlibPrelude
                                       : module.starts_with("torch.optim") ? &optimPrelude
                                                                           : nullptr})
    if (prelude && !dynamic_cast<BuiltinFunction *>(value))
      if (const Tree *definition = compiler.prelude(*prelude)->definition(name))
        return entryOf(*definition, name);
  if (auto *builtin = dynamic_cast<BuiltinFunction *>(value))
    return operatorEntry(builtin->name.qualified());
  switch (value->kind()) {
  case SugaredKind::Constant: return LibraryEntry{Kind::Constant, "", "", ""};
  case SugaredKind::Namespace: return std::nullopt; // any name without a dot is one
  case SugaredKind::Form: return LibraryEntry{Kind::Form, "", "", ""};
  case SugaredKind::Function: {
    const Function *function = llvm::cast<FunctionSugar>(value)->functions.front();
    return function ? std::optional(LibraryEntry{Kind::Function, "", function->schema().str(), ""}) : std::nullopt;
  }
  default: return LibraryEntry{Kind::Function, "", "", ""};
  }
}

std::vector<std::string> tsc::libraryMembers(Compiler &owner, StringRef module) {
  Compiler::Impl &compiler = owner.implementation();
  llvm::StringSet<> candidates;
  for (StringRef name : formsOf(module))
    candidates.insert(name);
  for (StringRef name : constantsOf(module))
    candidates.insert(name);
  for (StringRef known : libraryModules())
    if (StringRef rest = known; rest.consume_front(module) && rest.consume_front(".") && !rest.contains('.'))
      candidates.insert(rest);
  StringRef group = module == "torch.linalg"    ? "linalg_"
                    : module == "torch.special" ? "special_"
                    : module == "torch.fft"     ? "fft_"
                    : module == "torch.sparse"  ? "_sparse_"
                                                : "";
  const bool hasOperators = module == "torch" || !group.empty();
  for (StringRef name : module == "torch.nn.functional"         ? functionalOperators()
                        : module == "math" || module == "cmath" ? mathOperators()
                                                                : ArrayRef<StringRef>())
    candidates.insert(name);
  for (const OpRecord &record : hasOperators ? allOpRecords() : ArrayRef<OpRecord>())
    if (StringRef name = record.qualified;
        name.consume_front("aten::") && name.consume_front(group) && record.schema.contains("Tensor"))
      candidates.insert(name);
  for (const PreludeModule *prelude :
       {module == "torch" ? &torchPrelude : nullptr, module == "torch.nn.functional" ? &functionalPrelude : nullptr,
        module == "torch.nn.functional" ? &attentionPrelude : nullptr, module == "torch.nn" ? &nnPrelude : nullptr,
        module == "torch.nn.init" ? &initPrelude : nullptr, module == "torch.nn.utils" ? &utilsPrelude : nullptr,
        module == "torch.nn.utils.rnn" ? &sequencesPrelude : nullptr, module == "torch.cuda" ? &cudaPrelude : nullptr,
        module.starts_with("torch.optim") ? &optimPrelude : nullptr, module == "pathlib" ? &pathlibPrelude : nullptr})
    if (prelude)
      for (StringRef name : compiler.prelude(*prelude)->definedNames())
        candidates.insert(name);
  std::vector<std::string> members;
  for (StringRef name : candidates.keys()) {
    if (name.starts_with("_") || name.ends_with("_backward"))
      continue;
    if (libraryEntry(owner, (module + "." + name).str()))
      members.push_back(name.str());
  }
  llvm::sort(members);
  return members;
}

//===-- Members of values --------------------------------------------------===//

static bool takesAsSelf(Context &context, StringRef op, const Type *type) {
  return llvm::any_of(context.operators().overloads(context.symbol(op)), [&](const Operator *overload) {
    auto arguments = overload->schema().arguments();
    if (arguments.empty() || (arguments[0].name != "self" && arguments[0].name != "input"))
      return false;
    const Type *first = arguments[0].type;
    if (type->isTensor())
      return first->isTensor();
    if (llvm::isa<ListType>(type))
      return llvm::isa<ListType>(first);
    if (llvm::isa<DictType>(type))
      return llvm::isa<DictType>(first);
    return first->kind() == type->kind();
  });
}

/// Operators that programs write otherwise: `a + b`, `len(a)`, `int(a)`.
static bool isWrittenOtherwise(const Type *type, StringRef name) {
  static constexpr StringRef lists[] = {"append", "clear", "copy",   "count",   "extend", "index",
                                        "insert", "pop",   "remove", "reverse", "sort"};
  static constexpr StringRef dicts[] = {"clear", "copy",    "get",        "items",  "keys",
                                        "pop",   "popitem", "setdefault", "update", "values"};
  static constexpr StringRef notOfStrings[] = {"add", "eq",  "ge", "gt",  "hash",  "le",  "len",   "list",
                                               "lt",  "mul", "ne", "ord", "slice", "str", "tensor"};
  if (llvm::isa<ListType>(type))
    return !llvm::is_contained(lists, name);
  if (llvm::isa<DictType>(type))
    return !llvm::is_contained(dicts, name);
  return llvm::isUpper(name[0]) || (type->isString() && llvm::is_contained(notOfStrings, name));
}

std::string tsc::operatorMember(Context &context, const Type *type, StringRef name) {
  if (StringRef op = attributeOperator(type, name); !op.empty())
    return op.str();
  std::string op = ("aten::" + name).str();
  return takesAsSelf(context, op, type) ? op : "";
}

std::vector<std::string> tsc::operatorMembers(Context &context, const Type *type) {
  static constexpr StringRef tensorOnly[] = {
      "T",     "H",      "mT",        "mH",      "bfloat16", "bool",   "byte",          "char",
      "data",  "device", "double",    "dtype",   "float",    "grad",   "half",          "imag",
      "int",   "long",   "is_sparse", "layout",  "ndim",     "real",   "requires_grad", "shape",
      "short", "tolist", "type",      "type_as", "itemsize", "nbytes", "is_leaf"};
  std::vector<std::string> names;
  if (type->isTensor())
    names.assign(std::begin(tensorOnly), std::end(tensorOnly));
  if (type->isDevice())
    names = {"index", "type"};
  if (!type->isTensor() && !type->isString() && !llvm::isa<ListType, DictType>(type))
    return names;
  StringRef last;
  for (const OpRecord &record : allOpRecords()) {
    StringRef name = record.qualified;
    if (name == last || !name.consume_front("aten::") || name.starts_with("_") || name.ends_with("_backward"))
      continue;
    last = record.qualified;
    if (!isWrittenOtherwise(type, name) && takesAsSelf(context, record.qualified, type))
      names.push_back(name.str());
  }
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  return names;
}

bool tsc::isTransparentDecorator(StringRef path) {
  if (path.consume_front("torch.jit.") || path.consume_front("torch._jit_internal.")) {
    static constexpr StringRef ofJit[] = {"script",
                                          "export",
                                          "ignore",
                                          "unused",
                                          "interface",
                                          "script_method",
                                          "script_if_tracing",
                                          "_copy_to_script_wrapper",
                                          "_overload",
                                          "_overload_method"};
    return llvm::is_contained(ofJit, path);
  }
  static constexpr StringRef others[] = {"dataclasses.dataclass",
                                         "enum.unique",
                                         "torch.fx.wrap",
                                         "typing.final",
                                         "typing.no_type_check",
                                         "typing.overload",
                                         "typing_extensions.override"};
  return llvm::is_contained(others, path);
}
