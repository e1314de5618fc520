//===- Modules.cpp - Modules of source files in compiled code -------------===//
//
// Children of containers have types of their own: loops over them are unrolled,
// and their indices are constants. Methods are declared when somebody asks.
//
//===----------------------------------------------------------------------===//
#include "../Emitter/Calls.h"
#include "../Emitter/Calls/FunctionCalls.h"
#include "../Emitter/Expressions.h"
#include "../Emitter/Expressions/Subscripts.h"
#include "../Emitter/SourceResolver.h"
#include "../Emitter/Statements/Branches.h"
#include "Values.h"
#include "tsc/Python/Slices.h"
#include "tsc/Support/NearestName.h"

using namespace tsc;

std::string ModuleForm::describe() const { return "method '" + name + "'"; }

ModuleInfo *Compiler::Impl::moduleInfo(const Type *type) {
  auto *classType = llvm::dyn_cast<ClassType>(type);
  auto found = classType && classType->isModule() ? classes.find(classType) : classes.end();
  return found == classes.end() ? nullptr : found->second.module.get();
}

bool tsc::isLibraryModule(Compiler::Impl &compiler, StringRef path) {
  if (path == "torch.jit.ScriptModule")
    return true;
  auto [module, name] = path.rsplit('.');
  if (module != "torch.nn" && !module.starts_with("torch.nn.modules"))
    return false;
  return llvm::isa_and_nonnull<ClassDef>(compiler.prelude(nnPrelude)->definition(name));
}

SugaredValue *tsc::globalValue(Compiler::Impl &compiler, const SourceResolver &file, StringRef name,
                               SourceRange range) {
  return compiler.evaluator ? compiler.evaluator->globalForCode(file, name, range) : nullptr;
}

Value *tsc::getModuleAttribute(FunctionContext &fn, SourceRange range, Value *object, StringRef name) {
  auto *type = llvm::cast<ClassType>(object->type());
  const ClassAttribute &attribute = type->attribute(*type->findAttribute(name));
  Node *node = fn.insertNode(prim::GetAttr, {object}, 1, range);
  node->setAttribute(attr::name, attribute.name);
  return node->output()->setType(attribute.type);
}

TupleSugar *tsc::moduleElements(FunctionContext &fn, SourceRange range, Value *self) {
  ModuleInfo *module = fn.compiler.moduleInfo(self->type());
  if (!module || (!module->isList && !module->isDict))
    return nullptr;
  llvm::SmallVector<SugaredValue *, 4> elements;
  for (const std::string &child : module->children)
    elements.push_back(module->isDict ? fn.simple(fn.constant(IValue(child), range))
                                      : fn.simple(getModuleAttribute(fn, range, self, child)));
  return fn.make<TupleSugar>(std::move(elements));
}

SugaredValue *tsc::overloadedMethod(FunctionContext &fn, Value *self, StringRef name) {
  auto info = fn.compiler.classes.find(llvm::cast<ClassType>(self->type()));
  if (info == fn.compiler.classes.end())
    return nullptr;
  auto overloads = info->second.overloads.find(name);
  return overloads == info->second.overloads.end() ? nullptr : fn.make<MethodSugar>(self, overloads->second);
}

SugaredValue *tsc::moduleAttribute(FunctionContext &fn, SourceRange range, Value *self, StringRef name) {
  auto *type = llvm::cast<ClassType>(self->type());
  ModuleInfo &module = *fn.compiler.moduleInfo(type);
  if (auto it = module.sugared.find(name); it != module.sugared.end())
    return it->second;
  if (SugaredValue *method = overloadedMethod(fn, self, name))
    return method;
  if (Function *method = fn.compiler.moduleMethod(type, name)) {
    if (const ClassProperty *property = type->findProperty(name))
      return fn.simple(callMethod(fn, range, self, property->getter, {}, {}));
    if (type->findMethod(name))
      return fn.make<MethodSugar>(self, std::vector<Function *>{method});
    return fn.make<FunctionSugar>(std::vector<Function *>{method}); // static
  }
  bool isOfContainers = (name == "items" || name == "keys" || name == "values") && module.isDict;
  if (isOfContainers || name == "parameters" || name == "buffers" || name == "children" || name == "named_children" ||
      name == "modules" || name == "named_modules" || name == "named_parameters" || name == "named_buffers" ||
      name == "train" || name == "eval")
    return fn.make<ModuleForm>(self, name.str());
  if (name == "_modules" || name == "_parameters" || name == "_buffers")
    return fn.make<ModuleTable>(self, name.str());
  return nullptr;
}

