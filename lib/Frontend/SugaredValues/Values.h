//===- Values.h - The kinds of sugared values ---------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_VALUES_H
#define TSC_LIB_FRONTEND_VALUES_H

#include "../Emitter/Calls/SugaredArguments.h"
#include "../Emitter/Forms/SpecialForms.h"
#include "../Emitter/FunctionContext.h"

namespace tsc {

#define TSC_SUGARED(Kind)                                                                                              \
  static bool classof(const SugaredValue *v) { return v->kind() == SugaredKind::Kind; }                                \
  std::string describe() const override;

/// A value of the graph.
class SimpleValue final : public SugaredValue {
public:
  explicit SimpleValue(Value *value) : SugaredValue(SugaredKind::Simple), value(value) {}
  TSC_SUGARED(Simple)
  Value *asValue(EmitterContext &, SourceRange) override { return value; }
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  bool hasAttribute(EmitterContext &e, StringRef name) override;
  bool setAttribute(EmitterContext &e, SourceRange range, StringRef name, Value *newValue) override;
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  std::optional<llvm::SmallVector<SugaredValue *, 4>> asTuple(EmitterContext &e, SourceRange range,
                                                              NumBinders count) override;
  SugaredValue *iterable(EmitterContext &e, SourceRange range) override;
  Value *length(EmitterContext &e, SourceRange range) override;
  SugaredValue *element(EmitterContext &e, SourceRange range, Value *index, const Type *hint) override;
  std::optional<unsigned> staticLength() const override;
  Value *get() const { return value; }

private:
  SugaredValue *find(FunctionContext &fn, SourceRange range, StringRef name);
  SugaredValue *classAttribute(FunctionContext &fn, SourceRange range, StringRef name, const ClassType *type);
  Value *value;
};

/// A constant that has no node yet: math.pi, torch.float32, `CONSTANTS.c0`, a global of the file.
class ConstantSugar final : public SugaredValue {
public:
  explicit ConstantSugar(IValue value, const Type *type = nullptr)
      : SugaredValue(SugaredKind::Constant), value(std::move(value)), type(type) {}
  TSC_SUGARED(Constant)
  Value *asValue(EmitterContext &e, SourceRange range) override;
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  IValue value;
  const Type *type;
};

/// An operator, perhaps with its first argument (`x.add`).
class BuiltinFunction final : public SugaredValue {
public:
  explicit BuiltinFunction(Symbol name, Value *self = nullptr)
      : SugaredValue(SugaredKind::Builtin), name(name), self(self) {}
  TSC_SUGARED(Builtin)
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  Symbol name;
  Value *self;
  bool isOfPython = false; ///< `sum`, and not `torch.sum`.
  /// Whether it is one of `math`: a tensor stands for its one element, and complex numbers are refused.
  bool isOfReals = false;
  Symbol numbers; ///< What makes numbers those that it takes: aten::Complex for cmath, aten::Float.
  /// An argument that the program may leave out although the operator wants it: its name, position and value.
  struct LateDefault {
    StringRef argument;
    size_t position;
    int64_t value;
  };
  std::optional<LateDefault> lateDefault;
};

/// A function that PyTorch writes in Python once for each value of some flags (boolean_dispatch), because they decide
/// on the result's type. The flags that the call sets, which have to be constants, are part of the name in the prelude:
/// `max_pool2d_return_indices`.
class FlaggedFunction final : public SugaredValue {
public:
  /// A flag's name and its position among the parameters.
  struct Flag {
    StringRef name;
    size_t position;
  };
  FlaggedFunction(const PreludeModule &module, std::string name, llvm::SmallVector<Flag, 2> flags)
      : SugaredValue(SugaredKind::FlaggedFunction), module(module), name(std::move(name)), flags(std::move(flags)) {}
  TSC_SUGARED(FlaggedFunction)
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  const PreludeModule &module;
  std::string name;
  llvm::SmallVector<Flag, 2> flags;
};

/// What is compiled by looking at its syntax; see FormKind. `self` for a form reached through a value (`x.tolist`).
class SpecialForm final : public SugaredValue {
public:
  explicit SpecialForm(FormKind form, std::string name, Value *self = nullptr)
      : SugaredValue(SugaredKind::Form), form(form), name(std::move(name)), self(self) {}
  TSC_SUGARED(Form)
  FormKind form;
  std::string name;
  Value *self;
};

/// `int`, `float`, `bool`, `str`, `complex`: a type, and a conversion when called.
class CastFunction final : public SugaredValue {
public:
  CastFunction(const Type *type, Symbol symbol) : SugaredValue(SugaredKind::Cast), type(type), symbol(symbol) {}
  TSC_SUGARED(Cast)
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  const Type *type;
  Symbol symbol;
};

/// `torch.FloatTensor`: called with sizes, or with what a tensor is made of.
class LegacyConstructor final : public SugaredValue {
public:
  LegacyConstructor(std::string name, DType dtype)
      : SugaredValue(SugaredKind::Builtin), name(std::move(name)), dtype(dtype) {}
  std::string describe() const override { return "builtin " + name; }
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  std::string name;
  DType dtype;
};

/// A tensor method that converts: `x.float()`, with PyTorch's arguments of aten::to.
class TensorCast final : public SugaredValue {
public:
  TensorCast(Value *self, DType dtype) : SugaredValue(SugaredKind::Builtin), self(self), dtype(dtype) {}
  std::string describe() const override { return "builtin method"; }
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  Value *self;
  DType dtype;
};

/// `x.__getitem__` of a tensor, which does what a subscript does.
class TensorGetItem final : public SugaredValue {
public:
  explicit TensorGetItem(Value *self) : SugaredValue(SugaredKind::Builtin), self(self) {}
  std::string describe() const override { return "builtin method"; }
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  Value *self;
};

/// One function, or several overloads in order of trying.
class FunctionSugar final : public SugaredValue {
public:
  explicit FunctionSugar(std::vector<Function *> functions)
      : SugaredValue(SugaredKind::Function), functions(std::move(functions)) {}
  TSC_SUGARED(Function)
  Value *asValue(EmitterContext &e, SourceRange range) override;
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  std::vector<Function *> functions;
};

/// `object.method`.
class MethodSugar final : public SugaredValue {
public:
  MethodSugar(Value *self, std::vector<Function *> methods)
      : SugaredValue(SugaredKind::Method), self(self), methods(std::move(methods)) {}
  TSC_SUGARED(Method)
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  Value *self;
  std::vector<Function *> methods;
};

/// A method of an interface: called through prim::CallMethod by name.
class InterfaceMethod final : public SugaredValue {
public:
  InterfaceMethod(Value *self, const FunctionSchema *schema)
      : SugaredValue(SugaredKind::Method), self(self), schema(schema) {}
  std::string describe() const override { return "interface method"; }
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  Value *self;
  const FunctionSchema *schema;
};

/// A class: makes objects when called.
class ClassSugar final : public SugaredValue {
public:
  explicit ClassSugar(ClassType *type) : SugaredValue(SugaredKind::Class), type(type) {}
  TSC_SUGARED(Class)
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  ClassType *type;
};

/// A NamedTuple class: it is called to make a tuple.
class NamedTupleSugar final : public SugaredValue {
public:
  explicit NamedTupleSugar(const TupleType *type) : SugaredValue(SugaredKind::NamedTuple), type(type) {}
  TSC_SUGARED(NamedTuple)
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  const TupleType *type;
};

/// `Color`; `Color.RED` is its attribute, and it can be iterated.
class EnumSugar final : public SugaredValue {
public:
  explicit EnumSugar(const EnumType *type) : SugaredValue(SugaredKind::EnumClass), type(type) {}
  TSC_SUGARED(EnumClass)
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  SugaredValue *iterable(EmitterContext &e, SourceRange range) override;
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  SugaredValue *element(EmitterContext &e, SourceRange range, Value *index, const Type *hint) override;
  Value *length(EmitterContext &e, SourceRange range) override;
  const EnumType *type;
};

/// A method or property that the text of an enumeration or a NamedTuple defines, of the value where that is given; null
/// for none.
SugaredValue *textMethod(FunctionContext &fn, SourceRange range, const Type *type, StringRef name, Value *member);

/// `_fields` of a NamedTuple.
Value *fieldNames(FunctionContext &fn, SourceRange range, const TupleType &type);

/// Whether Python has an exception of the name.
bool isBuiltinException(StringRef name);
/// Whether Python's exception of the name is of the other one's class, or of one that derives from it.
bool isExceptionBelow(StringRef name, StringRef ancestor);

/// Whether the value is a list, or a tuple with one inside.
bool holdsList(const IValue &value);

/// Several sugared values that no tuple was made of yet.
class TupleSugar final : public SugaredValue {
public:
  explicit TupleSugar(llvm::SmallVector<SugaredValue *, 4> elements)
      : SugaredValue(SugaredKind::Tuple), elements(std::move(elements)) {}
  TSC_SUGARED(Tuple)
  Value *asValue(EmitterContext &e, SourceRange range) override;
  std::optional<llvm::SmallVector<SugaredValue *, 4>> asTuple(EmitterContext &, SourceRange, NumBinders) override {
    return elements;
  }
  SugaredValue *iterable(EmitterContext &, SourceRange) override { return this; }
  SugaredValue *element(EmitterContext &e, SourceRange range, Value *index, const Type *hint) override;
  std::optional<unsigned> staticLength() const override { return elements.size(); }
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  llvm::SmallVector<SugaredValue *, 4> elements;
  bool isSequential = false; ///< Modules that a slice of a Sequential took out.
};

/// `range(...)` as a loop iterates over it.
class RangeSugar final : public SugaredValue {
public:
  RangeSugar(Value *start, Value *end, Value *step, bool simple)
      : SugaredValue(SugaredKind::Range), start(start), end(end), step(step), simple(simple) {}
  TSC_SUGARED(Range)
  SugaredValue *iterable(EmitterContext &, SourceRange) override { return this; }
  Value *length(EmitterContext &e, SourceRange range) override;
  SugaredValue *element(EmitterContext &e, SourceRange range, Value *index, const Type *hint) override;
  Value *start, *end, *step; ///< No end: counts up for ever, inside enumerate.
  bool simple;               ///< Whether it counts from 0 by 1.
};

/// zip and enumerate: several iterables in step.
class IterableTree final : public SugaredValue {
public:
  explicit IterableTree(llvm::SmallVector<SugaredValue *, 4> children)
      : SugaredValue(SugaredKind::IterableTree), children(std::move(children)) {}
  TSC_SUGARED(IterableTree)
  SugaredValue *iterable(EmitterContext &, SourceRange) override { return this; }
  Value *length(EmitterContext &e, SourceRange range) override;
  SugaredValue *element(EmitterContext &e, SourceRange range, Value *index, const Type *hint) override;
  std::optional<unsigned> staticLength() const override;
  llvm::SmallVector<SugaredValue *, 4> children;
};

/// A name that denotes a type where a value is expected: `List[int]`, `Tensor`.
class TypeSugar final : public SugaredValue {
public:
  explicit TypeSugar(const Type *type) : SugaredValue(SugaredKind::TypeName), type(type) {}
  TSC_SUGARED(TypeName)
  const Type *type;
};

/// `type(x)`: the type of a value, or the name of a class that is known when the program runs.
class TypeOfSugar final : public SugaredValue {
public:
  TypeOfSugar(const Type *type, Value *nameWhenRun)
      : SugaredValue(SugaredKind::TypeName), type(type), nameWhenRun(nameWhenRun) {}
  std::string describe() const override;
  Value *asValue(EmitterContext &e, SourceRange range) override;
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  const Type *type;
  Value *nameWhenRun;
};

/// Whether Python's objects have a method of the name that no operator of PyTorch is for.
bool isPythonMethod(StringRef name);

/// A function that each call compiles for its arguments (Instances.cpp): a nested `def`, a lambda, a function of a file
/// that takes functions, a method of a class.
class ClosureSugar final : public SugaredValue {
public:
  /// `definer` is what the function stands in, and outlives the closure; null for a function of a file.
  ClosureSugar(const Tree &tree, Resolver &resolver, FunctionContext *definer)
      : SugaredValue(SugaredKind::Closure), tree(tree), resolver(resolver), definer(definer) {}
  TSC_SUGARED(Closure)
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  TreeList<Param> params() const;
  StringRef name() const;
  const Tree &tree; ///< Def or Lambda.
  Resolver &resolver;
  FunctionContext *definer;
  SugaredValue *first =
      nullptr; ///< What the first parameter stands for, where it is bound: the class of a class method.
  llvm::DenseMap<const Param *, std::string> defaults; ///< Hidden variables of `definer` with defaults it worked out.
  bool isBeingMade = false;
};

/// `functools.partial(f, 1, key=2)`: a callee that has some of its arguments.
class PartialSugar final : public SugaredValue {
public:
  PartialSugar(SugaredValue *callee, std::vector<SugaredArgument> given)
      : SugaredValue(SugaredKind::Partial), callee(callee), given(std::move(given)) {}
  TSC_SUGARED(Partial)
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  SugaredValue *callee;
  std::vector<SugaredArgument> given;
};

/// What `**options` without an annotation holds: values that are known by name.
class KeywordsSugar final : public SugaredValue {
public:
  using Entries = std::vector<std::pair<std::string, SugaredValue *>>;
  explicit KeywordsSugar(Entries entries) : SugaredValue(SugaredKind::Keywords), entries(std::move(entries)) {}
  TSC_SUGARED(Keywords)
  Value *asValue(EmitterContext &e, SourceRange range) override;
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  SugaredValue *iterable(EmitterContext &e, SourceRange range) override;
  Value *length(EmitterContext &e, SourceRange range) override;
  SugaredValue *element(EmitterContext &e, SourceRange range, Value *index, const Type *hint) override;
  Entries entries;
};

/// The exception that an `except … as e` has caught: its message, where a value is wanted.
class ExceptionSugar final : public SugaredValue {
public:
  ExceptionSugar(std::string message, std::string className, std::string future)
      : SugaredValue(SugaredKind::Exception), message(std::move(message)), className(std::move(className)),
        future(std::move(future)) {}
  TSC_SUGARED(Exception)
  Value *asValue(EmitterContext &e, SourceRange range) override;
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  std::string message, className, future; ///< Hidden variables.
};

/// `self` or `super()` in the `__init__` of an exception.
class NewExceptionSugar final : public SugaredValue {
public:
  explicit NewExceptionSugar(bool isSuper) : SugaredValue(SugaredKind::NewException), isSuper(isSuper) {}
  TSC_SUGARED(NewException)
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  bool setAttribute(EmitterContext &e, SourceRange range, StringRef name, Value *newValue) override;
  /// `super().__init__(…)`, once `attribute` has been asked for it.
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  bool isSuper;
};

/// `super()`: methods of the bases; of no effect in TorchScript's own classes.
class SuperSugar final : public SugaredValue {
public:
  /// `self` and `after` are given in a module's method: attributes are looked up behind the class `after`.
  explicit SuperSugar(Value *self = nullptr, const ModuleClass *after = nullptr, const ClassDef *text = nullptr)
      : SugaredValue(SugaredKind::Super), self(self), after(after), text(text) {}
  TSC_SUGARED(Super)
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  Value *self;
  const ModuleClass *after;
  const ClassDef *text; ///< The class that has the text, for another class of a file.
};

/// An element of a container of modules whose index is known when the program runs: what is done with it is done with
/// each element, in a branch of its own.
class ChosenModule final : public SugaredValue {
public:
  ChosenModule(Value *index, llvm::SmallVector<std::pair<Value *, SugaredValue *>, 4> choices)
      : SugaredValue(SugaredKind::ChosenModule), index(index), choices(std::move(choices)) {}
  std::string describe() const override { return "module of a list"; }
  Value *asValue(EmitterContext &e, SourceRange range) override;
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  /// Returns the type of each element by its name in the container; null for what is no value.
  llvm::SmallVector<std::pair<std::string, const Type *>, 4> moduleTypes() const;
  static bool classof(const SugaredValue *v) { return v->kind() == SugaredKind::ChosenModule; }

private:
  Value *choose(FunctionContext &fn, SourceRange range, size_t first,
                llvm::function_ref<Value *(SugaredValue &)> use) const;
  Value *index;
  llvm::SmallVector<std::pair<Value *, SugaredValue *>, 4> choices; ///< Each with its index.
};

/// A method of containers of modules, and of modules as such: `self.blocks.items()`, `self.parameters()`.
class ModuleForm final : public SugaredValue {
public:
  ModuleForm(Value *self, std::string name)
      : SugaredValue(SugaredKind::ModuleForm), self(self), name(std::move(name)) {}
  TSC_SUGARED(ModuleForm)
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override;
  Value *self;
  std::string name;
};

/// `self._modules` and its kin in a module.
class ModuleTable final : public SugaredValue {
public:
  ModuleTable(Value *self, std::string name)
      : SugaredValue(SugaredKind::ModuleForm), self(self), name(std::move(name)) {}
  std::string describe() const override { return "attribute '" + name + "'"; }
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef method) override;
  Value *self;
  std::string name;
};

