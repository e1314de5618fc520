//===- Library.cpp - Names of Python and its libraries --------------------===//
//
// What `torch.X`, `math.X`, `torch.jit.X` and Python's own names denote. A name
// that is an operator's needs no line here.
//
//===----------------------------------------------------------------------===//
#include "../Emitter/ArchiveResolver.h"
#include "../Emitter/SourceResolver.h"
#include "../Emitter/TypeExpressions.h"
#include "Values.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Operator.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>
#include <numbers>

using namespace tsc;

bool tsc::isNamedOperator(Compiler::Impl &compiler, Symbol name) {
  return !compiler.context.operators().overloads(name).empty();
}

bool tsc::isMadeByPasses(Compiler::Impl &compiler, Symbol name) {
  ArrayRef<const Operator *> overloads = compiler.context.operators().overloads(name);
  return llvm::any_of(overloads,
                      [](const Operator *op) { return op->record() && op->record()->has(Trait::MadeByPasses); });
}

SugaredValue *tsc::sugarForType(SugaredArena &arena, const Type *type) {
  if (auto *classType = llvm::dyn_cast<ClassType>(type))
    return arena.make<ClassSugar>(const_cast<ClassType *>(classType));
  if (auto *enumType = llvm::dyn_cast<EnumType>(type))
    return arena.make<EnumSugar>(enumType);
  if (auto *tuple = llvm::dyn_cast<TupleType>(type); tuple && tuple->isNamed())
    return arena.make<NamedTupleSugar>(tuple);
  return arena.make<TypeSugar>(type);
}

std::optional<std::pair<IValue, const Type *>> tsc::torchConstant(StringRef name) {
  if (std::optional<DType> dtype = dtypeFromPythonName(name))
    return std::pair(IValue(*dtype), Type::intType());
  std::optional<DType> alias = llvm::StringSwitch<std::optional<DType>>(name)
                                   .Case("float", DType::Float)
                                   .Case("double", DType::Double)
                                   .Case("half", DType::Half)
                                   .Case("int", DType::Int32)
                                   .Case("long", DType::Int64)
                                   .Case("short", DType::Int16)
                                   .Case("bool", DType::Bool)
                                   .Case("cfloat", DType::ComplexFloat)
                                   .Case("cdouble", DType::ComplexDouble)
                                   .Case("chalf", DType::ComplexHalf)
                                   .Default(std::nullopt);
  if (alias)
    return std::pair(IValue(*alias), Type::intType());
  int64_t number = llvm::StringSwitch<int64_t>(name)
                       .Case("strided", 0)
                       .Case("sparse_coo", 1)
                       .Case("sparse_csr", 2)
                       .Case("contiguous_format", 0)
                       .Case("preserve_format", 1)
                       .Case("channels_last", 2)
                       .Case("channels_last_3d", 3)
                       .Default(-1);
  if (number >= 0)
    return std::pair(IValue(number), Type::intType());
  return std::nullopt;
}

static std::optional<double> mathConstant(StringRef name) {
  return llvm::StringSwitch<std::optional<double>>(name)
      .Case("pi", std::numbers::pi)
      .Case("e", std::numbers::e)
      .Case("inf", HUGE_VAL)
      .Case("nan", std::nan(""))
      .Case("tau", 2 * std::numbers::pi)
      .Default(std::nullopt);
}

static std::optional<FormKind> libraryForm(StringRef path) {
  return llvm::StringSwitch<std::optional<FormKind>>(path)
      .Cases("torch.jit.annotate", "torch.jit._annotate", FormKind::Annotate)
      .Cases("torch.jit.isinstance", "torch._jit_internal._isinstance", FormKind::JitIsInstance)
      .Cases("torch.jit.fork", "torch.jit._fork", "torch._C.fork", FormKind::Fork)
      .Case("torch.jit._awaitable", FormKind::Fork) // which may run before somebody waits for it
      .Case("torch.jit.Attribute", FormKind::JitAttribute)
      .Case("typing.cast", FormKind::CastTyping)
      .Cases("typing.assert_never", "typing_extensions.assert_never", FormKind::AssertNever)
      .Case("collections.OrderedDict", FormKind::Dict)
      .Case("collections.Counter", FormKind::Counter)
      .Case("functools.partial", FormKind::Partial)
      .Case("torch.is_tensor", FormKind::IsTensor)
      .Cases("torch.jit.is_scripting", "torch._jit_internal.is_scripting", FormKind::TrueConstant)
      .Cases("torch.jit.is_tracing", "torch._C._get_tracing_state", "torch.overrides.has_torch_function",
             "torch.overrides.has_torch_function_unary", "torch.overrides.has_torch_function_variadic",
             FormKind::FalseConstant)
      .Default(std::nullopt);
}