void tsc::reportNoModuleAttribute(FunctionContext &fn, SourceRange range, const ClassType *type, StringRef name) {
  ModuleInfo &module = *fn.compiler.moduleInfo(type);
  std::string note;
  if (auto untyped = module.untyped.find(name); untyped != module.untyped.end()) {
    note = " that compiled code can use: it holds " + untyped->second;
  } else {
    NearestName nearest(name);
    for (const ClassAttribute &attribute : type->attributes())
      nearest.consider(attribute.name);
    for (auto &constant : fn.compiler.classes[type].constants)
      nearest.consider(constant.first());
    module.type->forEachAttribute([&](StringRef known, const ModuleMethod &) { nearest.consider(known); });
    note = nearest.hint();
  }
  fn.error(range, diag::NoModuleAttribute, module.type->name, name, note);
}

using NamedTensors = llvm::SmallVector<std::pair<std::string, Value *>, 8>;

/// Parameters or buffers of a module, and of those below it where `isDeep`, in PyTorch's order.
static void collectTensors(FunctionContext &fn, SourceRange range, Value *module, AttributeKind kind, bool isDeep,
                           const std::string &prefix, NamedTensors &tensors) {
  auto *type = llvm::cast<ClassType>(module->type());
  for (const ClassAttribute &attribute : type->attributes())
    if (attribute.kind == kind)
      tensors.emplace_back(prefix + attribute.name, getModuleAttribute(fn, range, module, attribute.name));
  for (const ClassAttribute &attribute : type->attributes())
    if (isDeep && fn.compiler.moduleInfo(attribute.type))
      collectTensors(fn, range, getModuleAttribute(fn, range, module, attribute.name), kind, isDeep,
                     prefix + attribute.name + ".", tensors);
}

/// `named_parameters(prefix="", recurse=True)` and its kin.
static SugaredValue *moduleTensors(FunctionContext &fn, SourceRange range, Value *self, StringRef name,
                                   ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs) {
  const bool isNamed = name.consume_front("named_");
  std::optional<std::string> prefix = "";
  std::optional<bool> isDeep = true;
  auto take = [&](const NamedValue &given, bool isPrefix) {
    std::optional<IValue> known = given.value ? constantValue(given.value) : std::optional<IValue>(given.constant);
    if (isPrefix)
      prefix = known && known->isString() ? std::optional<std::string>(known->toString()) : std::nullopt;
    else
      isDeep = known && known->isBool() ? std::optional(known->toBool()) : std::nullopt;
  };
  if (args.size() > (isNamed ? 2 : 1))
    return fn.error(range, diag::CannotCall, "method '" + name.str() + "' with these arguments");
  for (auto [i, given] : llvm::enumerate(args))
    take(given, isNamed && i == 0);
  for (const NamedValue &given : kwargs)
    take(given, isNamed && given.name == "prefix");
  if (!prefix || !isDeep)
    return fn.error(range, diag::CannotCall, "method '" + name.str() + "' with arguments that are no constants");
  NamedTensors tensors;
  collectTensors(fn, range, self, name == "buffers" ? AttributeKind::Buffer : AttributeKind::Parameter, *isDeep,
                 prefix->empty() ? "" : *prefix + ".", tensors);
  if (!isNamed) {
    llvm::SmallVector<Value *, 8> values;
    for (auto &[path, value] : tensors)
      values.push_back(value);
    return fn.simple(fn.makeList(Type::tensorType(), values, range));
  }
  llvm::SmallVector<SugaredValue *, 4> elements;
  for (auto &[path, value] : tensors)
    elements.push_back(fn.make<TupleSugar>(
        llvm::SmallVector<SugaredValue *, 4>{fn.simple(fn.constant(IValue(path), range)), fn.simple(value)}));
  return fn.make<TupleSugar>(std::move(elements));
}

