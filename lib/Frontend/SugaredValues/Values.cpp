//===- Values.cpp - What each kind of sugared value can do ----------------===//
//
// Attributes, calls, iteration, length and elements, kind by kind. What a kind
// does not override is refused by the base class, with the kind's own name in the
// report.
//
//===----------------------------------------------------------------------===//
#include "Values.h"
#include "../Emitter/ArchiveResolver.h"
#include "../Emitter/Calls.h"
#include "../Emitter/Calls/FunctionCalls.h"
#include "../Emitter/Calls/Instances.h"
#include "../Emitter/Conversions.h"
#include "../Emitter/SizeLimits.h"
#include "../Emitter/SourceResolver.h"
#include "../Emitter/TypeExpressions.h"
#include "LibraryTable.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/SchemaMatching.h"
#include "tsc/Support/NearestName.h"

using namespace tsc;

SugaredValue::~SugaredValue() = default;

bool tsc::standForSame(const SugaredValue &a, const SugaredValue &b) {
  if (&a == &b)
    return true;
  if (auto *x = llvm::dyn_cast<NamespaceSugar>(&a))
    if (auto *y = llvm::dyn_cast<NamespaceSugar>(&b))
      return x->path == y->path;
  if (auto *x = llvm::dyn_cast<FileSugar>(&a))
    if (auto *y = llvm::dyn_cast<FileSugar>(&b))
      return &x->file == &y->file;
  if (auto *x = llvm::dyn_cast<FunctionSugar>(&a))
    if (auto *y = llvm::dyn_cast<FunctionSugar>(&b))
      return x->functions == y->functions;
  if (auto *x = dynamic_cast<const BuiltinFunction *>(&a)) // whose kind others have too
    if (auto *y = dynamic_cast<const BuiltinFunction *>(&b))
      return x->name == y->name && x->self == y->self && x->isOfPython == y->isOfPython && x->numbers == y->numbers &&
             !x->lateDefault && !y->lateDefault;
  return false;
}
Resolver::~Resolver() = default;

//===-- What a kind cannot do ----------------------------------------------===//

Value *SugaredValue::asValue(EmitterContext &e, SourceRange range) {
  if (auto *builtin = llvm::dyn_cast<BuiltinFunction>(this))
    return e.error(range, diag::BuiltinAsValue, builtin->name.name());
  return e.error(range, diag::NotAValue, describe());
}
SugaredValue *SugaredValue::attribute(EmitterContext &e, SourceRange range, StringRef name) {
  return e.error(range, diag::NoAttribute, describe(), name);
}
bool SugaredValue::setAttribute(EmitterContext &e, SourceRange range, StringRef name, Value *) {
  return e.error(range, diag::CannotSetAttribute, describe(), name);
}
SugaredValue *SugaredValue::call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue>, ArrayRef<NamedValue>) {
  return e.error(range, diag::CannotCall, describe());
}
std::optional<llvm::SmallVector<SugaredValue *, 4>> SugaredValue::asTuple(EmitterContext &e, SourceRange range,
                                                                          NumBinders) {
  e.error(range, diag::CannotUnpack, describe());
  return std::nullopt;
}
SugaredValue *SugaredValue::iterable(EmitterContext &e, SourceRange range) {
  if (auto *constant = llvm::dyn_cast<ConstantSugar>(this))
    if (const Type *type = constant->value.dynamicType(emitterOf(e).context()))
      return e.error(range, diag::NotIterable, "'" + type->annotation() + "'");
  return e.error(range, diag::NotIterable, describe());
}
Value *SugaredValue::length(EmitterContext &e, SourceRange range) {
  return e.error(range, diag::NotIterable, describe());
}
SugaredValue *SugaredValue::element(EmitterContext &e, SourceRange range, Value *, const Type *) {
  return e.error(range, diag::UnsupportedSubscript, describe());
}