/// A method without arguments that gives elements which are known.
class ElementsForm final : public SugaredValue {
public:
  explicit ElementsForm(SugaredValue *elements) : SugaredValue(SugaredKind::ModuleForm), elements(elements) {}
  std::string describe() const override { return "method"; }
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override {
    return args.empty() && kwargs.empty() ? elements : SugaredValue::call(e, range, args, kwargs);
  }
  SugaredValue *elements;
};

/// A module of Python: `torch`, `torch.nn.functional`, `math`, and in archives `__torch__.a`, `ops.prim`.
class NamespaceSugar final : public SugaredValue {
public:
  NamespaceSugar(std::string path, bool archive)
      : SugaredValue(SugaredKind::Namespace), path(std::move(path)), archive(archive) {}
  TSC_SUGARED(Namespace)
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  bool hasAttribute(EmitterContext &e, StringRef name) override;
  std::string path;
  bool archive; ///< Names mean what the Python printer wrote.
};

/// A file of the user's that another one imports, or a folder of such files.
class FileSugar final : public SugaredValue {
public:
  explicit FileSugar(SourceResolver &file) : SugaredValue(SugaredKind::File), file(file) {}
  TSC_SUGARED(File)
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override;
  bool hasAttribute(EmitterContext &e, StringRef name) override;
  SourceResolver &file;
};

