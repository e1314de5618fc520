//===- Calls.cpp - Calls, attributes and the making of objects ------------===//
#include "../Emitter/SourceResolver.h"
#include "../SugaredValues/LibraryTable.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Support/NearestName.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

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
  return isRefused ? std::nullopt : result; // that refusal has no result of its own
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
  if (auto *cached = callee.as<CachedObject>())
    return callCached(*cached, arguments, range);
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
  std::vector<const Param *> missing;
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
      missing.push_back(param);
    }
  }
  if (next < given.size()) {
    size_t most = 0, least = 0;
    for (const Param *param : params)
      if (!param->isVarArgs() && !param->isVarKeywords() && !param->isKeywordOnly()) {
        ++most;
        least += !function.defaults.contains(param);
      }
    return fails("takes " + (least == most ? "" : "from " + llvm::Twine(least) + " to ") + llvm::Twine(most) +
                 " positional argument" + (most == 1 && least == most ? "" : "s") + " but " +
                 llvm::Twine(given.size()) + (given.size() == 1 ? " was" : " were") + " given");
  }
  for (auto [i, keyword] : llvm::enumerate(arguments.keywords))
    if (!used[i])
      return fails("got an unexpected keyword argument '" + keyword.name + "'");
  if (!missing.empty()) {
    const bool areKeywords = missing[0]->isKeywordOnly();
    llvm::erase_if(missing, [&](const Param *param) { return param->isKeywordOnly() != areKeywords; });
    std::string names;
    for (auto [i, param] : llvm::enumerate(missing))
      names += (i == 0                    ? "'"
                : i + 1 == missing.size() ? missing.size() == 2 ? " and '" : ", and '"
                                          : ", '") +
               param->name().str() + "'";
    return fails("missing " + llvm::Twine(missing.size()) + " required " +
                 (areKeywords ? "keyword-only" : "positional") + " argument" + (missing.size() == 1 ? "" : "s") + ": " +
                 names);
  }
  return true;
}

/// Names that a function's body assigns, and so has as local variables.
static void collectAssigned(const Tree *tree, llvm::StringSet<> &names) {
  auto target = [&](auto &&self, const Tree *part) -> void {
    if (auto *var = llvm::dyn_cast_or_null<Var>(part))
      names.insert(var->name());
    if (part && llvm::isa<TupleLiteral, ListLiteral, Starred>(part))
      for (const Tree *inner : part->children())
        self(self, inner);
  };
  if (!tree || llvm::isa<Lambda, ListComp, SetComp, DictComp, GeneratorExpr>(tree))
    return;
  if (auto *def = llvm::dyn_cast<Def>(tree)) {
    names.insert(def->name());
    return;
  }
  if (auto *type = llvm::dyn_cast<ClassDef>(tree)) {
    names.insert(type->name());
    return;
  }
  if (auto *assignment = llvm::dyn_cast<Assign>(tree))
    for (const Tree *one : assignment->targets())
      target(target, one);
  if (auto *assignment = llvm::dyn_cast<AugAssign>(tree))
    target(target, assignment->target());
  if (auto *loop = llvm::dyn_cast<For>(tree))
    target(target, loop->target());
  if (auto *named = llvm::dyn_cast<NamedExpr>(tree))
    target(target, named->target());
  for (const Tree *child : tree->children())
    collectAssigned(child, names);
}

std::vector<StringRef> tsc::python::namesOfGlobal(const Tree &statement) {
  StringRef text = statement.range().text();
  (void)(text.consume_front("global") || text.consume_front("nonlocal"));
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  std::vector<StringRef> names;
  for (StringRef part : parts)
    names.push_back(part.trim(" \t\\\r\n"));
  return names;
}

/// Names that `global` or `nonlocal` sends elsewhere anywhere in a body.
static void collectGlobals(const Tree *tree, llvm::StringSet<> &names) {
  if (!tree || llvm::isa<Def, ClassDef, Lambda>(tree))
    return;
  if (tree->kind() == TreeKind::Global || tree->kind() == TreeKind::Nonlocal)
    for (StringRef name : namesOfGlobal(*tree))
      names.insert(name);
  for (const Tree *child : tree->children())
    collectGlobals(child, names);
}