static StringRef libraryOperator(StringRef path) {
  return llvm::StringSwitch<StringRef>(path)
      .Cases("torch.jit.wait", "torch.jit._wait", "torch.jit._awaitable_wait", "aten::wait")
      .Case("torch.jit._unwrap_optional", "aten::_unwrap_optional")
      .Case("warnings.warn", "aten::warn")
      .Case("torch.is_grad_enabled", "aten::is_grad_enabled")
      .Case("math.fabs", "aten::fabs")
      .Case("torch._assert", "aten::_assert")
      .Case("torch.get_default_dtype", "aten::get_default_dtype")
      .Case("time.time", "aten::time")
      .Case("torch.save", "tsc::save")
      .Case("torch.load", "tsc::load")
      .Default("");
}

/// Functions of the prelude that flags or the types of arguments select.
static SugaredValue *selectedFunction(Compiler::Impl &compiler, SugaredArena &arena, const PreludeModule &module,
                                      StringRef name) {
  using Flags = llvm::SmallVector<FlaggedFunction::Flag, 2>;
  bool isTorch = &module == &torchPrelude;
  Flags flags = llvm::StringSwitch<Flags>(name)
                    .Cases("max_pool1d", "max_pool2d", "max_pool3d", isTorch ? Flags() : Flags{{"return_indices", 6}})
                    .Cases("adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d",
                           isTorch ? Flags() : Flags{{"return_indices", 2}})
                    .Case("unique", isTorch ? Flags{{"return_inverse", 2}, {"return_counts", 3}} : Flags())
                    .Case("unique_consecutive", isTorch ? Flags{{"return_inverse", 1}, {"return_counts", 2}} : Flags())
                    .Default({});
  if (!flags.empty())
    return arena.make<FlaggedFunction>(module, name.str(), std::move(flags));
  if (!isTorch)
    return nullptr;
  std::vector<Function *> overloads;
  static constexpr StringRef stft[] = {"stft"};
  static constexpr StringRef norms[] = {"norm", "_norm_of_order"};
  static constexpr StringRef products[] = {"tensordot", "_tensordot_of_pairs", "_tensordot_of_lists",
                                           "_tensordot_of_tensor"};
  for (StringRef overload : name == "stft"        ? ArrayRef<StringRef>(stft)
                            : name == "norm"      ? ArrayRef<StringRef>(norms)
                            : name == "tensordot" ? ArrayRef<StringRef>(products)
                                                  : ArrayRef<StringRef>())
    overloads.push_back(compiler.prelude(module)->function(overload));
  return overloads.empty() ? nullptr : arena.make<FunctionSugar>(std::move(overloads));
}

bool tsc::isLibrary(StringRef name) {
  return name == "torch" || name == "math" || name == "warnings" || name == "time" || name == "typing" ||
         name == "pathlib" || name == "collections" || name == "cmath" || name == "enum" || name == "dataclasses" ||
         name == "functools";
}

bool tsc::isKnownModule(StringRef path) {
  StringRef root = path.split('.').first;
  static constexpr StringRef ofPython[] = {
      "__future__", "abc",     "argparse",         "contextlib", "copy", "inspect", "io", "itertools",
      "json",       "logging", "numbers",          "operator",   "os",   "random",  "re", "string",
      "sys",        "types",   "typing_extensions"};
  return isLibrary(root) || llvm::is_contained(ofPython, root);
}

/// The operator of that name, if there is one.
static SugaredValue *builtin(Compiler::Impl &compiler, SugaredArena &arena, const llvm::Twine &qualified) {
  Symbol symbol = compiler.context.symbol(qualified.str());
  return isNamedOperator(compiler, symbol) ? arena.make<BuiltinFunction>(symbol) : nullptr;
}