std::string SimpleValue::describe() const { return "value of type '" + value->type()->annotation() + "'"; }
std::string ConstantSugar::describe() const { return "constant"; }
std::string BuiltinFunction::describe() const { return "builtin " + name.name().str(); }
std::string FlaggedFunction::describe() const { return "function"; }
std::string SpecialForm::describe() const { return "special form " + name; }
std::string CastFunction::describe() const { return "type " + type->annotation(); }
std::string FunctionSugar::describe() const { return "function"; }
std::string MethodSugar::describe() const { return "method"; }
std::string ClassSugar::describe() const { return "type " + type->annotation(); }
std::string NamedTupleSugar::describe() const { return "NamedTuple constructor"; }
std::string EnumSugar::describe() const { return "enum class " + type->name().str(); }
std::string TupleSugar::describe() const { return "tuple"; }
std::string RangeSugar::describe() const { return "range"; }
std::string IterableTree::describe() const { return "iterabletree"; }
std::string TypeSugar::describe() const { return "type " + type->annotation(); }
std::string ClosureSugar::describe() const { return "closure"; }
std::string ExceptionSugar::describe() const { return "exception"; }
std::string NewExceptionSugar::describe() const { return "exception"; }
std::string SuperSugar::describe() const { return "super"; }
std::string NamespaceSugar::describe() const { return "module '" + path + "'"; }

//===-- Values of the graph ------------------------------------------------===//

/// Attributes of tensors and devices that are operators without arguments.
StringRef tsc::attributeOperator(const Type *type, StringRef name) {
  if (type->isDevice())
    for (const library::DeviceRow &row : library::deviceNames())
      if (row.name == name)
        return row.op;
  const library::TensorRow *row = type->isTensor() ? library::findTensorName(name) : nullptr;
  return row ? StringRef(row->op) : "";
}

static std::optional<DType> castMethod(StringRef name) {
  const library::TensorRow *row = library::findTensorName(name);
  return row ? row->dtype : std::nullopt;
}

static bool isIdentifierDigits(StringRef name) { return !name.empty() && name[0] >= '0' && name[0] <= '9'; }

static Value *getAttr(FunctionContext &fn, SourceRange range, Value *object, const ClassAttribute &attribute) {
  Node *node = fn.insertNode(prim::GetAttr, {object}, 1, range);
  node->setAttribute(attr::name, attribute.name);
  node->output()->setType(attribute.type);
  node->output()->setName(isIdentifierDigits(attribute.name) ? "_" + attribute.name : attribute.name);
  return node->output();
}

SugaredValue *tsc::classMethod(FunctionContext &fn, const ClassType *type, StringRef name) {
  auto info = fn.compiler.classes.find(type);
  const Def *def = info == fn.compiler.classes.end() ? nullptr : info->second.classMethods.lookup(name);
  if (!def)
    return nullptr;
  auto *closure = fn.make<ClosureSugar>(*def, *info->second.resolver, nullptr);
  closure->first = fn.make<ClassSugar>(const_cast<ClassType *>(type));
  return closure;
}

SugaredValue *SimpleValue::classAttribute(FunctionContext &fn, SourceRange range, StringRef name,
                                          const ClassType *type) {
  if (Function *method = type->findMethod(name))
    return fn.make<MethodSugar>(value, std::vector<Function *>{method});
  if (auto slot = type->findAttribute(name))
    return fn.simple(getAttr(fn, range, value, type->attribute(*slot)));
  if (const ClassProperty *property = type->findProperty(name))
    return property->getter ? fn.simple(callMethod(fn, range, value, property->getter, {}, {})) : nullptr;
  auto info = fn.compiler.classes.find(type);
  const bool isFromText = info != fn.compiler.classes.end(); // else a host made it
  if (isFromText && info->second.module)
    if (SugaredValue *found = moduleAttribute(fn, range, value, name))
      return found;
  if (!isFromText || !info->second.constants.contains(name)) {
    if (const IValue *constant = type->findConstant(name)) // one that a host added
      return fn.make<ConstantSugar>(*constant);
  } else {
    auto it = info->second.constants.find(name);
    auto *constant = fn.make<ConstantSugar>(it->second);
    bool hasElements = it->second.isTuple() || it->second.isString();
    return info->second.module && hasElements ? fn.simple(constant->asValue(fn, range)) : constant;
  }
  if (Function *method = type->findStaticMethod(name))
    return fn.make<FunctionSugar>(std::vector<Function *>{method});
  if (!isFromText)
    return nullptr;
  if (auto it = info->second.overloads.find(name); it != info->second.overloads.end())
    return fn.make<MethodSugar>(value, it->second);
  if (SugaredValue *method = classMethod(fn, type, name))
    return method;
  return nullptr;
}