const llvm::StringSet<> &Evaluator::assignedIn(const Def &def) {
  auto [known, isNew] = assignedByFunction.try_emplace(&def);
  if (isNew) {
    llvm::StringSet<> globals;
    for (const Tree *statement : def.body()) {
      collectAssigned(statement, known->second);
      collectGlobals(statement, globals);
    }
    for (auto &name : globals)
      known->second.erase(name.getKey());
  }
  return known->second;
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
  const std::string name = (function.owner && def && !function.closure ? function.owner->name + "." : "") +
                           (def ? def->name().str() : "<lambda>");
  if (!bind(params, name, function, arguments, self, range, *frame))
    return std::nullopt;
  if (function.owner && !params.empty())
    frame->self = frame->locals[params[0]->name().str()];
  if (lambda)
    return eval(lambda->body(), frame);
  if (!function.file->isLibrary)
    frame->assigned = &assignedIn(*def);
  const SourceRange outermost = userCall.isValid() ? userCall : range;
  llvm::SaveAndRestore<SourceRange> called(userCall, function.file->isLibrary ? outermost : SourceRange());
  AnyValue returned;
  const bool before = function.gradMode && host.setGradMode(*function.gradMode);
  Flow flow = run(def->body(), frame, returned);
  if (function.gradMode)
    host.setGradMode(before);
  return flow == Flow::Failed ? std::nullopt : Result(std::move(returned));
}

namespace {
/// While it lasts, what is reported is kept and handed to nobody.
class Trial {
public:
  explicit Trial(DiagnosticEngine &diags) : diags(diags), around(std::move(diags)) { diags = DiagnosticEngine(); }
  Trial(const Trial &) = delete;
  /// Takes what was reported, as if it had not been.
  std::vector<Diagnostic> end() {
    std::vector<Diagnostic> reports = diags.all();
    diags = std::move(around);
    return reports;
  }

private:
  DiagnosticEngine &diags;
  DiagnosticEngine around;
};
} // namespace

/// A module as compiled code calls it.
struct Evaluator::CompiledCall {
  ObjectValue *object = nullptr;
  Function *forward = nullptr;
  std::vector<IValue> args;
  std::vector<std::pair<std::string, IValue>> keywords;
};

/// Whether a parameter takes a value. Without an annotation it is a Tensor in compiled code, and anything in Python.
static bool takes(const Argument &parameter, const IValue &value) {
  auto *tensor = llvm::dyn_cast<TensorType>(parameter.type);
  return !tensor || !tensor->facts().inferred || value.isTensor();
}

/// Compiles what calling a module needs; false, after a report, where something of it isn't TorchScript, or the
/// arguments are not what compiled code takes.
bool Evaluator::prepareCall(InstanceObject &module, const Arguments &arguments, SourceRange range, CompiledCall &made) {
  made.object = compiledModule(module, range);
  if (!made.object)
    return false;
  made.forward = compiler.moduleMethod(made.object->type, "forward");
  if (!made.forward || failed(made.forward->ensureDefined()))
    return false;
  const ForwardHooks &hooks = made.object->type->forwardHooks();
  for (const std::vector<std::string> *names : {&hooks.before, &hooks.after})
    for (const std::string &name : *names)
      if (failed(made.object->type->findMethod(name)->ensureDefined()))
        return false;
  const llvm::ArrayRef<Argument> parameters = made.forward->schema().arguments();
  made.args.push_back(IValue(Ref<ObjectValue>::share(made.object)));
  for (const AnyValue &value : arguments.positional) {
    std::optional<IValue> data = toData(value, range);
    if (!data || (made.args.size() < parameters.size() && !takes(parameters[made.args.size()], *data)))
      return false;
    made.args.push_back(std::move(*data));
  }
  for (const KeywordValue &keyword : arguments.keywords) {
    std::optional<IValue> data = toData(keyword.value, range);
    const std::optional<unsigned> at = made.forward->schema().argumentIndex(keyword.name);
    if (!data || (at && !takes(parameters[*at], *data)))
      return false;
    made.keywords.emplace_back(keyword.name, std::move(*data));
  }
  return true;
}