/// cmath.`name`: the operator of complex numbers, whatever it is given.
static SugaredValue *complexValue(Compiler::Impl &compiler, SugaredArena &arena, StringRef name) {
  if (std::optional<double> value = mathConstant(name))
    return arena.make<ConstantSugar>(IValue(*value));
  if (name == "infj" || name == "nanj")
    return arena.make<ConstantSugar>(IValue(std::complex<double>(0, *mathConstant(name.drop_back()))));
  if (name == "phase")
    name = "angle";
  SugaredValue *value = name == "rect" || name == "polar"
                            ? compiler.prelude(pythonPrelude)->resolveValue(("complex_" + name).str(), {})
                            : builtin(compiler, arena, "aten::" + name);
  if (auto *function = llvm::dyn_cast_or_null<BuiltinFunction>(value))
    function->numbers = aten::Complex;
  return value;
}

/// math.`name`
static SugaredValue *mathValue(Compiler::Impl &compiler, SugaredArena &arena, StringRef name) {
  if (std::optional<double> value = mathConstant(name))
    return arena.make<ConstantSugar>(IValue(*value));
  if (name == "trunc")
    return arena.make<CastFunction>(Type::intType(), aten::Int);
  if (llvm::is_contained(
          {"cbrt", "comb", "dist", "exp2", "fsum", "hypot", "isclose", "isqrt", "lcm", "log2", "perm", "prod"}, name)) {
    SourceResolver *file = compiler.prelude(pythonPrelude);
    file->setIsUsers();
    file->setHasTemplates();
    return arena.make<ClosureSugar>(*file->definition(("math_" + name).str()), *file, nullptr);
  }
  SugaredValue *value = builtin(compiler, arena, name == "remainder" ? "aten::mathremainder" : "aten::" + name);
  if (auto *function = llvm::dyn_cast_or_null<BuiltinFunction>(value);
      function && (name == "pow" || name == "frexp" || name == "modf")) // always of floats
    function->numbers = aten::Float;
  if (auto *function = llvm::dyn_cast_or_null<BuiltinFunction>(value))
    function->isOfReals = true;
  return value;
}

/// A function of the prelude with its overloads: those of `name` are `name` itself and what begins with `_name_of_`.
static SugaredValue *overloadedFunction(Compiler::Impl &compiler, SugaredArena &arena, const PreludeModule &module,
                                        StringRef name) {
  SourceResolver &resolver = *compiler.prelude(module);
  const std::string start = ("_" + name + "_of_").str();
  std::vector<Function *> overloads;
  for (StringRef defined : resolver.definedNames())
    if (defined.starts_with(start))
      overloads.push_back(resolver.function(defined));
  if (overloads.empty())
    return resolver.resolveValue(name, {});
  overloads.insert(overloads.begin(), resolver.function(name));
  return arena.make<FunctionSugar>(std::move(overloads));
}

/// torch.`name`
static SugaredValue *torchValue(Compiler::Impl &compiler, SugaredArena &arena, StringRef name) {
  if (std::optional<DType> dtype = legacyDType(name))
    return arena.make<LegacyConstructor>(name.str(), *dtype);
  if (auto known = torchConstant(name))
    return arena.make<ConstantSugar>(known->first, known->second);
  if (std::optional<double> value = mathConstant(name); value && name != "e")
    return arena.make<ConstantSugar>(IValue(*value));
  if (SugaredValue *value = selectedFunction(compiler, arena, torchPrelude, name))
    return value;
  if (name == "_assert") {
    SourceResolver *file = compiler.prelude(torchPrelude);
    return arena.make<FunctionSugar>(
        std::vector<Function *>{file->function("_assert"), file->function("_assert_tensor")});
  }
  if (llvm::is_contained({"no_grad", "enable_grad", "finfo", "iinfo", "get_default_dtype", "norm_except_dim"}, name))
    return compiler.prelude(torchPrelude)->resolveValue(name, {});
  if (name == "quantized_lstm" || name == "quantized_gru")
    return overloadedFunction(compiler, arena, quantizedPrelude, name);
  return builtin(compiler, arena, "aten::" + name);
}

