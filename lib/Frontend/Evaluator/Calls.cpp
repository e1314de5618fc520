//===- Calls.cpp - Calls, attributes and the making of objects ------------===//
#include "../Emitter/SourceResolver.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Support/NearestName.h"
#include "llvm/ADT/ScopeExit.h"

using namespace tsc;
using namespace tsc::python;

static constexpr unsigned maxDepth = 400;

//===-- Calls --------------------------------------------------------------===//

Result Evaluator::call(const AnyValue &callee, const Arguments &arguments, SourceRange range) {
  if (!countStep(range))
    return std::nullopt;
  if (depth >= maxDepth)
    return raise(range, "RecursionError", "maximum recursion depth exceeded");
  ++depth;
  auto leave = llvm::make_scope_exit([&] { --depth; });
  Result result = callAny(callee, arguments, range);
  return isNestingReported ? std::nullopt : result; // that refusal has no result of its own
}

Result Evaluator::callAny(const AnyValue &callee, const Arguments &arguments, SourceRange range) {
  if (auto *function = callee.as<FunctionObject>())
    return callFunction(*function, arguments, range);
  if (auto *bound = callee.as<BoundObject>())
    return callFunction(*bound->function, arguments, range, &bound->self);
  if (auto *type = callee.as<ClassObject>())
    return construct(*type, arguments, range);
  if (auto *native = callee.as<NativeObject>())
    return callNative(*native, arguments, range);
  if (auto *library = callee.as<LibraryObject>())
    return callLibrary(*library, arguments, range);
  if (auto *method = callee.as<TensorMethodObject>())
    return callTensorMethod(method->self, method->name, arguments, range);
  if (auto *partial = callee.as<PartialObject>()) {
    Arguments all = partial->given;
    all.positional.insert(all.positional.end(), arguments.positional.begin(), arguments.positional.end());
    for (const KeywordValue &keyword : arguments.keywords) {
      llvm::erase_if(all.keywords, [&](const KeywordValue &known) { return known.name == keyword.name; });
      all.keywords.push_back(keyword);
    }
    return call(partial->function, all, range);
  }
  if (auto *instance = callee.as<InstanceObject>()) {
    if (AnyValue *method = instance->type->find("__call__")) {
      Result bound = bindAttribute(*method, instance, instance->type, range);
      return bound ? call(*bound, arguments, range) : std::nullopt;
    }
    if (instance->type->isModule)
      return callModule(*instance, arguments, range);
  }
  return raise(range, "TypeError", "'" + typeName(callee) + "' object is not callable");
}

bool Evaluator::bind(TreeList<Param> params, StringRef name, FunctionObject &function, const Arguments &arguments,
                     const AnyValue *self, SourceRange range, Frame &frame) {
  std::vector<AnyValue> given;
  if (self)
    given.push_back(*self);
  given.insert(given.end(), arguments.positional.begin(), arguments.positional.end());
  std::vector<bool> used(arguments.keywords.size());
  size_t next = 0;
  auto fails = [&](const llvm::Twine &what) {
    raise(range, "TypeError", name + "() " + what);
    return false;
  };
  for (const Param *param : params) {
    std::string local = param->name().str();
    if (param->isVarArgs()) {
      auto *rest = make<TupleObject>();
      for (; next < given.size(); ++next)
        rest->elements.push_back(given[next]);
      frame.locals[local] = rest;
      continue;
    }
    if (param->isVarKeywords()) {
      auto *rest = make<DictObject>();
      for (auto [i, keyword] : llvm::enumerate(arguments.keywords))
        if (!used[i]) {
          rest->entries.emplace_back(IValue(keyword.name), keyword.value);
          used[i] = true;
        }
      frame.locals[local] = rest;
      continue;
    }
    auto keyword = llvm::find_if(arguments.keywords, [&](const KeywordValue &k) { return k.name == local; });
    if (!param->isKeywordOnly() && next < given.size()) {
      if (keyword != arguments.keywords.end())
        return fails("got multiple values for argument '" + local + "'");
      frame.locals[local] = given[next++];
    } else if (keyword != arguments.keywords.end()) {
      frame.locals[local] = keyword->value;
      used[keyword - arguments.keywords.begin()] = true;
    } else if (auto known = function.defaults.find(param); known != function.defaults.end()) {
      frame.locals[local] = known->second;
    } else {
      return fails("missing a required argument: '" + local + "'");
    }
  }
  if (next < given.size())
    return fails("takes " + llvm::Twine(next - (self != nullptr)) + " positional arguments but " +
                 llvm::Twine(arguments.positional.size()) + " were given");
  for (auto [i, keyword] : llvm::enumerate(arguments.keywords))
    if (!used[i])
      return fails("got an unexpected keyword argument '" + keyword.name + "'");
  return true;
}