#undef TSC_SUGARED

/// Whether two that are no values stand for the same: each look-up of a name may have made its own.
bool standForSame(const SugaredValue &a, const SugaredValue &b);
/// `Class.method` of a @classmethod; null for another name.
SugaredValue *classMethod(FunctionContext &fn, const ClassType *type, StringRef name);
/// What a qualified name of Python's libraries denotes (`torch.add`, `math.pi`, `torch.jit.annotate`); null when
/// unknown.
SugaredValue *libraryValue(Compiler::Impl &compiler, SugaredArena &arena, StringRef path);
/// The class that a path of the library names; null for none.
const Type *libraryClass(Compiler::Impl &compiler, StringRef path);
/// Whether a file may `import name`.
bool isLibrary(StringRef name);
/// Whether `import` finds the module: one that is known here, or one of Python's own. Others fail where a `try` is
/// ready for that; elsewhere a file may import what only other parts of the program use.
bool isKnownModule(StringRef path);
/// Whether a decorator leaves what it decorates as it is, for compiled and for walked code: it says how that is
/// compiled or checked ("torch.jit.export", "typing.final").
bool isTransparentDecorator(StringRef path);
/// Python's own names: `print`, `len`, `int`, `range`, …; null when unknown.
SugaredValue *pythonBuiltin(Compiler::Impl &compiler, SugaredArena &arena, StringRef name);
/// dtype, layout and memory format constants: torch.float32, torch.strided, torch.channels_last.
std::optional<std::pair<IValue, const Type *>> torchConstant(StringRef name);
/// Constants of Python's modules that are no library here otherwise: sys.maxsize, string.digits.
std::optional<IValue> pythonConstant(StringRef path);
/// The sugared value for a class, interface, enum or NamedTuple.
SugaredValue *sugarForType(SugaredArena &arena, const Type *type);
/// The operator behind an attribute of tensors and devices: `shape` is aten::size; empty when there is none.
StringRef attributeOperator(const Type *type, StringRef name);
/// Whether programs can call an operator of the name: there is one, and Python gives the name no meaning of its own.
bool isNamedOperator(Compiler::Impl &compiler, Symbol name);
/// Whether an operator of the name is one that programs cannot call.
bool isMadeByPasses(Compiler::Impl &compiler, Symbol name);