/// `self._modules`: a dict whose methods unroll.
SugaredValue *ModuleTable::attribute(EmitterContext &context, SourceRange range, StringRef method) {
  FunctionContext &fn = emitterOf(context);
  if (method != "items" && method != "keys" && method != "values")
    return SugaredValue::attribute(fn, range, method);
  auto *type = llvm::cast<ClassType>(self->type());
  llvm::SmallVector<SugaredValue *, 4> elements;
  for (const ClassAttribute &attribute : type->attributes()) {
    const bool isModule = fn.compiler.moduleInfo(attribute.type);
    if (name == "_modules"
            ? !isModule
            : isModule || attribute.kind != (name == "_buffers" ? AttributeKind::Buffer : AttributeKind::Parameter))
      continue;
    SugaredValue *key = fn.simple(fn.constant(IValue(attribute.name), range));
    SugaredValue *value = fn.simple(getModuleAttribute(fn, range, self, attribute.name));
    elements.push_back(method == "items"  ? fn.make<TupleSugar>(llvm::SmallVector<SugaredValue *, 4>{key, value})
                       : method == "keys" ? key
                                          : value);
  }
  return fn.make<ElementsForm>(fn.make<TupleSugar>(std::move(elements)));
}

/// The elements, one after the other, where they are those of a slice of a Sequential.
SugaredValue *TupleSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                               ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  if (!isSequential || args.size() != 1 || !kwargs.empty())
    return SugaredValue::call(fn, range, args, kwargs);
  NamedValue passed = args[0];
  for (SugaredValue *element : elements) {
    SugaredValue *result = element->call(fn, range, {passed}, {});
    passed.value = result ? result->asValue(fn, range) : nullptr;
    if (!passed.value)
      return nullptr;
  }
  return fn.simple(passed.value);
}

using NamedModules = llvm::SmallVector<std::pair<std::string, Value *>, 8>;

/// A module and those below it, each behind its own path. False after a report.
static bool collectModules(FunctionContext &fn, SourceRange range, Value *module, const std::string &path,
                           StringRef form, NamedModules &modules) {
  modules.emplace_back(path, module);
  for (const ClassAttribute &attribute : llvm::cast<ClassType>(module->type())->attributes()) {
    if (auto *interface = llvm::dyn_cast<InterfaceType>(attribute.type); interface && interface->isModule())
      return fn.error(range, diag::BadType,
                      "Could not compile '" + form.str() + "()': attribute '" + attribute.name +
                          "' is an interface, behind which any module may stand");
    if (fn.compiler.moduleInfo(attribute.type) &&
        !collectModules(fn, range, getModuleAttribute(fn, range, module, attribute.name),
                        path.empty() ? attribute.name : path + "." + attribute.name, form, modules))
      return false;
  }
  return true;
}

/// `modules()` and `named_modules()`.
static SugaredValue *allModules(FunctionContext &fn, SourceRange range, Value *self, StringRef form) {
  NamedModules modules;
  if (!collectModules(fn, range, self, "", form, modules))
    return nullptr;
  llvm::SmallVector<SugaredValue *, 4> elements;
  for (auto &[path, module] : modules) {
    SugaredValue *value = fn.simple(module);
    elements.push_back(form == "modules" ? value
                                         : fn.make<TupleSugar>(llvm::SmallVector<SugaredValue *, 4>{
                                               fn.simple(fn.constant(IValue(path), range)), value}));
  }
  return fn.make<TupleSugar>(std::move(elements));
}

static void setTraining(FunctionContext &fn, SourceRange range, Value *module, Value *mode) {
  auto *type = llvm::cast<ClassType>(module->type());
  Node *node = fn.insertNode(prim::SetAttr, {module, mode}, 0, range);
  node->setAttribute(attr::name, std::string("training"));
  for (const ClassAttribute &attribute : type->attributes())
    if (fn.compiler.moduleInfo(attribute.type))
      setTraining(fn, range, getModuleAttribute(fn, range, module, attribute.name), mode);
}