SugaredValue *tsc::textMethod(FunctionContext &fn, SourceRange range, const Type *type, StringRef name, Value *member) {
  auto known = fn.compiler.memberTexts.find(type);
  if (known == fn.compiler.memberTexts.end())
    return nullptr;
  auto &[tree, resolver] = known->second;
  for (const Tree *statement : tree->body()) {
    auto *def = llvm::dyn_cast<Def>(statement);
    if (!def || def->name() != name)
      continue;
    auto isMarked = [&](StringRef wanted) {
      return llvm::any_of(def->decorators(), [&](const Tree *d) { return dottedName(d) == wanted; });
    };
    auto *closure = fn.make<ClosureSugar>(*def, *resolver, nullptr);
    if (isMarked("classmethod"))
      closure->first = sugarForType(fn.compiler.arena, type);
    else if (member && !isMarked("staticmethod"))
      closure->first = fn.simple(member);
    return member && isMarked("property") ? callClosure(fn, *closure, range, {}) : closure;
  }
  return nullptr;
}

Value *tsc::fieldNames(FunctionContext &fn, SourceRange range, const TupleType &type) {
  llvm::SmallVector<Value *, 4> names;
  for (const std::string &field : type.fieldNames())
    names.push_back(fn.constant(IValue(field), range));
  return fn.makeTuple(names, range);
}

/// Whether an operator is a method of values of a type. Of numbers, an operator is a method where it has a `self` that
/// takes them: `aten::add(int a, int b)` has none, and Python's numbers have no method `add` either.
static bool mayBeMethod(Context &context, Symbol name, const Type *type) {
  if (!type->isNumber() && !type->isSubtypeOf(Type::numberType()))
    return true;
  return llvm::any_of(context.operators().overloads(name), [&](const Operator *op) {
    const FunctionSchema &schema = op->schema();
    std::optional<unsigned> self = schema.argumentIndex("self");
    return self && type->isSubtypeOf(schema.arguments()[*self].type);
  });
}

/// The attribute, or null without a report.
SugaredValue *SimpleValue::find(FunctionContext &fn, SourceRange range, StringRef name) {
  const Type *type = value->type();
  Compiler::Impl &compiler = fn.compiler;
  if (StringRef op = attributeOperator(type, name); !op.empty())
    return fn.simple(callBuiltin(fn, range, fn.context().symbol(op), {value}));
  if (type->isTensor()) {
    if (std::optional<DType> dtype = castMethod(name))
      return fn.make<TensorCast>(value, *dtype);
    if (name == "type") // x.type(torch.int32)
      return fn.make<BuiltinFunction>(aten::to, value);
    if (name == "__getitem__")
      return fn.make<TensorGetItem>(value);
    if (name == "tolist")
      return fn.make<SpecialForm>(FormKind::ToList, "tolist", value);
    if (name == "type_as" || !isNamedOperator(compiler, fn.context().symbol("aten", name))) {
      if (isNamedOperator(compiler, fn.context().symbol("prim", name)))
        return fn.make<BuiltinFunction>(fn.context().symbol("prim", name), value);
    }
  }
  if (type->isComplex() && (name == "real" || name == "imag"))
    return fn.simple(callTemplate(fn, range, name == "real" ? "complex_real" : "complex_imag", {value}));
  if (type->isInt() && value->node()->kind().qualified() == "prim::dtype" &&
      (name == "is_floating_point" || name == "is_complex"))
    return fn.simple(callTemplate(fn, range, name == "is_complex" ? "dtype_is_complex" : "dtype_is_floating", {value}));
  if (auto *tuple = llvm::dyn_cast<TupleType>(type); tuple && tuple->isNamed() && name == "_fields")
    return fn.simple(fieldNames(fn, range, *tuple));
  if (auto *tuple = llvm::dyn_cast<TupleType>(type); tuple)
    for (auto [i, field] : llvm::enumerate(tuple->fieldNames()))
      if (field == name)
        return fn.simple(tupleIndex(fn, value, tuple->elements()[i], static_cast<int64_t>(i), range));
  if (llvm::isa<TupleType>(type))
    if (SugaredValue *method = textMethod(fn, range, type, name, value))
      return method;
  if (auto *classType = llvm::dyn_cast<ClassType>(type))
    return classAttribute(fn, range, name, classType);
  if (auto *interface = llvm::dyn_cast<InterfaceType>(type)) {
    const FunctionSchema *schema = interface->findMethod(name);
    return schema ? fn.make<InterfaceMethod>(value, schema) : nullptr;
  }
  if (auto *enumType = llvm::dyn_cast<EnumType>(type)) {
    if (name == "name")
      return fn.simple(fn.insertValue(prim::EnumName, {value}, Type::stringType(), range));
    if (name == "value")
      return fn.simple(fn.insertValue(prim::EnumValue, {value}, enumType->valueType(), range));
    if (SugaredValue *method = textMethod(fn, range, enumType, name, value))
      return method;
    if (compiler.intEnums.contains(enumType))
      return fn.make<SimpleValue>(fn.insertValue(prim::EnumValue, {value}, enumType->valueType(), range))
          ->find(fn, range, name);
  }
  Symbol symbol = fn.context().symbol("aten", name);
  if (isNamedOperator(compiler, symbol) && mayBeMethod(fn.context(), symbol, type))
    return fn.make<BuiltinFunction>(symbol, value);
  return nullptr;
}