Result Evaluator::callFunction(FunctionObject &function, const Arguments &arguments, SourceRange range,
                               const AnyValue *self) {
  auto frame = std::make_shared<Frame>();
  frame->file = function.file;
  frame->outer = function.closure;
  frame->owner = function.owner;
  auto *def = llvm::dyn_cast<Def>(function.tree);
  auto *lambda = llvm::dyn_cast<Lambda>(function.tree);
  TreeList<Param> params = def ? def->params() : lambda->params();
  if (!bind(params, def ? def->name() : "<lambda>", function, arguments, self, range, *frame))
    return std::nullopt;
  if (function.owner && !params.empty())
    frame->self = frame->locals[params[0]->name().str()];
  if (lambda)
    return eval(lambda->body(), frame);
  AnyValue returned;
  return run(def->body(), frame, returned) == Flow::Failed ? std::nullopt : Result(std::move(returned));
}

Result Evaluator::callModule(InstanceObject &module, const Arguments &arguments, SourceRange range) {
  ObjectValue *object = compiledModule(module, range);
  if (!object)
    return std::nullopt;
  const size_t heard = compiler.diags.all().size();
  Function *forward = compiler.moduleMethod(object->type, "forward");
  if (!forward && compiler.diags.all().size() != heard)
    return std::nullopt;
  if (!forward)
    return raise(range, "NotImplementedError", "Module '" + module.type->name + "' has no method 'forward'");
  std::vector<IValue> args{IValue(Ref<ObjectValue>::share(object))};
  std::vector<std::pair<std::string, IValue>> keywords;
  for (const AnyValue &value : arguments.positional) {
    std::optional<IValue> data = toData(value, range);
    if (!data)
      return std::nullopt;
    args.push_back(std::move(*data));
  }
  for (const KeywordValue &keyword : arguments.keywords) {
    std::optional<IValue> data = toData(keyword.value, range);
    if (!data)
      return std::nullopt;
    keywords.emplace_back(keyword.name, std::move(*data));
  }
  if (failed(forward->ensureDefined()))
    return std::nullopt;
  const ForwardHooks &hooks = object->type->forwardHooks();
  auto runHook = [&](StringRef hook, std::vector<IValue> given) -> std::optional<IValue> {
    Function *method = object->type->findMethod(hook);
    given.insert(given.begin(), args[0]);
    if (failed(method->ensureDefined()))
      return std::nullopt;
    StatusOr<IValue> changed = host.run(*method, std::move(given), {});
    if (changed.ok())
      return *std::move(changed);
    fail(range, diag::FailedWhileLoading, messageOf(changed.status()));
    return std::nullopt;
  };
  auto inputs = [&] { return makeTuple(std::vector<IValue>(args.begin() + 1, args.end())); };
  for (const std::string &hook : hooks.before) {
    std::optional<IValue> changed = runHook(hook, {inputs()});
    if (!changed)
      return std::nullopt;
    if (changed->isNone())
      continue;
    args.resize(1);
    if (changed->isTuple())
      args.insert(args.end(), changed->toTuple().elements.begin(), changed->toTuple().elements.end());
    else
      args.push_back(std::move(*changed));
  }
  IValue given = hooks.after.empty() ? IValue() : inputs();
  StatusOr<IValue> result = host.run(*forward, hooks.after.empty() ? std::move(args) : args, std::move(keywords));
  if (!result.ok())
    return fail(range, diag::FailedWhileLoading, messageOf(result.status()));
  for (const std::string &hook : hooks.after) {
    std::optional<IValue> changed = runHook(hook, {given, *result});
    if (!changed)
      return std::nullopt;
    if (!changed->isNone())
      result = std::move(*changed);
  }
  takeOverContainers(module);
  return fromData(*result);
}