SugaredValue *ModuleForm::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                               ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  if (StringRef(name).ends_with("parameters") || StringRef(name).ends_with("buffers"))
    return moduleTensors(fn, range, self, name, args, kwargs);
  if (name == "train" || name == "eval") {
    Value *mode = name == "train" && !args.empty() ? args[0].value : fn.constant(name == "train", range);
    if (!mode || !mode->type()->isBool())
      return SugaredValue::call(fn, range, args, kwargs);
    setTraining(fn, range, self, mode);
    return fn.simple(self);
  }
  if (name == "modules" || name == "named_modules")
    return args.empty() && kwargs.empty() ? allModules(fn, range, self, name)
                                          : SugaredValue::call(fn, range, args, kwargs);
  ModuleInfo &module = *fn.compiler.moduleInfo(self->type());
  auto *type = llvm::cast<ClassType>(self->type());
  llvm::SmallVector<SugaredValue *, 4> elements;
  for (const std::string &child : module.children) {
    const bool isModule = fn.compiler.moduleInfo(type->attribute(*type->findAttribute(child)).type);
    if (!isModule && !module.isDict)
      continue;
    SugaredValue *key = fn.simple(fn.constant(IValue(child), range));
    SugaredValue *value = fn.simple(getModuleAttribute(fn, range, self, child));
    if (name == "items" || name == "named_children")
      elements.push_back(fn.make<TupleSugar>(llvm::SmallVector<SugaredValue *, 4>{key, value}));
    else
      elements.push_back(name == "keys" ? key : value);
  }
  return fn.make<TupleSugar>(std::move(elements));
}

//===-- Elements at an index that is not known ------------------------------===//

Value *ChosenModule::choose(FunctionContext &fn, SourceRange range, size_t first,
                            llvm::function_ref<Value *(SugaredValue &)> use) const {
  Condition isThis;
  isThis.value = callBuiltin(fn, range, aten::eq, {index, choices[first].first});
  if (!isThis.value)
    return nullptr;
  const Type *type = nullptr;
  auto take = [&]() -> Value * {
    Value *result = use(*choices[first].second);
    type = result ? result->type() : nullptr;
    return result;
  };
  auto others = [&]() -> Value * {
    if (first + 1 != choices.size())
      return choose(fn, range, first + 1, use);
    const bool isList = index->type()->isInt();
    Value *message = fn.constant(IValue(isList ? "list index out of range" : "no such module"), range);
    Value *name = fn.constant(IValue(isList ? "builtins.IndexError" : "builtins.KeyError"), range);
    fn.insertNode(prim::RaiseException, {message, name}, 0, range);
    return fn.insertValue(prim::Uninitialized, {}, type, range);
  };
  return emitIfExpression(fn, range, isThis, take, others);
}

llvm::SmallVector<std::pair<std::string, const Type *>, 4> ChosenModule::moduleTypes() const {
  llvm::SmallVector<std::pair<std::string, const Type *>, 4> types;
  for (auto [at, module] : choices) {
    const IValue name = *constantValue(at);
    auto *simple = llvm::dyn_cast<SimpleValue>(module);
    types.emplace_back(name.isInt() ? std::to_string(name.toInt()) : std::string(name.toString()),
                       simple ? simple->get()->type() : nullptr);
  }
  return types;
}

Value *ChosenModule::asValue(EmitterContext &context, SourceRange range) {
  FunctionContext &fn = emitterOf(context);
  return choose(fn, range, 0, [&](SugaredValue &each) { return each.asValue(fn, range); });
}

SugaredValue *ChosenModule::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  llvm::SmallVector<std::pair<Value *, SugaredValue *>, 4> attributes;
  for (auto &[at, module] : choices) {
    SugaredValue *attribute = module->attribute(fn, range, name);
    if (!attribute)
      return nullptr;
    attributes.emplace_back(at, attribute);
  }
  return fn.make<ChosenModule>(index, std::move(attributes));
}

SugaredValue *ChosenModule::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                 ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  Value *result = choose(fn, range, 0, [&](SugaredValue &each) -> Value * {
    SugaredValue *called = each.call(fn, range, args, kwargs);
    return called ? called->asValue(fn, range) : nullptr;
  });
  return result ? fn.simple(result) : nullptr;
}