// Modules.cpp.
/// Whether the path names a class of torch.nn.
bool isLibraryModule(Compiler::Impl &compiler, StringRef path);
/// What the code of the file made of a global name; null when it made nothing that compiled code can use.
SugaredValue *globalValue(Compiler::Impl &compiler, const SourceResolver &file, StringRef name, SourceRange range);
/// The overloads of a method of an object, which a call chooses from; null where the method has none.
SugaredValue *overloadedMethod(FunctionContext &fn, Value *self, StringRef name);
/// The attribute of a module whose class was made for it; null without a report when there is none.
SugaredValue *moduleAttribute(FunctionContext &fn, SourceRange range, Value *self, StringRef name);
/// The elements of a container of modules; null for what is none.
TupleSugar *moduleElements(FunctionContext &fn, SourceRange range, Value *self);
/// `self[index]` of a container of modules; null after a report.
SugaredValue *moduleSubscript(FunctionContext &fn, const Subscript &tree, Value *self);
/// Inserts a read of an attribute, which the module must have.
Value *getModuleAttribute(FunctionContext &fn, SourceRange range, Value *object, StringRef name);
/// Reports an attribute that a module lacks.
void reportNoModuleAttribute(FunctionContext &fn, SourceRange range, const ClassType *type, StringRef name);

} // namespace tsc

#endif
