//===- Library.cpp - Names of Python and its libraries --------------------===//
//
// What `torch.X`, `math.X`, `torch.jit.X` and Python's own names denote, by the
// rows of Library.def. A name that is an operator's needs no row.
//
//===----------------------------------------------------------------------===//
#include "../Emitter/ArchiveResolver.h"
#include "../Emitter/SourceResolver.h"
#include "../Emitter/TypeExpressions.h"
#include "LibraryTable.h"
#include "Slices.h"
#include "Values.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/PythonMeaning.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tsc;

bool tsc::isNamedOperator(Compiler::Impl &compiler, Symbol name) {
  return !hasPythonMeaning(name) && !compiler.context.operators().overloads(name).empty();
}

bool tsc::isMadeByPasses(Compiler::Impl &compiler, Symbol name) {
  ArrayRef<const Operator *> overloads = compiler.context.operators().overloads(name);
  return hasPythonMeaning(name) || llvm::any_of(overloads, [](const Operator *op) {
           return op->record() && op->record()->has(Trait::MadeByPasses);
         });
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
  for (const library::TorchConstant &constant : library::torchConstants())
    if (name == constant.name)
      return std::pair(IValue(constant.value), Type::intType());
  return std::nullopt;
}

/// Functions of the prelude that flags or the types of arguments select.
static SugaredValue *selectedFunction(Compiler::Impl &compiler, SugaredArena &arena, const PreludeModule &module,
                                      StringRef name) {
  using Flags = llvm::SmallVector<FlaggedFunction::Flag, 2>;
  bool isTorch = &module == &torchPrelude;
  Flags flags =
      llvm::StringSwitch<Flags>(name)
          .Cases("max_pool1d", "max_pool2d", "max_pool3d", isTorch ? Flags() : Flags{{"return_indices", 6}})
          .Cases("adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d",
                 isTorch ? Flags() : Flags{{"return_indices", 2}})
          .Cases("fractional_max_pool2d", "fractional_max_pool3d", isTorch ? Flags() : Flags{{"return_indices", 4}})
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

bool tsc::isLibrary(StringRef name) { return !name.contains('.') && library::isModule(name); }

bool tsc::isKnownModule(StringRef path) {
  const StringRef root = path.split('.').first;
  return llvm::any_of(library::modules(), [&](const library::ModuleRow &row) { return row.path == root; });
}

/// The operator of that name, if there is one.
static SugaredValue *builtin(Compiler::Impl &compiler, SugaredArena &arena, const llvm::Twine &qualified) {
  Symbol symbol = compiler.context.symbol(qualified.str());
  return isNamedOperator(compiler, symbol) ? arena.make<BuiltinFunction>(symbol) : nullptr;
}

/// cmath.`name`: the operator of complex numbers, whatever it is given.
static SugaredValue *complexValue(Compiler::Impl &compiler, SugaredArena &arena, StringRef name) {
  if (std::optional<double> value = library::mathConstant(name))
    return arena.make<ConstantSugar>(IValue(*value));
  if (name == "infj" || name == "nanj")
    return arena.make<ConstantSugar>(IValue(std::complex<double>(0, *library::mathConstant(name.drop_back()))));
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
  if (std::optional<double> value = library::mathConstant(name))
    return arena.make<ConstantSugar>(IValue(*value));
  if (name == "trunc")
    return arena.make<CastFunction>(Type::intType(), aten::Int);
  if (llvm::is_contained(library::mathTexts(), name)) {
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
  if (std::optional<double> value = library::torchNumber(name))
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
  for (const library::TextRow &row : library::texts())
    if (row.isWhole && row.module == module)
      return row.prelude;
  return nullptr;
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
  return library::isModule(path) || path.rsplit('.').first == "torch.ops" || !path.contains('.');
}

SugaredValue *tsc::libraryValue(Compiler::Impl &compiler, SugaredArena &arena, StringRef path) {
  if (std::optional<IValue> value = pythonConstant(path))
    return arena.make<ConstantSugar>(*value);
  if (const library::NameRow *row = library::findName(path)) {
    if (row->form)
      return arena.make<SpecialForm>(*row->form, path.str());
    if (!row->op.empty() && isNamedOperator(compiler, compiler.context.symbol(row->op)))
      return arena.make<BuiltinFunction>(compiler.context.symbol(row->op));
  }
  auto [module, name] = path.rsplit('.');
  if (!name.empty())
    if (SugaredValue *value = memberOf(compiler, arena, module, name))
      return value;
  return isModule(path) ? arena.make<NamespaceSugar>(path.str(), false) : nullptr;
}

SugaredValue *NamespaceSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  std::string full = path + "." + name.str();
  Compiler::Impl &compiler = fn.compiler;
  if (archive) {
    if (SugaredValue *value = compiler.archive ? compiler.archive->member(path, name) : nullptr)
      return value;
    return fn.error(range, diag::UndefinedMember, describe(), name, "");
  }
  if (SugaredValue *value = libraryValue(compiler, compiler.arena, full))
    return value;
  if (const Type *type = fn.resolver.resolveType(full, range))
    return sugarForType(compiler.arena, type);
  if (!fn.resolver.isPrinted()) // a host may have more of the library than compiled code
    if (SugaredValue *value = fn.resolver.resolveValue(full, range))
      return value;
  std::string note;
  if (StringRef(path) == "torch")
    for (const std::string &near : fn.context().operators().similarNames("aten::" + name.str(), 1))
      note = ", did you mean 'torch." +
             StringRef(near).drop_front(near.find("::") == std::string::npos ? 0 : near.find("::") + 2).str() + "'?";
  if (!isLibrary(StringRef(path).split('.').first))
    note = isKnownModule(path) ? ": compiled code does not know Python's '" + path + "'"
                               : ": this is no library that is known here, and no file in the program's folder";
  return fn.error(range, diag::UndefinedMember, describe(), name, note);
}

bool NamespaceSugar::hasAttribute(EmitterContext &context, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  return !archive && libraryValue(fn.compiler, fn.compiler.arena, path + "." + name.str());
}

SugaredValue *tsc::pythonBuiltin(Compiler::Impl &compiler, SugaredArena &arena, StringRef name) {
  using Meaning = library::BuiltinRow::Meaning;
  const library::BuiltinRow *row = library::findBuiltin(name);
  if (!row)
    return nullptr;
  switch (row->meaning) {
  case Meaning::Form: return arena.make<SpecialForm>(*row->form, name.str());
  case Meaning::Cast: return arena.make<CastFunction>(row->type(), compiler.context.symbol(row->op));
  case Meaning::Operator: {
    auto *function = arena.make<BuiltinFunction>(compiler.context.symbol(row->op));
    function->isOfPython = true;
    return function;
  }
  case Meaning::Text: {
    SourceResolver *file = compiler.prelude(pythonPrelude);
    file->setIsUsers();
    file->setHasTemplates();
    return arena.make<ClosureSugar>(*file->definition(name), *file, nullptr);
  }
  case Meaning::Walked:
  case Meaning::Refused: return subscriptBuiltin(arena, name);
  }
  return nullptr;
}