Result Evaluator::saveModule(InstanceObject &module, const AnyValue &path, SourceRange range) {
  if (path.object || !path.data.isString())
    return raise(range, "TypeError", "a module is saved to a path, which is a string");
  ObjectValue *object = compiledModule(module, range);
  const size_t heard = compiler.diags.all().size();
  if (!object || (!compiler.moduleMethod(object->type, "forward") && compiler.diags.all().size() != heard))
    return std::nullopt;
  compiler.declareExported(*object);
  Status saved = host.saveModule(IValue(Ref<ObjectValue>::share(object)), path.data.toString());
  if (saved.ok())
    return AnyValue();
  if (compiler.diags.all().size() != heard) // a body did not compile
    return std::nullopt;
  return fail(range, diag::FailedWhileLoading, messageOf(saved));
}

//===-- Objects ------------------------------------------------------------===//

Result Evaluator::construct(ClassObject &type, const Arguments &arguments, SourceRange range) {
  if (type.members) { // Color(2)
    if (arguments.positional.size() == 1)
      for (auto &[name, value] : type.members->members())
        if (equal(AnyValue(value), arguments.positional[0]))
          return *type.find(name);
    return raise(range, "ValueError",
                 (arguments.positional.empty() ? "nothing" : repr(arguments.positional[0])) + " is not a valid " +
                     type.name);
  }
  if (type.isNamedTuple)
    return makeNamedTuple(type, arguments, range);
  auto *instance = make<InstanceObject>();
  instance->type = &type;
  AnyValue self(instance);
  if (type.isModule) {
    instance->slots["training"].value = IValue(true);
  } else if (type.isDataclass) {
    if (!type.find("__init__"))
      return initializeFields(*instance, arguments, range) ? Result(self) : std::nullopt;
  }
  AnyValue *init = type.find("__init__");
  auto *function = init ? init->as<FunctionObject>() : nullptr;
  if (function)
    return callFunction(*function, arguments, range, &self) ? Result(self) : std::nullopt;
  if (!type.exceptionBase.empty()) {
    auto *args = make<TupleObject>();
    args->elements = arguments.positional;
    instance->slots["args"].value = args;
    return self;
  }
  if (!arguments.positional.empty() || !arguments.keywords.empty())
    return raise(range, "TypeError", type.name + "() takes no arguments");
  return self;
}

/// The fields of a dataclass or NamedTuple, bases' first.
bool Evaluator::initializeFields(InstanceObject &instance, const Arguments &arguments, SourceRange range) {
  ClassObject &type = *instance.type;
  const std::vector<std::string> fields = fieldsOf(type);
  auto fails = [&](const llvm::Twine &what) {
    raise(range, "TypeError", type.name + "() " + what);
    return false;
  };
  if (arguments.positional.size() > fields.size())
    return fails("takes " + llvm::Twine(fields.size()) + " arguments");
  for (auto [i, field] : llvm::enumerate(fields)) {
    auto keyword = llvm::find_if(arguments.keywords, [&](const KeywordValue &k) { return k.name == field; });
    if (i < arguments.positional.size())
      instance.slots[field].value = arguments.positional[i];
    else if (keyword != arguments.keywords.end())
      instance.slots[field].value = keyword->value;
    else if (AnyValue *known = type.find(field)) {
      auto *partial = known->as<PartialObject>(); // field(default_factory=f)
      Result made = partial && partial->given.keywords.empty() && partial->given.positional.empty()
                        ? call(partial->function, {}, range)
                        : Result(*known);
      if (!made)
        return false;
      instance.slots[field].value = *made;
    } else
      return fails("missing a required argument: '" + field + "'");
  }
  for (const KeywordValue &keyword : arguments.keywords)
    if (!llvm::is_contained(fields, keyword.name))
      return fails("got an unexpected keyword argument '" + keyword.name + "'");
  AnyValue *after = type.find("__post_init__");
  Result bound = after ? bindAttribute(*after, &instance, &type, range) : std::nullopt;
  return !after || (bound && call(*bound, {}, range));
}

bool Evaluator::needsNoArguments(ClassObject &type) {
  AnyValue *init = type.find("__init__");
  auto *function = init ? init->as<FunctionObject>() : nullptr;
  if (!function)
    return true;
  bool first = true;
  for (const Param *param : llvm::cast<Def>(function->tree)->params()) {
    if (!first && !param->defaultValue() && !param->isVarArgs() && !param->isVarKeywords())
      return false;
    first = false;
  }
  return true;
}

//===-- Attributes ---------------------------------------------------------===//