/// Calls a module whose code isn't TorchScript as Python does: its own forward is walked, and what that calls is
/// compiled where it can be.
Result Evaluator::walkModule(InstanceObject &module, FunctionObject &forward, Arguments arguments, SourceRange range) {
  const AnyValue self(&module);
  auto inputs = [&] {
    auto *tuple = make<TupleObject>();
    tuple->elements = arguments.positional;
    return AnyValue(tuple);
  };
  for (FunctionObject *hook : module.preHooks) {
    Arguments given;
    given.positional = {self, inputs()};
    Result changed = callFunction(*hook, given, range);
    if (!changed)
      return std::nullopt;
    if (auto *tuple = changed->as<TupleObject>())
      arguments.positional = tuple->elements;
    else if (!changed->isNone())
      arguments.positional = {*changed};
  }
  Result result = callFunction(forward, arguments, range, &self);
  for (FunctionObject *hook : module.hooks) {
    Arguments given;
    if (result)
      given.positional = {self, inputs(), *result};
    Result changed = result ? callFunction(*hook, given, range) : std::nullopt;
    if (!changed)
      return std::nullopt;
    if (!changed->isNone())
      result = changed;
  }
  return result;
}

Result Evaluator::callModule(InstanceObject &module, const Arguments &arguments, SourceRange range) {
  AnyValue *own = module.type->find("forward");
  auto *written = own ? own->as<FunctionObject>() : nullptr;
  if (!written)
    return raise(range, "NotImplementedError",
                 "Module [" + module.type->name + "] is missing the required \"forward\" function");
  CompiledCall made;
  Trial compiling(compiler.diags);
  const unsigned triesAround = std::exchange(numTries, 0);
  const bool isCompiled = !written->gradMode && prepareCall(module, arguments, range, made);
  numTries = triesAround;
  std::vector<Diagnostic> reports = compiling.end();
  if (isCompiled)
    return runCompiledCall(module, made, range);
  if (isRefused)
    return std::nullopt;
  // Walked instead; why it was not compiled is told where that is refused, too.
  Trial walking(compiler.diags);
  Result result = walkModule(module, *written, arguments, range);
  std::vector<Diagnostic> walked = walking.end();
  const bool isUnsupported = llvm::any_of(walked, [](const Diagnostic &one) {
    return one.kind == &diag::UnsupportedWhileLoading || StringRef(one.message).starts_with("NameError") ||
           StringRef(one.message).starts_with("AttributeError") || StringRef(one.message).starts_with("TypeError");
  });
  if (!result && isUnsupported)
    for (Diagnostic &one : reports)
      compiler.diags.emit(std::move(one));
  for (Diagnostic &one : walked)
    compiler.diags.emit(std::move(one));
  return result;
}