/// The element at `index`, an int of a list or the name in a dict.
static SugaredValue *chosenElement(FunctionContext &fn, SourceRange range, Value *self, Value *index) {
  ModuleInfo &module = *fn.compiler.moduleInfo(self->type());
  const int64_t size = static_cast<int64_t>(module.children.size());
  if (module.isList) { // from the end, where it is negative
    Condition isNegative;
    isNegative.value = callBuiltin(fn, range, aten::lt, {index, fn.constant(int64_t{0}, range)});
    index = emitIfExpression(
        fn, range, isNegative, [&] { return callBuiltin(fn, range, aten::add, {index, fn.constant(size, range)}); },
        [&] { return index; });
  }
  llvm::SmallVector<std::pair<Value *, SugaredValue *>, 4> choices;
  for (auto [i, child] : llvm::enumerate(module.children)) {
    Value *at = module.isList ? fn.constant(static_cast<int64_t>(i), range) : fn.constant(IValue(child), range);
    choices.emplace_back(at, fn.simple(getModuleAttribute(fn, range, self, child)));
  }
  return fn.make<ChosenModule>(index, std::move(choices));
}

SugaredValue *tsc::moduleSubscript(FunctionContext &fn, const Subscript &tree, Value *self) {
  ModuleInfo &module = *fn.compiler.moduleInfo(self->type());
  SourceRange range = tree.range();
  const std::string what = "Module '" + module.type->name + "'";
  if ((!module.isList && !module.isDict) || tree.indices().size() != 1)
    return fn.error(range, diag::UnsupportedSubscript, what);
  const int64_t size = static_cast<int64_t>(module.children.size());
  if (module.isList && isSlice(fn, tree.indices()[0])) {
    llvm::SmallVector<std::optional<int64_t>, 3> bounds;
    const bool ok = emitSliceParts(fn, tree.indices()[0], [&](const Tree *part, Value *value) {
      bounds.push_back(value ? constantIndex(fn, value) : std::nullopt);
      return !value || value->type()->isNone() || bounds.back() ||
             fn.error(part->range(), diag::ModuleIndexNotConstant, what);
    });
    if (!ok)
      return nullptr;
    int64_t step = bounds[2].value_or(1);
    if (step == 0)
      return fn.error(range, diag::ZeroSliceStep);
    const python::SliceElements places = python::sliceElements(bounds[0], bounds[1], step, size);
    llvm::SmallVector<SugaredValue *, 4> taken;
    for (int64_t i = 0; i != places.count; ++i)
      taken.push_back(fn.simple(getModuleAttribute(fn, range, self, module.children[places[i]])));
    auto *elements = fn.make<TupleSugar>(std::move(taken));
    elements->isSequential = module.type->derivesFrom("Sequential");
    return elements;
  }
  Value *index = emitExpr(fn, tree.indices()[0]);
  if (!index)
    return nullptr;
  if (auto key = constantValue(index); key && key->isString() && module.isDict) {
    if (llvm::is_contained(module.children, key->toString()))
      return fn.simple(getModuleAttribute(fn, range, self, key->toString()));
    std::string known;
    for (const std::string &child : module.children)
      known += (known.empty() ? "'" : ", '") + child + "'";
    return fn.error(range, diag::ModuleIndex, "Key Error, " + key->toString(), what, known.empty() ? "none" : known);
  }
  std::optional<int64_t> at = constantIndex(fn, index);
  const bool isChosen = module.isList ? !at && index->type()->isInt() : index->type()->isString();
  if (isChosen && !module.children.empty())
    return chosenElement(fn, range, self, index);
  if (!at || module.isDict)
    return fn.error(tree.indices()[0]->range(), diag::ModuleIndexNotConstant, what);
  const std::optional<int64_t> place = python::elementPlace(*at, size);
  if (!place)
    return fn.error(range, diag::ModuleIndex, "Index " + std::to_string(*at) + " out of range", what,
                    std::to_string(size));
  return fn.simple(getModuleAttribute(fn, range, self, module.children[*place]));
}