/// Of a class, as seen through an object or through a class.
Result Evaluator::bindAttribute(const AnyValue &found, InstanceObject *self, ClassObject *type, SourceRange range) {
  return bindAttribute(found, self ? std::optional(AnyValue(self)) : std::nullopt, type, range);
}

Result Evaluator::bindAttribute(const AnyValue &found, std::optional<AnyValue> self, ClassObject *type,
                                SourceRange range) {
  auto *function = found.as<FunctionObject>();
  if (!function || function->binding == FunctionObject::Binding::Static || !llvm::isa<Def>(function->tree))
    return found;
  if (function->binding == FunctionObject::Binding::Method && !self)
    return found;
  auto *bound = make<BoundObject>();
  bound->function = function;
  bound->self = function->binding == FunctionObject::Binding::Class || !self ? AnyValue(type) : *self;
  return function->binding == FunctionObject::Binding::Property ? call(bound, {}, range) : Result(bound);
}

Result Evaluator::noAttribute(const AnyValue &object, StringRef name, SourceRange range) {
  NearestName nearest(name);
  auto *instance = object.as<InstanceObject>();
  if (instance) {
    for (auto &[known, slot] : instance->slots)
      nearest.consider(known);
    for (ClassObject *type : instance->type->order)
      for (auto &[known, value] : type->attributes)
        nearest.consider(known);
  }
  return raise(range, "AttributeError",
               "'" + typeName(object) + "' object has no attribute '" + name + "'" + nearest.hint());
}

static bool isModuleNative(StringRef name) {
  static constexpr StringRef names[] = {"register_buffer",
                                        "register_forward_hook",
                                        "register_forward_pre_hook",
                                        "register_parameter",
                                        "register_module",
                                        "add_module",
                                        "parameters",
                                        "named_parameters",
                                        "buffers",
                                        "named_buffers",
                                        "children",
                                        "named_children",
                                        "modules",
                                        "named_modules",
                                        "apply",
                                        "train",
                                        "eval",
                                        "requires_grad_",
                                        "state_dict",
                                        "load_state_dict",
                                        "to",
                                        "cpu",
                                        "cuda",
                                        "float",
                                        "double",
                                        "zero_grad",
                                        "save",
                                        "get_submodule",
                                        "get_parameter",
                                        "half",
                                        "type",
                                        "share_memory",
                                        "_get_name",
                                        "items",
                                        "keys",
                                        "values",
                                        "_modules",
                                        "_parameters",
                                        "_buffers"};
  return llvm::is_contained(names, name);
}

Result Evaluator::instanceAttribute(InstanceObject &instance, StringRef name, SourceRange range) {
  if (Slot *slot = instance.slots.find(name)) {
    // What compiled code wrote counts.
    if (instance.compiled && slot->kind != SlotKind::Module && !slot->value.object)
      if (auto at = instance.compiled->type->findAttribute(name)) {
        bool isParameter = slot->value.isParameter;
        slot->value = fromData(instance.compiled->slots[*at]);
        slot->value.isParameter = isParameter;
      }
    return slot->value;
  }
  if (AnyValue *found = instance.type->find(name))
    return bindAttribute(*found, &instance, instance.type, range);
  if (name == "__class__")
    return AnyValue(instance.type);
  bool isContainerName = name == "items" || name == "keys" || name == "values";
  if (instance.type->isModule && isModuleNative(name) &&
      (!isContainerName || instance.type->derivesFrom("ModuleDict") || instance.type->derivesFrom("ParameterDict"))) {
    if (name.starts_with("_") && name != "_get_name")
      return callModuleNative(name, instance, {}, range);
    auto *method = make<NativeObject>();
    method->name = "module." + name.str();
    method->self = AnyValue(&instance);
    return AnyValue(method);
  }
  return noAttribute(&instance, name, range);
}

Result Evaluator::classAttribute(ClassObject &type, StringRef name, SourceRange range) {
  if (name == "__name__" || name == "__qualname__")
    return AnyValue(IValue(type.name));
  if (AnyValue *found = type.find(name))
    return bindAttribute(*found, nullptr, &type, range);
  if (name == "__init__" && type.isModule)
    return native("module.__init__");
  return raise(range, "AttributeError", "type object '" + type.name + "' has no attribute '" + name + "'");
}