Result Evaluator::runCompiledCall(InstanceObject &module, CompiledCall &made, SourceRange range) {
  ObjectValue *object = made.object;
  Function *forward = made.forward;
  std::vector<IValue> &args = made.args;
  const ForwardHooks &hooks = object->type->forwardHooks();
  auto runHook = [&](StringRef hook, std::vector<IValue> given) -> std::optional<IValue> {
    Function *method = object->type->findMethod(hook);
    given.insert(given.begin(), args[0]);
    StatusOr<IValue> changed = outside([&] { return host.run(*method, std::move(given), {}); });
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
  StatusOr<IValue> result = outside(
      [&] { return host.run(*forward, hooks.after.empty() ? std::move(args) : args, std::move(made.keywords)); });
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
  Status saved =
      outside([&] { return host.saveModule(IValue(Ref<ObjectValue>::share(object)), path.data.toString()); });
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
  if (type.isAbstract)
    for (ClassObject *one : type.order)
      for (auto &[name, value] : one->attributes)
        if (auto *method = type.find(name)->as<FunctionObject>(); method && method->isAbstract) {
          std::vector<std::string> names;
          for (ClassObject *each : type.order)
            for (auto &[known, unused] : each->attributes)
              if (auto *other = type.find(known)->as<FunctionObject>();
                  other && other->isAbstract && !llvm::is_contained(names, known))
                names.push_back(known);
          llvm::sort(names);
          return raise(range, "TypeError",
                       "Can't instantiate abstract class " + type.name + " with abstract method" +
                           (names.size() == 1 ? " " : "s ") + llvm::join(names, ", "));
        }
  auto *instance = make<InstanceObject>();
  instance->type = &type;
  instance->madeAt = userCall.isValid() ? userCall : range;
  AnyValue self(instance);
  if (type.isModule) {
    instance->slots["training"].value = IValue(true);
  } else if (type.isDataclass) {
    if (!type.find("__init__"))
      return initializeFields(*instance, arguments, range) ? Result(self) : std::nullopt;
  }
  AnyValue *init = type.find("__init__");
  auto *function = init ? init->as<FunctionObject>() : nullptr;
  if (function) {
    if (type.isModule && !type.isLibrary)
      unbegun.insert(instance);
    Result done = callFunction(*function, arguments, range, &self);
    unbegun.erase(instance);
    if (done && !done->isNone())
      return raise(range, "TypeError", "__init__() should return None, not '" + typeName(*done) + "'");
    return done ? Result(self) : std::nullopt;
  }
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
  if (!function || function->binding == FunctionObject::Binding::Static)
    return found;
  if (function->binding == FunctionObject::Binding::Method && !self)
    return found;
  auto *bound = make<BoundObject>();
  bound->function = function;
  bound->self = function->binding == FunctionObject::Binding::Class || !self ? AnyValue(type) : *self;
  return function->binding == FunctionObject::Binding::Property ? call(bound, {}, range) : Result(bound);
}

Result Evaluator::noAttribute(const AnyValue &object, StringRef name, SourceRange range) {
  if ((name.starts_with("__") && name.ends_with("__")) || object.as<FunctionObject>() || object.as<NativeObject>() ||
      object.as<BoundObject>() || object.as<PartialObject>() || object.as<TensorMethodObject>() || object.isDType)
    return refuse(range, "attributes like '" + name + "' of '" + typeName(object) + "'");
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
               "'" + typeName(object) + "' object has no attribute '" + name + "'" + (numTries ? "" : nearest.hint()));
}

/// Whether modules have the method or attribute here.
static bool isModuleNative(StringRef name) {
  const library::ModuleMemberRow *row = library::findModuleMember(name);
  return row && (row->uses & library::Walked);
}

/// Whether PyTorch's modules have the method or attribute, and the evaluator refuses it.
static bool isOtherModuleName(StringRef name) {
  const library::ModuleMemberRow *row = library::findModuleMember(name);
  return (row && !(row->uses & library::Walked)) || name.starts_with("_load_") || name.starts_with("_save_");
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
    return classOf(instance);
  if (name == "__cause__" && !instance.type->exceptionBase.empty())
    return AnyValue();
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
  if (instance.type->isModule && isOtherModuleName(name))
    return refuse(range, "attributes like '" + name + "' of modules");
  return noAttribute(&instance, name, range);
}

Result Evaluator::classAttribute(ClassObject &type, StringRef name, SourceRange range) {
  if (name == "__name__" || name == "__qualname__")
    return AnyValue(IValue(type.name));
  if (AnyValue *found = type.find(name)) {
    auto *function = found->as<FunctionObject>();
    if (function && function->binding == FunctionObject::Binding::Property)
      return refuse(range, "properties of classes");
    return bindAttribute(*found, nullptr, &type, range);
  }
  const bool isPlain = !type.members && type.exceptionBase.empty() &&
                       llvm::none_of(type.order, [](ClassObject *one) { return one->isLibrary || one->isNamedTuple; });
  if (name == "__mro__" && isPlain) {
    auto *order = make<TupleObject>();
    for (ClassObject *one : type.order)
      order->elements.push_back(AnyValue(one));
    order->elements.push_back(native("object"));
    return AnyValue(order);
  }
  if (name == "_fields" && type.isNamedTuple) {
    auto *names = make<TupleObject>();
    for (const std::string &field : fieldsOf(type))
      names->elements.push_back(IValue(field));
    return AnyValue(names);
  }
  if (name == "__init__" && type.isModule)
    return native("module.__init__");
  if (name == "__init__" && !type.isLibrary)
    return native("object.__init__");
  if ((name.starts_with("__") && name.ends_with("__")) || type.isModule || type.isNamedTuple || type.members)
    return refuse(range, "attributes like '" + name + "' of classes");
  return raise(range, "AttributeError", "type object '" + type.name + "' has no attribute '" + name + "'");
}