/// What values of a type are asked for most, for hints.
static ArrayRef<StringRef> methodsOf(const Type *type) {
  static constexpr StringRef ofTensors[] = {
      "shape",     "size",        "dtype",   "device",   "dim",          "view",          "reshape", "transpose",
      "permute",   "squeeze",     "sum",     "mean",     "max",          "min",           "argmax",  "matmul",
      "unsqueeze", "contiguous",  "clone",   "detach",   "item",         "tolist",        "numel",   "expand",
      "repeat",    "softmax",     "sigmoid", "backward", "flatten",      "float",         "double",  "long",
      "to",        "masked_fill", "gather",  "scatter_", "index_select", "requires_grad", "grad",    "t"};
  static constexpr StringRef ofStrings[] = {"upper",  "lower",   "strip",      "split",    "join",
                                            "format", "replace", "startswith", "endswith", "find",
                                            "count",  "index",   "splitlines", "title",    "capitalize"};
  static constexpr StringRef ofLists[] = {"append", "extend", "insert", "remove",  "pop", "clear",
                                          "index",  "count",  "sort",   "reverse", "copy"};
  static constexpr StringRef ofDicts[] = {"keys",    "values", "items",      "get",   "pop",
                                          "popitem", "update", "setdefault", "clear", "copy"};
  if (type->isTensor())
    return ofTensors;
  if (type->isString())
    return ofStrings;
  if (llvm::isa<ListType>(type))
    return ofLists;
  return llvm::isa<DictType>(type) ? ArrayRef<StringRef>(ofDicts) : ArrayRef<StringRef>();
}

/// The report of an attribute that is not there; its hint is the expression with the nearest one.
template <typename... Args>
static void reportWithHint(FunctionContext &fn, SourceRange range, const NearestName &nearest,
                           const DiagnosticKind &kind, Args &&...args) {
  auto report = fn.diagnostics().report(range, kind, std::forward<Args>(args)...);
  if (nearest.name().empty())
    return;
  StringRef object = range.text().rsplit('.').first;
  std::move(report).fixIt((object + "." + nearest.name()).str());
}

SugaredValue *SimpleValue::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  const Type *type = value->type();
  size_t before = fn.diagnostics().all().size();
  if (SugaredValue *found = find(fn, range, name))
    return found;
  if (fn.diagnostics().all().size() != before)
    return nullptr;
  if (auto *classType = llvm::dyn_cast<ClassType>(type)) {
    if (fn.compiler.moduleInfo(classType))
      return reportNoModuleAttribute(fn, range, classType, name), nullptr;
    NearestName nearest(name);
    for (const ClassAttribute &attribute : classType->attributes())
      nearest.consider(attribute.name);
    for (const Function *method : classType->methods())
      nearest.consider(method->name());
    reportWithHint(fn, range, nearest, diag::NoClassAttribute,
                   classType->isModule() ? "Module has no attribute"
                                         : "'" + type->annotation() + "' object has no attribute or method",
                   name);
    return nullptr;
  }
  if (llvm::isa<OptionalType>(type))
    return fn.error(range, diag::NoAttributeOnOptional, type->annotation(), name);
  bool inferred = type == Type::inferredTensorType();
  NearestName nearest(name);
  if (auto *tuple = llvm::dyn_cast<TupleType>(type))
    for (const std::string &field : tuple->fieldNames())
      nearest.consider(field);
  for (StringRef known : methodsOf(type))
    nearest.consider(known);
  reportWithHint(fn, range, nearest, diag::NoValueAttribute, inferred ? "Tensor (inferred)" : type->annotation(), name);
  return nullptr;
}