Result Evaluator::attribute(const AnyValue &object, StringRef name, SourceRange range) {
  if (auto *instance = object.as<InstanceObject>())
    return instanceAttribute(*instance, name, range);
  if (auto *type = object.as<ClassObject>())
    return classAttribute(*type, name, range);
  if (auto *library = object.as<LibraryObject>())
    return this->library(library->path + "." + name.str(), range);
  if (auto *module = object.as<FileObject>()) {
    if (name == "__name__")
      return AnyValue(IValue(module->file->name));
    bool failed = false;
    if (AnyValue *value = memberOf(*module->file, name, failed))
      return *value;
    if (failed)
      return std::nullopt;
    return raise(range, "AttributeError",
                 "module '" + module->file->name + "' has no attribute '" + name + "'" +
                     module->file->resolver->nearestTo(name));
  }
  if (auto *super = object.as<SuperObject>()) {
    if (AnyValue *found = super->self->type->find(name, super->after))
      return bindAttribute(*found, super->self, super->self->type, range);
    if (name == "__init__" || isModuleNative(name)) {
      auto *method = make<NativeObject>();
      method->name = (super->self->type->exceptionBase.empty() ? "module." : "exception.") + name.str();
      method->self = AnyValue(super->self);
      return AnyValue(method);
    }
    return raise(range, "AttributeError", "'super' object has no attribute '" + name + "'");
  }
  if (!object.object && object.data.isEnum()) {
    const EnumValue &member = object.data.toEnum();
    if (name == "name" || name == "value")
      return AnyValue(name == "name" ? IValue(member.name) : member.value);
    if (compiler.intEnums.contains(member.type))
      return attribute(withoutEnum(object), name, range);
  }
  if (auto *tuple = object.as<TupleObject>(); tuple && tuple->type)
    if (std::optional<Result> own = namedTupleAttribute(*tuple, name, range))
      return *own;
  if (object.isTensor() || (!object.object && object.data.isGenerator()))
    return tensorAttribute(object, name, range);
  if (!object.object && object.data.isObject())
    return compiledAttribute(object, name, range);
  if (auto *function = object.as<FunctionObject>(); function && name == "__name__")
    return AnyValue(IValue(llvm::isa<Def>(function->tree) ? llvm::cast<Def>(function->tree)->name() : "<lambda>"));
  if (auto *native = object.as<NativeObject>(); native && name == "__name__")
    return AnyValue(IValue(native->name));
  StringRef group = object.as<ListObject>()    ? "list"
                    : object.as<DictObject>()  ? "dict"
                    : object.as<TupleObject>() ? "tuple"
                    : object.as<SetObject>()   ? "set"
                    : object.isString()        ? "str"
                                               : "";
  if (!group.empty()) {
    auto *method = make<NativeObject>();
    method->name = (group + "." + name).str();
    method->self = object;
    return AnyValue(method);
  }
  return noAttribute(object, name, range);
}

bool Evaluator::setAttribute(const AnyValue &object, StringRef name, const AnyValue &value, SourceRange range,
                             const Tree *annotation) {
  ++changes;
  if (auto *type = object.as<ClassObject>()) {
    type->attributes[name] = value;
    return true;
  }
  if (object.isTensor()) {
    Arguments arguments;
    arguments.positional = {value};
    if (name == "data")
      return callTensorMethod(object, "set_data", arguments, range).has_value();
    if (name == "requires_grad")
      return callTensorMethod(object, "requires_grad_", arguments, range).has_value();
  }
  auto *instance = object.as<InstanceObject>();
  if (!instance) {
    raise(range, "AttributeError", "attributes of '" + typeName(object) + "' objects cannot be set");
    return false;
  }
  bool isNew = instance->slots.find(name) == nullptr;
  Slot &slot = instance->slots[name];
  auto *child = value.as<InstanceObject>();
  if (instance->type->isModule) {
    if (child && child->type->isModule)
      slot.kind = SlotKind::Module;
    else if (value.isParameter)
      slot.kind = SlotKind::Parameter;
    else if (isNew || !(value.isNone() || (slot.kind == SlotKind::Buffer && value.isTensor())))
      slot.kind = SlotKind::Regular;
  }
  slot.value = value;
  if (annotation)
    slot.annotation = annotation;
  if (instance->compiled && slot.kind != SlotKind::Module)
    if (auto at = instance->compiled->type->findAttribute(name)) {
      std::optional<IValue> data = value.object ? std::nullopt : std::optional(value.data);
      if (data && isInstanceOf(*data, instance->compiled->type->attribute(*at).type))
        instance->compiled->slots[*at] = *data;
    }
  return true;
}