/// torch.nn.functional.`name`
static SugaredValue *functionalValue(Compiler::Impl &compiler, SugaredArena &arena, StringRef name) {
  if (SugaredValue *value = selectedFunction(compiler, arena, functionalPrelude, name))
    return value;
  if (name == "multi_head_attention_forward")
    return compiler.prelude(attentionPrelude)->resolveValue(name, {});
  if (SugaredValue *value = compiler.prelude(functionalPrelude)->resolveValue(name, {}))
    return value;
  return builtin(compiler, arena, "aten::" + name);
}

/// The module of the prelude that is all of a module of the library; null for none.
static const PreludeModule *preludeModule(StringRef module) {
  return llvm::StringSwitch<const PreludeModule *>(module)
      .Case("torch._gradients", &gradientsPrelude) // what formulas of derivatives share
      .Cases("torch.optim", "torch.optim.lr_scheduler", &optimPrelude)
      .Case("torch.nn.utils", &utilsPrelude)
      .Case("torch.nn.utils.rnn", &sequencesPrelude)
      .Case("torch.cuda", &cudaPrelude)
      .Cases("torch.mps", "torch.xpu", "torch.backends.mps", &absentDevicesPrelude)
      .Case("pathlib", &pathlibPrelude)
      .Cases("torch.ops.profiler", "torch.classes.profiler", &profilerPrelude)
      .Cases("torch.ops.quantized", "torch.ops._quantized", "torch.classes.quantized", &quantizedPrelude)
      .Case("torch.classes.rnn", &cellsPrelude)
      .Case("torch.ops.torchaudio", &audioPrelude)
      .Cases("torch.ops.prepacked", "torch.classes.xnnpack", &prepackedPrelude)
      .Default(nullptr);
}

const Type *tsc::libraryClass(Compiler::Impl &compiler, StringRef path) {
  auto [module, name] = path.rsplit('.');
  const PreludeModule *prelude = preludeModule(module);
  return prelude ? compiler.prelude(*prelude)->classNamed(name) : nullptr;
}

/// Whether programs may name what begins with an underscore: the names are PyTorch's.
static bool hasPublicUnderscores(const PreludeModule *prelude) {
  return llvm::is_contained({&gradientsPrelude, &profilerPrelude, &audioPrelude}, prelude);
}

/// What a member of one of the library's modules is; null for none.
static SugaredValue *memberOf(Compiler::Impl &compiler, SugaredArena &arena, StringRef module, StringRef name) {
  if (module == "math")
    return mathValue(compiler, arena, name);
  if (module == "cmath")
    return complexValue(compiler, arena, name);
  if (module == "torch")
    return torchValue(compiler, arena, name);
  if (module == "torch.nn.functional")
    return functionalValue(compiler, arena, name);
  if ((name == "record_function" && (module == "torch.profiler" || module == "torch.autograd.profiler")) ||
      (name == "strict_fusion" && module == "torch.jit"))
    return compiler.prelude(torchPrelude)->resolveValue(name, {});
  if (module == "torch.autograd" && (name == "grad" || name == "backward"))
    return builtin(compiler, arena, "aten::" + name);
  if (const PreludeModule *prelude = preludeModule(module))
    return name.starts_with("_") && !hasPublicUnderscores(prelude) ? nullptr
           : prelude == &quantizedPrelude || prelude == &sequencesPrelude
               ? overloadedFunction(compiler, arena, *prelude, name)
               : compiler.prelude(*prelude)->resolveValue(name, {});
  if (module == "torch.nn.init")
    for (const PreludeModule *prelude : {&torchPrelude, &initPrelude})
      if (SugaredValue *value = compiler.prelude(*prelude)->resolveValue(name, {}))
        return value;
  if (module == "torch.functional")
    if (SugaredValue *value = selectedFunction(compiler, arena, torchPrelude, name))
      return value;
  for (StringRef plain : {"torch.nn.init", "torch.functional", "torch._VF", "torch._C._nn", "torch._C._sparse",
                          "torch._C", "torch.Tensor"})
    if (module == plain)
      return builtin(compiler, arena, "aten::" + name);
  for (StringRef group : {"linalg", "special", "fft"})
    if (module == ("torch." + group).str()) {
      SugaredValue *value = builtin(compiler, arena, "aten::" + group + "_" + name);
      if (!value && group == "special") // special.softmax and softmax are one
        value = builtin(compiler, arena, "aten::" + name);
      return value;
    }
  if (module == "torch.sparse")
    return builtin(compiler, arena, "aten::_sparse_" + name);
  if (module.starts_with("torch.ops.") && !module.drop_front(10).contains('.'))
    return builtin(compiler, arena, module.drop_front(10) + "::" + name);
  return nullptr;
}