/// An attribute of a file that was imported.
Result Evaluator::fileAttribute(FileScope &file, StringRef name, SourceRange range) {
  if (name == "__name__")
    return AnyValue(IValue(file.name));
  bool failed = false;
  if (AnyValue *value = memberOf(file, name, failed))
    return *value;
  if (failed)
    return std::nullopt;
  return raise(range, "AttributeError",
               "module '" + file.name + "' has no attribute '" + name + "'" + file.resolver->nearestTo(name));
}

/// An attribute of `super()`.
Result Evaluator::superAttribute(const SuperObject &super, StringRef name, SourceRange range) {
  if (AnyValue *found = super.self->type->find(name, super.after)) {
    if (name == "__init__")
      unbegun.erase(super.self);
    return bindAttribute(*found, super.self, super.self->type, range);
  }
  const bool isModule = super.self->type->isModule, isException = !super.self->type->exceptionBase.empty();
  if (name == "__init__" || (isModule && isModuleNative(name))) {
    if (name == "__init__")
      unbegun.erase(super.self);
    auto *method = make<NativeObject>();
    method->name = (isModule ? "module." : isException ? "exception." : "object.") + name.str();
    method->self = AnyValue(super.self);
    return AnyValue(method);
  }
  if (isModule || isException || (name.starts_with("__") && name.ends_with("__")))
    return refuse(range, "attributes like '" + name + "' of super()");
  return raise(range, "AttributeError", "'super' object has no attribute '" + name + "'");
}

/// Returns what an attribute of a plain value holds: of a device, a slice, a deque, a range or a number; nothing for
/// other attributes.
static std::optional<AnyValue> fieldOf(const AnyValue &object, StringRef name) {
  if (!object.object && object.data.isDevice() && (name == "type" || name == "index")) {
    const Device device = object.data.toDevice();
    if (name == "type")
      return AnyValue(IValue(StringRef(device.str()).split(':').first));
    return device.index < 0 ? AnyValue() : AnyValue(IValue(static_cast<int64_t>(device.index)));
  }
  if (auto *slice = object.as<SliceObject>(); slice && (name == "start" || name == "stop" || name == "step"))
    return name == "start" ? slice->start : name == "stop" ? slice->stop : slice->step;
  if (auto *deque = object.as<DequeObject>(); deque && name == "maxlen")
    return deque->limit ? AnyValue(IValue(static_cast<int64_t>(*deque->limit))) : AnyValue();
  if (auto *numbers = object.as<RangeObject>(); numbers && (name == "start" || name == "stop" || name == "step"))
    return AnyValue(IValue(name == "start" ? numbers->start : name == "stop" ? numbers->stop : numbers->step));
  if (object.isInt() && (name == "real" || name == "numerator"))
    return AnyValue(IValue(object.data.toInt()));
  if (object.isInt() && (name == "imag" || name == "denominator"))
    return AnyValue(IValue(name == "imag" ? 0 : 1));
  if (object.isNumber() && (name == "real" || name == "imag") && !object.isInt())
    return AnyValue(IValue(name == "real" ? object.toDouble() : 0.0));
  if (!object.object && object.data.isComplex() && (name == "real" || name == "imag"))
    return AnyValue(IValue(name == "real" ? object.data.toComplex().real() : object.data.toComplex().imag()));
  return std::nullopt;
}