bool SimpleValue::hasAttribute(EmitterContext &context, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  if (auto *type = llvm::dyn_cast<ClassType>(value->type())) {
    auto info = fn.compiler.classes.find(type);
    if (info != fn.compiler.classes.end() && info->second.module &&
        (info->second.module->sugared.contains(name) || fn.compiler.moduleMethod(type, name)))
      return true;
    return type->findAttribute(name) || type->findMethod(name) || type->findProperty(name) ||
           type->findStaticMethod(name) || type->hasConstant(name) ||
           (info != fn.compiler.classes.end() && info->second.constants.contains(name));
  }
  const bool isText = value->type()->isString(), isTuple = llvm::isa<TupleType>(value->type());
  if (name == "__iter__" || name == "__len__" || name == "__getitem__" || name == "__contains__")
    if (isText || isTuple || value->type()->isTensor() || llvm::isa<ListType, DictType>(value->type()))
      return true;
  if (auto *tuple = llvm::dyn_cast<TupleType>(value->type()))
    return llvm::is_contained(tuple->fieldNames(), name.str()) ||
           (tuple->isNamed() && llvm::is_contained({"_fields", "_replace", "_asdict"}, name));
  if (auto *interface = llvm::dyn_cast<InterfaceType>(value->type()))
    return interface->findMethod(name);
  return !attributeOperator(value->type(), name).empty() ||
         isNamedOperator(fn.compiler, fn.context().symbol("aten", name));
}

bool SimpleValue::setAttribute(EmitterContext &context, SourceRange range, StringRef name, Value *newValue) {
  FunctionContext &fn = emitterOf(context);
  auto *type = llvm::dyn_cast<ClassType>(value->type());
  if (!type) {
    if (value->type()->isTensor() && name == "requires_grad")
      return callBuiltin(fn, range, fn.context().symbol("aten::requires_grad_"), {value, newValue});
    if (value->type()->isTensor() && name == "data")
      return callBuiltin(fn, range, fn.context().symbol("aten::set_data"), {value, newValue});
    if (value->type()->isTensor() && name == "grad")
      return callBuiltin(fn, range, fn.context().symbol("tsc::set_gradient"), {value, newValue});
    return fn.error(range, diag::CannotSetAttribute, describe(), name);
  }
  auto slot = type->findAttribute(name);
  if (!slot) {
    if (fn.compiler.moduleInfo(type))
      (void)fn.compiler.moduleMethod(type, name); // its properties are declared when somebody asks
    if (const ClassProperty *property = type->findProperty(name)) {
      if (!property->setter)
        return fn.error(range, diag::NoSetter, name);
      return callMethod(fn, range, value, property->setter, {newValue}, {}) != nullptr;
    }
    if (fn.method.initializing != type)
      return fn.error(range, diag::NoSuchAttributeToSet, name);
    if (isTooLarge(newValue->type()))
      return fn.error(range, diag::TypeTooLarge, name);
    slot = const_cast<ClassType *>(type)->addAttribute(name, newValue->type());
  }
  fn.env.forgetAttribute(name);
  const Type *expected = type->attribute(*slot).type;
  newValue = convertTo(fn, newValue, expected, range, /*allowConversions=*/!newValue->type()->isTensor());
  if (!newValue->type()->isSubtypeOf(expected))
    return fn.error(range, diag::AttributeType, name, expected->annotation(), newValue->type()->annotation());
  Node *node = fn.insertNode(prim::SetAttr, {value, newValue}, 0, range);
  node->setAttribute(attr::name, name.str());
  return true;
}