static bool isModule(StringRef path) {
  static const llvm::StringLiteral modules[] = {"torch.nn",
                                                "torch.nn.functional",
                                                "torch.nn.init",
                                                "torch.jit",
                                                "torch.linalg",
                                                "torch.special",
                                                "torch.fft",
                                                "torch.sparse",
                                                "torch.ops",
                                                "torch.classes",
                                                "torch.classes.xnnpack",
                                                "torch.classes.quantized",
                                                "torch.classes.rnn",
                                                "torch.classes.profiler",
                                                "torch._jit_internal",
                                                "torch.overrides",
                                                "torch.functional",
                                                "torch._gradients",
                                                "torch._C",
                                                "torch._C._nn",
                                                "torch._C._sparse",
                                                "torch.Tensor",
                                                "torch.autograd",
                                                "torch.autograd.profiler",
                                                "torch.profiler",
                                                "torch.random",
                                                "torch.cuda",
                                                "torch._VF",
                                                "torch.nn.utils",
                                                "torch.nn.utils.rnn",
                                                "torch.mps",
                                                "torch.xpu",
                                                "torch.backends.mps",
                                                "torch.optim",
                                                "torch.optim.lr_scheduler",
                                                "torch.utils",
                                                "torch.backends"};
  return llvm::is_contained(modules, path) || path.rsplit('.').first == "torch.ops" || !path.contains('.');
}

std::optional<IValue> tsc::pythonConstant(StringRef path) {
  if (path == "sys.maxsize")
    return IValue(std::numeric_limits<int64_t>::max());
  if (!path.consume_front("string."))
    return std::nullopt;
  static constexpr StringRef lower = "abcdefghijklmnopqrstuvwxyz", upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                             digits = "0123456789", marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
                             spaces = " \t\n\r\x0b\x0c";
  const std::string text = llvm::StringSwitch<std::string>(path)
                               .Case("ascii_lowercase", lower.str())
                               .Case("ascii_uppercase", upper.str())
                               .Case("ascii_letters", (lower + upper).str())
                               .Case("digits", digits.str())
                               .Case("hexdigits", (digits + "abcdefABCDEF").str())
                               .Case("octdigits", "01234567")
                               .Case("punctuation", marks.str())
                               .Case("whitespace", spaces.str())
                               .Case("printable", (digits + lower + upper + marks + spaces).str())
                               .Default("");
  return text.empty() ? std::nullopt : std::optional<IValue>(IValue(text));
}

SugaredValue *tsc::libraryValue(Compiler::Impl &compiler, SugaredArena &arena, StringRef path) {
  if (std::optional<IValue> value = pythonConstant(path))
    return arena.make<ConstantSugar>(*value);
  if (std::optional<FormKind> form = libraryForm(path))
    return arena.make<SpecialForm>(*form, path.str());
  if (StringRef op = libraryOperator(path); !op.empty() && isNamedOperator(compiler, compiler.context.symbol(op)))
    return arena.make<BuiltinFunction>(compiler.context.symbol(op));
  auto [module, name] = path.rsplit('.');
  if (!name.empty())
    if (SugaredValue *value = memberOf(compiler, arena, module, name))
      return value;
  return isModule(path) ? arena.make<NamespaceSugar>(path.str(), false) : nullptr;
}