Result Evaluator::attribute(const AnyValue &object, StringRef name, SourceRange range) {
  if (auto *instance = object.as<InstanceObject>())
    return instanceAttribute(*instance, name, range);
  if (auto *type = object.as<ClassObject>())
    return classAttribute(*type, name, range);
  if (object.as<StateObject>())
    return refuse(range, "attributes like '" + name + "' of states of optimizers");
  if (auto *library = object.as<LibraryObject>()) {
    StringRef type = library->path;
    if (type.consume_front("builtins.") && (name == "__name__" || name == "__qualname__"))
      return AnyValue(IValue(type));
    return this->library(library->path + "." + name.str(), range);
  }
  if (auto *module = object.as<FileObject>())
    return fileAttribute(*module->file, name, range);
  if (auto *super = object.as<SuperObject>())
    return superAttribute(*super, name, range);
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
    return AnyValue(
        !function->wrappedName.empty()
            ? IValue(function->wrappedName)
            : IValue(llvm::isa<Def>(function->tree) ? llvm::cast<Def>(function->tree)->name() : "<lambda>"));
  if (auto *native = object.as<NativeObject>(); native && name == "__name__")
    return AnyValue(IValue(native->name));
  if (auto *results = object.as<TupleObject>())
    if (auto at = llvm::find(results->resultNames, name); at != results->resultNames.end())
      return results->elements[at - results->resultNames.begin()];
  if (auto *library = object.as<NativeObject>(); library && isTypeName(library->name) && name == "__name__")
    return AnyValue(IValue(library->name));
  if (name == "__class__" && !object.as<NativeObject>()) {
    NativeObject type;
    type.name = "type";
    Arguments one;
    one.positional = {object};
    return callNative(type, one, range);
  }
  if (std::optional<AnyValue> field = fieldOf(object, name))
    return *field;
  if (!object.object && object.data.isEnum())
    return refuse(range, "attributes like '" + name + "' of members of enumerations");
  auto *size = object.as<TupleObject>();
  const std::string kind = size && size->isSize ? "torch.Size" : size ? "tuple" : typeName(object);
  const StringRef group = kind;
  const bool isOfNamedTuple = size && size->type && (name == "_asdict" || name == "_replace");
  if (!object.as<InstanceObject>() && (isOfNamedTuple || library::hasPythonMethod(group, name))) {
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
    if (type->isLibrary || type->members) {
      refuse(range, "assignments to attributes of classes of libraries and enumerations");
      return false;
    }
    type->attributes[name] = value;
    return true;
  }
  if (object.isTensor() && name == "grad") {
    LibraryObject setGradient;
    setGradient.path = "torch.ops.tsc.set_gradient";
    Arguments both;
    both.positional = {object, value};
    return callLibrary(setGradient, both, range).has_value();
  }
  if (object.isTensor()) {
    Arguments arguments;
    arguments.positional = {value};
    if (name == "data")
      return setData(object, value, range);
    if (name == "requires_grad")
      return callTensorMethod(object, "requires_grad_", arguments, range).has_value();
  }
  auto *instance = object.as<InstanceObject>();
  if (!instance) {
    if (object.isNumber() || object.isString() || object.isNone() || object.as<ListObject>() || object.as<DictObject>())
      noAttribute(object, name, range);
    else
      refuse(range, "assignments to attributes of '" + typeName(object) + "'");
    return false;
  }
  if (AnyValue *found = instance->type->find(name))
    if (auto *property = found->as<FunctionObject>();
        property && property->binding == FunctionObject::Binding::Property) {
      if (!property->setter) {
        raise(range, "AttributeError",
              "property '" + name + "' of '" + instance->type->name + "' object has no setter");
        return false;
      }
      Arguments one;
      one.positional = {value};
      const AnyValue self(instance);
      return callFunction(*property->setter, one, range, &self).has_value();
    }
  if (AnyValue *slots = instance->type->find("__slots__"); slots && !instance->slots.find(name)) {
    refuse(range, "assignments to attributes of classes with '__slots__'");
    return false;
  }
  if (instance->type->isFrozen) {
    raiseFrozen(range, "cannot assign to field '" + name + "'");
    return false;
  }
  bool isNew = instance->slots.find(name) == nullptr;
  auto *child = value.as<InstanceObject>();
  const bool isModuleOrParameter = value.isParameter || (child && child->type->isModule);
  if (isModuleOrParameter && unbegun.contains(instance)) {
    raise(range, "AttributeError",
          "cannot assign " + llvm::Twine(value.isParameter ? "parameters" : "module") +
              " before Module.__init__() call");
    return false;
  }
  if (Slot *known = instance->type->isModule ? instance->slots.find(name) : nullptr;
      known && known->kind == SlotKind::Parameter && !value.isParameter && !value.isNone()) {
    if (child || !(value.isTensor()))
      refuse(range, "assignments of '" + typeName(value) + "' to parameters");
    else
      raise(range, "TypeError",
            "cannot assign 'torch.FloatTensor' as parameter '" + name + "' (torch.nn.Parameter or None expected)");
    return false;
  }
  Slot &slot = instance->slots[name];
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