SugaredValue *SimpleValue::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  if (auto *type = llvm::dyn_cast<ClassType>(value->type()); type && fn.compiler.moduleInfo(type)) {
    const size_t before = fn.diagnostics().all().size();
    if (Function *own = fn.compiler.moduleMethod(type, "__call__"))
      return fn.simple(callMethod(fn, range, value, own, args, kwargs));
    if (SugaredValue *forward = overloadedMethod(fn, value, "forward"))
      return forward->call(fn, range, args, kwargs);
    if (Function *forward = fn.compiler.moduleMethod(type, "forward"))
      return callHooked(fn, range, value, forward, args, kwargs);
    if (fn.diagnostics().all().size() == before)
      reportNoModuleAttribute(fn, range, type, "forward");
    return nullptr;
  }
  if (auto *type = llvm::dyn_cast<ClassType>(value->type()))
    for (StringRef name : {"__call__", "forward"})
      if (Function *method = type->findMethod(name); method && (name == "__call__" || type->isModule()))
        return fn.simple(callMethod(fn, range, value, method, args, kwargs));
  if (auto *interface = llvm::dyn_cast<InterfaceType>(value->type()))
    if (const FunctionSchema *schema = interface->findMethod("forward"))
      return fn.simple(callSchema(fn, range, value, *schema, "forward", args, kwargs, prim::CallMethod));
  if (auto *function = llvm::dyn_cast<FunctionType>(value->type()))
    return fn.simple(
        callSchema(fn, range, value, function->function()->schema(), "", args, kwargs, prim::CallFunction));
  return fn.error(range, diag::CannotCall, describe());
}

std::optional<llvm::SmallVector<SugaredValue *, 4>> SimpleValue::asTuple(EmitterContext &context, SourceRange range,
                                                                         NumBinders count) {
  FunctionContext &fn = emitterOf(context);
  llvm::SmallVector<SugaredValue *, 4> parts;
  const Type *type = value->type();
  if (auto *tuple = llvm::dyn_cast<TupleType>(type)) {
    Node *unpack = fn.insertNode(prim::TupleUnpack, {value}, 0, range);
    for (const Type *element : tuple->elements())
      parts.push_back(fn.simple(unpack->addOutput(element)));
    return parts;
  }
  if (TupleSugar *modules = moduleElements(fn, range, value))
    return modules->elements;
  if (type->kind() == TypeKind::AnyTuple) {
    fn.error(range, diag::CannotUnpack, "Provided tuple is not fully defined/refined: a tuple of unknown elements");
    return std::nullopt;
  }
  auto *list = llvm::dyn_cast<ListType>(type);
  if (!list && !type->isTensor())
    return SugaredValue::asTuple(fn, range, count);
  if (!count) {
    fn.error(range, diag::UnknownLength);
    return std::nullopt;
  }
  Value *source = value;
  if (type->isTensor()) {
    source = callBuiltin(fn, range, aten::unbind, {value, fn.constant(int64_t{0}, range)});
    if (!source)
      return std::nullopt;
  }
  Node *unpack = fn.insertNode(prim::ListUnpack, {source}, 0, range);
  const Type *element = llvm::cast<ListType>(source->type())->element();
  for (unsigned i = 0; i != *count; ++i)
    parts.push_back(fn.simple(unpack->addOutput(element)));
  return parts;
}

std::optional<unsigned> SimpleValue::staticLength() const {
  auto *tuple = llvm::dyn_cast<TupleType>(value->type());
  return tuple ? std::optional<unsigned>(tuple->elements().size()) : std::nullopt;
}

SugaredValue *SimpleValue::iterable(EmitterContext &context, SourceRange range) {
  FunctionContext &fn = emitterOf(context);
  const Type *type = value->type();
  if (llvm::isa<ListType, TupleType>(type) || type->isString() || type->isTensor())
    return this;
  if (llvm::isa<DictType>(type))
    return fn.simple(callBuiltin(fn, range, aten::keys, {value}));
  if (TupleSugar *elements = moduleElements(fn, range, value))
    return elements;
  if (auto *classType = llvm::dyn_cast<ClassType>(type))
    if (Function *method = classType->findMethod("__iter__"))
      if (Value *source = callMethod(fn, range, value, method, {}, {}); source && source->type() != type)
        return fn.simple(source)->iterable(fn, range);
  if (auto *classType = llvm::dyn_cast<ClassType>(type);
      classType && classType->findMethod("__len__") && classType->findMethod("__getitem__"))
    return this;
  return fn.error(range, diag::NotIterable, "'" + type->annotation() + "'");
}