SugaredValue *NamespaceSugar::attribute(FunctionEmitter &e, SourceRange range, StringRef name) {
  std::string full = path + "." + name.str();
  Compiler::Impl &compiler = e.compiler;
  if (archive) {
    if (SugaredValue *value = compiler.archive ? compiler.archive->member(path, name) : nullptr)
      return value;
    return e.error(range, diag::UndefinedMember, describe(), name, "");
  }
  if (SugaredValue *value = libraryValue(compiler, compiler.arena, full))
    return value;
  if (const Type *type = e.resolver.resolveType(full, range))
    return sugarForType(compiler.arena, type);
  std::string note;
  if (StringRef(path) == "torch")
    for (const std::string &near : e.context.operators().similarNames("aten::" + name.str(), 1))
      note = ", did you mean 'torch." +
             StringRef(near).drop_front(near.find("::") == std::string::npos ? 0 : near.find("::") + 2).str() + "'?";
  if (!isLibrary(StringRef(path).split('.').first))
    note = isKnownModule(path) ? ": compiled code does not know Python's '" + path + "'"
                               : ": this is no library that is known here, and no file in the program's folder";
  return e.error(range, diag::UndefinedMember, describe(), name, note);
}

bool NamespaceSugar::hasAttribute(FunctionEmitter &e, StringRef name) {
  return !archive && libraryValue(e.compiler, e.compiler.arena, path + "." + name.str());
}

SugaredValue *tsc::pythonBuiltin(Compiler::Impl &compiler, SugaredArena &arena, StringRef name) {
  std::optional<FormKind> form = llvm::StringSwitch<std::optional<FormKind>>(name)
                                     .Case("print", FormKind::Print)
                                     .Case("len", FormKind::Len)
                                     .Case("range", FormKind::Range)
                                     .Case("enumerate", FormKind::Enumerate)
                                     .Case("zip", FormKind::Zip)
                                     .Case("list", FormKind::List)
                                     .Case("dict", FormKind::Dict)
                                     .Case("tuple", FormKind::Tuple)
                                     .Case("reversed", FormKind::Reversed)
                                     .Case("isinstance", FormKind::IsInstance)
                                     .Case("hasattr", FormKind::HasAttr)
                                     .Case("getattr", FormKind::GetAttr)
                                     .Case("super", FormKind::Super)
                                     .Case("type", FormKind::TypeOf)
                                     .Case("annotate", FormKind::Annotate)
                                     .Case("unchecked_cast", FormKind::UncheckedCast)
                                     .Case("uninitialized", FormKind::Uninitialized)
                                     .Case("fork", FormKind::Fork)
                                     .Default(std::nullopt);
  if (name == "set" || name == "frozenset")
    form = FormKind::Set;
  if (name == "iter") // lists are what is gone over
    form = FormKind::Iter;
  if (form)
    return arena.make<SpecialForm>(*form, name.str());
  if (name == "map" || name == "filter" || name == "format" || name == "repr") {
    SourceResolver *file = compiler.prelude(pythonPrelude);
    file->setIsUsers();
    file->setHasTemplates();
    return arena.make<ClosureSugar>(*file->definition(name), *file, nullptr);
  }
  if (name == "int")
    return arena.make<CastFunction>(Type::intType(), aten::Int);
  if (name == "float")
    return arena.make<CastFunction>(Type::floatType(), aten::Float);
  if (name == "bool")
    return arena.make<CastFunction>(Type::boolType(), aten::Bool);
  if (name == "str")
    return arena.make<CastFunction>(Type::stringType(), aten::str);
  if (name == "complex")
    return arena.make<CastFunction>(Type::complexType(), aten::Complex);
  StringRef op = llvm::StringSwitch<StringRef>(name)
                     .Case("min", "prim::min")
                     .Case("max", "prim::max")
                     .Case("abs", "prim::abs")
                     .Case("all", "aten::all")
                     .Case("any", "aten::any")
                     .Case("round", "aten::round")
                     .Case("divmod", "aten::divmod")
                     .Case("sum", "aten::sum")
                     .Case("sorted", "aten::sorted")
                     .Case("ord", "aten::ord")
                     .Case("chr", "aten::chr")
                     .Case("hex", "aten::hex")
                     .Case("oct", "aten::oct")
                     .Case("bin", "aten::bin")
                     .Case("hash", "aten::hash")
                     .Case("id", "prim::id")
                     .Case("pow", "aten::pow")
                     .Case("rangelist", "prim::rangelist")
                     .Default("");
  if (op.empty())
    return nullptr;
  auto *function = arena.make<BuiltinFunction>(compiler.context.symbol(op));
  function->isOfPython = true;
  return function;
}