Value *SimpleValue::length(EmitterContext &context, SourceRange range) {
  FunctionContext &fn = emitterOf(context);
  const Type *type = value->type();
  if (llvm::isa<ListType, DictType, ClassType>(type) || type->isString() || type->isTensor())
    return callMagic(fn, range, "__len__", aten::len, {value});
  return SugaredValue::length(fn, range);
}

SugaredValue *SimpleValue::element(EmitterContext &context, SourceRange range, Value *index, const Type *) {
  FunctionContext &fn = emitterOf(context);
  if (value->type()->isTensor())
    return fn.simple(callBuiltin(fn, range, aten::select, {value, fn.constant(int64_t{0}, range), index}));
  if (auto *tuple = llvm::dyn_cast<TupleType>(value->type())) {
    std::optional<IValue> known = constantValue(index);
    int64_t i = known && known->isInt() ? known->toInt() : -1;
    if (i < 0 || i >= static_cast<int64_t>(tuple->elements().size()))
      return fn.error(range, diag::TupleIndexNotConstant);
    return fn.simple(fn.insertValue(prim::TupleIndex, {value, index}, tuple->elements()[i], range));
  }
  return fn.simple(callMagic(fn, range, "__getitem__", aten::__getitem__, {value, index}));
}

//===-- Iteration ----------------------------------------------------------===//

Value *TupleSugar::asValue(EmitterContext &context, SourceRange range) {
  FunctionContext &fn = emitterOf(context);
  llvm::SmallVector<Value *, 4> values;
  for (SugaredValue *element : elements) {
    Value *value = element->asValue(fn, range);
    if (!value)
      return nullptr;
    values.push_back(value);
  }
  return fn.makeTuple(values, range);
}

SugaredValue *TupleSugar::element(EmitterContext &context, SourceRange range, Value *index, const Type *) {
  FunctionContext &fn = emitterOf(context);
  std::optional<IValue> known = constantValue(index);
  int64_t i = known && known->isInt() ? known->toInt() : -1;
  if (i < 0)
    i += static_cast<int64_t>(elements.size());
  if (i < 0 || i >= static_cast<int64_t>(elements.size()))
    return fn.error(range, diag::TupleIndexNotConstant);
  return elements[i];
}

Value *RangeSugar::length(EmitterContext &context, SourceRange range) {
  FunctionContext &fn = emitterOf(context);
  if (!end)
    return fn.error(range, diag::NotIterable, describe());
  return simple ? end : callBuiltin(fn, range, aten::__range_length, {start, end, step});
}

SugaredValue *RangeSugar::element(EmitterContext &context, SourceRange range, Value *index, const Type *) {
  FunctionContext &fn = emitterOf(context);
  return fn.simple(simple ? index : callBuiltin(fn, range, aten::__derive_index, {index, start, step}));
}

std::optional<unsigned> IterableTree::staticLength() const {
  std::optional<unsigned> least;
  for (SugaredValue *child : children)
    if (std::optional<unsigned> length = child->staticLength())
      least = least ? std::min(*least, *length) : *length;
  return least;
}

Value *IterableTree::length(EmitterContext &context, SourceRange range) {
  FunctionContext &fn = emitterOf(context);
  llvm::SmallVector<Value *, 4> lengths;
  for (SugaredValue *child : children) {
    if (auto *counter = llvm::dyn_cast<RangeSugar>(child); counter && !counter->end)
      continue;
    Value *length = child->length(fn, range);
    if (!length)
      return nullptr;
    lengths.push_back(length);
  }
  if (lengths.size() == 1)
    return lengths[0];
  return callBuiltin(fn, range, prim::min, {fn.makeList(Type::intType(), lengths, range)});
}

SugaredValue *IterableTree::element(EmitterContext &context, SourceRange range, Value *index, const Type *) {
  FunctionContext &fn = emitterOf(context);
  llvm::SmallVector<SugaredValue *, 4> elements;
  for (SugaredValue *child : children) {
    SugaredValue *element = child->element(fn, range, index);
    if (!element)
      return nullptr;
    elements.push_back(element);
  }
  return fn.make<TupleSugar>(elements);
}
